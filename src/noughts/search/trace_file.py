"""A trace as JSON lines, one event per line, written and read as a stream.

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

from noughts.games import registry
from noughts.games.position import NotationError, Position, move_texts, parse_moves
from noughts.search import trace
from noughts.search.result import Limit, SearchResult, Value


class JsonLines:
    """Writes events as JSON lines; keeps the positions of the open nodes only.

    With MCTS all nodes are open, since any simulation can pass through them.
    """

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._positions: dict[int | None, Position] = {}
        self._scale = trace.Scale("distance")

    def __call__(self, event: trace.Event) -> None:
        """Write one event."""
        data = self._data(event)
        self._file.write(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n")
        if isinstance(event, trace.Leaf | trace.Leave):
            del self._positions[event.node]

    def _data(self, event: trace.Event) -> dict[str, Any]:
        kind = {"event": trace.kind_of(event)}
        if isinstance(event, trace.Start):
            self._scale = event.scale
            self._positions[None] = event.position
            limit = {name: bound for name, bound in asdict(event.limit).items() if bound}
            options = {name: _plain(option) for name, option in event.options.items()}
            position = str(event.position)
            start = {"search": event.search, "position": position, "limit": limit}
            return {"schema": 1, **kind, **start, "options": options}
        if isinstance(event, trace.End):
            return kind | self._end(event)
        data = event._asdict()
        if isinstance(event, trace.Enter | trace.Expand):
            self._positions[event.node] = data.pop("position")
            data["move"] = self._moves(event.parent, event.move)
        elif isinstance(event, trace.Best | trace.Leave):
            data["move"] = self._moves(event.node, event.move)
        elif isinstance(event, trace.Cut):
            data["moves"] = [self._moves(event.node, move) for move in event.moves]
        elif isinstance(event, trace.Rollout):
            data["moves"] = move_texts(self._positions[event.node], event.moves)
        if isinstance(event, trace.Enter | trace.Best) and event.alpha is None:
            del data["alpha"], data["beta"]
        if isinstance(event, trace.Leaf | trace.Best | trace.Leave):
            data["value"] = self._scale.text(event.score, event.bound)
        return kind | {
            name: None if isinstance(each, float) and isinf(each) else each
            for name, each in data.items()
        }

    def _moves(self, node: int | None, move: int | None) -> str | None:
        return None if move is None else self._positions[node].move_text(move)

    def _end(self, event: trace.End) -> dict[str, Any]:
        root, result = self._positions[None], event.result
        return {
            "move": self._moves(None, result.move),
            "score": result.score,
            **({} if self._scale.score == "utility" else result.value.as_data()),
            "exact": result.exact,
            "complete": result.complete,
            "depth": result.depth,
            "nodes": result.nodes,
            "cutoffs": result.cutoffs,
            "peak": result.peak,
            "table": result.table,
            "simulations": result.simulations,
            "line": move_texts(root, result.line),
            "seconds": result.seconds,
            "recorded": event.recorded,
            "left_out": event.left_out,
        }


def _plain(option: Any) -> Any:
    """Return an option for JSON, a function by its name."""
    if option is None or isinstance(option, str | int | float):
        return option
    return getattr(option, "__name__", type(option).__name__)


def read_json_lines(lines: Iterable[str]) -> Iterator[trace.Event]:
    """Yield the events that `JsonLines` wrote.

    Options that were functions are now their names.

    Raises:
        NotationError: a line that is no event, or that contradicts the lines before; the reason
            names the line.
    """
    positions: dict[int | None, Position] = {}
    for number, line in enumerate(lines, 1):
        try:
            event = _event(json.loads(line), positions)
            if isinstance(event, trace.Leaf | trace.Leave):
                del positions[event.node]
        except KeyError as error:
            reason = f"line {number}: {error} is missing, or not known here"
            raise NotationError(line.rstrip(), "TRACE", reason) from error
        except (TypeError, ValueError, AttributeError) as error:
            raise NotationError(line.rstrip(), "TRACE", f"line {number}: {error}") from error
        yield event


_COUNTS = ("node", "child", "depth", "visits", "left_out")
_NUMBERS = ("score", "alpha", "beta", "edge", "reward", "proven")
_REASONS = {trace.Leaf: ("over", "depth", "table"), trace.Cut: ("beta", "alpha", "win")}


def _check(kind: Any, data: dict[str, Any], positions: dict[int | None, Position]) -> None:
    """Check that an event is about an open or new node, and that its fields are valid.

    Raises:
        KeyError: there is no such node, or a field is missing.
        ValueError: a field has a wrong value.
    """
    if kind in (trace.Enter, trace.Expand) and data["node"] in positions:
        raise ValueError(f"node {data['node']} is entered twice")
    if kind not in (trace.Enter, trace.Expand, trace.Deepen):
        positions[data["node"]]
    if kind in _REASONS and data["reason"] not in _REASONS[kind]:
        raise ValueError(f"{data['reason']!r} is not a reason of {kind.__name__.lower()}")
    if data.get("bound", "exact") not in trace.OPPOSITE:
        raise ValueError(f"bound is {data['bound']!r}, not one of {' '.join(trace.OPPOSITE)}")
    for name, each in data.items():
        counted = type(each) is int and each >= 0
        if name in _COUNTS and not counted:
            raise ValueError(f"{name} is {each!r}, not a count")
        if name in _NUMBERS and each is not None and type(each) not in (int, float):
            raise ValueError(f"{name} is {each!r}, not a number")
    if kind in (trace.Leaf, trace.Best, trace.Cut, trace.Leave) and data["score"] is None:
        raise ValueError("score is null, not a number")


def _event(data: dict[str, Any], positions: dict[int | None, Position]) -> trace.Event:
    kind = trace.KINDS[data.pop("event")]
    if kind is trace.Start:
        if data["schema"] != 1:
            raise ValueError(f"schema {data['schema']}, not 1")
        start = positions[None] = registry.position(data["position"])
        return trace.Start(data["search"], start, Limit(**data["limit"]), data["options"])
    if kind is trace.End:
        return _read_end(data, positions[None])
    data.pop("value", None)
    _check(kind, data, positions)
    if kind is trace.Enter or kind is trace.Expand:
        position, move = positions[data["parent"]], data["move"]
        data["move"] = None if move is None else position.parse_move(move)
        data["position"] = position if move is None else position.play(data["move"])
        positions[data["node"]] = data["position"]
    elif data.get("move") is not None:
        data["move"] = positions[data["node"]].parse_move(data["move"])
    if kind is trace.Cut:
        data["moves"] = tuple(positions[data["node"]].parse_move(move) for move in data["moves"])
    elif kind is trace.Rollout:
        data["moves"] = tuple(parse_moves(positions[data["node"]], " ".join(data["moves"])))
    elif kind is trace.Select:
        data["bounds"] = {int(node): bound for node, bound in data["bounds"].items()}
    if "alpha" in data:
        data["alpha"] = -inf if data["alpha"] is None else data["alpha"]
        data["beta"] = inf if data["beta"] is None else data["beta"]
    return kind(**data)  # type: ignore[no-any-return]


def _read_end(data: dict[str, Any], root: Position) -> trace.End:
    told = {name: data.pop(name) for name in ("recorded", "left_out")}
    for name in Value.draw().as_data():
        data.pop(name, None)
    move = None if data["move"] is None else root.parse_move(data["move"])
    line = tuple(parse_moves(root, " ".join(data["line"])))
    return trace.End(SearchResult(**data | {"move": move, "line": line, "position": root}), **told)
