// The machines of the site, with the data that `noughts site` writes into the page.

import { createMachines } from "/static/machines.js";
import { fileName, moveOfFile } from "/static/site/checked.js";
import { site } from "/static/site/parts.js";

let made = null;

/** Return the machines, made at the first use. */
export function machines() {
  made ??= createMachines({ ...site(), address: new URL("./app/worker.js", document.baseURI) });
  return made;
}

/** Begin to think about a position as `think` of machines.js; a checked file thinks in Python. */
export function think(view, opponent) {
  if (!fileName(opponent)) return machines().think(view, opponent);
  return { move: moveOfFile(opponent, view.position), stop() {}, end() {} };
}
