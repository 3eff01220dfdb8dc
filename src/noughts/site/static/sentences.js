// The sentences on a position: those of words.js, the situation, and why a move is not allowed. The last
// two as noughts/explain/situation.py says them.
//
//   facts ───────withSentences()──► `PositionView`: O played bottom right, so you play the bottom-right board.
//   facts, text ─refusalOf()──────► Play the bottom-right board: O played bottom right.

import { descriptionOf, sentenceOf, stateOf } from "/static/core/words.js";

const PLACES = [
  ...["top left", "top middle", "top right"],
  ...["middle left", "centre", "middle right"],
  ...["bottom left", "bottom middle", "bottom right"],
];
const other = (side) => (side === "X" ? "O" : "X");
const boardName = (board) => `${PLACES[board].replace(" ", "-")} board`;
const placeOf = (cell) => (PLACES[cell] === "centre" ? "in the centre" : PLACES[cell]);

/** Return the facts of a position with their sentences; the situation is one for X, O, and "-", others. */
export function withSentences(facts) {
  const { outcome, board } = facts;
  const result = outcome && { ...outcome, sentence: sentenceOf(facts) };
  const sentence = board.kind === "nested" ? nested : inRow;
  const situation = Object.fromEntries(
    ["X", "O", "-"].map((viewer) => [viewer, result?.sentence ?? sentence(facts, viewer)]),
  );
  return { ...facts, outcome: result, state: stateOf(facts), situation, description: descriptionOf(facts) };
}

/** Return why the move with a text is not allowed: {sentence, boards, cells}; of a legal one null and none. */
export function refusalOf(facts, text) {
  const { board, open, named, forced, turn, moves, outcome } = facts;
  const refused = (sentence, found = {}) => ({ sentence, boards: [], cells: [], ...found });
  if (text in moves) return refused(null);
  if (outcome) return refused("The game is over.");
  const cells = Object.values(moves);
  if (board.kind === "rack") return refused(`Column ${text} is full. Choose another column.`, { cells });
  const chosen = Math.floor(board.names.indexOf(text) / 9);
  if (board.kind !== "nested" || open.includes(chosen)) {
    const free = board.kind === "nested" ? cells.filter((cell) => Math.floor(cell / 9) === chosen) : cells;
    return refused("That cell is taken. Choose a free one.", { cells: free });
  }
  const sentence =
    forced === null
      ? `The ${boardName(chosen)} is ${whyClosed(board, chosen)}. Play ${choiceOf(open)}.`
      : `Play the ${boardName(forced)}: ${other(turn)} played ${placeOf(named)}.`;
  return refused(sentence, { boards: open });
}

function nested({ board, turn, named, forced, open }, viewer) {
  const isYours = viewer === turn;
  if (named === null) return `${isYours ? "You begin" : `${turn} begins`}: play in any cell.`;
  const player = isYours ? "you" : turn;
  const played = `${nameOf(other(turn), viewer)} played ${placeOf(named)}`;
  if (forced !== null) return `${played}, so ${player} ${isYours ? "play" : "plays"} the ${boardName(forced)}.`;
  return `${played}, but that board is ${whyClosed(board, named)}: ${player} may play ${choiceOf(open)}.`;
}

function inRow({ board, rules, turn, last }, viewer) {
  const isYours = viewer === turn;
  if ([...board.cells].every((cell) => cell === ".")) {
    const begins = isYours ? "You begin" : `${turn} begins`;
    const where = board.kind === "rack" ? "drop into any column" : "play in any cell";
    return `${begins}: ${where}. ${aimOf(rules, board)}`;
  }
  const toMove = isYours ? "Your turn." : `${turn} to move.`;
  return last === null ? toMove : `${nameOf(other(turn), viewer)} played ${cellOf(board, last)}. ${toMove}`;
}

/** Return the aim of a row game, with the numbers of its rules id. */
function aimOf(rules, { kind }) {
  const [, , length = kind === "rack" ? 4 : 3] = (rules.split(":")[1] ?? "").split(",");
  return `${length} in a row ${rules.endsWith(",misere") ? "loses" : "wins"}.`;
}

const nameOf = (side, viewer) => (side === viewer ? "You" : side);

function cellOf({ kind, columns, rows, names }, cell) {
  if (kind === "rack") return `column ${(cell % columns) + 1}`;
  return columns === 3 && rows === 3 ? placeOf(cell) : names[cell];
}

function choiceOf(open) {
  if (open.length > 2) return `any of the ${open.length} open boards`;
  return open.map((board) => `the ${boardName(board)}`).join(" or ");
}

/** Return why a closed board is closed. */
const whyClosed = ({ owners, plays_on }, board) => (!plays_on && "XO".includes(owners[board]) ? "won" : "full");
