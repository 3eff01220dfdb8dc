// A worker of tests and measurements: {questions, stop} ──► a list of answers, as answers.js. With a
// query such as `?threads=2` it has core-threads.wasm.
import { loadCore } from "/core/core.js";
import { answered } from "./answers.js";

const bytes = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
const threads = Number(new URLSearchParams(location.search).get("threads"));
const core = threads
  ? loadCore(fetch("/core/core-threads.wasm"), { threads })
  : loadCore(fetch("/core/core.wasm"));
const loaded = Promise.all([core, bytes("/nets/ultimate"), bytes("/nets/advanced")]);

onmessage = async ({ data: { questions, stop } }) => {
  const [core, ultimate, advanced] = await loaded;
  postMessage(questions.map((question) => answered(core, { ultimate, advanced }, question, stop)));
};
