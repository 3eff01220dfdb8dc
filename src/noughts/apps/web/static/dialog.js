// Dialogs: the browser's own, which keep the focus and close with Escape.

import { element } from "./dom.js";

/** Open a dialog with a title; returns its element, which `close()` closes and takes away. */
export function openDialog(title, ...content) {
  const close = element(
    "button",
    { type: "button", class: "quiet close", "aria-label": "Close", onclick: () => dialog.close() },
    "×",
  );
  const heading = element("h1", { id: "dialog-title" }, title);
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

/** Ask a question; returns whether the answer was yes. */
export function ask(question, sentence, yes, no) {
  return new Promise((answered) => {
    const button = (text, value, name) =>
      element("button", { type: "button", class: name, onclick: () => dialog.close(value) }, text);
    const dialog = openDialog(
      question,
      sentence ? element("p", {}, sentence) : null,
      element("div", { class: "answers" }, button(no, "", ""), button(yes, "yes", "primary")),
    );
    dialog.addEventListener("close", () => answered(dialog.returnValue === "yes"));
  });
}
