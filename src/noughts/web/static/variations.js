// Variations of a game: saved on the server for players, kept in the page for spectators.
//
//   a variation on the board ──► tried ──► the server ──► game.variations
//   line, variations, tried ──► a tree ──► the move list
//
// A node of the tree is {path, children}; its first child is the main move.

import { begins } from "./current_game.js";
import { element } from "./dom.js";

/** Return the variations that are saved or tried. */
export const branchesOf = ({ game, tried }) => [
  ...(game?.variations || []).map(({ path }) => path),
  ...tried,
];

/** Return the tree of a line and its variations; the line is the first child at each node. */
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

/** Return whether variations and comments are saved with the game. */
export function isKept({ game, analysisRefused }) {
  return Boolean(game?.can.includes("vary")) && !analysisRefused;
}

/** Collect the variations that are tried, and save them; returns a function that stops. */
export function followVariations(currentGame) {
  const refused = new Set();
  let sending = false;

  function note({ shown, game, tried, exercise }) {
    if (shown?.kind !== "variation" || exercise) return;
    if (branchesOf({ game, tried }).some((path) => begins(path, shown.moves))) return;
    const others = tried.filter((path) => !begins(shown.moves, path));
    currentGame.set({ tried: [...others, shown.moves] });
  }

  /** Forget the variations that the server has, and send the next one. */
  async function save(state) {
    const { game, tried } = state;
    if (!game || sending) return;
    const known = [game.moves, ...game.variations.map(({ path }) => path)];
    const left = tried.filter((path) => !known.some((each) => begins(each, path)));
    if (left.length < tried.length) {
      currentGame.set({ tried: left });
      return;
    }
    const next = left.find((path) => !refused.has(path.join(" ")));
    if (!next || !isKept(state)) return;
    sending = true;
    await currentGame.addVariation(next);
    sending = false;
    if (currentGame.state.error) refused.add(next.join(" "));
    save(currentGame.state);
  }

  const ends = [
    currentGame.watch(["shown", "exercise"], note),
    currentGame.watch(["game", "tried", "analysisRefused"], save),
  ];
  return () => ends.forEach((end) => end());
}

/** Return the line up to the first move of the variation in which `moves` end, or null. */
export function stemOf(currentGame, moves) {
  let node = treeOf(currentGame.line, branchesOf(currentGame.state));
  let stem = null;
  for (const move of moves) {
    const at = node.children.findIndex((child) => child.path.at(-1) === move);
    if (at < 0) break;
    node = node.children[at];
    if (at > 0 || !begins(currentGame.line, node.path)) stem = at > 0 || !stem ? node.path : stem;
  }
  return stem;
}

/** Delete the shown variation, and show the position before it. */
export async function deleteShown(currentGame) {
  const stem = stemOf(currentGame, currentGame.state.shown.moves);
  if (!stem) return;
  const { game, tried } = currentGame.state;
  const isOnServer = game?.variations.some(({ path }) => begins(path, stem));
  await currentGame.show(stem.slice(0, -1));
  currentGame.set({ tried: tried.filter((path) => !begins(path, stem)) });
  if (isOnServer) await currentGame.deleteVariation(stem);
}

/** Return the variations at a node as rows of the move list; `button(node)` returns a move's button. */
export function rowsOf(node, button, depth = 1) {
  return node.children.slice(1).flatMap((child) => {
    const chain = [];
    let others = [];
    for (let at = child, from = node; at; [from, at] = [at, at.children[0]]) {
      chain.push(at);
      if (at !== child) others = [...others, ...rowsOf(from, button, depth + 1)];
    }
    return [
      element(
        "li",
        { class: `variation depth-${Math.min(depth, 4)}` },
        element("span", { class: "number" }, `${child.path.length}.`),
        chain.map((each) => button(each)),
      ),
      ...others,
    ];
  });
}
