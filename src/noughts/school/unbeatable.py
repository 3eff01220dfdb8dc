"""Is a bot unbeatable? Every line of the opponent, until a lost game is found or none exists.

    layer of positions after n plies ──the bot's answers │ all replies──► layer after n + 1 plies
                                                  └── lost game: the shortest, as layers grow

Positions of a layer that differ only in the order of moves are one. `lines` still counts every
sequence of moves: each position carries the number of sequences that lead to it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple

from noughts.arena.bot import Fault, Verdict
from noughts.games.position import IllegalMove, Player, Position, move_texts
from noughts.games.record import RESULTS, Record
from noughts.school.asking import Asker, Nature, Strayed

POSITIONS = 100_000
"""Default limit of the positions in which the bot moves, for each side."""
TRIES = 5
"""Games played to reach a position from the start, if the bot deviates, before giving up."""


class BotFailed(RuntimeError):
    """The bot failed; the message names its side, the moves before and its fault."""


def failure(asker: Asker, fault: Fault) -> BotFailed:
    """Return the error for a fault of the bot in its last answer."""
    line = " ".join(move_texts(asker.start, asker.asked))
    return BotFailed(f"as {asker.side}, {f'after {line}' if line else 'at the start'}: {fault}")


class LostGame(NamedTuple):
    """A game that the bot loses."""

    start: Position
    side: Player
    """The side of the bot."""
    moves: tuple[int, ...]
    """The legal moves of the game."""
    illegal: str = ""
    """The bot's illegal move in words, if that ended the game."""

    @property
    def end(self) -> Position:
        return self.start.after(self.moves)

    @property
    def plies(self) -> int:
        """Number of moves, an illegal one included."""
        return len(self.moves) + bool(self.illegal)

    def as_data(self) -> dict[str, Any]:
        """Return the game for JSON."""
        moves = move_texts(self.start, self.moves)
        return {"moves": moves, "plies": self.plies, "illegal": self.illegal or None}

    def record(self, bot: str) -> Record:
        """Return the game as a record; `bot` is the name of the bot."""
        tags = {str(self.side): bot, str(self.side.other): "Opponent"}
        tags = dict(sorted(tags.items(), reverse=True))
        record = Record.from_moves(self.start, self.moves, tags)
        if self.illegal:
            record.result, record.termination = RESULTS[self.side.other], Verdict.ILLEGAL.value
            record.tags["Fault"] = f"{self.side}: {self.illegal}"
        return record


@dataclass(slots=True)
class ReachedPosition:
    """A position that the bot's games reach."""

    position: Position
    moves: tuple[int, ...]
    """The moves of the first game that reached it."""
    lines: int
    """Number of move sequences that lead to it."""
    numbers: tuple[int, ...]
    """Numbers of the answers with which the bot reaches it."""


