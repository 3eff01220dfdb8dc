// Entry point: sets up the header, then shows the page of the address.

import { here } from "./address.js";
import { element } from "./dom.js";
import { startRouter } from "./router.js";
import { rules } from "./setup.js";
import { styled } from "./styled.js";
import { startTheme } from "./theme.js";

const hasGame = () => here().searchParams.has("game");

const home = () => styled("home", import("./home.js"));
const game = () => import("./game.js");
const puzzles = () => styled("puzzles", import("./puzzles.js"));
const learn = () => styled("learn", import("./learn.js"));
const exercises = () => styled("exercises", import("./exercises.js"));
const explore = () => styled("explore", import("./explore.js"));
const ROUTES = [
  [/^\/$/, () => (hasGame() ? game() : home())],
  [/^\/game\/(?<id>[\w-]+)$/, game],
  [/^\/position\/(?<start>.+)$/, game],
  [/^\/games$/, () => styled("games", import("./games.js"))],
  [/^\/exercises$/, exercises],
  [/^\/exercises\/(?<kind>\w+)$/, exercises],
  [/^\/explore$/, explore],
  [/^\/explore\/(?<start>.+)$/, explore],
  [/^\/puzzles$/, puzzles],
  [/^\/puzzles\/(?<id>\w+)$/, puzzles],
  [/^\/learn$/, learn],
  [/^\/learn\/(?<start>.+)$/, learn],
  [/^\/lab$/, () => styled("lab", import("./lab.js"))],
  [/^\/check$/, () => styled("check", import("./check.js"))],
  [/^\/replay$/, () => styled("viewer", import("./viewer.js"))],
];

startTheme(document.getElementById("theme"));

const menu = document.getElementById("menu");
const setMenu = (open) => menu.setAttribute("aria-expanded", String(open));
menu.addEventListener("click", () => setMenu(menu.getAttribute("aria-expanded") !== "true"));
document.getElementById("nav").addEventListener("click", (event) => {
  if (event.target.closest("a")) setMenu(false);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && menu.getAttribute("aria-expanded") === "true") {
    setMenu(false);
    menu.focus();
  }
});

const addTabs = ({ games }) => {
  for (const { name, title } of games.filter(({ native }) => !native)) {
    const tab = element("a", { href: `/?game=${name}`, "data-tab": name }, title);
    document.querySelector(".tabs").append(tab);
  }
};
// The page of the address reports a failure.
rules().then(addTabs, () => {});

startRouter(document.getElementById("main"), ROUTES);
