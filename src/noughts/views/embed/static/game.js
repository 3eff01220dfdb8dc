// The game of an element: its attributes ──readGame()──► start, moves, comments, players, result
//
// A bad attribute is refused by a Problem or by the core, in a sentence.

import { BadRecord, parseRecord } from "./record.js";

const ENGINE = /^engine(?::(level|nodes)=([1-9]\d{0,8}))?$/;
const WORDS = { "1-0": "X wins", "0-1": "O wins", "1/2-1/2": "A draw" };

/** A bad attribute; the message is a sentence. */
export class Problem extends Error {}

/**
 * Return the game of an element from its attributes.
 *
 * {start, moves, comments, players, ending, at}: `start` is a rules id or a position string, `at` the
 * number of moves before the position to show first, `ending` a sentence if the rules do not tell the
 * end.
 */
export function readGame(core, { rules, position, moves, record, at }) {
  const told = record === null ? { moves: (moves ?? "").split(/\s+/).filter(Boolean), comments: {}, tags: {} } : read(record);
  const { Game: game, Start: place } = told.tags;
  if (game && (rules || position || moves)) {
    throw new Problem("A record has its own rules and moves: leave out rules, position and moves.");
  }
  const start = place ?? game ?? position ?? rules ?? "basic";
  const known = core.position(start);
  if (position && rules && core.position(rules).rules !== known.rules) {
    throw new Problem(`The position belongs to ${known.rules}, not to ${rules}.`);
  }
  const { texts, comments } = separated(told, known.board);
  const last = core.position(start, texts);
  const shown = at === null ? (game ? 0 : texts.length) : Number(at || NaN);
  if (!(Number.isInteger(shown) && shown >= 0 && shown <= texts.length)) {
    throw new Problem(`The attribute at is a number from 0 to ${texts.length}, not "${at}".`);
  }
  return { start, moves: texts, comments, players: playersOf(told.tags), ending: last.outcome ? null : endingOf(told), at: shown };
}

/** Return how the machine plays, {level} or {nodes}; null if people play both sides. */
export function readPlay(text) {
  if (text === null || text === "") return null;
  const found = ENGINE.exec(text);
  const [, name = "level", number = "10"] = found ?? [];
  if (!found || (name === "level" && Number(number) > 10)) {
    const known = "empty, engine:level=4 with a level from 1 to 10, or engine:nodes=20000";
    throw new Problem(`The attribute play is ${known}, not "${text}".`);
  }
  return { [name]: Number(number) };
}

/** Return the side that a person plays: X, O, or null if the attribute is missing. */
export function readSide(text) {
  if (text === null || text === "X" || text === "O") return text;
  throw new Problem(`The attribute side is X or O, not "${text}".`);
}

function read(record) {
  try {
    return parseRecord(record);
  } catch (error) {
    throw error instanceof BadRecord ? new Problem(error.message) : error;
  }
}

/** Separate runs of digits, where every move is one character; comments move with their moves. */
function separated({ moves, comments: given }, { names }) {
  const isSingle = names.every((name) => name.length === 1);
  const texts = [];
  const comments = {};
  for (let word = 0; word <= moves.length; word++) {
    if (given[word]) comments[texts.length] = given[word];
    if (word === moves.length) break;
    texts.push(...(isSingle && /^\d+$/.test(moves[word]) ? moves[word] : [moves[word]]));
  }
  return { texts, comments };
}

const playersOf = ({ X: x, O: o }) => (x || o ? `X: ${x ?? "?"} · O: ${o ?? "?"}` : "");

function endingOf({ tags, result }) {
  if (!(result in WORDS)) return null;
  const reason = tags.Termination && tags.Termination !== "unknown" ? ` (${tags.Termination})` : "";
  return `${WORDS[result]}${reason}.`;
}
