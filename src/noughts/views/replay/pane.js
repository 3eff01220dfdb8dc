// One search on the page: counts, tree, board, variables, pseudocode, events.
//
//   show(time) ──► layout(): what is open, and where it stands ──► elements, kept from step to step

const [BOARD_WIDTH, BOARD_HEIGHT] = miniSize();
const NODE_HEIGHT = BOARD_HEIGHT + 72;
const LEVEL = NODE_HEIGHT + 18;
const SPACE = 10;
/** The gutter with the names of the layers. */
const LEFT = 58;
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
    this.nodeWidth = Math.max(BOARD_WIDTH + 9, search.simulates ? 78 : 54);
    this.width = 0;
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
        <div class="tree-head"><p><span class="shape"></span> · ${search.simulates ? "mean reward of who moved there · visits" : `values as ${data.maximizer}, MAX, gets them`}</p>
          <button type="button" class="follow" disabled>Follow the search</button>
          <button type="button" class="fold-button"></button></div>
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
        </div>
        <div class="card program"><h3>Pseudocode</h3><ol class="code">${search.lines.map((line) => `<li>${this.codeLine(line)}</li>`).join("")}</ol></div>
        <div class="card happened"><h3 class="events-title"></h3><ol class="events" tabindex="0"></ol></div>
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
    new ResizeObserver(([entry]) => {
      this.width = entry.contentRect.width;
      if (this.time >= 0) this.showTree();
    }).observe(this.scroll);
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
    const [code, remark] = line.trim().split(/ {3,}/);
    const words = remark ? `${escaped(code)} <i>${escaped(remark)}</i>` : escaped(code) || "&nbsp;";
    return `<div style="padding-left:${indent / 2 + 3.5}ch;text-indent:-2.5ch">${words}</div>`;
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
    const shown = search.simulates ? ["simulations", "nodes"] : ["nodes", "leaves", "cutoffs"];
    this.counts.innerHTML = shown.map((name) => `<div><dt>${name}</dt><dd data-count="${name}">${this.total(name)}</dd></div>`).join("");
    const line = search.events.line[time];
    this.code.forEach((each, place) => {
      if (place === line) each.setAttribute("aria-current", "step");
      else each.removeAttribute("aria-current");
    });
    this.showTree();
    this.showNode();
  }

  total(name) {
    return number(this.search.totals[name][this.time]);
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
      const width = Math.max(right - left, this.nodeWidth);
      const inner = middles.length ? (middles[0][1] + middles[middles.length - 1][1]) / 2 : left + width / 2;
      item.x = Math.max(left, Math.min(inner - this.nodeWidth / 2, left + width - this.nodeWidth));
      const middle = item.x + this.nodeWidth / 2;
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
    return left + this.nodeWidth + SPACE;
  }

  showTree() {
    const { search, time } = this;
    const current = search.current(time);
    this.onPath = new Set(current < 0 ? [] : search.path(current));
    const { items, gaps, edges, width } = this.layout();
    // A tree narrower than its frame stands in the middle of it.
    const aside = Math.max(0, Math.floor((this.width - width - LEFT) / 2));
    this.forest.style.left = `${aside}px`;
    const below = search.below(time);
    const deepest = Math.max(0, ...items.map((item) => item.depth), ...gaps.map((gap) => gap.depth));
    const height = (deepest + 1) * LEVEL;
    this.canvas.style.width = this.items.style.width = `${width + 20}px`;
    this.canvas.style.height = this.items.style.height = `${height + 8}px`;
    this.edges.setAttribute("width", width + 20);
    this.edges.setAttribute("height", height);
    this.drawEdges(edges, gaps);
    this.gaps.innerHTML = gaps
      .map(({ x, depth, cut }) => {
        const names = cut.moves.slice(0, 6).join(" ") + (cut.moves.length > 6 ? ` … (${cut.moves.length})` : "");
        return `<div class="gap" style="translate:${x}px ${depth * LEVEL + 26}px;width:96px">${escaped(names)}<br>not looked at:<br>${escaped(cut.reason)}</div>`;
      })
      .join("");
    this.layers.style.height = `${height + 8}px`;
    this.layers.innerHTML = Array.from({ length: deepest + 1 }, (_, depth) => {
      const item = items.find((each) => each.depth === depth && each.node >= 0);
      if (!item) return "";
      const side = SIDES[search.nodes.turn[item.node]];
      return `<span class="by-${side.toLowerCase()}" style="top:${depth * LEVEL + 18 + BOARD_HEIGHT / 2 - 12}px">${search.maximizing(item.node) ? "MAX" : "MIN"}<br>${side}</span>`;
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
    made.style.width = `${this.nodeWidth}px`;
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
    const inner = `${value}|${seen.tone}|${seen.done}|${item.open}|${below[node]}|${folds}|${seen.leftOut}`;
    if (made.dataset.inner !== inner) {
      made.dataset.inner = inner;
      const [, , chip, fold] = made.children;
      chip.innerHTML = value ? `<span class="chip ${TONES[seen.tone]} ${seen.done || search.simulates ? "" : "open"}">${escaped(value)}</span>` : "";
      const out = seen.leftOut ? `<span>… ${number(seen.leftOut)}</span>` : "";
      fold.innerHTML = (folds ? `<b>${item.open ? "−" : `+${number(below[node])}`}</b>` : "") + out;
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
    if (seen.leftOut) words.push(`${count(seen.leftOut, "node")} below not told of`);
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
  reveal(node) {
    const item = this.order.find((each) => each.node === node);
    if (!item) return;
    const { scroll } = this;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = scroll;
    const margin = Math.min(LEFT, clientWidth / 4);
    const top = item.depth * LEVEL;
    const bottom = top + NODE_HEIGHT + (item.open ? LEVEL : 0) + 8;
    if (item.x < scrollLeft + margin || item.x + this.nodeWidth > scrollLeft + clientWidth - 24) {
      scroll.scrollLeft = item.x - (clientWidth - this.nodeWidth) / 2;
    }
    if (top < scrollTop) scroll.scrollTop = Math.min(top, Math.max(0, bottom - clientHeight));
    else if (bottom > scrollTop + clientHeight) scroll.scrollTop = Math.min(top, bottom - clientHeight);
  }

  /** Keep to a node, or with -1 follow the search. */
  keep(node) {
    this.kept = node;
    if (node < 0) this.byHand.clear();
    this.showTree();
    this.showNode();
    this.settle();
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
    this.follow.disabled = this.kept < 0;
    if (node < 0) {
      this.which.textContent = "The position";
      this.caption.textContent = `${data.maximizer} to move`;
      this.large.innerHTML = drawBoard(search, 0, true);
      this.large.setAttribute("aria-label", data.position);
      this.foldButton.disabled = true;
      this.foldButton.textContent = "Fold it";
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
    this.foldButton.textContent = folds && !this.isOpen(node) ? "Open it" : "Fold it";
    this.showVariables(node);
    this.showEvents(node);
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
    const rows = [["node", number(node + 1)], ["depth", number(search.depth[node])]];
    if (search.simulates) {
      rows.push(["visits N", number(seen.visits)], ["mean reward", seen.value || "–"]);
    } else {
      rows.push(["v", this.valueText(seen) || "–"]);
      if (seen.alpha) rows.push(["α alpha", seen.alpha], ["β beta", seen.beta]);
      rows.push(["best move", seen.move || "–"]);
    }
    for (const name of search.simulates ? ["simulations", "nodes"] : ["nodes", "cutoffs"]) {
      rows.push([name, this.total(name)]);
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
    this.marked = buttons[now - first];
  }

  /** Scroll to what is current: apart from the rest, so that the page is laid out only once. */
  settle() {
    const current = this.search.current(this.time);
    if (current >= 0 && this.kept < 0) this.reveal(current);
    const { marked, list } = this;
    if (!marked || !list.contains(marked)) return;
    const top = marked.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + marked.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 3;
    }
  }
}
