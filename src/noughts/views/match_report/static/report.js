// The report of a match: the list of its games beside the one that is looked at.
//
//   #17.5 in the address ──► game 17 after 5 moves ──► the list and the viewer ──► the address

import { GameList } from "./list.js";
import { Viewer } from "./viewer.js";

/** Let a reader look at the games; `section` is where. */
function showGames(section, data) {
  data.games.forEach((game, place) => {
    game.place = place;
  });
  const panel = section.querySelector(".viewer");
  let opening = false;

  const viewer = new Viewer(panel, data, (game, ply) => {
    if (opening) return;
    const place = ply === game.moves ? `${game.place + 1}` : `${game.place + 1}.${ply}`;
    history.replaceState(null, "", `#${place}`);
  });
  const list = new GameList(section.querySelector(".list"), data, (game, byHand) => {
    viewer.show(game);
    list.show(game);
    // If the game is below the list, scroll to it after a tap on a row.
    if (byHand && panel.offsetTop > panel.previousElementSibling.offsetTop) panel.scrollIntoView();
  });

  // Elsewhere on the page the keys keep their usual function.
  section.addEventListener("keydown", (event) => viewer.steps.press(event));

  /** Show the game that the address names and go there, else the first one. */
  function open() {
    const [named, place = "1", ply] = /^#(\d+)(?:\.(\d+))?$/.exec(location.hash) ?? [];
    const game = data.games[Number(place) - 1] ?? data.games[0];
    opening = true;
    viewer.show(game, ply === undefined ? game.moves : Number(ply));
    list.show(game);
    opening = false;
    if (named) section.scrollIntoView();
  }
  addEventListener("hashchange", open);
  open();
}

const games = document.getElementById("games");
if (games) showGames(games, JSON.parse(document.getElementById("data").textContent));
