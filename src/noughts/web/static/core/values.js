// Findings of the core as values of moves, in the words of players.
//
//   finding ──valueOf()──► {value, plies, estimate, chance, moves, mark, words, tone, text}
//
// As noughts/search/result.py and views/values.py, and the fields of ValueView in models.py.
// The curve of a net turns its estimates into expected results.

import { ESTIMATE_UNIT, SURE, WIN } from "./core.js";

const LARGEST_ESTIMATE = 1 - 2 ** -53;
/** Largest chance in per cent of a value that is not proven. */
const SUREST = 99;
/** From this rank on a value is good, below its negative it is bad. */
const NOTABLE = 0.25;

/** Return the plies played in the game, from the facts of a position. */
export const plyOf = ({ board }) => [...board.cells].filter((each) => each !== ".").length;

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

/** Return the value of a finding for the side to move; `ply` as from `plyOf`, `curve` of the net. */
export function valueOf({ score, exact, lower, upper }, ply, curve) {
  const size = Math.abs(score);
  // A proven winner may be at a distance that is not proven.
  const plies = size >= SURE && !(exact && lower !== upper) ? WIN - size - ply : null;
  if (score >= SURE || (exact && score > 0)) return view("win", plies, null);
  if (exact) return score < 0 ? view("loss", plies, null) : view("draw", null, null);
  return estimated(expected(curve, within(score / ESTIMATE_UNIT)));
}

/** Return the value of an expected result, from -1 to 1. */
export const estimated = (result) => view("unknown", null, within(result));

/** Return the value of a loss at an unknown distance. */
export const lost = () => view("loss", null, null);

/** Return the expected result of a value, from -1 to 1. */
export const resultOf = ({ value, estimate }) => ({ win: 1, draw: 0, loss: -1 })[value] ?? estimate;

const within = (estimate) => Math.max(-LARGEST_ESTIMATE, Math.min(LARGEST_ESTIMATE, estimate));

/** Return a number that orders values: a sooner win and a later loss rank higher. */
export function rankOf({ value, plies, estimate }) {
  if (value === "unknown") return estimate;
  const size = plies === null ? 5_000 : 10_000 - plies;
  return { win: size, draw: 0, loss: -size }[value];
}

function view(value, plies, estimate) {
  const moves = plies === null ? null : Math.floor((plies + 1) / 2);
  const rank = rankOf({ value, plies, estimate });
  const tone = rank >= NOTABLE ? "good" : rank <= -NOTABLE ? "bad" : "even";
  const known = { value, plies, estimate, moves, tone };
  if (value === "unknown") {
    const size = Math.min(Math.floor(50 * Math.abs(estimate) + 0.5), SUREST - 50);
    const chance = estimate > 0 ? 50 + size : 50 - size;
    const text = `${estimate < 0 ? "-" : "+"}${Math.abs(estimate).toFixed(2)}`;
    return { ...known, chance, mark: `${chance}%`, words: `${chance} %`, text };
  }
  const verb = { win: "wins", draw: "draws", loss: "loses" }[value];
  const chance = { win: 100, draw: 50, loss: 0 }[value];
  const text = value[0].toUpperCase() + (plies === null ? "" : ` ${plies}`);
  if (moves === null) return { ...known, chance, mark: value, words: verb, text };
  const words = `${verb} in ${moves} ${moves === 1 ? "move" : "moves"}`;
  return { ...known, chance, mark: `${value} ${moves}`, words, text };
}
