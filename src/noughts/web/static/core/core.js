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

/** Scores, as in core/search.hpp: a win at ply p is WIN - p; estimates are in units of ESTIMATE_UNIT. */
export const WIN = 30000;
export const SURE = 29000;
export const ESTIMATE_UNIT = 10000;

/** The searches, in the order of `Method` in core/engine.hpp. */
export const METHODS = ["alphabeta", "selective", "mcts", "mcts_random", "solve", "solve_weakly", "assisted"];

/** The kinds of a CoreError: a bad argument; an engine that searches; a stop; the end of the core. */
const KINDS = [null, "value", "busy", "stopped"];

const NO_DEPTH = 2 ** 31 - 1;
const NO_LIMIT = -1n; // As an unsigned number, the largest one.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A refused call; `kind` is "value", "busy", "stopped" or "ended". */
export class CoreError extends Error {
  constructor(message, kind) {
    super(message);
    this.name = "CoreError";
    this.kind = kind;
  }
}

/**
 * Return a Core. `source` is the file core.wasm: a Response or the promise of one, its bytes, or a
 * compiled WebAssembly.Module.
 */
export async function loadCore(source) {
  let given = await source;
  if (typeof Response !== "undefined" && given instanceof Response) {
    if (!given.ok) throw new CoreError(`core.wasm cannot be loaded: ${given.status}`, "ended");
    given = await given.arrayBuffer();
  }
  const module = given instanceof WebAssembly.Module ? given : await WebAssembly.compile(given);
  return new Core(module);
}

/** The core: an instance with its own memory and tables. */
export class Core {
  #exports;
  #calls = []; // Calls in progress: a report may make another one.
  #ended = null;

  /** Browsers compile large modules only in `loadCore`. */
  constructor(module) {
    const failed = 8; // The number of WASI for a file that is not open.
    const instance = new WebAssembly.Instance(module, {
      noughts: {
        report: (address, size) => this.#report(decoder.decode(this.#bytes(address, size))),
        must_stop: () => this.#mustStop(),
        out_of_memory: () => {
          throw new CoreError("The core has no memory left. Use smaller tables.", "ended");
        },
      },
      wasi_snapshot_preview1: {
        clock_time_get: (_clock, _precision, address) => {
          const view = new DataView(this.#exports.memory.buffer);
          view.setBigUint64(address, BigInt(Math.round(performance.now() * 1e6)), true);
          return 0;
        },
        fd_close: () => failed,
        fd_seek: () => failed,
        fd_write: () => failed,
      },
    });
    this.#exports = instance.exports;
    this.#run("_initialize");
    this.#run("start");
  }

  /**
   * Return the facts of the position after `moves`, a list of texts, from `start`, a rules id or a
   * position string: the fields of `PositionView` in models.py without its sentences, with the board,
   * the cell of every legal move and the outcome. A bad text or an illegal move is refused.
   */
  position(start, moves = []) {
    return JSON.parse(this.answer("position", [start, moves.join(" ")]));
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
   * Options: `tableMib` memory of its tables; `seed`; `evaluation` "" or "report"; `net` Weights;
   * `book` the bytes of a book, not compressed, for positions with `stones` stones.
   */
  engine(rules, options = {}) {
    return new Engine(this, rules, options);
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
    return decoder.decode(this.#bytes(this.#run("answer"), this.#run("answer_size")));
  }

  #bytes(address, size) {
    return new Uint8Array(this.#exports.memory.buffer, address, size);
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
  constructor(core, rules, { tableMib = 64, seed = 0, evaluation = "", stones = 0, book = null, net = null } = {}) {
    this.core = core;
    const [id, kind] = [core.give(rules), core.give(evaluation)];
    const kept = book?.length ? core.give(book) : [0, 0];
    const numbers = [...id, tableMib, BigInt(seed), ...kind, stones, ...kept, net?.handle || 0];
    this.handle = core.call("engine_new", [], numbers);
    for (const [address] of [id, kind]) core.call("release", [], [address]);
    if (!this.handle) core.refuse();
  }

  /**
   * Search a position and return its finding: {move, score, exact, lower, upper, depth, nodes,
   * simulations, seconds, table_use, pv}. `report` gets each better finding.
   *
   * Options: a `method` of METHODS; the limits `depth`, `nodes`, `seconds`, `simulations` and
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

  #ask(name, position, { method = "alphabeta", depth, nodes, seconds, simulations, target, stop }, report) {
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
