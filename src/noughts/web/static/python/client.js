// Calls of Python in a worker, which starts at the first one.
//
//     const python = new Python({ loading: ({ done, of }) => … });
//     const why = await python.call("explain", { start: "basic", moves: ["5"] });
//     await python.call("review", { start, moves }, { progress, signal, seconds: 60 });
//
// Calls wait for each other. Python cannot be interrupted: a call that is cancelled or takes too
// long ends the worker, and the next call starts a new one. The calls that wait are not affected.

const SECONDS = 120;
/** Calls that run a visitor's code: its worker ends with the call, so that nothing of it stays. */
const FOREIGN = new Set(["check"]);

/** A call without a result; `document` is a problem document, as the server's. */
export class PythonProblem extends Error {
  constructor(document) {
    super(document.detail);
    this.name = "PythonProblem";
    this.document = document;
  }
}

function problem(kind, status, detail) {
  const words = kind.replaceAll("-", " ");
  const title = words[0].toUpperCase() + words.slice(1);
  return new PythonProblem({ type: `urn:noughts:${kind}`, title, status, detail });
}

/** Python in a worker. */
export class Python {
  #worker = null;
  #waiting = [];
  #running = null;
  #next = 1;

  /** `loading` gets {done, of} in bytes while the files are loaded; `url` is the worker's address. */
  constructor({ loading = () => {}, url = new URL("python/worker.js", document.baseURI) } = {}) {
    this.loading = loading;
    this.url = url;
  }

  /**
   * Return the promise of a result of `noughts.answers.calls`; it is rejected with a PythonProblem.
   *
   * `progress` gets {done, of}; `found` what the call has found before its end; `signal` cancels the call; `seconds` bounds the call itself, not the
   * time in which files are loaded or other calls run.
   */
  call(name, given = {}, { progress = () => {}, found = () => {}, signal = null, seconds = SECONDS } = {}) {
    return new Promise((resolve, reject) => {
      const asked = { id: this.#next++, name, given, progress, found, seconds, resolve, reject, signal };
      asked.cancel = () => this.#cancel(asked);
      if (signal?.aborted) {
        reject(problem("cancelled", 499, "The call was cancelled."));
        return;
      }
      signal?.addEventListener("abort", asked.cancel, { once: true });
      this.#waiting.push(asked);
      this.#begin();
    });
  }

  /** End the worker and all calls. */
  close() {
    for (const asked of this.#waiting.splice(0)) this.#reject(asked, problem("ended", 503, "Python was ended."));
    this.#end(problem("ended", 503, "Python was ended."));
  }

  #begin() {
    if (this.#running || this.#waiting.length === 0) return;
    const asked = (this.#running = this.#waiting.shift());
    if (!this.#worker) this.#start();
    else this.#limit(asked);
    this.#worker.postMessage({ id: asked.id, call: asked.name, arguments: asked.given });
  }

  #start() {
    const worker = (this.#worker = new Worker(this.url, { type: "module" }));
    worker.onmessage = ({ data }) => {
      if (this.#worker === worker) this.#take(data);
    };
    worker.onerror = (event) => {
      event.preventDefault?.();
      if (this.#worker !== worker) return;
      this.#end(problem("died", 503, `Python ended unexpectedly. ${event.message ?? ""}`.trim()));
    };
  }

  #limit(asked) {
    const detail = `This took more than ${asked.seconds} seconds and was stopped.`;
    asked.timer = setTimeout(() => this.#end(problem("too-long", 503, detail)), 1000 * asked.seconds);
  }

  #take(data) {
    const asked = this.#running;
    if (data.loading) this.loading(data.loading);
    if (data.ready && asked) this.#limit(asked);
    if (data.id === undefined || data.id !== asked?.id) return;
    if (data.progress) {
      asked.progress(data.progress);
      return;
    }
    if (data.found) {
      asked.found(data.found);
      return;
    }
    this.#settle(asked);
    const { type } = data.problem ?? {};
    if (FOREIGN.has(asked.name) || type === "urn:noughts:internal" || type === "urn:noughts:loading") this.#stop();
    if (data.problem) asked.reject(new PythonProblem(data.problem));
    else asked.resolve(data.result);
    this.#begin();
  }

  #cancel(asked) {
    const why = problem("cancelled", 499, "The call was cancelled.");
    if (asked === this.#running) {
      this.#end(why);
      return;
    }
    this.#waiting = this.#waiting.filter((each) => each !== asked);
    this.#reject(asked, why);
  }

  /** End the worker and the running call; the next one starts a new worker. */
  #end(why) {
    const asked = this.#running;
    this.#stop();
    if (asked) {
      this.#settle(asked);
      asked.reject(why);
    }
    this.#begin();
  }

  #stop() {
    this.#worker?.terminate();
    this.#worker = null;
  }

  #settle(asked) {
    clearTimeout(asked.timer);
    asked.signal?.removeEventListener("abort", asked.cancel);
    this.#running = null;
  }

  #reject(asked, why) {
    asked.signal?.removeEventListener("abort", asked.cancel);
    asked.reject(why);
  }
}
