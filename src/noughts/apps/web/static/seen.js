// The letters as people see them: in a swapped game X and O change places in all that is shown.
//
// GameView, PositionView, a sentence ──► the same with the letters exchanged; moves stay

const OTHER = { X: "O", O: "X" };

/** Exchange the letters in a sentence, a row of cells, or a result. */
export function seenText(text, swapped) {
  if (!swapped || !text) return text;
  return text.replace(/\b[XO]\b/g, (letter) => OTHER[letter]);
}

const seenMarks = (marks) => marks && marks.replace(/[XO]/g, (letter) => OTHER[letter]);
const seenLetter = (letter) => (letter ? OTHER[letter] : letter);

/** Exchange the letters of a PositionView; `position`, its identity, stays. */
export function seenPosition(position, swapped) {
  if (!swapped) return position;
  const { board, outcome } = position;
  return {
    ...position,
    turn: seenLetter(position.turn),
    board: { ...board, cells: seenMarks(board.cells), owners: seenMarks(board.owners) },
    outcome: outcome && {
      ...outcome,
      winner: seenLetter(outcome.winner),
      sentence: seenText(outcome.sentence, true),
    },
    state: seenText(position.state, true),
    description: seenText(position.description, true),
  };
}

const RESULT = { "1-0": "0-1", "0-1": "1-0" };

/** Exchange the letters of a GameView. */
export function seenGame(game) {
  if (!game.swapped) return game;
  const { players, score, thinking } = game;
  return {
    ...game,
    position: seenPosition(game.position, true),
    players: { X: players.O, O: players.X },
    yours: game.yours.map(seenLetter),
    result: RESULT[game.result] || game.result,
    sentence: seenText(game.sentence, true),
    score: { ...score, x: score.o, o: score.x },
    thinking: thinking && { ...thinking, side: seenLetter(thinking.side) },
  };
}

/** Exchange the letters in what a replay shows. */
export function seenReplay(data, swapped) {
  if (!swapped) return data;
  const exchanged = (search) => {
    const { turn, owners } = search.nodes;
    const owned = Object.entries(owners).map(([node, each]) => [node, seenMarks(each)]);
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
    maximizer: seenLetter(data.maximizer),
    board: { ...board, cells: seenMarks(board.cells) },
    texts: data.texts.map((text) => seenText(text, true)),
    searches: data.searches.map(exchanged),
  };
}
