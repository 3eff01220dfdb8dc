"""Moves of a bot judged by exact values: those of the first plies, and those of a lost game.

    positions after 0, 1, … N plies ──Asker──► the bot's moves ──exact_points()──► regret of each
    LostGame ──decisive()──► the move that lost it

The regret of a move is the points that it gives away, as in `noughts.arena.regret`: a win counts 1
point, a draw ½, a loss 0.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from itertools import chain
from typing import Any, NamedTuple

from noughts.analysis import Analyser
from noughts.arena.bot import Fault, Verdict
from noughts.arena.regret import POINTS, Regret
from noughts.engine import is_native
from noughts.games.position import IllegalMove, Player, Position
from noughts.school.asking import Asker
from noughts.school.unbeatable import LostGame, failure
from noughts.search.result import NO_LIMIT, Limit

NODES = 50_000
"""Nodes to search the value of every move of a position."""
SOLVER_NODES = 500_000
"""Nodes to solve all moves of a position together, if the first search does not prove enough."""


class JudgedMove(NamedTuple):
    """An answer of the bot in one position."""

    position: Position
    moves: tuple[int, ...]
    """Moves that lead to the position."""
    move: int | None
    """The bot's move; `None` for an illegal one."""
    regret: float | None
    """Points that the move gives away: 0, ½ or 1; `None` if that is not proven."""
    points: float | None
    """Points of the move; `None` if they are not proven."""
    better: tuple[int, ...] = ()
    """The best moves, if the move gives something away."""
    illegal: str = ""
    """An illegal move in words."""

    @property
    def is_wrong(self) -> bool:
        return bool(self.illegal or self.regret)

    def as_data(self) -> dict[str, Any]:
        """Return the move for JSON."""
        text = self.position.move_text
        return {
            "position": str(self.position),
            "move": None if self.move is None else text(self.move),
            "regret": self.regret,
            "better": [text(move) for move in self.better],
            "illegal": self.illegal or None,
        }


class EarlyPly(NamedTuple):
    """The moves of the bot in all unfinished positions of one ply."""

    positions: int
    wrong: int
    """Positions with at least one wrong answer."""
    regret: Regret
    """The regret of all different answers."""


