"""The window: every state headless, and under Xvfb with a real mouse and keyboard."""

from __future__ import annotations

import os
import random
import re
import shlex
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

import noughts
from noughts import NotationError, Player
from noughts.apps.window import table
from noughts.apps.window.app import App
from noughts.apps.window.board import Board
from noughts.apps.window.game import GameScreen
from noughts.apps.window.paint import Box, Canvas
from noughts.apps.window.setup import Choice, SetUpScreen
from noughts.apps.window.table import Table
from noughts.games import record
from noughts.views.svg import DARK, LIGHT

NOUGHTS = Path(sys.executable).with_name("noughts")
NIM = Path(__file__).parent.parent / "examples" / "nim.py"
GAMES = ("basic", "mnk:5,4,3,misere", "connect4", "advanced", "ultimate:won=open", "mnk:19,19,5")
PATIENCE = 60.0
"""Seconds that a slow machine may need for what is done in a moment elsewhere."""
KEYS = {"RETURN": "\r", "SPACE": " ", "ESCAPE": "\x1b", "TAB": "\t"}
each_game = pytest.mark.parametrize("rules_id", GAMES)


class Desk:
    """A window without a display, and what a person does at it."""

    def __init__(self, **settings: Any) -> None:
        self.app = App(**{"theme": "light", **settings})

    @property
    def table(self) -> Table:
        assert self.app.table is not None
        return self.app.table

    @property
    def game(self) -> GameScreen:
        assert isinstance(self.app.screen, GameScreen)
        return self.app.screen

    def play(
        self,
        rules_id: str = "basic",
        moves: str = "",
        *,
        x: str = "human",
        o: str = "human",
        **settings: Any,
    ) -> Desk:
        start = noughts.game(rules_id)
        opening = noughts.parse_moves(start, moves)
        self.app.play(start, {Player.X: x, Player.O: o}, moves=opening, **settings)
        self.draw()
        return self

    def draw(self, size: tuple[int, int] | None = None) -> pygame.Surface:
        if size is not None:
            self.app.window.size = size
        self.app.draw()
        return self.app.window.get_surface()

    def key(self, name: str, *, mod: int = 0) -> None:
        """Press a key by its name, or by the letter that it types."""
        code = getattr(pygame, f"K_{name}" if len(name) > 1 else f"K_{name.lower()}", 0)
        text = KEYS.get(name, name if len(name) == 1 and not mod else "")
        self.app.take(pygame.Event(pygame.KEYDOWN, key=code, unicode=text, mod=mod))
        self.draw()

    def type(self, text: str) -> None:
        for letter in text:
            self.app.take(pygame.Event(pygame.KEYDOWN, key=0, unicode=letter, mod=0))
        self.draw()

    def click(self, point: tuple[float, float]) -> None:
        self.app.take(pygame.Event(pygame.MOUSEMOTION, pos=point))
        self.app.take(pygame.Event(pygame.MOUSEBUTTONDOWN, pos=point, button=1))
        self.draw()

    def press(self, name: str) -> None:
        """Click a control by its name."""
        found = [target for target in self.app.canvas.targets if target.name == name]
        assert found, f"{name} is not among {[t.name for t in self.app.canvas.targets]}"
        self.click(found[0].box.centre)

    def click_move(self, text: str) -> None:
        """Click the cell of a move, legal or not."""
        board = self.game.board
        move = noughts.game(self.table.start.rules_id).parse_move(text)
        spots = board.spots()
        position = board.position
        assert hasattr(position, "cell")
        self.click(spots[move] if move in spots else board.centre(position.cell(move)))

    def until(self, true: Callable[[], bool]) -> None:
        """Let the window go on until something is so."""
        end = time.monotonic() + PATIENCE
        while not true():
            assert time.monotonic() < end, "it never came to be"
            self.app.screen.update()
            time.sleep(0.005)
        self.draw()

    def said(self) -> str:
        return " ".join(text for text, _, _ in self.game._said())


