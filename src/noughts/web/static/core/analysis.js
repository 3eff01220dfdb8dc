// The values of every move of a position, from the findings of each depth of a search.
//
//   scores of a depth ──add()──► the mean of three depths ──► with the proofs of others ──► AnalysisView
//
// As `steady`, `with_proofs` and `informed` of noughts/judgement/results.py, and `analysis_data` of
// noughts/answers/positions.py.

import { estimated, lost, plyOf, rankOf, valueOf } from "./values.js";

/** A shown estimate is the mean of those of this many depths. */
const DEPTHS = 3;
/** Nodes before the first view: the values of fewer change too much. */
const FIRST_NODES = 20_000;

const isProven = ({ value }) => value !== "unknown";
const ofText = (entries) => Object.fromEntries(entries);

/**
 * Return an analysis of a position from its facts, and the curve of the engine's net if it has one.
 * `proofs`, {move, value, values}, are of other searches of the position, or null.
 */
export function createAnalysis(facts, curve, proofs = null) {
  const ply = plyOf(facts);
  const { names } = facts.board;
  const before = [];
  let last = null;
  let best = null;

  /** Return the findings of every move as one result. */
  function resultOf(scores) {
    const of = (name) => Math.max(...scores.map(([, finding]) => finding[name]));
    const ordered = [...scores].sort(([one], [other]) => one - other);
    return {
      depth: of("depth"),
      nodes: of("nodes"),
      seconds: of("seconds"),
      move: names[scores[0][0]],
      values: ofText(ordered.map(([move, finding]) => [names[move], valueOf(finding, ply, curve)])),
      lines: ofText(ordered.map(([move, { pv }]) => [names[move], pv.map((each) => names[each])])),
    };
  }

  /** Return the last result, its estimates those of several depths. */
  function steady(results) {
    const result = results.at(-1);
    const values = ofText(
      Object.keys(result.values).map((move) => [move, mean(results.map((each) => each.values[move]))]),
    );
    return withBest({ ...result, values });
  }

  /** Return a result in which a proven best move stays the best until a shorter proof is found. */
  function kept(result) {
    const [first, now] = [result.values[best], result.values[result.move]];
    const isKept = first && isProven(first) && rankOf(first) === rankOf(now);
    best = isKept ? best : result.move;
    return { ...result, move: best };
  }

  return {
    /** Learn the proofs of another search. */
    prove(found) {
      proofs = found;
    },

    /** Note the findings of all moves, [[move, finding], …], best first. */
    add(scores) {
      const result = resultOf(scores);
      // Depth 0 searches nothing.
      if (last?.depth && last.depth !== result.depth) before.push(last);
      if (before.length >= DEPTHS) before.shift();
      last = result;
    },

    /** Return the values so far, as AnalysisView data. */
    view(done) {
      const known = { position: facts.position, done, waiting: !last };
      const none = { depth: 0, nodes: 0, per_second: 0, seconds: 0, move: null, value: null, values: {}, lines: {} };
      if (!last) return { ...known, ...none };
      const found = kept(informed(withProofs(steady([...before, last]), proofs), proofs));
      const isFew = found.depth === 0 || found.nodes < FIRST_NODES;
      const isEarly = !done && isFew && !Object.values(found.values).every(isProven);
      if (isEarly) return { ...known, ...none };
      const per_second = found.seconds > 0 ? Math.round(found.nodes / found.seconds) : 0;
      return { ...known, ...found, per_second, value: valueOfBest(found) };
    },
  };
}

/** Return the mean of estimates; the last value if any is proven. */
function mean(values) {
  if (values.some(isProven)) return values.at(-1);
  return estimated(values.reduce((sum, { estimate }) => sum + estimate, 0) / values.length);
}

/** Return the value of a position: one winning move proves a win; a draw or a loss needs every move. */
function valueOfBest({ move, values, value }) {
  if (value) return value;
  const best = values[move];
  const isSure = !isProven(best) || best.value === "win" || Object.values(values).every(isProven);
  return isSure ? best : estimated(rankOf(best));
}

/** Return a result with the best of its moves; of equal ones, that of the search. */
function withBest(result) {
  let best = result.move;
  for (const [move, value] of Object.entries(result.values)) {
    if (rankOf(value) > rankOf(result.values[best])) best = move;
  }
  return { ...result, move: best };
}

/** Return a result with the moves that another search has proven. */
function withProofs(result, proofs) {
  const proven = Object.entries(proofs?.values ?? {}).filter(([move]) => !isProven(result.values[move]));
  if (!proven.length) return result;
  const lines = ofText(proven.map(([move]) => [move, [move]]));
  return withBest({ ...result, values: { ...result.values, ...ofText(proven) }, lines: { ...result.lines, ...lines } });
}

/** Return a result with the value that another search has proven for the position. */
function informed(result, proofs) {
  const best = proofs?.value;
  if (!best) return result;
  const known = valueOfBest(result);
  const isSooner = best.value === "win" && rankOf(best) > rankOf(known);
  if (isProven(known) && !isSooner) return result;
  const values = ofText(
    Object.entries(result.values).map(([move, value]) => {
      if (isProven(value)) return [move, value];
      if (best.value === "loss") return [move, lost()];
      if (best.value === "draw") return [move, estimated(Math.min(value.estimate, 0))];
      return [move, value];
    }),
  );
  const lines = { ...result.lines, [proofs.move]: proofs.line };
  return { ...result, move: proofs.move, values: { ...values, [proofs.move]: best }, value: best, lines };
}
