// The controls of a viewer of searches, for all its panes at once.
//
//   mount(element, data) ──► a viewer in that element ──► go(time), destroy()

import { Pane } from "./pane.js";
import { ReplayedSearch, lastUpTo } from "./search.js";
import { PLAY, Steps, stepButtons } from "./steps.js";
import { sizes } from "./tree.js";
import { icon, number } from "./words.js";

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
<nav class="controls steps" aria-label="Replay">
  <div class="buttons">
    ${stepButtons(PLAY)}
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

  const panes = data.searches.map((raw) => new Pane(new ReplayedSearch(raw, data), size, go));
  const length = Math.max(...panes.map((pane) => pane.search.length));
  const status = element.querySelector("[role=status]");
  const speed = () => Number(by("speed").value);
  const steps = new Steps(by("controls"), {
    go,
    speed,
    played() {
      dress();
      if (!steps.playing) say();
    },
    more: {
      c: () => jump(1),
      C: () => jump(-1),
      Escape: () => panes.forEach((pane) => pane.keep(-1)),
    },
  });

  /** Show what holds right after an event. */
  function go(to) {
    const time = Math.max(0, Math.min(length - 1, Math.floor(to)));
    for (const pane of panes) pane.show(time);
    for (const pane of panes) pane.settle();
    steps.draw(time, length - 1, `event ${number(time + 1)} of ${number(length)}`);
    const counts = panes.map((pane) => `${pane.search.name}: ${pane.total("nodes")} nodes`);
    by("both").textContent = counts.join(" · ");
    by("jump").disabled = nextJump(1) === undefined;
    if (!steps.playing) say();
  }

  /** Tell a screen reader, which is not told of every event while the replay runs. */
  function say() {
    const name = (pane) => (panes.length > 1 ? `${pane.search.name}: ` : "");
    status.textContent = panes.map((pane) => name(pane) + pane.sentence()).join(" ");
  }

  function nextJump(direction) {
    const found = panes.map(({ search }) => {
      const place = lastUpTo(search.jumps, steps.place - (direction > 0 ? 0 : 1));
      return search.jumps[direction > 0 ? place + 1 : place];
    });
    const known = found.filter((each) => each !== undefined);
    if (known.length) return direction > 0 ? Math.min(...known) : Math.max(...known);
  }

  function jump(direction) {
    const to = nextJump(direction);
    if (to !== undefined) steps.to(to);
  }

  const dress = () => {
    element.classList.toggle("playing", steps.playing);
    element.classList.toggle("fast", steps.playing && speed() > GLIDING);
  };

  by("panes").replaceChildren(...panes.map((pane) => pane.root));
  by("panes").classList.toggle("two", panes.length > 1);
  by("both").hidden = panes.length < 2;
  on(by("jump"), "click", () => jump(1));
  on(by("speed"), "change", dress);
  on(by("help"), "click", () => {
    by("keys").hidden = !by("keys").hidden;
    by("help").setAttribute("aria-expanded", !by("keys").hidden);
  });
  if (panes.every((pane) => pane.search.simulates)) {
    by("jump").querySelector("span").textContent = "Next simulation";
  }

  on(document, "keydown", (event) => {
    const outside = event.target === document.body && document.querySelector(".replay") === element;
    if (outside || element.contains(event.target)) steps.press(event);
  });

  go(0);
  // A reader first sees what the search is about: a cutoff, or a simulation.
  go(nextJump(1) ?? 0);
  return {
    go,
    destroy() {
      steps.pause();
      listening.abort();
      for (const pane of panes) pane.destroy();
      element.classList.remove("replay", "playing", "fast");
      element.removeAttribute("style");
      element.replaceChildren();
    },
  };
}
