// The move that a level of play chooses, as noughts/levels.py has it.
//
//   depth 0, 1, … of a search ──► the values within the level's sight ──► with noise ──► the best move

import { valueOf } from "/static/site/values.js";

const LARGE_BOARD = 81; // As in noughts/engine.py.

/** Return the method that plays a game best, as `default_method` of noughts/engine.py. */
export function methodOf({ rules, board }) {
  if (board.kind === "nested") return "selective";
  const isLarge = board.columns * board.rows >= LARGE_BOARD;
  const plain = board.kind === "grid" && !rules.includes("misere");
  return isLarge && plain ? "selective" : "assisted";
}

/** Return a normal random number. */
function gauss(random, deviation) {
  const size = Math.sqrt(-2 * Math.log(1 - random()));
  return deviation * size * Math.cos(2 * Math.PI * random());
}

const isEstimate = ({ kind }) => kind === "unknown" || kind === "draw";

/** Return whether a value is an estimate, a draw, or a win or loss within `sight` plies. */
const isSeen = (value, sight) => isEstimate(value) || (value.plies !== null && value.plies <= sight);

/**
 * Return the move, a number, that a level below the highest plays.
 *
 * `engine` is one of core.js; `place` is {position, ply, method, curve}: the position string, the
 * marks on the board, the method of the game and the curve of its net; `level` is {nodes, sight,
 * slip, blur}, and `random` gives numbers from 0 to 1.
 */
export function chosen(engine, { position, ply, method, curve }, level, random = Math.random) {
  let { sight } = level;
  while (sight > 1 && random() < level.slip) sight -= 1;
  engine.clear();
  const seen = new Map();
  const note = (findings) => {
    for (const [move, finding] of findings) {
      const value = valueOf(finding, ply, curve);
      if (isSeen(value, sight)) seen.set(move, value);
    }
  };
  note(engine.scores(position, { method, depth: sight, nodes: level.nodes }, note));
  let best = null;
  let most = -Infinity;
  for (const move of [...seen.keys()].sort((one, other) => one - other)) {
    const value = seen.get(move);
    const judged = value.rank + (isEstimate(value) ? gauss(random, level.blur) : 0);
    if (judged > most) [best, most] = [move, judged];
  }
  return best;
}
