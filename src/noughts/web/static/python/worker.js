// The worker with Python: it loads Pyodide from the files beside it, and answers calls in turn.
//
//     page ──{id, call, arguments}──► worker ──► {id, result} or {id, problem}
//                                       ├──► {id, progress: {done, of}} and {id, found} while it works
//                                       └──► {loading: {done, of}} in bytes, then {ready: true}
//
// Beside it lies manifest.json, with the names and sizes of the files. `client.js` starts and ends it.
import { loadCore } from "../core/core.js";
import { startPython } from "./start.js";

const PAUSE = 100; // Milliseconds between two messages of progress.
const here = new URL("./", import.meta.url);
const fetchFile = fetch;
let started = null;

/** Return a function of (done, of) that posts a message, but not more often than useful. */
function reporter(message) {
  let last = -Infinity;
  return (done, of) => {
    if (performance.now() < last + PAUSE && done < of) return;
    last = performance.now();
    postMessage(message({ done, of }));
  };
}

async function start() {
  const manifest = await (await fetchFile(new URL("manifest.json", here))).json();
  const total = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const tell = reporter((loading) => ({ loading }));
  let done = 0;

  // Pyodide fetches its files itself, so that all bytes are counted here.
  globalThis.fetch = async (...request) => {
    const response = await fetchFile(...request);
    if (!response.ok) throw new Error(`${response.url} cannot be loaded: ${response.status}`);
    const counted = response.body.pipeThrough(
      new TransformStream({
        transform(chunk, controller) {
          done = Math.min(total, done + chunk.length);
          tell(done, total);
          controller.enqueue(chunk);
        },
      }),
    );
    return new Response(counted, { status: response.status, headers: response.headers });
  };
  const bytesOf = async (name) => new Uint8Array(await (await fetch(new URL(name, here))).arrayBuffer());
  const names = manifest.files.map(({ name }) => name).filter((name) => name.endsWith(".whl"));
  const wheels = Promise.all(names.map(bytesOf));
  const core = loadCore(fetch(new URL("../core/core.wasm", here)));
  const { loadPyodide } = await import("./pyodide.mjs");
  const { answer } = await startPython({
    loadPyodide,
    core: await core,
    wheels: await wheels,
    indexURL: here.href,
  });
  tell(total, total);
  postMessage({ ready: true });
  return answer;
}

/** Without network `fetch` throws a TypeError. */
const whyOf = (error) => (error instanceof TypeError ? "Check the network, then try again." : error.message);

/** Return a problem document, as the server's. */
function problem(kind, detail) {
  const title = kind[0].toUpperCase() + kind.slice(1);
  return { type: `urn:noughts:${kind}`, title, status: 500, detail };
}

onmessage = async ({ data: { id, call, arguments: given } }) => {
  started ??= start();
  let answer;
  try {
    answer = await started;
  } catch (error) {
    postMessage({ id, problem: problem("loading", `Python could not be loaded. ${whyOf(error)}`) });
    return;
  }
  try {
    const tell = reporter((progress) => ({ id, progress }));
    const found = (text) => postMessage({ id, found: JSON.parse(text) });
    postMessage({ id, ...JSON.parse(answer(call, JSON.stringify(given), tell, found)) });
  } catch (error) {
    console.error(error);
    const last = String(error.message).trim().split("\n").at(-1);
    postMessage({ id, problem: problem("internal", `Internal error: ${last}`) });
  }
};
