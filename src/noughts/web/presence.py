"""Players who have a game open on another server of the same PostgreSQL.

    a page opens or closes ──► event() ──► NOTIFY ──► heard() of the other servers
    every `CHECK` seconds each server repeats it; a player that no server names is forgotten

A player is named by the first characters of the player id.
"""

from __future__ import annotations

import time

from noughts.database.servers import CHECK

REMEMBERED = 2.5 * CHECK
"""Seconds without a repetition after which a player counts as gone."""
SHOWN = 16
"""Characters of a player id in an event."""


def event(game: str, player: str, *, is_there: bool) -> str:
    """Return the event that a player opens or closes a game, for `Store.announce`."""
    return f"{'on' if is_there else 'off'}:{game}:{player[:SHOWN]}"


def is_event(text: str) -> bool:
    """Return whether a text is an event of this module, not the id of a game."""
    return ":" in text


class Presence:
    """The players of one game who have it open on other servers.

    >>> presence = Presence()
    >>> presence.hear("on:x:ada", 100.0), presence.hear("on:x:ada", 101.0), "ada" in presence
    (True, False, True)
    >>> presence.forget(110.0), presence.forget(120.0), "ada" in presence
    (False, True, False)
    """

    def __init__(self) -> None:
        self._heard: dict[str, float] = {}

    def __contains__(self, player: object) -> bool:
        return isinstance(player, str) and player[:SHOWN] in self._heard

    def hear(self, event: str, now: float | None = None) -> bool:
        """Note an event of another server; return whether it changes anything."""
        kind, _, player = event.split(":")
        known = player in self._heard
        if kind == "on":
            self._heard[player] = time.monotonic() if now is None else now
        elif known:
            del self._heard[player]
        return known != (kind == "on")

    def forget(self, now: float | None = None) -> bool:
        """Forget players whom no server has named lately; return whether there were any."""
        now = time.monotonic() if now is None else now
        gone = [player for player, at in self._heard.items() if now - at > REMEMBERED]
        for player in gone:
            del self._heard[player]
        return bool(gone)
