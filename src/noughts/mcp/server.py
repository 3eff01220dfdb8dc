"""The MCP server: seven tools, the rules and the glossary as resources, two prompts, and a board.

    client ──► ToolServer ──► Tools ──► result: text for the model, data with a schema, a view
                 │              └── bad arguments ──► isError, with a sentence
                 ├──► resources: noughts://rules/…, noughts://glossary
                 ├──► prompts: learn_game, review_my_game
                 └──► ui://noughts/board.html: a board to play on, where the client shows it

Specification: https://modelcontextprotocol.io/specification/
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.apps import Apps
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolResult,
    GetPromptResult,
    InputRequiredResult,
    ToolAnnotations,
)
from pydantic import AnyUrl, ValidationError

from noughts.mcp.asking import Asking
from noughts.mcp.board import BOARD, board_page
from noughts.mcp.refusals import bad_arguments, takes
from noughts.mcp.resources import add_completions, add_prompts, add_resources
from noughts.mcp.tools import Tools, refused
from noughts.version import __version__
from noughts.views.embed import CoreMissing

INSTRUCTIONS = """\
noughts knows the rules of tic-tac-toe, m,n,k-games such as gomoku, Connect Four, nine boards and \
ultimate tic-tac-toe, and says what is proven. Do not work out legal moves, results or values \
yourself: ask. Every tool takes `position` (a rules id such as "ultimate", or a position string \
that an earlier answer gave) and `moves` played from there. Nothing is kept between calls: send \
the position string of the last answer."""

RULES_OR_GLOSSARY = "noughts://rules/RULES with a rules id of list_games, or noughts://glossary"

READING = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
CHOOSING = READING.model_copy(update={"idempotent_hint": False})
"""A level of play makes mistakes by chance."""


class ToolServer(MCPServer[None]):
    """An MCP server whose refusals are sentences for the model."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; bad arguments and unknown tools are results with `is_error`."""
        known = {tool.name: tool.input_schema for tool in await self.list_tools()}
        if name not in known:
            return refused(f"There is no tool {name[:100]!r}. The tools are {', '.join(known)}.")
        schema = known[name]
        for each in arguments:
            if each not in schema.get("properties", {}):
                return refused(f"{name} has no argument {each[:100]!r}. {takes(schema)}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                return refused(bad_arguments(error.__cause__, schema))
            raise

    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        context: Context[None, Any] | None = None,
    ) -> GetPromptResult | InputRequiredResult:
        """Get a prompt; an unknown name or argument is an error with a sentence.

        Raises:
            MCPError: the request is wrong; the message says what to send instead.
        """
        known = {each.name: each.arguments or [] for each in await self.list_prompts()}
        if name not in known:
            reason = f"There is no prompt {name[:100]!r}. The prompts are {', '.join(known)}."
            raise MCPError(INVALID_PARAMS, reason)
        schema = {
            "properties": {each.name: {} for each in known[name]},
            "required": [each.name for each in known[name] if each.required],
        }
        sent = arguments or {}
        wrong = [
            f"it has no argument {each[:100]!r}" for each in sent.keys() - schema["properties"]
        ]
        wrong += [f"{each} is missing" for each in schema["required"] if each not in sent]
        if wrong:
            raise MCPError(INVALID_PARAMS, f"{name}: {', and '.join(wrong)}. {takes(schema)}")
        return await super().get_prompt(name, arguments, context)

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[None, Any] | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        """Read a resource.

        Raises:
            ResourceNotFoundError: there is none; the message says what to send instead.
        """
        try:
            return await super().read_resource(uri, context)
        except ResourceNotFoundError as error:
            # Those of the templates are sentences already.
            if not str(error).startswith("Unknown resource"):
                raise
            reason = f"There is no resource {str(uri)[:200]!r}. Send {RULES_OR_GLOSSARY}."
            raise ResourceNotFoundError(reason) from None


def create_server(asking: Asking | None = None) -> ToolServer:
    """Return the server.

    Args:
        asking: answers questions that need a search; new worker processes if left out.
    """
    used = asking or Asking()
    apps = Apps()
    try:
        apps.add_html_resource(
            BOARD,
            board_page(),
            name="board",
            title="A board to play on",
            description="The position of a tool's result, to play on and to step through.",
            prefers_border=False,
        )
        shown = {"ui": {"resourceUri": BOARD}}
    except CoreMissing:
        shown = {}

    @asynccontextmanager
    async def running(_: MCPServer[None]) -> AsyncIterator[None]:
        async with used.running():
            yield

    server = ToolServer(
        "noughts",
        title="noughts: tic-tac-toe, Connect Four and their relatives",
        version=__version__,
        instructions=INSTRUCTIONS,
        extensions=[apps] if shown else [],
        lifespan=running,
        log_level="ERROR",
        subscriptions=False,
    )
    tools = Tools(used)
    for tool, title, notes, meta in (
        (tools.list_games, "List the games", READING, None),
        (tools.show_position, "Show a position", READING, shown),
        (tools.play_moves, "Play moves", READING, shown),
        (tools.evaluate_moves, "Evaluate the moves", READING, None),
        (tools.choose_move, "Choose a move", CHOOSING, shown),
        (tools.explain_move, "Explain a move", READING, None),
        (tools.review_game, "Review a game", READING, None),
    ):
        server.add_tool(tool, title=title, annotations=notes, meta=meta or None)
    add_resources(server)
    add_prompts(server)
    add_completions(server)
    return server
