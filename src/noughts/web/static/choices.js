// The choice of a side in swap2, above the board.
//
//   game.swap2 ──► Play X │ Play O │ Add two stones ──► currentGame.choose
//
// The sentence above says whose choice it is. The buttons are there from the first stone until the sides
// are decided, so that nothing moves; those of a choice that is not due are disabled.

import { button } from "./dom.js";
import { isUndecided } from "./swap2.js";

/** Stones before the first choice; after the second one nobody adds more. */
const FIRST_STONES = 3;
const TITLES = { X: "Play X", O: "Play O", more: "Add two stones" };

/** Put the row of choices into an element; `frame` leaves room for it. */
export function mountChoices(row, frame, currentGame) {
  const buttons = Object.entries(TITLES).map(([choice, title]) =>
    button(title, () => currentGame.choose(choice), { "data-choice": choice }),
  );
  row.append(...buttons);
  return currentGame.watch(["game", "seats", "shown"], (state) => {
    const { game, shown } = state;
    const isOpening = isUndecided(state) && (!game || game.result === "*");
    row.hidden = !isOpening;
    frame.classList.toggle("opening", isOpening);
    const isDue = isOpening && shown?.kind === "now" && Boolean(game?.can.includes("choose"));
    const isLast = isOpening && game?.swap2.stones > FIRST_STONES;
    const held = row.contains(document.activeElement);
    for (const each of buttons) {
      each.hidden = isLast && each.dataset.choice === "more";
      each.disabled = !isDue || !game.swap2.choices.includes(each.dataset.choice);
    }
    if (held && !isDue) document.querySelector(".cell[tabindex='0']")?.focus();
  });
}
