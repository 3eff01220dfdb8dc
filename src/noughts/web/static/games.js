// My games: a list with small boards and a search field; open, delete, import.
//
//   search ──► GET /games ──► rows ──► /game/ID        text, a file ──► POST /games/import

import { drawBoard } from "/static/replay/board.js";
import { count } from "/static/replay/words.js";
import * as client from "./client.js";
import { ask, openDialog } from "./dialog.js";
import { attempt } from "./attempt.js";
import { button, element, say } from "./dom.js";
import { mark } from "./players.js";
import { go, setTab } from "./router.js";
import { swapPosition } from "./letters.js";
import { rules } from "./setup.js";
import { titleOf } from "./titles.js";

const ACCEPTED = ".txt,.json,.jsonl,.noughts,.psq,.sgf,text/plain";

function resultOf({ result, yours, swapped }) {
  if (result === "*") return "in progress";
  if (result === "1/2-1/2") return "draw";
  const winner = result === "1-0" ? "X" : "O";
  if (yours.length === 1) return yours[0] === winner ? "you won" : "you lost";
  return `${(winner === "X") !== swapped ? "X" : "O"} won`;
}

function dateOf(time) {
  const date = new Date(time);
  const today = new Date().toDateString() === date.toDateString();
  return today
    ? date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" })
    : date.toLocaleDateString(undefined, { dateStyle: "medium" });
}

function row(game, title, removed) {
  const picture = element("span", { class: "picture", "aria-hidden": "true" });
  const names = game.swapped ? [game.o, game.x] : [game.x, game.o];
  const moves = count(game.plies, "move");
  const made = element(
    "li",
    { class: "game" },
    element(
      "a",
      { href: `/game/${game.id}` },
      picture,
      element(
        "span",
        { class: "words" },
        element("span", { class: "title" }, title),
        element("span", { class: "players-of" }, mark("X"), names[0], mark("O"), names[1]),
        element(
          "span",
          { class: "more" },
          `${resultOf(game)} · ${moves} · ${dateOf(game.updated)}`,
        ),
      ),
    ),
    button("Delete", () => removed(game, made), {
      class: "quiet",
      "aria-label": `Delete ${title}, ${names.join(" and ")}`,
    }),
  );
  made.drawPicture = async () => {
    const found = await client.position(game.position, []);
    const position = swapPosition(found, game.swapped);
    picture.innerHTML = drawBoard({ ...position, over: Boolean(position.outcome) });
  };
  return made;
}

/** Return the text of a file in UTF-8, or else in Latin-1. */
async function textOf(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}

function openImport() {
  const text = element("textarea", {
    rows: "8",
    placeholder: "A record, JSON lines, .psq, SGF, a position, or a game with its moves: basic 5 1 9",
    "aria-label": "Games as text",
  });
  const file = element("input", { type: "file", accept: ACCEPTED });
  const wrong = element("p", { class: "note alert", role: "alert" });
  const submit = button("Import", read, { class: "primary" });
  const put = async ([chosen]) => chosen && (text.value = await textOf(chosen));
  file.addEventListener("change", () => put(file.files));
  text.addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  });
  text.addEventListener("drop", (event) => {
    const { files } = event.dataTransfer;
    if (!files.length) return;
    event.preventDefault();
    put(files);
  });
  async function read() {
    submit.disabled = true;
    await attempt(async () => {
      const { games } = await client.importGames(text.value);
      dialog.close();
      say(`${count(games.length, "game")} imported.`);
      go(games.length === 1 ? `/game/${games[0].id}` : "/games");
    }, wrong);
    submit.disabled = false;
  }
  const dialog = openDialog(
    "Import games",
    element("p", { class: "more" }, "Paste games, drop a file, or choose one."),
    text,
    element("label", { class: "file" }, element("span", {}, "From a file"), file),
    wrong,
    element("div", { class: "answers" }, submit),
  );
  text.focus();
}

export async function show(main) {
  setTab("games");
  document.title = "My games · noughts";
  const offered = await rules();
  const list = element("ul", { class: "games" });
  const none = element("div", { class: "none", hidden: true });
  const wrong = element("p", { class: "note alert", role: "alert" });
  const more = button("More games", () => load(next), { hidden: true });
  const search = element("input", {
    type: "search",
    placeholder: "Search: ultimate, level 4, 2026-11 …",
    "aria-label": "Search my games",
  });
  main.append(
    element(
      "div",
      { class: "page" },
      element(
        "div",
        { class: "list-head" },
        element("h1", {}, "My games"),
        search,
        button("Import", openImport),
      ),
      wrong,
      list,
      none,
      more,
    ),
  );

  const visible = new IntersectionObserver((entries) => {
    for (const entry of entries.filter((each) => each.isIntersecting)) {
      visible.unobserve(entry.target);
      attempt(entry.target.drawPicture, wrong);
    }
  });

  let next = null;
  let asked = 0;
  let timer = 0;

  async function removed(game, made) {
    const going = game.result === "*" ? " The game is still in progress." : "";
    if (!(await ask("Delete this game?", `You can't undo this.${going}`, "Delete", "Cancel")))
      return;
    await attempt(async () => {
      await client.deleteGame(game.id);
      const beside = made.nextElementSibling || made.previousElementSibling;
      made.remove();
      say("Game deleted.");
      (beside?.querySelector("a") || search).focus();
      if (!list.children.length) await load("");
    }, wrong);
  }

  async function load(after) {
    asked += 1;
    const mine = asked;
    await attempt(async () => {
      const found = await client.listGames(search.value.trim(), after);
      if (mine !== asked) return;
      if (!after) list.replaceChildren();
      for (const game of found.games) {
        const made = row(game, titleOf(offered, game.rules), removed);
        list.append(made);
        visible.observe(made);
      }
      next = found.next;
      more.hidden = !next;
      none.hidden = list.children.length > 0;
      none.replaceChildren(
        search.value.trim()
          ? element("p", {}, "No games match your search.")
          : element(
              "p",
              {},
              "You have no games yet. ",
              element("a", { href: "/" }, "Start a game"),
            ),
      );
      wrong.textContent = "";
    }, wrong);
  }

  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => load(""), 200);
  });
  await load("");
  return () => {
    clearTimeout(timer);
    visible.disconnect();
  };
}
