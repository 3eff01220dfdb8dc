// The client of the page without a server: it answers requests in this browser, by the same names
// as the server's client.
//
//   games      ──► games.js ──► IndexedDB, machines in a worker
//   positions  ──► rules.wasm
//   the others ──► Python in a worker, loaded at the first request

import { site } from "/static/site/parts.js";
import { keepFile } from "/static/site/checked.js";
import { read } from "/static/site/data.js";
import { call } from "/static/site/python.js";
import * as puzzles from "/static/site/puzzles.js";
import * as games from "/static/site/games.js";
import { machines } from "/static/site/machines.js";
import { imported, fileOf } from "/static/site/files.js";
import { positionOf, rulesCore, sentences } from "/static/site/positions.js";
import { Problem as AnyProblem, refusal as refused } from "/static/site/problem.js";

window.addEventListener("load", () => import(new URL("./app/offline.js", document.baseURI)));

export const HAS_SERVER = false;
/** Load Python, which a question needs soon. */
export const prepare = () => call("exercises").catch(() => {});
export class Problem extends AnyProblem {}

/** Replies that came with the page, by request. */
const given = new Map();

/** Keep a reply for the requests `asked`. */
export const give = (asked, reply) => given.set(asked, reply);

const number = (text) => (text === undefined ? {} : Number(text));
const numbers = (query, ...names) =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, names.includes(name) ? number(value) : value]),
  );
const taskOf = (id, body) => ({ id, ...body });

/** Requests by method and path; each returns the promise of a reply. */
const REQUESTS = [
  [/^GET \/labs$/, () => read("data/labs.json")],
  [/^GET \/puzzles$/, (_, { query }) => puzzles.list(query)],
  [/^GET \/puzzles\/days\/(.+)$/, async ([, date]) => (await puzzles.ofDay(date)) ?? call("puzzle_day", { date })],
  [/^GET \/puzzles\/(\w+)$/, ([, id]) => puzzles.one(id)],
  [/^POST \/puzzles\/(\w+)\/moves$/, ([, id], { body }) => call("puzzle_move", taskOf(id, body))],
  [/^POST \/puzzles\/(\w+)\/solution$/, ([, id], { body }) => call("puzzle_solution", taskOf(id, body))],
  [/^GET \/exercises$/, () => read("data/exercises.json")],
  [/^GET \/exercises\/(\w+)$/, ([, kind], { query }) => call("exercise", { kind, ...numbers(query, "seed") })],
  [
    /^POST \/exercises\/(\w+)\/marks$/,
    ([, kind], { query, body }) => call("exercise_marks", { kind, ...numbers(query, "seed"), ...body }),
  ],
  [
    /^GET \/exercises\/(\w+)\/answers$/,
    ([, kind], { query }) => call("exercise_answers", { kind, ...numbers(query, "seed") }),
  ],
  [
    /^GET \/explorer$/,
    (_, { query: { start, moves, values } }) => call("explorer", { start, moves, values: values !== false }),
  ],
  [/^POST \/replay$/, (_, { body, signal }) => call("replay", body, { signal })],
  [/^GET \/replay.html$/, (_, { query }) => replayFile(query)],
  [/^GET \/check$/, async () => ({ enabled: true, unlocked: true })],
  [/^POST \/check$/, (_, { body, signal }) => checked(body, signal)],
];

/** Answer a request, as the server's client does. */
export async function request(method, path, options = {}) {
  const query = Object.entries(options.query || {}).map(([name, value]) => `&${name}=${value}`);
  const wanted = `${method} ${path}`;
  const known = given.get(`${wanted}${query.join("")}`);
  if (known) return structuredClone(await known);
  for (const [pattern, answer] of REQUESTS) {
    const found = pattern.exec(wanted);
    if (found) return answer(found, { query: {}, body: {}, ...options });
  }
  throw refused("not-found", 404, "This page needs a server, which the site does not have.");
}

async function replayFile(query) {
  const text = await call("replay_page", {
    start: query.get("start"),
    moves: [],
    algorithms: query.getAll("algorithm"),
  });
  return { blob: new Blob([text], { type: "text/html" }), name: "replay.html" };
}

/** Return the report on a file as the server's stream: a JSON object a line. */
async function checked({ file, name, as, function: named }, signal) {
  return new ReadableStream({
    async start(controller) {
      const encoder = new TextEncoder();
      const tell = (data) => controller.enqueue(encoder.encode(`${JSON.stringify(data)}\n`));
      try {
        const progress = (done) => tell({ kind: "progress", ...done });
        const asked = { file, name, interface: as ?? null, function: named ?? null };
        const { moves, ...report } = await call("check", asked, { progress, signal });
        if (report.opponent) await keepFile(report.opponent, moves);
        tell({ kind: "report", ...report });
      } catch (problem) {
        tell({ kind: "problem", status: problem.status, type: problem.kind, detail: problem.message });
      }
      controller.close();
    },
  });
}

/** There is no server whose answer to wait for. */
export const whenAnswered = () => {};

export const rules = () => request("GET", "/rules");

/** Run a call of the core; its refusal is a Problem. */
async function known(asked) {
  try {
    return await asked();
  } catch (error) {
    if (error.name !== "CoreError") throw error;
    throw refused("position", error.kind === "value" ? 422 : 503, error.message);
  }
}

