"""Draw the tree of a search: boards as nodes, values below them, bars at pruned branches.

Tree ──fold()──► Twigs: nodes and stubs ──tidy()──► places ──picture()──► SVG ──png()──► pixels
                                         └──────────dot()──► a graph for other programs

          ┌───┐           MAX   the player to move at the root
          └─┬─┘ W 3
     ┏━━━━━━┻━━━┬──────╴
   ┌─┸─┐      ┌─┴─┐   ─┼─ pruned: D ≤ alpha W 3
   └───┘ W 3  └───┘ D     + 12 nodes: folded
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple

from noughts.games.drawing import ASCII, Look
from noughts.games.nested import NestedPosition
from noughts.games.position import Player, Position, move_texts
from noughts.games.row import RowPosition
from noughts.games.words import count, state
from noughts.search.tree import Tree, TreeNode
from noughts.views import svg, text
from noughts.views.board import cell_of
from noughts.views.svg import Drawing, Theme, number

MAX_BOARDS = 2000
"""Most boards in a picture."""
BOARDS = 30
"""Default number of boards."""
BREADTH = 7
"""Default number of moves drawn at a node."""

LETTERS = 10
"""Size of normal letters in pixels; `SMALL` is that of notes."""
SMALL = 8.5
SIBLINGS = 14
LAYERS = 46
"""Least space between neighbouring boxes, and between layers."""
SIDE = 74
"""Width of the column with the names of layers."""
HEAD = 52


@dataclass(slots=True)
class Twig:
    """A drawn node, or a stub in place of nodes that are not drawn."""

    depth: int
    parent: int | None
    """Index of the parent in the list, in which parents precede their children."""
    node: TreeNode | None = None
    lines: tuple[str, ...] = ()
    """The text of a stub."""
    pruned: bool = False
    chosen: bool = False
    """Whether it is on the principal variation."""
    children: list[int] = field(default_factory=list)


def size(node: TreeNode) -> int:
    """Return the number of nodes from here down, including those that the trace left out."""
    return sum(1 + below.left_out for below in node.walk())


def fold(tree: Tree, most: int = BOARDS, breadth: int = BREADTH) -> list[Twig]:
    """Choose the nodes to draw, and return them with stubs for all others.

    The principal variation comes first, then the other moves along it, then the best answers to
    those, and so on; in a tree of MCTS the nodes with most visits.

    Args:
        tree: of any search.
        most: nodes to draw.
        breadth: moves of a node to draw.

    Raises:
        ValueError: `most` is less than 1 or more than `MAX_BOARDS`, or `breadth` less than 1.
    """
    if not 1 <= most <= MAX_BOARDS:
        raise ValueError(f"{most:,} boards; a picture has 1 to {MAX_BOARDS:,}")
    if breadth < 1:
        raise ValueError(f"{breadth} moves of a node; the least is 1")
    line = set(tree.line)
    shown: set[TreeNode] = set()
    # A heap of the next candidates: distance from the line, depth, order of discovery.
    waiting: list[tuple[int, int, int, TreeNode]] = [(0, 0, 0, tree.root)]
    met = 0
    while waiting and len(shown) < most:
        off, depth, _, node = heapq.heappop(waiting)
        shown.add(node)
        for child in _foremost(node, line, breadth):
            met += 1
            # The best answer to a move comes before the other answers to it.
            away = off + (1 if child.move == node.best else 2)
            if child.visits:
                away = tree.root.visits - child.visits
            if child in line:
                away = 0
            heapq.heappush(waiting, (away, depth + 1, met, child))
    return _twigs(tree, shown, line)


def _foremost(node: TreeNode, line: set[TreeNode], breadth: int) -> list[TreeNode]:
    """Return the children to draw: the best one, the most visited, the first searched."""

    def rank(child: TreeNode) -> tuple[bool, bool, int]:
        return child not in line, child.move != node.best, -child.visits

    return sorted(node.children, key=rank)[:breadth]


def _twigs(tree: Tree, shown: set[TreeNode], line: set[TreeNode]) -> list[Twig]:
    """Return the nodes that are shown, in the order of the search, with their stubs."""
    twigs: list[Twig] = []

    def add(twig: Twig) -> int:
        index = len(twigs)
        twigs.append(twig)
        if twig.parent is not None:
            twigs[twig.parent].children.append(index)
        return index

    waiting: list[tuple[int, int | None, TreeNode]] = [(0, None, tree.root)]
    while waiting:
        depth, parent, node = waiting.pop()
        index = add(Twig(depth, parent, node, chosen=node in line))
        below = [child for child in node.children if child in shown]
        waiting.extend((depth + 1, index, child) for child in reversed(below))
    # Stubs follow the drawn moves of a node, so they are added last.
    for index, twig in enumerate(list(twigs)):
        assert twig.node is not None
        unseen = [child for child in twig.node.children if child not in shown]
        hidden = twig.node.left_out + sum(map(size, unseen))
        if hidden:
            said = f"+ {hidden:,} {'node' if hidden == 1 else 'nodes'}"
            add(Twig(twig.depth + 1, index, lines=(said,)))
        pruned = _pruned(tree, twig.node)
        if pruned:
            add(Twig(twig.depth + 1, index, lines=pruned, pruned=True))
    return twigs


def _pruned(tree: Tree, node: TreeNode) -> tuple[str, ...]:
    """Return the reason of a cutoff and the pruned moves as lines; none without pruned moves."""
    cut = node.cut
    if cut is None or not cut.moves:
        return ()
    said = tree.start.scale.text
    if cut.edge is None:
        why = "a sure win"
    else:
        why = f"{said(cut.score)} {'≥' if cut.reason == 'beta' else '≤'} {cut.reason} "
        why += said(cut.edge)
    names = [node.position.move_text(move) for move in cut.moves]
    which = " ".join(names[:4]) + (" …" if len(names) > 4 else "")
    return why, f"{len(names)} pruned:", which


# Places


def tidy(
    children: Sequence[Sequence[int]], widths: Sequence[float], gap: float = SIBLINGS
) -> list[float]:
    """Return the middle of each box, so that boxes of a layer keep apart and parents are centred.

    Subtrees are set side by side as close as their outlines allow, each parent over the middle of
    its children (Reingold and Tilford, Tidier Drawings of Trees, 1981).

    >>> tidy([[1, 2], [], []], [10, 10, 10], gap=2)
    [11.0, 5.0, 17.0]

    Args:
        children: numbers of the children of each box, from left to right; a parent's number is
            smaller than its children's, and 0 is the root.
        widths: of the boxes.
        gap: the least space between two boxes of a layer.
    """
    offsets = [0.0] * len(widths)
    # For each box, the left and right edges of its subtree by layer, relative to its middle.
    outlines: list[list[tuple[float, float]]] = [[] for _ in widths]
    for box in reversed(range(len(widths))):
        below: list[tuple[float, float]] = []
        for child in children[box]:
            outline = outlines[child]
            offset = max(
                (right + gap - left for (_, right), (left, _) in zip(below, outline, strict=False)),
                default=0.0,
            )
            offsets[child] = offset
            moved = [(left + offset, right + offset) for left, right in outline]
            both = zip(below, moved, strict=False)
            below = [(left, right) for (left, _), (_, right) in both] + (
                below[len(moved) :] or moved[len(below) :]
            )
            outlines[child] = []
        if children[box]:
            middle = (offsets[children[box][0]] + offsets[children[box][-1]]) / 2
            for child in children[box]:
                offsets[child] -= middle
            below = [(left - middle, right - middle) for left, right in below]
        outlines[box] = [(-widths[box] / 2, widths[box] / 2), *below]
    offsets[0] = -min(left for left, _ in outlines[0])
    for box, below_it in enumerate(children):
        for child in below_it:
            offsets[child] += offsets[box]
    return offsets


# The picture


def picture(tree: Tree, *, theme: str = "auto", most: int = BOARDS, breadth: int = BREADTH) -> str:
    """Return a tree as the text of an SVG file.

    Args:
        tree: of any search, on any game.
        theme: `light`, `dark` or `auto`, as for `noughts.views.svg.board`.
        most: nodes to draw; the others are folded and counted.
        breadth: moves of a node to draw.

    Raises:
        ValueError: an unknown theme, or numbers out of range.
    """
    colours = svg.theme_named(theme)
    painter = _Painter(tree, fold(tree, most, breadth), colours)
    heading, details = caption(tree)
    return svg.document(
        painter.drawing(heading, details),
        theme,
        title=heading,
        description=f"{details}. {painter.words()}",
        shrink=False,
    )


def notebook_tree(tree: Tree) -> str:
    """Return a tree as SVG for notebooks."""
    return picture(tree)


def caption(tree: Tree) -> tuple[str, str]:
    """Return a heading with the search and its position, and a line with the result."""
    start, result = tree.start, tree.result
    position = start.position
    heading = f"{start.search} on {position.rules_id}, {state(position)}"
    if tree.depth is not None:
        heading += f", iteration of depth {tree.depth}"
    elif start.limit.depth is not None:
        heading += f", depth {start.limit.depth}"
    if result is None:
        return heading, "not finished"
    parts = [f"value for {tree.maximizer}: {_value(tree, tree.root)}"]
    if result.line:
        parts.append(f"line {' '.join(move_texts(position, result.line))}")
    if result.simulations:
        parts.append(count(result.simulations, "simulation"))
    parts.append(count(result.nodes, "node"))
    if result.cutoffs:
        parts.append(count(result.cutoffs, "cutoff"))
    return heading, " · ".join(parts)


def mean(tree: Tree, node: TreeNode) -> float:
    """Return the mean result of a node of MCTS for MAX, from -1 to 1."""
    for_mover = 2 * node.reward / node.visits - 1 if node.visits else 0.0
    return -for_mover if node.position.turn is tree.maximizer else for_mover


def _score(tree: Tree, node: TreeNode) -> float | None:
    if tree.start.search != "mcts":
        return node.score
    if node.proven is not None:
        for_mover = 2 * node.proven - 1
        return -for_mover if node.position.turn is tree.maximizer else for_mover
    return mean(tree, node) if node.visits else None


def _value(tree: Tree, node: TreeNode) -> str:
    """Return the value of a node for MAX as text: `W 3`, `≥ D`, `+0.42`; in MCTS also `W`."""
    score = _score(tree, node)
    if score is None:
        return "?"
    if tree.start.search != "mcts":
        return tree.start.scale.text(score, node.bound)
    if node.proven is not None:
        return {1.0: "W", 0.0: "D", -1.0: "L"}[score]
    return f"{round(score, 2) + 0.0:+.2f}"


class _Box(NamedTuple):
    """The size of a twig, and its board."""

    width: float
    height: float
    inner: Drawing | None


def board_width(position: Position) -> float:
    """Return the width of a node's board in pixels."""
    if isinstance(position, RowPosition):
        return min(max(54.0, 11.0 * position.rules.columns), 150.0)
    return 108.0 if isinstance(position, NestedPosition) else 72.0


