// The row of actions under the board or beside it, and the menu of those that are rarely wanted.

import { element } from "./dom.js";

export function mountActions(holder, table) {
  const undo = element("button", { type: "button", onclick: () => table.change("undo") }, "Undo");
  const hint = element("button", { type: "button", hidden: true }, "Hint");
  const analysis = element(
    "button",
    { type: "button", onclick: () => table.setAnalysis(!table.state.analysis) },
    "Analysis",
  );
  holder.append(undo, hint, analysis);
  const ends = [
    table.watch(["game"], ({ game }) => {
      undo.disabled = !game?.can.includes("undo");
    }),
    table.watch(["analysis"], ({ analysis: on }) => {
      analysis.setAttribute("aria-pressed", String(on));
    }),
    table.watch(["offers"], ({ offers }) => {
      const offered = offers.find(({ id }) => id === "hint");
      hint.hidden = !offered;
      hint.onclick = offered?.run;
    }),
  ];
  return () => ends.forEach((end) => end());
}
