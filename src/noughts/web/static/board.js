// The board to play on: a picture under a grid of cells for pointer and keyboard.
//
//   position ──drawBoard()──► picture          click, Enter ──► choose(move, cell)
//   values, a preview ──► chips and numbers    arrow keys ──► the focus moves between cells
//
// It has no rules: the position lists the legal moves.

import { boardBox, centre, drawBoard, mark } from "/static/replay/board.js";
import { drawn, element } from "./dom.js";

const CELL = 20;
const CARD_THIRD = 70 / 3;

/** Return the cells by visible row; nine boards are 9 rows of 9. */
function arranged({ kind, columns, rows }) {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => {
      if (kind !== "nested") return row * columns + column;
      const board = 3 * Math.floor(row / 3) + Math.floor(column / 3);
      return 9 * board + 3 * (row % 3) + (column % 3);
    }),
  );
}

/** Return the centre and size of a cell's clickable area: [x, y, size]. */
function area(board, cell) {
  const [x, y] = centre(board, cell);
  if (board.kind !== "nested") return [x, y, CELL];
  const [middleX, middleY] = centre(board, 9 * Math.floor(cell / 9) + 4);
  const spread = CARD_THIRD / CELL;
  return [middleX + (x - middleX) * spread, middleY + (y - middleY) * spread, CARD_THIRD];
}

/** Return the name of a cell for screen readers. */
function cellName({ kind, columns, rows, names }, cell) {
  if (kind === "nested") return `board ${Math.floor(cell / 9) + 1}, cell ${(cell % 9) + 1}`;
  if (kind === "rack") {
    return `column ${names[cell % columns]}, row ${rows - Math.floor(cell / columns)}`;
  }
  return /^\d/.test(names[cell]) ? `cell ${names[cell]}` : names[cell];
}

/** Return the cells that moves took; columns of a rack fill from the bottom. */
function taken(before, after, moves) {
  const { kind, columns, rows, names } = before;
  if (kind !== "rack") return moves.map((move) => names.indexOf(move));
  const filled = names.map((_, column) =>
    Array.from({ length: rows }, (__, row) => (rows - 1 - row) * columns + column).filter(
      (cell) => before.cells[cell] === "." && after.cells[cell] !== ".",
    ),
  );
  return moves.map((move) => filled[names.indexOf(move)].shift());
}

/**
 * Put a board into an element. `choose(move, cell)` is called for a chosen cell; `move` is null
 * where no move is legal. `frame` is the element whose CSS variables get the board's shape.
 */
