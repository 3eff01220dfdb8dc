"""Review a finished game: label each move by its effect on the game's value.

Record, Judge ──review()──► Remark for each move ──summary()──► PlayerSummary for each player
                                     ├──turning_points()──► the errors that lost the most
                                     ├──deciding_move()──► the error that decided the game
                                     ├──proven_wins()──► since when the game was won, and how long
                                     └──annotated()──► the record with comments and better lines
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Literal, NamedTuple

from noughts.explain.errors import about_error, clues
from noughts.explain.facts import is_as_far
from noughts.explain.sentences import Sentence, sentences
from noughts.games import record as records
from noughts.games.position import Player, Position
from noughts.games.record import Record
from noughts.games.swap2 import opening_moves
from noughts.games.words import count
from noughts.judgement.judge import Judge
from noughts.opponents import OPPONENTS, opponent_name
from noughts.search import Value

FLAWS = (("inaccuracy", 0.05), ("mistake", 0.15), ("blunder", 0.35))
"""The labels of errors, and the loss of expected score from which on each is given: a win is 1, a
draw ½, a loss 0. The error of an estimate is taken off before."""
DOUBT = 0.05
"""The error of a loss of expected score between two estimates of one search."""
SINGLE_DOUBT = 0.1
"""The error of a loss between a proven value and an estimate."""
SPREAD = 0.05
"""Moves that differ by less of the expected score do not count in the accuracy."""

LABELS = {
    "forced": "the only legal move",
    "best": "keeps the value, as far as it is known: no move is known to be better",
    "slower win": "proven: still wins, but another move wins sooner",
    "loses faster": "proven: every move loses, but another move lasts longer",
    "good": f"loses less than {FLAWS[0][1]} of the expected score, or is the engine's choice",
    "unclear": "the engine's choice, proven to lose, but nothing is proven of the best move",
    "inaccuracy": f"loses {FLAWS[0][1]} of the expected score or more",
    "mistake": f"loses {FLAWS[1][1]} of the expected score or more",
    "blunder": f"loses {FLAWS[2][1]} or more, as a win that becomes a draw, or a draw a loss",
}
"""The labels of moves, with the meaning of each; the error of an estimate is taken off the loss."""
NO_LABEL = ""
"""The label of an opening move that was not the player's choice."""
SILENT = (NO_LABEL, "forced", "best", "good", "unclear")
"""The labels of moves that need no reasons."""
PLURALS = {"mistake": "mistakes", "blunder": "blunders", "inaccuracy": "inaccuracies"}
"""The plurals of labels that are nouns."""
ERRORS = tuple(label for label, _ in FLAWS)
"""The labels of moves that a learner can try again."""
TURNING_POINTS = 3
"""Most turning points of a player."""
MACHINES = {
    name.lower() for kind in OPPONENTS.keys() - {"human"} for name in (kind, opponent_name(kind))
}
"""The names of opponents that are not people, in small letters."""
STEEPNESS = 6
"""How fast the accuracy of a move falls with the share of the expected result that it loses."""


class Remark(NamedTuple):
    """The review of one move of a game."""

    position: Position
    """The position before the move."""
    move: int
    label: str
    best: int
    """The best move known."""
    before: Value
    """The value of the best move, for the player to move."""
    after: Value
    """The value of the move played, for the same player."""
    lost: float
    """The expected score that the move loses, 0 to 1, as far as it is known."""
    spread: float
    """How far the best legal move is above the worst, in expected score."""
    sentences: list[Sentence]
    """The reasons for a label that is not one of `SILENT`."""
    good: list[int]
    """For an error: the moves that would have been no error."""
    clues: list[str]
    """For an error: sentences that help to find one of the moves of `good`, the vaguest first."""

    @property
    def accuracy(self) -> float | None:
        """From 100 for the best move down to 0; `None` where the legal moves hardly differ."""
        return None if self.label == NO_LABEL else _accuracy(self.lost, self.spread)


class PlayerSummary(NamedTuple):
    """The totals of one player's moves."""

    labels: dict[str, int]
    """The number of moves with each label, in the order of `LABELS`, without zeros."""
    accuracy: float | None
    """The mean accuracy of the moves that have one, 0 to 100; `None` if none has."""

    def __str__(self) -> str:
        """The labels in words, such as `3 best, 1 mistake`."""
        counts = [
            count(many, label, PLURALS.get(label, label)) for label, many in self.labels.items()
        ]
        return ", ".join(counts) or "no moves"


