// Views of a kept game, as the server's `GameView` and `GameSummary`.
//
//   game of saved.js, its position ──► view()
//
// A kept game: {id, version, rules, start, swapped, x, o, moves, undone, lines, comments, result,
// termination, score, next, created, updated}; `lines` are variations, each a list of all moves, and
// `comments` are kept by their moves, joined by spaces. A game that begins with swap2 also has `choices`,
// those made so far; an imported one `tags` and `names`, those of its players.

import { said } from "/static/core/words.js";
import { fileName } from "/static/site/checked.js";
import * as swap2 from "/static/site/swap2.js";

export const SIDES = ["X", "O"];
export const other = (side) => (side === "X" ? "O" : "X");
const PERSON = "me";
const WON = { X: "1-0", O: "0-1" };

/** The termination of a game whose machine has no legal move. */
export const ILLEGAL_MOVE = "illegal move";
/** The codes of the sentences on a loss beside those of the rules, by termination. */
const LOST = {
  resignation: "won-resigned",
  "time forfeit": "won-on-time",
  [ILLEGAL_MOVE]: "won-illegal",
};

/** Return the result of a game that a side, or null for a draw, has won. */
export const resultOf = (winner) => WON[winner] ?? "1/2-1/2";

export const seatOf = (game, side) => game[side.toLowerCase()];
export const isPerson = (game, side) => seatOf(game, side) === PERSON;
const people = (game) => SIDES.filter((side) => isPerson(game, side));

/** Return an opponent as people call it: `Engine, level 4`. */
function opponentName(text) {
  const file = fileName(text);
  if (file) return file;
  const [kind, rest] = text.split(":");
  const name = kind[0].toUpperCase() + kind.slice(1);
  if (!rest) return name;
  const [key, value] = rest.split("=");
  return `${name}, ${key === "seconds" ? `${value} s a move` : `${key} ${value}`}`;
}

/** Return the name of a player; that of the record in an imported game which names different players. */
export function nameOf(game, side) {
  if (!isPerson(game, side)) return opponentName(seatOf(game, side));
  const { names } = game;
  return names && names.X !== names.O ? names[side] || "Guest" : "You";
}

/** Return the number of equal moves at the begin of two lines. */
function shared(first, second) {
  let at = 0;
  while (at < first.length && first[at] === second[at]) at += 1;
  return at;
}

const begins = (line, start) => shared(line, start) === start.length;

/** Return the comments on the moves of a line after the first `from`, by number. */
function commentsOn(game, line, from) {
  const found = {};
  for (let number = from; number <= line.length; number += 1) {
    const text = game.comments[line.slice(0, number).join(" ")];
    if (text) found[number] = text;
  }
  return found;
}

/** Return the variations of a game. */
function variations(game) {
  const before = [game.moves];
  return game.lines
    .filter((line) => !begins(game.moves, line))
    .map((path) => {
      const left = Math.max(...before.map((each) => shared(each, path)));
      before.push(path);
      return { path, shared: left, comments: commentsOn(game, path, left + 1) };
    });
}

/** Return the side whose last move undo removes: the person's against a machine, else null for any. */
export const undoes = (game) => (people(game).length === 1 ? people(game)[0] : null);

/** Return the side to move after `count` moves of a game, from the side to move now. */
const turnAfter = (game, turn, count) =>
  (game.moves.length - count) % 2 === 0 ? turn : other(turn);

/** Return the choices of swap2 that are due in a game. */
export const choicesOf = ({ choices, moves, result }) =>
  choices && result === "*" ? swap2.choicesAt(choices, moves.length) : [];

/** Return the side whose player acts: moves, or in swap2 places a stone or chooses. */
export const actorOf = ({ choices, moves }, turn) =>
  choices ? swap2.sideOf(choices, swap2.playerAt(choices, moves.length)) : turn;

/** Return the number of moves that undo leaves; null if there is nothing to undo. */
export function afterUndo(game, turn) {
  const side = undoes(game);
  if (game.choices) return swap2.lastAct(game.choices, game.moves.length, side)?.moves ?? null;
  for (let count = game.moves.length - 1; count >= 0; count -= 1) {
    if (side === null || turnAfter(game, turn, count) === side) return count;
  }
  return null;
}

