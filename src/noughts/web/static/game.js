// The page of a game: a new game, a game of the server, or a position from the address.
//
//   place ──► CurrentGame ──► board │ players, set-up, why, moves, actions
//
// Each card is a module with a function mount…(element, game) that returns a function to unmount.

import { mountActions } from "./actions.js";
import { createBoard } from "./board.js";
import * as client from "./client.js";
import { element, say } from "./dom.js";
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

const NAMES = "names";
const family = (rulesText) => rulesText.split(/[:~]/)[0];

function mountBoard(holder, frame, currentGame) {
  const isText = currentGame.state.shown.position.board.kind === "text";
  const board = (isText ? createTextBoard : createBoard)(holder, {
    frame,
    choose: (move) => {
      if (move) currentGame.move(move);
      else say(reason(currentGame));
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

/** Return why the clicked cell is no move. */
function reason(currentGame) {
  const { game, shown } = currentGame.state;
  if (shown.position.outcome) return shown.position.outcome.sentence;
  if (game?.sentence) return game.sentence;
  if (currentGame.mayMove === null) return "It is not your turn.";
  return `You can't play there. ${shown.position.state}.`;
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

/** Show the turn and the name of the game in the title of the tab. */
function mountTitle(currentGame, offered) {
  return currentGame.watch(["game", "shown"], ({ game, shown }) => {
    const { position } = game || shown;
    const isOver = game ? game.result !== "*" : position.outcome;
    const mine = !game || (game.yours.includes(position.turn) && game.yours.length === 1);
    const state = isOver ? "Game over" : mine ? "Your move" : `${position.turn} to move`;
    document.title = `${state} · ${titleOf(offered, position.rules)} · noughts`;
  });
}

export async function show(main, place) {
  const currentGame = new CurrentGame({ opened: (id) => rename(`/game/${id}`) });
  const setup = element("section", { class: "card", hidden: true });
  const ends = [];
  const offered = await rules();
  if (place.id) {
    await open(currentGame, place);
  } else {
    const given = Boolean(place.start);
    const wanted = given ? family(place.start) : place.query.get("game");
    const choice = firstChoice(offered, wanted);
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
    ends.push(
      mountSetup(
        setup,
        currentGame,
        offered,
        choice,
        (chosen) => prepare(chosen).catch((problem) => currentGame.set({ error: problem.message })),
        given,
      ),
    );
  }

  const holder = element("div");
  const typed = element("p", { class: "typed", role: "status" });
  const notices = element("div", { class: "notices" });
  const stage = element("div", { class: "stage" }, holder, typed, notices);
  const players = element("section", { class: "card players" });
  const invite = element("section", { class: "card", hidden: true });
  const why = element("section", { class: "card why" });
  const moves = element("section", { class: "card moves" });
  const actions = element("div", { class: "actions" });
  const beside = element("div", { class: "beside" }, players, invite, setup, why, moves, actions);
  const frame = element("div", { class: "table" }, stage, beside);
  main.append(frame);

  const board = mountBoard(holder, frame, currentGame);
  ends.push(
    board.end,
    mountPlayers(players, currentGame, go),
    mountExplanation(why, currentGame),
    mountMoves(moves, currentGame),
    mountActions(actions, currentGame, board),
    mountNotices(notices, invite, currentGame),
    mountKeys(typed, currentGame),
    mountTitle(currentGame, offered),
    currentGame.watch(["start"], ({ start }) => setTab(family(start))),
  );
  return () => {
    for (const end of ends) end();
    currentGame.end();
  };
}
