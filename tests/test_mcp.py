"""The MCP server, asked by the SDK's own client, and by a client that breaks every rule."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import queue
import random
import re
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2 as httpx
import pytest
from command import NOUGHTS, run
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters
from mcp_types import (
    CallToolResult,
    ImageContent,
    PromptReference,
    TextContent,
    TextResourceContents,
)
from patience import PATIENCE

import noughts
from noughts.answers import tasks
from noughts.games.position import move_texts, parse_moves
from noughts.mcp import resources
from noughts.mcp.asking import Asking
from noughts.mcp.http import PATH
from noughts.mcp.refusals import refusal
from noughts.mcp.server import create_server
from noughts.opponents import OpponentFailed
from noughts.version import __version__
from noughts.web.budgets import Budgets
from noughts.web.clients import NOBODY, Account

ROOT = Path(__file__).parent.parent
TOOLS = [
    *("list_games", "show_position", "play_moves", "evaluate_moves"),
    *("choose_move", "explain_move", "review_game"),
]
LONG: dict[str, Any] = {"position": "mnk:15,15,5", "nodes": 10_000_000}
"""A question that takes many seconds."""

Ask = Callable[..., Awaitable[CallToolResult]]


def text(result: CallToolResult) -> str:
    assert isinstance(result.content[0], TextContent)
    return result.content[0].text


def said_of(content: object) -> str:
    assert isinstance(content, TextResourceContents)
    return content.text


@asynccontextmanager
async def talking(asking: Asking | None = None) -> AsyncIterator[Client]:
    """Talk to a server in this process."""
    async with Client(create_server(asking or Asking(1))) as client:
        yield client


def test_there_are_seven_tools_with_schemas() -> None:
    async def look() -> None:
        async with talking() as client:
            found = (await client.list_tools()).tools
            assert [tool.name for tool in found] == TOOLS
            for tool in found:
                assert tool.output_schema is not None
                assert tool.annotations is not None
                assert tool.annotations.read_only_hint
                described = tool.input_schema["properties"].values()
                assert all("description" in each for each in described), tool.name

    asyncio.run(look())


def test_answers_are_those_of_the_package() -> None:
    compared = 0

    async def compare() -> None:
        nonlocal compared
        async with talking() as client:
            for rules, moves in (("basic", "5 2"), ("ultimate", "51 15"), ("connect4", "4453")):
                asked = {"position": rules, "moves": moves}
                start = noughts.game(rules)
                position = start.after(moves)
                legal = {position.move_text(move) for move in position.legal_moves()}
                shown = await client.call_tool("show_position", asked)
                data = shown.structured_content
                assert data is not None
                assert set(data["legal_moves"]) == legal
                assert (data["position"], data["diagram"]) == (str(position), position.diagram())
                assert text(shown).startswith(position.diagram())

                # With a limit of nodes, as the other limits depend on time.
                few = asked | {"nodes": 20_000}
                found = (await client.call_tool("evaluate_moves", few)).structured_content
                texts = move_texts(start, parse_moves(start, moves))
                wanted = tasks.evaluate(rules, texts, 20_000, progress=lambda *_: None)
                assert found is not None
                assert {each["move"]: each["text"] for each in found["moves"]} == {
                    move: value["text"] for move, value in wanted["values"].items()
                }
                compared += len(legal)

    asyncio.run(compare())
    assert compared


def test_a_game_is_played_explained_and_reviewed() -> None:
    async def play() -> None:
        async with talking() as client:
            place = "basic"
            for move in ("5", "2"):
                played = await client.call_tool("play_moves", {"position": place, "moves": move})
                assert played.structured_content is not None
                place = played.structured_content["place"]["position"]
            assert place == str(noughts.game("basic").after("5 2"))
            why = await client.call_tool("explain_move", {"position": place, "move": "9"})
            assert why.structured_content is not None
            assert why.structured_content["move"] == "9"
            assert why.structured_content["reasons"][0]["exact"]
            chosen = await client.call_tool("choose_move", {"position": place, "nodes": 1_000})
            data = chosen.structured_content
            assert data is not None
            after = noughts.position(place).play(data["move"])
            assert data["place"]["position"] == str(after)

            steps = list[tuple[float, float | None]]()

            async def told(progress: float, total: float | None, message: str | None) -> None:
                assert message is None
                steps.append((progress, total))

            reviewed = await client.call_tool(
                "review_game",
                {"position": "basic", "moves": "5 2 1 9 7"},
                progress_callback=told,
            )
            review = reviewed.structured_content
            assert review is not None
            assert review["decided"] == 2
            assert [each["label"] for each in review["remarks"]].count("blunder") == 1
            assert [done for done, _ in steps] == sorted({done for done, _ in steps})
            assert {of for _, of in steps} <= {11}

    asyncio.run(play())


def test_a_picture_is_a_png() -> None:
    async def look() -> None:
        async with talking() as client:
            asked = {"position": "ultimate", "moves": "51", "picture": True}
            picture = (await client.call_tool("show_position", asked)).content[1]
            assert isinstance(picture, ImageContent)
            assert picture.mime_type == "image/png"
            assert base64.b64decode(picture.data).startswith(b"\x89PNG")

    asyncio.run(look())


REFUSALS: list[tuple[str, dict[str, Any], str]] = [
    ("show_position", {}, "position is missing. The arguments are position,"),
    ("show_position", {"position": "bsic"}, "Did you mean basic?"),
    ("show_position", {"position": 3}, "position must be a text."),
    ("show_position", {"position": "basic", "movs": "5"}, "has no argument 'movs'"),
    ("show_position", {"position": "b" * 5_000}, "more than 4,000 characters"),
    ("show_position", {"position": "basic~X9~X"}, "position string of show_position"),
    ("show_position", {"position": "mnk:3,3,9"}, "Send a rules id of list_games"),
    ("play_moves", {"position": "basic", "moves": ""}, "moves is empty."),
    ("play_moves", {"position": "basic", "moves": " "}, "at least one move"),
    ("play_moves", {"position": "basic", "moves": "5 5"}, "Free cells: 1 2 3 4 6 7 8 9."),
    ("play_moves", {"position": "ultimate", "moves": "51 22"}, "Legal moves: 11 12 13 14"),
    ("play_moves", {"position": "basic", "moves": "5 1 2 9 8 3"}, "Send fewer moves."),
    ("choose_move", {"position": "basic", "level": 11}, "level must be at most 10."),
    ("choose_move", {"position": "basic", "level": 1, "seconds": 1}, "only one of level and"),
    (
        "choose_move",
        {"position": "basic", "level": 1, "nodes": 9, "seconds": 1},
        "level, nodes and",
    ),
    ("evaluate_moves", {"position": "basic", "nodes": "many"}, "nodes must be a whole number."),
    ("evaluate_moves", {"position": "basic", "nodes": 10**9}, "nodes must be at most 10,000,000."),
    ("evaluate_moves", {"position": "basic", "moves": "5 2 1 9 7 3 4"}, "Send fewer moves, or a"),
    ("choose_move", {"position": "basic", "moves": "5 2 1 9 7 3 4"}, "Send fewer moves, or a"),
    ("explain_move", {"position": "basic", "moves": "5 2 1 9 7 3 4"}, "Send fewer moves, or a"),
    ("show_position", {"position": "b" * 3_000}, 'called "' + "b" * 60 + '…"'),
    ("explain_move", {"position": "basic", "move": "x"}, "Legal moves: 1 2 3"),
    ("review_game", {"position": "basic", "moves": " "}, "Send the moves of the game"),
    ("solve", {}, "The tools are list_games, show_position"),
]


def test_refusals_say_what_to_send() -> None:
    async def ask() -> None:
        async with talking() as client:
            for tool, asked, said in REFUSALS:
                answer = await client.call_tool(tool, asked)
                assert answer.is_error
                assert answer.structured_content is None
                assert said in text(answer), (tool, asked)
                assert text(answer)[-1] in ".?", text(answer)

    asyncio.run(ask())


def test_an_opponent_without_a_move_is_no_crash() -> None:
    said = refusal(OpponentFailed("it could not solve the position"))
    assert said == "It could not solve the position. Send another limit, or other moves."


def test_own_games_have_no_levels() -> None:
    from noughts.answers.problems import Refused
    from noughts.games.position import Position
    from noughts.mcp.tools import _machine

    class Other:
        rules_id = "nim"

    place: Any = Other()
    assert isinstance(place, Position) is False
    assert _machine(place, level=None, nodes=None, seconds=None) == "negamax:seconds=1"
    with pytest.raises(Refused, match="Send nodes or seconds in place of level"):
        _machine(place, level=3)


def test_cancelling_ends_the_search() -> None:
    async def cancel() -> None:
        asking = Asking(1)
        async with talking(asking) as client:
            begun = anyio.Event()

            async def told(progress: float, total: Any, message: Any) -> None:  # noqa: ARG001
                begun.set()

            workers = asking._workers
            assert workers is not None
            async with anyio.create_task_group() as group:
                group.start_soon(ask_for_long, client, told)
                await begun.wait()
                assert workers._free == 0
                group.cancel_scope.cancel()
            # The only process is free again, long before the search would have ended.
            assert workers._free == 1
            answer = await client.call_tool("evaluate_moves", {"position": "basic"})
            assert not answer.is_error

    async def ask_for_long(client: Any, told: Any) -> None:
        await client.call_tool("evaluate_moves", LONG, progress_callback=told)
        pytest.fail("the search was not cancelled")

    asyncio.run(cancel())


def test_a_busy_server_refuses_the_client_that_uses_most() -> None:
    """As on the page: two clients are active, the machine is busy, and one has most of it."""

    async def ask() -> None:
        budgets = Budgets(cores=1, clock=lambda: 0.0)
        budgets.charge(NOBODY, 14.0)
        budgets.charge(Account("other"), 1.0)
        async with talking(Asking(1, budgets)) as client:
            answer = await client.call_tool("evaluate_moves", {"position": "basic"})
            assert answer.is_error
            assert "more than its share of the server. Try again later." in text(answer)
            shown = await client.call_tool("show_position", {"position": "basic"})
            assert not shown.is_error

    asyncio.run(ask())


def test_a_question_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.mcp.asking.SECONDS", 0.3)

    async def ask() -> None:
        async with talking() as client:
            answer = await client.call_tool("evaluate_moves", LONG)
            assert answer.is_error
            assert "took more than 0.3 seconds" in text(answer)

    asyncio.run(ask())


WRONG_PROMPTS: list[tuple[str, dict[str, str], str]] = [
    ("learn_game", {"game": "chess"}, "No game called"),
    (
        "review_my_game",
        {"position": "basic", "moves": "5"},
        "argument 'position', and game is missing.",
    ),
    ("review_my_game", {}, "The arguments are game, moves, and optionally side."),
    ("review_my_game", {"game": "basic", "moves": " "}, "Send the moves of the game in moves"),
    ("review_my_game", {"game": "basic", "moves": "5 5"}, "Free cells: 1 2 3 4 6 7 8 9."),
    ("review_my_game", {"game": "basic", "moves": "5", "side": "Ann"}, "Send X, O or nothing."),
    ("nothing", {}, "The prompts are learn_game, review_my_game."),
]


def test_resources_and_prompts() -> None:
    async def read() -> None:
        async with talking() as client:
            listed = [each.uri for each in (await client.list_resources()).resources]
            rules = [uri for uri in listed if uri.startswith("noughts://rules/")]
            assert len(rules) == 5
            for uri in (*rules, "noughts://rules/ultimate:tie=boards,won=open"):
                content = (await client.read_resource(uri)).contents[0]
                assert f"`{uri.rpartition('/')[2]}`" in said_of(content)
            with pytest.raises(MCPError, match="Did you mean Connect Four"):
                await client.read_resource("noughts://rules/conect four")
            words = said_of((await client.read_resource(resources.GLOSSARY)).contents[0])
            assert "| zugzwang |" in words
            assert "](" not in words

            named = PromptReference(name="learn_game")
            completed = await client.complete(named, {"name": "game", "value": "mnk:3"})
            assert completed.completion.values == ["mnk:3,3,3", "mnk:3,3,3,misere"]

            prompts = {each.name: each for each in (await client.list_prompts()).prompts}
            assert set(prompts) == {"learn_game", "review_my_game"}
            asked = {"game": "basic", "moves": "5 1", "side": "x"}
            said = (await client.get_prompt("review_my_game", asked)).messages[0].content
            assert isinstance(said, TextContent)
            assert "The moves: 5 1" in said.text
            assert "I played X." in said.text
            for name, sent, says in WRONG_PROMPTS:
                with pytest.raises(MCPError, match=re.escape(says)):
                    await client.get_prompt(name, sent)
            for uri in ("noughts://nothing", "file:///etc/passwd"):
                with pytest.raises(MCPError, match="Send noughts://rules/RULES"):
                    await client.read_resource(uri)

    asyncio.run(read())


def test_standard_input_and_output() -> None:
    """Older clients, too; the example's client is a new one."""

    async def talk() -> None:
        server = StdioServerParameters(command=NOUGHTS, args=["mcp"])
        async with Client(server, mode="legacy") as c:
            shown = await c.call_tool("show_position", {"position": "basic", "moves": "5"})
            assert "Legal moves: 1 2 3 4 6 7 8 9" in text(shown)

    asyncio.run(talk())


