// The parts of the page of a game that can wait until its board is there: they show nothing before
// a first move, an offer, an analysis or the end of the game.
//
//   offers · choices of swap2 · refusals · explanation · moves · bar · sketches of sentences · sounds and the ending · replies of a level
//   the review: loaded at the end of a game

import { mountBar } from "./bar.js";
import { mountChoices } from "./choices.js";
import { element } from "./dom.js";
import { mountEnding } from "./ending.js";
import { mountEndings } from "./endings.js";
import { mountExplanation } from "./explanation.js";
import { mountGraph } from "./graph.js";
import { mountMoves } from "./moves.js";
import { mountOffers } from "./offers.js";
import { mountRefusals } from "./refusal.js";
import { mountReplies } from "./replies.js";
import { mountSketch } from "./sketch.js";

/** Offer the review once the game is over; `opens` opens it at once. Returns a function that ends it. */
function offerReview({ report, review: panel, graph, opens }, currentGame, analyst) {
  let review = null;
  let isOffered = false;
  let isEnded = false;
  async function run() {
    try {
      const { mountReview } = await import("./review.js");
      if (isEnded) return;
      review ??= mountReview({ report, panel, graph }, currentGame, analyst);
      review.open();
    } catch (error) {
      currentGame.set({ error: "The review failed to load. Reload the page." });
      throw error;
    }
  }
  const unwatch = currentGame.watch(["game"], ({ game }) => {
    if (isOffered || !game?.moves.length || game.result === "*") return;
    isOffered = true;
    currentGame.offer({ id: "review", label: "Review", place: "end", run, enabled: true });
    if (opens) run();
    else import("./review.js").catch(() => {});
  });
  return () => {
    isEnded = true;
    unwatch();
    review?.end();
  };
}

/** Mount them into their elements; returns a function to unmount. */
export function mountCards(places, currentGame, analyst) {
  const { why, moves, evaluation, pane, board, offers, offer, answers, endings, choices, frame } = places;
  const graph = element("div", { class: "graph-holder" });
  const ends = [
    mountOffers(offers, offer, answers, currentGame),
    mountChoices(choices, frame, currentGame),
    mountEnding(pane, currentGame),
    mountEndings(endings, currentGame),
    mountSketch(board, currentGame),
    mountRefusals(board, currentGame),
    mountBar(evaluation, currentGame, analyst),
    mountGraph(graph, currentGame, analyst),
    mountExplanation(why, graph, currentGame, analyst),
    offerReview({ ...places, graph }, currentGame, analyst),
    mountMoves(moves, currentGame),
    mountReplies(currentGame),
  ];
  return () => ends.forEach((end) => end());
}
