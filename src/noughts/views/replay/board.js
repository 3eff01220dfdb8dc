// The picture of a board, from what a Search knows of a node. Lengths are in twentieths of a cell,
// as in views/svg.py; nested games have nine cards with gaps between them.

const CELL = 20;
const CARD = 70;
const GAP = 4;

function centre(cell) {
  if (data.board.kind === "nested") {
    const [left, top] = corner(Math.floor(cell / 9));
    const inner = cell % 9;
    return [left + 5 + ((inner % 3) + 0.5) * CELL, top + 5 + (Math.floor(inner / 3) + 0.5) * CELL];
  }
  const { columns } = data.board;
  return [((cell % columns) + 0.5) * CELL, (Math.floor(cell / columns) + 0.5) * CELL];
}

const corner = (board) => [(board % 3) * (CARD + GAP), Math.floor(board / 3) * (CARD + GAP)];

function mark(side, x, y, scale = 1) {
  const r = 5.4 * scale;
  return side === "X"
    ? `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`
    : `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
}

function path(attributes, d) {
  return d ? `<path ${attributes} d="${d}"/>` : "";
}

/** Return a line through pairs of points, a little longer at both ends. */
function through(pairs, over) {
  return pairs
    .map(([[x1, y1], [x2, y2]]) => {
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const right = ((x2 - x1) / length) * over;
      const down = ((y2 - y1) / length) * over;
      return `M${x1 - right} ${y1 - down}L${x2 + right} ${y2 + down}`;
    })
    .join("");
}

/** Return how large the picture of a board is, in units of a twentieth of a cell. */
function boardSize() {
  const { kind, columns, rows } = data.board;
  if (kind === "nested") return [3 * CARD + 2 * GAP, 3 * CARD + 2 * GAP];
  return [columns * CELL, rows * CELL];
}

/** Return the picture of a node's board as HTML; a large one has the names of the moves. */
function drawBoard(search, node, large) {
  const { kind, columns, rows, names } = data.board;
  if (kind === "text") {
    return `<pre class="diagram">${escaped(text(search.nodes.text[node]))}</pre>`;
  }
  const [width, height] = boardSize();
  const cells = search.cells(node);
  const owners = kind === "nested" ? search.owners(node) : "";
  const over = search.nodes.over[node] > 0;
  const turn = SIDES[search.nodes.turn[node]];
  const open = search.nodes.open[node];
  const strong = { X: "", O: "" };
  const faded = { X: "", O: "" };
  let labels = "";
  cells.forEach((side, cell) => {
    const [x, y] = centre(cell);
    const board = Math.floor(cell / 9);
    const owned = kind === "nested" && (owners[board] === "X" || owners[board] === "O");
    if (side !== ".") (owned ? faded : strong)[side] += mark(side, x, y);
    else if (large && !over && kind !== "rack" && (kind !== "nested" || (open >> board) & 1)) {
      labels += `<text x="${x}" y="${y + 2}">${names[cell]}</text>`;
    }
  });
  let under = "";
  let owner = "";
  if (kind === "nested") {
    let lines = "";
    for (let board = 0; board < 9; board++) {
      const [left, top] = corner(board);
      const style = !over && (open >> board) & 1 ? `may-${turn.toLowerCase()}` : "cardlet";
      const box = `x="${left}" y="${top}" width="${CARD}" height="${CARD}" rx="4"`;
      under += `<rect class="${style}" ${box}/>`;
      for (const at of [25, 45]) {
        lines += `M${left + 6} ${top + at}h58M${left + at} ${top + 6}v58`;
      }
      if (owners[board] === "X" || owners[board] === "O") {
        const d = mark(owners[board], left + 35, top + 35, 3.4);
        owner += path(`class="owner ${owners[board].toLowerCase()}"`, d);
      }
    }
    under += path('class="grid"', lines);
  } else if (kind === "rack") {
    under += `<path class="cardlet" d="M0 0V${height - 4}q0 4 4 4H${width - 4}q4 0 4-4V0"/>`;
    let holes = "";
    for (let cell = 0; cell < columns * rows; cell++) holes += `M${centre(cell).join(" ")}h0`;
    under += path('class="hole"', holes);
    for (let column = 0; large && column < columns; column++) {
      labels += `<text x="${(column + 0.5) * CELL}" y="${height + 8}">${names[column]}</text>`;
    }
  } else {
    let lines = "";
    for (let y = CELL; y < height; y += CELL) lines += `M1 ${y}H${width - 1}`;
    for (let x = CELL; x < width; x += CELL) lines += `M${x} 1V${height - 1}`;
    if (columns === 1 || rows === 1) lines += `M0 0H${width}V${height}H0z`;
    under += path('class="grid"', lines);
  }
  const side = turn === "X" ? "o" : "x";
  const won = (search.nodes.line[node] || []).map((ends) => ends.map(centre));
  const middle = (board) => corner(board).map((each) => each + CARD / 2);
  const wide = (search.nodes.boards[node] || []).map((ends) => ends.map(middle));
  const [ends] = search.nodes.line[node] || [];
  const winner = ends ? cells[ends[0]].toLowerCase() : side;
  const last = search.nodes.cell[node];
  let frame = "";
  if (last >= 0) {
    const [x, y] = centre(last);
    frame = `<rect class="last" x="${x - 8.3}" y="${y - 8.3}" width="16.6" height="16.6" rx="2"/>`;
  }
  const foot = large && kind === "rack" ? 12 : 1;
  return (
    `<svg class="board ${kind} ${large ? "" : "mini"}" aria-hidden="true"` +
    ` viewBox="-2 -2 ${width + 4} ${height + 3 + foot}">` +
    under +
    (large ? "" : frame) +
    labels +
    `<g class="marks">${path('class="x faded"', faded.X)}${path('class="o faded"', faded.O)}` +
    `${path('class="x"', strong.X)}${path('class="o"', strong.O)}</g>` +
    owner +
    path(`class="won ${winner}"`, through(won, 7)) +
    path(`class="won wide ${side}"`, through(wide, 24)) +
    (large ? frame : "") +
    "</svg>"
  );
}

/** Return width and height of the small boards in the tree, in pixels. */
function miniSize() {
  if (data.board.kind === "text") {
    let widest = 0;
    let most = 0;
    for (const place of new Set(data.searches.flatMap((search) => search.nodes.text))) {
      const lines = text(place).split("\n");
      widest = Math.max(widest, ...lines.map((line) => line.length));
      most = Math.max(most, lines.length);
    }
    // A letter of a fixed width is 0.6 of its height wide.
    const size = Math.max(8, Math.min(12, 130 / (0.61 * widest)));
    const large = Math.max(9, Math.min(17, 190 / (0.61 * widest)));
    document.documentElement.style.setProperty("--letters", `${size}px`);
    document.documentElement.style.setProperty("--large-letters", `${large}px`);
    const width = Math.min(180, Math.max(30, 0.61 * size * widest + 4));
    return [width, Math.min(160, 1.2 * size * most + 2)];
  }
  const [width, height] = boardSize();
  const longest = data.board.kind === "nested" ? 76 : Math.max(width, height) <= 80 ? 42 : 58;
  const scale = longest / Math.max(width, height);
  return [width * scale, height * scale];
}

/** Return a board in words, for a screen reader. */
function boardText(search, node) {
  if (data.board.kind === "text") return text(search.nodes.text[node]);
  const cells = search.cells(node).map((each) => (each === "." ? "empty" : each));
  const rows = [];
  for (let at = 0; at < cells.length; at += data.board.columns) {
    rows.push(cells.slice(at, at + data.board.columns).join(" "));
  }
  return rows.join("; ");
}
