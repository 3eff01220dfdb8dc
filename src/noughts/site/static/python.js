// Calls of Python, which is loaded at the first one; the page shows how far it is.

import { Problem, refusal } from "/static/site/problem.js";
import { site } from "/static/site/parts.js";

const MISSING =
  "This site was built without Python. Build it with `make site-parts` for reviews, puzzles and labs.";

let starting = null;
let isShown = true;

/** Show the share of Python's files that is loaded, once: a later worker has them from the cache. */
function showLoading({ done, of }) {
  if (!isShown) return;
  const id = "loading";
  const line = document.getElementById(id) ?? document.createElement("p");
  if (done >= of) {
    line.remove();
    isShown = false;
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
    throw refusal("silent", 0, "Python failed to load. Reload the page.");
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
