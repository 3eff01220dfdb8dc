// Settings kept in the browser's local storage, if it allows that.

const NAMESPACE = "noughts.";

/** Return the value stored under a name, or null. */
export function recall(name) {
  try {
    return JSON.parse(window.localStorage.getItem(NAMESPACE + name));
  } catch {
    return null;
  }
}

/** Store a JSON value under a name. */
export function remember(name, value) {
  try {
    window.localStorage.setItem(NAMESPACE + name, JSON.stringify(value));
  } catch {
    // Storage may be disabled; the page works without it.
  }
}
