// Games as files: records in the texts that noughts reads and writes.

import { call } from "/static/site/python.js";

const KINDS = { text: "text/plain", json: "application/json", svg: "image/svg+xml" };
const ENDINGS = { text: "txt", json: "json", svg: "svg" };

/** Return the games of a text, ready to be opened. */
export async function imported(text) {
  return call("import_games", { text });
}

/** Return a game as a file {blob, name}. */
export async function fileOf(game, format, theme) {
  const { start, moves, lines, comments, result, termination, x, o, created } = game;
  const kept = { start, moves, lines, comments, result, termination, x, o, date: created.slice(0, 10) };
  const text = await call("export_game", { game: kept, format, theme: theme ?? "auto" });
  return {
    blob: new Blob([text], { type: KINDS[format] }),
    name: `noughts-${game.id}.${ENDINGS[format]}`,
  };
}
