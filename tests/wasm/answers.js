// Answers of the core to the questions of tests: [name, ...arguments] ──► JSON.

const kept = new Map();

function weights(core, nets, name) {
  if (!kept.has(name)) kept.set(name, core.weights(nets[name]));
  return kept.get(name);
}

function searched(core, nets, call, { rules, options, net, position, limits, reported }, stop) {
  const engine = core.engine(rules, { ...options, net: net && weights(core, nets, net) });
  const reports = [];
  try {
    const found = engine[call](position, { ...limits, stop }, (each) => reported && reports.push(each));
    return { found, reports };
  } finally {
    engine.delete();
  }
}

// A report that makes other calls, stops the search or throws an error.
function interrupted(core, how, position) {
  const engine = core.engine(position.split("~")[0], { tableMib: 4 });
  const said = [];
  const attempt = (work) => {
    try {
      said.push(String(work()));
    } catch (error) {
      said.push(error.kind || error.message);
    }
  };
  let reports = 0;
  const report = () => {
    reports += 1;
    if (reports > 1) return;
    if (how === "throw") throw new Error("thrown in a report");
    attempt(() => engine.clear());
    attempt(() => engine.delete());
    attempt(() => core.perft(position, 2));
    engine.stop();
  };
  attempt(() => engine.search(position, { method: "alphabeta" }, report).depth >= 1);
  engine.arm();
  attempt(() => engine.search(position, { method: "alphabeta", depth: 2 }).depth);
  engine.delete();
  return { said, reports };
}

const CALLS = {
  search: (core, nets, question, stop) => searched(core, nets, "search", question, stop),
  scores: (core, nets, question, stop) => searched(core, nets, "scores", question, stop),
  interrupted: (core, nets, question) => interrupted(core, question.how, question.position),
  perft: (core, nets, { position, depth }) => String(core.perft(position, depth)),
  random_game: (core, nets, { position, seed }) => core.randomGame(position, BigInt(seed)),
  threat_tree: (core, nets, { position, ...options }) => core.threatTree(position, options),
  book_place: (core, nets, { position }) => core.bookPlace(position),
  estimate: (core, nets, { net, position }) => weights(core, nets, net).estimate(position),
  count: (core, nets, { position, limits }) => {
    const layers = [];
    const end = core.count(position, limits, (layer) => layers.push(layer.map((row) => row.map(String))));
    return { end, layers };
  },
};

/** Return the answer to a question, or {problem, kind} if the core refuses. */
export function answered(core, nets, [name, question], stop) {
  try {
    return CALLS[name](core, nets, question, stop);
  } catch (error) {
    return { problem: error.message, kind: error.kind };
  }
}
