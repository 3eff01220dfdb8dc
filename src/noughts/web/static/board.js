// The board to play on: a picture under a grid of cells for pointer and keyboard.
//
//   position ──drawBoard()──► picture          click, Enter ──► choose(move, cell)
//   values, a preview ──► chips and numbers    arrow keys ──► the focus moves between cells
//   place(move) ──► its mark, before the server has answered
//
// New parts of a picture are animated: marks and discs, won boards, the winning line. A repaint
// continues their animations. It has no rules: the position lists the legal moves.

import { boardBox, centre, defaultNames, disc, drawBoard, mark } from "/static/replay/board.js";
import { drawn, element } from "./dom.js";

const CELL = 20;
const CARD_THIRD = 70 / 3;
/** Milliseconds after which every animation has ended. */
const ANIMATED = 900;
/** Cells smaller than this many pixels take a second tap to confirm a move. */
const SMALL = 28;
/** In smaller cells a value breaks into two lines. */
const NARROW = 62;
/** In a heat map, a move with a chance this much smaller than the best one has no tint. */
const COOL = 20;

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

/** Return the keys of the parts of a picture that are new after a position. */
function newParts(before, { board }) {
  const isNew = (now, then, at) => "XO".includes(now) && now !== then?.[at];
  const cells = [...board.cells].flatMap((now, at) =>
    isNew(now, before.board.cells, at) ? [`c${at}`] : [],
  );
  const boards = [...(board.owners || "")].flatMap((now, at) =>
    isNew(now, before.board.owners, at) ? [`b${at}`] : [],
  );
  return [...cells, ...boards, ...(board.lines.length || board.board_lines.length ? ["lines"] : [])];
}

/** Return the text of the move at a cell. */
export function moveAt({ kind, columns, names }, cell) {
  return kind === "rack" ? names[cell % columns] : names?.[cell];
}

/**
 * Put a board into an element. `choose(move, cell)` is called for a chosen cell; `move` is null
 * where no move is legal. `selected(move)` is called when a tap on a small cell needs another one to
 * confirm it, and with null when none does; `measured()` when the size of cells has changed.
 * `frame` is the element whose CSS variables get the board's shape.
 */
