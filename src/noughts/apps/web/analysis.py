"""What the engine thinks: the WebSocket that streams it, and its one-shot twins over HTTP.

Question ──► Session: one task for each kind ──► pool, workers
                      answers ──► Outbox: the latest of each kind ──► the client
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

import noughts
from noughts.apps.web.api import Who, problems, secret_of, who
from noughts.apps.web.models import AnalysisView, AnalysisWanted, Question
from noughts.apps.web.pool import Engines, Pool
from noughts.apps.web.problems import Refused, document, problem
from noughts.apps.web.searches import Deepening, Graph, Known
from noughts.apps.web.shown import position_view, value_view
from noughts.games.position import IllegalMove, NotationError, Position
from noughts.search.result import SearchResult, Value

Answer = TypeVar("Answer")
ANALYSIS_SECONDS = 20.0
"""How long an analysis searches, its turns together."""
PAUSE = 0.1
"""Seconds between two views of one analysis."""
MOST_BEHIND = 2_000
"""How many answers wait for a slow client at most; then it is let go."""

router = APIRouter(prefix="/api/v1", responses=problems)


def parse_line(start: str, moves: Sequence[str]) -> list[Position]:
    """Return the positions of a line, from its start to its end.

    Raises:
        IllegalMove, NotationError: of the start or the moves, or of a game that the page has not.
    """
    first = noughts.position(start) if "~" in start else noughts.game(start)
    position_view([first], None)
    line = [first]
    for number, move in enumerate(moves, 1):
        try:
            line.append(line[-1].play(line[-1].parse_move(move)))
        except IllegalMove as error:
            reason = f"move {number}: {error.reason}"
            raise IllegalMove(error.move, error.position, reason) from None
    return line


def analysis_view(
    position: Position, result: SearchResult | None, *, done: bool, waiting: bool
) -> AnalysisView:
    """Return what is known of a position, as the page shows it."""
    if result is None:
        return AnalysisView(
            position=str(position),
            done=done,
            waiting=waiting,
            depth=0,
            nodes=0,
            per_second=0,
            seconds=0.0,
            move=None,
            value=None,
            values={},
            lines={},
        )
    text = position.move_text
    return AnalysisView(
        position=str(position),
        done=done,
        waiting=waiting,
        depth=result.depth,
        nodes=result.nodes,
        per_second=round(result.nodes / result.seconds) if result.seconds > 0 else 0,
        seconds=round(result.seconds, 3),
        move=None if result.move is None else text(result.move),
        value=value_view(result.value),
        values={text(move): value_view(value) for move, value in result.scores.items()},
        lines={
            text(move): noughts.move_texts(position, line) for move, line in result.lines.items()
        },
    )


class Thinker:
    """All that thinks for the clients of one server.

    Args:
        pool: the threads.
        engines: what they search with.
    """

    def __init__(self, pool: Pool, engines: Engines) -> None:
        self._pool, self._engines = pool, engines
        self._known = Known()

    async def analyse(
        self,
        client: str,
        position: Position,
        seconds: float,
        tell: Callable[[AnalysisView], None] = lambda _: None,
    ) -> AnalysisView:
        """Return what all moves are worth; `tell` hears it as it gets better.

        Raises:
            Refused: too many wait already.
        """
        loop = asyncio.get_running_loop()
        changed, state = asyncio.Event(), {"waiting": True}
        owner = secrets.token_hex(8)

        def found() -> None:
            loop.call_soon_threadsafe(changed.set)

        def turn(waiting: bool) -> None:
            state["waiting"] = waiting
            changed.set()

        search = Deepening(self._engines, owner, position, seconds, found)

        async def report() -> None:
            while await changed.wait():
                changed.clear()
                tell(analysis_view(position, search.result, done=False, **state))
                await asyncio.sleep(PAUSE)

        reporting = asyncio.ensure_future(report())
        try:
            await self._pool.run(client, search, told=turn)
        finally:
            reporting.cancel()
            self._engines.release(owner)
        assert search.result is not None
        self._known.learn(position, search.result.value, search.result.nodes)
        return analysis_view(position, search.result, done=True, waiting=False)

    async def graph(
        self, client: str, line: Sequence[Position], tell: Callable[[int, Value], None]
    ) -> None:
        """Tell, for each ply of a line, what the position there is worth to X, in any order.

        Raises:
            Refused: too many wait already.
        """
        loop = asyncio.get_running_loop()

        def found(ply: int, value: Value) -> None:
            loop.call_soon_threadsafe(tell, ply, value)

        await self._pool.run(client, Graph(self._engines, line, self._known, found))


# The WebSocket


class Outbox:
    """Answers on their way to a client; of those with the same name only the latest goes."""

    def __init__(self) -> None:
        self._waiting: dict[Any, dict[str, Any]] = {}
        self._changed = asyncio.Event()
        self._number = 0

    def put(self, answer: dict[str, Any], name: Any = None) -> None:
        """Send an answer, in place of one that waits under the same name."""
        self._number += 1
        self._waiting[self._number if name is None else name] = answer
        self._changed.set()

    @property
    def is_full(self) -> bool:
        """Whether so much waits that the client does not seem to read."""
        return len(self._waiting) > MOST_BEHIND

    async def send_all(self, socket: WebSocket) -> None:
        """Send what comes, as fast as the client reads it."""
        while await self._changed.wait():
            self._changed.clear()
            while self._waiting:
                answer = self._waiting.pop(next(iter(self._waiting)))
                await socket.send_text(json.dumps(answer, ensure_ascii=False))


class Session:
    """One client's questions and answers."""

    def __init__(self, thinker: Thinker, client: str, outbox: Outbox) -> None:
        self._thinker, self._client, self._outbox = thinker, client, outbox
        self._tasks: dict[str, tuple[int, asyncio.Task[None]]] = {}

    def ask(self, question: Question) -> None:
        """Begin to answer a question; one of the same kind that is open is given up."""
        if question.do == "stop":
            self.stop(question.of)
            return
        self._stop_kind(question.do)
        task = asyncio.ensure_future(self._answer(question))
        self._tasks[question.do] = question.id, task

    def stop(self, of: int | None = None) -> None:
        """Give up the question with an id, or all."""
        for kind, (number, _) in list(self._tasks.items()):
            if of in (None, number):
                self._stop_kind(kind)

    def _stop_kind(self, kind: str) -> None:
        if kind in self._tasks:
            _, task = self._tasks.pop(kind)
            task.cancel()

    async def _answer(self, question: Question) -> None:
        try:
            line = await asyncio.to_thread(parse_line, question.start, question.moves)
            answer: Callable[[Question, list[Position]], Coroutine[Any, Any, None]]
            answer = getattr(self, f"_{question.do}")
            await answer(question, line)
        except (Refused, IllegalMove, NotationError) as error:
            self._send(question, "problem", document(problem(error)))

    def _send(
        self, question: Question, kind: str, data: dict[str, Any], name: str | None = None
    ) -> None:
        self._outbox.put(
            {"id": question.id, "kind": kind, **data}, None if name is None else (question.id, name)
        )

    async def _analyse(self, question: Question, line: list[Position]) -> None:
        def tell(view: AnalysisView) -> None:
            self._send(question, "values", view.model_dump(), "values")

        tell(await self._thinker.analyse(self._client, line[-1], ANALYSIS_SECONDS, tell))

    async def _graph(self, question: Question, line: list[Position]) -> None:
        def tell(ply: int, value: Value) -> None:
            data = {"ply": ply, "value": value_view(value).model_dump(), "score": score(value)}
            self._send(question, "point", data)

        await self._thinker.graph(self._client, line, tell)
        self._send(question, "graph_done", {})


