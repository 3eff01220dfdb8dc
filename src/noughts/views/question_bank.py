"""Exercises for learning platforms: Moodle XML and GIFT.

Exercise ─┬─moodle()──► one question of type cloze, with the figure as an embedded picture
          └─gift()────► one question for each entry, with the figure as text

Both are formats of Moodle (docs.moodle.org: Moodle XML format, Embedded Answers, GIFT format).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from xml.etree import ElementTree

from noughts.exercises.exercise import PRUNED, Exercise, ExerciseEntry, is_finite
from noughts.views.exercise_figure import figure_text, picture

_CLOZE = re.compile(r'([}#~/"\\])')
_GIFT = re.compile(r"([~=#{}:\\])")
PICTURE = "figure.svg"
SPELLINGS = {
    PRUNED: ("–", "pruned"),
    "inf": ("∞", "infinity", "+inf", "oo"),
    "-inf": ("−∞", "-∞", "-infinity", "-oo"),
}
"""For answers that are not finite numbers: the other texts that count as right."""


def category(exercise: Exercise) -> str:
    return f"noughts/{exercise.title}"


def names(exercises: Sequence[Exercise]) -> list[str]:
    """Return a name for each exercise: its title and number among its kind."""
    found, numbers = [], dict[str, int]()
    for exercise in exercises:
        numbers[exercise.kind] = numbers.get(exercise.kind, 0) + 1
        found.append(f"{exercise.title} {numbers[exercise.kind]}, {exercise.difficulty}")
    return found


# Moodle XML


def moodle(exercises: Sequence[Exercise]) -> str:
    """Return exercises as Moodle XML: a category for each kind, a cloze question for each."""
    quiz = ElementTree.Element("quiz")
    current = ""
    for name, exercise in zip(names(exercises), exercises, strict=True):
        if category(exercise) != current:
            current = category(exercise)
            question = ElementTree.SubElement(quiz, "question", type="category")
            _text(question, "category", f"$course$/top/{current}")
        question = ElementTree.SubElement(quiz, "question", type="cloze")
        _text(question, "name", name)
        body = _text(question, "questiontext", _cloze(exercise))
        body.set("format", "html")
        file = ElementTree.SubElement(body, "file", name=PICTURE, path="/", encoding="base64")
        file.text = base64.b64encode(picture(exercise).encode()).decode()
        whys = "".join(
            f"<li>{escape(entry.label)}: {escape(entry.shown)}. {escape(entry.why)}</li>"
            for entry in exercise.entries
        )
        _text(question, "generalfeedback", f"<ul>{whys}</ul>").set("format", "html")
        ElementTree.SubElement(question, "penalty").text = "0.3333333"
        ElementTree.SubElement(question, "hidden").text = "0"
    ElementTree.indent(quiz)
    text = ElementTree.tostring(quiz, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _text(parent: ElementTree.Element, tag: str, text: str) -> ElementTree.Element:
    element = ElementTree.SubElement(parent, tag)
    ElementTree.SubElement(element, "text").text = text
    return element


def _cloze(exercise: Exercise) -> str:
    """Return the text of a cloze question: HTML with `{1:NUMERICAL:=3}` at each blank."""
    alt = escape(figure_text(exercise), quote=True).replace("\n", " ")
    # Braces outside the blanks would begin another one.
    parts = [
        f"<p>{_plain(exercise.task)}</p>",
        f'<p><img src="@@PLUGINFILE@@/{PICTURE}" alt="{alt}"></p>',
    ]
    rules = "".join(f"<li>{_plain(rule)}</li>" for rule in exercise.rules)
    if rules:
        parts.append(f"<ul>{rules}</ul>")
    rows, columns = exercise.table
    if rows:
        parts.append(_table(exercise, rows, columns))
    parts += [
        f"<p>{_plain(_question(entry))} {_blank(entry)}</p>"
        for entry in exercise.entries
        if not entry.column
    ]
    return "".join(parts)


def _plain(text: str) -> str:
    return escape(text).replace("{", "&#123;").replace("}", "&#125;")


def _question(entry: ExerciseEntry) -> str:
    if entry.kind == "set":
        return f"{entry.label}, in alphabetical order, with spaces between:"
    return f"{entry.label}:"


def _table(exercise: Exercise, rows: Iterable[str], columns: Sequence[str]) -> str:
    cells = {(entry.row, entry.column): _blank(entry) for entry in exercise.entries}
    head = "".join(f"<th>{escape(column)}</th>" for column in ("node", *columns))
    body = "".join(
        f"<tr><th>{escape(row)}</th>"
        + "".join(f"<td>{cells.get((row, column), '')}</td>" for column in columns)
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _blank(entry: ExerciseEntry) -> str:
    """Return the blank of an entry in Moodle's notation of embedded answers."""

    def option(text: str, says: str, right: bool = False) -> str:
        sign = "=" if right else ""
        feedback = f"#{_in_cloze(says)}" if says else ""
        return f"{sign}{_in_cloze(text)}{feedback}"

    if entry.kind == "choice":
        options = (
            option(choice, entry.why, True)
            if choice == entry.answer
            else option(choice, entry.wrong(choice))
            for choice in entry.choices
        )
        shown = "MULTICHOICE_V" if entry.letters else "MULTICHOICE"
        return f"{{1:{shown}:{'~'.join(options)}}}"
    if entry.kind == "number" and is_finite(entry.answer):
        tolerance = f":{entry.tolerance:g}"
        answers = [f"={entry.answer}{tolerance}#{_in_cloze(entry.why)}"]
        answers += [
            f"{wrong}:0#{_in_cloze(says)}"
            for wrong, says in entry.mistakes.items()
            if is_finite(wrong)
        ]
        return f"{{1:NUMERICAL:{'~'.join(answers)}}}"
    return (
        f"{{1:SHORTANSWER:{'~'.join(option(text, entry.why, True) for text in spellings(entry))}}}"
    )


