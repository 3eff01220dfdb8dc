"""Limits, scores, values and the result of a search.

    -WIN ─── lost at ply p: -(WIN - p) ─── -1 ··· 0 ··· +1 ─── won at ply p: WIN - p ─── WIN
                                            estimates

Scores are for the side to move. With `"sign"` scores a win is 1 and a loss -1, as in the courses.
With `"ten"` a win scores 10 - depth and a loss depth - 10, where the position after the next move
has depth 0. Estimates lie strictly between -1 and 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import floor, inf, nextafter
from typing import Any, Literal, NamedTuple

from noughts.games.position import Position

WIN = 10_000
"""The score of a win at ply 0; a win at ply p scores `WIN - p`."""
SURE = WIN - 5_000
"""The smallest score of a win: every built-in game is shorter than 5,000 plies."""

TEN = 10
"""The score of an immediate win with `"ten"` scores. Also the most plies that a search with these
scores can look ahead: a win farther away would score 0 or less.
"""

SUREST = 99
"""Largest chance of an unproven value, in per cent; the smallest is 1."""
LARGEST_ESTIMATE = nextafter(1, 0)
"""The largest estimate; minus this the smallest."""

Score = Literal["distance", "sign", "ten"]
Utility = Callable[[Any], float]
"""The value of a finished position for the player to move at the root, in place of a `Score`."""
Outlook = Literal["win", "draw", "loss", "unknown"]
Evaluation = Callable[[Any], float]
"""An estimate of a position for the side to move, strictly between -1 and 1."""
Order = Callable[[Any], Sequence[int]]
"""A function from a position to its legal moves, in the order to try."""


class Value(NamedTuple):
    """The value of a position or a move for the side to move.

    >>> print(Value.win(9), Value.loss(12), Value.draw(), Value.unknown(0.42))
    W 9 L 12 D +0.42
    >>> Value.win(9).is_win, Value.win(9).is_exact, Value.unknown(0.42).is_exact
    (True, True, False)
    """

    kind: Outlook
    """`"win"`, `"draw"`, `"loss"`, or `"unknown"` where nothing is proven."""
    plies: int | None
    """Distance to the end of the game in plies; `None` where it is not known."""
    estimate: float | None
    """Between -1 and 1 where the value is not proven, else `None`."""

    @classmethod
    def win(cls, plies: int | None = None) -> Value:
        return cls("win", plies, None)

    @classmethod
    def draw(cls) -> Value:
        return cls("draw", None, None)

    @classmethod
    def loss(cls, plies: int | None = None) -> Value:
        return cls("loss", plies, None)

    @classmethod
    def unknown(cls, estimate: float = 0.0) -> Value:
        return cls("unknown", None, estimate)

    @property
    def is_win(self) -> bool:
        return self.kind == "win"

    @property
    def is_draw(self) -> bool:
        return self.kind == "draw"

    @property
    def is_loss(self) -> bool:
        return self.kind == "loss"

    @property
    def is_exact(self) -> bool:
        """Whether the value is proven."""
        return self.kind != "unknown"

    @property
    def swapped(self) -> Value:
        """The value for the other player, in the same position."""
        return self.for_mover._replace(plies=self.plies)

    def __str__(self) -> str:
        if not self.is_exact:
            return f"{self.estimate:+.2f}"
        letter = self.kind[0].upper()
        return letter if self.plies is None or self.is_draw else f"{letter} {self.plies}"

    def as_data(self) -> dict[str, str | int | float | None]:
        """Return the value for JSON: the keys are `value`, `plies` and `estimate`."""
        return {"value": self.kind, "plies": self.plies, "estimate": self.estimate}

    @property
    def expected(self) -> float:
        """The expected result from -1 to 1: of a win 1, a draw 0, a loss -1, else the estimate."""
        return {"win": 1.0, "draw": 0.0, "loss": -1.0}.get(self.kind, self.estimate or 0.0)

    @property
    def chance(self) -> int:
        """The expected score in per cent, from 0 to 100; a draw counts as half a win.

        The chances of both sides add up to 100, and only proven values have 0 and 100.

        >>> Value.unknown(0.24).chance, Value.unknown(-0.24).chance, Value.win(3).chance
        (62, 38, 100)
        """
        most = 50 if self.is_exact else SUREST - 50
        size = min(floor(50 * abs(self.expected) + 0.5), most)
        return 50 + size if self.expected > 0 else 50 - size

    @property
    def rank(self) -> float:
        """A number that orders values: a sooner win and a later loss rank higher.

        A win or loss at an unknown distance counts as a far one.
        """
        if not self.is_exact:
            return self.estimate or 0.0
        size = SURE if self.plies is None else WIN - self.plies
        return {"win": size, "draw": 0, "loss": -size}[self.kind]

    def score(self, ply: int) -> float:
        """Return the score of this value in a position at `ply`."""
        if self.plies is None or self.is_draw:
            return self.expected
        return self.rank - ply if self.is_win else self.rank + ply

    @property
    def for_mover(self) -> Value:
        """The value for the player whose move led here, one ply farther from the end."""
        plies = None if self.plies is None else self.plies + 1
        estimate = None if self.estimate is None else 0.0 - self.estimate
        return Value(_FLIPPED[self.kind], plies, estimate)


def own_moves(plies: int) -> int:
    """Return a distance as the number of moves that the winner makes until the game ends.

    >>> own_moves(5), own_moves(6)
    (3, 3)
    """
    return (plies + 1) // 2


_FLIPPED: dict[Outlook, Outlook] = {
    "win": "loss",
    "draw": "draw",
    "loss": "win",
    "unknown": "unknown",
}


def value_of(score: float, ply: int, exact: bool) -> Value:
    """Return the value of a score in a position at `ply`, on any score scale.

    >>> [str(value_of(score, 2, True)) for score in (WIN - 5, 1, -9, 0)]
    ['W 3', 'W', 'L 2', 'D']
    """
    size = abs(score)
    # One winning move proves a win; a loss needs every move.
    if score >= 1 or (score <= -1 and exact):
        plies = None
        if size > 1:
            plies = TEN + 1 - round(size) if size <= TEN else round(WIN - size) - ply
        return Value("win" if score > 0 else "loss", plies, None)
    if exact:
        return Value("draw", None, None)
    return Value("unknown", None, max(float(score), -LARGEST_ESTIMATE))


def win_score(score: Score, root: int, ply: int) -> int:
    """Return the score of a win at `ply`, in a search from the ply `root`.

    >>> [win_score(score, 4, 7) for score in ("distance", "sign", "ten")]
    [9993, 1, 8]
    """
    if score == "sign":
        return 1
    return WIN - ply if score == "distance" else TEN - (ply - root - 1)


LARGEST_LIMITS = {"depth": 1_000_000, "nodes": 10**18, "seconds": 10**9, "simulations": 10**18}
"""The largest bounds of a `Limit`; `None` is no bound."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The limit of a search; the bound that is reached first ends it.

    Args:
        depth: plies to look ahead; 0 evaluates the position itself.
        nodes: positions to enter, the root included; for MCTS, nodes of its tree.
        seconds: wall-clock time.
        simulations: of MCTS; other searches ignore it.
        max_seconds: on a clock, the native engine may use more or less than `seconds`, at most
            this; other searches ignore it.

    Raises:
        ValueError: a bound is not above 0, or above `LARGEST_LIMITS`; or `max_seconds` is below
            `seconds`.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    simulations: int | None = None
    max_seconds: float | None = field(default=None, kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if self.max_seconds is not None and not self.max_seconds >= (self.seconds or inf):
            raise ValueError(f"max_seconds={self.max_seconds} needs a smaller or equal seconds")
        for name, most in LARGEST_LIMITS.items():
            bound = getattr(self, name)
            if bound is not None and not (bound > 0 or (name == "depth" and bound == 0)):
                raise ValueError(f"the limit {name}={bound} must be above 0")
            if bound is not None and bound > most:
                raise ValueError(f"the limit {name}={bound} must be at most {most:,}")

    def tighter(self, other: Limit) -> Limit:
        """Return the smaller bound of both limits in each respect.

        >>> Limit(depth=6, seconds=1.0).tighter(Limit(seconds=0.1))
        Limit(depth=6, nodes=None, seconds=0.1, simulations=None)
        """
        bounds = {}
        for name in LARGEST_LIMITS:
            given = (getattr(self, name), getattr(other, name))
            bounds[name] = min((bound for bound in given if bound is not None), default=None)
        # Another limit of time is fixed.
        fixed = None in (self.seconds, other.seconds)
        most = (self.max_seconds or other.max_seconds) if fixed else None
        return Limit(**bounds, max_seconds=most)


NO_LIMIT = Limit()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search."""

    move: int | None
    """The best move; `None` where the game is over."""
    score: float
    """For the side to move, on the scale shown above."""
    exact: bool
    """Whether the value (win, draw or loss) is proven."""
    complete: bool
    """Whether the search ran to its end, before a limit of nodes or time."""
    depth: int
    """Plies from the root to the deepest position entered."""
    nodes: int
    """Positions entered, the root included; for MCTS, nodes of its tree."""
    seconds: float
    position: Position
    """The root of the search."""
    line: tuple[int, ...] = ()
    """Principal variation: the best move, the best reply, and so on."""
    cutoffs: int = 0
    """Positions whose remaining moves were skipped, because they cannot change the result."""
    peak: int = 0
    """Most positions in memory at once: those on the path from the root and all their successors,
    O(b·m); for MCTS, the nodes of its tree."""
    table: int = 0
    """Entries of the transposition table at the end."""
    table_use: float = 0.0
    """The part of the table, or of the nodes of a tree, that is in use, 0 to 1."""
    simulations: int = 0
    bounds: tuple[float, float] = (-inf, inf)
    """Proven lower and upper bound of the score."""
    moves: dict[int, Value] = field(default_factory=dict)
    """The value of every legal move for the side to move, if the caller asked for it."""
    lines: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """The expected line of each of these moves, the move itself first, where known."""

    @property
    def text(self) -> str | None:
        """The best move as text; `None` where the game is over."""
        return None if self.move is None else self.position.move_text(self.move)

    @property
    def value(self) -> Value:
        return value_of(self.score, self.position.ply, self.exact)
