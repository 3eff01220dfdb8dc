// Calls of Python, which is loaded at the first one; the page shows how far it is.

import { recall, remember } from "/static/memory.js";
import { site } from "/static/site/parts.js";
import { Problem, refusal } from "/static/site/problem.js";

const MISSING =
  "This site was built without Python. Build it with `make site-parts` for reviews, puzzles and labs.";

const NOT_LOADED = "Python could not be loaded. Check the network, then try again.";
const LOADED = "python";

let starting = null;
let isShown = recall(LOADED) !== site().version;

/** Show the share of Python's files that is loaded, once: later they come from the cache. */
function showLoading({ done, of }) {
  if (!isShown) return;
  const id = "loading";
  const line = document.getElementById(id) ?? document.createElement("p");
  if (done >= of) {
    line.remove();
    isShown = false;
    remember(LOADED, site().version);
    return;
  }
  line.id = id;
  line.setAttribute("role", "status");
  line.textContent = `Loading Python, once: ${Math.floor((100 * done) / of)} %`;
  document.body.append(line);
}

async function start() {
  const { Python } = await import(new URL("./python/client.js", document.baseURI));
  return new Python({ loading: showLoading, url: new URL("./python/worker.js", document.baseURI) });
}

/** Refuse what this site cannot do without Python. */
export function requirePython() {
  if (!site().python) throw new Problem({ status: 501, type: "urn:noughts:no-python", detail: MISSING });
}

/** Return the result of a call of `noughts.answers.calls`; options as in python/client.js. */
export async function call(name, given = {}, options = {}) {
  requirePython();
  starting ??= start().catch(() => {
    starting = null;
    throw refusal("silent", 0, NOT_LOADED);
  });
  const python = await starting;
  try {
    return await python.call(name, given, options);
  } catch (error) {
    if (!error.document) throw error;
    document.getElementById("loading")?.remove();
    throw new Problem(error.document);
  }
}
