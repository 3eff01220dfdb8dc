// The check of a student's file: drop it, see the verdict, play against it.
//
//   /check#key=KEY ──► GET /check ──► may this browser check files?
//   a file ──► POST /check ──► progress … ──► report: functions, boards of the first mistakes
//                                               └── Play ──► POST /games ──► /game/ID
//
// The server runs the file, and judges it. This browser keeps the key that the server printed.

import { drawBoard } from "/static/replay/board.js";
import { link } from "./address.js";
import * as client from "./client.js";
import { attempt } from "./attempt.js";
import { button, drawn, element, say, select, textInput } from "./dom.js";
import { recall, remember } from "./memory.js";
import { go, setTab } from "./router.js";
import { positionAddress } from "./line_address.js";

const FILE_RUNS = client.HAS_SERVER
  ? "The file runs on this computer with your rights. Check only files that you trust."
  : "The file runs in your browser, and does not leave it.";
const KEY = "check.key";
const LARGEST = 200_000;
const INTERFACES = [
  ["", "The seven functions of CS50 AI", null],
  ["aima", "A player of AIMA's games: player(game, state)", "player"],
  ["moves", "A function from nine cells to a cell: move(cells)", "move"],
];
const ABOUT =
  "Every function of your tic-tac-toe is called on every board that a game can reach. " +
  "See the first board on which one is wrong, then play against your code.";

/** The last report of this visit, which is still there after a game: {report, name}. */
let last = null;

const refusal = (detail) => new client.Problem({ status: 422, detail });

/** Return a text as elements, with code between backticks. */
const withCode = (text) =>
  text.split("\u0060").map((part, at) => (at % 2 ? element("code", {}, part) : part));

/** Return the text of a file, or throw the reason why it cannot be checked. */
async function textOf(file) {
  if (file.size > LARGEST) throw refusal(`${file.name} is larger than 200 kB. Is this the right file?`);
  const bytes = await file.arrayBuffer().catch(() => {
    throw refusal(`${file.name} cannot be read. Choose it again.`);
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    if (!/\.(py|txt)$/i.test(file.name)) throw refusal("Choose a Python file, such as tictactoe.py.");
    throw refusal(`${file.name} is not UTF-8 text. Save it as UTF-8 in your editor.`);
  }
}

/** Yield the objects of a stream of JSON lines. */
async function* objectsOf(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    yield* lines.map((line) => JSON.parse(line));
  }
}

/** Return the report on a file; `tell({done, of})` gets its progress. */
async function reportOf(body, key, signal, tell) {
  const asked = { body: { ...body, progress: true }, key, signal, as: "stream" };
  const stream = await client.request("POST", "/check", asked);
  try {
    for await (const found of objectsOf(stream)) {
      if (found.kind === "report") return found;
      if (found.kind === "problem") throw new client.Problem(found);
      tell(found);
    }
  } catch (problem) {
    if (problem.status !== undefined) throw problem;
    // The connection is lost.
  }
  throw new client.Problem({ status: 0, detail: "The check ended without a report. Try again." });
}

export async function show(main, { fragment }) {
  setTab("learn");
  document.title = "Check your code · noughts";
  const key = fragment.get("key") ?? recall(KEY);
  const { enabled, unlocked } = await client.request("GET", "/check", { key });
  if (fragment.has("key")) {
    window.history.replaceState(null, "", link("/check"));
    if (unlocked) remember(KEY, key);
  }
  const page = element(
    "div",
    { class: "page lab check-page" },
    element("h1", {}, "Check your code"),
    element("p", { class: "about" }, ABOUT),
  );
  main.append(page);
  if (!unlocked) {
    page.append(enabled ? createLocked() : createOff());
    return undefined;
  }
  return mountCheck(page, key);
}

const command = (text) => element("pre", { class: "check-command" }, element("code", {}, text));

/** Return a card in place of the drop zone. */
const notice = (title, ...content) =>
  element("section", { class: "card check-off" }, element("h2", {}, title), ...content);

/** Return the card of a server that checks no files. */
const createOff = () =>
  notice(
    "This server checks no files",
    element("p", {}, "A check runs your file. Check it in a terminal:"),
    command("noughts check tictactoe.py"),
    element("p", {}, "Or start the page on your own computer with:"),
    command("noughts serve --check-files"),
  );

/** Return the card of a browser without the key. */
const createLocked = () =>
  notice(
    "Open the address for checks",
    element("p", {}, "At its start, the server has printed an address like this one in its terminal:"),
    command(`Check files at ${window.location.origin}/check#key=…`),
    element("p", {}, "Open it in this browser. A new start of the server prints a new one."),
  );

