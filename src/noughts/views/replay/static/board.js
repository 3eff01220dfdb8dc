// Boards as SVG, from plain data: the replay and the page draw theirs with it.
//
//   { board, turn, open, last, over } ──drawBoard()──► "<svg class=…>…</svg>", dressed by board.css
//
// `board` is what views/board.py says of a position, `open` the boards where the next move may be,
// `last` the cell that the last move took. `fresh` lists the parts that the page animates, by their
// keys: a cell `c40`, a won board `b4`, the winning `lines`. A length is a twentieth of a cell, and the left top
// corner of the board is 0 0, as in views/svg.py; nine boards are cards of 70 with gaps of 4.
// A game that is not drawn comes as { board: { kind: "text", text } }, its diagram.

import { escaped } from "./words.js";

const CELL = 20;
const CARD = 70;
const GAP = 4;
/** Radius of a hole in Connect Four's rack. */
const HOLE = 7.8;
/** Size of the mark on a disc, as a share of a mark by itself. */
const EMBOSSED = 0.56;
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

/**
 * Return where the names of moves stand unless the person chooses: coordinates along the edges.
 * Inside cells they would distract.
 */
export const defaultNames = (board) => (board.kind === "rack" || edges(board) ? "edges" : "");

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
 * A part in `fresh` is an element with its key in `data-fresh`, and a mark one path for each stroke.
 * A small picture has bolder strokes, for a board a few dozen pixels wide. `names` says where the
 * names of the moves stand: "cells", in each that is free, or "edges", of columns and rows. Those
 * of a rack's columns are always below it. `stones` draws a grid's marks as stones on crossing lines.
 */
