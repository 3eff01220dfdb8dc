"use strict";
// A search, replayed. Data in, in this order:
//
//   data ──► Search   what holds at an event, as a function of its number: nothing is undone
//            Pane     one search on the page: counts, tree, board, variables, pseudocode, events
//            player   the controls, the keys and the clock, for all panes at once
//
// No rules are known here: marks go where the data put them.

const data = JSON.parse(document.getElementById("data").textContent);
const KIND = Object.fromEntries(data.kinds.map((name, place) => [name, place]));
const SIDES = ["X", "O"];
const text = (place) => data.texts[place];
const number = (value) => value.toLocaleString("en");
const count = (value, noun) => `${number(value)} ${noun}${value === 1 ? "" : "s"}`;
const escaped = (value) =>
  value.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

/** Return the place of the last entry of an ascending list that is at most `value`, or -1. */
function lastUpTo(list, value) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Return lists by key as one array with offsets: those of `key` lie in `from[key]..from[key + 1]`. */
function grouped(keys, size) {
  const from = new Int32Array(size + 1);
  for (const key of keys) if (key >= 0) from[key + 1]++;
  for (let key = 0; key < size; key++) from[key + 1] += from[key];
  const next = from.slice();
  const list = new Int32Array(from[size]);
  keys.forEach((key, place) => {
    if (key >= 0) list[next[key]++] = place;
  });
  return (key) => list.subarray(from[key], from[key + 1]);
}

// ---------------------------------------------------------------------------- what holds when

/** A search; `time` is the place of an event from 0, and what is asked holds right after it. */
class Search {
  constructor(raw) {
    Object.assign(this, raw);
    for (const name in raw.events) this.events[name] = Int32Array.from(raw.events[name]);
    const { kind, node } = this.events;
    const { parent } = this.nodes;
    this.length = kind.length;
    this.size = parent.length;
    this.eventsOf = grouped(node, this.size);
    this.childrenOf = grouped(parent, this.size);
    this.jumps = [];
    this.entered = [];
    this.depth = new Int32Array(this.size);
    const totals = (this.totals = { nodes: 0, leaves: 0, cutoffs: 0, simulations: 0 });
    for (const name in totals) totals[name] = new Int32Array(this.length);
    const now = { nodes: 0, leaves: 0, cutoffs: 0, simulations: 0 };
    for (let time = 0; time < this.length; time++) {
      const each = kind[time];
      if (each === KIND.enter || each === KIND.expand) {
        const above = parent[node[time]];
        this.depth[node[time]] = above < 0 ? 0 : this.depth[above] + 1;
        this.entered.push(time);
        now.nodes++;
      } else if (each === KIND.leaf) now.leaves++;
      else if (each === KIND.leave) now.nodes += this.events.count[time];
      else if (each === KIND.rollout) now.simulations++;
      if (each === KIND.cut) now.cutoffs++;
      if (each === (this.simulates ? KIND.rollout : KIND.cut)) this.jumps.push(time);
      for (const name in totals) totals[name][time] = now[name];
    }
    this.roots = [];
    for (let each = 0; each < this.size; each++) if (parent[each] < 0) this.roots.push(each);
    this.onLine = new Set(this.line);
  }

  /** Return how many nodes are entered. */
  known(time) {
    return lastUpTo(this.entered, time) + 1;
  }

  /** Return the root of the tree at hand, or -1 before there is one. */
  root(time) {
    const place = lastUpTo(this.roots, this.known(time) - 1);
    return place < 0 ? -1 : this.roots[place];
  }

  /** Return the node that an event is about; where it is about none, the root. */
  current(time) {
    const node = this.events.node[time];
    return node < 0 ? this.root(time) : node;
  }

  children(node, time) {
    const all = this.childrenOf(node);
    return all.subarray(0, lastUpTo(all, this.known(time) - 1) + 1);
  }

  /** Return the nodes from the root to this one. */
  path(node) {
    const path = [];
    for (; node >= 0; node = this.nodes.parent[node]) path.unshift(node);
    return path;
  }

  maximizing(node) {
    return SIDES[this.nodes.turn[node]] === data.maximizer;
  }

  /** Return a node as it stands. */
  seen(node, time) {
    const { kind, value, tone, alpha, beta, move, count } = this.events;
    const own = this.eventsOf(node);
    const seen = { value: "", tone: 0, alpha: "", beta: "", move: "", done: false, visits: 0 };
    let window = false;
    for (let place = lastUpTo(own, time); place >= 0; place--) {
      const at = own[place];
      if (kind[at] === KIND.leaf || kind[at] === KIND.leave) seen.done = true;
      if (!seen.value && value[at]) {
        seen.value = text(value[at]);
        seen.tone = tone[at];
      }
      if (!seen.move && move[at]) seen.move = text(move[at]);
      if (!window && alpha[at]) {
        window = true;
        seen.alpha = text(alpha[at]);
        seen.beta = text(beta[at]);
      }
      if (kind[at] === KIND.backpropagate) {
        seen.visits = count[at];
        break;
      }
    }
    return seen;
  }

  /** Return the moves cut off at a node and why, or nothing. */
  cut(node, time) {
    const cut = this.cuts[node];
    return cut && cut[0] <= time ? { moves: cut[1], reason: cut[2] } : null;
  }

