// A table: the game that is played, what of it is shown, and all that may be done there.
//
//   play, undo, show, try … ──► client ──► server ──► state ──► cards that watch it: board,
//                                 ▲ live WebSocket ─────┘        players, why, moves, actions
//
// The state that cards watch:
//   start, before   rules id or position string, and the moves before the page's own first one
//   game            GameView, or null before the first move; letters as people see them
//   shown           {moves, position, kind}: the line that is on the board, from the start;
//                   kind is "now", "past" (on the game's line) or "variation"
//   values          what moves are worth: {position, values: {move: ValueView}}, or null
//   preview         a line tried by hovering: {moves, position, from}, or null; it is played from
//                   the position `from`, mostly the one that is shown
//   analysis        whether the engine's view is wanted
//   analysisRefused why it may not be, in a sentence, or null
//   tried           lines that were tried and that the game does not keep, or not yet
//   remarks         a review's remarks on the moves of the line, by their number from 1
//   exercise        the remark whose move one tries to better now, or null
//   connected       whether the server is there
//   error           a sentence, or null

import * as client from "./client.js";
import { say } from "./dom.js";
import { seenGame, seenPosition, seenText } from "./seen.js";
import { createStore } from "./store.js";

const same = (first, second) =>
  first.length === second.length && first.every((move, at) => move === second[at]);

const openGame = (start, moves, { x, o, swapped }) =>
  client.openGame({ start, moves: moves.join(" "), x, o, swapped });

export class Table {
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

