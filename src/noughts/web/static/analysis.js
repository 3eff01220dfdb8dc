// The engine's view of the shown position, and the answers to the cards' questions.
//
//   analysis on, shown ──► question ──► client ──► view ──► chips on the board, the card "Why"
//   ask({do: "review", …}, hear) ──► the same connection ──► hear(answer), several times
//
// Off during a game against another person; pauses while the tab is hidden.

import * as client from "./client.js";
import { createStore } from "./store.js";

const PAUSE = 5000;
const NOT_NOW = "Analysis is off while you play someone.";

/**
 * Return the analyst of a game. Cards watch its state:
 *   view      AnalysisView of the shown position, or null
 *   hint      {position, moves, move, value, sentences}, {position, waiting: true}, or null
 *   trouble   sentence on why there is no answer, or null
 *   connected whether the connection is open
 */
export function createAnalyst(currentGame) {
  const store = createStore({ view: null, hint: null, trouble: null, connected: true });
  let line = null;
  let running = null;
  let timer = 0;

  /** Ask {do, moves, move} from the start of the game; returns a function that cancels it. */
  function ask(question, hear, refused = (trouble) => store.set({ trouble })) {
    line ??= client.analysis((connected) => store.set({ connected }));
    return line.ask({ start: currentGame.state.start, ...question }, (answer) =>
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

  /** Show why there is no analysis, and retry after PAUSE. */
  function refused(trouble) {
    store.set({ trouble });
    timer = setTimeout(() => {
      running = null;
      look();
    }, PAUSE);
  }

  const look = () => follow(currentGame.state);

  /** Show the engine's values on the board, or else the value of the hint. */
  function chips({ view, hint }) {
    const { shown } = currentGame.state;
    if (!shown) return;
    const { position } = shown.position;
    const worth = {};
    if (view?.position === position) Object.assign(worth, view.values);
    const best = hint?.position === position ? hint.move : view?.move;
    if (hint?.position === position && hint.move) worth[hint.move] ??= hint.value;
    if (worth[best]) worth[best] = { ...worth[best], best: true };
    currentGame.setValues(position, Object.keys(worth).length ? worth : null);
  }

  /** Ask for a hint in the shown position. */
  function hint() {
    const { shown } = currentGame.state;
    const { position } = shown.position;
    if (currentGame.state.analysisRefused || shown.position.outcome) return;
    store.set({ hint: { position, waiting: true }, trouble: null });
    ask(
      { do: "hint", moves: shown.moves },
      (answer) => store.set({ hint: { ...answer, position, moves: shown.moves } }),
      (trouble) => store.set({ hint: null, trouble }),
    );
  }

  const ends = [
    currentGame.watch(["game"], ({ game }) => {
      const refused = isAgainstPerson(game) ? NOT_NOW : null;
      currentGame.refuseAnalysis(refused);
    }),
    currentGame.watch(["analysis", "shown", "start", "exercise"], follow),
    currentGame.watch(["shown"], ({ shown }) => {
      const { hint: known } = store.state;
      if (known && known.position !== shown?.position.position) store.set({ hint: null });
    }),
    store.watch(["view", "hint"], chips),
    currentGame.watch(["shown", "analysisRefused", "exercise"], (state) => {
      const { shown, analysisRefused, exercise } = state;
      const enabled = !analysisRefused && !exercise && Boolean(shown) && !shown.position.outcome;
      currentGame.offer({ id: "hint", label: "Hint", place: "row", run: hint, enabled });
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

/** Return whether the game is in progress against another person. */
function isAgainstPerson(game) {
  if (!game || game.result !== "*" || game.yours.length === 0) return false;
  return Object.values(game.players).some(({ kind, yours }) => kind !== "machine" && !yours);
}