export async function position(start, moves) {
  const found = given.get(`GET /position&start=${start}&moves=${moves.join(" ")}`);
  if (found) {
    // The first move needs the rules.
    rulesCore().catch(() => {});
    return structuredClone(found);
  }
  return known(() => positionOf(start, moves.flatMap((each) => each.split(/\s+/)).filter(Boolean)));
}

/** Return why a move is not allowed: {sentence, boards, cells}. */
export async function refusal(start, moves, move) {
  const [core, view, { refusalOf }] = await Promise.all([rulesCore(), position(start, moves), sentences()]);
  return refusalOf(core, view, move);
}

/** Return the lesson on some rules; those of well-known rules lie beside the page. */
export async function lesson(id) {
  const file = site().lessons[id];
  if (!file) return call("lesson", { rules: id });
  return read(file);
}

export const openGame = (wanted) => known(() => games.open(wanted));
export const listGames = (search, after, count = 24) => games.list(search, after, count);
export const showGame = (id) => games.show(id);
export const deleteGame = (id) => games.deleteGame(id);
export const play = (id, version, move) => known(() => games.play(id, version, move));
export const change = (id, version, what) => games.change(id, version, what);
export const choose = (id, version, choice) => known(() => games.choose(id, version, choice));
export const addVariation = (id, version, path) => known(() => games.addVariation(id, version, path));
export const deleteVariation = (id, version, path) => games.deleteVariation(id, version, path);
export const setComment = (id, version, path, text) =>
  known(() => games.setComment(id, version, path, text));
export const importGames = (text) => known(async () => ({ games: await games.openAll(await imported(text)) }));
export const exported = async (id, query) => fileOf(await games.kept(id), query);

const noServer = async () => {
  throw refused("no-server", 501, "Games with a link need a server: run `noughts serve`.");
};
export const join = noServer;
export const setName = noServer;
export const serverAddress = async () => ({ network: null });
export const qrAddress = () => "";

/** Follow a game, as the server's client does. */
export function follow(id, _key, { changed, refused: gone, connected }) {
  connected(true);
  return games.follow(id, { changed, refused: gone });
}

/** The answer of Python to each question: the call, and the kind of the answer. */
const QUESTIONS = {
  graph: ["graph", "graph_done"],
  explain: ["explain", "why"],
  try: ["try", "tried"],
  review: ["review", "review"],
  lab: ["lab", "report"],
};

/** The kind of the answers of the core's worker to each question. */
const SEARCHES = { analyse: "values", hint: "hint" };

/** Open a line for questions to the engine, as the server's client does. */
export function analysis(connected) {
  const open = new Map();
  // What explanations and reviews have proven, by position.
  const proven = new Map();
  connected(true);
  const cancel = (what) => {
    open.get(what)?.abort();
    open.delete(what);
  };
  let analysed = null;

  /** Let analyses, now and later, use the proofs of another answer. */
  function learn(proofs) {
    for (const each of proofs) {
      proven.set(each.position, each);
      if (analysed?.position === each.position) analysed.running.prove(each);
    }
  }

  /** Analyse a position in the worker of the core, or find a hint there: `what` is a function of machines. */
  function search(what, kind, start, moves, hear) {
    const controller = new AbortController();
    const { signal } = controller;
    const fail = (detail) => signal.aborted || hear({ kind: "problem", detail });
    open.set(what, controller);
    position(start, moves).then((view) => {
      if (signal.aborted) return;
      const running = machines()[what](view, {
        proofs: proven.get(view.position),
        hear: (found) => hear({ kind, ...found }),
        fail,
      });
      if (what === "analyse") analysed = { position: view.position, running };
      signal.addEventListener("abort", () => {
        running.stop();
        if (what === "analyse") analysed = null;
      });
    }, (problem) => fail(problem.message));
    return () => open.get(what) === controller && cancel(what);
  }

  return {
    ask({ do: what, start, moves = [], move, opening, lab, options }, hear) {
      cancel(what);
      if (what in SEARCHES) return search(what, SEARCHES[what], start, moves, hear);
      const controller = new AbortController();
      open.set(what, controller);
      const [name, kind] = QUESTIONS[what];
      const asked = what === "lab" ? { name: lab, options: options ?? {} } : { start, moves };
      if (move !== undefined && what !== "lab") asked.move = move;
      if (opening && what === "review") asked.opening = opening;
      const progress = (done) => hear({ kind: "progress", ...done });
      const early = (data) => hear({ kind: "found", ...data });
      call(name, asked, { signal: controller.signal, progress, found: early })
        .then((found) => {
          if (controller.signal.aborted) return;
          learn(found.proofs ?? []);
          if (what === "graph") found.forEach((point) => hear({ kind: "point", ...point }));
          hear(what === "graph" ? { kind } : { kind, ...found });
        })
        .catch((problem) => {
          if (!controller.signal.aborted) hear({ kind: "problem", detail: problem.message });
        })
        .finally(() => open.get(what) === controller && open.delete(what));
      return () => open.get(what) === controller && cancel(what);
    },
    end: () => [...open.keys()].forEach(cancel),
  };
}
