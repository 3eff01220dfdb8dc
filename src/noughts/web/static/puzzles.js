// Puzzles: the list by game and difficulty, and one puzzle with its board.
//
//   /puzzles ──► GET /puzzles ──► the puzzle of the day, filters, cards
//   /puzzles/ID ──► board ──► a move ──► POST /puzzles/ID/moves ──► reply … ──► solved
//
// The server judges every move. This browser keeps the solved puzzles and the days in a row.

import { drawBoard } from "/static/replay/board.js";
import { count } from "/static/replay/words.js";
import { link } from "./address.js";
import { createBoard, moveAt } from "./board.js";
import * as client from "./client.js";
import { moveName, tapAgain } from "./coordinates.js";
import { attempt } from "./attempt.js";
import { button, drawn, element, say, select } from "./dom.js";
import { mountKeys } from "./keys.js";
import { byRelevance, lineOf, saidOf, sentenceOf } from "./lines.js";
import { daysInRow, isSolved, keepSolved, puzzleOfDay } from "./puzzle_days.js";
import { go, rename, setTab } from "./router.js";
import { positionAddress } from "./line_address.js";

const LEVELS = ["easy", "medium", "hard"];
const PAGE = 12;
const REPLY = 450;
const MAX_SENTENCES = 3;

const rated = (rating) => `rating ${rating.toFixed(1)}`;
const titled = (text) => text[0].toUpperCase() + text.slice(1);
const reducesMotion = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

const picture = (board) =>
  element("span", { class: "puzzle-picture", "aria-hidden": "true" }, drawn(drawBoard(board)));

// The list

function puzzleCard({ id, title, task, rating, level, picture: board }) {
  const solved = isSolved(id);
  return element(
    "li",
    {},
    element(
      "a",
      { class: "card puzzle-card", href: `/puzzles/${id}`, "data-level": level },
      picture(board),
      element("h3", {}, task),
      element(
        "p",
        { class: "about" },
        `${title} · ${rated(rating)}`,
        solved && element("span", { class: "solved" }, "Solved"),
      ),
    ),
  );
}

/** Return the card of today's puzzle, and the function that fills it. */
function todayCard() {
  const board = element("span", { class: "puzzle-picture", "aria-hidden": "true" });
  const task = element("p", {}, "A new one every day.");
  const about = element("p", { class: "about" });
  const card = element(
    "a",
    { class: "card puzzle-today", href: "/puzzles/today" },
    board,
    element(
      "div",
      {},
      element("h2", {}, "Today's puzzle"),
      task,
      about,
      element("span", { class: "button primary", "aria-hidden": "true" }, "Solve"),
    ),
  );
  const fill = async () => {
    const puzzle = await puzzleOfDay();
    const days = daysInRow();
    const row = days ? `${count(days, "day")} in a row` : null;
    board.replaceChildren(drawn(drawBoard(puzzle.picture)));
    task.textContent = puzzle.task;
    const said = [puzzle.title, rated(puzzle.rating), isSolved(puzzle.id) && "solved", row];
    about.textContent = said.filter(Boolean).join(" · ");
  };
  return { card, fill: () => attempt(fill, about) };
}

async function showList(main, { query }) {
  document.title = "Puzzles · noughts";
  const choice = { rules: query.get("rules") || "", level: query.get("level") || "" };
  const today = todayCard();
  const list = element("ul", { class: "puzzle-list" });
  const total = element("p", { class: "about", role: "status" });
  const more = button("Show more", () => showFrom(list.children.length), { hidden: true });
  const { games } = await client.request("GET", "/puzzles", { query: { count: 0 } });

  const showFrom = (start) => attempt(() => load(start), total);

  let asks = 0;
  async function load(start) {
    asks += 1;
    const mine = asks;
    const asked = Object.fromEntries(Object.entries(choice).filter(([, value]) => value));
    const found = await client.request("GET", "/puzzles", {
      query: { ...asked, start, count: PAGE },
    });
    if (mine !== asks) return;
    const cards = found.puzzles.map(puzzleCard);
    if (start) list.append(...cards);
    else list.replaceChildren(...cards);
    total.textContent = count(found.total, "puzzle");
    more.hidden = list.children.length >= found.total;
    if (start) cards[0]?.querySelector("a").focus();
  }

  function choose(name, value) {
    choice[name] = value;
    const asked = new URLSearchParams(Object.entries(choice).filter(([, each]) => each));
    rename(`/puzzles${asked.size ? `?${asked}` : ""}`);
    showFrom(0);
  }

  const field = (label, name, options) =>
    element(
      "label",
      { class: "puzzle-field" },
      element("span", {}, label),
      select(options, choice[name], (value) => choose(name, value)),
    );
  main.append(
    element(
      "div",
      { class: "page puzzles" },
      element("h1", {}, "Puzzles"),
      element(
        "p",
        { class: "about" },
        "Find the best move. It is proven that no other move is as good.",
      ),
      today.card,
      element(
        "div",
        { class: "puzzle-fields" },
        field("Game", "rules", [["", "All games"], ...games.map(({ rules, title }) => [rules, title])]),
        field("Difficulty", "level", [["", "Any"], ...LEVELS.map((each) => [each, titled(each)])]),
        total,
      ),
      list,
      more,
    ),
  );
  today.fill();
  await load(0);
}

