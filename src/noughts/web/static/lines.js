// Lines of moves, and sentences with the lines or the tree that prove them.
//
//   a line ──► a link for each move ──► hover, focus: currentGame.preview · click: currentGame.show
//   a sentence ──► hover, focus: its sketch on the board, or else its first line
//              ──► "Show proof": its lines, or its tree, whose rows of replies open and close

import { button, element } from "./dom.js";
import { recall } from "./memory.js";
import { positionAddress } from "./share.js";

/** Return a link to the position after `base` and `moves`; the board previews it, or a sketch. */
function linkTo(label, currentGame, base, moves, attributes, sketch = null) {
  const end = [...base, ...moves];
  const look = () => currentGame.preview(sketch ? [] : moves, base, sketch);
  const leave = () => currentGame.preview(null);
  const link = element(
    "a",
    { href: positionAddress(currentGame.state.start, end), ...attributes },
    label,
  );
  link.addEventListener("pointerenter", (event) => {
    if (event.pointerType === "mouse") look();
  });
  link.addEventListener("pointerleave", leave);
  link.addEventListener("focus", () => {
    if (link.matches(":focus-visible")) look();
  });
  link.addEventListener("blur", leave);
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    currentGame.show(end);
  });
  return link;
}

/** Return a line with a link for each move. */
export function lineOf(currentGame, base, moves) {
  return element(
    "span",
    { class: "line", role: "group", "aria-label": "Line" },
    moves.flatMap((move, at) => [
      at > 0 ? "·" : null,
      linkTo(move, currentGame, base, moves.slice(0, at + 1), { class: "step" }),
    ]),
  );
}

const MAX_LINES = 5;

/** Return a sentence in the words or, with coordinates on the board, in the coordinates of its cells. */
const saidOf = (currentGame, { text, words }) =>
  // A number and its unit stay on one line.
  currentGame.swapLetters(recall("names") ? text : (words ?? text)).replaceAll(" %", "\u00a0%");

/** Return the rows of a tree in lists: [{row, rows: those below it}, …]. */
function nested(rows) {
  const root = [];
  const open = [root];
  for (const row of rows) {
    const item = { row, rows: [] };
    open.length = row.depth + 1;
    open[row.depth].push(item);
    open.push(item.rows);
  }
  return root;
}

/** Return the tree of a win by threats; the first replies are open. */
function winTreeOf(currentGame, base, { winner, base: first, text, rows }) {
  const other = winner === "X" ? "O" : "X";
  const letterOf = (name) => {
    const letter = currentGame.swapLetters(name);
    return element("b", { class: letter.toLowerCase() }, letter);
  };
  function link(path) {
    const made = linkTo(path.at(-1), currentGame, base, path, { class: "step" });
    // A tap previews the position, since going there takes the tree away; a second one goes.
    const tap = (event) => {
      if (event.pointerType !== "touch" || made.classList.contains("tapped")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      made.focus({ preventScroll: true });
      made.classList.add("tapped");
      currentGame.preview(path, base);
    };
    made.addEventListener("click", tap, { capture: true });
    made.addEventListener("blur", () => made.classList.remove("tapped"));
    return made;
  }
  const moveOf = (name, path) => element("span", { class: "one-move" }, letterOf(name), link(path));

  function listOf(items, path, attributes) {
    return element("ul", attributes, items.map((item) => rowOf(item, path)));
  }

  function rowOf({ row, rows: below }, path) {
    const { replies, any_other: anyOther, moves, note } = row;
    const answers = moves.map((_, at) => [...path, ...replies.slice(0, 1), ...moves.slice(0, at + 1)]);
    const end = answers.at(-1) ?? path;
    const listed = replies.flatMap((reply) => [link([...path, reply]), " "]);
    const said = [
      anyOther ? [anyOther, " → "] : listed.length > 0 ? [letterOf(other), listed, "→ "] : null,
      answers.map((answer, at) => [moveOf(at % 2 ? other : winner, answer), " "]),
    ];
    const words = [...said.flat(3).filter(Boolean), note && `· ${note}`];
    const line = element("div", { class: "tree-row" }, element("span", { class: "text" }, words));
    if (below.length === 0) return element("li", {}, line);
    const isOpen = row.depth === 0;
    const list = listOf(below, end, { hidden: !isOpen });
    const label = moves.length > 0 ? `Replies to ${end.at(-1)}` : "Replies";
    const toggle = button("", turn, { class: "tree-toggle", "aria-label": label, "aria-expanded": String(isOpen) });
    function turn() {
      list.hidden = !list.hidden;
      toggle.setAttribute("aria-expanded", String(!list.hidden));
    }
    line.prepend(toggle);
    return element("li", {}, line, list);
  }

  return element(
    "div",
    { class: "proof-tree" },
    element("p", {}, currentGame.swapLetters(text)),
    listOf(nested(rows), first, { "aria-label": "Proof" }),
  );
}

/** Return a sentence, underlined if the board shows it, with a button for the lines that prove it. */
export function sentenceOf(currentGame, base, sentence) {
  const { lines, sketch, tree } = sentence;
  const said = saidOf(currentGame, sentence);
  const [first] = lines;
  if (!first) return element("p", { class: "said" }, said);
  const spoken = linkTo(said, currentGame, base, first, { class: "proof" }, sketch);
  // The tree has the first line in it.
  const shown = lines.filter((line) => line.length > 1 || !sketch).slice(tree ? 1 : 0, MAX_LINES);
  const holder = element("div", { class: "said" }, spoken);
  // Without a sketch the sentence itself shows its first line.
  const isShort = shown.length === 0 || (!sketch && shown.length === 1 && shown[0].length === 1);
  if (!tree && isShort) return holder;
  const proof = element("div", { hidden: true });
  const opener = button("Show proof", toggle, { class: "show-proof", "aria-expanded": "false" });
  function toggle() {
    proof.hidden = !proof.hidden;
    opener.textContent = proof.hidden ? "Show proof" : "Hide proof";
    opener.setAttribute("aria-expanded", String(!proof.hidden));
    if (proof.childElementCount > 0) return;
    if (tree) proof.append(winTreeOf(currentGame, base, tree));
    const list = shown.map((line) => element("li", {}, lineOf(currentGame, base, line)));
    if (list.length > 0) proof.append(element("ul", { class: "proof-lines" }, list));
  }
  holder.append(" ", opener, proof);
  return holder;
}

/** Return the proven sentences, those with a value first. */
export function byRelevance(sentences) {
  const proven = sentences.filter(({ exact }) => exact);
  return [...proven.filter(({ value }) => value), ...proven.filter(({ value }) => !value)];
}
