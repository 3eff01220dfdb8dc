// The facts of a position in words, as noughts/games/words.py has them.
//
//   core.position(…) ──stateOf()────────► X to move on board 1
//                    ──sentenceOf()─────► X wins with the line 3 5 7.
//                    ──descriptionOf()──► X on 1 2. O on 4 5. X to move.

const SIDES = ["X", "O"];

/** Return the state of the game: the side to move and its board, or the result. */
export function stateOf({ outcome, turn, forced }) {
  if (outcome) return outcome.winner ? `${outcome.winner} has won` : "drawn";
  return `${turn} to move${forced === null ? "" : ` on board ${forced + 1}`}`;
}

/** Return the result of a finished game, with the winning line. */
export function sentenceOf({ board, outcome: { winner, termination } }) {
  if (!winner) return `A draw: ${termination === "target" ? "the named board is full" : "nobody has a line"}.`;
  if (termination === "boards") {
    const [one, other] = SIDES.map((side) => board.owners.split(side).length - 1);
    return `${winner} wins by boards, ${Math.max(one, other)} to ${Math.min(one, other)}.`;
  }
  if (board.board_lines.length) {
    return `${winner} wins with boards ${joined(board.board_lines, 3).map((each) => each + 1).join(" ")}.`;
  }
  const made = madeOf(board);
  const isLost = board.cells[board.lines[0][0]] !== winner;
  return isLost ? `${winner} wins: ${winner === "X" ? "O" : "X"} made ${made}.` : `${winner} wins with ${made}.`;
}

/** Return a description of the board, for screen readers. */
export function descriptionOf(facts) {
  const { board } = facts;
  const held = (cells) =>
    SIDES.map((side) => {
      const names = cells.filter((cell) => board.cells[cell] === side).map((cell) => nameOf(board, cell));
      return names.length ? `${side} on ${names.join(" ")}` : "";
    }).filter(Boolean);
  const all = [...board.cells].map((_, cell) => cell);
  const said = board.owners === null ? held(all) : [];
  for (const [at, owner] of [...(board.owners ?? "")].entries()) {
    const marks = held(all.slice(9 * at, 9 * at + 9));
    const won = SIDES.includes(owner) ? [`won by ${owner}`] : [];
    if (marks.length) said.push(`board ${at + 1}: ${[...won, ...marks].join(", ")}`);
  }
  const state = stateOf(facts);
  return [...said, state[0].toUpperCase() + state.slice(1)].map((each) => `${each}.`).join(" ");
}

/** Return the name of a cell; in Connect Four `4/1` is the lowest cell of column 4. */
function nameOf({ kind, columns, rows, names }, cell) {
  if (kind !== "rack") return names[cell];
  return `${(cell % columns) + 1}/${rows - Math.floor(cell / columns)}`;
}

/** Return the completed lines, such as `the line 3 5 7` or `4 in column 5`. */
function madeOf(board) {
  if (board.kind === "rack") return linesOf(board).map((cells) => inColumns(cells, board)).join(" and ");
  const lines = linesOf(board).map((cells) => cells.map((cell) => board.names[cell]).join(" "));
  return lines.length === 1 ? `the line ${lines[0]}` : `the lines ${lines.join(" and ")}`;
}

/** Return a line of Connect Four by its columns, which have names on every board. */
function inColumns(cells, { columns }) {
  const found = cells.map((cell) => (cell % columns) + 1);
  const [first, last] = [Math.min(...found), Math.max(...found)];
  if (first === last) return `${cells.length} in column ${first}`;
  const isRow = new Set(cells.map((cell) => Math.floor(cell / columns))).size === 1;
  return `a ${isRow ? "row" : "diagonal"} of ${cells.length} from column ${first} to ${last}`;
}

/** Return the cells of the winning lines, those of one direction in one list. */
function linesOf({ kind, columns, lines }) {
  if (kind === "nested") return [joined(lines, 3)];
  const found = new Map();
  for (const ends of lines) {
    const way = ends[1] - ends[0];
    found.set(way, [...(found.get(way) ?? []), ends]);
  }
  return [...found.values()].map((each) => joined(each, columns));
}

/** Return the cells of lines, given by their ends, in order; `columns` of the board. */
function joined(lines, columns) {
  const cells = new Set();
  for (const [first, last] of lines) {
    const across = Math.abs((last % columns) - (first % columns));
    const steps = Math.max(across, Math.floor(last / columns) - Math.floor(first / columns), 1);
    for (let at = 0; at <= steps; at++) cells.add(first + ((last - first) / steps) * at);
  }
  return [...cells].sort((a, b) => a - b);
}
