// A program with the npm package: it answers questions of tests/test_npm.py, a line of JSON each.
import { readFile } from "node:fs/promises";
import { CoreError, loadCore, type Finding, type Limits, type Source } from "noughts";
import { told } from "noughts/hints";
import { sentenceOf, stateOf } from "noughts/words";

interface Search {
  rules: string;
  position: string;
  limits: Limits;
}

const [wasm, searches]: [string, Search[]] = JSON.parse(process.argv[2] ?? "");
const source: Source = await readFile(wasm);
const core = await loadCore(source);

for (const { rules, position, limits } of searches) {
  const engine = core.engine(rules, { tableMib: 2, seed: 1n });
  let depth = 0;
  const found: Finding = engine.search(position, limits, (better) => {
    depth = better.depth;
  });
  engine.clear();
  const best = limits.method === "mcts" ? null : engine.scores(position, limits)[0]?.[0];
  engine.delete();
  const { seconds, table_use, ...rest } = found;
  console.log(JSON.stringify({ ...rest, best, reported: depth > 0 }));
}

const facts = core.position("connect4", ["4", "4", "5", "5"]);
const board: string = `${facts.board.kind} ${facts.board.cells.length} ${Object.keys(facts.moves).join("")}`;
const perft: bigint = core.perft(facts.position, 3);
let refused: string | undefined;
try {
  core.position("basic", ["5", "5"]);
} catch (error) {
  if (error instanceof CoreError && error.reason) refused = sentenceOf(error.reason);
}
const values = "123456789".split("").map((move) => ({ move, value: "draw" as const, plies: 9 }));
const [hint] = told(core.hint("basic~3.3.3~X", values));
console.log(JSON.stringify({ state: stateOf(facts), board, perft: String(perft), refused, hint: hint?.text }));

// @ts-expect-error: a method that does not exist is an error of the types.
const wrong: Limits = { method: "guess" };