// One puzzle

/** Return the fault of a wrong move, about which there are sentences. */
function faultOf(puzzle, sentences) {
  if (puzzle.kind === "keep") return "does not keep the win";
  const wins = sentences.some(({ claim, value }) => claim === "worth" && value?.value === "win");
  return wins ? "wins, but not in time" : "is not the best move";
}

/** Return a view of a puzzle for modules that show lines of a game. */
function lineHolder(start, board) {
  let asked = 0;
  return {
    state: { start },
    swapLetters: (text) => text,
    show: (moves) => go(positionAddress(start, moves)),
    async preview(moves, base = []) {
      asked += 1;
      const mine = asked;
      if (!moves) {
        board.preview(null);
        return;
      }
      const [end, from] = await Promise.all(
        [[...base, ...moves], base].map((each) => client.position(start, each)),
      );
      if (mine === asked) board.preview(end, moves, from);
    },
  };
}

async function showPuzzle(main, id) {
  const ofDay = id === "today";
  const puzzle = ofDay ? await puzzleOfDay() : await client.request("GET", `/puzzles/${id}`);
  document.title = `${puzzle.task.replace(/\.$/, "")} · noughts`;
  const start = puzzle.position.position;
  const state = { position: puzzle.position, moves: [], over: false, busy: false, hints: 0 };
  let ended = false;

  const frame = element("div", { class: "table" });
  const pane = element("div", { class: "pane" });
  const holder = element("div");
  const typed = element("p", { class: "typed", role: "status" });
  const verdict = element("p", { class: "verdict" });
  const reasons = element("div", { class: "reasons" });
  const line = element("p", { class: "solution" });
  const hintList = element("ul", { class: "hints" });
  const hint = button("Hint", showHint);
  const solution = button("Show solution", () => attempt(showSolution, verdict));
  const next = element("a", { class: "button", href: "/puzzles" }, "All puzzles");
  pane.append(holder);
  const board = createBoard(holder, {
    frame,
    choose: (move, cell) => (move ? tryMove(move) : attempt(() => refuse(cell), verdict)),
    selected: (move) => {
      typed.textContent = tapAgain(state.position.board, move);
    },
    measured() {},
  });
  const lines = lineHolder(start, board);

  function draw(fresh) {
    const may = !state.over && !state.busy;
    board.show(state.position, { fresh, may });
  }

  function tell(tone, text, sentences = [], base = []) {
    verdict.className = `verdict ${tone}`;
    verdict.textContent = text;
    const proven = byRelevance(sentences);
    const told = proven.length ? proven : sentences;
    reasons.replaceChildren(
      ...told.slice(0, MAX_SENTENCES).map((each) => sentenceOf(lines, base, each)),
    );
    say([text, ...told.slice(0, 1).map((each) => saidOf(lines, each))].join(" "));
  }

  async function refuse(cell) {
    if (state.over || state.busy) return;
    const text = moveAt(state.position.board, cell);
    const found = await client.refusal(start, state.moves, text);
    if (found.sentence) tell("even", found.sentence);
  }

  async function tryMove(move) {
    if (state.over || state.busy) return;
    state.busy = true;
    const before = state.position;
    board.place(move);
    verdict.className = "verdict even";
    verdict.textContent = "Checking…";
    reasons.replaceChildren();
    let answer;
    try {
      answer = await client.request("POST", `/puzzles/${puzzle.id}/moves`, {
        body: { moves: state.moves, move },
      });
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      state.busy = false;
      draw(false);
      tell("bad", problem.message);
      return;
    }
    if (ended) return;
    if (!answer.right) {
      state.busy = false;
      state.position = before;
      draw(false);
      const fault = faultOf(puzzle, answer.sentences);
      tell("bad", `${moveName(before.board, answer.move)} ${fault}. Try again.`, answer.sentences, state.moves);
      return;
    }
    [state.position] = answer.positions;
    state.moves = [...state.moves, answer.move];
    draw(true);
    if (answer.solved) {
      finish("good", "Solved!", answer.sentences, state.moves);
      keepSolved(puzzle.id, ofDay);
      showDays();
      return;
    }
    setTimeout(
      () => {
        if (ended) return;
        [, state.position] = answer.positions;
        state.moves = [...state.moves, answer.reply];
        state.busy = false;
        draw(true);
        tell("good", `Right. ${before.turn === "X" ? "O" : "X"} replies ${answer.reply}.`);
      },
      reducesMotion() ? 0 : REPLY,
    );
  }

  function finish(tone, text, sentences, moves) {
    state.over = true;
    state.busy = false;
    draw(false);
    tell(tone, text, sentences);
    line.replaceChildren("Solution: ", lineOf(lines, [], moves));
    hint.disabled = solution.disabled = true;
    next.classList.add("primary");
    attempt(offerNext, verdict);
  }

  /** Lead to the next puzzle of the game and difficulty that is not solved, if there is one. */
  async function offerNext() {
    const { rules, level } = puzzle;
    const { puzzles } = await client.request("GET", "/puzzles", {
      query: { rules, level, after: puzzle.id, count: 60 },
    });
    const following = puzzles.find(({ id: each }) => !isSolved(each));
    if (!following) return;
    next.href = link(`/puzzles/${following.id}`);
    next.textContent = "Next puzzle";
  }

  function showHint() {
    const text = puzzle.hints[state.hints];
    state.hints += 1;
    if (text) {
      hintList.append(element("li", {}, text));
      say(text);
    }
    if (state.hints >= puzzle.hints.length) hint.disabled = true;
  }

  async function showSolution() {
    if (state.over || state.busy) return;
    const known = state.moves;
    const found = await client.request("POST", `/puzzles/${puzzle.id}/solution`, {
      body: { moves: known },
    });
    if (!ended) finish("even", "The solution:", found.sentences, [...known, ...found.moves]);
  }

  const days = element("p", { class: "about" });
  function showDays() {
    const number = daysInRow();
    days.textContent = ofDay && number ? `Today's puzzle: ${count(number, "day")} in a row.` : "";
  }

  hint.disabled = puzzle.hints.length === 0;
  const heading = element("h1", {}, ofDay ? "Today's puzzle" : puzzle.title);
  frame.append(
    element("div", { class: "stage" }, element("p", { class: "situation" }, puzzle.task), pane, typed),
    element(
      "div",
      { class: "beside" },
      element(
        "section",
        { class: "card puzzle-about" },
        heading,
        element("p", {}, puzzle.rule),
        element("p", { class: "about" }, `${ofDay ? `${puzzle.title} · ` : ""}${titled(puzzle.level)} · ${rated(puzzle.rating)}`),
        days,
      ),
      element("section", { class: "card puzzle-why", "aria-label": "Judgement" }, verdict, reasons, line, hintList),
      element("div", { class: "actions puzzle-actions" }, hint, solution, next),
    ),
  );
  main.append(frame);
  client.prepare();
  tell("even", puzzle.moves > 1 ? `Find the ${count(puzzle.moves, "move")}. The machine defends.` : "Find the move.");
  showDays();
  draw(false);
  const unmount = mountKeys(typed, {
    state: { get shown() { return { position: state.position, kind: "now" }; } },
    get mayMove() { return !state.over && !state.busy; },
    move: (text) => (text in state.position.moves ? tryMove(text) : tell("even", `${text} is not a legal move.`)),
    change() {},
    step() {},
    showNow() {},
    watch: () => () => {},
  });
  return () => {
    ended = true;
    unmount();
  };
}

export function show(main, place) {
  setTab("puzzles");
  return place.id ? showPuzzle(main, place.id) : showList(main, place);
}
