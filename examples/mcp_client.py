"""Ask `noughts mcp` for the value of every move, with the Python SDK of the protocol.

python examples/mcp_client.py
"""

from __future__ import annotations

import asyncio

from mcp import Client
from mcp.client.stdio import StdioServerParameters


async def main() -> None:
    async with Client(StdioServerParameters(command="noughts", args=["mcp"])) as client:
        asked = {"position": "basic", "moves": "5 1"}
        answer = await client.call_tool("evaluate_moves", asked)
        print(*(part.text for part in answer.content if part.type == "text"))


if __name__ == "__main__":
    asyncio.run(main())
