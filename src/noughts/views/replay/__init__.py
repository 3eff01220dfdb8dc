"""Replay a search on a single page, which opens from disk without a network in any browser.

    recordings ──replay()──► one HTML text, made by single_file.py of scripts, styles and the data
                               events  columns of numbers, and of indices in a list of texts
                               nodes   the change of each on its parent's board

The page has no rules: the script draws the marks, lines, owners and open boards given in the data.
A registered game is shown by its `diagram()`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any

from noughts.games.given_tree import GivenTree
from noughts.games.nested import NestedPosition
from noughts.games.position import Position
from noughts.games.row import RowPosition
from noughts.search import trace
from noughts.search.pseudocode import line_of, pseudocode
from noughts.search.recording import Moment, Recording
from noughts.views.board import board_data, lines, owners
from noughts.views.narrate import sentence
from noughts.views.single_file import Places, page
from noughts.views.svg import NOTABLE

MAX_EVENTS = 100_000
"""Most events of a search in a page, which also shows their total number."""
NAMES = {"alphabeta": "Alpha-beta", "hminimax": "H-minimax", "mcts": "Monte Carlo tree search"}
"""Names of searches that differ from their identifiers."""

STATIC = files(__package__) / "static"
"""Scripts and style sheets, also served by `noughts serve`."""
SCRIPTS = (
    *("words.js", "board.js", "key.js", "steps.js", "search.js", "tree.js", "pane.js", "player.js"),
    "file.js",
)
"""The modules of the script; each imports only from those before it."""
STYLES = ("board.css", "replay.css", "steps.css")


def replay(recordings: Sequence[Recording]) -> str:
    """Return a page that replays one search, or two side by side.

    Args:
        recordings: one or two, of searches of the same position.

    Raises:
        ValueError: there are none or more than two, they begin in different positions, or one
            lacks its start or first node.

    >>> import noughts
    >>> from noughts.search import alphabeta
    >>> from noughts.search.trace import record
    >>> recording = Recording()
    >>> result = record(alphabeta, noughts.position("basic~XOX.XOO.1X1~O"), write=recording)
    >>> page = replay([recording])
    >>> page.startswith("<!doctype html>"), "<title>Alpha-beta on basic</title>" in page
    (True, True)
    """
    data = replay_data(recordings)
    names = " and ".join(search["name"] for search in data["searches"])
    return page(
        "replay/page.html",
        f"{names} on {data['rules']}",
        styles=[STATIC / name for name in STYLES],
        scripts=[STATIC / name for name in SCRIPTS],
        data=data,
    )


def replay_data(recordings: Sequence[Recording]) -> dict[str, Any]:
    """Return the data of the page for JSON, as `mount` in `static/player.js` takes it.

    Arguments and errors are those of `replay`.
    """
    if not 1 <= len(recordings) <= 2:
        raise ValueError(f"a page replays one search or two, not {len(recordings)}")
    for recording in recordings:
        _check(recording)
    position, *others = (recording.start.position for recording in recordings)
    if any(str(other) != str(position) for other in others):
        raise ValueError(f"the searches begin in two positions: {position} and {others[0]}")
    texts = Places()
    texts[""]
    searches = [_search(recording, texts) for recording in recordings]
    return {
        "position": str(position),
        "rules": position.rules_id,
        "maximizer": str(position.turn),
        "board": board_data(position),
        "kinds": list(trace.KINDS),
        "searches": searches,
        "texts": list(texts),
    }


def _check(recording: Recording) -> None:
    """Check that events are a trace, as they may come from a file."""
    if not len(recording) or not isinstance(recording.events[0], trace.Start):
        raise ValueError("a trace begins with an event `start`")
    known: set[int | None] = {None}
    for event in recording.events:
        if isinstance(event, trace.Enter | trace.Expand):
            if event.node in known or event.parent not in known:
                raise ValueError(f"node {event.node} is entered twice, or before its parent")
            known.add(event.node)
    if known == {None}:
        raise ValueError("a trace without a node has nothing to replay")


def name_of(start: trace.Start) -> str:
    """Return the name of a search as people write it."""
    return NAMES.get(start.search, start.search.capitalize())


def _search(recording: Recording, texts: Places) -> dict[str, Any]:
    start, end = recording.start, recording.end
    entries = [event for event in recording.events if isinstance(event, trace.Enter | trace.Expand)]
    places = {entry.node: place for place, entry in enumerate(entries)}
    columns: dict[str, list[int]] = {name: [] for name in _COLUMNS}
    kinds = list(trace.KINDS)
    cuts: dict[int, list[Any]] = {}
    for number, event in enumerate(recording.events, 1):
        moment = recording.at(number)
        node = -1 if moment.node is None else places[moment.node]
        line = line_of(moment)
        told = sentence(moment)
        row = (
            kinds.index(trace.kind_of(event)),
            node,
            -1 if line is None else line,
            texts[told],
            *_worth(event, start.scale, moment, texts),
        )
        for column, each in zip(columns.values(), row, strict=True):
            column.append(each)
        if isinstance(event, trace.Cut) and event.moves:
            moves = [moment.position.move_text(move) for move in event.moves]
            cuts[node] = [number - 1, moves, told.partition(":")[0]]
    return {
        "name": name_of(start),
        "simulates": start.search == "mcts",
        "about": _about(start),
        "lines": pseudocode(start),
        "events": columns,
        "nodes": _nodes(entries, places, texts),
        "cuts": cuts,
        "told": len(entries),
        "dropped": recording.dropped,
        **_end(end, recording, places),
    }


_COLUMNS = ("kind", "node", "line", "say", "value", "tone", "alpha", "beta", "move", "count")


def _worth(
    event: trace.Event, scale: trace.Scale, moment: Moment, texts: Places
) -> tuple[int, int, int, int, int, int]:
    """Return value, tone, alpha, beta, best move and a count of a node after an event.

    The tone is 1 where the value is good for MAX, -1 where it is bad, 0 for a bound. The count is
    of visits with MCTS, else of nodes left out.
    """
    value, tone, alpha, beta, move, count = "", 0, "", "", "", 0
    if isinstance(event, trace.Leaf | trace.Best | trace.Leave):
        seen = moment.path[-1]
        value = scale.text(event.score, seen.bound)
        if scale.score != "utility" and seen.bound == "exact" and abs(event.score) >= NOTABLE:
            tone = 1 if event.score > 0 else -1
    if (
        isinstance(event, trace.Enter | trace.Best)
        and event.alpha is not None
        and event.beta is not None
    ):
        alpha, beta = scale.text(event.alpha), scale.text(event.beta)
    if isinstance(event, trace.Best | trace.Leave) and event.move is not None:
        move = moment.position.move_text(event.move)
    if isinstance(event, trace.Leave):
        count = event.left_out
    if isinstance(event, trace.Backpropagate):
        value, count = f"{event.reward / event.visits:.2f}", event.visits
        if event.proven is not None:
            value = {1.0: "wins", 0.5: "draws", 0.0: "loses"}[event.proven]
    return texts[value], tone, texts[alpha], texts[beta], texts[move], count


def _about(start: trace.Start) -> str:
    """Return limits and options as text: `depth 4 · score sign`."""
    limits = {name: getattr(start.limit, name) for name in start.limit.__slots__}
    told = {name: value for name, value in {**limits, **start.options}.items() if value is not None}
    words = []
    for name, value in told.items():
        shown = getattr(value, "__name__", value)
        words.append(f"{name.replace('_', ' ')} {'yes' if shown is True else shown}")
    return " · ".join(words)


def _end(end: trace.End | None, recording: Recording, places: dict[int, int]) -> dict[str, Any]:
    """Return the number of searched nodes, and the nodes of the principal variation."""
    if end is None:
        return {"searched": None, "line": []}
    root = recording.root(len(recording))
    line = [] if root is None else [root]
    for move in end.result.line if line else ():
        below = recording.children(line[-1], len(recording))
        below = [child for child in below if recording.seen(child, len(recording)).move == move]
        if not below:
            break
        line.append(below[0])
    return {
        "searched": end.recorded + end.left_out,
        "line": [places[node] for node in line],
    }


_NODES = ("number", "parent", "move", "cell", "turn", "open", "over", "text")


def _nodes(
    entries: Iterable[trace.Enter | trace.Expand], places: dict[int, int], texts: Places
) -> dict[str, Any]:
    """Return the nodes as columns, with rare data by node.

    `line` and `boards` hold the ends of winning lines of cells and of boards; `owners` the owners
    of the boards, if they differ from the parent's.
    """
    columns: dict[str, list[int]] = {name: [] for name in _NODES}
    few: dict[str, dict[int, Any]] = {"line": {}, "boards": {}, "owners": {}}
    positions: list[Position] = []
    for place, entry in enumerate(entries):
        position = entry.position
        parent = -1 if entry.parent is None else places[entry.parent]
        above = positions[parent] if parent >= 0 else None
        positions.append(position)
        move, cell, over, text = "", -1, "", ""
        if above is not None and entry.move is not None:
            move = above.move_text(entry.move)
            if isinstance(above, RowPosition | NestedPosition):
                cell = above.cell(entry.move)
        outcome = position.outcome()
        if outcome is not None:
            over = "a draw" if outcome.winner is None else f"{outcome.winner} wins"
            over = "a leaf" if isinstance(position, GivenTree) else over
        if not isinstance(position, RowPosition | NestedPosition):
            text = position.diagram()
        opened = 0
        if isinstance(position, NestedPosition):
            for each in position.legal_moves():
                opened |= 1 << each // 9
            owned = owners(position)
            if not isinstance(above, NestedPosition) or owned != owners(above):
                few["owners"][place] = owned
        if outcome is not None:
            cells, boards = lines(position)
            few["line"] |= {place: cells} if cells else {}
            few["boards"] |= {place: boards} if boards else {}
        row = (
            *(entry.node, parent, texts[move], cell, "XO".index(str(position.turn)), opened),
            *(texts[over], texts[text]),
        )
        for column, value in zip(columns.values(), row, strict=True):
            column.append(value)
    return columns | few
