"""Nine boards once more, with a plain solver, written from `docs/rules.md` alone.

    cells   81 characters `X`, `O` or `.`: boards 1 to 9, each row by row
    target  the board that the last move named, 0 to 8; `None` before the first move

Nothing here imports the package, and the search has neither bounds nor an order of moves.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def _turned(cell: int) -> int:
    """Return the place of a cell after a quarter turn."""
    row, column = divmod(cell, 3)
    return 3 * column + 2 - row


def _mirrored(cell: int) -> int:
    row, column = divmod(cell, 3)
    return 3 * row + 2 - column


def _symmetries() -> list[tuple[int, ...]]:
    images: list[tuple[int, ...]] = []
    image = tuple(range(9))
    for _ in range(4):
        images += [image, tuple(_mirrored(cell) for cell in image)]
        image = tuple(_turned(cell) for cell in image)
    return images


SYMMETRIES = _symmetries()
"""Where each of nine places goes; the first symmetry moves nothing."""


def image_of(move: int, symmetry: Sequence[int]) -> int:
    """Return the image of a move, if boards and cells are moved alike."""
    return 9 * symmetry[move // 9] + symmetry[move % 9]


class Place(NamedTuple):
    """A position; the side to move follows from the number of marks."""

    cells: str
    target: int | None
    full_draw: bool

    @property
    def ply(self) -> int:
        return 81 - self.cells.count(".")

    @property
    def side(self) -> str:
        return "XO"[self.ply % 2]

    @property
    def other(self) -> str:
        return "OX"[self.ply % 2]

    def is_full(self, board: int) -> bool:
        return "." not in self.cells[9 * board : 9 * board + 9]

    def is_drawn(self) -> bool:
        """Whether the game is a draw, if nobody has a line."""
        if "." not in self.cells:
            return True
        return self.full_draw and self.target is not None and self.is_full(self.target)

    def is_free(self) -> bool:
        """Whether the side to move may choose the board."""
        return self.target is None or self.is_full(self.target)

    def moves(self) -> list[int]:
        """Return the legal moves, if the game is not over."""
        boards = [*range(9)] if self.is_free() or self.target is None else [self.target]
        return [9 * b + c for b in boards for c in range(9) if self.cells[9 * b + c] == "."]

    def completes(self, move: int) -> bool:
        """Whether a move of the side to move makes a line, which wins."""
        board = 9 * (move // 9)
        return any(
            all(board + i == move or self.cells[board + i] == self.side for i in row)
            for row in ROWS
            if move % 9 in row
        )

    def can_win(self) -> bool:
        return any(self.completes(move) for move in self.moves())

    def play(self, move: int) -> Place:
        cells = self.cells[:move] + self.side + self.cells[move + 1 :]
        return Place(cells, move % 9, self.full_draw)

    def safe_moves(self) -> list[int]:
        """Return the moves after which the other side cannot complete a line at once."""
        safe = []
        for move in self.moves():
            after = self.play(move)
            if after.is_drawn() or not after.can_win():
                safe.append(move)
        return safe

    def image(self, symmetry: Sequence[int]) -> Place:
        cells = ["."] * 81
        for move in range(81):
            cells[image_of(move, symmetry)] = self.cells[move]
        target = None if self.target is None else symmetry[self.target]
        return Place("".join(cells), target, self.full_draw)

    def is_kept_by(self, symmetry: Sequence[int]) -> bool:
        """Whether a symmetry maps the marks and the legal moves to themselves."""
        if any(self.cells[image_of(move, symmetry)] != self.cells[move] for move in range(81)):
            return False
        return sorted(self.image(symmetry).moves()) == self.moves()

    def __str__(self) -> str:
        """Return the position string."""
        boards = []
        for board in range(9):
            text, run = "", 0
            for mark in self.cells[9 * board : 9 * board + 9] + "|":
                if mark == ".":
                    run += 1
                    continue
                text += (str(run) if run else "") + mark.strip("|")
                run = 0
            boards.append(text)
        rules = "advanced:full=draw" if self.full_draw else "advanced"
        target = "-" if self.target is None else str(self.target + 1)
        return "~".join((rules, ".".join(boards), self.side, target))


def start(full_draw: bool) -> Place:
    return Place("." * 81, None, full_draw)


def value(place: Place, known: dict[Place, int] | None = None) -> int:
    """Return 1, 0 or -1: the side to move wins, draws or loses an unfinished game."""
    known = {} if known is None else known
    found = known.get(place)
    if found is not None:
        return found
    if place.is_drawn():
        best = 0
    elif place.can_win():
        best = 1
    else:
        best = max(-value(place.play(move), known) for move in place.moves())
    known[place] = best
    return best


def _without_win(place: Place) -> list[int]:
    """Return the moves after which the game is not over."""
    return [
        move
        for move in place.moves()
        if not place.completes(move) and not place.play(move).is_drawn()
    ]


def played(
    rng: random.Random,
    full_draw: bool,
    ply: int,
    choose: Callable[[Place], list[int]] = _without_win,
) -> Place:
    """Return a position of a random game of moves that do not end it."""
    while True:
        place = start(full_draw)
        while place.ply < ply and (moves := choose(place)):
            place = place.play(rng.choice(moves))
        if place.ply == ply and not place.is_drawn():
            return place


def played_safely(rng: random.Random, full_draw: bool, ply: int) -> Place:
    """Return a position of a random game of safe moves: nobody can complete a line at once."""

    def safe(place: Place) -> list[int]:
        return [move for move in place.safe_moves() if not place.play(move).is_drawn()]

    return played(rng, full_draw, ply, safe)


def _has_line(cells: Sequence[str]) -> bool:
    return any(cells[a] == cells[b] == cells[c] != "." for a, b, c in ROWS)


def constructed(
    rng: random.Random, full_draw: bool, empty: int, symmetry: Sequence[int] = SYMMETRIES[0]
) -> Place:
    """Return an unfinished position with `empty` empty cells, or up to four more, and no line.

    They are on few boards or on many, often where no mark can complete a line, and the target is
    often full. A symmetry keeps the marks and the target.
    """
    orbits = {tuple(sorted(_orbit(move, symmetry))) for move in range(81)}
    while True:
        cells = ["."] * 81
        for orbit in rng.sample(sorted(orbits), len(orbits)):
            for mark in rng.sample("XO", 2):
                for move in orbit:
                    cells[move] = mark
                if not any(_has_line(cells[9 * b : 9 * b + 9]) for b in _boards(orbit)):
                    break
                for move in orbit:
                    cells[move] = "."
        # Empty cells, of the mark that is too many.
        boards = rng.sample(range(9), 9) if rng.random() < 0.5 else [0] * 9
        is_calm = rng.random() < 0.5
        for orbit in sorted(orbits, key=lambda orbit: (boards[orbit[0] // 9], rng.random())):
            x, o, left = cells.count("X"), cells.count("O"), cells.count(".")
            if left >= empty and 0 <= x - o <= 1:
                break
            mark = cells[orbit[0]]
            if mark != "." and ((x - o > 0) == (mark == "X") or (left < empty and x == o)):
                for move in orbit:
                    cells[move] = "."
                if is_calm and any(_is_near(cells[9 * b : 9 * b + 9]) for b in _boards(orbit)):
                    for move in orbit:
                        cells[move] = mark
        place = Place("".join(cells), None, full_draw)
        if not (0 <= cells.count("X") - cells.count("O") <= 1 and cells.count(".") <= empty + 4):
            continue
        targets = [
            target
            for target in range(9)
            if symmetry[target] == target
            and any(place.cells[9 * board + target] == place.other for board in range(9))
            and not place._replace(target=target).is_drawn()
        ]
        full = [target for target in targets if place.is_full(target)]
        if targets:
            return place._replace(
                target=rng.choice((full if rng.random() < 0.5 else []) or targets)
            )


def _is_near(cells: Sequence[str]) -> bool:
    """Whether one mark of either side makes a line."""
    lines = [sorted(cells[i] for i in row) for row in ROWS]
    return [".", "X", "X"] in lines or [".", "O", "O"] in lines


def _boards(moves: Iterable[int]) -> set[int]:
    return {move // 9 for move in moves}


def _orbit(move: int, symmetry: Sequence[int]) -> set[int]:
    orbit = {move}
    while (move := image_of(move, symmetry)) not in orbit:
        orbit.add(move)
    return orbit
