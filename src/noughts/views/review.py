"""A game looked over afterwards: each move labelled by what it did to the game's value.

Record, Judge ──review()──► Remark for each move ──summary()──► Tally for each player
                                     └──annotated()──► the record with comments and better lines
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from noughts.games import record as records
from noughts.games.position import Player, Position
from noughts.games.record import Node, Record
from noughts.search import Value
from noughts.views.explain import Sentence, about_move, as_data, sentences
from noughts.views.facts import CLASSES, Judge

DOUBT = 0.2
"""A move that loses so much of the estimate, whose scale is from -1 to 1, is doubtful."""

LABELS = {
    "forced": "the only legal move",
    "best": "proven: keeps the value, and is not known to win later or lose sooner than another",
    "slower": "proven: still wins, but another move wins sooner",
    "sooner": "proven: lost in any case, but another move holds out longer",
    "mistake": "proven: turns a win into a draw, or a draw into a loss",
    "blunder": "proven: turns a win into a loss",
    "good": f"not proven: loses less than {DOUBT} of the estimate",
    "doubtful": f"not proven: loses {DOUBT} of the estimate or more",
}
"""The labels of moves, and what each says of the position's value and the move's."""
ERRORS = ("mistake", "blunder", "doubtful")
"""The labels of moves that a learner may try again."""


class Remark(NamedTuple):
    """What there is to say of one move of a game."""

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
    """What of the estimate was lost, 0 to 2; a proven win, draw and loss count 1, 0 and -1."""
    choice: bool
    """Whether the value before and after are proven, and a move is proven that is worth less."""
    sentences: list[Sentence]
    """Why, where the label is neither the best nor a good one."""


class Tally(NamedTuple):
    """One player's moves in sum."""

    labels: dict[str, int]
    """How many moves got each label, in the order of `LABELS`; none with 0."""
    choices: int
    """Moves where it mattered: proven before and after, and the value could have been lost."""
    kept: int
    """How many of these kept the value."""
    estimated: int
    """Moves judged by estimate."""
    estimate_lost: float | None
    """The mean of what these lost; `None` if there are none."""

    @property
    def accuracy(self) -> float | None:
        """The share of the choices that kept the value, 0 to 1; `None` without choices."""
        return self.kept / self.choices if self.choices else None


def review(
    record: Record, judge: Judge, progress: Callable[[int, int], None] | None = None
) -> list[Remark]:
    """Return a remark on each move of the main line.

    The last position is judged first: what is proven there is known of the moves that led to it.

    Args:
        record: the game; its variations do not matter.
        judge: of the record's rules.
        progress: is told how many of how many moves are done.

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
    before, after = result.scores[result.move], result.scores[move]
    proven = "unknown" not in (before.value, after.value)
    label = label_of(before, after, len(result.scores))
    could_err = any(
        CLASSES.get(value.value, 1) < CLASSES.get(before.value, -1)
        for value in result.scores.values()
    )
    said: list[Sentence] = []
    if label not in ("forced", "best", "good"):
        said = sentences(position, about_move(position, move, judge))
    choice = proven and could_err
    lost = estimate_lost(before, after)
    return Remark(position, move, label, result.move, before, after, lost, choice, said)


def estimate_lost(before: Value, after: Value) -> float:
    """Return how much less `after` is than `before`, a win, draw and loss being 1, 0 and -1."""

    def estimate(value: Value) -> float:
        return float(CLASSES.get(value.value, value.estimate or 0.0))

    return max(0.0, estimate(before) - estimate(after))


def label_of(before: Value, after: Value, moves: int) -> str:
    """Return the label of one of `moves` legal moves, worth `after` where the best is `before`."""
    if moves == 1:
        return "forced"
    lost = estimate_lost(before, after)
    if "unknown" in (before.value, after.value):
        return "doubtful" if lost >= DOUBT else "good"
    if before.value != after.value:
        return "blunder" if lost == 2 else "mistake"
    if after.rank < before.rank and None not in (before.plies, after.plies):
        return "slower" if after.value == "win" else "sooner"
    return "best"


def summary(remarks: Sequence[Remark]) -> dict[Player, Tally]:
    """Return the tally of both players."""
    tallies = {}
    for player in Player:
        own = [remark for remark in remarks if remark.position.turn is player]
        counts = Counter(remark.label for remark in own)
        choices = [remark for remark in own if remark.choice]
        lost = [r.lost for r in own if "unknown" in (r.before.value, r.after.value)]
        tallies[player] = Tally(
            {label: counts[label] for label in LABELS if counts[label]},
            len(choices),
            sum(remark.before.value == remark.after.value for remark in choices),
            len(lost),
            sum(lost) / len(lost) if lost else None,
        )
    return tallies


def annotated(record: Record, remarks: Sequence[Remark], judge: Judge) -> Record:
    """Return a copy of the record with the remarks as comments, and better lines as variations.

    A comment that a move has already stays, in front.
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
            siblings.append(_chain(judge.line(remark.position, remark.best)))
        siblings = node.children
    return copy


def _chain(line: Sequence[int]) -> Node:
    """Return the first of nodes that follow one another."""
    first, *others = [Node(move) for move in line]
    node = first
    for after in others:
        node.children.append(after)
        node = after
    return first


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
                "before": remark.before._asdict(),
                "after": remark.after._asdict(),
                "best": remark.position.move_text(remark.best),
                "lost": remark.lost,
                "sentences": [as_data(remark.position, said) for said in remark.sentences],
            }
            for number, remark in enumerate(remarks, 1)
        ],
    }
