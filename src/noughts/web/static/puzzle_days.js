// The puzzle of the day, the solved puzzles, and the days in a row, kept in this browser.
//
//   today ──► GET /puzzles/days/DATE ──► the same puzzle for everybody

import * as client from "./client.js";
import { recall, remember } from "./memory.js";

const SOLVED = "puzzles-solved";
const DAYS = "puzzle-days";

const solvedPuzzles = () => recall(SOLVED) || [];

/** Whether a puzzle was solved in this browser. */
export const isSolved = (id) => solvedPuzzles().includes(id);

/** Return the date of this browser some days ago, as 2026-11-23. */
function dayText(ago = 0) {
  const date = new Date();
  date.setDate(date.getDate() - ago);
  const two = (number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Return the days in a row on which the puzzle of the day was solved, up to today. */
export function daysInRow() {
  const { day, days } = recall(DAYS) || {};
  return day === dayText() || day === dayText(1) ? days : 0;
}

/** Keep that a puzzle is solved; `ofDay` counts the day. */
export function keepSolved(id, ofDay) {
  if (!isSolved(id)) remember(SOLVED, [...solvedPuzzles(), id]);
  if (!ofDay || recall(DAYS)?.day === dayText()) return;
  remember(DAYS, { day: dayText(), days: daysInRow() + 1 });
}

export const puzzleOfDay = () => client.request("GET", `/puzzles/days/${dayText()}`);
