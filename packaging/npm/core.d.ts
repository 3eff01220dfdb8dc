import type { Phrase } from "./words.js";

/** Scores: a win at ply p is WIN - p; from SURE on a result is proven; estimates have the unit ESTIMATE_UNIT. */
export const WIN: number;
export const SURE: number;
export const ESTIMATE_UNIT: number;
export const METHODS: readonly Method[];

export type Method =
  | "alphabeta"
  | "selective"
  | "mcts"
  | "mcts_random"
  | "solve"
  | "solve_weakly"
  | "assisted"
  | "best";

/** A refused call. */
export class CoreError extends Error {
  constructor(message: string, kind: CoreError["kind"], reason?: Phrase | null);
  /** A bad argument; an engine that searches; a stop; a core that cannot be used any more. */
  readonly kind: "value" | "busy" | "stopped" | "ended";
  /** Why a position or a move is refused. */
  readonly reason: Phrase | null;
}

/** Whether this thread may share memory with workers, for core-threads.wasm. */
export function canShare(): boolean;

/** core.wasm, rules.wasm or core-threads.wasm. */
export type Source = Response | BufferSource | WebAssembly.Module;

/**
 * Return a core. `threads` and `helper`, the address of helper.js, are for core-threads.wasm.
 */
export function loadCore(
  source: Source | PromiseLike<Source>,
  options?: { threads?: number; helper?: string | URL },
): Promise<Core>;

/** In a script of a helper of core-threads.wasm: lend this thread to the core that sent `data`. */
export function help(data: unknown, ready: () => void): void;

export interface Board {
  readonly kind: "grid" | "rack" | "nested";
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
  /** A character for each cell: `X`, `O` or `.`; on nine boards, board by board. */
  readonly cells: string;
  /** The names of the cells, in a rack of the columns. */
  readonly names: readonly string[];
  /** A character for each of nine boards: `X`, `O`, `D` or `-`. */
  readonly owners: string | null;
  readonly plays_on: boolean;
  readonly lines: readonly (readonly number[])[];
  readonly board_lines: readonly (readonly number[])[];
}

export interface Outcome {
  readonly winner: "X" | "O" | null;
  readonly termination: string;
  readonly sentence: Phrase;
}

/** The facts of a position. */
export interface Facts {
  readonly turn: "X" | "O";
  readonly board: Board;
  /** Boards, counted from 0, on which the next move may be played. */
  readonly open: readonly number[];
  readonly forced: number | null;
  readonly named: number | null;
  /** The cell of the last move. */
  readonly last: number | null;
  /** The position string. */
  readonly position: string;
  /** The rules id. */
  readonly rules: string;
  readonly ply: number;
  /** The cell of each legal move. */
  readonly moves: Readonly<Record<string, number>>;
  readonly outcome: Outcome | null;
  readonly situation: Phrase | null;
}

/** The value of a move, for hints: `chance` is the expected score of one that is not proven. */
export interface MoveValue {
  move: string;
  value: "win" | "draw" | "loss" | "unknown";
  plies?: number | null;
  chance?: number | null;
}

/** A sentence of a hint, with the marks that show it on a board. */
export interface HintSentence {
  readonly phrase: Phrase;
  readonly sketch: unknown;
}

/** Another thread ends a call by a number other than 0, in a SharedArrayBuffer. */
export interface Stoppable {
  stop?: Int32Array;
}

export interface Limits extends Stoppable {
  method?: Method;
  depth?: number | null;
  nodes?: number | bigint | null;
  seconds?: number | null;
  simulations?: number | bigint | null;
  target?: number | null;
}

/** The result of a search, for the side to move. */
export interface Finding {
  readonly move: number;
  readonly score: number;
  readonly exact: boolean;
  readonly lower: number;
  readonly upper: number;
  readonly depth: number;
  readonly nodes: number;
  readonly simulations: number;
  readonly seconds: number;
  readonly table_use: number;
  /** The best line, as moves. */
  readonly pv: readonly number[];
}

export interface EngineOptions {
  tableMib?: number;
  seed?: number | bigint;
  threads?: number;
  evaluation?: "" | "report";
  /** For positions with this number of stones, the bytes of a book, not compressed. */
  stones?: number;
  book?: Uint8Array | null;
  net?: Weights | null;
}

export type CountEnd = "complete" | "plies" | "seconds" | "memory" | "overflow";

/** The rules, searches and solvers; calls block their thread. */
export class Core {
  constructor(module: WebAssembly.Module, memory?: WebAssembly.Memory | null);
  /** The position after `moves` from a rules id or a position string. */
  position(start: string, moves?: readonly string[]): Facts;
  /** Why a move is not legal, null if it is. */
  refusal(position: string, move: string): Phrase | null;
  /** A hint from the values of all legal moves, the one to play first. */
  hint(position: string, values: readonly MoveValue[]): HintSentence[];
  /** The tree of a win of five in a row by threats as numbers, see core/threat_tree.hpp; none without a win. */
  threatTree(
    position: string,
    options?: { loses?: boolean; first?: number; size?: number; nodes?: number },
  ): number[];
  /** The number of move sequences of exactly `depth` plies. */
  perft(position: string, depth: number, options?: Stoppable): bigint;
  /** A random game: for each ply the legal moves and the one played; outcome 1 X wins, 2 O wins, 3 a draw. */
  randomGame(position: string, seed: number | bigint): { plies: [number[], number][]; outcome: 1 | 2 | 3 };
  /** The index of a Connect Four position in a book, and the length of the book. */
  bookPlace(position: string): [number, number];
  /** Count the positions of each ply: `report` gets, by outcome, classes, positions and move sequences. */
  count(
    position: string,
    limits?: { plies?: number; seconds?: number; bytes?: number | bigint } & Stoppable,
    report?: ((layer: [number, number, bigint][]) => void) | null,
  ): CountEnd;
  weights(bytes: Uint8Array): Weights;
  engine(rules: string, options?: EngineOptions): Engine;
  readonly threads: number;
  addHelper(script: string | URL): Promise<void>;
  /** End the workers of its threads. */
  close(): void;
}

/** A net, the learned evaluation of nine-board games. */
export class Weights {
  private constructor();
  estimate(position: string): number;
  delete(): void;
}

/** The searches of one set of rules, with their tables. */
export class Engine {
  private constructor();
  search(position: string, options?: Limits, report?: ((better: Finding) => void) | null): Finding;
  /** The finding of every legal move, best first. */
  scores(
    position: string,
    options?: Limits,
    report?: ((better: [number, Finding][]) => void) | null,
  ): [number, Finding][];
  /** Reset the stop flag; a later `stop` ends the next search. */
  arm(): void;
  stop(): void;
  clear(): void;
  delete(): void;
}
