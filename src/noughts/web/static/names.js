// The field and the dialog for the name of the person.

import { openDialog } from "./dialog.js";
import { button, element, textInput } from "./dom.js";
import { LONGEST, keepName, ownName } from "./own_name.js";

/** Return a field for the name, which keeps it at every change. */
export const nameInput = () =>
  textInput({
    maxlength: LONGEST,
    value: ownName(),
    placeholder: "Guest",
    onchange: (event) => keepName(event.target.value),
  });

/** Ask for the name, and set it in the game. */
export function askName(currentGame) {
  const input = nameInput();
  const save = () => {
    dialog.close();
    if (currentGame.state.game) currentGame.setName(ownName());
  };
  const form = element(
    "form",
    {
      class: "naming",
      onsubmit: (event) => {
        event.preventDefault();
        keepName(input.value);
        save();
      },
    },
    element("label", {}, element("span", { class: "title" }, "The others see it"), input),
    button("Save", null, { type: "submit", class: "primary" }),
  );
  const dialog = openDialog("Your name", form);
  input.select();
}
