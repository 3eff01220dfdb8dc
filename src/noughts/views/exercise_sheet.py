"""Exercises on paper: sheets with room for answers, then the answer key.

exercises ──sheet()──► one HTML text ──pdf()──► PDF, by WeasyPrint
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files

from noughts.exercises.exercise import Exercise, ExerciseEntry
from noughts.views import replay
from noughts.views.exercise_figure import picture
from noughts.views.single_file import page

STYLES = (
    *(replay.STATIC / name for name in ("base.css", "file.css")),
    files("noughts.views") / "exercise_sheet.css",
)
INSTALL = "a PDF needs WeasyPrint: pip install 'noughts[print]'"
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
    parts = []
    if tasks:
        parts.append('<p class="person">Name <i></i> Date <i></i></p>')
        parts += [_task(number, each) for number, each in enumerate(exercises, 1)]
    if key:
        parts.append('<h2 class="key">Answers</h2>')
        parts += [_key(number, each) for number, each in enumerate(exercises, 1)]
    if not tasks:
        title += ": answers"
    return page(title, "".join(parts), {}, styles=STYLES, scripts=(), theme="light")


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
        raise NoPrinter(INSTALL) from None
    except OSError:
        raise NoPrinter(PANGO) from None
    return bytes(HTML(string=html).write_pdf())


def _head(number: int, exercise: Exercise) -> str:
    return (
        f"<h3><b>{number}</b> {escape(exercise.title)}"
        f'<span class="grade">{exercise.difficulty}</span></h3>'
    )


def _figure(exercise: Exercise, *, solved: bool) -> str:
    kind = "tree" if exercise.is_tree else "board"
    return (
        f'<div class="figure {kind}">{picture(exercise, solved=solved, paper=False).strip()}</div>'
    )


def _task(number: int, exercise: Exercise) -> str:
    rules = "".join(f"<li>{escape(rule)}</li>" for rule in exercise.rules)
    return (
        f'<section class="exercise {exercise.kind}">{_head(number, exercise)}'
        f"<p>{escape(exercise.task)}</p>"
        + (f'<ul class="rules">{rules}</ul>' if rules else "")
        + f'<div class="work">{_figure(exercise, solved=False)}'
        f'<div class="blanks">{"".join(_blanks(exercise))}</div></div></section>'
    )


def in_figure(exercise: Exercise) -> bool:
    """Whether the entries of the table are written into the figure."""
    return exercise.table[1] == ["value"]


def _blanks(exercise: Exercise) -> Iterator[str]:
    single = [entry for entry in exercise.entries if not entry.column]
    rows, columns = exercise.table
    # A long table may continue on the next page, so that the list of leaves precedes it.
    for entry in single:
        if entry.kind == "set":
            yield f'<p class="blank">{escape(entry.label)} <i class="wide"></i></p>'
    if rows and not in_figure(exercise):
        yield _table(exercise, rows, columns, solved=False)
    for entry in single:
        if entry.letters:
            options = "".join(
                f"<li><i></i> {letter}) {escape(choice)}</li>"
                for letter, choice in zip(entry.letters, entry.choices, strict=True)
            )
            yield f'<div class="choice"><p>{escape(entry.label)}:</p><ul>{options}</ul></div>'
        elif entry.kind != "set":
            yield f'<p class="blank">{escape(entry.label)} <i></i></p>'


def _table(exercise: Exercise, rows: Iterable[str], columns: Sequence[str], *, solved: bool) -> str:
    cells = {(entry.row, entry.column): entry for entry in exercise.entries}

    def cell(row: str, column: str) -> str:
        entry = cells.get((row, column))
        if entry is None:
            return '<td class="none"></td>'
        return f"<td>{escape(entry.shown)}</td>" if solved else "<td></td>"

    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "".join(
        f'<tr><th scope="row">{escape(row)}</th>'
        + "".join(cell(row, column) for column in columns)
        + "</tr>"
        for row in rows
    )
    return (
        f'<table class="answers"><thead><tr><th scope="col">node</th>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def _key(number: int, exercise: Exercise) -> str:
    rows, columns = exercise.table
    table = ""
    if rows and not in_figure(exercise):
        table = _table(exercise, rows, columns, solved=True)
    reasons = [entry.why for entry in exercise.entries]

    def said(place: int) -> str:
        """Return the reason of an entry; empty if an entry before has the same."""
        return "" if reasons[place] in reasons[:place] else escape(reasons[place])

    told = "".join(
        f"<li><b>{_answer(entry)}</b> {said(place)}</li>"
        for place, entry in enumerate(exercise.entries)
        if not entry.column
    )
    whys = "".join(
        f"<li>{escape(why)}</li>"
        for why in dict.fromkeys(
            entry.why
            for entry in exercise.entries
            if entry.column == "value" or (entry.column and exercise.kind == "mcts")
        )
    )
    figure = _figure(exercise, solved=True)
    return (
        f'<section class="exercise key {exercise.kind}">{_head(number, exercise)}'
        f'<div class="work">{figure}<div class="blanks">{table}</div></div>'
        f'<ul class="told">{told}</ul>'
        + (f'<ul class="whys">{whys}</ul>' if whys else "")
        + f'<p class="source">{escape(exercise.source)}</p></section>'
    )


def _answer(entry: ExerciseEntry) -> str:
    letter = ""
    if entry.letters:
        letter = f"{entry.letters[entry.choices.index(entry.answer)]}) "
    return f"{escape(entry.label)}: {letter}{escape(entry.shown.rstrip('.'))}."
