// The card of the players: who they are, who is to move, who thinks, how it ended, the score.

import { element } from "./dom.js";

export const mark = (side) =>
  element("span", { class: `mark ${side.toLowerCase()}`, role: "img", "aria-label": side });

const BOTH = { X: "Crosses", O: "Noughts" };

/** Who plays a side; where both have one name, the sides have theirs. */
function named(table, side) {
  const { game, seats } = table.state;
  const [player, other] = [side, side === "X" ? "O" : "X"].map((each) =>
    game ? game.players[each] : seated(seats, each),
  );
  return player.name === other.name ? { ...player, name: BOTH[side] } : player;
}

const won = (owners, side) => [...(owners || "")].filter((each) => each === side).length;
const half = (number) => (number % 1 ? `${Math.floor(number) || ""}½` : String(number));

function row(table, side) {
  const { game, shown } = table.state;
  const { position } = shown;
  const player = named(table, side);
  const isTurn = !position.outcome && (!game || game.result === "*") && position.turn === side;
  const thinking = game?.thinking?.side === side ? game.thinking : null;
  const doing = thinking ? (thinking.waiting ? "waits" : "thinks") : isTurn ? "to move" : "";
  const away = game && player.kind === "person" && !player.yours && !player.here;
  const boards = position.rules.startsWith("ultimate") ? won(position.board.owners, side) : null;
  return element(
    "div",
    { class: `player${isTurn ? " turn" : ""}${thinking ? " thinking" : ""}` },
    mark(side),
    element("span", { class: "name" }, player.name),
    element("span", { class: "doing" }, doing || (away ? "away" : "")),
    thinking && game.can.includes("stop")
      ? element(
          "button",
          { type: "button", class: "small stop", onclick: () => table.change("stop") },
          "Stop",
        )
      : null,
    boards === null
      ? null
      : element("span", { class: "boards" }, `${boards} ${boards === 1 ? "board" : "boards"}`),
    element("span", { class: "thought", "aria-hidden": "true" }),
  );
}

/** A player of a game that is set up, as the server will name it. */
function seated(seats, side) {
  const seat = seats[(side === "X") === seats.swapped ? "o" : "x"];
  return { name: seat === "me" ? "You" : seats.name || seat, kind: seat, yours: seat === "me" };
}

function scoreLine(table) {
  const { score } = table.state.game;
  if (score.x + score.o + score.draws === 0) return null;
  const draws = score.draws ? `, ${score.draws} ${score.draws === 1 ? "draw" : "draws"}` : "";
  const names = ["X", "O"].map((side) => named(table, side).name);
  return element(
    "p",
    { class: "score" },
    `${names[0]} ${half(score.x)} : ${half(score.o)} ${names[1]}${draws}`,
  );
}

/** What one does when the game is over. */
function endings(table, game, next) {
  const rematch = async () => {
    const id = await table.rematch();
    if (id) next(`/game/${id}`);
  };
  const family = game.rules.split(":")[0];
  return element(
    "div",
    { class: "endings" },
    game.can.includes("rematch")
      ? element("button", { type: "button", class: "primary", onclick: rematch }, "Rematch")
      : null,
    element("a", { class: "button", href: `/?game=${family}` }, "New game"),
  );
}

/** Put the card into an element; `next(address)` goes to a rematch. */
export function mountPlayers(card, table, next) {
  return table.watch(["game", "shown", "seats"], ({ game, shown }) => {
    if (!shown) return;
    const result = game?.sentence
      ? element("p", { class: "result" }, game.sentence)
      : !game && shown.position.outcome
        ? element("p", { class: "result" }, shown.position.outcome.sentence)
        : null;
    card.replaceChildren(
      element("h2", { class: "visually-hidden" }, "Players"),
      row(table, "X"),
      row(table, "O"),
      ...[result, game && scoreLine(table), game?.sentence && endings(table, game, next)].filter(
        Boolean,
      ),
    );
  });
}
