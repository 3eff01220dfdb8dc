"""`noughts puzzle play`: a person solves puzzles in the terminal.

puzzles ──► board, task, entry ──► judged() ──► reply, next own move … ──► solved ──► streak
                 ▲        │
                 └────────┴─ hint, show, skip, help, quit
"""

from __future__ import annotations

from noughts.cli.terminal import Terminal, show_position, show_sentences
from noughts.explain.sentences import sentences
from noughts.games.drawing import ASCII
from noughts.games.nested import NestedPosition
from noughts.games.position import IllegalMove, Position, move_texts
from noughts.games.row import RowPosition
from noughts.games.words import title_and_rule
from noughts.judgement.judge import Judge
from noughts.puzzles.puzzle import Puzzle
from noughts.puzzles.solve import faults, hints, judged, reasons, rest_of_solution
from noughts.puzzles.streak import Streak
from noughts.search.walk import LimitReached

HELP = """\
a move   play it
hint     show a hint
show     show the solution, and continue
skip     continue without the solution
quit     leave"""


class PuzzleGame:
    """Asks for the solutions of puzzles.

    Args:
        terminal: where.
        streak: counts the puzzles; the caller saves it.
    """

    def __init__(self, terminal: Terminal, streak: Streak) -> None:
        self._terminal, self._streak = terminal, streak

    def solve(self, puzzle: Puzzle, heading: str) -> bool:
        """Ask for the moves of a puzzle; return whether the person solved it.

        Raises:
            Quit: the person quits, or the input has ended.
        """
        say, position = self._terminal.say, puzzle.position
        title, rule = title_and_rule(position)
        if self._terminal.lines is ASCII:
            title, rule = (text.replace("×", "x") for text in (title, rule))
        say()
        say(f"{heading}: {title}, rating {puzzle.rating}", "bold")
        say(rule)
        say()
        show_position(self._terminal, position)
        say(puzzle.task, "bold")
        played: list[int] = []
        told, alone = hints(puzzle), True
        while True:
            entry = self._terminal.answer(f"{position.turn} (hint, show, skip, quit): ")
            command = entry.lower()
            if command == "help":
                say(HELP)
            elif command == "hint":
                alone = False
                say(next(told, "No more hints. Type show for the solution."))
            elif command in ("show", "skip"):
                self._streak.give_up()
                if command == "show":
                    self._show(puzzle, played)
                return False
            else:
                try:
                    move = position.parse_entry(entry)
                except IllegalMove as error:
                    say(str(error), "bold")
                    continue
                found = judged(puzzle, played, move)
                if not found.right:
                    alone = False
                    self._refuse(puzzle, position, move)
                elif found.solved:
                    self._streak.solve(puzzle.id, alone=alone)
                    self._finish(puzzle)
                    return True
                else:
                    assert found.reply is not None
                    played += move, found.reply
                    position = self._reply(position, move, found.reply)

    def _refuse(self, puzzle: Puzzle, position: Position, move: int) -> None:
        keeps = puzzle.kind == "keep"
        lost = f" {position.move_text(move)} does not keep the win." if keeps else ""
        self._terminal.say(f"No.{lost}", "bold")
        facts = faults(puzzle, position, move, Judge(position))
        show_sentences(self._terminal.console, position, sentences(position, facts))

    def _reply(self, position: Position, move: int, reply: int) -> Position:
        """Show the reply to a right move, and return the position after both."""
        between = position.play(move)
        self._terminal.say(f"Yes. {between.turn} replies {between.move_text(reply)}.", "bold")
        self._terminal.say()
        cell = between.cell(reply) if isinstance(between, RowPosition | NestedPosition) else None
        position = between.play(reply)
        show_position(self._terminal, position, cell)
        return position

    def _show(self, puzzle: Puzzle, played: list[int]) -> None:
        """Show the rest of the solution, and the reasons of its first move."""
        position = puzzle.position.after(played)
        try:
            line = rest_of_solution(puzzle, played)
        except LimitReached:
            line = ()
        self._terminal.say(f"Solution: {' '.join(move_texts(position, line))}", "bold")
        self._explain(puzzle)

    def _finish(self, puzzle: Puzzle) -> None:
        self._terminal.say("Solved!", "bold")
        self._explain(puzzle)
        row = self._streak.in_row
        if row:
            self._terminal.say(f"In a row without help: {row}. Best: {self._streak.best}.")

    def _explain(self, puzzle: Puzzle) -> None:
        position = puzzle.position
        said = sentences(position, reasons(puzzle, Judge(position)))
        show_sentences(self._terminal.console, position, said)
