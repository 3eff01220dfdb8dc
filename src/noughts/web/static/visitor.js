// Analyses and machines in this browser, on the page of a server.
//
//   server ──{engine, position, rules, board, proofs}──► machines.js ──► worker ──► AnalysisView data
//   replies.js ──► machinesAt(engine) ──► machines.js ──► worker ──► the move of a level
//   the button "Hint" ──► machines.js ──► worker ──► HintView data

import * as client from "./client.js";
import { createMachines } from "./machines.js";

// The smallest module with a vector instruction: the core needs them.
const VECTORS = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

let loading = null;

/** Return the promise of the machines, whose data lie at an address; loaded once. */
export function machinesAt(address) {
  loading ??= (async () => {
    const canCompute = globalThis.Worker && globalThis.WebAssembly?.validate(new Uint8Array(VECTORS));
    if (!canCompute) throw new Error("This browser cannot run the engine.");
    const place = new URL(address, window.location.href);
    const answer = await fetch(new URL("parts.json", place));
    if (!answer.ok) throw new Error("The engine could not be loaded.");
    const data = await answer.json();
    return createMachines({ ...data, address: new URL("app/worker.js", place) });
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
