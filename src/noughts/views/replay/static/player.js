// The controls, the keys and the clock, for all panes at once.

const panes = data.searches.map((raw, place) => new Pane(new Search(raw), place));
const by = (id) => document.getElementById(id);
const length = Math.max(...panes.map((pane) => pane.search.length));

const player = {
  time: 0,
  playing: false,

  /** Show what holds right after an event. */
  go(time) {
    this.time = Math.max(0, Math.min(length - 1, Math.floor(time)));
    for (const pane of panes) pane.show(this.time);
    for (const pane of panes) pane.settle();
    by("slider").value = this.time;
    const words = `event ${number(this.time + 1)} of ${number(length)}`;
    by("slider").setAttribute("aria-valuetext", words);
    by("place").textContent = words;
    const counts = panes.map((pane) => `${pane.search.name}: ${pane.total("nodes")} nodes`);
    by("both").textContent = counts.join(" · ");
    by("first").disabled = by("back").disabled = this.time === 0;
    by("step").disabled = by("last").disabled = this.time === length - 1;
    by("jump").disabled = this.nextJump(1) === undefined;
    if (!this.playing) this.say();
  },

  /** Tell a screen reader, which is not told of every event while the replay runs. */
  say() {
    const name = (pane) => (panes.length > 1 ? `${pane.search.name}: ` : "");
    by("said").textContent = panes.map((pane) => name(pane) + pane.sentence()).join(" ");
  },

  by(steps) {
    this.pause();
    this.go(this.time + steps);
  },

  nextJump(direction) {
    const found = panes.map(({ search }) => {
      const place = lastUpTo(search.jumps, direction > 0 ? this.time : this.time - 1);
      return search.jumps[direction > 0 ? place + 1 : place];
    });
    const known = found.filter((time) => time !== undefined);
    if (known.length) return direction > 0 ? Math.min(...known) : Math.max(...known);
  },

  jump(direction) {
    const time = this.nextJump(direction);
    if (time === undefined) return;
    this.pause();
    this.go(time);
  },

  pause() {
    if (this.playing) this.toggle();
  },

  toggle() {
    this.playing = !this.playing;
    document.body.classList.toggle("playing", this.playing);
    document.body.classList.toggle("fast", this.playing && Number(by("speed").value) > 5);
    by("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
    if (!this.playing) return this.say();
    if (this.time === length - 1) this.go(0);
    let due = 0;
    let before = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      due += ((now - before) / 1000) * Number(by("speed").value);
      before = now;
      if (due >= 1) {
        this.go(this.time + Math.floor(due));
        due %= 1;
      }
      if (this.time === length - 1) this.pause();
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  },
};

by("panes").replaceChildren(...panes.map((pane) => pane.root));
by("panes").classList.toggle("two", panes.length > 1);
by("both").hidden = panes.length < 2;
by("slider").max = length - 1;
by("slider").addEventListener("input", (event) => {
  player.pause();
  player.go(Number(event.target.value));
});
by("first").addEventListener("click", () => player.by(-length));
by("back").addEventListener("click", () => player.by(-1));
by("play").addEventListener("click", () => player.toggle());
by("step").addEventListener("click", () => player.by(1));
by("last").addEventListener("click", () => player.by(length));
by("jump").addEventListener("click", () => player.jump(1));
by("speed").addEventListener("change", () => {
  document.body.classList.toggle("fast", player.playing && Number(by("speed").value) > 5);
});
if (panes.every((pane) => pane.search.simulates)) {
  by("jump").querySelector("span").textContent = "Next simulation";
}

const KEYS = {
  ArrowLeft: () => player.by(-1),
  ArrowRight: () => player.by(1),
  ",": () => player.by(-1),
  ".": () => player.by(1),
  Home: () => player.by(-length),
  End: () => player.by(length),
  " ": () => player.toggle(),
  c: () => player.jump(1),
  C: () => player.jump(-1),
  Escape: () => panes.forEach((pane) => pane.keep(-1)),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in KEYS)) return;
  // What a control does with a key by itself, it shall do.
  const control = event.target.closest("button, select, input");
  if (control && event.key === " " && control.tagName === "BUTTON") return;
  if (control && control.tagName === "SELECT" && event.key !== "," && event.key !== ".") return;
  event.preventDefault();
  KEYS[event.key]();
});

by("help").addEventListener("click", () => {
  by("keys").hidden = !by("keys").hidden;
  by("help").setAttribute("aria-expanded", !by("keys").hidden);
});

const dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : dark.matches;
};
const nameTheme = () => {
  by("theme").textContent = isDark() ? "Light" : "Dark";
};
by("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  nameTheme();
});
dark.addEventListener("change", nameTheme);
nameTheme();
player.go(0);
