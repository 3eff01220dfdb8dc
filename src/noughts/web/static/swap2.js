// The opening of a game with swap2: the choice of a side above the board, and who is player 1 or 2.
//
//   game.swap2 ──► Play X │ Play O │ Add two stones ──► currentGame.choose
//
// The sentence above says whose choice it is. The buttons are there from the first stone until the sides
// are decided, so that nothing moves; those of a choice that is not due are disabled.

import { button } from "./dom.js";

/** Stones before the first choice; after the second one nobody adds more. */
const FIRST_STONES = 3;
const TITLES = { X: "Play X", O: "Play O", more: "Add two stones" };

/** Return whether the players of a game, or of a set-up, have no sides yet. */
export const isUndecided = ({ game, seats }) => (game ? game.swap2?.decided === false : Boolean(seats?.opening));

/** Return the number of the player at a side in a game that begins with swap2; null in others. */
export function playerNumber({ game, seats }, side) {
  if (game ? !game.swap2 : !seats?.opening) return null;
  return side === (game?.swap2.first ?? "X") ? 1 : 2;
}

/** Return the side of the player who acts: moves, places a stone or chooses. */
export const actorOf = ({ game, shown }) => game?.swap2?.side ?? (game ?? shown).position.turn;

/** Return the sentence on the opening to a viewer, "X", "O" or "-"; null after it. */
export function openingSentence({ game, seats, shown }, viewer) {
  if (shown.kind !== "now") return null;
  const situation = game ? game.swap2?.situation : !shown.moves.length && seats?.opening?.situation;
  return situation?.[viewer] ?? null;
}

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
