"""The figures of language models in a match.

records, Audit ──model_figures()──► ModelFigures for each model: illegal and unreadable answers,
                                    missed wins, regret, tokens and time
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from noughts.arena.bot import Entry
from noughts.arena.chat.answers import TAG, Answers, parse_answers
from noughts.arena.referee import parse_note
from noughts.arena.regret import Audit, Regret
from noughts.arena.standings import UNKNOWN
from noughts.games.position import Player, wins_at_once
from noughts.games.record import Record
from noughts.games.swap2 import opening_moves


class ModelFigures(NamedTuple):
    """The answers and moves of a language model in all its games."""

    name: str
    answers: Answers = Answers()
    moves: int = 0
    """Moves that it chose."""
    seconds: float = 0.0
    """Seconds of these moves."""
    chances: int = 0
    """Positions in which it could win at once."""
    missed: int = 0
    """How many of them it did not use."""
    regret: Regret | None = None
    """The points that its moves lost, as far as they are proven; `None` without an audit."""

    @property
    def illegal(self) -> float | None:
        """The share of illegal answers; `None` if there is no answer."""
        return self._share(self.answers.illegal)

    @property
    def unreadable(self) -> float | None:
        """The share of answers without a move; `None` if there is no answer."""
        return self._share(self.answers.unreadable)

    def data(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return {
            "name": self.name,
            **self.answers._asdict(),
            "moves": self.moves,
            "seconds": round(self.seconds, 3),
            "chances": self.chances,
            "missed": self.missed,
            "regret": None if self.regret is None else self.regret.mean,
            "solved": None if self.regret is None else self.regret.solved,
        }

    def _share(self, count: int) -> float | None:
        return count / self.answers.answers if self.answers.answers else None


def has_model(entries: Sequence[Entry]) -> bool:
    """Return whether one of the bots is a language model."""
    return any(entry.text.startswith("chat:") for entry in entries)


def has_models(records: Sequence[Record]) -> bool:
    """Return whether a language model plays in one of the games."""
    return any(f"{player}{TAG}" in record.tags for record in records for player in Player)


def model_figures(records: Sequence[Record], audit: Audit | None = None) -> list[ModelFigures]:
    """Return the figures of each language model, in the order of their first games.

    Args:
        records: games of a match.
        audit: the regret of these games.
    """
    found: dict[str, ModelFigures] = {}
    for record in records:
        for player in Player:
            told = parse_answers(record.tags.get(f"{player}{TAG}", ""))
            if told is not None:
                name = record.tags.get(str(player), UNKNOWN)
                before = found.get(name, ModelFigures(name))
                found[name] = _with_game(before, record, player, told)
    if audit is None:
        return list(found.values())
    return [each._replace(regret=audit.bots.get(name)) for name, each in found.items()]


def _with_game(
    figures: ModelFigures, record: Record, player: Player, told: Answers
) -> ModelFigures:
    """Return the figures with those of one more game."""
    moves, chances, missed, seconds = (
        figures.moves,
        figures.chances,
        figures.missed,
        figures.seconds,
    )
    opening = opening_moves(record)
    steps = zip(record.positions(), record.main_line(), strict=False)
    for ply, (position, node) in enumerate(steps):
        if ply < opening or position.turn is not player:
            continue
        note = parse_note(node.comment)
        moves, seconds = moves + 1, seconds + (0.0 if note is None else note.seconds)
        winning = wins_at_once(position)
        chances += bool(winning)
        missed += bool(winning) and node.move not in winning
    return figures._replace(
        answers=figures.answers.plus(told),
        moves=moves,
        seconds=seconds,
        chances=chances,
        missed=missed,
    )
