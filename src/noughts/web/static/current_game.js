// The current game: its state, the shown position, and the actions of the person.
//
//   play, undo, show, try … ──► client ──► server ──► state ──► cards that watch it: board,
//                                 ▲ live WebSocket ─────┘        players, why, moves, actions
//
// The state:
//   start, before   rules id or position string, and the moves before the first one here
//   game            GameView with the letters that people see, or null before the first move
//   shown           {moves, position, kind}: the line on the board, from the start;
//                   kind is "now", "past" (earlier in the game) or "variation"
//   pending         a move that is sent but not answered, or null
//   values          values of moves: {position, values: {move: ValueView}}, or null
//   preview         a line or sentence under the pointer: {moves, position, from, sketch}, or null;
//                   its moves begin at the position `from`, which is usually the shown one
//   analysis        whether analysis is on
//   analysisRefused sentence on why analysis is not allowed, or null
//   tried           variations that the server does not have (yet)
//   remarks         remarks of a review, by number of the move from 1
//   turning         numbers of the moves that are turning points, from 1
//   refused         {text, cell}: the last move that was not allowed; the cell may be null
//   exercise        {remark, base}: an error that the person tries to improve, and the line before it; or null
//   reviewing       whether the review is on the screen
//   connected       whether the server is connected
//   error           a sentence, or null

import * as client from "./client.js";
import { say } from "./dom.js";
import { swapGame, swapPosition, swapSketch, swapText } from "./letters.js";
import { ownName } from "./own_name.js";
import { createStore } from "./store.js";

/** Return whether a line of moves begins with another. */
export const begins = (line, start) => start.every((move, at) => move === line[at]);
export const same = (first, second) => first.length === second.length && begins(first, second);

export const LOST = "You lost";
/** Return the result in a few words: the person's own, or that of both sides; null before. */
export function verdictOf({ result, yours }) {
  if (result === "*") return null;
  if (result === "1/2-1/2") return "Draw";
  const winner = result === "1-0" ? "X" : "O";
  if (yours.length !== 1) return `${winner} wins`;
  return yours[0] === winner ? "You win!" : LOST;
}

/** The changes that do not end the view of an earlier move. */
const OFFERS = ["draw", "accept", "decline", "rematch"];

const openGame = (start, moves, { x, o, swapped, clock, opening }, answers) =>
  client.openGame({
    ...{ start, moves: moves.join(" "), x, o, swapped, clock, name: ownName(), answers },
    opening: opening ? "swap2" : "",
  });

export class CurrentGame {
  #store;
  #positions = new Map();
  #unfollow = () => {};
  #key = null;
  #waiting = 0;
  #last = Promise.resolve();
  #ended = false;
  #wanted = null;
  #prepared = 0;
  #opened;
  #followed;
  /** The finder of a level's replies in this browser (replies.js), or null. */
  replies = null;

