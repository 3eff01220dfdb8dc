// The games of this browser, in IndexedDB. They never leave it.
//
//   save(game, version) ──► one transaction: is the kept version still `version`? ──► kept
//   listeners in all tabs of the site get its id

import { refusal } from "/static/site/problem.js";

const STORE = "games";
const listeners = new Set();
const channel = new BroadcastChannel("noughts.games");
channel.onmessage = ({ data }) => listeners.forEach((call) => call(data));

let opening = null;

function database() {
  opening ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open("noughts", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "id" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => {
      opening = null;
      reject(refusal("storage", 507, "This browser keeps no games. Allow storage for this site."));
    };
  });
  return opening;
}

/** Run `act(store, done)` in a transaction; `done` gets its result or a Problem. */
async function transaction(mode, act) {
  const opened = await database();
  return new Promise((resolve, reject) => {
    const changing = opened.transaction(STORE, mode);
    let result;
    let problem = null;
    act(changing.objectStore(STORE), (found) => {
      if (found instanceof Error) problem = found;
      else result = found;
    });
    changing.oncomplete = () => (problem ? reject(problem) : resolve(result));
    changing.onabort = () =>
      reject(refusal("storage", 507, "The game could not be saved: the browser's storage is full."));
  });
}

/** Return a game; a Problem if there is none. */
export function load(id) {
  return transaction("readonly", (store, done) => {
    store.get(id).onsuccess = ({ target }) =>
      done(target.result ?? refusal("not-found", 404, "This browser has no such game."));
  });
}

/** Return all games, the last changed first. */
export async function all() {
  const found = await transaction("readonly", (store, done) => {
    store.getAll().onsuccess = ({ target }) => done(target.result);
  });
  return found.sort((one, other) => (one.updated < other.updated ? 1 : -1));
}

/** Keep a game in place of its `version`, null for a new one; a Problem if another tab changed it. */
export async function save(game, version) {
  await transaction("readwrite", (store, done) => {
    store.get(game.id).onsuccess = ({ target }) => {
      if ((target.result?.version ?? null) === version) store.put(game);
      else done(refusal("conflict", 409, "The game has changed in another tab. Look at it again."));
    };
  });
  announce(game.id);
}

/** Delete a game. */
export async function remove(id) {
  await transaction("readwrite", (store) => store.delete(id));
  announce(id);
}

function announce(id) {
  channel.postMessage(id);
  listeners.forEach((call) => call(id));
}

/** Call back with the id of every game that changes, here or in another tab; returns the end. */
export function listen(call) {
  listeners.add(call);
  return () => listeners.delete(call);
}
