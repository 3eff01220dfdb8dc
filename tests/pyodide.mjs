// Python in Node, as the browser's worker starts it: a call a line in, its answer a line out.
//
//     node tests/pyodide.mjs build/site-parts PROGRAM
//
// PROGRAM is a text in Python, run first.
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const parts = resolve(process.argv[2]);
const load = (name) => import(pathToFileURL(`${parts}/${name}`));
const { loadPyodide } = await load("python/pyodide.mjs");
const { loadCore } = await load("core/core.js");
const { startPython } = await load("python/start.js");
const wheels = readdirSync(`${parts}/python`).filter((name) => name.endsWith(".whl"));
const { python, answer } = await startPython({
  loadPyodide,
  core: await loadCore(readFileSync(`${parts}/core/core.wasm`)),
  wheels: wheels.map((name) => new Uint8Array(readFileSync(`${parts}/python/${name}`))),
});
python.runPython(process.argv[3] ?? "");
for await (const line of createInterface({ input: process.stdin })) {
  const [call, given] = JSON.parse(line);
  let progress = null;
  const began = performance.now();
  const text = answer(call, JSON.stringify(given), (...now) => (progress = now));
  const seconds = (performance.now() - began) / 1000;
  console.log(JSON.stringify({ ...JSON.parse(text), progress, seconds }));
}
process.exit(0); // Pyodide keeps the event loop alive.
