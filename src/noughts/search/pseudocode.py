"""The pseudocode of the searches, and the line of it that runs at each event of a trace.

    Start  ──pseudocode()──► lines of text
    Moment ──line_of()─────► the index of one of them

The lines are those of `docs/search.md` and `docs/large-games.md` (Russell and Norvig, AIMA, ch. 5).
Here MIN-VALUE is written out.
"""

from __future__ import annotations

from noughts.search.recording import Moment
from noughts.search.trace import Cut, End, Expand, Leaf, Leave, Start, kind_of

LINES: dict[str, tuple[str, ...]] = {
    "minimax": (
        "function MINIMAX-DECISION(s) returns an action",
        "    v ← MAX-VALUE(s)",
        "    return the first a in ACTIONS(s) with value v",
        "",
        "function MAX-VALUE(s) returns a utility value",
        "    if TERMINAL-TEST(s) then return UTILITY(s)",
        "    v ← −∞",
        "    for each a in ACTIONS(s) do v ← MAX(v, MIN-VALUE(RESULT(s, a)))",
        "    return v",
        "",
        "function MIN-VALUE(s) returns a utility value",
        "    if TERMINAL-TEST(s) then return UTILITY(s)",
        "    v ← +∞",
        "    for each a in ACTIONS(s) do v ← MIN(v, MAX-VALUE(RESULT(s, a)))",
        "    return v",
    ),
    "alphabeta": (
        "function ALPHA-BETA-SEARCH(s) returns an action",
        "    v ← MAX-VALUE(s, −∞, +∞)",
        "    return the first a in ACTIONS(s) with value v",
        "",
        "function MAX-VALUE(s, α, β) returns a utility value",
        "    if TERMINAL-TEST(s) then return UTILITY(s)",
        "    v ← −∞",
        "    for each a in ACTIONS(s) do",
        "        v ← MAX(v, MIN-VALUE(RESULT(s, a), α, β))",
        "        if v ≥ β then return v",
        "        α ← MAX(α, v)",
        "    return v",
        "",
        "function MIN-VALUE(s, α, β) returns a utility value",
        "    if TERMINAL-TEST(s) then return UTILITY(s)",
        "    v ← +∞",
        "    for each a in ACTIONS(s) do",
        "        v ← MIN(v, MAX-VALUE(RESULT(s, a), α, β))",
        "        if v ≤ α then return v",
        "        β ← MIN(β, v)",
        "    return v",
    ),
    "hminimax": (
        "H-MINIMAX(s, d) = UTILITY(s)                                    if TERMINAL-TEST(s)",
        "                  EVAL(s)                                         if CUTOFF-TEST(s, d)",
        "                  max over a of H-MINIMAX(RESULT(s, a), d + 1)    if PLAYER(s) = MAX",
        "                  min over a of H-MINIMAX(RESULT(s, a), d + 1)    if PLAYER(s) = MIN",
    ),
    "negamax": (
        "function NEGAMAX(s, d, α, β) returns a value for the side to move",
        "    if TERMINAL-TEST(s) then return UTILITY(s, PLAYER(s))",
        "    if d = 0 then return EVAL(s)",
        "    if the table knows s at least to depth d, and its bound decides, then return that",
        "    v ← −∞",
        "    for each a in ACTIONS(s), the table's move first, do",
        "        v ← MAX(v, −NEGAMAX(RESULT(s, a), d − 1, −β, −MAX(α, v)))",
        "        if v ≥ β then stop the loop",
        "    put s in the table: d, v and whether v is exact, a lower or an upper bound",
        "    return v",
        "",
        "function ITERATIVE-DEEPENING(s)",
        "    for d ← 1, 2, 3, … until the value is proven or the limit is reached do "
        "NEGAMAX(s, d, −∞, +∞)",
        "    return the result of the last depth finished",
    ),
    "mcts": (
        "function MCTS(s) returns an action",
        "    tree ← NODE(s)",
        "    while the limit is not reached and the value of the root is not proven do",
        "        leaf ← SELECT(tree)             down the tree, by UCB1",
        "        child ← EXPAND(leaf)            one move not tried before",
        "        reward ← SIMULATE(child)        random moves to the end of the game",
        "        BACK-PROPAGATE(reward, child)   to all nodes on the path, as each side sees it",
        "    return the move of the root with the most visits, or one that is proven to win",
    ),
}
"""The lines of each search by its name in a `Start`."""

