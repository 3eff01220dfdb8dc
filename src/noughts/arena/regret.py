"""What the moves of games give away, where the games are solved.

    Record, Solver ──regrets()──► for each chosen move the points given away: 0, ½ or 1, or None
    Records        ──audit()────► Regret for each name: moves, solved, points, mistakes, blunders

A move's regret is what the position was worth to its mover before it, less what it is worth after:
a win 1 point, a draw ½, a loss 0. It is known where both are proven. A game is looked at from its
end, where positions are easily solved and what is found helps with those before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from noughts.arena.standings import UNKNOWN
from noughts.engine import Engine, is_native
from noughts.games.position import Player, Position
from noughts.games.record import Record
from noughts.search import Limit, negamax
from noughts.search.result import SearchResult

POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}
"""What a proven position is worth to the side to move, in points of a match."""

NODES = 20_000
"""How far a position is searched if no limit is given."""
TOTAL_NODES = 50_000_000
"""How far all positions together are searched if no limit is given."""
PYTHON_NODES = 5_000
"""The most nodes of a position in a game that the native engine does not have."""
PYTHON_COST = 50
"""How many native nodes one of these counts for in all: it takes about as long."""
GIVE_UP = 3
"""So many positions in a row that are not solved, and the earlier ones of a game are not tried:
most of them are harder still."""


class Solver:
    """Proves what positions are worth, each once, within bounds of work.

    What it finds depends on the positions asked for and on their order, not on time.

    Args:
        nodes: the most for each position.
        total: the most for all of them.

    >>> import noughts
    >>> solver = Solver()
    >>> solver.points(noughts.position("basic~XX1.OO1.3~X")), solver.points(noughts.game("basic"))
    (1.0, 0.5)
    """

    def __init__(self, nodes: int = NODES, total: int = TOTAL_NODES) -> None:
        self.nodes = nodes
        self.left = total
        """How many nodes may still be searched."""
        self._engines: dict[str, Engine] = {}
        self._points: dict[tuple[str, Hashable], float | None] = {}

    @property
    def is_spent(self) -> bool:
        """Whether nothing more is searched."""
        return self.left <= 0

    def points(self, position: Position) -> float | None:
        """Return what a position is worth to the side to move; `None` where it is not proven."""
        outcome = position.outcome()
        if outcome is not None:
            return 0.5 if outcome.winner is None else float(outcome.winner is position.turn)
        place = position.rules_id, position.key()
        if place not in self._points:
            if self.is_spent:
                return None
            result = self._search(position)
            self.left -= result.nodes * (1 if is_native(position) else PYTHON_COST)
            self._points[place] = POINTS.get(result.value.value)
        return self._points[place]

    def _search(self, position: Position) -> SearchResult:
        limit = Limit(nodes=min(self.nodes, self.left))
        if not is_native(position):
            return negamax(position, Limit(nodes=min(self.nodes, PYTHON_NODES)))
        rules_id = position.rules_id
        if rules_id not in self._engines:
            self._engines[rules_id] = Engine(rules_id)
        return self._engines[rules_id].solve(position, limit)


def chosen_from(record: Record) -> int:
    """Return how many first moves of a record were its opening's: its tag `Opening`, or none."""
    text = record.tags.get("Opening", "")
    return int(text) if text.isdecimal() and text.isascii() else 0


def regrets(record: Record, solver: Solver) -> list[float | None]:
    """Return what each move of the main line gave away, in points; `None` where it is not proven.

    Moves of the opening, which nobody chose, are `None` too.

    >>> import noughts
    >>> record = Record.from_moves(noughts.game("basic"), [4, 1, 0, 8])
    >>> regrets(record, Solver())
    [0.0, 0.5, 0.0, 0.0]

    Raises:
        IllegalMove: a move that the rules do not allow.
    """
    positions = list(record.positions())
    first = chosen_from(record)
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
    """What one player's moves gave away."""

    moves: int = 0
    """How many moves were chosen."""
    solved: int = 0
    """How many of these were proven before and after."""
    points: float = 0.0
    """What these gave away in all."""
    mistakes: int = 0
    """How many gave away half a point: a win for a draw, or a draw for a loss."""
    blunders: int = 0
    """How many gave away a whole one: a win for a loss."""

    @property
    def mean(self) -> float | None:
        """Points given away by a solved move; `None` where none was solved."""
        return self.points / self.solved if self.solved else None

    def added(self, lost: Sequence[float | None]) -> Regret:
        """Return it with more moves, given what each of them gave away."""
        solved = [each for each in lost if each is not None]
        return Regret(
            self.moves + len(lost),
            self.solved + len(solved),
            self.points + sum(solved),
            self.mistakes + solved.count(0.5),
            self.blunders + solved.count(1.0),
        )


class Audit(NamedTuple):
    """What was found out about the moves of many games."""

    lost: list[list[float | None]]
    """For each record its `regrets`."""
    bots: dict[str, Regret]
    """By the names in the tags `X` and `O`."""
    nodes: int
    """The most that each position was searched."""
    untried: int
    """How many games were not looked at to the end, since all that may be searched was."""
    has_own_games: bool = False
    """Whether there are games that the native engine does not have."""


def audit(
    records: Sequence[Record],
    solver: Solver | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Audit:
    """Return the regrets of all records, and each player's in sum.

    Args:
        records: games, the first ones first where there is not enough work allowed for all.
        solver: a fresh one with its usual bounds if left out.
        progress: is told how many of how many games are done.

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
        first = chosen_from(record)
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
