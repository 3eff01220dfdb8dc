// The home page: a card for each game, the unfinished game, today's puzzle, friends, learning.
//
//   GET /rules ──► quick games ──► /?game=…&opponent=…        GET /games ──► Continue
//   GET /puzzles/days/DATE ──► Today's puzzle
//
// Nothing moves when a reply comes: its card is there before, with room for a picture.

import { drawBoard } from "/static/replay/board.js";
import { count } from "/static/replay/words.js";
import * as client from "./client.js";
import { element } from "./dom.js";
import { swapPosition } from "./letters.js";
import { cardPicture, linkCard, playAddress } from "./link_card.js";
import { drawPicture } from "./pictures.js";
import { daysInRow, puzzleOfDay } from "./puzzle_days.js";
import { rules } from "./setup.js";
import { titleOf } from "./titles.js";

/** Return the card of a game; one without a quick game only has its form. */
function gameCard({ name, title, about, quick }) {
  const form = `/?game=${name}`;
  return element(
    "li",
    { class: "card home-game", "data-game": name },
    element(
      "a",
      { class: "home-play", href: quick ? playAddress(quick) : form },
      quick ? cardPicture(drawBoard(quick.picture)) : null,
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

/** Return the card of the latest unfinished game of this browser, or null. */
function continueCard(offered, { games }) {
  const game = games.find(({ result, yours }) => result === "*" && yours.length > 0);
  if (!game) return null;
  const names = { X: game.swapped ? game.o : game.x, O: game.swapped ? game.x : game.o };
  const isBoth = game.yours.length === 2;
  const others = ["X", "O"].map((side) => names[side]).filter((each) => each !== "You");
  const who = isBoth ? "two people here" : `against ${others[0]}`;
  const words = [titleOf(offered, game.rules), who, count(game.plies, "move")].join(" · ");
  const picture = cardPicture();
  const draw = async () => {
    const position = await client.position(game.position, []);
    picture.innerHTML = drawPicture(swapPosition(position, game.swapped));
  };
  return { card: linkCard("Continue", words, `/game/${game.id}`, picture), draw };
}

/** Return the card of today's puzzle, and the function that fills it. */
function puzzleCard() {
  const picture = cardPicture();
  const card = linkCard("Today's puzzle", "A new one every day.", "/puzzles/today", picture);
  const draw = async () => {
    const { title, task, picture: board } = await puzzleOfDay();
    const days = daysInRow();
    const row = days ? ` · ${count(days, "day")} in a row` : "";
    picture.innerHTML = drawBoard(board);
    card.querySelector("p").textContent = `${title}. ${task}${row}`;
  };
  return { card, draw };
}

const failed = (problem) => {
  if (problem.status === undefined) throw problem;
};

export async function show(main) {
  document.title = "noughts · Play tic-tac-toe and its family";
  const unfinished = client.listGames("unfinished", "", 10).catch((problem) => {
    failed(problem);
    return { games: [] };
  });
  const [offered, games] = await Promise.all([rules(), unfinished]);
  const cards = [continueCard(offered, games), puzzleCard()].filter(Boolean);
  main.append(
    element(
      "div",
      { class: "page home" },
      element("h1", {}, "Play tic-tac-toe and its family"),
      element(
        "p",
        { class: "about" },
        "You begin, against an easy opponent. After the game, see your mistakes explained.",
      ),
      element("ul", { class: "home-games" }, offered.games.map(gameCard)),
      element(
        "ul",
        { class: "home-more" },
        cards.map(({ card }) => card),
        client.HAS_SERVER
          ? linkCard("Play a friend", "Send a link, or share this screen.", "/?game=ultimate&opponent=guest")
          : linkCard("Play a friend", "Share this screen.", "/?game=ultimate&opponent=me"),
        linkCard("Learn", "The rules in pictures, search step by step, exercises, a lab.", "/learn"),
      ),
    ),
  );
  for (const { draw } of cards) draw().catch(failed);
  // A click on a card leads to a game.
  const game = new URL("./game.js", import.meta.url).href;
  document.head.append(element("link", { rel: "modulepreload", href: game }));
}
