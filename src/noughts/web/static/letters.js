// Letter swap: in a swapped game people see X as O and O as X.
//
// GameView, PositionView, a sentence ──► a copy with the letters swapped; moves stay

const OTHER = { X: "O", O: "X" };

/** Swap the letters in a sentence. */
export function swapText(text, swapped) {
  if (!swapped || !text) return text;
  return text.replace(/\b[XO]\b/g, (letter) => OTHER[letter]);
}

const swapMarks = (marks) => marks && marks.replace(/[XO]/g, (letter) => OTHER[letter]);
const swapLetter = (letter) => (letter ? OTHER[letter] : letter);

const swapSituation = ({ X, O, "-": others }) => ({
  X: swapText(O, true),
  O: swapText(X, true),
  "-": swapText(others, true),
});

/** Swap the letters of a PositionView, except in `position`, its identity. */
export function swapPosition(position, swapped) {
  if (!swapped) return position;
  const { board, outcome } = position;
  return {
    ...position,
    turn: swapLetter(position.turn),
    board: { ...board, cells: swapMarks(board.cells), owners: swapMarks(board.owners) },
    outcome: outcome && {
      ...outcome,
      winner: swapLetter(outcome.winner),
      sentence: swapText(outcome.sentence, true),
    },
    state: swapText(position.state, true),
    situation: swapSituation(position.situation),
    description: swapText(position.description, true),
  };
}

const RESULT = { "1-0": "0-1", "0-1": "1-0" };

/** Swap the letters of a GameView. */
export function swapGame(game) {
  if (!game.swapped) return game;
  const { players, score, thinking, clock, offer } = game;
  return {
    ...game,
    position: swapPosition(game.position, true),
    players: { X: players.O, O: players.X },
    yours: game.yours.map(swapLetter),
    result: RESULT[game.result] || game.result,
    sentence: swapText(game.sentence, true),
    score: { ...score, x: score.o, o: score.x },
    clock: clock && { ...clock, x: clock.o, o: clock.x, running: swapLetter(clock.running) },
    offer: offer && { ...offer, side: swapLetter(offer.side) },
    thinking: thinking && { ...thinking, side: swapLetter(thinking.side) },
  };
}

/** Swap the letter of a SketchView, or of null. */
export function swapSketch(sketch, swapped) {
  return sketch && swapped ? { ...sketch, player: swapLetter(sketch.player) } : sketch;
}

/** Swap the letters of a replay. */
export function swapReplay(data, swapped) {
  if (!swapped) return data;
  const exchanged = (search) => {
    const { turn, owners } = search.nodes;
    const owned = Object.entries(owners).map(([node, each]) => [node, swapMarks(each)]);
    const nodes = {
      ...search.nodes,
      turn: turn.map((side) => 1 - side),
      owners: Object.fromEntries(owned),
    };
    return { ...search, nodes };
  };
  const { board } = data;
  return {
    ...data,
    maximizer: swapLetter(data.maximizer),
    board: { ...board, cells: swapMarks(board.cells) },
    texts: data.texts.map((text) => swapText(text, true)),
    searches: data.searches.map(exchanged),
  };
}
