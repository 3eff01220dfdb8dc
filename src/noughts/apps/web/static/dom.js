// Elements, and what the page says aloud.
//
// element("button", {class: "quiet", onclick: play}, "Play") ──► <button class="quiet">Play

/**
 * Make an element. Attributes that start with `on` are listeners, `true` and `false` say whether
 * an attribute is there, and children are elements, texts, or nothing (null, undefined, false).
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (typeof value === "boolean") made.toggleAttribute(key, value);
    else if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((each) => each || each === 0 || each === ""));
  return made;
}

/** Turn markup of our own, such as a drawn board, into an element. */
export function drawn(markup) {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return template.content.firstElementChild;
}

/** Say a sentence to those who hear the page, after what is being said. */
export function say(sentence) {
  const status = document.getElementById("said");
  status.textContent = "";
  // An empty moment in between lets the same sentence be said twice.
  setTimeout(() => {
    status.textContent = sentence;
  }, 30);
}

/** Let the reader keep a file, {blob, name}, where their browser keeps what is downloaded. */
export function keepFile({ blob, name }) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  // The browser may still be reading from the address for a while.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
