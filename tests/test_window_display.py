"""The window under Xvfb, with a real mouse and keyboard."""

from __future__ import annotations

import os
import random
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from command import NOUGHTS
from headless_window import HeadlessWindow, is_running
from needs import XDOTOOL, XVFB, needs_display
from patience import PATIENCE

import noughts
from noughts.games import record

pytestmark = needs_display


def _command(pid: str) -> bytes:
    """Return the command line of a process; nothing if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


class Display:
    """An Xvfb display, and a person who uses it."""

    def __init__(self) -> None:
        assert XVFB, "no Xvfb; make display installs it"
        assert XDOTOOL, "no xdotool; make display installs it"
        read, write = os.pipe()
        self._server = subprocess.Popen(
            [
                XVFB,
                "-displayfd",
                str(write),
                "-noreset",
                *("-screen", "0", "1200x900x24", "-nolisten", "tcp"),
            ],
            pass_fds=(write,),
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as pipe:
            self.name = f":{pipe.readline().strip()}"
        self.process: subprocess.Popen[str] | None = None
        self.window = ""

    def open(self, *words: str) -> None:
        environment = {**os.environ, "DISPLAY": self.name, "SDL_VIDEODRIVER": "x11"}
        self.process = subprocess.Popen(
            [NOUGHTS, "window", *words, "--theme", "light"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        end = time.monotonic() + PATIENCE
        # The title names the game once it has been drawn.
        while " · " not in (
            self.do("getwindowname", self.window, check=False) if self.window else ""
        ):
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < end, "no window appears"
            time.sleep(0.2)
            words = ("search", "--onlyvisible", "--pid", str(self.process.pid))
            self.window = self.do(*words, check=False).rpartition("\n")[2]

    def do(self, *words: str, check: bool = True) -> str:
        environment = {**os.environ, "DISPLAY": self.name}
        # xdotool reports missing windows on stderr, shown with a failed test.
        answer = subprocess.run(
            [str(XDOTOOL), *words],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            timeout=PATIENCE,
            check=check,
        )
        return answer.stdout.strip()

    def click(self, x: float, y: float) -> None:
        self.do("mousemove", "--window", self.window, str(round(x)), str(round(y)))
        self.do("click", "1")

    def key(self, *names: str) -> None:
        self.do("key", "--delay", "60", *names)

    def helpers(self, count: int = 0) -> list[int]:
        """Return the search processes of the window, once there are `count`."""
        assert self.process is not None
        task = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        end = time.monotonic() + PATIENCE
        while True:
            found = [
                int(pid) for pid in task.read_text().split() if b"window.searches" in _command(pid)
            ]
            if len(found) >= count:
                return found
            assert time.monotonic() < end, f"{len(found)} search processes"
            time.sleep(0.05)

    def leave(self) -> tuple[int, str, str]:
        """Close the window; return its exit code and output."""
        assert self.process is not None
        self.key("ctrl+q")
        out, complaints = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, complaints

    def end_server(self, how: signal.Signals) -> None:
        self._server.send_signal(how)
        self._server.wait()

    def end(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
        self._server.terminate()
        self._server.wait()


@pytest.fixture
def display() -> Iterator[Display]:
    shown = Display()
    yield shown
    shown.end()


@pytest.fixture(autouse=True)
def headless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the test's own windows off every display."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def spots_in(rules_id: str, size: tuple[int, int]) -> Callable[[str], tuple[float, float]]:
    """Return a function from a move to its cell's centre in a window of this size."""
    window = HeadlessWindow()
    window.play(rules_id).draw(size)
    board = window.screen.board
    start = noughts.game(rules_id)
    spots = {start.move_text(move): spot for move, spot in board.spots().items()}
    window.app.close()
    return spots.__getitem__


SIZE = (1080, 760)


def moves_said(out: str) -> list[str]:
    """Return the moves in the printed command that continues a game."""
    words = shlex.split(out.splitlines()[-1])
    return words[words.index("--moves") + 1].split()


