"""`noughts exercise`: sheets, answer keys, question banks, exercises in the terminal."""

from __future__ import annotations

import base64
import json
import re
import sys
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command import run

from noughts.exercises.exercise import Exercise, is_finite, mark
from noughts.exercises.make import KINDS, exercises
from noughts.exercises.material import Wish
from noughts.extras import missing
from noughts.views.exercise_sheet import sheet
from noughts.views.question_bank import gift, moodle


def some() -> list[Exercise]:
    """Return two exercises of each kind, and one on the boards of a game."""
    found = [each for kind in KINDS for each in exercises(kind, 2, seed=3)]
    return [*found, *exercises("alphabeta", 1, 3, Wish(game="mnk:4,4,3"))]


def make(*arguments: object, code: int = 0) -> str:
    done = run("exercise", "make", *arguments)
    assert done.returncode == code, done.stderr
    return done.stderr if code else done.stdout


def test_the_kinds_are_listed() -> None:
    done = run("exercise")
    assert done.returncode == 0
    for name, kind in KINDS.items():
        assert re.search(f"^{name} +{re.escape(kind.about)}$", done.stdout, re.MULTILINE)


# Sheets -------------------------------------------------------------------------------------------


def test_a_sheet_has_room_for_answers_and_a_key() -> None:
    found = some()
    page = unescape(sheet(found))
    tasks, key = page.split('<h2 class="key">Answers</h2>')
    assert tasks.count('<section class="exercise') == key.count('<section class="exercise')
    for exercise in found:
        last = exercise.entries[-1]
        assert last.why in key
        assert last.why not in tasks
        for entry in exercise.entries:
            if not entry.column:
                assert entry.label in tasks
    assert "<script>" not in tasks
    assert (
        sheet(found, key=False).count("<svg")
        == len(found)
        == sheet(found, tasks=False).count("<svg")
    )
    assert "Answers" not in sheet(found, key=False)


def test_a_sheet_begins_with_the_easy_ones_and_is_compact(tmp_path: Path) -> None:
    file = tmp_path / "sheet.html"
    make("alphabeta", "--count", 1, "--out", file)
    assert file.read_text("utf-8").count('<ul class="rules">') == 1
    make("minimax", "alphabeta", "--count", 4, "--seed", 0, "--out", file)
    tasks, _ = file.read_text("utf-8").split('<h2 class="key">Answers</h2>')
    grades = re.findall(r'class="grade">(\w+)', tasks)
    assert grades == ["easy", "medium", "medium", "hard"] * 2
    assert tasks.count('<ul class="rules">') == 1, "the rules of a kind are told once"
    weasyprint = pytest.importorskip("weasyprint")
    pages = len(weasyprint.HTML(string=tasks).render().pages)
    assert pages <= 4, "two exercises on a page"


