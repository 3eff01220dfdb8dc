"""Make the pictures of the README and of `docs/`: `make pictures`."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pexpect
from playwright.sync_api import Browser, sync_playwright
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from noughts.games.position import move_texts
from noughts.puzzles.puzzle import puzzles_of
from noughts.site import offline

PICTURES = Path(__file__).parent / "pictures"
CHROMIUM = shutil.which("chromium-headless-shell")
NOUGHTS = Path(sys.executable).with_name("noughts")
COLUMNS = 84

PAPER = TerminalTheme(
    (251, 250, 248),
    (28, 31, 35),
    [
        (28, 31, 35),
        (179, 38, 30),
        (13, 122, 95),
        (154, 103, 0),
        (29, 95, 209),
        (121, 80, 178),
        (13, 122, 122),
        (107, 112, 120),
    ],
    [
        (107, 112, 120),
        (179, 38, 30),
        (13, 122, 95),
        (154, 103, 0),
        (29, 95, 209),
        (121, 80, 178),
        (13, 122, 122),
        (28, 31, 35),
    ],
)
"""The colours of the light theme, for terminals."""

FRAME = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<style>
.{unique_id}-matrix {{
  font: {char_height}px "DejaVu Sans Mono", Menlo, Consolas, monospace;
  line-height: {line_height}px;
}}
{styles}
</style>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
<rect width="{width}" height="{height}" rx="10" fill="#fbfaf8" stroke="#dedbd5"/>
<g transform="translate(20, 24)" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def session(arguments: list[str], entries: list[str]) -> str:
    """Return the last screen of `noughts` in a pseudo-terminal, after some typed lines."""
    terminal = pexpect.spawn(
        str(NOUGHTS),
        arguments,
        dimensions=(40, COLUMNS),
        encoding="utf-8",
        env={"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"},
    )
    log = io.StringIO()
    terminal.logfile_read = log
    for entry in entries:
        terminal.expect(r"\(you\)[^:]*: ")
        terminal.sendline(entry)
    terminal.expect(r"\(you\)[^:]*: ")
    terminal.close()
    screen = re.split(r"\x1b\[2J(?:\x1b\[H)?|\x1b\[H", log.getvalue())[-1]
    return settled(re.sub(r"\x1b\[\?[0-9]+[hl]", "", screen))


def settled(screen: str) -> str:
    """Return the final text of a screen after cursor movements and erased lines.

    >>> settled("one\\r\\ntwo\\r\\n\\x1b[1A\\x1b[2Kthree")
    'one\\nthree\\n'
    """
    lines, row = [""], 0
    for part in re.split(r"(\r\n|\r|\n|\x1b\[[0-9]*A|\x1b\[2K)", screen):
        if part.endswith("\n"):
            row += 1
            lines += [""] * (row == len(lines))
        elif part.endswith("A") and part.startswith("\x1b["):
            row -= int(part[2:-1] or 1)
        elif part == "\x1b[2K":
            lines[row] = ""
        elif part != "\r":
            lines[row] += part
    return "\n".join(lines)


def stepped(arguments: list[str], keys: str) -> str:
    """Return the screen of `noughts step` after some keys."""
    terminal = pexpect.spawn(
        str(NOUGHTS),
        ["step", *arguments],
        dimensions=(24, 80),
        encoding="utf-8",
        env={"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"},
    )
    for key in ("", *keys):
        terminal.send(key)
        terminal.expect("q quit")
    frame: str = terminal.before.split("\x1b[H")[-1] + terminal.after
    terminal.close()
    return frame.replace("\r\n", "\n")


def picture(name: str, text: str) -> None:
    """Write a screen as `name`.svg, without external fonts."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(text))
    svg = console.export_svg(title="", theme=PAPER, code_format=FRAME, unique_id=name)
    PICTURES.mkdir(exist_ok=True)
    (PICTURES / f"{name}.svg").write_text(svg, encoding="utf-8")


