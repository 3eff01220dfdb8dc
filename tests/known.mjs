// Values of lines that the page knows, in Node: node tests/known.mjs MODULE <[note, …] >{line: value}
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { createKnown } = await import(pathToFileURL(process.argv[2]));

const known = createKnown((line) => (line.split(" ").filter(Boolean).length % 2 ? "O" : "X"));
const notes = JSON.parse(readFileSync(0, "utf8"));
for (const [line, source, value] of notes) known.note(line, source, value);
const lines = [...new Set(notes.flatMap(([line]) => [line, line.slice(0, Math.max(line.lastIndexOf(" "), 0))]))];
console.log(JSON.stringify(Object.fromEntries(lines.map((line) => [line, known.valueOf(line, "view")]))));
