"""Exercises on Monte Carlo tree search: one simulation, from the trace of a real search.

The search runs for some simulations; the counts before the last one are given, and the student
computes its selection and its backpropagation.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from noughts.exercises.exercise import ExerciseEntry, FigureNode, plain_number
from noughts.exercises.grading import exercise_of
from noughts.exercises.material import Made, Wish, random_game, start_of
from noughts.exercises.trees import letters, said, without
from noughts.games.position import Player, Position, canonical_key
from noughts.games.words import count
from noughts.search import Limit, mcts, trace
from noughts.search.tree import Grower, Tree, TreeNode

BRANCHES = (3, 7)
"""Fewest and most moves of the root."""
EXTRA = (1, 4)
"""Simulations after every move of the root has had one."""
MAX_NODES = 9
"""Most nodes of the tree before the simulation."""
GAP = 0.02
"""Least distance of the largest bound from the others, so that rounding does not matter."""
TOLERANCE = 0.01


class Simulation(NamedTuple):
    """The last simulation of a search, and the tree before it."""

    before: Tree
    counts: dict[int, tuple[int, float]]
    """Visits and total reward before the simulation, by the number of the node."""
    selected: list[trace.Select]
    expanded: trace.Expand
    rollout: trace.Rollout
    updates: dict[int, trace.Backpropagate]


def last_simulation(position: Position, simulations: int, seed: int) -> Simulation | None:
    """Return the last simulation of a search; `None` if it adds no node to the tree.

    A search with proven nodes is rejected: their rules are beyond the exercise.
    """
    events: list[trace.Event] = []
    trace.record(mcts, position, Limit(simulations=simulations), seed=seed, write=events.append)
    ends = [at for at, event in enumerate(events) if isinstance(event, trace.Rollout)]
    if len(ends) < simulations:
        return None
    grower = Grower()
    # Each simulation ends with the root's count.
    counted = [
        at
        for at, event in enumerate(events)
        if isinstance(event, trace.Backpropagate) and event.node == 1
    ]
    first = counted[-2] + 1
    for event in events[:first]:
        grower(event)
    assert grower.tree is not None
    step = events[first:]
    expanded = [event for event in step if isinstance(event, trace.Expand)]
    if not expanded or any(
        isinstance(event, trace.Backpropagate) and event.proven is not None for event in events
    ):
        return None
    counts = {node.number: (node.visits, node.reward) for node in grower.tree.root.walk()}
    return Simulation(
        grower.tree,
        counts,
        [event for event in step if isinstance(event, trace.Select)],
        expanded[0],
        next(event for event in step if isinstance(event, trace.Rollout)),
        {event.node: event for event in step if isinstance(event, trace.Backpropagate)},
    )


def make_mcts(wish: Wish, rng: random.Random) -> Made | None:
    """Return an exercise: the bounds, the selected nodes and the new counts of one simulation."""
    game = random_game(start_of(wish), rng)
    fitting = [each for each in game if BRANCHES[0] <= len(each.legal_moves()) <= BRANCHES[1]]
    if not fitting:
        return None
    position = rng.choice(fitting)
    branches = len(position.legal_moves())
    step = last_simulation(position, branches + rng.randint(*EXTRA), rng.getrandbits(32))
    if step is None or not step.selected:
        return None
    for event in step.selected:
        chosen = event.bounds[event.child]
        if any(chosen - bound < GAP for node, bound in event.bounds.items() if node != event.child):
            return None
    nodes = list(step.before.root.walk())
    if len(nodes) > MAX_NODES:
        return None
    names = {node.number: letters(place, "A") for place, node in enumerate(_by_depth(nodes))}
    key = (
        canonical_key(position),
        tuple(sorted(step.counts[child.number] for child in step.before.root.children)),
    )
    return Made(
        exercise_of(
            "mcts",
            "One simulation of MCTS",
            f"{position.turn} is to move at A. The tree shows the visits n and the total reward w "
            "of every node. Run the next simulation: compute the bounds, select, and write the new "
            f"counts. {_rollout_text(step, names)}",
            (
                "Selection takes the child with the largest bound w/n + √(ln N / n): N counts the "
                "visits of the parent (exploration constant 1, natural logarithm).",
                "Selection ends at a node with an untried move: that move is added to the tree.",
                "A reward is 1 for a win, ½ for a draw and 0 for a loss of the player who moved to "
                "the node.",
                "Round bounds to two decimals.",
            ),
            _figure(step, names),
            _entries(step, names),
            position,
            points=sum(len(event.bounds) for event in step.selected),
        ),
        key,
    )


def _by_depth(nodes: list[TreeNode]) -> list[TreeNode]:
    """Return nodes, the root's first, from left to right in each layer."""
    found, layer = [], nodes[:1]
    while layer:
        found += layer
        layer = [child for node in layer for child in node.children]
    return found


def _result(step: Simulation) -> Player | None:
    mover = step.expanded.position.turn.other
    reward = step.rollout.reward
    return None if reward == 0.5 else mover if reward else mover.other


def _rollout_text(step: Simulation, names: dict[int, str]) -> str:
    parent = next(
        node for node in step.before.root.walk() if node.number == step.expanded.parent
    ).position
    assert step.expanded.move is not None
    winner = _result(step)
    ends = "ends in a draw" if winner is None else f"is won by {winner}"
    return (
        f"The new node is {letters(len(names), 'A')}, {parent.turn}'s move "
        f"{parent.move_text(step.expanded.move)}; the random game from there {ends}."
    )


