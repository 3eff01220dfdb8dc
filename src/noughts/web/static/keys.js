// The keyboard of a game's page: type a move, undo, step through the moves.
//
// ◀ ▶ ──► the previous, the next move, unless the focus is on a cell or on a control with arrows
// 5 1 ──► "51" is the only legal move with this prefix ──► played at once; else Enter plays it
// 5 5 ──► no legal move has this prefix, but it is a whole move ──► refused with the reason

import { keyOf } from "/static/replay/key.js";
import { openDialog } from "./dialog.js";

const takesText = (target) =>
  target.closest("input:not([type=radio], [type=range]), select, textarea, dialog");

/** Whether arrow keys do something else at an element, as on a cell reached by keyboard. */
const takesArrows = (target) =>
  target.closest("input, .rows, .graph, .menu-holder, .cells:not(.by-pointer)");

/** Open the list of keys. */
export const openKeys = () =>
  import("./key_list.js").then(
    ({ list }) => openDialog("Keys", list()),
    () => openDialog("Keys", "The list failed to load. Reload the page."),
  );

/** Listen to keys; `echo` shows the typed text. */
export function mountKeys(echo, currentGame) {
  let typed = "";

  function show(text) {
    typed = text;
    echo.textContent = text ? `Move: ${text}` : "";
  }

  function play(text) {
    show("");
    currentGame.move(text);
  }

  function type(letter) {
    show(typed + letter);
    const { moves, board } = currentGame.state.shown.position;
    const withPrefix = (names) => names.filter((name) => name.toLowerCase().startsWith(typed));
    const legal = withPrefix(Object.keys(moves));
    if (legal.length > 0) {
      if (legal.length === 1 && legal[0].toLowerCase() === typed) play(legal[0]);
      return;
    }
    const cells = withPrefix(board.names);
    const isWhole = cells.some((name) => name.toLowerCase() === typed);
    if (isWhole || (cells.length === 0 && /\d/.test(typed))) play(typed);
    else if (cells.length === 0) show("");
  }

  function pressed(event) {
    if (event.defaultPrevented || takesText(event.target) || !currentGame.state.shown) return;
    const key = keyOf(event).toLowerCase();
    if ((event.ctrlKey || event.metaKey) && !event.altKey) {
      const what = key === "y" || (key === "z" && event.shiftKey) ? "redo" : key === "z" && "undo";
      if (!what) return;
      event.preventDefault();
      currentGame.change(what);
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const by = { ",": -1, ".": 1, arrowleft: -1, arrowright: 1 }[key];
    if (by && key.startsWith("arrow") && takesArrows(event.target)) return;
    if (key === "?") openKeys();
    else if (by) currentGame.step(by);
    else if (key === "escape" && typed) show("");
    else if (key === "escape" && currentGame.state.shown.kind !== "now") currentGame.showNow();
    else if (key === "backspace" && typed) show(typed.slice(0, -1));
    else if (key === "enter" && typed) play(typed);
    else if (/^[a-z0-9]$/.test(key) && typed.length < 4) type(key);
    else return;
    event.preventDefault();
  }

  // In the capture phase, so that Enter plays the typed move and not the focused cell.
  document.addEventListener("keydown", pressed, true);
  let before = null;
  const unwatch = currentGame.watch(["shown"], ({ shown }) => {
    // Updates that leave the board unchanged must not clear a half-typed move.
    if (shown?.position.position !== before) show("");
    before = shown?.position.position;
  });
  return () => {
    document.removeEventListener("keydown", pressed, true);
    unwatch();
  };
}
