// Cards that lead elsewhere: a picture, a title and a sentence.

import { element } from "./dom.js";

/** Return a holder for the picture of a card. */
export function cardPicture(markup = "") {
  const holder = element("span", { class: "card-picture", "aria-hidden": "true" });
  holder.innerHTML = markup;
  return holder;
}

/** Return the item of a list that leads to an address of the page. */
export const linkCard = (title, sentence, href, picture = null) =>
  element(
    "li",
    {},
    element(
      "a",
      { class: "card page-card", href },
      picture,
      element("div", {}, element("h2", {}, title), element("p", {}, sentence)),
    ),
  );

/** Return the address of a game that is ready to play. */
export const playAddress = ({ rules, opponent }) => `/?${new URLSearchParams({ game: rules, opponent })}`;