@pytest.fixture(autouse=True)
def headless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture
def opened() -> Iterator[Callable[..., Desk]]:
    """Open windows; at the end nothing of them is left."""
    desks: list[Desk] = []

    def open_(**settings: Any) -> Desk:
        desks.append(Desk(**settings))
        return desks[-1]

    yield open_
    for desk in desks:
        pids = [thinker.pid for thinker in desk.app._thinkers or ()]
        desk.app.close()
        assert not any(pid is not None and is_running(pid) for pid in pids)


@pytest.fixture
def desk(opened: Callable[..., Desk]) -> Desk:
    return opened()


def is_running(pid: int) -> bool:
    """Whether a process runs; one that has ended and is not yet waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


# Playing


@each_game
def test_a_game_is_played_to_its_end_by_mouse(desk: Desk, rules_id: str) -> None:
    desk.play(rules_id)
    rng = random.Random(1)
    while not desk.table.round.is_over:
        ply = desk.table.ply
        move = rng.choice(desk.table.position.legal_moves())
        desk.click(desk.game.board.spots()[move])
        assert desk.table.round.moves[ply:] == [move]
        if ply > 60:
            return
    assert desk.table.ending() in desk.said()
    assert sum(desk.table.total().values()) == 1


@each_game
def test_a_game_is_played_by_arrows_and_enter(desk: Desk, rules_id: str) -> None:
    desk.play(rules_id)
    rng = random.Random(2)
    for ply in range(6):
        for _ in range(rng.randrange(1, 5)):
            desk.key(rng.choice(["LEFT", "RIGHT", "UP", "DOWN"]))
        desk.key("RETURN")
        assert desk.table.ply == ply + 1


@pytest.mark.parametrize(
    ("rules_id", "typed", "wanted"),
    [
        ("basic", "519", "5 1 9"),
        ("connect4", "44", "4 4"),
        ("ultimate", "5551", "55 51"),
        ("mnk:5,5,4", "a1b2", "a1 b2"),
    ],
)
def test_typed_moves_are_played_as_soon_as_they_are_plain(
    desk: Desk, rules_id: str, typed: str, wanted: str
) -> None:
    desk.play(rules_id).type(typed)
    start = desk.table.start
    assert noughts.move_texts(start, desk.table.round.moves) == wanted.split()


def test_a_move_that_could_go_on_waits_for_enter(desk: Desk) -> None:
    desk.play("mnk:12,12,5").type("a1")
    assert desk.table.ply == 0, "a10 begins so too"
    desk.key("RETURN")
    assert noughts.move_texts(desk.table.start, desk.table.round.moves) == ["a1"]
    desk.play("ultimate", "55").type("3")
    desk.key("RETURN")
    assert noughts.move_texts(desk.table.start, desk.table.round.moves) == ["55", "53"]


def test_a_refused_move_is_explained(desk: Desk) -> None:
    desk.play("basic", "5")
    desk.click_move("5")
    assert "Cell 5 is taken by X." in desk.said()
    desk.type("x")
    assert "Cell 5" in desk.said(), "x begins no move and is no command"
    desk.play("ultimate", "55")
    desk.click_move("11")
    assert "must be on board 5" in desk.said()
    desk.type("99")
    desk.key("RETURN")
    assert "must be on board 5" in desk.said()
    desk.key("ESCAPE")
    assert desk.table.ply == 1


def test_letters_that_name_columns_are_moves_and_with_control_commands(desk: Desk) -> None:
    desk.play("mnk:5,5,4", "c3 d4")
    desk.type("a1")
    assert desk.table.ply == 3
    desk.key("a", mod=pygame.KMOD_CTRL)
    assert desk.table.analysing
    desk.key("u", mod=pygame.KMOD_CTRL)
    assert desk.table.ply == 2
    desk.type("h")
    assert desk.table.hinting or desk.table.hint, "no column is named h"


def test_undo_redo_and_looking_back(desk: Desk) -> None:
    desk.play("basic").type("5192")
    desk.key("u")
    desk.press("Undo")
    assert desk.table.ply == 2
    desk.key("r")
    desk.press("Redo")
    assert desk.table.ply == 4
    desk.key("r")
    assert "nothing to play again" in desk.said()
    desk.key("PAGEUP")
    desk.press("Move 1")
    assert (desk.table.ply, len(desk.table.round.moves)) == (1, 4)
    desk.click_move("3")
    assert "earlier position" in desk.said()
    assert len(desk.table.round.moves) == 4
    desk.key("HOME")
    assert desk.table.ply == 0
    desk.key("END")
    assert desk.table.is_live


def test_the_machine_answers_and_undo_takes_both_back(desk: Desk) -> None:
    desk.play("basic", o="perfect").type("5")
    desk.until(lambda: desk.table.ply == 2)
    assert "Perfect plays" in desk.said()
    desk.key("u")
    assert desk.table.ply == 0
    desk.key("r")
    assert desk.table.ply == 2


def test_undo_while_the_machine_thinks_ends_its_search(desk: Desk) -> None:
    desk.play("ultimate", o="engine:seconds=300").type("55")
    assert desk.table.is_thinking
    desk.key("u")
    assert desk.table.ply == 0
    assert not desk.table.is_thinking
    desk.type("11")
    assert desk.table.is_thinking


def test_resigning_asks_once_more_and_a_rematch_swaps_sides_and_counts(desk: Desk) -> None:
    desk.play("connect4", "44", o="random")
    desk.press("Resign")
    assert not desk.table.round.is_over
    desk.press("Resign")
    assert desk.table.ending() == "X has resigned: O wins."
    assert desk.table.total() == {Player.X: 0, Player.O: 1, None: 0}
    desk.key("u")
    assert desk.table.total()[Player.O] == 0, "a resignation taken back is not counted"
    desk.press("Resign")
    desk.press("Resign")
    desk.press("Rematch")
    assert desk.table.sides == {Player.X: "random", Player.O: "human"}
    assert desk.table.total() == {Player.X: 1, Player.O: 0, None: 0}
    desk.until(lambda: desk.table.may_move)
    assert desk.table.position.turn is Player.O


def test_machines_play_each_other_at_a_pace_and_can_be_paused(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.play("basic", x="random", o="random")
    before = time.monotonic()
    desk.until(lambda: desk.table.ply == 3)
    assert time.monotonic() - before >= 2 * table.PACE
    monkeypatch.setattr(table, "PACE", 0.0)
    desk.play("ultimate", x="random", o="random")
    desk.press("Pause")
    ply = desk.table.ply
    desk.until(lambda: not desk.table.is_thinking)
    assert desk.table.ply == ply
    desk.press("Pause")
    desk.until(lambda: desk.table.round.is_over)


def test_swapped_letters_are_swapped_everywhere(desk: Desk) -> None:
    desk.play("ultimate", "55", swapped=True)
    assert desk.table.letter(Player.X) == "O"
    assert "X to move on board 5" in desk.said()
    drawn = desk.game.board.drawn
    assert drawn.turn is Player.X
    desk.play("basic", "41527", swapped=True)
    desk.type("3")
    assert "X wins with the line 1 2 3." in desk.said(), "it was O's move"
    desk.play("basic", "14253", swapped=True)
    assert "O wins with the line 1 2 3." in desk.said()


def test_a_machine_that_has_no_move_says_why(desk: Desk) -> None:
    desk.play("ultimate", o="perfect:seconds=0.2").type("55")
    desk.until(lambda: bool(desk.table.failure))
    assert "does not solve" in desk.said()
    desk.key("u")
    assert not desk.table.failure


def test_an_unknown_opponent_is_refused(desk: Desk) -> None:
    with pytest.raises(NotationError, match="no opponent"):
        desk.play(o="nobody")


# Analysis and hints


@each_game
def test_the_analysis_gives_every_legal_move_a_value(desk: Desk, rules_id: str) -> None:
    desk.play(rules_id)
    desk.press("Analysis")
    desk.until(lambda: desk.table.analysis is not None)
    assert set(desk.table.values) == set(desk.table.position.legal_moves())
    before = desk.table.analysis
    desk.key("RIGHT")
    desk.key("RETURN")
    desk.until(lambda: desk.table.analysis not in (None, before))
    assert set(desk.table.values) == set(desk.table.position.legal_moves())
    desk.press("Analysis")
    assert not desk.table.values
    assert desk.table._adviser.job is None


def test_the_analysis_goes_deeper_as_it_goes(desk: Desk) -> None:
    desk.play("ultimate").press("Analysis")
    depths: list[int] = []

    def deeper() -> bool:
        if desk.table.analysis is not None:
            depths.append(desk.table.analysis.depth)
        return bool(depths) and depths[-1] >= 4

    desk.until(deeper)
    assert depths == sorted(depths)
    assert "depth" in desk.said()


def test_what_was_found_of_the_position_before_a_move_is_forgotten(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "PACE", 0.0)
    for seed in range(3):
        desk.app.play(noughts.game("basic"), {Player.X: f"random:seed={seed}", Player.O: "random"})
        desk.table.analyse()

        def goes_on() -> bool:
            known = desk.table.analysis
            assert known is None or set(known.values) == set(desk.table.shown.legal_moves())
            return desk.table.round.is_over

        desk.until(goes_on)


def test_a_hint_has_a_sentence_and_points_at_its_move(desk: Desk) -> None:
    desk.play("basic", "5192", swapped=False)
    desk.press("Hint")
    desk.until(lambda: desk.table.hint is not None)
    assert desk.table.hint is not None
    assert desk.table.hint.move == desk.table.position.parse_move("8") or desk.table.hint.sentences
    assert desk.table.hint.sentences
    assert "Hint: " in desk.said()
    desk.type("3")
    assert desk.table.hint is None, "it was for the position before"


def test_a_hint_while_the_analysis_is_on(desk: Desk) -> None:
    desk.play("connect4").press("Analysis")
    desk.key("h")
    desk.until(lambda: desk.table.hint is not None)
    desk.until(lambda: desk.table.analysis is not None and desk.table.analysis.kind == "analysis")


def test_an_estimated_hint_says_that_nothing_is_proven(desk: Desk) -> None:
    desk.play("ultimate").press("Hint")
    desk.until(lambda: desk.table.hint is not None)
    assert re.search("nothing is proven|sends|board", desk.said())


def test_a_search_that_breaks_off_is_told(desk: Desk) -> None:
    desk.play("ultimate", o="engine:seconds=300").type("55")
    pid = desk.table._player.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    desk.until(lambda: bool(desk.table.failure))
    assert "has broken off" in desk.said()
    desk.key("u")
    desk.type("11")
    assert desk.table.is_thinking, "another process has been started"


# A game of the user's own


@pytest.fixture
def nim() -> Iterator[None]:
    from noughts.apps.cli import load_file

    games = dict(noughts.GAMES)
    load_file(NIM)
    yield
    noughts.GAMES.clear()
    noughts.GAMES.update(games)
    sys.modules.pop("nim", None)


@pytest.mark.usefixtures("nim")
def test_a_game_of_the_users_own_is_played_by_its_diagram(opened: Callable[..., Desk]) -> None:
    desk = opened(load=(NIM,))
    desk.play("nim", o="alphabeta:depth=3")
    for size in ((1080, 760), (360, 480)):
        desk.draw(size)
        assert len(desk.game.board.spots()) == 12
    move = desk.table.position.parse_move("a2")
    desk.click(desk.game.board.spots()[move])
    desk.until(lambda: desk.table.ply == 2)
    desk.key("RIGHT")
    desk.key("RETURN")
    desk.until(lambda: desk.table.ply == 4)
    desk.press("Analysis")
    desk.until(lambda: desk.table.analysis is not None)
    assert set(desk.table.values) == set(desk.table.position.legal_moves())
    desk.press("Hint")
    desk.until(lambda: desk.table.hint is not None)


@pytest.mark.usefixtures("nim")
def test_the_start_screen_has_the_users_own_game(opened: Callable[..., Desk]) -> None:
    desk = opened(load=(NIM,))
    desk.app.set_up()
    desk.draw()
    desk.press("Game nim")
    desk.press("Play")
    assert desk.table.sides == {Player.X: "human", Player.O: "alphabeta"}


# The start screen


def test_the_start_screen_sets_up_every_game(desk: Desk) -> None:
    desk.app.set_up()
    desk.draw((1080, 900))
    desk.press("Game mnk")
    desk.press("Columns +")
    desk.press("In a row −")
    desk.press("Misère: who makes a line loses")
    desk.press("Level 7")
    desk.press("Noughts")
    desk.press("Play")
    assert desk.table.start.rules_id == "mnk:6,5,3,misere"
    assert desk.table.sides == {Player.X: "human", Player.O: "engine:level=7"}
    assert desk.table.swapped
    desk.press("New")
    assert isinstance(desk.app.screen, SetUpScreen)
    desk.press("Back to the game")
    assert desk.table.start.rules_id == "mnk:6,5,3,misere"
    desk.key("n")
    desk.press("Game ultimate")
    desk.press("Without a line, more boards win")
    desk.press("Won boards are played on")
    desk.press("The opponent starts")
    desk.press("Play")
    assert desk.table.start.rules_id == "ultimate:tie=boards,won=open"
    assert desk.table.sides[Player.O] == "human"
    assert not desk.table.swapped, "X starts, and the person has O"


def test_sizes_that_are_no_game_cannot_be_played(desk: Desk) -> None:
    desk.app.set_up()
    desk.draw((1080, 900))
    desk.press("Game mnk")
    for _ in range(3):
        desk.press("In a row +")
    assert "Play" not in [target.name for target in desk.app.canvas.targets]
    desk.key("RETURN")
    assert desk.app.table is None


def test_the_start_screen_by_keyboard_alone(desk: Desk) -> None:
    desk.app.set_up()
    desk.draw((360, 480))
    desk.key("RIGHT")
    desk.key("SPACE")
    assert desk.app.choice.game == "mnk"
    for _ in range(60):
        desk.key("TAB")
        if desk.app.canvas.focus == "Play":
            break
    else:
        pytest.fail("Tab does not come to Play")
    desk.key("RETURN")
    assert desk.table.start.rules_id == "mnk:5,5,4"


def test_choices_name_rules_and_sides() -> None:
    choice = Choice("connect4")
    assert choice.rules_id() == "connect4"
    choice.sizes["connect4"] = [8, 7, 4]
    assert choice.rules_id() == "connect4:8,7,4"
    start = noughts.game(choice.rules_id())
    for letter, first, mine, swapped in (
        ("X", True, Player.X, False),
        ("O", True, Player.X, True),
        ("X", False, Player.O, True),
        ("O", False, Player.O, False),
    ):
        choice.letter, choice.first = letter, first
        sides, found = choice.sides(start)
        assert (sides[mine], found) == ("human", swapped)
    choice.opponent = "human"
    assert choice.sides(start) == ({Player.X: "human", Player.O: "human"}, False)


# The look


@each_game
@pytest.mark.parametrize("size", [(1080, 760), (360, 480), (760, 500), (600, 1000)])
def test_the_board_fits_every_window(desk: Desk, rules_id: str, size: tuple[int, int]) -> None:
    desk.play(rules_id)
    desk.draw(size)
    board = desk.game.board
    for x, y in board.spots().values():
        assert 0 < x < size[0]
        assert 0 < y < size[1]
    for target in desk.app.canvas.targets:
        assert target.box.x >= 0
        assert target.box.right <= size[0] + 1
        if target.name in {name for name, *_ in desk.game.actions()}:
            assert target.box.height >= 40


def test_a_small_window_still_has_cells_of_32_for_the_81(desk: Desk) -> None:
    desk.play("ultimate").draw((360, 480))
    spots = desk.game.board.spots()
    assert spots[1][0] - spots[0][0] >= 32


def test_light_and_dark(desk: Desk) -> None:
    desk.play("basic", "5")
    assert desk.draw().get_at((2, 100))[:3] == pygame.Color(LIGHT.paper)[:3]
    desk.key("d")
    assert desk.draw().get_at((2, 100))[:3] == pygame.Color(DARK.paper)[:3]
    desk.press("Theme")
    assert desk.app.canvas.theme is LIGHT


def test_marks_are_where_they_should_be_in_their_colours(desk: Desk) -> None:
    desk.play("basic", "59")
    time.sleep(0.2)
    surface = desk.draw()
    board = desk.game.board
    x, y = map(round, board.centre(4))
    assert surface.get_at((x, y))[:3] == pygame.Color(LIGHT.x)[:3]
    middle, level = board.centre(8)
    ring = surface.get_at((round(middle + 5.8 * board.unit), round(level)))[:3]
    assert ring == pygame.Color(LIGHT.o)[:3]


def test_the_last_frame_after_a_move_shows_the_board_whole(desk: Desk) -> None:
    desk.play("basic", "5").type("1")
    assert desk.game.is_moving
    while desk.game.is_moving:
        desk.draw()
    moving = pygame.image.tobytes(desk.app.window.get_surface(), "RGB")
    desk.game._before = None
    assert moving == pygame.image.tobytes(desk.draw(), "RGB")


def test_connect_fours_holes_and_the_frame_of_the_last_move_are_drawn(desk: Desk) -> None:
    """Both are dashes of no length, which the reader of SVG would leave out."""
    desk.play("connect4", "4")
    for size in ((1080, 760), (360, 480), (500, 900)):
        desk.draw(size)
        time.sleep(0.2)
        surface = desk.draw(size)
        board = desk.game.board
        for column in range(7):
            x, y = map(round, board.centre(column))
            for aside in (-7, 0, 7):
                found = surface.get_at((round(x + aside * board.unit), y))[:3]
                assert found == pygame.Color(LIGHT.even_tint)[:3], f"column {column + 1}"
        x, y = map(round, board.centre(38))
        frame = pygame.Rect(0, 0, round(0.9 * board.unit * 20), 3)
        frame.midtop = (x, round(y - 0.83 * board.unit * 10) - 1)
        line = {
            surface.get_at((x, y))[:3]
            for x in range(frame.left, frame.right)
            for y in range(frame.top, frame.bottom)
        }
        assert len(line) > 3, "there are dots, and room between them"


def test_scaled_windows_are_sharp_and_clicked_where_they_show(opened: Callable[..., Desk]) -> None:
    desk = opened(scale=2.0)
    desk.play("basic").draw((1600, 1200))
    x, y = desk.game.board.spots()[8]
    desk.click((2 * x, 2 * y))
    assert desk.table.round.moves == [8]
    desk.key("MINUS", mod=pygame.KMOD_CTRL)
    assert desk.app.canvas.scale == pytest.approx(2 / 1.1)


def test_full_screen_and_back(desk: Desk) -> None:
    desk.play("basic")
    desk.key("F11")
    desk.key("ESCAPE")
    assert isinstance(desk.app.screen, GameScreen), "the first Esc only leaves the full screen"
    desk.key("ESCAPE")
    assert isinstance(desk.app.screen, SetUpScreen)
    desk.key("ESCAPE")
    assert isinstance(desk.app.screen, GameScreen)


def test_every_control_of_a_game_is_reached_by_tab_and_shows_its_focus(desk: Desk) -> None:
    desk.play("ultimate", "55")
    names = [target.name for target in desk.app.canvas.targets]
    reached = []
    for _ in names:
        before = pygame.image.tobytes(desk.draw(), "RGB")
        desk.key("TAB")
        reached.append(desk.app.canvas.focus)
        assert pygame.image.tobytes(desk.draw(), "RGB") != before
    assert sorted(reached) == sorted(names)


def test_help_shows_the_keys_and_any_key_closes_it(desk: Desk) -> None:
    desk.play("basic")
    desk.type("?")
    assert desk.game.helping
    desk.draw((360, 480))
    desk.type("5")
    assert not desk.game.helping
    assert desk.table.ply == 0
    desk.press("Keys")
    desk.click((10, 300))
    assert not desk.game.helping


def test_long_lists_of_moves_are_scrolled(desk: Desk) -> None:
    start = noughts.game("mnk:19,19,5")
    rng = random.Random(5)
    moves: list[int] = []
    position = start
    while position.outcome() is None and len(moves) < 150:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    desk.play("mnk:19,19,5", " ".join(noughts.move_texts(start, moves)))
    names = [target.name for target in desk.app.canvas.targets]
    assert f"Move {len(moves)}" in names
    assert "Move 1" not in names
    box = desk.game._moves_box
    desk.app.take(pygame.Event(pygame.MOUSEMOTION, pos=box.centre))
    for _ in range(100):
        desk.app.take(pygame.Event(pygame.MOUSEWHEEL, precise_y=3.0))
    desk.draw()
    assert "Move 1" in [target.name for target in desk.app.canvas.targets]


def test_moves_of_a_point_are_those_whose_cell_it_is_in() -> None:
    pygame.display.init()
    pygame.font.init()
    canvas = Canvas(pygame.Surface((600, 600)))
    for rules_id in GAMES:
        position = noughts.game(rules_id)
        board = Board(position, Box(0, 0, 600, 600), False, canvas)
        for move, spot in board.spots().items():
            assert board.move_at(spot) == move
        assert board.move_at((599, 1)) is None


# Saving, and going on later


def test_finished_games_are_appended_to_the_file(
    opened: Callable[..., Desk], tmp_path: Path
) -> None:
    file = tmp_path / "games.txt"
    desk = opened(save=file)
    desk.play("basic").type("51927")
    desk.type("3")
    assert desk.table.round.is_over
    (kept,) = record.read(file)
    assert kept.moves == desk.table.round.moves
    desk.press("Rematch")
    desk.type("5")
    assert desk.table.farewell("noughts window")[0].startswith("Saved to")
    assert [len(each.moves) for each in record.read(file)] == [6, 1]


def test_a_file_name_is_asked_for_and_a_bad_one_is_told(desk: Desk, tmp_path: Path) -> None:
    desk.play("basic", "5")
    desk.press("Save")
    for _ in range(20):
        if desk.game.entry and desk.game.entry.text:
            desk.key("BACKSPACE")
    desk.type(f"{tmp_path}/no/such/folder.txt")
    desk.key("RETURN")
    assert "Not saved" in desk.said()
    desk.press("Save")
    for _ in range(20):
        if desk.game.entry and desk.game.entry.text:
            desk.key("BACKSPACE")
    desk.type(f"{tmp_path}/kept.jsonl")
    desk.key("RETURN")
    assert [each.moves for each in record.read(tmp_path / "kept.jsonl")] == [[4]]


def test_the_farewell_says_how_to_go_on(desk: Desk) -> None:
    desk.play("ultimate", "55 51", o="random", swapped=True)
    *_, command = desk.table.farewell("noughts window")
    words = shlex.split(command)
    assert words[:2] == ["noughts", "window"]
    assert noughts.position(words[2]) == noughts.game("ultimate")
    assert words[3:] == [
        *("--x", "human", "--o", "random", "--swapped", "--moves", "55 51"),
    ]
    desk.play("basic")
    assert desk.table.farewell("noughts window") == ["Goodbye."]


# Never waiting


def test_frames_do_not_wait_for_an_engine_that_thinks(desk: Desk) -> None:
    """The figure for a machine at rest is in docs/window.md; here only waiting is ruled out."""
    desk.play("ultimate", o="alphabeta:seconds=60").type("55")
    desk.press("Analysis")
    assert desk.table.is_thinking
    frames = []
    end = time.monotonic() + 1.5
    while time.monotonic() < end:
        before = time.perf_counter()
        desk.app.screen.update()
        desk.app.draw()
        frames.append(time.perf_counter() - before)
        time.sleep(0.01)
    assert desk.table.is_thinking
    assert statistics.median(frames) < 0.25


def test_the_window_closes_at_once_in_the_middle_of_every_search() -> None:
    desk = Desk()
    desk.play("ultimate", o="mcts:seconds=300").type("55")
    desk.press("Analysis")
    desk.until(lambda: desk.table.analysis is not None)
    pids = [thinker.pid for thinker in desk.app.thinkers()]
    before = time.monotonic()
    desk.app.take(pygame.Event(pygame.QUIT))
    assert not desk.app.running
    desk.app.close()
    assert time.monotonic() - before < 10
    assert not any(pid is not None and is_running(pid) for pid in pids)


# The command


def window(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [NOUGHTS, "window", *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (["chess"], 2, "there is no game 'chess'"),
        (["basic", "--o", "nobody"], 2, "there is no opponent 'nobody'"),
        (["basic~XXX.3.3~X"], 3, "CELLS"),
        (["basic", "--moves", "55"], 3, "--moves"),
        (["--cs50", "nothere.py"], 3, "nothere.py"),
        (["basic", "--theme", "pink"], 2, "pink"),
        (["--o", "random"], 2, "need a game"),
        (["--cs50", "--moves", "5"], 2, "need a game"),
    ],
)
def test_wrong_words_are_refused(words: list[str], code: int, complaint: str) -> None:
    answer = window(*words)
    assert answer.returncode == code
    assert complaint in answer.stderr
    assert "Traceback" not in answer.stderr


def test_without_pygame_the_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "pygame.py").write_text("raise ImportError('none', name='pygame')\n")
    answer = window("basic", PYTHONPATH=str(tmp_path))
    assert answer.returncode == 2
    assert "pip install 'noughts[window]'" in answer.stderr


def test_without_a_display_the_terminal_is_named() -> None:
    answer = window("basic", SDL_VIDEODRIVER="x11", DISPLAY=":12345")
    assert answer.returncode == 4
    assert "noughts play" in answer.stderr


@pytest.mark.parametrize("rules_id", [*GAMES, "nim"])
@pytest.mark.usefixtures("nim")
def test_whatever_is_pressed_the_window_goes_on(
    opened: Callable[..., Desk], rules_id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    desk = opened(load=(NIM,))
    desk.play(rules_id, o="random")
    rng = random.Random(rules_id)
    names = ["RETURN", "SPACE", "ESCAPE", "TAB", "BACKSPACE", "LEFT", "RIGHT", "UP", "DOWN"]
    names += ["HOME", "END", "PAGEUP", "PAGEDOWN", "F1", *"urhanmgspd?15ax/é", "a", "1"]
    for _ in range(150):
        size = desk.app.window.size
        match rng.randrange(8):
            case 0:
                desk.draw((rng.randrange(360, 1300), rng.randrange(480, 900)))
            case 1 | 2 | 3:
                desk.click((rng.randrange(size[0]), rng.randrange(size[1])))
            case 4:
                desk.app.take(pygame.Event(pygame.MOUSEWHEEL, precise_y=rng.uniform(-9, 9)))
                desk.draw()
            case _:
                mod = pygame.KMOD_CTRL if rng.random() < 0.1 else 0
                desk.key(rng.choice(names), mod=mod)
        desk.app.screen.update()
    assert desk.app.running
