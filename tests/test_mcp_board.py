"""The board as an MCP application, in a host with the policy of the specification, in Chromium."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from needs import needs_browser, needs_wasm
from page import chromium
from playwright.sync_api import expect

mcp = pytest.importorskip("mcp")

from mcp_host import STRICTEST, WITH_WASM, Hosted  # noqa: E402

import noughts  # noqa: E402
from noughts.mcp.asking import Asking  # noqa: E402
from noughts.mcp.board import BOARD, board_page  # noqa: E402
from noughts.mcp.server import create_server  # noqa: E402

pytestmark = [needs_wasm, needs_browser]


def call(asked: dict[str, Any]) -> Any:
    """Return the result of a tool as a client gets it."""

    async def talk() -> Any:
        async with mcp.Client(create_server(Asking(1))) as client:
            result = await client.call_tool(asked["name"], asked["arguments"])
            return result.model_dump(mode="json", by_alias=True, exclude_none=True)

    found: list[Any] = []
    # Playwright has an event loop in this thread.
    thread = threading.Thread(target=lambda: found.append(asyncio.run(talk())))
    thread.start()
    thread.join()
    return found[0]


def shown(position: str, moves: str) -> Any:
    return call({"name": "show_position", "arguments": {"position": position, "moves": moves}})


@pytest.fixture
def page() -> Iterator[Any]:
    with chromium() as browser:
        yield browser.new_page()


@pytest.mark.parametrize(("policy", "place"), [(STRICTEST, "#plain"), (WITH_WASM, "#board")])
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


def test_tools_name_the_board() -> None:
    async def look() -> None:
        async with mcp.Client(create_server(Asking(1))) as client:
            tools = (await client.list_tools()).tools
            named = [tool.name for tool in tools if tool.meta]
            assert named == ["show_position", "play_moves", "choose_move"]
            assert {tool.meta["ui"]["resourceUri"] for tool in tools if tool.meta} == {BOARD}
            (content,) = (await client.read_resource(BOARD)).contents
            assert content.mime_type == "text/html;profile=mcp-app"
            assert content.text == board_page()  # type: ignore[union-attr]
            assert "http://" not in board_page().replace("http://www.w3.org/", "")

    asyncio.run(look())
