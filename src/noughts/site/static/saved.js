// The games of this browser, in IndexedDB. They never leave it.
//
//   save(game, version) ──► one transaction: is the kept version still `version`? ──► kept
//   listeners in all tabs of the site get its id

import { opened } from "/static/site/database.js";
import { refusal } from "/static/site/problem.js";

const transaction = opened("noughts", "games", "id");
const listeners = new Set();
const channel = new BroadcastChannel("noughts.games");
channel.onmessage = ({ data }) => listeners.forEach((call) => call(data));

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
