"""A game at the terminal: rounds, commands at the prompt, the running score.

TerminalGame ──► round: board, entry or computer's move, … ──► score ──► round …
                            │
                            └─ a move or a command: moves, undo, redo, hint, analyse, new, …
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import date
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from shlex import quote

from rich.text import Text

from noughts.arena.swap2 import next_step
from noughts.cli.output import fail_to_write, progress, resume_command
from noughts.cli.terminal import Quit, Terminal, analysis_lines, watch
from noughts.explain.hint import hint
from noughts.explain.lesson import lesson
from noughts.games import record
from noughts.games.drawing import ASCII, Look
from noughts.games.letters import shown_text
from noughts.games.nested import NestedPosition
from noughts.games.phrases import phrase
from noughts.games.position import IllegalMove, Player, Position, move_texts
from noughts.games.progress import GameInProgress
from noughts.games.row import RowPosition
from noughts.games.series import NO_SCORE, Score, Series, exchanged
from noughts.games.swap2 import Choice, Swap2
from noughts.games.words import count, title_and_rule
from noughts.judgement.judge import ALL_THREADS, Judge, analysed
from noughts.opponents import Opponent
from noughts.views.text import STYLES, board
from noughts.views.values import words

HELP = """\
{example} plays a move
moves         list the legal moves
rules         explain the rules
undo, redo    take back your last move, or replay it
hint          suggest a move, and say why
analyse       the value of every move: win 2 wins in 2 moves; 71% is an expected score
new, resign   start a new game, or give this one up
save FILE     append the game to FILE (.jsonl for JSON lines, else text)
help          show this
quit          leave"""
SYNONYMS = {"?": "help", "analyze": "analyse", "restart": "new", "exit": "quit", "q": "quit"}

AGAIN = "Play again? yes, swap (sides), review, undo, no [yes]: "


class TerminalGame:
    """A game between two opponents, played in rounds until a person quits.

    Args:
        terminal: where the game is shown.
        start: first position.
        sides: the opponents; with swap2 that of X is player 1, whatever the choices.
        moves: opening moves of every round.
        swapped: whether X is shown as O, and O as X.
        swap2: the choices of swap2 made in the opening of every round.
        seed: of the stones that a computer places in swap2.
        save: file that every game is appended to.
        resume: command that opens a game, for the last line when a person quits.
    """

    def __init__(
        self,
        terminal: Terminal,
        start: Position,
        sides: dict[Player, Opponent],
        *,
        moves: Sequence[int] = (),
        swapped: bool = False,
        swap2: Swap2 | None = None,
        seed: int | None = None,
        save: Path | None = None,
        resume: str = "noughts play",
    ) -> None:
        self.terminal = terminal
        self.start = start
        self.players = sides
        self.look = Look(terminal.lines, swapped)
        self.save = save
        self.resume = resume
        self.opening = tuple(moves)
        self.swap2 = swap2
        self.made = () if swap2 is None else swap2.made
        self.rng = random.Random(seed)
        self.series = self.new_game(NO_SCORE)
        self.note = Text()
        self.commands: dict[str, Callable[[], None]] = {
            "moves": self.show_moves,
            "rules": self.show_rules,
            "undo": self.undo,
            "redo": self.redo,
            "hint": self.hint,
            "analyse": self.analyse,
            "new": self.restart,
            "resign": self.resign,
            "help": self.help,
            "quit": self.quit,
        }

    @property
    def round(self) -> GameInProgress:
        return self.series.round

    @property
    def position(self) -> Position:
        return self.round.position

    @property
    def sides(self) -> dict[Player, Opponent]:
        """The opponents by the sides that they have now."""
        if self.swap2 is None or not self.swap2.is_swapped:
            return self.players
        return {player: self.players[player.other] for player in Player}

    @property
    def names(self) -> dict[Player, str]:
        """The names in records; two people in swap2 are player 1 and player 2."""
        if self.swap2 is None or not all(side.is_human for side in self.sides.values()):
            return {player: side.text for player, side in self.sides.items()}
        return {player: f"player {self.swap2.player_of(player)}" for player in Player}

    @property
    def turn(self) -> Player:
        """The side whose player acts: moves, or in swap2 places a stone or chooses."""
        if self.swap2 is None:
            return self.position.turn
        return self.swap2.side_of(self.swap2.player_at(len(self.round.moves)))

    @property
    def people(self) -> int:
        """Number of sides played by a person."""
        return len(self.series.people)

    def letters(self, text: str) -> str:
        """Return `text` with the letters X and O as they are shown."""
        return shown_text(text, self.look.swapped)

    def name(self, player: Player) -> str:
        side = self.sides[player]
        who = "you" if side.is_human and self.people == 1 else self.names[player]
        return f"{self.look.shown(player)} ({who})"

    def run(self) -> None:
        """Play rounds until a person quits; two computers play one round.

        Raises:
            OpponentFailed: a computer has no move.
        """
        try:
            self.play_round()
            while self.people and self.again():
                self.play_round()
        except Quit:
            self.farewell()
        except KeyboardInterrupt:
            self.terminal.say()
            self.farewell()
            raise

    def new_game(self, score: Score) -> Series:
        """Return a game that begins after the opening.

        Args:
            score: by the sides that the players have now; swap2 gives them those of the opening.
        """
        if self.swap2 is not None:
            was_swapped, self.swap2 = self.swap2.is_swapped, Swap2(self.made)
            score = score if was_swapped == self.swap2.is_swapped else exchanged(score)
        tags = {**self.name_tags(), "Date": date.today().isoformat()}
        kept = record.Record.from_moves(self.start, self.opening, tags)
        if self.swap2 is not None:
            self.swap2.tag(kept)
        return Series(GameInProgress(kept), self.people_now(), score)

    def people_now(self) -> list[Player]:
        """Return the sides that people have now."""
        return [player for player in Player if self.sides[player].is_human]

    def name_tags(self) -> dict[str, str]:
        return {str(player): name for player, name in self.names.items()}

    def play_round(self) -> None:
        """Play one round to its end."""
        self.note = Text()
        while not self.round.is_over:
            self.show_board()
            side = self.sides[self.turn]
            if side.is_human:
                self.take_entry()
            elif self.swap2 is None or self.swap2.is_decided:
                self.take_move(side)
            else:
                self.take_step(side, self.swap2)
        self.show_board()
        self.finish()

    def take_move(self, side: Opponent) -> None:
        """Play the move of a computer, and describe its search."""
        position = self.position
        name = self.name(position.turn)
        if self.terminal.real:
            self.terminal.say(f"{name} is thinking …", "bright_black")
        result = side.choose(position)
        assert result.move is not None
        self.round.play(result.move)
        self.note = Text.assemble(
            (name, STYLES[self.look.shown(position.turn)]),
            f" plays {position.move_text(result.move)}",
        )
        if result.nodes > 1:
            simulations = result.simulations
            work = f"{count(simulations, 'simulation')}, " if simulations else ""
            work += f"{result.nodes:,} nodes, {result.seconds:.2f} s, "
            work += f"its view: {words(result.value)}"
            self.note.append(f"   {work}", "bright_black")

    def take_step(self, side: Opponent, swap2: Swap2) -> None:
        """Place the stones of a computer, or make its choice."""
        position, name = self.position, side.name
        if self.terminal.real:
            self.terminal.say(f"{name} is thinking …", "bright_black")
        step = next_step(side, position, swap2, self.rng.getrandbits(32))
        texts = " ".join(move_texts(position, step.moves))
        if step.choice is None:
            said = f"{name} places {texts}."
        elif step.choice == "more":
            said = f"{name} adds {texts}."
        else:
            said = f"{name} chooses {step.choice}{' and plays ' if texts else ''}{texts}."
        if step.choice is not None:
            self.decide(step.choice)
        for move in step.moves:
            self.round.play(move)
        self.note = Text(said)

    def take_entry(self) -> None:
        """Ask a person for a move, a choice or a command, until something has changed."""
        played, position, prompt = self.round, self.position, self.prompt()
        while self.round is played and self.position is position and not played.is_over:
            if self.prompt() != prompt:
                return
            entry = self.terminal.ask(prompt)
            command = SYNONYMS.get(entry.lower(), entry.lower())
            word, _, rest = entry.partition(" ")
            if command in self.commands:
                self.commands[command]()
            elif word.lower() == "save":
                self.save_to(rest.strip())
            elif self.choices:
                self.choose(entry)
            else:
                self.enter(entry)

    def prompt(self) -> str:
        """Return the text that asks for the next entry."""
        position, count = self.position, len(self.round.moves)
        is_alone = self.people == 1
        if self.swap2 is not None and self.choices:
            your = "Your" if is_alone else f"Player {self.swap2.chooser(count)}, your"
            return f"{your} side: {', '.join(self.choices)}? "
        if self.swap2 is not None and (placer := self.swap2.stones_of(count)):
            stone = "your stone" if is_alone else f"a stone of player {placer}"
            return f"{position.turn} ({stone}): "
        forced = position.forced if isinstance(position, NestedPosition) else None
        where = "" if forced is None else f", board {forced + 1}"
        return f"{self.name(position.turn)}{where}: "

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The choices of swap2 that are due."""
        return () if self.swap2 is None else self.swap2.choices_at(len(self.round.moves))

    def choose(self, entry: str) -> None:
        """Make the choice of swap2 that was typed."""
        chosen = next((each for each in self.choices if each.lower() == entry.lower()), None)
        if chosen is None:
            can_add = "more" in self.choices
            wanted = "O, X or more: with more you place an O and an X" if can_add else "O or X"
            self.terminal.say(f"Type {wanted}.", "bold")
            return
        self.note = Text()
        self.decide(chosen)

    def decide(self, choice: Choice) -> None:
        """Make a choice of swap2 that is due."""
        assert self.swap2 is not None
        made = Swap2(self.swap2.made)
        made.choose(choice, len(self.round.moves))
        self.round.undone.clear()
        self.sit(made)

    def sit(self, swap2: Swap2) -> None:
        """Give the players the sides that the choices of swap2 say."""
        assert self.swap2 is not None
        was_swapped, self.swap2 = self.swap2.is_swapped, swap2
        swap2.tag(self.round.record)
        if was_swapped != swap2.is_swapped:
            score = exchanged(self.series.score)
            self.series = self.series._replace(score=score, people=self.people_now())
            self.round.record.tags.update(self.name_tags())

    def enter(self, entry: str) -> None:
        """Play the move that was typed, or print the reason why it is refused."""
        try:
            move = self.position.parse_entry(entry)
        except IllegalMove as error:
            said = self.letters(str(error))
            known = [*self.commands, *SYNONYMS, "save"]
            if not entry:
                said = f"{said.removesuffix('.')}, or `help`."
            elif near := get_close_matches(entry.lower(), known, 1, 0.7):
                said += f" Did you mean `{near[0]}`?"
            self.terminal.say(said, "bold")
            return
        self.note = Text()
        self.round.play(move)

    def undo(self) -> None:
        """Take back the last move or choice, and the computer's reply to it."""
        if self.swap2 is None:
            is_done = self.series.undo()
        elif act := self.swap2.last_act(len(self.round.moves), self.series.person):
            self.round.go_back(act.moves)
            self.sit(Swap2(act.made))
            is_done = True
        else:
            is_done = False
        if is_done:
            self.note = Text()
        else:
            self.terminal.say("There is no move of yours to take back.")

    def redo(self) -> None:
        """Replay the move that was taken back last."""
        if self.choices:
            self.terminal.say("Choose a side first.")
        elif not self.round.undone:
            self.terminal.say("There is nothing to redo.")
        elif self.swap2 is None:
            self.series.redo()
        else:
            self.round.redo()
            while self.round.undone and not self.choices and self.turn not in self.series.people:
                self.round.redo()

    def restart(self) -> None:
        """Start a new round, after saving the unfinished one if games are saved."""
        self.save_unfinished()
        self.series = self.new_game(self.series.score)
        self.note = Text()

    def resign(self) -> None:
        """End the round: the person who acts gives up, or the one who plays a computer."""
        if self.swap2 is None:
            self.series.resign()
        else:
            people = self.series.people
            self.round.resign(self.turn if self.turn in people else next(iter(people)))

    def quit(self) -> None:
        raise Quit

    def show_moves(self) -> None:
        texts = [self.position.move_text(move) for move in self.position.legal_moves()]
        self.terminal.say(" ".join(texts))

    def hint(self) -> None:
        waiting = Text("Searching for a hint…")
        result = watch(self.terminal.console, analysed(self.position), lambda _: [waiting])
        self.terminal.say(self.letters(" ".join(map(str, hint(self.position, result)))))

    def analyse(self) -> None:
        lines = partial(analysis_lines, self.position)
        for line in lines(watch(self.terminal.console, analysed(self.position), lines)):
            self.terminal.say(line)

    def show_rules(self) -> None:
        """Print the rules of the game, as the page's lesson has them."""
        told = lesson(self.start)
        self.terminal.say(f"{told.title}. {told.rule}")
        for step in told.steps:
            self.terminal.say(f"- {step.sentence}")
        for title, text in told.notes:
            self.terminal.say(f"- {title}: {text[:1].lower()}{text[1:]}")

    def help(self) -> None:
        moves = self.position.legal_moves()
        example = self.position.move_text(moves[len(moves) // 2])
        self.terminal.say(HELP.format(example=f"{example:<13}"))

    def save_to(self, name: str) -> None:
        """Append the game to the file `name`."""
        if not name:
            self.terminal.say("Name a file: save FILE.")
            return
        path = Path(name).expanduser()
        try:
            record.append(path, self.round.record)
        except OSError as error:
            if not self.people:
                fail_to_write(path, error, "--save")
            self.terminal.say(f"Cannot write {name}: {error.strerror or error}.", "bold")
            return
        self.terminal.say(f"Saved to {name}.")

    def save_unfinished(self) -> None:
        """Save the round if games are saved and it has begun."""
        if self.save is not None and self.round.moves:
            self.save_to(str(self.save))

    def show_board(self) -> None:
        position = self.position
        before = self.round.positions[-2:-1]
        cell = None
        if before and isinstance(before[0], RowPosition | NestedPosition):
            cell = before[0].cell(self.round.moves[-1])
        if self.people:
            self.terminal.clear()
        if len(self.round.moves) == len(self.opening):
            self.introduce()
        self.terminal.say(board(position, cell, self.look))
        self.terminal.say()
        if self.note:
            self.terminal.say(self.note)

    def introduce(self) -> None:
        """Print the title, the rule, the players and a pointer to `help`."""
        title, rule = title_and_rule(self.start)
        times = "x" if self.look.lines is ASCII else "×"
        self.terminal.say(Text.assemble((title.replace("×", times), "bold"), "."))
        self.terminal.say(rule.replace("×", times))
        said = [f"{self.look.shown(player)}: {self.sides[player].name}." for player in Player]
        if self.people == 1:
            person = next(player for player, side in self.sides.items() if side.is_human)
            opponent = self.sides[person.other].name
            you = str(self.look.shown(person))
            if self.swap2 is not None and not self.swap2.is_decided:
                you = f"player {self.swap2.player_of(person)}"
            said = [f"You are {you}, against {opponent}."]
        elif self.swap2 is not None:
            said = []
        if self.swap2 is not None:
            rule = str(phrase("swap2"))
            said = [f"Swap2: {rule[:1].lower()}{rule[1:]}", *said]
        if self.people:
            said.append("Type `help` for commands.")
        self.terminal.say(" ".join(said) + "\n")

    def finish(self) -> None:
        """Print the result and the score, and save the game if games are saved."""
        self.terminal.say(self.letters(self.round.ending or ""), "bold")
        if self.save is not None:
            self.save_to(str(self.save))
        total = self.series.total()
        score = ", ".join(f"{self.name(player)} {total[player]}" for player in Player)
        self.terminal.say(f"Score: {score}, draws {total[None]}")
        saved = "" if self.save is None else f", or later: noughts review {quote(str(self.save))}"
        if self.people:
            self.terminal.say(f"See why: review{saved}")

    def again(self) -> bool:
        """Ask for another round; with `swap` the sides change, with `undo` this one continues."""
        while True:
            entry = self.terminal.ask(AGAIN).lower()
            if entry in ("", "y", "yes", "new", "restart"):
                self.series = self.new_game(self.series.total())
                return True
            if entry in ("n", "no", "quit", "exit"):
                return False
            if entry in ("s", "swap", "swap sides"):
                self.players = {player: self.players[player.other] for player in Player}
                self.series = self.new_game(self.series.following_score())
                return True
            if SYNONYMS.get(entry, entry) == "undo":
                self.undo()
                if not self.round.is_over:
                    return True
                continue
            if entry in ("r", "review"):
                self.review()
                continue
            self.terminal.say("Type yes, swap, review, undo or no.")

    def review(self) -> None:
        """Print the review of the finished round."""
        from noughts.cli.review_text import show_review
        from noughts.explain.review import review

        with progress("reviewing") as show:
            remarks = review(self.round.record, Judge(self.start, threads=ALL_THREADS), show)
        self.terminal.say()
        show_review(self.terminal.console, self.round.record, remarks)

    def farewell(self) -> None:
        """Print goodbye, and for an unfinished game the command that resumes it."""
        if not self.round.moves or self.round.is_over:
            self.terminal.say("Goodbye.")
            return
        self.save_unfinished()
        self.terminal.say("Goodbye. To resume:")
        sides = {player: side.text for player, side in self.players.items()}
        resume = self.resume if self.swap2 is None else f"{self.resume} --opening {self.swap2}"
        command = resume_command(resume, self.start, sides, self.round.moves, self.look.swapped)
        self.terminal.say(command)
