// Draws the board of a link to a game or a position while the page loads.
//
//   #/?game=NAME              ──► the first position of the game, from the HTML
//   #/position/RULES~CELLS~…  ──► the first position of these rules, with these cells
//                                  └──► its picture, until the page shows the position
//
// It needs no rules: boards that are won, and the moves, come with the page.

import { boardBox, defaultNames, drawBoard } from "/static/replay/board.js";

const main = document.getElementById("main");

/** Return the marks of a position string: "X8.9" is an X and 17 empty cells. */
const cellsOf = (text) => text.replace(/\d+|\./g, (part) => ".".repeat(Number(part) || 0));

/** Return the view of the address, or null if the HTML has no position of its rules. */
function viewOf(address) {
  const [, rules, text] = /^#\/position\/([^~]+)~([^~]+)/.exec(address) || [];
  const [, game] = /^#\/\?game=(\w+)(&opponent=[^&]*)?$/.exec(address) || [];
  const given = Object.values(JSON.parse(document.getElementById("given").textContent));
  const first = given.find(
    (each) => each.board && (game ? each.rules.split(":")[0] === game : each.rules === rules),
  );
  if (!first) return null;
  const { board } = first;
  const cells = game ? board.cells : cellsOf(text);
  return cells.length === board.cells.length ? { ...first, open: [], over: true, board: { ...board, cells } } : null;
}

function show({ board, ...view }) {
  const names = defaultNames(board);
  const [, , width, height] = boardBox(board, { names });
  const holder = document.createElement("div");
  holder.className = "early";
  holder.setAttribute("aria-hidden", "true");
  holder.innerHTML =
    '<div class="table"><div class="stage"><p class="situation"></p><div class="field"><div class="pane">' +
    `<div class="playing-board" data-kind="${board.kind}"><div class="picture">` +
    `${drawBoard({ ...view, board }, { large: true, names })}</div></div></div></div></div>` +
    '<div class="beside"></div></div>';
  holder.firstChild.style.setProperty("--ratio", String(width / height));
  holder.firstChild.style.setProperty("--columns", String(board.columns));
  main.replaceChildren();
  main.before(holder);
  const observer = new MutationObserver(() => {
    if (!main.childElementCount) return;
    holder.remove();
    observer.disconnect();
  });
  observer.observe(main, { childList: true });
}

// With a service worker the page comes at once, and with it the rules that the visitor chose last.
if (!navigator.serviceWorker?.controller) {
  const view = viewOf(decodeURIComponent(window.location.hash));
  if (view) show(view);
}
