// The row under the players in a game between two people: draw, take-back, rematch, the name.
//
//   game.offer ──► sentence, Accept │ Decline │ Withdraw ──► currentGame.change
//
// The row is always as high, so that an offer moves nothing.

import { smallButton } from "./dom.js";
import { askName } from "./names.js";

const MINE = {
  draw: "You offer a draw.",
  undo: "You ask to take back your move.",
  rematch: "You offer a rematch.",
};
const THEIRS = {
  draw: "offers a draw.",
  undo: "asks to take back a move.",
  rematch: "wants a rematch.",
};

function sentenceOf({ offer, yours, players }) {
  if (!offer) return "";
  if (yours.includes(offer.side)) return MINE[offer.kind];
  const { name } = players[offer.side];
  return `${name === "Guest" && yours.length ? "Your opponent" : name} ${THEIRS[offer.kind]}`;
}

/** Put the row into an element with a line for the sentence and one for the buttons. */
export function mountOffers(row, sentence, buttons, currentGame) {
  const send = (what) => () => currentGame.change(what);
  const draw = smallButton("Offer draw", send("draw"));
  const name = smallButton("Add name", () => askName(currentGame), { class: "small quiet" });
  const withdraw = smallButton("Withdraw", send("decline"));
  const accept = smallButton("Accept", send("accept"), { class: "small primary" });
  const decline = smallButton("Decline", send("decline"));
  // Each button keeps its place, and a double click on one reaches no other.
  buttons.append(name, decline, withdraw, draw, accept);
  return currentGame.watch(["game"], ({ game }) => {
    const isOpen = game && Object.values(game.players).some(({ kind }) => kind === "open");
    row.hidden = !game?.between_people || isOpen;
    if (row.hidden) return;
    const said = sentenceOf(game);
    if (sentence.textContent !== said) sentence.textContent = said;
    row.classList.toggle("open", game.offer !== null);
    const may = (what) => game.can.includes(what);
    const plays = game.yours.length > 0 && game.result === "*";
    accept.hidden = decline.hidden = !may("accept");
    withdraw.hidden = !may("decline") || may("accept");
    draw.hidden = !plays || may("accept");
    draw.disabled = !may("draw");
    name.hidden = !plays || may("decline") || Boolean(game.players[game.yours[0]].given);
  });
}