def _in_cloze(text: str) -> str:
    return _CLOZE.sub(r"\\\1", escape(text, quote=False)).replace("{", "&\\#123;")


def spellings(entry: ExerciseEntry) -> list[str]:
    """Return the texts that count as the answer of an entry without a finite number."""
    if entry.kind == "set":
        names = entry.answer.split() or ["none"]
        return list(dict.fromkeys([" ".join(names), ",".join(names), ", ".join(names)]))
    return [entry.answer, *SPELLINGS[entry.answer]]


# GIFT


def gift(exercises: Sequence[Exercise]) -> str:
    """Return exercises as GIFT: a category for each kind, a question for each entry."""
    parts, current = [], ""
    for name, exercise in zip(names(exercises), exercises, strict=True):
        if category(exercise) != current:
            current = category(exercise)
            parts.append(f"$CATEGORY: {current}")
        parts += _gift_questions(name, exercise)
    return "\n\n".join(parts) + "\n"


def _gift_questions(name: str, exercise: Exercise) -> Iterator[str]:
    rules = "".join(f"<li>{escape(rule)}</li>" for rule in exercise.rules)
    figure = escape(figure_text(exercise))
    before = f"<p>{escape(exercise.task)}</p><ul>{rules}</ul><pre>{figure}</pre>"
    for entry in exercise.entries:
        text = f"{before}<p>{escape(_question(entry))}</p>"
        yield (
            f"::{_in_gift(f'{name}: {entry.label}')}::[html]{_in_gift(text)}"
            f"{{{_gift_answer(entry)}}}"
        )


def _in_gift(text: str) -> str:
    """Return a text with GIFT's special characters escaped, on one line."""
    return _GIFT.sub(r"\\\1", text).replace("\n", "\\n")


def _gift_answer(entry: ExerciseEntry) -> str:
    why = f"####{_in_gift(entry.why)}"
    if entry.kind == "number" and is_finite(entry.answer):
        return f"#{entry.answer}:{entry.tolerance:g}{why}"
    if entry.kind == "choice":
        options = (
            f"={_in_gift(choice)}"
            if choice == entry.answer
            else f"~{_in_gift(choice)}#{_in_gift(entry.wrong(choice))}"
            for choice in entry.choices
        )
        return " ".join([*options, why])
    return " ".join([*(f"={_in_gift(text)}" for text in spellings(entry)), why])
