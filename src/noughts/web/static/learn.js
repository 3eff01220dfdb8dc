// Learn: the rules of each game in pictures, how programs play, and experiments.
//
//   /learn ──► cards ──► the pages on search          /learn/RULES ──► GET /lesson ──► pictures, Play

import { drawBoard } from "/static/replay/board.js";
import * as client from "./client.js";
import { element } from "./dom.js";
import { cardPicture, linkCard, playAddress } from "./link_card.js";
import { createSteps } from "./pictures.js";
import { setTab } from "./router.js";
import { rules } from "./setup.js";

const SEARCH = [
  ["Step through search", "See minimax, alpha-beta or Monte Carlo tree search run, one event at a time.", "/replay"],
  ["Exercises", "Do the steps of a search by hand, and have each one marked.", "/exercises"],
  ["Check your code", "Drop your tictactoe.py of CS50 AI: see where it errs, and play against it.", "/check"],
  ["Lab", "Claims about these games and about search, tested by experiment.", "/lab"],
  ["Explorer", "Every first move, its value, and how games with it ended.", "/explore/connect4"],
];

export async function show(main, { start }) {
  setTab("learn");
  const { games } = await rules();
  const quick = games.filter((game) => game.quick);
  if (start) await showLesson(main, quick, start);
  else showCards(main, quick, (await client.request("GET", "/check")).enabled);
}

function showCards(main, quick, checksFiles) {
  document.title = "Learn · noughts";
  const lesson = ({ title, quick: { rules: id, rule, picture } }) =>
    linkCard(title, rule, `/learn/${id}`, cardPicture(drawBoard(picture)));
  const part = (title, cards) => [element("h2", {}, title), element("ul", { class: "page-cards" }, cards)];
  main.append(
    element(
      "div",
      { class: "page learn" },
      element("h1", {}, "Learn"),
      element("p", { class: "about" }, "The rules in pictures, and how programs play these games."),
      ...part("Rules", quick.map(lesson)),
      ...part(
        "Search",
        SEARCH.filter(([, , href]) => checksFiles || href !== "/check").map((each) => linkCard(...each)),
      ),
    ),
  );
}

async function showLesson(main, quick, id) {
  const { title, steps, notes } = await client.lesson(id);
  document.title = `${title} · noughts`;
  const at = quick.findIndex((game) => game.quick.rules === id);
  const next = quick[at + 1];
  main.append(
    element(
      "div",
      { class: "page lesson" },
      element("p", {}, element("a", { href: "/learn" }, "Learn")),
      element("h1", {}, title),
      createSteps(steps),
      element(
        "dl",
        { class: "rule-notes" },
        notes.flatMap(({ title: option, text }) => [element("dt", {}, option), element("dd", {}, text)]),
      ),
      element(
        "div",
        { class: "buttons" },
        element("a", { class: "button primary", href: at < 0 ? `/?game=${id}` : playAddress(quick[at].quick) }, "Play"),
        next && element("a", { class: "button", href: `/learn/${next.quick.rules}` }, `Next: ${next.title}`),
      ),
    ),
  );
}
