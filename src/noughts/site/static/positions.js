// Positions of games, from the rules of the core; no rules are here.
//
//   start, moves ──► rules.wasm, position() ──► facts ──► with sentences made of them ──► `PositionView`

import { loadCore } from "/static/core/core.js";
import { descriptionOf, sentenceOf, stateOf } from "/static/core/words.js";
import { situationOf } from "/static/site/situation.js";

let loading = null;

/** Return the core of this page, loaded once; it has the rules and no searches. */
export function rulesCore() {
  loading ??= loadCore(fetch(new URL("./core/rules.wasm", document.baseURI))).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** Return the position after moves, a list of texts, from a rules id or a position string. */
export async function positionOf(start, moves) {
  const facts = (await rulesCore()).position(start, moves);
  const { outcome } = facts;
  if (outcome) facts.outcome = { ...outcome, sentence: sentenceOf(facts) };
  return { ...facts, state: stateOf(facts), situation: situationOf(facts), description: descriptionOf(facts) };
}
