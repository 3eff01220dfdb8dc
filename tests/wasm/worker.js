// A worker of tests and measurements: {questions, stop} ──► a list of answers, as answers.js. With a
// query such as `?threads=2` it has core-threads.wasm.
import { loadCore } from "/core/core.js";
import { answered } from "./answers.js";

const bytes = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
const threads = Number(new URLSearchParams(location.search).get("threads"));
const load = (name) => loadCore(fetch(`/core/${name}.wasm`), { threads, helper: "/core/helper.js" });
const core = load(threads ? "core-threads" : "core");
const loaded = Promise.all([core, load("rules"), bytes("/nets/ultimate"), bytes("/nets/advanced")]);

onmessage = async ({ data: { questions, stop } }) => {
  const [core, rules, ultimate, advanced] = await loaded;
  const known = { ultimate, advanced, rules };
  postMessage(questions.map((question) => answered(core, known, question, stop)));
};
