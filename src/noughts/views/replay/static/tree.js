// The tree of one search: its open nodes, their layout, and navigation by mouse and keys.
//
//   draw(time) ──► layout(): items, edges, gaps ──► elements, kept from one event to the next
//
// An item is a node, or stands for those of many moves that are not shown ({ node: -1, of, … }).

import { SIDES, boardSize, drawBoard } from "./board.js";
import { count, escaped, number } from "./words.js";

const SPACE = 10;
const GAP_WIDTH = 96;
/** The gutter with the names of the layers. */
const LEFT = 58;
/** Moves of a node shown at first, and added by each press of "more". */
const MAX_MOVES = 12;
const TONES = { "1": "good", "-1": "bad", "0": "" };

/** Return the text of a node's value; `…` marks a node in progress. */
export function valueText(search, seen) {
  if (search.simulates) return seen.visits ? `${seen.value} · ${number(seen.visits)}` : "";
  return seen.value && !seen.done ? `${seen.value} …` : seen.value;
}

/**
 * Return how large things are, in pixels: the small boards of the tree, and the letters of boards
 * that are diagrams, small and large.
 */
export function sizes({ board, searches, texts }) {
  if (board.kind !== "text") {
    const [width, height] = boardSize(board);
    const longest = board.kind === "nested" ? 76 : Math.max(width, height) <= 80 ? 42 : 58;
    const scale = longest / Math.max(width, height);
    return { width: width * scale, height: height * scale };
  }
  let widest = 0;
  let most = 0;
  for (const place of new Set(searches.flatMap((search) => search.nodes.text))) {
    const lines = texts[place].split("\n");
    widest = Math.max(widest, ...lines.map((line) => line.length));
    most = Math.max(most, lines.length);
  }
  // A letter of a fixed width is 0.6 of its height wide.
  const letters = Math.max(8, Math.min(12, 130 / (0.61 * widest)));
  const largeLetters = Math.max(9, Math.min(17, 190 / (0.61 * widest)));
  const width = Math.min(180, Math.max(30, 0.61 * letters * widest + 4));
  return { width, height: Math.min(160, 1.2 * letters * most + 2), letters, largeLetters };
}

const keyOf = (item) => (item.node >= 0 ? item.node : `${item.of} ${item.side}`);

export class TreeView {
  /**
   * `pane` handles the reader's actions: it has `kept`, `keep(node)` and `fold(node, folded)`.
   * `size` is that of the small boards.
   */
  constructor(search, pane, root, size) {
    Object.assign(this, { search, pane });
    this.nodeWidth = Math.max(size.width + 9, search.simulates ? 78 : 54);
    this.boardHeight = size.height;
    this.nodeHeight = size.height + 72;
    /** From the top of a layer to the top of the next. */
    this.level = this.nodeHeight + 18;
    this.width = 0;
    this.time = -1;
    /** Nodes that are opened (true) or folded (false) by hand. */
    this.byHand = new Map();
    /** How many more moves of a node to show than at first. */
    this.more = new Map();
    this.elements = new Map();
    this.focus = -1;
    this.order = [];
    for (const name of [
      ...["shape", "scroll", "canvas", "forest"],
      ...["layers", "edges", "gaps", "items"],
    ]) {
      this[name] = root.querySelector(`.${name}`);
    }
    this.resized = new ResizeObserver(([entry]) => {
      this.width = entry.contentRect.width;
      if (this.time >= 0) this.draw(this.time);
    });
    this.resized.observe(this.scroll);
    this.items.addEventListener("click", (event) => this.clicked(event));
    this.items.addEventListener("keydown", (event) => this.key(event));
    this.items.addEventListener("focusin", (event) => {
      const { node } = event.target.closest(".node").dataset;
      if (node !== undefined) this.focusOn(Number(node), false);
    });
  }

  destroy() {
    this.resized.disconnect();
  }

  isOpen(node) {
    return this.byHand.has(node) ? this.byHand.get(node) : this.onPath.has(node);
  }

  folds(node) {
    return this.search.children(node, this.time).length > 0 || this.search.cut(node, this.time);
  }

  // Where everything stands

  /** Return the children of a node that are shown, and how many are not, before and after. */
  shownChildren(node) {
    const all = this.search.children(node, this.time);
    const most = MAX_MOVES + (this.more.get(node) || 0);
    if (all.length <= most) return [all, 0, 0];
    const current = all.findIndex((child) => this.onPath.has(child));
    const middle = current < 0 ? all.length - 1 : current;
    const first = Math.max(0, Math.min(middle - (most >> 1), all.length - most));
    return [all.subarray(first, first + most), first, all.length - first - most];
  }

