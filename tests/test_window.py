"""The window without a display: every state, by mouse and keyboard events."""

from __future__ import annotations

import cmath
import os
import random
import shlex
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest
from command import run, run_program
from headless_window import HeadlessWindow, is_running
from samples import NIM

import noughts
from noughts import NotationError, Player
from noughts.extras import missing
from noughts.games import record, registry
from noughts.games.catalogue import Preset
from noughts.games.words import title_and_rule
from noughts.views.svg import DARK, LIGHT
from noughts.window import game_state
from noughts.window.board import BoardWidget
from noughts.window.drawing import Box, Canvas
from noughts.window.game import LINE, GameScreen
from noughts.window.screen import HEADER
from noughts.window.setup import Choice, SetUpScreen

GAMES = ("basic", "mnk:5,4,3,misere", "connect4", "advanced", "ultimate:won=open", "mnk:19,19,5")
PRESETS = [preset for family in registry.GAMES.values() for preset in family.presets]
SMALL = (360, 480)
each_game = pytest.mark.parametrize("rules_id", GAMES)


@pytest.fixture(autouse=True)
def headless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture
def opened() -> Iterator[Callable[..., HeadlessWindow]]:
    """Yield a function that opens windows; close them and check that no process is left."""
    windows: list[HeadlessWindow] = []

    def open_(**settings: Any) -> HeadlessWindow:
        windows.append(HeadlessWindow(**settings))
        return windows[-1]

    yield open_
    for window in windows:
        pids = [thinker.pid for thinker in window.app._thinkers or ()]
        window.app.close()
        assert not any(pid is not None and is_running(pid) for pid in pids)


@pytest.fixture
def window(opened: Callable[..., HeadlessWindow]) -> HeadlessWindow:
    return opened()


# Playing


@each_game
@pytest.mark.parametrize("most", [30, pytest.param(60, marks=pytest.mark.soak)])
def test_game_is_played_to_its_end_by_mouse(
    window: HeadlessWindow, rules_id: str, most: int
) -> None:
    window.play(rules_id)
    rng = random.Random(1)
    while not window.game.round.is_over:
        ply = window.game.ply
        move = rng.choice(window.game.position.legal_moves())
        window.click(window.screen.board.spots()[move])
        assert window.game.round.moves[ply:] == [move]
        if ply > most:
            return
    assert window.game.ending()
    assert window.game.ending() in window.said()
    winner = window.game.round.record.result
    verdicts = {"1-0": "X wins", "0-1": "O wins", "1/2-1/2": "Draw"}
    assert window.game.verdict() == verdicts[winner]
    assert sum(window.game.series.total().values()) == 1


@each_game
def test_game_is_played_by_arrows_and_enter(window: HeadlessWindow, rules_id: str) -> None:
    window.play(rules_id)
    rng = random.Random(2)
    for ply in range(6):
        for _ in range(rng.randrange(1, 5)):
            window.key(rng.choice(["LEFT", "RIGHT", "UP", "DOWN"]))
        window.key("RETURN")
        assert window.game.ply == ply + 1


@pytest.mark.parametrize(
    ("rules_id", "typed", "wanted"),
    [
        ("basic", "519", "5 1 9"),
        ("connect4", "44", "4 4"),
        ("ultimate", "5551", "55 51"),
        ("mnk:5,5,4", "a1b2", "a1 b2"),
    ],
)
def test_typed_moves_are_played_when_unambiguous(
    window: HeadlessWindow, rules_id: str, typed: str, wanted: str
) -> None:
    window.play(rules_id).type(typed)
    start = window.game.start
    assert noughts.move_texts(start, window.game.round.moves) == wanted.split()


def test_keys_of_other_layouts_play_and_undo(window: HeadlessWindow) -> None:
    window.play("mnk:5,5,4")
    for name, place, mod in (
        ("и", "B", 0),
        ("3", "3", 0),
        ("c", "C", 0),
        ('"', "3", 0),
        ("٣", "3", 0),
        ("ζ", "A", 0),
        ("1", "1", pygame.KMOD_SHIFT),
    ):
        window.key(name, place=place, mod=mod)
        if name == "٣":
            window.key("BACKSPACE")
    played = ["b3", "c3", "a1"]
    assert noughts.move_texts(window.game.start, window.game.round.moves) == played
    window.key("я", place="Z", mod=pygame.KMOD_CTRL)
    assert noughts.move_texts(window.game.start, window.game.round.moves) == played[:2]
    window.key("н", place="Y", mod=pygame.KMOD_CTRL)
    assert noughts.move_texts(window.game.start, window.game.round.moves) == played
    window.key("г", place="U")
    assert window.game.ply == 2


