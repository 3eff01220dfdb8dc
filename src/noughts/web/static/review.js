// The review of a finished game: accuracy, turning points, and the errors as exercises.
//
//   "Review game" ──► progress ──► remarks ──► the move list, accuracy, turning points, a list
//   "Try again" ──► the board before the error ──► a move ──► a verdict with reasons
//
// During an exercise no values are shown.

import { drawBoard } from "/static/replay/board.js";
import { count } from "/static/replay/words.js";
import { begins, same } from "./current_game.js";
import { element, say, smallButton } from "./dom.js";
import { swapPosition, swapSketch } from "./letters.js";
import { sentenceOf } from "./lines.js";
import { exploreAddress } from "./share.js";
import { drawPointer, drawRings } from "./sketch.js";
import { forX, toneOf } from "./values.js";

const CARD_SENTENCES = 2;
const CARD_ARROW = 30;
const PLURALS = { mistake: "mistakes", blunder: "blunders", inaccuracy: "inaccuracies" };

/** Return the labels of one side in words. */
function labelsOf({ labels }) {
  const many = (label, number) => (number > 1 && PLURALS[label]) || label;
  const counts = Object.entries(labels).map(([label, number]) => `${number} ${many(label, number)}`);
  return counts.join(", ") || "no moves";
}

/** Return the sides of a finished game that people played; both if there is none. */
function peopleOf({ state: { game } }) {
  const sides = Object.keys(game.players);
  const people = sides.filter((side) => game.players[side].kind !== "machine");
  return people.length > 0 ? people : sides;
}

/** Put the review into an element; `changed()` is called after each redraw. */
export function mountReview(holder, currentGame, analyst, changed) {
  let state = { kind: "none" };
  let reviewed = null;
  let stop = () => {};
  let asked = 0;
  let isOpen = false;

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

  async function finish({ remarks, summary, wins }, line) {
    const mine = reviewed;
    const points = peopleOf(currentGame)
      .flatMap((side) => summary[currentGame.swapLetters(side)].turning_points)
      .map((ply) => remarks[ply - 1]);
    // Without its picture a card still has its words.
    const boards = await Promise.all(
      points.map(({ ply }) => currentGame.positionAfter(line.slice(0, ply - 1)).catch(() => null)),
    );
    if (mine !== reviewed || state.kind !== "running") return;
    const errors = remarks.filter(({ error }) => error);
    for (const { ply, before: value, player, proven } of remarks) {
      if (proven) analyst.note(line.slice(0, ply - 1).join(" "), "proof", forX(value, player === "X"));
    }
    currentGame.set({
      remarks: Object.fromEntries(remarks.map((remark) => [remark.ply, remark])),
      turning: points.map(({ ply }) => ply),
    });
    set({ kind: "done", line, remarks, errors, points, boards, summary, wins });
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
    const cards = holder.closest(".cards");
    cards.scrollTop += holder.getBoundingClientRect().top - cards.getBoundingClientRect().top;
    currentGame.show(base);
    say(task(remark));
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
    if (hint) parts.push(element("p", { class: "clue" }, currentGame.swapLetters(remark.clue)));
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

  /** Return the header of a remark, with a button for another try at an error. */
  function headOf(remark) {
    return element(
      "p",
      { class: "error-head" },
      element("span", { class: "number" }, `Move ${remark.ply}:`),
      element("span", { class: `move ${sideOf(remark)}` }, remark.move),
      element("span", { class: `remark ${toneOf(remark)}` }, remark.label),
    );
  }

  const tryButton = (remark) =>
    smallButton("Try again", () => exercise(remark), {
      "aria-label": `Try again: move ${remark.ply}, ${remark.move}`,
    });

  const exploreLink = (remark) =>
    element(
      "a",
      {
        class: "button small quiet",
        href: exploreAddress(currentGame.state.start, before(remark)),
        "aria-label": `Explore the position before move ${remark.ply}`,
      },
      "Explore",
    );

  /** Return the board before an error, with arrows to the move played and to the better one. */
  function pictureOf({ move, best, sentences }, before) {
    const position = before && swapPosition(before, currentGame.swapped);
    if (!position || position.board.kind === "text") return null;
    const { board, moves } = position;
    const rings = swapSketch(sentences[0].sketch, currentGame.swapped);
    const over =
      (rings ? drawRings(board, rings.rings, rings.player) : "") +
      drawPointer(board, moves[best], "good", CARD_ARROW) +
      drawPointer(board, moves[move], "bad", CARD_ARROW);
    const picture = element("div", { class: "picture" });
    picture.innerHTML = drawBoard(position);
    picture.firstElementChild.innerHTML += over;
    return picture;
  }

  function cardOf(remark, board) {
    return element(
      "li",
      {},
      pictureOf(remark, board),
      headOf(remark),
      element(
        "div",
        {},
        remark.sentences
          .slice(0, CARD_SENTENCES)
          .map((each) => sentenceOf(currentGame, before(remark), each)),
      ),
      element("div", { class: "buttons-row" }, tryButton(remark), exploreLink(remark)),
    );
  }

  function listOf(remarks) {
    return element(
      "ul",
      { class: "errors" },
      remarks.map((remark) => {
        const head = headOf(remark);
        if (remark.error) head.append(tryButton(remark));
        const said = remark.sentences.map((each) => sentenceOf(currentGame, before(remark), each));
        return element("li", {}, head, said);
      }),
    );
  }

  function tally() {
    const sides = Object.entries(state.summary)
      .map(([side, each]) => [currentGame.swapLetters(side), each])
      .sort(([first], [second]) => (first > second ? -1 : 1));
    return element(
      "dl",
      { class: "tally" },
      sides.flatMap(([side, each]) => [
        element("dt", { class: side.toLowerCase() }, side),
        element(
          "dd",
          { class: "accuracy", title: "Accuracy" },
          each.accuracy === null ? "–" : String(Math.round(each.accuracy)),
        ),
        element("dd", {}, labelsOf(each)),
      ]),
    );
  }

  function drawDone() {
    const { errors, points, boards, remarks } = state;
    const rest = remarks.filter((each) => each.sentences.length > 0 && !points.includes(each));
    const all = element("details", {}, element("summary", {}, count(rest.length, "other remark")));
    all.append(listOf(rest));
    all.open = isOpen;
    all.addEventListener("toggle", () => {
      isOpen = all.open;
    });
    return [
      element("h3", {}, "Accuracy"),
      tally(),
      state.wins.length > 0
        ? element("p", {}, state.wins.map(({ sentence }) => currentGame.swapLetters(sentence)).join(" "))
        : null,
      points.length > 0 ? element("h3", {}, "Turning points") : null,
      points.length > 0
        ? element("ol", { class: "points" }, points.map((each, at) => cardOf(each, boards[at])))
        : null,
      errors.length === 0 ? element("p", {}, "No errors. Well played!") : null,
      rest.length > 0 ? all : null,
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
    holder.replaceChildren(...content.filter(Boolean));
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
        currentGame.set({ remarks: {}, turning: [] });
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
