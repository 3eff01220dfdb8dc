// Boards as SVG, from plain data: the replay and the page draw theirs with it.
//
//   { board, turn, open, last, over } ──drawBoard()──► "<svg class=…>…</svg>", dressed by board.css
//
// `board` is what views/board.py says of a position, `open` the boards where the next move may be,
// `last` the cell that the last move took. A length is a twentieth of a cell, and the left top
// corner of the board is 0 0, as in views/svg.py; nine boards are cards of 70 with gaps of 4.
// A game that is not drawn comes as { board: { kind: "text", text } }, its diagram.

import { escaped } from "./words.js";

const CELL = 20;
const CARD = 70;
const GAP = 4;
export const SIDES = ["X", "O"];

const corner = (board) => [(board % 3) * (CARD + GAP), Math.floor(board / 3) * (CARD + GAP)];
const middle = (board) => corner(board).map((each) => each + CARD / 2);

/** Return width and height of a board. */
export function boardSize({ kind, columns, rows }) {
  if (kind === "nested") return [3 * CARD + 2 * GAP, 3 * CARD + 2 * GAP];
  return [columns * CELL, rows * CELL];
}

/** Return the middle of a cell. */
export function centre({ kind, columns }, cell) {
  if (kind === "nested") {
    const [left, top] = corner(Math.floor(cell / 9));
    const [row, column] = [Math.floor((cell % 9) / 3), cell % 3];
    return [left + 5 + (column + 0.5) * CELL, top + 5 + (row + 0.5) * CELL];
  }
  return [((cell % columns) + 0.5) * CELL, (Math.floor(cell / columns) + 0.5) * CELL];
}

/** Return left, top, width and height of the picture by `drawBoard`: the board with its margins. */
export function boardBox(board, { names } = {}) {
  const [width, height] = boardSize(board);
  const edge = 2;
  if (names && board.kind === "rack") return [-edge, -edge, width + 2 * edge, height + 14 + edge];
  if (names !== "edges" || !edges(board)) {
    return [-edge, -edge, width + 2 * edge, height + 2 * edge];
  }
  const around = 1.8 * edgeLetters(board);
  return [-around, -around, width + around + edge, height + around + edge];
}

/**
 * Return the picture of a position as HTML.
 *
 * A small picture has bolder strokes, for a board a few dozen pixels wide. `names` says where the
 * names of the moves stand: "cells", in each that is free, or "edges", of columns and rows. Those
 * of a rack's columns are always below it.
 */
export function drawBoard(position, { large = false, names = "" } = {}) {
  const { board } = position;
  if (board.kind === "text") return `<pre class="diagram">${escaped(board.text)}</pre>`;
  const box = boardBox(board, { names }).map(short).join(" ");
  const drawn = board.kind === "nested" ? drawNested(position, large) : drawRow(position, large);
  const frame = lastFrame(position);
  return (
    `<svg class="board ${board.kind}${large ? "" : " mini"}" aria-hidden="true"` +
    ` viewBox="${box}">` +
    (large ? drawn + frame : frame + drawn) +
    (names ? drawNames(position, names) : "") +
    "</svg>"
  );
}

/** Return a board in words, row by row, for a screen reader. */
export function boardText(board) {
  if (board.kind === "text") return board.text;
  const words = [...board.cells].map((each) => (each === "." ? "empty" : each));
  const rows = [];
  for (let at = 0; at < words.length; at += board.columns) {
    rows.push(words.slice(at, at + board.columns).join(" "));
  }
  return rows.join("; ");
}

// Parts of all boards

const short = (value) => Number(value.toFixed(2));
const path = (name, d, more = "") => (d ? `<path class="${name}" d="${d}"${more}/>` : "");

/** Return the path of a mark around a point. */
export function mark(side, [x, y], scale = 1) {
  if (side === "X") {
    const r = 5.3 * scale;
    const across = short(2 * r);
    const [left, top] = [short(x - r), short(y - r)];
    return `M${left} ${top}l${across} ${across}m0-${across}l-${across} ${across}`;
  }
  const r = short(5.8 * scale);
  return `M${short(x - r)} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0-${2 * r} 0`;
}

/** Return the marks on these cells: a path for each player, and one more for the last mark. */
function drawMarks({ board, last }, cells, large) {
  const found = { X: "", O: "" };
  let latest = "";
  for (const cell of cells) {
    const side = board.cells[cell];
    if (side === ".") continue;
    const d = mark(side, centre(board, cell));
    if (large && cell === last) latest = path(`${side.toLowerCase()} latest`, d, ' pathLength="1"');
    else found[side] += d;
  }
  return SIDES.map((side) => path(side.toLowerCase(), found[side])).join("") + latest;
}

/** Return a path through pairs of points, `over` longer at both ends. */
function through(pairs, over) {
  return pairs
    .map(([[x1, y1], [x2, y2]]) => {
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const right = ((x2 - x1) / length) * over;
      const down = ((y2 - y1) / length) * over;
      return `M${short(x1 - right)} ${short(y1 - down)}L${short(x2 + right)} ${short(y2 + down)}`;
    })
    .join("");
}

