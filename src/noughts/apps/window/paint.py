"""What the window is drawn with: shapes through SVG, text, buttons, and where they can be clicked.

    screen.draw(canvas) ──► card, text, button, … ──► pixels
                                  └──► canvas.targets ──► click, Tab, Enter

Lengths are those of the page, about 96 to the inch; `scale` says how many pixels one is. Shapes are
SVG, as everywhere in the house, so that their edges are smooth at any scale. What has been drawn
once is kept.
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
from noughts.views.svg import CELL, DARK, LIGHT, Drawing, Theme, number

BODY, SMALL, LARGE = 15.0, 13.0, 22.0
"""Sizes of letters."""
LEADING = 1.45
"""The distance of lines, in sizes of letters."""
CONTROL = 40.0
"""The least height of what is clicked."""
SANS = ("segoeui", "helveticaneue", "notosans", "liberationsans", "arial")
MONOSPACE = ("menlo", "consolas", "liberationmono", "couriernew")
"""Fonts by name, for systems that cannot say which one is their own."""
DOTS = re.compile('(?<=stroke-dasharray=)"0 ([0-9.]+)"')
DOT = 0.05
"""The length of a dash that is to be a dot, in units of its picture."""
MOST_PIXELS = 30_000_000
"""Pictures that are kept, in pixels."""


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
        """Return the box that is smaller by so much on every side."""
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)

    def holds(self, point: tuple[float, float]) -> bool:
        return self.x <= point[0] < self.right and self.y <= point[1] < self.bottom


class Target(NamedTuple):
    """What a click does, and where."""

    name: str
    box: Box
    act: Callable[[], None]


class Pictures:
    """What has been drawn, the oldest forgotten where there is too much of it."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, pygame.Surface] = OrderedDict()
        self._pixels = 0
        self._painter = ThreadPoolExecutor(1)
        self._coming: dict[Hashable, Future[pygame.Surface]] = {}

    def is_ready(self, key: Hashable, draw: Callable[[], pygame.Surface]) -> bool:
        """Whether a picture is drawn; if not it is now being drawn, by a thread."""
        if key not in self._kept and key not in self._coming:
            self._coming[key] = self._painter.submit(draw)
        if key in self._coming and self._coming[key].done():
            coming = self._coming.pop(key)
            self.get(key, coming.result)
        return key in self._kept

    def get(self, key: Hashable, draw: Callable[[], pygame.Surface]) -> pygame.Surface:
        """Return the picture of `key`, drawn now if it is not kept."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        made = self._kept[key] = draw()
        self._pixels += made.width * made.height
        while self._pixels > MOST_PIXELS and len(self._kept) > 1:
            _, old = self._kept.popitem(last=False)
            self._pixels -= old.width * old.height
        return made


class Canvas:
    """A surface with a scale, a theme, fonts, and the targets of what is drawn on it.

    Args:
        surface: what is drawn on; a screen gives the current one at each frame.
    """

    def __init__(self, surface: pygame.Surface) -> None:
        self.surface = surface
        self.scale = 1.0
        self.theme = LIGHT
        self.targets: list[Target] = []
        self.focus = ""
        """The name of the target that the keyboard is on."""
        self.pointer: tuple[float, float] | None = None
        """Where the mouse is; `None` outside."""
        self.ring = LIGHT.x
        """The colour of what has the focus."""
        self.scroll = 0.0
        """How far what is drawn is moved up."""
        self._pictures = Pictures()
        self._fonts: dict[tuple[int, bool, bool], pygame.font.Font] = {}

    @property
    def size(self) -> tuple[float, float]:
        return self.surface.width / self.scale, self.surface.height / self.scale

    @property
    def is_dark(self) -> bool:
        return self.theme is DARK

    def begin(self, surface: pygame.Surface) -> None:
        """Begin a frame: an empty sheet without targets."""
        self.surface = surface
        self.targets = []
        self.scroll = 0.0
        surface.fill(self.theme.paper)

    # Shapes

    def pixels(self, box: Box) -> pygame.Rect:
        """Return where a box is on the surface."""
        left, top = round(box.x * self.scale), round((box.y - self.scroll) * self.scale)
        right = round(box.right * self.scale)
        bottom = round((box.bottom - self.scroll) * self.scale)
        return pygame.Rect(left, top, max(right - left, 1), max(bottom - top, 1))

    def clip(self, box: Box | None) -> None:
        """Draw only within a box from now on; anywhere if it is `None`."""
        self.surface.set_clip(None if box is None else self.pixels(box))

    def draw(self, picture: Drawing, box: Box, alpha: int = 255) -> None:
        """Draw a picture so that it fills a box of its shape."""
        place = self.pixels(box)
        if place.width * place.height > MOST_PIXELS:
            return
        key = (picture, place.size)
        drawn = self._pictures.get(key, partial(rasterised, picture, place.size))
        if alpha < 255:
            drawn = drawn.copy()
            drawn.set_alpha(alpha)
        self.surface.blit(drawn, place)

    def is_ready(self, picture: Drawing, box: Box) -> bool:
        """Whether `draw` of this picture takes no time; if not, it does soon."""
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
        """Let all that has been drawn shine through paper only a little."""
        veil = pygame.Surface(self.surface.size)
        veil.fill(self.theme.paper)
        veil.set_alpha(round(255 * share))
        self.surface.blit(veil, (0, 0))

    def card(self, box: Box) -> None:
        self.sheet(box, self.theme.card, self.theme.line, round_=12)

    def mark(self, letter: str, x: float, y: float, size: float) -> None:
        """Draw an X or an O around a point, so wide."""
        if letter == "X":
            path = '<path d="M3.5 3.5L16.5 16.5M16.5 3.5L3.5 16.5"'
        else:
            path = '<circle cx="10" cy="10" r="7"'
        ink = self.theme.player(Player(letter))
        body = f'{path} stroke="{ink}" stroke-width="3"/>'
        self.draw(Drawing(CELL, CELL, body), Box(x - size / 2, y - size / 2, size, size))

    # Text

    def font(self, size: float, bold: bool = False, mono: bool = False) -> pygame.font.Font:
        """Return a font whose letters are so large."""
        key = (max(round(size * self.scale), 5), bold, mono)
        if key not in self._fonts:
            self._fonts[key] = pygame.font.Font(font_file(bold, mono), key[0])
        return self._fonts[key]

    def width(
        self, text: str, size: float = BODY, *, bold: bool = False, mono: bool = False
    ) -> float:
        """Return how wide a line of text is."""
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
        """Write a line of text whose letters are centred on `y`, and return its width.

        Args:
            text: to be written as it is, control characters aside.
            x: where it begins; or its middle or end, as `align` says.
            y: the middle of its line.
            size: of the letters.
            ink: its colour; that of the theme if left out.
            bold: whether its letters are bold.
            mono: whether they are all as wide.
            align: 0 from the left, 0.5 centred, 1 to the right.
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
        """Return a text in lines no wider than `width`, broken at spaces that may break."""
        lines = [""]
        for word in plain(text).split(" "):
            longer = f"{lines[-1]} {word}".strip()
            if self.width(longer, size, bold=bold) <= width or not lines[-1]:
                lines[-1] = longer
            else:
                lines.append(word)
        return [self.fitting(line, width, size, bold=bold) for line in lines if line]

    def fitting(self, text: str, width: float, size: float = BODY, *, bold: bool = False) -> str:
        """Return a line, cut short with … where it is wider than `width`."""
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
        """Write a text from the top of a box on, in lines, and return where it ends below.

        Lines that the box has no room for are left out.
        """
        y = box.y
        for line in self.wrapped(text, box.width, size, bold):
            if y + size * LEADING > box.bottom + 1:
                return y
            self.text(line, box.x, y + size * LEADING / 2, size, ink, bold=bold)
            y += size * LEADING
        return y

    # Controls

    def is_over(self, box: Box) -> bool:
        """Whether the mouse is over a box."""
        if self.pointer is None:
            return False
        return box.holds((self.pointer[0], self.pointer[1] + self.scroll))

    def target(self, name: str, box: Box, act: Callable[[], None], *, ring: bool = True) -> None:
        """Let a click within a box act, and show whether the keyboard is on it."""
        shifted = box._replace(y=box.y - self.scroll)
        self.targets.append(Target(name, shifted, act))
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
        """Draw a button, and let it act where it is enabled."""
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
        """Write what a move is worth on its tint, around a point."""
        ink, tint = self.theme.value(rank)
        key = (text, ink, round(size * self.scale))
        drawn = self._pictures.get(key, lambda: self._drawn_chip(text, ink, tint, size))
        place = drawn.get_rect(
            center=(round(x * self.scale), round((y - self.scroll) * self.scale))
        )
        self.surface.blit(drawn, place)

    def _drawn_chip(self, text: str, ink: str, tint: str, size: float) -> pygame.Surface:
        """Return a chip as pixels; a board may have hundreds of them."""
        letters = self.font(size, bold=True).render(text, True, ink)
        wide, high = letters.width + round(0.7 * size * self.scale), round(1.6 * size * self.scale)
        sheet = f'<rect width="{wide}" height="{high}" rx="{number(0.22 * high)}" fill="{tint}"/>'
        drawn = rasterised(Drawing(wide, high, sheet), (wide, high))
        drawn.blit(letters, letters.get_rect(center=(wide / 2, high / 2)))
        return drawn


