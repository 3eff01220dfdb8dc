"""Boards as SVG: well formed, complete, and readable without colour."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from samples import RULES_IDS, random_game, replay

import noughts
from noughts.games.nested import NestedPosition
from noughts.games.position import Player, Position, Termination
from noughts.games.row import RowPosition
from noughts.search.result import Value
from noughts.views import svg

SVG = "{http://www.w3.org/2000/svg}"


def elements(picture: str, tag: str, **attributes: str) -> list[ElementTree.Element]:
    """Return the elements with this tag and these attributes."""
    root = ElementTree.fromstring(picture)
    return [
        element
        for element in root.iter(SVG + tag)
        if all(element.get(name) == value for name, value in attributes.items())
    ]


def strokes(picture: str, player: Player) -> int:
    """Return the number of a player's marks, large ones included."""
    each = 2 if player is Player.X else 1
    paths = elements(picture, "path", **{"class": player.value})
    moves = sum(len(re.findall("[Mm]", path.get("d", ""))) for path in paths)
    assert moves % each == 0
    return moves // each


def wanted_marks(position: RowPosition | NestedPosition, player: Player) -> int:
    marks = (position.x if player is Player.X else position.o).bit_count()
    if isinstance(position, NestedPosition) and not position.rules.one_line:
        marks += (position.won_x if player is Player.X else position.won_o).bit_count()
    return marks


def games(rules_id: str) -> list[Position]:
    """Return the positions of a random game, the finished one last."""
    return list(random_game(noughts.game(rules_id), random.Random(rules_id)))


@pytest.mark.parametrize("theme", svg.THEMES)
@pytest.mark.parametrize("rules_id", RULES_IDS)
def test_every_mark_is_drawn_once(rules_id: str, theme: str) -> None:
    for position in games(rules_id)[:: 1 if rules_id == "basic" else 9]:
        picture = svg.board(position, theme=theme)
        assert isinstance(position, RowPosition | NestedPosition)
        for player in Player:
            assert strokes(picture, player) == wanted_marks(position, player)


@pytest.mark.parametrize("rules_id", RULES_IDS)
def test_finished_game_shows_its_line_and_names_the_winner(rules_id: str) -> None:
    position = games(rules_id)[-1]
    outcome = position.outcome()
    assert outcome is not None
    picture = svg.board(position)
    title = elements(picture, "title")[0].text or ""
    assert title.endswith(f"{outcome.winner} has won" if outcome.winner else "drawn")
    line = outcome.termination is Termination.LINE
    assert bool(elements(picture, "path", **{"class": "won"})) == line


def test_winning_line_passes_through_its_cells() -> None:
    picture = svg.board(replay("mnk:5,5,3", "c1 a1 c2 a2 c3"), theme="light")
    (line,) = elements(picture, "path", **{"class": "won"})
    # Column c, rows 1 to 3: from (50, 10) to (50, 50), seven units longer at each end.
    assert line.get("d") == "M50 3L50 57"
    assert line.get("stroke") == svg.LIGHT.x


def test_three_won_boards_in_line_are_struck_through() -> None:
    rng = random.Random(0)
    position = noughts.game("ultimate")
    while not isinstance(position, NestedPosition) or len(position.winning_boards()) != 3:
        *_, position = random_game(noughts.game("ultimate"), rng)
    picture = svg.board(position)
    (line,) = elements(picture, "path", **{"class": "won"})
    boards = position.winning_boards()
    (x1, y1), (x2, y2) = (divmod(board, 3)[::-1] for board in (boards[0], boards[-1]))
    numbers = [float(text) for text in re.findall(r"[\d.]+", line.get("d", ""))]
    # The line passes through the outer boards' centres, thirty units from its ends.
    middles = (35 + 74 * x1, 35 + 74 * y1, 35 + 74 * x2, 35 + 74 * y2)
    reach = [abs(drawn - middle) for drawn, middle in zip(numbers, middles, strict=True)]
    assert reach[0] ** 2 + reach[1] ** 2 == pytest.approx(900, rel=1e-3)
    assert reach[2] ** 2 + reach[3] ** 2 == pytest.approx(900, rel=1e-3)
    assert not elements(picture, "rect", **{"class": "open"})


def test_last_move_has_a_dotted_frame_and_a_word() -> None:
    position = replay("basic", "19")
    picture = svg.board(position, last=8)
    (frame,) = elements(picture, "rect", **{"class": "last"})
    assert frame.get("stroke-dasharray")
    assert 40 < float(frame.get("x", "0")) < 60
    assert "Last move: 9." in (elements(picture, "desc")[0].text or "")
    assert not elements(svg.board(position), "rect", **{"class": "last"})


def test_forced_board_is_outlined_tinted_and_named() -> None:
    picture = svg.board(replay("ultimate", "51"), theme="dark")
    (forced,) = elements(picture, "rect", **{"class": "open"})
    assert (forced.get("x"), forced.get("y")) == ("0", "0")
    assert (forced.get("stroke"), forced.get("fill")) == (svg.DARK.o, svg.DARK.active)
    assert "O to move on board 1" in picture


