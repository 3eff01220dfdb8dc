// The data files that lie beside the page.

import { refusal } from "/static/site/problem.js";

/** Return the data of a JSON file. */
export async function read(file) {
  const answer = await fetch(new URL(file, document.baseURI)).catch(() => null);
  if (!answer?.ok) throw refusal("silent", 0, "A part of the page failed to load. Reload it.");
  return answer.json();
}
