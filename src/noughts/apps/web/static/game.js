// The page of a game: a board ready to play, a game that goes on, a position from an address.
//
//   place ──► Table ──► board │ players, why, moves, actions
//
// Each card is a module with a mount function (element, table) that returns how to end it.

import { mountActions } from "./actions.js";
import { createBoard } from "./board.js";
import * as client from "./client.js";
import { element } from "./dom.js";
import { mountMoves } from "./moves.js";
import { mountPlayers } from "./players.js";
import { rename, setTab } from "./router.js";
import { Table } from "./table.js";
import { mountWhy } from "./why.js";

const family = (rules) => rules.split(/[:~]/)[0];

function mountBoard(holder, table) {
  const board = createBoard(holder, {
    choose: (move) => {
      if (move) table.move(move);
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
    table.watch(["preview"], ({ preview, shown }) => {
      if (shown) board.preview(preview?.position, preview?.moves);
    }),
  ];
  return () => ends.forEach((end) => end());
}

export async function show(main, place) {
  const table = new Table({ opened: (id) => rename(`/game/${id}`) });
  if (place.id) {
    const join = place.fragment.get("join");
    if (join) await client.join(place.id, join);
    await table.open(place.id, place.fragment.get("watch"));
  } else {
    const start = place.start || place.query.get("game") || "basic";
    const moves = (place.query.get("moves") || "").split(/\s+/).filter(Boolean);
    await table.prepare(start === "mnk" ? "mnk:5,5,4" : start, moves, {
      x: "me",
      o: "engine:level=4",
      swapped: false,
    });
  }
  setTab(family(table.state.start));

  const stage = element("div", { class: "stage" });
  const holder = element("div");
  const error = element("p", { class: "notice", role: "alert" });
  stage.append(holder, error);
  const players = element("section", { class: "card players" });
  const why = element("section", { class: "card why" });
  const moves = element("section", { class: "card moves" });
  const actions = element("div", { class: "actions" });
  const beside = element("div", { class: "beside" }, players, why, moves, actions);
  main.append(element("div", { class: "table" }, stage, beside));

  const ends = [
    mountBoard(holder, table),
    mountPlayers(players, table),
    mountWhy(why, table),
    mountMoves(moves, table),
    mountActions(actions, table),
    table.watch(["error", "connected"], ({ error: sentence, connected }) => {
      error.textContent = sentence || (connected ? "" : "The server does not answer. Trying again …");
    }),
  ];
  return () => {
    for (const end of ends) end();
    table.end();
  };
}
