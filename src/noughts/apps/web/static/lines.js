// Lines of moves and sentences that they prove: to look at by hovering, to try by a click.
//
//   a line ──► a button for each move ──► hovered, focused: table.preview · clicked: table.show

import { element } from "./dom.js";

/** Let a button show where `moves` lead from the end of the line `base`. */
function previewing(button, table, base, moves) {
  const look = () => table.preview(moves, base);
  const leave = () => table.preview(null);
  button.addEventListener("pointerenter", (event) => {
    if (event.pointerType === "mouse") look();
  });
  button.addEventListener("pointerleave", leave);
  button.addEventListener("focus", () => {
    if (button.matches(":focus-visible")) look();
  });
  button.addEventListener("blur", leave);
  button.addEventListener("click", () => table.show([...base, ...moves]));
  return button;
}

/** Return the moves of a line, each a button. */
export function lineOf(table, base, moves) {
  return element(
    "span",
    { class: "line", role: "group", "aria-label": "Line" },
    moves.map((move, at) => [
      at > 0 ? " · " : null,
      previewing(
        element("button", { type: "button", class: "step", title: "Hover to see, click to try" }, move),
        table,
        base,
        moves.slice(0, at + 1),
      ),
    ]).flat(),
  );
}

const MOST_LINES = 5;

/** Return a sentence; what it claims is underlined if a line of moves proves it. */
export function sentenceOf(table, base, { text, lines }) {
  const said = table.seen(text);
  const [first, ...others] = lines.filter((line) => line.length > 0);
  if (!first) return element("p", { class: "said" }, said);
  const proof = (label, line, attributes) =>
    previewing(element("button", { type: "button", ...attributes }, label), table, base, line);
  return element(
    "p",
    { class: "said" },
    proof(said, first, { class: "proof" }),
    others
      .slice(0, MOST_LINES - 1)
      .map((line, at) =>
        proof(String(at + 2), line, {
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
