// The card that sets up a game: rules, board, opponent, side. What it offers comes from the server.
//
//   GET /rules ──► form ──► choice ──► table.prepare(rules id, seats)
//                              └── remembered for the next time, game by game

import { count } from "/static/replay/words.js";
import * as client from "./client.js";
import { button, element, patch, select } from "./dom.js";
import { recall, remember } from "./memory.js";
import { nameInput } from "./names.js";
import { ruleOf } from "./titles.js";

const chosen = (name) => `choice.${name}`;

const OWN = "own";
const CLOCKS = [
  ["", "None"],
  ["180+2", "3+2"],
  ["600+5", "10+5"],
  [OWN, "Own"],
];
const OWN_CLOCK = { minutes: 5, increment: 3 };

let asked = null;
/** Ask for the rules once for all visits of the page. */
export function rules() {
  asked ??= client.rules().catch((problem) => {
    asked = null;
    throw problem;
  });
  return asked;
}

/** Return the opponents that play a game of a choice; every one of them may play a given position. */
function opponentsOf(offered, choice, isGiven) {
  const game = offered.games.find(({ name }) => name === choice.name);
  const { cells, misere_cells: misere, rules_ids: known } = game.perfect;
  const [columns = 1, rows = 1] = choice.sizes;
  const isSolved =
    columns * rows <= (choice.options.includes("misere") ? misere : cells) ||
    known.some((id) => fullId(game, id) === rulesId(choice));
  return offered.opponents.filter(
    ({ native, text }) =>
      (native === null || native === game.native) && (text !== "perfect" || isSolved || isGiven),
  );
}

/** Return an opponent {opponent, number} from its text; the first one if the text fits none. */
function parsedOpponent(opponents, text) {
  for (const { text: template, default: number } of opponents) {
    const [head, tail] = template.split("{}");
    if (text === template) return { opponent: template, number };
    if (tail !== undefined && text.startsWith(head) && Number(text.slice(head.length))) {
      return { opponent: template, number: Number(text.slice(head.length)) };
    }
  }
  return { opponent: opponents[0].text, number: opponents[0].default };
}

/** Return the sizes and options of a rules id; an option with its default value is empty. */
function parsedOptions(game, id) {
  const words = id.split(":")[1]?.split(",") ?? [];
  const numbers = words.filter((word) => /^\d+$/.test(word)).map(Number);
  return {
    sizes: game.sizes.map((size, at) => numbers[at] ?? size.default),
    options: game.options.map(
      ({ values }) => values.slice(1).find(({ text }) => words.includes(text))?.text ?? "",
    ),
  };
}

/**
 * Return the first choice for a rules id or a game's name, or for a position that is given: the last
 * one made in that game, or with the text of an `opponent` the usual one. A choice is {name, sizes,
 * options, opponent, number, letter, begins, swap2, clock, minutes, increment}; the last two are of
 * an own clock.
 */
export function firstChoice(offered, id, opponentText, isGiven) {
  const [name, rest] = id.split(":");
  const game = offered.games.find((each) => each.name === name);
  if (!game) return null;
  const before = (!opponentText && recall(chosen(name))) || {};
  const { sizes, options } = parsedOptions(game, id);
  const kept = rest === undefined ? before : {};
  const board = {
    name,
    sizes: kept.sizes?.length === sizes.length ? kept.sizes : sizes,
    options: kept.options?.length === options.length ? kept.options : options,
  };
  const opponents = opponentsOf(offered, board, isGiven);
  const known = opponents.find(({ text }) => text === before.opponent);
  const opponent = known
    ? { opponent: known.text, number: before.number ?? known.default }
    : parsedOpponent(opponents, opponentText || game.default_opponent);
  return {
    ...board,
    ...opponent,
    letter: before.letter === "O" ? "O" : "X",
    begins: before.begins ?? true,
    swap2: before.swap2 === true,
    clock: CLOCKS.some(([clock]) => clock === before.clock) ? before.clock : "",
    minutes: before.minutes ?? OWN_CLOCK.minutes,
    increment: before.increment ?? OWN_CLOCK.increment,
  };
}

/** Return whether the opponent of a choice is a person. */
const hasPerson = ({ opponent }) => opponent === "me" || opponent === "guest";

/** Return the clock of a choice: seconds for the game, and for each move; or an empty text. */
function clockText(choice) {
  if (!hasPerson(choice) || !client.HAS_SERVER) return "";
  const { clock, minutes, increment } = choice;
  return clock === OWN ? `${Math.round(minutes * 60)}+${increment}` : clock;
}

