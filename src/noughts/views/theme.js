// Light or dark, as the system has it until a reader chooses.

const button = document.getElementById("theme");
const dark = matchMedia("(prefers-color-scheme: dark)");

const isDark = () => {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : dark.matches;
};
const name = () => {
  button.textContent = isDark() ? "Light" : "Dark";
};
button.addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  name();
});
dark.addEventListener("change", name);
name();
