// The share dialog: links, and the game as a file.

import { whole } from "./address.js";
import * as client from "./client.js";
import { openDialog } from "./dialog.js";
import { attempt } from "./attempt.js";
import { button, downloadFile, element, say } from "./dom.js";
import { positionAddress } from "./line_address.js";

async function copy(text, input) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // The clipboard API needs https or localhost; this fallback does not.
    input?.select();
    if (!document.execCommand("copy")) throw new Error("not copied");
  }
}

const LOCAL = /^(localhost|127\.[\d.]+|\[::1\])$/;
const isLocal = (address) => LOCAL.test(new URL(address).hostname);

/** Return the origin of links for others: at this machine that of the server in its network. */
async function originOfLinks() {
  const { origin } = window.location;
  if (!isLocal(origin)) return origin;
  return (await client.serverAddress()).network ?? origin;
}

/** Return a note on a link that works on this machine only, or null. */
const localNote = (origin) =>
  client.HAS_SERVER && isLocal(origin)
    ? element(
        "p",
        { class: "more local" },
        "Links work on this machine only. For others in your network, start the server with ",
        element("code", {}, "noughts serve --host 0.0.0.0"),
        ".",
      )
    : null;

/** Return a picture of a link for a phone's camera, or null if it works on this machine only. */
function qrOf({ id }, link, origin) {
  if (isLocal(origin)) return null;
  const alt = `QR code of the ${link === "join" ? "invite" : "watch"} link`;
  return element(
    "figure",
    { class: "qr" },
    element("img", { src: client.qrAddress(id, link, origin), alt }),
    element("figcaption", { class: "more" }, link === "join" ? "Scan to play" : "Scan to watch"),
  );
}

/** Return the field with the invite link of a game, and the way to reach it. */
export async function inviteField(game, title) {
  const origin = await originOfLinks();
  const more = "The first person to open it plays the other side.";
  return [linkField(title, joinAddress(game), more, origin), localNote(origin), qrOf(game, "join", origin)];
}

/** Return a field with a link and a button that copies it. */
function linkField(title, path, more, origin = window.location.origin) {
  const address = whole(path, origin);
  const input = element("input", { type: "text", readonly: true, value: address });
  input.addEventListener("focus", () => input.select());
  const copying = button("Copy", async () => {
    try {
      await copy(address, input);
      copying.textContent = "Copied";
      say("Link copied.");
    } catch {
      input.select();
      copying.textContent = "Press Ctrl+C";
    }
    setTimeout(() => {
      copying.textContent = "Copy";
    }, 2000);
  });
  const label = element("label", {}, element("span", { class: "title" }, title), input);
  return element(
    "div",
    { class: "link" },
    label,
    copying,
    more ? element("p", { class: "more" }, more) : null,
  );
}

const joinAddress = (game) => `/game/${game.id}#join=${game.keys.join}`;

const RECORDS = [
  ["text", "Text record"],
  ["json", "JSON"],
];
const FORMATS = [
  ...RECORDS,
  ["svg", "SVG picture"],
  ["png", "PNG picture"],
];

async function download(game, currentGame, format) {
  const { shown } = currentGame.state;
  const isDark = getComputedStyle(document.documentElement).colorScheme === "dark";
  const query = { format };
  if (format === "svg" || format === "png") query.theme = isDark ? "dark" : "light";
  if (shown.kind === "past") query.ply = String(shown.moves.length);
  downloadFile(await client.exported(game.id, query, currentGame.key));
}

/** Open the dialog for the shown position. */
export async function openShare(currentGame) {
  const { game, shown, start } = currentGame.state;
  // Without an answer the links have the address of the page.
  const origin = await originOfLinks().catch(() => window.location.origin);
  const links = [];
  if (game?.keys?.join) {
    const more = "The first person to open it plays the other side.";
    links.push(linkField("Invite link", joinAddress(game), more, origin));
  }
  if (game?.keys) {
    const more = "Anyone with it can watch, not play.";
    links.push(linkField("Watch link", `/game/${game.id}#watch=${game.keys.watch}`, more, origin));
    links.unshift(qrOf(game, game.keys.join ? "join" : "watch", origin));
  }
  links.push(
    linkField(
      "Position link",
      positionAddress(start, shown.moves),
      "Anyone with it can start a new game from this position.",
      origin,
    ),
    localNote(origin),
  );
  const wrong = element("p", { class: "note alert", role: "alert" });
  const files = game
    ? element(
        "div",
        { class: "files" },
        element("h2", {}, "Download"),
        element(
          "div",
          { class: "buttons" },
          (shown.position.board.kind === "text" ? RECORDS : FORMATS).map(([format, title]) =>
            button(title, () =>
              attempt(async () => {
                await download(game, currentGame, format);
                wrong.textContent = "";
              }, wrong),
            ),
          ),
        ),
        wrong,
      )
    : null;
  openDialog("Share", element("div", { class: "links" }, links), files);
}
