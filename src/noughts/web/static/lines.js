// Lines of moves, and sentences with the lines or the tree that prove them.
//
//   a line ──► a link for each move ──► hover, focus: currentGame.preview · click: currentGame.show
//   a sentence ──► hover, focus: its sketch on the board, or else its first line
//              ──► "Show proof": its lines, or its tree: proof_tree.js

import { button, element } from "./dom.js";
import { recall } from "./memory.js";
import { positionAddress } from "./line_address.js";

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
export const saidOf = (currentGame, { text, words }) =>
  // A number and its unit stay on one line.
  currentGame.swapLetters(recall("names") ? text : (words ?? text)).replaceAll(" %", "\u00a0%");

/** Return a sentence, underlined if the board shows it, with a button for the lines that prove it. */
export function sentenceOf(currentGame, base, sentence) {
  const { lines, sketch, tree } = sentence;
  const said = saidOf(currentGame, sentence);
  const [first] = lines;
  if (!first) return element("p", { class: "said" }, said);
  const spoken = linkTo(said, currentGame, base, first, { class: "proof" }, sketch);
  const shown = lines.filter((line) => line.length > 1 || !sketch).slice(0, MAX_LINES);
  const holder = element("div", { class: "said" }, spoken);
  // Without a sketch the sentence itself shows its first line.
  const isShort = shown.length === 0 || (!sketch && shown.length === 1 && shown[0].length === 1);
  if (!tree && isShort) return holder;
  const proof = element("div", { hidden: true });
  let isEmpty = true;
  const opener = button("Show proof", toggle, { class: "show-proof", "aria-expanded": "false" });
  function toggle() {
    proof.hidden = !proof.hidden;
    opener.textContent = proof.hidden ? "Show proof" : "Hide proof";
    opener.setAttribute("aria-expanded", String(!proof.hidden));
    if (isEmpty) fill();
    isEmpty = false;
  }
  async function fill() {
    const drawing = tree && (await import("./proof_tree.js").catch(() => null));
    const stepTo = (path) => linkTo(path.at(-1), currentGame, base, path, { class: "step" });
    if (drawing) proof.append(drawing.proofTreeOf(currentGame, base, stepTo, tree));
    // The tree has the first line in it.
    const rest = drawing ? shown.slice(1) : shown;
    const list = rest.map((line) => element("li", {}, lineOf(currentGame, base, line)));
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