def wait_for_games(file: Path, count: int) -> list[record.Record]:
    end = time.monotonic() + PATIENCE
    while True:
        games = list(record.read(file)) if file.exists() else []
        if len(games) >= count:
            return games
        assert time.monotonic() < end, f"{len(games)} games are saved"
        time.sleep(0.2)


def test_basic_by_mouse_to_its_end(display: Display, tmp_path: Path) -> None:
    at = spots_in("basic", SIZE)
    file = tmp_path / "games.txt"
    display.open("basic", "--o", "human", "--save", str(file))
    moves = ["5", "1", "9", "2", "3", "4", "7"]
    for move in moves:
        display.click(*at(move))
    (game,) = wait_for_games(file, 1)
    assert noughts.move_texts(game.start, game.moves) == moves
    assert game.result == "1-0"
    display.key("m", "5", "1", "u")
    code, out, complaints = display.leave()
    assert (code, complaints) == (0, "")
    assert moves_said(out) == ["5"]


def test_ultimate_by_mouse_to_its_end(display: Display, tmp_path: Path) -> None:
    at = spots_in("ultimate", SIZE)
    file = tmp_path / "games.txt"
    rng = random.Random(3)
    position, moves = noughts.game("ultimate"), []
    while position.outcome() is None:
        move = rng.choice(position.legal_moves())
        moves.append(position.move_text(move))
        position = position.play(move)
    display.open("ultimate", "--o", "human", "--save", str(file))
    for text in moves:
        display.click(*at(text))
    (game,) = wait_for_games(file, 1)
    assert noughts.move_texts(game.start, game.moves) == moves
    code, out, complaints = display.leave()
    assert (code, out.strip(), complaints) == (0, "Goodbye.", "")


def test_hint_analysis_resize_and_closing_during_a_search(display: Display) -> None:
    display.open("ultimate", "--o", "engine:seconds=300")
    display.key("h", "a")
    display.helpers(1)
    display.do("windowsize", "--sync", display.window, "420", "800")
    at = spots_in("ultimate", (420, 800))
    display.click(*at("55"))
    helpers = display.helpers(2)
    assert len(helpers) == 2
    code, out, complaints = display.leave()
    assert (code, complaints) == (0, "")
    assert moves_said(out) == ["55"]
    assert not any(map(is_running, helpers))


def test_killed_window_leaves_no_process(display: Display) -> None:
    display.open("ultimate", "--o", "mcts:seconds=300", "--moves", "55")
    assert display.process is not None
    helpers = display.helpers(2)
    assert len(helpers) == 2
    display.process.send_signal(signal.SIGKILL)
    display.process.communicate()
    end = time.monotonic() + PATIENCE
    while any(map(is_running, helpers)):
        assert time.monotonic() < end, "a search process survives its window"
        time.sleep(0.2)


def test_control_c_ends_with_its_exit_code(display: Display) -> None:
    display.open("basic", "--moves", "5", "--o", "human")
    assert display.process is not None
    display.process.send_signal(signal.SIGINT)
    out, complaints = display.process.communicate(timeout=PATIENCE)
    assert display.process.returncode == 130
    assert moves_said(out) == ["5"]
    assert "Traceback" not in complaints


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_lost_display_ends_with_a_sentence(
    display: Display, end: signal.Signals, tmp_path: Path
) -> None:
    file = tmp_path / "games.txt"
    display.open("basic", "--moves", "51", "--o", "engine:level=1", "--save", str(file))
    assert display.process is not None
    helpers = display.helpers()
    display.end_server(end)
    out, complaints = display.process.communicate(timeout=PATIENCE)
    assert (display.process.returncode, complaints) == (4, "noughts: The display was lost.\n")
    assert moves_said(out) == ["5", "1"]
    assert len(wait_for_games(file, 1)) == 1
    until = time.monotonic() + PATIENCE
    while any(map(is_running, helpers)):
        assert time.monotonic() < until, "a search process survives its window"
        time.sleep(0.2)
