// The parts of the page of a game that can wait until its board is there: they show nothing before
// a first move, an offer, an analysis or the end of the game.
//
//   offers · explanation · moves · bar · sketches of sentences · sounds and the ending · replies of a level

import { mountBar } from "./bar.js";
import { mountEnding } from "./ending.js";
import { mountExplanation } from "./explanation.js";
import { mountMoves } from "./moves.js";
import { mountOffers } from "./offers.js";
import { mountReplies } from "./replies.js";
import { mountSketch } from "./sketch.js";

/** Mount them into their elements; returns a function to unmount. */
export function mountCards(places, currentGame, analyst) {
  const { why, moves, evaluation, pane, board, offers, offer, answers } = places;
  const ends = [
    mountOffers(offers, offer, answers, currentGame),
    mountEnding(pane, currentGame),
    mountSketch(board, currentGame),
    mountBar(evaluation, currentGame, analyst),
    mountExplanation(why, currentGame, analyst),
    mountMoves(moves, currentGame),
    mountReplies(currentGame),
  ];
  return () => ends.forEach((end) => end());
}
