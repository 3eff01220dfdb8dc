"""Review a finished game: label each move by its effect on the game's value.

Record, Judge ──review()──► Remark for each move ──summary()──► PlayerSummary for each player
                                     └──annotated()──► the record with comments and better lines
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from noughts.explain.facts import CLASSES, Judge
from noughts.explain.sentences import Sentence, about_move, as_data, sentences
from noughts.games import record as records
from noughts.games.position import Player, Position
from noughts.games.record import Record
from noughts.search import Value

DOUBT = 0.2
"""A move that loses this much of the estimate, on its scale from -1 to 1, is an inaccuracy."""

LABELS = {
    "forced": "the only legal move",
    "best": "proven: keeps the value, and is not known to win later or lose sooner than another",
    "slower win": "proven: still wins, but another move wins sooner",
    "loses faster": "proven: every move loses, but another move lasts longer",
    "mistake": "proven: turns a win into a draw, or a draw into a loss",
    "blunder": "proven: turns a win into a loss",
    "good": f"not proven: loses less than {DOUBT} of the estimate, or is the engine's choice",
    "inaccuracy": f"not proven: loses {DOUBT} of the estimate or more; the engine plays another",
}
"""The labels of moves, with the meaning of each."""
ERRORS = ("mistake", "blunder", "inaccuracy")
"""The labels of moves that a learner can try again."""


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
    """The loss of estimate, 0 to 2; a proven win, draw and loss count 1, 0 and -1."""
    choice: bool
    """Whether both values are proven, and some move is proven to be worth less."""
    sentences: list[Sentence]
    """The reasons for a label other than `forced`, `best` and `good`."""
    good: list[int]
    """In place of an error: the moves that are none."""


class PlayerSummary(NamedTuple):
    """The totals of one player's moves."""

    labels: dict[str, int]
    """The number of moves with each label, in the order of `LABELS`, without zeros."""
    choices: int
    """Moves with proven values where another move would have lost value."""
    kept: int
    """Choices that kept the value."""
    estimated: int
    """Moves judged by estimate."""
    estimate_lost: float | None
    """Their mean loss of estimate; `None` if there are none."""

    @property
    def accuracy(self) -> float | None:
        """The share of the choices that kept the value, 0 to 1; `None` without choices."""
        return self.kept / self.choices if self.choices else None


def review(
    record: Record, judge: Judge, progress: Callable[[int, int], None] | None = None
) -> list[Remark]:
    """Return a remark on each move of the main line.

    Positions are judged from the last to the first, so that later proofs count for earlier moves.

    Args:
        record: the game; its variations are ignored.
        judge: of the record's rules.
        progress: called with (done, total) after each move.

    Raises:
        IllegalMove: a move that the rules do not allow.
    """
    positions, moves = list(record.positions()), record.moves
    remarks = []
    for done, (position, move) in enumerate(
        zip(reversed(positions[:-1]), reversed(moves), strict=True), 1
    ):
        judge.values(position)
        if position.play(move).outcome() is None:
            judge.learn(position, move)
        remarks.append(_remark(position, move, judge))
        if progress is not None:
            progress(done, len(moves))
    return remarks[::-1]


def _remark(position: Position, move: int, judge: Judge) -> Remark:
    result = judge.values(position)
    assert result.move is not None
    before, after = result.moves[result.move], result.moves[move]
    proven = "unknown" not in (before.kind, after.kind)
    label = label_of(position, move, judge)
    could_err = any(
        CLASSES.get(value.kind, 1) < CLASSES.get(before.kind, -1) for value in result.moves.values()
    )
    said: list[Sentence] = []
    if label not in ("forced", "best", "good"):
        said = sentences(position, about_move(position, move, judge))
    choice = proven and could_err
    lost = estimate_lost(before, after)
    good: list[int] = []
    if label in ERRORS:
        good = [other for other in result.moves if not is_error(position, other, judge)]
    return Remark(position, move, label, result.move, before, after, lost, choice, said, good)


def is_error(position: Position, move: int, judge: Judge) -> bool:
    """Whether a review calls a legal move an error."""
    return label_of(position, move, judge) in ERRORS


def estimate_lost(before: Value, after: Value) -> float:
    """Return the drop from `before` to `after`; a win, draw and loss count 1, 0 and -1."""

    def estimate(value: Value) -> float:
        return float(CLASSES.get(value.kind, value.estimate or 0.0))

    return max(0.0, estimate(before) - estimate(after))


def label_of(position: Position, move: int, judge: Judge) -> str:
    """Return the label of a legal move.

    Without proof of both, the move and the best one are compared as one search saw them, at one
    depth.
    """
    result = judge.values(position)
    assert result.move is not None
    if len(result.moves) == 1:
        return "forced"
    before, after = result.moves[result.move], result.moves[move]
    if "unknown" in (before.kind, after.kind):
        seen = judge.alone(position)
        assert seen.move is not None
        doubtful = estimate_lost(seen.moves[seen.move], seen.moves[move]) >= DOUBT
        return "inaccuracy" if doubtful and judge.choice(position) != move else "good"
    if before.kind != after.kind:
        return "blunder" if estimate_lost(before, after) == 2 else "mistake"
    if after.rank < before.rank and None not in (before.plies, after.plies):
        return "slower win" if after.is_win else "loses faster"
    return "best"


def summary(remarks: Sequence[Remark]) -> dict[Player, PlayerSummary]:
    """Return the summary of both players."""
    players = {}
    for player in Player:
        own = [remark for remark in remarks if remark.position.turn is player]
        counts = Counter(remark.label for remark in own)
        choices = [remark for remark in own if remark.choice]
        lost = [r.lost for r in own if "unknown" in (r.before.kind, r.after.kind)]
        players[player] = PlayerSummary(
            {label: counts[label] for label in LABELS if counts[label]},
            len(choices),
            sum(remark.before.kind == remark.after.kind for remark in choices),
            len(lost),
            sum(lost) / len(lost) if lost else None,
        )
    return players


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


def review_data(record: Record, remarks: Sequence[Remark]) -> dict[str, Any]:
    """Return a review for JSON, moves as texts and plies from 1."""
    return {
        "start": str(record.start),
        "tags": record.tags,
        "result": record.result,
        "players": {
            str(player): {**tally._asdict(), "accuracy": tally.accuracy}
            for player, tally in summary(remarks).items()
        },
        "moves": [
            {
                "ply": number,
                "player": str(remark.position.turn),
                "move": remark.position.move_text(remark.move),
                "label": remark.label,
                "before": remark.before.as_data(),
                "after": remark.after.as_data(),
                "best": remark.position.move_text(remark.best),
                "lost": remark.lost,
                "sentences": [as_data(remark.position, said) for said in remark.sentences],
            }
            for number, remark in enumerate(remarks, 1)
        ],
    }
