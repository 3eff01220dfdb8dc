// The card of the players: names, turn, result, score.

import { count } from "/static/replay/words.js";
import { detailOf, verdictOf } from "./current_game.js";
import { button, element } from "./dom.js";

/** Return the mark of a side, on a disc if the board is a rack. */
export const mark = (side, { kind } = {}) =>
  element("span", {
    class: `mark ${side.toLowerCase()}${kind === "rack" ? " on-disc" : ""}`,
    role: "img",
    "aria-label": side,
  });

const BOTH = { X: "Crosses", O: "Noughts" };

/** Return the player of a side; players of the same name are called Crosses and Noughts. */
function named(currentGame, side) {
  const { game, seats } = currentGame.state;
  const [player, other] = [side, side === "X" ? "O" : "X"].map((each) =>
    game ? game.players[each] : seated(seats, each),
  );
  return player.name === other.name ? { ...player, name: BOTH[side] } : player;
}

const won = (owners, side) => [...(owners || "")].filter((each) => each === side).length;
const half = (number) => (number % 1 ? `${Math.floor(number) || ""}½` : String(number));

function row(currentGame, side) {
  const { game, shown } = currentGame.state;
  const { position } = shown;
  const player = named(currentGame, side);
  const isTurn = !position.outcome && (!game || game.result === "*") && position.turn === side;
  const thinking = game?.thinking?.side === side ? game.thinking : null;
  const doing = thinking ? (thinking.waiting ? "waiting…" : "thinking…") : isTurn ? "to move" : "";
  const away = game && player.kind === "person" && !player.yours && !player.online;
  const boards = position.rules.startsWith("ultimate") ? won(position.board.owners, side) : null;
  return element(
    "div",
    { class: `player${isTurn ? " turn" : ""}${thinking ? " thinking" : ""}` },
    mark(side, position.board),
    element("span", { class: "name" }, player.name),
    element("span", { class: "doing" }, doing || (away ? "away" : "")),
    thinking && game.can.includes("stop")
      ? button("Stop", () => currentGame.change("stop"), { class: "small stop" })
      : null,
    boards === null ? null : element("span", { class: "boards" }, count(boards, "board")),
    element("span", { class: "thought", "aria-hidden": "true" }),
  );
}

/** Return a player of a game that is set up, named as the server will name it. */
function seated(seats, side) {
  const seat = seats[(side === "X") === seats.swapped ? "o" : "x"];
  return { name: seat === "me" ? "You" : seats.name || seat, kind: seat, yours: seat === "me" };
}

function scoreLine(currentGame) {
  const { score } = currentGame.state.game;
  if (score.x + score.o + score.draws === 0) return null;
  const draws = score.draws ? `, ${count(score.draws, "draw")}` : "";
  const names = ["X", "O"].map((side) => named(currentGame, side).name);
  return element(
    "p",
    { class: "score" },
    `${names[0]} ${half(score.x)} : ${half(score.o)} ${names[1]}${draws}`,
  );
}

/** Return the buttons of a finished game. */
function endings(currentGame, game, next) {
  const rematch = async () => {
    const id = await currentGame.rematch();
    if (id) next(`/game/${id}`);
  };
  const family = game.rules.split(":")[0];
  return element(
    "div",
    { class: "endings" },
    game.can.includes("rematch") ? button("Rematch", rematch, { class: "primary" }) : null,
    element("a", { class: "button", href: `/?game=${family}` }, "New game"),
  );
}

/** Put the card into an element; `next(address)` goes to a rematch. */
export function mountPlayers(card, currentGame, next) {
  return currentGame.watch(["game", "shown", "seats"], ({ game, shown }) => {
    if (!shown) return;
    const verdict = game && verdictOf(game);
    const result = verdict
      ? [element("strong", {}, verdict), " ", detailOf(game, verdict)]
      : shown.position.outcome && [shown.position.outcome.sentence];
    card.replaceChildren(
      element("h2", { class: "visually-hidden" }, "Players"),
      ...[
        result && element("p", { class: "result" }, ...result),
        row(currentGame, "X"),
        row(currentGame, "O"),
        game && scoreLine(currentGame),
        game?.sentence && endings(currentGame, game, next),
      ].filter(Boolean),
    );
  });
}
