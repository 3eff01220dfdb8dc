"""Letters as a person sees them: X and O are swapped for a person who has O and moves first.

By the rules X always moves first, so only the display changes, never a position or a record.
"""

from __future__ import annotations

import re

from noughts.games.position import Player


def is_swapped(letter: Player, first: bool) -> bool:
    """Return whether a person with this letter, moving first or second, sees the letters swapped.

    >>> is_swapped(Player.O, first=True), is_swapped(Player.O, first=False)
    (True, False)
    """
    return (letter is Player.O) == first


def shown_player(player: Player, swapped: bool) -> Player:
    """Return the player whose letter and colour `player` has on the screen."""
    return player.other if swapped else player


def shown_text(text: str, swapped: bool) -> str:
    """Return a text with the letters on the screen.

    >>> shown_text("X wins. O made the line.", swapped=True)
    'O wins. X made the line.'
    """
    return re.sub(r"\b[XO]\b", lambda found: str(Player(found[0]).other), text) if swapped else text
