"""The figure of an exercise, with room for answers: as SVG and as text.

      A  MAX            an empty box: write the value there
┌─────┼─────┐
B     C     D  MIN      the key shows answers, and bars at pruned branches
3    ...
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text

from noughts.exercises.exercise import Exercise, FigureNode
from noughts.games.drawing import ASCII, Look
from noughts.games.position import Position
from noughts.games.registry import position
from noughts.games.row import Basic, RowPosition
from noughts.views import svg, text
from noughts.views.board import board_data
from noughts.views.svg import Drawing, Theme, number
from noughts.views.tree import board_width, tidy

LETTERS = 12.0
"""Size of letters in pixels; `SMALL` is that of names of moves and leaves."""
SMALL = 9.5
WRITTEN = 34.0
"""Width and height of an empty box."""
LEAF = 24.0
LINE = 15.0
"""Height of a line of text in a box."""
LAYERS = 40.0
SIBLINGS = 9.0
"""Least space between layers, and between neighbouring boxes."""
SIDE = 46.0
"""Width of the column with MAX and MIN."""
SINGLE = 200.0
"""Width of a single board."""
NAME = 5.0
"""Size of the names of cells, in units of a board."""
WIDEST = 640.0
HIGHEST, ABOVE_TABLE = 600.0, 480.0
"""Largest height of a figure without a table, and above one."""


def children_of(figure: Sequence[FigureNode]) -> dict[str | None, list[FigureNode]]:
    """Return the children of every node by its name, and the root by `None`."""
    found: dict[str | None, list[FigureNode]] = {None: []}
    for node in figure:
        found.setdefault(node.parent, []).append(node)
    return found


# SVG


def picture(
    exercise: Exercise,
    *,
    solved: bool = False,
    theme: str = "light",
    paper: bool = True,
    size: float = 1.0,
) -> str:
    """Return the figure as the text of an SVG file.

    Args:
        exercise: with the figure.
        solved: show the answers.
        theme: `light`, `dark` or `auto`, as for `noughts.views.svg.board`.
        paper: whether the figure has a background.
        size: a factor of its usual size; a wide tree, which is small anyway, keeps it.

    Raises:
        ValueError: there is no such theme.
    """
    colours = svg.theme_named(theme)
    drawn = drawing(exercise, colours, solved=solved)
    usual = scale(exercise, drawn)
    return svg.document(
        drawn,
        theme,
        title=f"{exercise.title}: {'answers' if solved else 'figure'}",
        description=description(exercise, solved=solved),
        scale=min(size, usual) if exercise.is_tree else size * usual,
        shrink=False,  # WeasyPrint would keep the height.
        paper=paper,
    )


def drawing(exercise: Exercise, theme: Theme, *, solved: bool = False) -> Drawing:
    """Return the figure, with the answers if `solved`."""
    if exercise.is_tree:
        return _Drawn(exercise, solved, theme).drawing()
    place = position(exercise.figure[0].position)
    drawn = svg.drawing(place, theme, labels=True)
    if not isinstance(place, Basic):
        return drawn
    names = "".join(
        svg.label(place.move_text(move), *svg.centre(place, move), theme.soft, NAME)
        for move in place.legal_moves()
    )
    return drawn._replace(body=drawn.body + names)


def scale(exercise: Exercise, drawn: Drawing) -> float:
    """Return the pixels for a unit of the drawn figure on paper."""
    if exercise.is_tree:
        highest = ABOVE_TABLE if len(exercise.table[1]) > 1 else HIGHEST
        return min(1.0, WIDEST / drawn.width, highest / drawn.height)
    return SINGLE / max(drawn.width, drawn.height)


def description(exercise: Exercise, *, solved: bool = False) -> str:
    """Return the figure in words, for screen readers."""
    lines = figure_text(exercise, solved=solved, look=Look(ASCII)).splitlines()
    return " ".join(line.strip() for line in lines)


class _Drawn:
    """Draws a tree with room for answers."""

    def __init__(self, exercise: Exercise, solved: bool, theme: Theme) -> None:
        self.figure, self.solved, self.theme = exercise.figure, solved, theme
        self.names_leaves = any(entry.kind == "set" for entry in exercise.entries)
        places = {node.name: place for place, node in enumerate(self.figure)}
        self.parents = [
            None if node.parent is None else places[node.parent] for node in self.figure
        ]
        children: list[list[int]] = [[] for _ in self.figure]
        self.depths = [0] * len(self.figure)
        for place, parent in enumerate(self.parents):
            if parent is not None:
                children[parent].append(place)
                self.depths[place] = self.depths[parent] + 1
        self.children = children
        self.boards = [self._board(node) for node in self.figure]
        self.sizes = [self._size(place) for place in range(len(self.figure))]
        tops, top = [], 22.0
        for depth in range(max(self.depths) + 1):
            tops.append(top)
            heights = [
                height
                for (_, height), at in zip(self.sizes, self.depths, strict=True)
                if at == depth
            ]
            top += max(heights) + LAYERS
        self.tops, self.bottom = tops, top - LAYERS
        widths = [width for width, _ in self.sizes]
        self.middles = [SIDE + middle for middle in tidy(children, widths, SIBLINGS)]

    def _board(self, node: FigureNode) -> Drawing | None:
        if not node.position:
            return None
        place = position(node.position)
        drawn, width = svg.drawing(place, self.theme, pen=svg.BOLD), board_width(place)
        return Drawing(width, drawn.height * width / drawn.width, drawn.at(0, 0, width))

    def _lines(self, place: int) -> tuple[str, ...]:
        node = self.figure[place]
        return node.solved if self.solved and node.solved else node.given

    def _is_blank(self, place: int) -> bool:
        """Whether the box of a node is empty on the sheet, for the student to fill in."""
        return not self.figure[place].given

    def _size(self, place: int) -> tuple[float, float]:
        board, node = self.boards[place], self.figure[place]
        lines = max(len(node.given), 1)
        widest = max([len(line) for line in (*node.given, *node.solved)], default=0)
        width = max(LEAF if node.given else WRITTEN, 0.6 * LETTERS * widest + 12)
        height = WRITTEN if self._is_blank(place) else LINE * lines + 8
        if board is not None:
            width = max(width, board.width + 8)
            height += board.height + 8
        return width, height

    def drawing(self) -> Drawing:
        edges = "".join(self._edge(place) for place in range(1, len(self.figure)))
        nodes = "".join(self._node(place) for place in range(len(self.figure)))
        sides = zip(self.middles, self.sizes, strict=True)
        width = max(middle + size[0] / 2 for middle, size in sides) + 24
        bottom = self.bottom + (16 if self.names_leaves else 8)
        return Drawing(width, bottom, self._layers() + edges + nodes)

    def _layers(self) -> str:
        """Return MAX and MIN at the left of their layers."""
        roles: dict[int, str] = {}
        for depth, node in zip(self.depths, self.figure, strict=True):
            if node.role in ("MAX", "MIN"):
                roles.setdefault(depth, node.role)
        return "".join(
            svg.label(
                role,
                8,
                self.tops[depth] + WRITTEN / 2,
                self.theme.x if role == "MAX" else self.theme.o,
                LETTERS,
                bold=True,
                anchor="start",
            )
            for depth, role in roles.items()
        )

    def _edge(self, place: int) -> str:
        parent, node = self.parents[place], self.figure[place]
        assert parent is not None
        x1, y1 = self.middles[parent], self.tops[self.depths[parent]] + self.sizes[parent][1]
        x2, y2 = self.middles[place], self.tops[self.depths[place]]
        cut = self.solved and node.pruned
        first = cut and not self.figure[parent].pruned
        dashes = ' stroke-dasharray="2 4"' if cut else ""
        drawn = (
            f'<path stroke="{self.theme.soft}" stroke-width="1.1"{dashes}'
            f' d="M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"/>'
        )
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        if first:
            drawn += (
                f'<path class="pruned" stroke="{self.theme.bad}" stroke-width="2.4"'
                f' d="M{number(x - 8)} {number(y)}h16"/>'
            )
        elif node.move:
            near = 0.35 * x1 + 0.65 * x2, 0.35 * y1 + 0.65 * y2
            drawn += _on_paper(node.move, *near, self.theme)
        return drawn

    def _node(self, place: int) -> str:
        node, (width, height), board = self.figure[place], self.sizes[place], self.boards[place]
        middle, top = self.middles[place], self.tops[self.depths[place]]
        theme = self.theme
        left = middle - width / 2
        is_leaf = not self.children[place]
        pruned = self.solved and node.pruned
        ink = {"MAX": theme.x, "MIN": theme.o}.get(node.role, theme.soft)
        drawn = (
            f'<rect x="{number(left)}" y="{number(top)}" width="{number(width)}"'
            f' height="{number(height)}" rx="{5 if not is_leaf else 3}" fill="{theme.card}"'
            f' stroke="{theme.line if pruned else ink}" stroke-width="{1 if is_leaf else 1.4}"/>'
        )
        y = top
        if board is not None:
            drawn += board.at(middle - board.width / 2, top + 4, board.width)
            y += board.height + 8
        lines = self._lines(place)
        room = top + height - y
        for row, line in enumerate(lines):
            answered = self.solved and node.solved and line not in node.given
            drawn += svg.label(
                line,
                middle,
                y + room / 2 + LINE * (row - (len(lines) - 1) / 2),
                theme.soft if pruned else theme.good if answered else theme.ink,
                LETTERS,
                bold=bool(answered) or not node.role,
            )
        if not is_leaf or self.names_leaves or node.role not in ("", "MAX", "MIN"):
            drawn += self._name(place, is_leaf=is_leaf and node.role == "")
        return f"<g>{drawn}</g>"

    def _name(self, place: int, *, is_leaf: bool) -> str:
        """Return the name of a node, drawn above a corner of its box, or below a leaf."""
        node, (width, height) = self.figure[place], self.sizes[place]
        middle, top = self.middles[place], self.tops[self.depths[place]]
        if is_leaf:
            return svg.label(node.name, middle, top + height + 8, self.theme.soft, SMALL)
        # On the side that the line from the parent does not come from.
        parent = self.parents[place]
        right = parent is not None and middle > self.middles[parent] + 1
        x = middle + width / 2 if right else middle - width / 2
        return svg.label(
            node.name,
            x,
            top - 6,
            self.theme.ink,
            LETTERS,
            bold=True,
            anchor="end" if right else "start",
        )


def _on_paper(text: str, x: float, y: float, theme: Theme) -> str:
    """Return a small text on a patch of paper, so that a line behind it does not cross it."""
    width = 0.62 * SMALL * len(text) + 5
    patch = (
        f'<rect x="{number(x - width / 2)}" y="{number(y - 7)}" width="{number(width)}"'
        f' height="14" fill="{theme.paper}"/>'
    )
    return patch + svg.label(text, x, y, theme.soft, SMALL)


# Text


def figure_text(exercise: Exercise, *, solved: bool = False, look: Look | None = None) -> str:
    """Return the figure as text: a tree as an indented list, a board as a diagram.

    Args:
        exercise: with the figure.
        solved: show the answers.
        look: the characters to draw with; by default those of Unicode.
    """
    look = look or Look()
    if not exercise.is_tree:
        return _board_text(position(exercise.figure[0].position), look)
    root = exercise.figure[0]
    lines = []
    if root.position:
        lines += [*_board_text(position(root.position), look).splitlines(), ""]
    guides = GUIDES["ascii" if look.lines == ASCII else "unicode"]
    tree = children_of(exercise.figure)
    lines += _listed(root, "", "", tree, solved, guides)
    return "\n".join(lines)


GUIDES: Mapping[str, tuple[str, str, str]] = {
    "unicode": ("├─ ", "└─ ", "│  "),
    "ascii": ("|- ", "`- ", "|  "),
}
"""The text before a branch, before the last one, and below a branch."""


def _listed(
    node: FigureNode,
    before: str,
    below: str,
    tree: Mapping[str | None, Sequence[FigureNode]],
    solved: bool,
    guides: tuple[str, str, str],
) -> Iterator[str]:
    """Yield a node and the nodes below it, one a line."""
    values = node.solved if solved and node.solved else node.given
    parts = [node.name, f"({node.move})" if node.move else "", node.role, *values]
    if node.parent is not None and node.position:
        parts.append(_in_one_line(position(node.position)))
    if solved and node.pruned:
        parts.append("pruned")
    yield before + "  ".join(part for part in parts if part)
    branches = tree.get(node.name, ())
    middle, last, through = guides
    for branch in branches:
        is_last = branch is branches[-1]
        yield from _listed(
            branch,
            below + (last if is_last else middle),
            below + ("   " if is_last else through),
            tree,
            solved,
            guides,
        )


def _in_one_line(place: Position) -> str:
    """Return a board as one line: its rows, or the cells of the position string."""
    if not isinstance(place, RowPosition):
        return str(place).split("~")[1] if "~" in str(place) else str(place)
    cells, columns = board_data(place)["cells"], place.rules.columns
    return " ".join(cells[start : start + columns] for start in range(0, len(cells), columns))


def _board_text(place: Position, look: Look) -> str:
    drawn: Text = text.board(place, None, look)
    return drawn.plain