class _Painter:
    """Draws a folded tree."""

    def __init__(self, tree: Tree, twigs: list[Twig], theme: Theme) -> None:
        self.tree = tree
        self.twigs = twigs
        self.theme = theme
        self.boxes = [self._box(twig) for twig in twigs]
        middles = tidy([twig.children for twig in twigs], [box.width for box in self.boxes])
        self.middles = [SIDE + middle for middle in middles]
        heights: dict[int, float] = {}
        for twig, box in zip(twigs, self.boxes, strict=True):
            heights[twig.depth] = max(heights.get(twig.depth, 0), box.height)
        self.tops: list[float] = []
        top = float(HEAD)
        for depth in sorted(heights):
            self.tops.append(top)
            top += heights[depth] + LAYERS
        self.bottom = top - LAYERS

    def _box(self, twig: Twig) -> _Box:
        node = twig.node
        if node is None:
            width = max(map(len, twig.lines)) * 0.62 * SMALL
            return _Box(width, 12 * len(twig.lines), None)
        last = None
        if twig.parent is not None:
            before = self.twigs[twig.parent].node
            assert before is not None
            assert node.move is not None
            last = cell_of(before.position, node.move)
        inner = svg.drawing(node.position, self.theme, last=last, pen=svg.BOLD)
        wide = board_width(node.position)
        scale = wide / inner.width
        width = max(wide, *(0.62 * SMALL * len(said) for said in self._notes(node)), 0) + 12
        height = inner.height * scale + 30 + 11 * len(self._notes(node))
        return _Box(width, height, inner)

    def _notes(self, node: TreeNode) -> list[str]:
        """Return the notes in small letters under the value of a node."""
        said = self.tree.start.scale.text
        notes = []
        if node.alpha is not None and node.beta is not None:
            notes.append(f"[{said(node.alpha)}, {said(node.beta)}]")
        if self.tree.start.search == "mcts":
            notes.append(f"{node.visits:,} {'visit' if node.visits == 1 else 'visits'}")
        if node.reason == "table":
            notes.append("from the table")
        return notes

    def drawing(self, heading: str, details: str) -> Drawing:
        theme = self.theme
        head = svg.label(heading, 16, 18, theme.ink, 13, bold=True, anchor="start")
        head += svg.label(details, 16, 35, theme.soft, 11, anchor="start")
        boxes = list(zip(self.middles, self.boxes, strict=True))
        width = max(middle + box.width / 2 for middle, box in boxes) + 16
        width = max(width, 0.62 * 13 * len(heading) + 32, 0.6 * 11 * len(details) + 32)
        edges = "".join(self._edge(index) for index in range(1, len(self.twigs)))
        drawn = "".join(
            self._node(index) if twig.node else self._stub(index)
            for index, twig in enumerate(self.twigs)
        )
        return Drawing(width, self.bottom + 16, head + self._layers() + edges + drawn)

    def _layers(self) -> str:
        """Return the names of the layers: MAX or MIN, and the player to move."""
        depths = sorted({twig.depth for twig in self.twigs if twig.node})
        names = ""
        for depth in depths:
            player = self._player(depth)
            ink, y = self.theme.player(player), self.tops[depth]
            names += f'<path stroke="{ink}" stroke-width="3" d="M16 {number(y + 2)}v26"/>'
            name = "MAX" if player is self.tree.maximizer else "MIN"
            names += svg.label(name, 24, y + 8, ink, 12, bold=True, anchor="start")
            names += svg.label(
                f"{player} moves", 24, y + 23, self.theme.soft, SMALL, anchor="start"
            )
        return names

    def _player(self, depth: int) -> Player:
        maximizer = self.tree.maximizer
        return maximizer if depth % 2 == 0 else maximizer.other

    def _edge(self, index: int) -> str:
        twig = self.twigs[index]
        assert twig.parent is not None
        above = self.boxes[twig.parent]
        x1, y1 = self.middles[twig.parent], self.tops[twig.depth - 1] + above.height
        x2, y2 = self.middles[index], self.tops[twig.depth]
        bend = self.tops[twig.depth] - LAYERS / 2 - 6
        ink, width = (self.theme.ink, 3.0) if twig.chosen else (self.theme.soft, 0.9)
        dashes = ' stroke-dasharray="1 4"' if twig.node is None and not twig.pruned else ""
        points = " ".join(number(value) for value in (x1, bend, x2, y1 + LAYERS / 4, x2, bend + 4))
        path = (
            f'<path class="{"chosen" if twig.chosen else "edge"}" stroke="{ink}"'
            f' stroke-width="{number(width)}"{dashes}'
            f' d="M{number(x1)} {number(y1)}C{points}V{number(y2 - 1)}"/>'
        )
        if twig.pruned:
            bar = f"M{number(x2 - 7)} {number(y2 - 9)}h14"
            path += f'<path class="pruned" stroke="{self.theme.soft}" stroke-width="2" d="{bar}"/>'
        elif twig.node is not None and twig.node.move is not None:
            before = self.twigs[twig.parent].node
            assert before is not None
            name = before.position.move_text(twig.node.move)
            path += svg.label(
                name, x2 + 5, y2 - 8, self.theme.ink, LETTERS, bold=twig.chosen, anchor="start"
            )
        return path

    def _stub(self, index: int) -> str:
        twig = self.twigs[index]
        y = self.tops[twig.depth] + 6
        return "".join(
            svg.label(line, self.middles[index], y + 11 * row, self.theme.soft, SMALL)
            for row, line in enumerate(twig.lines)
        )

    def _node(self, index: int) -> str:
        twig, box = self.twigs[index], self.boxes[index]
        node, inner, theme = twig.node, box.inner, self.theme
        assert node is not None
        assert inner is not None
        x, y = self.middles[index] - box.width / 2, self.tops[twig.depth]
        over = node.position.outcome() is not None
        ink = theme.line if over else theme.player(self._player(twig.depth))
        card = (
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(box.width)}"'
            f' height="{number(box.height)}" rx="5" fill="{theme.card}" stroke="{ink}"'
            f' stroke-width="{2 if twig.chosen else 1}"/>'
        )
        wide = board_width(node.position)
        board = inner.at(self.middles[index] - wide / 2, y + 6, wide)
        middle, below = self.middles[index], y + 6 + inner.height * wide / inner.width + 13
        known = self.tree.start.search == "mcts" or node.bound == "exact"
        colours = theme.value((known and _score(self.tree, node)) or 0.0)
        value = svg.chip(_value(self.tree, node), middle, below, colours, LETTERS)
        notes = "".join(
            svg.label(note, middle, below + 14 + 11 * row, theme.soft, SMALL)
            for row, note in enumerate(self._notes(node))
        )
        return f"<g><title>{self._said(twig, node)}</title>{card}{board}{value}{notes}</g>"

    def _said(self, twig: Twig, node: TreeNode) -> str:
        """Return a node in words, for tooltips and screen readers."""
        before = None if twig.parent is None else self.twigs[twig.parent].node
        moved = (
            "root"
            if before is None or node.move is None
            else (f"{before.position.turn} plays {before.position.move_text(node.move)}")
        )
        reasons = {"over": "the game is over", "depth": "an estimate", "table": "from the table"}
        why = f", {reasons[node.reason]}" if node.reason else ""
        return escape(f"node {node.number}: {moved}, {_value(self.tree, node)}{why}")

    def words(self) -> str:
        """Return the numbers of boards, folded subtrees and prunings in words."""
        boards = sum(twig.node is not None for twig in self.twigs)
        folded = sum(not twig.pruned for twig in self.twigs) - boards
        parts = [f"{boards} boards"]
        if folded:
            parts.append(f"{folded} folded subtrees")
        if any(twig.pruned for twig in self.twigs):
            parts.append(f"{sum(twig.pruned for twig in self.twigs)} places where moves are pruned")
        return f"Drawn: {', '.join(parts)}."


