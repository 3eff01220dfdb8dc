// Lines of moves, and sentences with the lines that prove them.
//
//   a line ──► a link for each move ──► hover, focus: currentGame.preview · click: currentGame.show
//   a sentence ──► hover, focus: its sketch on the board, or else its first line

import { element } from "./dom.js";
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

/** Return a sentence, underlined if a line proves it, with numbered links to more lines. */
export function sentenceOf(currentGame, base, { text, lines, sketch }) {
  // A number and its unit stay on one line.
  const said = currentGame.swapLetters(text).replaceAll(" %", "\u00a0%");
  const [first] = lines;
  if (!first) return element("p", { class: "said" }, said);
  // Without a sketch the sentence itself shows its first line.
  const numbered = lines.map((line, at) => [line, at + 1]).slice(sketch ? 0 : 1, MAX_LINES);
  return element(
    "p",
    { class: "said" },
    linkTo(said, currentGame, base, first, { class: "proof" }, sketch),
    numbered
      .filter(([line]) => line.length > 1 || !sketch)
      .map(([line, number]) =>
        linkTo(String(number), currentGame, base, line, {
          class: "other-proof",
          "aria-label": `Line ${number}: ${line.join(" ")}`,
        }),
      ),
  );
}

/** Return the proven sentences, those with a value first. */
export function byRelevance(sentences) {
  const proven = sentences.filter(({ exact }) => exact);
  return [...proven.filter(({ value }) => value), ...proven.filter(({ value }) => !value)];
}
