// The bar beside the board: the expected score, for X from below and for O from above.
//
//   analyst.state.worth ──► length of the bar, the same words as the number in the card
//
// On a narrow screen it lies above the board, with the words beside it.

import { element } from "./dom.js";
import { headline } from "./values.js";

/** Put the bar into an element. */
export function mountBar(holder, currentGame, analyst) {
  const words = element("p", { class: "bar-words", "aria-hidden": "true" });
  const share = element("div", { class: "share" });
  const bar = element(
    "div",
    {
      class: "chance-bar",
      role: "meter",
      "aria-label": "Chance to win",
      "aria-valuemin": "0",
      "aria-valuemax": "100",
    },
    share,
  );
  const letter = (side) => element("span", { class: `bar-letter ${side.toLowerCase()}`, "aria-hidden": "true" }, side);
  holder.append(words, letter("O"), bar, letter("X"));

  function draw() {
    const { worth } = analyst.state;
    const { analysis, exercise } = currentGame.state;
    holder.hidden = !analysis || Boolean(exercise);
    holder.classList.toggle("unknown", !worth);
    const chance = worth ? worth.chance : 50;
    holder.style.setProperty("--chance", `${chance}%`);
    words.textContent = worth ? headline(worth) : "…";
    bar.setAttribute("aria-valuenow", String(chance));
    bar.setAttribute("aria-valuetext", worth ? headline(worth) : "Not known yet");
  }

  const ends = [
    currentGame.watch(["analysis", "exercise"], draw),
    analyst.watch(["worth"], draw),
  ];
  return () => ends.forEach((end) => end());
}
