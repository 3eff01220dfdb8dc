// Machines that play, in a worker with the core.
//
//   think(position, opponent) ──► worker.js ──► the text of a move
//
// A search blocks its worker: stop() ends it, and the next search starts another one.

import { fileName, moveOfFile } from "/static/site/checked.js";
import { site } from "/static/site/parts.js";

const FOLDER = "./app/"; // Of the scripts, as noughts/site/build.py writes them.

let worker = null;
let asked = 0;

/** Return the level of play of an opponent, {nodes, sight, slip, blur}; null for other opponents. */
function levelOf(rules, opponent) {
  const number = /^engine:level=(\d+)$/.exec(opponent)?.[1];
  const { levels } = site();
  return number ? (levels[rules.split(":")[0]] ?? levels.default)[Number(number) - 1] : null;
}

/** Return the net and the book of some rules, {net, book}. */
function filesOf(rules) {
  const { nets, books } = site();
  return { net: nets[rules] ?? null, book: books[rules] ?? null };
}

/**
 * Begin to think about a position, a `PositionView`. Return {move, stop, end}: the promise of the
 * text of a move, or null of a checked file without a legal one, rejected with a sentence; `stop` ends the search with its best move so far, and
 * `end` without one.
 */
export function think(view, opponent) {
  const texts = Object.keys(view.moves);
  const textOf = (number) => view.board.names[number];
  const any = () => texts[Math.floor(Math.random() * texts.length)];
  if (opponent === "random") return { move: Promise.resolve(any()), stop() {}, end() {} };
  if (fileName(opponent)) return { move: moveOfFile(opponent, view.position), stop() {}, end() {} };
  asked += 1;
  const id = asked;
  let best = null;
  let settle = () => {};
  worker ??= new Worker(new URL(`${FOLDER}worker.js`, document.baseURI), { type: "module" });
  const mine = worker;
  const end = () => {
    mine.removeEventListener("message", hear);
    mine.terminate();
    if (worker === mine) worker = null;
  };
  function hear({ data }) {
    if (data.id !== id) return;
    if (data.better !== undefined) {
      best = data.better;
      return;
    }
    mine.removeEventListener("message", hear);
    settle(data);
  }
  const move = new Promise((resolve, reject) => {
    settle = ({ move: number, problem }) =>
      problem ? reject(new Error(problem)) : resolve(textOf(number));
    mine.addEventListener("message", hear);
    mine.onerror = (event) => {
      event.preventDefault();
      end();
      reject(new Error("The machine could not be loaded. Reload the page."));
    };
    const { position, rules } = view;
    const level = levelOf(rules, opponent);
    mine.postMessage({ id, position, opponent, level, files: filesOf(rules) });
  });
  return {
    move,
    stop() {
      // A level searches for some tenths of a second, and has no move before its end.
      if (best === null) return;
      end();
      settle({ move: best });
    },
    end,
  };
}
