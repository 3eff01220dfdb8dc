// The share dialog: links to hand on, and the game as a file.

import * as client from "./client.js";
import { openDialog } from "./dialog.js";
import { element, keepFile, say } from "./dom.js";

async function copied(text, input) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without https there is no clipboard but by selecting.
    input?.select();
    if (!document.execCommand("copy")) throw new Error("not copied");
  }
}

/** Return a link with a button that copies it. */
export function linkField(title, path, more) {
  const address = window.location.origin + path;
  const input = element("input", { type: "text", readonly: true, value: address });
  input.addEventListener("focus", () => input.select());
  const button = element("button", { type: "button" }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await copied(address, input);
      button.textContent = "Copied";
      say("Copied.");
    } catch {
      input.select();
      button.textContent = "Press Ctrl+C";
    }
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2000);
  });
  const label = element("label", {}, element("span", { class: "title" }, title), input);
  return element(
    "div",
    { class: "link" },
    label,
    button,
    more ? element("p", { class: "more" }, more) : null,
  );
}

/** Return the address that shows a line as a position to play from. */
export function positionAddress(start, moves) {
  const asked = moves.length ? `?${new URLSearchParams({ moves: moves.join(" ") })}` : "";
  return `/position/${start}${asked}`;
}

/** Return the address that steps through a search from the end of a line. */
export function searchAddress(start, moves, swapped) {
  const letters = swapped ? { letters: "swapped" } : {};
  return `/replay?${new URLSearchParams({ start, moves: moves.join(" "), ...letters })}`;
}

export const joinAddress = (game) => `/game/${game.id}#join=${game.keys.join}`;

const FORMATS = [
  ["text", "Text record"],
  ["json", "JSON"],
  ["svg", "Picture, SVG"],
  ["png", "Picture, PNG"],
];

async function download(game, table, format) {
  const { shown } = table.state;
  const isDark = getComputedStyle(document.documentElement).colorScheme === "dark";
  const query = { format };
  if (format === "svg" || format === "png") query.theme = isDark ? "dark" : "light";
  if (shown.kind === "past") query.ply = String(shown.moves.length);
  keepFile(await client.exported(game.id, query, table.key));
}

/** Open the dialog for what a table shows. */
export function openShare(table) {
  const { game, shown, start } = table.state;
  const links = [];
  if (game?.keys?.join) {
    const more = "Who opens it first takes the other side.";
    links.push(linkField("For the other player", joinAddress(game), more));
  }
  if (game?.keys) {
    const more = "Whoever has it may look on, but not move.";
    links.push(linkField("To look on", `/game/${game.id}#watch=${game.keys.watch}`, more));
  }
  links.push(
    linkField(
      "This position",
      positionAddress(start, shown.moves),
      "A board to play on from here; it does not lead to your game.",
    ),
  );
  const wrong = element("p", { class: "note alert", role: "alert" });
  const files = game
    ? element(
        "div",
        { class: "files" },
        element("h2", {}, "As a file"),
        element(
          "div",
          { class: "buttons" },
          FORMATS.map(([format, title]) =>
            element(
              "button",
              {
                type: "button",
                onclick: async () => {
                  try {
                    await download(game, table, format);
                    wrong.textContent = "";
                  } catch (problem) {
                    wrong.textContent = problem.message;
                  }
                },
              },
              title,
            ),
          ),
        ),
        wrong,
      )
    : null;
  openDialog("Share", element("div", { class: "links" }, links), files);
}
