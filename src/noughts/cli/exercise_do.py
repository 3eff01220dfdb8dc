"""`noughts exercise do`: a person does exercises in the terminal.

exercise ──► task, figure ──► entry ──mark()──► right, or why not ──► a second try ──► next entry
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from noughts.cli.terminal import Quit, Terminal
from noughts.exercises.exercise import PRUNED, BadAnswer, Exercise, ExerciseEntry, Mark, mark, score
from noughts.games.drawing import ASCII, Look
from noughts.games.phrases import sentence
from noughts.views.exercise_figure import figure_text

HELP = """\
an answer   a number, or one of the choices; inf and -inf for ∞ and −∞; - for a pruned node
?           a clue
quit        leave, with the score so far"""
WIDTH = 90
TRIES = 2


class Session:
    """Asks for the entries of exercises, and marks them at once.

    Args:
        terminal: where.
    """

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._look = Look(terminal.lines)
        self._marks: list[Mark] = []
        """The first mark of every entry."""

    def do(self, exercises: Sequence[Exercise]) -> None:
        """Ask for all entries of exercises, then show the score; `quit` ends it early."""
        self._say("")
        try:
            for number, exercise in enumerate(exercises, 1):
                self._one(exercise, f"Exercise {number} of {len(exercises)}")
        except Quit:
            pass
        if self._marks:
            self._say(f"{score(self._marks)} at the first try.", "bold")

    def _say(self, text: str, style: str = "") -> None:
        """Print a text in lines of a width that is easy to read."""
        if self._terminal.lines is ASCII:
            text = text.translate(PLAIN)
        wrapped = (textwrap.fill(line, WIDTH) for line in text.splitlines())
        self._terminal.say("\n".join(wrapped), style)

    def _one(self, exercise: Exercise, heading: str) -> None:
        say = self._say
        say(f"{heading}: {exercise.title}, {exercise.difficulty}", "bold")
        say(exercise.task)
        for rule in exercise.rules:
            say(f"- {rule}")
        say("")
        self._terminal.say(self._figure(exercise, solved=False))
        say("")
        say("? gives a clue, help lists the commands.")
        pruned: set[str] = set()
        for entry in exercise.entries:
            # One dash is enough for a node that is not entered.
            if entry.row in pruned and entry.answer == PRUNED:
                continue
            self._ask(exercise, entry)
            if entry.answer == PRUNED:
                pruned.add(entry.row)
        if exercise.is_tree:
            say("")
            self._terminal.say(self._figure(exercise, solved=True))
        say("")

    def _figure(self, exercise: Exercise, *, solved: bool) -> str:
        text = figure_text(exercise, solved=solved, look=self._look)
        return text.translate(PLAIN) if self._terminal.lines is ASCII else text

    def _ask(self, exercise: Exercise, entry: ExerciseEntry) -> None:
        """Ask for an entry until it is right, at most twice."""
        if entry.letters:
            self._say(f"{entry.label}:")
            for letter, choice in zip(entry.letters, entry.choices, strict=True):
                self._say(f"  {letter}) {choice}")
        for attempt in range(1, TRIES + 1):
            text = self._answer(entry)
            [found] = mark(exercise, {entry.name: text})
            if attempt == 1:
                self._marks.append(found)
            if found.right:
                self._say(f"Right. {found.says}", "green")
                return
            self._say(f"No. {found.says}", "yellow")
        self._say(f"The answer is {entry.shown.rstrip('.')}. {entry.why}")

    def _answer(self, entry: ExerciseEntry) -> str:
        """Return a text that can be an answer."""
        label = entry.label.translate(PLAIN) if self._terminal.lines is ASCII else entry.label
        choices = "" if entry.letters or entry.kind == "number" else f" ({' '.join(entry.choices)})"
        if entry.letters:
            label, choices = "Your choice", f" ({entry.letters[0]}-{entry.letters[-1]})"
        while True:
            text = self._terminal.answer(f"{label}{choices}: ")
            if text == "?":
                self._say(entry.clue)
            elif text.lower() == "help":
                self._say(HELP)
            elif text:
                try:
                    entry.read(text)
                except BadAnswer as error:
                    self._say(sentence(str(error)))
                    continue
                return text


PLAIN = str.maketrans({"−": "-", "∞": "inf", "–": "-", "½": "1/2", "√": "sqrt ", "≥": ">="})
"""Characters of texts in plain ASCII."""