def charts() -> None:
    """Draw the charts of docs/compare.md, light and dark."""
    for name, arguments in (("compare", ["basic"]), ("growth", ["--sizes"])):
        for theme, suffix in (("light", ""), ("dark", "-dark")):
            path = PICTURES / f"{name}{suffix}.svg"
            options = ["--seconds", "600", "-o", str(path), "--theme", theme]
            command = [str(NOUGHTS), "compare", *arguments, *options]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def tree() -> None:
    """Draw the tree of docs/see.md; it follows the reader's theme."""
    words = ["tree", "basic", "--moves", "51379", "--output", str(PICTURES / "tree.svg")]
    subprocess.run([NOUGHTS, *words], check=True)


def replays() -> None:
    """Take screenshots of the replay at a cutoff, with one search and with two."""
    two = ["--algorithm", "minimax", "--algorithm", "alphabeta"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, options, cutoffs, height in (
            ("replay", [], 2, 900),
            ("replay-two", two, 2, 900),
        ):
            page = Path(folder) / f"{name}.html"
            command = [str(NOUGHTS), "replay", "basic", "--moves", "1547", "-o", str(page)]
            subprocess.run([*command, *options], check=True, stdout=subprocess.DEVNULL)
            tab = browser.new_page(viewport={"width": 1180, "height": height})
            tab.goto(page.as_uri())
            for _ in range(cutoffs):
                tab.get_by_role("button", name="Next cutoff").click()
            tab.screenshot(path=PICTURES / f"{name}.png", animations="disabled")
        browser.close()


def reports() -> None:
    """Take screenshots of a match report: the results, and a game at a move."""
    match = ["level5=engine:level=5", "depth2=alphabeta:depth=2", "random"]
    match += [f"--game={rules}" for rules in ("basic", "connect4", "ultimate")]
    match += ["--pairs", "8", "--nodes", "1000", "--event", "The spring cup"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        games, page = Path(folder) / "cup.jsonl", Path(folder) / "report.html"
        for words in (
            ["match", *match, "--out", str(games)],
            ["results", str(games), "--regret", "--nodes", "5000", "-o", str(page)],
        ):
            subprocess.run([NOUGHTS, *words], check=True, stdout=subprocess.DEVNULL)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1180, "height": 900})
        tab.goto(page.as_uri())
        tab.screenshot(path=PICTURES / "report.png", animations="disabled")
        tab.goto(f"{page.as_uri()}#14.42")
        tab.screenshot(path=PICTURES / "report-game.png", animations="disabled")
        browser.close()


def sheets() -> None:
    """Take a screenshot of an exercise and its answer key."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder) / "sheet.html"
        words = ["alphabeta", "--count", "1", "--depth", "2", "--branching", "3", "--seed", "3"]
        words = ["exercise", "make", *words, "--out", str(page)]
        subprocess.run([NOUGHTS, *words], check=True, stdout=subprocess.DEVNULL)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 820, "height": 900})
        tab.goto(page.as_uri())
        tab.screenshot(path=PICTURES / "exercises.png", animations="disabled", full_page=True)
        browser.close()


MIDDLE_GAME = (
    "58 83 32 26 68 86 66 69 99 97 73 35 51 12 21 14 44 47 75 54 41 11 13 39 96 62 24 43 37 77 79 "
    "93 31 17 76 64"
)
"""A game of ultimate between two low levels: each has won a board, X moves on board 4."""


@contextlib.contextmanager
def served(*options: str) -> Iterator[tuple[str, Browser]]:
    """Serve the page; yield its address, or that for checks if it checks files, and a browser."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        command = [str(NOUGHTS), "serve", "--port", "0", "--database", f"{folder}/games.db"]
        server = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        for _ in range(1 + ("--check-files" in options)):
            said = re.search(r"http://\S+", server.stdout.readline())
        assert said is not None
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield said[0], browser
        browser.close()
        server.terminate()
        server.wait(30)


