// The tools under the board: through the moves, zoom, stones, coordinates, sounds, keys.
//
//   ◀ ▶ ──► currentGame.step          zoom, stones, coordinates ──► board          sound ──► sound.js

import { button, element } from "./dom.js";
import { openKeys } from "./keys.js";
import { hasSound, setSound } from "./sound.js";

const tool = (text, run, attributes = {}) => button(text, run, { class: "tool", ...attributes });

/** Return a button that switches something on and off; `isOn` tells, `set(on)` does. */
function toggle(text, isOn, set) {
  const made = tool(text, () => {
    set(!isOn());
    show();
  });
  const show = () => made.setAttribute("aria-pressed", String(isOn()));
  show();
  return { made, show };
}

/**
 * Put the tools into an element, with the line of typed moves. `board` is the mounted board:
 * {names(on), hasNames(), stones(on), hasStones(), zoom(on), isZoomed(), isSmall()}. Returns {end, measured}; `measured` is
 * to be called when the size of cells has changed.
 */
export function mountTools(holder, typed, currentGame, board) {
  const back = tool("◀", () => currentGame.step(-1), { "aria-label": "Step back" });
  const on = tool("▶", () => currentGame.step(1), { "aria-label": "Step forward" });
  const names = toggle("Coordinates", board.hasNames, board.names);
  const stones = toggle("Stones", board.hasStones, board.stones);
  const zoom = toggle("Zoom", board.isZoomed, board.zoom);
  const sound = toggle("Sound", hasSound, setSound);
  const keys = tool("Keys", openKeys, { class: "tool keys-tool" });
  const steps = element("div", { class: "steps" }, back, on);
  holder.append(steps, typed, zoom.made, stones.made, names.made, sound.made, keys);

  function measured() {
    zoom.made.hidden = !board.isSmall() && !board.isZoomed();
    zoom.show();
  }
  measured();
  const end = currentGame.watch(["shown", "game", "start"], ({ shown }) => {
    back.disabled = !shown?.moves.length;
    on.disabled = shown?.kind !== "past";
    names.made.hidden = shown?.position.board.kind === "text";
    stones.made.hidden = !shown?.position.rules.startsWith("mnk");
    names.show();
  });
  return { end, measured };
}
