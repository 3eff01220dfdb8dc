"""Monte Carlo tree search: UCT with solved-node backup.

    select ──► expand ──► roll out ──► backpropagate        (Kocsis and Szepesvári 2006)
       ▲                                     │
       └─────────── next simulation ◄────────┘

A node with a proven value is not searched again, and proofs are passed up: a position is lost if
one reply is a proven win (Winands, Björnsson and Saito 2008).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from math import log, sqrt

from noughts.games.position import Outcome, Player, Position
from noughts.search.result import NO_LIMIT, Limit, Outlook, SearchResult, Value
from noughts.search.trace import Trace
from noughts.search.walk import Watch

SIMULATIONS = 1000
"""The simulations of a search with a limit of depth."""


def bounded(limit: Limit) -> Limit:
    """Return a limit sure to end the search: within a depth, the tree may never fill `nodes`.

    >>> bounded(Limit(depth=3)).simulations, bounded(Limit(depth=3, nodes=5000)).simulations
    (1000, 5000)
    """
    if limit.depth is None or limit.simulations is not None or limit.seconds is not None:
        return limit
    return replace(limit, simulations=max(SIMULATIONS, limit.nodes or 0))


class MctsNode:
    """A position in the tree; its rewards are those of the player who moved there."""

    __slots__ = ("children", "move", "position", "proven", "reward", "untried", "visits")

    def __init__(self, move: int | None, position: Position, rng: random.Random) -> None:
        self.move = move
        self.position = position
        self.children: list[MctsNode] = []
        self.visits = 0
        self.reward = 0.0
        """Sum over the visits of 1 for a win, ½ for a draw, 0 for a loss."""
        outcome = position.outcome()
        self.proven = None if outcome is None else reward_for(outcome, position.turn.other)
        """The proven reward; `None` if nothing is proven."""
        moves = position.legal_moves() if outcome is None else ()
        self.untried = rng.sample(moves, len(moves))

    @property
    def mean(self) -> float:
        """The expected reward: the proven one, or the mean over the visits and one added draw."""
        if self.proven is not None:
            return self.proven
        return (self.reward + 0.5) / (self.visits + 1)

    @property
    def value(self) -> Value:
        """The value for the player who moved here."""
        if self.proven is None:
            return Value.unknown(2 * self.mean - 1)
        outlook: Outlook = "win" if self.proven == 1 else "draw" if self.proven else "loss"
        return Value(outlook, None, None)

    def bounds(self, exploration: float) -> dict[MctsNode, float]:
        """Return the upper confidence bound of each child that is not proven."""
        scale = exploration * sqrt(log(self.visits))
        return {
            child: child.reward / child.visits + scale / sqrt(child.visits)
            for child in self.children
            if child.proven is None
        }

    def expand(self, rng: random.Random) -> MctsNode:
        """Add a child for an untried move, and return it."""
        move = self.untried.pop()
        child = MctsNode(move, self.position.play(move), rng)
        self.children.append(child)
        return child

    def roll_out(self, rng: random.Random) -> tuple[float, list[int]]:
        """Return the reward of a random game, or the proven reward, and the moves of the game."""
        moves: list[int] = []
        if self.proven is not None:
            return self.proven, moves
        position = self.position
        outcome = None
        while outcome is None:
            moves.append(rng.choice(position.legal_moves()))
            position = position.play(moves[-1])
            outcome = position.outcome()
        return reward_for(outcome, self.position.turn.other), moves

    def best_child(self) -> MctsNode | None:
        """Return the child to play: a proven win, or the most visited child.

        A proven draw is better than the most visited child if the mean of that child is below a
        draw.
        """
        open_children = [child for child in self.children if child.proven is None]
        ranked = sorted(self.children, key=lambda child: (child.proven or 0.0, child.visits))
        if not ranked or ranked[-1].proven == 1 or not open_children:
            return ranked[-1] if ranked else None
        most_visited = max(open_children, key=lambda child: child.visits)
        draw = ranked[-1].proven == 0.5 and most_visited.mean < 0.5
        return ranked[-1] if draw else most_visited


def reward_for(outcome: Outcome, player: Player) -> float:
    return 0.5 if outcome.winner is None else 1.0 if outcome.winner is player else 0.0


def mcts(
    position: Position,
    limit: Limit = NO_LIMIT,
    *,
    exploration: float = 1.0,
    seed: int | None = None,
    trace: Trace | None = None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> SearchResult:
    """Search by simulations until the value of the root is proven or the limit is reached.

    The score is 1, 0 or -1 where it is proven, else the mean result, between -1 and 1.

    Args:
        position: the root.
        limit: of simulations, seconds, and the nodes and depth of the tree. With a depth, but
            neither simulations nor seconds, the search ends after `SIMULATIONS`, or as many as
            nodes are allowed.
        exploration: the constant c of UCT, mean + c·√(ln N / n), for rewards between 0 and 1.
        seed: for the order of moves and the rollouts.
        trace: receives every step.
        is_stopped: called before each simulation; the search ends if it returns true.
    """
    limit = bounded(limit)
    rng = random.Random(seed)
    watch = Watch(limit)
    root = MctsNode(None, position, rng)
    nodes, simulations, depth, complete = 1, 0, 0, True
    if trace:
        trace.expand(None, root)
    while root.proven is None:
        if (
            (limit.simulations is not None and simulations >= limit.simulations)
            or nodes >= watch.nodes
            or watch.is_over
            or is_stopped()
        ):
            complete = False
            break
        simulations += 1
        path = [root]
        while path[-1].proven is None and (limit.depth is None or len(path) <= limit.depth):
            node = path[-1]
            if node.untried:
                path.append(node.expand(rng))
                nodes += 1
                if trace:
                    trace.expand(node, path[-1])
                break
            bounds = node.bounds(exploration)
            path.append(max(bounds, key=bounds.__getitem__))
            if trace:
                trace.select(node, path[-1], bounds)
        depth = max(depth, len(path) - 1)
        reward, moves = path[-1].roll_out(rng)
        if trace:
            trace.rollout(path[-1], moves, reward)
        backpropagate(path, reward)
        if trace:
            trace.backpropagate(path)
    best = root.best_child()
    score = 2 * best.mean - 1 if best else 0.0
    scores = {child.move: child.value for child in root.children if child.move is not None}
    unseen = Value.unknown()
    return SearchResult(
        move=best.move if best else next(iter(position.legal_moves()), None),
        score=score if root.proven is None else 1 - 2 * root.proven,
        exact=root.proven is not None,
        complete=complete,
        depth=depth,
        nodes=nodes,
        seconds=watch.elapsed,
        position=position,
        line=principal_variation(root),
        peak=nodes,
        simulations=simulations,
        moves={move: scores.get(move, unseen) for move in position.legal_moves()},
    )


def backpropagate(path: list[MctsNode], reward: float) -> None:
    """Count a simulation along `path`, and pass up the proof of its last node.

    `reward` is for the player who moved to the last node.
    """
    for node in reversed(path):
        node.visits += 1
        node.reward += reward
        reward = 1 - reward
    for parent, child in zip(path[-2::-1], path[:0:-1], strict=True):
        if child.proven == 1:
            parent.proven = 0
        elif child.proven is not None and not parent.untried:
            rewards = [child.proven for child in parent.children]
            if None in rewards:
                return
            parent.proven = 1 - max(reward for reward in rewards if reward is not None)
        else:
            return


def principal_variation(root: MctsNode) -> tuple[int, ...]:
    moves = []
    node = root.best_child()
    while node is not None and node.move is not None:
        moves.append(node.move)
        node = node.best_child()
    return tuple(moves)