/** Return the number of moves after redo. */
export function afterRedo(game, turn) {
  const side = undoes(game);
  let count = game.moves.length + 1;
  const most = game.moves.length + game.undone.length;
  if (game.choices) {
    const { choices } = game;
    const isDone = () =>
      side === null ||
      swap2.choicesAt(choices, count).length > 0 ||
      swap2.sideOf(choices, swap2.playerAt(choices, count)) === side;
    while (count < most && !isDone()) count += 1;
    return count;
  }
  const isElse = () => (count - game.moves.length) % 2 === 0 ? turn !== side : turn === side;
  while (side !== null && count < most && isElse()) count += 1;
  return count;
}

function allowed(game, position, thinking) {
  const isOver = game.result !== "*";
  const sides = people(game);
  if (sides.length === 0) return ["delete"];
  const can = ["vary", "delete"];
  const choices = choicesOf(game);
  if (!isOver && sides.includes(actorOf(game, position.turn))) can.push(choices.length ? "choose" : "move");
  if (game.next === null && afterUndo(game, position.turn) !== null) can.push("undo");
  if (game.next === null && game.undone.length > 0 && !choices.length) can.push("redo");
  can.push(isOver ? "rematch" : "resign");
  if (thinking && !(game.choices && !swap2.isDecided(game.choices))) can.push("stop");
  return can;
}

function sentenceOf(game, { outcome }) {
  if (game.result === "*") return null;
  if (outcome) return outcome.sentence;
  const { result, termination } = game;
  const winner = SIDES.find((side) => WON[side] === result);
  if (!winner && termination === "by agreement") return said({ code: "drawn-agreed" });
  if (!winner || !LOST[termination]) return said({ code: "ended", result, termination });
  return said({ code: LOST[termination], winner, loser: other(winner) });
}

/** Return the points of a series with this game. */
export function total({ score, result }) {
  return {
    x: score.x + Number(result === WON.X),
    o: score.o + Number(result === WON.O),
    draws: score.draws + Number(result === "1/2-1/2"),
  };
}

/** Return the opening of a game with swap2, null of other games. */
function openingOf(game) {
  const { choices, moves, result } = game;
  if (!choices) return null;
  const said = (player) => (result === "*" ? swap2.situation(choices, moves, player) : null);
  const others = said(null);
  return {
    first: swap2.sideOf(choices, 1),
    decided: swap2.isDecided(choices),
    side: actorOf(game, null),
    choices: choicesOf(game),
    stones: swap2.stonesOf(choices),
    situation: others && { "-": others, X: said(swap2.playerOf(choices, "X")), O: said(swap2.playerOf(choices, "O")) },
  };
}

/** Return the view of a game; `state` is {thinking, trouble} of its machine. */
export function view(game, position, { thinking = false, trouble = null } = {}) {
  const yours = people(game);
  const player = (side) => ({
    kind: isPerson(game, side) ? "person" : "machine",
    opponent: isPerson(game, side) ? null : seatOf(game, side),
    name: nameOf(game, side),
    given: null,
    yours: isPerson(game, side),
    online: true,
  });
  const { id, version, rules, start, swapped, moves, undone, result, termination, next } = game;
  return {
    ...{ id, version, rules, start, swapped, moves, undone, result, termination, next, yours, position },
    tag: `${id}.${version}`,
    players: { X: player("X"), O: player("O") },
    sentence: sentenceOf(game, position),
    score: total(game),
    clock: null,
    offer: null,
    swap2: openingOf(game),
    between_people: false,
    thinking: thinking ? { side: actorOf(game, position.turn), waiting: false } : null,
    trouble: result === "*" ? trouble : null,
    variations: variations(game),
    comments: commentsOn(game, moves, 0),
    can: allowed(game, position, thinking),
    keys: null,
    saved: { done: true, notice: null },
    created: game.created,
    updated: game.updated,
  };
}

/** Return a game for the list of games. */
export function summary(game) {
  const { id, rules, result, termination, position, swapped, created, updated } = game;
  return {
    ...{ id, rules, result, termination, position, swapped, created, updated },
    x: nameOf(game, "X"),
    o: nameOf(game, "O"),
    plies: game.moves.length,
    yours: people(game),
  };
}
