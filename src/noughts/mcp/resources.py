"""Resources and prompts: the rules of each game, the glossary; to learn a game, to review one."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, Completion, CompletionArgument
from pydantic import Field

from noughts import _core
from noughts.answers.positions import check_game
from noughts.explain.rules_text import rules_text
from noughts.games.position import IllegalMove, NotationError, Position
from noughts.games.registry import GAMES, sample
from noughts.games.registry import game as start_of
from noughts.games.words import title_and_rule
from noughts.mcp.refusals import NO_GAME, refusal

RULES = "noughts://rules/{+rules}"
GLOSSARY = "noughts://glossary"
WORDS = Path(_core.__file__).with_name("docs") / "glossary.md"
"""The glossary of the documentation, as installed."""
MARKDOWN = "text/markdown"
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


def glossary() -> str:
    """Return the glossary, as Markdown without links.

    Raises:
        OSError: it is not installed.
    """
    return _LINK.sub(r"\1", WORDS.read_text(encoding="utf-8"))


def add_resources(server: MCPServer[Any]) -> None:
    """Add the rules of each game, those of any rules id, and the glossary."""

    def rules(rules: str) -> str:
        try:
            return rules_text(_start(rules))
        except NotationError as error:
            raise ResourceNotFoundError(refusal(error)) from None

    for name in GAMES:
        shown = sample(name)
        if shown is None:
            continue
        # The sizes of a picture differ from the usual ones.
        presets = [preset.rules_id for preset in GAMES[name].presets]
        id_ = presets[0] if GAMES[name].sizes and presets else name
        start = start_of(id_)
        server.resource(
            f"noughts://rules/{id_}",
            name=f"rules of {start.rules_id}",
            title=f"Rules: {title_and_rule(start)[0]}",
            description=GAMES[name].about,
            mime_type=MARKDOWN,
        )(partial(rules_text, start))
    server.resource(
        RULES,
        name="rules",
        title="Rules of a rules id",
        description="The rules of any rules id of list_games, such as ultimate:won=open.",
        mime_type=MARKDOWN,
    )(rules)
    server.resource(
        GLOSSARY,
        name="glossary",
        title="Glossary",
        description="The words of games and searches, such as ply, fork and regret.",
        mime_type=MARKDOWN,
    )(glossary)


def _start(rules: str) -> Position:
    """Return the start of the game with these rules.

    Raises:
        NotationError: there are no such rules.
    """
    start = start_of(rules[:200])
    check_game(start)
    return start


def _asked(game: str, moves: str = "") -> Position:
    """Return the start of the game that a prompt names.

    Args:
        game: the rules id.
        moves: of the game.

    Raises:
        MCPError: there is no such game, or a move is illegal; the message says what to send.
    """
    try:
        start = _start(game)
        start.after(moves)
    except (IllegalMove, NotationError) as error:
        raise MCPError(INVALID_PARAMS, refusal(error)) from None
    return start


def add_completions(server: MCPServer[Any]) -> None:
    """Complete the rules ids in the arguments of prompts and in the addresses of rules."""
    known = sorted({*GAMES, *(each.rules_id for game in GAMES.values() for each in game.presets)})

    @server.completion()  # type: ignore[no-untyped-call, untyped-decorator]
    async def complete(_ref: Any, argument: CompletionArgument, _context: Any) -> Completion | None:
        if argument.name not in ("rules", "game"):
            return None
        return Completion(values=[each for each in known if each.startswith(argument.value)])


GameText = Annotated[str, Field(description="A rules id, such as basic, connect4 or ultimate.")]


def add_prompts(server: MCPServer[Any]) -> None:
    """Add the prompts: to learn a game, and to review one."""

    @server.prompt(
        name="learn_game",
        title="Learn a game",
        description="Learn the rules of a game, and play a first one.",
    )
    def learn_game(game: GameText = "ultimate") -> str:
        start = _asked(game)
        return (
            f"Teach me this game. Its rules:\n\n{rules_text(start)}\n\n"
            "Show me the start with show_position and explain the rules in your own words, one at "
            "a time, with an example on the board. Then play against me: I begin. After each of my "
            "moves call play_moves, then choose_move at level 2, show me the board, and if "
            "explain_move finds something to learn in my move, tell me in one sentence. At the end "
            "call review_game, and tell me my best and my worst move. Take rules, legal moves and "
            "values from the tools alone."
        )

    @server.prompt(
        name="review_my_game",
        title="Review my game",
        description="Find the moves that decided a game, and what to do better.",
    )
    def review_my_game(
        game: GameText,
        moves: Annotated[str, Field(description="The moves of the game, such as '51 15 55'.")],
        side: Annotated[str, Field(description="Your side: X or O, or empty for both.")] = "",
    ) -> str:
        start = _asked(game, moves)
        if not moves.strip():
            raise MCPError(INVALID_PARAMS, NO_GAME)
        player = side.strip().upper()
        if player not in ("X", "O", ""):
            raise MCPError(
                INVALID_PARAMS, f"There is no side {side[:100]!r}. Send X, O or nothing."
            )
        who = f" I played {player}." if player else ""
        return (
            f"Review my game of {title_and_rule(start)[0]} (`{start.rules_id}`).{who} "
            f"The moves: {moves}\n\n"
            "Call review_game. Tell me first which move decided the game and why. Then, for each "
            "of my mistakes and blunders: show the position before it with show_position, let me "
            "look for a better move before you name it, and explain the better one with "
            "explain_move. "
            "Keep proven values and estimates apart. End with one thing to practise."
        )
