// Games played in this browser: each change makes a new version, which is kept.
//
//   open, play, change, … ──► saved.js ──► followers get a GameView
//                                └── a machine to move, and a follower ──► machines.js ──► play

import { onPage } from "/static/core/words.js";
import { machines, think } from "/static/site/machines.js";
import { positionOf } from "/static/site/positions.js";
import { refusal } from "/static/site/problem.js";
import { all, listen, load, remove, save } from "/static/site/saved.js";
import * as swap2 from "/static/site/swap2.js";
import {
  ILLEGAL_MOVE,
  actorOf,
  afterRedo,
  afterUndo,
  choicesOf,
  isPerson,
  other,
  resultOf,
  seatOf,
  summary,
  total,
  undoes,
  view,
} from "/static/site/views.js";

/** The searches of machines by the ids of games: {version, running, trouble}. */
const searches = new Map();

const now = () => new Date().toISOString();
/** Return twelve hexadecimal digits, also on a page without https, which lacks `randomUUID`. */
const newId = () =>
  [...crypto.getRandomValues(new Uint8Array(6))].map((each) => each.toString(16).padStart(2, "0")).join("");

const stateOf = ({ id, version }) => {
  const search = searches.get(id);
  const isOurs = search?.version === version;
  return { thinking: isOurs && !search.trouble, trouble: isOurs ? search.trouble : null };
};

const shown = async (game, position = null) =>
  view(game, position ?? (await positionOf(game.start, game.moves)), stateOf(game));

/** Return a game after moves; its result is that of the rules. */
async function played(game, moves) {
  const position = await positionOf(game.start, moves);
  const { outcome } = position;
  return [
    {
      ...game,
      moves,
      position: position.position,
      result: outcome ? resultOf(outcome.winner) : "*",
      termination: outcome?.termination ?? "",
    },
    position,
  ];
}

async function keep(game, position = null) {
  const next = { ...game, version: game.version + 1, updated: now() };
  await save(next, game.version);
  return shown(next, position);
}

async function loaded(id, version) {
  const game = await load(id);
  if (game.version !== version) {
    throw refusal("conflict", 409, "The game has changed. Look at it again.");
  }
  return game;
}

/** Return a new game, not kept yet. */
async function made({ start, moves = [], x, o, swapped = false, ...more }) {
  const first = await positionOf(start, []);
  const time = now();
  const game = {
    id: newId(),
    version: 1,
    rules: first.rules,
    start: first.position,
    swapped,
    x,
    o,
    undone: [],
    lines: [],
    comments: {},
    score: { x: 0, o: 0, draws: 0 },
    next: null,
    created: time,
    updated: time,
    ...more,
  };
  const [whole, position] = await played(game, moves);
  const { result, termination } = more;
  // The rules do not know of a resignation.
  const isEnded = whole.result === "*" && result && result !== "*";
  return { game: isEnded ? { ...whole, result, termination } : whole, position };
}

/** Open a game, as `NewGameRequest`; return its view. */
export async function open({ start, moves = "", x, o, swapped, opening }) {
  const list = moves.split(/\s+/).filter(Boolean);
  const { game, position } = await made({ start, moves: list, x, o, swapped, ...(opening && { choices: [] }) });
  await save(game, null);
  return shown(game, position);
}

/** Open games of an imported file; return their summaries. */
export async function openAll(records) {
  const found = [];
  for (const record of records) found.push(await made(record));
  for (const { game } of found) await save(game, null);
  return found.map(({ game }) => summary(game));
}

export const show = async (id) => shown(await load(id));

