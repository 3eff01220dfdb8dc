// A worker of tests and measurements: {questions, stop} ──► a list of answers, as answers.js.
import { loadCore } from "/core/core.js";
import { answered } from "./answers.js";

const bytes = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
const loaded = Promise.all([loadCore(fetch("/core/core.wasm")), bytes("/nets/ultimate"), bytes("/nets/advanced")]);

onmessage = async ({ data: { questions, stop } }) => {
  const [core, ultimate, advanced] = await loaded;
  postMessage(questions.map((question) => answered(core, { ultimate, advanced }, question, stop)));
};
