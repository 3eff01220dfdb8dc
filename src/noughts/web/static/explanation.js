// The card "Why": sentences on the best move, its line, the graph of the game.
//
//   analyst ──► worth ──► the number          view ──► best move ──► "explain" ──► sentences
//                                              └── line, ranking, details
//   hint, graph ──► below                      hover ──► currentGame.preview

import { isInWords, moveName } from "./coordinates.js";
import { element, say, smallButton } from "./dom.js";
import { byRelevance, lineOf, saidOf, sentenceOf } from "./lines.js";
import { recall, remember } from "./memory.js";
import { headline, isProven, leader } from "./values.js";

const SHOWN_SENTENCES = 2;
const SHOWN_MOVES = 6;
const SOON = 250;
const SETTLED = 600;
/** Milliseconds after a refusal until the card asks again. */
const PAUSE = 5000;

const DETAILS = "details";
const MEANING =
  "Per cent: the expected result of a game from here, a draw counted as half a win. " +
  "On the board it is that of the player to move.";

const chip = (value, text) => element("span", { class: `chip ${value.tone}` }, text);
const plain = (text) => element("p", { class: "quietly" }, text);

/** Return a number of nodes in a few characters. */
function speed(nodes) {
  if (nodes >= 1e6) return `${(nodes / 1e6).toFixed(1)} M`;
  return nodes >= 1e3 ? `${Math.round(nodes / 1e3)} k` : String(nodes);
}

/** Return the line and the position that are shown, as text. */
const lineText = (shown) => shown && [shown.position.position, ...shown.moves].join(" ");

/** Return whether the values of all moves are proven. */
const isExact = ({ values }, moves) =>
  moves.every((move) => values[move] && values[move].value !== "unknown");

