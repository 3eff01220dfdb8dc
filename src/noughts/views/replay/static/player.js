// The controls, the keys and the clock of a viewer, for all its panes at once.
//
//   mount(element, data) ──► a viewer in that element ──► go(time), destroy()

import { Pane } from "./pane.js";
import { ReplayedSearch, lastUpTo } from "./search.js";
import { sizes } from "./tree.js";
import { icon, iconButton, number } from "./words.js";

/** Most events a second at which nodes move smoothly. */
const GLIDING = 5;

const key = (names, does) => {
  const caps = names.map((name) => `<kbd>${name}</kbd>`).join(" ");
  return `<div><dt>${caps}</dt><dd>${does}</dd></div>`;
};

const SPEEDS = [1, 3, 10, 50, 250, 2000];
const SPEED = 10;
const speeds = SPEEDS.map((each) => {
  const selected = each === SPEED ? " selected" : "";
  return `<option value="${each}"${selected}>${number(each)}/s</option>`;
});

const HTML = `
<nav class="controls" aria-label="Replay">
  <div class="buttons">
    ${iconButton("first", "To the start", "To the start (Home)", "M6 5v14M19 5l-9 7 9 7z")}
    ${iconButton("back", "Step back", "Step back (←)", "M15 5l-8 7 8 7")}
    ${iconButton("play", "Play", "Play and pause (Space)", "M8 5l11 7-11 7z", "M8 5v14M16 5v14")}
    ${iconButton("step", "Step forward", "Step forward (→)", "M9 5l8 7-8 7")}
    ${iconButton("last", "To the end", "To the end (End)", "M18 5v14M5 5l9 7-9 7z")}
    <button class="jump word" type="button" title="To the next one (c)">
      ${icon("M12 3v6M6 12h12M12 15.5v.1M12 20v.1")}
      <span>Next cutoff</span></button>
    <label class="word">Speed
      <select class="speed" aria-label="Speed, in events a second">${speeds.join("")}</select>
    </label>
  </div>
  <p class="both" hidden></p>
  <div class="time">
    <input class="slider" type="range" min="0" value="0" step="1" aria-label="Event">
    <span class="place"></span>
  </div>
  <button class="help word" type="button" aria-expanded="false">Keys</button>
</nav>
<section class="keys" aria-label="Keys" hidden><dl>
  ${key(["←", "→"], "one event back, one on; in the tree to the left, to the right")}
  ${key([",", "."], "one event back, one on, wherever you are")}
  ${key(["Space"], "play and pause")}
  ${key(["Home", "End"], "the first event, the last")}
  ${key(["c", "C"], "the next cutoff, or simulation; the one before")}
  ${key(["↓", "↑"], "in the tree: open a node and go down; fold it and go up")}
  ${key(["Enter"], "in the tree: keep to a node, to look at its board and its events")}
  ${key(["Esc"], "follow the search again")}
</dl></section>
<div class="panes"></div>
<p class="visually-hidden" role="status" aria-live="polite"></p>`;

/**
 * Show searches in an element, and return how to go to an event and how to take them away again.
 *
 * `data` is what views/replay says of one search, or of two of the same position. Of several
 * viewers on a page, the first one hears the keys that are pressed outside of all.
 */
