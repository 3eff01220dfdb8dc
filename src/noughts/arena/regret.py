"""The points that moves lose, in positions that can be solved.

    Record, Solver ──regrets()──► points lost by each chosen move: 0, ½ or 1, or None
    Records        ──audit()────► Regret for each name: moves, solved, points, half and whole points

The regret of a move is the value of the position for its mover before it, minus the value after
it: a win counts 1 point, a draw ½, a loss 0. It is known if both are proven. Games are audited
from the end: late positions are solved easily, and their tables help with earlier ones.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from noughts.analysis import Analyser
from noughts.arena.standings import UNKNOWN
from noughts.engine import is_native
from noughts.games.position import Player, Position
from noughts.games.record import Record
from noughts.games.swap2 import opening_moves
from noughts.search import Limit
from noughts.search.mcts import reward_for
from noughts.search.result import SearchResult

POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}
"""Points of a proven value for the side to move, as in a match."""

NODES = 20_000
"""Default nodes for each position."""
TOTAL_NODES = 50_000_000
"""Default nodes for all positions together."""
PYTHON_NODES = 5_000
"""Maximum nodes for each position of a game without a native engine."""
PYTHON_COST = 50
"""Native nodes that take about as long as one node in Python."""
GIVE_UP = 3
"""Unsolved positions in a row after which the audit of a game ends: earlier ones are harder."""


class Solver:
    """Proves the values of positions within a number of nodes, each position once.

    The results depend on the positions and their order, not on time.

    Args:
        nodes: maximum for each position.
        total: maximum for all of them.

    >>> import noughts
    >>> solver = Solver()
    >>> solver.points(noughts.position("basic~XX1.OO1.3~X")), solver.points(noughts.game("basic"))
    (1.0, 0.5)
    """

    def __init__(self, nodes: int = NODES, total: int = TOTAL_NODES) -> None:
        self.nodes = nodes
        self.left = total
        """Remaining nodes."""
        self._analysers: dict[str, Analyser] = {}
        self._points: dict[tuple[str, Hashable], float | None] = {}

    @property
    def is_spent(self) -> bool:
        """Whether no nodes remain."""
        return self.left <= 0

    def points(self, position: Position) -> float | None:
        """Return the points of a position for the side to move; `None` if not proven."""
        outcome = position.outcome()
        if outcome is not None:
            return reward_for(outcome, position.turn)
        place = position.rules_id, position.key()
        if place not in self._points:
            if self.is_spent:
                return None
            result = self._search(position)
            self.left -= result.nodes * (1 if is_native(position) else PYTHON_COST)
            self._points[place] = POINTS.get(result.value.kind)
        return self._points[place]

    def _search(self, position: Position) -> SearchResult:
        most = self.left if is_native(position) else PYTHON_NODES
        analyser = self._analysers.setdefault(position.rules_id, Analyser())
        return analyser.solve(position, Limit(nodes=min(self.nodes, most)))


def regrets(record: Record, solver: Solver) -> list[float | None]:
    """Return the points lost by each move of the main line; `None` if not proven.

    Moves of the opening, which nobody chose, are `None` too.

    >>> import noughts
    >>> record = Record.from_moves(noughts.game("basic"), [4, 1, 0, 8])
    >>> regrets(record, Solver())
    [0.0, 0.5, 0.0, 0.0]

    Raises:
        IllegalMove: a move that the rules do not allow.
    """
    positions = list(record.positions())
    first = opening_moves(record)
    found: list[float | None] = [None] * (len(positions) - 1)
    after: float | None = None
    failed = 0
    for ply in range(len(positions) - 1, first - 1, -1):
        before = solver.points(positions[ply])
        failed = failed + 1 if before is None else 0
        if ply < len(found) and before is not None and after is not None:
            found[ply] = max(0.0, before - (1 - after))
        if failed == GIVE_UP:
            break
        after = before
    return found


class Regret(NamedTuple):
    """The points lost by one player's moves."""

    moves: int = 0
    """Number of moves that the player chose."""
    solved: int = 0
    """Number of these with proven values before and after."""
    points: float = 0.0
    """Points lost by the solved moves."""
    half_points: int = 0
    """Number of moves that lost half a point: a win for a draw, or a draw for a loss."""
    whole_points: int = 0
    """Number of moves that lost a whole point: a win for a loss."""

    @property
    def mean(self) -> float | None:
        """Mean points lost by a solved move; `None` if none was solved."""
        return self.points / self.solved if self.solved else None

    def added(self, lost: Sequence[float | None]) -> Regret:
        """Return the sum with more moves, given the points lost by each."""
        solved = [each for each in lost if each is not None]
        return Regret(
            self.moves + len(lost),
            self.solved + len(solved),
            self.points + sum(solved),
            self.half_points + solved.count(0.5),
            self.whole_points + solved.count(1.0),
        )


class Audit(NamedTuple):
    """The regrets of many games."""

    lost: list[list[float | None]]
    """The `regrets` of each record."""
    bots: dict[str, Regret]
    """The sum of each player, by the names in the tags `X` and `O`."""
    nodes: int
    """Maximum nodes for each position."""
    untried: int
    """Number of games that were not audited to the end for lack of nodes."""
    has_own_games: bool = False
    """Whether there are games without a native engine."""


def audit(
    records: Sequence[Record],
    solver: Solver | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Audit:
    """Return the regrets of all records, and the sum of each player.

    Args:
        records: games; if the nodes are not enough for all, the first ones are audited.
        solver: a new one with default limits if left out.
        progress: called with (done, total) after each game.

    Raises:
        IllegalMove: a move that the rules do not allow.
    """
    solver = solver or Solver()
    lost: list[list[float | None]] = []
    bots: dict[str, Regret] = {}
    untried = 0
    for record in records:
        lost.append(regrets(record, solver))
        untried += solver.is_spent
        turns = [position.turn for position in record.positions()]
        first = opening_moves(record)
        for player in Player:
            own = [
                each
                for each, turn in zip(lost[-1][first:], turns[first:], strict=False)
                if turn is player
            ]
            name = record.tags.get(str(player), UNKNOWN)
            bots[name] = bots.get(name, Regret()).added(own)
        if progress is not None:
            progress(len(lost), len(records))
    others = any(not is_native(record.start) for record in records)
    return Audit(lost, bots, solver.nodes, untried, others)