def plain(text: str) -> str:
    """Return a line without what no font can show."""
    return re.sub(r"[\x00-\x1f\x7f\ud800-\udfff]", " ", text)


def rasterised(picture: Drawing, size: tuple[int, int]) -> pygame.Surface:
    """Return a drawing as pixels."""
    # The reader of SVG leaves out dashes shorter than a hundredth of a pixel, such as dots are.
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
    """Return the file of the system's own font; `None` for the one that comes with pygame."""
    if shutil.which("fc-match") is not None:
        wanted = f"{'monospace' if mono else 'sans-serif'}:{'bold' if bold else 'medium'}"
        command = ("fc-match", "--format=%{file}", wanted)
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        if is_font(answer.stdout):
            return answer.stdout
    with warnings.catch_warnings():
        # Where there is no list of fonts, there is still the one that comes with pygame.
        warnings.simplefilter("ignore")
        found = pygame.font.match_font(MONOSPACE if mono else SANS, bold=bold)
    return found if found and is_font(found) else None


def is_font(file: str) -> bool:
    """Whether a file is a font that can be read here."""
    try:
        pygame.font.Font(file, 12)
    except (OSError, pygame.error):
        return False
    return bool(file)


def is_system_dark() -> bool:
    """Whether the person has asked the desktop for dark windows."""
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
    """Return the theme of a name: `auto` is light or dark as the desktop is."""
    dark = is_system_dark() if name == "auto" else name == "dark"
    return DARK if dark else LIGHT
