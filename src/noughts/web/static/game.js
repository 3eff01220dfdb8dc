// The page of a game: a new game, a game of the server, or a position from the address.
//
//   place ──► CurrentGame ──► board │ players, set-up, why, moves, actions
//
// Each card is a module with a function mount…(element, game) that returns a function to unmount.

import { mountActions } from "./actions.js";
import { createBoard } from "./board.js";
import * as client from "./client.js";
import { element } from "./dom.js";
import { mountKeys } from "./keys.js";
import { recall, remember } from "./memory.js";
import { mountMoves } from "./moves.js";
import { mountNotices } from "./notices.js";
import { mountPlayers } from "./players.js";
import { go, rename, setTab } from "./router.js";
import { createTextBoard } from "./text_board.js";
import { firstChoice, mountSetup, rules, rulesId, seats, titleOf } from "./setup.js";
import { CurrentGame } from "./current_game.js";
import { mountExplanation } from "./explanation.js";
import { mountArrow, mountSituation } from "./guide.js";
import { moveAt, mountRefusals } from "./refusal.js";
import { mountRules } from "./rules.js";

const NAMES = "names";
const family = (rulesText) => rulesText.split(/[:~]/)[0];

function mountBoard(holder, frame, currentGame) {
  const isText = currentGame.state.shown.position.board.kind === "text";
  const board = (isText ? createTextBoard : createBoard)(holder, {
    frame,
    choose: (move, cell) => {
      if (move) currentGame.move(move);
      else currentGame.refuse(moveAt(currentGame.state.shown.position.board, cell), cell);
    },
  });
  let drawn = null;
  const ends = [
    currentGame.watch(["shown", "game"], ({ shown }) => {
      if (!shown) return;
      const fresh = drawn !== null && shown.moves.length === drawn.moves.length + 1;
      drawn = shown;
      board.show(shown.position, { fresh, may: currentGame.mayMove !== null });
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
  return {
    end: () => ends.forEach((end) => end()),
    hasNames: () => board.hasNames,
    /** Show or hide coordinates. */
    names() {
      const wanted = !board.hasNames;
      remember(NAMES, wanted);
      board.setNames(wanted);
    },
  };
}

/** Open a game; a link with a join key takes the open seat, or else only watches. */
async function open(currentGame, place) {
  const join = place.fragment.get("join");
  let late = null;
  if (join) {
    try {
      await client.join(place.id, join);
      window.history.replaceState(null, "", `/game/${place.id}`);
    } catch (problem) {
      late = problem;
    }
  }
  await currentGame.open(place.id, join && late ? join : place.fragment.get("watch"));
  if (late) currentGame.set({ error: late.message });
}

/** Show the name of the game as the heading, and with the turn in the title of the tab. */
function mountTitle(heading, currentGame, offered) {
  return currentGame.watch(["game", "shown"], ({ game, shown }) => {
    const { position } = game || shown;
    const isOver = game ? game.result !== "*" : position.outcome;
    const mine = !game || (game.yours.includes(position.turn) && game.yours.length === 1);
    const state = isOver ? "Game over" : mine ? "Your move" : `${position.turn} to move`;
    const name = titleOf(offered, position.rules);
    document.title = `${state} · ${name} · noughts`;
    if (heading.textContent !== name) heading.textContent = name;
  });
}

export async function show(main, place) {
  const currentGame = new CurrentGame({ opened: (id) => rename(`/game/${id}`) });
  const setup = element("section", { class: "card", hidden: true });
  const opponent = place.query.get("opponent");
  const ends = [];
  const offered = await rules();
  if (place.id) {
    await open(currentGame, place);
  } else {
    const given = Boolean(place.start);
    const wanted = given ? family(place.start) : place.query.get("game");
    const choice = firstChoice(offered, wanted, opponent);
    if (!choice) {
      throw new client.Problem({ status: 404, detail: `No game is called "${wanted}".` });
    }
    if (given) choice.begins = true;
    const moves = (place.query.get("moves") || "").split(/\s+/).filter(Boolean);
    const prepare = (chosen) =>
      currentGame.prepare(given ? place.start : rulesId(chosen), moves, ({ turn }) =>
        seats(offered, chosen, given ? turn : null),
      );
    await prepare(choice);
    setup.hidden = false;
    const choose = (chosen) =>
      prepare(chosen).catch((problem) => currentGame.set({ error: problem.message }));
    const quick = opponent !== null;
    ends.push(mountSetup(setup, currentGame, offered, choice, choose, { fixed: given, quick }));
  }

  const holder = element("div");
  const heading = element("h1", { class: "visually-hidden" });
  const situation = element("p", { class: "situation", role: "status" });
  const typed = element("p", { class: "typed", role: "status" });
  const notices = element("div", { class: "notices" });
  const stage = element("div", { class: "stage" }, situation, holder, typed, notices);
  const players = element("section", { class: "card players" });
  const invite = element("section", { class: "card", hidden: true });
  const rulesCard = element("section", { class: "card rules" });
  const why = element("section", { class: "card why" });
  const moves = element("section", { class: "card moves" });
  const actions = element("div", { class: "actions" });
  const cards = [players, invite, setup, rulesCard, why, moves, actions];
  const beside = element("div", { class: "beside" }, cards);
  const frame = element("div", { class: "table" }, stage, beside);
  main.append(heading, frame);

  const board = mountBoard(holder, frame, currentGame);
  ends.push(
    board.end,
    mountSituation(situation, currentGame),
    mountArrow(holder, currentGame),
    mountRefusals(holder, currentGame),
    mountPlayers(players, currentGame, go),
    mountRules(rulesCard, currentGame),
    mountExplanation(why, currentGame),
    mountMoves(moves, currentGame),
    mountActions(actions, currentGame, board),
    mountNotices(notices, invite, currentGame),
    mountKeys(typed, currentGame),
    mountTitle(heading, currentGame, offered),
    currentGame.watch(["start"], ({ start }) => setTab(family(start))),
  );
  return () => {
    for (const end of ends) end();
    currentGame.end();
  };
}
