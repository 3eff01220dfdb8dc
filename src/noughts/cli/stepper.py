"""The stepper: show a search step by step, at a terminal or through a pipe.

    keys ───┐                              ┌─ board │ path, moves ─┐
    lines ──┴─► Stepper.obey() ──► moment ─┤  pseudocode           ├─► screen, or text
                                           └─ counters, sentence  ─┘

At a terminal, single keys move through the search. Otherwise each line of stdin is a command, and
the state after it is printed.
"""

from __future__ import annotations

import os
import re
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from textwrap import wrap

from rich.console import Console
from rich.live import Live
from rich.text import Text

from noughts.cli.output import suggestion
from noughts.cli.terminal import Quit
from noughts.games.drawing import ASCII, UNICODE, Look
from noughts.games.nested import NestedPosition
from noughts.games.row import RowPosition
from noughts.search.pseudocode import line_of, pseudocode
from noughts.search.recording import NEXT, Moment, Recording, Seen
from noughts.search.trace import Select
from noughts.views.narrate import sentence
from noughts.views.text import SOFT, STYLES, board

WIDTH, HEIGHT = 80, 24
"""Smallest terminal that fits everything."""
WIDE = 110
"""Width from which the pseudocode is next to the board."""
FUNCTION = 12
"""Maximum number of lines of pseudocode if there is no terminal: one function."""
SHORTEST_CODE = 4
MAX_LINES = 3
"""Maximum number of lines for the moves of a node."""
MAX_CHILDREN = 6
"""Maximum number of children shown of an MCTS node: the most visited."""

COMMANDS: dict[str, tuple[tuple[str, ...], str]] = {
    "forward": (("right", " ", "f", "n", ""), "one step; 20 for twenty steps, -5 for five back"),
    "back": (("left", "b", "p"), "one step back"),
    "cutoff": (("c",), "run to the next cutoff"),
    "leaf": (("l",), "run to the next leaf (MCTS: rollout)"),
    "over": (("o", "down"), "skip a subtree or a simulation"),
    "start": (("s", "home"), "the first event"),
    "end": (("e", "end"), "the last event"),
    "go": (("g",), "go N: to event N"),
    "help": (("?", "h"), "show this"),
    "quit": (("q",), "leave"),
}
"""Commands, with their keys and effects."""
SCORES = (
    "Scores are for MAX, the player to move at the root: W 5 wins in 5 plies, L 4 loses in 4,",
    "D draws, +0.42 is an estimate; by sign 1, 0 and -1. A ≥ or ≤ marks a bound: moves not",
    "searched could change the value. An MCTS mean is between 0 and 1, for the player who",
    "made the move.",
)
KEYS = {key: command for command, (keys, _) in COMMANDS.items() for key in keys}
SHOWN_KEYS = "←→ step  c cutoff  l leaf  o over  s start  e end  g go to  ? help  q quit"
SHOWN_KEYS_ASCII = "arrows step  c cutoff  l leaf  o over  s start  e end  g go to  ? help  q quit"

PLAIN = str.maketrans(
    {
        "∞": "inf",
        "α": "alpha",
        "β": "beta",
        "≥": ">=",
        "≤": "<=",
        "←": "<-",
        "−": "-",
        "×": "x",
        "·": ".",
        "…": "...",
        "▸": ">",
    }
)
"""ASCII spellings of other characters."""
ESCAPES = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}
ESCAPES |= {"1~": "home", "7~": "home", "4~": "end", "8~": "end"}
"""Keys by the end of their escape sequences."""


