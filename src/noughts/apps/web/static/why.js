// The card that says why: what the engine sees in a sentence, its line, the graph of the game.
//
//   analyst ──► view ──► the best move ──► "explain" ──► sentences     hover ──► table.preview
//                └── line, depth, speed          hint, review, graph ──► below

import { createAnalyst } from "./analysis.js";
import { element, say } from "./dom.js";
import { mountGraph } from "./graph.js";
import { bySay, lineOf, sentenceOf } from "./lines.js";
import { mountReview } from "./review.js";
import { searchAddress } from "./share.js";

const SHOWN_SENTENCES = 2;
const SHOWN_MOVES = 6;
const SOON = 250;
const SETTLED = 600;

const chip = (value) => element("span", { class: `chip ${value.tone}` }, value.text);
const plain = (text) => element("p", { class: "quietly" }, text);
const small = (text) => element("button", { type: "button", class: "small" }, text);

/** Return a number of nodes, short. */
function speed(nodes) {
  if (nodes >= 1e6) return `${(nodes / 1e6).toFixed(1)} M`;
  return nodes >= 1e3 ? `${Math.round(nodes / 1e3)} k` : String(nodes);
}

/** Whether all moves of a view are proven. */
const isExact = ({ values }, moves) =>
  moves.every((move) => values[move] && values[move].value !== "unknown");

