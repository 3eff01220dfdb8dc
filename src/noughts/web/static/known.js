// What is known of the positions of a game: a proof stays, and flows to the positions beside it.
//
//   note(line, source, value) ──► the latest value of each source ──valueOf(line)──► the best known
//
// A line is the text of its moves. Values are for X.

import { isProven } from "./values.js";

/** The sources of values, the best first. */
const SOURCES = ["view", "hint", "proof", "point"];

const winnerOf = (value) => ({ win: "X", loss: "O" })[value?.value] ?? null;
const parentOf = (line) => line.slice(0, Math.max(line.lastIndexOf(" "), 0));

/** Return the value of a win at an unknown distance. */
const wonBy = (winner) => ({
  value: winner === "X" ? "win" : "loss",
  chance: winner === "X" ? 100 : 0,
  moves: null,
  plies: null,
});

/** Return {note, valueOf, clear}. `turnOf` returns the player to move after a line, "X" or "O". */
export function createKnown(turnOf) {
  const values = new Map();

  /** Return the values of a line, of the best source first. */
  const all = (line) => SOURCES.map((source) => values.get(line)?.[source]).filter(Boolean);

  /** Return the proven value of a line, with its distance if it is known; null without one. */
  function proofOf(line) {
    const proofs = all(line).filter(isProven);
    return proofs.find(({ plies }) => plies !== null) ?? proofs[0] ?? null;
  }

  /** Return the win of the player to move that the position before or after proves, or null. */
  function flowed(line) {
    const player = turnOf(line);
    const wins = (other) => winnerOf(proofOf(other)) === player;
    const isLostBefore = line !== "" && wins(parentOf(line));
    const isLostAfter = () => [...values.keys()].some((key) => key && key !== line && parentOf(key) === line && wins(key));
    return isLostBefore || isLostAfter() ? wonBy(player) : null;
  }

  return {
    /** Note the value of a line; an estimate does not replace a proof of its source. */
    note(line, source, value) {
      const before = values.get(line);
      if (before?.[source] && isProven(before[source]) && !isProven(value)) return;
      values.set(line, { ...before, [source]: value });
    },

    /** Return the value of a line: proven, or else of the source `live`, or of another; or null. */
    valueOf(line, live) {
      return proofOf(line) ?? flowed(line) ?? values.get(line)?.[live] ?? all(line)[0] ?? null;
    },

    clear: () => values.clear(),
  };
}
