// The moves of a level, found in this browser for the server.
//
//   the person's first move ──► engine.js: prepare
//   later moves, sent with `answers` ──► a view that waits ──► engine.js ──► POST answers
//
// Where this browser fails or is slow, the server finds the moves.

import * as client from "./client.js";
import * as engine from "./engine.js";

/** Milliseconds of a search after which the server finds the next moves. */
const SLOW = 5000;

/** Return the level that plays against the person in a game, as an opponent; null if none does. */
function levelIn({ players, yours }) {
  if (yours.length !== 1) return null;
  const { opponent } = players[yours[0] === "X" ? "O" : "X"];
  return /^engine:level=\d+$/.test(opponent ?? "") ? opponent : null;
}

/** Whether two views show the same moves of the same game. */
const isSame = (one, other) => one.id === other.id && one.moves.join(" ") === other.moves.join(" ");
const waits = ({ can }) => can.includes("answer");

/** Find the replies in a game; returns a function that ends it. */
export function mountReplies(currentGame) {
  let running = null;

  function noteTime() {
    if (performance.now() - running.began > SLOW) engine.giveUp();
  }

  /** End a search without its move. */
  function end() {
    if (!running) return;
    running.search.end();
    noteTime();
    running = null;
    engine.reset();
  }

  /** Send a move, or null; by now the server may have found one. */
  function send(view, move) {
    currentGame.changeBy(async (game) => {
      if (!isSame(game, view) || !waits(game)) return null;
      const path = `/games/${game.id}`;
      try {
        const body = { version: game.version, move };
        return await client.request("POST", `${path}/answers`, { body });
      } catch (problem) {
        if (problem.status !== 409) throw problem;
        return client.showGame(game.id, currentGame.key);
      }
    });
  }

  currentGame.replies = {
    /** Return whether this browser finds the replies in a game of some rules. */
    isReadyFor: engine.isReadyFor,

    /** Find the move that a view waits for, or get ready for the next one. */
    find(view) {
      const level = levelIn(view);
      if (level === null || view.result !== "*") return;
      if (!waits(view)) {
        engine.prepare(view.rules);
        return;
      }
      const mine = { view, search: engine.machines().think(view.position, level), began: performance.now() };
      running = mine;
      mine.search.move
        .catch(() => {
          engine.giveUp();
          return null;
        })
        .then((move) => {
          if (running !== mine) return;
          noteTime();
          running = null;
          send(view, move);
        });
    },
  };

  const unwatch = currentGame.watch(["game"], ({ game }) => {
    if (running && !(game && isSame(game, running.view) && waits(game))) end();
  });
  return () => {
    unwatch();
    end();
    currentGame.replies = null;
  };
}
