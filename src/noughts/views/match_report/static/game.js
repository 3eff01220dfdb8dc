// A game of a match: its data, and the texts about it.
//
//   data, game ──gameAt(ply)──► a position as drawBoard takes it
//              ──noteAt(ply)──► time and remarks of the move before it
//
// No rules are known here: marks go where the data put them.

import { SIDES } from "./board.js";
import { number } from "./words.js";

/** The points of a side by the result of a game; without a result there are none. */
export const POINTS = { "1-0": ["1", "0"], "0-1": ["0", "1"], "1/2-1/2": ["½", "½"] };

/** Return who moves at a ply: 0 for X, 1 for O. */
export const sideAt = (data, game, ply) => (data.starts[game.start].side + ply) % 2;

/** Return the position after `ply` moves. */
export function gameAt(data, game, ply) {
  const start = data.starts[game.start];
  const { kind } = start.board;
  const turn = SIDES[sideAt(data, game, ply)];
  const over = ply === game.moves;
  if (kind === "text") {
    const text = ply ? data.texts[game.diagrams[ply - 1]] : start.board.text;
    return { board: { kind, text }, turn, over };
  }
  const cells = [...start.board.cells];
  game.cells.slice(0, ply).forEach((cell, at) => {
    cells[cell] = SIDES[sideAt(data, game, at)];
  });
  const board = { ...start.board, cells };
  if (over) [board.lines, board.board_lines] = game.lines ?? [[], []];
  const last = ply ? game.cells[ply - 1] : -1;
  if (kind !== "nested") return { board, turn, last, over };
  board.owners = start.owners;
  for (const [from, owners] of game.owners) if (from <= ply) board.owners = owners;
  const open = [...Array(9).keys()].filter((each) => (game.open[ply] >> each) & 1);
  return { board, turn, last, over, open };
}

/** Return the text of a move, counted from 0. */
export function moveText(data, game, at) {
  const { board } = data.starts[game.start];
  if (board.kind === "text") return data.texts[game.texts[at]];
  return board.names[board.kind === "rack" ? game.cells[at] % board.columns : game.cells[at]];
}

/** Return a time as people read it. */
export function duration(microseconds) {
  if (microseconds < 1000) return `${microseconds} µs`;
  if (microseconds < 100_000) return `${(microseconds / 1000).toPrecision(3)} ms`;
  if (microseconds < 60_000_000) return `${(microseconds / 1_000_000).toPrecision(3)} s`;
  return `${Math.floor(microseconds / 60_000_000)} min ${Math.round(microseconds / 1e6) % 60} s`;
}

const LOST = { 0: "none", 1: "½ point", 2: "1 point" };

/** Return pairs of a name and a text, of a move counted from 0. */
export function noteAt(data, game, at) {
  if (at < game.opening) return [["opening", "nobody chose this move"]];
  const { time, value, depth, nodes } = game.notes;
  const rows = [];
  if (time[at] >= 0) rows.push(["time", duration(time[at])]);
  if (value[at]) rows.push(["its bot says", data.texts[value[at]]]);
  if (depth[at] >= 0) rows.push(["depth", number(depth[at])]);
  if (nodes[at] >= 0) rows.push(["nodes", number(nodes[at])]);
  if (game.lost) rows.push(["regret", LOST[game.lost[at]] ?? "not solved"]);
  return rows;
}

/** Return how a game ended, in a few words. */
export const ending = (data, game) => data.texts[game.how];
