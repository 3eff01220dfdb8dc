// The element <noughts-board>: a game to look at, to play and to replay.
//
//   attributes ──readGame()──► start and moves ──core──► position ──board.js──► picture and cells
//   a click or Enter ──► a move, the event `noughts-move`, the reply of the machine
//
// It holds no rules: the core tells the legal moves and the results.

import { createBoard } from "/static/board.js";
import { CoreError } from "/static/core/core.js";
import { plyOf, valueOf } from "/static/core/values.js";
import { descriptionOf, said, sentenceOf, stateOf } from "/static/core/words.js";
import { button, element } from "/static/dom.js";
import { Steps, stepButtons } from "/static/replay/steps.js";
import { LEVELS, STYLE } from "./data.js";
import { Problem, readGame, readPlay, readSide } from "./game.js";

const NAME = "noughts-board";
const READ = ["rules", "position", "moves", "record", "at", "play", "side", "analysis", "controls", "coordinates"];
/** Limits of the search for the values of moves. */
const ANALYSIS = { nodes: 1_000_000, seconds: 5 };

/** Define the element. `load()` resolves to {core, thinker}, which all boards of the page share. */
export function defineBoard(load) {
  if (customElements.get(NAME)) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);

  class NoughtsBoard extends HTMLElement {
    static observedAttributes = READ;
    #shown = null; // {core, thinker, game, play, side}: null before the core is there, or with a problem.
    #line = [];
    #ply = 0;
    #facts = null;
    #search = null;
    #hasValues = false;
    #isDue = false;
    #parts = null;
    #board = null;

    connectedCallback() {
      this.#refresh();
    }

    disconnectedCallback() {
      this.#stop();
    }

    attributeChangedCallback() {
      if (this.isConnected) this.#refresh();
    }

    /** Read the attributes soon, once for many changes. */
    async #refresh() {
      if (this.#isDue) return;
      this.#isDue = true;
      if (document.readyState === "loading") {
        // The text between the tags may be a record.
        await new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));
      }
      try {
        const shared = await load();
        this.#isDue = false;
        if (this.isConnected) this.#read(shared);
      } catch (error) {
        this.#isDue = false;
        this.#refuse(error);
      }
    }

    #read({ core, thinker }) {
      this.#stop();
      const given = Object.fromEntries(READ.map((name) => [name, this.getAttribute(name)]));
      if (given.record === "") given.record = this.textContent;
      const game = readGame(core, given);
      const side = readSide(given.side) ?? core.position(game.start, game.moves).turn;
      this.#shown = { core, thinker, game, play: readPlay(given.play), side };
      this.#line = game.moves;
      this.#hasValues = given.analysis === "shown";
      this.#build(given);
      this.#go(game.at, false);
    }

    /** Show a sentence in place of the board. */
    #refuse(error) {
      this.#stop();
      this.#shown = null;
      if (!(error instanceof Problem || error instanceof CoreError)) console.error(error);
      this.#root().replaceChildren(element("p", { class: "problem", role: "alert" }, error.message));
      this.#parts = null;
      this.#board = null;
    }

    #root() {
      const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [sheet];
      return root;
    }

    /** Build the parts once; show those that the attributes ask for. */
    #build({ record, play, controls, analysis, coordinates }) {
      if (!this.#parts) {
        const parts = {
          players: element("p", { class: "players" }),
          holder: element("div"),
          status: element("p", { class: "status", role: "status" }),
          worth: element("p", { class: "worth", role: "status" }),
          comment: element("p", { class: "comment" }),
          stepper: element("div", { class: "stepper steps", role: "group", "aria-label": "Moves" }),
          again: button("New game", () => this.#again()),
          values: button("Values", () => this.#toggleValues()),
        };
        parts.stepper.innerHTML = stepButtons('<span class="place"></span>');
        parts.steps = new Steps(parts.stepper, { go: (ply) => this.#go(ply, ply === this.#ply + 1) });
        parts.bar = element("div", { class: "bar" }, parts.stepper, parts.again, parts.values);
        const frame = element("div", { class: "frame", part: "frame" }, parts.players, parts.holder, parts.status, parts.worth, parts.comment, parts.bar);
        frame.addEventListener("keydown", (event) => parts.stepper.hidden || parts.steps.press(event));
        this.#root().replaceChildren(frame);
        this.#parts = parts;
        this.#board = createBoard(parts.holder, {
          choose: (move, cell) => this.#choose(move, cell),
          selected: (move) => this.#tell(move ? `Tap again to play ${move}.` : this.#status()),
          measured: () => {},
          frame,
        });
      }
      const { players, stepper, again, values, bar } = this.#parts;
      players.textContent = this.#shown.game.players;
      players.hidden = !players.textContent;
      stepper.hidden = controls === null && record === null;
      again.hidden = play === null;
      values.hidden = analysis === null;
      bar.hidden = stepper.hidden && again.hidden && values.hidden;
      this.#board.setNames(coordinates === null ? null : coordinates !== "none");
    }

    /** Show the position after some moves; `fresh` animates its new parts. */
    #go(ply, fresh) {
      this.#stop();
      this.#ply = ply;
      const { core, game, side, play } = this.#shown;
      const facts = core.position(game.start, this.#line.slice(0, ply));
      this.#facts = facts;
      const isMachines = Boolean(play && !facts.outcome && facts.turn !== side);
      const may = this.hasAttribute("play") && !facts.outcome && !isMachines;
      this.#board.show({ ...facts, description: descriptionOf(facts) }, { fresh, may });
      const { comment, steps, values } = this.#parts;
      const isThinking = isMachines && ply === this.#line.length;
      this.#tell(this.#status(isThinking));
      this.#tellWorth("");
      comment.textContent = ply > game.moves.length || !this.#isGiven(ply) ? "" : (game.comments[ply] ?? "");
      comment.hidden = !comment.textContent;
      steps.draw(ply, this.#line.length, `${ply} of ${this.#line.length}`);
      values.setAttribute("aria-pressed", String(this.#hasValues));
      if (isThinking) this.#reply();
      else if (this.#hasValues) this.#value();
    }

    /** Return whether the first moves of the line are those of the attributes. */
    #isGiven(ply) {
      return this.#line.slice(0, ply).every((move, at) => move === this.#shown.game.moves[at]);
    }

    #status(isThinking = false) {
      const { game } = this.#shown;
      const { outcome, turn } = this.#facts;
      const played = this.#ply ? `${turn === "X" ? "O" : "X"} played ${this.#line[this.#ply - 1]}. ` : "";
      if (outcome) return `${played}${said(outcome.sentence)}`;
      if (isThinking) return `${played}${turn} is thinking…`;
      const isEnd = game.ending && this.#ply === game.moves.length && this.#isGiven(this.#ply);
      return played + (isEnd ? game.ending : `${stateOf(this.#facts)}.`);
    }

    #tell(sentence) {
      const { status } = this.#parts;
      if (status.textContent !== sentence) status.textContent = sentence;
    }

    #tellWorth(sentence) {
      const { worth } = this.#parts;
      worth.textContent = sentence;
      worth.hidden = !this.#hasValues || !sentence;
    }

    #again() {
      const { game } = this.#shown;
      this.#line = game.moves;
      this.#go(game.at, false);
      this.#board.focus();
    }

    #choose(move, cell) {
      if (move !== null) this.#play(move);
      else if (this.hasAttribute("play")) this.#tell(this.#refusal(cell));
    }

    /** Return why a cell may not be played. */
    #refusal(cell) {
      const { core, side, play } = this.#shown;
      const { board, position, turn, outcome } = this.#facts;
      if (!outcome && play && turn !== side) return `It is the turn of ${turn}.`;
      const name = board.names[board.kind === "rack" ? cell % board.columns : cell];
      const reason = core.refusal(position, name);
      return reason ? sentenceOf(reason) : this.#status();
    }

    /** Play a legal move, and tell the page. */
    #play(move) {
      this.#line = [...this.#line.slice(0, this.#ply), move];
      this.#go(this.#line.length, true);
      const detail = { move, moves: this.#line.join(" "), position: this.#facts.position };
      this.dispatchEvent(new CustomEvent("noughts-move", { bubbles: true, composed: true, detail }));
    }

    #ask(question, report) {
      const { position, rules } = this.#facts;
      const known = { position, rules, ply: plyOf(this.#facts) };
      this.#search = this.#shown.thinker.ask({ ...known, ...question }, report);
      return this.#search.answer;
    }

    /** Let the machine move. */
    async #reply() {
      const { play } = this.#shown;
      const facts = this.#facts;
      const levels = LEVELS[facts.rules.split(":")[0]] ?? LEVELS.default;
      const level = play.nodes ? { nodes: play.nodes } : levels[play.level - 1];
      try {
        const move = await this.#ask({ level });
        if (facts !== this.#facts || move === null) return;
        this.#search = null;
        const rack = facts.board.kind === "rack";
        this.#play(facts.board.names[rack ? move % facts.board.columns : move]);
      } catch (error) {
        if (facts === this.#facts) this.#tell(error.message);
      }
    }

    #toggleValues() {
      this.#hasValues = !this.#hasValues;
      this.#go(this.#ply, false);
    }

    /** Show the value of every move, updated as the search goes deeper. */
    async #value() {
      const facts = this.#facts;
      if (facts.outcome) return;
      const ply = plyOf(facts);
      const show = (scores) => {
        if (facts !== this.#facts || !scores.length) return null;
        const values = scores.map(([move, finding], at) => [
          facts.board.names[move],
          { ...valueOf(finding, ply), best: at === 0 },
        ]);
        this.#board.setValues(Object.fromEntries(values));
        return values[0];
      };
      this.#tellWorth("Searching…");
      try {
        const scores = await this.#ask({ limits: ANALYSIS }, show);
        const best = scores && show(scores);
        if (!best) return;
        const isSure = best[1].value === "win" || scores.every(([, finding]) => finding.exact);
        this.#tellWorth(`${isSure ? "Best" : "Looks best"}: ${best[0]}, ${best[1].words}.`);
      } catch (error) {
        if (facts === this.#facts) this.#tellWorth(error.message);
      }
    }

    #stop() {
      this.#search?.stop();
      this.#search = null;
    }
  }
  customElements.define(NAME, NoughtsBoard);
}