/** Return the effect of a clock, as a sentence. */
function clockSentence(choice) {
  const [time, increment] = clockText(choice).split("+").map(Number);
  const more = increment ? ` and ${count(increment, "extra second")} for each move` : "";
  return `${count(time / 60, "minute")} each${more}. If your time runs out, you lose.`;
}

/** Return whether a game of a choice can begin with swap2. */
function canSwap2(offered, { name, sizes }) {
  const game = offered.games.find((each) => each.name === name);
  if (!game.swap2) return false;
  const [columns, rows, line] = sizes;
  return line >= game.swap2.shortest && columns * rows >= game.swap2.cells;
}

/** Return the rules id of a choice. */
export function rulesId({ name, sizes, options }) {
  const words = [...sizes, ...options.filter(Boolean)];
  return words.length ? `${name}:${words.join(",")}` : name;
}

/** Return a rules id with all sizes, like that of a choice. */
const fullId = (game, id) => rulesId({ name: game.name, ...parsedOptions(game, id) });

/**
 * Return who sits where, as a new game has it, and the name of the other player. The letters are
 * swapped where O begins; in a position that is given they are as they are, and `turn` is to move. With
 * swap2 who begins is X until the players choose; `opening` has the sentences on its first stone.
 */
export function seats(offered, choice, turn = null) {
  const { name: game, opponent, number, letter } = choice;
  const begins = beginsGame(offered, choice, turn !== null);
  const clock = clockText(choice);
  const { native, swap2 } = offered.games.find(({ name }) => name === game);
  const opening = choice.swap2 && canSwap2(offered, choice) ? swap2 : null;
  const { title } = offered.opponents.find(({ text }) => text === opponent);
  const other = opponent.replace("{}", String(number));
  if (other === "me") return { x: "me", o: "me", swapped: false, clock, opening };
  const name = opponent.includes("level") ? `Engine, level ${number}` : title;
  const isX = begins === (turn !== "O");
  return {
    ...(isX ? { x: "me", o: other } : { x: other, o: "me" }),
    clock,
    opening,
    // The letters in a diagram cannot be swapped.
    swapped: native && !opening && turn === null && (letter === "X") !== begins,
    name: other === "guest" ? "Open seat" : name,
  };
}

/** Return a labelled field, with a sentence below that says more. */
function field(title, control, sentence, part = title) {
  control.id = `field-${part.replaceAll(" ", "-")}`;
  const more = sentence
    ? element("p", { class: "more", id: `${control.id}-more` }, sentence)
    : null;
  if (more) control.setAttribute("aria-describedby", more.id);
  return element(
    "div",
    { class: "field", "data-part": part },
    element("label", { for: control.id }, title),
    control,
    more,
  );
}

function segments(part, legend, options, value, change) {
  const name = `segments-${part}`;
  return element(
    "fieldset",
    { class: "segments", "data-part": part },
    element("legend", {}, legend),
    element(
      "div",
      {},
      options.map(([text, title]) =>
        element(
          "label",
          { "data-part": text },
          element("input", {
            type: "radio",
            name,
            value: text,
            checked: text === value,
            onchange: () => change(text),
          }),
          element("span", {}, title),
        ),
      ),
    ),
  );
}

/** Return whether this person begins: the perfect opponent knows some games only as the first player. */
function beginsGame(offered, { name: chosen, opponent, begins }, isGiven) {
  const { perfect } = offered.games.find(({ name }) => name === chosen);
  return begins && (isGiven || opponent !== "perfect" || !perfect.begins);
}

/** Return whether a game begins without a move of this person. */
const waits = (offered, choice, isGiven) =>
  choice.opponent !== "me" && (choice.opponent === "guest" || !beginsGame(offered, choice, isGiven));

/** Return the number in a field within its limits; `usual` if there is none. */
function numberIn({ valueAsNumber, min, max }, usual) {
  const wanted = Number.isNaN(valueAsNumber) ? usual : valueAsNumber;
  return Math.max(Number(min), Math.min(Number(max), wanted));
}

/**
 * Put the form into a card. Every change calls `choose(choice)`, which returns whether the game is
 * ready; `fixed` leaves the rules out, for a position that is given; `begun` tells that moves are
 * given; `quick` folds the form of a game that is ready to play. Returns the function that ends it.
 */
