"""Clients of the server: their network address, and in it their cookie.

request ──► account_of() ──► Account(address, player) ──► current: for all that the request starts
"""

from __future__ import annotations

import ipaddress
import re
from contextvars import ContextVar
from functools import lru_cache
from typing import NamedTuple

from starlette.requests import HTTPConnection
from starlette.types import Scope

COOKIE = "noughts"
SECRET = re.compile(r"[A-Za-z0-9_-]{32}")
MAX_ADDRESSES = 10_000
"""Most addresses with a cached network."""


class Account(NamedTuple):
    """The account of a client, which its work is charged to."""

    address: str
    """An IPv4 address or an IPv6 network of 64 bits."""
    player: str = ""
    """The player id of the cookie, empty without one; an address can have any number of them."""


NOBODY = Account("")
current: ContextVar[Account] = ContextVar("account", default=NOBODY)
"""The account of the present request, also in the tasks that it starts."""


def secret_of(connection: HTTPConnection) -> str | None:
    """Return the secret in a client's cookie, if it has the right form."""
    secret = connection.cookies.get(COOKIE, "")
    return secret if SECRET.fullmatch(secret) else None


def account_of(scope: Scope) -> Account:
    """Return the account of a request or a WebSocket."""
    secret = secret_of(HTTPConnection(scope))
    if secret is None:
        return Account(client_of(scope))
    # Here, since only a server with games has cookies and a database.
    from noughts.database.store import player_id

    return Account(client_of(scope), player_id(secret))


LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Names of this machine."""


def client_of(scope: Scope) -> str:
    """Return the client of a request: its IPv4 address, or its IPv6 network of 64 bits."""
    client = scope.get("client")
    return _network(client[0]) if client else ""


def parsed_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an address; `None` for a text that is none, such as a name."""
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


@lru_cache(MAX_ADDRESSES)
def _network(address: str) -> str:
    parsed = parsed_address(address)
    if not isinstance(parsed, ipaddress.IPv6Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((parsed, 64), strict=False).network_address)