export function drawBoard(position, { large = false, names = "", stones = false } = {}) {
  const { board } = position;
  if (board.kind === "text") return `<pre class="diagram">${escaped(board.text)}</pre>`;
  const box = boardBox(board, { names }).map(short).join(" ");
  const onLines = stones && board.kind === "grid";
  const drawn = board.kind === "nested" ? drawNested(position) : drawRow(position, onLines);
  const frame = lastFrame(position, onLines);
  return (
    `<svg class="board ${board.kind}${large ? "" : " mini"}${onLines ? " stones" : ""}" aria-hidden="true"` +
    ` viewBox="${box}">` +
    (large || board.kind === "rack" ? drawn + frame : frame + drawn) +
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

/** Return the strokes of a mark around a point, as paths. */
function strokes(side, [x, y], scale) {
  if (side === "X") {
    const r = 5.3 * scale;
    const across = short(2 * r);
    const [left, top, bottom] = [x - r, y - r, y + r].map(short);
    return [`M${left} ${top}l${across} ${across}`, `M${left} ${bottom}l${across}-${across}`];
  }
  const r = short(5.8 * scale);
  return [`M${short(x - r)} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0-${2 * r} 0`];
}

/** Return the path of a mark around a point. */
export const mark = (side, point, scale = 1) => strokes(side, point, scale).join("");

/** Return a disc of Connect Four with a small mark on it. */
export function disc(side, point) {
  const ink = side.toLowerCase();
  return path(`disc ${ink}`, dot(point)) + path(ink, mark(side, point, EMBOSSED));
}

const dot = ([x, y]) => `M${x} ${y}h0`;

const isFresh = ({ fresh = [] }, key) => fresh.includes(key);

/** Return a fresh part: its strokes draw themselves one after the other. */
const drawFresh = (key, name, each) =>
  `<g data-fresh="${key}">${each.map((d) => path(name, d, ' pathLength="1"')).join("")}</g>`;

/** Return the marks on these cells: a path for each player, and each fresh mark by itself. */
function drawMarks(position, cells) {
  const { board } = position;
  const found = { X: "", O: "" };
  let fresh = "";
  for (const cell of cells) {
    const side = board.cells[cell];
    if (side === ".") continue;
    const point = centre(board, cell);
    if (isFresh(position, `c${cell}`)) {
      fresh += drawFresh(`c${cell}`, side.toLowerCase(), strokes(side, point, 1));
    } else found[side] += mark(side, point);
  }
  return SIDES.map((side) => path(side.toLowerCase(), found[side])).join("") + fresh;
}

/** Return the discs of Connect Four; a fresh one is by itself, so that it can fall. */
function drawDiscs(position) {
  const { board } = position;
  const found = { X: [], O: [] };
  let fresh = "";
  for (const [cell, side] of [...board.cells].entries()) {
    if (side === ".") continue;
    const point = centre(board, cell);
    if (isFresh(position, `c${cell}`)) fresh += `<g data-fresh="c${cell}">${disc(side, point)}</g>`;
    else found[side].push(point);
  }
  const all = (name, draw) =>
    SIDES.map((side) =>
      path(`${name}${side.toLowerCase()}`, found[side].map((point) => draw(side, point)).join("")),
    ).join("");
  return (
    all("disc ", (_, point) => dot(point)) +
    all("", (side, point) => mark(side, point, EMBOSSED)) +
    fresh
  );
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

/** Return the lines that won the game, drawn through; those on discs have an edge. */
function drawLines(position, onDiscs = position.board.kind === "rack") {
  const { cells, owners, lines = [], board_lines: boardLines = [] } = position.board;
  const points = (ends) => ends.map((cell) => centre(position.board, cell));
  const drawn = (side) => {
    const own = lines.filter(([first]) => cells[first] === side).map(points);
    const wide = boardLines.filter(([first]) => owners[first] === side);
    const ink = side.toLowerCase();
    return [
      onDiscs ? ["casing", through(own, 7)] : null,
      [`won ${ink}`, through(own, 7)],
      [`won wide ${ink}`, through(wide.map((ends) => ends.map(middle)), 30)],
    ].filter((each) => each?.[1]);
  };
  const found = SIDES.flatMap(drawn);
  return isFresh(position, "lines")
    ? found.map(([name, d]) => drawFresh("lines", name, [d])).join("")
    : found.map(([name, d]) => path(name, d)).join("");
}

function lastFrame({ board, last }, onLines) {
  if (last === null || last === undefined || last < 0) return "";
  const [x, y] = centre(board, last).map((each) => short(each - 8.3));
  const round = onLines || board.kind === "rack" ? 8.3 : 2;
  return `<rect class="last" x="${x}" y="${y}" width="16.6" height="16.6" rx="${round}"/>`;
}

// Row games

function drawRow(position, onLines) {
  const { board } = position;
  const [width, height] = boardSize(board);
  if (board.kind === "rack") return drawRack(position, width, height);
  const marks = onLines ? drawDiscs(position) : drawMarks(position, [...board.cells].keys());
  const lines = drawLines(position, onLines);
  return `${grid(board, width, height, onLines)}<g class="marks">${marks}</g>${lines}`;
}

/**
 * Return the lines between cells, or those through their middles, and the edge of a board on which
 * columns have names.
 */
function grid(board, width, height, onLines) {
  let d = "";
  const [first, end] = onLines ? [CELL / 2, CELL / 2] : [CELL, 1];
  for (let y = first; y < height; y += CELL) d += `M${end} ${y}H${width - end}`;
  for (let x = first; x < width; x += CELL) d += `M${x} ${end}V${height - end}`;
  const edge = `<rect class="edge" width="${width}" height="${height}" rx="2"/>`;
  return (edges(board) ? edge : "") + path("grid", d);
}

/** Return Connect Four's rack: discs behind a plate with round holes. */
function drawRack(position, width, height) {
  const { board } = position;
  const hole = (_, cell) => {
    const [x, y] = centre(board, cell);
    return `M${short(x - HOLE)} ${y}a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0a${HOLE} ${HOLE} 0 1 0-${2 * HOLE} 0z`;
  };
  const holes = Array.from(board.cells, hole).join("");
  const [right, bottom] = [width + 3, height + 3];
  const plate = `M-1.5 3.5a5 5 0 0 1 5-5h${right - 10}a5 5 0 0 1 5 5v${bottom - 10}a5 5 0 0 1-5 5h-${right - 10}a5 5 0 0 1-5-5z`;
  return (
    `<rect class="back" x="1" y="1" width="${width - 2}" height="${height - 2}" rx="3"/>` +
    `<g class="marks">${drawDiscs(position)}</g>` +
    path("plate", plate + holes) +
    drawLines(position)
  );
}

// Nine boards

function drawNested(position) {
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
    const inner = path("grid", lines) + `<g class="marks">${drawMarks(position, cells)}</g>`;
    const owner = board.owners[each];
    // Where one line of cells wins the game, it is drawn through, and says enough.
    const lined = board.lines?.some(([first]) => Math.floor(first / 9) === each);
    const owned = SIDES.includes(owner) && !lined;
    // A won board that is still played on keeps its marks legible and its large mark faint.
    const played = board.plays_on && cells.some((cell) => board.cells[cell] === ".");
    drawn += owned && !played ? `<g class="faded">${inner}</g>` : inner;
    if (owned) {
      const ink = owner.toLowerCase();
      const faint = played ? " faint" : "";
      drawn += `<rect class="fill ${ink}" ${box}/>`;
      drawn += isFresh(position, `b${each}`)
        ? drawFresh(`b${each}`, `owner ${ink}${faint}`, strokes(owner, middle(each), 3.1))
        : path(`owner ${ink}${faint}`, mark(owner, middle(each), 3.1));
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
      `<g class="top-names">${columns.map((name, at) => said((at + 0.5) * CELL, -1.3 * size, name, size)).join("")}</g>` +
      `<g class="side-names">${rows.map((name, at) => said(-0.6 * size, (at + 0.5) * CELL, name, size, "end")).join("")}</g>`
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
