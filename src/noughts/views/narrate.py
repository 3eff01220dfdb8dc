"""Describe an event of a search in true sentences.

    recording.at(120) ──sentence()──► "O's move 7 gives D: MIN keeps L 4."

Scores are those of the trace: for MAX, with distances from the root. The score that a move "gives"
is the result of its search, with `≥` or `≤` where a cutoff has left only a bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from noughts.games.position import Position
from noughts.games.words import count
from noughts.search import trace
from noughts.search.recording import Moment, Seen
from noughts.search.result import SearchResult

MAX_MOVES = 9
"""Most moves named one by one; of more, the first ones and their number."""
REWARDS = {0.0: "a loss", 0.5: "a draw", 1.0: "a win"}


def sentence(moment: Moment) -> str:
    """Return one or two sentences about the event of a moment."""
    event: trace.Event = moment.event
    match event:
        case trace.Start(search, position):
            return (
                f"{search} begins. {position.turn}, to move, is MAX; {position.turn.other} is MIN."
            )
        case trace.Deepen(depth):
            return f"The search starts again at the root, now to depth {depth}."
        case trace.Enter():
            return _enter(moment, event)
        case trace.Leaf():
            return _leaf(moment, event)
        case trace.Best():
            return _best(moment, event)
        case trace.Cut():
            return _cut(moment, event)
        case trace.Leave():
            return _leave(moment, event)
        case trace.Select(child=child, bounds=bounds):
            ties = list(bounds.values()).count(bounds[child])
            rank = "the only one" if len(bounds) == 1 else f"the largest of {len(bounds)}"
            rank = f"one of the {ties} largest of {len(bounds)}" if ties > 1 else rank
            move = _move(moment.path[-1], moment.recording.seen(child, moment.number).move)
            return f"{move} is chosen: its bound {bounds[child]:.2f} is {rank}."
        case trace.Expand(parent=None):
            return "The tree begins with the root."
        case trace.Expand(node=node, move=move):
            mover = _move(moment.path[-2], move)
            return f"{mover} was not tried before: it becomes node {node} of the tree."
        case trace.Rollout():
            return _rollout(moment, event)
        case trace.Backpropagate(node, visits, reward, proven):
            told = f"Node {node} counts the simulation: {count(visits, 'visit')}"
            if node != 1:
                told += f", which brought {moment.position.turn.other} {reward:g}"
            if proven is None:
                return f"{told}."
            return f"{told}. It is proven: {REWARDS[proven]} for {moment.position.turn.other}."
        case trace.End():
            return _end(moment, event)


def _role(maximizing: bool) -> str:
    return "MAX" if maximizing else "MIN"


def _text(moment: Moment, score: float, bound: trace.Bound = "exact") -> str:
    return moment.recording.start.scale.text(score, bound)


def _move(above: Seen, move: int | None) -> str:
    """Return a move with its mover, such as `O's move 7`."""
    assert move is not None
    return f"{above.position.turn}'s move {above.position.move_text(move)}"


def _moves(position: Position, moves: Sequence[int]) -> str:
    """Return `the move 8 is` or `the moves 8 9 are`, and `the 40 moves 1 2 … are` of many."""
    if len(moves) == 1:
        return f"the move {position.move_text(moves[0])} is"
    names = " ".join(position.move_text(move) for move in moves[:MAX_MOVES])
    if len(moves) > MAX_MOVES:
        return f"the {len(moves)} moves {names} … are"
    return f"the moves {names} are"


def _result(position: Position) -> str:
    outcome = position.outcome()
    assert outcome is not None
    return "a draw" if outcome.winner is None else f"a win for {outcome.winner}"


def _enter(moment: Moment, event: trace.Enter) -> str:
    node = moment.path[-1]
    if event.parent is None:
        where = "The search enters the root"
    else:
        where = f"{_move(moment.path[-2], event.move)} leads to node {event.node}"
    if event.position.outcome() is not None:
        over = (
            "a leaf"
            if moment.recording.start.scale.score == "utility"
            else "where the game is over"
        )
        return f"{where}, {over}."
    told = f"{where}: {_role(node.maximizing)} ({event.position.turn}) is to move."
    sure = [
        f"{role} is sure of {_text(moment, score)} ({name})"
        for role, score, name in (("MAX", node.alpha, "alpha"), ("MIN", node.beta, "beta"))
        if score is not None and abs(score) < inf
    ]
    return f"{told} {', '.join(sure)}." if sure else told


def _kept(moment: Moment, score: float) -> str:
    """Return the score that the parent keeps, if the score of a child is no better."""
    if len(moment.path) < 2:
        return ""
    above, child = moment.path[-2:]
    if above.score is None:
        return ""
    if score > above.score if above.maximizing else score < above.score:
        return ""
    if above.bound == "none":
        return f" No move so far {_limit(moment, above)}."
    assert child.move is not None
    kept = f"{_role(above.maximizing)} keeps {_text(moment, above.score, above.bound)}"
    return f" {kept}: {above.position.move_text(child.move)} is no better."


def _limit(moment: Moment, node: Seen) -> str:
    """Return `gives MAX more than` (or `less than`) the score of a node, a limit of its moves."""
    assert node.score is not None
    more = "more" if node.maximizing else "less"
    return f"gives MAX {more} than {_text(moment, node.score)}"


def _leaf(moment: Moment, event: trace.Leaf) -> str:
    text = _text(moment, event.score, event.bound)
    start, position = moment.recording.start, moment.position
    if event.reason == "table":
        told = f"The table knows enough of this position: {text}."
    elif event.reason == "depth":
        counts = start.search in ("minimax", "alphabeta") and "evaluate" not in start.options
        told = f"The cutoff depth is reached: the {'position counts' if counts else 'estimate is'}"
        told += f" as {text}." if counts else f" {text}."
    elif start.scale.score == "utility":
        told = f"This leaf is worth {text} to MAX."
    else:
        told = f"The game is over: {_result(position)}, worth {text} to MAX."
    return told + _kept(moment, event.score)


def _best(moment: Moment, event: trace.Best) -> str:
    node, before = moment.path[-1], moment.before(event.node)
    role = _role(node.maximizing)
    told = f"{_move(node, event.move)} gives {_text(moment, event.score, event.bound)}"
    if before.score is None:
        told += f", the first value here: {role} keeps it."
    elif node.bound == "none":
        return f"{told}: no move so far {_limit(moment, node)}."
    else:
        more = "more" if node.maximizing else "less"
        told += f", {more} than {_text(moment, before.score)}: {role} keeps it."
    if event.alpha is None or event.beta is None or event.alpha >= event.beta:
        return told
    if event.alpha != before.alpha:
        return f"{told} Alpha rises to {_text(moment, event.alpha)}."
    if event.beta != before.beta:
        return f"{told} Beta falls to {_text(moment, event.beta)}."
    return told


def _cut(moment: Moment, event: trace.Cut) -> str:
    node = moment.path[-1]
    score = _text(moment, event.score)
    if event.reason == "win" or event.edge is None:
        why = f"{score} is a sure win for {_role(node.maximizing)}"
    else:
        signs = ("≥", ">") if node.maximizing else ("≤", "<")
        strict = moment.recording.start.options.get("strict") and event.score != event.edge
        why = f"{score} {signs[bool(strict)]} {event.reason} {_text(moment, event.edge)}"
    if not event.moves:
        return f"{why}: that is enough, and no move is left here to pass over."
    told = f"{why}: {_moves(node.position, event.moves)} not looked at."
    if event.reason == "win":
        return told
    other = _role(not node.maximizing)
    return f"{told} {other} has something as good elsewhere and will not let it come to this."


def _leave(moment: Moment, event: trace.Leave) -> str:
    node = moment.path[-1]
    role, score = _role(node.maximizing), _text(moment, event.score, event.bound)
    by = "" if event.move is None else f", by the move {node.position.move_text(event.move)}"
    if len(moment.path) == 1:
        told = f"The root comes out at {score}{by}."
    else:
        told = f"{role} hands {score} up to {_role(moment.path[-2].maximizing)}{by}."
    if event.left_out:
        nodes = count(event.left_out, "node")
        told += f" {nodes} below {'is' if event.left_out == 1 else 'are'} left out here."
    return told + _kept(moment, event.score)


def _rollout(moment: Moment, event: trace.Rollout) -> str:
    position, player = moment.position, moment.position.turn.other
    gets = f"{player} gets {event.reward:g}"
    if position.outcome() is not None:
        return f"The game is over here, {_result(position)}: {gets}."
    if not event.moves:
        return f"The result here is proven, {REWARDS[event.reward]} for {player}: {gets}."
    names, end = [], position
    for move in event.moves:
        names.append(end.move_text(move))
        end = end.play(move)
    shown = " ".join(names[:MAX_MOVES])
    if len(names) > MAX_MOVES:
        shown += f" … ({count(len(names), 'move')})"
    return f"Moves at random, {shown}, end in {_result(end)}: {gets}."


def _end(moment: Moment, event: trace.End) -> str:
    start, result = moment.recording.start, event.result
    assert result.move is not None, "a finished game is not searched"
    ends = "is over" if result.complete else "ends at its limit"
    move = f"{start.position.turn} plays {start.position.move_text(result.move)}"
    worth = _worth(moment, result)
    worth = f", which gives {worth}" if worth else ""
    counts = [count(result.nodes, "node")]
    if result.simulations:
        counts.append(count(result.simulations, "simulation"))
    elif start.search != "mcts":
        counts.append(count(result.cutoffs, "cutoff"))
    return f"The search {ends}: {move}{worth}. It took {' and '.join(counts)}."


def _worth(moment: Moment, result: SearchResult) -> str | None:
    """Return the value of a result with its bound; `None` if no move was searched."""
    recording = moment.recording
    # With iterative deepening the result may be that of an iteration before the last.
    for root in reversed(recording.children(None, moment.number)):
        seen = recording.seen(root, moment.number)
        if seen.score == result.score:
            return _text(moment, result.score, seen.bound)
    complete = result.complete or recording.start.search == "mcts"
    return _text(moment, result.score) if complete else None
