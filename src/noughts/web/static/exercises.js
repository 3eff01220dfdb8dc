// Exercises: the list of kinds, and one exercise whose entries are marked at once.
//
//   /exercises ──► GET /exercises ──► cards
//   /exercises/KIND?seed=7 ──► GET /exercises/KIND ──► figure │ entries
//   an answer ──► POST /exercises/KIND/marks ──► right or wrong, and why
//
// The seed chooses the exercise: a link leads everybody to the same one.

import * as client from "./client.js";
import { attempt } from "./attempt.js";
import { button, drawn, element, say, select, textInput } from "./dom.js";
import { linkCard } from "./link_card.js";
import { go, setTab, showMessage } from "./router.js";

const LEVELS = [
  ["", "Any"],
  ["easy", "Easy"],
  ["medium", "Medium"],
  ["hard", "Hard"],
];
const SEEDS = 2 ** 31;
/** The scale of a figure where there is room, and where there is not. */
const [LARGE, SMALL] = [1.5, 0.8];
/** The width of a figure, in units, that has the whole page. */
const WIDE = 480;
const STROKES = 'fill="none" stroke-linecap="round" stroke-linejoin="round"';

const titled = (text) => text[0].toUpperCase() + text.slice(1);
const anySeed = () => Math.floor(Math.random() * SEEDS);

/** Return the address of an exercise, without a seed of a new one. */
function addressOf(kind, difficulty, seed = anySeed()) {
  const query = new URLSearchParams(difficulty ? { difficulty, seed } : { seed });
  return `/exercises/${kind}?${query}`;
}

export async function show(main, { kind, query }) {
  setTab("learn");
  document.title = "Exercises · noughts";
  const { kinds } = await client.request("GET", "/exercises");
  if (!kind) {
    main.append(createList(kinds));
    return;
  }
  const found = kinds.find(({ name }) => name === kind);
  if (!found) {
    const all = element("a", { class: "button", href: "/exercises" }, "All exercises");
    showMessage(`No exercise is called "${kind}"`, element("p", {}, all));
    return;
  }
  document.title = `${found.title} · noughts`;
  await showExercise(main, kind, query.get("difficulty") || "", query.get("seed") || anySeed());
}

// The list

function createList(kinds) {
  const card = ({ name, title, about }) => linkCard(title, `${titled(about)}.`, addressOf(name, ""));
  return element(
    "div",
    { class: "page exercises" },
    element("h1", {}, "Exercises"),
    element(
      "p",
      { class: "about" },
      "Do the steps of a search by hand. Every entry is marked at once, and a wrong one is explained.",
    ),
    element("ul", { class: "page-cards" }, kinds.map(card)),
  );
}

// One exercise

async function showExercise(main, kind, difficulty, seed) {
  const path = `/exercises/${kind}`;
  const query = difficulty ? { seed, difficulty } : { seed };
  const exercise = await client.request("GET", path, { query });
  const right = new Set();
  let shown = false;
  let last = exercise.entries[0];

  const figure = element("div", { class: "exercise-figure" });
  const drawFigure = ({ width, height, body, scale, description }) => {
    const box = `viewBox="0 0 ${width} ${height}"`;
    const made = drawn(`<svg class="noughts" ${box} role="img" ${STROKES}>${body}</svg>`);
    made.setAttribute("aria-label", description);
    // A large tree scrolls on a phone: its letters stay legible.
    made.style.width = `${LARGE * scale * width}px`;
    made.style.minWidth = `${SMALL * scale * width}px`;
    figure.replaceChildren(made);
  };
  const score = element("p", { class: "exercise-score" });
  const says = element("p", { class: "exercise-says", role: "status" });
  const next = button("Next exercise", () => go(addressOf(kind, difficulty)));
  const reveal = button("Show answers", () => attempt(revealAnswers, says));
  const controls = new Map(
    exercise.entries.map((entry) => [
      entry.name,
      createControl(entry, {
        answered: (text) => attempt(() => mark(entry, text), says),
        focused: () => {
          last = entry;
        },
      }),
    ]),
  );

  function tell(sentence, tone) {
    says.textContent = sentence;
    says.dataset.tone = tone;
  }

  function showScore() {
    const all = exercise.entries.length;
    const done = right.size === all;
    score.textContent = `${right.size} of ${all} right`;
    next.classList.toggle("primary", done || shown);
    reveal.disabled = done || shown;
    return done;
  }

  async function mark(entry, text) {
    last = entry;
    const { marks } = await client.request("POST", `${path}/marks`, {
      query,
      body: { answers: { [entry.name]: text } },
    });
    const [found] = marks;
    controls.get(entry.name).mark(found.right);
    if (found.right) right.add(entry.name);
    else right.delete(entry.name);
    const done = showScore();
    const begin = `${entry.label}: ${found.right ? "right" : "wrong"}.`;
    const solved = done && !shown ? " The exercise is solved." : "";
    tell(`${begin} ${found.says}${solved}`, found.right ? "good" : "bad");
    if (found.right && !done) focusNext(entry.name);
  }

  function focusNext(name) {
    const names = exercise.entries.map((each) => each.name);
    const order = [...names.slice(names.indexOf(name) + 1), ...names];
    controls.get(order.find((each) => !right.has(each)))?.focus();
  }

  async function revealAnswers() {
    const { figure: solved, answers } = await client.request("GET", `${path}/answers`, { query });
    shown = true;
    drawFigure(solved);
    for (const { name, answer } of answers) controls.get(name).show(answer, right.has(name));
    showScore();
    tell("These are the answers.", "");
    next.focus();
  }

  const clue = button("Clue", () => {
    const entry = right.has(last.name)
      ? exercise.entries.find((each) => !right.has(each.name)) || last
      : last;
    tell(`${entry.label}: ${entry.clue}`, "");
  });

  main.append(
    element(
      "div",
      { class: "page exercises" },
      element(
        "header",
        { class: "exercise-head" },
        element("h1", {}, exercise.title),
        element(
          "label",
          {},
          element("span", {}, "Difficulty"),
          select(LEVELS, difficulty, (value) => go(addressOf(kind, value))),
        ),
      ),
      element("p", {}, exercise.task),
      element(
        "div",
        { class: exercise.figure.width > WIDE ? "exercise wide" : "exercise" },
        element(
          "section",
          { class: "card" },
          figure,
          element("ul", { class: "exercise-rules" }, exercise.rules.map((each) => element("li", {}, each))),
        ),
        element(
          "section",
          { class: "card exercise-entries" },
          createEntries(exercise.entries, controls),
          score,
          says,
          element("div", { class: "exercise-actions" }, clue, reveal, next),
        ),
      ),
      element("p", { class: "about" }, element("a", { href: "/exercises" }, "All exercises")),
    ),
  );
  drawFigure(exercise.figure);
  showScore();
  say(`${exercise.title}. ${exercise.task}`);
}