def test_prefix_of_a_longer_move_waits_for_enter(window: HeadlessWindow) -> None:
    window.play("mnk:12,12,5").type("a1")
    assert window.game.ply == 0, "a1 is a prefix of a10"
    window.key("RETURN")
    assert noughts.move_texts(window.game.start, window.game.round.moves) == ["a1"]
    window.play("ultimate", "55").type("3")
    window.key("RETURN")
    assert noughts.move_texts(window.game.start, window.game.round.moves) == ["55", "53"]


def test_capital_letters_begin_moves_and_control_reaches_the_commands(
    window: HeadlessWindow,
) -> None:
    window.play("mnk:15,15,5").type("H8")
    window.key("A", mod=pygame.KMOD_SHIFT)
    window.type("1")
    assert window.game.ply == 1, "a1 is a prefix of a10"
    window.key("RETURN")
    assert noughts.move_texts(window.game.start, window.game.round.moves) == ["h8", "a1"]
    assert not window.game.hinting
    window.key("H", mod=pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
    assert window.game.hinting
    window.key("U", mod=pygame.KMOD_SHIFT)
    assert window.game.ply == 1, "no column is named u"


@pytest.mark.parametrize(
    ("rules_id", "title"),
    [
        ("basic", "Tic-tac-toe"),
        ("ultimate:won=open", "Ultimate, won boards stay open"),
        ("mnk:5,5,4", "5×5, four in a row"),
        ("mnk:7,6,4,misere", "7×6, 4 in a row, misère"),
        ("mnk:15,15,5,exact", "15×15, 5 in a row, exact"),
        ("connect4:6,5", "Connect Four 6×5, 4 in a row"),
    ],
)
def test_title_names_the_game(window: HeadlessWindow, rules_id: str, title: str) -> None:
    window.play(rules_id)
    assert window.app.window.title == f"noughts · {title}"


def test_refused_move_is_explained(window: HeadlessWindow) -> None:
    window.play("basic", "5")
    window.click_move("5")
    assert "Cell 5 is taken. Free cells: " in window.said()
    window.type("x")
    assert "Cell 5" in window.said(), "x begins no move and no command"
    window.play("ultimate", "55")
    window.click_move("11")
    assert "Play on board 5" in window.said()
    window.type("99")
    window.key("RETURN")
    assert "Play on board 5" in window.said()
    window.key("ESCAPE")
    assert window.game.ply == 1


def test_column_letters_are_moves_and_commands_need_control(
    window: HeadlessWindow,
) -> None:
    window.play("mnk:5,5,4", "c3 d4")
    window.type("a1")
    assert window.game.ply == 3
    window.key("a", mod=pygame.KMOD_CTRL)
    assert window.game.analysing
    window.key("u", mod=pygame.KMOD_CTRL)
    assert window.game.ply == 2
    window.type("h")
    assert window.game.hinting or window.game.hint, "no column is named h"


def test_undo_redo_and_viewing_earlier_moves(window: HeadlessWindow) -> None:
    window.play("basic").type("5192")
    window.key("u")
    window.press("Undo")
    assert window.game.ply == 2
    window.key("r")
    window.press("Redo")
    assert window.game.ply == 4
    window.key("r")
    assert "no move to redo" in window.said()
    window.key("PAGEUP")
    window.press("Move 1")
    assert (window.game.ply, len(window.game.round.moves)) == (1, 4)
    window.click_move("3")
    assert "earlier position" in window.said()
    assert len(window.game.round.moves) == 4
    window.key("HOME")
    assert window.game.ply == 0
    window.key("END")
    assert window.game.is_live


def test_machine_replies_and_undo_takes_back_both(window: HeadlessWindow) -> None:
    window.play("basic", o="perfect").type("5")
    window.until(lambda: window.game.ply == 2)
    assert "Perfect plays" in window.said()
    window.key("u")
    assert window.game.ply == 0
    window.key("r")
    assert window.game.ply == 2


def test_undo_ends_the_machine_s_search(window: HeadlessWindow) -> None:
    window.play("ultimate", o="engine:seconds=300").type("55")
    assert window.game.is_thinking
    window.key("u")
    assert window.game.ply == 0
    assert not window.game.is_thinking
    window.type("11")
    assert window.game.is_thinking


def test_no_board_is_outlined_after_the_end(window: HeadlessWindow) -> None:
    window.play("ultimate", "51", o="random")

    def outlined() -> int:
        drawn, _ = window.screen.board._picture(window.app.canvas)
        return drawn.body.count('class="open"')

    window.until(lambda: window.game.may_move)
    assert outlined() > 0
    window.press("Resign")
    window.press("Resign")
    assert window.game.round.is_over
    assert outlined() == 0
    window.key("HOME")
    assert outlined() > 0


def test_resigning_asks_once_and_a_rematch_swaps_sides_and_counts(
    window: HeadlessWindow,
) -> None:
    window.play("connect4", "44", o="random")
    window.press("Resign")
    assert not window.game.round.is_over
    window.press("Resign")
    assert window.game.ending() == "O wins: X resigned."
    assert window.game.verdict() == "You lost"
    assert window.game.series.total() == {Player.X: 0, Player.O: 1, None: 0}
    window.key("u")
    assert window.game.series.total()[Player.O] == 0, "an undone resignation does not count"
    window.press("Resign")
    window.press("Resign")
    window.press("Rematch")
    assert window.game.sides == {Player.X: "random", Player.O: "human"}
    assert window.game.series.total() == {Player.X: 1, Player.O: 0, None: 0}
    window.until(lambda: window.game.may_move)
    assert window.game.position.turn is Player.O


def test_machines_play_at_a_pace_and_can_be_paused(
    window: HeadlessWindow,
) -> None:
    window.play("basic", x="random", o="random")
    before = time.monotonic()
    window.until(lambda: window.game.ply == 3)
    assert time.monotonic() - before >= 2 * game_state.PACE
    window.play("ultimate", x="random", o="random")
    window.game.pace = 0.0
    window.press("Pause")
    ply = window.game.ply
    window.until(lambda: not window.game.is_thinking)
    assert window.game.ply == ply
    window.press("Pause")
    window.until(lambda: window.game.round.is_over)


def test_rematch_of_machines_is_never_paused(window: HeadlessWindow) -> None:
    window.play("basic", x="random", o="random")
    window.game.pace = 0.0
    window.until(lambda: window.game.round.is_over)
    window.key("p")
    assert not window.game.paused
    assert "The game is over." in window.said()
    window.key("u")
    assert window.game.paused
    window.key("r")
    window.key("m")
    assert not window.game.paused
    assert window.game.is_thinking


def test_swapped_letters_are_swapped_everywhere(window: HeadlessWindow) -> None:
    window.play("ultimate", "55", swapped=True)
    assert window.game.letter(Player.X) == "O"
    assert "X to move on board 5" in window.said()
    drawn = window.screen.board.drawn
    assert drawn.turn is Player.X
    window.play("basic", "41527", swapped=True)
    window.type("3")
    assert window.game.verdict() == "X wins", "it was O's move"
    assert "X wins with the top row." in window.said()
    window.play("basic", "14253", swapped=True)
    assert window.game.verdict() == "O wins"


def test_machine_without_a_move_says_why(window: HeadlessWindow) -> None:
    window.play("ultimate", o="perfect:seconds=0.2").type("55")
    window.until(lambda: bool(window.game.failure))
    assert "does not solve" in window.said()
    window.key("u")
    assert not window.game.failure


def test_unknown_opponent_is_refused(window: HeadlessWindow) -> None:
    with pytest.raises(NotationError, match="no opponent"):
        window.play(o="nobody")


# Analysis and hints


@each_game
def test_analysis_gives_every_legal_move_a_value(window: HeadlessWindow, rules_id: str) -> None:
    window.play(rules_id)
    window.press("Analysis")
    window.until(lambda: window.game.analysis is not None)
    assert set(window.game.values) == set(window.game.position.legal_moves())
    before = window.game.analysis
    window.key("RIGHT")
    window.key("RETURN")
    window.until(lambda: window.game.analysis not in (None, before))
    assert set(window.game.values) == set(window.game.position.legal_moves())
    window.press("Analysis")
    assert not window.game.values
    assert window.game._adviser.job is None


def test_analysis_deepens(window: HeadlessWindow) -> None:
    window.play("ultimate").press("Analysis")
    depths: list[int] = []

    def deeper() -> bool:
        if window.game.analysis is not None:
            depths.append(window.game.analysis.depth)
        return bool(depths) and depths[-1] >= 4

    window.until(deeper)
    assert depths == sorted(depths)
    assert "depth" in window.said()


def test_analysis_of_an_earlier_position_is_forgotten(
    window: HeadlessWindow,
) -> None:
    for seed in range(3):
        window.app.play(
            noughts.game("basic"), {Player.X: f"random:seed={seed}", Player.O: "random"}
        )
        window.game.pace = 0.0
        window.game.analyse()

        def goes_on() -> bool:
            known = window.game.analysis
            assert known is None or set(known.values) == set(window.game.shown.legal_moves())
            return window.game.round.is_over

        window.until(goes_on)


def test_hint_says_the_threat_the_move_and_the_reason(window: HeadlessWindow) -> None:
    window.play("basic", "5192", swapped=False)
    window.press("Hint")
    window.until(lambda: window.game.hint is not None)
    assert window.game.hint is not None
    assert window.game.hint.sentences == (
        "O threatens the top row.",
        "Play top right (3): it blocks that line.",
        "It is the only winning move.",
        "X wins in 2 moves.",
    )
    assert " ".join(window.game.hint.sentences) in window.said()
    window.type("3")
    assert window.game.hint is None, "the hint was for the previous position"


def test_hint_during_the_analysis(window: HeadlessWindow) -> None:
    window.play("connect4").press("Analysis")
    window.key("h")
    window.until(lambda: window.game.hint is not None)
    window.until(
        lambda: window.game.analysis is not None and window.game.analysis.kind == "analysis"
    )


def test_estimated_hint_says_the_expected_score(window: HeadlessWindow) -> None:
    window.play("ultimate").press("Hint")
    window.until(lambda: window.game.hint is not None)
    assert "X's expected score is about " in window.said()


def test_long_hint_is_read_in_a_low_window(window: HeadlessWindow) -> None:
    window.play("ultimate", "55 51 12 25 57 73 35 56 62 21 19 92").draw((800, 480))
    window.game.note = "An older message." + 200 * " It is long."
    texts = [text for text, _ in window.written()]
    assert any(text.endswith("…") for text in texts), "cut text ends with an ellipsis"
    window.press("Analysis")
    window.press("Hint")
    window.until(lambda: window.game.hint is not None)
    assert window.game.hint is not None
    for width in (800, 760):
        shown = " ".join(text for text, _ in window.written((width, 480)))
        assert len(window.game.hint.sentences) == 3
        assert [text for text in window.game.hint.sentences if text not in shown] == []
    assert "Moves" in [text for text, _ in window.written((1080, 760))]


def test_failed_search_is_reported(window: HeadlessWindow) -> None:
    window.play("ultimate", o="engine:seconds=300").type("55")
    pid = window.game._player.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    window.until(lambda: bool(window.game.failure))
    assert "ended unexpectedly" in window.said()
    window.key("u")
    window.type("11")
    assert window.game.is_thinking, "another process has started"


# A game of the user's own


@pytest.mark.usefixtures("nim")
def test_registered_game_is_played_by_its_diagram(
    opened: Callable[..., HeadlessWindow],
) -> None:
    window = opened(load=(NIM,))
    window.play("nim", o="alphabeta:depth=3")
    for size in ((1080, 760), (360, 480)):
        window.draw(size)
        assert len(window.screen.board.spots()) == 12
    move = window.game.position.parse_move("a2")
    window.click(window.screen.board.spots()[move])
    window.until(lambda: window.game.ply == 2)
    window.key("RIGHT")
    window.key("RETURN")
    window.until(lambda: window.game.ply == 4)
    window.press("Analysis")
    window.until(lambda: window.game.analysis is not None)
    assert set(window.game.values) == set(window.game.position.legal_moves())
    window.press("Hint")
    window.until(lambda: window.game.hint is not None)


@pytest.mark.usefixtures("nim")
def test_registered_game_ends_in_a_small_window(opened: Callable[..., HeadlessWindow]) -> None:
    window = opened(load=(NIM,))
    window.play("nim", "a3 b4 c5")
    assert window.game.round.is_over
    assert window.game.ending() in [text for text, _ in window.written(SMALL)]


@pytest.mark.usefixtures("nim")
def test_start_screen_offers_the_registered_game(opened: Callable[..., HeadlessWindow]) -> None:
    window = opened(load=(NIM,))
    window.app.set_up()
    window.draw()
    window.press("Game nim")
    window.press("Play")
    assert window.game.sides == {Player.X: "human", Player.O: "alphabeta"}


# The start screen


def test_start_screen_sets_up_every_game(window: HeadlessWindow) -> None:
    window.app.set_up()
    window.draw((1080, 900))
    window.press("Game mnk")
    window.press("Columns +")
    window.press("In a row −")
    window.press("A full line: Loses")
    window.press("Level 7")
    window.press("Noughts")
    window.press("Play")
    assert window.game.start.rules_id == "mnk:16,15,4,misere"
    assert window.game.sides == {Player.X: "human", Player.O: "engine:level=7"}
    assert window.game.swapped
    window.press("New")
    assert isinstance(window.app.screen, SetUpScreen)
    window.press("Back to the game")
    assert window.game.start.rules_id == "mnk:16,15,4,misere"
    window.press("New")
    window.press("Misère 3×3")
    window.press("Play")
    assert window.game.start.rules_id == "mnk:3,3,3,misere"
    window.key("n")
    window.press("Game ultimate")
    window.press("Nobody wins 3 boards in a row: Most boards")
    window.press("A won board: Open")
    window.press("The opponent starts")
    window.press("Play")
    assert window.game.start.rules_id == "ultimate:tie=boards,won=open"
    assert window.game.sides[Player.O] == "human"
    assert not window.game.swapped, "X starts, and the person plays O"


@pytest.mark.parametrize(
    "preset", [each for family in registry.GAMES.values() for each in family.presets]
)
def test_preset_is_chosen_and_played(window: HeadlessWindow, preset: Preset) -> None:
    window.app.set_up()
    window.draw((1080, 900))
    window.press(f"Game {preset.rules_id.partition(':')[0]}")
    window.press(preset.title)
    family = registry.GAMES[window.app.choice.game]
    assert [each for each in family.presets if window.app.choice.is_chosen(each)] == [preset]
    window.press("Play")
    assert window.game.start == noughts.game(preset.rules_id)


def test_perfect_starts_where_it_knows_only_the_first_player(window: HeadlessWindow) -> None:
    window.app.set_up()
    window.draw((1080, 900))
    window.press("Game advanced")
    window.press("Perfect")
    assert "You start" not in [target.name for target in window.app.canvas.targets]
    window.press("Play")
    window.until(lambda: window.game.ply == 1)
    assert window.game.sides == {Player.X: "perfect", Player.O: "human"}
    assert noughts.move_texts(window.game.start, window.game.round.moves) == ["55"]


def test_invalid_sizes_cannot_be_played(window: HeadlessWindow) -> None:
    window.app.set_up()
    window.draw((1080, 900))
    window.press("Game mnk")
    window.press("5×5, four in a row")
    for _ in range(3):
        window.press("In a row +")
    assert "Play" not in [target.name for target in window.app.canvas.targets]
    window.key("RETURN")
    assert window.app.game is None


def test_start_screen_by_keyboard_alone(window: HeadlessWindow) -> None:
    window.app.set_up()
    window.draw((360, 480))
    window.key("RIGHT")
    window.key("SPACE")
    assert window.app.choice.game == "mnk"
    for _ in range(60):
        window.key("TAB")
        if window.app.canvas.focus == "Play":
            break
    else:
        pytest.fail("Tab does not come to Play")
    window.key("RETURN")
    assert window.game.start.rules_id == "mnk:15,15,5"


@pytest.mark.parametrize("size", [(1080, 760), SMALL])
def test_play_is_always_visible(window: HeadlessWindow, size: tuple[int, int]) -> None:
    window.app.set_up()
    for game in registry.GAMES:
        window.app.choice.game = game
        window.draw(size)
        window.press("Play")
        assert window.game.start.rules_id.partition(":")[0] == game
        window.app.set_up()
    window.app.choice.game = "mnk"
    window.app.choice.sizes["mnk"] = [5, 5, 6]
    reason = "6 in a row does not fit on a 5×5 board."
    (place,) = [box for text, box in window.written(size) if text == reason]
    assert place.y < size[1]


@pytest.mark.parametrize("preset", PRESETS)
def test_start_screen_says_the_chosen_rules(window: HeadlessWindow, preset: Preset) -> None:
    window.app.set_up()
    window.app.choice.game = preset.rules_id.partition(":")[0]
    window.app.choice.choose_preset(preset)
    written = " ".join(text for text, _ in window.written(SMALL))
    assert title_and_rule(noughts.game(preset.rules_id))[1] in written


def test_texts_fit_a_small_start_screen(window: HeadlessWindow) -> None:
    window.app.set_up()
    for level in range(1, 11):
        window.app.choice.level = level
        written = window.written(SMALL)
        assert len(written) > 20
        outside = [text for text, box in written if box.x < 0 or box.right > SMALL[0]]
        assert outside == []
        assert [text for text, _ in written if "…" in text] == []
    assert {game.title for game in registry.GAMES.values()} <= {text for text, _ in written}


def test_choices_name_rules_and_sides() -> None:
    choice = Choice("connect4")
    assert choice.rules_id() == "connect4:7,6,4"
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
def test_board_fits_every_window(
    window: HeadlessWindow, rules_id: str, size: tuple[int, int]
) -> None:
    window.play(rules_id)
    window.draw(size)
    board = window.screen.board
    for x, y in board.spots().values():
        assert 0 < x < size[0]
        assert 0 < y < size[1]
    for target in window.app.canvas.targets:
        assert target.box.x >= 0
        assert target.box.right <= size[0] + 1
        if target.name in {name for name, *_ in window.screen.actions()}:
            assert target.box.height >= 40


def test_header_covers_the_page(window: HeadlessWindow) -> None:
    window.play("basic").draw(SMALL)
    window.wheel(-3)
    for height in (26, HEADER + LINE - 5):
        window.click((60, height))
        assert window.game.round.moves == []
    x, y = window.screen.board.spots()[8]
    window.click((x, y - window.app.screen._scroll))
    assert window.game.round.moves == [8]
    window.app.set_up()
    window.draw()
    window.press("Game mnk")
    window.wheel(-3)
    window.click((60, 26))
    assert window.app.choice.game == "mnk"


def test_wheel_does_not_move_the_board_of_a_wide_window(window: HeadlessWindow) -> None:
    window.play("basic").draw((1080, 760))
    window.wheel(-3)
    window.click(window.screen.board.spots()[8])
    assert window.game.round.moves == [8]


@pytest.mark.parametrize("moves", ["12457", "123546879"])
def test_small_window_says_the_result_above_the_page(window: HeadlessWindow, moves: str) -> None:
    window.play("basic", moves)
    assert window.game.round.is_over
    top = [text for text, box in window.written(SMALL) if HEADER < box.y < HEADER + LINE]
    assert top == [window.game.ending()]


def test_small_window_keeps_cells_of_32_pixels(window: HeadlessWindow) -> None:
    window.play("ultimate").draw((360, 480))
    spots = window.screen.board.spots()
    assert spots[1][0] - spots[0][0] >= 32


def test_light_and_dark(window: HeadlessWindow) -> None:
    window.play("basic", "5")
    assert window.draw().get_at((2, 100))[:3] == pygame.Color(LIGHT.paper)[:3]
    window.key("d")
    assert window.draw().get_at((2, 100))[:3] == pygame.Color(DARK.paper)[:3]
    window.press("Theme")
    assert window.app.canvas.theme is LIGHT


def test_marks_are_in_their_places_and_colours(window: HeadlessWindow) -> None:
    window.play("basic", "59")
    surface = window.still()
    board = window.screen.board
    x, y = map(round, board.centre(4))
    assert surface.get_at((x, y))[:3] == pygame.Color(LIGHT.x)[:3]
    middle, level = board.centre(8)
    ring = surface.get_at((round(middle + 5.8 * board.unit), round(level)))[:3]
    assert ring == pygame.Color(LIGHT.o)[:3]


def test_last_frame_after_a_move_shows_the_whole_board(window: HeadlessWindow) -> None:
    window.play("basic", "5").type("1")
    assert window.screen.is_moving
    while window.screen.is_moving:
        window.draw()
    moving = pygame.image.tobytes(window.app.window.get_surface(), "RGB")
    window.screen._before = None
    assert moving == pygame.image.tobytes(window.draw(), "RGB")


def test_connect_four_holes_and_last_move_are_drawn(
    window: HeadlessWindow,
) -> None:
    """Holes and dots are dashes of zero length, which the SVG reader would omit."""
    window.play("connect4", "4")
    for size in ((1080, 760), (360, 480), (500, 900)):
        surface = window.still(size)
        board = window.screen.board
        for column in range(7):
            x, y = map(round, board.centre(column))
            for aside in (-7, 0, 7):
                found = surface.get_at((round(x + aside * board.unit), y))[:3]
                assert found == pygame.Color(LIGHT.paper)[:3], f"column {column + 1}"
        right, down = board.centre(38)
        disc = surface.get_at((round(right + 5.5 * board.unit), round(down)))[:3]
        assert disc == pygame.Color(LIGHT.x)[:3]
        assert surface.get_at((round(right), round(down)))[:3] == pygame.Color(LIGHT.card)[:3]
        around = [cmath.rect(0.83 * board.unit * 10, angle / 100) for angle in range(628)]
        ring = {
            surface.get_at((round(right + at.real), round(down + at.imag)))[:3] for at in around
        }
        assert len(ring) > 3, "dots, with gaps between them"


def test_scaled_windows_are_sharp_and_clicked_in_place(
    opened: Callable[..., HeadlessWindow],
) -> None:
    window = opened(scale=2.0)
    window.play("basic").draw((1600, 1200))
    x, y = window.screen.board.spots()[8]
    window.click((2 * x, 2 * y))
    assert window.game.round.moves == [8]
    window.key("MINUS", mod=pygame.KMOD_CTRL)
    assert window.app.canvas.scale == pytest.approx(2 / 1.1)


def test_full_screen_and_back(window: HeadlessWindow) -> None:
    window.play("basic")
    window.key("F11")
    window.key("ESCAPE")
    assert isinstance(window.app.screen, GameScreen), "the first Esc leaves only the full screen"
    window.key("ESCAPE")
    assert isinstance(window.app.screen, SetUpScreen)
    window.key("ESCAPE")
    assert isinstance(window.app.screen, GameScreen)


def test_every_control_is_reached_by_tab_and_shows_its_focus(
    window: HeadlessWindow,
) -> None:
    window.play("ultimate", "55")
    names = [target.name for target in window.app.canvas.targets]
    reached = []
    for _ in names:
        before = pygame.image.tobytes(window.draw(), "RGB")
        window.key("TAB")
        reached.append(window.app.canvas.focus)
        assert pygame.image.tobytes(window.draw(), "RGB") != before
    assert sorted(reached) == sorted(names)


def test_focus_stays_in_a_small_window(window: HeadlessWindow) -> None:
    window.play("ultimate", "55 51 12").draw(SMALL)
    reached = set()
    for _ in window.app.canvas.targets:
        window.key("TAB")
        _, box, _, view = target = window.target(window.app.canvas.focus)
        assert target.holds(box.centre)
        assert view.y <= box.y
        assert box.bottom <= view.bottom
        reached.add(target.name)
    assert {"Move 1", "Board", "Save", "Theme"} <= reached
    window.app.canvas.focus = ""
    window.wheel(-99)
    window.key("RIGHT")
    board = window.target("Board")
    assert board.box.y >= board.view.y


def test_help_shows_the_keys_and_any_key_closes_it(window: HeadlessWindow) -> None:
    window.play("basic")
    window.type("?")
    assert window.screen.helping
    cut = [text for text, _ in window.written(SMALL) if "…" in text]
    assert cut == ["5, b2, 51 …"]
    window.type("5")
    assert not window.screen.helping
    assert window.game.ply == 0
    window.press("Keys")
    window.click((10, 300))
    assert not window.screen.helping


def test_long_move_lists_scroll(window: HeadlessWindow) -> None:
    start = noughts.game("mnk:19,19,5")
    rng = random.Random(5)
    moves: list[int] = []
    position = start
    while position.outcome() is None and len(moves) < 150:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    window.play("mnk:19,19,5", " ".join(noughts.move_texts(start, moves)))
    names = [target.name for target in window.app.canvas.targets]
    assert f"Move {len(moves)}" in names
    assert "Move 1" not in names
    box = window.screen._moves_box
    window.app.take(pygame.Event(pygame.MOUSEMOTION, pos=box.centre))
    for _ in range(100):
        window.app.take(pygame.Event(pygame.MOUSEWHEEL, precise_y=3.0))
    window.draw()
    assert "Move 1" in [target.name for target in window.app.canvas.targets]


def test_point_in_a_cell_selects_its_moves() -> None:
    pygame.display.init()
    pygame.font.init()
    canvas = Canvas(pygame.Surface((600, 600)))
    for rules_id in GAMES:
        position = noughts.game(rules_id)
        board = BoardWidget(position, Box(0, 0, 600, 600), False, canvas)
        for move, spot in board.spots().items():
            assert board.move_at(spot) == move
        assert board.move_at((599, 1)) is None


# Saving


def test_finished_games_are_appended_to_the_file(
    opened: Callable[..., HeadlessWindow], tmp_path: Path
) -> None:
    file = tmp_path / "games.txt"
    window = opened(save=file)
    window.play("basic").type("51927")
    window.type("3")
    assert window.game.round.is_over
    (kept,) = record.read(file)
    assert kept.moves == window.game.round.moves
    window.press("Rematch")
    window.type("5")
    assert window.game.farewell("noughts window")[0].startswith("Saved to")
    assert [len(each.moves) for each in record.read(file)] == [6, 1]


def test_file_name_is_asked_for_and_a_bad_one_is_explained(
    window: HeadlessWindow, tmp_path: Path
) -> None:
    window.play("basic", "5")
    window.press("Save")
    for _ in range(20):
        if window.screen.entry and window.screen.entry.text:
            window.key("BACKSPACE")
    window.type(f"{tmp_path}/no/such/folder.txt")
    window.key("RETURN")
    assert "Not saved" in window.said()
    window.press("Save")
    for _ in range(20):
        if window.screen.entry and window.screen.entry.text:
            window.key("BACKSPACE")
    window.type(f"{tmp_path}/kept.jsonl")
    window.key("RETURN")
    assert [each.moves for each in record.read(tmp_path / "kept.jsonl")] == [[4]]


def test_farewell_prints_the_command_to_continue(window: HeadlessWindow) -> None:
    window.play("ultimate", "55 51", o="random", swapped=True)
    *_, command = window.game.farewell("noughts window")
    words = shlex.split(command)
    assert words[:2] == ["noughts", "window"]
    assert noughts.position(words[2]) == noughts.game("ultimate")
    assert words[3:] == [
        *("--x", "human", "--o", "random", "--swapped", "--moves", "55 51"),
    ]
    window.play("basic")
    assert window.game.farewell("noughts window") == ["Goodbye."]


# Speed


def test_frames_do_not_wait_for_a_thinking_engine(window: HeadlessWindow) -> None:
    window.play("ultimate", o="alphabeta:seconds=3000").type("55")
    window.press("Analysis")
    assert window.game.is_thinking
    for _ in range(50):
        window.app.screen.update()
        window.app.draw()
    assert window.game.is_thinking


def test_window_closes_at_once_during_every_search() -> None:
    window = HeadlessWindow()
    window.play("ultimate", o="mcts:seconds=3000").type("55")
    window.press("Analysis")
    window.until(lambda: window.game.analysis is not None)
    pids = [thinker.pid for thinker in window.app.thinkers()]
    window.app.take(pygame.Event(pygame.QUIT))
    assert not window.app.running
    window.app.close()
    assert not any(pid is not None and is_running(pid) for pid in pids)


# The command


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (["chess"], 2, 'No game called "chess"'),
        (["basic", "--o", "nobody"], 2, "nobody"),
        (["basic~XXX.3.3~X"], 3, "The board has 3 X and 0 O"),
        (["basic", "--moves", "55"], 3, "--moves"),
        (["--cs50", "nothere.py"], 3, "nothere.py"),
        (["basic", "--theme", "pink"], 2, "pink"),
        (["--o", "random"], 2, "need a game"),
        (["--cs50", "--moves", "5"], 2, "need a game"),
    ],
)
def test_wrong_arguments_are_refused(words: list[str], code: int, complaint: str) -> None:
    answer = run("window", *words)
    assert answer.returncode == code
    assert complaint in answer.stderr
    assert "Traceback" not in answer.stderr


