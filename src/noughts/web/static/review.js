// The review of a finished game, a screen of its own: the report card, the graph at full width, the
// board, the errors one after another, and the moves with their labels.
//
//   "Review" ──► progress, the first errors ──► report │ graph │ board │ panel: the shown move
//   "Next error" ──► retry.js: the board before an error ──► a better move
//
// The screen is the page of the game: its other cards are hidden while `reviewing` is set.

import { count } from "/static/replay/words.js";
import { here, link } from "./address.js";
import { moveName } from "./coordinates.js";
import { begins } from "./current_game.js";
import { button, element, say, smallButton } from "./dom.js";
import { sentenceOf } from "./lines.js";
import { mark, named } from "./players.js";
import { mountRetry } from "./retry.js";
import { exploreAddress } from "./line_address.js";
import { forX, toneOf } from "./values.js";

const PLURALS = { mistake: "mistakes", blunder: "blunders", inaccuracy: "inaccuracies" };
const OPEN = "review";

/** Return the sides of a finished game that people played; both if there is none. */
function peopleOf({ state: { game } }) {
  const sides = Object.keys(game.players);
  const people = sides.filter((side) => game.players[side].kind !== "machine");
  return people.length > 0 ? people : sides;
}

/** Note in the address whether the review is open, so that a reload opens it again. */
function noteOpen(isOpen) {
  const { pathname, search, hash } = here();
  const fragment = new URLSearchParams(hash.slice(1));
  if (isOpen) fragment.set(OPEN, "");
  else fragment.delete(OPEN);
  const rest = fragment.size ? `#${fragment}` : "";
  window.history.replaceState(null, "", link(pathname + search + rest));
}