class Stepper:
    """A recording and the event that is shown."""

    def __init__(self, recording: Recording, text: str) -> None:
        self.recording = recording
        self.text = text
        """The search as typed."""
        self.number = 1
        self.message = ""
        """Reason why the last command did nothing."""

    @property
    def moment(self) -> Moment:
        return self.recording.at(self.number)

    def obey(self, line: str) -> None:
        """Run a command, or store in `message` why it did nothing.

        Raises:
            Quit: the command is `quit`.
        """
        words = line.split()
        name, arguments = (words[0].lower(), words[1:]) if words else ("", [])
        last, command = len(self.recording), KEYS.get(name, name)
        self.message = ""
        if re.fullmatch("[+-]?[0-9]{1,9}", name) and not arguments:
            self._to(self.number + int(name))
        elif command == "go":
            if len(arguments) == 1 and re.fullmatch("[0-9]{1,9}", arguments[0]):
                self._to(int(arguments[0]))
            else:
                self.message = f"Type go N, with N from 1 to {last:,}."
        elif command not in COMMANDS or arguments:
            self.message = f"No command {line.strip()!r}. {suggestion(name, COMMANDS)}"
        elif command == "quit":
            raise Quit
        elif command == "forward":
            self._to(self.number + 1)
        elif command == "back":
            self._to(self.number - 1)
        elif command == "over":
            self._to(self.number + 1 if self.number == last else self.recording.over(self.number))
        elif command in NEXT:
            number = self.recording.next(self.number, *NEXT[command])
            if number is None:
                self.message = f"There is no {command} after this."
            else:
                self._to(number)
        elif command in ("start", "end"):
            self._to(1 if command == "start" else last)

    def _to(self, number: int) -> None:
        last = len(self.recording)
        if number < 1 or number > last:
            self.message = f"This is the {'start' if number < 1 else 'end'} of the search."
        self.number = min(max(number, 1), last)


def title(stepper: Stepper) -> Text:
    """Return the first line: the search, the event and the counters."""
    counted = stepper.moment.counters.items()
    return Text.assemble(
        (stepper.text, "bold"),
        f"   event {stepper.number:,} of {len(stepper.recording):,}",
        ("   " + "   ".join(f"{name} {number:,}" for name, number in counted), SOFT),
    )


def left_out(recording: Recording) -> str:
    """Return a note about nodes and events that are missing from the recording."""
    notes = []
    if recording.end and recording.end.left_out:
        recorded, others = recording.end.recorded, recording.end.left_out
        notes.append(f"{recorded:,} of {recorded + others:,} nodes are recorded (--nodes)")
    if recording.dropped:
        notes.append(f"{recording.dropped:,} events are not recorded")
    return "; ".join(notes)


def board_of(moment: Moment, look: Look) -> Text:
    """Return the board, with the last move in brackets."""
    last = None
    if len(moment.path) > 1:
        above, move = moment.path[-2].position, moment.path[-1].move
        if isinstance(above, RowPosition | NestedPosition) and move is not None:
            last = above.cell(move)
    return board(moment.position, last, look)


