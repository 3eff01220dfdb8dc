"""How good a policy is: its score against each level, and what its moves lose.

policy ──games against levels 1 to 10──► score, illegal actions
       ──labels of its positions───────► `MoveMeasure`: regret, share of optimal moves
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.engine import native_position
from noughts.games.position import Position
from noughts.games.registry import game
from noughts.games.words import percent
from noughts.judgement.judge import solver_nodes
from noughts.levels import LEVELS
from noughts.opponents import Opponent, opponent
from noughts.rl.batch import Batch
from noughts.rl.labels import TABLE_CELLS, has_table, label
from noughts.rl.measure import MoveMeasure, measure

Policy = Callable[[npt.NDArray[np.uint8], npt.NDArray[np.bool_]], npt.ArrayLike]
"""Takes observations and masks of legal actions, a row a game; returns an action for each."""


NODES = 10_000
"""Default positions to search for each label of a game without a solver."""


class LevelScore(NamedTuple):
    """The games of a policy against a level."""

    level: int
    wins: int
    draws: int
    losses: int

    @property
    def score(self) -> float:
        """The policy's share of the points, 0 to 1."""
        return (self.wins + self.draws / 2) / (self.wins + self.draws + self.losses)


class PolicyReport(NamedTuple):
    """The measure of a policy."""

    rules: str
    levels: tuple[LevelScore, ...]
    moves: int
    """Actions of the policy, legal or not."""
    illegal: int
    """Those that were not legal: each lost its game."""
    measure: MoveMeasure
    """Of its legal actions in proven positions."""

    @property
    def illegal_rate(self) -> float:
        """The share of actions that were not legal."""
        return self.illegal / self.moves if self.moves else 0.0

    def as_data(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return {
            "rules": self.rules,
            "levels": [{**each._asdict(), "score": each.score} for each in self.levels],
            "moves": self.moves,
            "illegal_rate": self.illegal_rate,
            **self.measure.as_data(),
        }

    def __str__(self) -> str:
        lines = [f"{self.rules}: level    won  drawn   lost   score"]
        indent = " " * (len(self.rules) + 2)
        for each in self.levels:
            counts = "".join(f"{number:7}" for number in (each.wins, each.draws, each.losses))
            lines.append(f"{indent}{each.level:5}{counts}{percent(each.score):>8}")
        lines += [
            str(self.measure),
            f"illegal: {percent(self.illegal_rate)} of {self.moves:,} actions",
        ]
        return "\n".join(lines)


def evaluate(
    policy: Policy,
    rules: str,
    *,
    games: int = 20,
    levels: Sequence[int] = LEVELS,
    plies: int = 2,
    nodes: int | None = None,
    threads: int = 1,
    seed: int = 0,
) -> PolicyReport:
    """Let a policy play the levels of a game, and measure its moves.

    >>> first = lambda observation, legal: legal.argmax(axis=1)
    >>> report = evaluate(first, "basic", games=4, levels=(1, 10))
    >>> report.illegal_rate, len(report.levels)
    (0.0, 2)

    Args:
        policy: called with observations (games, rows, columns, planes) and masks (games, actions)
            of the games in which it is to move; returns integers (games).
        rules: a rules id.
        games: against each level, in pairs with one opening and the sides swapped: an even number.
        levels: the opponents.
        plies: random plies that open each pair.
        nodes: positions to search for each label, where no table has it; 10,000 if left out, and
            then more where a solver proves the value in about a second.
        threads: among which the searches of labels are divided.
        seed: of openings and opponents: the same seed gives the same games.

    Raises:
        ValueError: an odd number of games, no level, fewer than 0 plies, or the policy does not
            return integers, one for each game.
        NotationError: no such rules or level.
    """
    if not levels:
        raise ValueError("give one level or more")
    if games < 2 or games % 2:
        raise ValueError(f"games are played in pairs: give an even number, not {games}")
    if plies < 0:
        raise ValueError(f"a game opens with 0 random plies or more, not {plies}")
    start = native_position(game(rules))
    if nodes is None and not solver_nodes(start):
        nodes = NODES
    counts = _Counts()
    scores = []
    for level in levels:
        players = [opponent(f"engine:level={level}", seed + number) for number in range(games)]
        batch = Batch(rules, games, illegal="lose", seed=seed + level)
        batch.load(_openings(start, games, plies, seed))
        while not batch.terminated.all():
            _play(batch, policy, players, counts, nodes, threads)
        scores.append(_score(batch, counts, level))
    return PolicyReport(
        start.rules_id,
        tuple(scores),
        counts.moves,
        counts.illegal,
        counts.measure,
    )


def mistakes(policy: Policy, rules: str) -> tuple[int, int]:
    """Return in how many of all positions a policy loses value, and how many positions there are.

    These are all in which a player is to move, whether good play reaches them or not. An illegal
    action loses value.

    >>> first = lambda observation, legal: legal.argmax(axis=1)
    >>> mistakes(first, "basic")
    (1869, 4520)

    Args:
        policy: as for `evaluate`.
        rules: a rules id of a board with at most nine cells.

    Raises:
        ValueError: a larger board, or the policy does not return integers, one for each position.
        NotationError: no such rules.
    """
    start = native_position(game(rules))
    if not has_table(start.rules_id):
        raise ValueError(f"all positions are known of boards with at most {TABLE_CELLS} cells")
    layer = {str(start): start}
    wrong = total = 0
    while layer:
        batch = Batch(rules, len(layer))
        batch.load([*layer.values()])
        chosen = _chosen(policy, batch, np.arange(batch.count))
        wrong += batch.count - measure(label(batch), chosen).optimal
        total += batch.count
        layer = {
            str(after): after
            for position in layer.values()
            for after in map(position.play, position.legal_moves())
            if after.outcome() is None
        }
    return wrong, total


class _Counts:
    """The sums over the moves of a policy, and the games of a level."""

    def __init__(self) -> None:
        self.moves = self.illegal = 0
        self.measure = MoveMeasure(0, 0, 0, 0)
        self.results: dict[int, float] = {}
        """The points of the policy, 1, 0 or -1, by game."""


def _openings(start: Position, games: int, plies: int, seed: int) -> list[Position]:
    """Return an opening for each game, the same for both of a pair."""
    rng = np.random.default_rng(seed)
    found: list[Position] = []
    for _ in range(games // 2):
        position = start
        for _ in range(plies):
            after = position.play(int(rng.choice(position.legal_moves())))
            position = position if after.outcome() is not None else after
        found += [position, position]
    return found


def _chosen(policy: Policy, batch: Batch, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the actions of a policy in some games; it gets copies of their arrays."""
    chosen = np.asarray(policy(batch.observation[rows], batch.legal[rows]))
    if chosen.shape != rows.shape or chosen.dtype.kind not in "iu":
        raise ValueError(f"a policy returns integers, here {len(rows)} of them, not {chosen!r}")
    return chosen


def _play(
    batch: Batch,
    policy: Policy,
    players: Sequence[Opponent],
    counts: _Counts,
    nodes: int | None,
    threads: int,
) -> None:
    """Play one move in each game; the policy has X in the games of even number."""
    its = (batch.turn == np.arange(batch.count) % 2) & ~batch.terminated
    positions = batch.positions()
    actions = np.zeros(batch.count, np.int64)
    rows = np.flatnonzero(its)
    if len(rows):
        actions[rows] = chosen = _chosen(policy, batch, rows)
        _note_moves([positions[row] for row in rows], chosen, counts, nodes, threads)
    for row in np.flatnonzero(~its & ~batch.terminated):
        move = players[int(row)].choose(positions[int(row)]).move
        assert move is not None
        actions[row] = move
    over = batch.terminated.copy()
    batch.step(actions)
    for row in np.flatnonzero(batch.terminated & ~over):
        counts.results[int(row)] = float(batch.reward[row, row % 2])


def _note_moves(
    positions: Sequence[Position],
    actions: npt.NDArray[Any],
    counts: _Counts,
    nodes: int | None,
    threads: int,
) -> None:
    found = label(positions, nodes=nodes, threads=threads)
    new = measure(found, actions)
    counts.measure = MoveMeasure(*map(sum, zip(counts.measure, new, strict=True)))
    counts.moves += len(positions)
    for legal, action in zip(~np.isnan(found["move_values"]), actions, strict=True):
        counts.illegal += not (0 <= action < len(legal) and legal[action])


def _score(batch: Batch, counts: _Counts, level: int) -> LevelScore:
    """Return the result against a level, and forget its games."""
    points = [counts.results[row] for row in range(batch.count)]
    counts.results = {}
    return LevelScore(level, points.count(1.0), points.count(0.0), points.count(-1.0))
