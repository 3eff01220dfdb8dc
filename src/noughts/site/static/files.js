// Games as files: records and pictures in the texts that noughts reads and writes.

import { call } from "/static/site/python.js";
import { nameOf } from "/static/site/views.js";

const KINDS = { text: "text/plain", json: "application/json", svg: "image/svg+xml", png: "image/png" };
const ENDINGS = { text: "txt" };
const PNG_SCALE = 2;

/** Return the games of a text, ready to be opened. */
export async function imported(text) {
  const found = await call("import_games", { text });
  return found.map((game) => ({ ...game, x: "me", o: "me" }));
}

/** Return the tags of a game that begins with swap2, as noughts/games/swap2.py has them. */
const openingTags = ({ choices }) =>
  choices ? { Opening: "swap2", Choices: choices.length ? choices.join(",") : undefined } : {};

/** Return an SVG picture as a PNG picture. */
async function asPng(text) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = PNG_SCALE * image.width;
  canvas.height = PNG_SCALE * image.height;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, KINDS.png));
}

/** Return a game, up to move number `ply` if that is given, as a file {blob, name}. */
export async function fileOf(game, { format, theme = "auto", ply }) {
  const { start, created } = game;
  const date = created.slice(0, 10);
  const at = ply === undefined ? "" : `-move-${ply}`;
  const { moves, ...rest } = ply === undefined ? game : { moves: game.moves.slice(0, Number(ply)) };
  const kept = {
    start,
    moves,
    tags: { X: nameOf(game, "X"), O: nameOf(game, "O"), Date: date, ...game.tags, ...openingTags(game) },
    ...(rest.lines && {
      lines: rest.lines,
      comments: rest.comments,
      result: rest.result,
      termination: rest.termination || null,
    }),
  };
  const isPng = format === "png";
  const text = await call("export_game", { ...kept, theme, format: isPng ? "svg" : format });
  return {
    blob: isPng ? await asPng(text) : new Blob([text], { type: KINDS[format] }),
    name: `noughts-${game.rules.replace(/[^a-z0-9]+/g, "-")}-${date}${at}.${ENDINGS[format] ?? format}`,
  };
}
