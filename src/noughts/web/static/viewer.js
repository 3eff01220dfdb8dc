// Step through searches: a form for a position and one or two searches, and the viewer.
//
//   /replay?start=…&moves=…&algorithm=… ──► form ──► POST /replay ──► data ──► mount()
//         └──◄── submit: the address holds the whole form, so that it can be shared

import { drawBoard } from "/static/replay/board.js";
import { mount } from "/static/replay/player.js";
import * as client from "./client.js";
import { attempt } from "./attempt.js";
import { button, downloadFile, element, say, select, textInput } from "./dom.js";
import { go, setTab } from "./router.js";
import { swapPosition, swapReplay } from "./letters.js";
import { rules } from "./setup.js";
import { titleOf } from "./titles.js";

const SEARCHES = {
  minimax: ["Minimax", "Searches every move, every reply, and so on to the end."],
  alphabeta: ["Alpha-beta", "Minimax without the branches that cannot change the result."],
  hminimax: ["H-minimax", "Minimax to a fixed depth, with an estimate at its end."],
  negamax: ["Negamax", "Alpha-beta one ply deeper each time, with a table of positions."],
  mcts: ["Monte Carlo tree search", "Plays random games, most of them after the best moves."],
};
const FIRST = "alphabeta";
const SECOND = "minimax";
/** The default position: a small tree with a few cutoffs. */
const EXAMPLE = { start: "basic", moves: "1 5 4 7" };

/** Return the limit of a search in the form: its key and its label. */
const limitOf = (name) => (name === "mcts" ? ["simulations", "Simulations"] : ["depth", "Depth"]);

/** Split a text such as `alphabeta:depth=4,score=sign` into name, limit and other options. */
function parseSearch(text) {
  const [name, ...rest] = text.split(":");
  const options = rest.join(":").split(",").filter(Boolean);
  const [key] = limitOf(name);
  const limit = options.find((each) => each.startsWith(`${key}=`));
  const others = options.filter((each) => each !== limit).join(",");
  return { name, limit: limit ? limit.slice(key.length + 1) : "", others };
}

function searchText({ name, limit, others }) {
  const options = [limit && `${limitOf(name)[0]}=${limit}`, others].filter(Boolean);
  return options.length ? `${name}:${options.join(",")}` : name;
}

const addressOf = ({ start, moves, swapped, algorithms }) => {
  const query = new URLSearchParams({ start, moves, ...(swapped && { letters: "swapped" }) });
  for (const each of algorithms) query.append("algorithm", each);
  return `/replay?${query}`;
};

const field = (label, control, ...more) =>
  element("label", { class: "field" }, element("span", {}, label), control, ...more);

/** Return the fields of one search; `value()` returns its text for the address. */
function createSearch(text, legend) {
  const asked = parseSearch(text);
  const known = Object.hasOwn(SEARCHES, asked.name);
  const names = known ? Object.keys(SEARCHES) : [asked.name, ...Object.keys(SEARCHES)];
  const name = select(
    names.map((each) => [each, SEARCHES[each]?.[0] || each]),
    asked.name,
    () => {
      limit.value = others.value = "";
      dress();
    },
  );
  const limit = textInput({ inputmode: "numeric", value: asked.limit, placeholder: "auto" });
  const others = textInput({ value: asked.others });
  const limited = field("", limit);
  const about = element("p", { class: "more" });
  const dress = () => {
    limited.firstChild.textContent = limitOf(name.value)[1];
    about.textContent = SEARCHES[name.value]?.[1] || "";
    others.placeholder = name.value === "mcts" ? "seed=1" : "score=sign";
  };
  dress();
  const fields = element(
    "fieldset",
    { class: "search" },
    element("legend", {}, legend),
    field("Algorithm", name),
    limited,
    field("Other options", others),
    about,
  );
  const value = () =>
    searchText({ name: name.value, limit: limit.value.trim(), others: others.value.trim() });
  return { fields, value, name };
}

