// The card that sets up a game: rules, board, opponent, side. What it offers comes from the server.
//
//   GET /rules ──► form ──► choice ──► table.prepare(rules id, seats)
//                              └── remembered for the next time, game by game

import * as client from "./client.js";
import { element } from "./dom.js";
import { recall, remember } from "./memory.js";

const LAST = "last";
const chosen = (name) => `choice.${name}`;

let asked = null;
/** Ask for the rules once for all visits of the page. */
export function rules() {
  asked ??= client.rules().catch((problem) => {
    asked = null;
    throw problem;
  });
  return asked;
}

/**
 * Return what is chosen at first: by a rules id or a game's name, else what was chosen last.
 * A choice is {name, sizes, options, opponent, number, letter, begins}.
 */
export function firstChoice(offered, wanted) {
  const [name, rest] = (wanted || recall(LAST) || "basic").split(":");
  const game = offered.games.find((each) => each.name === name);
  if (!game) return null;
  const before = recall(chosen(name)) || {};
  const opponent =
    offered.opponents.find(({ text }) => text === before.opponent) || offered.opponents[0];
  const sizes = game.sizes.map((size) => size.default);
  const options = game.options.map((option) => option.choices[0].text);
  const choice = {
    name,
    sizes: before.sizes?.length === sizes.length ? before.sizes : sizes,
    options: before.options?.length === options.length ? before.options : options,
    opponent: opponent.text,
    number: before.number ?? opponent.default,
    letter: before.letter === "O" ? "O" : "X",
    begins: before.begins ?? true,
  };
  if (rest === undefined) return choice;
  const words = rest.split(",");
  const numbers = words.filter((word) => /^\d+$/.test(word)).map(Number);
  choice.sizes = sizes.map((size, at) => numbers[at] ?? size);
  choice.options = game.options.map(
    ({ choices }) => choices.find(({ text }) => text && words.includes(text))?.text ?? "",
  );
  return choice;
}

/** Return the rules id of a choice. */
export function rulesId({ name, sizes, options }) {
  const words = [...sizes, ...options.filter(Boolean)];
  return words.length ? `${name}:${words.join(",")}` : name;
}

/** Return a rules id as people call it: `Connect Four 8,7,4`. */
export function titleOf(offered, id) {
  const [name, rest] = id.split(":");
  const title = offered.games.find((game) => game.name === name)?.title || name;
  return rest ? `${title} ${rest}` : title;
}

/**
 * Return who sits where, as a new game has it, and the name of the other player. The letters are
 * swapped where O begins; in a position that is given they are as they are, and `turn` is to move.
 */
export function seats(offered, { opponent, number, letter, begins }, turn = null) {
  const { title } = offered.opponents.find(({ text }) => text === opponent);
  const other = opponent.replace("{}", String(number));
  if (other === "me") return { x: "me", o: "me", swapped: false };
  const name = opponent.includes("level") ? `Engine, level ${number}` : title;
  const isX = begins === (turn !== "O");
  return {
    ...(isX ? { x: "me", o: other } : { x: other, o: "me" }),
    swapped: turn === null && (letter === "X") !== begins,
    name: other === "guest" ? "Open seat" : name,
  };
}

let fields = 0;

/** Return a labelled field, with a sentence below that says more. */
function field(title, control, sentence) {
  fields += 1;
  control.id = `field-${fields}`;
  const more = sentence
    ? element("p", { class: "more", id: `${control.id}-more` }, sentence)
    : null;
  if (more) control.setAttribute("aria-describedby", more.id);
  return element(
    "div",
    { class: "field" },
    element("label", { for: control.id }, title),
    control,
    more,
  );
}

function select(options, value, change) {
  const made = element(
    "select",
    { onchange: () => change(made.value) },
    options.map(([text, title]) =>
      element("option", { value: text, selected: text === value }, title),
    ),
  );
  return made;
}

