// One search on the page: counts, tree, board, variables, pseudocode, events.

import { SIDES, boardText, drawBoard } from "./board.js";
import { lastUpTo } from "./search.js";
import { TreeView, valueText } from "./tree.js";
import { count, escaped, markCurrent, number, reveal } from "./words.js";

const MAX_EVENTS = 60;

export class Pane {
  /** `go` is called with the time of an event that a reader chooses; `size` is for the tree. */
  constructor(search, size, go) {
    this.search = search;
    this.time = -1;
    /** The node that is looked at, or -1 where that follows the search. */
    this.kept = -1;
    /** The node whose board is drawn, and which of its events are listed. */
    this.drawn = -1;
    this.listed = "";
    this.variablesBefore = new Map();
    this.root = document.createElement("section");
    this.root.className = "pane";
    this.root.setAttribute("aria-label", search.name);
    this.root.innerHTML = this.html();
    for (const name of [
      ...["said", "counts", "which", "standing", "large", "variables", "follow", "fold-button"],
      ...["events-title", "events"],
    ]) {
      this[name] = this.root.querySelector(`.${name}`);
    }
    this.code = [...this.root.querySelectorAll(".code li")];
    this.code.forEach((each, place) => {
      const line = search.lines[place];
      each.style.setProperty("--indent", `${(line.length - line.trimStart().length) / 2}ch`);
    });
    this.tree = new TreeView(search, this, this.root, size);
    this.follow.addEventListener("click", () => this.keep(-1));
    this["fold-button"].addEventListener("click", () => {
      this.fold(this.looked(), this.tree.isOpen(this.looked()));
    });
    this.events.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) go(Number(button.dataset.time));
    });
  }

  destroy() {
    this.tree.destroy();
  }

  html() {
    const { search } = this;
    const missing = [];
    if (search.searched > search.told) {
      const all = count(search.searched, "node");
      const told = `The page has ${number(search.told)} of the ${all}`;
      missing.push(`${told}; the others were searched as well.`);
    }
    if (search.dropped) {
      const all = number(search.length + search.dropped);
      missing.push(`It holds the first ${number(search.length)} of ${all} events.`);
    }
    const values = search.simulates
      ? "mean reward of who moved there · visits"
      : `values as ${search.maximizer}, MAX, gets them`;
    const code = search.lines.map((line) => `<li>${this.codeLine(line)}</li>`).join("");
    return `<div class="inside">
      <div class="card head">
        <div class="title"><h2>${escaped(search.name)}</h2>
          <p>${escaped(search.about)}</p></div>
        <p class="said"></p>
        <dl class="counts"></dl>
        ${missing.length ? `<p class="left-out">${missing.join(" ")}</p>` : ""}
      </div>
      <div class="card tree">
        <div class="tree-head"><p><span class="shape"></span> · ${values}</p>
          <button type="button" class="follow">Follow the search</button>
          <button type="button" class="fold-button"></button></div>
        <div class="scroll" tabindex="-1">
          <div class="layers" aria-hidden="true"></div>
          <div class="canvas"><div class="forest">
            <svg class="edges" aria-hidden="true"></svg>
            <div class="gaps" aria-hidden="true"></div>
            <div class="items" role="tree" aria-orientation="horizontal"
              aria-label="Tree of ${escaped(search.name)}"></div>
          </div></div>
        </div>
      </div>
      <div class="side">
        <div class="card look">
          <div class="about"><h3 class="which"></h3><p class="standing"></p></div>
          <div class="large ${search.board.kind}" role="img"></div>
          <dl class="variables" aria-label="Variables"></dl>
        </div>
        <div class="card program"><h3>Pseudocode</h3><ol class="code">${code}</ol></div>
        <div class="card happened"><h3 class="events-title"></h3>
          <ol class="events" tabindex="0" aria-label="Events of the node"></ol></div>
      </div>
    </div>`;
  }

  /** Return a line of pseudocode; the style sheet keeps its indent where it wraps. */
  codeLine(line) {
    const [code, remark] = line.trim().split(/ {3,}/);
    const words = escaped(code) + (remark ? ` <i>${escaped(remark)}</i>` : "");
    return `<div>${words || "&nbsp;"}</div>`;
  }

  /** Return the node whose board and events are shown. */
  looked() {
    return this.kept >= 0 ? this.kept : this.search.current(this.time);
  }

  show(time) {
    const { search } = this;
    this.time = Math.min(time, search.length - 1);
    const there = this.kept < search.known(this.time) && this.kept >= search.root(this.time);
    if (!there) this.kept = -1;
    this.said.textContent = this.sentence();
    const names = search.simulates ? ["simulations", "nodes"] : ["nodes", "leaves", "cutoffs"];
    const counts = names.map(
      (name) => `<div><dt>${name}</dt><dd data-count="${name}">${this.total(name)}</dd></div>`,
    );
    this.counts.innerHTML = counts.join("");
    markCurrent(this.root.querySelector(".code"), this.code[search.events.line[this.time]]);
    this.draw();
  }

  draw() {
    this.tree.draw(this.time);
    this.showNode();
  }

  total(name) {
    return number(this.search.totals[name][this.time]);
  }

  sentence() {
    return this.search.text(this.search.events.say[this.time]);
  }

  /** Keep to a node, or with -1 follow the search. */
  keep(node) {
    this.kept = node;
    if (node < 0) this.tree.byHand.clear();
    this.draw();
    this.settle();
  }

  fold(node, folded) {
    this.tree.byHand.set(node, !folded);
    this.draw();
  }

  /** Scroll to the current node and event; separate from drawing, to avoid a second layout. */
  settle() {
    const current = this.search.current(this.time);
    if (current >= 0 && this.kept < 0) this.tree.reveal(current);
    if (this.marked) reveal(this.events, this.marked, 1 / 3);
  }

  // The node that is looked at; before there is one, the position

  showNode() {
    const { search } = this;
    const node = this.looked();
    const place = Math.max(node, 0);
    const path = search.path(place).slice(1);
    const name = path.length ? path.map((each) => search.moveOf(each)).join(" · ") : "The root";
    const side = SIDES[search.nodes.turn[place]];
    const role = search.maximizing(place) ? "MAX" : "MIN";
    const state = search.text(search.nodes.over[place]) || `${side} to move (${role})`;
    this.which.textContent = this.kept >= 0 ? `Kept: ${name}` : name;
    this.standing.textContent = state;
    if (this.drawn !== place) {
      this.drawn = place;
      const position = search.position(place);
      this.large.innerHTML = drawBoard(position, { large: true, names: "cells" });
    }
    const words = boardText(search.position(place).board);
    this.large.setAttribute("aria-label", `Board, ${name}: ${words}. ${state}.`);
    const folds = node >= 0 && this.tree.folds(node);
    this.follow.disabled = this.kept < 0;
    this["fold-button"].disabled = !folds;
    this["fold-button"].textContent = folds && !this.tree.isOpen(node) ? "Open it" : "Fold it";
    this.showVariables(node);
    this.showEvents(node);
  }

  showVariables(node) {
    const { search } = this;
    const rows = [];
    if (node >= 0) {
      const seen = search.seen(node, this.time);
      rows.push(["node", number(search.nodes.number[node])]);
      rows.push(["depth", number(search.depth[node])]);
      if (search.simulates) {
        rows.push(["visits N", number(seen.visits)], ["mean reward", seen.value || "–"]);
      } else {
        rows.push(["v", valueText(search, seen) || "–"]);
        if (seen.alpha) rows.push(["α alpha", seen.alpha], ["β beta", seen.beta]);
        rows.push(["best move", seen.move || "–"]);
      }
    }
    for (const name of search.simulates ? ["simulations", "nodes"] : ["nodes", "cutoffs"]) {
      rows.push([name, this.total(name)]);
    }
    const same = this.variablesOf === node;
    const drawing = rows.map(([name, value]) => {
      const changed = same && this.variablesBefore.get(name) !== value ? "changed" : "";
      return `<div class="${changed}"><dt>${name}</dt><dd>${escaped(value)}</dd></div>`;
    });
    this.variables.innerHTML = drawing.join("");
    this.variablesOf = node;
    this.variablesBefore = new Map(rows);
  }

  showEvents(node) {
    const { search, time } = this;
    const own = node < 0 ? [] : search.eventsOf(node);
    const now = lastUpTo(own, time);
    const first = Math.max(0, Math.min(now - MAX_EVENTS / 2, own.length - MAX_EVENTS));
    const shown = own.slice(first, first + MAX_EVENTS);
    const part = shown.length < own.length;
    const which = part ? `, ${number(first + 1)} to ${number(first + shown.length)} shown` : "";
    this["events-title"].textContent = `Events of the node: ${number(own.length)}${which}`;
    if (this.listed !== `${node} ${first}`) {
      this.listed = `${node} ${first}`;
      const lines = Array.from(shown, (at) => {
        const told = escaped(search.text(search.events.say[at]));
        const words = `<span>${number(at + 1)}</span>${told}`;
        return `<li><button type="button" data-time="${at}">${words}</button></li>`;
      });
      this.events.innerHTML = lines.join("");
    }
    const buttons = this.events.querySelectorAll("button");
    buttons.forEach((button, place) => {
      button.className = shown[place] > time ? "later" : "";
    });
    this.marked = buttons[now - first];
    markCurrent(this.events, this.marked);
  }
}
