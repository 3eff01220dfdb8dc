// Addresses of other pages for a line of a game, and the moves in an address.

/** Return the address of a new game from the end of a line. */
export function positionAddress(start, moves) {
  const asked = moves.length ? `?${new URLSearchParams({ moves: moves.join(" ") })}` : "";
  return `/position/${start}${asked}`;
}

/** Return the moves in an address: where moves are digits, a run of digits has several, as in `4453`. */
export const movesIn = (start, text) =>
  (text ?? "")
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((word) => (/^(basic|connect4)/.test(start) && /^\d+$/.test(word) ? [...word] : [word]));

/** Return the address of the explorer at the end of a line. */
export function exploreAddress(start, moves, source = "both") {
  const asked = new URLSearchParams({
    ...(moves.length && { moves: moves.join(" ") }),
    ...(source !== "both" && { source }),
  });
  return `/explore/${start}${asked.size ? `?${asked}` : ""}`;
}

/** Return the address of a search replay from the end of a line. */
export function searchAddress(start, moves, swapped) {
  const letters = swapped ? { letters: "swapped" } : {};
  return `/replay?${new URLSearchParams({ start, moves: moves.join(" "), ...letters })}`;
}
