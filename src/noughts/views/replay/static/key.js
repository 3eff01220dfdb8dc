// The key of an event on every keyboard: и on a Russian one is b, and & on a French one is 1.

/**
 * Return `event.key`. If it is not Latin, or a digit needs Shift there, return the key at its place on
 * an English keyboard.
 */
export function keyOf({ key, code, shiftKey }) {
  const name = code.slice(-1);
  if (/^Digit/.test(code) && !shiftKey) return name;
  if (key <= "~") return key;
  if (/^Key/.test(code)) return shiftKey ? name : name.toLowerCase();
  return { Comma: ",", Period: ".", Slash: shiftKey && "?" }[code] || key;
}
