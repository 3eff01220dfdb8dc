// The keys of a game's page: a move is typed, undone, gone back to.
//
// 5 1 ──► "51" is the only legal move that begins so ──► it is played;  else Enter plays it

import { openDialog } from "./dialog.js";
import { element } from "./dom.js";

const KEYS = [
  ["Arrow keys", "go over the cells; with Ctrl from board to board"],
  ["Home, End", "to the first and the last cell that may be played"],
  ["Enter", "plays there"],
  ["51, b2, 4", "a move typed; Enter, if a longer one begins like it"],
  ["Ctrl+Z, Ctrl+Y", "takes back, plays again"],
  ["[ and ]", "shows the move before, the move after"],
  ["Escape", "back to the game as it stands"],
  ["?", "these keys"],
];

/** Open the list of keys. */
export function openKeys() {
  const rows = KEYS.map(([key, what]) => [element("dt", {}, key), element("dd", {}, what)]);
  openDialog("Keys", element("dl", { class: "keys" }, rows.flat()));
}

const takesText = (target) =>
  target.closest("input:not([type=radio], [type=range]), select, textarea, dialog");

/** Listen to the keys for a table; what is typed is shown in `echo`. */
export function mountKeys(echo, table) {
  let typed = "";

  function show(text) {
    typed = text;
    echo.textContent = text ? `Move: ${text}` : "";
  }

  function play(text) {
    show("");
    table.move(text);
  }

  function type(letter) {
    show(typed + letter);
    const moves = Object.keys(table.state.shown.position.moves);
    const meant = moves.filter((move) => move.startsWith(typed));
    if (meant.length === 1 && meant[0] === typed && table.mayMove) play(typed);
  }

  function pressed(event) {
    if (event.defaultPrevented || takesText(event.target) || !table.state.shown) return;
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && !event.altKey) {
      const what = key === "y" || (key === "z" && event.shiftKey) ? "redo" : key === "z" && "undo";
      if (!what) return;
      event.preventDefault();
      table.change(what);
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (key === "?") openKeys();
    else if (key === "[") table.step(-1);
    else if (key === "]") table.step(1);
    else if (key === "escape" && typed) show("");
    else if (key === "escape" && table.state.shown.kind !== "now") table.showNow();
    else if (key === "backspace" && typed) show(typed.slice(0, -1));
    else if (key === "enter" && typed) play(typed);
    else if (/^[a-z0-9]$/.test(key) && typed.length < 4) type(key);
    else return;
    event.preventDefault();
  }

  // Before the board, so that Enter plays what is typed and not the cell that has the focus.
  document.addEventListener("keydown", pressed, true);
  let seen = null;
  const unwatch = table.watch(["shown"], ({ shown }) => {
    // What is half typed stays while news come that change nothing on the board.
    if (shown?.position.position !== seen) show("");
    seen = shown?.position.position;
  });
  return () => {
    document.removeEventListener("keydown", pressed, true);
    unwatch();
  };
}
