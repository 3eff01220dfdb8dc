// The board of a tool's result, to play on and to step through.
//
//   tool result ──► <noughts-board>, which has the rules            a move ──► the model's context
//               ──► without WebAssembly: a plain board, moved by the server's tools

import { createHost } from "./host.js";
import { createPlainBoard } from "./plain.js";

/** The key of the metadata of a result: {start, moves, place}. */
const VIEW = "noughts/view";
/** The smallest module: it compiles where the policy of the host allows WebAssembly. */
const EMPTY = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/** Said where neither the page nor the server can find the legal moves. */
const WRITE = "This program does not let you play on the board. Write your move in the chat.";

const byId = (id) => document.getElementById(id);

function mayCompile() {
  try {
    return Boolean(new WebAssembly.Module(EMPTY));
  } catch {
    return false;
  }
}

/** Start the page. */
export function start(version) {
  const board = byId("board");
  const place = byId("plain");
  const hasRules = mayCompile();
  let plain = null;
  let shown = null;
  let played = [];

  function tell(text) {
    byId("said").textContent = text;
    byId("said").hidden = !text;
  }

  function note(moves, position) {
    played = moves;
    byId("send").hidden = !moves.length;
    const said = moves.length
      ? `On the board the person has since played ${moves.join(" ")}.`
      : "On the board nothing has been played since.";
    host.inform(`${said} The position there now: ${position}`);
  }

  function showElement({ start: from, moves }) {
    for (const name of ["play", "analysis", "controls"]) board.setAttribute(name, "");
    board.setAttribute("position", from);
    board.setAttribute("moves", moves.join(" "));
    board.hidden = false;
  }

  function showPlain(position, fresh) {
    plain ??= createPlainBoard(place, { choose, tell });
    plain.show(position, { fresh, may: host.callsTools });
    place.hidden = false;
  }

  /** Play a move by the server, where the page has no rules. */
  async function choose(move) {
    const { position } = shown.place;
    try {
      const result = await host.call("play_moves", { position, moves: move });
      if (result.isError) return tell(result.content?.[0]?.text ?? "The move is refused.");
      const view = result._meta?.[VIEW];
      if (!view || shown.place.position !== position) return;
      shown = { ...shown, place: view.place };
      showPlain(view.place, true);
      tell("");
      note([...played, move], view.place.position);
    } catch (error) {
      tell(error.message);
    }
  }

  function result({ isError, content, _meta: meta }) {
    const view = meta?.[VIEW];
    if (isError || !view) {
      tell(content?.find((each) => each.type === "text")?.text ?? "There is no position to show.");
      return;
    }
    shown = view;
    played = [];
    byId("send").hidden = true;
    tell("");
    if (hasRules) showElement(view);
    else {
      showPlain(view.place, false);
      if (!host.callsTools && !view.place.outcome) tell(WRITE);
    }
  }

  function context({ theme }) {
    if (theme) document.documentElement.style.colorScheme = theme;
  }

  const host = createHost({
    "ui/notifications/tool-result": result,
    "ui/notifications/tool-cancelled": () => tell("The question was cancelled."),
    "ui/notifications/host-context-changed": context,
  });

  board.addEventListener("noughts-move", ({ detail }) => {
    const moves = detail.moves.split(" ");
    const same = shown.moves.every((move, at) => move === moves[at]);
    note(same ? moves.slice(shown.moves.length) : moves, detail.position);
  });
  byId("send").addEventListener("click", async () => {
    try {
      await host.say(`I play ${played.join(" ")}.`);
      byId("send").hidden = true;
    } catch (error) {
      tell(error.message);
    }
  });

  const page = byId("page");
  const resized = new ResizeObserver(() => {
    const { width, height } = page.getBoundingClientRect();
    host.resize(Math.ceil(width), Math.ceil(height));
  });
  host.connect("noughts", version).then(
    (found) => {
      context(found);
      resized.observe(page);
    },
    (error) => tell(error.message),
  );
}