export function mountSetup(card, table, offered, first, choose, { fixed, begun, quick }) {
  let choice = first;
  const form = element("div", { class: "setup" });
  const summary = element("summary", {}, "Change opponent, side or rules");
  const isFolded = quick && !waits(offered, first, fixed);
  card.append(isFolded ? element("details", { class: "fold" }, summary, form) : form);
  const game = offered.games.find(({ name }) => name === choice.name);

  let isPressed = false;
  let isStale = false;

  const opponents = () => opponentsOf(offered, choice, fixed);

  function keep(changed) {
    choice = { ...choice, ...changed };
    if (opponents().every(({ text }) => text !== choice.opponent)) {
      choice = { ...choice, ...parsedOpponent(opponents(), game.default_opponent) };
    }
    if (!fixed) remember(chosen(choice.name), choice);
  }

  function update() {
    isStale = false;
    draw();
    return choose(choice);
  }

  function change(changed) {
    keep(changed);
    update();
  }

  /** Apply a typed value. The press that ends the typing may be pending: nothing moves until its click. */
  function changeTyped(changed) {
    keep(changed);
    if (isPressed) isStale = true;
    else update();
  }

  // A click on the board is meant for the new one.
  const pressed = ({ target }) => {
    isPressed = !target.closest(".pane");
  };
  const released = ({ buttons }) => {
    if (buttons) return;
    isPressed = false;
    if (isStale) setTimeout(() => isStale && update());
  };

  async function begin() {
    if (await update()) table.begin();
  }

  /** Return the maximum of a size, which other sizes may lower. */
  function mostOf({ most, within }, sizes) {
    const others = within.map((name) => sizes[game.sizes.findIndex((each) => each.name === name)]);
    return others.length ? Math.min(most, Math.max(...others)) : most;
  }

  function sizeField(size, at) {
    const input = element("input", {
      type: "number",
      inputmode: "numeric",
      min: size.least,
      max: mostOf(size, choice.sizes),
      value: choice.sizes[at],
      onchange: () => {
        const sizes = [...choice.sizes];
        sizes[at] = Math.round(numberIn(input, size.default));
        input.value = sizes[at];
        game.sizes.forEach((other, number) => {
          sizes[number] = Math.min(sizes[number], mostOf(other, sizes));
        });
        changeTyped({ sizes });
      },
    });
    return field(size.name, input);
  }

  const presets = game.presets.map(({ title, rules_id: id }) => [fullId(game, id), title]);
  let isCustom = false;

  /** The choice of a board; a custom one has fields for its sizes. */
  function boardFields() {
    isCustom ||= presets.every(([id]) => id !== rulesId(choice));
    const board = isCustom ? "" : rulesId(choice);
    const control = select([...presets, ["", "Custom"]], board, (id) => {
      isCustom = !id;
      change(id ? parsedOptions(game, id) : {});
    });
    const sizes =
      isCustom &&
      element("div", { class: "sizes", "data-part": "board" }, game.sizes.map(sizeField));
    return [presets.length && field("Board", control), sizes];
  }

  function optionField(option, at) {
    const now = option.values.find(({ text }) => text === choice.options[at]) || option.values[0];
    const control = select(
      option.values.map(({ text, title }, number) => [number ? text : "", title]),
      choice.options[at],
      (text) => change({ options: choice.options.map((each, n) => (n === at ? text : each)) }),
    );
    return field(option.title, control, now.about);
  }

  /** The options of the rules, folded away while they are as usual. */
  function variants() {
    const usual = choice.options.every((option) => !option);
    const before = card.querySelector(".variants");
    return element(
      "details",
      { class: "variants", open: before ? before.open : !usual },
      element("summary", {}, usual ? "Variants of the rules" : "Variants: not the usual rules"),
      element("div", {}, game.options.map(optionField)),
    );
  }

  function levelField(opponent) {
    if (opponent.default === null) return null;
    const isLevel = opponent.text.includes("level");
    const said = (number) =>
      isLevel ? offered.levels.find(({ level }) => level === number)?.sentence : "";
    const input = element("input", {
      type: isLevel ? "range" : "number",
      min: opponent.least,
      max: opponent.most,
      step: isLevel ? 1 : 0.1,
      value: choice.number,
      oninput: () => {
        if (!isLevel) return;
        input.nextElementSibling.textContent = said(Number(input.value));
        input.previousElementSibling.textContent = `Level ${input.value}`;
      },
      onchange: () => {
        const number = numberIn(input, opponent.default);
        input.value = number;
        changeTyped({ number });
      },
    });
    const title = isLevel ? `Level ${choice.number}` : "Seconds a move";
    return field(title, input, said(choice.number), opponent.text);
  }

  function numberField(title, name, { least, most, step }) {
    const input = element("input", {
      type: "number",
      inputmode: "decimal",
      min: least,
      max: most,
      step,
      value: choice[name],
      onchange: () => {
        input.value = numberIn(input, OWN_CLOCK[name]);
        changeTyped({ [name]: Number(input.value) });
      },
    });
    return field(title, input);
  }

  /** The clock of a game between people. */
  function clockFields() {
    const choose = (clock) => change({ clock });
    return [
      segments("clock", "Clock", CLOCKS, choice.clock, choose),
      choice.clock !== OWN
        ? null
        : element(
            "div",
            { class: "sizes", "data-part": "clock" },
            numberField("Minutes each", "minutes", { least: 0.5, most: 180, step: 0.5 }),
            numberField("Extra seconds", "increment", { least: 0, most: 180, step: 1 }),
          ),
      choice.clock
        ? element("p", { class: "more", "data-part": "clock" }, clockSentence(choice))
        : null,
    ];
  }

  const hasSwap2 = () => !begun && canSwap2(offered, choice);

  /** Whether the game begins with swap2. */
  function swap2Field() {
    const choose = (text) => change({ swap2: text === "true" });
    const more = choice.swap2
      ? element("p", { class: "more", "data-part": "swap2" }, game.swap2.sentence)
      : null;
    const options = [
      ["false", "No"],
      ["true", "Yes"],
    ];
    return [segments("swap2", "Begin with swap2", options, String(choice.swap2), choose), more];
  }

  const begins = () =>
    table.state.analysis
      ? "While the analysis is on, moves on the board are tried. Switch it off to play."
      : hasSwap2() && choice.swap2
        ? "Place a stone on the board to begin."
        : "Play a move on the board to begin.";

  function draw() {
    const opponent = offered.opponents.find(({ text }) => text === choice.opponent);
    const alone = choice.opponent === "me";
    const isSwap2 = hasSwap2() && choice.swap2;
    const isFirst = beginsGame(offered, choice, fixed);
    const label = choice.opponent === "guest" ? "Open the game and get the link" : "Start";
    const start = button(label, begin, { class: "primary" });
    const parts = [
      element("h2", {}, fixed ? "Play from here" : game.title),
      fixed ? null : element("p", { class: "about" }, ruleOf(game, rulesId(choice))),
      ...(fixed || !game.sizes.length ? [] : boardFields()),
      field(
        "Opponent",
        select(
          opponents().map(({ text, title }) => [text, title]),
          choice.opponent,
          (text) => {
            const next = offered.opponents.find((each) => each.text === text);
            change({ opponent: text, number: next.default });
          },
        ),
        opponent.default === null || !opponent.text.includes("level") ? opponent.sentence : null,
      ),
      levelField(opponent),
      alone
        ? null
        : element(
            "div",
            { class: "sides" },
            fixed || !game.native || isSwap2
              ? null
              : segments(
                  "letter",
                  "You play",
                  [
                    ["X", "X"],
                    ["O", "O"],
                  ],
                  choice.letter,
                  (letter) => change({ letter }),
                ),
            segments(
              "begins",
              fixed ? "To move" : isSwap2 ? "First stones" : "First move",
              [
                ...(isFirst === choice.begins ? [["true", "You"]] : []),
                ["false", choice.opponent === "guest" ? "Your guest" : "The machine"],
              ],
              String(isFirst),
              (begins) => change({ begins: begins === "true" }),
            ),
          ),
      ...(hasSwap2() ? swap2Field() : []),
      ...(hasPerson(choice) && client.HAS_SERVER ? clockFields() : []),
      choice.opponent === "guest" ? field("Your name", nameInput()) : null,
      fixed || !game.options.length ? null : variants(),
      waits(offered, choice, fixed) ? element("div", { class: "setup-foot" }, start) : element("p", { class: "more" }, begins()),
    ];
    patch(form, element("div", { class: "setup" }, parts.filter(Boolean)));
  }

  // The list of a select takes its mouseup away.
  const RELEASES = ["mouseup", "mousemove", "dragend", "keydown"];
  window.addEventListener("mousedown", pressed, true);
  for (const kind of RELEASES) window.addEventListener(kind, released, true);

  const ends = [
    table.watch(["analysis"], draw),
    table.watch(["game"], ({ game: begun }) => {
      const held = Boolean(begun) && card.contains(document.activeElement);
      // A position without moves begins no game.
      card.hidden = Boolean(begun || table.state.shown?.position.outcome);
      // After the button that begins the game, the board has the focus.
      if (held) document.querySelector(".cell[tabindex='0'], .legal-moves button")?.focus();
    }),
  ];
  return () => {
    window.removeEventListener("mousedown", pressed, true);
    for (const kind of RELEASES) window.removeEventListener(kind, released, true);
    ends.forEach((end) => end());
  };
}
