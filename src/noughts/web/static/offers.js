// The row under the players in a game between two people: draw, take-back, rematch, the name.
//
//   game.offer ──► sentence, Accept │ Decline │ Withdraw ──► currentGame.change
//              └─► closed: that it was not accepted, until the next change
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

const REFUSED = {
  draw: "Your draw offer was not accepted.",
  undo: "Your take-back was not accepted.",
  rematch: "Your rematch was not accepted.",
};

/** Return the sentence on an own offer that a change of the game closed in vain; "" for other changes. */
function refusedBy(game, before) {
  const { id, moves, result, next, offer } = game;
  if (!before?.offer || offer || before.id !== id || !game.yours.includes(before.offer.side)) return "";
  const { kind } = before.offer;
  const isOver = result !== "*";
  const isSettled = { draw: isOver, undo: isOver || moves.length < before.moves.length, rematch: next }[kind];
  return isSettled ? "" : REFUSED[kind];
}

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
  let isWithdrawn = false;
  let refused = {};
  const withdraw = smallButton("Withdraw", () => {
    isWithdrawn = true;
    return currentGame.change("decline");
  });
  const accept = smallButton("Accept", send("accept"), { class: "small primary" });
  const decline = smallButton("Decline", send("decline"));
  // Each button keeps its place, and a double click on one reaches no other.
  buttons.append(name, decline, withdraw, draw, accept);
  return currentGame.watch(["game"], ({ game }, { game: before }) => {
    const isOpen = game && Object.values(game.players).some(({ kind }) => kind === "open");
    row.hidden = !game?.between_people || isOpen;
    if (row.hidden) return;
    const text = isWithdrawn ? "" : refusedBy(game, before);
    if (text || refused.version !== game.version) refused = { text, version: game.version };
    if (!game.offer) isWithdrawn = false;
    const said = sentenceOf(game) || refused.text;
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
