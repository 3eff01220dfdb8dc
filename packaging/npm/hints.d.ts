import type { HintSentence } from "./core.js";

/** Return the sentences of a hint in words. */
export function told(
  sentences: readonly HintSentence[],
): { text: string; claim: string; lines: unknown; sketch: unknown }[];
