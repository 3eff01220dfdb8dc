// The engine of this browser, on the page of a server: loaded in the background.
//
//   prepare(rules) ──► visitor.js: load the core, net and book ──► ready
//   hint, reply of a level ──► isReadyFor(rules) ──► machines(); if not, the server computes

import * as client from "./client.js";

let loaded = null;
let ready = null;
let isLoading = false;
let isUnable = !client.HAS_SERVER;
/** Rules for which it could not be loaded. */
const failed = new Set();

/** Return the promise of visitor.js, the code of the engine. */
export const loadVisitor = () => import("./visitor.js");

/** Return whether the engine can compute under some rules at once. */
export const isReadyFor = (rules) => !isUnable && ready === rules;

/** Return the machines, once the engine is ready. */
export const machines = () => loaded;

/** Get ready for some rules, unless this browser cannot or is loading. */
export async function prepare(rules) {
  if (isUnable || isLoading || ready === rules || failed.has(rules)) return;
  isLoading = true;
  try {
    loaded ??= await (await loadVisitor()).ownMachines();
    await loaded.prepare(rules);
    ready = rules;
  } catch {
    isUnable ||= !loaded;
    failed.add(rules);
  }
  isLoading = false;
}

/** Compute nothing before the next `prepare`: a worker has ended. */
export function reset() {
  ready = null;
}

/** Leave everything to the server from now on. */
export function giveUp() {
  isUnable = true;
}
