// Notices under the board: errors, the shown position, an open invitation, a rematch.

import * as client from "./client.js";
import { deleteShown } from "./variations.js";
import { element, smallButton } from "./dom.js";

const note = (...content) => element("p", { class: "note" }, ...content);

function shownNote(currentGame) {
  const { shown, exercise } = currentGame.state;
  if (!shown || shown.kind === "now" || exercise) return null;
  const back = smallButton("Back to the game", () => currentGame.showNow());
  const { line } = currentGame;
  if (shown.kind === "past") {
    const which = shown.moves.length
      ? `move ${shown.moves.length} of ${line.length}`
      : "the start";
    const hint = shown.position.outcome ? "" : " Play to explore a variation.";
    return note(`Viewing ${which}.${hint} `, back);
  }
  const outcome = shown.position.outcome ? ` ${shown.position.outcome.sentence}` : "";
  const place = line.length ? `is at move ${line.length}` : "has not started";
  const remove = smallButton("Delete variation", () => deleteShown(currentGame));
  return note(`Exploring. The game ${place}.${outcome} `, remove, " ", back);
}

/** Put the notices into an element; `invite` is a card for the link to an open seat. */
export function mountNotices(holder, invite, currentGame) {
  const alert = element("p", { class: "note alert", role: "alert" });
  const rest = element("div", { class: "notes" });
  holder.append(alert, rest);
  let join = null;

  async function showInvite(game) {
    const share = await import("./share.js").catch(() => null);
    if (!share) {
      currentGame.failToLoad();
      return;
    }
    try {
      const fields = await share.inviteField(game, "Invite your opponent");
      if (join === game.keys.join) invite.replaceChildren(...fields.filter(Boolean));
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      currentGame.fail(problem);
      client.whenAnswered(problem, () => showInvite(game));
    }
  }

  return currentGame.watch(["error", "connected", "game", "shown", "exercise"], (state) => {
    const { error, connected, game } = state;
    const lost = connected ? "" : "Connection lost. Reconnecting…";
    const unsaved = game && !game.saved.done ? game.saved.notice : "";
    const sentence = error || lost || unsaved || game?.trouble || "";
    if (alert.textContent !== sentence) alert.textContent = sentence;

    // Redrawing would drop the person's selection in the link.
    const wanted = game?.keys?.join || null;
    invite.hidden = wanted === null;
    if (wanted !== join) {
      join = wanted;
      invite.replaceChildren();
      if (join) showInvite(game);
    }
    const link = element("a", { class: "button small", href: `/game/${game?.next}` }, "Join");
    const next = game?.next && game.yours.length && note("Rematch ready. ", link);
    rest.replaceChildren(...[shownNote(currentGame), next].filter(Boolean));
  });
}
