"""The board as an MCP application, in a host with the policy of the specification, in Chromium."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
from mcp import Client
from mcp_host import STRICTEST, WITH_WASM, Hosted
from needs import needs_browser, needs_wasm
from page import chromium
from playwright.sync_api import expect

import noughts
from noughts.mcp.asking import Asking
from noughts.mcp.board import BOARD, board_page
from noughts.mcp.server import create_server

T = TypeVar("T")

pytestmark = [needs_wasm, needs_browser]


def asked(talk: Callable[[Any], Awaitable[T]]) -> T:
    """Return the result of a talk with a server, in a thread: Playwright has a loop in this one."""

    async def connected() -> T:
        async with Client(create_server(Asking(1))) as client:
            return await talk(client)

    with ThreadPoolExecutor(1) as threads:
        return threads.submit(lambda: asyncio.run(connected())).result()


def call(question: dict[str, Any]) -> Any:
    """Return the result of a tool as a client gets it."""

    async def talk(client: Any) -> Any:
        result = await client.call_tool(question["name"], question["arguments"])
        return result.model_dump(mode="json", by_alias=True, exclude_none=True)

    return asked(talk)


def shown(position: str, moves: str) -> Any:
    return call({"name": "show_position", "arguments": {"position": position, "moves": moves}})


@pytest.fixture
def page() -> Iterator[Any]:
    with chromium() as browser:
        yield browser.new_page()


@pytest.mark.parametrize(
    ("policy", "place"),
    [(STRICTEST, "#plain"), (WITH_WASM, "#board")],
    ids=["strictest", "with-wasm"],
)
def test_a_move_is_played_and_told(page: Any, policy: str, place: str) -> None:
    """Without WebAssembly the server tells the rules, with it the page."""
    hosted = Hosted(page, policy, call)
    rng, position = random.Random(4), noughts.game("ultimate").after("51 15")
    hosted.show(shown("ultimate", "51 15"))
    played: list[str] = []
    for _ in range(2):
        may = hosted.frame.locator(f"{place} .cell.may")
        expect(may).to_have_count(len(position.legal_moves()))
        move = rng.choice(position.legal_moves())
        hosted.frame.locator(f"{place} .cell[data-cell='{move}']").click()
        played.append(position.move_text(move))
        position = position.play(move)
        page.wait_for_function(
            "(many) => heard.filter((m) => m.method === 'ui/update-model-context').length >= many",
            arg=len(played),
        )
    (said,) = hosted.heard("ui/update-model-context")[-1]["content"]
    assert f"played {' '.join(played)}. The position there now: {position}" in said["text"]
    hosted.frame.locator("#send").click()
    page.wait_for_function("heard.some((each) => each.method === 'ui/message')")
    (message,) = hosted.heard("ui/message")
    assert message == {
        "role": "user",
        "content": [{"type": "text", "text": f"I play {' '.join(played)}."}],
    }
    assert len(hosted.heard("tools/call")) == (2 if place == "#plain" else 0)
    assert hosted.heard("ui/notifications/size-changed")[-1]["height"] > 300
    assert hosted.wrong == []


def test_refused_results_and_teardown(page: Any) -> None:
    hosted = Hosted(page, STRICTEST, call, theme="dark")
    hosted.show(shown("basic", "5 5"))
    expect(hosted.frame.locator("#said")).to_contain_text("Free cells: 1 2 3")
    hosted.show(shown("basic", "5"))
    expect(hosted.frame.locator("#said")).to_be_hidden()
    scheme = "getComputedStyle(document.documentElement).colorScheme"
    assert hosted.frame.evaluate(scheme) == "dark"
    page.evaluate("tell('ui/notifications/host-context-changed', {theme: 'light'})")
    hosted.frame.wait_for_function(f"{scheme} === 'light'")
    page.evaluate(
        "frames[0].postMessage({jsonrpc: '2.0', id: 'end', method: 'ui/resource-teardown'}, '*')"
    )
    page.wait_for_function("heard.some((each) => each.id === 'end' && each.result)")
    assert hosted.wrong == []


def test_a_host_without_webassembly_and_tools_says_where_to_play(page: Any) -> None:
    hosted = Hosted(page, STRICTEST, call, calls_tools=False)
    hosted.show(shown("basic", "5"))
    expect(hosted.frame.locator("#said")).to_have_text(re.compile("Write your move in the chat"))
    hosted.show(shown("basic", "5 1 2 9 8"))
    expect(hosted.frame.locator("#said")).to_be_hidden()
    assert hosted.frame.locator(".cell.may").count() == 0
    assert hosted.wrong == []


def test_tools_name_the_board() -> None:
    async def look(client: Any) -> tuple[Any, Any]:
        return (await client.list_tools()).tools, (await client.read_resource(BOARD)).contents

    tools, (content,) = asked(look)
    named = [tool.name for tool in tools if tool.meta]
    assert named == ["show_position", "play_moves", "choose_move"]
    assert {tool.meta["ui"]["resourceUri"] for tool in tools if tool.meta} == {BOARD}
    assert content.mime_type == "text/html;profile=mcp-app"
    assert content.text == board_page()
    assert "http://" not in board_page().replace("http://www.w3.org/", "")
