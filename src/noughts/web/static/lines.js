// Lines of moves, and sentences with the lines that prove them.
//
//   a line ──► a link for each move ──► hover, focus: currentGame.preview · click: currentGame.show

import { element } from "./dom.js";
import { positionAddress } from "./share.js";

/** Return a link to the position after `base` and `moves`; the board previews it. */
function linkTo(label, currentGame, base, moves, attributes) {
  const end = [...base, ...moves];
  const look = () => currentGame.preview(moves, base);
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

const MOST_LINES = 5;

/** Return a sentence, underlined if a line proves it, with numbered links to more lines. */
export function sentenceOf(currentGame, base, { text, lines }) {
  const said = currentGame.swapLetters(text);
  const [first, ...others] = lines.filter((line) => line.length > 0);
  if (!first) return element("p", { class: "said" }, said);
  return element(
    "p",
    { class: "said" },
    linkTo(said, currentGame, base, first, { class: "proof" }),
    others.slice(0, MOST_LINES - 1).map((line, at) =>
      linkTo(String(at + 2), currentGame, base, line, {
        class: "other-proof",
        "aria-label": `Line ${at + 2}: ${line.join(" ")}`,
      }),
    ),
  );
}

/** Return the proven sentences, those with a value first. */
export function byRelevance(sentences) {
  const proven = sentences.filter(({ exact }) => exact);
  return [...proven.filter(({ value }) => value), ...proven.filter(({ value }) => !value)];
}
