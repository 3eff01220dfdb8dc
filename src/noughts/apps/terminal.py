"""A game at the terminal: questions, rounds, commands at the prompt, the running score.

set_up() ──► Table ──► round: board, entry or machine's move, … ──► score ──► round …
                         ▲            │
                         └─ moves, undo, redo, hint, analyse, save, help, quit
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import partial
from itertools import islice
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table as Grid
from rich.text import Text

import noughts
from noughts import search
from noughts.apps.command import to_go_on
from noughts.arena.player import Opponent, parse_opponent
from noughts.arena.round import Round
from noughts.engine import Engine, is_native
from noughts.games import record
from noughts.games.nested import NestedPosition
from noughts.games.position import IllegalMove, NotationError, Player, Position
from noughts.games.registry import GAMES, game, parse_moves
from noughts.games.row import RowPosition
from noughts.search import Limit, SearchResult
from noughts.views.explain import Sentence, sentences, what_it_does
from noughts.views.text import ASCII, UNICODE, Look, board
from noughts.views.words import outcome_sentence

SHOWN_LINES = 2
"""How many lines of a proof are printed; `--json` has them all."""
HINT = Limit(nodes=1_000_000, seconds=3)
"""How far `hint` and `analyse` look; the nodes are less than a second of the native engine's."""

HELP = """\
{example} plays a move{list}
moves         list the legal moves
undo, redo    take your last move back, or play it again
hint          suggest a move
analyse       the value of every move: W 3 wins in 3 plies, L 4 loses in 4, D draws, +0.42 a guess
save FILE     append the game to FILE (.jsonl for JSON lines, else text)
help          show this
quit          leave"""


class Leave(Exception):
    """The person wants to leave."""


class Screen:
    """Where things are shown and asked: a real terminal, or a pipe."""

    def __init__(self, ascii_only: bool = False) -> None:
        self.console = Console(highlight=False)
        self.real = self.console.is_terminal and sys.stdin.isatty()
        encoding = (self.console.encoding or "").lower()
        plain = ascii_only or not self.console.is_terminal or not encoding.startswith("utf")
        self.lines = ASCII if plain else UNICODE

    def say(self, text: str | Text = "", style: str = "") -> None:
        self.console.print(text, style=style, markup=False, soft_wrap=True)

    def clear(self) -> None:
        if self.real:
            self.console.clear()
        else:
            self.say()

    def ask(self, prompt: str) -> str:
        """Return the line that a person typed.

        Raises:
            Leave: the input has ended.
        """
        self.console.file.flush()
        try:
            line = input(prompt)
        except EOFError:
            self.say()
            raise Leave from None
        if not sys.stdin.isatty():
            self.say(line)
        return line.strip()

    def answer(self, question: str) -> str:
        """Return the answer to a question before a game.

        Raises:
            Leave: it is `quit` or `exit`, or the input has ended.
        """
        answer = self.ask(question)
        if answer.lower() in ("quit", "exit"):
            raise Leave
        return answer

    def choose(self, question: str, answers: dict[str, str], default: str, other: str = "") -> str:
        """Return the chosen one of `answers` (key to description), asked until it is one."""
        self.say()
        self.say(question, "bold")
        menu = Grid.grid(padding=(0, 2, 0, 0))
        for number, (key, about) in enumerate(answers.items(), 1):
            menu.add_row(f"  {number}", Text(key), Text(about, "bright_black"))
        self.console.print(menu)
        keys = list(answers)
        while True:
            entry = self.answer(f"{other or 'number or name'} [{default}]: ").lower() or default
            if entry.isdecimal() and 1 <= int(entry) <= len(keys):
                return keys[int(entry) - 1]
            if entry in answers or (other and ":" in entry):
                return entry
            self.say(f"{entry!r} is not one of them: type a number from 1 to {len(keys)}")