/** Return the form and its submit button; `submit(value)` is called with the form's values. */
function createForm(asked, submit) {
  const start = textInput({
    name: "start",
    value: asked.start,
    list: "games-to-search",
    required: true,
  });
  const moves = textInput({ name: "moves", value: asked.moves, placeholder: "none" });
  const games = ["basic", "mnk:4,4,3", "connect4", "advanced", "ultimate"];
  const list = element(
    "datalist",
    { id: "games-to-search" },
    ...games.map((value) => element("option", { value })),
  );
  const picture = element("div", { class: "picture" });
  const state = element("p", { class: "more" });
  const searches = element("div", { class: "searches" });
  const second = button("", toggleSecond);
  const run = button("Search", null, { type: "submit", class: "primary" });
  let chosen = [];

  function setSearches(texts) {
    chosen = texts.map((text, at) => {
      const legend = texts.length < 2 ? "Search" : at ? "Second search" : "First search";
      return createSearch(text, legend);
    });
    searches.replaceChildren(...chosen.map(({ fields }) => fields));
    second.textContent = chosen[1] ? "Remove second search" : "Add second search";
  }

  function toggleSecond() {
    const first = chosen[0].value();
    if (chosen[1]) {
      setSearches([first]);
    } else {
      setSearches([first, parseSearch(first).name === SECOND ? FIRST : SECOND]);
      chosen[1].name.focus();
    }
  }

  let timer = 0;
  let visit = 0;
  async function drawPosition(typed) {
    visit += 1;
    const mine = visit;
    try {
      const position = await client.position(start.value.trim(), [moves.value.trim()]);
      if (mine !== visit) return;
      const swapped = swapPosition(position, value().swapped);
      picture.innerHTML = drawBoard({ ...swapped, over: Boolean(swapped.outcome) });
      state.textContent = swapped.outcome ? swapped.outcome.sentence : `${swapped.state}.`;
    } catch (problem) {
      if (mine !== visit) return;
      picture.replaceChildren();
      state.textContent = typed ? problem.message : "";
    }
  }
  for (const input of [start, moves]) {
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => drawPosition(true), 300);
    });
  }

  const form = element(
    "form",
    { class: "card asked", id: "asked" },
    element(
      "div",
      { class: "where" },
      field("Position", start, list),
      field("Moves", moves),
      element("p", { class: "more" }, "A game such as basic or connect4, or a position string."),
    ),
    element("div", { class: "sample" }, picture, state),
    searches,
    element("div", { class: "answers" }, run, second),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(value());
  });
  const value = () => ({
    start: start.value.trim(),
    moves: moves.value.trim(),
    // The letter swap belongs to the game that linked here, not to other positions.
    swapped: asked.swapped && start.value.trim() === asked.start,
    algorithms: chosen.map((each) => each.value()),
  });
  setSearches(asked.algorithms);
  drawPosition(false);
  return { form, run };
}

export async function show(main, { query }) {
  setTab("learn");
  document.title = "Step through search · noughts";
  const given = query.getAll("algorithm").slice(0, 2);
  const asked = {
    ...EXAMPLE,
    ...(query.has("start") && { start: query.get("start"), moves: query.get("moves") || "" }),
    swapped: query.get("letters") === "swapped",
    algorithms: given.length ? given : [FIRST],
  };
  const { form, run } = createForm(asked, (wanted) => go(addressOf(wanted)));
  const where = element("p", { class: "more" });
  const wrong = element("p", { class: "alert", role: "alert" });
  const asking = new AbortController();
  const stop = button("Stop", () => asking.abort());
  const waiting = element("p", { class: "waiting", role: "status" }, "Searching…", stop);
  const viewer = element("div", {});
  const change = button("Change search", () => setOpen(form.hidden), { "aria-controls": "asked" });
  const download = button("Download", null, { hidden: true });
  const setOpen = (open) => {
    form.hidden = !open;
    change.setAttribute("aria-expanded", String(open));
  };
  main.append(
    element(
      "div",
      { class: "stepping" },
      element(
        "div",
        { class: "stepping-head" },
        element("div", {}, element("h1", {}, "Step through search"), where),
        element("div", { class: "answers" }, download, change),
      ),
      form,
      wrong,
      waiting,
    ),
    viewer,
  );

  setOpen(false);

  let mounted = null;
  let ended = false;

  async function search() {
    run.disabled = true;
    try {
      const place = client.position(asked.start, [asked.moves]);
      const [offered, position] = await Promise.all([rules(), place]);
      const wanted = { start: position.position, moves: [], algorithms: asked.algorithms };
      const { signal } = asking;
      const data = await client.request("POST", "/replay", { body: wanted, signal });
      if (ended) return;
      mounted = mount(viewer, swapReplay(data, asked.swapped));
      const names = data.searches.map((each) => each.name).join(" and ");
      const after = asked.moves ? `, after ${asked.moves}` : "";
      where.textContent = `${names} on ${titleOf(offered, data.rules)}${after}`;
      document.title = `${names} · noughts`;
      const events = data.searches.map(({ events: { kind } }) => kind.length.toLocaleString("en"));
      say(`${names}: ${events.join(" and ")} events.`);
      download.hidden = false;
      download.onclick = () => save(wanted);
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      if (ended) return;
      wrong.textContent = asking.signal.aborted ? "Stopped." : problem.message;
      setOpen(true);
    } finally {
      waiting.hidden = true;
      run.disabled = false;
    }
  }

  async function save({ start, algorithms }) {
    download.disabled = true;
    wrong.textContent = "";
    await attempt(async () => {
      const parameters = new URLSearchParams({ start });
      for (const each of algorithms) parameters.append("algorithm", each);
      downloadFile(await client.request("GET", "/replay.html", { query: parameters, as: "file" }));
      say("Replay downloaded.");
    }, wrong);
    download.disabled = false;
  }

  search();
  return () => {
    ended = true;
    asking.abort();
    mounted?.destroy();
  };
}
