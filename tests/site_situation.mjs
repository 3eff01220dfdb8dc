// Sentences of the page without a server, in Node:
// node tests/site_situation.mjs MODULE <{facts, texts}, a JSON object a line >{situation, refusals}, a line each
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { refusalOf, situationOf } = await import(pathToFileURL(process.argv[2]));

for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const { facts, texts } = JSON.parse(line);
  console.log(JSON.stringify({ situation: situationOf(facts), refusals: texts.map((text) => refusalOf(facts, text)) }));
}