def score(value: Value) -> float:
    """Return a value as a number from -1 to 1."""
    return {"win": 1.0, "draw": 0.0, "loss": -1.0}.get(value.value, value.estimate or 0.0)


@router.websocket("/analysis")
async def stream(socket: WebSocket) -> None:
    """Answer questions about positions as long as the client stays."""
    await socket.accept()
    outbox = Outbox()
    client = await who(socket) if secret_of(socket) else secrets.token_hex(8)
    session = Session(socket.app.state.thinker, client, outbox)
    sending = asyncio.ensure_future(outbox.send_all(socket))
    try:
        while not outbox.is_full:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                break
            try:
                session.ask(read_question(message.get("text")))
            except Refused as refused:
                outbox.put({"id": None, "kind": "problem", **document(refused)})
    finally:
        session.stop()
        sending.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await sending


def read_question(text: str | None) -> Question:
    """Return the question that a message holds.

    Raises:
        Refused: it holds none.
    """
    try:
        return Question.model_validate_json(text or "")
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        detail = f"{field}: {first['msg']}." if field else f"{first['msg']}."
        raise Refused(422, "request", detail, field=field or None) from None


# One answer over HTTP


@router.post("/analysis")
async def analyse(wanted: AnalysisWanted, request: Request, player: Who) -> AnalysisView:
    """Return what every legal move is worth, after thinking for a while."""
    line = await asyncio.to_thread(parse_line, wanted.start, wanted.moves)
    thinker: Thinker = request.app.state.thinker
    return await while_there(request, thinker.analyse(player, line[-1], wanted.seconds))


async def while_there(request: Request, answer: Coroutine[Any, Any, Answer]) -> Answer:
    """Return an answer; give it up when the client is gone."""
    gone, answering = asyncio.ensure_future(_gone(request)), asyncio.ensure_future(answer)
    try:
        await asyncio.wait((gone, answering), return_when=asyncio.FIRST_COMPLETED)
        if not answering.done():
            raise Refused(499, "gone", "The client has gone.")
        return answering.result()
    finally:
        gone.cancel()
        answering.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
