// A search, replayed. Data in, in this order:
//
//   data ──► ReplayedSearch   the state at an event, as a function of its number: nothing is undone
//            Pane             one search on the page: counts, tree, board, variables, pseudocode
//            mount            the controls, the keys and the clock, for all panes at once
//
// No rules are known here: marks go where the data put them.

import { SIDES } from "./board.js";

/** Return the place of the last entry of an ascending list that is at most `value`, or -1. */
export function lastUpTo(list, value) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Return a function from a key to its indices in `keys`, ascending. */
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

/** A search; `time` is the index of an event, and methods describe the state right after it. */
export class ReplayedSearch {
  /** `raw` is one of the `searches` of `data`, which views/replay makes. */
  constructor(raw, data) {
    Object.assign(this, raw);
    const { board, texts, maximizer } = data;
    Object.assign(this, { board, texts, maximizer });
    /** The numbers of the kinds of events, by name. */
    this.kinds = Object.fromEntries(data.kinds.map((name, place) => [name, place]));
    const columns = Object.entries(raw.events).map(([name, all]) => [name, Int32Array.from(all)]);
    this.events = Object.fromEntries(columns);
    const KIND = this.kinds;
    const { kind, node } = this.events;
    const { parent } = this.nodes;
    this.length = kind.length;
    this.size = parent.length;
    this.eventsOf = grouped(node, this.size);
    this.childrenOf = grouped(parent, this.size);
    /** Where moves are cut off; with MCTS the rollouts. */
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
      const jump = this.simulates ? each === KIND.rollout : this.cuts[node[time]]?.[0] === time;
      if (jump) this.jumps.push(time);
      for (const name in totals) totals[name][time] = now[name];
    }
    this.roots = [];
    for (let each = 0; each < this.size; each++) if (parent[each] < 0) this.roots.push(each);
    /** The line of play that came out. */
    this.onLine = new Set(this.line);
  }

  text(place) {
    return this.texts[place];
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
    return SIDES[this.nodes.turn[node]] === this.maximizer;
  }

  /** Return a node as it stands. */
  seen(node, time) {
    const KIND = this.kinds;
    const { kind, value, tone, alpha, beta, move, count } = this.events;
    const own = this.eventsOf(node);
    const seen = { value: "", tone: 0, alpha: "", beta: "", move: "" };
    Object.assign(seen, { done: false, visits: 0, leftOut: 0 });
    let window = false;
    for (let place = lastUpTo(own, time); place >= 0; place--) {
      const at = own[place];
      if (kind[at] === KIND.leaf || kind[at] === KIND.leave) seen.done = true;
      if (kind[at] === KIND.leave) seen.leftOut = count[at];
      if (!seen.value && value[at]) {
        seen.value = this.text(value[at]);
        seen.tone = tone[at];
      }
      if (!seen.move && move[at]) seen.move = this.text(move[at]);
      if (!window && alpha[at]) {
        window = true;
        seen.alpha = this.text(alpha[at]);
        seen.beta = this.text(beta[at]);
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
    if (above < 0) return "root";
    return `${SIDES[this.nodes.turn[above]]} ${this.text(this.nodes.move[node])}`;
  }

  /** Return the position of a node, as it is drawn. */
  position(node) {
    const { nodes } = this;
    const { kind } = this.board;
    if (kind === "text") return { board: { kind, text: this.text(nodes.text[node]) } };
    const cells = [...this.board.cells];
    for (let each = node; nodes.parent[each] >= 0; each = nodes.parent[each]) {
      cells[nodes.cell[each]] = SIDES[nodes.turn[nodes.parent[each]]];
    }
    const [lines, boardLines] = [nodes.line[node], nodes.boards[node]];
    const board = { ...this.board, cells, lines, board_lines: boardLines };
    if (kind === "nested") board.owners = this.owners(node);
    const open = [...Array(9).keys()].filter((each) => (nodes.open[node] >> each) & 1);
    const [turn, last, over] = [SIDES[nodes.turn[node]], nodes.cell[node], nodes.over[node] > 0];
    return { board, turn, open, last, over };
  }

  owners(node) {
    while (!(node in this.nodes.owners)) node = this.nodes.parent[node];
    return this.nodes.owners[node];
  }
}
