// My games: a list with small boards, searched as one types; take up, delete, import.
//
//   search ──► GET /games ──► rows ──► /game/ID        text, a file ──► POST /games/import

import { drawBoard } from "/static/replay/board.js";
import * as client from "./client.js";
import { ask, openDialog } from "./dialog.js";
import { element, say } from "./dom.js";
import { mark } from "./players.js";
import { go, setTab } from "./router.js";
import { seenPosition } from "./seen.js";
import { rules, titleOf } from "./setup.js";

function resultOf({ result, yours, swapped }) {
  if (result === "*") return "goes on";
  if (result === "1/2-1/2") return "a draw";
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
  const moves = `${game.plies} ${game.plies === 1 ? "move" : "moves"}`;
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
    element(
      "button",
      {
        type: "button",
        class: "quiet",
        "aria-label": `Delete ${title}, ${names.join(" and ")}`,
        onclick: () => removed(game, made),
      },
      "Delete",
    ),
  );
  made.shown = async () => {
    const position = await client.position(game.position, []);
    const seen = seenPosition(position, game.swapped);
    picture.innerHTML = drawBoard({ ...seen, over: Boolean(seen.outcome) });
  };
  return made;
}

function openImport() {
  const text = element("textarea", {
    rows: "8",
    placeholder: "A record, JSON lines, a position, or rules with moves: basic 5 1 9",
    "aria-label": "Games as text",
  });
  const file = element("input", { type: "file", accept: ".txt,.json,.jsonl,.noughts,text/plain" });
  const wrong = element("p", { class: "note alert", role: "alert" });
  const keep = element("button", { type: "button", class: "primary" }, "Import");
  file.addEventListener("change", async () => {
    if (file.files.length) text.value = await file.files[0].text();
  });
  keep.addEventListener("click", async () => {
    keep.disabled = true;
    try {
      const imported = await client.importGames(text.value);
      dialog.close();
      const { games } = imported;
      say(`${games.length} ${games.length === 1 ? "game" : "games"} imported.`);
      go(games.length === 1 ? `/game/${games[0].id}` : "/games");
    } catch (problem) {
      wrong.textContent = problem.message;
    }
    keep.disabled = false;
  });
  const dialog = openDialog(
    "Import games",
    element("p", { class: "more" }, "Paste what you have, or choose a file."),
    text,
    element("label", { class: "file" }, element("span", {}, "From a file"), file),
    wrong,
    element("div", { class: "answers" }, keep),
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
  const more = element("button", { type: "button", hidden: true }, "More games");
  const search = element("input", {
    type: "search",
    placeholder: "Search: ultimate, level 4, 2026-11 …",
    "aria-label": "Search my games",
  });
  main.append(
    element(
      "div",
      { class: "list-page" },
      element(
        "div",
        { class: "list-head" },
        element("h1", {}, "My games"),
        search,
        element("button", { type: "button", onclick: openImport }, "Import"),
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
      entry.target.shown().catch((problem) => {
        wrong.textContent = problem.message;
      });
    }
  });

  let next = null;
  let asked = 0;
  let timer = 0;

  async function removed(game, made) {
    const going = game.result === "*" ? " It still goes on." : "";
    if (!(await ask("Delete this game?", `It is gone for good.${going}`, "Delete", "Keep it")))
      return;
    try {
      await client.deleteGame(game.id);
      const beside = made.nextElementSibling || made.previousElementSibling;
      made.remove();
      say("Deleted.");
      (beside?.querySelector("a") || search).focus();
      if (!list.children.length) await load("");
    } catch (problem) {
      wrong.textContent = problem.message;
    }
  }

  async function load(after) {
    asked += 1;
    const mine = asked;
    try {
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
          ? element("p", {}, "No game of yours has these words.")
          : element(
              "p",
              {},
              "You have played no games yet. ",
              element("a", { href: "/" }, "A board is ready."),
            ),
      );
      wrong.textContent = "";
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      wrong.textContent = problem.message;
    }
  }

  more.addEventListener("click", () => load(next));
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
