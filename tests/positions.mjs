// What the core says of positions, in the words of the page, in Node:
// node tests/positions.mjs FOLDER rules.wasm <{start, moves, refused}, a JSON object a line
//   >{view, refusals, reasons, codes} or {refused, codes}, a line each
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, wasm] = process.argv.slice(2);
const load = async (name) => (await import(pathToFileURL(join(folder, name)))).default;
const { loadCore } = await load("core.mjs");
const { refusalOf, withSentences } = await load("sentences.mjs");
const { sentenceOf } = await load("words.mjs");
const core = await loadCore(readFileSync(wasm));

for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const { start, moves, refused } = JSON.parse(line);
  const codes = [];
  const noted = (phrase) => {
    if (phrase?.code) codes.push(phrase.code);
    if (phrase && typeof phrase === "object") Object.values(phrase).forEach(noted);
    return phrase;
  };
  try {
    const facts = core.position(start, moves);
    noted(facts.situation);
    noted(facts.outcome?.sentence);
    const view = withSentences(facts);
    const reasons = refused.map((text) => noted(core.refusal(facts.position, text)));
    console.log(
      JSON.stringify({
        view,
        refusals: refused.map((text) => refusalOf(core, view, text)),
        reasons: reasons.map((reason) => reason && sentenceOf(reason)),
        codes,
      }),
    );
  } catch (error) {
    noted(error.reason);
    if (!error.reason) throw error;
    console.log(JSON.stringify({ refused: error.message, codes }));
  }
}
