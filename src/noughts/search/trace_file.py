"""A trace as JSON lines, one event a line, written and read without holding more than it must.

    record(…, write=JsonLines(file)) ──► {"schema":1,"event":"start",…} ──► read_json_lines(file)
                                         {"event":"enter",…} …

`docs/trace.md` describes the events.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from math import inf, isinf
from typing import IO, Any

import noughts
from noughts.games.position import NotationError, Position
from noughts.search.result import Limit, SearchResult, Value
from noughts.search.trace import (
    KINDS,
    Best,
    Cut,
    Deepen,
    End,
    Enter,
    Event,
    Expand,
    Leaf,
    Leave,
    Rollout,
    Scale,
    Select,
    Start,
    kind_of,
)


class JsonLines:
    """Writes events as JSON lines; holds no more than the positions of the nodes under way.

    With MCTS, whose tree any simulation may go through, all of them are under way.
    """

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._positions: dict[int | None, Position] = {}
        self._scale = Scale("distance")

    def __call__(self, event: Event) -> None:
        """Write one event."""
        data = self._data(event)
        self._file.write(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n")
        if isinstance(event, Leaf | Leave):
            del self._positions[event.node]

    def _data(self, event: Event) -> dict[str, Any]:
        kind = {"event": kind_of(event)}
        if isinstance(event, Start):
            self._scale = event.scale
            self._positions[None] = event.position
            limit = {name: bound for name, bound in asdict(event.limit).items() if bound}
            options = {name: _plain(option) for name, option in event.options.items()}
            position = str(event.position)
            start = {"search": event.search, "position": position, "limit": limit}
            return {"schema": 1, **kind, **start, "options": options}
        if isinstance(event, End):
            return kind | self._end(event)
        data = event._asdict()
        if isinstance(event, Enter | Expand):
            self._positions[event.node] = data.pop("position")
            data["move"] = self._moves(event.parent, event.move)
        elif isinstance(event, Best | Leave):
            data["move"] = self._moves(event.node, event.move)
        elif isinstance(event, Cut):
            data["moves"] = [self._moves(event.node, move) for move in event.moves]
        elif isinstance(event, Rollout):
            data["moves"] = noughts.move_texts(self._positions[event.node], event.moves)
        if isinstance(event, Enter | Best) and event.alpha is None:
            del data["alpha"], data["beta"]
        if isinstance(event, Leaf | Best | Cut | Leave):
            data["value"] = self._scale.text(event.score)
        return kind | {
            name: None if isinstance(each, float) and isinf(each) else each
            for name, each in data.items()
        }

    def _moves(self, node: int | None, move: int | None) -> str | None:
        return None if move is None else self._positions[node].move_text(move)

    def _end(self, event: End) -> dict[str, Any]:
        root, result = self._positions[None], event.result
        return {
            "move": self._moves(None, result.move),
            "score": result.score,
            **({} if self._scale.score == "utility" else result.value._asdict()),
            "exact": result.exact,
            "complete": result.complete,
            "depth": result.depth,
            "nodes": result.nodes,
            "cutoffs": result.cutoffs,
            "peak": result.peak,
            "table": result.table,
            "simulations": result.simulations,
            "pv": noughts.move_texts(root, result.pv),
            "seconds": result.seconds,
            "recorded": event.recorded,
            "left_out": event.left_out,
        }


def _plain(option: Any) -> Any:
    """Return an option as JSON has it, a function by its name."""
    if option is None or isinstance(option, str | int | float):
        return option
    return getattr(option, "__name__", type(option).__name__)


def read_json_lines(lines: Iterable[str]) -> Iterator[Event]:
    """Yield the events that `JsonLines` has written.

    Options that are functions come back as their names.

    Raises:
        NotationError: a line that is no event, or one that does not fit those before it; the
            reason names the line.
    """
    positions: dict[int | None, Position] = {}
    for number, line in enumerate(lines, 1):
        try:
            event = _event(json.loads(line), positions)
            if isinstance(event, Leaf | Leave):
                del positions[event.node]
        except KeyError as error:
            reason = f"line {number}: {error} is missing, or not known here"
            raise NotationError(line.rstrip(), "TRACE", reason) from error
        except (TypeError, ValueError, AttributeError) as error:
            raise NotationError(line.rstrip(), "TRACE", f"line {number}: {error}") from error
        yield event


_COUNTS = ("node", "child", "depth", "visits", "left_out")
_NUMBERS = ("score", "alpha", "beta", "bound", "reward", "proven")
_REASONS = {Leaf: ("over", "depth", "table"), Cut: ("beta", "alpha", "win")}


def _check(kind: Any, data: dict[str, Any], positions: dict[int | None, Position]) -> None:
    """Make sure that an event is about a node under way, or a new one, and that its fields fit.

    Raises:
        KeyError: there is no such node, or a field is missing.
        ValueError: a field is not what it should be.
    """
    if kind in (Enter, Expand) and data["node"] in positions:
        raise ValueError(f"node {data['node']} is entered twice")
    if kind not in (Enter, Expand, Deepen):
        positions[data["node"]]
    if kind in _REASONS and data["reason"] not in _REASONS[kind]:
        raise ValueError(f"{data['reason']!r} is no reason of {kind.__name__.lower()}")
    for name, each in data.items():
        counted = type(each) is int and each >= 0
        if name in _COUNTS and not counted:
            raise ValueError(f"{name} is {each!r}, which counts nothing")
        if name in _NUMBERS and each is not None and type(each) not in (int, float):
            raise ValueError(f"{name} is {each!r}, not a number")
    if kind in (Leaf, Best, Cut, Leave) and data["score"] is None:
        raise ValueError("score is null, not a number")


def _event(data: dict[str, Any], positions: dict[int | None, Position]) -> Event:
    kind = KINDS[data.pop("event")]
    if kind is Start:
        if data["schema"] != 1:
            raise ValueError(f"schema {data['schema']}, not 1")
        start = positions[None] = noughts.position(data["position"])
        return Start(data["search"], start, Limit(**data["limit"]), data["options"])
    if kind is End:
        return _read_end(data, positions[None])
    data.pop("value", None)
    _check(kind, data, positions)
    if kind is Enter or kind is Expand:
        position, move = positions[data["parent"]], data["move"]
        data["move"] = None if move is None else position.parse_move(move)
        data["position"] = position if move is None else position.play(data["move"])
        positions[data["node"]] = data["position"]
    elif data.get("move") is not None:
        data["move"] = positions[data["node"]].parse_move(data["move"])
    if kind is Cut:
        data["moves"] = tuple(positions[data["node"]].parse_move(move) for move in data["moves"])
    elif kind is Rollout:
        data["moves"] = tuple(noughts.parse_moves(positions[data["node"]], " ".join(data["moves"])))
    elif kind is Select:
        data["bounds"] = {int(node): bound for node, bound in data["bounds"].items()}
    if "alpha" in data:
        data["alpha"] = -inf if data["alpha"] is None else data["alpha"]
        data["beta"] = inf if data["beta"] is None else data["beta"]
    return kind(**data)  # type: ignore[no-any-return]


def _read_end(data: dict[str, Any], root: Position) -> End:
    told = {name: data.pop(name) for name in ("recorded", "left_out")}
    for name in Value._fields:
        data.pop(name, None)
    move = None if data["move"] is None else root.parse_move(data["move"])
    pv = tuple(noughts.parse_moves(root, " ".join(data["pv"])))
    return End(SearchResult(**data | {"move": move, "pv": pv, "position": root}), **told)
