"""What students hand in, and how learning platforms pack it: kinds of files, names, archives."""

from __future__ import annotations

import csv
import json
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from command import run
from students import BASE, FAULTY
from test_class import QuickRunner, write

from noughts.school import archive
from noughts.school.archive import BadArchive, unpack
from noughts.school.classroom import ClassCheck
from noughts.school.handed_in import why_not_python
from noughts.school.student import FUNCTIONS, WRITTEN, FileFails, StudentFile
from noughts.school.submissions import find_submissions, gradescope_names

SKELETON = BASE[: BASE.index("def player")] + "".join(
    f"def {name}(board{', action' * (name == 'result')}):\n    raise NotImplementedError\n\n\n"
    for name in WRITTEN
)
NOTEBOOK = json.dumps({"cells": [{"cell_type": "code", "source": ["x = 1"]}], "nbformat": 4})
METADATA = """\
---
submission_101:
  :submitters:
  - :name: Anna Example
    :sid: '77'
    :email: anna@example.org
  :created_at: 2024-01-15 10:00:00.000000000 Z
  :score: 3.0
  :results:
    tests:
    - :name: no student
submission_102:
  :submitters:
  - :name: 'Zoë O''Neil'
    :sid:
  - :name: "Li L\\xE9i"
    :sid: '79'
  :created_at: 2024-01-15 11:00:00.000000000 Z
"""


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> QuickRunner:
    """Let the command check few boards."""
    runner = QuickRunner()
    monkeypatch.setattr("noughts.cli.check_class._runner", lambda _: runner)
    return runner


