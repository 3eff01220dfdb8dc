// The buttons of a finished game: review, rematch, new game.

import { link } from "./address.js";
import { button, element } from "./dom.js";

/** Put the buttons into an element. */
export function mountEndings(holder, currentGame) {
  let what = null;
  const review = button("Review", null, { class: "review-game" });
  const rematch = button("Rematch", () => currentGame.change(what), { class: "rematch" });
  const fresh = element("a", { class: "button quiet" }, "New game");
  holder.append(review, rematch, fresh);
  return currentGame.watch(["game", "offers", "analysisRefused"], ({ game, offers, analysisRefused }) => {
    holder.hidden = !game?.sentence;
    if (holder.hidden) return;
    what = ["rematch", "accept"].find((each) => game.can.includes(each)) ?? null;
    rematch.hidden = game.yours.length === 0 || (!what && !game.offer);
    rematch.disabled = !what;
    const offered = offers.find(({ id }) => id === "review");
    review.hidden = !offered;
    review.disabled = analysisRefused !== null;
    review.title = analysisRefused || "";
    review.onclick = offered?.run;
    fresh.href = link(`/?game=${game.rules}`);
  });
}