def test_the_same_command_makes_the_same_files(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.html", "b.html", "c.html")]
    for file, seed in zip(files, (7, 7, 8), strict=True):
        said = make("minimax", "evaluation", "--count", 2, "--seed", seed, "--out", file)
        assert said.startswith(f"{file}: 4 exercises (")
    first, again, other = (file.read_text("utf-8") for file in files)
    assert first == again != other


def test_the_key_can_be_a_file_of_its_own(tmp_path: Path) -> None:
    out, key = tmp_path / "sheet.html", tmp_path / "key.html"
    make("minimax", "--out", out, "--key", key)
    assert "Answers" not in out.read_text("utf-8")
    assert "Answers" in key.read_text("utf-8")
    assert "Name <i>" not in key.read_text("utf-8")


def test_pdf(tmp_path: Path) -> None:
    out, key = tmp_path / "sheet.pdf", tmp_path / "key.pdf"
    make("minimax", "--count", 1, "--out", out, "--key", key)
    for file in (out, key):
        content = file.read_bytes()
        assert content.startswith(b"%PDF-")
        assert content.rstrip().endswith(b"%%EOF")


def test_pdf_without_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    said = make("minimax", "--out", tmp_path / "sheet.pdf", code=2)
    assert said == f"noughts: {missing('A PDF', 'WeasyPrint', 'print')}\n"
    assert not list(tmp_path.iterdir())


def test_pdf_without_its_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Pango, the import of WeasyPrint fails as that of a broken module would."""
    (tmp_path / "weasyprint.py").write_text("raise OSError('cannot load library libpango')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "weasyprint", raising=False)
    out = tmp_path / "sheet.pdf"
    assert "needs the library Pango" in make("minimax", "--out", out, code=2)
    assert not out.exists()


# Question banks -----------------------------------------------------------------------------------


BLANK = re.compile(r"\{1:([A-Z_]+):((?:[^}\\]|\\.)*)\}")
"""A blank of Moodle's embedded answers."""


def options(text: str) -> list[tuple[bool, str]]:
    """Return the answers of a blank, and whether each is right."""
    found = []
    for option in re.split(r"(?<!\\)~", text):
        right, answer = option.startswith("="), re.split(r"(?<!\\)#", option.lstrip("="))[0]
        found.append((right, unescape(re.sub(r"\\(.)", r"\1", answer))))
    return found


def test_moodle() -> None:
    found = some()
    quiz = ElementTree.fromstring(moodle(found).encode())
    questions = [each for each in quiz if each.get("type") == "cloze"]
    assert len(questions) == len(found)
    assert {each.get("type") for each in quiz} == {"category", "cloze"}
    titles = {each.findtext("category/text") for each in quiz if each.get("type") == "category"}
    assert titles == {f"$course$/top/noughts/{each.title}" for each in found}
    for question, exercise in zip(questions, found, strict=True):
        text, file = question.findtext("questiontext/text"), question.find("questiontext/file")
        assert text is not None
        assert file is not None
        assert file.text is not None
        assert f"@@PLUGINFILE@@/{file.get('name')}" in text
        assert ElementTree.fromstring(base64.b64decode(file.text)).tag.endswith("svg")
        blanks = BLANK.findall(text)
        assert len(blanks) == len(exercise.entries)
        assert "{" not in BLANK.sub("", text)
        rows = {entry.row for entry in exercise.entries if entry.column}
        in_table = [
            entry
            for row in sorted(rows, key=lambda row: (len(row), row))
            for entry in exercise.entries
            if entry.row == row
        ]
        order = [*in_table, *(each for each in exercise.entries if not each.column)]
        order.sort(key=lambda entry: not entry.column)
        for (kind, body), entry in zip(blanks, order, strict=True):
            right = [answer for is_right, answer in options(body) if is_right]
            wrong = [answer for is_right, answer in options(body) if not is_right]
            assert kind in ("NUMERICAL", "SHORTANSWER", "MULTICHOICE", "MULTICHOICE_V")
            if kind == "NUMERICAL":
                assert right == [f"{entry.answer}:{entry.tolerance:g}"]
                right, wrong = [entry.answer], [each.partition(":")[0] for each in wrong]
            if kind.startswith("MULTICHOICE"):
                assert right == [entry.answer]
                assert sorted([*right, *wrong]) == sorted(entry.choices)
            assert all(mark(exercise, {entry.name: text})[0].right for text in right)
            assert not any(mark(exercise, {entry.name: text})[0].right for text in wrong)


QUESTION = re.compile(r"::((?:[^:\\]|\\.)+)::\[html\]((?:[^{}\\]|\\.)+)\{((?:[^{}\\]|\\.)+)\}")
"""A question in GIFT without unescaped special characters in its texts."""


def plain(text: str) -> str:
    return re.sub(r"\\([~=#{}:\\])", r"\1", text.replace("\\n", "\n"))


def test_gift() -> None:
    found = some()
    blocks = gift(found).strip().split("\n\n")
    assert {each for each in blocks if each.startswith("$CATEGORY: ")} == {
        f"$CATEGORY: noughts/{each.title}" for each in found
    }
    questions = [each for each in blocks if not each.startswith("$")]
    asked = [(exercise, entry) for exercise in found for entry in exercise.entries]
    assert len(questions) == len(asked)
    for question, (exercise, entry) in zip(questions, asked, strict=True):
        parts = QUESTION.fullmatch(question)
        assert parts, question
        assert plain(parts[1]).endswith(f": {entry.label}")
        assert entry.label in unescape(plain(parts[2]))
        answers, _, why = re.split(r"(?<!\\)####", parts[3])[0], "", parts[3].rpartition("####")[2]
        assert plain(why) == entry.why
        if entry.kind == "number" and is_finite(entry.answer):
            assert answers.strip() == f"#{entry.answer}:{entry.tolerance:g}"
            continue
        texts = re.findall(r"(?<!\\)([=~])((?:[^~=#\\]|\\.)+)", answers)
        right = [plain(text).strip() for sign, text in texts if sign == "="]
        assert right
        assert all(mark(exercise, {entry.name: text})[0].right for text in right)
        if entry.kind == "choice":
            assert {plain(text).strip() for _, text in texts} == set(entry.choices)


# In the terminal ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_do(kind: str) -> None:
    """Right answers in the order of the questions are all marked right."""
    [exercise] = exercises(kind, 1, seed=4)
    pruned: set[str] = set()
    entries = []
    for entry in exercise.entries:
        if entry.row not in pruned or entry.answer != "-":
            entries.append(entry.answer)
        pruned |= {entry.row} if entry.answer == "-" else set()
    done = run("exercise", "do", kind, "--seed", 4, entries="\n".join(entries))
    assert done.returncode == 0, done.stderr
    assert f"{len(entries)} of {len(entries)} right at the first try." in done.stdout
    assert done.stdout.count("Right. ") == len(entries)
    assert exercise.entries[-1].label in done.stdout
    assert done.stdout.isascii()


def test_wrong_entries_are_explained() -> None:
    [exercise] = exercises("minimax", 1, seed=4)
    first = exercise.entries[0]
    wrong, says = next(iter(first.mistakes.items()))
    entries = f"help\n?\nbanana\n{wrong}\n998\nquit\n"
    shown = run("exercise", "do", "minimax", "--seed", 4, entries=entries).stdout
    assert "? " in shown
    assert first.clue in shown
    assert "'banana' is not a number." in shown
    assert f"No. {says}" in shown
    assert f"The answer is {first.answer}. {first.why}" in shown
    assert shown.rstrip().endswith("0 of 1 right at the first try.")
    again = f"{wrong}\n{first.answer}\n"
    second = run("exercise", "do", "minimax", "--seed", 4, entries=again)
    assert second.returncode == 0
    assert f"Right. {first.why}" in second.stdout
    assert "0 of 1 right at the first try." in second.stdout


def test_leaving_at_once_has_no_score() -> None:
    done = run("exercise", "do", "order", entries="quit\n")
    assert done.returncode == 0
    assert "first try" not in done.stdout


def test_exercises_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "sheet.json"
    make("evaluation", "--count", 2, "--seed", 1, "--out", file)
    data = json.loads(file.read_text("utf-8"))
    assert data["schema"] == 1
    found = [Exercise.from_data(each) for each in data["exercises"]]
    assert found == list(exercises("evaluation", 2, seed=1))
    entries = "\n".join(entry.answer for each in found for entry in each.entries)
    done = run("exercise", "do", file, entries=entries)
    assert "Exercise 2 of 2" in done.stdout
    assert "6 of 6 right at the first try." in done.stdout
    refused = run("exercise", "do", file, "--count", 1)
    assert refused.returncode == 2
    assert "holds its exercises" in refused.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[]", "there are no exercises in it"),
        ('{"exercises": []}', "there are no exercises in it"),
        ('{"exercises": [{}]}', "this is not an exercise"),
        ('{"exercises": [7]}', "this is not an exercise"),
        (None, "Cannot read"),
    ],
)
def test_a_file_without_exercises(text: str | None, said: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    if text is not None:
        file.write_text(text)
    done = run("exercise", "do", file)
    assert done.returncode == 3
    assert said in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["song", "--out", "x.html"], 2, 'No exercise called "song". Choose one of: minimax'),
        (["minimax", "--out", "x.doc"], 2, "must end in one of: .html .pdf .xml .gift .json"),
        (["minimax", "--out", "nowhere/x.html"], 3, "there is no folder nowhere"),
        (["minimax", "--out", "x.xml", "--key", "y.html"], 2, ".xml files hold their answers"),
        (["minimax", "--out", "x.html", "--key", "./x.html"], 2, "name the same file"),
        (["minimax", "--out", "x.html", "--key", "y.txt"], 2, "--key: y.txt must end in"),
        (["minimax", "--game", "chess", "--out", "x.html"], 2, '--game: No game called "chess"'),
        (["minimax", "--game", "basic~9~X", "--out", "x.html"], 3, "--game: "),
        (["order", "--game", "basic", "--out", "x.html"], 2, "Order takes no game"),
        (
            ["minimax", "--depth", 5, "--branching", 4, "--out", "x.html"],
            2,
            "at most 32 fit on a page",
        ),
        (["move", "--count", 300, "--out", "x.html"], 2, "different exercises of move were found"),
    ],
)
def test_wrong_usage(
    arguments: list[str], code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("noughts.exercises.make.TRIES", 5)
    assert said in make(*arguments, code=code)
    assert not list(tmp_path.iterdir())
