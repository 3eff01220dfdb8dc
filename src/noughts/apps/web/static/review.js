// A game looked over when it is done: what each move did to its value, and the errors to try again.
//
//   "Review the game" ──► progress ──► remarks ──► the move list, the tally, a list of errors
//   "Try again" ──► the board before the error ──► a move ──► does it keep the value? and why
//
// While one tries, nothing shows what the moves are worth: the table has an `exercise`.

import { element, say } from "./dom.js";
import { sentenceOf } from "./lines.js";

const begins = (line, start) => start.every((move, at) => move === line[at]);
const same = (first, second) => first.length === second.length && begins(first, second);

const NOUNS = ["mistake", "blunder"];
const TASK = {
  win: "There is a move that wins.",
  draw: "There is a move that holds the draw.",
  loss: "There is a move that holds out longer.",
  unknown: "There is a move that keeps more.",
};

/** Say in words how one side did: {labels, choices, kept, estimated, estimate_lost}. */
function tallyOf({ labels, choices, kept, estimated, estimate_lost: lost }) {
  const many = (label, count) => (count > 1 && NOUNS.includes(label) ? `${label}s` : label);
  const counts = Object.entries(labels).map(([label, count]) => `${count} ${many(label, count)}`);
  const said = [counts.join(", ") || "no moves"];
  if (choices) said.push(`kept the value in ${kept} of ${choices} where it could be lost`);
  if (estimated) said.push(`lost ${lost.toFixed(2)} a move by estimate`);
  return said.join("; ");
}

export const toneOf = ({ error, label }) => (error ? "bad" : label === "best" ? "good" : "even");

/** Put the review into an element; `changed` is told when it comes or goes. */
export function mountReview(holder, table, analyst, changed) {
  let state = { kind: "none" };
  let reviewed = null;
  let stop = () => {};
  let asked = 0;

  const button = (text, run, attributes = {}) =>
    element("button", { type: "button", class: "small", onclick: run, ...attributes }, text);

  function set(next) {
    state = next;
    draw();
  }

  function start() {
    const { line } = table;
    reviewed = [table.state.start, ...line].join(" ");
    set({ kind: "running", done: 0, of: line.length });
    say("The review begins.");
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
    holder.querySelector("label").textContent = howFar();
  }

  const howFar = () => `Looking at the moves: ${state.done} of ${state.of}`;

  function finish({ remarks, summary }, line) {
    const errors = remarks.filter(({ error }) => error);
    table.setRemarks(Object.fromEntries(remarks.map((remark) => [remark.ply, remark])));
    set({ kind: "done", line, errors, summary });
    say(`The review is done: ${errors.length} ${errors.length === 1 ? "error" : "errors"}.`);
  }

  function cancel() {
    stop();
    set({ kind: "none" });
  }

  const before = ({ ply }) => state.line.slice(0, ply - 1);
  const sideOf = ({ player }) => table.seen(player).toLowerCase();

  // Trying again

  function exercise(remark) {
    const base = before(remark);
    table.setExercise({ remark, base });
    set({ ...state, tried: null, hint: false });
    table.show(base);
    say(`${task(remark)} ${TASK[remark.before.value]}`);
  }

  function endExercise() {
    asked += 1;
    table.setExercise(null);
    set({ ...state, tried: null });
  }

  const task = ({ move, player }) => `Find a better move than ${move} for ${table.seen(player)}.`;

  /** Hear what was tried on the board: a move from where the error was made. */
  function attempt({ shown, exercise: now }) {
    if (!now || !shown) return;
    const { base } = now;
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
        set({ ...state, tried: answer });
        say([verdict(answer), ...answer.sentences.map(({ text }) => table.seen(text))].join(" "));
      },
      (sentence) => {
        if (mine === asked) set({ ...state, tried: { move, trouble: sentence } });
      },
    );
    return undefined;
  }

  const verdict = ({ good, move }) => (good ? `${move} is good.` : `Not ${move}: try another one.`);

  function drawExercise({ remark, base }) {
    const { tried, errors, hint } = state;
    const next = errors[errors.indexOf(remark) + 1];
    const said = [element("h3", {}, `Move ${remark.ply}: ${task(remark)}`)];
    if (hint) said.push(element("p", {}, TASK[remark.before.value]));
    if (!tried) said.push(element("p", { class: "quietly" }, "Play it on the board."));
    else if (tried.trouble) said.push(element("p", { class: "quietly" }, tried.trouble));
    else if (tried.good === undefined) {
      said.push(element("p", { class: "quietly" }, `Looking at ${tried.move} …`));
    } else {
      const word = element("strong", { class: tried.good ? "good" : "bad" }, verdict(tried));
      said.push(element("p", {}, word));
      said.push(...tried.sentences.map((sentence) => sentenceOf(table, base, sentence)));
    }
    const best = () => table.show([...base, remark.best]);
    const isAtBase = same(table.state.shown.moves, base);
    return [
      ...said,
      element(
        "div",
        { class: "buttons-row" },
        isAtBase ? null : button("Again", () => table.show(base)),
        hint || tried?.good ? null : button("A clue", () => set({ ...state, hint: true })),
        tried?.good ? null : button("Show the best", best),
        next ? button("Next error", () => exercise(next)) : null,
        button("Done", async () => {
          await table.show(state.line);
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
          .map(([side, tally]) => [table.seen(side), tally])
          .sort(([first], [second]) => (first > second ? -1 : 1))
          .flatMap(([side, tally]) => [
            element("dt", { class: side.toLowerCase() }, side),
            element("dd", {}, tallyOf(tally)),
          ]),
      ),
      errors.length === 0
        ? element("p", {}, "No errors were found.")
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
                  button("Try again", () => exercise(remark), {
                    "aria-label": `Try again: move ${remark.ply}, ${remark.move}`,
                  }),
                ),
                remark.sentences
                  .slice(-1)
                  .map((sentence) => sentenceOf(table, before(remark), sentence)),
              ),
            ),
          ),
    ];
  }

  function draw() {
    const { game, exercise: now } = table.state;
    const isOver = game && game.result !== "*" && game.moves.length > 0;
    const content = {
      none: () => (isOver ? [button("Review the game", start, { class: "small wide" })] : []),
      failed: () => [
        element("p", { class: "quietly" }, state.sentence),
        button("Try once more", start),
      ],
      running: () => [
        element("label", { class: "quietly", for: "reviewed" }, howFar()),
        element("progress", {
          value: state.done,
          max: state.of,
          id: "reviewed",
        }),
        button("Cancel", cancel),
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
    table.watch(["game", "start"], ({ game, start: from }) => {
      const known = game && [from, ...game.moves].join(" ");
      if (reviewed !== null && known !== reviewed) {
        stop();
        reviewed = null;
        table.setRemarks({});
        table.setExercise(null);
        state = { kind: "none" };
      }
      draw();
    }),
    table.watch(["shown", "exercise"], attempt),
    table.watch(["shown", "exercise"], () => {
      if (state.kind === "done") draw();
    }),
  ];
  return () => {
    stop();
    ends.forEach((end) => end());
  };
}
