// The explorer: the moves of a position, their exact values, and how the games with them ended.
//
//   /explore/START?moves=…&source=… ──► GET /explorer ──► board │ a row for each move
//   a row, the board, the keys ──► play ──► the address, and the moves of the next position
//
// Moves that are equal by symmetry share a row. Counts come first, exact values a moment later.

import { count } from "/static/replay/words.js";
import { link } from "./address.js";
import { createBoard, moveAt } from "./board.js";
import * as client from "./client.js";
import { tapAgain } from "./coordinates.js";
import { button, element, say, select } from "./dom.js";
import { mountKeys } from "./keys.js";
import { go, rename } from "./router.js";
import { rules } from "./setup.js";
import { titleOf } from "./titles.js";
import { exploreAddress, movesIn, positionAddress } from "./line_address.js";
import { createTextBoard } from "./text_board.js";

const SOURCES = client.HAS_SERVER
  ? [
      ["both", "All games"],
      ["server", "This server"],
      ["engine", "Engine"],
    ]
  : [];
/** Milliseconds that the counts wait for the exact values, so that rows seldom change places. */
const PATIENCE = 300;
/** Rows before the button that shows the rest. */
const FIRST_ROWS = 12;
/** Characters of equal moves that fit in a row; of more moves it has the first and their number. */
const WIDEST = 8;

const later = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const thousands = (number) => number.toLocaleString("en");

/** Return the games to choose from, as [rules id, title] pairs. */
function offeredGames(offered, chosen) {
  const known = offered.games.flatMap(({ name, title, presets }) =>
    presets.length ? presets.map((each) => [each.rules_id, each.title]) : [[name, title]],
  );
  const isKnown = known.some(([id]) => id === chosen);
  return isKnown ? known : [[chosen, titleOf(offered, chosen)], ...known];
}

/** Return in words how games ended. */
const outcomesInWords = ({ games, x, draws, o }) =>
  `${count(games, "game")}: X won ${x}, O won ${o}, ${count(draws, "draw")}`;

/** Return the value of a move as the board shows it: exact, or the number of games. */
function worthOf({ value, outcomes }, isBest) {
  if (value) return { ...value, best: isBest };
  const played = count(outcomes.games, "game");
  return { mark: `${outcomes.games}×`, words: `${played} with it`, tone: "even", chance: 50 };
}

/** Return a text for screen readers, who hear a row as one sentence. */
const unseen = (text) => element("span", { class: "visually-hidden" }, text);

/** Return texts about X, draws and O side by side, each after an unseen word. */
const thirds = (x, draws, o, words = ["", "", ""]) =>
  element(
    "span",
    { class: "explored-thirds" },
    [["x", x], ["draws", draws], ["o", o]].map(([name, text], at) =>
      element("span", { class: name }, words[at] && unseen(words[at]), text),
    ),
  );

/** Return the bar of the results of a move's games, with their numbers below it. */
function barOf(outcomes) {
  const { games, x, draws, o } = outcomes;
  if (!games) return element("span", { class: "explored-none" }, "–");
  const part = (name, number) => {
    const made = element("span", { class: name });
    made.style.width = `${(100 * number) / games}%`;
    return made;
  };
  return element(
    "span",
    { class: "explored-results", title: outcomesInWords(outcomes) },
    element("span", { class: "explored-bar" }, part("x", x), part("draws", draws), part("o", o)),
    thirds(thousands(x), thousands(draws), thousands(o), [" X won ", ", draws ", ", O won "]),
  );
}

