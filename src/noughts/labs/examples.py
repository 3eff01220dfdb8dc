"""Labs that draw a whole small tree.

prune     a tree with given leaf values, searched by minimax and by alpha-beta
example   the last three moves of a game: every board and its score
"""

from __future__ import annotations

import random
from itertools import count
from math import inf
from typing import Any, Literal, NamedTuple

from noughts.games.given_tree import GivenTree, Tree, parse_tree, tree_text, utility
from noughts.games.position import Player
from noughts.games.row import Basic
from noughts.labs.report import Progress, Report, silent
from noughts.search import alphabeta, in_order, minimax
from noughts.search import tree as searched
from noughts.search.trace import OPPOSITE, Bound

# prune

AIMA = "((3 12 8) (2 4 6) (14 5 2))"
"""The two-ply tree of Russell and Norvig, Artificial Intelligence: A Modern Approach, ch. 5."""
MAX_LEAVES = 256
LARGEST = 20


def prune(
    *,
    tree: str | None = None,
    first: Literal["max", "min"] = "max",
    seed: int | None = None,
    branching: int | None = None,
    depth: int | None = None,
    progress: Progress = silent,
) -> Report:
    """Search a small tree with given leaf values by minimax and by alpha-beta, and draw it.

    Args:
        tree: such as `((3 12 8) (2 4 6) (14 5 2))`, the default if no argument is given.
        first: whether MAX or MIN is to move at the root.
        seed: of the values of a random tree, from 1 to 20.
        branching: of a random tree, 3 if left out.
        depth: of a random tree in plies, 2 if left out.
        progress: called after each of the two searches.

    Raises:
        NotationError: `tree` is not a tree.
        ValueError: both a tree and a random one are given, or the tree is too large to draw.
    """
    if first not in ("max", "min"):
        raise ValueError(f"{first!r} moves first? it is max or min")
    if tree is not None and (seed, branching, depth) != (None, None, None):
        raise ValueError("a tree that is given leaves nothing to chance: no seed, branching, depth")
    if (tree, seed, branching, depth) == (None, None, None, None):
        tree = AIMA
    given = parse_tree(tree) if tree is not None else random_tree(seed or 0, branching, depth)
    # For the searches the player at the root is MAX, so MIN's tree gets negated values.
    sign = 1 if first == "max" else -1
    root = GivenTree(given if sign > 0 else negated(given))
    progress(0, 2)
    whole = searched.trace_tree(minimax, root, score=utility)
    progress(1, 2)
    cut = searched.trace_tree(alphabeta, root, score=utility)
    progress(2, 2)
    full, pruned = leaf_count(whole, sign), leaf_count(cut, sign)
    best = best_order(root.tree, whole.root.score)
    missed = len(full.leaves) - len(pruned.leaves)
    value = f"{full.value}"
    is_default = tree is not None and given == parse_tree(AIMA) and first == "max"
    claim = "Knuth and Moore (1975): alpha-beta gives the value of minimax, and looks at the fewest"
    claim += " leaves where the best move of each node comes first."
    if is_default:
        claim = f"Russell and Norvig, ch. 5, with this tree: MAX gets 3, and two leaves. {claim}"
        claim = claim.replace("and two leaves.", "and two of the leaves cannot change that.")
    cuts = [node for node in cut.root.walk() if node.cut and node.cut.moves]
    where = {0: "cuts nothing off", 1: "cuts off once", 2: "cuts off twice"}.get(
        len(cuts), f"cuts off {len(cuts):,} times"
    )
    return Report(
        name="prune",
        claim=claim,
        picture="\n".join(drawn_tree(whole, cut, sign)),
        headers=("search", "leaves", "nodes", "value", "leaves in order"),
        rows=(
            ("minimax", f"{len(full.leaves):,}", f"{full.nodes:,}", value, listed(full.leaves)),
            (
                *("alpha-beta", f"{len(pruned.leaves):,}", f"{pruned.nodes:,}"),
                *(f"{pruned.value}", listed(pruned.leaves)),
            ),
            ("alpha-beta, best order", f"{best:,}", "", value, ""),
        ),
        teaches=f"Minimax looks at all {len(full.leaves):,} leaves. Alpha-beta comes to the same "
        f"value with {len(pruned.leaves):,}: it {where}, and leaves out {missed:,}. A "
        "cutoff is made where a node has reached a bound from above: a MIN node that is worth no "
        "more than alpha, the value that MAX already has, or a MAX node worth no less than beta. "
        "Such a node returns only a bound of its value (≤ or ≥), and that is enough. In the best "
        f"order of the moves, {best:,} leaves suffice; no order needs fewer. They prove that the "
        "root is worth no less and no more, and the two proofs share one leaf. In a tree of b "
        "branches and d plies that is b^⌈d/2⌉ + b^⌊d/2⌋ - 1.",
        data={
            "tree": tree_text(given),
            "first": first,
            "seed": (seed or 0) if tree is None else None,
            "value": full.value,
            "minimax": {"leaves": full.leaves, "nodes": full.nodes},
            "alphabeta": {
                "leaves": pruned.leaves,
                "nodes": pruned.nodes,
                "cutoffs": [cutoff(node, sign) for node in cuts],
            },
            "best_order": {"leaves": best},
        },
    )


