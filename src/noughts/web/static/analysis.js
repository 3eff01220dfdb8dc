// The engine's view of the shown position, and the answers to the cards' questions.
//
//   analysis on, shown ──► question ──► client ──► view ──► chips on the board, the card "Why"
//   view, hint, points of the graph ──► the value of each position ──► number, bar, graph
//   ask({do: "review", …}, hear) ──► the same connection ──► hear(answer), several times
//
// Off during a game between two people; pauses while the tab is hidden.

import * as client from "./client.js";
import * as engine from "./engine.js";
import { createKnown } from "./known.js";
import { createStore } from "./store.js";
import { forX, isProven, ofOutcome, order } from "./values.js";

const PAUSE = 5000;
const NOT_NOW = "Analysis is off during a game between two people.";
/** Boards with more cells show a heat map and the best moves, not a number in each cell. */
const MAX_NUMBERS = 100;
const NAMED_MOVES = 5;

/**
 * Return the analyst of a game. Cards watch its state:
 *   view      AnalysisView of the shown position, or null
 *   hint      {position, moves, move, value, sentences}, {position, waiting: true}, {position, trouble}, or null
 *   worth     value of the shown position for the X that people see, or null
 *   ranking   the best moves on a large board, [{move, value}], or null
 *   trouble   sentence on why there is no answer, or null
 *   connected whether the connection is open
 */
