// The worker of machines and analyses: engines of the core, which answer in turn.
//
//   page ──{id, position, opponent, level}──► worker ──► {id, better} while it thinks
//                                               └──► {id, move, expected} or {id, problem}
//   page ──{id, position, stones, even}─────► worker ──► {id, texts} of even stones for swap2
//   page ──{id, position, nodes, seconds}───► worker ──► {id, scores}, the last with `done`
//   page ──{id, position, values}───────────► worker ──► {id, sentences} of a hint
//   page ──{id, rules}──────────────────────► worker ──► {id} when a level can think

import { canShare, loadCore } from "/static/core/core.js";
import { told } from "/static/core/hints.js";
import { evenStones } from "/static/core/even.js";
import { chosen } from "/static/core/levels.js";
import { plyOf, resultOf, valueOf } from "/static/core/values.js";

const PERFECT_SECONDS = 10;
const TABLE_MIB = 64;
/** Threads of searches that are limited by time; levels have one, since their moves are the server's. */
const THREADS = Math.min(navigator.hardwareConcurrency || 1, 4);

let core = null;
const engines = new Map();

/** Return the response of a file that lies beside this one. */
async function fetched(address) {
  const answer = await fetch(new URL(address, self.location.href)).catch(() => null);
  if (!answer?.ok) throw new Error("The engine could not be loaded. Check the network, then reload the page.");
  return answer;
}

/** Return the bytes that a file of noughts has after its first lines, unpacked. */
async function unpacked(address, lines) {
  const answer = await fetched(address);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  let start = 0;
  for (let line = 0; line < lines; line += 1) start = bytes.indexOf(10, start) + 1;
  const stream = new Blob([bytes.subarray(start)]).stream();
  const whole = stream.pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(whole).arrayBuffer());
}

/** Return the engine of some rules; its net or book is loaded once. */
async function engineOf(rules, { net, book }, threads) {
  const key = `${rules} ${threads}`;
  if (!engines.has(key)) {
    const options = { tableMib: TABLE_MIB, threads };
    if (net) options.net = core.weights(await unpacked(net.file, 2));
    if (book) Object.assign(options, { book: await unpacked(book.file, 1), stones: book.stones });
    for (const [other, engine] of engines) {
      engine.delete();
      engines.delete(other);
    }
    engines.set(key, core.engine(rules, options));
  }
  return engines.get(key);
}

/** Return the move of an opponent, a number, and the result that it expects: {move, expected}. */
async function moveOf({ position, opponent, level, files }, tell) {
  const facts = core.position(position);
  const engine = await engineOf(facts.rules, files, level ? 1 : core.threads);
  if (level?.sight) {
    const question = { position, ply: plyOf(facts), level, curve: files.net?.curve };
    const { move, value } = chosen(engine, question);
    return { move, expected: resultOf(value) };
  }
  const seconds = Number(/seconds=([\d.]+)/.exec(opponent)?.[1]) || PERFECT_SECONDS;
  const options = level ? { nodes: level.nodes } : { method: "assisted", seconds };
  const found = engine.search(position, options, ({ move }) => move >= 0 && tell(move));
  if (opponent === "perfect" && !found.exact) {
    throw new Error("Perfect can't solve this position. Choose another opponent.");
  }
  return { move: found.move, expected: resultOf(valueOf(found, plyOf(facts), files.net?.curve)) };
}

/** Return the texts of stones for swap2. */
async function stonesOf({ position, stones, even, files }) {
  const engine = await engineOf(core.position(position).rules, files, 1);
  return evenStones(core, engine, position, stones, even);
}

/** Return the findings of all moves of a position; `tell` gets earlier ones. */
async function scoresOf({ position, nodes, seconds, files }, tell) {
  const facts = core.position(position);
  const engine = await engineOf(facts.rules, files, core.threads);
  return engine.scores(position, { nodes, seconds }, tell);
}

const load = (name, options) => loadCore(fetched(`../core/${name}`), options);

/** Return the core: with threads in a page that may share memory, if the browser has the memory. */
async function loadBest() {
  if (!canShare() || THREADS < 2) return load("core.wasm");
  const helper = new URL("helper.js", self.location.href);
  return load("core-threads.wasm", { threads: THREADS, helper }).catch(() => load("core.wasm"));
}

const ready = loadBest().then((loaded) => {
  core = loaded;
});
let last = Promise.resolve();

onmessage = ({ data }) => {
  last = last.then(async () => {
    const { id } = data;
    try {
      await ready;
      if (data.values) {
        postMessage({ id, sentences: told(core.hint(data.position, data.values)) });
      } else if (data.rules) {
        await engineOf(data.rules, data.files, 1);
        postMessage({ id });
      } else if (data.seconds) {
        const tell = (scores) => postMessage({ id, scores });
        postMessage({ id, scores: await scoresOf(data, tell), done: true });
      } else if (data.stones) {
        postMessage({ id, texts: await stonesOf(data) });
      } else postMessage({ id, ...(await moveOf(data, (better) => postMessage({ id, better }))) });
    } catch (error) {
      postMessage({ id, problem: error.message });
    }
  });
};