/** Put the card into an element, with the graph of the game in it. */
export function mountExplanation(card, graph, currentGame, analyst) {
  const number = element("p", { class: "number-of-all" });
  const sentences = element("div", { class: "sentences" });
  const line = element("p", { class: "variation-line" });
  const ranking = element("ol", { class: "ranking", "aria-label": "Best moves" });
  const facts = element("p", { class: "facts" });
  const details = element(
    "details",
    { class: "details", open: recall(DETAILS) === true },
    element("summary", {}, "Details"),
    facts,
    element("p", { class: "quietly" }, MEANING),
  );
  details.addEventListener("toggle", () => remember(DETAILS, details.open));
  const best = element("div", { class: "best-move" }, number, sentences, line, ranking);
  const hinted = element("div", { class: "hinted" });
  const explained = element("div", { class: "explained" });
  const more = smallButton("Show more", () => toggle(), { "aria-expanded": "false" });
  const last = smallButton("Explain last move", () => explainLast());
  const doing = element("div", { class: "doing-row" }, details, more, last);
  const parts = [hinted, best, explained, graph, doing];
  card.append(element("h2", {}, "Why"), ...parts);
  card.tabIndex = -1;

  let wantsMore = false;
  /** The texts that were shown before the person asked for more. */
  let before = [];
  let why = null;
  let stop = () => {};
  let wanted = null;
  let isAsked = false;
  let timer = 0;
  let drawnFor = null;
  let drawn = null;
  let drawExplained = () => {};

  // Only one "explain" at a time; the person's question replaces the card's own.

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
    drawExplained = () => {};
  }

  /** Ask for an explanation of the best move, once it is stable. */
  function settle({ view }) {
    const { analysis, shown } = currentGame.state;
    if (isAsked) return;
    const isHere = analysis && view?.move && shown.position.position === view.position;
    const key = isHere ? `${view.position} ${wantsMore ? "" : view.move}` : null;
    if (key === wanted) return;
    wanted = key;
    clearTimeout(timer);
    if (!key || (why?.key === key && !why.trouble)) return;
    const { position } = view;
    const question = { moves: shown.moves, ...(wantsMore ? {} : { move: view.move }) };
    const about = { key, position, base: shown.moves, move: view.move };
    const hear = ({ sentences: found }) => receive({ ...about, found });
    const refuse = (trouble) => {
      receive({ ...about, found: [], trouble });
      timer = setTimeout(() => {
        wanted = null;
        settle(analyst.state);
      }, PAUSE);
    };
    const isSure = view.done || isExact(view, Object.keys(shown.position.moves));
    timer = setTimeout(() => explain(question, hear, refuse), isSure ? SOON : SETTLED);
  }

  /** Return the sentences to show: proven ones, since the card has its own number. */
  const proven = ({ all, found }) =>
    all ? found.filter(({ exact }) => exact) : byRelevance(found).slice(0, SHOWN_SENTENCES);

  function receive(answer) {
    why = { ...answer, all: wantsMore };
    drawSentences(analyst.state);
    if (why.found.some(({ value }) => value && isProven(value))) analyst.refresh();
    const [first] = proven(why);
    if (first && currentGame.state.shown.position.position === why.position) say(saidOf(currentGame, first));
  }

  function toggle() {
    before = why && !why.all ? proven(why).map(({ text }) => text) : [];
    wantsMore = !wantsMore;
    more.setAttribute("aria-expanded", String(wantsMore));
    more.textContent = wantsMore ? "Show less" : "Show more";
    giveUp();
    settle(analyst.state);
  }

  function explainLast() {
    const { shown } = currentGame.state;
    const base = shown.moves.slice(0, -1);
    const move = shown.moves.at(-1);
    giveUp();
    explained.replaceChildren(plain("Analysing the last move…"));
    const show = (...content) => {
      if (lineText(currentGame.state.shown) !== lineText(shown)) return;
      explained.replaceChildren(...content);
    };
    isAsked = true;
    explain(
      { moves: base, move },
      (answer) => {
        drawExplained = () =>
          show(
            element("h3", {}, isInWords(shown.position.board) ? "Last move" : `Last move: ${move}`),
            ...answer.sentences.map((sentence) => sentenceOf(currentGame, base, sentence)),
          );
        drawExplained();
        say(answer.sentences.map((each) => saidOf(currentGame, each)).join(" "));
      },
      (trouble) => show(plain(trouble)),
    );
    place();
  }

  // Drawing

  function drawSentences(state) {
    if (!currentGame.state.shown) return;
    const status = statusOf(state);
    const found = why ? proven(why) : [];
    const isAll = why?.all && !why.trouble && why.position === currentGame.state.shown.position.position;
    const addsNone = isAll && found.every(({ text }) => before.includes(text));
    // Called many times a second: a sentence under the pointer must not be replaced.
    const next = addsNone ? why : status || why;
    if (next === drawn) return;
    drawn = next;
    const content = status
      ? [plain(status)]
      : found.map((sentence) => sentenceOf(currentGame, why.base, sentence));
    put(sentences, addsNone ? [...content, plain("Nothing more is proven.")] : content);
  }

  /** Return a status for a position without sentences; null if it has some. */
  function statusOf({ view, trouble, connected }) {
    const { position } = currentGame.state.shown;
    if (position.outcome) return position.outcome.sentence;
    if (!connected) return "Connection lost. Reconnecting…";
    if (trouble) return trouble;
    if (why?.position === position.position) {
      return proven(why).length > 0 ? null : why.trouble || judged(why.move, view, "looks best. Not proven");
    }
    if (view?.move) return judged(view.move, view, "looks best so far");
    return view?.waiting ? "Waiting for other searches…" : "Analysing…";
  }

  /** Return a sentence on a move: its value where that is proven, or else other words. */
  function judged(move, view, words) {
    const value = view?.values[move];
    const name = moveName(currentGame.state.shown.position.board, move, "The marked cell");
    return `${name} ${value && isProven(value) ? value.words : words}.`;
  }

  /** Draw the number of the position, with its meaning. */
  function drawNumber({ worth }) {
    const { shown } = currentGame.state;
    if (!shown) return;
    const ahead = worth && leader(worth);
    const parts = worth
      ? [
          element("strong", { class: ahead ? ahead.toLowerCase() : "" }, headline(worth)),
          shown.position.outcome ? "" : isProven(worth) ? "proven" : "expected score",
        ]
      : [element("strong", {}, "…")];
    number.replaceChildren(parts[0], " ", parts[1] || "");
  }

  /** List the best moves of a large board, as numbered there. */
  function drawRanking({ ranking: moves }) {
    ranking.hidden = !moves;
    if (!moves) return ranking.replaceChildren();
    const isHeld = ranking.matches(":hover") || ranking.contains(document.activeElement);
    const texts = ranking.querySelectorAll(".chip");
    const isSame = [...ranking.querySelectorAll(".step")].map((each) => each.textContent).join(" ") === moves.map(({ move }) => move).join(" ");
    if (isSame) {
      moves.forEach(({ value }, at) => texts[at].replaceWith(chip(value, value.words)));
      return undefined;
    }
    // A list under the pointer must not change places.
    if (isHeld && texts.length === moves.length && analyst.state.view && !analyst.state.view.done) return undefined;
    const { shown } = currentGame.state;
    put(
      ranking,
      moves.map(({ move, value }) =>
        element("li", {}, lineOf(currentGame, shown.moves, [move]), chip(value, value.words)),
      ),
    );
    return undefined;
  }

  /** Draw the expected line, and the depth and speed of the search. */
  function drawLine({ view }) {
    const { shown } = currentGame.state;
    facts.replaceChildren(
      ...[view?.value ? chip(view.value, view.value.text) : null, searchStatus(view)].filter(Boolean),
    );
    const isHeld = line.matches(":hover") || line.contains(document.activeElement);
    if (isHeld && view?.value && drawnFor === shown) return;
    drawnFor = shown;
    const moves = view?.move ? view.lines[view.move] || [view.move] : [];
    put(line, moves.length ? [lineOf(currentGame, shown.moves, moves.slice(0, SHOWN_MOVES))] : []);
  }

  /** Replace the content of a part; a focus inside it moves to the card. */
  function put(holder, content) {
    const isHeld = holder.contains(document.activeElement);
    if (currentGame.state.preview && holder.matches(":hover")) currentGame.preview(null);
    holder.replaceChildren(...content);
    if (isHeld) card.focus({ preventScroll: true });
  }

  function searchStatus(view) {
    const words = [];
    if (view?.waiting) words.push("waiting");
    else if (view?.depth || view?.done) {
      // A search that ends before its first depth is finished has numbers without a depth.
      if (view.depth) words.push(`depth ${view.depth}`);
      if (isExact(view, Object.keys(currentGame.state.shown.position.moves))) words.push("exact");
      else words.push(view.done ? "stopped" : `${speed(view.per_second)} nodes/s`);
    }
    return element("span", { class: "status" }, words.join(" · "));
  }

  function drawHint({ hint }) {
    if (!hint) return hinted.replaceChildren();
    if (hint.waiting) {
      return hinted.replaceChildren(plain("Searching for a hint…"));
    }
    if (hint.trouble) {
      say(hint.trouble);
      return hinted.replaceChildren(plain(hint.trouble));
    }
    const shown = ({ text, claim, sketch }) => {
      const lines = sketch ? [sketch.move === null ? [] : [hint.move]] : [];
      const drawn = sentenceOf(currentGame, hint.moves, { text, sketch, lines });
      drawn.classList.toggle("hint-move", claim.startsWith("play"));
      return drawn;
    };
    hinted.replaceChildren(...hint.sentences.map(shown));
    say(hint.sentences.map(({ text }) => currentGame.swapLetters(text)).join(" "));
    return undefined;
  }

  function place() {
    const { analysis, shown, analysisRefused, exercise } = currentGame.state;
    const { hint } = analyst.state;
    const isOn = analysis && !exercise;
    hinted.hidden = !hint;
    best.hidden = !isOn;
    details.hidden = !isOn || Boolean(shown?.position.outcome);
    more.hidden = !isOn || Boolean(shown?.position.outcome);
    last.hidden = !isOn || !shown?.moves.length;
    doing.hidden = details.hidden && more.hidden && last.hidden;
    explained.hidden = !isOn || !explained.childElementCount;
    card.hidden = Boolean(analysisRefused) || parts.every((part) => part.hidden || !card.contains(part));
  }

  hinted.hidden = explained.hidden = true;
  const ends = [
    analyst.watch(["view", "trouble", "connected"], (state) => {
      drawSentences(state);
      drawLine(state);
      place();
      settle(state);
    }),
    analyst.watch(["worth"], drawNumber),
    analyst.watch(["ranking"], drawRanking),
    analyst.watch(["hint"], (state) => {
      drawHint(state);
      place();
    }),
    currentGame.watch(["shown"], ({ shown }, before) => {
      // A change of the game that is no move shows the same line again: its questions stay open.
      if (lineText(shown) !== lineText(before.shown)) giveUp();
      drawSentences(analyst.state);
    }),
    currentGame.watch(["coordinates"], () => {
      drawn = null;
      drawSentences(analyst.state);
      drawExplained();
    }),
    currentGame.watch(["analysis", "shown", "game", "exercise", "remarks", "reviewing", "analysisRefused"], place),
  ];
  return () => {
    giveUp();
    ends.forEach((end) => end());
  };
}
