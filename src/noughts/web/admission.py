"""The order in which requests enter the application: a few at a time, by the clients' budgets.

    requests of all clients ──► waiting ──budgets──► `AT_ONCE` in each turn of the event loop

If hundreds of requests of one address wait, one of another address is still among the next.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from noughts.web.budgets import Budgets
from noughts.web.clients import Account

AT_ONCE = 4
"""Requests admitted in one turn of the event loop, since each comparison costs time."""


@dataclass(eq=False)
class _Arrival:
    account: Account
    admitted: asyncio.Future[None]


class Admission:
    """The waiting requests of a server.

    Args:
        budgets: the clients' use.
    """

    def __init__(self, budgets: Budgets) -> None:
        self._budgets = budgets
        self._waiting: list[_Arrival] = []
        self._is_due = False

    async def turn(self, account: Account) -> None:
        """Wait until it is the turn of a request of this account."""
        loop = asyncio.get_running_loop()
        if not self._is_due:
            self._is_due = True
            loop.call_soon(self._admit)
            return
        arrival = _Arrival(account, loop.create_future())
        self._waiting.append(arrival)
        await arrival.admitted

    def _admit(self) -> None:
        self._waiting = [each for each in self._waiting if not each.admitted.done()]
        for first in self._budgets.least(self._waiting, AT_ONCE):
            first.admitted.set_result(None)
        self._is_due = len(self._waiting) > AT_ONCE
        if self._is_due:
            asyncio.get_running_loop().call_soon(self._admit)
