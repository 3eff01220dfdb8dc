// The review of a finished game: a label for each move, and the errors as exercises.
//
//   "Review game" ──► progress ──► remarks ──► the move list, a summary, a list of errors
//   "Try again" ──► the board before the error ──► a move ──► a verdict with reasons
//
// During an exercise no values are shown.

import { count } from "/static/replay/words.js";
import { begins, same } from "./current_game.js";
import { element, say, smallButton } from "./dom.js";
import { sentenceOf } from "./lines.js";

const NOUNS = ["mistake", "blunder"];
const TASK = {
  win: "One move wins.",
  draw: "One move draws.",
  loss: "One move lasts longer.",
  unknown: "There is a better move.",
};

/** Return a summary of one side in words: {labels, choices, kept, estimated, estimate_lost}. */
function tallyOf({ labels, choices, kept, estimated, estimate_lost: lost }) {
  const many = (label, count) => (count > 1 && NOUNS.includes(label) ? `${label}s` : label);
  const counts = Object.entries(labels).map(([label, count]) => `${count} ${many(label, count)}`);
  const parts = [counts.join(", ") || "no moves"];
  if (choices) parts.push(`${kept} of ${choices} critical moves right`);
  if (estimated) parts.push(`${lost.toFixed(2)} lost per move (estimate)`);
  return parts.join("; ");
}

export const toneOf = ({ error, label }) => (error ? "bad" : label === "best" ? "good" : "even");

