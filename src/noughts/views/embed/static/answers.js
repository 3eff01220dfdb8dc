// Answers of the core to questions that take time: the values of moves, the move of a level.
//
//   question ──answer()──► in a worker, at once        ──answerInSlices()──► in the page, in slices
//
// A question is {rules, position, ply, limits}, with `level` if the answer is one move, else
// the answer is [[move, finding], …].

import { choose, look, preferred, sightOf } from "/static/core/levels.js";

const TABLE_MIB = 16;
/** Seconds that a slice blocks the page, the slices of a question, the pause after each in ms. */
const SLICE = 0.03;
const SLICES = 40;
const PAUSE = 10;

const engines = new WeakMap();

/** Return the engine for some rules; a core keeps one. */
function engineOf(core, rules) {
  const kept = engines.get(core);
  if (kept?.rules === rules) return kept.engine;
  kept?.engine.delete();
  const engine = core.engine(rules, { tableMib: TABLE_MIB });
  engines.set(core, { rules, engine });
  return engine;
}

/** Answer without a pause; `report` gets the values of each depth. */
export function answer(core, question, report) {
  const engine = engineOf(core, question.rules);
  if (question.level) return choose(engine, question);
  return engine.scores(question.position, question.limits, report);
}

/** Answer in short slices, so that the page is never blocked for long; see less in the same time. */
export async function answerInSlices(core, question, report, isStopped) {
  const { position, ply, level } = question;
  const engine = engineOf(core, question.rules);
  const sight = level?.sight && sightOf(level, Math.random);
  const depth = sight || question.limits?.depth;
  const seen = new Map();
  let nodes = level?.nodes ?? question.limits?.nodes ?? Infinity;
  let scores = [];
  if (level) engine.clear();
  for (let slice = 0; slice < SLICES && nodes > 0; slice++) {
    const limits = { depth, seconds: SLICE, ...(Number.isFinite(nodes) && { nodes }) };
    if (level && !sight) scores = [[0, engine.search(position, limits)]];
    else scores = engine.scores(position, limits, (found) => sight && look(found, { ply, sight }, seen));
    if (sight) look(scores, { ply, sight }, seen);
    report(scores);
    const findings = scores.map(([, finding]) => finding);
    nodes -= Math.max(...findings.map((each) => each.nodes));
    if (findings.every((each) => each.exact || (depth && each.depth >= depth))) break;
    await new Promise((done) => setTimeout(done, PAUSE));
    if (isStopped()) return null;
  }
  if (!level) return scores;
  return sight ? preferred(seen, level, Math.random) : scores[0][1].move;
}
