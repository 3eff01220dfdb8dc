// Machines that play, and analyses, each in a worker with the core.
//
//   think(position, opponent) ──► worker.js ──► the text of a move
//   analyse(position, hear)   ──► worker.js ──► AnalysisView data, streamed
//
// A search blocks its worker: a stop ends it, and another one starts for the next search.

import { createAnalysis } from "/static/core/analysis.js";
import { fileName, moveOfFile } from "/static/site/checked.js";
import { site } from "/static/site/parts.js";

const FOLDER = "./app/"; // Of the scripts, as noughts/site/build.py writes them.

const ANALYSIS_SECONDS = 20;
const PAUSE = 100; // Milliseconds between two views of one analysis.

let worker = null;
let analyst = null;
let asked = 0;

/** Return the level of play of an opponent, {nodes, sight, slip, blur}; null for other opponents. */
function levelOf(rules, opponent) {
  const number = /^engine:level=(\d+)$/.exec(opponent)?.[1];
  const { levels } = site();
  return number ? (levels[rules.split(":")[0]] ?? levels.default)[Number(number) - 1] : null;
}

/** Return the net and the book of some rules, {net, book}. */
function filesOf(rules) {
  const { nets, books } = site();
  return { net: nets[rules] ?? null, book: books[rules] ?? null };
}

const created = () => new Worker(new URL(`${FOLDER}worker.js`, document.baseURI), { type: "module" });

/** Load the core, which the first search needs. */
export function prepare() {
  worker ??= created();
}

/**
 * Begin to think about a position, a `PositionView`. Return {move, stop, end}: the promise of the
 * text of a move, rejected with a sentence; a checked file without a legal move gives null. `stop`
 * ends the search with its best move so far, and `end` without one.
 */
export function think(view, opponent) {
  const texts = Object.keys(view.moves);
  const textOf = (number) => view.board.names[number];
  const any = () => texts[Math.floor(Math.random() * texts.length)];
  if (opponent === "random") return { move: Promise.resolve(any()), stop() {}, end() {} };
  if (fileName(opponent)) return { move: moveOfFile(opponent, view.position), stop() {}, end() {} };
  asked += 1;
  const id = asked;
  let best = null;
  let settle = () => {};
  prepare();
  const mine = worker;
  const end = () => {
    mine.removeEventListener("message", hear);
    mine.terminate();
    if (worker === mine) worker = null;
  };
  function hear({ data }) {
    if (data.id !== id) return;
    if (data.better !== undefined) {
      best = data.better;
      return;
    }
    mine.removeEventListener("message", hear);
    settle(data);
  }
  const move = new Promise((resolve, reject) => {
    settle = ({ move: number, problem }) =>
      problem ? reject(new Error(problem)) : resolve(textOf(number));
    mine.addEventListener("message", hear);
    mine.onerror = (event) => {
      event.preventDefault();
      end();
      reject(new Error("The machine could not be loaded. Reload the page."));
    };
    const { position, rules } = view;
    const level = levelOf(rules, opponent);
    mine.postMessage({ id, position, opponent, level, files: filesOf(rules) });
  });
  return {
    move,
    stop() {
      // A level searches for some tenths of a second, and has no move before its end.
      if (best === null) return;
      end();
      settle({ move: best });
    },
    end,
  };
}

/**
 * Begin to analyse a position, a `PositionView`: `hear` gets AnalysisView data, the last with `done`,
 * and `fail` a sentence. Return {prove, stop}: `prove` takes the proofs of another search.
 */
export function analyse(position, { proofs, hear, fail }) {
  analyst ??= created();
  const mine = analyst;
  const { rules } = position;
  const files = filesOf(rules);
  const analysis = createAnalysis(position, files.net?.curve, proofs);
  let isDone = false;
  let timer = 0;
  const show = () => {
    timer = 0;
    hear(analysis.view(isDone));
  };
  mine.onmessage = ({ data: { scores, done, problem } }) => {
    if (problem) {
      isDone = true;
      fail(problem);
      return;
    }
    isDone = Boolean(done);
    analysis.add(scores);
    if (isDone) {
      clearTimeout(timer);
      show();
    } else timer ||= setTimeout(show, PAUSE);
  };
  mine.onerror = (event) => {
    event.preventDefault();
    stop();
    fail("The analysis could not be loaded. Reload the page.");
  };
  /** End the search at once; another worker gets ready for the next one. */
  function stop() {
    clearTimeout(timer);
    mine.onmessage = null;
    if (isDone || mine !== analyst) return;
    mine.terminate();
    analyst = created();
  }
  mine.postMessage({ id: 0, position: position.position, seconds: ANALYSIS_SECONDS, files });
  return {
    prove(found) {
      analysis.prove(found);
      show();
    },
    stop,
  };
}
