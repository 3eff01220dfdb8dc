// Hints in words. The phrases are those of noughts/games/hint_phrases.py.
//
//   core.hint(…) ──told()──► O threatens the middle column. Play bottom right: it blocks that line.

import { HINTS, HINTS_ON_PAGE } from "./hint_phrases.js";
import { PHRASES, PLACES } from "./phrases.js";
import { boardNames, sentenceOf } from "./words.js";

const NAMED_BOARDS = 3;
const TABLE = { ...PHRASES, ...HINTS, ...HINTS_ON_PAGE };

const WAYS = {
  spot: (cell) => (PLACES[cell - 1] === "centre" ? "the centre" : PLACES[cell - 1]),
  named: (boards) => (boards.length > NAMED_BOARDS ? `any of ${boards.length} boards` : boardNames(boards)),
};

/** Return the sentences of a hint, {phrase, sketch}, in words for a page: {text, claim, lines, sketch}. */
export const told = (sentences) =>
  sentences.map(({ phrase, sketch }) => ({
    text: sentenceOf(phrase, TABLE, WAYS),
    claim: phrase.code,
    sketch,
  }));
