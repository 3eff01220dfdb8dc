"""The start screen: which game, under which rules, against whom, with which letter.

Choice ──steppers, chips──► Choice ──rules_id() · sides()──► a Table
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import pygame

from noughts.engine import is_native
from noughts.games.catalogue import GameOption, Preset, Size, make_rules_id, with_defaults
from noughts.games.letters import is_swapped
from noughts.games.notation import parse_options
from noughts.games.position import NotationError, Player, Position
from noughts.games.registry import GAMES, game, sample
from noughts.games.words import title_and_rule
from noughts.levels import LEVELS, description
from noughts.opponents import opponent_name, perfect_begins, suits_perfect
from noughts.views.svg import BOLD
from noughts.window.board import draw_diagram, has_picture, picture
from noughts.window.drawing import BODY, CONTROL, LEADING, SMALL, Box, Canvas
from noughts.window.keys import key_of
from noughts.window.screen import ARROWS, ENTER, HEADER, WindowScreen

OPPONENTS = ("engine", "human", "alphabeta", "mcts", "random", "perfect")
"""The opponents that can be chosen here; the command line knows more."""
ABOUT = {
    "human": "another person at this window",
    "alphabeta": "alpha-beta, the textbook's search, some plies ahead",
    "mcts": "Monte Carlo tree search, 1,000 simulations a move",
    "random": "plays any legal move",
    "perfect": "never errs",
}
WIDE = 700.0
FOOTER = 64.0
"""Height of the footer with the button Play."""


@dataclass
class Choice:
    """What has been chosen so far."""

    game: str = next(iter(GAMES))
    sizes: dict[str, list[int]] = field(default_factory=dict)
    """The sizes chosen for each game."""
    options: dict[tuple[str, str], str] = field(default_factory=dict)
    """The text chosen for each option that is not the default, by game and option."""
    opponent: str = "engine"
    level: int = 4
    letter: str = "X"
    first: bool = True
    """Whether the person starts."""

    def rules_id(self) -> str:
        """Return the rules id of the choice; `game` says whether there are such rules."""
        options = GAMES[self.game].options
        chosen = [self.options.get((self.game, option.key), "") for option in options]
        return make_rules_id(self.game, [*self.sizes_of_game(), *chosen])

    def sizes_of_game(self) -> list[int]:
        """Return the sizes chosen for the current game, in a list that can be changed."""
        return self.sizes.setdefault(self.game, with_defaults(GAMES[self.game].sizes, []))

    def choose_preset(self, preset: Preset) -> None:
        """Choose the sizes and options of a preset."""
        name, sizes, options = _of_preset(preset)
        self.sizes[name] = sizes
        self.options.update(options)

    def is_chosen(self, preset: Preset) -> bool:
        """Whether the sizes and options of a preset are chosen."""
        name, sizes, options = _of_preset(preset)
        chosen = {key: self.options.get(key, "") for key in options}
        return (self.game, self.sizes_of_game(), chosen) == (name, sizes, options)

    def opponents(self, start: Position) -> list[str]:
        """Return the opponents that are available in a game."""
        return [
            name
            for name in OPPONENTS
            if (name != "engine" or is_native(start))
            and (name != "perfect" or suits_perfect(start))
        ]

    def opponent_in(self, start: Position) -> str:
        """Return the opponent as `opponent` reads it."""
        known = self.opponents(start)
        name = self.opponent if self.opponent in known else start.default_opponent.partition(":")[0]
        return f"engine:level={self.level}" if name == "engine" else name

    def starts(self, start: Position) -> bool:
        """Whether the person starts; some opponents know a game only as the first player."""
        is_known = self.opponent_in(start) != "perfect" or not perfect_begins(start)
        return self.first and is_known

    def sides(self, start: Position) -> tuple[dict[Player, str], bool]:
        """Return who plays X and O, and whether the letters are swapped."""
        opponent = self.opponent_in(start)
        if opponent == "human":
            return {Player.X: "human", Player.O: "human"}, False
        me, other = (Player.X, Player.O) if self.starts(start) else (Player.O, Player.X)
        return {me: "human", other: opponent}, is_swapped(Player(self.letter), self.starts(start))


def _of_preset(preset: Preset) -> tuple[str, list[int], dict[tuple[str, str], str]]:
    """Return the game of a preset, its sizes, and the text of each option, empty for a default."""
    name, _, words = preset.rules_id.partition(":")
    given, chosen = parse_options(GAMES[name], words)
    options = {
        (name, option.key): next((each.text for each in option.values if each.text in chosen), "")
        for option in GAMES[name].options
    }
    return name, with_defaults(GAMES[name].sizes, given), options


class SetUpScreen(WindowScreen):
    """The start screen.

    Args:
        canvas: the surface to draw on.
        choice: the first choice; it changes with every click.
        play: begins a game: given the start, the sides, and whether the letters are swapped.
        back: goes back to the game in progress; `None` if there is none.
        turn_theme: changes between light and dark.
    """

    def __init__(
        self,
        canvas: Canvas,
        choice: Choice,
        play: Callable[[Position, dict[Player, str], bool], None],
        back: Callable[[], None] | None,
        turn_theme: Callable[[], None],
    ) -> None:
        super().__init__(canvas, turn_theme)
        self.choice = choice
        self.name = "new game"
        self._play = play
        self.back = back
        canvas.focus = ""

    def begin(self) -> None:
        """Begin the game that is chosen, if there is such a game."""
        try:
            start = game(self.choice.rules_id())
        except NotationError:
            return
        self._play(start, *self.choice.sides(start))

    def key(self, event: pygame.Event) -> bool:
        if event.key == pygame.K_ESCAPE and self.back is not None:
            self.back()
            return True
        if event.key in ENTER and not self.canvas.focus:
            self.begin()
            return True
        if key_of(event).lower() == "d":
            self.turn_theme()
            return True
        if not self.canvas.focus and event.key in ARROWS:
            self.canvas.focus = f"Game {self.choice.game}"
        return self.move_focus(event)

    def wheel(self, lines: float) -> None:
        self._scroll -= lines * 48

    # Drawing

    def draw(self) -> None:
        canvas = self.canvas
        canvas.ring = canvas.theme.x
        width, height = canvas.size
        inner = min(width - 32, 820.0)
        x = (width - inner) / 2
        try:
            start: Position | None = game(self.choice.rules_id())
            wrong = ""
        except NotationError as error:
            start, wrong = None, str(error)
        footer = FOOTER + BODY * LEADING * len(canvas.wrapped(wrong, inner))
        self.begin_page(Box(0, HEADER, width, height - HEADER - footer))
        y = self._draw_games(x, HEADER + 20, inner)
        y = self._draw_rule(x, y, inner, start)
        y = self._draw_rules(x, y, inner)
        if start is not None:
            y = self._draw_opponent(x, y, inner, start)
            y = self._draw_sides(x, y, inner, start)
        self.end_page(y)
        self._draw_footer(Box(x, height - footer, inner, footer), wrong)
        self.header("")

    def _draw_footer(self, box: Box, wrong: str) -> None:
        """Draw the button Play, and the reason if the choice is not valid."""
        canvas = self.canvas
        edge = Box(0, box.y, canvas.size[0], 1)
        canvas.sheet(edge, canvas.theme.line, width=0, round_=0)
        y = canvas.paragraph(wrong, box._replace(y=box.y + 6), ink=canvas.theme.bad) + 4
        wide = (min(box.width, 420.0) - 8) / 2 if self.back else min(box.width, 206.0)
        play = Box(box.x, y, wide, 44)
        canvas.button("Play", play, self.begin, on=not wrong, enabled=not wrong)
        if self.back is not None:
            canvas.button("Back to the game", play._replace(x=play.right + 8), self.back)

    def _draw_games(self, x: float, y: float, width: float) -> float:
        """Draw a tile for every game; return where they end."""
        canvas, theme = self.canvas, self.canvas.theme
        names = list(GAMES)
        most = (6 if len(names) == 6 else 5) if width >= WIDE - 40 else 3
        count = min(len(names), most)
        each = (width - 10 * (count - 1)) / count
        high = each * 0.62 + 46
        for index, name in enumerate(names):
            row, column = divmod(index, count)
            box = Box(x + column * (each + 10), y + row * (high + 10), each, high)
            chosen = name == self.choice.game
            stroke = theme.x if chosen else theme.line
            fill = theme.active if chosen else theme.card
            if not chosen and canvas.is_over(box):
                fill = theme.even_tint
            canvas.sheet(box, fill, stroke, width=2.0 if chosen else 1.0, round_=12)
            title = GAMES[name].title
            size = BODY if canvas.width(title, bold=True) <= each - 12 else SMALL
            title = canvas.fitting(title, each - 6, size, bold=chosen)
            canvas.text(title, box.centre[0], box.bottom - 20, size, bold=chosen, align=0.5)
            self._draw_sample(name, Box(box.x, box.y + 12, each, high - 52))
            canvas.target(f"Game {name}", box, self._choose("game", name))
        rows = -(-len(names) // count)
        return y + rows * (high + 10) + 8

    def _draw_rule(self, x: float, y: float, width: float, start: Position | None) -> float:
        """Draw the chosen rules in short; return where they end."""
        rule = title_and_rule(start)[1] if start is not None else ""
        # Keeps the steppers below in place when the text changes.
        lines = 2 if width < WIDE - 40 and GAMES[self.choice.game].sizes else 1
        end = self.canvas.paragraph(rule, Box(x, y, width, 400), ink=self.canvas.theme.soft)
        return max(end, y + lines * BODY * LEADING) + 14

    def _draw_sample(self, name: str, room: Box) -> None:
        """Draw a small board after a few moves."""
        canvas = self.canvas
        found = sample(name)
        if found is None:
            return
        position, _ = found
        if not has_picture(position):
            draw_diagram(canvas, position, room.inset(10))
            return
        drawn = picture(position, canvas.theme, BOLD)
        unit = min(room.width * 0.8 / drawn.width, room.height / drawn.height)
        size = drawn.width * unit, drawn.height * unit
        box = Box(room.centre[0] - size[0] / 2, room.centre[1] - size[1] / 2, *size)
        canvas.draw(drawn, box)

    def _choose(self, name: str, value: object) -> Callable[[], None]:
        """Return a function that sets an attribute of the choice."""
        return partial(setattr, self.choice, name, value)

    def _heading(self, text: str, x: float, y: float) -> float:
        self.canvas.text(text, x, y + 8, SMALL, self.canvas.theme.soft, bold=True)
        return y + 24

    def _draw_rules(self, x: float, y: float, width: float) -> float:
        """Draw sizes and options of the game that is chosen; return where they end."""
        choice, known = self.choice, GAMES[self.choice.game]
        if known.presets:
            y = self._heading("Board", x, y)
            chips = [
                (
                    preset.title,
                    preset.title,
                    choice.is_chosen(preset),
                    partial(choice.choose_preset, preset),
                )
                for preset in known.presets
            ]
            y = self._chips(x, y, width, chips) + 14
        place = x
        for index, size in enumerate(known.sizes):
            wide = 150.0
            if place + wide > x + width:
                place, y = x, y + CONTROL + 24
            self._stepper(Box(place, y, wide, CONTROL), size, index)
            place += wide + 14
        if known.sizes:
            y += CONTROL + 34
        for option in known.options:
            y = self._draw_option(option, x, y, width)
        return y

    def _draw_option(self, option: GameOption, x: float, y: float, width: float) -> float:
        """Draw the values of an option as buttons; return the lower end."""
        key = (self.choice.game, option.key)
        default = option.values[0].text
        now = self.choice.options.get(key) or default

        def choose(text: str) -> Callable[[], None]:
            return lambda: self.choice.options.update({key: "" if text == default else text})

        y = self._heading(option.title, x, y)
        chips = [
            (f"{option.title}: {value.title}", value.title, value.text == now, choose(value.text))
            for value in option.values
        ]
        return self._chips(x, y, width, chips) + 14

    def _stepper(self, box: Box, size: Size, index: int) -> None:
        canvas = self.canvas
        sizes = self.choice.sizes_of_game()
        label, least, most = size.name, size.least, size.most

        def step(by: int) -> None:
            sizes[index] = max(least, min(sizes[index] + by, most))

        down = box._replace(width=CONTROL)
        up = box._replace(x=box.right - CONTROL, width=CONTROL)
        enabled = sizes[index] > least, sizes[index] < most
        canvas.button(f"{label} −", down, lambda: step(-1), label="−", enabled=enabled[0])
        canvas.button(f"{label} +", up, lambda: step(1), label="+", enabled=enabled[1])
        canvas.text(str(sizes[index]), *box.centre, 17, bold=True, align=0.5)
        canvas.text(label, box.centre[0], box.bottom + 9, SMALL, canvas.theme.soft, align=0.5)

    def _chips(
        self,
        x: float,
        y: float,
        width: float,
        chips: Sequence[tuple[str, str, bool, Callable[[], None]]],
        least: float = 84.0,
    ) -> float:
        """Draw buttons in rows, each with its name, label and whether it is chosen."""
        canvas = self.canvas
        place = x
        for name, label, on, act in chips:
            wide = max(least, canvas.width(label, BODY, bold=True) + 26)
            if place > x and place + wide > x + width:
                place, y = x, y + CONTROL + 8
            canvas.button(name, Box(place, y, wide, CONTROL), act, label=label, on=on)
            place += wide + 8
        return y + CONTROL

    def _draw_opponent(self, x: float, y: float, width: float, start: Position) -> float:
        choice, canvas = self.choice, self.canvas
        y = self._heading("Against", x, y)
        text = choice.opponent_in(start)
        current = text.partition(":")[0]

        known = choice.opponents(start)
        y = self._chips(
            x,
            y,
            width,
            [
                (opponent_name(n), opponent_name(n), n == current, self._choose("opponent", n))
                for n in known
            ],
        )
        about = ABOUT.get(current, "")
        if current == "engine":
            levels = [
                (f"Level {n}", str(n), n == choice.level, self._choose("level", n)) for n in LEVELS
            ]
            y = self._chips(x, y + 10, width, levels, least=40.0)
            about = f"Level {choice.level}: {description(choice.level)}"
        elif choice.first and not choice.starts(start):
            about += "; starts, since it knows how the first player wins"
        room = Box(x, y + 7, width, 100)
        about = f"{about[:1].upper()}{about[1:]}."
        return canvas.paragraph(about, room, SMALL, canvas.theme.soft) + 10

    def _draw_sides(self, x: float, y: float, width: float, start: Position) -> float:
        choice = self.choice
        if choice.opponent_in(start) == "human":
            return y

        half = x + 210 if width >= 420 else x
        self._heading("Your letter", x, y)
        letters = [
            ("Crosses", "X", choice.letter == "X", self._choose("letter", "X")),
            ("Noughts", "O", choice.letter == "O", self._choose("letter", "O")),
        ]
        bottom = self._chips(x, y + 24, width, letters)
        if half == x:
            y = bottom + 14
        self._heading("Who starts", half, y)
        first = choice.starts(start)
        starts = [
            ("You start", "You", first, self._choose("first", True)),
            ("The opponent starts", "Opponent", not first, self._choose("first", False)),
        ]
        if choice.first and not first:
            del starts[0]
        return self._chips(half, y + 24, width, starts) + 20
