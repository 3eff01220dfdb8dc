// The page of a game: a new game, a game of the server, or a position from the address.
//
//   place ──► CurrentGame ──► board │ players, set-up, why, moves, actions
//
// Each card is a module with a function mount…(element, game) that returns a function to unmount.

import { mountActions } from "./actions.js";
import { createAnalyst } from "./analysis.js";
import { createBoard, moveAt } from "./board.js";
import { link } from "./address.js";
import * as client from "./client.js";
import { tapAgain } from "./coordinates.js";
import { element } from "./dom.js";
import { mountKeys } from "./keys.js";
import { recall, remember } from "./memory.js";
import { ownName } from "./own_name.js";
import { mountNotices } from "./notices.js";
import { mountPlayers } from "./players.js";
import { go, rename, setTab } from "./router.js";
import { styled } from "./styled.js";
import { createTextBoard } from "./text_board.js";
import { mountTools } from "./tools.js";
import { firstChoice, mountSetup, rules, rulesId, seats } from "./setup.js";
import { movesIn } from "./line_address.js";
import { titleOf } from "./titles.js";
import { CurrentGame, begins } from "./current_game.js";
import { mountArrow, mountSituation } from "./guide.js";
import { actorOf, isUndecided } from "./swap2.js";
import { mountRules } from "./rules.js";

const NAMES = "names";
const STONES = "stones";
const family = (rulesText) => rulesText.split(/[:~]/)[0];

/** Return whether a line continues another one by a move, or by a move and its answer. */
const continues = (line, before) =>
  begins(line, before) && line.length > before.length && line.length <= before.length + 2;

/** Put the board into an element; `measured()` is called when the size of cells has changed. */
function mountBoard(pane, { frame, typed, measured }, currentGame) {
  const holder = element("div");
  pane.append(holder);
  const isText = currentGame.state.shown.position.board.kind === "text";
  const board = (isText ? createTextBoard : createBoard)(holder, {
    frame,
    choose: (move, cell) => {
      if (move) currentGame.move(move);
      else currentGame.refuse(moveAt(currentGame.state.shown.position.board, cell), cell);
    },
    selected: (move) => {
      typed.textContent = tapAgain(currentGame.state.shown.position.board, move);
    },
    measured: () => measured(),
  });
  let drawn = null;
  const ends = [
    currentGame.watch(["shown", "game", "pending"], ({ game, shown, pending }, before) => {
      if (!shown) return;
      if (pending) {
        if (pending !== before.pending) board.place(pending);
        return;
      }
      const fresh = drawn !== null && continues(shown.moves, drawn.moves);
      drawn = shown;
      const ended = game && game.result !== "*" && shown.kind === "now";
      board.show(shown.position, { fresh, ended, may: currentGame.mayMove !== null });
    }),
    currentGame.watch(["values", "shown"], ({ values, shown }) => {
      if (!shown) return;
      board.setValues(values?.position === shown.position.position ? values.values : {});
    }),
    currentGame.watch(["exercise"], ({ exercise }) => {
      if (!exercise) return;
      board.element.scrollIntoView({ block: "nearest" });
      board.focus();
    }),
    currentGame.watch(["preview"], ({ preview, shown }) => {
      if (shown) board.preview(preview?.position, preview?.moves, preview?.from);
    }),
  ];
  board.setNames(recall(NAMES));
  board.setStones(recall(STONES) === true);
  pane.addEventListener("scroll", () => {
    pane.style.setProperty("--below", `${pane.scrollTop}px`);
    pane.style.setProperty("--beyond", `${pane.scrollLeft}px`);
  });
  const isZoomed = () => pane.classList.contains("zoomed");
  const zoom = (on) => {
    pane.classList.toggle("zoomed", on);
    const { last, board: cells } = currentGame.state.shown.position;
    const middle = Math.floor(cells.rows / 2) * cells.columns + Math.floor(cells.columns / 2);
    const cell = holder.querySelector(`[data-cell="${last ?? middle}"]`);
    pane.scrollLeft = cell.offsetLeft + (cell.offsetWidth - pane.clientWidth) / 2;
    pane.scrollTop = cell.offsetTop + (cell.offsetHeight - pane.clientHeight) / 2;
  };
  const endZoom = ({ shown }, { shown: before }) => {
    if (isZoomed() && shown.position.rules !== before.position.rules) zoom(false);
  };
  ends.push(currentGame.watch(["shown"], endZoom));
  return {
    end: () => ends.forEach((end) => end()),
    holder,
    hasNames: () => board.hasNames,
    /** Show or hide coordinates. */
    names(wanted) {
      remember(NAMES, wanted);
      board.setNames(wanted);
      currentGame.set({ coordinates: wanted });
    },
    hasStones: () => recall(STONES) === true,
    /** Draw marks as stones, or not. */
    stones(wanted) {
      remember(STONES, wanted);
      board.setStones(wanted);
    },
    isSmall: () => board.isSmall,
    isZoomed,
    zoom,
  };
}

/** Open a game; a link with a join key takes the open seat, or else only watches. */
async function open(currentGame, place) {
  const join = place.fragment.get("join");
  let late = null;
  let view = null;
  if (join) {
    try {
      view = await client.join(place.id, join, ownName());
      window.history.replaceState(null, "", link(`/game/${place.id}`));
    } catch (problem) {
      late = problem;
    }
  }
  await currentGame.open(place.id, join && late ? join : place.fragment.get("watch"), view);
  if (late) currentGame.set({ error: late.message });
}

