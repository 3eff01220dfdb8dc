"""The screen of the CS50 AI course's game: choose X or O, play, see the result, play again.

click ──► Worker("begin" · "play" · "answer") ──► CheckedBoard ──► board
                                              └─► CourseError: a sentence, and its board
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pygame

from noughts.games.row import Basic
from noughts.school.student import position_of
from noughts.window.board import BoardWidget, Layer, toward
from noughts.window.cs50_functions import (
    EMPTY_BOARD,
    CheckedBoard,
    CourseError,
    FunctionCall,
    serve,
)
from noughts.window.drawing import BODY, CONTROL, LEADING, Box, Canvas
from noughts.window.keys import key_of
from noughts.window.screen import ARROWS, HEADER, PRESS, WindowScreen
from noughts.window.worker import Worker

SLOW = 10.0
"""Seconds until the window reports that a function has not returned."""


class CourseScreen(WindowScreen):
    """The screen of the course's game.

    Args:
        canvas: the canvas to draw on.
        module: path of a Python file, or name of a module.
        turn_theme: switches between light and dark.
    """

    def __init__(self, canvas: Canvas, module: str, turn_theme: Callable[[], None]) -> None:
        super().__init__(canvas, turn_theme)
        self.module = module
        self.name = f"CS50 · {module}"
        self._worker = Worker(serve, module)
        self.person: str | None = None
        """The person's letter; `None` before the choice."""
        self.checked: CheckedBoard | None = None
        self.error = ""
        self.remark = ""
        self.calling = ""
        """The function that is running."""
        self._waiting_since: float | None = None
        self.cursor: int | None = None
        self.board = BoardWidget(Basic.start(), Box(0, 0, 90, 90), False, canvas)

    # State

    @property
    def is_waiting(self) -> bool:
        """Whether a function is running."""
        return self._waiting_since is not None

    @property
    def waited(self) -> float:
        """Seconds since the request to the module; 0 if none is open."""
        return 0.0 if self._waiting_since is None else time.monotonic() - self._waiting_since

    @property
    def may_move(self) -> bool:
        return (
            self.checked is not None
            and not self.is_waiting
            and not self.error
            and self.checked.turn is not None
            and self.checked.turn == self.person
        )

    @property
    def over(self) -> bool:
        return bool(self.error) or (self.checked is not None and self.checked.over)

    def choose(self, letter: str) -> None:
        """Begin a game in which the person plays `letter`."""
        self.person = letter
        self.checked, self.error, self.remark = None, "", ""
        self._ask("begin")

    def again(self) -> None:
        """Go back to the choice of letter; the next game loads the module again."""
        self._worker.end()
        self._waiting_since = None
        self.person = self.checked = self.cursor = None
        self.error = self.remark = ""
        self.canvas.focus = ""

    def play(self, cell: int) -> None:
        """Play the person's move."""
        if self.may_move and self.checked is not None and self.checked.board[cell] == ".":
            self._ask("play", cell)

    def stop(self) -> None:
        """Stop the function that is running."""
        if self.is_waiting:
            self._worker.end()
            self._end(f"You stopped {self.calling} after {self.waited:.0f} s.")

    def _ask(self, request: str, cell: int | None = None) -> None:
        self.cursor = None
        self._waiting_since = time.monotonic()
        self.calling = f"Loading {self.module}"
        self._worker.send((request, cell))

    def _end(self, fault: str) -> None:
        self.error = fault
        self._waiting_since = None

    def update(self) -> bool:
        try:
            answers = self._worker.poll()
        except EOFError:
            self._end(f"{self.calling} ended the Python process; expected a return value.")
            return True
        for answer in answers:
            if isinstance(answer, FunctionCall):
                self.calling = answer.function
            elif isinstance(answer, CheckedBoard):
                self._show(answer)
            elif isinstance(answer, CourseError):
                self._end(answer.says)
                if answer.board:
                    self.checked = CheckedBoard(answer.board, None, None, None)
        return bool(answers)

    def _show(self, checked: CheckedBoard) -> None:
        self.checked = checked
        self._waiting_since = None
        if checked.remark:
            self.remark = checked.remark
        if not checked.over and checked.turn != self.person:
            self._ask("answer")

    @property
    def is_moving(self) -> bool:
        return self.is_waiting

    def close(self) -> None:
        self._worker.end()

    def title(self) -> str:
        """Return the heading, in the course's words."""
        if self.person is None:
            return "Play Tic-Tac-Toe"
        if self.error:
            return "Your code has an error"
        if self.checked is not None and self.checked.over:
            winner = self.checked.winner
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
        self.header(self.name)
        inner = min(width - 32, 560.0)
        x = (width - inner) / 2
        ink = theme.bad if self.error else ""
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
        said = [(text, theme.bad) for text in (self.error,) if text]
        if self.remark:
            said.append((self.remark, theme.ink))
        if self.waited > SLOW:
            text = f"{self.calling} has been running for {self.waited:.0f} s. Press Stop to end it."
            said.append((text, theme.ink))
        return said

    def _draw_board(self, room: Box) -> None:
        canvas = self.canvas
        position = position_of(self.checked.board if self.checked else EMPTY_BOARD)
        self.board = BoardWidget(position, room, False, canvas)
        ghost = None
        if canvas.pointer is not None and self.may_move:
            ghost = self.board.move_at(canvas.pointer)
        last = self.checked.last if self.checked else None
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
        letter = key_of(event).lower()
        enter = event.key in PRESS
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
