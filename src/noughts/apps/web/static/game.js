// The page of a game: a board ready to play, a game that goes on, a position from an address.
//
//   place ──► Table ──► board │ players, set-up, why, moves, actions
//
// Each card is a module with a mount function (element, table) that returns how to end it.

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
import { firstChoice, mountSetup, rules, rulesId, seats, titleOf } from "./setup.js";
import { Table } from "./table.js";
import { mountWhy } from "./why.js";

const NAMES = "names";
const family = (rulesText) => rulesText.split(/[:~]/)[0];

function mountBoard(holder, frame, table) {
  const board = createBoard(holder, {
    frame,
    choose: (move) => {
      if (move) table.move(move);
      else say(reason(table));
    },
  });
  let drawn = null;
  const ends = [
    table.watch(["shown", "game"], ({ shown }) => {
      if (!shown) return;
      const fresh = drawn !== null && shown.moves.length === drawn.moves.length + 1;
      drawn = shown;
      board.show(shown.position, { fresh, may: table.mayMove !== null });
    }),
    table.watch(["values", "shown"], ({ values, shown }) => {
      if (!shown) return;
      board.setValues(values?.position === shown.position.position ? values.values : {});
    }),
    table.watch(["exercise"], ({ exercise }) => {
      if (!exercise) return;
      board.element.scrollIntoView({ block: "nearest" });
      board.focus();
    }),
    table.watch(["preview"], ({ preview, shown }) => {
      if (shown) board.preview(preview?.position, preview?.moves, preview?.from);
    }),
  ];
  board.setNames(recall(NAMES));
  return {
    end: () => ends.forEach((end) => end()),
    /** Show the names of the moves, or hide them. */
    names() {
      const wanted = !board.hasNames;
      remember(NAMES, wanted);
      board.setNames(wanted);
    },
  };
}

/** Why no move is possible where somebody tried one. */
function reason(table) {
  const { game, shown } = table.state;
  if (shown.position.outcome) return shown.position.outcome.sentence;
  if (game?.sentence) return game.sentence;
  if (table.mayMove === null) return "It is not your turn.";
  return `Not there: ${shown.position.state}.`;
}

/** Take the seat that a link gives; who comes too late looks on. */
async function open(table, place) {
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
  await table.open(place.id, join && late ? join : place.fragment.get("watch"));
  if (late) table.tell(late.message);
}

/** Let the title of the window say whose move it is, and in which game. */
function mountTitle(table, offered) {
  return table.watch(["game", "shown"], ({ game, shown }) => {
    const { position } = game || shown;
    const isOver = game ? game.result !== "*" : position.outcome;
    const mine = !game || (game.yours.includes(position.turn) && game.yours.length === 1);
    const state = isOver ? "Over" : mine ? "Your move" : `${position.turn} to move`;
    document.title = `${state} · ${titleOf(offered, position.rules)} · noughts`;
  });
}

export async function show(main, place) {
  const table = new Table({ opened: (id) => rename(`/game/${id}`) });
  const setup = element("section", { class: "card", hidden: true });
  const ends = [];
  const offered = await rules();
  if (place.id) {
    await open(table, place);
  } else {
    const given = Boolean(place.start);
    const wanted = given ? family(place.start) : place.query.get("game");
    const choice = firstChoice(offered, wanted);
    if (!choice) {
      throw new client.Problem({ status: 404, detail: `There is no game ${wanted} here.` });
    }
    if (given) choice.begins = true;
    const moves = (place.query.get("moves") || "").split(/\s+/).filter(Boolean);
    const prepare = (chosen) =>
      table.prepare(given ? place.start : rulesId(chosen), moves, ({ turn }) =>
        seats(offered, chosen, given ? turn : null),
      );
    await prepare(choice);
    setup.hidden = false;
    ends.push(
      mountSetup(
        setup,
        table,
        offered,
        choice,
        (chosen) => prepare(chosen).catch((problem) => table.tell(problem.message)),
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

  const board = mountBoard(holder, frame, table);
  ends.push(
    board.end,
    mountPlayers(players, table, go),
    mountWhy(why, table),
    mountMoves(moves, table),
    mountActions(actions, table, { names: board.names }),
    mountNotices(notices, invite, table),
    mountKeys(typed, table),
    mountTitle(table, offered),
    table.watch(["start"], ({ start }) => setTab(family(start))),
  );
  return () => {
    for (const end of ends) end();
    table.end();
  };
}