def pages() -> None:
    """Take screenshots of the home page, and of a game with analysis: light, dark, on a phone."""
    large, phone = {"width": 1240, "height": 860}, {"width": 390, "height": 1180}
    looks: list[tuple[str, dict[str, Any]]] = [
        ("page", {"viewport": large}),
        ("page-dark", {"viewport": large, "color_scheme": "dark"}),
        ("page-phone", {"viewport": phone, "device_scale_factor": 2}),
    ]
    wanted = {"start": "ultimate", "moves": MIDDLE_GAME, "x": "me", "o": "engine:level=6"}
    with served() as (address, browser):
        tab = browser.new_page(viewport={"width": 1240, "height": 920})
        tab.goto(address)
        tab.locator(".home-more svg.board").first.wait_for()
        tab.screenshot(path=PICTURES / "home.png", animations="disabled")
        for name, look in looks:
            context = browser.new_context(**look)
            opened = context.request.post(f"{address}api/v1/games", data=wanted).json()
            tab = context.new_page()
            tab.goto(f"{address}game/{opened['id']}")
            tab.get_by_role("button", name="Analysis").click()
            # The analysis ends after twenty seconds.
            tab.wait_for_timeout(22_000)
            tab.screenshot(path=PICTURES / f"{name}.png", animations="disabled")
            context.close()


def friends() -> None:
    """Take a screenshot of a game between two people: names, clocks, and the offer of a draw."""
    with served() as (address, browser):
        people = [browser.new_context(viewport={"width": 1240, "height": 860}) for _ in range(2)]
        games = f"{address}api/v1/games"
        wanted = {"start": "ultimate", "o": "guest", "clock": "180+2", "name": "Ada"}
        game = people[0].request.post(games, data=wanted).json()
        path = f"{games}/{game['id']}"
        invitation = {"key": game["keys"]["join"], "name": "Ben"}
        game = people[1].request.post(f"{path}/join", data=invitation).json()
        for number, move in enumerate(MIDDLE_GAME.split()[:17]):
            body = {"version": game["version"], "move": move}
            game = people[number % 2].request.post(f"{path}/moves", data=body).json()
        tabs = [person.new_page() for person in people]
        for tab in tabs:
            tab.goto(f"{address}game/{game['id']}")
            tab.locator(".time-left.running").wait_for()
        people[0].request.post(f"{path}/draw", data={"version": game["version"]})
        tabs[1].get_by_role("button", name="Accept").wait_for()
        tabs[1].wait_for_timeout(1_000)
        tabs[1].screenshot(path=PICTURES / "friends.png", animations="disabled")


def swap2() -> None:
    """Take a screenshot of the choice of a side in swap2."""
    with served() as (address, browser):
        person = browser.new_context(viewport={"width": 1240, "height": 860})
        wanted = {"start": "mnk:15,15,5", "o": "guest", "clock": "600+5", "name": "Ada"}
        games = f"{address}api/v1/games"
        data = {**wanted, "opening": "swap2", "moves": "h8 i7 k10"}
        game = browser.new_context().request.post(games, data=data).json()
        invitation = {"key": game["keys"]["join"], "name": "Ben"}
        person.request.post(f"{games}/{game['id']}/join", data=invitation)
        tab = person.new_page()
        tab.goto(f"{address}game/{game['id']}")
        tab.get_by_role("button", name="Add two stones", disabled=False).wait_for()
        tab.wait_for_timeout(1_000)
        tab.screenshot(path=PICTURES / "swap2.png", animations="disabled")


def puzzles() -> None:
    """Take screenshots of the list of puzzles, and of a solved puzzle."""
    solved = next(
        each for each in puzzles_of("ultimate") if each.moves == 3 and each.level == "medium"
    )
    texts = move_texts(solved.position, solved.line)
    with served() as (address, browser):
        tab = browser.new_page(viewport={"width": 1240, "height": 860})
        tab.goto(f"{address}puzzles?level=medium&rules=ultimate")
        for card in (".puzzle-card", ".puzzle-today svg.board"):
            tab.locator(card).first.wait_for()
        tab.screenshot(path=PICTURES / "puzzles.png", animations="disabled")
        tab.goto(f"{address}puzzles/{solved.id}")
        tab.locator(".cell.may").first.wait_for()
        for own in texts[::2]:
            tab.keyboard.type(own)
            tab.locator(".verdict", has_text=re.compile("replies|Solved")).wait_for()
        tab.get_by_role("link", name="Next puzzle").wait_for()
        tab.wait_for_timeout(1_000)
        tab.screenshot(path=PICTURES / "puzzle.png", animations="disabled")


