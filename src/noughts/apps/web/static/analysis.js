// What the engine sees: of the position that is shown, and of all that a card asks it.
//
//   analysis on, shown ──► question ──► client ──► view ──► chips on the board, the card "Why"
//   ask({do: "review", …}, heard) ──► the same line ──► heard(answer), again and again
//
// It is off while a game against somebody elsewhere goes on, and rests while nobody looks.

import * as client from "./client.js";
import { createStore } from "./store.js";

const PAUSE = 5000;
const NOT_NOW = "Not while a game against somebody else goes on.";

/**
 * Make the engine's half of a table. Its state, which cards watch:
 *   view      the AnalysisView of what is shown, or null
 *   hint      {position, moves, move, value, sentences}, {position, waiting: true}, or null
 *   trouble   why the engine does not answer, in a sentence, or null
 *   connected whether the line to it is open
 */
export function createAnalyst(table) {
  const store = createStore({ view: null, hint: null, trouble: null, connected: true });
  let line = null;
  let running = null;
  let timer = 0;

  /** Ask {do, moves, move} of the table's start; returns the function that gives it up. */
  function ask(question, hear, refused = (trouble) => store.set({ trouble })) {
    line ??= client.analysis((connected) => store.set({ connected }));
    return line.ask({ start: table.state.start, ...question }, (answer) =>
      answer.kind === "problem" ? refused(answer.detail) : hear(answer),
    );
  }

  function follow({ analysis, shown, start, exercise }) {
    const wanted =
      analysis && shown && !shown.position.outcome && !exercise && !document.hidden
        ? [start, ...shown.moves].join(" ")
        : null;
    if (wanted === (running?.wanted ?? null)) return;
    clearTimeout(timer);
    running?.stop();
    running = null;
    store.set({ view: null, trouble: null });
    if (wanted === null) return;
    running = {
      wanted,
      stop: ask({ do: "analyse", moves: shown.moves }, (view) => store.set({ view }), refused),
    };
  }

  /** Say why there is no analysis, and ask again after a while. */
  function refused(trouble) {
    store.set({ trouble });
    timer = setTimeout(() => {
      running = null;
      look();
    }, PAUSE);
  }

  const look = () => follow(table.state);

  /** Chips: what the engine sees, else the move that a hint names. */
  function chips({ view, hint }) {
    const { shown } = table.state;
    if (!shown) return;
    const { position } = shown.position;
    const worth = {};
    if (view?.position === position) Object.assign(worth, view.values);
    const best = hint?.position === position ? hint.move : view?.move;
    if (hint?.position === position && hint.move) worth[hint.move] ??= hint.value;
    if (worth[best]) worth[best] = { ...worth[best], best: true };
    table.setValues(position, Object.keys(worth).length ? worth : null);
  }

  /** Suggest a move where one stands. */
  function hint() {
    const { shown } = table.state;
    const { position } = shown.position;
    if (table.state.analysisRefused || shown.position.outcome) return;
    store.set({ hint: { position, waiting: true }, trouble: null });
    ask(
      { do: "hint", moves: shown.moves },
      (answer) => store.set({ hint: { ...answer, position, moves: shown.moves } }),
      (trouble) => store.set({ hint: null, trouble }),
    );
  }

  const ends = [
    table.watch(["game"], ({ game }) => {
      const refused = isAgainstSomebody(game) ? NOT_NOW : null;
      table.refuseAnalysis(refused);
    }),
    table.watch(["analysis", "shown", "start", "exercise"], follow),
    table.watch(["shown"], ({ shown }) => {
      const { hint: known } = store.state;
      if (known && known.position !== shown?.position.position) store.set({ hint: null });
    }),
    store.watch(["view", "hint"], chips),
    table.watch(["shown", "analysisRefused", "exercise"], (state) => {
      const { shown, analysisRefused, exercise } = state;
      const enabled = !analysisRefused && !exercise && Boolean(shown) && !shown.position.outcome;
      table.offer({ id: "hint", label: "Hint", place: "row", run: hint, enabled });
    }),
  ];
  document.addEventListener("visibilitychange", look);

  return {
    get state() {
      return store.state;
    },
    watch: store.watch,
    ask,
    end() {
      document.removeEventListener("visibilitychange", look);
      clearTimeout(timer);
      ends.forEach((end) => end());
      line?.end();
    },
  };
}

/** Whether one plays against somebody who sits elsewhere, and the game goes on. */
function isAgainstSomebody(game) {
  if (!game || game.result !== "*" || game.yours.length === 0) return false;
  return Object.values(game.players).some(({ kind, yours }) => kind !== "machine" && !yours);
}
