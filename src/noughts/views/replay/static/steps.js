// Step through a game or a search: the same buttons, words and keys in every viewer.
//
//   buttons, slider, keys, clock ──► go(place) ──► the viewer ──► draw(place, last, words)

import { keyOf } from "./key.js";
import { iconButton } from "./words.js";

/** The buttons and the keys that do the same. */
const BUTTONS = { first: "Home", back: "ArrowLeft", play: " ", forward: "ArrowRight", last: "End" };

export const PLAY = iconButton("play", "Play", "Play and pause (Space)", "M8 5l11 7-11 7z", "M8 5v14M16 5v14");

/** Return the buttons as HTML, with something in their middle. */
export const stepButtons = (middle) =>
  iconButton("first", "To the start", "To the start (Home)", "M18 5l-9 7 9 7M6 5v14") +
  iconButton("back", "Step back", "Step back (←)", "M15 5l-8 7 8 7") +
  middle +
  iconButton("forward", "Step forward", "Step forward (→)", "M9 5l8 7-8 7") +
  iconButton("last", "To the end", "To the end (End)", "M6 5l9 7-9 7M18 5v14");

export class Steps {
  /**
   * Listen to the buttons in an element, and to its slider if there is one.
   *
   * `go(place)` is called with the place that a reader wants to see, from 0 to the last one. With
   * `speed()`, in places a second, the viewer plays, and `played()` is called at start and end. `more`
   * are other keys with their functions.
   */
  constructor(element, { go, speed = null, played = () => {}, more = {} }) {
    Object.assign(this, { go, speed, played, place: 0, last: 0, playing: false });
    this.by = (name) => element.querySelector(`.${name}`);
    const [back, forward] = [() => this.to(this.place - 1), () => this.to(this.place + 1)];
    this.keys = {
      ArrowLeft: back,
      ",": back,
      ArrowRight: forward,
      ".": forward,
      Home: () => this.to(0),
      End: () => this.to(this.last),
      ...(speed && { " ": () => this.toggle() }),
      ...more,
    };
    for (const [name, key] of Object.entries(BUTTONS)) {
      this.by(name)?.addEventListener("click", this.keys[key]);
    }
    const slider = this.by("slider");
    slider?.addEventListener("input", () => this.to(Number(slider.value)));
  }

  /** Show where the viewer is: a place, the last one, and the place in words. */
  draw(place, last, words) {
    Object.assign(this, { place, last });
    this.by("place").textContent = words;
    // A disabled button would lose the focus, and with it the keys.
    for (const [name, end] of Object.entries({ first: 0, back: 0, forward: last, last })) {
      this.by(name).setAttribute("aria-disabled", place === end);
    }
    const slider = this.by("slider");
    if (!slider) return;
    slider.max = last;
    slider.value = place;
    slider.setAttribute("aria-valuetext", words);
  }

  /** Stop playing, and go to a place or to the end that is nearer to it. */
  to(place) {
    this.pause();
    const wanted = Math.max(0, Math.min(this.last, place));
    if (wanted !== this.place) this.go(wanted);
  }

  pause() {
    if (this.playing) this.toggle();
  }

  toggle() {
    this.playing = !this.playing;
    this.by("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.played();
    if (!this.playing) return;
    if (this.place === this.last) this.go(0);
    let due = 0;
    let before = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      due += ((now - before) / 1000) * this.speed();
      before = now;
      if (due >= 1) {
        this.go(Math.min(this.last, this.place + Math.floor(due)));
        due %= 1;
      }
      if (this.place === this.last) this.pause();
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  /** Act on a pressed key. */
  press(event) {
    const { target } = event;
    const key = keyOf(event);
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!Object.hasOwn(this.keys, key)) return;
    // What a control does with a key by itself, it shall do.
    if (key === " " && target.closest("button")) return;
    if (target.closest("select") && key !== "," && key !== ".") return;
    event.preventDefault();
    this.keys[key]();
  }
}
