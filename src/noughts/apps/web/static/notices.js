// What is said under the board: what went wrong, what is shown, who is waited for. All quietly.

import { forget } from "./branches.js";
import { element } from "./dom.js";
import { joinAddress, linkField } from "./share.js";

const button = (text, run) =>
  element("button", { type: "button", class: "small", onclick: run }, text);

function shownNote(table) {
  const { shown, exercise } = table.state;
  if (!shown || shown.kind === "now" || exercise) return null;
  const back = button("Back to the game", () => table.showNow());
  const { line } = table;
  if (shown.kind === "past") {
    const which = shown.moves.length
      ? `after move ${shown.moves.length} of ${line.length}`
      : "at the start";
    const hint = shown.position.outcome ? "" : " A move on the board tries another way.";
    return element("p", { class: "note" }, `You see the game ${which}.${hint} `, back);
  }
  const outcome = shown.position.outcome ? ` ${shown.position.outcome.sentence}` : "";
  const stands = line.length ? `stands at move ${line.length}` : "has not begun";
  return element(
    "p",
    { class: "note" },
    `You are trying moves; the game ${stands}.${outcome} `,
    button("Delete them", () => forget(table)),
    " ",
    back,
  );
}

/** Put the notices into an element; `invite` is a card for the link to an open seat. */
export function mountNotices(holder, invite, table) {
  const alert = element("p", { class: "note alert", role: "alert" });
  const rest = element("div", { class: "notes" });
  holder.append(alert, rest);
  let join = null;
  return table.watch(["error", "connected", "game", "shown", "exercise"], (state) => {
    const { error, connected, game } = state;
    const lost = connected ? "" : "The connection is lost. It comes back by itself.";
    const unsaved = game && !game.saved.done ? game.saved.notice : "";
    const sentence = error || lost || unsaved || game?.trouble || "";
    if (alert.textContent !== sentence) alert.textContent = sentence;

    // A link that somebody is about to copy stays the same element.
    const wanted = game?.keys?.join ? joinAddress(game) : null;
    invite.hidden = wanted === null;
    if (wanted !== join) {
      join = wanted;
      const more = "Whoever opens it first plays the other side.";
      const title = "Send this link to the other player";
      invite.replaceChildren(...(join ? [linkField(title, join, more)] : []));
    }
    const next =
      game?.next && game.yours.length
        ? element(
            "p",
            { class: "note" },
            "The next game of the series is open. ",
            element("a", { class: "button small", href: `/game/${game.next}` }, "Go there"),
          )
        : null;
    rest.replaceChildren(...[shownNote(table), next].filter(Boolean));
  });
}
