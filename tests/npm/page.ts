// A page with the npm package: a board, whose moves it shows in its title.
import "noughts/board";
import type { NoughtsBoardAttributes } from "noughts/board";

const attributes: NoughtsBoardAttributes = { rules: "basic", play: "engine:nodes=2000" };
const board = document.createElement("noughts-board");
for (const [name, value] of Object.entries(attributes)) board.setAttribute(name, value);
document.addEventListener("noughts-move", ({ detail }) => {
  document.title = detail.moves;
});
document.body.append(board);
