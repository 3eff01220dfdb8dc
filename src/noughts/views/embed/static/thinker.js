// The thread that thinks for all boards of a page: a worker, or slices where a policy forbids workers.
//
//   question ──ask()──► {answer: Promise, stop()}
//
// Questions are answered one after the other. A stop ends the worker, since memory is not shared; the
// next question starts another one.

import { Core } from "/static/core/core.js";
import { answer, answerInSlices } from "./answers.js";

/** Milliseconds until a worker that tells nothing is given up. */
const PATIENCE = 3_000;

// Pages opened from a folder may replace it later, by scripts that start no worker from a Blob.
const FirstWorker = globalThis.Worker;

/** In a worker: answer the questions of the page. */
export function serve(worker) {
  let core = null;
  worker.onmessage = ({ data: { module, question } }) => {
    if (module) {
      core = new Core(module);
      worker.postMessage({ isReady: true });
      return;
    }
    try {
      worker.postMessage({ answer: answer(core, question, (report) => worker.postMessage({ report })) });
    } catch (error) {
      worker.postMessage({ problem: error.message });
    }
  };
}

/** Return the thinker of a page. `source` is the script of a worker that calls `serve`. */
export function createThinker(source, module) {
  const waiting = [];
  let current = null;
  let worker = null;
  let mayWork = typeof FirstWorker === "function";
  let ownCore = null;

  function start() {
    try {
      const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
      const made = new FirstWorker(address);
      let isReady = false;
      made.onmessage = ({ data }) => {
        if (data.isReady) {
          isReady = true;
          URL.revokeObjectURL(address);
        } else if (data.report) current?.report(data.report);
        else if (data.problem) end((job) => job.fail(new Error(data.problem)));
        else end((job) => job.done(data.answer));
      };
      const giveUp = () => {
        if (made !== worker) return;
        made.terminate();
        worker = null;
        if (isReady) end((job) => job.fail(new Error("The search has failed.")));
        else {
          mayWork = false;
          run();
        }
      };
      made.onerror = (event) => {
        event.preventDefault?.();
        giveUp();
      };
      setTimeout(() => isReady || giveUp(), PATIENCE);
      made.postMessage({ module });
      return made;
    } catch {
      mayWork = false;
      return null;
    }
  }

  /** Let the current question be answered. */
  async function run() {
    if (!current) return;
    if (mayWork) worker ??= start();
    if (worker) {
      worker.postMessage({ question: current.question });
      return;
    }
    const job = current;
    try {
      ownCore ??= new Core(module);
      const found = await answerInSlices(ownCore, job.question, job.report, () => job !== current);
      if (job === current) end(() => job.done(found));
    } catch (error) {
      ownCore = null;
      if (job === current) end(() => job.fail(error));
    }
  }

  function end(tell) {
    const job = current;
    current = waiting.shift() ?? null;
    if (job) tell(job);
    run();
  }

  return {
    /** Ask a question. `report` gets values of growing depth; the answer of a stopped one is null. */
    ask(question, report = () => {}) {
      let job = null;
      const answer = new Promise((done, fail) => {
        job = { question, report, done, fail };
      });
      const stop = () => {
        if (waiting.includes(job)) waiting.splice(waiting.indexOf(job), 1);
        job.done(null);
        if (job !== current) return;
        worker?.terminate();
        worker = null;
        end(() => {});
      };
      if (current) waiting.push(job);
      else {
        current = job;
        run();
      }
      return { answer, stop };
    },
  };
}
