// The scenario of test_browser_python.py, run by a page: its results go to the element `results`.
import { Python } from "./python/client.js";

const results = document.querySelector("#results");
const loaded = [];
const python = new Python({ loading: (now) => loaded.push(now) });

async function outcome(promise) {
  try {
    return { result: await promise };
  } catch (error) {
    return { problem: error.document ?? String(error) };
  }
}

const found = {};
found.explain = await outcome(python.call("explain", { start: "ultimate", moves: ["55"] }));
found.loaded = [loaded.length, loaded.at(-1)];
found.fault = await outcome(python.call("explain", { start: "chess", moves: [] }));
if (location.search === "?long") {
  const controller = new AbortController();
  const { signal } = controller;
  const calls = [
    python.call("check", { file: "while True:\n    pass\n" }, { seconds: 1 }),
    python.call("lab", { name: "counts", options: {} }, { signal }),
    python.call("hint", { start: "basic", moves: [] }, { signal }),
    python.call("position", { start: "basic", moves: "5" }),
  ].map(outcome);
  found.endless = await calls[0];
  setTimeout(() => controller.abort(), 100); // The lab runs then, and the hint waits for it.
  [found.running, found.waiting, found.after] = await Promise.all(calls.slice(1));
}
results.textContent = JSON.stringify(found);
results.hidden = false;
