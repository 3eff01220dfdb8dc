// Numbers and texts as they stand on the page.

export const number = (value) => value.toLocaleString("en");

export const count = (value, noun) => `${number(value)} ${noun}${value === 1 ? "" : "s"}`;

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Return a text as HTML that shows it. */
export const escaped = (value) => value.replace(/[&<>"]/g, (letter) => ENTITIES[letter]);
