// Values in words: who is ahead, and by how much.
//
//   ValueView for the side to move ──► forX ──► headline: "X 62 %", "O wins in 3 moves", "Draw"
//
// The server has the words for the side to move: `mark` and `words`.

const OTHER = { win: "loss", loss: "win" };

/** Return a value for X from a value for the side to move. */
export const forX = (value, isX) => (isX ? value : turned(value));

/** Return a value for the other side, without `mark` and `words`. */
export const turned = ({ value, chance, moves, plies }) => ({
  value: OTHER[value] || value,
  chance: 100 - chance,
  moves,
  plies,
});

/** Return the tone of a remark of a review. */
export const toneOf = ({ error, label }) => (error ? "bad" : label === "best" ? "good" : "even");

export const isProven = ({ value }) => value !== "unknown";

const inMoves = ({ moves }) => (moves === null ? "" : ` in ${moves} ${moves === 1 ? "move" : "moves"}`);

/** Return the side that is ahead by a value for X, or null. */
export const leader = ({ chance }) => (chance > 50 ? "X" : chance < 50 ? "O" : null);

/** Return a value for X as a headline. */
export function headline(value) {
  const ahead = leader(value);
  if (value.value === "draw") return "Draw";
  if (!isProven(value)) return ahead ? `${ahead} ${Math.max(value.chance, 100 - value.chance)} %` : "Even, 50 %";
  return value.plies === 0 ? `${ahead} has won` : `${ahead} wins${inMoves(value)}`;
}

/** Return the value for X of a finished game. */
export const ofOutcome = ({ winner }) => ({
  value: winner === null ? "draw" : winner === "X" ? "win" : "loss",
  chance: winner === null ? 50 : winner === "X" ? 100 : 0,
  moves: 0,
  plies: 0,
});

/** Return the moves of {move: ValueView} from the best to the worst; the one marked `best` first. */
export function order(values) {
  const rank = ({ value, plies, estimate, best }) => {
    if (best) return Infinity;
    const size = plies === null ? 2 : 3 + 1 / (1 + plies);
    return { win: size, draw: 0, loss: -size }[value] ?? estimate;
  };
  return Object.keys(values).sort((a, b) => rank(values[b]) - rank(values[a]));
}
