// What is known now, and who wants to hear of a change.
//
// set({shown}) ──► state ──► those who watch "shown"

/** Make a store; `watch` calls back at every change of one of the keys, and at once. */
export function createStore(initial) {
  let state = { ...initial };
  const watchers = new Set();
  return {
    get state() {
      return state;
    },
    set(patch) {
      const before = state;
      state = { ...state, ...patch };
      for (const watcher of [...watchers]) {
        if (watcher.keys.some((key) => state[key] !== before[key])) watcher.call(state, before);
      }
    },
    /** Returns the function that ends it. */
    watch(keys, call) {
      const watcher = { keys, call };
      watchers.add(watcher);
      call(state, state);
      return () => watchers.delete(watcher);
    },
  };
}
