// The graph of a game: the value of each position for X, from the start to the end.
//
//   line ──► question ──► points, in any order ──► analyst ──► the value of each position
//   a click, an arrow key ──► currentGame.show(moves up to there)
//
// Good for X is above the line of even chances. A proven value has a dot, at an edge for a win; an
// estimate stays inside.

import { isInWords } from "./coordinates.js";
import { drawn, element } from "./dom.js";
import { headline, isProven } from "./values.js";

const HEIGHT = 84;
const LEFT = 18;
const RIGHT = 6;
const EDGE = 6;
const INSIDE = 0.84;

/** Return the colour of a value: that of the side ahead. */
const toneOf = ({ chance }) => (chance > 50 ? "x" : chance < 50 ? "o" : "even");

export function mountGraph(holder, currentGame, analyst) {
  const caption = element("p", { class: "caption", "aria-hidden": "true" });
  const picture = element("div", {
    class: "graph",
    role: "slider",
    tabindex: "0",
    "aria-label": "Graph of the game",
    "aria-valuemin": "0",
  });
  holder.append(picture, caption);
  let line = [];
  // For each ply: the moves up to there, as the analyst's key; the value, once it is known.
  let keys = [];
  let points = [];
  let asked = null;
  let stop = () => {};
  let pointed = null;
  let width = 1;
  let frame = 0;

  const x = (ply) => LEFT + (ply / Math.max(line.length, 1)) * (width - LEFT - RIGHT);
  const y = (point) => {
    const up = (isProven(point) ? 1 : INSIDE) * (point.chance / 50 - 1);
    return HEIGHT / 2 - up * (HEIGHT / 2 - EDGE);
  };
  const at = (ply) => `${x(ply).toFixed(1)} ${y(points[ply]).toFixed(1)}`;
  const plyShown = () => {
    const { moves } = currentGame.state.shown;
    const apart = moves.findIndex((move, ply) => move !== line[ply]);
    return apart < 0 ? moves.length : apart;
  };
  const where = (ply) => {
    if (ply === 0) return "At the start";
    const { board } = currentGame.state.shown.position;
    return `After move ${ply}${isInWords(board) ? "" : ` (${line[ply - 1]})`}`;
  };
  const said = (ply) => {
    const point = points[ply];
    return `${where(ply)}: ${point ? headline(point) : "…"}`;
  };

  function draw() {
    frame = 0;
    if (!currentGame.state.shown) return;
    points = keys.map(analyst.valueOf);
    const ply = plyShown();
    const parts = [`<path class="zero" d="M${LEFT} ${HEIGHT / 2}H${width - RIGHT}"/>`];
    // A position without a value leaves a gap in the line.
    let path = "";
    line.concat("").forEach((_, here) => {
      if (points[here]) path += `${points[here - 1] ? "L" : "M"}${at(here)}`;
    });
    parts.push(`<path class="values" d="${path}"/>`);
    points.forEach((point, here) => {
      if (!point || !isProven(point)) return;
      const [cx, cy] = at(here).split(" ");
      parts.push(`<circle class="proven ${toneOf(point)}" cx="${cx}" cy="${cy}" r="2.4"/>`);
    });
    for (const ply of currentGame.state.turning.filter((ply) => points[ply])) {
      const [cx, cy] = at(ply).split(" ");
      parts.push(`<circle class="turning" cx="${cx}" cy="${cy}" r="5"/>`);
    }
    if (pointed !== null) {
      parts.push(`<path class="pointed" d="M${x(pointed).toFixed(1)} 2V${HEIGHT - 2}"/>`);
    }
    const shownX = x(ply).toFixed(1);
    parts.push(`<path class="here" d="M${shownX} 2V${HEIGHT - 2}"/>`);
    if (points[ply]) {
      const [cx, cy] = at(ply).split(" ");
      parts.push(`<circle class="shown ${toneOf(points[ply])}" cx="${cx}" cy="${cy}" r="4.5"/>`);
    }
    parts.push(
      `<text x="2" y="14">X</text><text x="2" y="${HEIGHT - 5}">O</text>`,
    );
    const box = `viewBox="0 0 ${width} ${HEIGHT}"`;
    picture.replaceChildren(drawn(`<svg ${box} aria-hidden="true">${parts.join("")}</svg>`));
    picture.setAttribute("aria-valuemax", String(line.length));
    picture.setAttribute("aria-valuenow", String(ply));
    picture.setAttribute("aria-valuetext", said(ply));
    caption.textContent = said(pointed ?? ply);
  }

  // Points arrive in bursts: draw once a frame.
  const redraw = () => {
    frame ||= requestAnimationFrame(draw);
  };

  function follow({ start, shown, analysis, remarks, analysisRefused, exercise }) {
    const isReviewed = Object.keys(remarks).length > 0;
    const isWanted = shown && !analysisRefused && !exercise && (analysis || isReviewed);
    holder.hidden = !isWanted;
    if (!isWanted) {
      stop();
      stop = () => {};
      asked = null;
      return;
    }
    const along = shown.kind === "variation" ? shown.moves : currentGame.line;
    const key = [start, ...along].join(" ");
    if (key !== asked) {
      stop();
      line = along;
      keys = [...line, ""].map((_, ply) => line.slice(0, ply).join(" "));
      asked = key;
      stop = analyst.ask({ do: "graph", moves: line }, hear, () => {
        // Ask again when the next position is shown.
        asked = null;
      });
    }
    redraw();
  }

  function hear(answer) {
    if (answer.kind === "point") analyst.note(keys[answer.ply], "point", answer.value);
    redraw();
  }

  const plyAt = (event) => {
    const box = picture.getBoundingClientRect();
    const along = ((event.clientX - box.left) / box.width) * width - LEFT;
    const ply = Math.round((along / (width - LEFT - RIGHT)) * line.length);
    return Math.max(0, Math.min(line.length, ply));
  };
  const point = (ply) => {
    if (ply === pointed) return;
    pointed = ply;
    redraw();
  };
  picture.addEventListener("click", (event) => currentGame.show(line.slice(0, plyAt(event))));
  picture.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") point(plyAt(event));
  });
  picture.addEventListener("pointerleave", () => point(null));
  picture.addEventListener("keydown", (event) => {
    const ply = plyShown();
    const to = {
      ArrowLeft: ply - 1,
      ArrowDown: ply - 1,
      ArrowRight: ply + 1,
      ArrowUp: ply + 1,
      Home: 0,
      End: line.length,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to >= 0 && to <= line.length) currentGame.show(line.slice(0, to));
  });

  const sized = new ResizeObserver(([{ contentRect }]) => {
    width = Math.max(contentRect.width, 1);
    redraw();
  });
  sized.observe(picture);
  const ends = [
    () => sized.disconnect(),
    currentGame.watch(
      ["start", "game", "shown", "analysis", "analysisRefused", "remarks", "turning", "exercise"],
      follow,
    ),
    analyst.watch(["worth"], redraw),
    currentGame.watch(["coordinates"], redraw),
  ];
  return () => {
    stop();
    cancelAnimationFrame(frame);
    ends.forEach((end) => end());
  };
}
