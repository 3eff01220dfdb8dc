// Puzzles without Python, which only judges moves: the list, the puzzle of a day, and one puzzle.
//
//   data/puzzles.json ──► puzzles, easiest first ──► positions of rules.wasm ──► `PuzzleList`, `PuzzleView`

import { read } from "/static/site/data.js";
import { positionOf } from "/static/site/positions.js";
import { refusal } from "/static/site/problem.js";
import { requirePython } from "/static/site/python.js";

const DAY = 86_400_000; // Milliseconds

let loading = null;

/** Return the file, loaded once; without Python nobody could judge a move. */
async function file() {
  requirePython();
  loading ??= read("data/puzzles.json").catch((problem) => {
    loading = null;
    throw problem;
  });
  return loading;
}

/** Return a puzzle in a list. */
async function card({ games }, { id, rules, position, task, rating, level }) {
  const { title } = games.find((each) => each.rules === rules);
  return { id, rules, title, task, rating, level, picture: await positionOf(position, []) };
}

/** Return a puzzle without its solution. */
async function whole(found, puzzle) {
  const { kind, moves, hints } = puzzle;
  const { rule } = found.games.find((each) => each.rules === puzzle.rules);
  const themes = puzzle.themes.map((name) => ({ name, sentence: found.themes[name] }));
  const shown = await card(found, puzzle);
  return { ...shown, kind, moves, rule, hints, themes, position: shown.picture };
}

/** Return the games with puzzles, and some puzzles; the query is that of the server. */
export async function list({ rules, level, start = 0, after, count = 12 }) {
  const found = await file();
  const chosen = found.puzzles.filter(
    (each) => (!rules || each.rules === rules) && (!level || each.level === level),
  );
  const first = chosen.findIndex(({ id }) => id === after) + 1 + start;
  const puzzles = chosen.slice(first, first + count).map((each) => card(found, each));
  return { games: found.games, total: chosen.length, puzzles: await Promise.all(puzzles) };
}

/** Return the puzzle of a date, as 2026-11-23; null for a date that is not in the file. */
export async function ofDay(date) {
  const found = await file();
  const puzzle = found.puzzles[found.days[(Date.parse(date) - Date.parse(found.first_day)) / DAY]];
  return puzzle ? whole(found, puzzle) : null;
}

/** Return the puzzle with an id. */
export async function one(id) {
  const found = await file();
  const puzzle = found.puzzles.find((each) => each.id === id);
  if (!puzzle) throw refusal("not-found", 404, "There is no such puzzle.");
  return whole(found, puzzle);
}
