"""The rules of a game in three pictures, and the nine-board games as a short film.

position ──lesson()──► Lesson: three steps, each a sentence and a picture
                          └── scenes: a sentence, its seconds, and the pictures shown in them

Every picture is a position that the moves of a legal game reach under the rules of the lesson.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from noughts.explain.situation import situation
from noughts.games.catalogue import GameOption
from noughts.games.nested import NestedPosition
from noughts.games.notation import parse_options
from noughts.games.position import Position
from noughts.games.row import DRAW, MNK, ConnectFour, RowPosition
from noughts.games.words import title_and_rule

LONGEST = 20.0
"""Most seconds of the scenes together."""
LARGEST_PICTURE = 7
"""Larger row boards are shown smaller, unless a line needs more cells."""
FILM = "59 91 13 31 11 19 95 51 12 25 57 75 58 89 96 69 94"
"""A game of nine boards without a closed board in the way: X wins boards 1, 5 and 9."""


class Picture(NamedTuple):
    """A position to draw, with the cell of its last move."""

    position: RowPosition | NestedPosition
    last: int | None


class Step(NamedTuple):
    sentence: str
    picture: Picture


class Scene(NamedTuple):
    """A sentence, and the pictures that are shown in turn with it."""

    sentence: str
    seconds: float
    pictures: tuple[Picture, ...]


class Lesson(NamedTuple):
    """The rules of a game for a newcomer."""

    title: str
    rule: str
    """The rules in short."""
    notes: tuple[tuple[str, str], ...]
    """The title of each option, and the effect of its chosen value."""
    steps: tuple[Step, ...]
    """Three steps; fewer in a game that is not built in, or too small for a line."""
    scenes: tuple[Scene, ...]
    """The film of a nine-board game, else nothing."""


def lesson(position: Position) -> Lesson:
    """Return the lesson on the rules of a position.

    >>> import noughts
    >>> [step.sentence for step in lesson(noughts.game("basic")).steps]
    ... # doctest: +NORMALIZE_WHITESPACE
    ['Take turns to mark a free cell; X begins.',
     '3 in a row wins: across, down or diagonal.',
     'The board is full and nobody has a line: a draw.']
    """
    steps: Iterable[Step] = ()
    scenes: Iterable[Scene] = ()
    if isinstance(position, NestedPosition):
        moves = [9 * int(move[0]) + int(move[1]) - 10 for move in FILM.split()]
        pictures = _pictures(position.start(_options(position)), moves)
        one = position.rules.one_line
        steps, scenes = _nested_steps(pictures, one), _scenes(pictures, one)
    elif isinstance(position, ConnectFour):
        steps = _connect_four_steps(position)
    elif isinstance(position, RowPosition):
        steps = _row_steps(position)
    title, rule = title_and_rule(position)
    chosen = parse_options(type(position), _options(position))[1] if position.options else ()
    notes = tuple((each.title, _effect(each, chosen)) for each in position.options)
    return Lesson(title, rule, notes, tuple(steps), tuple(scenes))


def _options(position: Position) -> str:
    return position.rules_id.partition(":")[2]


def _effect(option: GameOption, chosen: Collection[str]) -> str:
    """Return the effect of the chosen value of an option."""
    values = [value for value in option.values if value.text in chosen]
    return (values or option.values)[0].about


def _pictures(start: RowPosition | NestedPosition, moves: Iterable[int]) -> list[Picture]:
    """Return the pictures of a game up to its end or to a move that is not legal."""
    found = [Picture(start, None)]
    for move in moves:
        position = found[-1].position
        if move not in position.legal_moves():
            break
        found.append(Picture(position.play(move), position.cell(move)))
    return found


# Nine boards


def _nested_steps(pictures: Sequence[Picture], one_line: bool) -> list[Step]:
    named = Step("Your cell names the board that your opponent must play on.", pictures[1])
    if one_line:
        return [
            Step("X begins in any cell of the nine boards.", pictures[0]),
            named,
            Step("3 in a row on any board wins the game.", pictures[-1]),
        ]
    return [
        named,
        Step("3 in a row on a small board wins that board.", pictures[_first_won(pictures)]),
        Step("3 won boards in a row win the game.", pictures[-1]),
    ]


def _first_won(pictures: Sequence[Picture]) -> int:
    """Return the number of moves after which a board is won."""
    return next(
        number
        for number, (position, _) in enumerate(pictures)
        if isinstance(position, NestedPosition) and position.won_x | position.won_o
    )


def _scenes(pictures: Sequence[Picture], one_line: bool) -> list[Scene]:
    """Return the film: play here, then there, win a board, win three."""
    told = [situation(*picture) for picture in pictures[:3]]
    won = _first_won(pictures)
    scenes = [
        Scene(told[0], 2.5, (pictures[0],)),
        Scene(told[1], 3.5, (pictures[1],)),
        Scene(told[2], 3.5, (pictures[2],)),
    ]
    first = tuple(pictures[3 : won + 1])
    if one_line:
        return [*scenes, Scene("3 in a row on any board wins the game.", 5.0, first)]
    rest = tuple(pictures[won + 1 :])
    return [
        *scenes,
        Scene("3 in a row on a small board wins that board.", 4.0, first),
        Scene("3 won boards in a row win the game.", 5.0, rest),
    ]


# Row games


def _row_steps(position: RowPosition) -> Iterator[Step]:
    """Yield the steps of tic-tac-toe and m,n,k-games."""
    rules, start = position.rules, position.start(_options(position))
    if isinstance(position, MNK):
        most = max(LARGEST_PICTURE, rules.k)
        sizes = min(rules.columns, most), min(rules.rows, most), rules.k
        words = [word for word in _options(position).split(",") if not word.isdigit()]
        start = MNK.start(",".join([*map(str, sizes), *words]))
    columns, rows, k = start.rules.columns, start.rules.rows, rules.k
    line, (x, o) = _line(columns, rows, k), _full(columns, rows)
    others = sorted(
        set(range(columns * rows)) - set(line),
        key=lambda cell: (
            cell not in o,
            abs(cell // columns - rows // 2) + abs(cell % columns - columns // 2),
        ),
    )
    begun = _alternate(start, line[k // 2 :][:1], others[:1])
    yield Step("Take turns to mark a free cell; X begins.", begun)
    ended, full = _alternate(start, line, others), _alternate(start, x, o)
    if ended.position.outcome() is not None:
        effect = "loses" if rules.misere else "wins"
        number = f"Exactly {k}" if rules.exact else str(k)
        yield Step(f"{number} in a row {effect}: {_ways(columns, rows, k)}.", ended)
    if full.position.outcome() == DRAW:
        yield Step("The board is full and nobody has a line: a draw.", full)


def _line(columns: int, rows: int, k: int) -> list[int]:
    """Return the cells of a line: a diagonal if there is one, in the middle of the board."""
    down, right = int(k <= rows), int(k <= columns)
    top, left = (
        (rows - k) // 2 if down else rows // 2,
        (columns - k) // 2 if right else columns // 2,
    )
    return [(top + at * down) * columns + left + at * right for at in range(k)]


def _ways(columns: int, rows: int, k: int) -> str:
    if k <= min(columns, rows):
        return "across, down or diagonal"
    return "across" if k <= columns else "down"


def _full(columns: int, rows: int) -> tuple[list[int], list[int]]:
    """Return the cells of X and O on a full board where no line is longer than two.

    X O X O
    X O X O
    O X O X
    O X O X
    """
    turned = rows % 4 == 2 and columns % 2
    found: tuple[list[int], list[int]] = ([], [])
    for cell in range(columns * rows):
        row, column = divmod(cell, columns)
        side = row + column // 2 if turned else column + row // 2
        found[side % 2].append(cell)
    return found


def _alternate(start: RowPosition, x: Sequence[int], o: Sequence[int]) -> Picture:
    """Return the end of the game in which X and O take these cells in turn."""
    turns = zip_longest(x, o)
    return _pictures(start, [cell for turn in turns for cell in turn if cell is not None])[-1]


def _connect_four_steps(position: ConnectFour) -> Iterator[Step]:
    rules, start = position.rules, ConnectFour.start(_options(position))
    columns, rows, k = rules.columns, rules.rows, rules.k
    middle, left = (columns - 1) // 2, (columns - k) // 2
    # X across the floor and O above; on a narrow board X up the first column.
    line = [left + at // 2 for at in range(2 * k)] if k <= columns else [0, columns - 1] * k
    fallen, ended, full = (
        _pictures(start, moves)[-1]
        for moves in ([middle, middle, middle + 1], line, [middle] * rows)
    )
    yield Step("Drop a disc into a column: it falls to the lowest free place.", fallen)
    if ended.position.outcome() is not None:
        yield Step(f"{k} in a row wins: {_ways(columns, rows, k)}.", ended)
    yield Step("A full column takes no more discs.", full)
