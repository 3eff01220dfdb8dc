// The film of the nine-board games: a game in pictures, with a sentence for each scene.
//
//   scenes ──► dialog ──► pictures one after the other, or all as still ones with reduced motion

import { openDialog } from "./dialog.js";
import { button, element } from "./dom.js";
import { createSteps, drawPicture } from "./pictures.js";

/** The part of a scene in which its pictures follow each other; then the last one stays. */
const MOVING = 0.6;

const isStill = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Open the film of a lesson; returns its dialog. */
export function openFilm({ title, scenes }) {
  const close = button("", () => dialog.close(), { class: "primary" });
  const again = button("Again", () => film.start(), { hidden: true });
  const over = (isOver) => {
    close.textContent = isOver ? "Play" : "Skip";
    again.hidden = !isOver;
  };
  const film = isStill() ? createStills(scenes) : createPlayer(scenes, over);
  const answers = element("div", { class: "answers" }, again, close);
  const dialog = openDialog(`How to play ${title}`, film.element, answers);
  dialog.classList.add("film");
  dialog.addEventListener("close", film.end);
  close.textContent = "Play";
  film.start();
  close.focus();
  return dialog;
}

/** Return the last picture of each scene. */
function createStills(scenes) {
  const steps = scenes.map(({ sentence, pictures }) => ({ sentence, picture: pictures.at(-1) }));
  return { element: createSteps(steps), start() {}, end() {} };
}

/** Return a player of scenes {element, start, end}; `over(boolean)` is called at start and end. */
function createPlayer(scenes, over) {
  const screen = element("div", { class: "film-screen", "aria-hidden": "true" });
  const caption = element("p", { class: "film-caption", "aria-live": "polite" });
  const dots = scenes.map(() => element("li"));
  const bar = element("ol", { class: "film-dots", "aria-hidden": "true" }, dots);
  let timer = 0;

  function show(scene, at) {
    const { sentence, seconds, pictures } = scenes[scene];
    screen.innerHTML = drawPicture(pictures[at], { large: true });
    if (caption.textContent !== sentence) caption.textContent = sentence;
    dots.forEach((dot, number) => dot.classList.toggle("seen", number <= scene));
    const isLast = at + 1 === pictures.length;
    const still = pictures.length > 1 ? 1 - MOVING : 1;
    const share = isLast ? still : MOVING / (pictures.length - 1);
    const next = isLast ? [scene + 1, 0] : [scene, at + 1];
    const isEnd = next[0] === scenes.length;
    timer = setTimeout(() => (isEnd ? over(true) : show(...next)), 1000 * seconds * share);
  }

  return {
    element: element("div", { class: "film-player" }, screen, caption, bar),
    start() {
      clearTimeout(timer);
      over(false);
      show(0, 0);
    },
    end: () => clearTimeout(timer),
  };
}