class EarlyMoves:
    """The judgement of a bot's moves; `run` may be interrupted.

    Args:
        askers: the bot, for one side or both; only positions with it to move are judged.
        plies: the moves in all positions after 0 to this many plies are judged.
        answers: answers of the bot to ask for in each position; all different ones are judged.
        limit: maximum number of positions.
        progress: called with the number of positions so far.
    """

    def __init__(
        self,
        askers: Mapping[Player, Asker],
        plies: int,
        answers: int = 1,
        limit: int = 100_000,
        progress: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.start = next(iter(askers.values())).start
        self.plies = plies
        self.by_ply: list[EarlyPly] = []
        """The plies that are judged in full."""
        self.wrong: list[JudgedMove] = []
        """The wrong moves, in the order of their plies."""
        self.positions = 0
        self.varied = 0
        """Number of positions with different answers."""
        self.is_complete = False
        """Whether all positions were judged, within the limit."""
        self._askers = askers
        self._answers = answers
        self._limit = limit
        self._progress = progress
        self._analyser = Analyser()

    @property
    def regret(self) -> Regret:
        """The sum of all judged plies."""
        columns = zip(*(each.regret for each in self.by_ply), strict=True)
        return Regret(*map(sum, columns))

    @property
    def unproven(self) -> int:
        """Number of answers whose regret is not proven."""
        return self.regret.moves - self.regret.solved

    @property
    def worst(self) -> JudgedMove | None:
        """The earliest of the moves that give the most away; `None` if none is wrong."""
        return max(self.wrong, key=lambda each: (each.regret or 0, -len(each.moves)), default=None)

    @property
    def is_right(self) -> bool:
        """Whether every answer is proven to keep the value of its position."""
        return self.is_complete and not self.wrong and not self.unproven

    def as_data(self) -> dict[str, Any]:
        """Return the judgement for JSON."""
        return {
            "rules": self.start.rules_id,
            "start": str(self.start),
            "plies": self.plies,
            "complete": self.is_complete,
            "positions": self.positions,
            "varied": self.varied,
            "unproven": self.unproven,
            "wrong": sum(each.wrong for each in self.by_ply),
            "regret": self.regret.mean,
            "by_ply": [
                {"positions": each.positions, "wrong": each.wrong, "regret": each.regret.mean}
                for each in self.by_ply
            ],
            "worst": self.worst and self.worst.as_data(),
        }

    def run(self) -> None:
        """Judge the moves ply by ply, until the limit is reached.

        Raises:
            BotFailed: the bot crashed, exceeded its time or answered with something else.
        """
        layer: dict[Hashable, tuple[Position, tuple[int, ...]]]
        layer = {self.start.key(): (self.start, ())}
        for ply in range(self.plies + 1):
            judged: list[list[JudgedMove]] = []
            after: dict[Hashable, tuple[Position, tuple[int, ...]]] = {}
            for position, moves in layer.values():
                if position.turn in self._askers:
                    if self.positions == self._limit:
                        return
                    judged.append(self._judged(position, moves))
                    self.positions += 1
                    self._progress(self.positions)
                for move in position.legal_moves() if ply < self.plies else ():
                    place = position.play(move)
                    if place.outcome() is None:
                        after.setdefault(place.key(), (place, (*moves, move)))
            lost = [each.regret for answers in judged for each in answers]
            wrong = [[each for each in answers if each.is_wrong] for answers in judged]
            self.by_ply.append(EarlyPly(len(judged), sum(map(bool, wrong)), Regret().added(lost)))
            self.wrong += chain.from_iterable(wrong)
            layer = after
        self.is_complete = True

    def _judged(self, position: Position, moves: tuple[int, ...]) -> list[JudgedMove]:
        """Return the different answers of the bot in a position."""
        points = exact_points(position, self._analyser)
        found: dict[int | None, JudgedMove] = {}
        for number in range(self._answers):
            move, illegal = self._answer(position, moves, number)
            if move is None:
                lost = best_points(points)
                found[None] = JudgedMove(position, moves, None, lost, 0.0, (), illegal)
            elif move not in found:
                found[move] = judged_move(position, moves, move, points)
        self.varied += len(found) > 1
        return list(found.values())

    def _answer(
        self, position: Position, moves: tuple[int, ...], number: int
    ) -> tuple[int | None, str]:
        """Return an answer; or `None` and the illegal move in words."""
        asker = self._askers[position.turn]
        try:
            return asker.answer(moves, number), ""
        except IllegalMove as error:
            return None, f"it played {error.move}: {error.reason}"
        except Fault as fault:
            if fault.verdict is Verdict.ILLEGAL:
                return None, fault.message
            raise failure(asker, fault) from fault


def decisive(lost: LostGame) -> JudgedMove | None:
    """Return the bot's move after which the game was lost; `None` if that is not proven.

    If the bot's first position is lost already, that is its first move, with a regret of 0.
    """
    analyser = Analyser()
    places = [lost.start]
    for move in lost.moves:
        places.append(places[-1].play(move))
    judged = None
    for ply in range(len(lost.moves) - 1, -1, -1):
        if places[ply].turn is not lost.side:
            continue
        points, move = exact_points(places[ply], analyser), lost.moves[ply]
        regret = lost_points(points, move)
        if regret is None:
            return None
        judged = judged_move(places[ply], lost.moves[:ply], move, points)
        if regret:
            break
    return judged


def judged_move(
    position: Position, moves: tuple[int, ...], move: int, points: Mapping[int, float | None]
) -> JudgedMove:
    """Return a legal move with its regret, given the `exact_points` of its position."""
    lost, worth = lost_points(points, move), best_points(points)
    better = tuple(each for each in points if points[each] == worth) if lost else ()
    return JudgedMove(position, moves, move, lost, points[move], better)


def exact_points(position: Position, analyser: Analyser) -> dict[int, float | None]:
    """Return the points of each legal move for its mover; `None` for those not proven.

    >>> import noughts
    >>> points = exact_points(noughts.position("basic~XX1.OO1.3~X"), Analyser())
    >>> points[2], points[8]
    (1.0, 0.0)
    """
    found = analyser.best_move(position, Limit(nodes=NODES), moves=True)
    points = {move: POINTS.get(found.moves[move].kind) for move in position.legal_moves()}
    if is_native(position) and best_points(points) is None:
        for move, value in analyser.solve_moves(position, NO_LIMIT, SOLVER_NODES).items():
            points[move] = points[move] if value.kind not in POINTS else POINTS[value.kind]
    return points


def best_points(points: Mapping[int, float | None]) -> float | None:
    """Return the points of the best move; `None` if they are not proven.

    >>> best_points({0: 0.5, 1: None}), best_points({0: 1.0, 1: None})
    (None, 1.0)
    """
    known = [each for each in points.values() if each is not None]
    best = max(known, default=None)
    return best if len(known) == len(points) or best == 1.0 else None


def lost_points(points: Mapping[int, float | None], move: int) -> float | None:
    """Return the points that a move gives away; `None` if they are not proven."""
    best, own = best_points(points), points[move]
    return None if best is None or own is None else best - own
