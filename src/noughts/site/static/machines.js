// The machines of the site, with the data that `noughts site` writes into the page.

import { createMachines } from "/static/machines.js";
import { site } from "/static/site/parts.js";

let made = null;

/** Return the machines, made at the first use. */
export function machines() {
  made ??= createMachines({ ...site(), address: new URL("./app/worker.js", document.baseURI) });
  return made;
}
