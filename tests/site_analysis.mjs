// Views of analyses by the page without a server, in Node:
// node tests/site_analysis.mjs MODULE <cases, a JSON object a line >views, a line each
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { createAnalysis } = await import(pathToFileURL(process.argv[2]));

for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const { facts, curve, proofs, depths } = JSON.parse(line);
  const analysis = createAnalysis(facts, curve, proofs);
  for (const scores of depths) analysis.add(scores);
  console.log(JSON.stringify(analysis.view(true)));
}