  /** Return the visible items of the tree with their places, parents centred above children. */
  layout() {
    const items = [];
    const gaps = [];
    const edges = [];
    const root = this.search.root(this.time);
    const place = (node, depth, left, position, siblings) => {
      const seen = this.search.seen(node, this.time);
      const item = { node, depth, position, siblings, seen, folds: this.folds(node), open: false };
      items.push(item);
      item.cut = this.search.cut(node, this.time);
      item.open = Boolean(item.folds) && this.isOpen(node);
      const [end, middles, gap] = item.open ? below(item, left) : [left, [], null];
      const width = Math.max(end - left, this.nodeWidth);
      const [first, last] = [middles[0] ?? left, middles.at(-1) ?? left + width];
      const inner = (first + last) / 2;
      item.x = Math.max(left, Math.min(inner - this.nodeWidth / 2, left + width - this.nodeWidth));
      item.middle = item.x + this.nodeWidth / 2;
      if (gap) gap.from = item.middle;
      return [item.middle, left + width];
    };
    const below = (item, left) => {
      const { node, depth } = item;
      const [shown, before, after] = this.shownChildren(node);
      const middles = [];
      let x = left;
      const more = (hidden, side) => {
        if (!hidden) return;
        items.push({ node: -1, of: node, depth: depth + 1, x, hidden, side });
        x += this.nodeWidth + SPACE;
      };
      more(before, "before");
      for (const [at, child] of shown.entries()) {
        const total = before + shown.length + after;
        const [middle, end] = place(child, depth + 1, x, before + at + 1, total);
        middles.push(middle);
        edges.push({ parent: item, to: middle, name: this.edgeName(item, child) });
        x = end + SPACE;
      }
      more(after, "after");
      const gap = item.cut && { depth: depth + 1, x, cut: item.cut };
      item.gap = gap;
      if (gap) {
        gaps.push(gap);
        x += GAP_WIDTH + SPACE;
      }
      return [x - SPACE, middles, gap];
    };
    const width = root < 0 ? 0 : place(root, 0, LEFT, 1, 1)[1];
    return { items, gaps, edges, width };
  }

  /** Return `best` for the edge of the best move, `path` for one to the node at hand, else "". */
  edgeName({ node, seen }, child) {
    const { search } = this;
    const best =
      search.events.kind[this.time] === search.kinds.end
        ? search.onLine.has(node) && search.onLine.has(child)
        : search.text(search.nodes.move[child]) === seen.move;
    return best ? "best" : this.onPath.has(child) ? "path" : "";
  }

  // Drawing

  draw(time) {
    const { search } = this;
    this.time = time;
    const current = search.current(time);
    const below = search.below(time);
    const finished = search.events.kind[time] === search.kinds.end;
    this.onPath = finished ? search.onLine : new Set(current < 0 ? [] : search.path(current));
    const { items, gaps, edges, width } = this.layout();
    this.order = items;
    const depths = [...items, ...gaps].map((each) => each.depth);
    const height = (Math.max(0, ...depths) + 1) * this.level;
    // Centre a tree that is narrower than its frame.
    this.forest.style.left = `${Math.max(0, Math.floor((this.width - width - LEFT) / 2))}px`;
    this.canvas.style.width = this.items.style.width = `${width + 20}px`;
    this.canvas.style.height = this.items.style.height = `${height + 8}px`;
    this.layers.style.height = `${height + 8}px`;
    this.edges.setAttribute("width", width + 20);
    this.edges.setAttribute("height", height);
    this.drawEdges(edges, gaps);
    this.drawGaps(gaps);
    this.drawLayers(items);
    this.drawItems(items, below, current);
    const nodes = current < 0 ? 0 : below[search.root(time)] + 1;
    const hidden = nodes - items.filter((item) => item.node >= 0).length;
    const folded = hidden ? `, ${number(hidden)} folded` : "";
    this.shape.textContent = `${count(nodes, "node")} in the tree${folded}`;
  }

  drawEdges(edges, gaps) {
    const drawn = { "": "", path: "", best: "", cut: "", bar: "" };
    const curve = (from, to, depth) => {
      const top = depth * this.level + this.nodeHeight - 4;
      const bottom = (depth + 1) * this.level - 1;
      const middle = (top + bottom) / 2;
      return `M${from} ${top}C${from} ${middle} ${to} ${middle} ${to} ${bottom}`;
    };
    for (const { parent, to, name } of edges) drawn[name] += curve(parent.middle, to, parent.depth);
    for (const { from, x, depth } of gaps) {
      const to = x + GAP_WIDTH / 2;
      drawn.cut += `${curve(from, to, depth - 1)}M${to} ${depth * this.level}v8`;
      drawn.bar += `M${to - 8} ${depth * this.level + 12}h16`;
    }
    const drawing = Object.entries(drawn).map(([name, d]) => `<path class="${name}" d="${d}"/>`);
    this.edges.innerHTML = drawing.join("");
  }

