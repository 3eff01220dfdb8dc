"""What perfect play would be: the value of a position and of every action, exact where proven.

    positions ──► table of a small board, book, solver, search ──label()──► arrays

A label says `proven` only of what the rules, a table, a book or a solver prove.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from noughts import _core
from noughts.analysis import Analyser
from noughts.engine import native_position
from noughts.games.position import Position
from noughts.games.registry import game, parse_start
from noughts.games.row import RowPosition
from noughts.judgement.judge import analysed
from noughts.search.result import Limit, Value

Labels = dict[str, npt.NDArray[Any]]


class GameArrays(Protocol):
    """Games in arrays, such as a `Batch`."""

    rules: str
    count: int
    observation: npt.NDArray[np.uint8]
    terminated: npt.NDArray[np.bool_]

    def positions(self) -> list[Position]: ...


NODES = 100_000
"""Default positions to search for each label of a larger game."""
TABLE_CELLS = 9
"""Most cells of a board whose positions are all in a table."""
TABLE_MIB = 16
"""Memory of the tables of one thread."""


def label(
    positions: Sequence[Position | str] | GameArrays, *, nodes: int | None = None, threads: int = 1
) -> Labels:
    """Return the values of positions of one game, and of all their actions.

    >>> found = label(["basic~XX1.OO1.3~X", "basic~3.3.3~X"])
    >>> found["value"].tolist(), found["distance"].tolist(), found["optimal"].sum(axis=1).tolist()
    ([1, 0], [1, -1], [1, 9])

    Args:
        positions: positions or position strings of the same rules; or the games of a batch.
        nodes: positions to search for each label, where no table has it; 100,000 if left out, and
            then more where a solver proves the value in about a second.
        threads: among which the searches are divided.

    Returns:
        Arrays with one row for each position:

        - `value` int8: 1, 0 or -1 for the side to move; 0 where it is not proven.
        - `proven` bool: whether `value` is proven.
        - `estimate` float32: `value` if it is proven, else the estimate of a search, -1 to 1.
        - `distance` int32: plies to the end of the game with best play; -1 for a draw, and where
          it is not proven.
        - `optimal` bool (actions): the legal actions that keep the value; where it is not proven,
          those with the highest estimate.
        - `move_values` float32 (actions): the value of each legal action, proven or estimated; NaN
          for others.
        - `move_proven` bool (actions): which of them are proven.

    Raises:
        ValueError: positions of several rules, or none.
        NotationError: a text is not a position.
    """
    if not isinstance(positions, Sequence):
        return _of_batch(positions, nodes, threads)
    places = [parse_start(each) if isinstance(each, str) else each for each in positions]
    if not places:
        raise ValueError("there is no position to label")
    rules = places[0].rules_id
    others = {each.rules_id for each in places} - {rules}
    if others:
        raise ValueError(f"labels are for one game, not for {rules} and {others.pop()}")
    if has_table(rules):
        return _from_table(rules, np.array([_code(each) for each in places]))
    return _by_search(places, nodes, threads)


def _of_batch(batch: GameArrays, nodes: int | None, threads: int) -> Labels:
    """Return the labels of the games of a batch; one lost by an illegal action is a loss."""
    if has_table(batch.rules):
        powers = _powers(batch.rules)
        mine, theirs = (batch.observation[..., plane].reshape(batch.count, -1) for plane in (0, 1))
        found = _from_table(batch.rules, mine @ powers + 2 * (theirs @ powers))
    else:
        found = _by_search(batch.positions(), nodes, threads)
    lost = batch.terminated & (~np.isnan(found["move_values"])).any(axis=1)
    endings = {"value": -1, "estimate": -1, "proven": True, "distance": 0, "move_values": np.nan}
    for name in found:
        found[name][lost] = endings.get(name, False)
    return found


# Tables of small boards


class _Table(NamedTuple):
    """The labels of every position of a board, by its code: cells in base 3, mine 1, theirs 2."""

    value: npt.NDArray[np.int8]
    distance: npt.NDArray[np.int16]
    moves: npt.NDArray[np.int8]
    """The value of each action (codes, actions); `ILLEGAL` for those that are not legal."""


ILLEGAL = 9


def has_table(rules: str) -> bool:
    """Whether the values of all positions are in a table."""
    start = game(rules)
    return isinstance(start, RowPosition) and start.rules.size <= TABLE_CELLS


@cache
def _powers(rules: str) -> npt.NDArray[np.int64]:
    start = game(rules)
    assert isinstance(start, RowPosition)
    return 3 ** np.arange(start.rules.size, dtype=np.int64)


def _code(position: Position) -> int:
    assert isinstance(position, RowPosition)
    mine, theirs = (position.x, position.o) if position.ply % 2 == 0 else (position.o, position.x)
    powers = _powers(position.rules_id)
    return int(
        sum(
            int(power) * ((mine >> cell & 1) + 2 * (theirs >> cell & 1))
            for cell, power in enumerate(powers)
        )
    )


@cache
def _table(rules: str) -> _Table:
    """Return the labels of all positions that a game can reach."""
    start = game(rules)
    assert isinstance(start, RowPosition)
    actions = start.rules.columns if start.rules.gravity else start.rules.size
    codes = 3**start.rules.size
    table = _Table(
        np.zeros(codes, np.int8),
        np.full(codes, -1, np.int16),
        np.full((codes, actions), ILLEGAL, np.int8),
    )
    known: dict[int, tuple[int, int]] = {}

    def solve(position: Position) -> tuple[int, int]:
        """Return the value for the side to move, and the plies to the end."""
        code = _code(position)
        if code in known:
            return known[code]
        outcome = position.outcome()
        if outcome is not None:
            won = outcome.winner
            found = (0, 0) if won is None else (1 if won is position.turn else -1, 0)
        else:
            replies = []
            for move in position.legal_moves():
                value, plies = solve(position.play(move))
                table.moves[code, move] = -value
                replies.append((-value, plies + 1))
            best = max(value for value, _ in replies)
            ends = [plies for value, plies in replies if value == best]
            found = best, min(ends) if best > 0 else max(ends)
        known[code] = found
        table.value[code] = found[0]
        table.distance[code] = found[1] if found[0] else -1
        return found

    solve(start)
    return table


def _from_table(rules: str, codes: npt.NDArray[np.int64]) -> Labels:
    table = _table(rules)
    value, moves = table.value[codes], table.moves[codes]
    legal = moves != ILLEGAL
    return {
        "value": value,
        "proven": np.ones(len(codes), np.bool_),
        "estimate": value.astype(np.float32),
        "distance": table.distance[codes].astype(np.int32),
        "optimal": moves == value[:, None],
        "move_values": np.where(legal, moves, np.nan).astype(np.float32),
        "move_proven": legal,
    }


# Searches


def _by_search(places: Sequence[Position], nodes: int | None, threads: int) -> Labels:
    native_position(places[0])
    *_, actions = _core.Batch(places[0].rules_id, 1, 1).shape()
    count = len(places)
    found: Labels = {
        "value": np.zeros(count, np.int8),
        "proven": np.zeros(count, np.bool_),
        "estimate": np.zeros(count, np.float32),
        "distance": np.full(count, -1, np.int32),
        "optimal": np.zeros((count, actions), np.bool_),
        "move_values": np.full((count, actions), np.nan, np.float32),
        "move_proven": np.zeros((count, actions), np.bool_),
    }

    def work(part: int) -> None:
        analyser = Analyser(table_mib=TABLE_MIB)
        for row in range(part, count, threads):
            _write(found, row, places[row], _values(places[row], nodes, analyser))

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(threads)))
    return found


def _values(
    position: Position, nodes: int | None, analyser: Analyser
) -> tuple[Value, dict[int, Value]]:
    """Return the value of a position, and those of its moves."""
    outcome = position.outcome()
    if outcome is not None:
        if outcome.winner is None:
            return Value.draw(), {}
        return Value.win(0) if outcome.winner is position.turn else Value.loss(0), {}
    if nodes is None:
        *_, result = analysed(position, Limit(nodes=NODES), analyser)
    else:
        result = analyser.best_move(position, Limit(nodes=nodes), moves=True)
    return result.value, result.moves


def _write(
    found: Labels, row: int, position: Position, known: tuple[Value, dict[int, Value]]
) -> None:
    value, moves = known
    found["proven"][row] = value.is_exact
    found["estimate"][row] = value.expected
    if value.is_exact:
        found["value"][row] = round(value.expected)
        if not value.is_draw and value.plies is not None:
            found["distance"][row] = value.plies
    best = max((each.expected for each in moves.values()), default=0.0)
    for move in position.legal_moves() if moves else ():
        each = moves[move]
        found["move_values"][row, move] = each.expected
        found["move_proven"][row, move] = each.is_exact
        keeps = each.is_exact and each.expected == value.expected
        found["optimal"][row, move] = keeps if value.is_exact else each.expected == best