/** Return the lines that won the game, drawn through. */
function drawLines({ board }) {
  const { cells, owners, lines = [], board_lines: boardLines = [] } = board;
  const points = (ends) => ends.map((cell) => centre(board, cell));
  const drawn = (side) => {
    const own = lines.filter(([first]) => cells[first] === side).map(points);
    const wide = boardLines.filter(([first]) => owners[first] === side);
    const ink = side.toLowerCase();
    return (
      path(`won ${ink}`, through(own, 7)) +
      path(`won wide ${ink}`, through(wide.map((ends) => ends.map(middle)), 30))
    );
  };
  return SIDES.map(drawn).join("");
}

function lastFrame({ board, last }) {
  if (last === null || last === undefined || last < 0) return "";
  const [x, y] = centre(board, last).map((each) => short(each - 8.3));
  return `<rect class="last" x="${x}" y="${y}" width="16.6" height="16.6" rx="2"/>`;
}

// Row games

function drawRow(position, large) {
  const { board } = position;
  const [width, height] = boardSize(board);
  const ground = board.kind === "rack" ? rack(board, width, height) : grid(board, width, height);
  const marks = drawMarks(position, [...board.cells].keys(), large);
  return `${ground}<g class="marks">${marks}</g>${drawLines(position)}`;
}

/** Return the lines between cells; a board of one row or column has a frame as well. */
function grid({ columns, rows }, width, height) {
  let d = "";
  for (let y = CELL; y < height; y += CELL) d += `M1 ${y}H${width - 1}`;
  for (let x = CELL; x < width; x += CELL) d += `M${x} 1V${height - 1}`;
  if (columns === 1 || rows === 1) d += `M0 0H${width}V${height}H0z`;
  return path("grid", d);
}

/** Return Connect Four's rack: open at the top, with a floor, and holes to look through. */
function rack(board, width, height) {
  const holes = Array.from(board.cells, (_, cell) => `M${centre(board, cell).join(" ")}h0`);
  return (
    path("rack", `M0 0V${height - 4}q0 4 4 4H${width - 4}q4 0 4-4V0`) +
    path("hole", holes.join("")) +
    path("floor", `M0 ${height + 1}H${width}`)
  );
}

// Nine boards

function drawNested(position, large) {
  const { board, open = [], turn } = position;
  let drawn = "";
  for (let each = 0; each < 9; each++) {
    const [left, top] = corner(each);
    const may = open.includes(each) ? `open by-${turn.toLowerCase()}` : "";
    const forced = may && open.length === 1 ? "forced" : "";
    const box = `x="${left}" y="${top}" width="${CARD}" height="${CARD}" rx="4"`;
    drawn += `<rect class="${`ground ${may} ${forced}`.trim()}" ${box}/>`;
    let lines = "";
    for (const at of [25, 45]) lines += `M${left + 6} ${top + at}h58M${left + at} ${top + 6}v58`;
    const cells = Array.from({ length: 9 }, (_, cell) => 9 * each + cell);
    const inner = path("grid", lines) + `<g class="marks">${drawMarks(position, cells, large)}</g>`;
    const owner = board.owners[each];
    // Where one line of cells wins the game, it is drawn through, and says enough.
    const lined = board.lines?.some(([first]) => Math.floor(first / 9) === each);
    const owned = SIDES.includes(owner) && !lined;
    // A won board that is still played on keeps its marks legible and its large mark faint.
    const played = board.plays_on && cells.some((cell) => board.cells[cell] === ".");
    drawn += owned && !played ? `<g class="faded">${inner}</g>` : inner;
    if (owned) {
      const name = `owner ${owner.toLowerCase()}${played ? " faint" : ""}`;
      drawn += path(name, mark(owner, middle(each), 3.1));
    }
  }
  return drawn + drawLines(position);
}

// Names of moves

/** Return the names of columns and of rows, where those of moves are made of both, else nothing. */
function edges({ kind, columns, rows, names }) {
  if (kind !== "grid" || !/^[a-z]/.test(names[0])) return null;
  const column = (_, at) => names[at].replace(/\d+$/, "");
  const row = (_, at) => names[at * columns].replace(/^[a-z]+/, "");
  return [Array.from({ length: columns }, column), Array.from({ length: rows }, row)];
}

/** Return how high the names at the edges are; on a large board, which is shown smaller, higher. */
const edgeLetters = (board) => Math.max(6, boardSize(board)[0] / 42);

function drawNames({ board, open = [], over }, names) {
  const [, height] = boardSize(board);
  const said = (x, y, text, size, anchor = "middle") =>
    `<text x="${short(x)}" y="${short(y + 0.36 * size)}" font-size="${short(size)}"` +
    ` text-anchor="${anchor}">${escaped(text)}</text>`;
  if (board.kind === "rack") {
    return board.names.map((name, at) => said((at + 0.5) * CELL, height + 8, name, 6)).join("");
  }
  const around = names === "edges" && edges(board);
  if (around) {
    const [columns, rows] = around;
    const size = edgeLetters(board);
    return (
      columns.map((name, at) => said((at + 0.5) * CELL, -1.3 * size, name, size)).join("") +
      rows.map((name, at) => said(-0.6 * size, (at + 0.5) * CELL, name, size, "end")).join("")
    );
  }
  if (names !== "cells" || over) return "";
  const free = (cell) => board.kind !== "nested" || open.includes(Math.floor(cell / 9));
  const name = (text, cell) => {
    if (board.cells[cell] !== "." || !free(cell)) return "";
    return said(...centre(board, cell), text, 5.5);
  };
  return board.names.map(name).join("");
}
