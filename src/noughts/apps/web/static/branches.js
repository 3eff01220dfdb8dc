// Moves that were tried beside the game: kept with it by who plays, else by the page alone.
//
//   a variation on the board ──► tried ──► the server ──► game.branches
//   line, branches, tried ──► a tree ──► the move list
//
// A node of the tree is {path, children}; its first child goes on, the others leave it.

import { element } from "./dom.js";

const begins = (line, start) => start.every((move, at) => move === line[at]);

/** Return the tree of a line, the first at each node, and of the variations beside it. */
export function treeOf(line, variations) {
  const root = { path: [], children: [] };
  const grow = (path) => {
    let node = root;
    for (const [at, move] of path.entries()) {
      let next = node.children.find((child) => child.path.at(-1) === move);
      if (!next) {
        next = { path: path.slice(0, at + 1), children: [] };
        node.children.push(next);
      }
      node = next;
    }
  };
  [line, ...variations].forEach(grow);
  return root;
}

/** Whether what one tries is kept with the game, and what one says of its moves. */
export function isKept({ game, analysisRefused }) {
  return Boolean(game?.can.includes("vary")) && !analysisRefused;
}

/** Note what is tried at a table, and keep it; returns the function that ends it. */
export function followBranches(table) {
  const refused = new Set();
  let sending = false;

  function note({ shown, game, tried, exercise }) {
    if (shown?.kind !== "variation" || exercise) return;
    const known = [...tried, ...(game?.branches || []).map(({ path }) => path)];
    if (known.some((path) => begins(path, shown.moves))) return;
    table.setTried([...tried.filter((path) => !begins(shown.moves, path)), shown.moves]);
  }

  /** Drop what the game has by now, and send the next. */
  async function keep(state) {
    const { game, tried } = state;
    if (!game || sending) return;
    const known = [game.moves, ...game.branches.map(({ path }) => path)];
    const left = tried.filter((path) => !known.some((each) => begins(each, path)));
    if (left.length < tried.length) {
      table.setTried(left);
      return;
    }
    const next = left.find((path) => !refused.has(path.join(" ")));
    if (!next || !isKept(state)) return;
    sending = true;
    await table.keep(next);
    sending = false;
    if (table.state.error) refused.add(next.join(" "));
    keep(table.state);
  }

  const ends = [
    table.watch(["shown", "exercise"], note),
    table.watch(["game", "tried", "analysisRefused"], keep),
  ];
  return () => ends.forEach((end) => end());
}

/** Return the first move of the variation that a line ends in, as the line up to there. */
export function stemOf(table, moves) {
  const { game, tried } = table.state;
  const root = treeOf(table.line, [...(game?.branches || []).map(({ path }) => path), ...tried]);
  let node = root;
  let stem = null;
  for (const move of moves) {
    const at = node.children.findIndex((child) => child.path.at(-1) === move);
    if (at < 0) break;
    node = node.children[at];
    if (at > 0 || !begins(table.line, node.path)) stem = at > 0 || !stem ? node.path : stem;
  }
  return stem;
}

/** Take the variation that is shown away, and show where it leaves. */
export async function forget(table) {
  const stem = stemOf(table, table.state.shown.moves);
  if (!stem) return;
  const { game, tried } = table.state;
  const isOnServer = game?.branches.some(({ path }) => begins(path, stem));
  await table.show(stem.slice(0, -1));
  table.setTried(tried.filter((path) => !begins(path, stem)));
  if (isOnServer) await table.forget(stem);
}

/**
 * Return the variations that leave before a node's first child, as rows of the move list: `number`
 * says how a move is counted, `button` makes one for a node.
 */
export function rowsOf(node, number, button, depth = 1) {
  return node.children.slice(1).flatMap((child) => {
    const chain = [];
    let others = [];
    for (let at = child, from = node; at; [from, at] = [at, at.children[0]]) {
      chain.push(at);
      if (at !== child) others = [...others, ...rowsOf(from, number, button, depth + 1)];
    }
    return [
      element(
        "li",
        { class: `variation depth-${Math.min(depth, 4)}` },
        element("span", { class: "number" }, number(child.path.length)),
        chain.map((each) => button(each)),
      ),
      ...others,
    ];
  });
}
