"""The window itself: its loop, its size and look, and which screen it shows.

    events ──► screen ──► draw, only if something has changed ──► flip
    workers ──► screen.update() ──┘          set-up ◄──► game, or the course's runner

A frame waits for nothing: what takes long is done by other processes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pygame

from noughts.apps.window.game import GameScreen
from noughts.apps.window.paint import Canvas, theme_of
from noughts.apps.window.runner import RunnerScreen
from noughts.apps.window.screen import Screen
from noughts.apps.window.setup import Choice, SetUpScreen
from noughts.apps.window.table import Table
from noughts.apps.window.thinking import Thinker
from noughts.games.position import Player, Position
from noughts.views.svg import DARK, LIGHT

SIZE = (1080, 760)
LEAST = (360, 480)
FRAME = 1 / 60
"""Seconds of a frame while something moves."""
IDLE = 1 / 20
"""Seconds between two looks at what the workers have found, while nothing moves."""
ZOOM = 1.1


class NoDisplay(RuntimeError):
    """There is no display on which a window could be opened."""


class App:
    """The window.

    Args:
        theme: `auto`, `light` or `dark`.
        scale: pixels for a unit of length, beside what the display says itself.
        load: files that register games of the user's own.
        save: a file to which every finished game is appended.
        seed: of what is left to chance.

    Raises:
        NoDisplay: no window can be opened.
    """

    def __init__(
        self,
        *,
        theme: str = "auto",
        scale: float = 1.0,
        load: tuple[Path, ...] = (),
        save: Path | None = None,
        seed: int | None = None,
    ) -> None:
        try:
            pygame.display.init()
        except pygame.error as error:
            raise NoDisplay(str(error)) from None
        pygame.font.init()
        self._scale = scale
        size = tuple(
            min(round(length * scale), most - 80)
            for length, most in zip(SIZE, pygame.display.get_desktop_sizes()[0], strict=True)
        )
        self.window = pygame.Window(
            "noughts",
            (max(size[0], LEAST[0]), max(size[1], LEAST[1])),
            resizable=True,
            allow_high_dpi=True,
        )
        self.window.minimum_size = LEAST
        self.canvas = Canvas(self.window.get_surface())
        self.canvas.theme = theme_of(theme)
        self._set_icon()
        pygame.key.set_repeat(400, 40)
        self._load, self._save, self._seed = load, save, seed
        self._thinkers: tuple[Thinker, Thinker] | None = None
        self.table: Table | None = None
        self.choice = Choice()
        self.screen: Screen = Screen(self.canvas)
        self.running = True
        self._full = False

    def _set_icon(self) -> None:
        icon = pygame.Surface((64, 64), pygame.SRCALPHA)
        canvas = Canvas(icon)
        canvas.mark("O", 32, 32, 72)
        self.window.set_icon(icon)

    # Which screen

    def thinkers(self) -> tuple[Thinker, Thinker]:
        """Return the searchers for machines' moves and for advice, started at the first call."""
        if self._thinkers is None:
            self._thinkers = Thinker(self._load), Thinker(self._load)
        return self._thinkers

    def set_up(self) -> None:
        """Show the start screen."""
        self.thinkers()
        back = self._back if self.table is not None else None
        self.screen = SetUpScreen(self.canvas, self.choice, self._begin, back, self.turn_theme)

    def _begin(self, start: Position, sides: dict[Player, str], swapped: bool) -> None:
        self.play(start, sides, swapped=swapped)

    def _back(self) -> None:
        assert self.table is not None
        self._show_game()

    def play(
        self,
        start: Position,
        sides: Mapping[Player, str],
        *,
        moves: Sequence[int] = (),
        swapped: bool = False,
    ) -> None:
        """Begin a game, and show it.

        Raises:
            NotationError: no such opponent.
        """
        player, adviser = self.thinkers()
        if self.table is not None:
            self.table.stop()
        self.table = Table(
            start,
            sides,
            player=player,
            adviser=adviser,
            moves=moves,
            swapped=swapped,
            save=self._save,
            seed=self._seed,
        )
        self._show_game()

    def _show_game(self) -> None:
        assert self.table is not None
        self.canvas.focus = ""
        self.screen = GameScreen(self.canvas, self.table, self.set_up, self.turn_theme)

    def study(self, module: str) -> None:
        """Show the course's game, played with the functions of a module."""
        self.screen = RunnerScreen(self.canvas, module, self.turn_theme)

    def turn_theme(self) -> None:
        """Change between light and dark."""
        self.canvas.theme = LIGHT if self.canvas.is_dark else DARK

    # The loop

    def run(self) -> None:
        """Show the window until it is closed.

        Raises:
            KeyboardInterrupt: Ctrl-C at the terminal.
        """
        dirty = True
        while self.running:
            moving = self.screen.is_moving or dirty
            for event in self._events(FRAME if moving else IDLE):
                dirty = self.take(event) or dirty
            if self.screen.update() or dirty or moving:
                self.draw()
            dirty = False

    def _events(self, seconds: float) -> list[pygame.Event]:
        """Wait for an event, but not longer than this, and return all that there are."""
        event = pygame.event.wait(round(seconds * 1000))
        return [each for each in (event, *pygame.event.get()) if each.type != pygame.NOEVENT]

    def draw(self) -> None:
        """Draw the screen as it is now."""
        surface = self.window.get_surface()
        self.canvas.scale = self._scale * surface.width / max(self.window.size[0], 1)
        self.canvas.begin(surface)
        self.screen.draw()
        self.window.flip()
        title = f"noughts · {self.screen.name}" if self.screen.name else "noughts"
        if self.window.title != title:
            self.window.title = title

    def take(self, event: pygame.Event) -> bool:
        """Take an event; return whether the picture may have changed."""
        if event.type in (pygame.QUIT, pygame.WINDOWCLOSE):
            self.running = False
        elif event.type == pygame.KEYDOWN:
            self._key(event)
        elif event.type == pygame.MOUSEMOTION:
            self.canvas.pointer = self._point(event.pos)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._press(self._point(event.pos))
        elif event.type == pygame.MOUSEWHEEL:
            self.screen.wheel(event.precise_y)
        elif event.type == pygame.WINDOWLEAVE:
            self.canvas.pointer = None
        elif event.type not in (
            pygame.WINDOWEXPOSED,
            pygame.WINDOWSIZECHANGED,
            pygame.WINDOWRESIZED,
            pygame.WINDOWFOCUSGAINED,
        ):
            return False
        return True

    def _point(self, position: tuple[float, float]) -> tuple[float, float]:
        return position[0] / self._scale, position[1] / self._scale

    def _press(self, point: tuple[float, float]) -> None:
        self.canvas.pointer = point
        # What was drawn last lies above the rest.
        for target in reversed(self.canvas.targets):
            if target.box.holds(point):
                self.canvas.focus = ""
                target.act()
                return
        self.canvas.focus = ""
        self.screen.press(point)

    def _key(self, event: pygame.Event) -> None:
        control = event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META)
        zooms = {
            pygame.K_PLUS: ZOOM,
            pygame.K_EQUALS: ZOOM,
            pygame.K_KP_PLUS: ZOOM,
            pygame.K_MINUS: 1 / ZOOM,
            pygame.K_KP_MINUS: 1 / ZOOM,
        }
        if control and event.key in (pygame.K_q, pygame.K_w):
            self.running = False
        elif control and event.key in zooms:
            self._scale = max(0.6, min(self._scale * zooms[event.key], 4.0))
        elif event.key == pygame.K_F11 or (event.key == pygame.K_ESCAPE and self._full):
            self._turn_full_screen()
        else:
            self.screen.key(event)

    def _turn_full_screen(self) -> None:
        if self._full:
            self.window.set_windowed()
        else:
            self.window.set_fullscreen(desktop=True)
        self._full = not self._full

    def close(self) -> None:
        """Close the window, and end whatever is under way beside it."""
        self.screen.close()
        for thinker in self._thinkers or ():
            thinker.close()
        self.window.destroy()
        pygame.quit()