def random_tree(seed: int, branching: int | None, depth: int | None) -> Tree:
    """Return a uniform tree of leaves from 1 to 20."""
    branching, depth = branching or 3, depth or 2
    if branching**depth > MAX_LEAVES:
        leaves = f"{branching}^{depth} = {branching**depth:,} leaves"
        raise ValueError(f"a tree of {leaves} is too large to draw; {MAX_LEAVES} are the most")
    rng = random.Random(f"{seed} {branching} {depth}")

    def below(plies: int) -> Tree:
        if not plies:
            return rng.randint(1, LARGEST)
        return tuple(below(plies - 1) for _ in range(branching))

    return below(depth)


def negated(tree: Tree) -> Tree:
    """Return the tree with negated leaf values."""
    return -tree if isinstance(tree, int) else tuple(map(negated, tree))


class LeafCount(NamedTuple):
    """The nodes and leaves that a search of a tree visited."""

    value: int
    nodes: int
    leaves: list[int]


def leaf_count(tree: searched.Tree, sign: int) -> LeafCount:
    """Return the nodes and leaves that a search visited, the leaves in that order."""
    nodes = list(tree.root.walk())
    leaves = [round(sign * node.score) for node in nodes if node.reason and node.score is not None]
    assert tree.root.score is not None
    return LeafCount(round(sign * tree.root.score), len(nodes), leaves)


def listed(leaves: list[int]) -> str:
    shown = " ".join(map(str, leaves[:40]))
    return f"{shown} …" if len(leaves) > 40 else shown


def best_order(tree: Tree, value: float | None) -> int:
    """Return the fewest leaves that prove the value of a tree, with MAX to move at its root.

    The lower bound needs one good branch at each MAX node and all branches at each MIN node, the
    upper bound the reverse. The two proofs share one leaf.
    """
    assert value is not None

    def proof(tree: Tree, maximizing: bool, for_max: bool) -> float:
        if isinstance(tree, int):
            return 1 if (tree >= value if for_max else tree <= value) else inf
        below = [proof(branch, not maximizing, for_max) for branch in tree]
        return min(below) if maximizing is for_max else sum(below)

    return round(proof(tree, True, True) + proof(tree, True, False)) - 1


def cutoff(node: searched.TreeNode, sign: int) -> dict[str, Any]:
    """Return a cutoff as a JSON object, from MAX's side."""
    assert node.cut is not None
    assert node.cut.edge is not None
    return {
        "node": ".".join(str(node.position).partition("~")[2].split(".")),
        "score": round(sign * node.cut.score),
        "reason": node.cut.reason if sign > 0 else OTHER_BOUND[node.cut.reason],
        "edge": round(sign * node.cut.edge),
        "moves": [node.position.move_text(move) for move in node.cut.moves],
    }


OTHER_BOUND = {"alpha": "beta", "beta": "alpha"}