function segments(legend, options, value, change) {
  fields += 1;
  const name = `segments-${fields}`;
  return element(
    "fieldset",
    { class: "segments" },
    element("legend", {}, legend),
    element(
      "div",
      {},
      options.map(([text, title]) =>
        element(
          "label",
          {},
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

/**
 * Put the form into a card. `choose(choice)` is told every choice; `fixed` leaves the rules out,
 * for a position that is given. Returns the function that ends it.
 */
export function mountSetup(card, table, offered, first, choose, fixed = false) {
  let choice = first;
  const game = offered.games.find(({ name }) => name === choice.name);

  function change(patch, redraw = true) {
    choice = { ...choice, ...patch };
    if (!fixed) {
      remember(LAST, choice.name);
      remember(chosen(choice.name), choice);
    }
    if (redraw) draw();
    choose(choice);
  }

  function sizeField(size, at) {
    const bound = size.within.map(
      (name) => choice.sizes[game.sizes.findIndex((s) => s.name === name)],
    );
    const most = bound.length ? Math.min(size.most, Math.max(...bound)) : size.most;
    const input = element("input", {
      type: "number",
      inputmode: "numeric",
      min: size.least,
      max: most,
      value: choice.sizes[at],
      title: size.sentence,
      onchange: () => {
        const wanted = Math.round(Number(input.value)) || size.default;
        const sizes = [...choice.sizes];
        sizes[at] = Math.max(size.least, Math.min(most, wanted));
        game.sizes.forEach((other, number) => {
          if (!other.within.length) return;
          const limit = other.within.map(
            (name) => sizes[game.sizes.findIndex((s) => s.name === name)],
          );
          sizes[number] = Math.min(sizes[number], Math.max(...limit));
        });
        change({ sizes });
      },
    });
    return field(size.name, input);
  }

  function optionField(option, at) {
    const now = option.choices.find(({ text }) => text === choice.options[at]) || option.choices[0];
    const control = select(
      option.choices.map(({ text, title }) => [text, title]),
      now.text,
      (text) => change({ options: choice.options.map((each, n) => (n === at ? text : each)) }),
    );
    return field(option.title, control, now.sentence);
  }

  /** The options of the rules, folded away while they are as usual. */
  function variants() {
    const usual = game.options.every((option, at) => choice.options[at] === option.choices[0].text);
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
        const wanted = Number(input.value) || opponent.default;
        const number = Math.max(opponent.least, Math.min(opponent.most, wanted));
        input.value = String(number);
        change({ number }, false);
      },
    });
    return field(isLevel ? `Level ${choice.number}` : "Seconds a move", input, said(choice.number));
  }

  const begins = () =>
    table.state.analysis
      ? "While the analysis is on, moves on the board are tried. Switch it off to play."
      : "Play a move on the board to begin.";

  function draw() {
    const held = document.activeElement?.closest(".setup") ? document.activeElement : null;
    const place = held && [...card.querySelectorAll("input, select, button")].indexOf(held);
    const opponent = offered.opponents.find(({ text }) => text === choice.opponent);
    const alone = choice.opponent === "me";
    const waits = !alone && (!choice.begins || choice.opponent === "guest");
    const start = element(
      "button",
      { type: "button", class: "primary", onclick: () => table.begin() },
      choice.opponent === "guest" ? "Open the game and get the link" : "Start",
    );
    card.replaceChildren(
      element("h2", {}, fixed ? "Play from here" : game.title),
      ...[
        fixed ? null : element("p", { class: "about" }, game.sentence),
        fixed || !game.sizes.length
          ? null
          : element("div", { class: "sizes" }, game.sizes.map(sizeField)),
        field(
          "Opponent",
          select(
            offered.opponents.map(({ text, title }) => [text, title]),
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
              fixed
                ? null
                : segments(
                    "You play",
                    [
                      ["X", "X"],
                      ["O", "O"],
                    ],
                    choice.letter,
                    (letter) => change({ letter }),
                  ),
              segments(
                fixed ? "Who is to move" : "Who begins",
                [
                  ["true", "You"],
                  ["false", choice.opponent === "guest" ? "Your guest" : "The machine"],
                ],
                String(choice.begins),
                (begins) => change({ begins: begins === "true" }),
              ),
            ),
        fixed || !game.options.length ? null : variants(),
        waits ? start : element("p", { class: "more" }, begins()),
      ].filter(Boolean),
    );
    if (held) card.querySelectorAll("input, select, button")[place]?.focus();
  }

  card.classList.add("setup");
  const ends = [
    table.watch(["analysis"], draw),
    table.watch(["game"], ({ game: begun }) => {
      const held = Boolean(begun) && card.contains(document.activeElement);
      card.hidden = Boolean(begun);
      // Who began the game by a button goes on at the board.
      if (held) document.querySelector(".cell[tabindex='0']")?.focus();
    }),
  ];
  return () => ends.forEach((end) => end());
}