function mountCheck(page, key) {
  const input = element("input", { type: "file", accept: ".py,.txt,text/x-python", hidden: true });
  const choose = button("Choose file", () => input.click(), { class: "primary" });
  const zone = element(
    "section",
    { class: "card check-drop" },
    element("p", { class: "check-call" }, "Drop your tictactoe.py here"),
    input,
    choose,
    element("p", { class: "more" }, FILE_RUNS),
  );
  const named = textInput({ disabled: true });
  const kind = select(INTERFACES, "", (chosen) => {
    const [, , name] = INTERFACES.find(([each]) => each === chosen);
    named.disabled = !name;
    named.placeholder = name ?? "";
    if (!name) named.value = "";
  });
  const label = (text, control) => element("label", {}, element("span", {}, text), control);
  const other = element(
    "details",
    { class: "variants check-other" },
    element("summary", {}, "Another kind of file"),
    element("div", {}, label("Its functions", kind), label("Name of the function", named)),
  );
  const bar = element("progress", { "aria-label": "Progress" });
  const count = element("span", {});
  const stop = button("Stop", halt);
  const waiting = element("p", { class: "waiting", hidden: true }, bar, count, stop);
  const wrong = element("p", { class: "alert", role: "alert" });
  const report = element("div", { class: "report" });
  page.append(zone, waiting, wrong, other, report);

  let checking = null;

  function end() {
    checking?.abort();
    checking = null;
    waiting.hidden = true;
    zone.classList.remove("over");
  }

  function halt() {
    end();
    wrong.textContent = "Stopped.";
    choose.focus();
  }

  function showReport(found) {
    last = found;
    zone.classList.add("again");
    choose.classList.remove("primary");
    zone.firstChild.textContent = "Drop the changed file, or another one";
    report.replaceChildren(...createReport(found, wrong));
  }

  async function check(file) {
    end();
    const mine = new AbortController();
    checking = mine;
    wrong.textContent = "";
    report.replaceChildren();
    await attempt(async () => {
      const body = { file: await textOf(file), name: file.name };
      if (kind.value) Object.assign(body, { as: kind.value, function: named.value.trim() || null });
      if (checking !== mine) return;
      waiting.hidden = false;
      bar.removeAttribute("value");
      count.textContent = `Checking ${file.name}…`;
      const tell = ({ done, of }) => {
        bar.max = of;
        bar.value = done;
      };
      const found = await reportOf(body, key, mine.signal, tell).catch((problem) => {
        if (checking === mine) throw problem;
      });
      if (checking !== mine) return;
      showReport({ report: found, name: file.name });
      say(`${file.name}: ${found.headline}`);
    }, wrong);
    if (checking === mine) end();
  }

  input.addEventListener("change", () => {
    const [file] = input.files;
    if (file) check(file);
    // So that the same file, changed, is a choice again.
    input.value = "";
  });
  const hasFiles = (event) => event.dataTransfer.types.includes("Files");
  const heard = {
    dragover(event) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      zone.classList.add("over");
    },
    dragleave(event) {
      if (!event.relatedTarget) zone.classList.remove("over");
    },
    drop(event) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      zone.classList.remove("over");
      const files = [...event.dataTransfer.files];
      const file = files.find(({ name }) => name === "tictactoe.py") ?? files[0];
      if (file) check(file);
    },
  };
  for (const [name, hear] of Object.entries(heard)) window.addEventListener(name, hear);
  if (last) showReport(last);
  return () => {
    end();
    for (const [name, hear] of Object.entries(heard)) window.removeEventListener(name, hear);
  };
}

// The report

const stateOf = ({ passed, failures, suffers_from: causes }) =>
  causes.length ? "suffers" : passed ? "right" : failures.length ? "wrong" : "unchecked";
const MARKS = { right: "✓", wrong: "✗", suffers: "~", unchecked: "–" };

/** Return the elements of a report; a game that does not open says so in `wrong`. */
function createReport({ report, name }, wrong) {
  const head = [
    element("p", { class: "check-file" }, name),
    element("h2", { class: report.passed ? "check-right" : "check-wrong" }, report.headline),
  ];
  if (report.import) {
    head.push(element("p", {}, withCode(report.import.says)));
    return [element("section", { class: "card check-report" }, ...head)];
  }
  const rows = Object.entries(report.functions).map(([each, found]) =>
    element(
      "tr",
      { class: `check-${stateOf(found)}` },
      element("td", { class: "check-mark", "aria-hidden": "true" }, MARKS[stateOf(found)]),
      element("th", { scope: "row" }, element("code", {}, each)),
      element("td", {}, withCode(found.verdict)),
    ),
  );
  const failing = Object.entries(report.functions).filter(([, { failures }]) => failures.length);
  return [
    element(
      "section",
      { class: "card check-report" },
      ...head,
      element("table", { class: "check-functions" }, element("tbody", {}, rows)),
      ...createGames(report, wrong),
    ),
    ...failing.map(([each, { failures }]) =>
      element(
        "section",
        { class: "card" },
        element("h2", {}, element("code", {}, each)),
        ...failures.map(createFailure),
      ),
    ),
  ];
}

/** Return the result of the file's games, and the buttons to play against it. */
function createGames({ play, opponent }, wrong) {
  const begin = (x, o) =>
    attempt(async () => {
      const game = await client.openGame({ start: "basic", x, o });
      go(`/game/${game.id}`);
    }, wrong);
  const moves = play.shortest_loss;
  const lost = moves.length
    ? element("a", { class: "button", href: positionAddress("basic", moves) }, "See a lost game")
    : null;
  return [
    play.sentence && element("p", { class: "about" }, play.sentence),
    opponent &&
      element(
        "div",
        { class: "buttons" },
        button("Play as X", () => begin("me", opponent), { class: "primary" }),
        button("Play as O", () => begin(opponent, "me"), { class: "primary" }),
        lost,
      ),
  ].filter(Boolean);
}

/** Return the first board on which a function makes a mistake. */
function createFailure({ board, position, action, expected, got, says, picture }) {
  const said = element("p", { class: "check-says" }, withCode(says));
  if (!board) return said;
  const values = [["action", action && `(${action.join(", ")})`], ["got", got], ["expected", expected]];
  const terms = values
    .filter(([, value]) => value)
    .map(([name, value]) => [element("dt", {}, name), element("dd", {}, element("code", {}, value))]);
  const opened = element("a", { href: link(`/position/${position}`) }, "Open");
  terms.push([element("dt", {}, "board"), element("dd", {}, opened)]);
  const shown = element("span", { class: "check-board" }, drawn(drawBoard(picture)));
  return element(
    "div",
    { class: "check-failure" },
    said,
    element("div", { class: "check-case" }, shown, element("dl", {}, terms.flat())),
  );
}
