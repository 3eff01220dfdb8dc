"""Certificates of unbeatable bots: JSON lines that a separate program can check.

    {"schema": 1, "rules": "basic", "start": …, "bot": …, "answers": 1, "sides": {"X": {…}, …}}
    {"position": "basic~3.3.3~X", "move": "1"}
    …

The first line counts, for each side, the positions in which the bot moves, and the lines: sequences
of moves to the end of a game. Each other line is a move of the bot. `tools/check_certificate.py`
checks a certificate without this package.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence

from noughts.games.position import Player, Position
from noughts.school.unbeatable import SideSearch


def certificate_lines(bot: str, answers: int, searches: Sequence[SideSearch]) -> Iterator[str]:
    """Yield the lines of a certificate, without line ends.

    Args:
        bot: text of the bot.
        answers: answers that it gave in each position.
        searches: finished searches without a lost game, one for each side.
    """
    start = searches[0].asker.start
    yield json.dumps(
        {
            "schema": 1,
            "rules": start.rules_id,
            "start": str(start),
            "bot": bot,
            "answers": answers,
            "sides": {
                str(each.side): {
                    "positions": len(each.strategy),
                    "lines": count_lines(start, each.side, each.strategy),
                }
                for each in searches
            },
        }
    )
    for each in searches:
        for position, moves in each.strategy.items():
            for move in moves:
                yield json.dumps({"position": position, "move": move})


def count_lines(start: Position, side: Player, strategy: Mapping[str, Mapping[str, None]]) -> int:
    """Return the number of games between the moves of `strategy` for `side` and every reply."""
    layer: dict[Hashable, tuple[Position, int]] = {start.key(): (start, 1)}
    lines = 0
    while layer:
        after: dict[Hashable, tuple[Position, int]] = {}
        for position, paths in layer.values():
            own = position.turn is side
            for move in strategy[str(position)] if own else position.legal_moves():
                place = position.play(move)
                if place.outcome() is None:
                    before = after.get(place.key(), (place, 0))[1]
                    after[place.key()] = place, before + paths
                else:
                    lines += paths
        layer = after
    return lines
