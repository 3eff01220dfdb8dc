// Records in IndexedDB, the storage of this browser. They never leave it.

import { refusal } from "/static/site/problem.js";

/**
 * Return a function `transaction(mode, act)` for the records of a store, in the database `name`.
 *
 * It runs `act(store, done)` in a transaction; `done` gets its result or a Problem.
 */
export function opened(name, storeName, keyPath) {
  let opening = null;

  function database() {
    opening ??= new Promise((resolve, reject) => {
      const asked = indexedDB.open(name, 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore(storeName, { keyPath });
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => {
        opening = null;
        reject(refusal("storage", 507, "This browser keeps no games. Allow storage for this site."));
      };
    });
    return opening;
  }

  return async function transaction(mode, act) {
    const changing = (await database()).transaction(storeName, mode);
    return new Promise((resolve, reject) => {
      let result;
      let problem = null;
      act(changing.objectStore(storeName), (found) => {
        if (found instanceof Error) problem = found;
        else result = found;
      });
      changing.oncomplete = () => (problem ? reject(problem) : resolve(result));
      changing.onabort = () =>
        reject(refusal("storage", 507, "The game could not be saved: the browser's storage is full."));
    });
  };
}
