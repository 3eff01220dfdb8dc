"""Quotas: the games that each address has stored, and their size.

new games, comments, variations ──check()──► the address's use, from the store, kept for a minute
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass

from noughts.answers.problems import Refused
from noughts.database.store import Store, StoreUnavailable
from noughts.web.clients import MAX_ADDRESSES, current
from noughts.web.security import Limits

FRESH = 60.0
"""Seconds for which a use read from the store stays valid."""


@dataclass
class _Use:
    games: int
    size: int
    since: float


class Quotas:
    """The use of all addresses.

    Args:
        store: where the games are.
        limits: the limits of one address; `None` for none.
    """

    def __init__(self, store: Store, limits: Limits | None) -> None:
        self._store, self._limits = store, limits
        self._known: OrderedDict[str, _Use] = OrderedDict()

    async def check(self, games: int = 0, size: int = 0) -> None:
        """Count new games and bytes of the present client's address.

        Raises:
            Refused: the address has reached its limit. While the database does not answer, the last
                known use counts.
        """
        limits = self._limits
        if limits is None:
            return
        address = current.get().address
        use = self._known.get(address)
        if use is None or time.monotonic() - use.since > FRESH:
            try:
                stored = await asyncio.to_thread(self._store.use, address)
            except StoreUnavailable:
                stored = (0, 0) if use is None else (use.games, use.size)
            use = self._known[address] = _Use(*stored, time.monotonic())
            self._known.move_to_end(address)
            if len(self._known) > MAX_ADDRESSES:
                self._known.popitem(last=False)
        for most, is_over in (
            (f"{limits.stored_games:,} games", use.games + games > limits.stored_games),
            (f"{limits.stored_mib:,} MiB of games", use.size + size > limits.stored_mib << 20),
        ):
            if is_over:
                detail = f"Your address may store {most}. Delete games that you do not need."
                raise Refused(429, "quota", detail, retry=FRESH)
        use.games += games
        use.size += size
