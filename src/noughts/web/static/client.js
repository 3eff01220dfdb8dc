// The client of the server's API; no other module talks to the server.
//
// play(id, version, move) ──► HTTP ──► GameView, or a Problem with a sentence for people
// follow(id, key, …)      ──► WebSocket ──► changes ──► a GameView after each
// analysis(connected)     ──► WebSocket ──► answers to questions
//
// The time left on a clock is as of `clock.at`, in the time of performance.now().

/** Whether friends can follow links to games, which `noughts site` has no server for. */
export const HAS_SERVER = true;
/** Get ready for a question that comes soon; a server is. */
export const prepare = () => {};
const API = "/api/v1";
const PATIENCE = [500, 1000, 2000, 4000, 8000, 15000];

/** An error with a sentence for people; `status` is 0 if the server did not answer. */
export class Problem extends Error {
  constructor(document) {
    super(document.detail);
    this.status = document.status;
    this.kind = (document.type || "").replace("urn:noughts:", "");
    this.field = document.field || null;
  }
}

const SILENT = { status: 0, type: "urn:noughts:silent", detail: "The server does not answer. Try again." };

/** Replies that came with the page, or are on their way: {"GET /rules": …}; each is used once. */
const given = new Map();

/** Keep a reply, or the promise of one, for the next request `asked`, as in pages.py. */
export const give = (asked, reply) => given.set(asked, reply);

/**
 * Send a request and return its reply: JSON, or with `as` "file" {blob, name}, with "stream" its
 * bytes as they come. `body` is sent as JSON; `key` opens a game in which the client has no seat, or
 * the check of files; an AbortSignal cancels the request.
 */
export async function request(method, path, { body, key, query, signal, as = "json" } = {}) {
  const words = Object.entries(query || {}).map(([name, value]) => `&${name}=${value}`);
  const wanted = `${method} ${path}${words.join("")}`;
  const known = given.get(wanted);
  if (known) {
    given.delete(wanted);
    return stamped(await known);
  }
  const headers = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (key) headers["noughts-key"] = key;
  const asked = query ? `?${new URLSearchParams(query)}` : "";
  const answer = await received(() =>
    fetch(`${API}${path}${asked}`, {
      method,
      headers,
      signal,
      body: body === undefined ? undefined : JSON.stringify(body),
    }),
  );
  if (!answer.ok) throw new Problem(await problemOf(answer));
  if (answer.status === 204) return null;
  if (as === "stream") return answer.body;
  if (as === "json") return stamped(await received(() => answer.json()));
  const file = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") || "");
  return { blob: await received(() => answer.blob()), name: file ? file[1] : "noughts" };
}

/** Return what a call gives; if it fails, the connection ended before the answer, or was cancelled. */
async function received(call) {
  try {
    return await call();
  } catch {
    throw new Problem(SILENT);
  }
}

/** Note in a view of a game when its clock was read. */
function stamped(view) {
  if (view.clock) view.clock.at ??= performance.now();
  return view;
}

let answering = null;

/** Call back when the server answers again, if a problem is its silence. */
export function whenAnswered(problem, call) {
  if (problem.kind !== "silent") return;
  answering ??= new Promise((answered) => {
    const probe = async (failures) => {
      try {
        await fetch("/static/icon.svg", { method: "HEAD", cache: "no-store" });
        answering = null;
        answered();
      } catch {
        setTimeout(probe, PATIENCE[Math.min(failures, 3)], failures + 1);
      }
    };
    setTimeout(probe, PATIENCE[0], 1);
  });
  answering.then(call);
}

async function problemOf(answer) {
  try {
    const document = await answer.json();
    if (typeof document.detail === "string") return document;
  } catch {
    // A proxy may answer with HTML.
  }
  return { status: answer.status, detail: `The server failed with status ${answer.status}.` };
}

const game = (id, rest = "") => `/games/${encodeURIComponent(id)}${rest}`;

export const rules = () => request("GET", "/rules");
export const position = (start, moves) =>
  request("GET", "/position", { query: { start, moves: moves.join(" ") } });
/** Return why a move is not allowed: {sentence, boards, cells}. */
export const refusal = (start, moves, move) =>
  request("GET", "/refusal", { query: { start, moves: moves.join(" "), move } });
export const lesson = (id) => request("GET", "/lesson", { query: { rules: id } });
export const openGame = (wanted) => request("POST", "/games", { body: wanted });
export const listGames = (search, after, count = 24) =>
  request("GET", "/games", { query: { search, after, count } });
export const showGame = (id, key) => request("GET", game(id), { key });
export const deleteGame = (id) => request("DELETE", game(id));
/** Play a move; with `answers` this browser finds the reply of a level. */
export const play = (id, version, move, answers) =>
  request("POST", game(id, "/moves"), { body: { version, move, answers } });
/** `what` is `undo`, `redo`, `resign`, `draw`, `accept`, `decline`, `rematch` or `stop`. */
export const change = (id, version, what) =>
  request("POST", game(id, `/${what}`), { body: { version } });