def set_up(screen: Screen, seed: int | None) -> tuple[Position, dict[Player, Opponent], bool]:
    """Ask for the game, the letter, who starts and how strong; return what a `Table` needs."""
    while True:
        rules_id = screen.choose(
            "Which game?",
            {name: family.about for name, family in GAMES.items()},
            "basic",
            "number, name, or rules id such as ultimate:tie=boards",
        )
        if rules_id == "mnk":
            rules_id = f"mnk:{screen.answer('columns,rows,in a row [5,5,4]: ') or '5,5,4'}"
        try:
            start = game(rules_id)
            break
        except NotationError as error:
            screen.say(str(error))
    strengths = {
        "random": "plays any legal move",
        "engine:level=1": "a beginner can win",
        "engine:level=4": "a careful player can win",
        "engine:level=7": "a strong player",
        "engine": "full strength",
        "human": "another person at this keyboard",
    }
    usual = "engine:level=4"
    if not is_native(start):
        strengths = {key: about for key, about in strengths.items() if "engine" not in key}
        usual = "alphabeta"
        strengths[usual] = "looks some plies ahead"
    if isinstance(start, RowPosition) and start.rules.size <= 9:
        strengths["perfect"] = "never errs"
    who = screen.choose("Against whom?", strengths, usual, "number, name, or one with options")
    opponent = parse_opponent(who, seed)
    person = parse_opponent("human")
    if opponent.choose is None:
        return start, {Player.X: person, Player.O: person}, False
    letter = screen.choose("Your letter?", {"x": "crosses", "o": "noughts"}, "x")
    first = screen.choose("Who starts?", {"me": "you", "machine": opponent.text}, "me") == "me"
    sides = {Player.X: person, Player.O: opponent}
    if not first:
        sides = {Player.X: opponent, Player.O: person}
    # Inside, X moves first; a person who wants it otherwise sees the letters swapped.
    return start, sides, (letter == "o") == first


