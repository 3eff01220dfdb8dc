// The home page: a card for each game, the unfinished game, and the ways to learn and to friends.
//
//   GET /rules ──► quick games ──► /?game=…&opponent=…        GET /games ──► Continue
//   GET /puzzles/days/DATE ──► Today's puzzle

import { drawBoard } from "/static/replay/board.js";
import { count } from "/static/replay/words.js";
import * as client from "./client.js";
import { element } from "./dom.js";
import { swapPosition } from "./letters.js";
import { drawPicture } from "./pictures.js";
import { daysInRow, puzzleOfDay } from "./puzzle_days.js";
import { rules } from "./setup.js";
import { titleOf } from "./titles.js";

/** Return the address of a game that is ready to play. */
const addressOf = (id, opponent) => `/?${new URLSearchParams({ game: id, opponent })}`;

function picture(markup) {
  const holder = element("span", { class: "home-picture", "aria-hidden": "true" });
  holder.innerHTML = markup;
  return holder;
}

/** Return the card of a game; one without a quick game only has its form. */
function gameCard({ name, title, about, quick }) {
  const form = `/?game=${name}`;
  return element(
    "li",
    { class: "card home-game", "data-game": name },
    element(
      "a",
      { class: "home-play", href: quick ? addressOf(quick.rules, quick.opponent) : form },
      quick ? picture(drawBoard(quick.picture)) : null,
      element("h2", {}, title),
      element("span", { class: "home-rule" }, quick?.rule ?? about),
      element("span", { class: "button primary", "aria-hidden": "true" }, "Play"),
    ),
    element(
      "a",
      { class: "home-options", href: form, "aria-label": `Options of ${title}` },
      "Options",
    ),
  );
}

/** Return a card that leads elsewhere. */
const linkCard = (title, sentence, href, drawing = null) =>
  element(
    "li",
    {},
    element(
      "a",
      { class: "card home-link", href },
      drawing,
      element("div", {}, element("h2", {}, title), element("p", { class: "more" }, sentence)),
    ),
  );

/** Return the card of the latest unfinished game of this browser, or null. */
async function continueCard(offered) {
  const { games } = await client.listGames("unfinished", "", 10);
  const game = games.find(({ result, yours }) => result === "*" && yours.length > 0);
  if (!game) return null;
  const position = swapPosition(await client.position(game.position, []), game.swapped);
  const names = { X: game.swapped ? game.o : game.x, O: game.swapped ? game.x : game.o };
  const isBoth = game.yours.length === 2;
  const others = ["X", "O"].map((side) => names[side]).filter((each) => each !== "You");
  const who = isBoth ? "two people here" : `against ${others[0]}`;
  const words = [titleOf(offered, game.rules), who, count(game.plies, "move")].join(" · ");
  return linkCard("Continue", words, `/game/${game.id}`, picture(drawPicture(position)));
}

/** Return the card of today's puzzle. */
async function puzzleCard() {
  const { title, task, picture: board } = await puzzleOfDay();
  const days = daysInRow();
  const row = days ? ` · ${count(days, "day")} in a row` : "";
  return linkCard("Today's puzzle", `${title}: ${task}${row}`, "/puzzles/today", picture(drawBoard(board)));
}

export async function show(main) {
  document.title = "noughts · Play tic-tac-toe and its family";
  const offered = await rules();
  const more = element(
    "ul",
    { class: "home-more" },
    client.HAS_SERVER
      ? linkCard("Play a friend", "Send a link, or share this screen.", "/?game=ultimate&opponent=guest")
      : linkCard("Play a friend", "Share this screen.", "/?game=ultimate&opponent=me"),
    linkCard("Explorer", "Every first move, its value, and how games with it ended.", "/explore/connect4"),
    linkCard("Watch a search think", "Minimax, alpha-beta and Monte Carlo, step by step.", "/replay"),
    linkCard("Check your code", "Drop your tictactoe.py of CS50 AI, see where it errs, play against it.", "/check"),
    linkCard("Lab", "Exercises, and claims about these games, tested by experiment.", "/lab"),
  );
  main.append(
    element(
      "div",
      { class: "home" },
      element(
        "header",
        {},
        element("h1", {}, "Play tic-tac-toe and its family"),
        element("p", { class: "about" }, "Choose a game: you begin, against an easy opponent."),
      ),
      element("ul", { class: "home-games" }, offered.games.map(gameCard)),
      more,
    ),
  );
  // The page does not wait for these cards.
  const failed = (problem) => {
    if (problem.status === undefined) throw problem;
  };
  const show = (card) => card && more.isConnected && more.prepend(card);
  // Without a server a puzzle needs Python, which a game does not.
  const today = client.HAS_SERVER
    ? puzzleCard()
    : Promise.resolve(linkCard("Today's puzzle", "A new one every day.", "/puzzles/today"));
  today.then(show, failed).then(() => continueCard(offered)).then(show, failed);
  // A click on a card leads to a game.
  const game = new URL("./game.js", import.meta.url).href;
  document.head.append(element("link", { rel: "modulepreload", href: game }));
}
