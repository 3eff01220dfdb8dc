// Stepping through searches: a form for a position and one or two searches, and the viewer.
//
//   /replay?start=…&moves=…&algorithm=… ──► form ──► POST /replay ──► data ──► mount()
//         └──◄── the form is sent: the address says it all, and can be handed on

import { drawBoard } from "/static/replay/board.js";
import { mount } from "/static/replay/player.js";
import * as client from "./client.js";
import { element, keepFile, say } from "./dom.js";
import { go, setTab } from "./router.js";
import { seenPosition, seenReplay } from "./seen.js";
import { rules, titleOf } from "./setup.js";

const SEARCHES = {
  minimax: ["Minimax", "Looks at every move, at every answer to it, and so on."],
  alphabeta: ["Alpha-beta", "Minimax that leaves out what cannot change the result."],
  hminimax: ["H-minimax", "Minimax to a depth, where an estimate stands for what lies beyond."],
  negamax: ["Negamax", "Alpha-beta that goes one ply deeper at a time and remembers positions."],
  mcts: ["Monte Carlo tree search", "Plays games at random, more and more of those that go well."],
};
const FIRST = "alphabeta";
const SECOND = "minimax";
/** What is shown at the address without a position: small, and with a few cutoffs. */
const EXAMPLE = { start: "basic", moves: "5 1 2 7" };

/** Return the limit that a search has in the form: its key, and what it is called. */
const limitOf = (name) =>
  name === "mcts" ? ["simulations", "Simulations"] : ["depth", "Plies deep"];

/** Take a text such as `alphabeta:depth=4,score=sign` apart into name, limit and other options. */
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

/** Return the fields of one search; `value()` is its text, as the address has it. */
function createSearch(text, legend) {
  const asked = parseSearch(text);
  const known = Object.hasOwn(SEARCHES, asked.name);
  const names = known ? Object.keys(SEARCHES) : [asked.name, ...Object.keys(SEARCHES)];
  const name = element(
    "select",
    {},
    ...names.map((each) => {
      const [title] = SEARCHES[each] || [each];
      return element("option", { value: each, selected: each === asked.name }, title);
    }),
  );
  const limit = element("input", {
    type: "text",
    inputmode: "numeric",
    autocomplete: "off",
    value: asked.limit,
    placeholder: "as fits",
  });
  const others = element("input", {
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    value: asked.others,
  });
  const limited = field("", limit);
  const about = element("p", { class: "more" });
  const dress = () => {
    limited.firstChild.textContent = limitOf(name.value)[1];
    about.textContent = SEARCHES[name.value]?.[1] || "";
    others.placeholder = name.value === "mcts" ? "seed=1" : "score=sign";
  };
  name.addEventListener("change", () => {
    limit.value = others.value = "";
    dress();
  });
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

/** Return the form, and how to learn what it asks for. */
function createForm(asked, sent) {
  const start = element("input", {
    type: "text",
    name: "start",
    value: asked.start,
    list: "games-to-search",
    required: true,
    autocomplete: "off",
    spellcheck: "false",
  });
  const moves = element("input", {
    type: "text",
    name: "moves",
    value: asked.moves,
    placeholder: "none",
    autocomplete: "off",
    spellcheck: "false",
  });
  const games = ["basic", "mnk:4,4,3", "connect4", "advanced", "ultimate"];
  const list = element(
    "datalist",
    { id: "games-to-search" },
    ...games.map((value) => element("option", { value })),
  );
  const picture = element("div", { class: "picture" });
  const state = element("p", { class: "more" });
  const searches = element("div", { class: "searches" });
  const second = element("button", { type: "button" });
  const run = element("button", { type: "submit", class: "primary" }, "Search");
  let chosen = [];

  function setSearches(texts) {
    chosen = texts.map((text, at) => {
      const legend = texts.length < 2 ? "Search" : at ? "Search beside it" : "First search";
      return createSearch(text, legend);
    });
    searches.replaceChildren(...chosen.map(({ fields }) => fields));
    second.textContent = chosen[1] ? "Without the second search" : "Compare with a second search";
  }

  second.addEventListener("click", () => {
    const first = chosen[0].value();
    if (chosen[1]) {
      setSearches([first]);
    } else {
      setSearches([first, parseSearch(first).name === SECOND ? FIRST : SECOND]);
      chosen[1].name.focus();
    }
  });

  let timer = 0;
  let visit = 0;
  async function look(typed) {
    visit += 1;
    const mine = visit;
    try {
      const position = await client.position(start.value.trim(), [moves.value.trim()]);
      if (mine !== visit) return;
      const seen = seenPosition(position, value().swapped);
      picture.innerHTML = drawBoard({ ...seen, over: Boolean(seen.outcome) });
      state.textContent = seen.outcome ? seen.outcome.sentence : `${seen.state}.`;
    } catch (problem) {
      if (mine !== visit) return;
      picture.replaceChildren();
      state.textContent = typed ? problem.message : "";
    }
  }
  for (const input of [start, moves]) {
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => look(true), 300);
    });
  }

  const form = element(
    "form",
    { class: "card asked", id: "asked" },
    element(
      "div",
      { class: "where" },
      field("Position", start, list),
      field("Moves from there", moves),
      element("p", { class: "more" }, "A game such as basic or connect4, or a position string."),
    ),
    element("div", { class: "seen" }, picture, state),
    searches,
    element("div", { class: "answers" }, run, second),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sent(value());
  });
  const value = () => ({
    start: start.value.trim(),
    moves: moves.value.trim(),
    // The letters are those of a game; of another position they are as everywhere.
    swapped: asked.swapped && start.value.trim() === asked.start,
    algorithms: chosen.map((each) => each.value()),
  });
  setSearches(asked.algorithms);
  look(false);
  return { form, run };
}

export async function show(main, { query }) {
  setTab("lab");
  document.title = "Step through a search · noughts";
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
  const stop = element("button", { type: "button", onclick: () => asking.abort() }, "Stop");
  const waiting = element("p", { class: "waiting", role: "status" }, "The search runs …", stop);
  const viewer = element("div", {});
  const change = element(
    "button",
    { type: "button", "aria-expanded": "false", "aria-controls": "asked" },
    "Another search",
  );
  const download = element("button", { type: "button", hidden: true }, "Download");
  const setOpen = (open) => {
    form.hidden = !open;
    change.setAttribute("aria-expanded", String(open));
  };
  change.addEventListener("click", () => setOpen(form.hidden));
  main.append(
    element(
      "div",
      { class: "stepping" },
      element(
        "div",
        { class: "stepping-head" },
        element("div", {}, element("h1", {}, "Step through a search"), where),
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
      mounted = mount(viewer, seenReplay(data, asked.swapped));
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
    try {
      const parameters = new URLSearchParams({ start });
      for (const each of algorithms) parameters.append("algorithm", each);
      keepFile(await client.request("GET", "/replay.html", { query: parameters, as: "file" }));
      say("The file is downloaded.");
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      wrong.textContent = problem.message;
    }
    download.disabled = false;
  }

  search();
  return () => {
    ended = true;
    asking.abort();
    mounted?.destroy();
  };
}
