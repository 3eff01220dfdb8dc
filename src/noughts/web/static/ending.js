// Sounds of moves, and the end of a game: its sound, and a burst over the board.
//
//   pending, game ──► a new move ──► its sound
//                 └─► a result ──► win, loss or draw ──► sound, burst in the winner's ink

import { LOST, begins, same, verdictOf } from "./current_game.js";
import { drawn } from "./dom.js";
import { hear } from "./sound.js";

const RAYS = 18;

/** Return a burst of short lines; it draws itself once. */
function burst(side) {
  const rays = Array.from({ length: RAYS }, (_, at) => {
    const angle = ((at + 0.5) / RAYS) * 2 * Math.PI;
    const [right, down] = [Math.cos(angle), Math.sin(angle)].map((each) => each.toFixed(3));
    return `M${34 * right} ${34 * down}L${49 * right} ${49 * down}`;
  });
  const paths = rays.map((d) => `<path d="${d}" pathLength="1"/>`).join("");
  const box = "-50 -50 100 100";
  return drawn(`<svg class="burst ${side}" viewBox="${box}" aria-hidden="true">${paths}</svg>`);
}

/** Play sounds and show the burst over an element; returns a function that stops. */
export function mountEnding(holder, currentGame) {
  let heard = null;
  let ended = null;

  function follow({ game, pending, shown }) {
    if (pending && shown) {
      const { line } = currentGame;
      if (heard && same(heard, [...line, pending])) return;
      heard = [...line, pending];
      hear(shown.position.turn.toLowerCase());
      return;
    }
    if (!game) return;
    const { moves, result, position } = game;
    if (heard && moves.length > heard.length && begins(moves, heard)) {
      hear(position.turn === "X" ? "o" : "x");
    }
    heard = moves;
    if (ended === "*" && result !== "*") finish(game);
    ended = result;
  }

  function finish(game) {
    const { result } = game;
    if (result === "1/2-1/2") {
      hear("draw");
      return;
    }
    const isLost = verdictOf(game) === LOST;
    hear(isLost ? "loss" : "win");
    if (isLost) return;
    const made = burst(result === "1-0" ? "x" : "o");
    holder.append(made);
    made.addEventListener("animationend", () => made.remove());
  }

  return currentGame.watch(["game", "pending"], follow);
}
