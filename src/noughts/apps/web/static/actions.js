// The row of actions under the board or beside it, and the menu of those that are rarely wanted.

import { ask } from "./dialog.js";
import { element } from "./dom.js";
import { openKeys } from "./keys.js";
import { openShare, positionAddress, searchAddress } from "./share.js";

/** A button that opens a list of buttons and links above itself. */
function createMenu(label) {
  const list = element("ul", { class: "menu", hidden: true });
  const button = element(
    "button",
    { type: "button", class: "more-actions", "aria-label": label, "aria-expanded": "false" },
    "⋯",
  );
  const holder = element("div", { class: "menu-holder" }, button, list);
  const set = (open) => {
    list.hidden = !open;
    const above = button.getBoundingClientRect().top;
    list.classList.toggle("below", open && above < list.offsetHeight + 16);
    button.setAttribute("aria-expanded", String(open));
  };
  button.addEventListener("click", () => {
    set(list.hidden);
    if (!list.hidden) list.querySelector("button:not(:disabled), a")?.focus();
  });
  holder.addEventListener("keydown", (event) => {
    const items = [...list.querySelectorAll("button:not(:disabled), a")];
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && !list.hidden) {
      set(false);
      button.focus();
    } else if (by && !list.hidden) {
      const at = items.indexOf(document.activeElement) + by;
      items[(at + items.length) % items.length]?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  holder.addEventListener("focusout", (event) => {
    if (!holder.contains(event.relatedTarget)) set(false);
  });
  list.addEventListener("click", (event) => {
    if (event.target.closest("button, a")) set(false);
  });
  return { holder, list };
}

async function resign(table) {
  const sure = await ask("Resign this game?", "The other side wins then.", "Resign", "Go on");
  if (sure) table.change("resign");
}

export function mountActions(holder, table, { names }) {
  const undo = element("button", { type: "button", onclick: () => table.change("undo") }, "Undo");
  const hint = element("button", { type: "button", hidden: true }, "Hint");
  const analysis = element(
    "button",
    { type: "button", onclick: () => table.setAnalysis(!table.state.analysis) },
    "Analysis",
  );
  const share = element("button", { type: "button", onclick: () => openShare(table) }, "Share");
  const menu = createMenu("More to do");
  holder.append(undo, hint, analysis, share, menu.holder);

  const item = (text, run, enabled = true) =>
    element("li", {}, element("button", { type: "button", disabled: !enabled, onclick: run }, text));
  const link = (text, href) => element("li", {}, element("a", { class: "button", href }, text));

  const ends = [
    table.watch(["game", "offers", "shown", "start"], ({ game, offers, shown, start }) => {
      const may = (what) => Boolean(game?.can.includes(what));
      undo.disabled = !may("undo");
      const offered = offers.find(({ id }) => id === "hint");
      hint.hidden = !offered;
      hint.disabled = !offered?.enabled;
      hint.onclick = offered?.run;
      const search = shown ? searchAddress(start, shown.moves, table.swapped) : "/replay";
      menu.list.replaceChildren(
        item("Play again what was taken back", () => table.change("redo"), may("redo")),
        item("Resign", () => resign(table), may("resign")),
        ...offers
          .filter(({ place }) => place === "menu")
          .map(({ label, run, enabled }) => item(label, run, enabled)),
        link("Step through a search from here", search),
        link("Play on from here in a new game", shown ? positionAddress(start, shown.moves) : "/"),
        item("Show or hide the names of cells", names),
        item("Keys", openKeys),
        link("New game", `/?game=${(start || "").split(/[:~]/)[0]}`),
      );
    }),
    table.watch(["analysis", "analysisRefused"], ({ analysis: on, analysisRefused }) => {
      analysis.setAttribute("aria-pressed", String(on));
      analysis.disabled = analysisRefused !== null;
      analysis.title = analysisRefused || "";
    }),
  ];
  return () => ends.forEach((end) => end());
}