def test_free_choice_outlines_every_open_board_without_a_tint() -> None:
    open_boards = elements(svg.board(noughts.game("advanced")), "rect", **{"class": "open"})
    assert len(open_boards) == 9
    assert {board.get("fill") for board in open_boards} == {svg.AUTO.card}


VALUES = {
    0: Value.win(9),
    1: Value.loss(12),
    2: Value.draw(),
    3: Value.unknown(0.42),
    4: Value.unknown(-0.31),
    5: Value.unknown(0.05),
}


@pytest.mark.parametrize("rules_id", ["basic", "connect4", "mnk:7,3,3", "ultimate"])
def test_values_are_written_on_their_cells(rules_id: str) -> None:
    position = noughts.game(rules_id)
    assert isinstance(position, RowPosition | NestedPosition)
    picture = svg.board(position, values=VALUES, theme="light")
    drawn = {text.text: text for text in elements(picture, "text")}
    for value in VALUES.values():
        assert str(value) in drawn
        assert f" {value}" in (elements(picture, "desc")[0].text or "")
    inks = [drawn[str(value)].get("fill") for value in VALUES.values()]
    good, bad, even = svg.LIGHT.good, svg.LIGHT.bad, svg.LIGHT.even
    assert inks == [good, bad, even, good, bad, even]
    # In the same order as the cells.
    places = {(drawn[str(value)].get("x"), drawn[str(value)].get("y")) for value in VALUES.values()}
    assert len(places) == len(VALUES)


def test_connect_four_is_a_rack_with_numbered_columns() -> None:
    picture = svg.board(replay("connect4", "44"), last=31)
    numbers = [text.text for text in elements(picture, "text")]
    assert numbers == ["1", "2", "3", "4", "5", "6", "7"]
    description = elements(picture, "desc")[0].text or ""
    assert description == "X on 4/1. O on 4/2. X to move. Last move: 4/2."


def test_large_boards_have_coordinates() -> None:
    picture = svg.board(noughts.game("mnk:19,19,5"))
    names = [text.text for text in elements(picture, "text")]
    assert names == [*"abcdefghijklmnopqrs", *map(str, range(1, 20))]


class Quaint(noughts.Position):
    """A game without a view, with a diagram that contains XML characters."""

    name = "quaint"
    turn = Player.X

    def legal_moves(self) -> list[int]:
        return [0]

    def play(self, move: int | str) -> Quaint:
        raise AssertionError(move)

    def outcome(self) -> None:
        return None

    def key(self) -> int:
        return 0

    def __str__(self) -> str:
        return "quaint"

    def diagram(self) -> str:
        return "  <&>\n]]>"


def test_registered_game_shows_its_diagram() -> None:
    picture = svg.board(Quaint(), last=0, values={0: Value.win(1)})
    lines = [line.text for line in elements(picture, "tspan")]
    assert lines == ["\u00a0\u00a0<&>", "]]>"]
    assert [text.text for text in elements(picture, "text")][1:] == ["0  W 1"]


def test_fixed_themes_need_no_style_sheet() -> None:
    position = games("ultimate")[20]
    assert "var(" not in svg.board(position, theme="light")
    assert not elements(svg.board(position, theme="dark"), "style")
    used = set(re.findall(r"var\((--[a-z-]+)\)", svg.board(position, values=VALUES)))
    defined = set(re.findall(r"(--[a-z-]+):#", svg.STYLE))
    assert used <= defined
    assert "prefers-color-scheme:dark" in svg.STYLE


def test_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="no theme 'sepia'; there are auto light dark"):
        svg.board(noughts.game("basic"), theme="sepia")


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", [svg.LIGHT, svg.DARK], ids=["light", "dark"])
def test_text_has_enough_contrast(theme: svg.Theme) -> None:
    """WCAG 2, level AA: 4.5 to 1 for text, 3 to 1 for marks and the lines of a board."""

    def contrast(first: str, second: str) -> float:
        dark, light = sorted((luminance(first), luminance(second)))
        return (light + 0.05) / (dark + 0.05)

    for ink, ground in (
        *((theme.ink, theme.paper), (theme.soft, theme.paper), (theme.good, theme.good_tint)),
        *((theme.bad, theme.bad_tint), (theme.even, theme.even_tint)),
    ):
        assert contrast(ink, ground) >= 4.5
    for ink in (theme.x, theme.o, theme.grid):
        assert all(contrast(ink, ground) >= 3 for ground in (theme.card, theme.paper, theme.active))


def test_colours_are_defined_in_one_place() -> None:
    """No other view contains a colour."""
    views = Path(svg.__file__).parent
    for path in (views / "tree.py", views / "notebook.py"):
        assert not path.exists() or not re.search("#[0-9a-fA-F]{6}", path.read_text())


def test_a_small_board_takes_few_bytes() -> None:
    """A tree of hundreds of boards remains a small file."""
    sizes = {
        rules_id: max(
            len(svg.drawing(position, svg.LIGHT, pen=svg.BOLD).body) for position in games(rules_id)
        )
        for rules_id in ("basic", "connect4", "ultimate")
    }
    assert sizes["basic"] < 1000
    assert sizes["connect4"] < 3500
    assert sizes["ultimate"] < 9000
