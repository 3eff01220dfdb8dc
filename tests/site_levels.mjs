// Moves of levels by the page without a server, in Node:
// node tests/site_levels.mjs MODULE CORE <questions, a JSON object a line >moves, a line each
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { inflateSync } from "node:zlib";

const [, , script, wasm] = process.argv;
const { choose, loadCore } = await import(pathToFileURL(script));
const core = await loadCore(readFileSync(wasm));
const engines = new Map();

function unpacked(file, lines) {
  const bytes = readFileSync(file);
  let start = 0;
  for (let line = 0; line < lines; line += 1) start = bytes.indexOf(10, start) + 1;
  return inflateSync(bytes.subarray(start));
}

function engineOf(rules, { net, book }) {
  if (!engines.has(rules)) {
    const options = { tableMib: 8 };
    if (net) options.net = core.weights(unpacked(net.file, 2));
    if (book) Object.assign(options, { book: unpacked(book.file, 1), stones: book.stones });
    engines.set(rules, core.engine(rules, options));
  }
  return engines.get(rules);
}

for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const { position, level, files } = JSON.parse(line);
  const facts = core.position(position);
  const engine = engineOf(facts.rules, files);
  const ply = facts.board.cells.replaceAll(".", "").length;
  let move;
  if (level.sight) {
    move = choose(engine, { position, ply, level, curve: files.net?.curve });
  } else {
    engine.clear();
    move = engine.search(position, { nodes: level.nodes }).move;
  }
  console.log(JSON.stringify({ move }));
}