  drawGaps(gaps) {
    const drawing = gaps.map(({ x, depth, cut }) => {
      const many = cut.moves.length > 6 ? ` … (${cut.moves.length})` : "";
      const words = [cut.moves.slice(0, 6).join(" ") + many, "not looked at:", cut.reason];
      const made = document.createElement("div");
      made.className = "gap";
      made.innerHTML = words.map(escaped).join("<br>");
      made.style.translate = `${x}px ${depth * this.level + 26}px`;
      made.style.width = `${GAP_WIDTH}px`;
      return made;
    });
    this.gaps.replaceChildren(...drawing);
  }

  drawLayers(items) {
    const named = new Map();
    for (const { node, depth } of items) {
      if (node < 0 || named.has(depth)) continue;
      const side = SIDES[this.search.nodes.turn[node]];
      const role = this.search.maximizing(node) ? "MAX" : "MIN";
      const made = document.createElement("span");
      made.className = `by-${side.toLowerCase()}`;
      made.innerHTML = `${role}<br>${side}`;
      made.style.top = `${depth * this.level + 6 + this.boardHeight / 2}px`;
      named.set(depth, made);
    }
    this.layers.replaceChildren(...named.values());
  }

  drawItems(items, below, current) {
    const focused = this.items.contains(document.activeElement);
    if (!items.some((item) => item.node === this.focus)) this.focus = current;
    const gone = new Map(this.elements);
    let next = this.items.firstChild;
    for (const item of items) {
      const key = keyOf(item);
      gone.delete(key);
      if (!this.elements.has(key)) this.elements.set(key, this.makeItem(item));
      const made = this.elements.get(key);
      if (item.node >= 0) this.dressNode(made, item, below[item.node], current);
      else this.dressMore(made, item);
      const at = `${Math.round(item.x)}px ${item.depth * this.level}px`;
      if (made.style.translate !== at) made.style.translate = at;
      made.tabIndex = item.node >= 0 && item.node === this.focus ? 0 : -1;
      if (made === next) next = next.nextSibling;
      else this.items.insertBefore(made, next);
    }
    for (const [key, made] of gone) {
      made.remove();
      this.elements.delete(key);
    }
    if (focused && !this.items.contains(document.activeElement)) {
      this.elements.get(this.focus)?.focus({ preventScroll: true });
    }
  }

  makeItem(item) {
    const made = document.createElement("div");
    made.className = "node new";
    made.setAttribute("role", "treeitem");
    made.setAttribute("aria-level", item.depth + 1);
    made.style.width = `${this.nodeWidth}px`;
    if (item.node < 0) {
      made.dataset.of = item.of;
      return made;
    }
    made.dataset.node = item.node;
    const board = drawBoard(this.search.position(item.node));
    made.innerHTML =
      `<span class="moved">${escaped(this.search.moveOf(item.node))}</span> ` +
      `<span class="frame"><span class="stamp">${board}</span></span> ` +
      `<span class="value"></span> <span class="fold"></span>`;
    return made;
  }

  dressNode(made, item, below, current) {
    const { search } = this;
    const { node, seen } = item;
    const names = ["node", `by-${SIDES[search.nodes.turn[node]].toLowerCase()}`];
    if (node === current) names.push("current");
    if (node === this.pane.kept) names.push("kept");
    if (!made.dataset.told) names.push("new");
    if (made.className !== names.join(" ")) made.className = names.join(" ");
    const told = this.label(item, below);
    if (made.dataset.told !== told) {
      made.dataset.told = told;
      made.setAttribute("aria-label", told);
      const [, , chip, fold] = made.children;
      const value = escaped(valueText(search, seen));
      const open = seen.done || search.simulates ? "" : "open";
      chip.innerHTML = value && `<span class="chip ${TONES[seen.tone]} ${open}">${value}</span>`;
      const sign = item.open ? "−" : `+${number(below)}`;
      const out = seen.leftOut ? `<i data-sign="… ${number(seen.leftOut)}"></i>` : "";
      fold.innerHTML = (item.folds ? `<b data-sign="${sign}"></b>` : "") + out;
    }
    made.setAttribute("aria-posinset", item.position);
    made.setAttribute("aria-setsize", item.siblings);
    made.setAttribute("aria-selected", node === this.pane.looked());
    if (item.folds) made.setAttribute("aria-expanded", item.open);
    else made.removeAttribute("aria-expanded");
  }

