// The sentence above the board, and the arrow to the board that the last move names.
//
//   position.situation ──► sentence        position.last, named ──► arrow, in the first games
//
// The sentence comes from the server. The arrow has the units of drawBoard.

import { boardBox, centre } from "/static/replay/board.js";
import { drawn } from "./dom.js";
import { recall, remember } from "./memory.js";
import { openingOf } from "./swap2.js";

const GUIDED = "guided";
const GUIDED_GAMES = 3;

/** Return the side that the person plays, or "-" for both sides, none, or a variation. */
export function viewerOf({ game, seats, shown }) {
  if (shown.kind === "variation") return "-";
  if (game) return game.yours.length === 1 ? game.yours[0] : "-";
  const mine = ["x", "o"].filter((each) => seats?.[each] === "me");
  if (mine.length !== 1) return "-";
  return (mine[0] === "x") === seats.swapped ? "O" : "X";
}

/** Mount the sentence on the shown position; its element is a live region. */
export function mountSituation(line, currentGame) {
  return currentGame.watch(["game", "shown", "seats"], (state) => {
    const { game, shown } = state;
    if (!shown) return;
    const isOver = game?.sentence && shown.kind === "now";
    const viewer = viewerOf(state);
    const sentence = isOver ? game.sentence : (openingOf(state) ?? shown.position.situation)[viewer];
    // An unchanged text must not be announced again.
    if (line.textContent !== sentence) line.textContent = sentence;
  });
}

// The arrow

/** Return whether a game is one of the first on nine boards in this browser. */
function isGuided({ id }) {
  const guided = recall(GUIDED) || [];
  if (!guided.includes(id) && guided.length < GUIDED_GAMES) {
    guided.push(id);
    remember(GUIDED, guided);
  }
  return guided.includes(id);
}

/** Return the path of an arrow between two points, bent a little to the side. */
function arrowPath([x1, y1], [x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [right, down] = [(x2 - x1) / length, (y2 - y1) / length];
  const bend = length * 0.12;
  const [middleX, middleY] = [(x1 + x2) / 2 + down * bend, (y1 + y2) / 2 - right * bend];
  const angle = Math.atan2(y2 - middleY, x2 - middleX);
  const wing = (turn) =>
    `${x2 - 8 * Math.cos(angle + turn)} ${y2 - 8 * Math.sin(angle + turn)}`;
  return `M${x1} ${y1}Q${middleX} ${middleY} ${x2} ${y2}M${wing(0.55)}L${x2} ${y2}L${wing(-0.55)}`;
}

/** Return the path of an arrow from a cell to one of the nine boards. */
export function arrowToBoard(board, cell, named) {
  const from = centre(board, cell);
  const to = centre(board, 9 * named + 4);
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const along = (by) => [0, 1].map((axis) => from[axis] + ((to[axis] - from[axis]) * by) / length);
  return arrowPath(along(11), along(length - 6));
}

/** Return the arrow of a picture as SVG, from the last mark to the board it names; or null. */
export function drawArrow({ board, last, named, forced, turn }) {
  if (last === null || named === null || named === Math.floor(last / 9)) return null;
  const side = turn === "X" ? "o" : "x";
  const open = forced === null ? " closed" : "";
  return `<path class="arrow ${side}${open}" d="${arrowToBoard(board, last, named)}"/>`;
}

/** Lay the arrow over the board in an element; the values of moves hide it. */
export function mountArrow(holder, currentGame) {
  const layer = drawn('<svg class="board large layer" aria-hidden="true"></svg>');
  return currentGame.watch(["game", "shown", "values"], ({ game, shown, values }) => {
    if (!shown) return;
    const { board, outcome } = shown.position;
    const isFree = game && !outcome && !values;
    const isWanted = board.kind === "nested" && isFree && isGuided(game);
    layer.innerHTML = (isWanted && drawArrow(shown.position)) || "";
    if (!isWanted) return;
    layer.setAttribute("viewBox", boardBox(board).join(" "));
    if (layer.parentElement !== holder) holder.append(layer);
  });
}
