// Entry point: sets up the header, then shows the page of the address.

import { element } from "./dom.js";
import { startRouter } from "./router.js";
import { rules } from "./setup.js";
import { startTheme } from "./theme.js";

const hasGame = () => new URLSearchParams(window.location.search).has("game");
const ROUTES = [
  [/^\/$/, () => (hasGame() ? import("./game.js") : import("./home.js"))],
  [/^\/game\/(?<id>[\w-]+)$/, () => import("./game.js")],
  [/^\/position\/(?<start>.+)$/, () => import("./game.js")],
  [/^\/games$/, () => import("./games.js")],
  [/^\/puzzles$/, () => import("./puzzles.js")],
  [/^\/puzzles\/(?<id>\w+)$/, () => import("./puzzles.js")],
  [/^\/lab$/, () => import("./lab.js")],
  [/^\/replay$/, () => import("./viewer.js")],
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
