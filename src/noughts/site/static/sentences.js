// The sentences on a position, and why a move is not allowed; as noughts/explain/situation.py says them.
//
//   facts ───────────withSentences()──► `PositionView`: O played bottom right, so you play the bottom-right board.
//   core, view, text ─refusalOf()─────► Play the bottom-right board: O played bottom right.

import { descriptionOf, onPage, said, stateOf } from "/static/core/words.js";

/** Return the facts of a position with their sentences; the situation is one for X, O, and "-", others. */
export function withSentences(facts) {
  const { outcome } = facts;
  const result = outcome && { ...outcome, sentence: said(outcome.sentence) };
  const situation = Object.fromEntries(
    ["X", "O", "-"].map((viewer) => [viewer, result?.sentence ?? said(facts.situation, viewer)]),
  );
  return { ...facts, outcome: result, state: stateOf(facts), situation, description: descriptionOf(facts) };
}

/** Return why the move with a text is not allowed: {sentence, boards, cells}; of a legal one null and none. */
export function refusalOf(core, { position, open, moves }, text) {
  if (text in moves) return { sentence: null, boards: [], cells: [] };
  const reason = core.refusal(position, text);
  const cells = Object.values(moves);
  const places = {
    "other-board": { boards: open },
    "won-board": { boards: open },
    "full-board": { boards: open },
    "taken-there": { cells: cells.filter((cell) => Math.floor(cell / 9) === reason.board - 1) },
    taken: { cells },
    "taken-few": { cells },
    full: { cells },
  };
  return { sentence: onPage(reason), boards: [], cells: [], ...places[reason.code] };
}
