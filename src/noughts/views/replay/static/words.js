// Numbers and texts as they stand on the page.

export const number = (value) => value.toLocaleString("en");

export const count = (value, noun) => `${number(value)} ${noun}${value === 1 ? "" : "s"}`;

/** Return an icon of paths as HTML. */
export function icon(...drawn) {
  const paths = drawn.map((d) => `<path d="${d}"/>`).join("");
  return `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>`;
}

/** Return a button with an icon as HTML. */
export function iconButton(name, label, title, ...drawn) {
  const says = `aria-label="${label}" title="${title}"`;
  return `<button class="${name}" type="button" ${says}>${icon(...drawn)}</button>`;
}

/** Scroll a list, and nothing else, to one of its entries, with `above` of its height before it. */
export function reveal(list, entry, above) {
  const top = entry.offsetTop - (entry.offsetParent === list ? 0 : list.offsetTop);
  if (top < list.scrollTop || top + entry.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight * above;
  }
}

/** Mark an entry of a list as the current one. */
export function markCurrent(list, entry) {
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  entry?.setAttribute("aria-current", "step");
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Return a text as HTML that shows it. */
export const escaped = (value) => value.replace(/[&<>"]/g, (letter) => ENTITIES[letter]);
