"""Themes of a puzzle, each defined by the rules alone.

position, solution ──► by_rules, zugzwang (noughts.explain.facts) ──► names of `THEMES`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from noughts.explain.facts import by_rules, threats, zugzwang
from noughts.games.lines import HAS_LINE
from noughts.games.nested import NestedPosition
from noughts.games.position import Player, Position

THEMES = {
    "double threat": "an own move threatens to win in two places at once",
    "threats": "every own move but the last threatens to win at once, or leaves no good reply",
    "quiet": "the first move neither threatens to win at once, nor stops such a threat, nor wins "
    "a board",
    "block": "the first move stops a threat to win at once",
    "zugzwang": "every reply to an own move lets the solver win on the cell above it",
    "board": "the first move wins a board",
    "denied board": "the first move takes a cell with which the opponent would win a board",
    "sacrifice": "the first move sends the opponent to a board that the opponent can win at once",
    "free choice": "the first move names a closed board, so that the opponent may play anywhere",
    "fork of boards": "after an own move two boards or more are each the third in a line",
}
"""The definition of each theme; only moves of the solution count."""

_OF_FIRST = {
    "blocks": "block",
    "takes_board": "board",
    "denies_board": "denied board",
    "gives_board": "sacrifice",
    "frees": "free choice",
}
"""Themes by the fact about the first move."""
_FORCING = {"two_threats", "threatens", "every_answer", "no_good_answer"}
"""Facts about a move whose replies are limited."""


def themes(position: Position, line: Sequence[int]) -> tuple[str, ...]:
    """Return the themes of a solution, in the order of `THEMES`.

    >>> import noughts
    >>> themes(noughts.position("basic~XO1.2X.2O~X"), [3, 2, 4])
    ('double threat', 'threats')
    """
    found = set(_themes(position, line))
    return tuple(name for name in THEMES if name in found)


def _themes(position: Position, line: Sequence[int]) -> Iterator[str]:
    player, forcing, last = position.turn, True, len(line) - 1
    for number, move in enumerate(line):
        after = position.play(move)
        if position.turn is player:
            kinds = {fact.kind for fact in by_rules(position, move)}
            if "two_threats" in kinds:
                yield "double threat"
            if number < last:
                forcing = forcing and not kinds.isdisjoint(_FORCING)
            if number == 0:
                yield from (theme for kind, theme in _OF_FIRST.items() if kind in kinds)
                if kinds.isdisjoint({"blocks", "takes_board"}) and not threats(after):
                    yield "quiet"
            if after.outcome() is None and zugzwang(after) is not None:
                yield "zugzwang"
            if _thirds(after, player) >= 2 and _thirds(position, player) < 2:
                yield "fork of boards"
        position = after
    if forcing and last:
        yield "threats"


def _thirds(position: Position, player: Player) -> int:
    """Return the number of open boards that would complete a line of won boards."""
    if not isinstance(position, NestedPosition) or position.rules.one_line:
        return 0
    won = position.won_x if player is Player.X else position.won_o
    if HAS_LINE[won]:
        return 0
    return sum(
        HAS_LINE[won | 1 << board] and not position.closed >> board & 1 for board in range(9)
    )
