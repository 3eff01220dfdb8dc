// ask(questions) answers in a worker; stopped(question) stops a search from outside it.
const worker = new Worker("worker.js", { type: "module" });
const waiting = [];
worker.onmessage = ({ data }) => waiting.shift()(data);

function send(message) {
  worker.postMessage(message);
  return new Promise((done) => waiting.push(done));
}

window.ask = (questions) => send({ questions });

/** Search without a limit; return the milliseconds from the stop, `after` ms later, to the answer. */
window.stopped = async (question, after) => {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const answer = send({ questions: [question], stop });
  await new Promise((done) => setTimeout(done, after));
  const begin = performance.now();
  Atomics.store(stop, 0, 1);
  const [found] = await answer;
  return { milliseconds: performance.now() - begin, found };
};
