// Whether texts name cells in words, or by coordinates, which the board shows.

import { recall } from "./memory.js";

/** Whether texts name the cells of a 3×3 board, or of nine, in words: no coordinates are shown. */
export const isInWords = ({ kind, names }) =>
  !recall("names") && (kind === "nested" || (kind === "grid" && names[0] === "1"));

/** Return a move as a text names it: its notation or, where cells have no coordinates, words. */
export const moveName = (board, move, words = "That") => (isInWords(board) ? words : move);

/** Return the answer to a first tap on a small cell, or nothing without a chosen move. */
export const tapAgain = (board, move) =>
  move ? `Tap again to play ${moveName(board, move, "there")}.` : "";
