"""The API of analyses: a WebSocket that streams results, and HTTP requests for one result.

Question ──► AnalysisSession: one task for each kind ──► Thinkers
                      answers ──► Outbox: the latest of each kind ──► client
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from starlette.requests import HTTPConnection

from noughts.answers import tasks
from noughts.answers.positions import (
    AnalysisView,
    GraphPoint,
    GraphView,
    facts_data,
    parse_line,
)
from noughts.answers.problems import Refused, document
from noughts.answers.reasons import HintView, ReviewView, WhyView
from noughts.engine import is_native
from noughts.games.position import IllegalMove, NotationError
from noughts.web.clients import Account, current
from noughts.web.errors import INTERNAL_ERROR, malformed, problem
from noughts.web.fair_play import ANALYSIS_OFF, is_near, not_now
from noughts.web.games import Games
from noughts.web.games_api import games_of, problems, until_gone
from noughts.web.models import (
    AnalysisRequest,
    ExplainRequest,
    LineRequest,
    Question,
    ReviewRequest,
)
from noughts.web.thinkers import Answer, Thinkers
from noughts.web.visitor import visitor
from noughts.web.workers import Tell

MAX_UNSENT = 2_000
"""Most unsent answers of a slow client; above that it is disconnected."""

log = logging.getLogger(__name__)
router = APIRouter(prefix="/api/v1", tags=["Analysis"], responses=problems)


# The WebSocket


class Outbox:
    """Unsent answers to a client; of answers with the same name only the latest is sent."""

    def __init__(self) -> None:
        self._waiting: dict[Any, dict[str, Any]] = {}
        self._changed = asyncio.Event()
        self._number = 0

    def put(self, answer: dict[str, Any], name: Any = None) -> None:
        """Queue an answer, in place of an unsent one with the same name."""
        self._number += 1
        self._waiting[self._number if name is None else name] = answer
        self._changed.set()

    def drop(self, id: int) -> None:  # noqa: A002
        """Drop the unsent answers to a cancelled question."""
        for name in [name for name, answer in self._waiting.items() if answer["id"] == id]:
            del self._waiting[name]

    @property
    def is_full(self) -> bool:
        """Whether the client seems to have stopped reading."""
        return len(self._waiting) > MAX_UNSENT

    async def send_all(self, socket: WebSocket) -> None:
        """Send answers as fast as the client reads them."""
        while await self._changed.wait():
            self._changed.clear()
            while self._waiting:
                answer = self._waiting.pop(next(iter(self._waiting)))
                await socket.send_text(json.dumps(answer, ensure_ascii=False))


class AnalysisSession:
    """The open questions of one client."""

    def __init__(self, thinkers: Thinkers, games: Games, account: Account, outbox: Outbox) -> None:
        self._thinkers, self._games, self._account = thinkers, games, account
        self._outbox = outbox
        self._tasks: dict[str, tuple[int, asyncio.Task[None]]] = {}

    def ask(self, question: Question) -> None:
        """Begin to answer a question; cancel an open one of the same kind."""
        if question.do == "stop":
            self.stop(question.of)
            return
        self._stop_kind(question.do)
        task = asyncio.ensure_future(self._answer(question))
        self._tasks[question.do] = question.id, task

    def stop(self, of: int | None = None) -> None:
        """Cancel the question with an id, or all."""
        for kind, (number, _) in list(self._tasks.items()):
            if of in (None, number):
                self._stop_kind(kind)

    def _stop_kind(self, kind: str) -> None:
        if kind in self._tasks:
            number, task = self._tasks.pop(kind)
            task.cancel()
            self._outbox.drop(number)

    async def _answer(self, question: Question) -> None:
        try:
            answers: dict[str, Callable[[Question], Coroutine[Any, Any, None]]] = {
                "analyse": self._analyse,
                "graph": self._graph,
                "explain": self._explain,
                "hint": self._hint,
                "try": self._try,
                "review": self._review,
                "lab": self._lab,
            }
            if question.do != "lab":
                await check_fair(self._games, self._account, question.start, question.moves)
            await answers[question.do](question)
        except (Refused, IllegalMove, NotationError) as error:
            self._send(question, "problem", document(problem(error)))
        except Exception:
            log.exception("question failed")
            self._send(question, "problem", document(INTERNAL_ERROR))

    def _send(
        self, question: Question, kind: str, data: Mapping[str, Any], name: str | None = None
    ) -> None:
        self._outbox.put(
            {"id": question.id, "kind": kind, **data}, None if name is None else (question.id, name)
        )

    async def _analyse(self, question: Question) -> None:
        if question.by == "visitor" and await self._hand_over(question):
            return

        def tell(view: AnalysisView) -> None:
            self._send(question, "values", view, "values")

        asked = question.start, question.moves, self._thinkers.settings.analysis_seconds
        tell(await self._thinkers.analyse(self._account, *asked, tell))

    async def _hand_over(self, question: Question) -> bool:
        """Send the visitor's engine facts and new proofs; `False` if it does not know the game."""
        position = (await asyncio.to_thread(parse_line, question.start, question.moves))[-1]
        files = await asyncio.to_thread(visitor)
        if files is None or not is_native(position):
            return False
        facts = await asyncio.to_thread(facts_data, position)
        facts["seconds"] = self._thinkers.settings.analysis_seconds
        async for proofs in self._thinkers.knowledge.proofs(position):
            self._send(question, "facts", {"engine": files.address, **facts, "proofs": proofs})
        return True

    async def _graph(self, question: Question) -> None:
        def tell(point: GraphPoint) -> None:
            self._send(question, "point", point)

        await self._thinkers.graph(self._account, question.start, question.moves, tell)
        self._send(question, "graph_done", {})

    async def _explain(self, question: Question) -> None:
        await self._run(question, "why", tasks.explain, question.move)

    async def _hint(self, question: Question) -> None:
        await self._run(question, "hint", tasks.hint)

    async def _try(self, question: Question) -> None:
        await self._run(question, "tried", tasks.attempt, question.move or "")

    async def _review(self, question: Question) -> None:
        await self._run(question, "review", tasks.review, question.opening)

    async def _run(
        self, question: Question, kind: str, task: Callable[..., Any], *more: Any
    ) -> None:
        asked, tell = (question.start, question.moves, *more), self._news_of(question)
        found = await self._thinkers.run(self._account, task, *asked, tell=tell)
        reply = found.reply if isinstance(found, tasks.WithProofs) else found
        self._send(question, kind, reply)

    async def _lab(self, question: Question) -> None:
        options = {} if question.options is None else question.options.given
        asked, tell = (question.lab, options), self._news_of(question)
        self._send(question, "report", await self._thinkers.lab(self._account, *asked, tell))

    def _news_of(self, question: Question) -> Tell:
        def tell(kind: str, news: Mapping[str, Any]) -> None:
            self._send(question, kind, news, "progress" if kind == "progress" else None)

        return tell