class SideSearch:
    """The search for a game that a bot loses with one side.

    `run` may be interrupted: the attributes say how far it came.

    Args:
        asker: the bot.
        answers: answers of the bot to ask for in each position; all different ones are followed.
        limit: maximum number of positions in which the bot moves.
        progress: called with the number of these positions so far.
    """

    def __init__(
        self,
        asker: Asker,
        answers: int = 1,
        limit: int = POSITIONS,
        progress: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.side = asker.side
        self.asker = asker
        self.lost: LostGame | None = None
        """The shortest lost game, once it is found."""
        self.is_complete = False
        """Whether all lines were followed to their ends."""
        self.plies = 0
        """Every line was followed for at least this number of moves."""
        self.remembers = False
        """Whether a bot without chance did not lose the lost game again when it was played from the
        start: its moves depend on more than the position, so only whole games decide."""
        self.finished = 0
        """Number of lines that came to their end."""
        self.varied = 0
        """Number of questions with different answers."""
        self.strayed = 0
        """Number of lines that the bot did not repeat, so that their ends are not known."""
        self.strategy: dict[str, dict[str, None]] = {}
        """The moves of the bot in each position that its games reach, as text."""
        self._limit = limit
        self._progress = progress
        self._visited = 0
        self._known: dict[Hashable, dict[int, list[int]]] = {}
        root = ReachedPosition(asker.start, (), 1, tuple(range(answers)))
        self._layer = [root]

    @property
    def positions(self) -> int:
        """Number of different positions in which the bot was asked."""
        return len(self.strategy)

    @property
    def questions(self) -> int:
        """Number of questions, each asked as often as there are answers.

        In whole games that is more than `positions`: one for each sequence of moves.
        """
        return len(self._known)

    @property
    def lines(self) -> int:
        """Number of different lines followed: ended, or `plies` long."""
        return self.finished + sum(place.lines for place in self._layer)

    @property
    def never_loses(self) -> bool:
        """Whether all lines were followed, and none loses."""
        return self.is_complete and self.lost is None and not self.strayed

    def run(self) -> None:
        """Follow all lines until a lost game is found, none is left, or the limit is reached.

        Raises:
            BotFailed: the bot crashed, exceeded its time or answered with something else.
        """
        while self._layer:
            layer, finished = self._next_layer()
            if self.lost is not None:
                self.remembers = not (self.varied or self.asker.whole_games or self._is_repeated())
                return
            if layer is None:
                return
            self._layer, self.plies = layer, self.plies + 1
            self.finished += finished
        self.is_complete = True

    def _next_layer(self) -> tuple[list[ReachedPosition] | None, int]:
        """Return the places one move later, and the number of lines that end with this move.

        The places are `None` if the limit does not allow them.
        """
        after: dict[Hashable, ReachedPosition] = {}
        finished = 0
        for place in self._layer:
            replies = self._replies(place)
            if replies is None:
                return None, 0
            for move, numbers in replies.items():
                position, moves = place.position.play(move), (*place.moves, move)
                outcome = position.outcome()
                if outcome is not None:
                    finished += place.lines
                    if outcome.winner is self.side.other:
                        self.lost = LostGame(self.asker.start, self.side, moves)
                        return None, 0
                    continue
                key = moves if self.asker.whole_games else position.key()
                if key in after:
                    after[key].lines += place.lines
                else:
                    after[key] = ReachedPosition(position, moves, place.lines, tuple(numbers))
            if self.lost is not None:
                return None, 0
        return list(after.values()), finished

    def _replies(self, place: ReachedPosition) -> dict[int, list[int]] | None:
        """Return the moves to follow, with the numbers of their answers; `None` over the limit."""
        every = list(place.numbers)
        if place.position.turn is not self.side:
            return dict.fromkeys(place.position.legal_moves(), every)
        self._visited += 1
        if self._visited > self._limit:
            return None
        key = place.moves if self.asker.whole_games else place.position.key()
        if key not in self._known:
            answers = self._answers(place)
            self._known[key] = answers if self.asker.whole_games else dict.fromkeys(answers, every)
            self.varied += len(answers) > 1
            moves = self.strategy.setdefault(str(place.position), {})
            moves |= dict.fromkeys(map(place.position.move_text, answers))
            self._progress(self.questions)
        return self._known[key]

    def _answers(self, place: ReachedPosition) -> dict[int, list[int]]:
        """Return the different answers of the bot with their numbers; none after a lost game.

        Raises:
            BotFailed: the bot failed.
        """
        found: dict[int, list[int]] = {}
        for number in place.numbers:
            try:
                move = self._answer(place.moves, number)
            except IllegalMove as error:
                return self._lose(f"it played {error.move}: {error.reason}")
            except Fault as fault:
                if fault.verdict is Verdict.ILLEGAL:
                    return self._lose(fault.message)
                raise failure(self.asker, fault) from fault
            if move is None:
                self.strayed += 1
            else:
                found.setdefault(move, []).append(number)
        return found

    def _answer(self, moves: tuple[int, ...], number: int) -> int | None:
        """Return an answer of the bot; `None` if it never repeats its own earlier moves."""
        for _ in range(TRIES):
            try:
                return self.asker.answer(moves, number)
            except Strayed:
                continue
        return None

    def _is_repeated(self) -> bool:
        """Return whether the bot loses the lost game once more, as a whole game."""
        assert self.lost is not None
        try:
            return self.asker.repeats(self.lost.moves)
        except IllegalMove:
            return False
        except Fault as fault:
            if fault.verdict is Verdict.ILLEGAL:
                return False
            raise failure(self.asker, fault) from fault

    def _lose(self, illegal: str) -> dict[int, list[int]]:
        self.lost = LostGame(self.asker.start, self.side, self.asker.asked, illegal)
        return {}


class UnbeatableReport(NamedTuple):
    """The answer for a bot: one search for each side."""

    bot: str
    nature: Nature
    answers: int
    """Answers asked for in each position."""
    searches: tuple[SideSearch, ...]

    @property
    def lost(self) -> LostGame | None:
        """The shortest lost game; `None` if none was found."""
        lost = [each.lost for each in self.searches if each.lost is not None]
        return min(lost, key=lambda game: game.plies, default=None)

    @property
    def varied(self) -> int:
        """Number of questions with different answers."""
        return sum(each.varied for each in self.searches)

    @property
    def has_chance(self) -> bool:
        """Whether the bot may answer differently next time."""
        return self.nature is Nature.CHANCE or self.varied > 0

    @property
    def passed(self) -> bool:
        """Whether all lines were followed and none loses."""
        return all(each.never_loses for each in self.searches)

    @property
    def verdict(self) -> str:
        """`loses`, `undecided`, `no loss found` for a bot with chance, or `never loses`."""
        if self.lost is not None:
            return "loses"
        if not self.passed:
            return "undecided"
        return "no loss found" if self.has_chance else "never loses"

    def as_data(self) -> dict[str, Any]:
        """Return the report for JSON."""
        start = self.searches[0].asker.start
        return {
            "bot": self.bot,
            "rules": start.rules_id,
            "start": str(start),
            "verdict": self.verdict,
            "answers": self.answers,
            "varied": self.varied,
            "sides": {
                str(each.side): {
                    "complete": each.is_complete,
                    "whole_games": each.asker.whole_games,
                    "positions": each.positions,
                    "questions": each.questions,
                    "lines": each.lines,
                    "plies": each.plies,
                    "strayed": each.strayed,
                    "lost": each.lost and each.lost.as_data(),
                }
                for each in self.searches
            },
        }
