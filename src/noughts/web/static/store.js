// A store of state with watchers.
//
// set({shown}) ──► state ──► watchers of "shown"

/** Return a store of an initial state. */
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
    /** Call back now and at every change of one of the keys; returns a function that stops. */
    watch(keys, call) {
      const watcher = { keys, call };
      watchers.add(watcher);
      call(state, state);
      return () => watchers.delete(watcher);
    },
  };
}