export async function show(main, place) {
  const offered = await rules();
  const start = place.start ?? "connect4";
  const state = {
    line: movesIn(start, place.query.get("moves")),
    ahead: [],
    source: SOURCES.some(([name]) => name === place.query.get("source"))
      ? place.query.get("source")
      : "both",
    view: null,
    all: false,
    busy: false,
  };
  const known = new Map();
  let asks = 0;
  let ended = false;

  const frame = element("div", { class: "table explorer" });
  const situation = element("p", { class: "situation", role: "status" });
  const pane = element("div", { class: "pane" });
  const holder = element("div");
  const typed = element("p", { class: "typed", role: "status" });
  const notice = element("p", { class: "note alert", role: "alert" });
  const list = element("ol", { class: "explored" });
  const more = button("", () => showAll(), { class: "small", hidden: true });
  const caption = element("p", { class: "caption" });
  const path = element("p", { class: "explored-path" });
  const back = button("Back", () => step(-1));
  const on = button("Forward", () => step(1));
  const begin = button("Start", () => visit([]));
  const playing = element("a", { class: "button", href: "/" }, "Play from here");
  pane.append(holder);

  const ask = async (values) => {
    const query = { start, moves: state.line.join(" "), source: state.source };
    const key = `${query.source} ${query.moves}`;
    if (known.has(key)) return known.get(key);
    const found = await client.request("GET", "/explorer", { query: { ...query, values } });
    if (values) known.set(key, found);
    return found;
  };
  const first = await ask(false);
  if (!first.line.length && state.line.length) state.line = [];
  else state.line = first.line;

  const isText = first.position.board.kind === "text";
  const board = (isText ? createTextBoard : createBoard)(holder, {
    frame,
    choose: (move, cell) => (move ? play(move) : refuse(cell)),
    selected: (move) => {
      typed.textContent = tapAgain(state.view.position.board, move);
    },
    measured() {},
  });

  /** Mark the cells of moves on the board; none without moves. */
  function point(moves = []) {
    const cells = moves.map((move) => state.view.position.moves[move]);
    for (const cell of holder.querySelectorAll("[data-cell]")) {
      cell.classList.toggle("pointed", cells.includes(Number(cell.dataset.cell)));
    }
  }

  function rowOf({ moves, value, outcomes }) {
    const [move, ...equal] = moves;
    const others = moves.join(" ").length > WIDEST ? `+${equal.length}` : equal.join(" ");
    const made = button("", () => play(move), { class: "explored-move" });
    made.append(
      unseen("Play "),
      element(
        "span",
        { class: "explored-name", title: moves.join(" ") },
        move,
        equal.length ? element("span", { class: "explored-equal" }, ` ${others}`) : null,
      ),
      element(
        "span",
        { class: "explored-value" },
        value ? element("span", { class: `chip ${value.tone}` }, value.mark) : "–",
      ),
      element("span", { class: "explored-games" }, thousands(outcomes.games)),
      unseen(outcomes.games === 1 ? " game" : " games"),
      barOf(outcomes),
    );
    made.addEventListener("pointerenter", () => point(moves));
    made.addEventListener("focus", () => made.matches(":focus-visible") && point(moves));
    for (const name of ["pointerleave", "blur"]) made.addEventListener(name, () => point());
    return element("li", {}, made);
  }

  function drawList() {
    const { moves, outcomes, counted, engine, position } = state.view;
    const told = moves.filter((each) => each.value || each.outcomes.games);
    const shown = state.all ? moves : told.slice(0, FIRST_ROWS);
    list.replaceChildren(...shown.map(rowOf));
    list.hidden = shown.length === 0;
    heads.hidden = list.hidden;
    table.classList.toggle("without-values", !moves.some(({ value }) => value));
    more.hidden = shown.length === moves.length;
    const rest = moves.length - shown.length;
    more.textContent = shown.length ? `Show ${rest} more` : `Show ${count(rest, "move")}`;
    const games = outcomes.games ? outcomesInWords(outcomes) : "No games yet";
    const ofServer = "finished games of this server";
    const ofEngine = "games of the engine against itself";
    const ofBoth = engine ? `${ofServer} and ${thousands(engine)} of the engine` : ofServer;
    const sources = {
      both: client.HAS_SERVER ? ofBoth : ofEngine,
      server: ofServer,
      engine: ofEngine,
    };
    caption.textContent = position.outcome
      ? ""
      : counted
        ? `${games}. Counted: ${sources[state.source]}.`
        : "Games are counted for their first moves only.";
    const best = moves[0]?.value;
    const isSure = best?.value === "win" || moves.every(({ value }) => value);
    const areEqual = moves.every(({ value }) => value?.mark === best?.mark);
    const isBest = ({ value }) => isSure && !areEqual && value?.mark === best.mark;
    board.setValues(
      Object.fromEntries(
        told.flatMap((each) => each.moves.map((move) => [move, worthOf(each, isBest(each))])),
      ),
    );
  }

  function drawPosition(fresh) {
    const { position, line } = state.view;
    document.title = `Explorer · ${titleOf(offered, position.rules)} · noughts`;
    situation.textContent = position.outcome?.sentence ?? position.situation["-"];
    board.show(position, { fresh, may: !position.outcome });
    path.replaceChildren(
      ...line.map((move, at) =>
        element(
          "a",
          {
            class: "step",
            href: exploreAddress(start, line.slice(0, at + 1), state.source),
            onclick: (event) => {
              event.preventDefault();
              visit(line.slice(0, at + 1));
            },
          },
          move,
        ),
      ),
    );
    begin.disabled = back.disabled = line.length === 0;
    on.disabled = state.ahead.length === 0;
    playing.href = link(positionAddress(start, line));
  }

  function showAll() {
    state.all = true;
    const before = list.children.length;
    drawList();
    list.children[before]?.querySelector("button").focus();
  }

  /** Show the position of the line: the board at once, the counts, then the exact values. */
  async function load(fresh) {
    asks += 1;
    const mine = asks;
    const isOld = () => ended || mine !== asks;
    notice.textContent = "";
    list.setAttribute("aria-busy", "true");
    const whole = ask(true);
    whole.catch(() => {});
    let focused = -1;
    const redrawList = () => {
      const row = document.activeElement.closest(".explored > li");
      if (row) focused = [...list.children].indexOf(row);
      drawList();
      // A list without values may have no rows yet.
      if (document.activeElement === document.body) {
        list.children[Math.min(focused, list.children.length - 1)]?.firstChild.focus();
      }
    };
    try {
      state.view = await ask(false);
      if (isOld()) return;
      state.all = false;
      drawPosition(fresh);
      say(situation.textContent);
      await Promise.race([whole, later(PATIENCE)]);
      if (isOld()) return;
      redrawList();
      state.view = await whole;
      if (isOld()) return;
      redrawList();
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      if (!isOld()) notice.textContent = problem.message;
    } finally {
      if (!isOld()) list.removeAttribute("aria-busy");
    }
  }

  /** Go to a line; moves that leave it may be played forward again. */
  function visit(line, { fresh = false, ahead = [] } = {}) {
    state.line = line;
    state.ahead = ahead;
    rename(exploreAddress(start, line, state.source));
    return load(fresh);
  }

  function play(move) {
    if (!(move in state.view.position.moves)) return;
    point();
    board.place?.(move);
    const [next, ...ahead] = state.ahead;
    visit([...state.line, move], { fresh: true, ahead: next === move ? ahead : [] });
  }

  function step(by) {
    if (by > 0 && state.ahead.length) play(state.ahead[0]);
    if (by < 0 && state.line.length) {
      visit(state.line.slice(0, -1), { ahead: [state.line.at(-1), ...state.ahead] });
    }
  }

  async function refuse(cell) {
    const { position, line } = state.view;
    if (position.outcome || position.board.kind === "text") return;
    const found = await client.refusal(start, line, moveAt(position.board, cell));
    if (found.sentence) notice.textContent = found.sentence;
  }

  const sources = element(
    "fieldset",
    { class: "segments explored-sources" },
    element("legend", { class: "visually-hidden" }, "Games to count"),
    element(
      "div",
      {},
      SOURCES.map(([name, title]) =>
        element(
          "label",
          {},
          element("input", {
            type: "radio",
            name: "source",
            value: name,
            checked: name === state.source,
            onchange: () => {
              state.source = name;
              visit(state.line, { ahead: state.ahead });
            },
          }),
          element("span", {}, title),
        ),
      ),
    ),
  );
  const { rules: chosen } = first.position;
  const game = element(
    "label",
    { class: "explored-game" },
    element("span", { class: "visually-hidden" }, "Game"),
    select(offeredGames(offered, chosen), chosen, (id) => go(exploreAddress(id, [], state.source))),
  );
  const heads = element(
    "div",
    { class: "explored-heads", "aria-hidden": "true" },
    ["Move", "Value", "Games"].map((each) => element("span", {}, each)),
    thirds("X", "draws", "O"),
  );
  const table = element(
    "section",
    { class: "card explored-moves", "aria-label": "Moves" },
    heads,
    list,
    more,
    caption,
  );
  frame.append(
    element("div", { class: "stage" }, situation, pane, typed, notice),
    element(
      "div",
      { class: "beside" },
      element(
        "section",
        { class: "card explored-about" },
        element("div", { class: "explored-title" }, element("h1", {}, "Explorer"), game),
        client.HAS_SERVER && sources,
        path,
      ),
      table,
      element("div", { class: "actions explored-actions" }, begin, back, on, playing),
    ),
  );
  main.append(frame);
  const unmount = mountKeys(typed, {
    state: {
      get shown() {
        return { position: state.view.position, kind: "now" };
      },
    },
    get mayMove() {
      return !state.view.position.outcome;
    },
    move: (text) => {
      if (text in state.view.position.moves) play(text);
      else notice.textContent = `${text} is not a legal move.`;
    },
    change: (what) => step(what === "undo" ? -1 : 1),
    step,
    showNow() {},
    watch: () => () => {},
  });
  state.view = first;
  load(false);
  return () => {
    ended = true;
    unmount();
  };
}
