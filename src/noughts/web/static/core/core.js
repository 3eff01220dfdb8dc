// The loader of core.wasm, for pages, workers and Node. No other module knows its exports.
//
//     import { loadCore } from "./core.js";
//     const core = await loadCore(fetch(new URL("core.wasm", import.meta.url)));
//     core.perft("ultimate~9.9.9.9.9.9.9.9.9~X~-", 3);              // 6336n
//     const engine = core.engine("connect4");
//     engine.search("connect4~7.7.7.7.7.7~X", { method: "alphabeta", depth: 8 }).pv;
//     engine.delete();
//
// Calls are synchronous: a search blocks its thread, which should be a worker's. Positions are
// position strings. A refused call throws a CoreError with a sentence and its kind.
//
// A search ends early by `engine.stop()` in its report, by an exception of its report, which is
// thrown on, or from another thread by a number other than 0 in `stop`, an Int32Array of one number
// in a SharedArrayBuffer, within 20 ms. Without shared memory, end the worker.
//
// core-threads.wasm is the same core in shared memory, for workers of a page that is isolated from
// other origins: `loadCore(source, { threads: 2, helper: "helper.js" })` starts that script in one more
// worker, and `core.engine(rules, { threads: 2 })` searches with it. The main thread of a page must
// not call it, since it waits for helpers.

import { sentenceOf } from "./words.js";

/** Scores, as in core/search.hpp: a win at ply p is WIN - p; estimates are in units of ESTIMATE_UNIT. */
export const WIN = 30000;
export const SURE = 29000;
export const ESTIMATE_UNIT = 10000;

/** The searches, in the order of `Method` in core/engine.hpp. */
export const METHODS = ["alphabeta", "selective", "mcts", "mcts_random", "solve", "solve_weakly", "assisted", "best"];

/** The kinds of a CoreError: a bad argument; an engine that searches; a stop; the end of the core. */
const KINDS = [null, "value", "busy", "stopped"];

const NO_DEPTH = 2 ** 31 - 1;
const NO_LIMIT = -1n; // As an unsigned number, the largest one.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * A refused call; `kind` is "value", "busy", "stopped" or "ended". The `reason` why a position or a
 * move is refused is a phrase of words.js.
 */
export class CoreError extends Error {
  constructor(message, kind, reason = null) {
    super(message);
    this.name = "CoreError";
    this.kind = kind;
    this.reason = reason;
  }
}

/** The memory of core-threads.wasm: 8 MiB that grow to 1 GiB, in pages. */
const SHARED = { initial: 128, maximum: 16384, shared: true };
const HELPER_STACK = 2 ** 22; // In bytes, as that of the first thread.
const STATE_ABSENT = 0; // Of a helper, as in core/shared.hpp.

/** Return whether this thread may share memory with workers, for core-threads.wasm. */
export const canShare = () => globalThis.crossOriginIsolated === true;

/**
 * Return a Core. `source` is the file core.wasm: a Response or the promise of one, its bytes, or a
 * compiled WebAssembly.Module. For core-threads.wasm, `threads` is the number of threads, and
 * `helper` the address of helper.js.
 */
export async function loadCore(source, { threads = 1, helper = "helper.js" } = {}) {
  let given = await source;
  if (typeof Response !== "undefined" && given instanceof Response) {
    if (!given.ok) throw new CoreError(`core.wasm cannot be loaded: ${given.status}`, "ended");
    given = await given.arrayBuffer();
  }
  const module = given instanceof WebAssembly.Module ? given : await WebAssembly.compile(given);
  const isShared = WebAssembly.Module.imports(module).some(({ kind }) => kind === "memory");
  const memory = isShared ? new WebAssembly.Memory(SHARED) : null;
  const core = new Core(module, memory);
  const added = Array.from({ length: isShared ? threads - 1 : 0 }, () => core.addHelper(helper));
  await Promise.all(added);
  return core;
}

