"""The canvas of the window: shapes from SVG, text, buttons, and click targets.

    screen.draw(canvas) ──► card, text, button, … ──► pixels
                                  └──► canvas.targets ──► click, Tab, Enter

A unit of length is about 1/96 inch, as on the page; `scale` is its size in pixels. Shapes are SVG,
so that edges are smooth at any scale. Drawn pictures are cached.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import warnings
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, partial
from typing import NamedTuple

import pygame

from noughts.games.position import Player
from noughts.views.foreign import CONTROLS
from noughts.views.svg import CELL, DARK, LIGHT, Drawing, Theme, number

BODY, SMALL, LARGE = 15.0, 13.0, 22.0
"""Font sizes."""
LEADING = 1.45
"""Line height, in font sizes."""
CONTROL = 40.0
"""Least height of a control."""
SANS = ("segoeui", "helveticaneue", "notosans", "liberationsans", "arial")
MONOSPACE = ("menlo", "consolas", "liberationmono", "couriernew")
"""Fonts to try where `fc-match` is missing."""
DOTS = re.compile('(?<=stroke-dasharray=)"0 ([0-9.]+)"')
DOT = 0.05
"""Length of a dash that stands for a dot, in units of its picture."""
MAX_PIXELS = 30_000_000
"""Size of the picture cache, in pixels."""


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def centre(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def inset(self, by: float) -> Box:
        """Return the box shrunk by `by` on every side."""
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)

    def holds(self, point: tuple[float, float]) -> bool:
        return self.x <= point[0] < self.right and self.y <= point[1] < self.bottom


class Target(NamedTuple):
    """An area with the action of a click on it."""

    name: str
    box: Box
    act: Callable[[], None]
    view: Box
    """The part of the window in which the target is visible."""

    def holds(self, point: tuple[float, float]) -> bool:
        return self.box.holds(point) and self.view.holds(point)


class PictureCache:
    """A cache of pictures that drops the least recently used ones."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, pygame.Surface] = OrderedDict()
        self._pixels = 0
        self._painter = ThreadPoolExecutor(1)
        self._coming: dict[Hashable, Future[pygame.Surface]] = {}

    def is_ready(self, key: Hashable, draw: Callable[[], pygame.Surface]) -> bool:
        """Return whether a picture is cached; if not, draw it in a thread."""
        if key not in self._kept and key not in self._coming:
            self._coming[key] = self._painter.submit(draw)
        if key in self._coming and self._coming[key].done():
            coming = self._coming.pop(key)
            self.get(key, coming.result)
        return key in self._kept

    def get(self, key: Hashable, draw: Callable[[], pygame.Surface]) -> pygame.Surface:
        """Return the picture of `key`; draw it if it is not cached."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        made = self._kept[key] = draw()
        self._pixels += made.width * made.height
        while self._pixels > MAX_PIXELS and len(self._kept) > 1:
            _, old = self._kept.popitem(last=False)
            self._pixels -= old.width * old.height
        return made


class Canvas:
    """A surface with a scale, a theme, fonts, and click targets.

    Args:
        surface: the surface until the first `begin`.
    """

    def __init__(self, surface: pygame.Surface) -> None:
        self.surface = surface
        self.scale = 1.0
        self.theme = LIGHT
        self.targets: list[Target] = []
        self.focus = ""
        """Name of the target with the keyboard focus."""
        self.pointer: tuple[float, float] | None = None
        """Position of the mouse; `None` outside the window."""
        self.ring = LIGHT.x
        """Colour of the focus ring."""
        self.scroll = 0.0
        """Distance by which drawings are moved up."""
        self.view = Box(0, 0, *self.size)
        """The part of the window in which drawings stay visible."""
        self._pictures = PictureCache()
        self._fonts: dict[tuple[int, bool, bool], pygame.font.Font] = {}

    @property
    def size(self) -> tuple[float, float]:
        return self.surface.width / self.scale, self.surface.height / self.scale

    @property
    def is_dark(self) -> bool:
        return self.theme is DARK

    def begin(self, surface: pygame.Surface) -> None:
        """Begin a frame: clear the surface and the targets."""
        self.surface = surface
        self.targets = []
        self.scroll = 0.0
        self.view = Box(0, 0, *self.size)
        surface.fill(self.theme.paper)

    # Shapes

    def pixels(self, box: Box) -> pygame.Rect:
        """Return the pixels of a box."""
        left, top = round(box.x * self.scale), round((box.y - self.scroll) * self.scale)
        right = round(box.right * self.scale)
        bottom = round((box.bottom - self.scroll) * self.scale)
        return pygame.Rect(left, top, max(right - left, 1), max(bottom - top, 1))

    def clip(self, box: Box | None) -> None:
        """Restrict drawing to a box; `None` ends the restriction."""
        self.surface.set_clip(None if box is None else self.pixels(box))

    def draw(self, picture: Drawing, box: Box, alpha: int = 255) -> None:
        """Draw a picture scaled to a box."""
        place = self.pixels(box)
        if place.width * place.height > MAX_PIXELS:
            return
        key = (picture, place.size)
        drawn = self._pictures.get(key, partial(rasterised, picture, place.size))
        if alpha < 255:
            drawn = drawn.copy()
            drawn.set_alpha(alpha)
        self.surface.blit(drawn, place)

    def is_ready(self, picture: Drawing, box: Box) -> bool:
        """Return whether a picture is cached at the size of a box; if not, draw it in a thread."""
        size = self.pixels(box).size
        return self._pictures.is_ready((picture, size), partial(rasterised, picture, size))

    def sheet(
        self,
        box: Box,
        fill: str = "none",
        stroke: str = "none",
        width: float = 1,
        round_: float = 8,
    ) -> None:
        """Draw a rectangle with round corners."""
        inner = box.width - width, box.height - width
        body = (
            f'<rect x="{number(width / 2)}" y="{number(width / 2)}" width="{number(inner[0])}"'
            f' height="{number(inner[1])}" rx="{number(round_)}" fill="{fill}" stroke="{stroke}"'
            f' stroke-width="{number(width)}"/>'
        )
        self.draw(Drawing(box.width, box.height, body), box)

    def veil(self, share: float) -> None:
        """Fade everything drawn so far towards the background by `share`."""
        veil = pygame.Surface(self.surface.size)
        veil.fill(self.theme.paper)
        veil.set_alpha(round(255 * share))
        self.surface.blit(veil, (0, 0))

    def card(self, box: Box) -> None:
        self.sheet(box, self.theme.card, self.theme.line, round_=12)

    def mark(self, letter: str, x: float, y: float, size: float) -> None:
        """Draw an X or an O with a centre and a size."""
        if letter == "X":
            path = '<path d="M3.5 3.5L16.5 16.5M16.5 3.5L3.5 16.5"'
        else:
            path = '<circle cx="10" cy="10" r="7"'
        ink = self.theme.player(Player(letter))
        body = f'{path} stroke="{ink}" stroke-width="3"/>'
        self.draw(Drawing(CELL, CELL, body), Box(x - size / 2, y - size / 2, size, size))

    # Text

    def font(self, size: float, bold: bool = False, mono: bool = False) -> pygame.font.Font:
        """Return a font of a size."""
        key = (max(round(size * self.scale), 5), bold, mono)
        if key not in self._fonts:
            self._fonts[key] = pygame.font.Font(font_file(bold, mono), key[0])
        return self._fonts[key]

    def width(
        self, text: str, size: float = BODY, *, bold: bool = False, mono: bool = False
    ) -> float:
        """Return the width of a line of text."""
        return self.font(size, bold, mono).size(plain(text))[0] / self.scale

    def text(
        self,
        text: str,
        x: float,
        y: float,
        size: float = BODY,
        ink: str = "",
        *,
        bold: bool = False,
        mono: bool = False,
        align: float = 0.0,
    ) -> float:
        """Write a line of text and return its width.

        Args:
            text: the text; control characters become spaces.
            x: left end, middle or right end of the line, depending on `align`.
            y: vertical middle of the line.
            size: font size.
            ink: colour; by default that of the theme.
            bold: whether to use a bold font.
            mono: whether to use a monospaced font.
            align: 0 for left, 0.5 for centred, 1 for right.
        """
        shown, colour = plain(text), ink or self.theme.ink
        font = self.font(size, bold, mono)
        key = (shown, colour, round(size * self.scale), bold, mono)
        drawn = self._pictures.get(key, lambda: font.render(shown, True, colour))
        place = (
            round(x * self.scale - align * drawn.width),
            round((y - self.scroll) * self.scale - drawn.height / 2),
        )
        self.surface.blit(drawn, place)
        return drawn.width / self.scale

    def wrapped(self, text: str, width: float, size: float = BODY, bold: bool = False) -> list[str]:
        """Return a text in lines no wider than `width`, broken at breaking spaces."""
        lines = [""]
        for word in plain(text).split(" "):
            longer = f"{lines[-1]} {word}".strip()
            if self.width(longer, size, bold=bold) <= width or not lines[-1]:
                lines[-1] = longer
            else:
                lines.append(word)
        return [self.fitting(line, width, size, bold=bold) for line in lines if line]

    def fitting(self, text: str, width: float, size: float = BODY, *, bold: bool = False) -> str:
        """Return a line, cut with … if it is wider than `width`."""
        if self.width(text, size, bold=bold) <= width:
            return text
        while text and self.width(f"{text}…", size, bold=bold) > width:
            text = text[:-1]
        return f"{text}…"

    def paragraph(
        self,
        text: str,
        box: Box,
        size: float = BODY,
        ink: str = "",
        *,
        bold: bool = False,
    ) -> float:
        """Write a wrapped text into a box and return its lower end; drop lines that do not fit."""
        y = box.y
        for line in self.wrapped(text, box.width, size, bold):
            if y + size * LEADING > box.bottom + 1:
                return y
            self.text(line, box.x, y + size * LEADING / 2, size, ink, bold=bold)
            y += size * LEADING
        return y

    # Controls

    @property
    def pointed(self) -> tuple[float, float] | None:
        """Position of the mouse on the scrolled page; `None` outside the page's view."""
        if self.pointer is None or not self.view.holds(self.pointer):
            return None
        return self.pointer[0], self.pointer[1] + self.scroll

    def is_over(self, box: Box) -> bool:
        """Return whether the mouse is over a box."""
        return self.pointed is not None and box.holds(self.pointed)

    def target(self, name: str, box: Box, act: Callable[[], None], *, ring: bool = True) -> None:
        """Add a click target, and draw a ring around it if it has the focus."""
        shifted = box._replace(y=box.y - self.scroll)
        self.targets.append(Target(name, shifted, act, self.view))
        if ring and self.focus == name:
            self.sheet(box.inset(-3), stroke=self.ring, width=2, round_=10)

    def button(
        self,
        name: str,
        box: Box,
        act: Callable[[], None],
        *,
        label: str = "",
        on: bool = False,
        enabled: bool = True,
    ) -> None:
        """Draw a button; add its target if it is enabled."""
        theme = self.theme
        fill, ink = (theme.ink, theme.paper) if on else (theme.card, theme.ink)
        if not enabled:
            ink = theme.soft
            fill = theme.paper
        elif not on and self.is_over(box):
            fill = theme.even_tint
        self.sheet(box, fill, theme.ink if on else theme.line, round_=8)
        shown = label or name
        size = BODY if self.width(shown, BODY, bold=on) <= box.width - 8 else SMALL
        shown = self.fitting(shown, box.width - 6, size, bold=on)
        self.text(shown, *box.centre, size, ink, bold=on, align=0.5)
        if enabled:
            self.target(name, box, act)

    def chip(self, text: str, x: float, y: float, rank: float, size: float) -> None:
        """Draw a value on its tint, centred on a point."""
        ink, tint = self.theme.value(rank)
        key = (text, ink, round(size * self.scale))
        drawn = self._pictures.get(key, lambda: self._drawn_chip(text, ink, tint, size))
        place = drawn.get_rect(
            center=(round(x * self.scale), round((y - self.scroll) * self.scale))
        )
        self.surface.blit(drawn, place)

    def _drawn_chip(self, text: str, ink: str, tint: str, size: float) -> pygame.Surface:
        """Return a chip as a surface; cached, since a board may have hundreds of them."""
        letters = self.font(size, bold=True).render(text, True, ink)
        wide, high = letters.width + round(0.7 * size * self.scale), round(1.6 * size * self.scale)
        sheet = f'<rect width="{wide}" height="{high}" rx="{number(0.22 * high)}" fill="{tint}"/>'
        drawn = rasterised(Drawing(wide, high, sheet), (wide, high))
        drawn.blit(letters, letters.get_rect(center=(wide / 2, high / 2)))
        return drawn


