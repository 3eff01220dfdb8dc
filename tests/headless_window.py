"""The window without a display, and a person who uses it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pygame
from patience import PATIENCE

import noughts
from noughts import Player
from noughts.window.app import App
from noughts.window.drawing import Box, Target
from noughts.window.game import GameScreen
from noughts.window.game_state import GameState

KEYS = {"RETURN": "\r", "SPACE": " ", "ESCAPE": "\x1b", "TAB": "\t"}


class HeadlessWindow:
    """A window without a display, and a person's actions."""

    def __init__(self, **settings: Any) -> None:
        self.app = App(**{"theme": "light", **settings})

    @property
    def game(self) -> GameState:
        assert self.app.game is not None
        return self.app.game

    @property
    def screen(self) -> GameScreen:
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
    ) -> HeadlessWindow:
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

    def written(self, size: tuple[int, int] | None = None) -> list[tuple[str, Box]]:
        """Draw, and return every line of text with its place in the window."""
        canvas, lines = self.app.canvas, []
        write = canvas.text

        def text(text: str, x: float, y: float, *args: Any, **more: Any) -> float:
            width = write(text, x, y, *args, **more)
            left = x - more.get("align", 0.0) * width
            lines.append((text, Box(left, y - canvas.scroll, width, 0)))
            return width

        with patch.object(canvas, "text", text):
            self.draw(size)
        return lines

    def still(self, size: tuple[int, int] | None = None) -> pygame.Surface:
        """Draw until no board fades into the next one."""
        surface = self.draw(size)
        while self.screen.is_moving:
            surface = self.draw()
        return surface

    def key(self, name: str, *, mod: int = 0, place: str = "") -> None:
        """Press a key by its name or its letter, at the place of another on an English keyboard."""
        code = getattr(pygame, f"K_{name}" if len(name) > 1 else f"K_{name.lower()}", 0)
        is_letter = len(name) == 1
        if is_letter and not name.isascii():
            code = ord(name.lower())
        text = KEYS.get(name, name if is_letter and not mod & pygame.KMOD_CTRL else "")
        scancode = getattr(pygame, f"KSCAN_{place or name.upper()}", 0) if is_letter else 0
        event = pygame.Event(pygame.KEYDOWN, key=code, unicode=text, mod=mod, scancode=scancode)
        self.app.take(event)
        self.draw()

    def type(self, text: str) -> None:
        for letter in text:
            event = pygame.Event(pygame.KEYDOWN, key=0, unicode=letter, mod=0, scancode=0)
            self.app.take(event)
        self.draw()

    def click(self, point: tuple[float, float]) -> None:
        self.app.take(pygame.Event(pygame.MOUSEMOTION, pos=point))
        self.app.take(pygame.Event(pygame.MOUSEBUTTONDOWN, pos=point, button=1))
        self.draw()

    def wheel(self, lines: float) -> None:
        self.app.take(pygame.Event(pygame.MOUSEWHEEL, precise_y=lines))
        self.draw()

    def target(self, name: str) -> Target:
        """Return a control by its name."""
        found = [target for target in self.app.canvas.targets if target.name == name]
        assert found, f"{name} is not among {[t.name for t in self.app.canvas.targets]}"
        return found[0]

    def press(self, name: str) -> None:
        """Click a control by its name."""
        target = self.target(name)
        assert target.holds(target.box.centre), f"{name} is not visible"
        self.click(target.box.centre)

    def click_move(self, text: str) -> None:
        """Click the cell of a move, legal or not."""
        board = self.screen.board
        move = noughts.game(self.game.start.rules_id).parse_move(text)
        spots = board.spots()
        position = board.position
        assert hasattr(position, "cell")
        self.click(spots[move] if move in spots else board.centre(position.cell(move)))

    def until(self, true: Callable[[], bool]) -> None:
        """Update the window until a condition holds."""
        end = time.monotonic() + PATIENCE
        while not true():
            assert time.monotonic() < end, "the condition was never met"
            self.app.screen.update()
            time.sleep(0.005)
        self.draw()

    def said(self) -> str:
        return " ".join(text for text, _, _ in self.screen._said())


def is_running(pid: int) -> bool:
    """Return whether a process runs; a zombie does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
