"""Measure the MCP server: the text that a model reads, and the processor time of its answers.

    python bench/model_tools.py

The time is that of the server's process, without the worker processes, which search.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from mcp import Client

from noughts.mcp.server import create_server

REPEATS = 20
QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("list_games", {}),
    ("show_position", {"position": "basic", "moves": "5 1"}),
    ("show_position", {"position": "ultimate", "moves": "51 15"}),
    ("show_position", {"position": "mnk:15,15,5", "moves": "h8 h9"}),
    ("show_position", {"position": "ultimate", "moves": "51 15", "picture": True}),
    ("evaluate_moves", {"position": "ultimate", "moves": "51 15", "nodes": 1_000}),
    ("choose_move", {"position": "connect4", "moves": "4453", "level": 4}),
    ("explain_move", {"position": "connect4", "moves": "4453", "move": "2"}),
    ("review_game", {"position": "basic", "moves": "5 2 1 9 7"}),
]


async def main() -> None:
    async with Client(create_server()) as client:
        tools = (await client.list_tools()).tools
        described = [tool.model_dump(mode="json", exclude_none=True) for tool in tools]
        print(f"tools/list: {len(json.dumps(described)):,} characters")
        print(f"{'question':<46} {'text':>7} {'data':>7} {'ms':>6}")
        for name, asked in QUESTIONS:
            await client.call_tool(name, asked)  # The worker processes start with the first one.
            before = time.process_time()
            for _ in range(REPEATS):
                answer = await client.call_tool(name, asked)
            spent = (time.process_time() - before) / REPEATS * 1_000
            text = sum(len(part.text) for part in answer.content if part.type == "text")
            data = len(json.dumps(answer.structured_content, ensure_ascii=False))
            shown = f"{name} {' '.join(map(str, asked.values()))}"
            print(f"{shown:<46} {text:>7,} {data:>7,} {spent:>6.1f}")


if __name__ == "__main__":
    asyncio.run(main())