def review(
    record: Record,
    judge: Judge,
    progress: Callable[[int, int], None] = lambda *_: None,
    tell: Callable[[int, str], None] = lambda *_: None,
) -> list[Remark]:
    """Return a remark on each move of the main line.

    The opening moves that the tag `Opening` counts were not the players' choice: they have no
    label. All positions are judged before the first remark, since proofs flow along the game.

    Args:
        record: the game; its variations are ignored.
        judge: of the record's rules.
        progress: called with (done, total) after each position and each remark.
        tell: called with the number of a move, from 1, and its label, as soon as the position
            before an error is judged, the last error first. A later proof can change the label.

    Raises:
        IllegalMove: a move that the rules do not allow.
    """
    moves, positions = record.moves, list(record.positions())
    steps = 2 * len(moves) + 1
    opening = opening_moves(record)

    def judged(done: int, _: int) -> None:
        progress(done, steps)
        number = len(moves) + 2 - done
        if opening < number <= len(moves):
            label = label_of(positions[number - 1], moves[number - 1], judge)
            if label in ERRORS:
                tell(number, label)

    judge.along(record.start, moves, judged)

    def remark(ply: int) -> Remark:
        return _remark(positions[ply], moves[ply], judge, is_given=ply < opening)

    remarks: list[Remark] = []
    with closing(judge.each(remark, range(len(moves)))) as found:
        for each in found:
            remarks.append(each)
            progress(len(moves) + 1 + len(remarks), steps)
    return remarks


def _remark(position: Position, move: int, judge: Judge, *, is_given: bool) -> Remark:
    result = judge.values(position)
    best = result.move
    assert best is not None
    label = NO_LABEL if is_given else label_of(position, move, judge)
    said: list[Sentence] = []
    if label not in SILENT:
        said = sentences(position, about_error(position, move, best, judge))
    good: list[int] = []
    help_: list[str] = []
    if label in ERRORS:
        good = [other for other in result.moves if not is_error(position, other, judge)]
        help_ = clues(position, move, best, good, judge)
    lost, _ = _loss(position, move, judge)
    values = result.moves[best], result.moves[move]
    spread = _spread(position, judge)
    return Remark(position, move, label, best, *values, lost, spread, said, good, help_)


def _score(value: Value) -> float:
    """Return the expected score, from 0 to 1."""
    return (value.expected + 1) / 2


def _spread(position: Position, judge: Judge) -> float:
    """Return how far the best legal move is above the worst, in expected score."""
    scores = [_score(value) for value in judge.values(position).moves.values()]
    return max(scores) - min(scores)


def _accuracy(lost: float, spread: float) -> float | None:
    return None if spread < SPREAD else 100 * (1 - lost) ** STEEPNESS


def is_error(position: Position, move: int, judge: Judge) -> bool:
    """Whether a review calls a legal move an error."""
    return label_of(position, move, judge) in ERRORS


def _loss(position: Position, move: int, judge: Judge) -> tuple[float, float]:
    """Return the expected score that a move loses against the best one, and the error of that.

    Two estimates are compared within one search, at the same depth.
    """
    result = judge.values(position)
    assert result.move is not None
    proven = result.moves[result.move].is_exact + result.moves[move].is_exact
    if not result.moves[move].is_exact:
        result = judge.alone(position)
    best = result.move
    assert best is not None
    lost = _score(result.moves[best]) - _score(result.moves[move])
    return max(0.0, lost), (DOUBT, SINGLE_DOUBT, 0.0)[proven]


def _flaw(lost: float) -> int:
    """Return how many of `FLAWS` a loss of expected score reaches."""
    return sum(lost >= least for _, least in FLAWS)


def label_of(position: Position, move: int, judge: Judge) -> str:
    """Return the label of a legal move."""
    result = judge.values(position)
    assert result.move is not None
    if len(result.moves) == 1:
        return "forced"
    before, after = result.moves[result.move], result.moves[move]
    if before.is_exact and before.kind == after.kind and not before.is_draw:
        if after.rank < before.rank and not is_as_far(before, after):
            return "slower win" if after.is_win else "loses faster"
        return "best"
    lost, error = _loss(position, move, judge)
    flaw = _flaw(lost - error)
    if error and flaw and judge.choice(position) == move:
        return "unclear" if after.is_loss else "good"
    if flaw:
        return FLAWS[flaw - 1][0]
    return "good" if lost > 0 else "best"


def accuracy(record: Record, player: Player, judge: Judge) -> float | None:
    """Return a player's accuracy as `summary` does, sooner: no move is labelled and explained.

    Raises:
        IllegalMove: a move that the rules do not allow.
    """
    judge.along(record.start, record.moves)
    chosen = [*zip(record.positions(), record.moves, strict=False)][opening_moves(record) :]
    return _mean(
        [
            _accuracy(_loss(position, move, judge)[0], _spread(position, judge))
            for position, move in chosen
            if position.turn is player
        ]
    )


