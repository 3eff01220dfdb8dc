// Refusals where the eye is: a sentence at the cell, and a pulse on the cells or boards to play on.
//
//   currentGame.refuse(text, cell) ──► GET /refusal ──► sentence, boards, cells

import * as client from "./client.js";
import { element, say } from "./dom.js";
import { viewerOf } from "./guide.js";
import { openingOf } from "./swap2.js";

const SHOWN = 4000;

/** Return why it is nobody's turn here, or null if the rules decide. */
function seatRefusal(currentGame) {
  const { game, shown } = currentGame.state;
  if (game?.sentence && shown.kind === "now") return game.sentence;
  if (shown.position.outcome) return shown.position.outcome.sentence;
  if (currentGame.mayMove !== null) return null;
  if (!game?.yours.length) return "You are watching this game.";
  return game.can.includes("choose")
    ? openingOf(currentGame.state)[viewerOf(currentGame.state)]
    : "It is not your turn.";
}

/** Show the refused moves of the game over the board in an element. */
export function mountRefusals(holder, currentGame) {
  const bubble = element("p", { class: "refusal", hidden: true, "aria-hidden": "true" });
  let timer = 0;
  let visit = 0;
  let judged = null;

  function clear() {
    clearTimeout(timer);
    visit += 1;
    bubble.hidden = true;
    for (const each of holder.querySelectorAll(".wanted, .refused")) {
      each.classList.remove("wanted", "refused");
    }
  }

  const cellElement = (cell) => holder.querySelector(`[data-cell="${cell}"]`);

  /** Put the bubble above a cell, or below one at the top; without a cell in the middle. */
  function place(cell) {
    const around = holder.getBoundingClientRect();
    const at = (cell === null ? null : cellElement(cell))?.getBoundingClientRect();
    const { width, height } = bubble.getBoundingClientRect();
    const middle = at ? at.left + at.width / 2 - around.left : around.width / 2;
    const left = Math.max(0, Math.min(around.width - width, middle - width / 2));
    const above = at ? at.top - around.top - height - 6 : (around.height - height) / 2;
    bubble.style.left = `${left}px`;
    bubble.style.top = `${above >= 0 || !at ? above : at.bottom - around.top + 6}px`;
  }

  function show({ sentence, boards = [], cells = [] }, cell) {
    clear();
    if (!bubble.isConnected) holder.append(bubble);
    bubble.textContent = sentence;
    bubble.hidden = false;
    place(cell);
    // The animation of an element with the class already would not start again.
    void holder.offsetWidth;
    if (cell !== null) cellElement(cell)?.classList.add("refused");
    for (const each of cells) cellElement(each)?.classList.add("wanted");
    const grounds = holder.querySelectorAll(".picture .ground");
    for (const each of boards) grounds[each]?.classList.add("wanted");
    say(sentence);
    timer = setTimeout(clear, SHOWN);
  }

  async function refuse({ text, cell }) {
    const seat = seatRefusal(currentGame);
    if (seat) {
      show({ sentence: seat }, cell);
      return;
    }
    visit += 1;
    const mine = visit;
    const { start, shown } = currentGame.state;
    try {
      const found = await client.refusal(start, shown.moves, text);
      if (mine !== visit || !found.sentence) return;
      show({ ...found, sentence: currentGame.swapLetters(found.sentence) }, cell);
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      currentGame.fail(problem);
    }
  }

  const pressed = (event) => event.key === "Escape" && clear();
  document.addEventListener("keydown", pressed, true);
  const ends = [
    currentGame.watch(["shown", "preview"], ({ shown, preview }, before) => {
      const isSame = shown?.position.position === before?.shown?.position.position;
      if (!isSame || preview !== before?.preview) clear();
    }),
    currentGame.watch(["refused", "pending"], ({ refused, pending }) => {
      // The rules decide in the position after the move that the server has not answered yet.
      if (!refused || refused === judged || pending) return;
      judged = refused;
      refuse(refused);
    }),
    () => document.removeEventListener("keydown", pressed, true),
    clear,
  ];
  return () => ends.forEach((end) => end());
}
