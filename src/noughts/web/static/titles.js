// The titles of games, as noughts/games/words.py has them.

/** Return the title of a rules id: `Gomoku 15×15`, `7×7, 4 in a row, misère`. */
export function titleOf(offered, id) {
  const [name, rest] = id.split(":");
  const game = offered.games.find((each) => each.name === name);
  const title = game?.title || name;
  if (!rest) return title;
  const preset = game?.presets.find(({ rules_id: known }) => known === id);
  if (preset) return preset.title;
  if (!game?.titled) return `${title} (${id})`;
  const words = rest.split(",");
  const given = words.filter((word) => /^\d+$/.test(word));
  const sized = game.titled.replace(/\{(\w+)\}/g, (_, symbol) => {
    const at = game.sizes.findIndex((size) => size.symbol === symbol);
    return given[at] ?? game.sizes[at].default;
  });
  const values = game.options.flatMap((option) => option.values);
  return sized + values.filter(({ text }) => words.includes(text)).map(({ titled }) => titled).join("");
}