/** In helper.js: lend this thread to the Core that sent `data`; `ready` is called before. */
export function help({ module, memory, address, stack }, ready) {
  const calls = { report() {}, must_stop: () => 0, out_of_memory: outOfMemory };
  const { exports } = new WebAssembly.Instance(module, importsOf(calls, memory));
  exports.__stack_pointer.value = stack;
  ready();
  try {
    exports.help(address);
  } finally {
    const state = new Int32Array(memory.buffer, address, 1);
    Atomics.store(state, 0, STATE_ABSENT);
    Atomics.notify(state, 0);
  }
}

function outOfMemory() {
  throw new CoreError("The core has no memory left. Use smaller tables.", "ended");
}

/** Return the imports of the module with the functions of `noughts`. */
function importsOf(calls, memory, exported = () => memory) {
  const failed = 8; // The number of WASI for a file that is not open.
  return {
    ...(memory && { env: { memory } }),
    noughts: calls,
    wasi_snapshot_preview1: {
      clock_time_get: (_clock, _precision, address) => {
        const view = new DataView(exported().buffer);
        view.setBigUint64(address, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
      fd_close: () => failed,
      fd_seek: () => failed,
      fd_write: () => failed,
    },
  };
}

/** The core: an instance with its own memory and tables. */
export class Core {
  #exports;
  #module;
  #memory;
  #helpers = [];
  #calls = []; // Calls in progress: a report may make another one.
  #ended = null;

  /** Browsers compile large modules only in `loadCore`. `memory` is that of core-threads.wasm. */
  constructor(module, memory = null) {
    const calls = {
      report: (address, size) => this.#report(this.#text(address, size)),
      must_stop: () => this.#mustStop(),
      out_of_memory: outOfMemory,
    };
    const imports = importsOf(calls, memory, () => this.#memory);
    this.#module = module;
    this.#exports = new WebAssembly.Instance(module, imports).exports;
    this.#memory = memory ?? this.#exports.memory;
    this.#run("_initialize");
    this.#run("start");
  }

  /**
   * Return the facts of the position after `moves`, a list of texts, from `start`, a rules id or a
   * position string: the fields of `PositionView` in models.py without its sentences, with the board,
   * the cell of every legal move and the outcome. A bad text or an illegal move is refused.
   */
  position(start, moves = []) {
    try {
      return JSON.parse(this.answer("position", [start, moves.join(" ")]));
    } catch (error) {
      if (error.kind !== "value") throw error;
      const reason = JSON.parse(error.message);
      throw new CoreError(sentenceOf(reason), "value", reason);
    }
  }

  /** Return the phrase that says why a move is not legal in a position, null if it is legal. */
  refusal(position, move) {
    try {
      this.position(position, [move]);
      return null;
    } catch (error) {
      if (error.reason?.code !== "move") throw error;
      return error.reason.reason;
    }
  }

  /**
   * Return the sentences of a hint in a position, [{phrase, sketch}, …]: a threat, the move with its
   * reasons, its value. `values` has those of all legal moves, [{move, value, plies, chance}, …], the move to play first.
   */
  hint(position, values) {
    const words = values.map(
      ({ move, value, plies, chance }) => `${move}:${value[0]}${(value === "unknown" ? chance : plies) ?? ""}`,
    );
    return JSON.parse(this.answer("hint", [position, words.join(" ")]));
  }

  /**
   * Return the tree of a win of five in a row by threats as numbers, as core/threat_tree.hpp explains
   * them; none if no win is found. The side to move wins, with the move `first` unless that is -1;
   * or, if `loses`, the other side. The tree has at most `size` nodes, the search `nodes`.
   */
  threatTree(position, { loses = false, first = -1, size = 1000, nodes = 200_000 } = {}) {
    return JSON.parse(this.answer("threat_tree", [position], [loses ? 1 : 0, first, size, BigInt(nodes)]));
  }

  /** Return the number of move sequences of exactly `depth` plies, as a BigInt. */
  perft(position, depth, { stop } = {}) {
    return BigInt(this.answer("perft", [position], [depth], { stop }));
  }

  /** Play random moves: {plies: [[legal moves, move], …], outcome: 1 X wins, 2 O wins, 3 a draw}. */
  randomGame(position, seed) {
    return JSON.parse(this.answer("random_game", [position], [BigInt(seed)]));
  }

  /** Return the index of a Connect Four position in a book, and the length of that book. */
  bookPlace(position) {
    return JSON.parse(this.answer("book_place", [position]));
  }

  /**
   * Count the positions of each ply after a start position. `report` gets a list for each ply: for
   * outcomes 0 to 3, [classes, positions, move sequences]. Return the reason of the end: "complete",
   * "plies", "seconds", "memory" or "overflow".
   */
  count(position, { plies = NO_DEPTH, seconds = Infinity, bytes = 2 ** 30, stop } = {}, report = null) {
    const heard = (layer) => report?.(layer.map(([classes, positions, games]) => [classes, positions, BigInt(games)]));
    return JSON.parse(this.answer("count", [position], [plies, seconds, BigInt(bytes)], { stop, report: heard }));
  }

  /** Return the net of the bytes of its file, not compressed. */
  weights(bytes) {
    return new Weights(this, bytes);
  }

  /**
   * Return an engine for the games of a rules id.
   *
   * Options: `tableMib` memory of its tables; `seed`; `threads` of alpha-beta; `evaluation` "" or "report"; `net` Weights;
   * `book` the bytes of a book, not compressed, for positions with `stones` stones.
   */
  engine(rules, options = {}) {
    return new Engine(this, rules, options);
  }

  /** The number of threads that an engine can have. */
  get threads() {
    return 1 + this.#helpers.length;
  }

  /** Start a worker that lends its thread, for core-threads.wasm; wait until it is ready. */
  async addHelper(script) {
    const stack = (this.#run("allocate", HELPER_STACK) + HELPER_STACK) & -16;
    const address = this.#run("add_helper");
    if (!address) throw new CoreError("The core has no place for more threads.", "value");
    const worker = new Worker(script, { type: "module" });
    this.#helpers.push(worker);
    await new Promise((resolve, reject) => {
      worker.onmessage = resolve;
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new CoreError("A thread of the core could not be started.", "ended"));
      };
      worker.postMessage({ module: this.#module, memory: this.#memory, address, stack });
    });
    // It is ready, but not waiting yet.
    const state = new Int32Array(this.#memory.buffer, address, 1);
    Atomics.wait(state, 0, STATE_ABSENT, 1000);
  }

  /** End the workers of its threads. */
  close() {
    for (const worker of this.#helpers.splice(0)) worker.terminate();
  }

  /** For Weights and Engine: call an export that ends in an answer, and return its text. */
  answer(name, texts, numbers = [], { handle, stop, report } = {}) {
    const call = { stop, report, failure: null };
    this.#calls.push(call);
    let size;
    try {
      size = this.call(name, texts, numbers, handle);
    } finally {
      this.#calls.pop();
    }
    if (call.failure) throw call.failure.error;
    if (size < 0) this.refuse();
    return this.#answer();
  }

  /** Throw the message of the last call. */
  refuse() {
    throw new CoreError(this.#answer(), KINDS[this.#run("fault")]);
  }

  /** Call an export with a handle, texts and numbers; return its number. */
  call(name, texts = [], numbers = [], handle = undefined) {
    const given = texts.map((text) => this.give(text));
    const first = handle === undefined ? [] : [handle];
    const result = this.#run(name, ...first, ...given.flat(), ...numbers);
    for (const [address] of given) this.#run("release", address);
    return result;
  }

  /** Copy a text or bytes to memory of the core; return the address and size. */
  give(text) {
    const bytes = typeof text === "string" ? encoder.encode(text) : text;
    const address = this.#run("allocate", bytes.length);
    this.#bytes(address, bytes.length).set(bytes);
    return [address, bytes.length];
  }

  // After an exception the memory of the core is not in order.
  #run(name, ...numbers) {
    if (this.#ended) throw this.#ended;
    try {
      return this.#exports[name](...numbers);
    } catch (error) {
      this.#ended =
        error instanceof CoreError ? error : new CoreError(`The core has failed: ${error.message}`, "ended");
      throw this.#ended;
    }
  }

  #answer() {
    return this.#text(this.#run("answer"), this.#run("answer_size"));
  }

  #bytes(address, size) {
    return new Uint8Array(this.#memory.buffer, address, size);
  }

  // Browsers decode no shared memory, so that is copied.
  #text(address, size) {
    const bytes = this.#bytes(address, size);
    return decoder.decode(bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice());
  }

  // An exception must not pass through the core, which would keep its call open.
  #report(text) {
    const call = this.#calls.at(-1);
    if (!call.report || call.failure) return;
    try {
      call.report(JSON.parse(text));
    } catch (error) {
      call.failure = { error };
    }
  }

  #mustStop() {
    const call = this.#calls.at(-1);
    return Number(Boolean(call?.failure || (call?.stop && Atomics.load(call.stop, 0) !== 0)));
  }
}

/** A net, the learned evaluation of nine-board games; engines may share it. */
export class Weights {
  constructor(core, bytes) {
    this.core = core;
    this.handle = core.call("net_new", [bytes]);
    if (!this.handle) core.refuse();
  }

  /** Return the estimate of an unfinished position, without a search. */
  estimate(position) {
    return Number(this.core.answer("net_estimate", [position], [], { handle: this.handle }));
  }

  /** Free the memory; engines that use the net keep it. */
  delete() {
    if (this.handle) this.core.call("net_delete", [], [], this.handle);
    this.handle = 0;
  }
}

/** The searches of one set of rules, with their tables. */
export class Engine {
  constructor(core, rules, options = {}) {
    const { tableMib = 64, seed = 0, threads = 1, evaluation = "", stones = 0, book = null, net = null } = options;
    this.core = core;
    const [id, kind] = [core.give(rules), core.give(evaluation)];
    const kept = book?.length ? core.give(book) : [0, 0];
    const numbers = [...id, tableMib, BigInt(seed), ...kind, stones, ...kept, net?.handle || 0, threads];
    this.handle = core.call("engine_new", [], numbers);
    for (const [address] of [id, kind]) core.call("release", [], [address]);
    if (!this.handle) core.refuse();
  }

  /**
   * Search a position and return its finding: {move, score, exact, lower, upper, depth, nodes,
   * simulations, seconds, table_use, pv}. `report` gets each better finding.
   *
   * Options: a `method` of METHODS, `best` if left out; the limits `depth`, `nodes`, `seconds`, `simulations` and
   * `target`, null for none; `stop` as above.
   */
  search(position, options = {}, report = null) {
    return this.#ask("engine_search", position, options, report);
  }

  /** Return [[move, finding], …] for every legal move, best first; options as for `search`. */
  scores(position, options = {}, report = null) {
    return this.#ask("engine_scores", position, options, report);
  }

  /** Reset the stop flag; a later `stop` ends the next search. */
  arm() {
    this.core.call("engine_arm", [], [], this.handle);
  }

  /** Stop the search in progress, from its report, or the next one. */
  stop() {
    this.core.call("engine_stop", [], [], this.handle);
  }

  /** Clear all tables: the next search starts from nothing. */
  clear() {
    this.core.answer("engine_clear", [], [], { handle: this.handle });
  }

  /** Free the memory. */
  delete() {
    if (this.handle) this.core.answer("engine_delete", [], [], { handle: this.handle });
    this.handle = 0;
  }

  #ask(name, position, { method = "best", depth, nodes, seconds, simulations, target, stop }, report) {
    const number = METHODS.indexOf(method);
    if (number < 0) throw new CoreError(`There is no method "${method}". Methods: ${METHODS.join(" ")}.`, "value");
    const limits = [
      number,
      depth ?? NO_DEPTH,
      BigInt(nodes ?? NO_LIMIT),
      seconds ?? Infinity,
      BigInt(simulations ?? NO_LIMIT),
      target ?? Infinity,
    ];
    return JSON.parse(this.core.answer(name, [position], limits, { handle: this.handle, stop, report }));
  }
}
