// Another try at an error of a reviewed game.
//
//   begin(remark, base) ──► the board before the error ──► a move ──► a verdict with reasons
//                               ▲                              │
//                               └── a wrong move is taken back ┘
//
// The clue grows: what decides, where to look, the move. During an exercise no values are shown.

import { begins, same } from "./current_game.js";
import { moveName } from "./coordinates.js";
import { element, say, smallButton } from "./dom.js";
import { saidOf, sentenceOf } from "./lines.js";

/** Milliseconds until a wrong move is taken back. */
const TAKE_BACK = 1000;

/** Put the exercise into an element; returns {begin, end}. */
export function mountRetry(holder, currentGame, analyst) {
  /**
   * {remark, base, isOnBoard, clues, tried: {move, good, sentences, trouble}}, or null; the
   * sentences are missing until they are known
   */
  let state = null;
  let asked = 0;
  let timer = 0;

  const boardOf = () => currentGame.state.shown.position.board;
  const task = ({ move, words, player }) =>
    `Find a better move than ${moveName(boardOf(), move, words)} for ${currentGame.swapLetters(player)}.`;
  const verdict = ({ good, move }) =>
    good
      ? `${moveName(boardOf(), move)} is right!`
      : `${moveName(boardOf(), `Not ${move}`, "Not that one")}. Try another move.`;

  function begin(remark, base) {
    forget();
    state = { remark, base, isOnBoard: false, clues: 0, tried: null };
    currentGame.set({ exercise: { remark, base }, analysis: false });
    currentGame.show(base);
    draw();
    say(task(remark));
  }

  function forget() {
    asked += 1;
    clearTimeout(timer);
  }

  function finish() {
    forget();
    state = null;
    currentGame.set({ exercise: null });
    draw();
  }

  /** Judge a move on the board from the position before the error. */
  function attempt({ shown, exercise }) {
    if (state && !exercise) return finish();
    if (!state || !shown) return undefined;
    const { base, remark } = state;
    state.isOnBoard ||= same(shown.moves, base);
    if (!state.isOnBoard) return undefined;
    if (!begins(shown.moves, base)) return finish();
    if (shown.moves.length !== base.length + 1) return undefined;
    const move = shown.moves.at(-1);
    forget();
    const mine = asked;
    const good = remark.good.includes(move);
    state.tried = { move, good };
    if (!good) {
      timer = setTimeout(() => mine === asked && currentGame.show(base), TAKE_BACK);
    }
    draw();
    say(verdict(state.tried));
    analyst.ask(
      { do: "try", moves: base, move },
      ({ sentences }) => {
        if (state?.tried?.move !== move) return;
        state.tried = { move, good, sentences };
        draw();
        // With the verdict again: a screen reader leaves out a text that the next one follows at once.
        say([verdict(state.tried), ...sentences.map((each) => saidOf(currentGame, each))].join(" "));
      },
      (trouble) => {
        if (state?.tried?.move !== move) return;
        state.tried = { move, good, sentences: [], trouble };
        draw();
        say(`${verdict(state.tried)} ${trouble}`);
      },
    );
    return undefined;
  }

  function showClue() {
    const { remark, base } = state;
    if (state.clues === remark.clues.length) {
      forget();
      currentGame.show([...base, remark.best]);
      return;
    }
    say(currentGame.swapLetters(remark.clues[state.clues]));
    state.clues += 1;
    draw();
  }

  function draw() {
    const focused = holder.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    holder.hidden = !state;
    holder.replaceChildren(...(state ? parts() : []));
    if (focused) {
      const again = holder.querySelector(`[data-act="${focused}"]`);
      (again ?? holder.querySelector("button"))?.focus({ preventScroll: true });
    }
  }

  function parts() {
    const { remark, base, clues, tried } = state;
    const said = [];
    if (!tried) said.push(element("p", { class: "quietly" }, "Play it on the board."));
    else {
      const word = element("strong", { class: tried.good ? "good" : "bad" }, verdict(tried));
      said.push(element("p", {}, word));
      if (tried.trouble) said.push(element("p", { class: "quietly" }, tried.trouble));
      if (tried.sentences) said.push(...tried.sentences.map((each) => sentenceOf(currentGame, base, each)));
      else said.push(element("p", { class: "quietly" }, "Looking for the reason…"));
    }
    const isSolved = tried?.good;
    const clue = clues === remark.clues.length ? "Show answer" : clues ? "Another clue" : "Clue";
    return [
      element("h3", {}, `Move ${remark.ply}: ${task(remark)}`),
      ...said,
      clues ? element("ul", { class: "clues" }, remark.clues.slice(0, clues).map((each) => element("li", {}, currentGame.swapLetters(each)))) : "",
      element(
        "div",
        { class: "buttons-row" },
        isSolved ? null : smallButton(clue, showClue, { "data-act": "clue" }),
        smallButton("Done", leave, { "data-act": "done" }),
      ),
    ];
  }

  /** End the exercise after the move of the game. */
  async function leave() {
    const { remark } = state;
    await currentGame.show(currentGame.line.slice(0, remark.ply));
    finish();
  }

  const ends = [currentGame.watch(["shown", "exercise"], attempt), currentGame.watch(["coordinates"], draw)];
  return {
    begin,
    end() {
      forget();
      ends.forEach((end) => end());
    },
  };
}
