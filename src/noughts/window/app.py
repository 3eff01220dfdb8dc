"""The window: its event loop, size and theme, and the current screen.

    events ──► screen ──► draw, only after a change ──► flip
    workers ──► screen.update() ──┘          set-up ◄──► game, or the course's game

No frame waits for a search: worker processes do the slow work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pygame

from noughts.games.position import Player, Position
from noughts.views.svg import DARK, LIGHT
from noughts.window.cs50_screen import CourseScreen
from noughts.window.drawing import Canvas, theme_of
from noughts.window.game import GameScreen
from noughts.window.game_state import GameState
from noughts.window.keys import key_of
from noughts.window.screen import WindowScreen
from noughts.window.searches import SearchProcess
from noughts.window.setup import Choice, SetUpScreen

SIZE = (1080, 760)
LEAST = (360, 480)
FRAME = 1 / 60
"""Seconds per frame during an animation."""
IDLE = 1 / 20
"""Seconds between two polls of the workers while nothing moves."""
ZOOM = 1.1


class NoDisplay(RuntimeError):
    """No display is available."""


class App:
    """The window.

    Args:
        theme: `auto`, `light` or `dark`.
        scale: zoom factor, on top of the display's own.
        load: files that register the user's games.
        save: file to which finished games are appended.
        seed: random seed of the machines.

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
        # SDL takes this driver where there is no display: the window would be invisible.
        if pygame.display.get_driver() == "offscreen":
            raise NoDisplay("there is no display")
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
        self._thinkers: tuple[SearchProcess, SearchProcess] | None = None
        self.game: GameState | None = None
        self.choice = Choice()
        self.screen: WindowScreen = WindowScreen(self.canvas, self.turn_theme)
        self.running = True
        self._full = False

    def _set_icon(self) -> None:
        icon = pygame.Surface((64, 64), pygame.SRCALPHA)
        canvas = Canvas(icon)
        canvas.mark("O", 32, 32, 72)
        self.window.set_icon(icon)

    # Which screen

    def thinkers(self) -> tuple[SearchProcess, SearchProcess]:
        """Return the workers for machine moves and for advice; the first call starts them."""
        if self._thinkers is None:
            self._thinkers = SearchProcess(self._load), SearchProcess(self._load)
        return self._thinkers

    def set_up(self) -> None:
        """Show the start screen."""
        self.thinkers()
        back = self._show_game if self.game is not None else None
        self.screen = SetUpScreen(self.canvas, self.choice, self._begin, back, self.turn_theme)

    def _begin(self, start: Position, sides: dict[Player, str], swapped: bool) -> None:
        self.play(start, sides, swapped=swapped)

    def play(
        self,
        start: Position,
        sides: Mapping[Player, str],
        *,
        moves: Sequence[int] = (),
        swapped: bool = False,
    ) -> None:
        """Begin a game and show it.

        Raises:
            NotationError: unknown opponent.
        """
        player, adviser = self.thinkers()
        if self.game is not None:
            self.game.stop()
        self.game = GameState(
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
        assert self.game is not None
        self.canvas.focus = ""
        self.screen = GameScreen(self.canvas, self.game, self.set_up, self.turn_theme)

    def study(self, module: str) -> None:
        """Show the CS50 game with the functions of a module."""
        self.screen = CourseScreen(self.canvas, module, self.turn_theme)

    def turn_theme(self) -> None:
        """Switch between light and dark."""
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
        """Wait at most `seconds` for an event and return all pending events."""
        event = pygame.event.wait(round(seconds * 1000))
        return [each for each in (event, *pygame.event.get()) if each.type != pygame.NOEVENT]

    def draw(self) -> None:
        """Draw the current screen."""
        surface = self.window.get_surface()
        self.canvas.scale = self._scale * surface.width / max(self.window.size[0], 1)
        self.canvas.begin(surface)
        self.screen.draw()
        self.window.flip()
        title = f"noughts · {self.screen.name}" if self.screen.name else "noughts"
        if self.window.title != title:
            self.window.title = title

    def take(self, event: pygame.Event) -> bool:
        """Handle an event; return whether the picture may have changed."""
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
        # Later targets lie above earlier ones.
        for target in reversed(self.canvas.targets):
            if target.holds(point):
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
        if control and key_of(event).lower() in ("q", "w"):
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
        """Close the window and end the worker processes."""
        self.screen.close()
        for thinker in self._thinkers or ():
            thinker.close()
        self.window.destroy()
        pygame.quit()
