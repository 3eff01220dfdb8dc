// The card of the players: names, clocks, who is away, turn, result, score.

import { count } from "/static/replay/words.js";
import { isShort, timeLeft, timeText } from "./clock.js";
import { verdictOf } from "./current_game.js";
import { button, element } from "./dom.js";
import { actorOf, isUndecided, playerNumber } from "./swap2.js";

const AWAY = 4000;
const TICK = 100;

/** Return the mark of a side, on a disc if the board is a rack. */
export const mark = (side, { kind } = {}) =>
  element("span", {
    class: `mark ${side.toLowerCase()}${kind === "rack" ? " on-disc" : ""}`,
    role: "img",
    "aria-label": side,
  });

const BOTH = { X: "Crosses", O: "Noughts" };

/** Return the number of a player whose side is not decided yet, in place of the mark. */
const numbered = (number) =>
  element("span", { class: "mark undecided", role: "img", "aria-label": `Player ${number}` }, String(number));

/**
 * Return the player of a side; players of the same name are called Crosses and Noughts, and with swap2
 * Player 1 and Player 2.
 */
export function named(currentGame, side) {
  const { game, seats } = currentGame.state;
  const [player, other] = [side, side === "X" ? "O" : "X"].map((each) =>
    game ? game.players[each] : seated(seats, each),
  );
  if (player.name !== other.name) return player;
  const number = playerNumber(currentGame.state, side);
  return { ...player, name: number ? `Player ${number}` : BOTH[side] };
}

const won = (owners, side) => [...(owners || "")].filter((each) => each === side).length;
const half = (number) => (number % 1 ? `${Math.floor(number) || ""}½` : String(number));

/** Return the time on the clock of a side. */
function clockOf({ clock }, side) {
  const time = element("span", { class: "time-left", role: "timer", "data-side": side });
  showTime(time, clock, side);
  time.classList.toggle("running", clock.running === side);
  return time;
}

function showTime(time, clock, side) {
  const left = timeLeft(clock, side);
  time.textContent = timeText(left);
  time.classList.toggle("low", isShort(left));
}

function row(currentGame, side, isAway) {
  const { game, shown } = currentGame.state;
  const { position } = shown;
  const player = named(currentGame, side);
  const isNumbered = isUndecided(currentGame.state) && shown.kind === "now";
  const turn = isNumbered ? actorOf(currentGame.state) : position.turn;
  const isTurn = !position.outcome && (!game || game.result === "*") && turn === side;
  const thinking = game?.thinking?.side === side ? game.thinking : null;
  const toDo = isNumbered && game?.swap2.choices.length ? "choose" : "move";
  const doing = thinking ? (thinking.waiting ? "waiting…" : "thinking…") : isTurn ? `to ${toDo}` : "";
  const state = [doing, isAway ? "away" : ""].filter(Boolean).join(" · ");
  const boards = position.rules.startsWith("ultimate") ? won(position.board.owners, side) : null;
  return element(
    "div",
    { class: `player${isTurn ? " turn" : ""}${thinking ? " thinking" : ""}` },
    isNumbered ? numbered(playerNumber(currentGame.state, side)) : mark(side, position.board),
    element("span", { class: "name" }, player.name),
    element("span", { class: "doing" }, state),
    thinking && game.can.includes("stop")
      ? button("Stop", () => currentGame.change("stop"), { class: "small stop" })
      : null,
    boards === null || player.kind === "open" ? null : element("span", { class: "boards" }, count(boards, "board")),
    game?.clock ? clockOf(game, side) : null,
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
    `${names[0]} – ${names[1]} · ${half(score.x)} : ${half(score.o)}${draws}`,
  );
}

/** Return a function that tells whether a player has been gone for some seconds. */
function createAbsence(noticed) {
  const gone = new Map();
  return (side, { kind, yours, online }) => {
    if (kind !== "person" || yours || online) {
      gone.delete(side);
      return false;
    }
    if (!gone.has(side)) {
      gone.set(side, performance.now());
      setTimeout(noticed, AWAY);
    }
    return performance.now() - gone.get(side) >= AWAY - 1;
  };
}

/** Put the card into an element, with another one at its end. */
export function mountPlayers(card, last, currentGame) {
  const holder = element("div");
  card.append(element("h2", { class: "visually-hidden" }, "Players"), holder, last);
  let ended = false;
  const isAway = createAbsence(() => !ended && draw(currentGame.state));
  const tick = () => {
    const { clock } = currentGame.state.game ?? {};
    const time = clock?.running && card.querySelector(`.time-left[data-side="${clock.running}"]`);
    if (time) showTime(time, clock, clock.running);
  };
  const timer = setInterval(tick, TICK);

  function draw({ game, shown }) {
    if (!shown) return;
    const verdict = game && verdictOf(game);
    const result = verdict
      ? [element("strong", {}, verdict)]
      : shown.position.outcome && [shown.position.outcome.sentence];
    const player = (side) => row(currentGame, side, game && isAway(side, game.players[side]));
    holder.replaceChildren(
      ...[
        result && element("p", { class: "result" }, ...result),
        player("X"),
        player("O"),
        game && scoreLine(currentGame),
      ].filter(Boolean),
    );
  }

  const unwatch = currentGame.watch(["game", "shown", "seats"], draw);
  return () => {
    ended = true;
    clearInterval(timer);
    unwatch();
  };
}