def thinkers_of(connection: HTTPConnection) -> Thinkers:
    thinkers: Thinkers = connection.app.state.thinkers
    return thinkers


async def check_fair(games: Games, account: Account, start: str, moves: Sequence[str]) -> None:
    """Refuse analysis of a game in progress between two people to its players and spectators.

    Raises:
        IllegalMove, NotationError: in the start or the moves.
        Refused: the line passes a position of such a game.
    """
    private = games.private(account)

    def is_private() -> bool:
        return is_near(parse_line(start, moves), private)

    if bool(private) and await asyncio.to_thread(is_private):
        raise not_now(ANALYSIS_OFF)


@router.websocket("/analysis")
async def stream(socket: WebSocket) -> None:
    """Answer questions about positions until the client disconnects."""
    await socket.accept()
    thinkers_of(socket).warm()
    outbox = Outbox()
    games = await games_of(socket)
    session = AnalysisSession(thinkers_of(socket), games, current.get(), outbox)
    sending = asyncio.ensure_future(outbox.send_all(socket))
    try:
        while not outbox.is_full:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                break
            text = message.get("text") or ""
            try:
                session.ask(read_question(text))
            except Refused as refused:
                outbox.put({"id": id_in(text), "kind": "problem", **document(refused)})
        else:
            await socket.close(1008)
    finally:
        session.stop()
        sending.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await sending


def read_question(text: str) -> Question:
    """Return the question in a message.

    Raises:
        Refused: the message is no question.
    """
    try:
        return Question.model_validate_json(text)
    except ValidationError as error:
        raise malformed(error.errors()[0]) from None


def id_in(text: str) -> int | None:
    """Return the id in an invalid question, if it has one."""
    try:
        id_ = json.loads(text)["id"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return id_ if type(id_) is int else None


# One answer over HTTP


@router.post("/analysis")
async def analyse(body: AnalysisRequest, request: Request) -> AnalysisView:
    """Return the value of every legal move after a search."""
    await check_fair(await games_of(request), current.get(), body.start, body.moves)
    asked = body.start, body.moves, body.seconds
    thinking = thinkers_of(request).analyse(current.get(), *asked)
    return await unless_disconnected(request, thinking)


@router.post("/graph")
async def graph(body: LineRequest, request: Request) -> GraphView:
    """Return the value of each position of a line for X."""
    await check_fair(await games_of(request), current.get(), body.start, body.moves)
    points: list[GraphPoint] = []
    judging = thinkers_of(request).graph(current.get(), body.start, body.moves, points.append)
    await unless_disconnected(request, judging)
    return {"points": sorted(points, key=lambda point: point["ply"])}


@router.post("/explain")
async def explain(body: ExplainRequest, request: Request) -> WhyView:
    """Explain a position or a move in sentences, each with lines that prove it."""
    return (await run(request, tasks.explain, body.start, body.moves, body.move)).reply


@router.post("/hint")
async def hint(body: LineRequest, request: Request) -> HintView:
    """Return the best move and its reasons."""
    return (await run(request, tasks.hint, body.start, body.moves)).reply


@router.post("/review")
async def review(body: ReviewRequest, request: Request) -> ReviewView:
    """Review the moves of a line: the change of value, and better moves."""
    return (await run(request, tasks.review, body.start, body.moves, body.opening)).reply


async def run(
    request: Request, task: Callable[..., Answer], start: str, moves: Sequence[str], *more: Any
) -> Answer:
    """Run a task of `noughts.answers.tasks` on a line, if it is fair.

    Raises:
        Refused: as `check_fair`.
    """
    await check_fair(await games_of(request), current.get(), start, moves)
    return await run_task(request, task, start, moves, *more)


async def run_task(request: Request, task: Callable[..., Answer], *asked: Any) -> Answer:
    """Run a task of `noughts.answers.tasks`; cancel it if the client disconnects."""
    running = thinkers_of(request).run(current.get(), task, *asked)
    return await unless_disconnected(request, running)


async def unless_disconnected(request: Request, answer: Coroutine[Any, Any, Answer]) -> Answer:
    """Return an answer; cancel it if the client disconnects."""
    gone, answering = asyncio.ensure_future(until_gone(request)), asyncio.ensure_future(answer)
    try:
        try:
            await asyncio.wait((gone, answering), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            raise Refused(503, "closing", "The server is shutting down.") from None
        if not answering.done():
            raise Refused(499, "gone", "The client disconnected.")
        return answering.result()
    finally:
        gone.cancel()
        answering.cancel()
