// A board without the rules, for hosts whose policy forbids WebAssembly: the server tells the rules.
//
//   position of a result ──show()──► picture and cells      a click ──► choose(move) ──► the server

import { createBoard } from "/static/board.js";
import { element } from "/static/dom.js";
import { STYLE } from "/static/embed/data.js";

/** Put a board into an element. `choose(move)` is called for a legal move, `tell(text)` for hints. */
export function createPlainBoard(place, { choose, tell }) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  const root = place.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [sheet];
  const holder = element("div");
  const status = element("p", { class: "status", role: "status" });
  const frame = element("div", { class: "frame" }, holder, status);
  root.replaceChildren(frame);
  const board = createBoard(holder, {
    choose: (move) => move !== null && choose(move),
    selected: (move) => tell(move ? `Tap again to play ${move}.` : ""),
    measured: () => {},
    frame,
  });
  return {
    /** Show a position, as the server describes it. */
    show(position, { fresh, may }) {
      board.show(position, { fresh, may: may && !position.outcome });
      status.textContent = position.outcome ? position.outcome.sentence : position.situation["-"];
    },
  };
}
