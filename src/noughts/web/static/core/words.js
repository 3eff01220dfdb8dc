// What the core says of positions, in words. The phrases are those of noughts/games/phrases.py, which
// explains their arguments.
//
//   core.position(…) ──said()──────────► O played bottom right, so you play the bottom-right board.
//                    ──stateOf()───────► X to move on board 1
//                    ──descriptionOf()─► X on 1 2. O on 4 5. X to move.

import { LINES, ON_PAGE, PHRASES, PLACES } from "./phrases.js";

const SIDES = ["X", "O"];

/**
 * Return a phrase {code, and its arguments} of a table; the player who is the viewer is "you". `ways` has
 * functions for more ways to say an argument.
 */
export const said = (phrase, viewer = null, phrases = PHRASES, ways = {}) =>
  filled(phrases[phrase.code], phrase, { viewer, phrases, ways });

/** Return a phrase as a sentence. */
export const sentenceOf = (phrase, ...table) => sentence(said(phrase, null, ...table));

/** Return a phrase as a sentence for a page, which shows no numbers of boards and cells. */
export function onPage(phrase) {
  const text = ON_PAGE[phrase.code];
  return text ? filled(text, phrase, {}) : sentenceOf(phrase);
}

function filled(text, phrase, told) {
  return text.replace(/\{(\w+)(?::([^{}]*))?\}/g, (_, name, way = "") => inWords(phrase[name], way, told));
}

function inWords(value, way, { viewer, phrases, ways }) {
  const [first, ...rest] = way.split(" ");
  if (ways?.[first]) return ways[first](value, rest.join(" "));
  if (way === "board") return boardName(value);
  if (way === "line") return LINES[value - 1];
  if (way === "place") return PLACES[value - 1] === "centre" ? "in the centre" : PLACES[value - 1];
  if (way === "boards") {
    return value.length > 2
      ? `any of the ${value.length} open boards`
      : boardNames(value);
  }
  if (first === "count") return `${value} ${rest.join(" ")}${value === 1 ? "" : "s"}`;
  if (way.includes("|")) {
    const [you, verb] = way.split("|");
    return value === viewer ? you : `${value} ${verb}`.trimEnd();
  }
  const text = (each) => (each?.code ? said(each, null, phrases, ways) : String(each));
  if (!Array.isArray(value)) return text(value);
  return way ? listed(value.map(text), way) : value.map(text).join(" ");
}

/** Return texts as a list in a sentence: `a1, b1 or c1`. */
const listed = (texts, word) => [texts.slice(0, -1).join(", "), texts.at(-1)].filter(Boolean).join(` ${word} `);

/** Return the names of any of some boards: `the top-left board or the centre board`. */
export const boardNames = (boards) => listed(boards.map((board) => `the ${boardName(board)}`), "or");

export const boardName = (board) => `${PLACES[board - 1].replace(" ", "-")} board`;

/** Return a text with a capital letter and a full stop; a move at its start stays as it is. */
function sentence(text) {
  const begun = /^[A-Za-z]+(?![^ ])/.test(text) ? text[0].toUpperCase() + text.slice(1) : text;
  return /[.?!]$/.test(begun) ? begun : `${begun}.`;
}

/** Return the state of the game: the side to move and its board, or the result. */
export function stateOf({ outcome, turn, forced }) {
  if (outcome) return said(outcome.winner ? { code: "state-won", winner: outcome.winner } : { code: "state-drawn" });
  return said(forced === null ? { code: "state-turn", turn } : { code: "state-board", turn, forced: forced + 1 });
}

/** Return a description of the board, for screen readers. */
export function descriptionOf(facts) {
  const { board } = facts;
  const held = (cells) =>
    SIDES.map((side) => {
      const names = cells.filter((cell) => board.cells[cell] === side).map((cell) => nameOf(board, cell));
      return names.length ? `${side} on ${names.join(" ")}` : "";
    }).filter(Boolean);
  const all = [...board.cells].map((_, cell) => cell);
  const told = board.owners === null ? held(all) : [];
  for (const [at, owner] of [...(board.owners ?? "")].entries()) {
    const marks = held(all.slice(9 * at, 9 * at + 9));
    const won = SIDES.includes(owner) ? [`won by ${owner}`] : [];
    if (marks.length) told.push(`board ${at + 1}: ${[...won, ...marks].join(", ")}`);
  }
  const state = stateOf(facts);
  return [...told, state[0].toUpperCase() + state.slice(1)].map((each) => `${each}.`).join(" ");
}

/** Return the name of a cell; in Connect Four `4/1` is the lowest cell of column 4. */
function nameOf({ kind, columns, rows, names }, cell) {
  if (kind !== "rack") return names[cell];
  return `${(cell % columns) + 1}/${rows - Math.floor(cell / columns)}`;
}