  /** Return for each node how many below it are entered. */
  below(time) {
    const known = this.known(time);
    const below = new Int32Array(known);
    for (let node = known - 1; node > 0; node--) {
      const above = this.nodes.parent[node];
      if (above >= 0) below[above] += below[node] + 1;
    }
    return below;
  }

  /** Return the move that led to a node with its mover, such as `O 7`. */
  moveOf(node) {
    const above = this.nodes.parent[node];
    return above < 0 ? "root" : `${SIDES[this.nodes.turn[above]]} ${text(this.nodes.move[node])}`;
  }

  /** Return what stands on each cell. */
  cells(node) {
    const cells = [...data.board.cells];
    for (let each = node; this.nodes.parent[each] >= 0; each = this.nodes.parent[each]) {
      cells[this.nodes.cell[each]] = SIDES[this.nodes.turn[this.nodes.parent[each]]];
    }
    return cells;
  }

  owners(node) {
    while (!(node in this.nodes.owners)) node = this.nodes.parent[node];
    return this.nodes.owners[node];
  }
}

// ---------------------------------------------------------------------------- boards

const CELL = 20;
const CARD = 70;
const GAP = 4;

function centre(cell) {
  if (data.board.kind === "nested") {
    const [left, top] = corner(Math.floor(cell / 9));
    const inner = cell % 9;
    return [left + 5 + ((inner % 3) + 0.5) * CELL, top + 5 + (Math.floor(inner / 3) + 0.5) * CELL];
  }
  const { columns } = data.board;
  return [((cell % columns) + 0.5) * CELL, (Math.floor(cell / columns) + 0.5) * CELL];
}

const corner = (board) => [(board % 3) * (CARD + GAP), Math.floor(board / 3) * (CARD + GAP)];