def summary(remarks: Sequence[Remark]) -> dict[Player, PlayerSummary]:
    """Return the summary of both players."""
    players = {}
    for player in Player:
        own = [remark for remark in remarks if remark.position.turn is player]
        counts = Counter(remark.label for remark in own)
        players[player] = PlayerSummary(
            {label: counts[label] for label in LABELS if counts[label]},
            _mean([each.accuracy for each in own]),
        )
    return players


def _mean(accuracies: Sequence[float | None]) -> float | None:
    known = [each for each in accuracies if each is not None]
    return sum(known) / len(known) if known else None


def people(record: Record) -> list[Player]:
    """Return the players whose names are not those of opponents of `noughts.opponents`.

    >>> import noughts
    >>> names = {"X": "Ann", "O": "Engine, level 4"}
    >>> record = Record.from_moves(noughts.game("basic"), [], names)
    >>> [str(player) for player in people(record)]
    ['X']
    """

    def is_machine(name: str) -> bool:
        return re.split("[:,]", name, maxsplit=1)[0].lower() in MACHINES

    return [player for player in Player if not is_machine(record.tags.get(str(player), ""))]


def turning_points(remarks: Sequence[Remark], player: Player) -> list[int]:
    """Return the numbers of a player's errors that lost the most, from 1, the worst first."""
    errors = [
        number
        for number, remark in enumerate(remarks, 1)
        if remark.label in ERRORS and remark.position.turn is player
    ]
    return sorted(errors, key=lambda number: -remarks[number - 1].lost)[:TURNING_POINTS]


def deciding_move(remarks: Sequence[Remark]) -> int | None:
    """Return the number of the mistake or blunder that decided a game, from 1; `None` if none did.

    Of the side that lost, or is behind after the last move, it is the one that lost the most since
    the position was even for the last time. In an even game it is the one of either side that lost
    the most.
    """
    if not remarks:
        return None
    last = remarks[-1]
    outlook = _score(last.after)
    loser = None
    if abs(outlook - 0.5) >= FLAWS[1][1]:
        loser = last.position.turn.other if outlook > 0.5 else last.position.turn
    errors: list[int] = []
    for number, remark in enumerate(remarks, 1):
        if loser not in (None, remark.position.turn):
            continue
        if loser is not None and _score(remark.before) >= 0.5 - DOUBT:
            errors.clear()
        if remark.label in ERRORS[1:]:
            errors.append(number)
    return max(errors, key=lambda number: remarks[number - 1].lost, default=None)


WinEnd = Literal["won", "thrown away", "not proven"]


class ProvenWin(NamedTuple):
    """A part of a game in which a player's win is proven."""

    player: Player
    first: int
    """The number of the first move, from 1, before which the win is proven."""
    last: int
    """The number of the last such move."""
    end: WinEnd
    """How the part ends: `won`; `thrown away`, by the last move; or `not proven` from then on."""

    def __str__(self) -> str:
        """The sentence that people read."""
        if self.end == "won":
            return f"{self.player}'s win is proven from move {self.first} on."
        if self.end == "thrown away":
            since = "" if self.first == self.last else f" is proven from move {self.first} and"
            return f"{self.player}'s win{since} is thrown away by move {self.last}."
        return f"{self.player}'s win is proven from move {self.first} to move {self.last}."


def proven_wins(remarks: Sequence[Remark]) -> list[ProvenWin]:
    """Return the parts of a reviewed game in which a win is proven, in order."""
    wins: list[ProvenWin] = []
    for number, remark in enumerate(remarks, 1):
        turn = remark.position.turn
        if not remark.before.is_exact or not (remark.before.is_win or remark.before.is_loss):
            continue
        winner = turn if remark.before.is_win else turn.other
        first = number
        if wins and (wins[-1].player, wins[-1].last) == (winner, number - 1):
            first = wins.pop().first
        kept = remark.after.is_win if winner is turn else remark.after.is_loss
        end: WinEnd = "won" if kept else "thrown away" if remark.after.is_exact else "not proven"
        wins.append(ProvenWin(winner, first, number, end))
    return [
        win._replace(end="not proven") if win.end == "won" and win.last < len(remarks) else win
        for win in wins
    ]


def annotated(record: Record, remarks: Sequence[Remark], judge: Judge) -> Record:
    """Return a copy of the record with the remarks as comments, and better lines as variations.

    An existing comment of a move stays, in front.
    """
    copy = records.parse_json_line(records.format_json_line(record))
    siblings = copy.children
    for remark in remarks:
        node = siblings[0]
        if remark.sentences:
            why = " ".join([f"{remark.label}:", *(said.text for said in remark.sentences)])
            node.comment = f"{node.comment} {why}" if node.comment else why
        known = [sibling.move for sibling in siblings]
        if remark.label in ERRORS and remark.best not in known:
            line = judge.line(remark.position, remark.best)
            siblings += Record.from_moves(remark.position, line).children
        siblings = node.children
    return copy
