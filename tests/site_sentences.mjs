// Sentences of the page without a server, in Node:
// node tests/site_sentences.mjs MODULE <{facts, texts}, a JSON object a line >{view, refusals}, a line each
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { refusalOf, withSentences } = await import(pathToFileURL(process.argv[2]));

for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const { facts, texts } = JSON.parse(line);
  console.log(JSON.stringify({ view: withSentences(facts), refusals: texts.map((text) => refusalOf(facts, text)) }));
}
