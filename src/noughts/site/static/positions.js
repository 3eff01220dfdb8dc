// Positions of games, from the rules of the core; no rules are here.
//
//   start, moves ──► rules.wasm, position() ──► facts ──► sentences.js ──► `PositionView`

import { loadCore } from "/static/core/core.js";

let loading = null;

/** Return the promise of the sentences on positions, loaded with the rules. */
export const sentences = () => import("./sentences.js");

/** Return the core of this page, loaded once; it has the rules and no searches. */
export function rulesCore() {
  sentences().catch(() => {});
  loading ??= loadCore(fetch(new URL("./core/rules.wasm", document.baseURI))).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** Return the position after moves, a list of texts, from a rules id or a position string. */
export async function positionOf(start, moves) {
  const [core, { withSentences }] = await Promise.all([rulesCore(), sentences()]);
  return withSentences(core.position(start, moves));
}
