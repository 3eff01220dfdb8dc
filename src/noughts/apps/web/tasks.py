"""What the worker processes do: each takes texts and numbers, and gives plain data.

start, moves ──► Judge ──► sentences, a hint, a review
             ──► searches ──► what a replay shows
lab, options ──► a report

A process imports this module and what it needs: the less that is, the sooner it is ready.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from noughts.apps.web.shown import parse_line, value_view
from noughts.arena.player import parse_search
from noughts.games.position import Position
from noughts.games.record import Record
from noughts.labs import LABS
from noughts.search import Value
from noughts.search.recording import Recording
from noughts.search.result import Limit
from noughts.search.trace import record
from noughts.views import replay as replays
from noughts.views import review as reviews
from noughts.views.explain import Sentence, about_attempt, as_data, sentences
from noughts.views.explain import explain as explained
from noughts.views.facts import Judge
from noughts.views.words import outcome_sentence

Data = dict[str, Any]
Progress = Callable[[int, int], None]

EXPLAINED = Limit(nodes=1_000_000, seconds=2.0)
"""How far a position is searched that is put into words."""
REVIEWED = Limit(nodes=200_000, seconds=1.0)
"""How far each position of a game is searched that is looked over."""
REPLAYED_NODES = 5_000
"""How many nodes of a search a replay tells of."""
REPLAYED_EVENTS = 50_000


POLITENESS = 10
"""How much the processes stand back for the server, as `nice` counts."""

_progress: Any = None
"""Done and of for each task that runs, in memory shared with the server."""


def begin(progress: Any) -> None:
    """Make a process ready."""
    global _progress
    _progress = progress
    os.nice(POLITENESS)


def work(place: int, task: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Return what a task gives, its progress being told at a place."""

    def tell(done: int, of: int) -> None:
        _progress[2 * place], _progress[2 * place + 1] = done, of

    return task(*arguments, progress=tell)


def nothing() -> None:
    """Do nothing, in a process that is then ready for more."""


@lru_cache(maxsize=2)
def _judge(rules: str, limit: Limit) -> Judge:
    """Return a judge that remembers what it was asked before."""
    (start,) = parse_line(rules, ())
    return Judge(start, limit)


def _judge_of(position: Position, limit: Limit) -> Judge:
    return _judge(position.rules_id, limit)


def _going_on(start: str, moves: Sequence[str]) -> Position:
    """Return the position at the end of a line where the game goes on.

    Raises:
        IllegalMove, NotationError: of the start or the moves.
        ValueError: the game is over.
    """
    position = parse_line(start, moves)[-1]
    if position.outcome() is not None:
        raise ValueError(f"The game is over. {outcome_sentence(position)}")
    return position


def _sentences(position: Position, said: Sequence[Sentence]) -> list[Data]:
    return [_shown(as_data(position, sentence)) for sentence in said]


def _shown(data: Data) -> Data:
    """Return data about a sentence with its value as the page shows it."""
    value = data["value"]
    return data | {"value": value and value_view(Value(**value)).model_dump()}


def explain(start: str, moves: Sequence[str], move: str | None, *, progress: Progress) -> Data:
    """Return why a position, or a move in it, is worth what it is: a `WhyView`."""
    del progress
    position = _going_on(start, moves)
    chosen = None if move is None else position.parse_entry(move)
    said = explained(position, _judge_of(position, EXPLAINED), chosen)
    return {"sentences": _sentences(position, said)}


def hint(start: str, moves: Sequence[str], *, progress: Progress) -> Data:
    """Return the best move known, and why: a `HintView`."""
    del progress
    position = _going_on(start, moves)
    judge = _judge_of(position, EXPLAINED)
    result = judge.values(position)
    assert result.move is not None
    said = explained(position, judge, result.move)
    return {
        "move": position.move_text(result.move),
        "value": value_view(result.value).model_dump(),
        "sentences": _sentences(position, said),
    }


def attempt(start: str, moves: Sequence[str], move: str, *, progress: Progress) -> Data:
    """Return whether a move keeps what a position is worth: a `TriedView`."""
    del progress
    position = _going_on(start, moves)
    judge = _judge_of(position, EXPLAINED)
    chosen = position.parse_entry(move)
    result = judge.values(position)
    assert result.move is not None
    worth = (result.scores[result.move], result.scores[chosen])
    label = reviews.label_of(*worth, len(result.scores))
    said = sentences(position, about_attempt(position, chosen, judge))
    return {
        "move": position.move_text(chosen),
        "good": label not in reviews.ERRORS,
        "sentences": _sentences(position, said),
    }


def review(start: str, moves: Sequence[str], *, progress: Progress) -> Data:
    """Return remarks on every move of a line: a `ReviewView`."""
    line = parse_line(start, moves)
    steps = zip(line, moves, strict=False)
    game = Record.from_moves(line[0], [position.parse_move(text) for position, text in steps])
    remarks = reviews.review(game, _judge_of(line[0], REVIEWED), progress)
    data = reviews.review_data(game, remarks)
    for remark in data["moves"]:
        for name in ("before", "after"):
            remark[name] = value_view(Value(**remark[name])).model_dump()
        remark["sentences"] = [_shown(said) for said in remark["sentences"]]
        remark["error"] = remark["label"] in reviews.ERRORS
    return {"remarks": data["moves"], "summary": data["players"]}


def lab(name: str, options: Data, *, progress: Progress) -> Data:
    """Return what a lab finds out: a `ReportView`.

    Raises:
        NotationError, ValueError: of what it is given.
    """
    report = LABS[name](progress=progress, **options)
    return {
        "name": report.name,
        "claim": report.claim,
        "headers": report.headers,
        "rows": report.rows,
        "teaches": report.teaches,
        "data": report.data,
        "picture": report.picture,
    }


def replay(
    start: str, moves: Sequence[str], algorithms: Sequence[str], page: bool, *, progress: Progress
) -> str:
    """Return what a replay of searches shows, as JSON; or the single page that shows it.

    Raises:
        IllegalMove, NotationError: of the position or the searches.
    """
    position = _going_on(start, moves)
    searches = [parse_search(text, position) for text in algorithms]
    recordings = []
    for done, watched in enumerate(searches):
        progress(done, len(searches))
        recording = Recording(most_events=REPLAYED_EVENTS)
        record(
            watched.search,
            position,
            watched.limit,
            write=recording,
            most_nodes=REPLAYED_NODES,
            **watched.options,
        )
        recordings.append(recording)
    if page:
        return replays.replay(recordings)
    return json.dumps(replays.replay_data(recordings), ensure_ascii=False, separators=(",", ":"))
