// Lines of moves and sentences that they prove: to look at by hovering, to try by a click.
//
//   a line ──► a link for each move ──► hovered, focused: table.preview · clicked: table.show

import { element } from "./dom.js";
import { positionAddress } from "./share.js";

/** Return a link to where `moves` lead from the end of the line `base`; the board shows it. */
function linkTo(label, table, base, moves, attributes) {
  const end = [...base, ...moves];
  const look = () => table.preview(moves, base);
  const leave = () => table.preview(null);
  const link = element(
    "a",
    { href: positionAddress(table.state.start, end), ...attributes },
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
    table.show(end);
  });
  return link;
}

/** Return the moves of a line, each a link. */
export function lineOf(table, base, moves) {
  return element(
    "span",
    { class: "line", role: "group", "aria-label": "Line" },
    moves.flatMap((move, at) => [
      at > 0 ? "·" : null,
      linkTo(move, table, base, moves.slice(0, at + 1), { class: "step" }),
    ]),
  );
}

const MOST_LINES = 5;

/** Return a sentence; what it claims is underlined if a line of moves proves it. */
export function sentenceOf(table, base, { text, lines }) {
  const said = table.seen(text);
  const [first, ...others] = lines.filter((line) => line.length > 0);
  if (!first) return element("p", { class: "said" }, said);
  return element(
    "p",
    { class: "said" },
    linkTo(said, table, base, first, { class: "proof" }),
    others.slice(0, MOST_LINES - 1).map((line, at) =>
      linkTo(String(at + 2), table, base, line, {
        class: "other-proof",
        "aria-label": `Line ${at + 2}: ${line.join(" ")}`,
      }),
    ),
  );
}

/** Put first what says most: what is proven, and of that what compares values. */
export function bySay(sentences) {
  const proven = sentences.filter(({ exact }) => exact);
  return [...proven.filter(({ value }) => value), ...proven.filter(({ value }) => !value)];
}