  /** Return all that is shown of a node, in words, in the order in which it is seen. */
  label({ node, seen, cut, folds, open }, below) {
    const { search } = this;
    const words = [search.moveOf(node)];
    if (search.simulates && seen.visits) words.push(seen.value, count(seen.visits, "visit"));
    else if (seen.value) words.push(seen.done ? seen.value : `${seen.value} so far`);
    if (search.nodes.over[node]) words.push(search.text(search.nodes.over[node]));
    else words.push(`${search.maximizing(node) ? "MAX" : "MIN"} to move`);
    if (search.simulates && !seen.visits) words.push("no visit yet");
    else if (!seen.value) words.push("no value yet");
    if (cut) words.push(`${cut.moves.join(" ")} not looked at: ${cut.reason}`);
    if (folds && !open) words.push(`${count(below, "node")} folded`);
    if (folds && open) words.push("open");
    if (seen.leftOut) words.push(`${count(seen.leftOut, "node")} below left out`);
    return words.join(", ");
  }

  dressMore(made, { hidden, side }) {
    made.className = "node more";
    made.setAttribute("aria-label", `${number(hidden)} more ${side}`);
    const sign = side === "before" ? `‹ +${number(hidden)}` : `+${number(hidden)} ›`;
    made.innerHTML = `<span class="moved"></span><span class="frame">${sign}</span>`;
  }

  /** Scroll as little as necessary to show a node, its pruned moves and the gutter. */
  reveal(node) {
    const item = this.order.find((each) => each.node === node);
    if (!item) return;
    const { scroll, nodeWidth } = this;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = scroll;
    const top = item.depth * this.level;
    const bottom = top + this.nodeHeight + (item.open ? this.level : 0) + 8;
    const wide = item.x + nodeWidth;
    const cut = item.gap ? item.gap.x + GAP_WIDTH : 0;
    const right = Math.max(wide, cut - item.x > clientWidth - LEFT - 24 ? 0 : cut);
    if (item.x < scrollLeft + LEFT || right > scrollLeft + clientWidth - 24) {
      scroll.scrollLeft = (item.x + right - clientWidth) / 2;
    }
    if (top < scrollTop || bottom > scrollTop + clientHeight) {
      scroll.scrollTop = Math.min(top, Math.max(0, bottom - clientHeight));
    }
  }

  // What a reader does

  clicked(event) {
    const made = event.target.closest(".node");
    if (!made) return;
    if (made.dataset.of) return this.showMore(Number(made.dataset.of));
    const node = Number(made.dataset.node);
    this.focusOn(node, false);
    if (event.target.closest(".fold") && this.folds(node)) this.pane.fold(node, this.isOpen(node));
    else this.pane.keep(node === this.pane.kept ? -1 : node);
  }

  showMore(node) {
    this.more.set(node, (this.more.get(node) || 0) + MAX_MOVES);
    this.draw(this.time);
  }

  /** Make a node the one that Tab comes to, and go there. */
  focusOn(node, go = true) {
    const before = this.elements.get(this.focus);
    if (before) before.tabIndex = -1;
    this.focus = node;
    const made = this.elements.get(node);
    made.tabIndex = 0;
    if (go) made.focus();
  }

  /** Down and up lead deeper and back, as in any tree that is drawn from the top. */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { order, pane } = this;
    const here = order.findIndex((each) => this.elements.get(keyOf(each)) === event.target);
    if (here < 0) return;
    const item = order[here];
    const { node, depth } = item;
    const shut = item.folds && !item.open;
    const to = (there) => {
      if (!there) return;
      if (there.node >= 0) this.focusOn(there.node);
      else this.elements.get(keyOf(there)).focus();
    };
    const beside = (each) => each.depth === depth;
    const actions = {
      ArrowLeft: () => to(order.slice(0, here).findLast(beside)),
      ArrowRight: () => to(order.slice(here + 1).find(beside)),
      ArrowDown: () => (shut ? pane.fold(node, false) : item.open && to(order[here + 1])),
      ArrowUp: () => {
        if (item.open && this.byHand.get(node)) pane.fold(node, true);
        else to(order.slice(0, here).findLast((each) => each.depth < depth));
      },
      Enter: () => (node < 0 ? this.showMore(item.of) : pane.keep(node === pane.kept ? -1 : node)),
      "-": () => item.open && pane.fold(node, true),
      "+": () => shut && pane.fold(node, false),
    };
    if (!(event.key in actions)) return;
    actions[event.key]();
    event.preventDefault();
    event.stopPropagation();
  }
}
