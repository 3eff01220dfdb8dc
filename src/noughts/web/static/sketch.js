// Sketches on a board: the moves, cells and boards of a sentence.
//
//   { move, player, rings, sends } ──drawSketch()──► an arrow to the move, rings, a dashed arrow to
//                                                    the board that it names, names of these cells
//
// The units are those of drawBoard.

import { boardSize, centre } from "/static/replay/board.js";
import { escaped } from "/static/replay/words.js";
import { isInWords } from "./coordinates.js";
import { drawn } from "./dom.js";
import { arrowToBoard } from "./guide.js";

/** Half the side of the square around a cell. */
const HALF = 7.8;
/** Distance from the middle of a cell at which an arrow ends, its length, that of its wings. */
const TIP = 7;
const LENGTH = 17;
const WING = 4.5;

/** Return the path of a straight arrow to a cell, from inside the board; from above into a rack. */
function pointer(board, cell) {
  const [x, y] = centre(board, cell);
  if (board.kind === "rack") {
    const tip = y - TIP;
    return `M${x} ${Math.min(-4, tip - 6)}V${tip}m-${WING} -${WING}l${WING} ${WING}l${WING} -${WING}`;
  }
  const [width, height] = boardSize(board);
  const right = x > width / 2 ? -1 : 1;
  const down = y > height / 2 ? -1 : 1;
  const at = (distance) => [x + right * distance * 0.71, y + down * distance * 0.71].join(" ");
  const wing = 1.41 * WING;
  return `M${at(TIP + LENGTH)}L${at(TIP)}M${at(TIP)}h${right * wing}M${at(TIP)}v${down * wing}`;
}

function nameOf(board, cell) {
  if (board.kind === "rack" || board.cells[cell] !== ".") return "";
  const [x, y] = centre(board, cell);
  return `<text x="${x}" y="${y + 2.2}" font-size="6" text-anchor="middle">${escaped(board.names[cell])}</text>`;
}

/** Return the arrow to a cell of a board as SVG. */
const drawPointer = (board, cell, name) => `<path class="pointer ${name}" d="${pointer(board, cell)}"/>`;

/** Return a dashed square around each cell as SVG: a circle would look like a nought. */
const drawRings = (board, cells, player) =>
  cells
    .map((cell) => {
      const [x, y] = centre(board, cell);
      const place = `x="${x - HALF}" y="${y - HALF}" width="${2 * HALF}" height="${2 * HALF}" rx="2.5"`;
      return `<rect class="ring ${player.toLowerCase()}" ${place}/>`;
    })
    .join("");

/** Return a sketch on a board as SVG, for the player to move. */
export function drawSketch({ board, turn }, { move, player, rings, sends }) {
  const parts = [drawRings(board, rings, player)];
  if (move !== null) {
    parts.push(drawPointer(board, move, turn.toLowerCase()));
    if (sends !== null && sends !== Math.floor(move / 9)) {
      const arrow = arrowToBoard(board, move, sends);
      parts.push(`<path class="sending ${turn.toLowerCase()}" d="${arrow}"/>`);
    }
  }
  const cells = move === null ? rings : [...rings, move];
  const named = new Set(isInWords(board) ? [] : cells);
  return parts.join("") + [...named].map((cell) => nameOf(board, cell)).join("");
}

/** Lay the sketch of the previewed sentence over the board in an element. */
export function mountSketch(holder, currentGame) {
  const layer = drawn('<svg class="board large layer sketch" aria-hidden="true"></svg>');
  return currentGame.watch(["preview"], ({ preview }) => {
    const isDrawn = preview?.sketch && preview.position.board.kind !== "text";
    layer.innerHTML = isDrawn ? drawSketch(preview.position, preview.sketch) : "";
    if (!isDrawn) {
      layer.remove();
      return;
    }
    const picture = holder.querySelector(".picture svg");
    layer.setAttribute("viewBox", picture.getAttribute("viewBox"));
    if (layer.parentElement !== holder) holder.append(layer);
  });
}
