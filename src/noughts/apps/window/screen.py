"""What all screens of the window share: events in, a drawing out.

App ──event──► Screen.key · click · wheel ──► changes what it shows
    ──canvas─► Screen.draw ──► pixels and targets
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import pygame

from noughts.apps.window.paint import BODY, LARGE, LEADING, SMALL, Box, Canvas, Target

ARROWS = {
    pygame.K_LEFT: (-1, 0),
    pygame.K_RIGHT: (1, 0),
    pygame.K_UP: (0, -1),
    pygame.K_DOWN: (0, 1),
}
HEADER = 52.0
"""The height of the line with the name."""


class Screen:
    """One thing that the window shows at a time.

    Args:
        canvas: what it is drawn on.
    """

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self.name = ""
        """What is shown, for the title of the window."""

    def draw(self) -> None:
        """Draw everything; called whenever something may have changed."""

    def update(self) -> bool:
        """Take in what has come from other processes; return whether anything has changed."""
        return False

    @property
    def is_moving(self) -> bool:
        """Whether the picture changes by itself, and is drawn at every frame."""
        return False

    def press(self, point: tuple[float, float]) -> None:
        """Take a click that is on no target."""

    def wheel(self, lines: float) -> None:
        """Take a turn of the wheel, upwards if `lines` is positive."""

    def key(self, event: pygame.Event) -> bool:
        """Take a key; return whether it meant anything."""
        return self.move_focus(event)

    def close(self) -> None:
        """End what is under way beside the window."""

    # The keyboard's focus

    def move_focus(self, event: pygame.Event) -> bool:
        """Go from control to control by Tab and arrows, and press them by Enter or Space."""
        canvas = self.canvas
        names = [target.name for target in canvas.targets]
        if event.key == pygame.K_TAB and names:
            step = -1 if event.mod & pygame.KMOD_SHIFT else 1
            if canvas.focus in names:
                index = (names.index(canvas.focus) + step) % len(names)
            else:
                index = 0 if step > 0 else -1
            canvas.focus = names[index]
            return True
        here = next((target for target in canvas.targets if target.name == canvas.focus), None)
        if here is None:
            return False
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            here.act()
            return True
        if event.key in ARROWS:
            canvas.focus = nearest(canvas.targets, here, ARROWS[event.key]).name
            return True
        return False

    # Parts that several screens have

    def header(self, title: str, actions: Sequence[tuple[str, str, Callable[[], None]]]) -> None:
        """Draw the line at the top: the name, what is shown, and small buttons (name, label)."""
        canvas = self.canvas
        width, _ = canvas.size
        middle = HEADER / 2
        x = 20.0 + canvas.text("n", 20, middle, LARGE - 2, bold=True)
        canvas.mark("O", x + 7, middle + 1.5, 17)
        x += 14 + canvas.text("ughts", x + 14, middle, LARGE - 2, bold=True)
        right = width - 14.0
        for name, label, act in reversed(actions):
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
        """Draw a slim line along which a piece goes to and fro."""
        canvas = self.canvas
        canvas.sheet(box, canvas.theme.line, width=0, round_=1)
        phase = time.monotonic() % 2.0
        share = phase if phase < 1 else 2 - phase
        piece = Box(box.x + share * (box.width - 60), box.y, 60, box.height)
        canvas.sheet(piece, ink, width=0, round_=1)

    def over_all(self, title: str, lines: Sequence[tuple[str, str]]) -> Box:
        """Draw a card in the middle over everything else, each line a key and what it does."""
        canvas = self.canvas
        width, height = canvas.size
        step = BODY * LEADING + 3
        size = min(470.0, width - 16), min(step * len(lines) + 84, height - 16)
        box = Box((width - size[0]) / 2, (height - size[1]) / 2, *size)
        canvas.veil(0.75)
        canvas.card(box)
        canvas.text(title, box.x + 18, box.y + 30, 17, bold=True)
        keys = max(canvas.width(key, SMALL, bold=True) for key, _ in lines) + 14
        room = (box.height - 84) / len(lines)
        y = box.y + 56 + room / 2
        for key, said in lines:
            small = SMALL if room >= 18 else 11
            canvas.text(key, box.x + 18, y, small, bold=True)
            shown = canvas.fitting(said, box.width - 32 - keys, small)
            canvas.text(shown, box.x + 18 + keys, y, small, canvas.theme.soft)
            y += room
        return box


def nearest(targets: Sequence[Target], here: Target, direction: tuple[int, int]) -> Target:
    """Return the target that is next in a direction, or `here`."""
    x, y = here.box.centre

    def distance(target: Target) -> float:
        # Rows of controls are wider than high: what is in the same row comes first.
        other_x, other_y = target.box.centre
        along = (other_x - x) * direction[0] + (other_y - y) * direction[1]
        aside = abs((other_x - x) * direction[1]) + abs((other_y - y) * direction[0])
        return along + 2 * aside if along > 1 else float("inf")

    best = min(targets, key=distance)
    return best if distance(best) < float("inf") else here