/** Mark the icon of the tab if it is the person's move against somebody else. */
function markIcon(isMarked) {
  const icon = document.querySelector("link[rel=icon]");
  const before = icon.getAttribute("href");
  const address = before.replace(/icon(-turn)?\.svg$/, `icon${isMarked ? "-turn" : ""}.svg`);
  if (before !== address) icon.setAttribute("href", address);
}

/** Show the name of the game as the heading, and with the turn in the title and icon of the tab. */
function mountTitle(heading, currentGame, offered) {
  const unwatch = currentGame.watch(["game", "shown"], (now) => {
    const { game, shown } = now;
    const { position } = game || shown;
    const isOver = game ? game.result !== "*" : position.outcome;
    const mine = !game || (game.yours.includes(actorOf(now)) && game.yours.length === 1);
    const others = isUndecided(now) ? "Swap2" : `${position.turn} to move`;
    const state = isOver ? "Game over" : mine ? "Your move" : others;
    const name = titleOf(offered, position.rules);
    document.title = `${state} · ${name} · noughts`;
    if (heading.textContent !== name) heading.textContent = name;
    markIcon(Boolean(game?.between_people) && !isOver && mine);
  });
  return () => {
    markIcon(false);
    unwatch();
  };
}

export async function show(main, place) {
  const currentGame = new CurrentGame({
    opened: (id) => rename(`/game/${id}`),
    followed: (id) => go(`/game/${id}${currentGame.key ? `#watch=${currentGame.key}` : ""}`),
  });
  const setup = element("section", { class: "card", hidden: true });
  const opponent = place.query.get("opponent");
  const ends = [];
  let isEnded = false;
  const offered = await rules();
  if (place.id) {
    await open(currentGame, place);
  } else {
    const given = Boolean(place.start);
    const wanted = given ? family(place.start) : place.query.get("game");
    const choice = firstChoice(offered, wanted, opponent, given);
    if (!choice) {
      throw new client.Problem({ status: 404, detail: `No game is called "${wanted}".` });
    }
    if (given) choice.begins = true;
    const moves = movesIn(place.start ?? wanted, place.query.get("moves"));
    const begun = given || moves.length > 0;
    const prepare = (chosen) =>
      currentGame.prepare(given ? place.start : rulesId(chosen), moves, ({ turn }) =>
        seats(offered, begun ? { ...chosen, swap2: false } : chosen, given ? turn : null),
      );
    await prepare(choice);
    const choose = (chosen) =>
      prepare(chosen).catch((problem) => {
        currentGame.fail(problem);
        return false;
      });
    const quick = opponent !== null;
    ends.push(mountSetup(setup, currentGame, offered, choice, choose, { fixed: given, begun, quick }));
  }

  const heading = element("h1", { class: "visually-hidden" });
  const situation = element("p", { class: "situation", role: "status" });
  const choices = element("div", { class: "choices", role: "group", "aria-label": "Your side", hidden: true });
  const pane = element("div", { class: "pane" });
  const typed = element("p", { class: "typed", role: "status" });
  const tools = element("div", { class: "tools", role: "group", "aria-label": "View" });
  const offer = element("p", { class: "offer-sentence", role: "status" });
  const answers = element("div", { class: "offer-answers" });
  const offers = element("div", { class: "offers", hidden: true }, offer, answers);
  const notices = element("div", { class: "notices" });
  const evaluation = element("div", { class: "evaluation", hidden: true });
  const boardAndBar = element("div", { class: "board-and-bar" }, evaluation, pane);
  const stage = element("div", { class: "stage" }, situation, choices, boardAndBar, tools, notices);
  const report = element("section", { class: "report", "aria-label": "Review", hidden: true });
  const players = element("section", { class: "card players" });
  const endings = element("div", { class: "endings", hidden: true });
  const invite = element("section", { class: "card", hidden: true });
  const rulesCard = element("section", { class: "card rules" });
  const why = element("section", { class: "card why", hidden: true });
  const review = element("section", { class: "card review", hidden: true });
  const moves = element("section", { class: "card moves", hidden: true });
  const actions = element("div", { class: "actions" });
  const cards = element("div", { class: "cards" }, invite, review, why, moves, setup, rulesCard);
  const beside = element("div", { class: "beside" }, players, offers, cards, actions);
  const frame = element("div", { class: "table" }, stage, beside);
  main.append(heading, report, frame);

  const sized = { frame, typed, measured: () => bar?.measured() };
  let bar = null;
  const board = mountBoard(pane, sized, currentGame);
  bar = mountTools(tools, typed, currentGame, board);
  const analyst = createAnalyst(currentGame);
  ends.push(
    board.end,
    bar.end,
    mountSituation(situation, currentGame),
    mountArrow(board.holder, currentGame),
    mountPlayers(players, endings, currentGame),
    mountRules(rulesCard, currentGame),
    analyst.end,
    mountActions(actions, currentGame),
    mountNotices(notices, invite, currentGame),
    mountKeys(typed, currentGame),
    mountTitle(heading, currentGame, offered),
    currentGame.watch(["start"], ({ start }) => setTab(family(start))),
    currentGame.watch(["reviewing"], ({ reviewing }) => frame.classList.toggle("reviewing", reviewing)),
  );
  // The board comes first: on a slow connection the rest takes another second.
  const opens = place.fragment.has("review");
  const places = { why, moves, evaluation, pane, board: board.holder, offers, offer, answers, endings, choices, frame, report, review, opens };
  styled("cards", import("./cards.js")).then(
    ({ mountCards }) => isEnded || ends.push(mountCards(places, currentGame, analyst)),
    () => currentGame.failToLoad(),
  );
  return () => {
    isEnded = true;
    for (const end of ends) end();
    currentGame.end();
  };
}
