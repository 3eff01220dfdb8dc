// The board of a game that is not drawn: its diagram, and a button for each legal move.
//
//   position ──► diagram, chips          click, Enter ──► choose(move, number)

import { button, element } from "./dom.js";

/** Put the board into an element, with the interface of `createBoard`. */
export function createTextBoard(holder, { choose }) {
  const diagram = element("pre", { class: "diagram", role: "img" });
  const list = element("div", { class: "legal-moves", role: "group", "aria-label": "Moves" });
  holder.classList.add("text-board");
  holder.replaceChildren(diagram, list);
  let position = null;
  let may = false;

  function draw() {
    const isHeld = list.contains(document.activeElement);
    const buttons = Object.entries(position.moves).map(([move, number]) => {
      const made = button(move, () => choose(may ? move : null, number));
      made.dataset.move = move;
      made.setAttribute("aria-disabled", String(!may));
      made.classList.toggle("may", may);
      return made;
    });
    list.replaceChildren(...buttons);
    if (isHeld) (buttons[0] || document.getElementById("main")).focus({ preventScroll: true });
  }

  return {
    element: holder,
    hasNames: false,
    isSmall: false,
    /** Show a position; `may` allows moves. */
    show(next, { may: mayMove = false } = {}) {
      const isSame = position?.position === next.position && may === mayMove;
      position = next;
      may = mayMove;
      diagram.textContent = position.board.text;
      diagram.setAttribute("aria-label", `Board. ${position.description}`);
      if (!isSame) draw();
    },
    /** Show values of moves: {move: ValueView}, with `best` on the best one. */
    setValues(worth) {
      for (const made of list.children) {
        const value = worth[made.dataset.move];
        made.querySelector(".chip")?.remove();
        if (!value) continue;
        const chip = `chip ${value.tone}${value.best ? " best" : ""}`;
        made.append(" ", element("span", { class: chip }, value.mark));
      }
    },
    /** Show the position `end`; without it, the current position. */
    preview(end) {
      holder.classList.toggle("previewing", Boolean(end));
      diagram.textContent = (end || position).board.text;
    },
    place() {},
    setNames() {},
    setStones() {},
    focus() {
      list.querySelector("button")?.focus();
    },
  };
}
