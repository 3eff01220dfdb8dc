// Values of moves for the levels of play, from the core's findings: as noughts/engine.py has them.
//
//   finding of the core ──► scaled ──► {kind, plies, estimate, rank}

import { ESTIMATE_UNIT, SURE, WIN } from "/static/core/core.js";

const LARGEST_RANK = 10_000;
const SMALLEST_RANK = 5_000; // Of a win at an unknown distance.
const LARGEST_ESTIMATE = 1 - Number.EPSILON / 2;

/** Return the expected result that an estimate means by the curve of a net, as `Net.expected`. */
export function expected(curve, estimate) {
  if (!curve) return estimate;
  const ends = [0, ...curve, 1];
  const parts = curve.length;
  const size = Math.min(Math.abs(estimate), 1) * parts;
  const at = Math.floor(size + 0.5);
  const left = Math.max(0, at - 0.5);
  const right = Math.min(at + 0.5, parts);
  const mean = ends[at] + ((size - left) / (right - left)) * (ends[at + 1] - ends[at]);
  return estimate < 0 ? -mean : mean;
}

/** Return the value of a finding for the side to move, in a position with `ply` marks. */
export function valueOf({ score, exact, lower, upper }, ply, curve) {
  const size = Math.abs(score);
  const isSure = size >= SURE;
  // One winning move proves a win; a loss needs every move.
  if ((score > 0 && (isSure || exact)) || (score < 0 && exact)) {
    const plies = isSure && !(exact && lower !== upper) ? WIN - size - ply : null;
    const rank = plies === null ? SMALLEST_RANK : LARGEST_RANK - plies;
    return { kind: score > 0 ? "win" : "loss", plies, estimate: null, rank: score > 0 ? rank : -rank };
  }
  if (exact) return { kind: "draw", plies: null, estimate: null, rank: 0 };
  const judged = isSure ? -1 : expected(curve, score / ESTIMATE_UNIT);
  const estimate = Math.max(-LARGEST_ESTIMATE, Math.min(LARGEST_ESTIMATE, judged));
  return { kind: "unknown", plies: null, estimate, rank: estimate };
}
