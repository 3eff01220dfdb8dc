// The card of the moves: the game's line in rows of two, and the variations beside it.
//
// a move is clicked ──► table.show(the moves up to it)

import { element } from "./dom.js";

const same = (first, second) =>
  first.length === second.length && first.every((move, at) => move === second[at]);

function button(table, path, side, shown) {
  const made = element(
    "button",
    { type: "button", class: `move ${side.toLowerCase()}`, onclick: () => table.show(path) },
    path.at(-1),
  );
  if (same(shown.moves, path)) made.setAttribute("aria-current", "step");
  made.setAttribute("aria-label", `${path.length}. ${side} ${path.at(-1)}`);
  return made;
}

export function mountMoves(card, table) {
  const rows = element("ol", { class: "rows" });
  const others = element("div", { class: "variations" });
  card.append(element("h2", {}, "Moves"), rows, others);
  rows.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const all = [...rows.querySelectorAll("button")];
    const to = all[all.indexOf(document.activeElement) + by];
    if (to) {
      to.focus();
      to.click();
    }
  });
  return table.watch(["game", "shown"], ({ shown, game }) => {
    if (!shown) return;
    const { line } = table;
    card.hidden = line.length === 0 && shown.moves.length === 0;
    const turn = game ? game.position.turn : shown.position.turn;
    const ply = game ? line.length : shown.moves.length;
    // Who moves alternates: the side to move now tells who made each move before.
    const side = (at) => ((ply - at) % 2 === 0) === (turn === "X") ? "X" : "O";
    const first = side(0) === "O" ? 1 : 0;
    const held = rows.contains(document.activeElement);
    const made = [];
    for (let at = -first; at < line.length; at += 2) {
      const pair = [at, at + 1].map((each) =>
        each < 0 || each >= line.length
          ? element("span", { class: "move" }, each < 0 ? "…" : "")
          : button(table, line.slice(0, each + 1), side(each), shown),
      );
      const number = element("span", { class: "number" }, String((at + first) / 2 + 1));
      const current = shown.kind !== "variation" && [at + 1, at + 2].includes(shown.moves.length);
      made.push(element("li", current ? { class: "current" } : {}, number, ...pair));
    }
    rows.style.setProperty("--rows", String(Math.max(1, Math.ceil(made.length / 2))));
    rows.classList.toggle("short", made.length < 5);
    rows.replaceChildren(...made);
    const current = rows.querySelector('[aria-current="step"]');
    if (held && current) current.focus();
    current?.scrollIntoView({ block: "nearest" });
    others.replaceChildren(
      ...(game?.branches || []).map((branch) =>
        element(
          "p",
          { class: "variation" },
          element("span", { class: "number" }, `from ${branch.shared + 1}`),
          ...branch.path
            .slice(branch.shared)
            .map((_, at) =>
              button(
                table,
                branch.path.slice(0, branch.shared + at + 1),
                side(branch.shared + at),
                shown,
              ),
            ),
        ),
      ),
    );
  });
}