_MAX: dict[str, dict[str, int]] = {
    "minimax": {"start": 0, "enter": 4, "leaf": 5, "best": 7, "cut": 7, "leave": 8}
    | {"end complete": 2},
    "alphabeta": {"start": 0, "enter": 4, "leaf": 5, "best": 8, "cut": 9, "leave": 11}
    | {"leave cut": 9, "end complete": 2},
    "hminimax": {"start": 0, "enter": 0, "leaf": 0, "leaf depth": 1, "best": 2, "leave": 2},
    "negamax": {"start": 11, "deepen": 12, "enter": 0, "leaf": 1, "best": 6, "cut": 7, "leave": 9}
    | {"leaf depth": 2, "leaf table": 3, "end": 13},
    "mcts": {"start": 0, "expand root": 1, "select": 3, "expand": 4, "rollout": 5}
    | {"backpropagate": 6, "end": 7},
}
"""The line of each kind of event at a MAX node.

`leave cut` is a `leave` right after a cutoff, `end complete` the end of a search that no limit
stopped.
"""


def _in_min_value(search: str, below: int) -> dict[str, int]:
    """Return the lines at a MIN node: those of MIN-VALUE are `below` those of MAX-VALUE."""
    return {kind: line + below if line > 3 else line for kind, line in _MAX[search].items()}


_MIN: dict[str, dict[str, int]] = {
    **_MAX,
    "minimax": _in_min_value("minimax", 6),
    "alphabeta": _in_min_value("alphabeta", 9),
    "hminimax": {**_MAX["hminimax"], "best": 3, "leave": 3},
}


def line_of(moment: Moment) -> int | None:
    """Return the index of the line of pseudocode that runs at a moment.

    The root counts as a call of MAX-VALUE. `None` where no line runs: at the end of `hminimax`, of
    a search that a limit has stopped before its `return`, and in a search without pseudocode.

    >>> from noughts.games.registry import position
    >>> from noughts.search import alphabeta
    >>> from noughts.search.recording import Recording
    >>> from noughts.search.trace import record
    >>> recording = Recording()
    >>> result = record(alphabeta, position("basic~XOX.XOO.1X1~O"), write=recording)
    >>> LINES["alphabeta"][line_of(recording.at(2))]
    'function MAX-VALUE(s, α, β) returns a utility value'
    """
    events, event = moment.recording.events, moment.event
    kind = kind_of(event)
    match event:
        case Leaf(reason=about):
            pass
        case Expand(parent=None):
            about = "root"
        case Leave() if isinstance(events[moment.number - 2], Cut):
            about = "cut"
        case End(result=result) if result.complete:
            about = "complete"
        case _:
            about = ""
    maximizing = not moment.path or moment.path[-1].maximizing
    lines = (_MAX if maximizing else _MIN).get(moment.recording.start.search, {})
    return lines.get(f"{kind} {about}", lines.get(kind))


def pseudocode(start: Start) -> tuple[str, ...]:
    """Return the lines of a search as its options and limit make them; none if it is unknown.

    Each line replaces the line of `LINES` with the same index, so that `line_of` fits both.

    >>> from noughts.games.registry import game
    >>> from noughts.search import Limit
    >>> strict = Start("alphabeta", game("basic"), Limit(depth=4), {"strict": True})
    >>> [after for before, after in zip(LINES["alphabeta"], pseudocode(strict)) if before != after]
    ... # doctest: +NORMALIZE_WHITESPACE
    ['    if CUTOFF-TEST(s) then return EVAL(s)', '        if v > β then return v',
     '    if CUTOFF-TEST(s) then return EVAL(s)', '        if v < α then return v']
    """
    changes: list[tuple[str, str]] = []
    if start.search in ("minimax", "alphabeta"):
        if start.limit.depth is not None:
            changes += [("TERMINAL-TEST", "CUTOFF-TEST"), ("UTILITY(s)", "EVAL(s)")]
        if start.options.get("strict"):
            changes += [("v ≥ β", "v > β"), ("v ≤ α", "v < α")]
        if start.options.get("stop_at_win"):
            changes += [
                (" then return v", " or v is a sure win then return v"),
                ("-VALUE(RESULT(s, a)))", "-VALUE(RESULT(s, a))) until v is a sure win"),
            ]
    lines = LINES.get(start.search, ())
    for before, after in changes:
        lines = tuple(line.replace(before, after) for line in lines)
    return lines
