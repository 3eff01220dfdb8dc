"""The screen of a game: the board with players, sentences, moves and actions.

wide   header                      narrow  header
       board │ players                     board
             │ why                         actions
             │ moves                       players, why, moves: the page scrolls
             │ actions
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import pygame

from noughts.games.letters import shown_player
from noughts.games.nested import NestedPosition
from noughts.games.position import Player, move_texts
from noughts.games.words import state, title_and_rule
from noughts.views.values import words
from noughts.window.board import BoardWidget, Layer, has_picture, toward
from noughts.window.drawing import BODY, CONTROL, LEADING, SMALL, Box, Canvas
from noughts.window.game_state import GameState
from noughts.window.keys import key_of
from noughts.window.screen import ARROWS, ENTER, HEADER, PRESS, WindowScreen

FADE = 0.14
"""Seconds of the fade between two boards."""
BESIDE = 760.0
"""Least width of a window with the panel beside the board."""
PANEL = 372.0
AIR = 20.0
LINE = 26.0
"""Height of the line under the header of a narrow window."""
ROW = 26.0
"""Height of a line of moves."""
VERDICT = 28.0
"""Font size of the result, as on the page."""
SURE = 4.0
"""Seconds within which a second press of Resign confirms."""

PLAIN_KEYS = {
    "u": "Undo",
    "r": "Redo",
    "h": "Hint",
    "a": "Analysis",
    "n": "New",
    "s": "Save",
    "m": "Rematch",
    "g": "Resign",
    "p": "Pause",
}
"""Actions by key; without Ctrl, a key works only if no move begins with its letter."""
HELP = (
    ("Arrows", "select a move"),
    ("Enter, Space", "play it"),
    ("5, b2, 51 …", "type a move, then Enter"),
    ("U, R", "undo, redo"),
    ("H, A", "hint, analysis"),
    ("N, M, G", "new, rematch, resign"),
    ("S, P", "save; pause or resume machines"),
    ("Ctrl + letter", "the same, where letters are moves"),
    ("PgUp, PgDn", "previous, next position"),
    ("Home, End", "first, last position"),
    ("Tab", "next control"),
    ("D", "dark or light theme"),
    ("Ctrl +, Ctrl −", "zoom in, zoom out"),
    ("F11, Esc", "full screen, leave it"),
    ("Ctrl Q", "close"),
)


class TextEntry(NamedTuple):
    """A line of text that the person is typing."""

    label: str
    text: str
    submit: Callable[[str], bool]
    """Called with the line; returns whether to close the entry."""


class TextRow(NamedTuple):
    """A line of the sentences beside the board."""

    text: str
    ink: str
    bold: bool
    y: float
    """Distance from the first line."""


class GameScreen(WindowScreen):
    """The screen of a game.

    Args:
        canvas: the canvas to draw on.
        game: the game.
        leave: shows the start screen.
        turn_theme: switches between light and dark.
    """

    def __init__(
        self,
        canvas: Canvas,
        game: GameState,
        leave: Callable[[], None],
        turn_theme: Callable[[], None],
    ) -> None:
        super().__init__(canvas, turn_theme)
        self.game = game
        self.name = title_and_rule(game.start)[0]
        self.leave = leave
        self.cursor: int | None = None
        self.entry: TextEntry | None = None
        self.helping = False
        self._resigning = 0.0
        self._moves_scroll = self._buttons_scroll = self._moves_height = 0.0
        self._moves_box = Box(0, 0, 0, 0)
        self._seen: tuple[int, int] = (0, 0)
        self._seen_ply = -1
        self._before: tuple[BoardWidget, Layer] | None = None
        self._drawn: tuple[BoardWidget, Layer] | None = None
        self._changed_at = 0.0
        self._fading = False
        """Whether the fade to the shown board is in progress."""
        self.board = BoardWidget(game.shown, Box(0, 0, 100, 100), game.swapped, canvas)

    # Updates

    def update(self) -> bool:
        changed = self.game.update()
        if self._resigning and time.monotonic() > self._resigning:
            self._resigning = 0.0
            changed = True
        return changed

    @property
    def is_moving(self) -> bool:
        return self._fading or self.game.is_thinking or self.game.hinting

    def close(self) -> None:
        self.game.stop()

    # Drawing

    @property
    def _is_wide(self) -> bool:
        width, height = self.canvas.size
        return width >= BESIDE and width > height * 0.9

    def draw(self) -> None:
        canvas, game = self.canvas, self.game
        width, height = canvas.size
        canvas.ring = self._ink(game.shown.turn)
        narrow = not self._is_wide
        above = HEADER + (LINE if narrow else 0)
        self.begin_page(Box(0, above, width, height - above), scrolls=narrow)
        if narrow:
            self.end_page(self._draw_narrow(width, height))
            text, ink, bold = self._headline()
            text = canvas.fitting(text, width - 28, SMALL, bold=bold)
            canvas.text(text, 14, HEADER + LINE / 2, SMALL, ink, bold=bold)
        else:
            self._draw_wide(width, height)
            self.end_page(height)
        self.header(self.name, ("Keys", "Keys", self._help))
        if self.entry is not None:
            self._draw_entry(width, height)
        if self.helping:
            canvas.targets = []
            self._draw_help()

    def _draw_wide(self, width: float, height: float) -> None:
        panel = min(PANEL, width * 0.42)
        room = Box(AIR, HEADER + 16, width - panel - 3 * AIR, height - HEADER - 32)

        self._draw_board(room)
        x = width - panel - AIR
        top, bottom = HEADER + 16, height - 16
        players = self._players_height()
        self._draw_players(Box(x, top, panel, players))
        actions = Box(x, bottom - 2 * CONTROL - 8, panel, 2 * CONTROL + 8)
        self._draw_actions(actions)
        y = top + players + 12
        left = actions.y - 12 - y
        needs, size = self._why_needs(panel), BODY
        why = min(max(needs, 0.34 * left), left - 90)
        if self.game.hint is not None and why < needs:
            # A long hint takes the place of the moves in a low window.
            why, size = left, BODY if needs <= left else SMALL
        self._draw_why(Box(x, y, panel, why), size)
        if why < left:
            self._draw_moves(Box(x, y + why + 12, panel, left - why - 12), whole=False)
        else:
            self._moves_height = 0.0

    def _draw_narrow(self, width: float, height: float) -> float:
        """Draw the page of a narrow window; return its lower end."""
        game = self.game
        edge = 2.0 if isinstance(game.shown, NestedPosition) else 14.0
        side = width - 2 * edge
        top = HEADER + LINE
        most = height - top - 12
        shape = 1.0 if has_picture(game.shown) else 1.1
        high = max(min(side * shape, most), 200.0)
        self._draw_board(Box(edge, top, side, high))
        y = top + high + 8
        inner = width - 24
        self._draw_actions(Box(12, y, inner, 2 * CONTROL + 8))
        y += 2 * CONTROL + 20
        players = self._players_height()
        self._draw_players(Box(12, y, inner, players))
        y += players + 12
        why = self._why_needs(inner)
        self._draw_why(Box(12, y, inner, why))
        y += why + 12
        moves = 48 + ROW * self._rows(inner)
        self._draw_moves(Box(12, y, inner, moves), whole=True)
        return y + moves + 12

    def _draw_board(self, room: Box) -> None:
        canvas, game = self.canvas, self.game
        ended = game.is_live and game.round.is_over
        self.board = BoardWidget(game.shown, room, game.swapped, canvas, ended)
        seen = (id(game.round), game.ply)
        if seen != self._seen:
            self._before, self._seen = self._drawn, seen
            self._changed_at = time.monotonic()
            self._buttons_scroll = 0.0
        if self.cursor not in game.shown.legal_moves():
            self.cursor = None
        ghost = None
        if canvas.pointed is not None and self.entry is None and not self.helping:
            ghost = self.board.move_at(canvas.pointed, self._buttons_scroll)
        playable = game.may_move
        hint = game.hint.move if game.hint else None
        layer = Layer(
            game.values,
            hint,
            self.cursor if canvas.focus == "Board" or self.cursor is not None else None,
            ghost if playable else None,
            game.last_cell,
        )
        before = self._before
        if before is None or before[0].room != room or not has_picture(game.shown):
            self.board.draw(canvas, layer, self._buttons_scroll)
            self._fading = False
        else:
            # The previous board stays until the new one is drawn, and then fades into it.
            if not self.board.is_ready(canvas):
                self._changed_at = time.monotonic()
            faded = (time.monotonic() - self._changed_at) / FADE
            self._fading = faded < 1
            if self._fading:
                before[0].draw(canvas, Layer(last=before[1].last))
            if faded > 0.01:
                self.board.draw(canvas, layer, alpha=int(255 * min(faded, 1)))
        self._drawn = (self.board, layer)
        canvas.target("Board", self.board.box, self._press_board, ring=self.cursor is None)
        if not has_picture(game.shown):
            canvas.target("Moves of the board", self.board.buttons, self._press_board, ring=False)

    def _players_height(self) -> float:
        rounds = sum(self.game.series.total().values())
        return 84.0 + (20.0 if rounds else 0.0)

    def _draw_players(self, box: Box) -> None:
        canvas, game = self.canvas, self.game
        theme = canvas.theme
        canvas.card(box)
        y = box.y + 25
        over = game.round.is_over
        for player in Player:
            canvas.mark(game.letter(player), box.x + 26, y, 20)
            right = self._boards_of(player)
            wide = canvas.width(right, SMALL)
            x = box.x + 46
            room = box.width - 46 - 20 - wide
            turn = player is game.position.turn and not over
            doing = ""
            if turn:
                thinks = player not in game.people
                doing = (
                    ("waiting…" if game.paused or game.failure else "thinking…")
                    if thinks
                    else ("to move")
                )
            name = canvas.fitting(game.name(player), room - canvas.width(doing) - 16, bold=True)
            x += canvas.text(name, x, y, bold=True) + 8
            canvas.text(doing, x, y, ink=theme.soft)
            canvas.text(right, box.right - 18, y, SMALL, theme.soft, align=1)
            if doing == "thinking…":
                self.thinking_line(Box(box.x + 46, y + 13, box.width - 64, 2), self._ink(player))
            y += 34
        total = game.series.total()
        if sum(total.values()):
            said = f"Score: {self._score(Player.X)}, {self._score(Player.O)}, draws {total[None]}"
            said = canvas.fitting(said, box.width - 36, SMALL)
            canvas.text(said, box.x + 18, box.bottom - 18, SMALL, theme.soft)

    def _score(self, player: Player) -> str:
        """Return the games won by a player, with a short name."""
        game = self.game
        name, other = (game.name(each).partition(",")[0] for each in (player, player.other))
        return f"{game.letter(player) if name == other else name} {game.series.total()[player]}"

    def _ink(self, player: Player) -> str:
        """Return the visible colour of a player."""
        return self.canvas.theme.player(shown_player(player, self.game.swapped))

    def _boards_of(self, player: Player) -> str:
        position = self.game.shown
        if not isinstance(position, NestedPosition) or position.rules.one_line:
            return ""
        won = (position.won_x if player is Player.X else position.won_o).bit_count()
        return f"{won} board{'' if won == 1 else 's'}"

    # Why

    def _said(self) -> list[tuple[str, str, bool]]:
        """Return the sentences to show: each with its colour and whether it is bold."""
        game, theme = self.game, self.canvas.theme
        said: list[tuple[str, str, bool]] = []
        if game.failure:
            said.append((game.failure, theme.bad, False))
        if game.round.is_over and game.is_live:
            said.append((game.ending(), theme.soft, False))
        elif not game.is_live:
            total = len(game.round.moves)
            said.append((f"Viewing move {game.ply} of {total}.", "", False))
        if game.note:
            said.append((game.note, "", False))
        shown = game.shown
        if game.hinting:
            said.append(("Searching for a hint…", theme.soft, False))
        if game.hint is not None and game.hint.move is not None:
            said += [(game.letters(text), "", False) for text in game.hint.sentences]
        if shown.outcome() is None and not said:
            said.append((game.letters(f"{state(shown)}."), "", False))
        if game.analysing and shown.outcome() is None:
            said += self._analysis_said()
        return said

    def _headline(self) -> tuple[str, str, bool]:
        """Return the sentence that stays visible when the page of a narrow window scrolls."""
        game = self.game
        if game.round.is_over and game.is_live and not game.failure:
            return game.ending(), "", True
        return self._said()[0]

    def _analysis_said(self) -> list[tuple[str, str, bool]]:
        game, theme = self.game, self.canvas.theme
        found = game.analysis
        if found is None or found.move is None:
            return [("Analysing…", theme.soft, False)]
        shown = game.shown
        player, move = game.letter(shown.turn), shown.move_text(found.move)
        best = f"Best for {player}: {move} ({words(found.value)})"
        # No line break before a dot.
        line = "\u00a0· ".join(move_texts(shown, found.line[:12]))
        speed = found.nodes / found.seconds if found.seconds > 0.05 else 0
        work = f"depth {found.depth}\u00a0· {short(found.nodes)} nodes"
        work += f"\u00a0· {short(speed)} nodes/s" if speed else ""
        done = "\u00a0· done" if found.done else ""
        return [(best, "", False), (f"{line} — {work}{done}", theme.soft, False)]

    def _why_needs(self, width: float) -> float:
        verdict = 20 if self.game.round.is_over else 0
        rows = self._why_rows(width, BODY)
        return 55 + verdict + (rows[-1].y + BODY * LEADING if rows else 0.0)

    def _why_rows(self, width: float, size: float) -> list[TextRow]:
        """Return the sentences as lines, each with its place below the first one."""
        rows: list[TextRow] = []
        y = 0.0
        for text, ink, bold in self._said():
            for line in self.canvas.wrapped(text, width - 36, size, bold):
                rows.append(TextRow(line, ink, bold, y))
                y += size * LEADING
            y += 5 if size == BODY else 2
        return rows

    def _draw_why(self, box: Box, size: float = BODY) -> None:
        canvas = self.canvas
        canvas.card(box)
        game = self.game
        if game.round.is_over and game.is_live:
            canvas.text(game.verdict(), box.x + 18, box.y + 32, VERDICT, bold=True)
            y = box.y + 58
        else:
            heading = "Hint" if game.hint else "Analysis" if game.analysing else "Now"
            canvas.text(heading, box.x + 18, box.y + 22, SMALL, canvas.theme.soft, bold=True)
            y = box.y + 38
        rows, high = self._why_rows(box.width, size), size * LEADING
        seen = [row for row in rows if y + row.y + high <= box.bottom - 5]
        for index, (text, ink, bold, below) in enumerate(seen, start=1):
            if index == len(seen) < len(rows):
                text = canvas.fitting(f"{text} …", box.width - 36, size, bold=bold)
            canvas.text(text, box.x + 18, y + below + high / 2, size, ink, bold=bold)

    # Moves

    def _columns(self, width: float) -> tuple[int, float]:
        """Return the number of columns for pairs of moves, and the width for one move."""
        widest = max(
            (self.canvas.width(text, bold=True) for text in self._move_texts()), default=0.0
        )
        each = 40 + 2 * max(widest + 14, 36)
        return max(1, int((width - 24) // each)), max(widest + 14, 36)

    def _move_texts(self) -> list[str]:
        played = self.game.round
        pairs = zip(played.positions, played.moves, strict=False)
        return [position.move_text(move) for position, move in pairs]

    def _rows(self, width: float) -> int:
        pairs = (self._first() + len(self.game.round.moves) + 1) // 2
        return -(-pairs // self._columns(width)[0])

    def _first(self) -> int:
        """Return 1 if O moves first, so that the first pair lacks a move of X."""
        return int(self.game.round.positions[0].turn is Player.O)

    def _draw_moves(self, box: Box, whole: bool) -> None:
        canvas, game = self.canvas, self.game
        theme = canvas.theme
        canvas.card(box)
        canvas.text("Moves", box.x + 18, box.y + 22, SMALL, theme.soft, bold=True)
        texts = self._move_texts()
        if not texts:
            canvas.text("No moves yet.", box.x + 18, box.y + 50, ink=theme.soft)
            return
        count, wide = self._columns(box.width)
        rows = self._rows(box.width)
        inner = Box(box.x + 8, box.y + 38, box.width - 16, box.height - 46)
        self._moves_box = inner
        self._moves_height = max(0.0, rows * ROW - inner.height)
        if whole:
            self._moves_height = self._moves_scroll = 0.0
        # Pairs fill one column after the other, as in a printed game.
        each = inner.width / count
        first = self._first()
        number = game.ply + first - 1
        if self._seen_ply != game.ply:
            self._seen_ply = game.ply
            row = (number // 2) % rows if number >= 0 else 0
            least, most = (row + 1) * ROW - inner.height, row * ROW
            self._moves_scroll = min(max(self._moves_scroll, least, 0.0), most)
        self._moves_scroll = max(0.0, min(self._moves_scroll, self._moves_height))
        canvas.clip(inner)
        for index, text in enumerate(texts):
            pair, second = divmod(index + first, 2)
            column, row = divmod(pair, rows)
            x, y = inner.x + column * each, inner.y + row * ROW + ROW / 2 - self._moves_scroll
            if not inner.y - ROW < y < inner.bottom + ROW:
                continue
            if not second or not index:
                canvas.text(str(index + 1), x + 28, y, SMALL, theme.soft, align=1)
            here = index + 1 == game.ply
            cell = Box(x + 38 + second * wide - 7, y - ROW / 2 + 1, wide - 2, ROW - 2)
            if here or canvas.is_over(cell):
                canvas.sheet(cell, theme.even_tint, width=0, round_=6)
            player = Player.O if second else Player.X
            canvas.text(text, cell.x + 7, y, ink=self._ink(player), bold=here)
            if cell.y >= inner.y - 4 and cell.bottom <= inner.bottom + 4:
                canvas.target(f"Move {index + 1}", cell, partial(game.jump, index + 1))
        canvas.clip(None)

    # Actions

    def actions(self) -> list[tuple[str, str, Callable[[], None], bool, bool]]:
        """Return the actions: name, label, function, whether on, whether enabled."""
        game = self.game
        over = game.round.is_over
        last: tuple[str, str, Callable[[], None], bool, bool] = (
            "Resign",
            "Really?" if self._resigning else "Resign",
            self._resign,
            bool(self._resigning),
            game.series.can_resign,
        )
        if not game.people:
            last = ("Pause", "Resume" if game.paused else "Pause", game.pause, False, not over)
        return [
            ("Undo", "Undo", game.undo, False, game.series.can_undo),
            ("Redo", "Redo", game.redo, False, game.series.can_redo),
            ("Hint", "Hint", game.ask_hint, False, game.shown.outcome() is None),
            ("Analysis", "Analysis", game.analyse, game.analysing, True),
            ("New", "New", self.leave, False, True),
            last,
            ("Rematch", "Rematch", game.rematch, over, over),
            ("Save", "Save", self._save, False, bool(game.round.moves)),
        ]

    def _draw_actions(self, box: Box) -> None:
        width = (box.width - 24) / 4
        for index, (name, label, act, on, enabled) in enumerate(self.actions()):
            row, column = divmod(index, 4)
            place = Box(box.x + column * (width + 8), box.y + row * (CONTROL + 8), width, CONTROL)
            self.canvas.button(name, place, act, label=label, on=on, enabled=enabled)

    def _act(self, wanted: str) -> bool:
        """Run an action by its name; a disabled action explains itself."""
        for name, _, act, _, _ in self.actions():
            if name == wanted:
                act()
                return True
        return False

    def _resign(self) -> None:
        if not self.game.series.can_resign or self._resigning:
            self._resigning = 0.0
            self.game.resign()
        else:
            self._resigning = time.monotonic() + SURE

    def _save(self) -> None:
        if self.game.save_file is not None:
            self.game.save(str(self.game.save_file))
            return

        def submit(name: str) -> bool:
            self.game.save(name.strip())
            return True

        self.entry = TextEntry("File name", "games.txt", submit)

    # Typing

    def _draw_entry(self, width: float, height: float) -> None:
        canvas = self.canvas
        assert self.entry is not None
        # Over the panel, if there is one, so that the board stays visible.
        box = Box(12, height - 68, width - 24, 56)
        if self._is_wide:
            panel = min(PANEL, width * 0.42)
            box = Box(width - panel - AIR, height - 2 * CONTROL - 92, panel, 56)
        canvas.sheet(box, canvas.theme.card, canvas.ring, width=2, round_=10)
        x = box.x + 18
        x += canvas.text(f"{self.entry.label}:", x, box.centre[1], ink=canvas.theme.soft) + 10
        text = self.entry.text
        while text and canvas.width(text, bold=True) > box.right - x - 24:
            text = text[1:]
        x += canvas.text(text, x, box.centre[1], bold=True)
        canvas.sheet(Box(x + 2, box.y + 16, 2, 24), canvas.ring, width=0, round_=0)

    def _type(self, event: pygame.Event) -> bool:
        """Handle a key while the person types a line."""
        assert self.entry is not None
        entry = self.entry
        if event.key == pygame.K_ESCAPE:
            self.entry = None
        elif event.key == pygame.K_BACKSPACE:
            self.entry = entry._replace(text=entry.text[:-1]) if entry.text else None
        elif event.key in ENTER:
            self.entry = None if entry.submit(entry.text) else entry._replace(text="")
        elif event.unicode.isprintable() and event.unicode and len(entry.text) < 200:
            typed = key_of(event) if entry.label == "Move" else event.unicode
            self.entry = entry._replace(text=entry.text + typed)
            self._submit_if_plain()
        return True

    def _submit_if_plain(self) -> None:
        """Play a typed move at once if no longer move has the same beginning."""
        if self.entry is None or self.entry.label != "Move" or not self.game.may_move:
            return
        begun = self._begun(self.entry.text)
        if len(begun) == 1 and len(begun[0]) == len(self.entry.text):
            self.game.enter(begun[0])
            self.entry = None

    def _begun(self, typed: str) -> list[str]:
        """Return the legal moves that begin with a text, if none does, then in either case."""
        position = self.game.position
        texts = [position.move_text(move) for move in position.legal_moves()]
        exact = [text for text in texts if text.startswith(typed)]
        return exact or [text for text in texts if text.lower().startswith(typed.lower())]

    def _begin_move(self, letter: str) -> None:
        self.entry = TextEntry("Move", letter, self._enter)
        self._submit_if_plain()

    def _enter(self, typed: str) -> bool:
        """Play a typed move; return whether it was legal."""
        whole = [text for text in self._begun(typed) if len(text) == len(typed)]
        return self.game.enter(whole[0] if len(whole) == 1 else typed)

    # Events

    def key(self, event: pygame.Event) -> bool:
        if self.helping:
            self.helping = False
            return True
        if self.entry is not None and not event.mod & pygame.KMOD_CTRL:
            return self._type(event)
        if event.mod & pygame.KMOD_CTRL:
            letter = key_of(event).lower()
            return self._command("u" if letter == "z" else "r" if letter == "y" else letter)
        if event.key == pygame.K_ESCAPE:
            if self.canvas.focus in ("", "Board"):
                self.leave()
            self.canvas.focus = ""
            return True
        plies = {
            pygame.K_PAGEUP: self.game.ply - 1,
            pygame.K_PAGEDOWN: self.game.ply + 1,
            pygame.K_HOME: 0,
            pygame.K_END: len(self.game.round.moves),
        }
        if event.key in plies:
            self.game.jump(plies[event.key])
            return True
        if event.key == pygame.K_F1 or event.unicode == "?":
            self._help()
            return True
        letter = key_of(event)
        if self._begins_move(letter):
            self._begin_move(letter)
            return True
        return self._command(letter.lower()) or self._move_cursor(event) or self.move_focus(event)

    def _command(self, letter: str) -> bool:
        """Run the action of a letter; return whether there is one."""
        if letter == "d":
            self.turn_theme()
            return True
        return letter in PLAIN_KEYS and self._act(PLAIN_KEYS[letter])

    def _begins_move(self, letter: str) -> bool:
        if not letter or not self.game.may_move:
            return False
        return bool(self._begun(letter)) or letter.isdecimal()

    def _move_cursor(self, event: pygame.Event) -> bool:
        """Move the cursor with arrows and play with Enter, if the board has the focus."""
        if self.canvas.focus not in ("", "Board", "Moves of the board"):
            return False
        if event.key in ARROWS and self.game.shown.outcome() is None:
            self.canvas.focus = "Board"
            self.reveal_focus()
            self.cursor = toward(self.board.spots(), self.cursor, ARROWS[event.key])
            if self.cursor is not None:
                self._buttons_scroll = self.board.reveal(self.cursor, self._buttons_scroll)
            return True
        if event.key in PRESS:
            if self.cursor is not None:
                self.game.play(self.cursor)
            return True
        return False

    def _press_board(self) -> None:
        """Play the move under the mouse, or explain why it is illegal."""
        canvas = self.canvas
        if canvas.pointer is None:
            return
        point = (canvas.pointer[0], canvas.pointer[1] + self._scroll)
        move = self.board.move_at(point, self._buttons_scroll)
        canvas.focus = ""
        self.cursor = None
        if move is not None:
            self.game.play(move)
        elif self.game.may_move:
            # Entering the illegal move sets the note to the reason.
            cell = self.board.cell_text(point)
            if cell is not None:
                self.game.enter(cell)
        else:
            self.game.play(-1)

    def wheel(self, lines: float) -> None:
        canvas = self.canvas
        if self._moves_height and canvas.is_over(self._moves_box):
            self._moves_scroll = max(0.0, min(self._moves_scroll - lines * ROW, self._moves_height))
        elif not has_picture(self.game.shown) and canvas.is_over(self.board.buttons):
            scrolled = self._buttons_scroll - lines * (CONTROL + 8)
            self._buttons_scroll = max(0.0, min(scrolled, self.board.overflow))
        else:
            self._scroll -= lines * 48

    def _help(self) -> None:
        self.helping = True

    def _draw_help(self) -> None:
        width, height = self.canvas.size
        box = self.draw_list("Keys", HELP)
        self.canvas.text(
            "Press any key to close.",
            box.right - 18,
            box.y + 30,
            SMALL,
            self.canvas.theme.soft,
            align=1,
        )
        self.canvas.target("Close", Box(0, 0, width, height), self._close_help, ring=False)

    def _close_help(self) -> None:
        self.helping = False


def short(count: float) -> str:
    """Return a count in a few characters.

    >>> short(950), short(12_345), short(11_200_000)
    ('950', '12 k', '11.2 M')
    """
    if count < 1000:
        return f"{count:.0f}"
    return f"{count / 1000:.0f} k" if count < 1_000_000 else f"{count / 1_000_000:.1f} M"
