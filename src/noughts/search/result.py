"""What every search takes and gives: limits, scores and the result.

    -WIN ─── lost at ply p: -(WIN - p) ─── -1 ··· 0 ··· +1 ─── won at ply p: WIN - p ─── WIN
                                            estimates

Scores are from the side to move. With `"sign"` scores a win is 1 and a loss -1, as the courses
have it; estimates lie strictly between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf, nextafter
from typing import Any, Literal, NamedTuple

from noughts.games.position import Position

WIN = 10_000
"""The score of a win at ply 0; a win at ply p scores `WIN - p`."""
SURE = WIN - 5_000
"""The least score of a win: no game of the house is as long as 5,000 plies."""

LARGEST_ESTIMATE = nextafter(1, 0)
"""The largest estimate; minus this the smallest."""

Score = Literal["distance", "sign"]
Utility = Callable[[Any], float]
"""What a finished position is worth to the player to move at the root, in place of a `Score`."""
Outlook = Literal["win", "draw", "loss", "unknown"]
Evaluation = Callable[[Any], float]
"""An estimate of a position for the side to move, strictly between -1 and 1."""
Order = Callable[[Any], Sequence[int]]
"""The legal moves of a position in the order in which a search tries them."""


class Value(NamedTuple):
    """What a position or a move is worth to the side to move, as users see it.

    `value` is `"win"`, `"draw"`, `"loss"` or `"unknown"`; `plies` is the distance to the end of
    the game where it is known; `estimate` is between -1 and 1 where the value is not proven.

    >>> print(Value("win", 9, None), Value("draw", None, None), Value("unknown", None, 0.42))
    W 9 D +0.42
    """

    value: Outlook
    plies: int | None
    estimate: float | None

    def __str__(self) -> str:
        if self.value == "unknown":
            return f"{self.estimate:+.2f}"
        letter = self.value[0].upper()
        return letter if self.plies is None or self.value == "draw" else f"{letter} {self.plies}"

    @property
    def rank(self) -> float:
        """A number that is larger the better the value is: the sooner won, the later lost.

        A win or loss at an unknown distance counts as a far one.
        """
        if self.value == "unknown":
            return self.estimate or 0.0
        size = SURE if self.plies is None else WIN - self.plies
        return {"win": size, "draw": 0, "loss": -size}[self.value]

    def score(self, ply: int) -> float:
        """The score that stands for the value in a position at `ply`."""
        if self.plies is None or self.value == "draw":
            return {"win": 1.0, "draw": 0.0, "loss": -1.0}.get(self.value, self.estimate or 0.0)
        return self.rank - ply if self.value == "win" else self.rank + ply

    @property
    def for_mover(self) -> Value:
        """The same for the player whose move led here: the other side, a ply farther off."""
        plies = None if self.plies is None else self.plies + 1
        estimate = None if self.estimate is None else 0.0 - self.estimate
        return Value(_FLIPPED[self.value], plies, estimate)


_FLIPPED: dict[Outlook, Outlook] = {
    "win": "loss",
    "draw": "draw",
    "loss": "win",
    "unknown": "unknown",
}


def value_of(score: float, ply: int, exact: bool) -> Value:
    """Return the value that `score` stands for in a position at `ply`, on either score scale."""
    size = abs(score)
    # A win found is a win; a loss is one only where no move was left out.
    if score >= 1 or (score <= -1 and exact):
        plies = round(WIN - size) - ply if size > 1 else None
        return Value("win" if score > 0 else "loss", plies, None)
    if exact:
        return Value("draw", None, None)
    return Value("unknown", None, max(float(score), -LARGEST_ESTIMATE))


@dataclass(frozen=True, slots=True)
class Limit:
    """How far a search may go; whichever comes first ends it.

    Args:
        depth: plies to look ahead; with 0 a search evaluates the position itself.
        nodes: positions to enter, the root included; for MCTS, nodes of its tree.
        seconds: wall-clock time.
        simulations: simulations of MCTS; the other searches make none.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    simulations: int | None = None

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "seconds", "simulations"):
            bound = getattr(self, name)
            if bound is not None and not (bound > 0 or (name == "depth" and bound == 0)):
                raise ValueError(f"a limit of {name}={bound} allows nothing; it must be above 0")


NO_LIMIT = Limit()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found out about a position."""

    move: int | None
    """The best move; `None` where the game is over."""
    score: float
    """For the side to move, on the scale of this module."""
    exact: bool
    """Whether the value (win, draw or loss) is proven."""
    complete: bool
    """Whether the search ran to its end, rather than into a limit of nodes or time."""
    depth: int
    """Plies from the root to the deepest position entered."""
    nodes: int
    """Positions entered, the root included; for MCTS, nodes of its tree."""
    seconds: float
    position: Position
    """What was searched; distances count from its ply."""
    pv: tuple[int, ...] = ()
    """Principal variation: the best move, the best answer, and so on."""
    cutoffs: int = 0
    """Positions whose remaining moves were not looked at, because they cannot matter."""
    peak: int = 0
    """Most positions alive at once, as the courses count them: those on the path from the root
    with all their successors, O(b·m); for MCTS, the nodes of its tree."""
    table: int = 0
    """Entries of the transposition table at the end."""
    table_use: float = 0.0
    """The share of the table, or of the nodes set aside for a tree, that is in use."""
    simulations: int = 0
    bounds: tuple[float, float] = (-inf, inf)
    """What is proven of the score where it is not exact: at least the one, at most the other."""
    scores: dict[int, Value] = field(default_factory=dict)
    """The value of every legal move for the side to move, where that was asked for."""
    lines: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """What is likely to follow each of these moves, itself first, where the search knows it."""

    @property
    def value(self) -> Value:
        return value_of(self.score, self.position.ply, self.exact)
