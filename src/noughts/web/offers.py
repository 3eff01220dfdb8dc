"""Offers between two people: a draw, a take-back, a rematch.

    ask ──► open ──► accepted: it happens │ declined, withdrawn, a move: closed, ask again later

One offer is open at a time. A player may ask again for the same after a further move, and three
times a game, so that nobody can pester with offers; an accepted one does not count.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Literal

from noughts.games.position import Player

OfferKind = Literal["draw", "undo", "rematch"]
MAX_ASKED = 3
"""Times that a player may ask in vain for the same in a game."""


@dataclass
class Offers:
    """The open offer of a game, and how often each player has asked.

    >>> offers = Offers()
    >>> offers.ask("draw", Player.X, moves=1)
    >>> offers.open, offers.may_ask("draw", Player.X, moves=1)
    (('draw', <Player.X: 'X'>), False)
    >>> offers.close()
    >>> [offers.may_ask("draw", Player.X, moves) for moves in (1, 2)]
    [False, True]
    """

    open: tuple[OfferKind, Player] | None = None
    """The open offer, and the player who made it."""
    asked: dict[str, tuple[int, int]] = field(default_factory=dict)
    """For each offer, such as `draw X`: how often it was made, and after how many own moves."""

    def may_ask(self, kind: OfferKind, side: Player, moves: int) -> bool:
        """Return whether a player may make an offer now, after `moves` own moves."""
        times, before = self.asked.get(f"{kind} {side}", (0, -1))
        return self.open is None and times < MAX_ASKED and moves > before

    def ask(self, kind: OfferKind, side: Player, moves: int) -> None:
        """Open an offer that the player may make."""
        times, _ = self.asked.get(f"{kind} {side}", (0, -1))
        self.asked[f"{kind} {side}"] = times + 1, moves
        self.open = kind, side

    def is_from(self, side: Player, kind: OfferKind | None = None) -> bool:
        """Return whether an offer of a player is open, of a kind or of any."""
        return self.open is not None and self.open[1] is side and kind in (None, self.open[0])

    def close(self, *, accepted: bool = False) -> None:
        """Close the open offer, if any."""
        if self.open is not None and accepted:
            kind, side = self.open
            del self.asked[f"{kind} {side}"]
        self.open = None

    def swap(self) -> None:
        """Let each player have the other side."""
        sides = {str(side): str(side.other) for side in Player}
        words = ((name.partition(" "), counts) for name, counts in self.asked.items())
        self.asked = {f"{kind} {sides[side]}": counts for (kind, _, side), counts in words}
        if self.open is not None:
            self.open = self.open[0], self.open[1].other

    @property
    def text(self) -> str | None:
        """The offers as text for the database; `None` if there were none."""
        if not self.asked and self.open is None:
            return None
        opened = self.open and f"{self.open[0]} {self.open[1]}"
        return json.dumps({"open": opened, "asked": self.asked})


def parse_offers(text: str | None) -> Offers:
    """Return the offers of a text from `Offers.text`."""
    if text is None:
        return Offers()
    stored = json.loads(text)
    asked = {name: (times, moves) for name, (times, moves) in stored["asked"].items()}
    if stored["open"] is None:
        return Offers(asked=asked)
    kind, _, side = stored["open"].partition(" ")
    return Offers((kind, Player(side)), asked)
