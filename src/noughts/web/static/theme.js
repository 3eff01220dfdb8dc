// The theme: light, dark, or that of the system.

import { recall, remember } from "./memory.js";

const WORDS = { auto: "system", light: "light", dark: "dark" };
const NEXT = { auto: "light", light: "dark", dark: "auto" };
const SIGNS = { auto: "◐", light: "○", dark: "●" };

function chosenTheme() {
  const theme = recall("theme");
  return theme in WORDS ? theme : "auto";
}

function apply(theme) {
  if (theme === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.dataset.theme = theme;
}

/** Make a button switch between the themes. */
export function startTheme(button) {
  function shown(theme) {
    apply(theme);
    button.textContent = SIGNS[theme];
    button.title = `Theme: ${WORDS[theme]}`;
    button.setAttribute("aria-label", `Theme: ${WORDS[theme]}. Switch to ${WORDS[NEXT[theme]]}.`);
  }
  shown(chosenTheme());
  button.addEventListener("click", () => {
    const theme = NEXT[chosenTheme()];
    remember("theme", theme);
    shown(theme);
  });
}