def archive_of(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as opened:
        for name, text in files.items():
            opened.writestr(name, text)
    return path


# Kinds of files -----------------------------------------------------------------------------------


def zipped(tmp_path: Path) -> bytes:
    return archive_of(tmp_path / "made.zip", {"tictactoe.py": BASE}).read_bytes()


KINDS: dict[str, tuple[Callable[[Path], bytes], str]] = {
    "utf-16": (lambda _: BASE.encode("utf-16"), "The file is in UTF-16: save it as UTF-8"),
    "utf-16 without a mark": (lambda _: BASE.encode("utf-16-le"), "The file is in UTF-16"),
    "notebook": (lambda _: NOTEBOOK.encode(), "This is a Jupyter notebook: save it as a Python"),
    "archive": (zipped, "This is a ZIP archive: unpack it"),
    "pdf": (lambda _: b"%PDF-1.7\n%\xe2\xe3", "This is a PDF: hand in the Python file"),
    "rtf": (lambda _: b"{\\rtf1\\ansi x = 1}", "This is an RTF document: save the program as"),
    "page": (lambda _: b"\n<!DOCTYPE html>\n<html>", "This is a web page: hand in the Python"),
    "text of Moodle": (lambda _: b"<p>def player(board):</p>", "This is a web page"),
    "latin-1": (lambda _: b"x = 1\ny = '\xe9'\n", "Line 2 has a character that is not in UTF-8"),
    "null bytes": (lambda _: b"x = 1\0\n", "The file has null bytes"),
    "empty": (lambda _: b"\n", "The file is empty."),
}


@pytest.mark.parametrize("kind", KINDS)
def test_other_kind_of_file_says_what_to_do(kind: str, tmp_path: Path) -> None:
    make, says = KINDS[kind]
    path = tmp_path / "tictactoe.py"
    path.write_bytes(make(tmp_path))
    with pytest.raises(FileFails, match=says):
        StudentFile(path)


@pytest.mark.parametrize(
    "source",
    [BASE, "\ufeff" + BASE, "# -*- coding: latin-1 -*-\nx = 1\n", "{'cells': 1}['cells']\n"],
)
def test_python_is_no_other_kind(source: str) -> None:
    assert why_not_python(source.encode()) == ""


def test_python_of_another_encoding_may_say_so() -> None:
    assert why_not_python("# coding: latin-1\nx = 'é'\n".encode("latin-1")) == ""
    assert "not in UTF-8" in why_not_python("# coding: utf-8\nx = 'é'\n".encode("latin-1"))


@pytest.mark.parametrize("name", ["handed_in.txt", "HANDED_IN.PY", "handed_in"])
def test_python_under_another_name_is_checked(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("def move(cells):\n    return cells.index(None)\n")
    done = run("check", name, "--as", "moves", cwd=tmp_path)
    assert done.returncode == 1
    assert "take the first empty cell" in " ".join(done.stdout.split())
    assert f"The file {name} is checked as Python." in done.stderr
    assert "should end in .py" in done.stderr


def test_archive_and_notebook_alone_are_refused_with_a_sentence(tmp_path: Path) -> None:
    archive_of(tmp_path / "homework.zip", {"tictactoe.py": BASE})
    (tmp_path / "work.ipynb").write_text(NOTEBOOK)
    for name, says in (("homework.zip", "ZIP archive"), ("work.ipynb", "Jupyter notebook")):
        done = run("check", name, cwd=tmp_path)
        assert done.returncode == 4
        assert says in done.stdout
        assert "should end in .py" not in done.stderr


def test_path_keeps_its_letters(tmp_path: Path) -> None:
    (tmp_path / "homework").write_text("def player(board): return 1\n")
    done = run("check", "nofile", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (3, "noughts: There is no file nofile.\n")
    done = run("check", "homework", cwd=tmp_path)
    assert done.stderr.startswith("noughts: The file homework has only player of the seven")


@pytest.mark.usefixtures("quick")
def test_no_kind_of_file_vanishes_from_a_class(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "class",
        {
            "anna.txt": BASE,
            "ben.PY": BASE,
            "carla": BASE,
            "dev.ipynb": NOTEBOOK,
            "eva/work.ipynb": NOTEBOOK,
            "finn/tictactoe.txt": BASE,
            "gina.py.txt": BASE,
            "grades.csv": "name,points\n",
            "notes.txt": "Remember the milk.\n",
            "hal/readme.md": "",
        },
    )
    (folder / "ivo.py").write_bytes(BASE.encode("utf-16"))
    archive_of(folder / "june.zip", {"readme.md": ""})
    work = {"work/runner.py": "import tictactoe\n", "work/tictactoe.py": BASE, "work/a.png": ""}
    archive_of(folder / "kim.zip", work)
    done = run("check", "--class", folder, "--out", tmp_path / "out")
    assert "Not checked: grades.csv, notes.txt." in done.stderr
    table = (tmp_path / "out" / "results.csv").read_text().splitlines()
    rows = {row["student"]: row for row in csv.DictReader(table)}
    assert [*rows] == [
        *("anna", "ben", "carla", "dev", "eva", "finn", "gina", "hal", "ivo", "june", "kim"),
    ]
    for name in ("anna", "ben", "carla", "finn", "gina"):
        assert rows[name]["passed"] == "yes"
        assert rows[name]["says"] == "The name of the file should end in .py."
    assert all("Jupyter notebook" in rows[name]["says"] for name in ("dev", "eva"))
    assert "UTF-16" in rows["ivo"]["says"]
    assert "ZIP archive without a Python file" in rows["june"]["says"]
    assert (rows["kim"]["passed"], rows["kim"]["says"]) == ("yes", "")
    assert "no Python file in this folder" in rows["hal"]["says"]
    assert "5  The name of the file should end in .py." in done.stdout


@pytest.mark.usefixtures("quick")
def test_untouched_skeleton_is_one_mistake(tmp_path: Path) -> None:
    folder = write(tmp_path / "class", {"anna.py": SKELETON, "ben.py": SKELETON, "carla.py": BASE})
    scores = tmp_path / "scores"
    done = run("check", folder, "--out", tmp_path / "out", "--gradescope", scores)
    assert "2  No function is written yet: each raises NotImplementedError." in done.stdout
    assert done.stdout.count("NotImplementedError") == 1
    data = json.loads((tmp_path / "out" / "results.json").read_text())
    assert len(data["mistakes"]) == 1
    assert [each["points"] for each in data["students"]] == [0, 0, 8]
    assert json.loads((scores / "anna.json").read_text())["score"] == 0
    page = (tmp_path / "out" / "reports" / "anna.html").read_text()
    assert page.count("No function is written yet") == 1
    assert "not written yet:" not in page


def test_large_file_is_reported(tmp_path: Path) -> None:
    write(tmp_path / "class", {"anna.py": "# " + "x" * (1 << 20)})
    check = ClassCheck(tmp_path / "class", tmp_path / "out")
    assert [each.failure for each in check.results] == ["The file is larger than 1 MiB."]


# Names of learning platforms ----------------------------------------------------------------------


def names(folder: Path) -> dict[str, str | None]:
    """Return the file of each student."""
    return {
        each.student: str(each.file.relative_to(folder)) if each.file else None
        for each in find_submissions(folder, FUNCTIONS)
    }


def test_names_of_moodle(tmp_path: Path) -> None:
    flat = "Zoë O'Neil_12347_assignsubmission_file_tictactoe.py"
    files = {
        "Anna Example_12345_assignsubmission_file_/tictactoe.py": BASE,
        "Anna Example_12345_assignsubmission_onlinetext_/onlinetext.html": "<p>Here it is</p>",
        "Ben Okri_12346_assignsubmission_file/lab/game.py": BASE,
        flat: BASE,
    }
    write(tmp_path, files)
    anna, _, ben, _ = files
    assert names(tmp_path) == {"Anna Example": anna, "Ben Okri": ben, "Zoë O'Neil": flat}


def test_students_of_one_name_are_told_apart(tmp_path: Path) -> None:
    one, two = (f"Li Lei_{number}_assignsubmission_file_" for number in (7, 8))
    write(tmp_path, {f"{one}/tictactoe.py": BASE, f"{two}/tictactoe.py": BASE})
    assert [*names(tmp_path)] == ["Li Lei (7)", "Li Lei (8)"]


def test_names_of_canvas(tmp_path: Path) -> None:
    late = "okriben_LATE_12346_678911_tictactoe-1.py"
    write(
        tmp_path,
        {
            "exampleanna_12345_678910_tictactoe.py": "from helper import *\n" + BASE,
            "exampleanna_12345_678912_helper-2.py": "",
            late: BASE,
            "plain.py": BASE,
        },
    )
    assert names(tmp_path) == {
        "exampleanna": "exampleanna_12345_678910_tictactoe.py",
        "okriben": late,
        "plain": "plain.py",
    }
    anna, ben, _ = find_submissions(tmp_path, FUNCTIONS)
    assert [*anna.contents()] == ["tictactoe.py", "helper.py"]
    assert [*ben.contents()] == ["tictactoe.py"]


def test_names_of_gradescope(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "submission_101/tictactoe.py": BASE,
            "submission_102/src/tictactoe.py": BASE,
            "submission_103/tictactoe.py": BASE,
            "submission_metadata.yml": METADATA,
        },
    )
    assert [*names(tmp_path)] == ["Anna Example", "Zoë O'Neil and Li Léi", "submission_103"]
    check = ClassCheck(tmp_path, tmp_path / "out")
    assert check.left_out == []


def test_only_submitters_have_names() -> None:
    assert gradescope_names(METADATA) == {
        "submission_101": "Anna Example",
        "submission_102": "Zoë O'Neil and Li Léi",
    }
    assert gradescope_names("") == {}
    assert gradescope_names('submission_1:\n  :submitters:\n  - :name: "a\\"\n') != {}


# Folders and archives -----------------------------------------------------------------------------


def test_folder_is_a_class(quick: QuickRunner, tmp_path: Path) -> None:
    write(tmp_path / "homework", {"anna.py": BASE, "ben.py": FAULTY["actions: a list"].source})
    done = run("check", "homework", cwd=tmp_path)
    assert done.returncode == 1
    assert quick.checked == ["anna", "ben"]
    assert "The reports go to the folder homework-reports." in done.stderr
    assert "homework-reports/index.html" in done.stdout
    assert (tmp_path / "homework-reports" / "reports" / "anna.html").is_file()
    assert run("check", ".", cwd=tmp_path / "homework").returncode == 1
    assert (tmp_path / "homework" / "homework-reports" / "index.html").is_file()
    assert run("check", ".", cwd=tmp_path / "homework").returncode == 1


def test_folder_and_class_do_not_go_together(tmp_path: Path) -> None:
    write(tmp_path, {"a/anna.py": BASE, "b/ben.py": BASE})
    done = run("check", "a", "--class", "b", cwd=tmp_path)
    assert done.returncode == 2
    assert "name a file, or a folder" in done.stderr.lower()


@pytest.mark.parametrize("top", ["", "homework/", "assignment_12_export/"])
def test_archive_is_a_class(top: str, quick: QuickRunner, tmp_path: Path) -> None:
    path = archive_of(
        tmp_path / "work.zip",
        {
            f"{top}submission_101/tictactoe.py": BASE,
            f"{top}submission_102/tictactoe.py": FAULTY["actions: a list"].source,
            f"{top}submission_metadata.yml": METADATA,
            "__MACOSX/._x": "x",
        },
    )
    done = run("check", "--class", path.name, cwd=tmp_path)
    assert done.returncode == 1
    assert quick.checked == ["Anna Example", "Zoë O'Neil and Li Léi"]
    assert "work-reports/index.html" in done.stdout
    again = run("check", "--class", path.name, cwd=tmp_path)
    assert "2 with a result from before" in again.stderr


def test_archive_with_one_student_is_a_class_of_one(tmp_path: Path) -> None:
    path = archive_of(tmp_path / "a.zip", {"Anna/tictactoe.py": BASE, "Anna/util.py": ""})
    folder = tmp_path / "out"
    folder.mkdir()
    assert [each.student for each in find_submissions(unpack(path, folder), FUNCTIONS)] == ["Anna"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("../anna.py", "unsafe path"),
        ("/etc/anna.py", "unsafe path"),
        ("a/../../anna.py", "unsafe path"),
        ("..\\anna.py", "unsafe path"),
        ("C:\\anna.py", "unsafe path"),
    ],
)
def test_unsafe_path_in_an_archive_is_refused(name: str, says: str, tmp_path: Path) -> None:
    archive_of(tmp_path / "bad.zip", {"good.py": BASE, name: "x = 1"})
    done = run("check", "--class", "bad.zip", "--out", "out", cwd=tmp_path)
    assert done.returncode == 3
    assert says in done.stderr
    assert done.stderr.startswith("noughts: --class: the file bad.zip has an unsafe path")
    assert {each.name for each in tmp_path.iterdir()} == {"bad.zip"}


def test_link_in_an_archive_is_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("anna.py")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as opened:
        opened.writestr(link, "/etc/hostname")
    with pytest.raises(BadArchive, match="has a link"):
        unpack(tmp_path / "bad.zip", tmp_path)


def test_archive_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = archive_of(tmp_path / "big.zip", {f"{number}.py": "x" * 999 for number in range(9)})
    monkeypatch.setattr(archive, "LARGEST_TOTAL", 5_000)
    with pytest.raises(BadArchive, match="MiB of files"):
        unpack(path, tmp_path / "a")
    monkeypatch.setattr(archive, "MAX_ENTRIES", 8)
    with pytest.raises(BadArchive, match="more than 8 files"):
        unpack(path, tmp_path / "b")


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 but no more", b"x = 1\n"])
def test_file_that_is_no_archive_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "no.zip").write_bytes(data)
    done = run("check", "--class", "no.zip", "--out", "out", cwd=tmp_path)
    assert done.returncode == 3
    assert "The file no.zip is no ZIP archive".lower() in done.stderr.lower()
