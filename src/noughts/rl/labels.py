"""What perfect play would be: the value of a position and of every action, exact where proven.

    positions ──► table of a small board, book, solver, search ──label()──► arrays

A label says `proven` only of what the rules, a table, a book or a solver prove.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from noughts import _core
from noughts.analysis import Analyser
from noughts.books import book_of
from noughts.engine import native_position
from noughts.games.position import Position
from noughts.games.registry import game, parse_start
from noughts.games.row import RowPosition
from noughts.judgement.judge import analysed
from noughts.search.result import Limit, Value

Labels = dict[str, npt.NDArray[Any]]


@runtime_checkable
class GameArrays(Protocol):
    """Games in arrays, such as a `Batch`."""

    rules: str
    count: int
    observation: npt.NDArray[np.uint8]
    terminated: npt.NDArray[np.bool_]

    def position(self, row: int) -> Position: ...


NODES = 100_000
"""Default positions to search for each label of a larger game."""
TABLE_CELLS = 9
"""Most cells of a board whose positions are all in a table."""
TABLE_MIB = 16
"""Memory of the tables of one thread."""
FEW_NODES, SMALL_TABLE_MIB = 10_000, 1
"""Searches of at most `FEW_NODES` have a table of this size, which is soon cleared."""


def label(
    positions: Iterable[Position | str] | GameArrays, *, nodes: int | None = None, threads: int = 1
) -> Labels:
    """Return the values of positions of one game, and of all their actions.

    The label of a position is the same beside any others, and with any number of threads.

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
        - `distance` int32: plies to the end of the game with best play; -1 for a draw, where it is
          not proven, and in a book, which has values only.
        - `optimal` bool (actions): the legal actions that keep the value; where it is not proven,
          those with the highest estimate.
        - `move_values` float32 (actions): the value of each legal action, proven or estimated; NaN
          for others.
        - `move_proven` bool (actions): which of them are proven.

    Raises:
        ValueError: positions of several rules, or none; no thread.
        NotationError: a text is not a position.
        TypeError: one position, not a list; or a row is neither a position nor a text.
    """
    if threads < 1:
        raise ValueError(f"labels take one thread or more, not {threads}")
    if isinstance(positions, str | Position):
        raise TypeError(f"give a list of positions, such as [{positions!r}]")
    if isinstance(positions, GameArrays):
        return label_games(positions, np.arange(positions.count), nodes=nodes, threads=threads)
    places = [parse_start(each) if isinstance(each, str) else each for each in positions]
    if not places:
        raise ValueError("there is no position to label")
    check_positions(places)
    rules = places[0].rules_id
    others = {each.rules_id for each in places} - {rules}
    if others:
        raise ValueError(f"labels are for one game, not for {rules} and {others.pop()}")
    is_known = has_table(rules) or _book_labels(rules) is not None
    seen = _seen(places) if is_known else None
    return _labels(rules, len(places), seen, places.__getitem__, nodes, threads)


def check_positions(places: Iterable[object]) -> None:
    """Check that all are positions.

    Raises:
        TypeError: one is not; the message has its row.
    """
    for row, each in enumerate(places):
        if not isinstance(each, Position):
            raise TypeError(f"row {row}: expected a position or its string, not {type(each)}")


def label_games(
    batch: GameArrays, rows: npt.NDArray[Any], *, nodes: int | None, threads: int
) -> Labels:
    """Return the labels of some games of a batch; one lost by an illegal action is a loss."""
    seen = batch.observation[rows]
    found = _labels(
        batch.rules, len(rows), seen, lambda row: batch.position(int(rows[row])), nodes, threads
    )
    lost = batch.terminated[rows] & (~np.isnan(found["move_values"])).any(axis=1)
    endings = {"value": -1, "estimate": -1, "proven": True, "distance": 0, "move_values": np.nan}
    for name in found:
        found[name][lost] = endings.get(name, False)
    return found


def regret_of(
    labels: Labels, actions: npt.ArrayLike, is_over: npt.NDArray[np.bool_], *, loses: bool
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """Return the value that actions lost, 0 to 2, and whether it is proven.

    Args:
        labels: of the positions before the actions.
        actions: integers (games).
        is_over: the games that ignore their action.
        loses: whether an illegal action loses; otherwise it is no action of the policy.
    """
    chosen = np.asarray(actions)
    rows, inside = np.arange(len(chosen)), np.clip(chosen, 0, labels["move_values"].shape[1] - 1)
    value = labels["move_values"][rows, inside]
    is_legal = (inside == chosen) & ~np.isnan(value)
    counts = ~is_over & (is_legal | loses)
    lost = labels["estimate"] - np.where(is_legal, value, -1.0)
    proven = labels["move_proven"][rows, inside] | ~is_legal
    regret = np.where(counts, np.maximum(lost, 0), 0).astype(np.float32)
    return regret, counts & labels["proven"] & proven


def _labels(
    rules: str,
    count: int,
    seen: npt.NDArray[np.uint8] | None,
    place: Callable[[int], Position],
    nodes: int | None,
    threads: int,
) -> Labels:
    """Return labels from the table or the book, for which `seen` has observations, or a search."""
    if has_table(rules):
        assert seen is not None
        cells = seen.reshape(count, math.prod(seen.shape[1:]) // 2, 2) @ np.array([1, 2])
        return _from_table(rules, cells @ _powers(rules))
    native_position(game(rules))
    *_, actions = _core.Batch(rules, 1, 1).shape()
    found: Labels = {
        "value": np.zeros(count, np.int8),
        "proven": np.zeros(count, np.bool_),
        "estimate": np.zeros(count, np.float32),
        "distance": np.full(count, -1, np.int32),
        "optimal": np.zeros((count, actions), np.bool_),
        "move_values": np.full((count, actions), np.nan, np.float32),
        "move_proven": np.zeros((count, actions), np.bool_),
    }
    book = _book_labels(rules)
    left = np.arange(count)
    if book is not None:
        assert seen is not None
        left = np.flatnonzero(~_from_book(found, book, seen))
    if len(left):
        _by_search(found, left.tolist(), place, nodes, threads)
    return found


def _seen(places: Sequence[Position]) -> npt.NDArray[np.uint8]:
    """Return the observations of positions of at most 62 cells: uint8 (positions, cells, 2)."""
    sides = []
    for each in places:
        assert isinstance(each, RowPosition)
        sides.append((each.x, each.o) if each.ply % 2 == 0 else (each.o, each.x))
    cells = np.arange(places[0].rules.size)  # type: ignore[attr-defined]
    return (np.array(sides, np.int64)[:, None] >> cells[:, None] & 1).astype(np.uint8)


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


# The book of Connect Four

UNKNOWN = 2
"""In place of a value, where the book has none."""


@cache
def _book_labels(rules: str) -> _core.BookLabels | None:
    """Return the values of all positions before those of the book; `None` without a book.

    The book of the nine-board game has moves, and no values.
    """
    book = book_of(rules)
    if book is None or not isinstance(game(rules), RowPosition):
        return None
    return _core.BookLabels(rules, book.stones, book.content)


def _from_book(
    found: Labels, book: _core.BookLabels, seen: npt.NDArray[np.uint8]
) -> npt.NDArray[np.bool_]:
    """Write the labels that a book has, and return their rows: bool (positions)."""
    value, distance = found["value"], found["distance"]
    moves = np.empty(found["move_values"].shape, np.int8)
    book.label(np.ascontiguousarray(seen), value, distance, moves)
    is_known: npt.NDArray[np.bool_] = (value != UNKNOWN) & (moves != UNKNOWN).all(axis=1)
    value[~is_known], distance[~is_known] = 0, -1
    legal = (moves != ILLEGAL) & is_known[:, None]
    found["proven"][:] = is_known
    found["estimate"][:] = value
    found["optimal"][:] = legal & (moves == value[:, None])
    found["move_values"][:] = np.where(legal, moves, np.nan)
    found["move_proven"][:] = legal
    return is_known


# Searches


def _by_search(
    found: Labels,
    rows: Sequence[int],
    place: Callable[[int], Position],
    nodes: int | None,
    threads: int,
) -> None:
    def work(part: int) -> None:
        is_small = nodes is not None and nodes <= FEW_NODES
        analyser = Analyser(table_mib=SMALL_TABLE_MIB if is_small else TABLE_MIB)
        for row in rows[part::threads]:
            position = place(row)
            analyser.clear()
            _write(found, row, position, _values(position, nodes, analyser))

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(threads)))


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
