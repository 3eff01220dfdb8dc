// Light or dark, as the system has it until a reader chooses.

const dark = matchMedia("(prefers-color-scheme: dark)");

/** Let a button change from one to the other. */
export function startTheme(button) {
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
}
