"""The judge of a game.

position ──► Judge.values() ──► the value of every move: proven, or the estimate of a search
         ──► Judge.line()   ──► best play that begins with a move
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import reduce
from typing import TypeVar

from noughts.analysis import Analyser
from noughts.books import book_of
from noughts.engine import DEFAULT_TABLE, is_native
from noughts.games.position import Position, wins_at_once
from noughts.games.row import MNK, ConnectFour, RowPosition
from noughts.judgement.results import with_best, with_proof
from noughts.levels import full_strength
from noughts.search.result import Limit, SearchResult, Value

T = TypeVar("T")
U = TypeVar("U")
Moves = tuple[int, ...]

NATIVE_NODES, PYTHON_NODES = 1_000_000, 50_000
"""Default node limits: for the native engine, and for a registered Python game."""
HINT = Limit(nodes=1_000_000, seconds=3)
"""The limit of a hint in the terminal and the window."""
EXPECTED = Limit(nodes=100_000)
"""The limit of a search for an expected line, which proves nothing."""
MEETING = 8
"""Lines of best play that meet at a ply divisible by this number are the same from there on."""
ALL_THREADS = min(os.cpu_count() or 1, 8)
"""One thread for each core, but at most eight, since each has its own tables."""
MAX_MISERE = 16
"""Misère boards with more cells are not solved in a second."""
SOLVED: dict[type[Position], tuple[int, tuple[int, ...]]] = {
    ConnectFour: (42, (30_000, 100_000, 500_000, 30_000_000)),
    MNK: (25, (200_000, 2_000_000)),
}
"""Boards with at most as many cells are solved in every position, with these nodes: one limit after
another until all is proven. Few positions reach the last one."""


def budgets(position: Position, limit: Limit) -> list[Limit]:
    """Return the limits to search a position with, in turn until it is settled.

    They are larger than `limit` where the solver proves the position in about a second.
    """
    if nodes := solver_nodes(position):
        last = max(nodes[-1], limit.nodes or 0)
        return [Limit(nodes=each) for each in (*nodes[:-1], last)]
    return [limit]


def solver_nodes(position: Position) -> tuple[int, ...]:
    """Return the limits within which a solver proves the position; none if it may take longer."""
    cells, nodes = SOLVED.get(type(position), (0, ()))
    if isinstance(position, RowPosition) and position.rules.size <= cells:
        is_slow = position.rules.misere and position.rules.size > MAX_MISERE
        return () if is_slow else nodes
    return ()


def is_settled(result: SearchResult) -> bool:
    """Whether values and distances are proven; within a book, values are enough."""
    values = result.moves.values() or (result.value,)
    return result.exact and (
        _is_in_book(result.position)
        or all(value.is_draw or value.plies is not None for value in values)
    )


def _is_in_book(position: Position) -> bool:
    book = book_of(position.rules_id)
    return book is not None and position.ply < book.stones


def analysed(
    position: Position,
    limit: Limit = HINT,
    analyser: Analyser | None = None,
    *,
    moves: bool = True,
) -> Iterator[SearchResult]:
    """Yield results as `noughts.analysis.analyse`, within `budgets`, until one is settled.

    Args:
        position: the position to analyse.
        limit: when to end where no solver answers.
        analyser: may be stopped from another thread; default: a new one.
        moves: as for `noughts.analysis.analyse`.
    """
    used = analyser or Analyser()
    for each in budgets(position, limit):
        for result in used.analyse(position, each, moves=moves):
            yield result
        if is_settled(result):
            return


class Judge:
    """Computes the values of moves, and their lines of best play.

    Args:
        rules: any position of the game.
        limit: for each position and each line; an empty limit means `NATIVE_NODES` or
            `PYTHON_NODES`.
        exactly: whether a given limit holds also where a solver would need more; see `budgets`.
        table_mib: memory of the native engine's tables, in MiB, of each thread.
        threads: how many positions of a line are judged at once; in a registered Python game, one.
            With a limit of nodes alone, no value depends on it.
        heard: called with every result of a search, from the first depth on.
    """

    def __init__(
        self,
        rules: Position,
        limit: Limit | None = None,
        *,
        exactly: bool = False,
        table_mib: int = DEFAULT_TABLE,
        threads: int = 1,
        heard: Callable[[SearchResult], None] = lambda _: None,
    ) -> None:
        is_given = limit is not None and limit != Limit()
        if limit is None or not is_given:
            limit = Limit(nodes=NATIVE_NODES if is_native(rules) else PYTHON_NODES)
        self.limit = limit
        self._exactly = exactly and is_given
        self._heard = heard
        self._threads = threads if is_native(rules) else 1
        self._table_mib = table_mib
        self._of_thread = threading.local()
        self._analysers: list[Analyser] = []
        self._is_leaving = False
        self._alone: dict[str, SearchResult] = {}
        self._results: dict[str, SearchResult] = {}
        self._known: dict[str, list[SearchResult]] = {}
        self._choices: dict[str, int | None] = {}
        self._lines: dict[tuple[str, int], Moves] = {}
        self._continued: dict[tuple[str, str, int | None], tuple[Moves, int]] = {}

    def know(self, proofs: Iterable[SearchResult]) -> None:
        """Use the proofs of other searches: of the best move, of other moves, or of both."""
        for proof in proofs:
            text = str(proof.position)
            known = self._known.setdefault(text, [])
            if proof in known:
                continue
            known.append(proof)
            if text in self._results:
                self._results[text] = with_proof(self._results[text], proof)

    def values(self, position: Position) -> SearchResult:
        """Return a result whose `moves` hold the value of every legal move, with proofs learned."""
        text = str(position)
        if text not in self._results:
            proofs = self._known.get(text, ())
            self._results[text] = reduce(with_proof, proofs, self.alone(position))
        return self._results[text]

    def alone(self, position: Position) -> SearchResult:
        """Return the result of one search of the position, which no other search has influenced.

        What a solver proves is the same whatever its table holds of other positions.
        """
        text = str(position)
        if text not in self._alone:
            has_solver = not self._exactly and bool(solver_nodes(position))
            found = self._searched(position, moves=True) if has_solver else None
            if found is None or not is_settled(found):
                self._analyser.clear()
                found = self._searched(position, moves=True)
            self._alone[text] = _with_rules(position, found)
        return self._alone[text]

    @property
    def _analyser(self) -> Analyser:
        """The analyser of the thread."""
        if not hasattr(self._of_thread, "analyser"):
            self._of_thread.analyser = Analyser(table_mib=self._table_mib)
            self._analysers.append(self._of_thread.analyser)
        analyser: Analyser = self._of_thread.analyser
        return analyser

    def each(self, work: Callable[[T], U], items: Iterable[T]) -> Generator[U, None, None]:
        """Yield `work(item)` of each item in order, several items at once.

        If the iterator is closed or a call fails, no other call begins, and searches in progress
        end.
        """
        if self._threads == 1:
            yield from map(work, items)
            return
        try:
            with ThreadPoolExecutor(self._threads) as pool:
                try:
                    yield from pool.map(work, items)
                finally:
                    self._is_leaving = True
                    for analyser in self._analysers:
                        analyser.stop()
        finally:
            self._is_leaving = False
            self._analysers.clear()

    def _searched(self, position: Position, *, moves: bool) -> SearchResult:
        """Return the last result of a search; without `moves`, the first one that is settled."""
        if self._exactly:
            results = self._analyser.analyse(position, self.limit, moves=moves)
        else:
            results = analysed(position, self.limit, self._analyser, moves=moves)
        for found in results:
            self._tell(found)
            if not moves and is_settled(found):
                break
        return found

    def _tell(self, found: SearchResult) -> None:
        self._heard(found)
        if self._is_leaving:
            raise CancelledError

    def _best(self, position: Position) -> SearchResult:
        """Return the result of a search for the best move alone.

        A solver takes few positions along a line that it has proven, but it knows no book.
        """
        nodes = solver_nodes(position)
        if self._exactly or not nodes or _is_in_book(position):
            return self._searched(position, moves=False)
        found = self._analyser.solve(position, Limit(nodes=nodes[-1]))
        self._tell(found)
        return found

    def choice(self, position: Position) -> int | None:
        """Return the move of the engine at full strength; `None` for a registered Python game."""
        text = str(position)
        if is_native(position) and text not in self._choices:
            self._analyser.clear()
            own = full_strength(position.rules_id)
            limit = own.tighter(Limit(seconds=self.limit.seconds))
            self._choices[text] = self._analyser.best_move(position, limit).move
        return self._choices.get(text)

    def learn(self, position: Position, move: int) -> None:
        """Use a proof for the position after `move` as the value of the move."""
        result, after = self.values(position), position.play(move)
        if not result.moves[move].is_exact:
            value = self.values(after).value.for_mover
            if value.is_exact:
                known = with_best(result, {**result.moves, move: value})
                self._results[str(position)] = known

    def _pass_on(self, position: Position, move: int) -> None:
        """Use the proven value of a move for the position after it."""
        result, after = self.values(position), position.play(move)
        value, found = result.moves[move], self.values(after)
        if not value.is_exact or found.value.is_exact:
            return
        # Where a value was proven without its distance, the line may be from an earlier search.
        line = result.lines.get(move, ())
        line = line[1:] if value.plies and _reaches(position, line, value) else ()
        due = _seen_from(after, position, value, 1)
        if not line and not due.is_loss:
            return
        best = line[0] if line else found.move
        proof = replace(found, move=best, score=due.score(after.ply), exact=True, line=line)
        self.know([replace(proof, moves={}, lines={})])

    def along(
        self,
        start: Position,
        moves: Sequence[int],
        progress: Callable[[int, int], None] = lambda *_: None,
    ) -> list[SearchResult]:
        """Return the values of the positions of a line; proofs flow along it, back and forth.

        Args:
            start: the first position.
            moves: legal moves from there.
            progress: called with (done, total) after each position.
        """
        line = [start]
        for move in moves:
            line.append(line[-1].play(move))
        with closing(self.each(self.values, reversed(line))) as found:
            for done, _ in enumerate(found, 1):
                if done > 1:
                    self.learn(line[-done], moves[-done + 1])
                progress(done, len(line))
        for position, move in zip(line, moves, strict=False):
            self._pass_on(position, move)
        return [self.values(position) for position in line]

    def line(self, position: Position, move: int) -> Moves:
        """Return the line of best play that begins with `move`, as far as it is known.

        A line that reaches the end is as long as the proven distance.
        """
        place = str(position), move
        if place not in self._lines:
            self._lines[place] = self._line(position, move)
        return self._lines[place]

    def _line(self, position: Position, move: int) -> Moves:
        result = self.values(position)
        value = result.moves[move]
        if not value.is_exact:
            if result.line[:1] == (move,):
                return result.line
            return move, *self._expected(position.play(move))
        if value.is_loss and value.plies == 2:
            return move, wins_at_once(position.play(move))[0]
        if value.plies and _reaches(position, result.lines.get(move, ()), value):
            return result.lines[move]
        after = position.play(move)
        rest, timed = self._best_play(after, _seen_from(after, position, value, 1))
        # Where the distance is not known on the way, the line may take longer than it has to.
        if after.after(rest).outcome() is not None and value.plies not in (None, 1 + len(rest)):
            rest = rest[:timed]
        return move, *rest

    def _best_play(self, start: Position, value: Value) -> tuple[Moves, int]:
        """Return best play from a position with a proven value.

        The number is that of its first moves up to the last one with a proven distance.
        """
        place = str(start), value.kind, value.plies
        if place not in self._continued:
            self._continued[place] = self._searched_play(start, value)
        return self._continued[place]

    def _searched_play(self, start: Position, value: Value) -> tuple[Moves, int]:
        self._analyser.clear()
        moves: list[int] = []
        place, timed = start, 0
        while place.outcome() is None:
            due = _seen_from(place, start, value, len(moves))
            if moves and place.ply % MEETING == 0:
                rest, known = self._best_play(place, due)
                timed = len(moves) + known if known else timed
                return (*moves, *rest), timed
            found = self._best(place)
            if found.value.kind != due.kind or found.move is None:
                break
            timed = len(moves) + 1 if due.plies == found.value.plies is not None else timed
            whole = _reaches(place, found.line, due)
            for answer in found.line if whole else (found.move,):
                moves.append(answer)
                place = place.play(answer)
        return tuple(moves), timed

    def _expected(self, position: Position) -> Moves:
        """Return an unproven line of best play, which no other search has influenced."""
        self._analyser.clear()
        return self._analyser.best_move(position, self.limit.tighter(EXPECTED)).line


def _with_rules(position: Position, result: SearchResult) -> SearchResult:
    """Return the result with the values that the rules show within two plies."""
    if position.outcome() is not None or (result.depth > 4 and is_native(position)):
        return result
    short = {move: _short(position, move) for move in result.moves}
    known = {move: value for move, value in short.items() if value is not None}
    return with_best(result, {**result.moves, **known})


def _short(position: Position, move: int) -> Value | None:
    """Return the value of a move that ends the game or lets T win at once."""
    after = position.play(move)
    outcome = after.outcome()
    if outcome is None:
        return Value.loss(2) if wins_at_once(after) else None
    if outcome.winner is None:
        return Value.draw()
    return Value("win" if outcome.winner is position.turn else "loss", 1, None)


def _seen_from(place: Position, position: Position, value: Value, plies: int) -> Value:
    """Return `value` in `position` as seen `plies` later, by the player to move in `place`."""
    left = None if value.plies is None else value.plies - plies
    outlook = value.kind
    if outlook in ("win", "loss") and place.turn is not position.turn:
        outlook = "loss" if outlook == "win" else "win"
    return Value(outlook, left, None)


def _reaches(place: Position, line: Moves, value: Value) -> bool:
    """Whether a line ends the game with the outcome and distance of `value`."""
    player = {"win": place.turn, "loss": place.turn.other}.get(value.kind)
    outcome = place.after(line).outcome()
    in_time = value.plies in (None, len(line))
    return outcome is not None and outcome.winner is player and in_time
