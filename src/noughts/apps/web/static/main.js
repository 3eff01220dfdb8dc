// The start of the page: the header, then the page that the address names.

import { startRouter } from "./router.js";
import { startTheme } from "./theme.js";

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

startRouter(document.getElementById("main"));