def _figure(step: Simulation, names: dict[int, str]) -> Iterator[FigureNode]:
    """Yield the nodes of the tree with their counts, and the new counts for the key."""
    waiting: list[tuple[TreeNode | None, TreeNode]] = [(None, step.before.root)]
    while waiting:
        parent, node = waiting.pop()
        visits, reward = step.counts[node.number]
        update = step.updates.get(node.number)
        given = [f"n = {visits}"]
        solved = [f"n = {update.visits if update else visits}"]
        if parent is not None:
            given.append(f"w = {reward:g}")
            solved.append(f"w = {update.reward if update else reward:g}")
        yield FigureNode(
            names[node.number],
            names[parent.number] if parent else None,
            parent.position.move_text(node.move) if parent and node.move is not None else "",
            f"{node.position.turn} to move",
            tuple(given),
            tuple(solved),
            "" if parent else str(node.position),
        )
        waiting += [(node, child) for child in reversed(node.children)]


def _entries(step: Simulation, names: dict[int, str]) -> Iterator[ExerciseEntry]:
    for event in step.selected:
        parent = step.counts[event.node][0]
        for child, bound in sorted(event.bounds.items(), key=lambda item: names[item[0]]):
            yield _bound_entry(names[child], bound, parent, *step.counts[child])
        yield _select_entry(event, names)
    shown = [number for number in names if number in step.counts]
    for number in sorted(shown, key=lambda each: (len(names[each]), names[each])):
        yield from _count_entries(step, number, names[number])
    yield from _new_node(step, letters(len(names), "A"))


def _bound_entry(name: str, bound: float, parent: int, visits: int, reward: float) -> ExerciseEntry:
    shown = f"{bound:.2f}"
    return ExerciseEntry(
        name=f"{name}.bound",
        label=f"Bound of {name}",
        answer=shown,
        why=f"{reward:g}/{visits} + √(ln {parent} / {visits}) = {shown}.",
        clue=f"Put w = {reward:g}, n = {visits} and N = {parent} into w/n + √(ln N / n).",
        row=name,
        column="bound",
        tolerance=TOLERANCE,
        mistakes=_far(
            shown,
            [
                (reward / visits, f"That is the mean w/n of {name}, without the second term."),
                (bound - reward / visits, "That is only the second term: add the mean w/n."),
            ],
        ),
    )


def _far(answer: str, mistakes: list[tuple[float, str]]) -> dict[str, str]:
    """Return the sentences by wrong number, to two decimals; no number that counts as right."""
    return without(
        plain_number(float(answer)),
        (
            (plain_number(round(value, 2)), sentence)
            for value, sentence in mistakes
            if abs(value - float(answer)) > 2 * TOLERANCE
        ),
    )


def _select_entry(event: trace.Select, names: dict[int, str]) -> ExerciseEntry:
    right, bound = names[event.child], event.bounds[event.child]
    order = sorted(event.bounds, key=lambda number: names[number])
    return ExerciseEntry(
        name=f"{names[event.node]}.selected",
        label=f"Selected at {names[event.node]}",
        answer=right,
        why=f"{right} has the largest bound, {bound:.2f}.",
        clue="Compare the bounds.",
        kind="choice",
        choices=tuple(names[number] for number in order),
        mistakes=without(
            right,
            (
                (
                    names[number],
                    f"{names[number]} has the bound {event.bounds[number]:.2f}; another is larger.",
                )
                for number in order
            ),
        ),
    )


def _count_entries(step: Simulation, number: int, name: str) -> Iterator[ExerciseEntry]:
    """Yield the entries of a node's new visits and, below the root, of its new reward."""
    visits, reward = step.counts[number]
    update = step.updates.get(number)
    after = update.visits if update else visits
    passed = (
        f"The simulation passes through {name}"
        if update
        else f"The simulation does not pass through {name}: its counts stay"
    )
    yield ExerciseEntry(
        name=f"{name}.visits",
        label=f"New visits n of {name}",
        answer=str(after),
        why=f"{passed}, so n grows from {visits} to {after}." if update else f"{passed}.",
        clue="Only nodes on the path of the simulation get a visit, one each.",
        row=name,
        column="new n",
    )
    if number == 1:
        return
    earned = update.reward if update else reward
    mover = next(n for n in step.before.root.walk() if n.number == number).position.turn.other
    gain = earned - reward
    why = f"{mover} moved to {name}, and the random game is worth {gain:g} to {mover}: w is "
    why += f"{reward:g} + {gain:g} = {earned:g}."
    opposite = plain_number(reward + 1 - gain)
    yield ExerciseEntry(
        name=f"{name}.reward",
        label=f"New reward w of {name}",
        answer=plain_number(earned),
        why=why if update else f"{passed}.",
        clue=f"Is {name} on the path? If so, add the result for the player who moved to {name}.",
        row=name,
        column="new w",
        mistakes=without(
            plain_number(earned),
            [(opposite, f"That is the result for {mover.other}; {mover} moved to {name}.")]
            if update
            else [],
        ),
    )


def _new_node(step: Simulation, name: str) -> Iterator[ExerciseEntry]:
    mover = step.expanded.position.turn.other
    reward = step.rollout.reward
    yield ExerciseEntry(
        name=f"{name}.visits",
        label=f"New visits n of {name}",
        answer="1",
        why=f"{name} is new: this is its first simulation, so it has {count(1, 'visit')}.",
        clue=f"{name} is new.",
        row=name,
        column="new n",
    )
    yield ExerciseEntry(
        name=f"{name}.reward",
        label=f"New reward w of {name}",
        answer=plain_number(reward),
        why=f"{mover} moved to {name}, and the random game is worth {said(reward)} to {mover}.",
        clue=f"The result of the random game for {mover}, who moved to {name}.",
        row=name,
        column="new w",
        mistakes=without(
            plain_number(reward),
            [(plain_number(1 - reward), f"That is the result for {mover.other}.")],
        ),
    )
