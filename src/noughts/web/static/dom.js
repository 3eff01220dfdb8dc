// DOM elements, announcements to screen readers, downloads.
//
// element("button", {class: "quiet", onclick: play}, "Play") ──► <button class="quiet">Play

import { link } from "./address.js";

/**
 * Return an element. Attributes that start with `on` are listeners; a boolean sets or omits an
 * attribute; the `href` of a link may be an address of the page; children are elements or texts,
 * and null, undefined and false are skipped.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (typeof value === "boolean") made.toggleAttribute(key, value);
    else if (key === "href" && name === "a" && value.startsWith("/")) made.href = link(value);
    else if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((each) => each || each === 0 || each === ""));
  return made;
}

/** Return a button; `run` is called at a click. */
export const button = (text, run, attributes = {}) =>
  element("button", { type: "button", onclick: run, ...attributes }, text);

export const smallButton = (text, run, attributes = {}) =>
  button(text, run, { class: "small", ...attributes });

/** Return a text field that the browser neither completes nor corrects. */
export const textInput = (attributes) =>
  element("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });

/** Return a select element of [value, text] pairs; `change(value)` is called at a choice. */
export function select(options, value, change, attributes = {}) {
  const option = ([each, text]) => element("option", { value: each, selected: each === value }, text);
  const made = element("select", attributes, options.map(option));
  made.addEventListener("change", () => change?.(made.value));
  return made;
}

/** Return an element from trusted markup, such as a drawn board. */
export function drawn(markup) {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return template.content.firstElementChild;
}

const kindOf = ({ nodeName, dataset, className }) => [nodeName, dataset?.part, className].join();

/**
 * Make an element like a new one. Parts that both have, in the same order, stay in the page with
 * their listeners, the focus, and a value that is being typed. Parts are the same by tag, class and
 * `data-part`.
 */
export function patch(old, fresh) {
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  const isTyped =
    old.matches("input:focus") && old.getAttribute("value") === fresh.getAttribute("value");
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const parts = [...old.childNodes];
  for (const part of [...fresh.childNodes]) {
    const at = parts.findIndex((each) => kindOf(each) === kindOf(part));
    if (at < 0) old.insertBefore(part, parts[0] ?? null);
    else {
      for (const gone of parts.splice(0, at)) gone.remove();
      patch(parts.shift(), part);
    }
  }
  for (const gone of parts) gone.remove();
  // After an input the attributes have no effect on these.
  if (!isTyped && old.matches("input, select") && old.value !== fresh.value) {
    old.value = fresh.value;
  }
  if (old.matches("input")) old.checked = fresh.checked;
}

/** Announce a sentence to screen readers, after the current announcement. */
export function say(sentence) {
  const status = document.getElementById("said");
  status.textContent = "";
  // Without an empty text in between, a repeated sentence is not announced.
  setTimeout(() => {
    status.textContent = sentence;
  }, 30);
}

/** Download a file {blob, name}. */
export function downloadFile({ blob, name }) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  // The browser may read the address for some time after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
