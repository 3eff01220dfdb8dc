// Analyses and machines in this browser, on the page of a server.
//
//   server ──{engine, position, rules, board, proofs}──► machines.js ──► worker ──► AnalysisView data
//   replies.js ──► machinesAt(engine) ──► machines.js ──► worker ──► the move of a level
//   the button "Hint" ──► hint(position) ──► machines.js ──► worker ──► the values of all moves

import * as client from "./client.js";
import { createMachines } from "./machines.js";
import { isProven } from "./values.js";

// The smallest module with a vector instruction: the core needs them.
const VECTORS = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

let loading = null;

/** Most moves of a line that the server gets, and most proven moves whose lines it gets. */
const LONGEST_LINE = 40;
const MAX_LINES = 100;

/** Return the promise of the machines, whose data lie at an address; loaded once. They have `hint`. */
export function machinesAt(address) {
  loading ??= (async () => {
    const canCompute = globalThis.Worker && globalThis.WebAssembly?.validate(new Uint8Array(VECTORS));
    if (!canCompute) throw new Error("This browser cannot run the engine.");
    const place = new URL(address, window.location.href);
    const answer = await fetch(new URL("parts.json", place));
    if (!answer.ok) throw new Error("The engine could not be loaded.");
    const data = await answer.json();
    const machines = createMachines({ ...data, address: new URL("app/worker.js", place) });
    /** Find `found` of a question for a hint in a position, a `PositionView`; else as `analyse`. */
    const hint = (position, { hear, fail }) => {
      const heard = (view) => view.done && hear(findings(view));
      return machines.analyse({ ...position, ...data.hint }, { proofs: null, hear: heard, fail });
    };
    return { ...machines, hint };
  })();
  return loading;
}

/** Return the promise of the machines of this page's server. */
export async function ownMachines() {
  const { address } = await client.request("GET", "/engine");
  if (address === null) throw new Error("The server has no engine for browsers.");
  return machinesAt(address);
}

/**
 * Analyse a position from the facts of the server. `hear` gets AnalysisView data, and `fail` is called
 * once if this browser cannot. Return {prove, stop}.
 */
export function analyse(facts, { hear, fail }) {
  let { proofs } = facts;
  let running = null;
  let isStopped = false;
  machinesAt(facts.engine).then((machines) => {
    if (!isStopped) running = machines.analyse(facts, { proofs, hear, fail });
  }, () => isStopped || fail());
  return {
    prove(found) {
      proofs = found;
      running?.prove(found);
    },
    stop() {
      isStopped = true;
      running?.stop();
    },
  };
}

/**
 * Return the values of all moves in AnalysisView data as [{move, value, plies, estimate, line}, …], the
 * best move first.
 */
function findings({ move: best, values, lines }) {
  const found = Object.entries(values).sort(([a], [b]) => (b === best) - (a === best));
  const isTold = (move) => move === best || (found.length <= MAX_LINES && isProven(values[move]));
  return found.map(([move, { value, plies, estimate }]) => {
    const line = (isTold(move) && lines[move]) || [move];
    return { move, value, plies, estimate, line: line.slice(0, LONGEST_LINE) };
  });
}
