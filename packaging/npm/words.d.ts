import type { Facts } from "./core.js";

/** A sentence as a code with arguments, which the tables of phrases fill in. */
export interface Phrase {
  readonly code: string;
  readonly [argument: string]: unknown;
}

/** Return a phrase in words; the player who is the viewer is "you". */
export function said(phrase: Phrase, viewer?: "X" | "O" | null): string;
/** Return a phrase as a sentence. */
export function sentenceOf(phrase: Phrase): string;
/** Return a phrase as a sentence without numbers of boards and cells. */
export function onPage(phrase: Phrase): string;
/** Return the name of a board of nine, from 1 to 9. */
export function boardName(board: number): string;
/** Return the names of any of some boards, from 1 to 9: `the top-left board or the centre board`. */
export function boardNames(boards: readonly number[]): string;
/** Return the side to move and its board, or the result. */
export function stateOf(facts: Facts): string;
/** Return a description of the board, for screen readers. */
export function descriptionOf(facts: Facts): string;
