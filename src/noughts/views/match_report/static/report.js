// The report of a match: the list of its games beside the one that is looked at.
//
//   #17.5 in the address ──► game 17 after 5 moves ──► the list and the viewer ──► the address

import { GameList } from "./list.js";
import { startTheme } from "./theme.js";
import { Viewer } from "./viewer.js";

const report = JSON.parse(document.getElementById("data").textContent);
report.games.forEach((game, place) => {
  game.place = place;
});
const section = document.getElementById("games");
const panel = section.querySelector(".viewer");

const viewer = new Viewer(panel, report, (game, ply) => {
  const place = ply === game.moves ? `${game.place + 1}` : `${game.place + 1}.${ply}`;
  history.replaceState(null, "", `#${place}`);
});
const list = new GameList(section.querySelector(".list"), report, (game, byHand) => {
  viewer.show(game);
  list.show(game);
  // Where the game stands below the list, whoever touches a row wants to see it.
  if (byHand && panel.offsetTop > panel.previousElementSibling.offsetTop) panel.scrollIntoView();
});

const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in KEYS)) return;
  // Elsewhere on the page these keys do what they always do.
  if (!section.contains(event.target) || event.target.closest("select")) return;
  event.preventDefault();
  viewer.step(KEYS[event.key]);
});

/** Show what the address names, else the first game. */
function open() {
  const [, place, ply] = /^#(\d+)(?:\.(\d+))?$/.exec(location.hash) ?? [null, "1"];
  const game = report.games[Number(place) - 1] ?? report.games[0];
  if (!game) return;
  viewer.show(game, ply === undefined ? game.moves : Number(ply));
  list.show(game);
}
addEventListener("hashchange", open);
startTheme(document.getElementById("theme"));
open();
