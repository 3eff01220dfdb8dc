"""The figures of language models in a match, as a table for the terminal and for the report.

ModelFigures ──model_cells()──► texts of the columns of `HEADERS` ──models_table()──► a table
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from noughts.arena.chat.figures import ModelFigures
from noughts.games.words import percent
from noughts.views.standings import bot_table

HEADERS = (
    "language model",
    "answers",
    "illegal",
    "unreadable",
    "missed wins",
    "regret",
    "solved",
    "tokens in",
    "tokens out",
    "time a move",
)
NOTES = (
    "Missed wins: positions with a move that wins at once where another move was played. Regret: "
    "points lost a move, in moves that are proven before and after. Tokens are of all games."
)


def model_cells(figures: ModelFigures) -> list[str]:
    """Return the texts of a row, without the name."""
    answers, regret = figures.answers, figures.regret
    mean = None if regret is None else regret.mean
    return [
        f"{answers.answers:,}",
        _percent(figures.illegal),
        _percent(figures.unreadable),
        f"{figures.missed} of {figures.chances}" if figures.chances else "–",
        "–" if mean is None else f"{mean:.3f}",
        f"{regret.solved} of {regret.moves}" if regret and regret.moves else "–",
        f"{answers.sent:,}" if answers.sent else "–",
        f"{answers.received:,}" if answers.received else "–",
        f"{figures.seconds / figures.moves:.2f} s" if figures.moves else "–",
    ]


def _percent(share: float | None) -> str:
    return "–" if share is None else percent(share)


def models_table(models: Sequence[ModelFigures]) -> Table:
    """Return the table of a match's language models."""
    table = bot_table(["", *HEADERS], [each.name for each in models])
    for number, each in enumerate(models, 1):
        table.add_row(*map(Text, [str(number), each.name, *model_cells(each)]))
    return table