def table(rows: list[list[str]], styles: list[str], words: int, look: Look) -> list[Text]:
    """Return a table as lines; the first `words` columns are words in the style of their row."""
    rows = [[spelled(cell, look) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row, style in zip(rows, styles, strict=True):
        cells = [
            cell.ljust(width) if column < words else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        named, numbers = " ".join(cells[:words]), " ".join(cells[words:])
        lines.append(Text.assemble((named, style), (f" {numbers}", SOFT if row is rows[0] else "")))
    return lines


def spelled(text: str, look: Look) -> str:
    """Return a text in ASCII, if only that may be used."""
    return text.translate(PLAIN) if look.lines is ASCII else text


def path_lines(moment: Moment, height: int | None, look: Look) -> list[Text]:
    """Return the path from the root, one node a line, with a long middle folded."""
    if not moment.path:
        return []
    scale, mcts = moment.recording.start.scale, moment.recording.start.search == "mcts"
    window = any(seen.alpha is not None for seen in moment.path)
    head = ["", "move", *(("alpha", "beta") if window else ())]
    head += ["visits", "mean"] if mcts else ["value"]
    rows, styles = [head], [SOFT]
    names = ["root"] + [
        above.position.move_text(seen.move)
        for above, seen in zip(moment.path, moment.path[1:], strict=False)
        if seen.move is not None
    ]
    for seen, name in zip(moment.path, names, strict=True):
        row = ["MAX" if seen.maximizing else "MIN", name]
        if window:
            row += [scale.text(bound) for bound in (seen.alpha, seen.beta) if bound is not None]
        row += (
            _simulated(seen)
            if mcts
            else ["·" if seen.score is None else scale.text(seen.score, seen.bound)]
        )
        rows.append(row)
        styles.append(STYLES[seen.position.turn])
    lines = table(rows, styles, 2, look)
    if height is not None and len(lines) > height:
        hidden = len(lines) - (height - 1)
        lines[2 : 2 + hidden] = [Text(f"… {hidden} more", SOFT)]
    return lines


def _simulated(seen: Seen) -> list[str]:
    mean = f"{seen.reward / seen.visits:.2f}" if seen.visits else "·"
    if seen.proven is not None:
        mean = {0.0: "loss", 0.5: "draw", 1.0: "win"}[seen.proven]
    return [f"{seen.visits:,}", mean]


def move_lines(moment: Moment, width: int, look: Look) -> list[Text]:
    """Return the moves of the current node and their scores so far."""
    if not moment.path:
        return []
    node, below = moment.path[-1], moment.below
    name = node.position.move_text
    if moment.recording.start.search == "mcts":
        return _child_lines(moment, look)
    if node.position.outcome() is not None or (node.done and not below):
        return []
    scale = moment.recording.start.scale
    known = [
        f"{name(seen.move)}\N{NO-BREAK SPACE}"
        + (
            scale.text(seen.score, seen.bound).replace(" ", "\N{NO-BREAK SPACE}")
            if seen.done and seen.score is not None
            else "…"
        )
        for seen in below
        if seen.move is not None
    ]
    tried = {seen.move for seen in below}
    others = [move for move in node.position.legal_moves() if move not in tried]
    lines = listed("searched", known, width, last=True) if known else []
    if node.cut:
        lines += listed("cut off", [name(move) for move in node.cut], width, last=False, style=SOFT)
    elif others and not node.done:
        lines += listed("to come", [name(move) for move in others], width, last=False, style=SOFT)
    return lines


def listed(title: str, words: list[str], width: int, *, last: bool, style: str = "") -> list[Text]:
    """Return a title and words, of which the first or last `MAX_LINES` lines are kept."""
    lines = wrap("  ".join(words), max(width - 13, 12))
    if len(lines) > MAX_LINES and last:
        lines = [f"… {lines[-MAX_LINES]}", *lines[1 - MAX_LINES :]]
    elif len(lines) > MAX_LINES:
        lines = [*lines[: MAX_LINES - 1], f"{lines[MAX_LINES - 1]} …"]
    heads = [title, *[""] * (len(lines) - 1)]
    return [
        Text(f"{head:<11}{line}".replace("\N{NO-BREAK SPACE}", " "), style)
        for head, line in zip(heads, lines, strict=True)
    ]


def _child_lines(moment: Moment, look: Look) -> list[Text]:
    bounds = moment.event.bounds if isinstance(moment.event, Select) else {}
    below = sorted(moment.below, key=lambda seen: -seen.visits)
    if not below:
        return []
    name = moment.path[-1].position.move_text
    rows = [["move", "visits", "mean", *(["bound"] if bounds else [])]]
    for seen in below[:MAX_CHILDREN]:
        assert seen.move is not None
        row = [name(seen.move), *_simulated(seen)]
        if bounds:
            row.append(f"{bounds[seen.node]:.2f}" if seen.node in bounds else "·")
        rows.append(row)
    lines = table(rows, [SOFT, *[""] * (len(rows) - 1)], 1, look)
    if len(below) > MAX_CHILDREN:
        lines.append(Text(f"… {len(below) - MAX_CHILDREN} more", SOFT))
    return lines


def code_lines(moment: Moment, width: int, height: int | None) -> list[Text]:
    """Return the pseudocode with its current line marked.

    If the height is too small, return the current function, or the lines around the current one.
    """
    start = moment.recording.start
    current = line_of(moment)
    lines = pseudocode(start)
    shown = range(len(lines))
    if height is not None and len(lines) > height:
        place = current or 0
        blanks = [-1, *(index for index, line in enumerate(lines) if not line), len(lines)]
        first = max(blank for blank in blanks if blank < place or blank == -1) + 1
        shown = range(first, min(blank for blank in blanks if blank > place))
        if len(shown) > height:
            top = min(max(place - height // 2, first), shown.stop - height)
            shown = range(top, top + height)
    texts = {index: lines[index] for index in shown}
    for index, line in texts.items():
        if len(line) > width - 2:
            texts[index] = re.sub(r"(?<=\S) {3,}", "   ", line)
    return [
        Text(f"▸ {line}", "bold") if index == current else Text(f"  {line}")
        for index, line in texts.items()
    ]


def beside(left: list[Text], right: list[Text], gap: int) -> list[Text]:
    """Return two blocks of lines side by side."""
    width = max((line.cell_len for line in left), default=0) + gap
    lines = []
    for index in range(max(len(left), len(right))):
        line = Text()
        if index < len(left):
            line.append_text(left[index])
        line.pad_right(width - line.cell_len)
        if index < len(right):
            line.append_text(right[index])
        lines.append(line)
    return lines


def page(stepper: Stepper, width: int, height: int | None, look: Look) -> list[Text]:
    """Return the whole display as at most `height` lines of `width` columns."""
    moment = stepper.moment
    words = stepper.message or sentence(moment)
    told = list(Text(spelled(words, look)).wrap(Console(width=width), width))
    if height is not None:
        told += [Text()] * (2 - len(told))
    missing = left_out(stepper.recording)
    foot = [Text(), *told, *([Text(missing, SOFT)] if missing else [])]
    drawn = list(board_of(moment, look).split("\n"))
    lines = [title(stepper)]
    if height is None or len(drawn) + len(foot) + SHORTEST_CODE < height - 2:
        lines.append(Text())
    room = None if height is None else height - len(lines) - len(foot) - 1
    if width >= WIDE:
        path = path_lines(moment, room and max(3, room - len(drawn) - 1), look)
        beyond = width - max(line.cell_len for line in [*drawn, *path]) - 5
        right = [*code_lines(moment, beyond, room), Text(), *move_lines(moment, beyond, look)]
        lines += beside([*drawn, Text(), *path], right, 5)[:room]
    else:
        beyond = max((line.cell_len for line in drawn), default=0) + 2
        moves = [Text(), *move_lines(moment, width - beyond, look)]
        tall = room and max(len(drawn), room - FUNCTION + 2)
        right = path_lines(moment, tall and max(4, tall - len(moves)), look)
        middle = beside(drawn, right + moves, 2)
        if room is not None and len(middle) > room - 2:
            hidden = len(middle) - (room - 3)
            middle[room - 3 :] = [Text(f"… {hidden} more lines: enlarge the terminal", SOFT)]
        code = code_lines(moment, width, FUNCTION if room is None else room - len(middle) - 1)
        lines += [*middle, Text(), *code]
    lines += foot
    for line in lines:
        line.plain = spelled(line.plain, look)
        line.rstrip()
        line.truncate(width, overflow="crop" if look.lines is ASCII else "ellipsis")
    return lines


def help_lines() -> list[Text]:
    """Return the help: commands and the meaning of scores."""
    lines = [
        Text.assemble(
            (f"{name:<9}", "bold"),
            (f"{' '.join(key if key != ' ' else 'space' for key in keys if key):<18}", SOFT),
            about,
        )
        for name, (keys, about) in COMMANDS.items()
    ]
    return [*lines, Text(), *map(Text, SCORES)]


def follow(stepper: Stepper, console: Console, ascii_only: bool) -> None:
    """Run each line of stdin as a command, and print the state after it."""
    look = Look(ASCII if ascii_only or not _draws(console) else UNICODE)
    answer(stepper, console, look)
    for line in sys.stdin:
        console.print(f"> {line.strip()}", style="bold", markup=False, highlight=False)
        try:
            stepper.obey(line)
        except Quit:
            return
        if KEYS.get(line.strip().lower(), line.strip().lower()) == "help":
            _print(help_lines(), console)
        else:
            answer(stepper, console, look)


def answer(stepper: Stepper, console: Console, look: Look) -> None:
    _print([*page(stepper, min(console.width, 100), None, look), Text()], console)


def _print(lines: list[Text], console: Console) -> None:
    for line in lines:
        console.print(line, soft_wrap=True, markup=False, highlight=False)


def _draws(console: Console) -> bool:
    return console.is_terminal and (console.encoding or "").lower().startswith("utf")


@contextmanager
def single_keys(descriptor: int) -> Iterator[None]:
    """Read single keys without echo from a terminal; restore its settings afterwards.

    Windows has no such terminals.
    """
    import termios
    import tty

    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        quiet = termios.tcgetattr(descriptor)
        # After Ctrl-Z the shell would inherit these settings.
        quiet[6][termios.VSUSP] = b"\0"
        termios.tcsetattr(descriptor, termios.TCSANOW, quiet)
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def read_keys(descriptor: int, seconds: float) -> list[str] | None:
    """Return the keys typed within a time, by name; `None` at the end of the input.

    >>> read, write = os.pipe()
    >>> _ = os.write(write, b"c\\x1b[C\\x1bOD q")
    >>> read_keys(read, 1)
    ['c', 'right', 'left', ' ', 'q']
    """
    ready, _, _ = select.select([descriptor], [], [], seconds)
    if not ready:
        return []
    typed = os.read(descriptor, 1024).decode(errors="replace")
    if not typed or "\x04" in typed:
        return None
    keys = re.findall(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])?|[^\x1b]", typed)
    return [
        ESCAPES.get(key.lstrip("\x1b[O"), "escape") if key[0] == "\x1b" else key for key in keys
    ]


def browse(stepper: Stepper, console: Console, ascii_only: bool) -> None:
    """Show a search on the whole terminal, and move through it with single keys."""
    look = Look(ASCII if ascii_only or not _draws(console) else UNICODE)
    typed: str | None = None
    helping = False
    descriptor = sys.stdin.fileno()

    def drawn() -> Text:
        width, height = console.size
        if width < WIDTH or height < HEIGHT:
            notice = [Text(f"{width}×{height} is too small; enlarge to {WIDTH}×{HEIGHT} (q quit)")]
            lines = [*notice, *page(stepper, width, max(height - 3, 12), look)]
            lines = lines[: height - 1]
        elif helping:
            lines = [Text("Keys", "bold"), Text(), *help_lines()]
        else:
            lines = page(stepper, width, height, look)
        keys = SHOWN_KEYS if look.lines is UNICODE else SHOWN_KEYS_ASCII
        foot = Text(keys if typed is None else f"go to event: {typed}_", SOFT)
        lines += [Text()] * (height - 1 - len(lines))
        return Text("\n", no_wrap=True, end="").join([*lines[: height - 1], foot])

    with (
        single_keys(descriptor),
        # Drawn from inside: Live does not restore a screen that is left while it starts.
        Live(console=console, screen=True, auto_refresh=False) as live,
    ):
        size = console.size
        live.update(drawn(), refresh=True)
        while True:
            keys = read_keys(descriptor, 0.2)
            if keys is None:
                return
            if not keys and console.size == size:
                continue
            size = console.size
            for key in keys:
                if helping:
                    helping = False
                    if key != "q":
                        continue
                if typed is not None and key.isdecimal():
                    typed += key
                elif typed is not None and key in ("\x7f", "\b"):
                    typed = typed[:-1]
                elif typed is not None:
                    if key in ("\n", "\r"):
                        stepper.obey(f"go {typed}")
                    typed = None
                elif key == "g":
                    typed = ""
                elif KEYS.get(key) == "help":
                    helping = True
                elif key == "\n" or key in KEYS:
                    try:
                        stepper.obey("" if key in "\n " else key)
                    except Quit:
                        return
            live.update(drawn(), refresh=True)