export function mount(element, data) {
  const listening = new AbortController();
  const { signal } = listening;
  const on = (target, name, heard) => target.addEventListener(name, heard, { signal });
  const by = (name) => element.querySelector(`.${name}`);
  const size = sizes(data);
  element.classList.add("replay");
  for (const [name, value] of Object.entries({
    "--board-width": size.width,
    "--board-height": size.height,
    "--letters": size.letters ?? 12,
    "--large-letters": size.largeLetters ?? 12,
  })) {
    element.style.setProperty(name, `${value}px`);
  }
  element.innerHTML = HTML;

  let time = 0;
  let playing = false;
  const panes = data.searches.map((raw) => new Pane(new ReplayedSearch(raw, data), size, go));
  const length = Math.max(...panes.map((pane) => pane.search.length));
  const [slider, status] = [by("slider"), element.querySelector("[role=status]")];

  /** Show what holds right after an event. */
  function go(to) {
    time = Math.max(0, Math.min(length - 1, Math.floor(to)));
    for (const pane of panes) pane.show(time);
    for (const pane of panes) pane.settle();
    slider.value = time;
    const words = `event ${number(time + 1)} of ${number(length)}`;
    slider.setAttribute("aria-valuetext", words);
    by("place").textContent = words;
    const counts = panes.map((pane) => `${pane.search.name}: ${pane.total("nodes")} nodes`);
    by("both").textContent = counts.join(" · ");
    by("first").disabled = by("back").disabled = time === 0;
    by("step").disabled = by("last").disabled = time === length - 1;
    by("jump").disabled = nextJump(1) === undefined;
    if (!playing) say();
  }

  /** Tell a screen reader, which is not told of every event while the replay runs. */
  function say() {
    const name = (pane) => (panes.length > 1 ? `${pane.search.name}: ` : "");
    status.textContent = panes.map((pane) => name(pane) + pane.sentence()).join(" ");
  }

  function move(steps) {
    pause();
    go(time + steps);
  }

  function nextJump(direction) {
    const found = panes.map(({ search }) => {
      const place = lastUpTo(search.jumps, direction > 0 ? time : time - 1);
      return search.jumps[direction > 0 ? place + 1 : place];
    });
    const known = found.filter((each) => each !== undefined);
    if (known.length) return direction > 0 ? Math.min(...known) : Math.max(...known);
  }

  function jump(direction) {
    const to = nextJump(direction);
    if (to === undefined) return;
    pause();
    go(to);
  }

  const speed = () => Number(by("speed").value);
  const dress = () => {
    element.classList.toggle("playing", playing);
    element.classList.toggle("fast", playing && speed() > GLIDING);
  };

  function pause() {
    if (playing) toggle();
  }

  function toggle() {
    playing = !playing;
    dress();
    by("play").setAttribute("aria-label", playing ? "Pause" : "Play");
    if (!playing) return say();
    if (time === length - 1) go(0);
    let due = 0;
    let before = performance.now();
    const tick = (now) => {
      if (!playing) return;
      due += ((now - before) / 1000) * speed();
      before = now;
      if (due >= 1) {
        go(time + Math.floor(due));
        due %= 1;
      }
      if (time === length - 1) pause();
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  by("panes").replaceChildren(...panes.map((pane) => pane.root));
  by("panes").classList.toggle("two", panes.length > 1);
  by("both").hidden = panes.length < 2;
  slider.max = length - 1;
  on(slider, "input", () => {
    pause();
    go(Number(slider.value));
  });
  on(by("first"), "click", () => move(-length));
  on(by("back"), "click", () => move(-1));
  on(by("play"), "click", toggle);
  on(by("step"), "click", () => move(1));
  on(by("last"), "click", () => move(length));
  on(by("jump"), "click", () => jump(1));
  on(by("speed"), "change", dress);
  on(by("help"), "click", () => {
    by("keys").hidden = !by("keys").hidden;
    by("help").setAttribute("aria-expanded", !by("keys").hidden);
  });
  if (panes.every((pane) => pane.search.simulates)) {
    by("jump").querySelector("span").textContent = "Next simulation";
  }

  const KEYS = {
    ArrowLeft: () => move(-1),
    ArrowRight: () => move(1),
    ",": () => move(-1),
    ".": () => move(1),
    Home: () => move(-length),
    End: () => move(length),
    " ": toggle,
    c: () => jump(1),
    C: () => jump(-1),
    Escape: () => panes.forEach((pane) => pane.keep(-1)),
  };

  on(document, "keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in KEYS)) return;
    const outside = event.target === document.body && document.querySelector(".replay") === element;
    if (!outside && !element.contains(event.target)) return;
    // What a control does with a key by itself, it shall do.
    const used = event.target.closest("button, select, input");
    if (used && event.key === " " && used.tagName === "BUTTON") return;
    if (used && used.tagName === "SELECT" && event.key !== "," && event.key !== ".") return;
    event.preventDefault();
    KEYS[event.key]();
  });

  go(0);
  return {
    go,
    destroy() {
      playing = false;
      listening.abort();
      for (const pane of panes) pane.destroy();
      element.classList.remove("replay", "playing", "fast");
      element.removeAttribute("style");
      element.replaceChildren();
    },
  };
}
