// The card of the rules: three pictures with a sentence each, and the film of the nine-board games.
//
//   rules id ──► GET /lesson ──► steps ──► card, which folds         scenes ──► film.js
//
// The card is open until the first move, and then as the person left it.

import * as client from "./client.js";
import { element, smallButton } from "./dom.js";
import { recall, remember } from "./memory.js";
import { createSteps } from "./pictures.js";

const OPEN = "rules";
const SEEN = "film";
/** Milliseconds until the sentences of the rules before go. */
const PATIENCE = 300;
const NOT_LOADED = "The film failed to load. Reload the page.";

export function mountRules(card, currentGame) {
  const summary = element("summary", {}, element("h2", {}, "Rules"));
  const content = element("div", { class: "rule-content" });
  const fold = element("details", { class: "fold" }, summary, content);
  card.append(fold);
  let shown = null;
  let film = null;
  let isChosen = false;

  /** Draw the lesson on the rules of the game, once for each rules id. */
  async function draw({ shown: { position } }) {
    if (position.rules === shown) return;
    shown = position.rules;
    const late = setTimeout(() => content.replaceChildren(), PATIENCE);
    const lesson = await client.lesson(position.rules).finally(() => clearTimeout(late));
    if (shown !== position.rules || !card.isConnected) return;
    const { scenes } = lesson;
    const notes = lesson.notes.map(({ title: option, text }) => [
      element("dt", {}, option),
      element("dd", {}, text),
    ]);
    /** Open the film, which counts as seen from then on. */
    const open = async () => {
      const { openFilm } = await import("./film.js");
      if (shown !== position.rules || !card.isConnected) return;
      remember(SEEN, true);
      film = openFilm(lesson);
    };
    const watch = () => open().catch(() => currentGame.set({ error: NOT_LOADED }));
    content.replaceChildren(
      lesson.steps.length ? createSteps(lesson.steps) : element("p", {}, lesson.rule),
      ...(notes.length ? [element("dl", { class: "rule-notes" }, notes.flat())] : []),
      ...(scenes.length ? [smallButton("Watch it", watch)] : []),
    );
    if (scenes.length && isNewcomer() && recall(SEEN) !== true) watch();
  }

  /** Return whether the person is about to play a first move. */
  function isNewcomer() {
    const { game, before } = currentGame.state;
    return game ? game.can.includes("move") && game.moves.length < 2 : before.length === 0;
  }

  summary.addEventListener("click", () => {
    isChosen = true;
    remember(OPEN, !fold.open);
  });
  const hear = (state) => {
    if (!state.shown) return;
    if (!isChosen) fold.open = currentGame.line.length === 0 || recall(OPEN) === true;
    draw(state).catch((problem) => {
      if (problem.status === undefined) throw problem;
      shown = null;
      currentGame.fail(problem);
    });
  };
  const unwatch = currentGame.watch(["shown", "game"], hear);
  return () => {
    unwatch();
    film?.close();
  };
}
