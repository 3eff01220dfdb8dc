"""The review of a game as text, for `noughts review` and the game at the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from noughts.cli.terminal import show_sentences
from noughts.explain.review import (
    ERRORS,
    Remark,
    people,
    proven_wins,
    summary,
    turning_points,
)
from noughts.games.position import Player
from noughts.games.record import Record
from noughts.views.foreign import without_controls
from noughts.views.values import mark

LABEL_STYLES = {"mistake": "bold yellow", "blunder": "bold red", "inaccuracy": "yellow"}


def show_review(
    console: Console, record: Record, remarks: Sequence[Remark], title: str = ""
) -> None:
    """Print a review: every move with its label and the reason, and totals."""

    names = " - ".join(_name(record, player) or str(player) for player in Player)
    console.print(Text(f"{title}{record.start.rules_id}, {names}, {record.result}", "bold"))
    if not remarks:
        console.print("no moves")
    width = max((len(r.position.move_text(r.move)) for r in remarks), default=0)
    for ply, remark in enumerate(remarks, 1):
        position = remark.position
        worth = mark(remark.after)
        if remark.label in (*ERRORS, "slower win", "loses faster"):
            worth = f"{mark(remark.before)} to {mark(remark.after)}"
        row = Text(f"{ply:>3} {position.turn} {position.move_text(remark.move):<{width}}   ")
        row.append(f"{remark.label:<12}", LABEL_STYLES.get(remark.label, ""))
        row.append(f"  {worth}", "bright_black")
        console.print(row)
        show_sentences(console, position, remark.sentences, 6)
    console.print()
    _show_tallies(console, record, remarks)


def _name(record: Record, player: Player) -> str:
    """Return a player's name in one line."""
    return " ".join(without_controls(record.tags.get(str(player), "")).split())


def _show_tallies(console: Console, record: Record, remarks: Sequence[Remark]) -> None:
    """Print the accuracy of both players, the turning points of people, and proven wins."""
    for player, tally in summary(remarks).items():
        name = _name(record, player)
        who = f"{player} ({name})" if name else str(player)
        accuracy = "" if tally.accuracy is None else f"accuracy {tally.accuracy:.0f}; "
        console.print(Text(f"{who}: {accuracy}{tally}"))
        if player not in people(record):
            continue
        for number in turning_points(remarks, player):
            remark = remarks[number - 1]
            text = f"turning point, move {number}: {remark.sentences[0]}"
            console.print(
                Padding(Text(text, LABEL_STYLES[remark.label]), (0, 0, 0, 4), expand=False)
            )
    for win in proven_wins(remarks):
        console.print(Text(str(win)))
    console.print()