export function createBoard(holder, { choose, selected, measured, frame }) {
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
  let stones = false;
  let pixels = 0;
  let chosen = null;
  const born = new Map();

  const moveOf = (cell) => {
    const { kind, columns, names: texts } = position.board;
    const text = texts[kind === "rack" ? cell % columns : cell];
    return text in position.moves ? text : null;
  };

  /** Rebuild the cells if the shape of the board has changed. */
  function build() {
    const { board } = position;
    const usual = defaultNames(board);
    names = (named ?? usual) ? usual || "cells" : "";
    const box = boardBox(board, { names });
    const wanted = [board.kind, board.columns, board.rows, names, stones].join();
    if (wanted === shape) return;
    shape = wanted;
    const [left, top, width, height] = box;
    frame.style.setProperty("--ratio", String(width / height));
    holder.dataset.kind = board.kind;
    frame.style.setProperty("--columns", String(board.columns));
    ghost.setAttribute("viewBox", box.join(" "));
    ghost.setAttribute("class", `board large ghost ${board.kind}${stones ? " stones" : ""}`);
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
    pixels = (position.board.kind === "nested" ? CARD_THIRD : CELL) * scale;
    holder.style.setProperty("--cell", `${CELL * scale}px`);
    holder.classList.toggle("narrow-cells", CELL * scale < NARROW);
    measured();
  }

  /** Draw a position; an unchanged picture stays. */
  function paint(shown) {
    const now = performance.now();
    for (const [key, time] of born) if (now - time > ANIMATED) born.delete(key);
    const given = { ...shown, over: Boolean(shown.outcome), fresh: [...born.keys()] };
    const wanted = drawBoard(given, { large: true, names, stones });
    if (wanted === painted) return;
    painted = wanted;
    picture.innerHTML = wanted;
    for (const part of picture.querySelectorAll("[data-fresh]")) {
      const key = part.dataset.fresh;
      part.style.setProperty("--since", `${born.get(key) - now}ms`);
      if (shown.board.kind === "rack" && key.startsWith("c")) {
        const rows = Math.floor(Number(key.slice(1)) / shown.board.columns) + 1;
        part.style.setProperty("--rows", String(rows));
      }
    }
    const letters = picture.querySelector("text")?.getAttribute("font-size");
    if (letters) holder.style.setProperty("--drawn", `${letters}px`);
  }

  /** Animate the parts that are new after a position; those that move already continue. */
  function animate(before, next) {
    for (const key of newParts(before, next)) if (!born.has(key)) born.set(key, performance.now());
  }

  /** Make one cell reachable by Tab: the focused one, else the first legal one. */
  function rove() {
    const known = cells.find((cell) => cell?.tabIndex === 0);
    if (known && known === holder.getRootNode().activeElement) return;
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
      // The name of a cell has the text that it shows.
      const text = worth && String(worth.place ?? worth.mark);
      if (worth && !worth.words.split(" ").includes(text)) words.push(text);
      if (worth) words.push(worth.words);
      if (worth?.best) words.push("best move");
      made.setAttribute("aria-label", words.join(", "));
      made.title = worth ? worth.words : "";
      made.setAttribute("aria-disabled", String(!move));
      made.classList.toggle("may", Boolean(move));
    }
  }

  function chips() {
    const worth = {};
    for (const [move, value] of Object.entries(values)) worth[position.moves[move]] = value;
    const isHot = Object.values(values).some(({ place }) => place);
    const chances = Object.values(values).map(({ chance }) => chance);
    const most = Math.max(...chances);
    const spread = Math.max(1, Math.min(COOL, most - Math.min(...chances)));
    // Values change many times a second during a search: existing chips are reused.
    for (const [cell, made] of cells.entries()) {
      const value = position.board.cells[cell] === "." ? worth[cell] : undefined;
      const isTinted = isHot && Boolean(value);
      made.classList.toggle("hot", isTinted && value.value !== "loss");
      made.classList.toggle("lost", isTinted && value.value === "loss");
      if (isTinted) {
        const heat = Math.max(0, 1 - (most - value.chance) / spread) ** 2;
        made.style.setProperty("--heat", heat.toFixed(2));
      }
      let chip = made.querySelector(".chip");
      if (!value || (isHot && !value.place)) {
        chip?.remove();
        continue;
      }
      if (!chip) made.append((chip = element("span", { "aria-hidden": "true" })));
      chip.className = `chip ${value.tone}${value.best ? " best" : ""}`;
      const text = String(value.place ?? value.mark);
      if (chip.textContent !== text) chip.textContent = text;
    }
    holder.classList.toggle("with-values", Object.keys(values).length > 0);
  }

  /** Show a faint mark where the move at a cell would land; in a rack its column too. */
  function haunt(cell) {
    const move = may && cell !== null ? moveOf(cell) : null;
    if (!move) {
      ghost.replaceChildren();
      return;
    }
    const { board, turn } = position;
    const point = centre(board, position.moves[move]);
    const [x, y] = point;
    const isRack = board.kind === "rack";
    const aim = isRack
      ? `<rect class="aim" x="${x - CELL / 2}" y="-1.5" width="${CELL}" height="${board.rows * CELL + 3}"/>`
      : chosen === move
        ? `<path class="aim" d="M0 ${y}H${board.columns * CELL}M${x} 0V${board.rows * CELL}"/>`
        : "";
    const shape = isRack || (stones && board.kind === "grid")
      ? disc(turn, point)
      : `<path class="${turn.toLowerCase()}" d="${mark(turn, point)}"/>`;
    ghost.innerHTML = `${aim}<g class="marks landing">${shape}</g>`;
  }

  /** Select a move that a second tap confirms; null selects none. */
  function select(move) {
    if (chosen === move) return;
    chosen = move;
    selected(move);
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
    const move = may ? moveOf(cell) : null;
    const isVague = event.pointerType === "touch" && pixels < SMALL && position.board.kind === "grid";
    if (move && isVague && chosen !== move) {
      select(move);
      haunt(cell);
      return;
    }
    select(null);
    haunt(null);
    choose(move, cell);
  });
  grid.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse") haunt(cellOf(event));
  });
  grid.addEventListener("pointerleave", () => haunt(null));
  grid.addEventListener("focusin", (event) => {
    const cell = cellOf(event);
    if (cells[cell].matches(":focus-visible")) haunt(cell);
  });
  // Until the keyboard moves on the board, the arrow keys belong to the page: see keys.js.
  const setPointer = (isOn) => grid.classList.toggle("by-pointer", isOn);
  grid.addEventListener("pointerdown", () => setPointer(true));
  grid.addEventListener("focusout", (event) => {
    if (!grid.contains(event.relatedTarget)) setPointer(false);
    if (!chosen) haunt(null);
  });
  grid.addEventListener("keydown", (event) => {
    const cell = cellOf(event);
    if (cell === null || event.defaultPrevented || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(may ? moveOf(cell) : null, cell);
      return;
    }
    const to = reached(event, cell);
    if (to === undefined) return;
    event.preventDefault();
    setPointer(false);
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
    /** Show a position; `fresh` animates its new parts, `may` allows moves; none is after `ended`. */
    show(next, { fresh = false, ended = false, may: mayMove = false } = {}) {
      const before = position;
      position = ended ? { ...next, open: [] } : next;
      may = mayMove;
      values = {};
      build();
      if (fresh) animate(before, next);
      else if (before?.position !== next.position) born.clear();
      if (before?.position !== next.position) select(null);
      paint(position);
      holder.dataset.turn = position.turn.toLowerCase();
      grid.setAttribute("aria-label", `Board. ${position.description}`);
      chips();
      label();
      haunt(chosen ? position.moves[chosen] : null);
      rove();
    },
    /** Draw a legal move before its position is known; `show` draws the position. */
    place(move) {
      const cell = position.moves[move];
      const { cells: marks } = position.board;
      const cells = marks.slice(0, cell) + position.turn + marks.slice(cell + 1);
      const after = { ...position, board: { ...position.board, cells }, last: cell };
      animate(position, after);
      haunt(null);
      paint(after);
    },
    /**
     * Show values of moves: {move: ValueView}, with `best` on the best one. Where some have a
     * `place`, these are numbered, and all others only tinted.
     */
    setValues(worth) {
      values = worth;
      chips();
      label();
    },
    /** Show the position `end` after numbered moves; without `end`, the current position. */
    preview(end, moves = [], from = position) {
      holder.classList.toggle("previewing", Boolean(end));
      for (const number of grid.querySelectorAll(".step-number")) number.remove();
      paint(end || position);
      if (!end) return;
      for (const [at, cell] of taken(from.board, end.board, moves).entries()) {
        const number = element("span", { class: "step-number" }, String(at + 1));
        number.setAttribute("aria-hidden", "true");
        cells[cell].append(number);
      }
    },
    /** Show or hide coordinates; null is the default of the board. */
    setNames(wanted) {
      named = wanted;
      this.redraw();
    },
    /** Draw the marks of a grid as stones on crossing lines, or as X and O in cells. */
    setStones(wanted) {
      stones = wanted;
      this.redraw();
    },
    redraw() {
      const before = values;
      if (!position) return;
      this.show(position, { may });
      this.setValues(before);
    },
    get hasNames() {
      return names !== "";
    },
    /** Whether cells are too small for a finger. */
    get isSmall() {
      return pixels < SMALL;
    },
    focus() {
      cells.find((cell) => cell?.tabIndex === 0)?.focus();
    },
  };
}
