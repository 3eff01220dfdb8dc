// The opening of a game with swap2: who is player 1 or 2, who acts, and the sentence on it.
//
//   game.swap2, or `opening` of the seats in a set-up ──► guide.js, players.js, choices.js

/** Return whether the players of a game, or of a set-up, have no sides yet. */
export const isUndecided = ({ game, seats }) => (game ? game.swap2?.decided === false : Boolean(seats?.opening));

/** Return the number of the player at a side in a game that begins with swap2; null in others. */
export function playerNumber({ game, seats }, side) {
  const opening = game ? game.swap2 : seats?.opening;
  return opening ? 1 + ((opening.first ?? "X") !== side) : null;
}

/** Return the side of the player who acts: moves, places a stone or chooses. */
export const actorOf = ({ game, shown }) => game?.swap2?.side ?? (game ?? shown).position.turn;

/** Return the sentences on the opening to X, to O and to others, "-"; undefined or null after it. */
export const openingOf = ({ game, seats, shown }) =>
  (game ? shown.kind === "now" && game.swap2 : !shown.moves.length && seats?.opening)?.situation;
