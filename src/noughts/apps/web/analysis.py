"""What the engine thinks: the WebSocket that streams it, and its one-shot twins over HTTP.

Question ──► Session: one task for each kind ──► Thinker
                      answers ──► Outbox: the latest of each kind ──► the client
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from starlette.requests import HTTPConnection

from noughts.apps.web.api import problems, secret_of
from noughts.apps.web.models import (
    AnalysisView,
    AnalysisWanted,
    ExplainWanted,
    GraphView,
    HintView,
    Line,
    Point,
    Question,
    ReviewView,
    WhyView,
)
from noughts.apps.web.problems import Refused, document, problem
from noughts.apps.web.shown import parse_line, value_view
from noughts.apps.web.thinker import Thinker
from noughts.games.position import IllegalMove, NotationError, Position
from noughts.search.result import Value
from noughts.store import player_id

Answer = TypeVar("Answer")
ANALYSIS_SECONDS = 20.0
"""How long an analysis searches, its turns together."""
MOST_BEHIND = 2_000
"""How many answers wait for a slow client at most; then it is let go."""

UNFORESEEN = Refused(500, "internal", "Something went wrong on the server; it was noted.")

log = logging.getLogger(__name__)
router = APIRouter(prefix="/api/v1", responses=problems)


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

    def drop(self, id: int) -> None:  # noqa: A002
        """Forget the answers to a question that is given up."""
        for name in [name for name, answer in self._waiting.items() if answer["id"] == id]:
            del self._waiting[name]

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
            number, task = self._tasks.pop(kind)
            task.cancel()
            self._outbox.drop(number)

    async def _answer(self, question: Question) -> None:
        try:
            if question.do == "lab":
                await self._lab(question)
                return
            line = await asyncio.to_thread(parse_line, question.start, question.moves)
            answers: dict[str, Callable[[Question, list[Position]], Coroutine[Any, Any, None]]] = {
                "analyse": self._analyse,
                "graph": self._graph,
                "explain": self._explain,
                "hint": self._hint,
                "try": self._try,
                "review": self._review,
            }
            await answers[question.do](question, line)
        except (Refused, IllegalMove, NotationError) as error:
            self._send(question, "problem", document(problem(error)))
        except Exception:
            log.exception("a question was not answered")
            self._send(question, "problem", document(UNFORESEEN))

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

    async def _explain(self, question: Question, _: list[Position]) -> None:
        asked = question.start, question.moves, question.move
        self._send(question, "why", await self._thinker.explain(self._client, *asked))

    async def _hint(self, question: Question, _: list[Position]) -> None:
        asked = question.start, question.moves
        self._send(question, "hint", await self._thinker.hint(self._client, *asked))

    async def _try(self, question: Question, _: list[Position]) -> None:
        asked = question.start, question.moves, question.move or ""
        self._send(question, "tried", await self._thinker.attempt(self._client, *asked))

    async def _review(self, question: Question, _: list[Position]) -> None:
        asked, tell = (question.start, question.moves), self._progress_of(question)
        self._send(question, "review", await self._thinker.review(self._client, *asked, tell))

    async def _lab(self, question: Question) -> None:
        options = {} if question.options is None else question.options.given
        asked, tell = (question.lab, options), self._progress_of(question)
        self._send(question, "report", await self._thinker.lab(self._client, *asked, tell))

    def _progress_of(self, question: Question) -> Callable[[int, int], None]:
        def tell(done: int, of: int) -> None:
            self._send(question, "progress", {"done": done, "of": of}, "progress")

        return tell


def score(value: Value) -> float:
    """Return a value as a number from -1 to 1."""
    return {"win": 1.0, "draw": 0.0, "loss": -1.0}.get(value.value, value.estimate or 0.0)


def thinker_of(connection: HTTPConnection) -> Thinker:
    thinker: Thinker = connection.app.state.thinker
    return thinker


def client_of(connection: HTTPConnection) -> str:
    """Return whose turn a search takes: of who has a seat, or else of the address."""
    secret = secret_of(connection)
    if secret is not None:
        return player_id(secret)
    return connection.client.host if connection.client else ""


@router.websocket("/analysis")
async def stream(socket: WebSocket) -> None:
    """Answer questions about positions as long as the client stays."""
    await socket.accept()
    thinker_of(socket).warm()
    outbox = Outbox()
    session = Session(thinker_of(socket), client_of(socket), outbox)
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
    """Return the question that a message holds.

    Raises:
        Refused: it holds none.
    """
    try:
        return Question.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        detail = f"{field}: {first['msg']}." if field else f"{first['msg']}."
        raise Refused(422, "request", detail, field=field or None) from None


def id_in(text: str) -> int | None:
    """Return the id of a question that cannot be read otherwise, if it has one."""
    try:
        id_ = json.loads(text)["id"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return id_ if type(id_) is int else None


# One answer over HTTP


@router.post("/analysis")
async def analyse(wanted: AnalysisWanted, request: Request) -> AnalysisView:
    """Return what every legal move is worth, after thinking for a while."""
    line = await asyncio.to_thread(parse_line, wanted.start, wanted.moves)
    thinking = thinker_of(request).analyse(client_of(request), line[-1], wanted.seconds)
    return await while_there(request, thinking)


@router.post("/graph")
async def graph(wanted: Line, request: Request) -> GraphView:
    """Return what each position of a line is worth to X."""
    line = await asyncio.to_thread(parse_line, wanted.start, wanted.moves)
    points: dict[int, Point] = {}

    def tell(ply: int, value: Value) -> None:
        points[ply] = Point(ply=ply, value=value_view(value), score=score(value))

    await while_there(request, thinker_of(request).graph(client_of(request), line, tell))
    return GraphView(points=[points[ply] for ply in sorted(points)])


@router.post("/explain")
async def explain(wanted: ExplainWanted, request: Request) -> WhyView:
    """Say why, in true sentences, each with the moves that prove it."""
    asked = wanted.start, wanted.moves, wanted.move
    saying = thinker_of(request).explain(client_of(request), *asked)
    return WhyView(**await while_there(request, saying))


@router.post("/hint")
async def hint(wanted: Line, request: Request) -> HintView:
    """Return the best move known, and why."""
    saying = thinker_of(request).hint(client_of(request), wanted.start, wanted.moves)
    return HintView(**await while_there(request, saying))


@router.post("/review")
async def review(wanted: Line, request: Request) -> ReviewView:
    """Look over the moves of a line: what each did to its value, and what was better."""
    saying = thinker_of(request).review(client_of(request), wanted.start, wanted.moves)
    return ReviewView(**await while_there(request, saying))


async def while_there(request: Request, answer: Coroutine[Any, Any, Answer]) -> Answer:
    """Return an answer; give it up when the client is gone."""
    gone, answering = asyncio.ensure_future(_gone(request)), asyncio.ensure_future(answer)
    try:
        try:
            await asyncio.wait((gone, answering), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            raise Refused(503, "closing", "The server ends now.") from None
        if not answering.done():
            raise Refused(499, "gone", "The client has gone.")
        return answering.result()
    finally:
        gone.cancel()
        answering.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
