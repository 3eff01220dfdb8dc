// The core beside conformance vectors, which alone say what is right, in Node:
// node tests/vectors.mjs CORE.mjs core.wasm FOLDER >{positions, counts, refusals, wrong}
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";

const [module, wasm, folder] = process.argv.slice(2);
const { loadCore } = (await import(pathToFileURL(module))).default;
const core = await loadCore(readFileSync(wasm));
const checked = { positions: 0, counts: 0, refusals: 0, wrong: [] };

const expect = (name, found, wanted) => {
  if (!isDeepStrictEqual(found, wanted)) checked.wrong.push({ name, found, wanted });
};

const ends = { null: 3, X: 1, O: 2 };

const checkPosition = (rules, { moves, position, turn, legal, outcome }) => {
  const name = `${rules} ${moves.join(" ")}`;
  for (const facts of [core.position(rules, moves), core.position(position, [])]) {
    expect(name, facts.position, position);
    expect(name, facts.turn, turn);
    expect(name, Object.keys(facts.moves).sort(), Object.keys(legal).sort());
    const { winner, termination } = facts.outcome ?? {};
    expect(name, facts.outcome && { winner, termination }, outcome);
  }
  const game = core.randomGame(position, 1);
  const numbers = Object.values(legal).sort((a, b) => a - b);
  expect(name, game.plies[0]?.[0] ?? [], numbers);
  if (outcome) expect(name, game.outcome, ends[outcome.winner]);
  checked.positions += 1;
};

const checkCounts = ({ position, depth, nodes, split }) => {
  expect(position, core.perft(position, depth), BigInt(nodes));
  for (const [move, below] of Object.entries(split)) {
    const after = core.position(position, [move]).position;
    expect(`${position} ${move}`, core.perft(after, depth - 1), BigInt(below));
  }
  checked.counts += 1;
};

const codeOf = (start) => {
  try {
    core.position(start, []);
  } catch (error) {
    return error.reason?.code;
  }
};

const checkRefusal = ({ code, rules, position, move }) => {
  const found = move === undefined ? codeOf(rules ?? position) : core.refusal(position, move)?.code;
  expect(code, found, code);
  checked.refusals += 1;
};

for (const file of readdirSync(folder)) {
  const { rules, positions = [], perft = [], refusals = [] } = JSON.parse(readFileSync(join(folder, file), "utf8"));
  positions.forEach((each) => checkPosition(rules, each));
  perft.forEach(checkCounts);
  refusals.forEach(checkRefusal);
}
console.log(JSON.stringify(checked));