def test_without_pygame_the_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "pygame.py").write_text("raise ImportError('none', name='pygame')\n")
    answer = run_program("window", "basic", PYTHONPATH=str(tmp_path))
    assert answer.returncode == 2
    assert missing("The window", "pygame", "window") in answer.stderr


@pytest.mark.parametrize("driver", ["x11", "offscreen"])
def test_without_a_display_the_terminal_is_named(driver: str) -> None:
    answer = run_program("window", "basic", SDL_VIDEODRIVER=driver, DISPLAY=":12345")
    assert answer.returncode == 4
    assert "noughts play" in answer.stderr


@pytest.mark.parametrize("rules_id", [*GAMES, "nim"])
@pytest.mark.parametrize("inputs", [30, pytest.param(500, marks=pytest.mark.soak)])
@pytest.mark.usefixtures("nim")
def test_any_input_keeps_the_window_open(
    opened: Callable[..., HeadlessWindow],
    rules_id: str,
    inputs: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    window = opened(load=(NIM,))
    window.play(rules_id, o="random")
    rng = random.Random(rules_id)
    names = ["RETURN", "SPACE", "ESCAPE", "TAB", "BACKSPACE", "LEFT", "RIGHT", "UP", "DOWN"]
    names += ["HOME", "END", "PAGEUP", "PAGEDOWN", "F1", *"urhanmgspd?15ax/é", "a", "1"]
    for _ in range(inputs):
        size = window.app.window.size
        match rng.randrange(8):
            case 0:
                window.draw((rng.randrange(360, 1300), rng.randrange(480, 900)))
            case 1 | 2 | 3:
                window.click((rng.randrange(size[0]), rng.randrange(size[1])))
            case 4:
                window.app.take(pygame.Event(pygame.MOUSEWHEEL, precise_y=rng.uniform(-9, 9)))
                window.draw()
            case _:
                mod = pygame.KMOD_CTRL if rng.random() < 0.1 else 0
                window.key(rng.choice(names), mod=mod)
        window.app.screen.update()
    assert window.app.running
