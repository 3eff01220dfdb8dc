"""The order of requests: by the use of their addresses."""

from __future__ import annotations

import asyncio

from noughts.web.admission import AT_ONCE, Admission
from noughts.web.budgets import Budgets
from noughts.web.clients import Account

ATTACKER, VICTIM = Account("a", "1"), Account("b", "1")


def test_request_of_another_address_is_among_the_next() -> None:
    order: list[Account] = []

    async def request(admission: Admission, budgets: Budgets, account: Account) -> None:
        await admission.turn(account)
        order.append(account)
        budgets.charge(account, 0.1)

    async def run() -> None:
        budgets = Budgets()
        admission = Admission(budgets)
        budgets.charge(ATTACKER, 0.1)
        flood = [asyncio.ensure_future(request(admission, budgets, ATTACKER)) for _ in range(100)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        flood[-1].cancel()
        await request(admission, budgets, VICTIM)
        await asyncio.wait(flood)
        await request(admission, budgets, VICTIM)

    asyncio.run(run())
    assert order.index(VICTIM) <= 2 * AT_ONCE
    assert len(order) == 101