function mark(side, x, y, scale = 1) {
  const r = 5.4 * scale;
  return side === "X"
    ? `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`
    : `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
}

function path(attributes, d) {
  return d ? `<path ${attributes} d="${d}"/>` : "";
}

/** Return a line through pairs of points, a little longer at both ends. */
function through(pairs, over) {
  return pairs
    .map(([[x1, y1], [x2, y2]]) => {
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const right = ((x2 - x1) / length) * over;
      const down = ((y2 - y1) / length) * over;
      return `M${x1 - right} ${y1 - down}L${x2 + right} ${y2 + down}`;
    })
    .join("");
}

/** Return how large the picture of a board is, in units of a twentieth of a cell. */
function boardSize() {
  const { kind, columns, rows } = data.board;
  if (kind === "nested") return [3 * CARD + 2 * GAP, 3 * CARD + 2 * GAP];
  return [columns * CELL, rows * CELL];
}

/** Return the picture of a node's board as HTML; a large one has the names of the moves. */
function drawBoard(search, node, large) {
  const { kind, columns, rows, names } = data.board;
  if (kind === "text") {
    return `<pre class="diagram">${escaped(text(search.nodes.text[node]))}</pre>`;
  }
  const [width, height] = boardSize();
  const cells = search.cells(node);
  const owners = kind === "nested" ? search.owners(node) : "";
  const over = search.nodes.over[node] > 0;
  const turn = SIDES[search.nodes.turn[node]];
  const open = search.nodes.open[node];
  const strong = { X: "", O: "" };
  const faded = { X: "", O: "" };
  let labels = "";
  cells.forEach((side, cell) => {
    const [x, y] = centre(cell);
    const board = Math.floor(cell / 9);
    const owned = kind === "nested" && (owners[board] === "X" || owners[board] === "O");
    if (side !== ".") (owned ? faded : strong)[side] += mark(side, x, y);
    else if (large && !over && kind !== "rack" && (kind !== "nested" || (open >> board) & 1)) {
      labels += `<text x="${x}" y="${y + 2}">${names[cell]}</text>`;
    }
  });
  let under = "";
  let owner = "";
  if (kind === "nested") {
    let lines = "";
    for (let board = 0; board < 9; board++) {
      const [left, top] = corner(board);
      const style = !over && (open >> board) & 1 ? `may-${turn.toLowerCase()}` : "cardlet";
      under += `<rect class="${style}" x="${left}" y="${top}" width="${CARD}" height="${CARD}" rx="4"/>`;
      for (const at of [25, 45]) {
        lines += `M${left + 6} ${top + at}h58M${left + at} ${top + 6}v58`;
      }
      if (owners[board] === "X" || owners[board] === "O") {
        const d = mark(owners[board], left + 35, top + 35, 3.4);
        owner += path(`class="owner ${owners[board].toLowerCase()}"`, d);
      }
    }
    under += path('class="grid"', lines);
  } else if (kind === "rack") {
    under += `<path class="cardlet" d="M0 0V${height - 4}q0 4 4 4H${width - 4}q4 0 4-4V0"/>`;
    let holes = "";
    for (let cell = 0; cell < columns * rows; cell++) holes += `M${centre(cell).join(" ")}h0`;
    under += path('class="hole"', holes);
    for (let column = 0; large && column < columns; column++) {
      labels += `<text x="${(column + 0.5) * CELL}" y="${height + 8}">${names[column]}</text>`;
    }
  } else {
    let lines = "";
    for (let y = CELL; y < height; y += CELL) lines += `M1 ${y}H${width - 1}`;
    for (let x = CELL; x < width; x += CELL) lines += `M${x} 1V${height - 1}`;
    if (columns === 1 || rows === 1) lines += `M0 0H${width}V${height}H0z`;
    under += path('class="grid"', lines);
  }
  const side = turn === "X" ? "o" : "x";
  const won = (search.nodes.line[node] || []).map((ends) => ends.map(centre));
  const middle = (board) => corner(board).map((each) => each + CARD / 2);
  const wide = (search.nodes.boards[node] || []).map((ends) => ends.map(middle));
  const winner = search.nodes.line[node] ? cells[search.nodes.line[node][0][0]].toLowerCase() : side;
  const last = search.nodes.cell[node];
  let frame = "";
  if (last >= 0) {
    const [x, y] = centre(last);
    frame = `<rect class="last" x="${x - 8.3}" y="${y - 8.3}" width="16.6" height="16.6" rx="2"/>`;
  }
  const foot = large && kind === "rack" ? 12 : 1;
  return (
    `<svg class="board ${kind} ${large ? "" : "mini"}" viewBox="-2 -2 ${width + 4} ${height + 3 + foot}" aria-hidden="true">` +
    under +
    (large ? "" : frame) +
    labels +
    `<g class="marks">${path('class="x faded"', faded.X)}${path('class="o faded"', faded.O)}` +
    `${path('class="x"', strong.X)}${path('class="o"', strong.O)}</g>` +
    owner +
    path(`class="won ${winner}"`, through(won, 7)) +
    path(`class="won wide ${side}"`, through(wide, 24)) +
    (large ? frame : "") +
    "</svg>"
  );
}

/** Return width and height of the small boards in the tree, in pixels. */
function miniSize() {
  if (data.board.kind === "text") {
    const lines = data.searches.flatMap((search) => [...new Set(search.nodes.text)]).map(text);
    const widest = Math.max(...lines.map((each) => Math.max(...each.split("\n").map((l) => l.length))));
    const most = Math.max(...lines.map((each) => each.split("\n").length));
    return [Math.min(180, Math.max(30, 7.4 * widest + 4)), Math.min(160, 14.4 * most + 2)];
  }
  const [width, height] = boardSize();
  const longest = data.board.kind === "nested" ? 76 : Math.max(width, height) <= 80 ? 42 : 58;
  const scale = longest / Math.max(width, height);
  return [width * scale, height * scale];
}

// ---------------------------------------------------------------------------- a search on the page

const [BOARD_WIDTH, BOARD_HEIGHT] = miniSize();
const NODE_WIDTH = Math.max(BOARD_WIDTH + 9, 50);
const NODE_HEIGHT = BOARD_HEIGHT + 75;
const LEVEL = NODE_HEIGHT + 26;
const SPACE = 10;
const LEFT = 84;
const MOST_SIBLINGS = 12;
const MOST_EVENTS = 60;

function element(tag, className, inner = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.innerHTML = inner;
  return made;
}

const TONES = { "1": "good", "-1": "bad", "0": "" };

class Pane {
  constructor(search, place) {
    this.search = search;
    this.time = -1;
    /** The node that is looked at, or -1 where that follows the search. */
    this.kept = -1;
    /** Nodes that are opened (true) or folded (false) by hand. */
    this.byHand = new Map();
    /** How many more children of a node to show than fit at first. */
    this.more = new Map();
    this.nodes = new Map();
    this.focus = -1;
    this.variablesBefore = new Map();
    this.build(place);
  }

  build(place) {
    const { search } = this;
    const title = `title-${place}`;
    const left = [];
    if (search.searched > search.told) {
      left.push(`The page tells of ${number(search.told)} of the ${count(search.searched, "node")}; the others were searched as well.`);
    }
    if (search.dropped) {
      left.push(`It holds the first ${number(search.length)} of ${number(search.length + search.dropped)} events.`);
    }
    this.root = element("section", "pane");
    this.root.setAttribute("aria-labelledby", title);
    this.root.innerHTML = `<div class="inside">
      <div class="card head">
        <div class="title"><h2 id="${title}">${escaped(search.name)}</h2><p>${escaped(search.about)}</p></div>
        <p class="said"></p>
        <dl class="counts"></dl>
        ${left.length ? `<p class="left-out">${left.join(" ")}</p>` : ""}
      </div>
      <div class="card tree">
        <div class="tree-head"><span class="shape"></span><span>values as ${data.maximizer}, MAX, gets them</span></div>
        <div class="scroll" tabindex="-1"><div class="layers" aria-hidden="true"></div>
          <div class="canvas"><div class="forest"><svg class="edges" aria-hidden="true"></svg>
          <div class="gaps" aria-hidden="true"></div>
          <div class="items" role="tree" aria-orientation="horizontal" aria-label="Tree of ${escaped(search.name)}"></div></div></div></div>
      </div>
      <div class="side">
        <div class="card look">
          <div class="about"><h3 class="which"></h3><p class="caption"></p></div>
          <div class="large ${data.board.kind}" role="img"></div>
          <dl class="variables" aria-label="Variables"></dl>
          <div class="buttons"><button type="button" class="follow" disabled>Follow the search</button>
          <button type="button" class="fold-button"></button></div>
        </div>
        <div class="card"><h3>Pseudocode</h3><ol class="code">${search.lines.map((line) => `<li>${this.codeLine(line)}</li>`).join("")}</ol></div>
        <div class="card"><h3 class="events-title"></h3><ol class="events" tabindex="0"></ol></div>
      </div>
    </div>`;
    const part = (selector) => this.root.querySelector(selector);
    Object.assign(this, {
      said: part(".said"),
      counts: part(".counts"),
      shape: part(".shape"),
      scroll: part(".scroll"),
      canvas: part(".canvas"),
      forest: part(".forest"),
      layers: part(".layers"),
      edges: part(".edges"),
      gaps: part(".gaps"),
      items: part(".items"),
      which: part(".which"),
      caption: part(".caption"),
      large: part(".large"),
      variables: part(".variables"),
      follow: part(".follow"),
      foldButton: part(".fold-button"),
      code: [...this.root.querySelectorAll(".code li")],
      eventsTitle: part(".events-title"),
      list: part(".events"),
    });
    part(".events").setAttribute("aria-label", "Events of the node");
    this.items.addEventListener("click", (event) => this.clicked(event));
    this.items.addEventListener("keydown", (event) => this.key(event));
    this.items.addEventListener("focusin", (event) => {
      const node = event.target.closest(".node");
      if (node) this.focusOn(Number(node.dataset.node), false);
    });
    this.follow.addEventListener("click", () => this.keep(-1));
    this.foldButton.addEventListener("click", () => this.fold(this.looked(), this.isOpen(this.looked())));
    this.list.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) player.go(Number(button.dataset.time));
    });
  }

  /** Return a line of pseudocode, its indent kept where it wraps. */
  codeLine(line) {
    const indent = line.length - line.trimStart().length;
    return `<div style="padding-left:${indent / 2 + 3.5}ch;text-indent:-2.5ch">${escaped(line.trim()) || "&nbsp;"}</div>`;
  }

  /** Return the node whose board and events are shown. */
  looked() {
    return this.kept >= 0 ? this.kept : this.search.current(this.time);
  }

  show(time) {
    time = Math.min(time, this.search.length - 1);
    const { search } = this;
    this.time = time;
    if (this.kept >= search.known(time) || (this.kept >= 0 && this.kept < search.root(time))) this.kept = -1;
    this.said.textContent = this.sentence();
    const totals = (name) => number(search.totals[name][time]);
    const shown = search.simulates ? ["simulations", "nodes"] : ["nodes", "leaves", "cutoffs"];
    this.counts.innerHTML = shown.map((name) => `<div><dt>${name}</dt><dd data-count="${name}">${totals(name)}</dd></div>`).join("");
    const line = search.events.line[time];
    this.code.forEach((each, place) => {
      if (place === line) each.setAttribute("aria-current", "step");
      else each.removeAttribute("aria-current");
    });
    this.showTree();
    this.showNode();
  }

  sentence() {
    return text(this.search.events.say[this.time]);
  }

  // The tree

  isOpen(node) {
    if (this.byHand.has(node)) return this.byHand.get(node);
    return this.onPath.has(node);
  }

  /** Return the children of a node that are shown, and how many are not, before and after. */
  window(node) {
    const all = this.search.children(node, this.time);
    const most = MOST_SIBLINGS + (this.more.get(node) || 0);
    if (all.length <= most) return [all, 0, 0];
    let middle = all.findIndex((child) => this.onPath.has(child));
    if (middle < 0) middle = all.length - 1;
    const first = Math.max(0, Math.min(middle - (most >> 1), all.length - most));
    return [all.subarray(first, first + most), first, all.length - first - most];
  }

  /** Return where everything that is shown of the tree stands. */
  layout() {
    const { search, time } = this;
    const items = [];
    const gaps = [];
    const edges = [];
    const best = new Set();
    const finished = search.events.kind[time] === KIND.end;
    const place = (node, depth, left, position, siblings) => {
      const children = search.children(node, time);
      const cut = search.cut(node, time);
      const item = { node, depth, position, siblings, children: children.length, cut, open: false };
      items.push(item);
      item.seen = search.seen(node, time);
      let right = left;
      const middles = [];
      if ((children.length || cut) && this.isOpen(node)) {
        item.open = true;
        const [shown, before, after] = this.window(node);
        if (before) right = this.placeMore(items, node, depth + 1, right, before, "before");
        shown.forEach((child, place_) => {
          const [middle, end] = place(child, depth + 1, right, before + place_ + 1, children.length);
          middles.push([child, middle]);
          right = end + SPACE;
        });
        if (after) right = this.placeMore(items, node, depth + 1, right, after, "after");
        if (cut) {
          gaps.push({ depth: depth + 1, x: right, cut, node });
          right += 96 + SPACE;
        }
        right -= SPACE;
      }
      const width = Math.max(right - left, NODE_WIDTH);
      const inner = middles.length ? (middles[0][1] + middles[middles.length - 1][1]) / 2 : left + width / 2;
      item.x = Math.max(left, Math.min(inner - NODE_WIDTH / 2, left + width - NODE_WIDTH));
      const middle = item.x + NODE_WIDTH / 2;
      for (const [child, at] of middles) {
        const chosen = finished ? search.onLine.has(child) && search.onLine.has(node) : text(search.nodes.move[child]) === item.seen.move;
        if (chosen) best.add(child);
        edges.push({ from: middle, to: at, depth, name: chosen ? "best" : this.onPath.has(child) ? "path" : "" });
      }
      for (const gap of gaps) if (gap.node === node) gap.from = middle;
      return [middle, left + width];
    };
    const root = search.root(time);
    const width = root < 0 ? 0 : place(root, 0, LEFT, 1, 1)[1];
    return { items, gaps, edges, width };
  }

  placeMore(items, node, depth, left, hidden, side) {
    items.push({ node: -1, of: node, depth, x: left, hidden, side });
    return left + NODE_WIDTH + SPACE;
  }

  showTree() {
    const { search, time } = this;
    const current = search.current(time);
    this.onPath = new Set(current < 0 ? [] : search.path(current));
    const { items, gaps, edges, width } = this.layout();
    // A tree narrower than its frame stands in the middle of it.
    const aside = Math.max(0, Math.floor((this.scroll.clientWidth - width - LEFT) / 2));
    this.forest.style.left = `${aside}px`;
    const below = search.below(time);
    const deepest = Math.max(0, ...items.map((item) => item.depth), ...gaps.map((gap) => gap.depth));
    const height = (deepest + 1) * LEVEL;
    this.canvas.style.width = `${width + 20}px`;
    this.canvas.style.height = `${height + 8}px`;
    this.edges.setAttribute("width", width + 20);
    this.edges.setAttribute("height", height);
    this.drawEdges(edges, gaps);
    this.gaps.innerHTML = gaps
      .map(({ x, depth, cut }) => {
        const names = cut.moves.slice(0, 6).join(" ") + (cut.moves.length > 6 ? ` … (${cut.moves.length})` : "");
        return `<div class="gap" style="translate:${x}px ${depth * LEVEL + 26}px;width:96px">${escaped(names)}<br>not looked at:<br>${escaped(cut.reason)}</div>`;
      })
      .join("");
    this.layers.innerHTML = Array.from({ length: deepest + 1 }, (_, depth) => {
      const item = items.find((each) => each.depth === depth && each.node >= 0);
      if (!item) return "";
      const side = SIDES[search.nodes.turn[item.node]];
      return `<span class="by-${side.toLowerCase()}" style="top:${depth * LEVEL + 18 + BOARD_HEIGHT / 2 - 6}px">${search.maximizing(item.node) ? "MAX" : "MIN"} (${side})</span>`;
    }).join("");
    const focused = this.items.contains(document.activeElement);
    const left = new Map(this.nodes);
    let before = null;
    let found = false;
    const keyOf = (item) => (item.node >= 0 ? item.node : `${item.of}${item.side}`);
    this.order = items;
    if (!items.some((item) => item.node === this.focus)) this.focus = current;
    for (const item of items) {
      const key = keyOf(item);
      let made = this.nodes.get(key);
      left.delete(key);
      if (!made) {
        made = this.makeNode(item);
        this.nodes.set(key, made);
      }
      if (item.node >= 0) this.dressNode(made, item, below, current);
      else this.dressMore(made, item);
      const at = `${Math.round(item.x)}px ${item.depth * LEVEL}px`;
      if (made.style.translate !== at) made.style.translate = at;
      const stop = item.node >= 0 && item.node === this.focus;
      found = found || stop;
      made.tabIndex = stop ? 0 : -1;
      const next = before ? before.nextSibling : this.items.firstChild;
      if (next !== made) this.items.insertBefore(made, next);
      before = made;
    }
    for (const [key, gone] of left) {
      gone.remove();
      this.nodes.delete(key);
    }
    if (focused && !this.items.contains(document.activeElement) && found) {
      this.nodes.get(this.focus).focus({ preventScroll: true });
    }
    const nodes = current < 0 ? 0 : below[search.root(time)] + 1;
    const hidden = nodes - items.filter((item) => item.node >= 0).length;
    this.shape.textContent = `${count(nodes, "node")} in the tree${hidden ? `, ${number(hidden)} folded` : ""}`;
    if (current >= 0 && this.kept < 0) this.reveal(current, items);
  }

  drawEdges(edges, gaps) {
    const drawn = { "": "", path: "", best: "", cut: "", bar: "" };
    const curve = (from, to, depth) => {
      const top = depth * LEVEL + NODE_HEIGHT - 4;
      const bottom = (depth + 1) * LEVEL - 1;
      const middle = (top + bottom) / 2;
      return `M${from} ${top}C${from} ${middle} ${to} ${middle} ${to} ${bottom}`;
    };
    for (const { from, to, depth, name } of edges) drawn[name] += curve(from, to, depth);
    for (const { from, x, depth } of gaps) {
      drawn.cut += curve(from, x + 48, depth - 1);
      drawn.bar += `M${x + 40} ${depth * LEVEL + 12}h16`;
      drawn.cut += `M${x + 48} ${depth * LEVEL}v8`;
    }
    this.edges.innerHTML = Object.entries(drawn).map(([name, d]) => path(`class="${name}"`, d)).join("");
  }

  makeNode(item) {
    const made = element("div", "node new");
    made.setAttribute("role", "treeitem");
    made.style.width = `${NODE_WIDTH}px`;
    if (item.node < 0) {
      made.dataset.of = item.of;
      return made;
    }
    const { search } = this;
    made.dataset.node = item.node;
    made.innerHTML =
      `<span class="move">${escaped(search.moveOf(item.node))}</span>` +
      `<span class="frame"><span style="display:block;width:${BOARD_WIDTH}px;height:${BOARD_HEIGHT}px">${drawBoard(search, item.node, false)}</span></span>` +
      `<span class="value"></span><span class="fold"></span>`;
    return made;
  }

  dressNode(made, item, below, current) {
    const { search } = this;
    const { node, seen } = item;
    const side = SIDES[search.nodes.turn[node]].toLowerCase();
    const folds = item.children > 0 || item.cut;
    const state = [
      ...["node", `by-${side}`],
      ...(node === current ? ["current"] : []),
      ...(node === this.kept ? ["kept"] : []),
      ...(made.classList.contains("new") && !made.dataset.shown ? ["new"] : []),
    ].join(" ");
    made.dataset.shown = "yes";
    if (made.className !== state) made.className = state;
    const value = this.valueText(seen);
    const inner = `${value}|${seen.tone}|${seen.done}|${item.open}|${below[node]}|${folds}`;
    if (made.dataset.inner !== inner) {
      made.dataset.inner = inner;
      const [, , chip, fold] = made.children;
      chip.innerHTML = value ? `<span class="chip ${TONES[seen.tone]} ${seen.done || search.simulates ? "" : "open"}">${escaped(value)}</span>` : "";
      fold.innerHTML = folds ? `<b>${item.open ? "−" : `+${number(below[node])}`}</b>` : "";
    }
    const label = this.nodeLabel(item, below[node]);
    if (made.getAttribute("aria-label") !== label) made.setAttribute("aria-label", label);
    made.setAttribute("aria-level", item.depth + 1);
    made.setAttribute("aria-posinset", item.position);
    made.setAttribute("aria-setsize", item.siblings);
    made.setAttribute("aria-selected", node === this.looked());
    if (folds) made.setAttribute("aria-expanded", item.open);
    else made.removeAttribute("aria-expanded");
  }

  valueText(seen) {
    if (this.search.simulates) return seen.visits ? `${seen.value} · ${number(seen.visits)}` : "";
    return seen.value && !seen.done ? `${seen.value} …` : seen.value;
  }

  nodeLabel(item, below) {
    const { search } = this;
    const { node, seen } = item;
    const words = [search.nodes.parent[node] < 0 ? "root" : search.moveOf(node)];
    if (search.nodes.over[node]) words.push(text(search.nodes.over[node]));
    else words.push(`${search.maximizing(node) ? "MAX" : "MIN"} to move`);
    if (search.simulates) words.push(seen.visits ? `${count(seen.visits, "visit")}, ${seen.value}` : "no visit yet");
    else words.push(seen.value ? `${seen.value}${seen.done ? "" : " so far"}` : "no value yet");
    if (item.cut) words.push(`${item.cut.moves.join(" ")} not looked at: ${item.cut.reason}`);
    if (!item.open && below) words.push(`${count(below, "node")} folded`);
    return words.join(", ");
  }

  dressMore(made, item) {
    made.className = "node more";
    made.dataset.side = item.side;
    const label = `${number(item.hidden)} more`;
    if (made.dataset.label === label) return;
    made.dataset.label = label;
    made.setAttribute("aria-label", `${label} ${item.side}`);
    made.setAttribute("aria-level", item.depth + 1);
    made.innerHTML = `<span class="move"></span><span class="frame" style="height:${BOARD_HEIGHT + 9}px">${item.side === "before" ? "‹ " : ""}+${number(item.hidden)}${item.side === "after" ? " ›" : ""}</span>`;
  }

  /** Scroll no more than it takes to see a node, with a margin. */
  reveal(node, items) {
    const item = items.find((each) => each.node === node);
    if (!item) return;
    const { scroll } = this;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = scroll;
    const margin = Math.min(LEFT, clientWidth / 4);
    const top = item.depth * LEVEL;
    if (item.x < scrollLeft + margin || item.x + NODE_WIDTH > scrollLeft + clientWidth - 24) {
      scroll.scrollLeft = item.x - (clientWidth - NODE_WIDTH) / 2;
    }
    if (top < scrollTop || top + NODE_HEIGHT > scrollTop + clientHeight) {
      scroll.scrollTop = top - (clientHeight - NODE_HEIGHT) / 2;
    }
  }

  /** Keep to a node, or with -1 follow the search. */
  keep(node) {
    this.kept = node;
    if (node < 0) this.byHand.clear();
    this.showTree();
    this.showNode();
  }

  fold(node, folded) {
    this.byHand.set(node, !folded);
    this.showTree();
    this.showNode();
  }

  clicked(event) {
    const made = event.target.closest(".node");
    if (!made) return;
    if (made.dataset.of) return this.showMore(Number(made.dataset.of));
    const node = Number(made.dataset.node);
    this.focusOn(node, false);
    if (event.target.closest(".fold") && made.hasAttribute("aria-expanded")) this.fold(node, this.isOpen(node));
    else this.keep(node === this.kept ? -1 : node);
  }

  showMore(node) {
    this.more.set(node, (this.more.get(node) || 0) + MOST_SIBLINGS);
    this.showTree();
  }

  focusOn(node, move = true) {
    const old = this.nodes.get(this.focus);
    if (old) old.tabIndex = -1;
    this.focus = node;
    const made = this.nodes.get(node);
    if (!made) return;
    made.tabIndex = 0;
    if (move) made.focus();
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const made = event.target.closest(".node");
    if (!made) return;
    const visible = this.order.map((item) => (item.node >= 0 ? this.nodes.get(item.node) : this.nodes.get(`${item.of}${item.side}`)));
    const here = visible.indexOf(made);
    const item = this.order[here];
    const node = item.node;
    /** Go to another item that is shown. */
    const to = (place) => {
      const there = this.order[place];
      if (!there) return;
      if (there.node >= 0) this.focusOn(there.node);
      else visible[place].focus();
    };
    const level = (direction) => {
      for (let place = here + direction; this.order[place]; place += direction) {
        if (this.order[place].depth === item.depth) return to(place);
      }
    };
    const above = this.order.findLastIndex((each, place) => place < here && each.depth < item.depth);
    const actions = {
      ArrowLeft: () => level(-1),
      ArrowRight: () => level(1),
      ArrowDown: () => {
        if (made.getAttribute("aria-expanded") === "false") this.fold(node, false);
        else if (item.open) to(here + 1);
      },
      ArrowUp: () => {
        if (made.getAttribute("aria-expanded") === "true" && item.depth && !this.onPath.has(node)) this.fold(node, true);
        else to(above);
      },
      Enter: () => (node < 0 ? this.showMore(item.of) : this.keep(node === this.kept ? -1 : node)),
      "-": () => node >= 0 && item.open && this.fold(node, true),
      "+": () => made.getAttribute("aria-expanded") === "false" && this.fold(node, false),
    };
    if (!(event.key in actions)) return;
    actions[event.key]();
    event.preventDefault();
    event.stopPropagation();
  }

  // The node that is looked at

  showNode() {
    const { search, time } = this;
    const node = this.looked();
    const current = search.current(time);
    this.follow.disabled = this.kept < 0;
    if (node < 0) {
      this.which.textContent = "The position";
      this.caption.textContent = `${data.maximizer} to move`;
      this.large.innerHTML = drawBoard(search, 0, true);
      this.large.setAttribute("aria-label", data.position);
      this.foldButton.disabled = true;
      this.foldButton.textContent = "Fold";
      this.variables.innerHTML = "";
      this.eventsTitle.textContent = "Events of the node";
      this.list.innerHTML = "";
      return;
    }
    const name = search.nodes.parent[node] < 0 ? "The root" : search.path(node).slice(1).map((each) => search.moveOf(each)).join(" · ");
    this.which.textContent = this.kept >= 0 ? `Kept: ${name}` : name;
    const side = SIDES[search.nodes.turn[node]];
    const over = text(search.nodes.over[node]);
    const state = over || `${side} to move (${search.maximizing(node) ? "MAX" : "MIN"})`;
    this.caption.textContent = state;
    if (this.drawn !== node) {
      this.drawn = node;
      this.large.innerHTML = drawBoard(search, node, true);
    }
    this.large.setAttribute("aria-label", `Board after ${name}: ${this.boardText(node)}. ${state}.`);
    const folds = search.children(node, time).length > 0 || search.cut(node, time) !== null;
    this.foldButton.disabled = !folds;
    this.foldButton.textContent = folds && !this.isOpen(node) ? "Open what is below" : "Fold what is below";
    this.showVariables(node);
    this.showEvents(node, node === current);
  }

  /** Return a board in words that a screen reader can read. */
  boardText(node) {
    if (data.board.kind === "text") return text(this.search.nodes.text[node]);
    const rows = [];
    const cells = this.search.cells(node);
    for (let at = 0; at < cells.length; at += data.board.columns) {
      rows.push(cells.slice(at, at + data.board.columns).map((each) => (each === "." ? "empty" : each)).join(" "));
    }
    return rows.join("; ");
  }

  showVariables(node) {
    const { search, time } = this;
    const seen = search.seen(node, time);
    const rows = [["node", `${number(node + 1)}, depth ${search.depth[node]}`]];
    if (search.simulates) {
      rows.push(["visits N", number(seen.visits)], ["mean reward", seen.value || "–"]);
    } else {
      rows.push(["v", seen.value ? (seen.done ? seen.value : `${seen.value}, so far`) : "–"]);
      if (seen.alpha) rows.push(["α alpha", seen.alpha], ["β beta", seen.beta]);
      rows.push(["best move", seen.move || "–"]);
    }
    for (const name of search.simulates ? ["simulations", "nodes"] : ["nodes", "cutoffs"]) {
      rows.push([name, number(search.totals[name][time])]);
    }
    const same = this.variablesOf === node;
    this.variables.innerHTML = rows
      .map(([name, value]) => {
        const changed = same && this.variablesBefore.get(name) !== value;
        return `<div class="${changed ? "changed" : ""}"><dt>${name}</dt><dd>${escaped(value)}</dd></div>`;
      })
      .join("");
    this.variablesOf = node;
    this.variablesBefore = new Map(rows);
  }

  showEvents(node) {
    const { search, time } = this;
    const own = search.eventsOf(node);
    const now = lastUpTo(own, time);
    const first = Math.max(0, Math.min(now - MOST_EVENTS / 2, own.length - MOST_EVENTS));
    const shown = own.subarray(first, first + MOST_EVENTS);
    this.eventsTitle.textContent = `Events of the node: ${number(own.length)}${shown.length < own.length ? `, ${number(first + 1)} to ${number(first + shown.length)} shown` : ""}`;
    const key = `${node} ${first}`;
    if (this.listed !== key) {
      this.listed = key;
      this.list.innerHTML = Array.from(shown, (at) => `<li><button type="button" data-time="${at}"><span>${number(at + 1)}</span>${escaped(text(search.events.say[at]))}</button></li>`).join("");
    }
    const buttons = this.list.querySelectorAll("button");
    buttons.forEach((button, place) => {
      const at = Number(button.dataset.time);
      button.className = at > time ? "later" : "";
      if (first + place === now) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    const marked = buttons[now - first];
    if (marked) {
      const top = marked.offsetTop - this.list.offsetTop;
      if (top < this.list.scrollTop || top + marked.offsetHeight > this.list.scrollTop + this.list.clientHeight) {
        this.list.scrollTop = top - this.list.clientHeight / 3;
      }
    }
  }
}

// ---------------------------------------------------------------------------- controls, keys, clock

const panes = data.searches.map((raw, place) => new Pane(new Search(raw), place));
const by = (id) => document.getElementById(id);
const length = Math.max(...panes.map((pane) => pane.search.length));

const player = {
  time: 0,
  playing: false,

  /** Show what holds right after an event. */
  go(time) {
    this.time = Math.max(0, Math.min(length - 1, Math.floor(time)));
    for (const pane of panes) pane.show(this.time);
    by("slider").value = this.time;
    const words = `event ${number(this.time + 1)} of ${number(length)}`;
    by("slider").setAttribute("aria-valuetext", words);
    by("place").textContent = words;
    by("first").disabled = by("back").disabled = this.time === 0;
    by("step").disabled = by("last").disabled = this.time === length - 1;
    by("jump").disabled = this.nextJump(1) === undefined;
    if (!this.playing) this.say();
  },

  /** Tell a screen reader, which is not told of every event while the replay runs. */
  say() {
    by("said").textContent = panes
      .map((pane) => (panes.length > 1 ? `${pane.search.name}: ${pane.sentence()}` : pane.sentence()))
      .join(" ");
  },

  by(steps) {
    this.pause();
    this.go(this.time + steps);
  },

  nextJump(direction) {
    const found = panes.map(({ search }) => {
      const place = lastUpTo(search.jumps, direction > 0 ? this.time : this.time - 1);
      return search.jumps[direction > 0 ? place + 1 : place];
    });
    const known = found.filter((time) => time !== undefined);
    if (known.length) return direction > 0 ? Math.min(...known) : Math.max(...known);
  },

  jump(direction) {
    const time = this.nextJump(direction);
    if (time === undefined) return;
    this.pause();
    this.go(time);
  },

  pause() {
    if (this.playing) this.toggle();
  },

  toggle() {
    this.playing = !this.playing;
    document.body.classList.toggle("playing", this.playing);
    document.body.classList.toggle("fast", this.playing && Number(by("speed").value) > 5);
    by("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
    if (!this.playing) return this.say();
    if (this.time === length - 1) this.go(0);
    let due = 0;
    let before = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      due += ((now - before) / 1000) * Number(by("speed").value);
      before = now;
      if (due >= 1) {
        this.go(this.time + Math.floor(due));
        due %= 1;
      }
      if (this.time === length - 1) this.pause();
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  },
};

by("panes").replaceChildren(...panes.map((pane) => pane.root));
by("panes").classList.toggle("two", panes.length > 1);
by("slider").max = length - 1;
by("slider").addEventListener("input", (event) => {
  player.pause();
  player.go(Number(event.target.value));
});
by("first").addEventListener("click", () => player.by(-length));
by("back").addEventListener("click", () => player.by(-1));
by("play").addEventListener("click", () => player.toggle());
by("step").addEventListener("click", () => player.by(1));
by("last").addEventListener("click", () => player.by(length));
by("jump").addEventListener("click", () => player.jump(1));
by("speed").addEventListener("change", () => {
  document.body.classList.toggle("fast", player.playing && Number(by("speed").value) > 5);
});
if (panes.every((pane) => pane.search.simulates)) by("jump").querySelector("span").textContent = "Next simulation";

const KEYS = {
  ArrowLeft: () => player.by(-1),
  ArrowRight: () => player.by(1),
  ",": () => player.by(-1),
  ".": () => player.by(1),
  Home: () => player.by(-length),
  End: () => player.by(length),
  " ": () => player.toggle(),
  c: () => player.jump(1),
  C: () => player.jump(-1),
  Escape: () => panes.forEach((pane) => pane.keep(-1)),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in KEYS)) return;
  // What a control does with a key by itself, it shall do.
  const control = event.target.closest("button, select, input");
  if (control && event.key === " " && control.tagName === "BUTTON") return;
  if (control && control.tagName === "SELECT" && event.key !== "," && event.key !== ".") return;
  event.preventDefault();
  KEYS[event.key]();
});

by("help").addEventListener("click", () => {
  by("keys").hidden = !by("keys").hidden;
  by("help").setAttribute("aria-expanded", !by("keys").hidden);
});

const dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme || (dark.matches ? "dark" : "light")) === "dark";
const nameTheme = () => {
  by("theme").textContent = isDark() ? "Light" : "Dark";
};
by("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  nameTheme();
});
dark.addEventListener("change", nameTheme);
nameTheme();
player.go(0);
