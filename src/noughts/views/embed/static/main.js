// The start of the script: in a page the element, in a worker the searches, on a server nothing.

import { Core } from "/static/core/core.js";
import { defineBoard } from "./element.js";
import { Problem } from "./game.js";
import { createThinker, serve } from "./thinker.js";

/** Start. `script` is the function around all modules, `packed` core.wasm, compressed, in Base64. */
export function start(script, packed) {
  if (typeof document === "undefined") {
    if (typeof WorkerGlobalScope !== "undefined") serve(self);
    return;
  }
  let shared = null;
  defineBoard(() => (shared ??= load(script, packed)));
}

async function load(script, packed) {
  if (typeof WebAssembly === "undefined") throw new Problem("This board needs WebAssembly, which this browser lacks.");
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const whole = await new Response(stream).arrayBuffer();
  let module;
  try {
    module = await WebAssembly.compile(whole);
  } catch {
    throw new Problem("This board needs WebAssembly. The content security policy of this page must allow 'wasm-unsafe-eval'.");
  }
  return { core: new Core(module), thinker: createThinker(`(${script})()`, module) };
}
