"""The board to play on, as an MCP application."""

from __future__ import annotations

from noughts.views import embed

BOARD = "ui://noughts/board.html"


def board_page() -> str:
    return (
        "<!doctype html><html lang=en><title>x</title><script>"
        + embed.script()
        + "</script></html>"
    )