/** Choose a side in swap2, "X" or "O", or "more" stones. */
export const choose = (id, version, choice) =>
  request("POST", game(id, "/choice"), { body: { version, choice } });
export const join = (id, key, name) => request("POST", game(id, "/join"), { body: { key, name } });
export const setName = (id, version, name) =>
  request("POST", game(id, "/name"), { body: { version, name } });
/** Return {network}: the server's address in its network, or null. */
export const serverAddress = () => request("GET", "/address");
/** Return the address of the QR code of a link: `join` or `watch`. */
export const qrAddress = (id, link, origin) =>
  `${API}${game(id, "/qr")}?${new URLSearchParams({ link, origin })}`;
export const addVariation = (id, version, path) =>
  request("POST", game(id, "/variations"), { body: { version, path } });
export const deleteVariation = (id, version, path) =>
  request("DELETE", game(id, "/variations"), { body: { version, path } });
export const setComment = (id, version, path, text) =>
  request("PUT", game(id, "/comments"), { body: { version, path, comment: text } });
export const importGames = (text) => request("POST", "/games/import", { body: { text } });
/** Return a game as a file {blob, name}; `query` has the format, and theme and ply of pictures. */
export const exported = (id, query, key) =>
  request("GET", game(id, "/export"), { query, key, as: "file" });

function socketAddress(path) {
  const scheme = window.location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${window.location.host}${API}${path}`;
}

/** Keep a WebSocket open at `path()`; it reconnects after a loss, at growing intervals. */
function hold(path, { heard, opened = () => {}, lost = () => {} }) {
  let socket = null;
  let failures = 0;
  let timer = 0;
  let ended = false;

  function connect() {
    clearTimeout(timer);
    socket = new WebSocket(socketAddress(path()));
    socket.onopen = () => {
      failures = 0;
      opened();
    };
    socket.onmessage = (message) => heard(JSON.parse(message.data));
    socket.onclose = (closed) => {
      if (ended) return;
      if (closed.code === 4404) {
        end();
        return;
      }
      lost();
      const wait = PATIENCE[Math.min(failures, PATIENCE.length - 1)];
      failures += 1;
      timer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
    };
  }

  function again() {
    if (!ended && socket.readyState === WebSocket.CLOSED && !document.hidden) connect();
  }

  function end() {
    ended = true;
    clearTimeout(timer);
    window.removeEventListener("online", again);
    document.removeEventListener("visibilitychange", again);
    // Browsers report an error if a socket is closed before it is open.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }

  window.addEventListener("online", again);
  document.addEventListener("visibilitychange", again);
  connect();
  return {
    end,
    send(data) {
      if (socket.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(data));
      return true;
    },
  };
}

/** Return a GameView with the changes of a GameChange. */
function withChanges(view, { values, lists, entries }) {
  const next = { ...view, ...values };
  for (const [name, { at, removed, added }] of Object.entries(lists)) {
    next[name] = [...view[name].slice(0, at), ...added, ...view[name].slice(at + removed)];
  }
  for (const [name, changed] of Object.entries(entries)) {
    next[name] = { ...view[name], ...changed };
    for (const key of Object.keys(changed)) if (changed[key] === null) delete next[name][key];
  }
  return next;
}

/**
 * Follow a game. Calls `changed(GameView)`, `refused(Problem)` once at the end, and
 * `connected(boolean)`. Returns a function that stops.
 */
export function follow(id, key, { changed, refused, connected }) {
  let view = null;
  const path = () => {
    const asked = { ...(key && { key }), ...(view && { have: view.tag }) };
    return game(id, `/live?${new URLSearchParams(asked)}`);
  };
  const held = hold(path, {
    heard(data) {
      if (data.status !== undefined) return refused(new Problem(data));
      view = stamped(data.values ? withChanges(view, data) : data);
      return changed(view);
    },
    opened: () => connected(true),
    lost: () => connected(false),
  });
  return held.end;
}

const isLast = ({ kind, done }) =>
  kind === "values" ? done : !["point", "progress", "found", "facts"].includes(kind);

/**
 * Open a connection for questions to the engine; open questions are asked again after a loss.
 * Calls `connected(boolean)`.
 */
export function analysis(connected) {
  const open = new Map();
  let last = 0;
  const held = hold(() => "/analysis", {
    heard(answer) {
      const known = open.get(answer.id);
      if (!known) return;
      if (isLast(answer)) open.delete(answer.id);
      known.hear(answer);
    },
    opened() {
      connected(true);
      open.forEach(({ question }) => held.send(question));
    },
    lost: () => connected(false),
  });
  return {
    /**
     * Ask {do, start, moves, move}, in place of an open question with the same `do`; `hear` gets
     * every answer. Returns a function that cancels the question.
     */
    ask(asked, hear) {
      last += 1;
      const question = { ...asked, id: last };
      for (const [id, other] of open) if (other.question.do === asked.do) open.delete(id);
      open.set(question.id, { question, hear });
      held.send(question);
      return () => {
        if (!open.delete(question.id)) return;
        last += 1;
        held.send({ do: "stop", id: last, of: question.id });
      };
    },
    end: held.end,
  };
}