/** Return games whose words contain those of a search: {games, next}. */
export async function list(search, after, count) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isWanted = (each) => {
    const { rules, x, o, result, updated } = each;
    const state = result === "*" ? "unfinished in progress" : "finished";
    const text = `${rules} ${x} ${o} ${result} ${updated} ${state}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const found = (await all()).map(summary).filter(isWanted);
  const from = Number(after) || 0;
  const games = found.slice(from, from + count);
  return { games, next: from + count < found.length ? String(from + count) : null };
}

export const deleteGame = (id) => {
  end(id);
  return remove(id);
};

/** Play a move of the person to move. */
export async function play(id, version, move) {
  const game = await loaded(id, version);
  return append(game, move);
}

async function append(game, ...moves) {
  if (game.result !== "*") throw refusal("over", 409, "The game is over.");
  if (choicesOf(game).length) throw chooseFirst(game);
  const [next, position] = await played(game, [...game.moves, ...moves]);
  return keep({ ...next, undone: [] }, position);
}

/** Return the refusal of all but the choices that are due, to the player who chooses. */
const chooseFirst = ({ choices, moves }) =>
  refusal("choose", 409, swap2.situation(choices, moves, swap2.playerAt(choices, moves.length)));

/** Return what belongs to the players of a game, whose sides are exchanged. */
const exchanged = ({ x, o, score, names }) => ({
  x: o,
  o: x,
  score: { ...score, x: score.o, o: score.x },
  ...(names && { names: { X: names.O, O: names.X } }),
});

/** Return a game with other choices of swap2, in which the players have the sides that follow. */
function seated(game, choices) {
  if (swap2.isSwapped(choices) === swap2.isSwapped(game.choices)) return { ...game, choices };
  return { ...game, choices, ...exchanged(game) };
}

const chosen = (game, choice) => ({ ...seated(game, [...game.choices, choice]), undone: [] });

/** Choose a side in swap2 for the person whose choice is due, or more stones. */
export async function choose(id, version, choice) {
  const game = await loaded(id, version);
  const due = choicesOf(game);
  if (!due.length) throw refusal("nothing", 409, onPage({ code: "swap2-no-choice" }));
  if (!due.includes(choice)) throw chooseFirst(game);
  return keep(chosen(game, choice));
}

const CHANGES = {
  async undo(game, { turn }) {
    const count = afterUndo(game, turn);
    const undone = [...game.moves.slice(count), ...game.undone];
    const act = game.choices && swap2.lastAct(game.choices, game.moves.length, undoes(game));
    return [{ ...(act ? seated(game, act.made) : game), undone }, game.moves.slice(0, count)];
  },
  async redo(game, { turn }) {
    const line = [...game.moves, ...game.undone];
    const count = afterRedo(game, turn);
    return [{ ...game, undone: line.slice(count) }, line.slice(0, count)];
  },
};

/** Make a change: `undo`, `redo`, `resign`, `rematch` or `stop`; return the view after it. */
export async function change(id, version, what) {
  const game = await loaded(id, version);
  const position = await positionOf(game.start, game.moves);
  if (!view(game, position, stateOf(game)).can.includes(what)) {
    throw refusal("not-now", 409, "This is not possible now.");
  }
  if (what === "stop") {
    searches.get(id).running.stop();
    return shown(game, position);
  }
  if (what === "rematch") return rematch(game);
  end(id);
  if (what === "resign") {
    const actor = actorOf(game, position.turn);
    const side = isPerson(game, actor) ? actor : other(actor);
    return keep({ ...game, result: resultOf(other(side)), termination: "resignation" }, position);
  }
  const [changed, moves] = await CHANGES[what](game, position);
  const [next, after] = await played(changed, moves);
  return keep(next, after);
}

/** Open the next game of a series, with the sides swapped. */
async function rematch(game) {
  if (game.next) return show(game.next);
  const { start, swapped, x, o, names, choices } = game;
  const before = { x, o, names, score: total(game) };
  // With swap2 whoever was player 2 places the stones now, and may have X already.
  const seats = choices && swap2.isSwapped(choices) ? before : exchanged(before);
  const { game: next, position } = await made({ start, swapped, ...seats, ...(choices && { choices: [] }) });
  await save(next, null);
  await keep({ ...game, next: next.id });
  return shown(next, position);
}

const isWithin = (line, start) => start.every((move, at) => move === line[at]);

/** Add a variation, a list of all its moves. */
export async function addVariation(id, version, path) {
  const game = await loaded(id, version);
  await positionOf(game.start, path);
  if ([game.moves, ...game.lines].some((line) => isWithin(line, path))) return shown(game);
  const kept = game.lines.filter((line) => !isWithin(path, line));
  return keep({ ...game, lines: [...kept, path] });
}

/** Delete the variations that begin with a line. */
export async function deleteVariation(id, version, path) {
  const game = await loaded(id, version);
  return keep({ ...game, lines: game.lines.filter((line) => !isWithin(line, path)) });
}

/** Set the comment on the last move of a line; an empty text deletes it. */
export async function setComment(id, version, path, text) {
  const game = await loaded(id, version);
  const comments = { ...game.comments, [path.join(" ")]: text.trim() };
  if (!text.trim()) delete comments[path.join(" ")];
  const known = [game.moves, ...game.lines].some((line) => isWithin(line, path));
  return keep({ ...game, comments, lines: known ? game.lines : [...game.lines, path] });
}

/** Return a kept game, for files. */
export const kept = load;

// Machines

function end(id) {
  const search = searches.get(id);
  searches.delete(id);
  search?.running?.end();
}

/** Let the machine to move think, and play; `tell` is called when that begins or fails. */
async function thinkAbout(game, tell) {
  const turn = actorOf(game, (await positionOf(game.start, game.moves)).turn);
  const opponent = seatOf(game, turn);
  if (!isPerson(game, "X") || !isPerson(game, "O")) machines().warm();
  if (game.result !== "*" || opponent === "me" || searches.get(game.id)?.version === game.version) return;
  end(game.id);
  const position = await positionOf(game.start, game.moves);
  const search = { version: game.version, running: null, trouble: null };
  searches.set(game.id, search);
  const isOpening = game.choices && !swap2.isDecided(game.choices);
  const stones = isOpening && swap2.stonesOf(game.choices) - game.moves.length;
  search.running = isOpening
    ? machines().step(position, opponent, choicesOf(game), stones)
    : think(position, opponent);
  tell();
  try {
    const move = await search.running.move;
    if (searches.get(game.id) !== search) return;
    if (isOpening) {
      const { choice, moves } = move;
      const [next, after] = await played(choice ? chosen(game, choice) : game, [...game.moves, ...moves]);
      await keep({ ...next, undone: [] }, after);
    } else if (move === null) await keep({ ...game, result: resultOf(other(turn)), termination: ILLEGAL_MOVE }, position);
    else await append(game, move);
  } catch (problem) {
    // Another tab may have played the move.
    if (problem.kind === "conflict" || searches.get(game.id) !== search) return;
    search.trouble = problem.message;
    tell();
  }
}

/**
 * Follow a game: `changed(GameView)` now and at every change, `refused(Problem)` if it is gone.
 * Returns a function that stops; a machine thinks only in a game that somebody follows.
 */
export function follow(id, { changed, refused }) {
  let isEnded = false;
  async function look() {
    try {
      const game = await load(id);
      const seen = await shown(game);
      if (isEnded) return;
      changed(seen);
      thinkAbout(game, async () => isEnded || changed(await shown(game)));
    } catch (problem) {
      if (!isEnded) refused(problem);
    }
  }
  const unlisten = listen((changedId) => changedId === id && look());
  look();
  return () => {
    isEnded = true;
    unlisten();
    end(id);
  };
}
