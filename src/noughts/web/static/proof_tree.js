// The tree of a win by threats, loaded when it is shown first: rows of replies open and close.
//
//   a move ──► hover, focus, tap: currentGame.preview · click, second tap: currentGame.show

import { button, element } from "./dom.js";

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

/**
 * Return the tree of a win by threats after the moves `base`; the first replies are open. `stepTo`
 * returns the link to the position after more moves.
 */
export function proofTreeOf(currentGame, base, stepTo, { winner, base: first, text, rows }) {
  const other = winner === "X" ? "O" : "X";
  const letterOf = (name) => {
    const letter = currentGame.swapLetters(name);
    return element("b", { class: letter.toLowerCase() }, letter);
  };
  function link(path) {
    const made = stepTo(path);
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
