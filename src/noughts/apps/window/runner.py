"""The screen of the course's game: choose X or O, play, see how it ended, play again.

click ──► Worker("begin" · "play" · "answer") ──► Seen ──► the board
                                              └─► a fault, as a sentence; the window goes on
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pygame

from noughts.apps.window.board import Board, Layer, toward
from noughts.apps.window.course import Calling, Seen, position_of, serve
from noughts.apps.window.paint import BODY, CONTROL, LEADING, Box, Canvas
from noughts.apps.window.screen import ARROWS, HEADER, Screen
from noughts.apps.window.worker import Worker
from noughts.games.row import Basic

SLOW = 10.0
"""Seconds after which the window says that a function has not answered."""


class RunnerScreen(Screen):
    """The screen of the course's game.

    Args:
        canvas: what it is drawn on.
        module: the path of a Python file, or the name of a module.
        turn_theme: changes between light and dark.
    """

    def __init__(self, canvas: Canvas, module: str, turn_theme: Callable[[], None]) -> None:
        super().__init__(canvas)
        self.module = module
        self.name = f"CS50 · {module}"
        self.turn_theme = turn_theme
        self._worker = Worker(serve, module)
        self.person: str | None = None
        """The letter that the person plays."""
        self.seen: Seen | None = None
        self.fault = ""
        self.remark = ""
        self.calling = ""
        """The function that has not returned yet."""
        self._waiting_since: float | None = None
        self.cursor: int | None = None
        self.board = Board(Basic.start(), Box(0, 0, 90, 90), False, canvas)

    # What goes on

    @property
    def is_waiting(self) -> bool:
        """Whether the module has not answered yet."""
        return self._waiting_since is not None

    @property
    def waited(self) -> float:
        """Seconds for which the module has not answered."""
        return 0.0 if self._waiting_since is None else time.monotonic() - self._waiting_since

    @property
    def may_move(self) -> bool:
        return (
            self.seen is not None
            and not self.is_waiting
            and not self.fault
            and self.seen.turn is not None
            and self.seen.turn == self.person
        )

    @property
    def over(self) -> bool:
        return bool(self.fault) or (self.seen is not None and self.seen.over)

    def choose(self, letter: str) -> None:
        """Begin a game, the person playing `letter`."""
        self.person = letter
        self.seen, self.fault, self.remark = None, "", ""
        self._ask("begin")

    def again(self) -> None:
        """Let the person choose again; the module is read anew, as it is by then."""
        self._worker.end()
        self._waiting_since = None
        self.person = self.seen = self.cursor = None
        self.fault = self.remark = ""
        self.canvas.focus = ""

    def play(self, cell: int) -> None:
        """Play a move of the person."""
        if self.may_move and self.seen is not None and self.seen.cells[cell] is None:
            self._ask("play", cell)

    def stop(self) -> None:
        """End a function that does not return."""
        if self.is_waiting:
            self._worker.end()
            self._end(f"{self.calling} was stopped after {self.waited:.0f} s without an answer.")

    def _ask(self, request: str, cell: int | None = None) -> None:
        self.cursor = None
        self._waiting_since = time.monotonic()
        self.calling = f"Loading {self.module}"
        self._worker.send((request, cell))

    def _end(self, fault: str) -> None:
        self.fault = fault
        self._waiting_since = None

    def update(self) -> bool:
        try:
            answers = self._worker.poll()
        except EOFError:
            self._end(f"{self.calling} has ended Python itself; expected was an answer.")
            return True
        for answer in answers:
            if isinstance(answer, Calling):
                self.calling = answer.function
            elif isinstance(answer, Seen):
                self._see(answer)
            else:
                self._end(answer)
        return bool(answers)

    def _see(self, seen: Seen) -> None:
        self.seen = seen
        self._waiting_since = None
        if seen.remark:
            self.remark = seen.remark
        if not seen.over and seen.turn != self.person:
            self._ask("answer")

    @property
    def is_moving(self) -> bool:
        return self.is_waiting

    def close(self) -> None:
        self._worker.end()

    def title(self) -> str:
        """Return the line over the board, as the course words it."""
        if self.person is None:
            return "Play Tic-Tac-Toe"
        if self.fault:
            return "The game cannot go on"
        if self.seen is not None and self.seen.over:
            winner = self.seen.winner
            return "Game Over: Tie." if winner is None else f"Game Over: {winner} wins."
        if self.may_move:
            return f"Play as {self.person}"
        return "Computer thinking..."

    # Drawing

    def draw(self) -> None:
        canvas, theme = self.canvas, self.canvas.theme
        width, height = canvas.size
        letter = self.person or "X"
        canvas.ring = theme.x if letter == "X" else theme.o
        look = "Light" if canvas.is_dark else "Dark"
        self.header(self.name, [("Theme", look, self.turn_theme)])
        inner = min(width - 32, 560.0)
        x = (width - inner) / 2
        ink = theme.bad if self.fault else ""
        canvas.text(self.title(), width / 2, HEADER + 30, 20, ink, bold=True, align=0.5)
        if self.is_waiting:
            self.thinking_line(Box(width / 2 - 90, HEADER + 48, 180, 2), theme.ink)
        said = self._said()
        lines = sum(len(canvas.wrapped(text, inner)) for text, _ in said)
        below = lines * BODY * LEADING + (8 if said else 0) + CONTROL + 34
        top = HEADER + 58
        side = max(min(inner, height - top - below), 120.0)
        self._draw_board(Box(x, top, inner, side))
        y = top + side + 12
        for text, colour in said:
            y = canvas.paragraph(text, Box(x, y, inner, height - y), ink=colour) + 4
        self._draw_buttons(Box(x, y + 4, inner, CONTROL))

    def _said(self) -> list[tuple[str, str]]:
        theme = self.canvas.theme
        said = [(text, theme.bad) for text in (self.fault,) if text]
        if self.remark:
            said.append((self.remark, theme.ink))
        if self.waited > SLOW:
            text = f"{self.calling} has not answered for {self.waited:.0f} s. Stop ends it."
            said.append((text, theme.ink))
        return said

    def _draw_board(self, room: Box) -> None:
        canvas = self.canvas
        position = position_of(self.seen.cells if self.seen else [None] * 9)
        self.board = Board(position, room, False, canvas)
        ghost = None
        if canvas.pointer is not None and self.may_move:
            ghost = self.board.move_at(canvas.pointer)
        last = self.seen.last if self.seen else None
        layer = Layer(ghost=ghost, cursor=self.cursor if self.may_move else None, last=last)
        self.board.draw(canvas, layer)
        if self.may_move:
            canvas.target("Board", self.board.box, self._press_board, ring=False)

    def _press_board(self) -> None:
        if self.canvas.pointer is not None:
            cell = self.board.move_at(self.canvas.pointer)
            if cell is not None:
                self.play(cell)

    def _draw_buttons(self, box: Box) -> None:
        canvas = self.canvas
        half = (box.width - 12) / 2
        left, right = box._replace(width=half), box._replace(x=box.x + half + 12, width=half)
        middle = box._replace(x=box.x + box.width / 4, width=box.width / 2)
        if self.person is None:
            canvas.button("Play as X", left, lambda: self.choose("X"))
            canvas.button("Play as O", right, lambda: self.choose("O"))
        elif self.over:
            canvas.button("Play Again", middle, self.again, on=True)
        elif self.is_waiting:
            canvas.button("Stop", middle, self.stop)

    # Keys

    def key(self, event: pygame.Event) -> bool:
        letter = event.unicode.lower()
        enter = event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE)
        if letter == "d":
            self.turn_theme()
            return True
        if self.person is None:
            if letter in ("x", "o") and letter:
                self.choose(letter.upper())
                return True
            return self.move_focus(event)
        if self.over and enter and not self.canvas.focus:
            self.again()
            return True
        if event.key == pygame.K_ESCAPE:
            self.stop()
            return True
        if self.may_move and self.canvas.focus in ("", "Board"):
            if event.key in ARROWS:
                self.cursor = toward(self.board.spots(), self.cursor, ARROWS[event.key])
                return True
            if enter and self.cursor is not None:
                self.play(self.cursor)
                return True
            if letter.isdecimal() and letter.isascii() and letter != "0":
                self.play(int(letter) - 1)
                return True
        return self.move_focus(event)
