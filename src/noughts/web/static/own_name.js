// The name of the person, for the others to see: kept in the browser, sent with each game.

import { recall, remember } from "./memory.js";

const NAME = "name";
export const LONGEST = 24;

export const ownName = () => String(recall(NAME) ?? "").slice(0, LONGEST);
export const keepName = (text) => remember(NAME, text.trim());