/** Return the table of the entries that have a row and a column, and a list of the others. */
function createEntries(entries, controls) {
  const inside = entries.filter(({ column }) => column);
  const outside = entries.filter(({ column }) => !column);
  const names = (key) => [...new Set(inside.map((entry) => entry[key]))];
  const cell = (row, column) => {
    const entry = inside.find((each) => each.row === row && each.column === column);
    return element("td", {}, entry && controls.get(entry.name).element);
  };
  const columns = names("column");
  const head = columns.map((each) => element("th", { scope: "col" }, each));
  const table =
    inside.length > 0 &&
    element(
      "div",
      { class: "exercise-table" },
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, element("td", {}), head)),
        element(
          "tbody",
          {},
          names("row").map((row) =>
            element(
              "tr",
              {},
              element("th", { scope: "row" }, row),
              columns.map((column) => cell(row, column)),
            ),
          ),
        ),
      ),
    );
  return element(
    "div",
    { class: "exercise-form" },
    table,
    outside.map((entry) => controls.get(entry.name).element),
  );
}

/**
 * Return the control of an entry: `element`, and functions `mark(right)`, `show(answer, right)` and
 * `focus()`. `answered(text)` is called with a complete answer.
 */
function createControl(entry, { answered, focused }) {
  const made = entry.kind === "number" ? createField(entry, answered) : createOptions(entry, answered);
  made.element.addEventListener("focusin", focused);
  return {
    ...made,
    mark(right) {
      made.element.dataset.mark = right ? "right" : "wrong";
    },
    show(answer, right) {
      made.put(answer);
      if (!right) made.element.dataset.mark = "shown";
    },
  };
}

function createField({ label, column }, answered) {
  const input = textInput({ "aria-label": column ? label : null, size: 6, maxlength: 40 });
  input.addEventListener("change", () => input.value.trim() && answered(input.value));
  const sign = element("span", { class: "exercise-sign", "aria-hidden": "true" });
  const holder = column
    ? element("span", { class: "exercise-field" }, input, sign)
    : element(
        "label",
        { class: "exercise-field labelled" },
        element("span", {}, label),
        element("span", { class: "exercise-field" }, input, sign),
      );
  return {
    element: holder,
    focus: () => input.focus(),
    put: (answer) => {
      input.value = answer;
      input.readOnly = true;
    },
  };
}

let groups = 0;

/** Return radio buttons for one choice, or check boxes and a button for several. */
function createOptions({ label, kind, choices }, answered) {
  groups += 1;
  const several = kind === "set";
  const inputs = choices.map((value) =>
    element("input", { type: several ? "checkbox" : "radio", name: `exercise-${groups}`, value }),
  );
  const chosen = () => inputs.filter((each) => each.checked).map((each) => each.value);
  const send = () => answered(chosen().join(" ") || "none");
  if (!several) for (const input of inputs) input.addEventListener("change", send);
  const check = several && button("Check", send, { class: "small" });
  const sign = element("span", { class: "exercise-sign", "aria-hidden": "true" });
  return {
    element: element(
      "fieldset",
      { class: "exercise-options" },
      element("legend", {}, label, sign),
      element(
        "div",
        {},
        inputs.map((input) => element("label", {}, input, element("span", {}, input.value))),
        check,
      ),
    ),
    focus: () => (inputs.find((each) => each.checked) || inputs[0]).focus(),
    put: (answer) => {
      const right = several ? answer.split(" ") : [answer];
      for (const input of inputs) {
        input.checked = right.includes(input.value);
        input.disabled = true;
      }
      if (check) check.disabled = true;
    },
  };
}
