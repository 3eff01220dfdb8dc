// The labs: claims from the literature, tested by experiment.
//
//   /lab ──► GET /labs ──► the list          /lab?lab=prune&first=min ──► form ──► begin()
//   begin() ──► client.analysis ──► progress … ──► report: claim, picture, table, lesson

import { here } from "./address.js";
import * as client from "./client.js";
import { button, downloadFile, element, say, select, textInput } from "./dom.js";
import { linkCard } from "./link_card.js";
import { rename, setTab, showMessage } from "./router.js";

/** Return the name of a lab as a title: `First move`. */
function titleOf(name) {
  const words = name.replaceAll("-", " ");
  return words[0].toUpperCase() + words.slice(1);
}

const addressOf = (name, options) => `/lab?${new URLSearchParams({ lab: name, ...options })}`;

export async function show(main, { query }) {
  setTab("learn");
  document.title = "Lab · noughts";
  const { labs } = await client.request("GET", "/labs");
  if (!query.has("lab")) {
    main.append(createList(labs));
    return undefined;
  }
  const lab = labs.find(({ name }) => name === query.get("lab"));
  if (!lab) {
    const all = element("a", { class: "button", href: "/lab" }, "All labs");
    showMessage(`No lab is called "${query.get("lab")}"`, element("p", {}, all));
    return undefined;
  }
  document.title = `${titleOf(lab.name)} · noughts`;
  return showLab(main, lab, query);
}

// The list

function createList(labs) {
  const about = "Claims about these games and about search, from courses, projects and papers,";
  return element(
    "div",
    { class: "page lab" },
    element("h1", {}, "Lab"),
    element("p", { class: "about" }, `${about} tested by experiment: the result, and the reason.`),
    element(
      "ul",
      { class: "page-cards" },
      labs.map(({ name, sentence }) => linkCard(titleOf(name), sentence, addressOf(name, {}))),
    ),
  );
}

// One lab

/** Return a field for an option; its control has the option's name. */
function createField(option, value) {
  const { name, kind, least, most } = option;
  const initial = value ?? option.default ?? "";
  const shared = { name, "aria-describedby": `about-${name}` };
  const control =
    kind === "choice"
      ? select(option.choices.map((each) => [each, each]), initial, null, shared)
      : textInput({ ...shared, type: kind, min: least, max: most, value: initial });
  return element(
    "div",
    { class: "field", "data-kind": kind },
    element("label", {}, element("span", {}, titleOf(name)), control),
    element("p", { id: `about-${name}` }, option.sentence),
  );
}

/** Return the values of the form, without empty ones, for which the lab has defaults. */
function given(form, options) {
  const wanted = {};
  for (const { name, kind } of options) {
    const value = form.elements[name].value.trim();
    if (value) wanted[name] = kind === "number" ? Number(value) : value;
  }
  return wanted;
}

function showLab(main, lab, query) {
  const { name, options, slow } = lab;
  const run = button("Run lab", null, { type: "submit", class: "primary" });
  const stop = button("Stop", halt, { hidden: true });
  const bar = element("progress", { "aria-label": "Progress" });
  const count = element("span", {});
  const waiting = element("p", { class: "waiting", hidden: true }, bar, count);
  const wrong = element("p", { class: "alert", role: "alert" });
  const report = element("div", { class: "report" });
  const form = element(
    "form",
    { class: "options" },
    ...options.map((option) => createField(option, query.get(option.name))),
    element(
      "div",
      { class: "answers" },
      run,
      stop,
      slow && element("span", { class: "about" }, "Takes some minutes."),
    ),
  );
  main.append(
    element(
      "div",
      { class: "page lab" },
      element("p", {}, element("a", { href: "/lab" }, "All labs")),
      element("h1", {}, titleOf(name)),
      element("p", { class: "about" }, lab.sentence),
      form,
      waiting,
      wrong,
      report,
    ),
  );

  let line = null;

  function end() {
    line?.end();
    line = null;
    waiting.hidden = stop.hidden = true;
    run.disabled = false;
  }

  const receive = {
    progress({ done, of }) {
      bar.max = of;
      bar.value = done;
      count.textContent = `${done.toLocaleString("en")} of ${of.toLocaleString("en")}`;
    },
    report(found) {
      end();
      report.replaceChildren(...createReport(found));
      say(`${titleOf(name)}: done.`);
    },
    problem({ detail }) {
      end();
      wrong.textContent = detail;
    },
  };

  function begin() {
    end();
    report.replaceChildren();
    wrong.textContent = "";
    bar.removeAttribute("value");
    count.textContent = "";
    run.disabled = true;
    waiting.hidden = stop.hidden = false;
    line = client.analysis((connected) => {
      count.textContent = connected ? "" : "Connection lost. Reconnecting…";
    });
    const asked = { do: "lab", lab: name, options: given(form, options) };
    line.ask(asked, (answer) => receive[answer.kind]?.(answer));
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const address = addressOf(name, given(form, options));
    if (address !== here().pathname + here().search) rename(address);
    begin();
  });
  function halt() {
    end();
    wrong.textContent = "Stopped.";
    run.focus();
  }
  if (!slow) begin();
  return end;
}

// Reports

const isNumber = (text) => /^[-+−±≤≥]?\d[\d,.]*( ?%)?$/.test(text);

/** Return a text drawing with X and O in their colours. */
function createDrawing(picture) {
  const parts = picture.split(/(?<!\w)([XO])(?!\w)/);
  return element(
    "pre",
    {},
    ...parts.map((part, at) => (at % 2 ? element("span", { class: part.toLowerCase() }, part) : part)),
  );
}

/** Return the elements of a Report. */
function createReport({ name, claim, headers, rows, teaches, picture, data }) {
  const figures = headers.map((_, column) => {
    const filled = rows.map((row) => row[column]).filter(Boolean);
    return column > 0 && filled.filter(isNumber).length * 2 > filled.length;
  });
  const kind = (column) => (figures[column] ? "figures" : null);
  const cell = (text, column) =>
    column
      ? element("td", { class: kind(column) }, isNumber(text) ? element("span", {}, text) : text)
      : element("th", { scope: "row" }, text);
  /** Return the cells of a row; a list of numbers has the room of the empty cells after it. */
  const cells = (row) => {
    const at = row.findIndex((text) => text.includes(" · "));
    if (at < 1 || row.slice(at + 1).some(Boolean)) return row.map(cell);
    const numbers = element("td", { class: "list", colspan: row.length - at }, row[at]);
    return [...row.slice(0, at).map(cell), numbers];
  };
  const table = element(
    "table",
    {},
    element("caption", { class: "visually-hidden" }, "Results"),
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        ...headers.map((header, column) =>
          element("th", { scope: "col", class: kind(column) }, header),
        ),
      ),
    ),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells(row)))),
  );
  const part = (title, ...children) =>
    element("section", { class: "card" }, element("h2", {}, title), ...children);
  const wide = (label, child) =>
    element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": label }, child);
  const download = button("Download JSON", () => {
    const text = `${JSON.stringify({ lab: name, ...data }, null, 2)}\n`;
    downloadFile({ blob: new Blob([text], { type: "application/json" }), name: `${name}.json` });
  });
  return [
    part("Claim", element("p", {}, claim)),
    picture && part("Drawing", wide("Drawing", createDrawing(picture))),
    part("Results", wide("Results", table), download),
    part("Lesson", element("p", {}, teaches)),
  ].filter(Boolean);
}
