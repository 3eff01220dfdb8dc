// The single file: a viewer of the data that stand in it, and a button for light and dark.

import { mount } from "./player.js";

mount(document.querySelector("main"), JSON.parse(document.getElementById("data").textContent));

const button = document.getElementById("theme");
const dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : dark.matches;
};
const nameTheme = () => {
  button.textContent = isDark() ? "Light" : "Dark";
};
button.addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  nameTheme();
});
dark.addEventListener("change", nameTheme);
nameTheme();
