"""What the engine thinks: the WebSocket that streams it, and its one-shot twins over HTTP.

Question ──► Session: one task for each kind ──► pool, workers
                      answers ──► Outbox: the latest of each kind ──► the client
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import secrets
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, TypeVar

from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from starlette.requests import HTTPConnection

import noughts
from noughts.apps.web import tasks
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
from noughts.apps.web.pool import Engines, Pool
from noughts.apps.web.problems import Refused, document, problem
from noughts.apps.web.searches import Deepening, Graph, Known
from noughts.apps.web.shown import parse_line, value_view
from noughts.apps.web.workers import Workers
from noughts.games.position import IllegalMove, NotationError, Position
from noughts.labs import LABS
from noughts.search.result import SearchResult, Value
from noughts.store import player_id

Answer = TypeVar("Answer")
ANALYSIS_SECONDS = 20.0
"""How long an analysis searches, its turns together."""
PAUSE = 0.1
"""Seconds between two views of one analysis."""
EXPLAIN_SECONDS, REPLAY_SECONDS, REVIEW_SECONDS, LAB_SECONDS = 30.0, 30.0, 180.0, 300.0
"""How long words, the searches of a replay, a review and a lab may take."""
MOST_BEHIND = 2_000
"""How many answers wait for a slow client at most; then it is let go."""

router = APIRouter(prefix="/api/v1", responses=problems)


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
        workers: the processes.
    """

    def __init__(self, pool: Pool, engines: Engines, workers: Workers) -> None:
        self._pool, self._engines, self._workers = pool, engines, workers
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

    async def explain(
        self, client: str, start: str, moves: Sequence[str], move: str | None
    ) -> dict[str, Any]:
        """Return why a position, or a move in it, is worth what it is: a `WhyView`."""
        task, seconds = tasks.explain, EXPLAIN_SECONDS
        return await self._plain(client, task, start, moves, move, seconds=seconds)

    async def hint(self, client: str, start: str, moves: Sequence[str]) -> dict[str, Any]:
        """Return the best move known, and why: a `HintView`."""
        return await self._plain(client, tasks.hint, start, moves, seconds=EXPLAIN_SECONDS)

    async def attempt(
        self, client: str, start: str, moves: Sequence[str], move: str
    ) -> dict[str, Any]:
        """Return whether a move keeps what a position is worth: a `TriedView`."""
        task, seconds = tasks.attempt, EXPLAIN_SECONDS
        return await self._plain(client, task, start, moves, move, seconds=seconds)

    async def review(
        self,
        client: str,
        start: str,
        moves: Sequence[str],
        tell: Callable[[int, int], None] = lambda *_: None,
    ) -> dict[str, Any]:
        """Return remarks on every move of a line: a `ReviewView`."""
        task, seconds = tasks.review, REVIEW_SECONDS
        return await self._plain(client, task, start, moves, seconds=seconds, long=True, tell=tell)

    async def lab(
        self,
        client: str,
        name: str,
        options: dict[str, Any],
        tell: Callable[[int, int], None] = lambda *_: None,
    ) -> dict[str, Any]:
        """Return what a lab finds out: a `ReportView`.

        Raises:
            Refused: there is no such lab, or it does not take these options.
        """
        check_lab(name, options)
        task, seconds = tasks.lab, LAB_SECONDS
        return await self._plain(client, task, name, options, seconds=seconds, long=True, tell=tell)

    async def replay(
        self, client: str, start: str, moves: Sequence[str], algorithms: Sequence[str], page: bool
    ) -> str:
        """Return what a replay of one or two searches shows, as JSON, or the page that does."""
        asked = start, moves, algorithms, page
        text: str = await self._workers.run(
            client, tasks.replay, *asked, seconds=REPLAY_SECONDS, long=True
        )
        return text

    async def _plain(self, client: str, *work: Any, **how: Any) -> dict[str, Any]:
        data: dict[str, Any] = await self._workers.run(client, *work, **how)
        return data


def check_lab(name: str, options: Mapping[str, Any]) -> None:
    """Refuse a lab that there is not, and what it does not take.

    Raises:
        Refused: with the reason.
    """
    if name not in LABS:
        detail = f"There is no lab {name!r}; there are {' '.join(LABS)}."
        raise Refused(404, "not-found", detail, field="lab")
    for option in options.keys() - inspect.signature(LABS[name]).parameters.keys():
        raise Refused(422, "request", f"The lab {name} takes no {option}.", field=option)


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
    outbox = Outbox()
    session = Session(thinker_of(socket), client_of(socket), outbox)
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
