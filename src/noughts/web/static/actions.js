// The row of action buttons, and the menu of the less frequent actions.

import { ask } from "./dialog.js";
import { button, element } from "./dom.js";
import { askName } from "./names.js";
import { exploreAddress, positionAddress, searchAddress } from "./line_address.js";

/** Return a menu button {holder, fill(items)}; the list of buttons and links opens above it. */
function createMenu(label) {
  const list = element("ul", { class: "menu", hidden: true });
  const opener = button("⋯", () => toggle(), {
    class: "more-actions",
    "aria-label": label,
    "aria-expanded": "false",
  });
  const holder = element("div", { class: "menu-holder" }, opener, list);
  const set = (open) => {
    list.hidden = !open;
    const above = opener.getBoundingClientRect().top;
    list.classList.toggle("below", open && above < list.offsetHeight + 16);
    opener.setAttribute("aria-expanded", String(open));
  };
  const toggle = () => {
    set(list.hidden);
    if (!list.hidden) list.querySelector("button:not(:disabled), a")?.focus();
  };
  holder.addEventListener("keydown", (event) => {
    const items = [...list.querySelectorAll("button:not(:disabled), a")];
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && !list.hidden) {
      set(false);
      opener.focus();
    } else if (by && !list.hidden) {
      const at = items.indexOf(document.activeElement) + by;
      items[(at + items.length) % items.length]?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  let isFilling = false;
  holder.addEventListener("focusout", (event) => {
    if (!isFilling && !holder.contains(event.relatedTarget)) set(false);
  });
  /** Replace the items; an open menu stays open, with the focus on the same item. */
  function fill(items) {
    const held = list.contains(document.activeElement) && document.activeElement.textContent;
    isFilling = true;
    list.replaceChildren(...items);
    isFilling = false;
    const found = [...list.querySelectorAll("button:not(:disabled), a")].find(({ textContent }) => textContent === held);
    if (held) (found ?? opener).focus();
  }
  list.addEventListener("click", (event) => {
    if (event.target.closest("button, a")) set(false);
  });
  return { holder, fill };
}

async function resign(currentGame) {
  const sure = await ask("Resign this game?", "Your opponent wins.", "Resign", "Keep playing");
  if (sure) currentGame.change("resign");
}

const openShare = (currentGame) =>
  import("./share.js").then(
    (share) => share.openShare(currentGame),
    () => currentGame.failToLoad(),
  );

/** Put the actions into an element. */
export function mountActions(holder, currentGame) {
  const undo = button("Undo", () => currentGame.change("undo"));
  const redo = button("Redo", () => currentGame.change("redo"));
  const hint = button("Hint", null);
  const analysis = button("Analysis", () => currentGame.setAnalysis(!currentGame.state.analysis));
  const share = button("Share", () => openShare(currentGame));
  const menu = createMenu("More");
  holder.append(undo, redo, hint, analysis, share, menu.holder);

  const item = (text, run, enabled = true) =>
    element("li", {}, button(text, run, { disabled: !enabled }));
  const link = (text, href) => element("li", {}, element("a", { class: "button", href }, text));

  const ends = [
    currentGame.watch(["game", "offers", "shown", "start", "analysisRefused"], (state) => {
      const { game, offers, shown, start, analysisRefused } = state;
      const may = (what) => Boolean(game?.can.includes(what));
      undo.disabled = !may("undo");
      redo.disabled = !may("redo");
      undo.title = game?.between_people ? "Ask to take back your last move" : "";
      const offered = offers.find(({ id }) => id === "hint");
      hint.disabled = !offered?.enabled;
      hint.onclick = offered?.run;
      const search = shown ? searchAddress(start, shown.moves, currentGame.swapped) : "/replay";
      const items = [
        item("Resign", () => resign(currentGame), may("resign")),
        ...(game?.between_people && game.yours.length
          ? [item("Your name", () => askName(currentGame))]
          : []),
        ...offers
          .filter(({ place }) => place === "menu")
          .map(({ label, run, enabled }) => item(label, run, enabled)),
        ...(shown && !analysisRefused
          ? [link("Explore this position", exploreAddress(start, shown.moves))]
          : []),
        ...(analysisRefused ? [] : [link("Step through search", search)]),
        link("Play from here", shown ? positionAddress(start, shown.moves) : "/"),
        link("New game", `/?game=${shown?.position.rules ?? ""}`),
      ];
      menu.fill(items);
    }),
    currentGame.watch(["analysis", "analysisRefused"], ({ analysis: on, analysisRefused }) => {
      analysis.setAttribute("aria-pressed", String(on));
      analysis.disabled = analysisRefused !== null;
      analysis.title = analysisRefused || "";
      hint.title = analysisRefused || (on ? "Analysis shows the best move." : "");
    }),
  ];
  return () => ends.forEach((end) => end());
}
