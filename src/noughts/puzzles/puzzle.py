"""Puzzles: what one is, its line in a file, and the installed sets.

    POSITION  KIND  MOVES  THEMES  RATING  SOLVED         separated by tabs

KIND is `win 3`, `draw`, `hold` or `keep`. MOVES is the solution, both sides. SOLVED counts, for
each level from 1 to 10, how often it played the first move in `TRIES` tries.
"""

from __future__ import annotations

import datetime
import hashlib
import random
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

from noughts.games.catalogue import file_stem
from noughts.games.position import Player, Position, move_texts, parse_moves
from noughts.games.registry import position as parse_position
from noughts.games.words import count

EASIEST_OF_DAY = 1.0
"""Puzzles below this rating are never the puzzle of the day."""
TRIES = 8
"""Tries of each level in a rating."""
GAMES = (
    "basic",
    "mnk:3,3,3,misere",
    "mnk:5,5,4",
    "mnk:15,15,5",
    "connect4",
    "advanced",
    "ultimate",
)
"""The rules ids with installed puzzles, in the order of lists."""
KEEP_GAMES = ("advanced",)
"""The rules ids with a second file, which has puzzles of the kind `keep`."""
Level = Literal["easy", "medium", "hard"]
Kind = Literal["win", "draw", "hold", "keep"]
LEVELS: dict[Level, tuple[float, float]] = {
    "easy": (0.0, 3.5),
    "medium": (3.5, 6.5),
    "hard": (6.5, 12.0),
}
"""Difficulties, each with the ratings from the first number up to the second."""
KINDS: tuple[Kind, ...] = ("win", "draw", "hold", "keep")
TASKS: dict[Kind, str] = {
    "draw": "only one move draws",
    "hold": "only one move does not lose",
    "keep": "only one move keeps the win",
}
"""The tasks without a number of moves."""


class BadPuzzles(ValueError):
    """A file of puzzles is damaged; the message says where."""


class Puzzle(NamedTuple):
    """A position with a proven, unique best move."""

    position: Position
    kind: Kind
    """`win`: the first move is the only one that wins within `moves` own moves; `draw`: the only
    one that draws, all others lose; `hold`: the only one that does not lose, all others lose;
    `keep`: the only one that wins, however long that takes, all others draw or lose."""
    moves: int
    """Own moves of the solution."""
    line: tuple[int, ...]
    """The solution, with the replies that last longest."""
    themes: tuple[str, ...]
    rating: float
    """The level that plays the first move half of the time, 0 to 11 (`puzzles.rating`)."""
    solved: tuple[int, ...]
    """How often each level played the first move, of `TRIES` tries."""

    @property
    def id(self) -> str:
        """Ten hexadecimal digits that name the position."""
        return hashlib.sha256(str(self.position).encode()).hexdigest()[:10]

    @property
    def player(self) -> Player:
        """The player who solves."""
        return self.position.turn

    @property
    def level(self) -> Level:
        """The difficulty: `easy`, `medium` or `hard`."""
        return next(name for name, (_, below) in LEVELS.items() if self.rating < below)

    @property
    def task(self) -> str:
        """The task in one sentence, such as `X to move wins in 3 moves.`"""
        if self.kind == "win":
            return f"{self.player} to move wins in {count(self.moves, 'move')}."
        return f"{self.player} to move: {TASKS[self.kind]}."

    def __str__(self) -> str:
        kind = f"win {self.moves}" if self.kind == "win" else self.kind
        line = " ".join(move_texts(self.position, self.line))
        solved = "".join(map(str, self.solved))
        fields = (self.position, kind, line, ",".join(self.themes), f"{self.rating:.1f}", solved)
        return "\t".join(map(str, fields))

    @classmethod
    def parse(cls, text: str) -> Puzzle:
        """Return the puzzle of a line.

        Raises:
            BadPuzzles: the line is not a puzzle.
        """
        try:
            place, kind, line, themes, rating, solved = text.rstrip("\n").split("\t")
            position = parse_position(place)
            moves = tuple(parse_moves(position, line))
            name, _, number = kind.partition(" ")
            (known,) = (each for each in KINDS if each == name)
            puzzle = cls(
                position,
                known,
                int(number) if name == "win" else 1,
                moves,
                tuple(filter(None, themes.split(","))),
                float(rating),
                tuple(map(int, solved)),
            )
        except ValueError as error:
            raise BadPuzzles(f"not a puzzle: {error}") from error
        if len(moves) != 2 * puzzle.moves - 1 or len(puzzle.solved) != 10:
            raise BadPuzzles("not a puzzle: its moves or counts do not fit")
        return puzzle


def parse_puzzles(lines: Iterable[str]) -> list[Puzzle]:
    """Return the puzzles of the lines of a file; lines with `#` are comments.

    Raises:
        BadPuzzles: the message names the line.
    """
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            try:
                found.append(Puzzle.parse(line))
            except BadPuzzles as error:
                raise BadPuzzles(f"line {number}: {error}") from error
    return found


@cache
def puzzles_of(rules: str) -> tuple[Puzzle, ...]:
    """Return the installed puzzles of a game, easiest first; none if it has none.

    Raises:
        BadPuzzles: an installed file is damaged.
    """
    if rules not in GAMES:
        return ()
    found: list[Puzzle] = []
    try:
        for each in files_of(rules):
            text = files(__package__).joinpath(each).read_text(encoding="utf-8")
            found += parse_puzzles(text.splitlines())
    except (OSError, UnicodeDecodeError, BadPuzzles) as error:
        raise BadPuzzles(f"cannot read the puzzles of {rules}: {error}") from error
    return tuple(sorted(found, key=in_order))


def files_of(rules: str) -> list[str]:
    """Return the names of the installed files of a game."""
    name = file_stem(rules)
    return [f"{name}.txt", *([f"{name}-keep.txt"] if rules in KEEP_GAMES else [])]


def in_order(puzzle: Puzzle) -> tuple[float, str]:
    """Return the key that sorts puzzles: the easiest first, of equal ratings by position."""
    return puzzle.rating, str(puzzle.position)


def puzzle_named(id_: str) -> Puzzle | None:
    """Return the installed puzzle with an id, or `None`."""
    return _by_id().get(id_)


@cache
def _by_id() -> dict[str, Puzzle]:
    return {puzzle.id: puzzle for puzzle in all_puzzles()}


def all_puzzles() -> list[Puzzle]:
    """Return all installed puzzles, game by game."""
    return [puzzle for rules in GAMES for puzzle in puzzles_of(rules)]


def puzzle_of_day(day: datetime.date) -> Puzzle:
    """Return the puzzle of a date, which depends only on the date and the installed puzzles.

    The games take turns. A puzzle returns when all others of its game have had their day. Very
    easy puzzles are left out.
    """
    turn, place = divmod(day.toordinal(), len(GAMES))
    puzzles = [each for each in puzzles_of(GAMES[place]) if each.rating >= EASIEST_OF_DAY]
    turn_of_all, index = divmod(turn, len(puzzles))
    random.Random(f"{GAMES[place]}:{turn_of_all}").shuffle(puzzles)
    return puzzles[index]