  /**
   * `opened(id)` is called when a new game is opened on the server, `followed(id)` once when a
   * rematch follows.
   */
  constructor({ opened = () => {}, followed = () => {} } = {}) {
    this.#opened = opened;
    this.#followed = followed;
    this.#store = createStore({
      start: null,
      before: [],
      seats: null,
      game: null,
      shown: null,
      pending: null,
      values: null,
      preview: null,
      coordinates: null,
      analysis: false,
      analysisRefused: null,
      tried: [],
      remarks: {},
      turning: [],
      refused: null,
      exercise: null,
      reviewing: false,
      connected: true,
      error: null,
      offers: [],
    });
  }

  get state() {
    return this.#store.state;
  }

  /** Call back now and at every change of one of the keys; returns a function that stops. */
  watch(keys, call) {
    return this.#store.watch(keys, call);
  }

  /** The key of the link that opened the game, or null. */
  get key() {
    return this.#key;
  }

  get swapped() {
    const { game, seats } = this.state;
    return Boolean(game ? game.swapped : seats?.swapped);
  }

  /** The moves of the game, or of the set-up. */
  get line() {
    return this.state.game ? this.state.game.moves : this.state.before;
  }

  /** Swap the letters of a sentence if the game shows them swapped. */
  swapLetters(text) {
    return swapText(text, this.swapped);
  }

  // Opening

  /**
   * Set up a game that its first move will open. `seated(position)` returns {x, o, swapped, name}:
   * the players and the name of the opponent. Returns false if a later call comes first.
   */
  async prepare(start, moves, seated) {
    this.#prepared += 1;
    const mine = this.#prepared;
    if (start !== this.state.start) this.#positions.clear();
    const position = await this.#fetched(start, moves);
    if (this.#ended || mine !== this.#prepared) return false;
    const seats = seated(position);
    const shown = { moves, position: swapPosition(position, seats.swapped), kind: "now" };
    const tried = start === this.state.start ? this.state.tried : [];
    this.set({ start, before: moves, seats, game: null, error: null, shown, tried });
    return true;
  }

  /** Open a game of the server, with the key of its link if there is one; `view` if it is known. */
  async open(id, key = null, view = null) {
    this.#key = key;
    this.#receive(view ?? (await client.showGame(id, key)), true);
    this.#follow(id);
  }

  #follow(id) {
    this.#unfollow();
    if (this.#ended) return;
    this.#unfollow = client.follow(id, this.#key, {
      changed: (game) => this.#receive(game, true),
      refused: (problem) => this.fail(problem),
      connected: (connected) => this.set({ connected }),
    });
  }

  end() {
    this.#ended = true;
    this.#unfollow();
  }

  /** Change the state; what depends on the server or on other keys has its own method. */
  set(patch) {
    this.#store.set(patch);
  }

  /** Update the game from the server; of two views with one version the live one is newer. */
  #receive(view, isLive) {
    const { game: known, shown } = this.state;
    const isSame = known && known.id === view.id;
    if (isSame && (view.version < known.version || (view.version === known.version && !isLive))) {
      return;
    }
    if (!isSame) this.#positions.clear();
    this.#remember(view.moves, view.position);
    const game = swapGame(view);
    const patch = { game, start: view.start, before: [], error: isSame ? this.state.error : null };
    if (!isSame || !same(view.moves, known.moves)) patch.pending = null;
    if (!isSame || !shown || shown.kind === "now") {
      patch.shown = { moves: game.moves, position: game.position, kind: "now" };
      patch.preview = null;
    } else {
      patch.shown = { ...shown, kind: this.#kind(shown.moves, game.moves) };
    }
    const { line } = this;
    const isOurs = isSame || (known === null && this.state.seats !== null);
    this.set(patch);
    if (isOurs) this.#announce(line, known?.sentence, game);
    if (isSame && game.next && !known.next) this.#leave(game.next);
  }

  /** Go to the rematch, once. */
  #leave(id) {
    const followed = this.#followed;
    this.#followed = () => {};
    followed(id);
  }

  /** Tell screen readers about the moves since `line`. */
  #announce(line, sentence, game) {
    const added = game.moves.slice(line.length);
    const grown = added.length > 0 && begins(game.moves, line);
    const side = (back) => ((back % 2 === 1) === (game.position.turn === "X") ? "O" : "X");
    const plays = grown
      ? added.map((move, at) => `${side(added.length - at)} plays ${move}.`)
      : game.moves.length < line.length
        ? ["Move undone."]
        : [];
    // The sentence above the board is a separate live region.
    let last = null;
    if (game.sentence && game.sentence !== sentence) {
      const verdict = verdictOf(game);
      last = verdict.endsWith("!") ? verdict : `${verdict}.`;
    }
    const said = [...plays, last].filter(Boolean);
    if (said.length > 0) say(said.join(" "));
  }

  // Positions

  #remember(moves, position) {
    this.#positions.set(moves.join(" "), position);
  }

  /** Return the position after moves from the start, with the letters of the server. */
  positionAfter(moves) {
    return this.#fetched(this.state.start, moves);
  }

  async #fetched(start, moves) {
    const known = this.#positions.get(moves.join(" "));
    if (known) return known;
    const position = await client.position(start, moves);
    this.#remember(moves, position);
    return position;
  }

  #kind(moves, line) {
    if (same(moves, line)) return "now";
    return begins(line, moves) ? "past" : "variation";
  }

  /** Show the position after moves from the start, in the game or in a variation. */
  async show(moves) {
    await this.#try(async () => {
      const position = await this.positionAfter(moves);
      const shown = { moves, position: swapPosition(position, this.swapped) };
      this.set({ shown: { ...shown, kind: this.#kind(moves, this.line) }, preview: null });
    });
  }

  /** Show the last position of the game. */
  showNow() {
    return this.show(this.line);
  }

  /** Step through the shown line: back with -1, forward with 1 up to the end of the game. */
  step(by) {
    const { shown } = this.state;
    const to = shown.moves.length + by;
    if (by < 0) return to < 0 ? undefined : this.show(shown.moves.slice(0, to));
    return shown.kind === "past" ? this.show(this.line.slice(0, to)) : undefined;
  }

  // Playing

  /** The effect of a move on the board: "play", "try" (a variation), or null. */
  get mayMove() {
    const { game, shown, analysis } = this.state;
    if (!shown || shown.position.outcome || this.#isTried) return null;
    if (shown.kind !== "now") return "try";
    if (!game) return analysis ? "try" : "play";
    if (game.can.includes("move")) return "play";
    return game.yours.length === 0 && game.result === "*" ? "try" : null;
  }

  /** Whether the board shows a move that the person tries in place of an error. */
  get #isTried() {
    const { exercise, shown } = this.state;
    return Boolean(exercise) && shown.moves.length > exercise.base.length;
  }

  /** Refuse a move; the board shows why. */
  refuse(text, cell = null) {
    this.set({ refused: { text, cell } });
  }

  /** Play a move, or try it as a variation; refuse one that is not allowed. */
  async move(text) {
    if (this.#isTried) return;
    const may = this.mayMove;
    const isLegal = text in this.state.shown.position.moves;
    // While a request is pending, the board is about to change.
    if (this.#waiting === 0 && (may === null || !isLegal)) {
      this.refuse(text);
      return;
    }
    if (may === "try") await this.show([...this.state.shown.moves, text]);
    if (may !== "play") return;
    const isQueued = this.#waiting > 0;
    await this.#change(() => {
      const { game, start, before, seats } = this.state;
      // A click during a pending request may no longer be a legal move.
      const isStale = isQueued && !(text in this.state.shown.position.moves);
      if (this.mayMove !== "play" || isStale) {
        this.refuse(text);
        return null;
      }
      if (text in this.state.shown.position.moves) this.set({ pending: text });
      return this.#replied((answers) =>
        game
          ? client.play(game.id, game.version, text, answers).catch((problem) => this.#again(problem, text))
          : openGame(start, [...before, text], seats, answers),
      );
    });
  }

  /** Open the game that is set up; the opponent moves first. */
  begin() {
    const { start, before, seats } = this.state;
    return this.#change(() => this.#replied((answers) => openGame(start, before, seats, answers)));
  }

  /** Make a move by `act(answers)` and return its view; this browser finds the reply if it can. */
  async #replied(act) {
    const view = await act(this.replies?.isReadyFor(this.state.shown.position.rules));
    this.replies?.find(view);
    return view;
  }

  /** Change the game by `act(game)` for another module; the shown position stays. */
  changeBy(act) {
    return this.#change(act, false);
  }

  /** Play a move again that an offer or a name came before. */
  async #again(problem, text) {
    const { game } = this.state;
    if (problem.kind !== "conflict") throw problem;
    const now = await client.showGame(game.id, this.#key);
    if (!same(now.moves, game.moves) || !now.can.includes("move")) throw problem;
    return client.play(now.id, now.version, text);
  }

  /** Send `undo`, `redo`, `resign`, `draw`, `accept`, `decline`, `rematch` or `stop`. */
  change(what) {
    const act = (game) =>
      game?.can.includes(what) ? client.change(game.id, game.version, what) : null;
    return this.#change(act, !OFFERS.includes(what));
  }

  /** Choose a side in swap2, "X" or "O", or "more" to add two stones. */
  choose(choice) {
    return this.#change((game) =>
      game.swap2?.choices.includes(choice) ? client.choose(game.id, game.version, choice) : null,
    );
  }

  /** Set the name of the person in the game. */
  setName(name) {
    return this.#change(({ id, version }) => client.setName(id, version, name), false);
  }

  /** Add a variation to the game; does nothing if the game has changed meanwhile. */
  addVariation(path) {
    return this.#change(async ({ id, version }) => {
      try {
        return await client.addVariation(id, version, path);
      } catch (problem) {
        if (problem.kind !== "conflict") throw problem;
        return client.showGame(id, this.#key);
      }
    }, false);
  }

  /** Delete a variation of the game. */
  deleteVariation(path) {
    const act = ({ id, version }) => client.deleteVariation(id, version, path);
    return this.#change(act, false);
  }

  /** Set the comment on the last move of a line; an empty text deletes it. */
  setComment(path, text) {
    const act = ({ id, version }) => client.setComment(id, version, path, text);
    return this.#change(act, false);
  }

  /** Change the game by `act(game)` after pending changes; with `isPlay` show its end first. */
  #change(act, isPlay = true) {
    this.#waiting += 1;
    this.#last = this.#last.then(async () => {
      await this.#try(async () => {
        const isNew = this.state.game === null;
        if (isPlay && this.state.shown.kind !== "now") await this.showNow();
        const game = await Promise.resolve(act(this.state.game)).catch((problem) => this.#refresh(problem));
        if (!game || this.#ended) return;
        if (!isNew && game.id !== this.state.game.id) return this.#leave(game.id);
        this.#receive(game, false);
        if (isNew) {
          this.#opened(game.id);
          this.#follow(game.id);
        }
      });
      this.#waiting -= 1;
      if (this.state.pending) this.set({ pending: null });
    });
    return this.#last;
  }

  /** On a conflict show the game as it is now; throw the problem again. */
  async #refresh(problem) {
    const { game } = this.state;
    if (problem.kind === "conflict") this.#receive(await client.showGame(game.id, this.#key), true);
    throw problem;
  }

  /** Run a function and show its problem, if any. */
  async #try(act) {
    try {
      await act();
      if (this.state.error) this.set({ error: null });
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      this.fail(problem);
    }
  }

  /** Show a problem; the silence of the server ends when it answers. */
  fail(problem) {
    this.set({ error: problem.message });
    client.whenAnswered(problem, () => {
      if (this.state.error === problem.message) this.set({ error: null });
    });
  }

  /** Tell that a module is missing. */
  failToLoad() {
    this.set({ error: "A part of the page failed to load. Reload it." });
  }

  // State of the cards

  setAnalysis(wanted) {
    this.set({ analysis: wanted && !this.state.analysisRefused });
  }

  /** Set the reason why analysis is not allowed; null allows it. */
  refuseAnalysis(analysisRefused) {
    this.set({ analysisRefused, analysis: this.state.analysis && !analysisRefused });
  }

  /** Set the values of the moves in a position; null removes them. */
  setValues(position, values) {
    this.set({ values: values && { position, values } });
  }

  /**
   * Preview moves from the shown position or from the end of `line`, or the sketch of a sentence
   * there; null ends the preview.
   */
  async preview(moves, line = this.state.shown.moves, sketch = null) {
    this.#wanted = moves;
    if (!moves) {
      this.set({ preview: null });
      return;
    }
    const { shown } = this.state;
    const both = Promise.all([this.positionAfter(line), this.positionAfter([...line, ...moves])]);
    const positions = await both.catch(() => null);
    if (!positions || this.#wanted !== moves || this.state.shown !== shown) return;
    const [from, position] = positions.map((each) => swapPosition(each, this.swapped));
    this.set({ preview: { moves, position, from, sketch: swapSketch(sketch, this.swapped) } });
  }

  /**
   * Offer an action {id, label, place: "row", "menu" or "end", run, enabled}. The row shows
   * `hint` only.
   */
  offer(offered) {
    this.set({ offers: [...this.state.offers.filter(({ id }) => id !== offered.id), offered] });
  }
}
