"""Exercises on paper: sheets with room for answers, then the answer key.

exercises ──sheet()──► one HTML text ──pdf()──► PDF, by WeasyPrint
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib.resources import files

from noughts.exercises.exercise import Exercise, ExerciseEntry
from noughts.extras import missing
from noughts.views.exercise_figure import picture
from noughts.views.single_file import page

STYLES = (files("noughts.views") / "exercise_sheet.css",)
ON_PAPER = 0.8
"""Size of a figure on paper, as a factor of that on a screen."""
PANGO = "a PDF needs the library Pango (Debian, Ubuntu: apt-get install libpangoft2-1.0-0)"


class NoPrinter(Exception):
    """WeasyPrint or its library is missing; the message says how to install it."""


def sheet(exercises: Sequence[Exercise], *, tasks: bool = True, key: bool = True) -> str:
    """Return exercises as a page in one file, to print or to read.

    Args:
        exercises: in order.
        tasks: show the exercises.
        key: show the answers, after the exercises on new pages.
    """
    titles = list(dict.fromkeys(each.title for each in exercises))
    title = ", ".join([titles[0], *(each[0].lower() + each[1:] for each in titles[1:])])
    if not tasks:
        title += ": answers"
    return page(
        "exercise_sheet.html",
        title,
        styles=STYLES,
        theme="light",
        exercises=exercises,
        picture=partial(picture, paper=False, size=ON_PAPER),
        answers=_answers,
        whys=_whys,
        tasks=tasks,
        key=key,
    )


def _whys(exercise: Exercise) -> list[str]:
    """Return the reasons for the entries of the table, each once."""
    return list(
        dict.fromkeys(
            entry.why
            for entry in exercise.entries
            if entry.column == "value" or (entry.column and exercise.kind == "mcts")
        )
    )


def _answers(exercise: Exercise) -> list[tuple[str, str]]:
    """Return the answers outside the table, and their reasons, each once."""
    reasons = [entry.why for entry in exercise.entries]
    return [
        (_answer(entry), "" if entry.why in reasons[:place] else entry.why)
        for place, entry in enumerate(exercise.entries)
        if not entry.column
    ]


def _answer(entry: ExerciseEntry) -> str:
    letter = ""
    if entry.letters:
        letter = f"{entry.letters[entry.choices.index(entry.answer)]}) "
    return f"{entry.label}: {letter}{entry.shown.rstrip('.')}."


def pdf(html: str) -> bytes:
    """Return a sheet as the bytes of a PDF file.

    Raises:
        NoPrinter: WeasyPrint or its library is not installed.
    """
    try:
        from weasyprint import HTML
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "weasyprint":
            raise
        raise NoPrinter(missing("a PDF", "WeasyPrint", "print")) from None
    except OSError:
        raise NoPrinter(PANGO) from None
    return bytes(HTML(string=html).write_pdf())