class Table:
    """Two opponents and a game, played in rounds until somebody leaves."""

    def __init__(
        self,
        screen: Screen,
        start: Position,
        sides: dict[Player, Opponent],
        *,
        moves: Sequence[int] = (),
        swapped: bool = False,
        save: Path | None = None,
    ) -> None:
        self.screen = screen
        self.start = start
        self.sides = sides
        self.look = Look(screen.lines, swapped)
        self.save = save
        self.resume = "noughts play"
        self.opening = tuple(moves)
        self.round = self.new_round()
        self.note = Text()
        self.wins = dict.fromkeys(Player, 0)
        self.draws = 0
        self.commands: dict[str, Callable[[], None]] = {
            "moves": self.show_moves,
            "undo": self.undo,
            "redo": self.redo,
            "hint": self.hint,
            "analyse": self.analyse,
            "help": self.help,
        }

    @property
    def position(self) -> Position:
        return self.round.position

    @property
    def alone(self) -> bool:
        """Whether one person plays against a machine."""
        return sum(side.choose is None for side in self.sides.values()) == 1

    def letters(self, text: str) -> str:
        """Return `text` with the letters that the person chose."""
        if not self.look.swapped:
            return text
        return re.sub(r"\b[XO]\b", lambda letter: "O" if letter[0] == "X" else "X", text)

    def name(self, player: Player) -> str:
        side = self.sides[player]
        who = "you" if side.choose is None and self.alone else side.text
        return f"{self.look.letter(player)} ({who})"

    def run(self) -> None:
        """Play rounds until a person leaves, or one round of machines.

        Raises:
            OpponentFailed: a machine has no move.
        """
        try:
            self.play_round()
            while any(side.choose is None for side in self.sides.values()) and self.again():
                self.play_round()
        except Leave:
            self.farewell()
        except KeyboardInterrupt:
            self.screen.say()
            self.farewell()
            raise

    def new_round(self) -> Round:
        """Return a round in which only the opening has been played."""
        names = {str(player): self.sides[player].text for player in Player}
        tags = {**names, "Date": date.today().isoformat()}
        return Round(record.Record.from_moves(self.start, self.opening, tags))

    def play_round(self) -> None:
        """Play one round to its end."""
        self.round = self.new_round()
        self.note = Text()
        while self.position.outcome() is None:
            self.show_board()
            choose = self.sides[self.position.turn].choose
            if choose is None:
                self.take_entry()
            else:
                self.take_move(choose)
        self.show_board()
        self.finish()

    def take_move(self, choose: Callable[[Position], SearchResult]) -> None:
        """Let a machine move, and note what it did."""
        position = self.position
        name = self.name(position.turn)
        if self.screen.real:
            self.screen.say(f"{name} thinks …", "bright_black")
        result = choose(position)
        assert result.move is not None
        self.round.play(result.move)
        self.note = Text.assemble(
            (name, self.look.style(position.turn)),
            f" plays {position.move_text(result.move)}",
        )
        if result.nodes > 1:
            work = f"{result.simulations:,} simulations, " if result.simulations else ""
            work += f"{result.nodes:,} nodes, {result.seconds:.2f} s, its view: {result.value}"
            self.note.append(f"   {work}", "bright_black")

    def take_entry(self) -> None:
        """Ask a person for a move or a command until the position has changed."""
        position = self.position
        forced = position.forced if isinstance(position, NestedPosition) else None
        where = "" if forced is None else f", board {forced + 1}"
        while self.position is position:
            entry = self.screen.ask(f"{self.name(position.turn)}{where}: ")
            command, _, rest = entry.partition(" ")
            command = command.lower()
            if command in ("quit", "exit"):
                raise Leave
            if command == "save":
                self.save_to(rest.strip())
            elif entry.lower() in self.commands:
                self.commands[entry.lower()]()
            else:
                self.enter(entry)

    def enter(self, entry: str) -> None:
        """Play the move, or the moves, of an entry, or say what is wrong with it."""
        position = self.position
        try:
            moves = [position.parse_entry(entry)]
        except IllegalMove as error:
            reason = error.reason
            if len(entry.split()) < 2 or self.alone:
                self.screen.say(self.letters(reason), "bold")
                return
            try:
                moves = parse_moves(position, entry)
            except IllegalMove as list_error:
                self.screen.say(self.letters(list_error.reason), "bold")
                return
        self.note = Text()
        for move in moves:
            self.round.play(move)

    def undo(self) -> None:
        """Take back the last move, and the machine's answer to it."""
        if self.round.undo(self.position.turn if self.alone else None):
            self.note = Text()
        else:
            self.screen.say("there is no move of yours to take back")

    def redo(self) -> None:
        """Play again what was taken back last."""
        if not self.round.redo(self.position.turn if self.alone else None):
            self.screen.say("there is nothing to redo")

    def show_moves(self) -> None:
        texts = [self.position.move_text(move) for move in self.position.legal_moves()]
        self.screen.say(" ".join(texts))

    def hint(self) -> None:
        def lines(result: SearchResult) -> list[Text]:
            assert result.move is not None
            return [Text(f"{self.position.move_text(result.move)} ({result.value})")]

        result = self._watch(lines)
        if result.move is not None:
            facts = what_it_does(self.position, result.move, result.value)
            for sentence in sentences(self.position, islice(facts, 1)):
                self.screen.say(self.letters(sentence.text))

    def analyse(self) -> None:
        self._watch(partial(analysis_lines, self.position))

    def _watch(self, lines: Callable[[SearchResult], list[Text]]) -> SearchResult:
        result = watch(self.screen.console, analysis(self.position, HINT), lines)
        for line in lines(result):
            self.screen.say(line)
        return result

    def help(self) -> None:
        moves = self.position.legal_moves()
        example = self.position.move_text(moves[len(moves) // 2])
        line = "" if self.alone else "; several in a line are played one after the other"
        self.screen.say(HELP.format(example=f"{example:<13}", list=line))

    def save_to(self, name: str) -> None:
        """Append the game to the file `name`."""
        if not name:
            self.screen.say("save where? type: save FILE")
            return
        try:
            record.append(Path(name).expanduser(), self.round.record)
        except OSError as error:
            self.screen.say(f"not saved: {error.strerror or error} ({name})", "bold")
            return
        self.screen.say(f"saved to {name}")

    def show_board(self) -> None:
        position = self.position
        before = self.round.positions[-2:-1]
        cell = None
        if before and isinstance(before[0], RowPosition | NestedPosition):
            cell = before[0].cell(self.round.moves[-1])
        if any(side.choose is None for side in self.sides.values()):
            self.screen.clear()
        self.screen.say(board(position, cell, self.look))
        self.screen.say()
        if self.note:
            self.screen.say(self.note)

    def finish(self) -> None:
        """Say who has won, count it, and keep the record if that was asked for."""
        position = self.position
        outcome = position.outcome()
        assert outcome is not None
        self.screen.say(self.letters(outcome_sentence(position)), "bold")
        if outcome.winner is None:
            self.draws += 1
        else:
            self.wins[outcome.winner] += 1
        if self.save is not None:
            self.save_to(str(self.save))
        score = ", ".join(f"{self.name(player)} {self.wins[player]}" for player in Player)
        self.screen.say(f"Score: {score}, draws {self.draws}")

    def again(self) -> bool:
        """Ask for another round; with `swap` the sides change."""
        while True:
            entry = self.screen.ask("Another round? [yes], swap sides, no: ").lower()
            if entry in ("", "y", "yes"):
                return True
            if entry in ("n", "no", "quit", "exit"):
                return False
            if entry in ("s", "swap", "swap sides"):
                self.sides = {player: self.sides[player.other] for player in Player}
                self.wins = {player: self.wins[player.other] for player in Player}
                return True
            self.screen.say(f"{entry!r} is not an answer: type yes, swap or no")

    def farewell(self) -> None:
        """Leave without losing anything: the game so far can be gone on with."""
        if not self.round.moves or self.round.is_over:
            self.screen.say("Goodbye.")
            return
        if self.save is not None:
            self.save_to(str(self.save))
        self.screen.say("Goodbye. To go on:")
        sides = {player: side.text for player, side in self.sides.items()}
        swapped = self.look.swapped
        self.screen.say(to_go_on(self.resume, self.start, sides, self.round.moves, swapped))


def analysis(position: Position, limit: Limit) -> Iterator[SearchResult]:
    """Yield better and better values of every move: natively, where the core knows the game."""
    if is_native(position):
        return Engine(position.rules_id).every_move(position, limit)
    return search.analyse(position, limit)


def watch(
    console: Console,
    results: Iterable[SearchResult],
    lines: Callable[[SearchResult], Sequence[Text]],
) -> SearchResult:
    """Return the last result; on a real terminal, show each as it comes until then."""
    with Live(console=console, transient=True, auto_refresh=False) as live:
        for last in results:
            if console.is_terminal:
                live.update(Group(*lines(last)), refresh=True)
    return last


def analysis_lines(position: Position, result: SearchResult) -> list[Text]:
    """Return the values of all moves, best first, and what the search did."""
    ranked = sorted(result.scores.items(), key=lambda item: -item[1].rank)
    texts = [f"{position.move_text(move)} {value}" for move, value in ranked]
    width = max(map(len, texts)) + 3
    per_line = max(1, 80 // width)
    lines = [
        Text("".join(text.ljust(width) for text in texts[index : index + per_line]).rstrip())
        for index in range(0, len(texts), per_line)
    ]
    line = " ".join(noughts.move_texts(position, result.pv))
    work = f"{result.nodes:,} nodes, depth {result.depth}, {result.seconds:.2f} s"
    return [*lines, Text(f"{work}, line {line}", "bright_black")]


def show_position(screen: Screen, position: Position, last: int | None = None) -> None:
    """Print the board, and an empty line."""
    screen.say(board(position, last, Look(screen.lines)))
    screen.say()


def show_sentences(
    console: Console, position: Position, said: Sequence[Sentence], indent: int = 0
) -> None:
    """Print sentences, under each the lines that prove it."""

    def show(text: str, indent: int, style: str = "") -> None:
        margin = " " * indent
        width = min(console.width, 100)
        wrapped = textwrap.wrap(text, width, initial_indent=margin, subsequent_indent=margin)
        console.print(Text("\n".join(wrapped), style))

    for sentence in said:
        show(sentence.text, indent)
        fact = sentence.fact
        # The move alone has been named.
        lines = [line for line in fact.lines if line != (fact.move,)]
        for line in lines[:SHOWN_LINES]:
            show(" ".join(noughts.move_texts(position, line)), indent + 4, "bright_black")
        more = len(lines) - SHOWN_LINES
        if more > 0:
            text = f"and {more} more line{'s' if more > 1 else ''} (--json)"
            show(text, indent + 4, "bright_black")
