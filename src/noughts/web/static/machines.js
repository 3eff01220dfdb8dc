// Machines that play, and analyses, each in a worker with the core.
//
//   think(position, opponent) ──► worker.js ──► the text of a move
//   step(position, opponent)  ──► worker.js ──► the stones or the choice of a machine in swap2
//   analyse(position, hear)   ──► worker.js ──► AnalysisView data, several times
//   hint(position, hear)      ──► the same, and the reasons of the core ──► HintView data
//
// A search blocks its worker: a stop ends it, and another one starts for the next search.

import { createAnalysis } from "/static/core/analysis.js";
import { randomStones } from "/static/core/even.js";

const ANALYSIS_SECONDS = 20;
const PAUSE = 100; // Milliseconds between two views of one analysis.

/**
 * Return {warm, prepare, think, step, analyse, hint}.
 *
 * `address` is that of the worker; the others are the data of noughts/web/visitor.py, `limit` that of a hint.
 */
export function createMachines({ address, levels, nets, books, hint: limit, even }) {
  let worker = null;
  let analyst = null;
  let asked = 0;

  /** Return the level of play of an opponent, {nodes, sight, slip, blur}; null for other opponents. */
  function levelOf(rules, opponent) {
    const number = /^engine:level=(\d+)$/.exec(opponent)?.[1];
    return number ? (levels[rules.split(":")[0]] ?? levels.default)[Number(number) - 1] : null;
  }

  /** Return the net and the book of some rules, {net, book}. */
  function filesOf(rules) {
    return { net: nets[rules] ?? null, book: books[rules] ?? null };
  }

  const created = () => new Worker(address, { type: "module" });

  /** Load the core, which the first search needs. */
  function warm() {
    worker ??= created();
  }

  /** Send a question to the worker of the machines; `hear` gets its answers, `fail` a sentence. */
  function ask(question, hear, fail) {
    warm();
    asked += 1;
    const id = asked;
    const mine = worker;
    const listen = ({ data }) => data.id === id && hear(data);
    const leave = () => mine.removeEventListener("message", listen);
    const end = () => {
      leave();
      mine.terminate();
      if (worker === mine) worker = null;
    };
    mine.addEventListener("message", listen);
    mine.onerror = (event) => {
      event.preventDefault();
      end();
      fail("The machine could not be loaded. Reload the page.");
    };
    mine.postMessage({ id, ...question });
    return { leave, end };
  }

  /** Load the core and the files of some rules; the promise is rejected with a sentence. */
  function prepare(rules) {
    return new Promise((resolve, reject) => {
      const fail = (problem) => reject(new Error(problem));
      const hear = ({ problem }) => {
        question.leave();
        if (problem) fail(problem);
        else resolve();
      };
      const question = ask({ rules, files: filesOf(rules) }, hear, fail);
    });
  }

  /**
   * Begin the step of a machine in swap2, as noughts/arena/swap2.py: to choose if `choices` are due, else to
   * place `stones`. Return {move, end}: the promise of {choice, moves}, with texts, rejected with a sentence.
   */
  function step(view, opponent, choices, stones) {
    const texts = Object.keys(view.moves);
    const { position, rules } = view;
    if (opponent === "random") {
      const choice = choices[Math.floor(Math.random() * choices.length)] ?? null;
      const count = choice ? { X: 0, O: 1, more: 2 }[choice] : stones;
      return { move: Promise.resolve({ choice, moves: randomStones(texts, count) }), end() {} };
    }
    const files = filesOf(rules);
    const asked = choices.length
      ? { position, opponent, level: levelOf(rules, opponent), files }
      : { position, stones, even, files };
    let question = null;
    const move = new Promise((resolve, reject) => {
      const fail = (problem) => reject(new Error(problem));
      const hear = (answer) => {
        if (answer.better !== undefined) return;
        question.leave();
        if (answer.problem) fail(answer.problem);
        else if (answer.texts) resolve({ choice: null, moves: answer.texts });
        else if (answer.expected < 0) resolve({ choice: "X", moves: [] });
        else resolve({ choice: "O", moves: [view.board.names[answer.move]] });
      };
      question = ask(asked, hear, fail);
    });
    return { move, end: () => question.end() };
  }

  /**
   * Begin to think about a position, a `PositionView`. Return {move, stop, end}: the promise of the
   * text of a move, rejected with a sentence; `stop` ends the search with its best move so far, and
   * `end` without one.
   */
  function think(view, opponent) {
    const texts = Object.keys(view.moves);
    const textOf = (number) => view.board.names[number];
    const any = () => texts[Math.floor(Math.random() * texts.length)];
    if (opponent === "random") return { move: Promise.resolve(any()), stop() {}, end() {} };
    const { position, rules } = view;
    const level = levelOf(rules, opponent);
    let best = null;
    let settle = () => {};
    const move = new Promise((resolve, reject) => {
      settle = ({ move: number, problem }) =>
        problem ? reject(new Error(problem)) : resolve(textOf(number));
    });
    const hear = (answer) => {
      if (answer.better === undefined) {
        question.leave();
        settle(answer);
      } else best = answer.better;
    };
    const fail = (problem) => settle({ problem });
    const question = ask({ position, opponent, level, files: filesOf(rules) }, hear, fail);
    return {
      move,
      stop() {
        // A level searches for some tenths of a second, and has no move before its end.
        if (best === null) return;
        question.end();
        settle({ move: best });
      },
      end: question.end,
    };
  }

  /**
   * Begin to analyse a position, a `PositionView`: `hear` gets AnalysisView data, the last with `done`,
   * and `fail` a sentence. Return {prove, stop}: `prove` takes the proofs of another search.
   */
  function analyse(position, { proofs, hear, fail }) {
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
      if (!scores) return; // The end of a hint that was stopped.
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
    const limit = { nodes: position.nodes, seconds: position.seconds ?? ANALYSIS_SECONDS };
    mine.postMessage({ id: 0, position: position.position, ...limit, files });
    return {
      prove(found) {
        analysis.prove(found);
        show();
      },
      stop,
    };
  }

  /** Find a hint for a position, a `PositionView`: `hear` gets HintView data; else as `analyse`. */
  function hint(position, { proofs, hear, fail }) {
    const heard = ({ done, move, value, values }) => {
      if (!done) return;
      const mine = analyst;
      mine.onmessage = ({ data: { sentences, problem } }) => {
        if (problem) fail(problem);
        else hear({ move, value, sentences });
      };
      const [best, others] = [{ move, ...values[move] }, Object.keys(values).filter((each) => each !== move)];
      const all = [best, ...others.map((each) => ({ move: each, ...values[each] }))];
      mine.postMessage({ id: 0, position: position.position, values: all });
    };
    return analyse({ ...position, ...limit }, { proofs, hear: heard, fail });
  }

  return { warm, prepare, think, step, analyse, hint };
}