def test_the_example_finds_the_values() -> None:
    path = f"{Path(NOUGHTS).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "mcp_client.py"],
        capture_output=True,
        text=True,
        env=os.environ | {"PATH": path},
        timeout=PATIENCE,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.startswith("Values for X, to move, the best first:\n  3: D (draws, proven)")


class Pipes:
    """A client that writes lines as they are to `noughts mcp`."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [NOUGHTS, "mcp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._replies: queue.Queue[bytes] = queue.Queue()
        self._reading = threading.Thread(target=self._read)
        self._reading.start()

    def _read(self) -> None:
        # Neither side may wait for the other to read.
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._replies.put(line)
        self._replies.put(b"")

    def send(self, *lines: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(line + b"\n" for line in lines))
        self.process.stdin.flush()

    def ask(self, number: int, method: str, params: object) -> bool:
        """Send a request; return whether it is text, and so has a reply with its id."""
        asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        data = json.dumps(asked).encode()
        self.send(data)
        return b"\\ud800" not in data

    def close(self) -> str:
        """End the conversation; return the error stream of the server."""
        process = self.process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.close()
        with process.stdout, process.stderr:
            errors = process.stderr.read().decode()
            self._reading.join()
        assert process.wait(PATIENCE) == 0
        return errors

    def until(self, numbers: set[int]) -> dict[int, Any]:
        """Return the replies with these ids."""
        found: dict[int, Any] = {}
        while numbers - set(found):
            line = self._replies.get(timeout=PATIENCE)
            assert line, "the server has ended"
            reply = json.loads(line)
            if reply.get("id") in numbers:
                found[reply["id"]] = reply
        return found


def begin(pipes: Pipes) -> None:
    hello = {"name": "fuzz", "version": "1"}
    wanted = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": hello}
    pipes.ask(1, "initialize", wanted)
    assert "result" in pipes.until({1})[1]
    pipes.send(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')


VALUES: list[Any] = [
    *(None, True, -1, 1e308, "", "5", "basic", "ultimate~9.9.9.9.9.9.9.9.9~X~-", "x" * 30_000),
    *([], {}, ["5"], {"a": {"b": []}}, "\ud800", "\x00", "mnk:20,20,20", "5 " * 9_000, 10**40),
]


def test_fuzzed_conversation() -> None:
    rng = random.Random(12)
    pipes = Pipes()
    begin(pipes)
    names = ["position", "moves", "move", "level", "nodes", "seconds", "picture", "other"]
    number, wanted = 10, set[int]()
    for _ in range(120):
        number += 1
        choice = rng.randrange(10)
        if choice == 0:
            pipes.send(rng.randbytes(rng.randrange(60)).replace(b"\n", b" "))
        elif choice == 1:
            pipes.send(b"[" * rng.choice((1, 100, 30_000)))
        elif choice == 2:
            method = rng.choice(("tools/call", "nonsense", "resources/read", "prompts/get", ""))
            pipes.ask(number, method, rng.choice(VALUES))
        elif choice == 3:
            uri = f"noughts://rules/{rng.choice(VALUES)}"
            if pipes.ask(number, "resources/read", {"uri": uri}):
                wanted.add(number)
        else:
            some = rng.sample(names, rng.randrange(4))
            asked = {name: rng.choice(VALUES) for name in some}
            tool = rng.choice([*TOOLS[:3], "explain_move", "nonsense"])
            if pipes.ask(number, "tools/call", {"name": tool, "arguments": asked}):
                wanted.add(number)
    replies = pipes.until(wanted)
    refused = [each for each in replies.values() if each.get("result", {}).get("isError")]
    assert refused
    assert all(each["result"]["content"][0]["text"] for each in refused)
    # Nothing of a crash, and after all that a question is answered.
    crashed = [
        each for each in refused if "Error executing" in each["result"]["content"][0]["text"]
    ]
    assert crashed == []
    pipes.ask(9, "tools/call", {"name": "show_position", "arguments": {"position": "basic"}})
    assert pipes.until({9})[9]["result"]["structuredContent"]["rules"] == "basic"
    assert "Traceback" not in pipes.close()


@pytest.fixture(scope="module")
def address() -> Any:
    process = subprocess.Popen(
        [NOUGHTS, "mcp", "--http", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found is not None, process.communicate(timeout=PATIENCE)
    yield found[0]
    process.terminate()
    errors = process.communicate(timeout=PATIENCE)[1]
    assert errors == ""


def test_http(address: str) -> None:
    """Many questions at once, and a cancelled one, over streamable HTTP."""

    async def talk(mode: str) -> None:
        async with Client(address, mode=mode) as client:
            answers = list[str]()

            async def ask(move: str) -> None:
                asked = {"position": "basic", "moves": move}
                answers.append(text(await client.call_tool("play_moves", asked)))

            async with anyio.create_task_group() as group:
                for move in "123456789":
                    group.start_soon(ask, move)
            assert sorted(each[:11] for each in answers) == [f"Played: X {n}" for n in range(1, 10)]

            begun = anyio.Event()

            async def told(progress: float, total: Any, message: Any) -> None:  # noqa: ARG001
                begun.set()

            async with anyio.create_task_group() as group:
                group.start_soon(
                    lambda: client.call_tool("evaluate_moves", LONG, progress_callback=told)
                )
                await begun.wait()
                group.cancel_scope.cancel()
            found = await client.call_tool("evaluate_moves", {"position": "basic"})
            assert not found.is_error

    for mode in ("auto", "legacy"):
        asyncio.run(talk(mode))


def test_http_is_for_programs_of_this_machine(address: str) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepted = {"accept": "application/json, text/event-stream"}

    def status(**headers: str) -> int:
        sent = accepted | {name.replace("_", "-"): value for name, value in headers.items()}
        return httpx.post(address, json=body, headers=sent, timeout=PATIENCE).status_code

    assert address.endswith(PATH)
    assert "127.0.0.1" in address
    assert status(host="evil.example") == 421
    assert status(origin="https://evil.example") == 403
    assert status(sec_fetch_site="cross-site") == 403
    assert status() not in (403, 421)
    large = httpx.post(address, content=b" " * 3_000_000, headers=accepted, timeout=PATIENCE)
    assert large.status_code == 413


def test_registry_files_agree() -> None:
    described = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    marker = f"<!-- mcp-name: {described['name']} -->"
    assert marker in (ROOT / "README.md").read_text(encoding="utf-8")
    (package,) = described["packages"]
    assert described["version"] == package["version"] == __version__
    assert f"noughts[mcp]=={__version__}" in json.dumps(package["runtimeArguments"])
    assert len(described["description"]) <= 100


def test_wrong_options_are_refused() -> None:
    refused = run("mcp", "--http", "--allow-host", "http://a.example")
    assert refused.returncode == 2
    assert "not a host name alone" in refused.stderr


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.startswith("noughts.mcp")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp.server.apps", None)
    refused = run("mcp")
    assert refused.returncode == 2
    assert "MCP server needs mcp" in refused.stderr
    assert "-m pip install" in refused.stderr