# Other forms


def dot(tree: Tree, *, most: int = BOARDS, breadth: int = BREADTH) -> str:
    """Return a tree in the DOT language, which Graphviz and other programs draw.

    Raises:
        ValueError: numbers out of range, as for `fold`.
    """
    twigs = fold(tree, most, breadth)
    heading, details = caption(tree)
    look = Look(ASCII)
    lines = [
        "digraph search {",
        f"  label={_quoted([heading, details])};",
        '  labelloc=t; node [shape=box fontname="monospace"]; edge [fontname="monospace"];',
    ]
    for index, twig in enumerate(twigs):
        node = twig.node
        if node is None:
            style = "shape=plaintext fontcolor=gray40"
            lines.append(f"  n{index} [label={_quoted(twig.lines)} {style}];")
        else:
            side = "MAX" if node.position.turn is tree.maximizer else "MIN"
            board = text.board(node.position, None, look).plain.splitlines()
            said = f"{side} {_value(tree, node)}"
            width = ' style="bold"' if twig.chosen else ""
            lines.append(f"  n{index} [label={_quoted([*board, said])}{width}];")
        if twig.parent is None:
            continue
        before = twigs[twig.parent].node
        assert before is not None
        if node is None:
            how = "style=dashed color=gray40" + (" arrowhead=tee" if twig.pruned else "")
        else:
            assert node.move is not None
            how = f"label={_quoted([before.position.move_text(node.move)])}"
            how += " penwidth=3" if twig.chosen else ""
        lines.append(f"  n{twig.parent} -> n{index} [{how}];")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(lines: Sequence[str]) -> str:
    """Return lines as one string of DOT."""
    safe = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(safe) + '"'


def png(picture: str, scale: float = 2.0) -> bytes:
    """Return an SVG picture as the bytes of a PNG file.

    Args:
        picture: drawn in the theme `light` or `dark`.
        scale: pixels for one of the picture.

    Raises:
        ImportError: the extra `plots` is not installed.
    """
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=picture, zoom=scale))
