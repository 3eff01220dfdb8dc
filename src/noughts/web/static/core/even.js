// Stones for swap2 that the engine estimates as even, as noughts/arena/openings.py draws them.
//
//   position, number of stones ──► random stones in the middle ──search()──► the first even ones

import { plyOf, valueOf } from "./values.js";

/** Return some random texts of moves, no two alike. */
export function randomStones(texts, count, random = Math.random) {
  const left = [...texts];
  return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)[0]);
}

/**
 * Return the texts of `count` stones after which the estimate for either side is at most `estimate`; random
 * ones if `tries` draws find none, or on a board with fewer than `cells` cells. `even` has these numbers,
 * the `nodes` of a search, and the `middle`, the columns and rows of the stones.
 */
export function evenStones(core, engine, position, count, even, random = Math.random) {
  const facts = core.position(position);
  const { columns, rows } = facts.board;
  const texts = Object.keys(facts.moves);
  const isMiddle = (place, size) => Math.floor((size - even.middle) / 2) <= place && place < Math.floor((size + even.middle) / 2);
  const inside = texts.filter((text) => {
    const cell = facts.moves[text];
    return isMiddle(cell % columns, columns) && isMiddle(Math.floor(cell / columns), rows);
  });
  const isLarge = columns * rows >= even.cells && !facts.rules.includes("misere");
  for (let tried = 0; isLarge && inside.length >= count && tried < even.tries; tried += 1) {
    const stones = randomStones(inside, count, random);
    const after = core.position(position, stones);
    engine.clear();
    const found = valueOf(engine.search(after.position, { nodes: even.nodes }), plyOf(after));
    if (found.value === "unknown" && Math.abs(found.estimate) <= even.estimate) return stones;
  }
  return randomStones(texts, count, random);
}
