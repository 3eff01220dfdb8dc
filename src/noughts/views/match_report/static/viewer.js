// One game of a match on the page: its board, its moves and their notes.
//
//   new Viewer(element, data) ──show(game)──► the end of a game ──go(ply)──► any place in it

import { SIDES, boardText, drawBoard } from "./board.js";
import { POINTS, ending, gameAt, moveText, noteAt, sideAt } from "./game.js";
import { escaped, iconButton, reveal } from "./words.js";

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
<div class="steps">
  ${iconButton("first", "To the start", "To the start (Home)", "M18 5l-9 7 9 7M6 5v14")}
  ${iconButton("back", "One move back", "One move back (←)", "M15 5l-8 7 8 7")}
  <output class="place" aria-live="off"></output>
  ${iconButton("on", "One move on", "One move on (→)", "M9 5l8 7-8 7")}
  ${iconButton("last", "To the end", "To the end (End)", "M6 5l9 7-9 7M18 5v14")}
</div>
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
    const steps = { first: -Infinity, back: -1, on: 1, last: Infinity };
    for (const [name, by] of Object.entries(steps)) {
      this.by(name).addEventListener("click", () => this.step(by));
    }
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

  step(by) {
    if (this.game) this.go(this.ply + by);
  }

  /** Show the game after `ply` moves, at most its length. */
  go(ply) {
    const { data, game } = this;
    this.ply = Math.max(0, Math.min(game.moves, ply));
    const position = gameAt(data, game, this.ply);
    const large = this.by("large");
    large.innerHTML = drawBoard(position, { large: true, names: "edges" });
    large.setAttribute("aria-label", `Board: ${boardText(position.board)}`);
    this.by("place").textContent = `${this.ply} of ${game.moves}`;
    this.by("first").disabled = this.by("back").disabled = this.ply === 0;
    this.by("on").disabled = this.by("last").disabled = this.ply === game.moves;
    const rows = this.ply ? noteAt(data, game, this.ply - 1) : [];
    this.by("note").innerHTML = rows
      .map(([name, text]) => `<div><dt>${name}</dt><dd>${escaped(text)}</dd></div>`)
      .join("");
    for (const button of this.by("moves").querySelectorAll("button")) {
      const current = Number(button.dataset.ply) === this.ply;
      if (!current) button.removeAttribute("aria-current");
      else {
        button.setAttribute("aria-current", "step");
        reveal(this.by("moves"), button, 1 / 2);
      }
    }
    const said = rows.map(([name, text]) => `${name} ${text}`).join(", ");
    this.element.querySelector("[role=status]").textContent = this.ply
      ? `Move ${this.ply}: ${SIDES[sideAt(data, game, this.ply - 1)]} ` +
        `${moveText(data, game, this.ply - 1)}${said ? `, ${said}` : ""}`
      : "The start";
    this.moved(game, this.ply);
  }
}
