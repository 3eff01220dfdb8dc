// A worker of tests and measurements: {questions, stop} ──► a list of answers, as answers.js.
import { loadCore } from "/core/core.js";
import { answered } from "./answers.js";

const bytes = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
const core = (name) => loadCore(fetch(`/core/${name}.wasm`));
const loaded = Promise.all([core("core"), core("rules"), bytes("/nets/ultimate"), bytes("/nets/advanced")]);

onmessage = async ({ data: { questions, stop } }) => {
  const [core, rules, ultimate, advanced] = await loaded;
  const known = { ultimate, advanced, rules };
  postMessage(questions.map((question) => answered(core, known, question, stop)));
};
