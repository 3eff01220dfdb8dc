// One game of a match on the page: its board, its moves and their notes.
//
//   new Viewer(element, data) ──show(game)──► the end of a game ──go(ply)──► any place in it

import { SIDES, boardText, drawBoard } from "./board.js";
import { POINTS, ending, gameAt, moveText, noteAt, sideAt } from "./game.js";
import { Steps, stepButtons } from "./steps.js";
import { escaped, markCurrent, reveal } from "./words.js";

const MARKS = {
  X: '<path d="M5 5l14 14M19 5L5 19"/>',
  O: '<circle cx="12" cy="12" r="7.5"/>',
};
const markOf = (side) =>
  `<svg class="mark ${side.toLowerCase()}" viewBox="0 0 24 24" role="img" aria-label="${side}">` +
  `${MARKS[side]}</svg>`;

const VIEWER = `
<div class="who"></div>
<p class="how"></p>
<div class="large" role="img"></div>
<div class="steps">${stepButtons('<output class="place" aria-live="off"></output>')}</div>
<dl class="note"></dl>
<ol class="moves" aria-label="Moves"></ol>
<p class="visually-hidden" role="status"></p>`;

export class Viewer {
  /** `moved` is called with every ply that is shown. */
  constructor(element, data, moved) {
    this.element = element;
    this.data = data;
    this.moved = moved;
    this.game = null;
    element.innerHTML = VIEWER;
    this.by = (name) => element.querySelector(`.${name}`);
    this.steps = new Steps(this.by("steps"), { go: (ply) => this.go(ply) });
    this.by("moves").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.go(Number(button.dataset.ply));
    });
  }

  /** Show a game after `ply` moves, by default at its end. */
  show(game, ply = game.moves) {
    this.game = game;
    const { data } = this;
    const points = POINTS[game.result] ?? ["–", "–"];
    const rows = SIDES.map((side, at) => {
      const name = escaped(data.bots[[game.x, game.o][at]]);
      return `<div>${markOf(side)}<b>${name}</b><span>${points[at]}</span></div>`;
    });
    this.by("who").innerHTML = rows.join("");
    const start = data.starts[game.start];
    const words = [`Game ${game.number}`, start.rules, ending(data, game)];
    this.by("how").textContent = words.filter(Boolean).join(" · ");
    if (game.fault) {
      const told = Object.assign(document.createElement("span"), { className: "fault" });
      told.textContent = game.fault;
      this.by("how").append(told);
    }
    this.by("large").className = `large ${start.board.kind}`;
    this.by("moves").innerHTML = this.list();
    this.go(ply);
  }

  /** Return the moves as HTML, two to a row. */
  list() {
    const { data, game } = this;
    const rows = [];
    for (let at = 0; at < game.moves; at++) {
      const side = sideAt(data, game, at);
      if (!rows.length || side === 0) rows.push(["", ""]);
      const lost = { 1: "−½", 2: "−1" }[game.lost?.[at]];
      const chip = lost ? ` <i class="chip bad">${lost}</i>` : "";
      const name = `${SIDES[side].toLowerCase()}${at < game.opening ? " given" : ""}`;
      const text = escaped(moveText(data, game, at));
      rows.at(-1)[side] =
        `<button type="button" class="${name}" data-ply="${at + 1}">${text}${chip}</button>`;
    }
    return rows.map(([x, o], at) => `<li><span>${at + 1}</span>${x || "<i></i>"}${o}</li>`).join("");
  }

  /** Show the game after `ply` moves, at most its length. */
  go(ply) {
    const { data, game } = this;
    const at = Math.max(0, Math.min(game.moves, ply));
    const position = gameAt(data, game, at);
    const large = this.by("large");
    large.innerHTML = drawBoard(position, { large: true, names: "edges" });
    large.setAttribute("aria-label", `Board: ${boardText(position.board)}`);
    this.steps.draw(at, game.moves, `${at} of ${game.moves}`);
    const rows = at ? noteAt(data, game, at - 1) : [];
    this.by("note").innerHTML = rows
      .map(([name, text]) => `<div><dt>${name}</dt><dd>${escaped(text)}</dd></div>`)
      .join("");
    const current = this.by("moves").querySelector(`[data-ply="${at}"]`);
    markCurrent(this.by("moves"), current);
    if (current) reveal(this.by("moves"), current, 1 / 2);
    const said = rows.map(([name, text]) => `${name} ${text}`).join(", ");
    this.element.querySelector("[role=status]").textContent = at
      ? `Move ${at}: ${SIDES[sideAt(data, game, at - 1)]} ` +
        `${moveText(data, game, at - 1)}${said ? `, ${said}` : ""}`
      : "The start";
    this.moved(game, at);
  }
}
