// The list of the games of a match: filtered, drawn as far as it is scrolled, walked by arrow keys.
//
//   new GameList(element, data, choose) ──filter──► games that fit ──choose(game)──► the viewer

import { SIDES } from "./board.js";
import { POINTS, ending } from "./game.js";
import { count, escaped, number, reveal } from "./words.js";

const PART = 60;
const shown = (result) => (POINTS[result] ?? ["–", "–"]).join(" : ");
const option = ([value, text]) => `<option value="${escaped(value)}">${escaped(text)}</option>`;

const RESULTS = {
  any: [["", "any"], ["1-0", "X won"], ["1/2-1/2", "drawn"], ["0-1", "O won"]],
  own: [["", "any"], ["1", "won"], ["½", "drawn"], ["0", "lost"]],
};

export class GameList {
  constructor(element, data, choose) {
    Object.assign(this, { element, data, choose, found: [], drawn: 0, current: null });
    element.innerHTML = `
      <div class="filters">${this.filters()}</div>
      <p class="found" role="status"></p>
      <div class="rows" role="listbox" aria-label="Games" tabindex="0"></div>`;
    this.rows = element.querySelector(".rows");
    element.addEventListener("change", () => this.filter());
    this.rows.addEventListener("scroll", () => this.more(), { passive: true });
    this.rows.addEventListener("click", (event) => {
      const row = event.target.closest("[role=option]");
      if (row) this.choose(this.found[Number(row.dataset.at)], true);
    });
    this.rows.addEventListener("keydown", (event) => {
      const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
      if (!(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      this.walk(steps[event.key]);
    });
    this.filter();
  }

  /** Return the controls as HTML, those only that can tell games apart. */
  filters() {
    const { bots, games, starts } = this.data;
    const rules = [...new Set(games.map((game) => starts[game.start].rules))];
    const events = [...new Set(games.map((game) => game.event))];
    const verdicts = [...new Set(games.filter((game) => game.fault).map((game) => game.how))];
    const fields = [
      ["event", "Event", events.length > 1 && events.map((at) => [`${at}`, this.data.texts[at]])],
      ["rules", "Game", rules.length > 1 && rules.map((each) => [each, each])],
      ["bot", "Bot", bots.map((name, at) => [`${at}`, name])],
      ["result", "Result", RESULTS.any.slice(1)],
      [
        "fault",
        "Fault",
        verdicts.length && [["*", "with a fault"], ...verdicts.map((at) => [`${at}`, this.data.texts[at]])],
      ],
      [
        "lost",
        "Regret",
        games.some((game) => game.lost) && [["1", "half a point or more"], ["2", "a whole point"]],
      ],
    ];
    return fields
      .filter(([, , options]) => options)
      .map(
        ([name, label, options]) =>
          `<div><label for="by-${name}">${label}</label><select id="by-${name}">` +
          `${[["", "any"], ...options].map(option).join("")}</select></div>`,
      )
      .join("");
  }

  chosen(name) {
    return this.element.querySelector(`#by-${name}`)?.value ?? "";
  }

  /** List the games that fit, from the first. */
  filter() {
    const { data } = this;
    const bot = this.chosen("bot");
    const result = this.element.querySelector("#by-result");
    const kinds = bot ? RESULTS.own : RESULTS.any;
    if (result.options[1].value !== kinds[1][0]) {
      result.innerHTML = kinds.map(option).join("");
    }
    const wanted = Object.fromEntries(
      ["event", "rules", "fault", "lost"].map((name) => [name, this.chosen(name)]),
    );
    this.found = data.games.filter((game) => {
      const side = [game.x, game.o].indexOf(Number(bot));
      if (bot && side < 0) return false;
      const got = bot ? POINTS[game.result]?.[side] : game.result;
      // With a chosen bot, show its own faults and regrets only.
      const guilty = game.fault && (!bot || game.fault.startsWith(SIDES[side]));
      const lost = [...(game.lost ?? "")].filter(
        (_, at) => !bot || (data.starts[game.start].side + at) % 2 === side,
      );
      return (
        (!wanted.event || game.event === Number(wanted.event)) &&
        (!wanted.rules || data.starts[game.start].rules === wanted.rules) &&
        (!result.value || got === result.value) &&
        (!wanted.fault || (guilty && (wanted.fault === "*" || game.how === Number(wanted.fault)))) &&
        (!wanted.lost || lost.some((each) => each >= wanted.lost && each <= "2"))
      );
    });
    const all = count(data.games.length, "game");
    const { length } = this.found;
    this.element.querySelector(".found").textContent =
      length === data.games.length ? all : `${number(length)} of ${all}`;
    this.rows.replaceChildren();
    this.drawn = 0;
    this.rows.scrollTop = 0;
    this.more();
    this.mark();
  }

  /** Draw more rows, if the last ones come into sight. */
  more(least = 0) {
    const near = () => this.rows.scrollTop + 2 * this.rows.clientHeight >= this.rows.scrollHeight;
    while (this.drawn < this.found.length && (this.drawn <= least || near())) {
      const part = this.found.slice(this.drawn, this.drawn + PART);
      const html = part.map((game, at) => this.row(game, this.drawn + at)).join("");
      this.rows.insertAdjacentHTML("beforeend", html);
      this.drawn += part.length;
    }
  }

  row(game, at) {
    const { bots, starts } = this.data;
    const tail = [starts[game.start].rules, count(game.moves, "move"), ending(this.data, game)];
    const last = game.fault ? `<b class="fault">${escaped(tail.pop())}</b>` : escaped(tail.pop());
    return (
      `<div role="option" id="game-${game.place}" data-at="${at}" aria-selected="false">` +
      `<span>${number(game.number)}</span>` +
      `<span class="names"><i class="x">${escaped(bots[game.x])}</i> – ` +
      `<i class="o">${escaped(bots[game.o])}</i></span>` +
      `<span class="score">${shown(game.result)}</span>` +
      `<small>${escaped(tail.join(" · "))} · ${last}</small></div>`
    );
  }

  /** Move in the list by `by` games. */
  walk(by) {
    const at = this.found.indexOf(this.current);
    const to = at < 0 ? 0 : Math.max(0, Math.min(this.found.length - 1, at + by));
    if (this.found.length) this.choose(this.found[to]);
  }

  /** Mark the game that is shown, and bring it into sight. */
  show(game) {
    this.current = game;
    this.more(this.found.indexOf(game));
    this.mark();
  }

  mark() {
    this.rows.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    const row = this.current && this.rows.querySelector(`#game-${this.current.place}`);
    if (!row) return this.rows.removeAttribute("aria-activedescendant");
    row.setAttribute("aria-selected", "true");
    this.rows.setAttribute("aria-activedescendant", row.id);
    reveal(this.rows, row, 1 / 3);
  }
}
