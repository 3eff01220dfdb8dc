// Dialogs, with the browser's <dialog>, which traps the focus and closes with Escape.

import { button, element } from "./dom.js";

/** Open a dialog with a title and return its element; `close()` closes and removes it. */
export function openDialog(title, ...content) {
  const attributes = { class: "quiet close", "aria-label": "Close" };
  const close = button("×", () => dialog.close(), attributes);
  const heading = element("h2", { id: "dialog-title" }, title);
  const dialog = element(
    "dialog",
    { "aria-labelledby": "dialog-title" },
    element(
      "div",
      { class: "inside" },
      element("div", { class: "head" }, heading, close),
      ...content,
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Ask a question; resolves to whether the answer was yes. */
export function ask(question, sentence, yes, no) {
  return new Promise((answered) => {
    const answer = (text, value, name) => button(text, () => dialog.close(value), { class: name });
    const dialog = openDialog(
      question,
      sentence ? element("p", {}, sentence) : null,
      element("div", { class: "answers" }, answer(no, "", ""), answer(yes, "yes", "primary")),
    );
    dialog.addEventListener("close", () => answered(dialog.returnValue === "yes"));
  });
}
