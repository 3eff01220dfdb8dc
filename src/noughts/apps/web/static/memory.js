// What this browser remembers of its reader's choices; where it may not, nothing is remembered.

const NAMESPACE = "noughts.";

/** Return what was remembered under a name, or null. */
export function recall(name) {
  try {
    return JSON.parse(window.localStorage.getItem(NAMESPACE + name));
  } catch {
    return null;
  }
}

/** Remember a value, anything that JSON has, under a name. */
export function remember(name, value) {
  try {
    window.localStorage.setItem(NAMESPACE + name, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing is a way to read as well.
  }
}