/** Put the review into an element; `changed()` is called after each redraw. */
export function mountReview(holder, currentGame, analyst, changed) {
  let state = { kind: "none" };
  let reviewed = null;
  let stop = () => {};
  let asked = 0;

  function set(next) {
    state = next;
    draw();
  }

  function start() {
    const { line } = currentGame;
    reviewed = [currentGame.state.start, ...line].join(" ");
    set({ kind: "running", done: 0, of: line.length });
    say("Review started.");
    stop = analyst.ask(
      { do: "review", moves: line },
      (answer) => {
        if (answer.kind === "progress") advance(answer);
        else finish(answer, line);
      },
      (sentence) => set({ kind: "failed", sentence }),
    );
  }

  function advance({ done, of }) {
    state = { ...state, done, of };
    Object.assign(holder.querySelector("progress"), { value: done, max: of });
    holder.querySelector("label").textContent = progressText();
  }

  const progressText = () => `Reviewing: ${state.done} of ${state.of}`;

  function finish({ remarks, summary }, line) {
    const errors = remarks.filter(({ error }) => error);
    currentGame.set({ remarks: Object.fromEntries(remarks.map((remark) => [remark.ply, remark])) });
    set({ kind: "done", line, errors, summary });
    say(`Review done: ${count(errors.length, "error")}.`);
  }

  function cancel() {
    stop();
    set({ kind: "none" });
  }

  const before = ({ ply }) => state.line.slice(0, ply - 1);
  const sideOf = ({ player }) => currentGame.swapLetters(player).toLowerCase();

  // Exercises

  function exercise(remark) {
    const base = before(remark);
    currentGame.set({ exercise: { remark, base } });
    set({ ...state, tried: null, hint: false });
    currentGame.show(base);
    say(`${task(remark)} ${TASK[remark.before.value]}`);
  }

  function endExercise() {
    asked += 1;
    currentGame.set({ exercise: null });
    set({ ...state, tried: null });
  }

  const task = ({ move, player }) => `Find a better move than ${move} for ${currentGame.swapLetters(player)}.`;

  /** Judge a move on the board from the position before the error. */
  function attempt({ shown, exercise: now }) {
    if (!now || !shown) return;
    const { base, remark } = now;
    if (!begins(shown.moves, base)) return endExercise();
    if (shown.moves.length !== base.length + 1) {
      if (shown.moves.length === base.length && state.tried) set({ ...state, tried: null });
      return undefined;
    }
    const move = shown.moves.at(-1);
    if (state.tried?.move === move) return undefined;
    asked += 1;
    const mine = asked;
    set({ ...state, tried: { move } });
    analyst.ask(
      { do: "try", moves: base, move },
      (answer) => {
        if (mine !== asked) return;
        const tried = { ...answer, good: remark.good.includes(answer.move) };
        set({ ...state, tried });
        say([verdict(tried), ...tried.sentences.map(({ text }) => currentGame.swapLetters(text))].join(" "));
      },
      (sentence) => {
        if (mine === asked) set({ ...state, tried: { move, trouble: sentence } });
      },
    );
    return undefined;
  }

  const verdict = ({ good, move }) => (good ? `${move} is right!` : `Not ${move}. Try another move.`);

  function drawExercise({ remark, base }) {
    const { tried, errors, hint } = state;
    const next = errors[errors.indexOf(remark) + 1];
    const parts = [element("h3", {}, `Move ${remark.ply}: ${task(remark)}`)];
    if (hint) parts.push(element("p", {}, TASK[remark.before.value]));
    if (!tried) parts.push(element("p", { class: "quietly" }, "Play it on the board."));
    else if (tried.trouble) parts.push(element("p", { class: "quietly" }, tried.trouble));
    else if (tried.good === undefined) {
      parts.push(element("p", { class: "quietly" }, `Checking ${tried.move}…`));
    } else {
      const word = element("strong", { class: tried.good ? "good" : "bad" }, verdict(tried));
      parts.push(element("p", {}, word));
      parts.push(...tried.sentences.map((sentence) => sentenceOf(currentGame, base, sentence)));
    }
    const best = () => currentGame.show([...base, remark.best]);
    const isAtBase = same(currentGame.state.shown.moves, base);
    return [
      ...parts,
      element(
        "div",
        { class: "buttons-row" },
        isAtBase ? null : smallButton("Try again", () => currentGame.show(base)),
        hint || tried?.good ? null : smallButton("Show clue", () => set({ ...state, hint: true })),
        tried?.good ? null : smallButton("Show answer", best),
        next ? smallButton("Next error", () => exercise(next)) : null,
        smallButton("Done", async () => {
          await currentGame.show(state.line);
          endExercise();
        }),
      ),
    ];
  }

  // Drawing

  function drawDone() {
    const { errors, summary } = state;
    return [
      element("h3", {}, "Review"),
      element(
        "dl",
        { class: "tally" },
        Object.entries(summary)
          .map(([side, tally]) => [currentGame.swapLetters(side), tally])
          .sort(([first], [second]) => (first > second ? -1 : 1))
          .flatMap(([side, tally]) => [
            element("dt", { class: side.toLowerCase() }, side),
            element("dd", {}, tallyOf(tally)),
          ]),
      ),
      errors.length === 0
        ? element("p", {}, "No errors. Well played!")
        : element(
            "ul",
            { class: "errors" },
            errors.map((remark) =>
              element(
                "li",
                {},
                element(
                  "p",
                  { class: "error-head" },
                  element("span", { class: "number" }, `Move ${remark.ply}:`),
                  element("span", { class: `move ${sideOf(remark)}` }, remark.move),
                  element("span", { class: "remark bad" }, remark.label),
                  smallButton("Try again", () => exercise(remark), {
                    "aria-label": `Try again: move ${remark.ply}, ${remark.move}`,
                  }),
                ),
                remark.sentences
                  .slice(-1)
                  .map((sentence) => sentenceOf(currentGame, before(remark), sentence)),
              ),
            ),
          ),
    ];
  }

  function draw() {
    const { game, exercise: now } = currentGame.state;
    const isOver = game && game.result !== "*" && game.moves.length > 0;
    const content = {
      none: () => (isOver ? [smallButton("Review game", start, { class: "small wide" })] : []),
      failed: () => [
        element("p", { class: "quietly" }, state.sentence),
        smallButton("Retry", start),
      ],
      running: () => [
        element("label", { class: "quietly", for: "reviewed" }, progressText()),
        element("progress", {
          value: state.done,
          max: state.of,
          id: "reviewed",
        }),
        smallButton("Cancel", cancel),
      ],
      done: () => (now ? drawExercise(now) : drawDone()),
    }[state.kind]();
    const focused = document.activeElement;
    const held = holder.contains(focused) ? focused.textContent : null;
    holder.replaceChildren(...content);
    holder.hidden = content.length === 0;
    holder.parentElement.classList.toggle("exercising", Boolean(now));
    if (held) {
      const buttons = [...holder.querySelectorAll("button")];
      (buttons.find(({ textContent }) => textContent === held) || buttons[0])?.focus();
    }
    changed();
  }

  const ends = [
    currentGame.watch(["game", "start"], ({ game, start: from }) => {
      const known = game && [from, ...game.moves].join(" ");
      if (reviewed !== null && known !== reviewed) {
        stop();
        reviewed = null;
        currentGame.set({ remarks: {} });
        currentGame.set({ exercise: null });
        state = { kind: "none" };
      }
      draw();
    }),
    currentGame.watch(["shown", "exercise"], attempt),
    currentGame.watch(["shown", "exercise"], () => {
      if (state.kind === "done") draw();
    }),
  ];
  return () => {
    stop();
    ends.forEach((end) => end());
  };
}
