// The titles and rules of boards, as noughts/games/words.py has them.

const wordsOf = (id) => id.split(":")[1]?.split(",") ?? [];

/** Return a text of a game with the sizes in a rules id, which has the usual ones by default. */
function sized(game, template, id) {
  const given = wordsOf(id).filter((word) => /^\d+$/.test(word));
  return template.replace(/\{(\w+)\}/g, (_, symbol) => {
    const at = game.sizes.findIndex((size) => size.symbol === symbol);
    return given[at] ?? game.sizes[at].default;
  });
}

/** Return the values of options that a rules id names. */
const chosen = (game, id) =>
  game.options.flatMap(({ values }) => values).filter(({ text }) => wordsOf(id).includes(text));

/** Return the rule of a game under a rules id: `Get 4 in a row on a 5×5 board.` */
export function ruleOf(game, id) {
  const values = chosen(game, id);
  const ruled = values.find((value) => value.ruled)?.ruled ?? game.ruled;
  const rule = ruled ? sized(game, ruled, id) : game.about;
  return [rule, ...values.filter((value) => !value.ruled).map(({ about }) => about)].join(" ");
}

/** Return the title of a rules id: `Gomoku 15×15`, `7×7, 4 in a row, misère`. */
export function titleOf(offered, id) {
  const [name, rest] = id.split(":");
  const game = offered.games.find((each) => each.name === name);
  const title = game?.title || name;
  if (!rest) return title;
  const preset = game?.presets.find(({ rules_id: known }) => known === id);
  if (preset) return preset.title;
  if (!game?.titled) return `${title} (${id})`;
  return sized(game, game.titled, id) + chosen(game, id).map(({ titled }) => titled).join("");
}