def drawn_tree(whole: searched.Tree, cut: searched.Tree, sign: int) -> list[str]:
    """Return the tree as lines with the values, and the windows and results of alpha-beta."""
    known = {node.position: node for node in cut.root.walk()}
    lines = [("", "value", "window", "alpha-beta", "")]

    def number(score: float | None, bound: Bound = "exact") -> str:
        assert score is not None
        return whole.start.scale.text(sign * score, bound if sign > 0 else OPPOSITE[bound])

    def add(node: searched.TreeNode, indent: str, branch: str, name: str) -> None:
        found = known.get(node.position)
        maximizing = (node.position.turn is Player.X) is (sign > 0)
        title = f"{indent}{branch}{name}"
        if node.children:
            title += f"{' ' if name else ''}{'MAX' if maximizing else 'MIN'}"
        window, came_out, reason = "", "·", ""
        if found is not None:
            came_out = number(found.score, found.bound)
            if node.children:
                bounds = (found.alpha, found.beta)[::sign]
                window = "{:>3} … {:<3}".format(*map(number, bounds))
        if found is not None and found.cut and found.cut.moves:
            data = cutoff(found, sign)
            relation = "≥" if data["reason"] == "beta" else "≤"
            reason = f"{data['score']} {relation} {data['reason']} {data['edge']}: "
            reason += f"{' '.join(data['moves'])} cut off"
        lines.append((title, number(node.score), window, came_out, reason))
        inner = indent + {"├─ ": "│  ", "└─ ": "   "}.get(branch, "")
        for child in node.children:
            assert child.move is not None
            last = child is node.children[-1]
            text = node.position.move_text(child.move)
            add(child, inner, "└─ " if last else "├─ ", text)

    add(whole.root, "", "", "")
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        f"{title:<{widths[0]}}  {value:>{widths[1]}}  {window:^{widths[2]}}  "
        f"{came_out:>{widths[3]}}  {reason}".rstrip()
        for title, value, window, came_out, reason in lines
    ]


# example

EXAMPLE = "basic~O1X.X2.XOO~X"
CENTRE_FIRST = (4, 0, 1, 2, 3, 5, 6, 7, 8)
"""Order of moves that numbers the states as the courses do, the win first."""
TEN = 10
BOARD_WIDTH = 13


class State(NamedTuple):
    """A state of the example, numbered breadth first as in the courses."""

    number: int
    node: searched.TreeNode
    children: list[State]


def example(*, progress: Progress = silent) -> Report:
    """Draw the courses' example of minimax: X to move, three empty cells, the scores pushed up."""
    root = Basic.parse(EXAMPLE)
    order = in_order(CENTRE_FIRST)
    steps = 3
    progress(0, steps)
    tree = searched.trace_tree(minimax, root, score=tens, order=order)
    progress(1, steps)
    cut = alphabeta(root, score=tens, order=order)
    progress(2, steps)
    exact = minimax(root)
    progress(steps, steps)
    assert tree.result is not None
    top = states(tree.root)
    every = list(breadth_first(top))
    ends = [state for state in every if not state.children]
    rows = tuple(row(state) for state in reversed(every) if state.children)
    numbered = [state.number for state in every]
    return Report(
        name="example",
        claim="Courses explain minimax by a game with three empty cells and X to move, a win for X "
        "worth 10, for O -10 and a draw 0: one move wins at once, and after either of the others O "
        "has a move that wins.",
        picture="\n".join(line.rstrip() for line in drawn_states(top)),
        headers=("state", "to move", "scores of its moves", "takes"),
        rows=rows,
        teaches=f"The position is {root}. Under each board stand its state, whose turn it is, and "
        f"its score; {len(ends)} of the {len(numbered)} states are the ends of games, where the "
        "score is known. The table has the others from the bottom up: MAX, who is X, takes the "
        "largest of the scores below, MIN the smallest, until the root knows its own. Courses "
        f"number eight of them, for what follows states 6 and 8 is forced. Minimax enters "
        f"{tree.result.nodes}, and plays {tree.result.text}; alpha-beta, in the same "
        f"order, {cut.nodes}: after the win, states 5 and 7 are enough to see that 3 and 4 are "
        f"worth less. Scored by distance the root is {exact.value}: a win in one ply.",
        data={
            "position": str(root),
            "move": tree.result.text,
            "score": round(tree.result.score),
            "states": [
                {
                    "state": state.number,
                    "position": str(state.node.position),
                    "move": move_text(state),
                    "score": round(state.node.score or 0),
                    "below": [child.number for child in state.children],
                }
                for state in every
            ],
            "nodes": {"minimax": tree.result.nodes, "alphabeta": cut.nodes},
        },
    )