export function mountWhy(card, table) {
  const analyst = createAnalyst(table);
  const sentences = element("div", { class: "sentences" });
  const line = element("p", { class: "variation-line" });
  const seen = element("div", { class: "seen" }, sentences, line);
  const hinted = element("div", { class: "hinted" });
  const explained = element("div", { class: "explained" });
  const graph = element("div", { class: "graph-holder" });
  const more = small("More");
  const last = small("");
  more.setAttribute("aria-expanded", "false");
  const step = element("a", { class: "button small quiet" }, "Step through a search");
  const doing = element("div", { class: "doing-row" }, more, last, step);
  const review = element("div", { class: "review" });
  const parts = [hinted, seen, explained, graph, doing, review];
  card.append(element("h2", {}, "Why"), ...parts);
  card.tabIndex = -1;

  let wantsMore = false;
  let why = null;
  let stop = () => {};
  let wanted = null;
  let isAsked = false;
  let timer = 0;
  let drawnFor = null;
  let drawn = null;

  // One question in words at a time: what a person asks goes before what the card asks by itself.

  function explain(question, hear, refuse) {
    const then = (call) => (answer) => {
      stop = () => {};
      isAsked = false;
      call(answer);
      settle(analyst.state);
    };
    stop();
    stop = analyst.ask({ do: "explain", ...question }, then(hear), then(refuse));
  }

  function giveUp() {
    clearTimeout(timer);
    stop();
    stop = () => {};
    wanted = null;
    isAsked = false;
    explained.replaceChildren();
  }

  /** Ask why the best move is the best, as soon as it seems to stay that. */
  function settle({ view }) {
    const { analysis, shown } = table.state;
    if (isAsked) return;
    const isHere = analysis && view?.move && shown.position.position === view.position;
    const key = isHere ? `${view.position} ${wantsMore ? "" : view.move}` : null;
    if (key === wanted) return;
    wanted = key;
    clearTimeout(timer);
    if (!key || why?.key === key) return;
    const { position } = view;
    const question = { moves: shown.moves, ...(wantsMore ? {} : { move: view.move }) };
    const about = { key, position, base: shown.moves, move: view.move };
    const hear = ({ sentences: said }) => tell({ ...about, said });
    const refuse = (trouble) => tell({ ...about, said: [], trouble });
    const isSure = view.done || isExact(view, Object.keys(shown.position.moves));
    timer = setTimeout(() => explain(question, hear, refuse), isSure ? SOON : SETTLED);
  }

  function tell(told) {
    why = { ...told, all: wantsMore };
    drawSentences(analyst.state);
    const [first] = why.all ? why.said : bySay(why.said);
    if (first && table.state.shown.position.position === why.position) say(table.seen(first.text));
  }

  more.addEventListener("click", () => {
    wantsMore = !wantsMore;
    more.setAttribute("aria-expanded", String(wantsMore));
    more.textContent = wantsMore ? "Less" : "More";
    giveUp();
    settle(analyst.state);
  });

  last.addEventListener("click", () => {
    const { shown } = table.state;
    const base = shown.moves.slice(0, -1);
    const move = shown.moves.at(-1);
    giveUp();
    explained.replaceChildren(plain(`Looking at ${move} …`));
    const show = (...content) => {
      if (table.state.shown.moves !== shown.moves) return;
      explained.replaceChildren(...content);
    };
    isAsked = true;
    explain(
      { moves: base, move },
      (answer) => {
        show(
          element("h3", {}, `${move}, the last move`),
          ...answer.sentences.map((sentence) => sentenceOf(table, base, sentence)),
        );
        say(answer.sentences.map(({ text }) => table.seen(text)).join(" "));
      },
      (trouble) => show(plain(trouble)),
    );
    place();
  });

  // Drawing

  function drawSentences(state) {
    if (!table.state.shown) return;
    const remark = remarkOn(state);
    const told = why?.all ? why.said : bySay(why?.said || []).slice(0, SHOWN_SENTENCES);
    // It is asked for many times a second: what one reads or points at stays where it is.
    if ((remark || why) === drawn) return;
    drawn = remark || why;
    const content = remark
      ? [plain(remark)]
      : told.map((sentence) => sentenceOf(table, why.base, sentence));
    put(sentences, content);
  }

  /** What there is to say where no sentence on the position is known. */
  function remarkOn({ view, trouble, connected }) {
    const { position } = table.state.shown;
    if (position.outcome) return position.outcome.sentence;
    if (!connected) return "The line to the engine is lost. It comes back by itself.";
    if (trouble) return trouble;
    if (why?.position === position.position) {
      const isSaid = why.all ? why.said.length > 0 : bySay(why.said).length > 0;
      return isSaid ? null : why.trouble || `${why.move} looks best; nothing is proven.`;
    }
    if (view?.move) return `${view.move} looks best so far.`;
    return view?.waiting ? "Others think now …" : "Looking …";
  }

  /** The line that is expected, and how far the engine has looked. */
  function drawLine({ view }) {
    const { shown } = table.state;
    const isHeld = line.matches(":hover") || line.contains(document.activeElement);
    if (isHeld && view?.value && drawnFor === shown) {
      line.querySelector(".status").replaceWith(status(view));
      line.querySelector(".chip")?.replaceWith(chip(view.value));
      return;
    }
    drawnFor = shown;
    const moves = view?.move ? view.lines[view.move] || [view.move] : [];
    const content = [
      view?.value ? chip(view.value) : null,
      moves.length ? lineOf(table, shown.moves, moves.slice(0, SHOWN_MOVES)) : null,
      status(view),
    ];
    put(line, content.filter(Boolean));
  }

  /** Fill a part of the card anew; a focus that was there stays in the card. */
  function put(holder, content) {
    const isHeld = holder.contains(document.activeElement);
    if (table.state.preview && holder.matches(":hover")) table.preview(null);
    holder.replaceChildren(...content);
    if (isHeld) card.focus({ preventScroll: true });
  }

  function status(view) {
    const said = [];
    if (view?.waiting) said.push("waiting for its turn");
    else if (view?.depth) {
      said.push(`depth ${view.depth}`);
      if (isExact(view, Object.keys(table.state.shown.position.moves))) said.push("exact");
      else said.push(view.done ? "at rest" : `${speed(view.per_second)} nodes/s`);
    }
    return element("span", { class: "status" }, said.join(" · "));
  }

  function drawHint({ hint }) {
    if (!hint) return hinted.replaceChildren();
    if (hint.waiting) {
      return hinted.replaceChildren(plain("Looking for a good move …"));
    }
    const told = bySay(hint.sentences).slice(0, SHOWN_SENTENCES);
    hinted.replaceChildren(
      element("p", { class: "hint-move" }, chip(hint.value), ` Hint: ${hint.move}`),
      ...told.map((sentence) => sentenceOf(table, hint.moves, sentence)),
    );
    return undefined;
  }

  function sayHint({ hint }) {
    if (!hint?.move) return;
    const told = bySay(hint.sentences).slice(0, SHOWN_SENTENCES);
    const why = told.map(({ text }) => table.seen(text));
    say([`Hint: ${hint.move}, ${hint.value.text}.`, ...why].join(" "));
  }

  function place() {
    const { analysis, shown, analysisRefused, exercise } = table.state;
    const { hint, view } = analyst.state;
    const isOn = analysis && !exercise;
    // What the engine sees already says the same of its best move.
    hinted.hidden = !hint || Boolean(isOn && hint.move && hint.move === view?.move);
    seen.hidden = !isOn;
    more.hidden = !isOn || Boolean(shown?.position.outcome);
    last.hidden = !isOn || !shown?.moves.length;
    last.textContent = shown?.moves.length ? `Explain ${shown.moves.at(-1)}` : "";
    doing.hidden = more.hidden && last.hidden;
    step.hidden = more.hidden;
    if (shown) step.href = searchAddress(table.state.start, shown.moves, table.swapped);
    explained.hidden = !isOn || !explained.childElementCount;
    card.hidden = Boolean(analysisRefused) || parts.every((part) => part.hidden);
  }

  hinted.hidden = explained.hidden = true;
  const ends = [
    mountGraph(graph, table, analyst),
    mountReview(review, table, analyst, place),
    analyst.watch(["view", "trouble", "connected"], (state) => {
      drawSentences(state);
      drawLine(state);
      place();
      settle(state);
    }),
    analyst.watch(["hint"], (state) => {
      drawHint(state);
      sayHint(state);
      place();
    }),
    table.watch(["shown"], () => {
      giveUp();
      drawSentences(analyst.state);
    }),
    table.watch(["analysis", "shown", "game", "exercise", "remarks", "analysisRefused"], place),
  ];
  return () => {
    giveUp();
    ends.forEach((end) => end());
    analyst.end();
  };
}