export function createBoard(holder, { choose, frame = holder }) {
  const picture = element("div", { class: "picture" });
  const ghost = drawn('<svg class="board large ghost" aria-hidden="true"></svg>');
  const grid = element("div", { class: "cells", role: "grid" });
  holder.classList.add("playing-board");
  holder.replaceChildren(picture, ghost, grid);

  let position = null;
  let may = false;
  let shape = "";
  let rows = [];
  let cells = [];
  let values = {};
  let painted = "";
  let named = null;
  let names = "";

  const moveOf = (cell) => {
    const { kind, columns, names: texts } = position.board;
    const text = texts[kind === "rack" ? cell % columns : cell];
    return text in position.moves ? text : null;
  };

  /** Rebuild the cells if the shape of the board has changed. */
  function build() {
    const { board } = position;
    // Coordinates along the edges are shown by default; inside cells they would distract.
    const hasColumns = board.kind === "grid" && /^[a-z]/.test(board.names[0]);
    const atEdges = board.kind === "rack" || hasColumns;
    names = (named ?? atEdges) ? (atEdges ? "edges" : "cells") : "";
    const box = boardBox(board, { names });
    const wanted = [board.kind, board.columns, board.rows, names].join();
    if (wanted === shape) return;
    shape = wanted;
    const [left, top, width, height] = box;
    frame.style.setProperty("--ratio", String(width / height));
    holder.dataset.kind = board.kind;
    frame.style.setProperty("--columns", String(board.columns));
    ghost.setAttribute("viewBox", box.join(" "));
    rows = arranged(board);
    cells = [];
    grid.replaceChildren(
      ...rows.map((row) =>
        element(
          "div",
          { role: "row" },
          row.map((cell) => {
            const [x, y, size] = area(board, cell);
            const made = element("div", { class: "cell", role: "gridcell", tabindex: "-1" });
            made.dataset.cell = String(cell);
            made.style.left = `${((x - size / 2 - left) / width) * 100}%`;
            made.style.top = `${((y - size / 2 - top) / height) * 100}%`;
            made.style.width = `${(size / width) * 100}%`;
            made.style.height = `${(size / height) * 100}%`;
            // The drawn cell may be off the centre of its clickable area.
            const [drawnX, drawnY] = centre(board, cell);
            made.style.setProperty("--right", String((drawnX - x) / CELL));
            made.style.setProperty("--down", String((drawnY - y) / CELL));
            cells[cell] = made;
            return made;
          }),
        ),
      ),
    );
    measure();
  }

  /** Set CSS variables: the length of a pixel in the picture, the size of a cell on screen. */
  function measure() {
    const scale = picture.clientWidth / boardBox(position.board, { names })[2];
    if (!scale) return;
    holder.style.setProperty("--pixel", String(1 / scale));
    holder.style.setProperty("--cell", `${CELL * scale}px`);
  }

  /** Draw a position; an unchanged picture stays, so that its animation is not cut off. */
  function paint(shown, fresh) {
    const wanted = drawBoard({ ...shown, over: Boolean(shown.outcome) }, { large: true, names });
    if (wanted === painted) return;
    painted = wanted;
    picture.innerHTML = wanted;
    picture.classList.toggle("fresh", fresh);
    const letters = picture.querySelector("text")?.getAttribute("font-size");
    if (letters) holder.style.setProperty("--drawn", `${letters}px`);
  }

  /** Make one cell reachable by Tab: the focused one, else the first legal one. */
  function rove() {
    const known = cells.find((cell) => cell?.tabIndex === 0);
    if (known && known.contains(document.activeElement)) return;
    const first = may ? rows.flat().find((cell) => cell in playable()) : undefined;
    setRoving(cells[first ?? rows[0][0]]);
  }

  const playable = () => {
    const found = {};
    for (const [move, cell] of Object.entries(position.moves)) found[cell] = move;
    return found;
  };

  function setRoving(cell) {
    for (const each of cells) if (each && each !== cell && each.tabIndex === 0) each.tabIndex = -1;
    cell.tabIndex = 0;
  }

  function label() {
    const landing = playable();
    for (const [cell, made] of cells.entries()) {
      const mark = position.board.cells[cell];
      const move = may ? moveOf(cell) : null;
      const worth = landing[cell] && values[landing[cell]];
      const words = [cellName(position.board, cell), mark === "." ? "empty" : mark];
      if (cell === position.last) words.push("last move");
      if (worth) words.push(`value ${worth.text}`);
      made.setAttribute("aria-label", words.join(", "));
      made.setAttribute("aria-disabled", String(!move));
      made.classList.toggle("may", Boolean(move));
    }
  }

  function chips() {
    const worth = {};
    for (const [move, value] of Object.entries(values)) worth[position.moves[move]] = value;
    // Values change many times a second during a search: existing chips are reused.
    for (const [cell, made] of cells.entries()) {
      const value = position.board.cells[cell] === "." ? worth[cell] : undefined;
      let chip = made.querySelector(".chip");
      if (!value) {
        chip?.remove();
        continue;
      }
      if (!chip) made.append((chip = element("span", { "aria-hidden": "true" })));
      chip.className = `chip ${value.tone}${value.best ? " best" : ""}`;
      if (chip.textContent !== value.text) chip.textContent = value.text;
    }
    holder.classList.toggle("with-values", Object.keys(values).length > 0);
  }

  /** Show a faint mark where the move at a cell would land. */
  function haunt(cell) {
    const move = may && cell !== null ? moveOf(cell) : null;
    if (!move) {
      ghost.replaceChildren();
      return;
    }
    const { board, turn } = position;
    const d = mark(turn, centre(board, position.moves[move]));
    ghost.innerHTML = `<g class="marks"><path class="${turn.toLowerCase()}" d="${d}"/></g>`;
  }

  const cellOf = (event) => {
    const found = event.target.closest(".cell");
    return found ? Number(found.dataset.cell) : null;
  };

  const resized = new ResizeObserver(() => position && measure());
  resized.observe(holder);
  grid.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (cell === null) return;
    setRoving(cells[cell]);
    choose(may ? moveOf(cell) : null, cell);
  });
  grid.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse") haunt(cellOf(event));
  });
  grid.addEventListener("pointerleave", () => haunt(null));
  grid.addEventListener("focusin", (event) => {
    const cell = cellOf(event);
    if (cells[cell].matches(":focus-visible")) haunt(cell);
  });
  grid.addEventListener("focusout", () => haunt(null));
  grid.addEventListener("keydown", (event) => {
    const cell = cellOf(event);
    if (cell === null || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(may ? moveOf(cell) : null, cell);
      return;
    }
    const to = reached(event, cell);
    if (to === undefined) return;
    event.preventDefault();
    setRoving(cells[to]);
    cells[to].focus();
  });

  /** Return the cell that a key moves to; Ctrl moves by a whole board. */
  function reached({ key, ctrlKey }, cell) {
    const row = rows.findIndex((each) => each.includes(cell));
    const column = rows[row].indexOf(cell);
    const by = ctrlKey && position.board.kind === "nested" ? 3 : 1;
    if (key === "ArrowUp") return rows[row - by]?.[column];
    if (key === "ArrowDown") return rows[row + by]?.[column];
    if (key === "ArrowLeft") return rows[row][column - by];
    if (key === "ArrowRight") return rows[row][column + by];
    const landing = playable();
    const all = rows.flat().filter((each) => each in landing);
    if (key === "Home") return all[0];
    if (key === "End") return all.at(-1);
    return undefined;
  }

  return {
    element: holder,
    /** Show a position; `fresh` animates the last mark, `may` allows moves. */
    show(next, { fresh = false, may: mayMove = false } = {}) {
      position = next;
      may = mayMove;
      values = {};
      build();
      paint(position, fresh);
      holder.dataset.turn = position.turn.toLowerCase();
      grid.setAttribute("aria-label", `Board. ${position.description}`);
      chips();
      label();
      haunt(null);
      rove();
    },
    /** Show values of moves: {move: ValueView}, with `best` on the best one. */
    setValues(worth) {
      values = worth;
      chips();
      label();
    },
    /** Show the position `end` after numbered moves; without `end`, the current position. */
    preview(end, moves = [], from = position) {
      holder.classList.toggle("previewing", Boolean(end));
      for (const number of grid.querySelectorAll(".step-number")) number.remove();
      paint(end || position, false);
      if (!end) return;
      for (const [at, cell] of taken(from.board, end.board, moves).entries()) {
        const number = element("span", { class: "step-number" }, String(at + 1));
        number.setAttribute("aria-hidden", "true");
        cells[cell].append(number);
      }
    },
    /** Show or hide coordinates; null is the default of the board. */
    setNames(wanted) {
      const before = values;
      named = wanted;
      if (!position) return;
      this.show(position, { may });
      this.setValues(before);
    },
    get hasNames() {
      return names !== "";
    },
    focus() {
      cells.find((cell) => cell?.tabIndex === 0)?.focus();
    },
  };
}