/** Put the review into its elements {report, panel, graph}; returns {open, end}. */
export function mountReview({ report, panel, graph }, currentGame, analyst) {
  const heading = element("h2", { tabindex: "-1" }, "Review");
  const result = element("p", { class: "review-result" });
  const close = button("Close review", () => leave());
  const card = element("div", { class: "report-card" });
  const wide = element("div", { class: "wide-graph" });
  report.append(element("div", { class: "report-head" }, heading, result, close), card, wide);
  const next = button("", () => advance(1), { class: "primary" });
  const analysis = button("Analysis", () => currentGame.setAnalysis(!currentGame.state.analysis));
  const going = element("div", { class: "review-going" }, next, analysis);
  const shownMove = element("div", { class: "shown-move" });
  const retried = element("div", { class: "retry" });
  const tally = element("h2");
  panel.append(tally, going, shownMove, retried);
  const retry = mountRetry(retried, currentGame, analyst);

  /** none, running {line, done, of, found}, failed {sentence}, done {line, remarks, errors, …} */
  let state = { kind: "none" };
  let stop = () => {};
  let spot = null;

  function set(next) {
    state = next;
    draw();
  }

  const lineText = () => [currentGame.state.start, ...currentGame.line].join(" ");

  // The screen

  function open() {
    currentGame.set({ reviewing: true, analysis: false });
    spot = document.createComment("graph");
    graph.replaceWith(spot);
    wide.append(graph);
    noteOpen(true);
    if (!currentGame.line.length || state.text !== lineText()) start();
    else draw();
    window.scrollTo(0, 0);
    heading.focus({ preventScroll: true });
  }

  function leave() {
    if (!currentGame.state.reviewing) return;
    if (state.kind === "running") {
      stop();
      state = { kind: "none" };
    }
    currentGame.set({ reviewing: false, exercise: null });
    spot.replaceWith(graph);
    noteOpen(false);
    if (currentGame.state.shown.kind !== "now") currentGame.showNow();
    document.querySelector(".endings .review-game")?.focus();
  }

  // The search

  function start() {
    const { line } = currentGame;
    set({ kind: "running", text: lineText(), line, done: 0, of: line.length, found: [] });
    say("Review started.");
    stop = analyst.ask(
      { do: "review", moves: line, opening: currentGame.state.game.swap2?.stones ?? 0 },
      (answer) => {
        if (answer.kind === "progress") set({ ...state, done: answer.done, of: answer.of });
        else if (answer.kind === "found") {
          const found = [...state.found, { ...answer, error: true }].sort((a, b) => a.ply - b.ply);
          currentGame.set({ remarks: Object.fromEntries(found.map((each) => [each.ply, each])) });
          set({ ...state, found });
        } else finish(answer, line);
      },
      (sentence) => set({ kind: "failed", sentence }),
    );
  }

  function finish({ remarks, summary, wins, decided }, line) {
    const sides = peopleOf(currentGame).map((side) => currentGame.swapLetters(side));
    const all = remarks.filter(({ error }) => error);
    const own = all.filter(({ player }) => sides.includes(player));
    const errors = own.length > 0 ? own : all;
    for (const { ply, before: value, player, proven } of remarks) {
      if (proven) analyst.note(line.slice(0, ply - 1).join(" "), "proof", forX(value, player === "X"));
    }
    currentGame.set({
      remarks: Object.fromEntries(remarks.map((remark) => [remark.ply, remark])),
      turning: sides.flatMap((side) => summary[side].turning_points),
    });
    set({ kind: "done", text: state.text, line, remarks, errors, summary, wins, decided });
    say(`Review done: ${count(errors.length, "error")}.`);
  }

  const before = ({ ply }) => state.line.slice(0, ply - 1);

  // From error to error

  /** Return the next error for 1, the previous one for -1, seen from the shown move or the exercise. */
  function errorAt(by) {
    if (state.kind !== "done") return undefined;
    const { shown, exercise } = currentGame.state;
    const at = exercise ? exercise.remark.ply : shown.kind === "now" ? 0 : shown.moves.length;
    const { errors } = state;
    return by > 0 ? errors.find(({ ply }) => ply > at) : errors.findLast(({ ply }) => ply < at);
  }

  /** Return the next error; after the last one the first, unless it is being tried again. */
  const nextError = () => errorAt(1) ?? (currentGame.state.exercise ? undefined : state.errors?.[0]);

  function advance(by) {
    const error = by > 0 ? nextError() : errorAt(by);
    if (error) retry.begin(error, before(error));
  }

  function pressed(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || !event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!currentGame.state.reviewing || event.target.closest("input, select, textarea, dialog")) return;
    event.preventDefault();
    event.stopPropagation();
    advance(by);
  }
  // Before the keys of the page: without Shift the arrows step through the moves.
  window.addEventListener("keydown", pressed, true);

  // Drawing

  const board = () => currentGame.state.shown.position.board;

  function headOf(remark, ...more) {
    const side = currentGame.swapLetters(remark.player).toLowerCase();
    return element(
      "p",
      { class: "error-head" },
      element("span", { class: "number" }, `Move ${remark.ply}:`),
      element("span", { class: `move ${side}` }, moveName(board(), remark.move, remark.words)),
      remark.label && element("span", { class: `remark ${toneOf(remark)}` }, remark.label),
      ...more,
    );
  }

  const buttonTo = (text, remark) =>
    smallButton(text, () => currentGame.show(state.line.slice(0, remark.ply)), {
      "aria-label": `${text} move ${remark.ply}, ${remark.move}`,
    });

  /** Return the accuracy and the labels of a side. */
  function sideOf(side) {
    const { accuracy, labels } = state.summary[currentGame.swapLetters(side)];
    const many = (label, number) => (number > 1 && PLURALS[label]) || label;
    const said = Object.entries(labels).map(([label, number]) => `${number} ${many(label, number)}`);
    return element(
      "div",
      { class: "side" },
      element(
        "p",
        { class: "side-name" },
        mark(side, currentGame.state.shown.position.board),
        element("span", { class: "name" }, named(currentGame, side).name),
      ),
      element(
        "p",
        {},
        element("strong", { class: "accuracy" }, accuracy === null ? "–" : String(Math.round(accuracy))),
        " accuracy",
      ),
      element("p", { class: "quietly" }, said.join(", ") || "no moves"),
    );
  }

  function decidedBy() {
    const { remarks, decided, wins } = state;
    const remark = decided && remarks[decided - 1];
    const last = wins.at(-1);
    const proven = last?.end === "won" && currentGame.swapLetters(last.sentence);
    return element(
      "div",
      { class: "decided" },
      element("h3", {}, "The moment that decided"),
      remark
        ? [
            headOf(remark, element("span", { class: "quietly" }, `better: ${moveName(board(), remark.best, remark.best_words)}`), buttonTo("Show", remark)),
            ...remark.sentences.slice(0, 1).map((each) => sentenceOf(currentGame, before(remark), each)),
          ]
        : element("p", {}, "No single error decided this game."),
      proven && element("p", { class: "quietly" }, proven),
    );
  }

  function drawCard() {
    const { kind } = state;
    if (kind === "running") {
      card.replaceChildren(
        element(
          "div",
          { class: "review-progress" },
          element("label", { for: "reviewed" }, `Reviewing: ${state.done} of ${state.of}`),
          element("progress", { value: state.done, max: state.of, id: "reviewed" }),
        ),
      );
    } else if (kind === "failed") {
      card.replaceChildren(element("p", {}, state.sentence), smallButton("Retry", start));
    } else if (kind === "done") card.replaceChildren(sideOf("X"), sideOf("O"), decidedBy());
  }

  function drawPanel({ shown, exercise, analysis: isOn }) {
    const { kind, errors } = state;
    const isDone = kind === "done";
    const following = isDone && nextError();
    tally.textContent = isDone ? count(errors.length, "error") : "Errors";
    next.hidden = !isDone || errors.length === 0 || (Boolean(exercise) && errors.length === 1);
    next.disabled = !following;
    const isFirst = following && following === errors[0];
    next.textContent = isFirst ? (errors.length > 1 ? "First error" : "Try the error again") : "Next error";
    next.title = "Shift+Right";
    analysis.hidden = Boolean(exercise);
    analysis.setAttribute("aria-pressed", String(isOn));
    shownMove.hidden = Boolean(exercise);
    if (exercise) return;
    const ply = shown.moves.length;
    const isOfGame = begins(currentGame.line, shown.moves);
    const remark = isDone && isOfGame ? state.remarks[ply - 1] : null;
    const of = (each) => (each.sentences ?? []).map((said) => sentenceOf(currentGame, before(each), said));
    shownMove.replaceChildren(
      ...(kind === "running" ? state.found : [])
        .map((each) => headOf(each, buttonTo("Show", each)))
        .slice(0, 5),
      ...(isDone && errors.length === 0 ? [element("p", {}, "No errors. Well played!")] : []),
      ...(remark ? [headOf(remark, ...linksOf(remark)), ...of(remark)] : []),
    );
  }

  function linksOf(remark) {
    const { ply, move, error } = remark;
    const address = exploreAddress(currentGame.state.start, before(remark));
    const about = `the position before move ${ply}`;
    return [
      error &&
        smallButton("Try again", () => retry.begin(remark, before(remark)), {
          "aria-label": `Try again: move ${ply}, ${move}`,
        }),
      element("a", { class: "button small quiet", href: address, "aria-label": `Explore ${about}` }, "Explore"),
    ].filter(Boolean);
  }

  function draw() {
    const { reviewing, game, shown, exercise } = currentGame.state;
    report.hidden = panel.hidden = !reviewing;
    report.classList.toggle("exercising", Boolean(exercise));
    if (!reviewing || !game) return;
    result.textContent = game.sentence ?? "";
    const held = panel.contains(document.activeElement) || card.contains(document.activeElement);
    drawCard();
    if (shown) drawPanel(currentGame.state);
    if (held && document.activeElement === document.body) heading.focus({ preventScroll: true });
  }

  const ends = [
    currentGame.watch(["game", "start"], () => {
      if (state.kind !== "none" && state.text !== lineText()) {
        stop();
        state = { kind: "none" };
        currentGame.set({ remarks: {}, turning: [] });
        leave();
      }
    }),
    currentGame.watch(["game", "shown", "exercise", "reviewing", "analysis", "coordinates"], draw),
    currentGame.watch(["exercise"], ({ exercise }) => exercise && window.scrollTo(0, 0)),
    retry.end,
  ];
  return {
    open,
    end() {
      stop();
      window.removeEventListener("keydown", pressed, true);
      if (currentGame.state.reviewing) spot.replaceWith(graph);
      ends.forEach((end) => end());
    },
  };
}
