// The text of a record, as docs/records.md describes it, without its variations.
//
//   [Game "basic"] … 1. 5 1 {A corner.} 2. 3 *  ──parseRecord()──►  {tags, moves, comments, result}

const TAG = /^\[([A-Za-z]\w*) "((?:[^"\\\n]|\\.)*)"\]\s*/;
const TOKEN = /\s+|\{(?:[^}\\]|\\[\s\S])*\}|"(?:[^"\\]|\\[\s\S])*"|[()]|[^\s(){}"]+/y;
const RESULTS = ["1-0", "0-1", "1/2-1/2", "*"];
const ESCAPES = { n: "\n", r: "\r", t: "\t" };

/** A text that is no record; the message is a sentence. */
export class BadRecord extends Error {}

/**
 * Return the first game of a text: its `tags` by name; `moves`, as words of the text; `comments`, by
 * the number of words before them; the `result`.
 */
export function parseRecord(text) {
  let rest = text.trim();
  if (!rest.startsWith('[Game "')) throw new BadRecord('A record begins with a line such as [Game "basic"].');
  const tags = {};
  for (let found = TAG.exec(rest); found; found = TAG.exec(rest)) {
    tags[found[1]] = plain(found[2]);
    rest = rest.slice(found[0].length);
  }
  const moves = [];
  const comments = {};
  let depth = 0;
  for (const token of tokens(rest)) {
    if (token === "(") depth += 1;
    else if (token === ")") depth -= 1;
    else if (depth > 0) continue;
    else if (token.startsWith("{")) comments[moves.length] = plain(token.slice(1, -1).replace(/\s*\n\s*/g, " "));
    else if (RESULTS.includes(token)) return { tags, moves, comments, result: token };
    else if (token.startsWith('"')) moves.push(plain(token.slice(1, -1)));
    else moves.push(...[token.replace(/^\d+\.+/, "")].filter(Boolean));
  }
  throw new BadRecord("The record has no result at its end: 1-0, 0-1, 1/2-1/2 or *.");
}

function* tokens(text) {
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found) throw new BadRecord(`The record cannot be read from "${text.slice(at, at + 20)}" on.`);
    if (found[0].trim()) yield found[0];
  }
}

const plain = (text) =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, code, letter) =>
    code ? String.fromCharCode(parseInt(code, 16)) : (ESCAPES[letter] ?? letter),
  );