def tens(position: Basic) -> int:
    """Return the value of a finished game for X: 10, 0 or -10."""
    outcome = position.outcome()
    assert outcome is not None, "only asked where the game is over"
    if outcome.winner is None:
        return 0
    return TEN if outcome.winner is Player.X else -TEN


def states(root: searched.TreeNode) -> State:
    """Return a tree with its nodes numbered breadth first, from 1."""
    numbers = count(1)
    top = State(next(numbers), root, [])
    waiting = [top]
    for state in waiting:
        state.children.extend(State(next(numbers), child, []) for child in state.node.children)
        waiting.extend(state.children)
    return top


def breadth_first(top: State) -> list[State]:
    every = [top]
    for state in every:
        every.extend(state.children)
    return every


def move_text(state: State) -> str | None:
    """Return the move that led to a state as text."""
    move = state.node.move
    return None if move is None else state.node.position.move_text(move)


def role(state: State) -> str:
    return "MAX" if state.node.position.turn is Player.X else "MIN"


def row(state: State) -> tuple[str, ...]:
    """Return a row of the table: the scores of a state's moves, and the one it takes."""
    below = ", ".join(
        f"{child.node.score:.0f} ({child.node.position.turn.other} {move_text(child)}, "
        f"state {child.number})"
        for child in state.children
    )
    mover = f"{role(state)} ({state.node.position.turn})"
    return str(state.number), mover, below, f"{state.node.score:.0f}"


def drawn_states(state: State) -> list[str]:
    """Return a state above its children, with all lines equally wide."""
    position = state.node.position
    assert isinstance(position, Basic)
    marks = [str(position.mark(cell) or "·") for cell in range(9)]
    board = [" ".join(marks[row : row + 3]) for row in (0, 3, 6)]
    score = f"{state.node.score:.0f}"
    title = (
        f"{state.number}  {role(state)} {score}" if state.children else f"{state.number}  {score}"
    )
    lines = [*board, title]
    if not state.children:
        return [line.center(BOARD_WIDTH) for line in lines]
    blocks = [drawn_states(child) for child in state.children]
    height = max(map(len, blocks))
    gap = 2
    middles, left = [], 0
    for block in blocks:
        width = len(block[0])
        middles.append(left + middle(block))
        block += [" " * width] * (height - len(block))
        left += width + gap
    below = [(" " * gap).join(parts) for parts in zip(*blocks, strict=True)]
    width = len(below[0])
    centre = (middles[0] + middles[-1]) // 2
    wires, moves = [" "] * width, [" "] * width
    for place in range(middles[0], middles[-1] + 1):
        wires[place] = "─"
    for child, place in zip(state.children, middles, strict=True):
        wires[place] = "┌" if place == middles[0] else "┐" if place == middles[-1] else "┬"
        text = f"{child.node.position.turn.other} {move_text(child)}"
        moves[place - 1 : place - 1 + len(text)] = text
    wires[centre] = "│" if len(blocks) == 1 else "┼" if centre in middles else "┴"
    return [
        *(
            line.center(BOARD_WIDTH).rjust(centre + BOARD_WIDTH // 2 + 1).ljust(width)
            for line in lines
        ),
        "".join(wires),
        "".join(moves),
        *below,
    ]


def middle(block: list[str]) -> int:
    """Return the middle column of the board at the top of a block."""
    board = block[1]
    return (len(board) - len(board.lstrip()) + len(board.rstrip()) - 1) // 2
