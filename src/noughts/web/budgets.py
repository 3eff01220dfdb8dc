"""Budgets: the processor time that each address, and in it each cookie, has used lately.

    searches, tasks, requests, bytes ──charge──► Budgets ──► first(): whose turn it is
                                                    └──────► check(): 429 for heavy work

Use halves every ten seconds. An address may use all of an idle machine. On a busy one, the work of
an address far over its share is no longer urgent, and its heavy work is refused.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Awaitable, Callable, Generator, Iterable
from typing import Any, Generic, Protocol, TypeVar

from noughts.answers.problems import Refused
from noughts.web.clients import Account
from noughts.web.settings import processors

HALF_LIFE = 10.0
"""Seconds after which use counts half."""
SECOND_OF_BYTES = 100_000_000
"""Bytes sent that count as a second."""
MAX_USERS = 20_000
"""Most addresses, and most accounts, with a known use."""
ACTIVE = 0.02
"""Use in seconds from which an address counts as active."""
BUSY = 0.7
"""Share of the machine's time from which it counts as busy."""
EXCESS = 1.5
"""An address is far over its equal share from this multiple of it."""
FRESH = 0.02
"""Seconds of time or use after which the bound of `_allowed` is computed again."""
LONGEST_RETRY = 30.0
"""Maximum seconds in `Retry-After`."""

Result = TypeVar("Result")
User = TypeVar("User")


class Queued(Protocol):
    """Work that waits for its turn."""

    @property
    def account(self) -> Account: ...


class QueuedSearch(Queued, Protocol):
    """A search or a task that waits for its turn."""

    @property
    def urgent(self) -> bool:
        """Whether a person waits for it as for a move."""


Turn = TypeVar("Turn", bound=Queued)
Search = TypeVar("Search", bound=QueuedSearch)


class Budgets:
    """The use of all clients.

    >>> clock = [0.0]
    >>> budgets = Budgets(cores=1, clock=lambda: clock[0])
    >>> budgets.charge(Account("a"), 8.0)
    >>> clock[0] = 10.0
    >>> budgets.used("a"), budgets.used("b")
    (4.0, 0.0)

    Args:
        cores: processors of the machine.
        refuses: whether `check` refuses.
        clock: returns seconds.
    """

    def __init__(
        self,
        cores: int | None = None,
        *,
        refuses: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._all = (cores or processors()) * HALF_LIFE / math.log(2)
        self._refuses, self._clock = refuses, clock
        # In growing units instead of shrinking values, so that values of any time compare.
        self._of_addresses: dict[str, float] = {}
        self._of_accounts: dict[Account, float] = {}
        self._since = clock()
        self._charged = 0.0
        """Seconds charged since `_limit` was computed."""
        self._limit = math.inf
        self._limit_at = -math.inf

    def charge(self, account: Account, seconds: float) -> None:
        """Add processor time to an account and its address."""
        units = seconds * self._unit()
        addresses, accounts = self._of_addresses, self._of_accounts
        addresses[account.address] = addresses.get(account.address, 0.0) + units
        accounts[account] = accounts.get(account, 0.0) + units
        self._charged += seconds
        if len(accounts) > MAX_USERS:
            self._of_accounts = _larger_half(accounts)
        if len(addresses) > MAX_USERS:
            self._of_addresses = _larger_half(addresses)

    def used(self, user: str | Account) -> float:
        """Return the use of an address or an account, in seconds."""
        if isinstance(user, str):
            return self._of_addresses.get(user, 0.0) / self._unit()
        return self._of_accounts.get(user, 0.0) / self._unit()

    def least(self, turns: Iterable[Turn], count: int) -> list[Turn]:
        """Return the turns with the least use by the address; within one, by the account."""
        return heapq.nsmallest(count, turns, key=self._rank)

    def first(self, searches: Iterable[Search]) -> Search:
        """Return the search whose turn it is: moves first, then as `least`."""
        allowed = self._allowed()

        def rank(search: Search) -> tuple[bool, float, float]:
            of_address, of_account = self._rank(search)
            return not (search.urgent and of_address <= allowed), of_address, of_account

        return min(searches, key=rank)

    def _rank(self, turn: Queued) -> tuple[float, float]:
        account = turn.account
        return self._of_addresses.get(account.address, 0.0), self._of_accounts.get(account, 0.0)

    def check(self, account: Account) -> None:
        """Check that an address may begin heavy work.

        Raises:
            Refused: the machine is busy, and the address is far over its share.
        """
        allowed = self._allowed()
        used = self._of_addresses.get(account.address, 0.0)
        if self._refuses and used > allowed:
            detail = "Your address uses more than its share of the server. Try again later."
            retry = min(LONGEST_RETRY, HALF_LIFE * math.log2(used / allowed))
            raise Refused(429, "over-budget", detail, retry=max(1.0, retry))

    def _allowed(self) -> float:
        """Return the use from which an address is far over its share, in the units of `_unit`.

        It reads the use of all addresses, so its result holds for `FRESH` seconds of time or use.
        """
        now = self._clock()
        if now - self._limit_at >= FRESH or self._charged >= FRESH:
            unit = self._unit()
            active = sum(units > ACTIVE * unit for units in self._of_addresses.values())
            is_busy = sum(self._of_addresses.values()) >= BUSY * self._all * unit
            self._limit = math.inf
            if active >= 2 and is_busy:
                self._limit = EXCESS * self._all / active * unit
            self._limit_at, self._charged = now, 0.0
        return self._limit

    def _unit(self) -> float:
        lives = (self._clock() - self._since) / HALF_LIFE
        if lives > 100:
            self._since, self._limit_at = self._clock(), -math.inf
            scale = math.exp2(lives)
            self._of_addresses = {user: n / scale for user, n in self._of_addresses.items()}
            self._of_accounts = {user: n / scale for user, n in self._of_accounts.items()}
            lives = 0.0
        return math.exp2(lives)


def _larger_half(used: dict[User, float]) -> dict[User, float]:
    """Return the half of the users with the most use."""
    most = sorted(used, key=used.__getitem__)[len(used) // 2 :]
    return {user: used[user] for user in most}


class Metered(Generic[Result]):
    """An awaitable whose time on the event loop is charged.

    Args:
        work: the awaitable.
        charge: called with the seconds of each step.
    """

    def __init__(self, work: Awaitable[Result], charge: Callable[[float], None]) -> None:
        self._work, self._charge = work, charge

    def __await__(self) -> Generator[Any, Any, Result]:
        steps, error = self._work.__await__(), None
        while True:
            before = time.perf_counter()
            try:
                waited = steps.send(None) if error is None else steps.throw(error)
            except StopIteration as end:
                result: Result = end.value
                return result
            finally:
                self._charge(time.perf_counter() - before)
            error = None
            try:
                yield waited
            except BaseException as thrown:
                error = thrown
