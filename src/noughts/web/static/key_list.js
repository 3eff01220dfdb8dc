// The list of the keys of a game's page.

import { element } from "./dom.js";

const KEYS = [
  ["Left, Right", "step back, step forward; also\u00a0, and\u00a0."],
  ["Tab, arrow keys", "select the board, move between cells; with Ctrl between boards"],
  ["Home, End", "go to the first or last legal cell"],
  ["Enter", "play the selected cell"],
  ["51, b2, 4", "type a move; press Enter if a longer move starts the same"],
  ["Ctrl+Z, Ctrl+Y", "undo, redo"],
  ["Escape", "back to the current position"],
  ["Shift+Right, Shift+Left", "in a review: next error, previous error"],
  ["?", "show this list"],
];

/** Return the list of keys. */
export function list() {
  const rows = KEYS.map(([key, what]) => [element("dt", {}, key), element("dd", {}, what)]);
  return element("dl", { class: "keys" }, rows.flat());
}