  /** `opened` is told the id of a game that the table has opened, to name the page by it. */
  constructor({ opened = () => {} } = {}) {
    this.#opened = opened;
    this.#store = createStore({
      start: null,
      before: [],
      seats: null,
      game: null,
      shown: null,
      values: null,
      preview: null,
      analysis: false,
      analysisRefused: null,
      tried: [],
      remarks: {},
      exercise: null,
      connected: true,
      error: null,
      offers: [],
    });
  }

  get state() {
    return this.#store.state;
  }

  /** Call back now and at every change of one of the keys; returns the function that ends it. */
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

  /** The line of the game, or of what is set up. */
  get line() {
    return this.state.game ? this.state.game.moves : this.state.before;
  }

  /** Exchange the letters of a sentence if people see them exchanged. */
  seen(text) {
    return seenText(text, this.swapped);
  }

  // Opening

  /**
   * Set up a game that its first move will open. `seated(position)` says who sits where: {x, o,
   * swapped} as a new game has it, and the other player's name.
   */
  async prepare(start, moves, seated) {
    this.#prepared += 1;
    const mine = this.#prepared;
    if (start !== this.state.start) this.#positions.clear();
    const position = await this.#fetched(start, moves);
    if (this.#ended || mine !== this.#prepared) return;
    const seats = seated(position);
    const shown = { moves, position: seenPosition(position, seats.swapped), kind: "now" };
    const tried = start === this.state.start ? this.state.tried : [];
    this.#set({ start, before: moves, seats, game: null, error: null, shown, tried });
  }

  /** Open a game that there is, with the key of a link if there was one. */
  async open(id, key = null) {
    this.#key = key;
    this.#hear(await client.showGame(id, key), true);
    this.#follow(id);
  }

  #follow(id) {
    this.#unfollow();
    if (this.#ended) return;
    this.#unfollow = client.follow(id, this.#key, {
      changed: (game) => this.#hear(game, true),
      refused: (problem) => this.#set({ error: problem.message }),
      connected: (connected) => this.#set({ connected }),
    });
  }

  end() {
    this.#ended = true;
    this.#unfollow();
  }

  #set(patch) {
    this.#store.set(patch);
  }

  /** Take a game as the server has it; of two with one version the live one is the newer. */
  #hear(view, isLive) {
    const { game: known, shown } = this.state;
    const isSame = known && known.id === view.id;
    if (isSame && (view.version < known.version || (view.version === known.version && !isLive))) {
      return;
    }
    if (!isSame) this.#positions.clear();
    this.#remember(view.moves, view.position);
    const game = seenGame(view);
    const patch = { game, start: view.start, before: [], error: isSame ? this.state.error : null };
    if (!isSame || !shown || shown.kind === "now") {
      patch.shown = { moves: game.moves, position: game.position, kind: "now" };
      patch.preview = null;
    } else {
      patch.shown = { ...shown, kind: this.#kind(shown.moves, game.moves) };
    }
    const { line } = this;
    const isOurs = isSame || (known === null && this.state.seats !== null);
    this.#set(patch);
    if (isOurs) this.#announce(line, known?.sentence, game);
  }

  /** Say what has changed since a line of moves. */
  #announce(line, sentence, game) {
    const added = game.moves.slice(line.length);
    const grown = added.length > 0 && same(line, game.moves.slice(0, line.length));
    const side = (back) => ((back % 2 === 1) === (game.position.turn === "X") ? "O" : "X");
    const plays = grown
      ? added.map((move, at) => `${side(added.length - at)} plays ${move}.`)
      : game.moves.length < line.length
        ? ["Taken back."]
        : [];
    if (game.sentence && game.sentence !== sentence) say([...plays, game.sentence].join(" "));
    else if (plays.length > 0) say(`${plays.join(" ")} ${game.position.state}.`);
  }

  // Positions

  #remember(moves, position) {
    this.#positions.set(moves.join(" "), position);
  }

  /** Return the position after moves from the start, with the letters as the server has them. */
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
    return same(moves, line.slice(0, moves.length)) ? "past" : "variation";
  }

  /** Show the position after moves from the start, of the game's line or beside it. */
  async show(moves) {
    await this.#try(async () => {
      const position = await this.positionAfter(moves);
      const shown = { moves, position: seenPosition(position, this.swapped) };
      this.#set({ shown: { ...shown, kind: this.#kind(moves, this.line) }, preview: null });
    });
  }

  /** Show the game as it stands. */
  showNow() {
    return this.show(this.line);
  }

  /** Go along the shown line: back by -1, and on by 1 as far as the game's line goes. */
  step(by) {
    const { shown } = this.state;
    const to = shown.moves.length + by;
    if (by < 0) return to < 0 ? undefined : this.show(shown.moves.slice(0, to));
    return shown.kind === "past" ? this.show(this.line.slice(0, to)) : undefined;
  }

  // Playing

  /** What a move on the board would do: "play", "try" a variation, or null. */
  get mayMove() {
    const { game, shown, analysis } = this.state;
    if (!shown || shown.position.outcome) return null;
    if (shown.kind !== "now") return "try";
    if (!game) return analysis ? "try" : "play";
    if (game.can.includes("move")) return "play";
    return game.yours.length === 0 && game.result === "*" ? "try" : null;
  }

  /** Play a move, or try it where the game is not what is shown. */
  async move(text) {
    const may = this.mayMove;
    if (may === "try") await this.show([...this.state.shown.moves, text]);
    if (may !== "play") return;
    const isQueued = this.#waiting > 0;
    await this.#change(() => {
      const { game, start, before, seats } = this.state;
      // What was clicked while an answer was on its way may mean nothing any more.
      const isStale = isQueued && !(text in this.state.shown.position.moves);
      if (this.mayMove !== "play" || isStale) return null;
      if (game) return client.play(game.id, game.version, text);
      return openGame(start, [...before, text], seats);
    });
  }

  /** Open the game that is set up, where somebody else is to move first. */
  begin() {
    const { start, before, seats } = this.state;
    return this.#change(() => openGame(start, before, seats));
  }

  /** Ask for `undo`, `redo`, `resign` or `stop`. */
  change(what) {
    return this.#change(() => {
      const { game } = this.state;
      return game?.can.includes(what) ? client.change(game.id, game.version, what) : null;
    });
  }

  /** Open the next game of the series; returns its id, or null where it cannot be. */
  async rematch() {
    const { game } = this.state;
    let next = null;
    await this.#try(async () => {
      next = (await client.change(game.id, game.version, "rematch")).id;
    });
    return next;
  }

  /** Keep a variation with the game; not if somebody moves meanwhile: then it may be asked again. */
  keep(path) {
    return this.#change(async () => {
      const { game } = this.state;
      try {
        return await client.keep(game.id, game.version, path);
      } catch (problem) {
        if (problem.kind !== "conflict") throw problem;
        return client.showGame(game.id, this.#key);
      }
    }, false);
  }

  /** Take a variation out of the game again. */
  forget(path) {
    return this.#change(() => client.forget(this.state.game.id, this.state.game.version, path), false);
  }

  /** Say something of the last move of a line; nothing takes away what was said. */
  comment(path, text) {
    const comment = () => client.comment(this.state.game.id, this.state.game.version, path, text);
    return this.#change(comment, false);
  }

  /** Change the game, after what is on its way; it is shown as it stands then, if `isPlay`. */
  #change(act, isPlay = true) {
    this.#waiting += 1;
    this.#last = this.#last.then(async () => {
      await this.#try(async () => {
        const isNew = this.state.game === null;
        if (isPlay && this.state.shown.kind !== "now") await this.showNow();
        const game = await Promise.resolve(act()).catch((problem) => this.#refresh(problem));
        if (!game || this.#ended) return;
        this.#hear(game, false);
        if (isNew) {
          this.#opened(game.id);
          this.#follow(game.id);
        }
      });
      this.#waiting -= 1;
    });
    return this.#last;
  }

  /** Show a game that has gone on elsewhere as it is now, and pass the problem on. */
  async #refresh(problem) {
    const { game } = this.state;
    if (problem.kind === "conflict") this.#hear(await client.showGame(game.id, this.#key), true);
    throw problem;
  }

  /** Show a sentence on what went wrong. */
  tell(error) {
    this.#set({ error });
  }

  /** Do something, and show the sentence of what goes wrong. */
  async #try(act) {
    try {
      await act();
      if (this.state.error) this.#set({ error: null });
    } catch (problem) {
      if (problem.status === undefined) throw problem;
      this.#set({ error: problem.message });
    }
  }

  // What other parts of the page bring along

  setAnalysis(wanted) {
    this.#set({ analysis: wanted && !this.state.analysisRefused });
  }

  /** Say why nothing may be analysed now; null lets it be. */
  refuseAnalysis(analysisRefused) {
    this.#set({ analysisRefused, analysis: this.state.analysis && !analysisRefused });
  }

  setTried(tried) {
    this.#set({ tried });
  }

  setRemarks(remarks) {
    this.#set({ remarks });
  }

  setExercise(exercise) {
    this.#set({ exercise });
  }

  /** Show what the moves of a position are worth, while it is on the board; null for nothing. */
  setValues(position, values) {
    this.#set({ values: values && { position, values } });
  }

  /** Show where moves lead from what is shown, or from the end of another line; null ends it. */
  async preview(moves, line = this.state.shown.moves) {
    this.#wanted = moves;
    if (!moves) {
      this.#set({ preview: null });
      return;
    }
    const { shown } = this.state;
    const both = Promise.all([this.positionAfter(line), this.positionAfter([...line, ...moves])]);
    const positions = await both.catch(() => null);
    if (!positions || this.#wanted !== moves || this.state.shown !== shown) return;
    const [from, position] = positions.map((each) => seenPosition(each, this.swapped));
    this.#set({ preview: { moves, position, from } });
  }

  /**
   * Offer something to do: {id, label, place: "row" or "menu", run, enabled}. A row has the buttons
   * `hint` and those that the page has itself; everything else belongs in the menu.
   */
  offer(offered) {
    this.#set({ offers: [...this.state.offers.filter(({ id }) => id !== offered.id), offered] });
  }
}