export function createAnalyst(currentGame) {
  const store = createStore({
    view: null,
    hint: null,
    worth: null,
    ranking: null,
    trouble: null,
    connected: true,
  });
  // Values for the X of the server.
  const known = createKnown(turnOf);
  let line = null;
  let running = null;
  let endHint = () => {};
  let timer = 0;
  /** Whether this browser has failed to compute. */
  let isUnable = false;

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
    running = { wanted, stop: watchSearch() };
  }

  /** Ask for the analysis of the shown position. */
  function watchSearch() {
    const { shown } = currentGame.state;
    const told = hear(shown);
    if (isUnable) return ask({ do: "analyse", moves: shown.moves }, told, refused);
    let computing = null;
    let isOver = false;
    const cancel = ask(
      { do: "analyse", by: "visitor", moves: shown.moves },
      (answer) => {
        if (answer.kind !== "facts") return told(answer);
        if (computing) return computing.then((each) => each?.prove(answer.proofs));
        computing = engine.loadVisitor().then(({ analyse }) => (isOver ? null : analyse(answer, { hear: found, fail })));
        return computing.catch(fail);
      },
      refused,
    );
    function found(view) {
      if (isOver) return;
      if (view.done) cancel();
      told(view);
    }
    /** Let the server compute from now on. */
    function fail() {
      if (isOver) return;
      stop();
      isUnable = true;
      running.stop = watchSearch();
    }
    function stop() {
      isOver = true;
      cancel();
      computing?.then((each) => each?.stop(), () => {});
    }
    return stop;
  }

  /** Return a listener for the analysis of a position. */
  const hear = ({ moves }) => (view) => {
    store.set({ view });
    if (view.value) learn(moves, "view", view.value);
    // A proof that came during the search, and that the search does not know.
    const proof = known.valueOf(moves.join(" "));
    if (view.done && proof && isProven(proof) && !running?.isRepeated) refresh();
  };

  // Values of positions

  const isX = ({ turn }) => (turn === "X") !== currentGame.swapped;

  /** Return the player of the server to move after a line. */
  function turnOf(line) {
    const { moves, position } = currentGame.state.shown;
    const apart = (line ? line.split(" ").length : 0) - moves.length;
    return isX(position) === (apart % 2 === 0) ? "X" : "O";
  }

  /** Note the value of the shown position for the side to move. */
  function learn(moves, source, value) {
    const { shown } = currentGame.state;
    if (shown.moves.join(" ") === moves.join(" ")) note(moves.join(" "), source, forX(value, isX(shown.position)));
  }

  /** Note the value of a line for the X of the server. */
  function note(line, source, value) {
    known.note(line, source, value);
    weigh();
    if (isProven(value) && line === currentGame.state.shown?.moves.join(" ")) refresh();
  }

  /** Return the value of a line for the X that people see, or null. */
  function valueOf(line) {
    const { shown } = currentGame.state;
    const { view, hint } = store.state;
    const isShown = shown?.moves.join(" ") === line;
    if (isShown && shown.position.outcome) return ofOutcome(shown.position.outcome);
    const live = isShown && ((view?.value && "view") || (hint?.value && "hint"));
    const best = known.valueOf(line, live);
    return best && forX(best, !currentGame.swapped);
  }

  function weigh() {
    const { shown } = currentGame.state;
    store.set({ worth: shown && valueOf(shown.moves.join(" ")) });
  }

  /** Ask again after the end of a search: the server knows more of the shown position. */
  function refresh() {
    const { view } = store.state;
    if (!running || !view?.done || !view.value || isProven(view.value)) return;
    running.stop();
    running.isRepeated = true;
    store.set({ view: { ...view, done: false } });
    running.stop = watchSearch();
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
    const { position, board } = shown.position;
    const isHere = view?.position === position && view.move;
    const worth = isHere ? { ...view.values } : {};
    if (hint?.position === position && hint.move && !isHere) worth[hint.move] = hint.value;
    const best = isHere ? view.move : hint?.move;
    if (worth[best]) worth[best] = { ...worth[best], best: true };
    const ranked = isHere && board.cells.length > MAX_NUMBERS ? order(worth).slice(0, NAMED_MOVES) : null;
    ranked?.forEach((move, at) => {
      worth[move] = { ...worth[move], place: at + 1 };
    });
    currentGame.setValues(position, Object.keys(worth).length ? worth : null);
    store.set({ ranking: ranked?.map((move) => ({ move, value: worth[move] })) ?? null });
  }

  /** Ask for a hint in the shown position: this browser if it can, or else the server. */
  function hint() {
    const { moves, position } = currentGame.state.shown;
    if (currentGame.state.analysisRefused || position.outcome) return;
    store.set({ hint: { position: position.position, waiting: true } });
    const hear = (answer) => {
      store.set({ hint: { ...answer, position: position.position, moves } });
      learn(moves, "hint", answer.value);
    };
    const refuse = (trouble) => store.set({ hint: { position: position.position, trouble } });
    const askServer = () => {
      endHint = ask({ do: "hint", moves }, hear, refuse);
    };
    if (isUnable || !engine.isReadyFor(position.rules)) {
      engine.prepare(position.rules);
      askServer();
      return;
    }
    const fail = () => {
      isUnable = true;
      askServer();
    };
    // The server refuses during a game between people, and knows proofs.
    const found = ({ kind, proofs }) => {
      endHint();
      if (kind !== "facts") fail();
      else endHint = engine.machines().hint(position, { proofs, hear, fail }).stop;
    };
    endHint = ask({ do: "analyse", by: "visitor", moves }, found, refuse);
  }

  function dropHint() {
    endHint();
    store.set({ hint: null });
  }

  const ends = [
    currentGame.watch(["game"], ({ game }) => {
      const isPrivate = game?.between_people && game.result === "*";
      currentGame.refuseAnalysis(isPrivate ? NOT_NOW : null);
    }),
    currentGame.watch(["start"], () => known.clear()),
    currentGame.watch(["analysis", "shown", "start", "exercise"], follow),
    currentGame.watch(["shown", "seats"], weigh),
    currentGame.watch(["shown"], ({ shown }) => {
      const { hint: last } = store.state;
      if (last && last.position !== shown?.position.position) dropHint();
    }),
    // The analysis shows the best move, too.
    currentGame.watch(["analysis"], ({ analysis }) => {
      if (analysis) dropHint();
    }),
    store.watch(["view", "hint"], (state) => {
      chips(state);
      weigh();
    }),
    currentGame.watch(["shown", "analysis", "analysisRefused", "exercise"], (state) => {
      const { shown, analysis, analysisRefused, exercise } = state;
      const isOff = analysis || analysisRefused || exercise;
      const enabled = !isOff && Boolean(shown) && !shown.position.outcome;
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
    note,
    refresh,
    valueOf,
    end() {
      document.removeEventListener("visibilitychange", look);
      clearTimeout(timer);
      ends.forEach((end) => end());
      endHint();
      line?.end();
    },
  };
}
