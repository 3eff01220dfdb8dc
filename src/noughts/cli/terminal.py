"""The terminal: print boards and results, ask questions, read entries."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from noughts.cli.output import Screen
from noughts.explain.sentences import Sentence
from noughts.games.drawing import ASCII, UNICODE, Look
from noughts.games.position import Position, move_texts
from noughts.games.words import count
from noughts.search import SearchResult
from noughts.views.text import board
from noughts.views.values import mark

SHOWN_LINES = 2
"""Lines of a proof that are printed; `--json` has all."""


class Quit(Exception):
    """The person quits, or the input has ended."""


class Terminal:
    """A real terminal, or a pipe."""

    def __init__(self, ascii_only: bool = False) -> None:
        self.console = Screen()
        self.real = self.console.is_terminal and sys.stdin.isatty()
        encoding = (self.console.encoding or "").lower()
        plain = ascii_only or not self.console.is_terminal or not encoding.startswith("utf")
        self.lines = ASCII if plain else UNICODE

    def say(self, text: str | Text = "", style: str = "") -> None:
        self.console.print(text, style=style, markup=False, soft_wrap=True)

    def clear(self) -> None:
        if self.real:
            self.console.clear()
        else:
            self.say()

    def ask(self, prompt: str) -> str:
        """Return the line that a person types.

        Raises:
            Quit: the input has ended.
        """
        self.console.file.flush()
        try:
            line = input(prompt)
        except EOFError:
            self.say()
            raise Quit from None
        if not sys.stdin.isatty():
            self.say(line)
        return line.strip()

    def answer(self, question: str) -> str:
        """Return the answer to a question outside a game.

        Raises:
            Quit: the answer is `quit`, `exit` or `q`, or the input has ended.
        """
        answer = self.ask(question)
        if answer.lower() in ("quit", "exit", "q"):
            raise Quit
        return answer

    def menu(self, question: str, choices: Mapping[str, str]) -> None:
        """Print a question and its numbered choices, each with a description."""
        self.say()
        self.say(question, "bold")
        menu = Table.grid(padding=(0, 2, 0, 0))
        for number, (choice, about) in enumerate(choices.items(), 1):
            menu.add_row(f"{number:>3}", Text(choice), Text(about, "bright_black"))
        self.console.print(menu)


def watch(
    console: Console,
    results: Iterable[SearchResult],
    lines: Callable[[SearchResult], Sequence[Text]],
) -> SearchResult:
    """Return the last result; a real terminal shows every result on the way."""
    with Live(console=console, transient=True, auto_refresh=False) as live:
        for last in results:
            if console.is_terminal:
                live.update(Group(*lines(last)), refresh=True)
    return last


def analysis_lines(position: Position, result: SearchResult) -> list[Text]:
    """Return the values of all moves, best first, and the work of the search.

    Of equal moves the one that the search would play is first.
    """
    ranked = sorted(result.moves.items(), key=lambda item: (-item[1].rank, item[0] != result.move))
    texts = [f"{position.move_text(move)} {mark(value)}" for move, value in ranked]
    width = max(map(len, texts)) + 3
    per_line = max(1, 80 // width)
    lines = [
        Text("".join(text.ljust(width) for text in texts[index : index + per_line]).rstrip())
        for index in range(0, len(texts), per_line)
    ]
    line = " ".join(move_texts(position, result.line))
    work = f"{count(result.nodes, 'node')}, depth {result.depth}, {result.seconds:.2f} s"
    return [*lines, Text(f"{work}, line {line}", "bright_black")]


def show_position(terminal: Terminal, position: Position, last: int | None = None) -> None:
    """Print the board and an empty line."""
    terminal.say(board(position, last, Look(terminal.lines)))
    terminal.say()


def show_sentences(
    console: Console, position: Position, sentences: Sequence[Sentence], indent: int = 0
) -> None:
    """Print sentences, each with the lines that prove it."""

    def show(text: str, indent: int, style: str = "") -> None:
        margin = " " * indent
        width = min(console.width, 100)
        wrapped = textwrap.wrap(text, width, initial_indent=margin, subsequent_indent=margin)
        console.print(Text("\n".join(wrapped), style))

    for sentence in sentences:
        show(sentence.text, indent)
        fact = sentence.fact
        # The sentence itself names a line of one move.
        lines = [line for line in fact.lines if line != (fact.move,)]
        for line in lines[:SHOWN_LINES]:
            show(" ".join(move_texts(position, line)), indent + 4, "bright_black")
        more = len(lines) - SHOWN_LINES
        if more > 0:
            text = f"and {more} more line{'s' if more > 1 else ''} (--json)"
            show(text, indent + 4, "bright_black")