def explorer() -> None:
    """Take a screenshot of the explorer."""
    with served() as (address, browser):
        tab = browser.new_page(viewport={"width": 1240, "height": 800})
        tab.goto(f"{address}explore/connect4?moves=3")
        tab.locator(".explored-value .chip").first.wait_for()
        tab.wait_for_timeout(1_000)
        tab.screenshot(path=PICTURES / "explorer.png", animations="disabled")


def checks() -> None:
    """Take a screenshot of the check of a file whose `winner` misses a diagonal."""
    source = (PICTURES.parents[1] / "examples/bots/tictactoe.py").read_text(encoding="utf-8")
    missed = "    lines.append([board[i][2 - i] for i in range(3)])\n"
    file = source.replace(missed, "").encode()
    with served("--check-files") as (address, browser):
        tab = browser.new_page(viewport={"width": 980, "height": 1030})
        tab.goto(address)
        given: Any = {"name": "tictactoe.py", "mimeType": "text/x-python", "buffer": file}
        tab.locator("input[type=file]").set_input_files([given])
        tab.locator(".check-report").wait_for(timeout=300_000)
        tab.screenshot(path=PICTURES / "check.png", animations="disabled")


def windows() -> None:
    """Take screenshots of the window without a display: analysis, and the course's game."""
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    import pygame

    from noughts import Player, game, parse_moves
    from noughts.window.app import App
    from noughts.window.cs50_screen import CourseScreen

    app = App(theme="light")

    def photograph(name: str, size: tuple[int, int], ready: Callable[[], bool]) -> None:
        app.window.size = size
        while not ready():
            app.screen.update()
            time.sleep(0.02)
        for _ in range(2):
            # The second drawing shows the board after it has faded in.
            app.draw()
            time.sleep(0.5)
        app.draw()
        pygame.image.save(app.window.get_surface(), PICTURES / f"{name}.png")

    start = game("ultimate")
    moves = parse_moves(start, type(start).sample.partition(" ")[2])
    sides = {Player.X: "human", Player.O: "engine:level=6"}
    app.play(start, sides, moves=moves)
    state = app.game
    assert state is not None
    state.analyse()
    for theme in ("window", "window-dark"):
        photograph(theme, (1080, 760), lambda: state.analysis is not None and state.analysis.done)
        app.turn_theme()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        student = Path(folder) / "tictactoe.py"
        student.write_text(
            "from noughts.cs50 import *\ndef minimax(board): return max(actions(board))\n"
        )
        app.study(student.name)
        screen = app.screen
        assert isinstance(screen, CourseScreen)
        screen.choose("X")
        photograph("window-cs50", (560, 640), lambda: not screen.is_waiting)
        screen.play(0)
        photograph("window-cs50", (560, 640), lambda: not screen.is_waiting)
    app.close()


def icons() -> None:
    """Draw the icons of the installed page: with the corners of icon.svg, or to the edges."""
    drawing = (files("noughts.web") / "static/icon.svg").read_text(encoding="utf-8")
    square = drawing.replace(' rx="7"', "")
    assert square != drawing
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, svg in (("icon-192", drawing), ("icon-512", drawing), ("icon-maskable", square)):
            size = 192 if name == "icon-192" else 512
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f'<body style="margin: 0; line-height: 0">{svg}')
            page.screenshot(path=Path(str(offline.STATIC)) / f"{name}.png", omit_background=True)
        browser.close()


def main() -> None:
    icons()
    windows()
    charts()
    replays()
    reports()
    sheets()
    pages()
    friends()
    swap2()
    puzzles()
    explorer()
    checks()
    picture(
        "ultimate",
        session(
            [
                "play",
                "ultimate",
                "--o",
                "alphabeta:depth=3",
                "--moves",
                "55 51 15 52 25 53 35 28 85",
            ],
            ["analyse"],
        ),
    )
    tree()
    picture("step", stepped(["basic", "--moves", "1547"], "ccc"))


if __name__ == "__main__":
    main()
