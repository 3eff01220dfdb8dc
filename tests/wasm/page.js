// ask(questions) answers in a worker; stopped(question) stops a search from outside it. `threads`
// is the number of threads of core-threads.wasm; 0 asks core.wasm.
const workers = new Map();

function workerOf(threads) {
  if (!workers.has(threads)) {
    const worker = new Worker(threads ? `worker.js?threads=${threads}` : "worker.js", { type: "module" });
    const waiting = [];
    worker.onmessage = ({ data }) => waiting.shift()(data);
    workers.set(threads, { worker, waiting });
  }
  return workers.get(threads);
}

function send(message, threads) {
  const { worker, waiting } = workerOf(threads);
  worker.postMessage(message);
  return new Promise((done) => waiting.push(done));
}

window.ask = (questions, threads = 0) => send({ questions }, threads);

/** Search without a limit; return the milliseconds from the stop, `after` ms later, to the answer. */
window.stopped = async (question, after, threads = 0) => {
  await window.ask([], threads);
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const answer = send({ questions: [question], stop }, threads);
  await new Promise((done) => setTimeout(done, after));
  const begin = performance.now();
  Atomics.store(stop, 0, 1);
  const [found] = await answer;
  return { milliseconds: performance.now() - begin, found };
};
