"""The interface of the window's screens, and the parts that they share.

App ──event──► WindowScreen.key · press · wheel ──► changes its state
    ──canvas─► WindowScreen.draw ──► pixels and targets
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import pygame

from noughts.window.board import nearest
from noughts.window.drawing import BODY, LARGE, LEADING, SMALL, Box, Canvas

ARROWS = {
    pygame.K_LEFT: (-1, 0),
    pygame.K_RIGHT: (1, 0),
    pygame.K_UP: (0, -1),
    pygame.K_DOWN: (0, 1),
}
ENTER = (pygame.K_RETURN, pygame.K_KP_ENTER)
PRESS = (*ENTER, pygame.K_SPACE)
"""The keys that press a control."""
HEADER = 52.0
"""Height of the header line."""


class WindowScreen:
    """A screen: the whole content of the window.

    Args:
        canvas: the canvas to draw on.
        turn_theme: switches between light and dark.
    """

    def __init__(self, canvas: Canvas, turn_theme: Callable[[], None]) -> None:
        self.canvas, self.turn_theme = canvas, turn_theme
        self.name = ""
        """The name of the content, for the title of the window."""
        self._scroll = self._bottom = 0.0
        self._view = Box(0, 0, 0, 0)

    def draw(self) -> None:
        """Draw the screen; called after every possible change."""

    def update(self) -> bool:
        """Read results of the workers; return whether anything has changed."""
        return False

    @property
    def is_moving(self) -> bool:
        """Whether an animation needs a new drawing at every frame."""
        return False

    def press(self, point: tuple[float, float]) -> None:
        """Handle a click outside all targets."""

    def wheel(self, lines: float) -> None:
        """Handle the mouse wheel; positive `lines` scroll up."""

    def key(self, event: pygame.Event) -> bool:
        """Handle a key; return whether it has a meaning."""
        return self.move_focus(event)

    def close(self) -> None:
        """End the screen's worker processes and searches."""

    # The keyboard's focus

    def move_focus(self, event: pygame.Event) -> bool:
        """Move the focus with Tab and arrows; press a control with Enter or Space."""
        canvas = self.canvas
        names = [target.name for target in canvas.targets]
        if event.key == pygame.K_TAB and names:
            step = -1 if event.mod & pygame.KMOD_SHIFT else 1
            if canvas.focus in names:
                index = (names.index(canvas.focus) + step) % len(names)
            else:
                index = 0 if step > 0 else -1
            canvas.focus = names[index]
            self.reveal_focus()
            return True
        here = next((target for target in canvas.targets if target.name == canvas.focus), None)
        if here is None:
            return False
        if event.key in PRESS:
            here.act()
            return True
        if event.key in ARROWS:
            places = {target.name: target.box.centre for target in canvas.targets}
            # Controls form rows, so a target in the same row counts as nearer.
            canvas.focus = nearest(places, here.name, ARROWS[event.key], aside=2)
            self.reveal_focus()
            return True
        return False

    def reveal_focus(self) -> None:
        """Scroll the page so that the control with the focus is visible."""
        view = self._view
        for target in self.canvas.targets:
            if target.name == self.canvas.focus and target.view == view:
                above, below = target.box.y - 12 - view.y, target.box.bottom + 12 - view.bottom
                self._scroll += min(above, max(below, 0.0))

    # The page, which scrolls between the header and the footer

    def begin_page(self, view: Box, *, scrolls: bool = True) -> None:
        """Begin a page in a part of the window, as wide as the window."""
        most = self._bottom - view.bottom if scrolls else 0.0
        self._view, self._scroll = view, max(0.0, min(self._scroll, most))
        self.canvas.view, self.canvas.scroll = view, self._scroll

    def end_page(self, bottom: float) -> None:
        """End the page: paint over the parts outside its view, and draw a scroll bar.

        Args:
            bottom: the lower end of the page before scrolling.
        """
        canvas, view = self.canvas, self._view
        self._bottom = bottom
        canvas.view, canvas.scroll = Box(0, 0, *canvas.size), 0.0
        for outside in (
            canvas.view._replace(height=view.y),
            canvas.view._replace(y=view.bottom, height=canvas.view.bottom - view.bottom),
        ):
            if outside.height > 0:
                canvas.sheet(outside, canvas.theme.paper, width=0, round_=0)
        if bottom > view.bottom:
            share = view.height / (bottom - view.y)
            bar = Box(view.right - 5, view.y + share * self._scroll, 4, share * view.height)
            canvas.sheet(bar, canvas.theme.soft, width=0, round_=2)

    # Shared parts

    def header(self, title: str, *actions: tuple[str, str, Callable[[], None]]) -> None:
        """Draw the header: wordmark, title, theme button and others (name, label, action)."""
        canvas = self.canvas
        look = "Light" if canvas.is_dark else "Dark"
        width, _ = canvas.size
        middle = HEADER / 2
        x = 20.0 + canvas.text("n", 20, middle, LARGE - 2, bold=True)
        canvas.mark("O", x + 7, middle + 1.5, 17)
        x += 14 + canvas.text("ughts", x + 14, middle, LARGE - 2, bold=True)
        right = width - 14.0
        for name, label, act in reversed((("Theme", look, self.turn_theme), *actions)):
            wide = max(canvas.width(label) + 20, 40)
            box = Box(right - wide, middle - 20, wide, 40)
            if canvas.is_over(box):
                canvas.sheet(box.inset(3), canvas.theme.even_tint, round_=8)
            canvas.text(label, *box.centre, ink=canvas.theme.soft, align=0.5)
            canvas.target(name, box, act)
            right -= wide
        if right - x > 70:
            shown = canvas.fitting(title, right - x - 24, SMALL)
            canvas.text(shown, x + 18, middle + 1.5, SMALL, canvas.theme.soft)
        line = canvas.theme.line
        canvas.sheet(Box(0, HEADER - 1, width, 1), line, width=0, round_=0)

    def thinking_line(self, box: Box, ink: str) -> None:
        """Draw a thin progress line with a piece that moves back and forth."""
        canvas = self.canvas
        canvas.sheet(box, canvas.theme.line, width=0, round_=1)
        phase = time.monotonic() % 2.0
        share = phase if phase < 1 else 2 - phase
        piece = Box(box.x + share * (box.width - 60), box.y, 60, box.height)
        canvas.sheet(piece, ink, width=0, round_=1)

    def draw_list(self, title: str, lines: Sequence[tuple[str, str]]) -> Box:
        """Draw a card over everything else, with lines of a key and its action."""
        canvas = self.canvas
        width, height = canvas.size
        wide = min(470.0, width - 16)
        for size in (SMALL, 11.0):
            keys = max(canvas.width(key, size, bold=True) for key, _ in lines) + 14
            wrapped = [canvas.wrapped(said, wide - 32 - keys, size) for _, said in lines]
            count = sum(map(len, wrapped))
            step = min(BODY * LEADING + 3, (height - 16 - 84) / count)
            if step >= 18:
                break
        high = step * count + 84
        box = Box((width - wide) / 2, (height - high) / 2, wide, high)
        canvas.veil(0.75)
        canvas.card(box)
        canvas.text(title, box.x + 18, box.y + 30, 17, bold=True)
        y = box.y + 56 + step / 2
        for (key, _), said in zip(lines, wrapped, strict=True):
            canvas.text(key, box.x + 18, y, size, bold=True)
            for line in said:
                canvas.text(line, box.x + 18 + keys, y, size, canvas.theme.soft)
                y += step
        return box
