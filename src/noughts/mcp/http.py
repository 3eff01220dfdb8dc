"""The MCP server over streamable HTTP, behind the guard of the page.

request ──► Guard: Host, Origin, rate ──► /mcp ──► Server ──► Asking: the budget of the address
"""

from __future__ import annotations

from collections.abc import Collection

from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp

from noughts.mcp.asking import Asking
from noughts.mcp.server import create_server
from noughts.web.budgets import Budgets
from noughts.web.security import LARGEST_BODY, Guard, Limits

PATH = "/mcp"
SESSION_SECONDS = 15 * 60.0
"""Seconds after which an idle session of an older client ends; it has no state but its name."""
MAX_SESSIONS = 1_000


def create_app(hosts: Collection[str] | None = None, limits: Limits | None = None) -> ASGIApp:
    """Return the application.

    Args:
        hosts: allowed host names, as in `Guard`; any by default.
        limits: limits of one client; `None` for none. Searches are limited by their cost.
    """
    budgets = Budgets(refuses=limits is not None)
    application = create_server(Asking(budgets=budgets)).streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=LARGEST_BODY,
        session_idle_timeout=SESSION_SECONDS,
        max_sessions=MAX_SESSIONS,
        # The guard checks Host and Origin.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return Guard(application, hosts, limits, budgets=budgets)
