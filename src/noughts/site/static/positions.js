// Positions of games, from the core; no rules are here.
//
//   start, moves ──► core.position ──► facts ──► with sentences made of them ──► `PositionView`

import { loadCore } from "/static/core/core.js";

let loading = null;

/** Return the core of this page, loaded once. */
export function core() {
  loading ??= loadCore(fetch(new URL("./core/core.wasm", document.baseURI))).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** Return the name of a cell in a sentence; in Connect Four `4/1` is the lowest one of column 4. */
function cellName({ kind, columns, rows, names }, cell) {
  if (kind !== "rack") return names[cell];
  return `${names[cell % columns]}/${rows - Math.floor(cell / columns)}`;
}

function described({ board }, state) {
  const cells = [...board.cells];
  const marks = (player) => {
    const held = cells.flatMap((each, cell) => (each === player ? [cellName(board, cell)] : []));
    return held.length ? [`${player} on ${held.join(" ")}.`] : [];
  };
  return [...marks("X"), ...marks("O"), `${state}.`].join(" ");
}

/** Return the sentences of a position, made of its facts. */
function sentences(facts) {
  const { outcome, turn, forced } = facts;
  if (outcome) {
    const state = outcome.winner ? `${outcome.winner} has won` : "Drawn";
    const sentence = outcome.winner ? `${outcome.winner} wins.` : "A draw.";
    const situation = { X: sentence, O: sentence, "-": sentence };
    return { outcome: { ...outcome, sentence }, state, situation, description: described(facts, state) };
  }
  const where = forced === null ? "" : ` on board ${forced + 1}`;
  const state = `${turn} to move${where}`;
  const situation = { X: `${state}.`, O: `${state}.`, "-": `${state}.` };
  situation[turn] = forced === null ? "Your turn." : `Your turn${where}.`;
  return { state, situation, description: described(facts, state) };
}

/** Return the position after moves, a list of texts, from a rules id or a position string. */
export async function positionOf(start, moves) {
  const facts = (await core()).position(start, moves);
  return { ...facts, ...sentences(facts) };
}