def plain(text: str) -> str:
    """Return a text with control characters and lone surrogates replaced by spaces."""
    return re.sub(r"[\t\n\ud800-\udfff]", " ", CONTROLS.sub(" ", text))


def rasterised(picture: Drawing, size: tuple[int, int]) -> pygame.Surface:
    """Return a drawing as a surface."""
    # SDL's SVG reader drops dashes shorter than a hundredth of a pixel, such as our dots.
    body = DOTS.sub(lambda gap: f'"{DOT} {number(float(gap[1]) - DOT)}"', picture.body)
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" preserveAspectRatio="none"'
        f' viewBox="0 0 {number(picture.width)} {number(picture.height)}"'
        f' width="{number(picture.width)}" height="{number(picture.height)}">'
        f'<g fill="none" stroke-linecap="round" stroke-linejoin="round">{body}</g></svg>'
    )
    return pygame.image.load_sized_svg(io.BytesIO(text.encode()), size).convert_alpha()


@cache
def font_file(bold: bool, mono: bool) -> str | None:
    """Return the file of the system font; `None` for pygame's own font."""
    if shutil.which("fc-match") is not None:
        wanted = f"{'monospace' if mono else 'sans-serif'}:{'bold' if bold else 'medium'}"
        command = ("fc-match", "--format=%{file}", wanted)
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        if is_font(answer.stdout):
            return answer.stdout
    with warnings.catch_warnings():
        # pygame warns if the system has no list of fonts; its own font still works.
        warnings.simplefilter("ignore")
        found = pygame.font.match_font(MONOSPACE if mono else SANS, bold=bold)
    return found if found and is_font(found) else None


def is_font(file: str) -> bool:
    """Return whether a file is a readable font."""
    try:
        pygame.font.Font(file, 12)
    except (OSError, pygame.error):
        return False
    return bool(file)


def is_system_dark() -> bool:
    """Return whether the desktop is set to a dark theme."""
    questions = {
        "gsettings": ("get", "org.gnome.desktop.interface", "color-scheme"),
        "defaults": ("read", "-g", "AppleInterfaceStyle"),
    }
    for program, words in questions.items():
        if shutil.which(program) is None or (program == "defaults") != (sys.platform == "darwin"):
            continue
        try:
            answer = subprocess.run(
                (program, *words), capture_output=True, text=True, timeout=2, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        if "dark" in answer.stdout.lower():
            return True
    return False


def theme_of(name: str) -> Theme:
    """Return a theme by name; `auto` follows the desktop."""
    dark = is_system_dark() if name == "auto" else name == "dark"
    return DARK if dark else LIGHT
