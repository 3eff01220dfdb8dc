// The stones and choices of swap2 in a kept game; as noughts/games/swap2.py has them.
//
//   choices made, number of moves ──► who acts, which choices are due, what undo takes back
//                                 ──► situation(): the sentence, as noughts/explain/situation.py says it
//
// `made` are the choices in their order, "O", "X" or "more".

import { said } from "/static/core/words.js";

export const FIRST_STONES = 3;
export const ALL_STONES = 5;
const YOU = "you";

export const isDecided = (made) => made.length > 0 && made.at(-1) !== "more";
/** Whether player 1, who began with X, plays O. */
export const isSwapped = (made) => isDecided(made) && (made.length === 1 ? made[0] === "X" : made[1] === "O");
/** The moves that belong to the opening, as far as it has been decided. */
export const stonesOf = (made) => (made.includes("more") ? ALL_STONES : FIRST_STONES);

/** Return the choices that are due after a number of moves. */
export function choicesAt(made, moves) {
  if (!made.length && moves === FIRST_STONES) return ["O", "X", "more"];
  return !isDecided(made) && moves === ALL_STONES ? ["O", "X"] : [];
}

/** Return the player at a side, and the side of a player, 1 or 2; before the choices player 1 has X. */
export const playerOf = (made, side) => ((side === "X") === isSwapped(made) ? 2 : 1);
export const sideOf = (made, player) => ((player === 1) === isSwapped(made) ? "O" : "X");

/** Return the player who acts after a number of moves. */
export function playerAt(made, moves) {
  if (choicesAt(made, moves).length) return moves === FIRST_STONES ? 2 : 1;
  if (!isDecided(made)) return moves < FIRST_STONES ? 1 : 2;
  return playerOf(made, moves % 2 ? "O" : "X");
}

/** Return the last choice or move of a side, or of any for null: {player, moves, made} before it; or null. */
export function lastAct(made, moves, side) {
  const acts = [];
  let before = [];
  const add = (at) => acts.push({ player: playerAt(before, at), moves: at, made: before });
  for (let at = 0; at <= moves; at += 1) {
    while (before.length < made.length && choicesAt(before, at).length) {
      add(at);
      before = made.slice(0, before.length + 1);
    }
    if (at < moves) add(at);
  }
  return acts.findLast(({ player }) => side === null || sideOf(made, player) === side) ?? null;
}

/** Return who places a stone or chooses, or the last choice, to a player or to others for null; null after that. */
export function situation(made, moves, viewer) {
  const number = moves.length;
  const stones = stonesOf(made);
  const mark = number % 2 ? "O" : "X";
  const player = playerAt(made, number);
  const named = (each, isFirst = true) => {
    if (each === viewer) return YOU;
    const name = viewer === null ? `player ${each}` : "your opponent";
    return isFirst ? name[0].toUpperCase() + name.slice(1) : name;
  };
  const choices = choicesAt(made, number);
  if (choices.length) {
    const code = choices.includes("more") ? "swap2-choose" : "swap2-choose-last";
    return said({ code, player: named(player) }, YOU);
  }
  if (!isDecided(made)) {
    const other = named(3 - player, false);
    return said({ code: "swap2-place", player: named(player), other, mark, stone: number + 1, stones }, YOU);
  }
  const side = made.at(-1);
  if (number > stones + Number(side === "O")) return null;
  const code = number > stones ? "swap2-chosen-played" : "swap2-chosen";
  const chooser = named(made.includes("more") ? 1 : 2);
  return said({ code, player: chooser, side, cell: moves.at(-1), turn: player === viewer ? YOU : mark }, YOU);
}
