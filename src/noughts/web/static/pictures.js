// Small pictures of positions with a sentence each.
//
//   PictureView ──drawBoard(), drawArrow()──► picture          steps ──► ordered list

import { drawBoard } from "/static/replay/board.js";
import { element } from "./dom.js";
import { drawArrow } from "./guide.js";

/** Return the SVG of a position, with an arrow to the board on which the next move must be. */
export function drawPicture(picture, options) {
  const board = drawBoard(picture, options);
  const arrow = picture.forced === null ? null : drawArrow(picture);
  return arrow ? board.replace("</svg>", `${arrow}</svg>`) : board;
}

/** Return an element with the picture of a position. */
export function createPicture(picture) {
  const holder = element("div", { class: "rule-picture", "aria-hidden": "true" });
  holder.innerHTML = drawPicture(picture);
  return holder;
}

/** Return an ordered list of pictures with their sentences. */
export const createSteps = (steps) =>
  element(
    "ol",
    { class: "rule-steps" },
    steps.map(({ sentence, picture }) =>
      element("li", {}, createPicture(picture), element("p", {}, sentence)),
    ),
  );
