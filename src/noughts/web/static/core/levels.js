// How a level of play chooses its move, as noughts/levels.py describes.
//
//   engine, position, level ──choose()──► a move │ chosen() ──► {move, value}
//
// A level is {nodes, sight, slip, blur}; the highest has only `nodes`.

import { rankOf, valueOf } from "./values.js";

/**
 * Return the move of a level, a number. `question` is {position, ply, level, curve}, with the curve
 * of the engine's net if it has one; `random` returns numbers from 0 to 1, 1 excluded.
 */
export const choose = (engine, question, random = Math.random) => chosen(engine, question, random).move;

/** Return the same move with its value by the view of the level. */
export function chosen(engine, { position, ply, level, curve }, random = Math.random) {
  if (!level.sight) {
    const found = engine.search(position, { nodes: level.nodes });
    return { move: found.move, value: valueOf(found, ply, curve) };
  }
  const sight = sightOf(level, random);
  const seen = new Map();
  engine.clear();
  const see = (scores) => look(scores, { ply, sight, curve }, seen);
  see(engine.scores(position, { depth: sight, nodes: level.nodes }, see));
  const move = preferred(seen, level, random);
  return { move, value: seen.get(move) };
}

/** Return the search depth of a level for one move, after its slips. */
export function sightOf({ sight, slip }, random) {
  let found = sight;
  while (found > 1 && random() < slip) found -= 1;
  return found;
}

/** Add the values that a level sees in [[move, finding], …] to the map `seen`. */
export function look(scores, { ply, sight, curve }, seen) {
  for (const [move, finding] of scores) {
    const value = valueOf(finding, ply, curve);
    const isSeen = ["unknown", "draw"].includes(value.value) || (value.plies !== null && value.plies <= sight);
    if (isSeen) seen.set(move, value);
  }
}

/** With more moves than this, a level considers only the best ones by its view. */
const MANY_MOVES = 81;
/** Their number; those as good as the last of them count too. */
const CONSIDERED = 25;

/** Return the best move of a map by the values that a level sees, with its noise. */
export function preferred(seen, { blur }, random) {
  const ranks = [...seen.values()].map(rankOf).sort((a, b) => b - a);
  const least = ranks.length > MANY_MOVES ? ranks[CONSIDERED - 1] : -Infinity;
  let [best, most] = [null, -Infinity];
  for (const move of [...seen.keys()].sort((a, b) => a - b)) {
    const value = seen.get(move);
    if (rankOf(value) < least) continue;
    const noise = ["unknown", "draw"].includes(value.value) ? blur * gauss(random) : 0;
    if (rankOf(value) + noise > most) [best, most] = [move, rankOf(value) + noise];
  }
  return best;
}

/** Return a normally distributed number, by the method of Box and Muller. */
const gauss = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
