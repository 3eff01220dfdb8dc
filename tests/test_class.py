"""`noughts check --class`: every file gets its result, whatever the others do."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent
from urllib.parse import unquote

import pytest
from command import NOUGHTS, run
from needs import needs_browser
from patience import PATIENCE
from playwright.sync_api import Browser, expect
from students import BASE, FAULTY, FEW, imports_forgotten

from noughts.school.check import Check, CheckLimits
from noughts.school.classroom import (
    SECONDS,
    CheckOutcome,
    ClassCheck,
    ClassTerms,
    LocalRunner,
    Task,
    grouped,
)
from noughts.school.report import CheckReport, not_imported
from noughts.school.student import FUNCTIONS, FileFails, Interface, StudentFile
from noughts.school.submissions import Submission, find_submissions
from noughts.views.class_report import ClassReport, class_page

MOVES = ClassTerms(Interface.MOVES)
RIGHT = """
from noughts.school.specification import solution

def move(cells):
    here = solution()["".join(cell or "." for cell in cells)]
    return min(3 * i + j for i, j in here.best)
"""
LAST = "def move(cells):\n    return max(n for n in range(9) if cells[n] is None)\n"
NAMES = (
    "anna.py",
    "Anna.PY.py",
    "ANNA.py",
    "../escape",
    "-rf.py",
    "=1+1.py",
    "Zoë O'Neil/tictactoe.py",
    "Zoë O´Neil/tictactoe.py",
    "李雷.py",
    "<b>bold<b>.py",
    f"{'long' * 50}.py",
    "..hidden/a.py",
    "con.py",
    "a b.py",
    "a-b.py",
    "tab\tnew\nline.py",
)


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, source in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(source), "utf-8")
    return folder


@cache
def quick_report(source: bytes) -> CheckReport:
    """Return the report on a file of the course, checked on few boards in this process."""
    limits = CheckLimits(searches=0.02, games=0.0, again=0.02)
    with TemporaryDirectory() as folder, imports_forgotten():
        path = Path(folder, "tictactoe.py")
        path.write_bytes(source)
        try:
            return Check(StudentFile(path), boards=FEW, limits=limits).run()
        except FileFails as error:
            return not_imported(Interface.CS50, str(error))


class QuickRunner:
    """Checks files of the course on few boards, and notes the students.

    Args:
        most: files after which it is interrupted.
    """

    def __init__(self, most: int = 100) -> None:
        self.most = most
        self.checked: list[str] = []

    def __call__(
        self, tasks: Sequence[Task], terms: ClassTerms
    ) -> Generator[tuple[Submission, CheckOutcome], None, None]:
        assert terms.interface is None
        for submission, contents in tasks:
            if len(self.checked) == self.most:
                raise KeyboardInterrupt
            self.checked.append(submission.student)
            report = quick_report(next(iter(contents.values())))
            yield submission, CheckOutcome(report.as_data())


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> QuickRunner:
    """Let the command check few boards."""
    runner = QuickRunner()
    monkeypatch.setattr("noughts.cli.check_class._runner", lambda _: runner)
    return runner


# The files ----------------------------------------------------------------------------------------


def test_names_clash_nowhere_and_stay_in_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    write(folder, {name: RIGHT for name in NAMES if ".." not in name})
    write(folder, {"..hidden/a.py": RIGHT, ".hidden.py": RIGHT, "__pycache__/a.py": RIGHT})
    (folder / "link").symlink_to("/etc")
    (folder / "link.py").symlink_to("/etc/hosts")
    for place in (folder, folder / "Zoë O'Neil"):
        os.mkfifo(place / "pipe.py")  # a read of it would never end
    Path(os.fsdecode(bytes(folder) + b"/\xff.py")).write_text(RIGHT)
    found = find_submissions(folder, ["move"])
    assert len(found) == len(NAMES) - 2 + 1
    assert len({each.name.casefold() for each in found}) == len(found)
    for each in found:
        assert (tmp_path / f"{each.name}.json").resolve().parent == tmp_path
        assert len(f"{each.name}.json".encode()) < 255
        assert not each.name.startswith((".", "-"))
        assert re.fullmatch(r"[\w.-]+", each.name)
        each.student.encode()
        assert next(iter(each.contents())) == "tictactoe.py"
    # More students give nobody else a new name, unless the names clash.
    (folder / "ben.py").write_text(RIGHT)
    assert {each.name for each in found} < {e.name for e in find_submissions(folder, ["move"])}


def test_file_is_found_by_its_functions(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "anna/runner.py": "import tictactoe\n",
            "anna/src/game.py": BASE,
            "anna/src/parts/more.py": "x = 1\n",
            "anna/venv/tictactoe.py": BASE,
            "ben/old.py": "def player(board): pass\n",
            "ben/new.py": "def player(board: pass\ndef actions(board): pass\n",
            "carla/a.py": "",
            "carla/tictactoe.py": "from noughts.cs50 import *\n",
            "dev/readme.txt": "",
        },
    )
    found = {each.student: each for each in find_submissions(tmp_path, FUNCTIONS)}
    files = {name: each.file and each.file.name for name, each in found.items()}
    assert files == {"anna": "game.py", "ben": "new.py", "carla": "tictactoe.py", "dev": None}
    assert [*found["anna"].contents()] == ["game.py", "parts/more.py"]
    assert found["dev"].contents() == {}


# Near-identical mistakes --------------------------------------------------------------------------


def winner_with(value: str, lines: int) -> str:
    return "\n" * lines + FAULTY["winner: False"].source.replace("return False", f"return {value}")


def test_near_identical_mistakes_are_one_group(tmp_path: Path) -> None:
    weak = """
    def minimax(board):
        empty = sorted(actions(board))
        return empty[(len(empty) + %d) // 2] if not terminal(board) else None
    """
    sources = {
        "a": winner_with("False", 0),
        "b": winner_with("0", 3),
        "c": winner_with("'nobody'", 0),
        "d": FAULTY["winner: index error"].source,
        "e": "\n\n" + FAULTY["winner: index error"].source.replace("[3]", "[4]"),
        "f": FAULTY["winner: one diagonal"].source,
        "g": "def player(board:\n",
        "h": "x = 1\ndef player(board:\n",
        "i": BASE + dedent(weak % 0),
        "j": BASE + "\n# The same\n" + dedent(weak % 0),
        "k": BASE + dedent(weak % -1),
        "l": BASE,
    }
    write(tmp_path / "class", {f"{name}.py": source for name, source in sources.items()})
    check = ClassCheck(tmp_path / "class", tmp_path / "out")
    assert len([*check.run(QuickRunner())]) == len(sources)
    groups = grouped(check.results)
    sets = {"".join(each.submission.student for each in group.results) for group in groups}
    assert sets >= {"abc", "de", "f", "gh", "ij", "k"}
    assert "l" not in "".join(sets)
    sizes = [len(group.results) for group in groups]
    assert sizes == sorted(sizes, reverse=True)
    for group in groups:
        assert not re.search(r"[\x00-\x1f]|in line \d|\(line", group.mistake)


# The reports --------------------------------------------------------------------------------------


def a_class(folder: Path) -> Path:
    return write(
        folder / "class",
        {
            "anna.py": BASE,
            "ben.py": FAULTY["winner: one diagonal"].source,
            "carla.py": FAULTY["winner: one diagonal"].source + "\n# mine\n",
            "=dev.py": "def player(board:\n",
            "Zoë <O'Neil>/game.py": FAULTY["result: never raises"].source,
            "nobody/readme.txt": "",
        },
    )


def test_reports_are_complete(quick: QuickRunner, tmp_path: Path) -> None:
    folder, out = a_class(tmp_path), tmp_path / "out"
    done = run("check", "--class", folder, "--out", out, "--gradescope", tmp_path / "scores")
    assert done.returncode == 1
    assert "2  winner misses the line 3 5 7" in done.stdout
    assert "6 students: 1 with everything right, 3 with mistakes" in done.stdout
    assert "6 students; 5 files to check" in done.stderr
    assert len(quick.checked) == 5

    page = (out / "index.html").read_text()
    links = {unquote(each) for each in re.findall(r'href="(reports/[^"]+)"', page)}
    assert links == {f"reports/{each.name}" for each in (out / "reports").iterdir()}
    assert len(links) == 5
    assert "Zoë &lt;O" in page
    assert "<O'Neil>" not in page
    assert "2 students" in page
    assert 'href="../index.html"' in (out / "reports" / "ben.html").read_text()

    table = (out / "results.csv").read_text().splitlines()
    rows = {row["student"]: row for row in csv.DictReader(table)}
    assert rows.keys() == {"anna", "ben", "carla", "'=dev", "Zoë <O'Neil>", "nobody"}
    assert (rows["ben"]["winner"], rows["ben"]["utility"]) == ("wrong", "suffers")
    assert rows["anna"]["passed"] == "yes"
    assert "never closed" in rows["'=dev"]["says"]
    data = json.loads((out / "results.json").read_text())
    assert (data["schema"], data["passed"], data["waiting"]) == (1, False, [])
    reports = {each["student"]: each["report"] for each in data["students"]}
    assert reports["anna"]["passed"]
    assert reports["nobody"] is None
    assert {"winner", "result"} <= {each["function"] for each in data["mistakes"]}
    scores = json.loads((tmp_path / "scores" / "ben.json").read_text())["tests"]
    assert [each["score"] for each in scores] == [1, 1, 1, 1, 0, 1, 1, 1]
    assert {name: row["points"] for name, row in rows.items()} == {
        "anna": "8",
        "ben": "7",
        "carla": "7",
        "'=dev": "0",
        "nobody": "0",
        "Zoë <O'Neil>": "7",
    }
    assert "7 of 8" in page
    assert re.search(r"ben +7 of 8 ", done.stdout)
    printed = run("check", "--class", folder, "--out", out, "--json")
    assert json.loads(printed.stdout) == data
    assert len(quick.checked) == 5, "nothing has changed"


def test_only_changed_files_are_checked_again(
    quick: QuickRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, out = a_class(tmp_path), tmp_path / "out"

    def checked() -> set[str]:
        quick.checked = []
        assert run("check", "--class", folder, "--out", out).returncode == 1
        return {*quick.checked}

    everybody = {"anna", "ben", "carla", "=dev", "Zoë <O'Neil>"}
    assert checked() == everybody
    assert checked() == set()
    (folder / "ben.py").write_text(f"{BASE}# ben\n")
    (folder / "Zoë <O'Neil>" / "helper.py").write_text("")
    (out / "results" / "anna.json").write_text('{"place": "anna.py"')
    (folder / "eva.py").write_text(f"{BASE}# eva\n")
    assert checked() == {"ben", "Zoë <O'Neil>", "anna", "eva"}
    # Results of somebody else are not taken, even under the same name.
    (out / "results" / "ben.json").write_bytes((out / "results" / "anna.json").read_bytes())
    assert checked() == {"ben"}
    monkeypatch.setattr("noughts.school.classroom.checker_version", lambda: "new")
    assert checked() == everybody | {"eva"}


def test_identical_work_is_checked_once(quick: QuickRunner, tmp_path: Path) -> None:
    names = ("anna.py", "ben.py", "carla/tictactoe.py", "carlo/tictactoe.py")
    folder = write(tmp_path / "class", dict.fromkeys(names, FAULTY["winner: one diagonal"].source))
    # Another module beside it may change the result.
    write(folder, {"carlo/helper.py": ""})
    out = tmp_path / "out"
    assert run("check", "--class", folder, "--out", out).returncode == 1
    assert len(quick.checked) == 2
    students = json.loads((out / "results.json").read_text())["students"]
    assert [each["student"] for each in students] == ["anna", "ben", "carla", "carlo"]
    assert {each["report"]["functions"]["winner"]["passed"] for each in students} == {False}
    assert len([*(out / "results").iterdir()]) == 4
    assert run("check", "--class", folder, "--out", out).returncode == 1
    assert len(quick.checked) == 2


def test_interrupted_check_continues(quick: QuickRunner, tmp_path: Path) -> None:
    folder, out = a_class(tmp_path), tmp_path / "out"
    quick.most = 2
    done = run("check", "--class", folder, "--out", out)
    assert done.returncode == 130
    assert "3 of 6 students checked; the same command checks the others" in done.stderr
    page = (out / "index.html").read_text()
    assert page.count("not checked yet</td>") == 3
    first = {*quick.checked}
    quick.most = 100
    done = run("check", "--class", folder, "--out", out)
    assert done.returncode == 1
    assert len(quick.checked) == 5
    assert not first & {*quick.checked[2:]}
    assert "not checked yet</td>" not in (out / "index.html").read_text()


def test_everything_right_ends_with_0_and_nothing_that_runs_with_4(
    quick: QuickRunner, tmp_path: Path
) -> None:
    write(tmp_path, {"good/anna.py": BASE, "bad/ben.py": "1 / 0\n", "bad/dev/readme.txt": ""})
    assert run("check", "--class", tmp_path / "good", "--out", tmp_path / "a").returncode == 0
    assert run("check", "--class", tmp_path / "bad", "--out", tmp_path / "b").returncode == 4
    assert quick.checked == ["anna", "ben"]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--class", "nothere", "--out", "out"], 3, "there is no folder nothere"),
        (["--class", "empty", "--out", "out"], 3, "there is no Python file in empty"),
        (["--class", "class", "--out", "class"], 2, "choose another folder"),
        (["--class", "class", "--out", "full"], 3, "full has other files"),
        (["--class", "class", "--out", "full/note.txt"], 3, "is a file; name a folder"),
        (["--class", "class", "--out", "out", "--html", "x.html"], 2, "are for one file"),
        (["class/anna.py", "--class", "class", "--out", "out"], 2, "name a file, or a folder"),
        ([], 2, "name a file, or a folder"),
        (["class/anna.py", "--jobs", "2"], 2, "--jobs needs --class"),
        (["--class", "class", "--out", "out", "--function", "f"], 2, "--function needs"),
    ],
)
def test_wrong_usage_of_a_class(arguments: list[str], code: int, says: str, tmp_path: Path) -> None:
    write(tmp_path, {"class/anna.py": BASE, "empty/readme.txt": "", "full/note.txt": "mine"})
    done = run("check", *arguments, cwd=tmp_path)
    assert done.returncode == code
    assert says.lower() in done.stderr.lower()
    assert (tmp_path / "full" / "note.txt").read_text() == "mine"
    assert not (tmp_path / "class" / "results").exists()


def test_help_names_the_default_limit() -> None:
    assert f"Default: {SECONDS:g}." in " ".join(run("check", "--help").stdout.split())


def test_folder_of_the_reports_is_no_student(quick: QuickRunner, tmp_path: Path) -> None:
    write(tmp_path, {"anna.py": BASE})
    for _ in range(2):
        done = run("check", "--class", tmp_path, "--out", tmp_path / "reports")
        assert "1 student: 1 with everything right." in done.stdout
    assert quick.checked == ["anna"]


def test_page_without_any_student_checked() -> None:
    waiting = [Submission("anna", "anna.py", "anna", None)]
    page = class_page(ClassReport("class", FUNCTIONS, [], waiting))
    assert "1 student: 0 with everything right, 1 not checked yet." in page


@needs_browser
def test_button_of_a_page_changes_its_theme(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "class.html"
    file.write_text(class_page(ClassReport("class", FUNCTIONS, [])), "utf-8")
    page = browser.new_page(color_scheme="dark")
    page.goto(file.as_uri())
    expect(page.locator("body")).to_have_css("background-color", "rgb(19, 21, 24)")
    page.get_by_role("button", name="Light").click()
    expect(page.locator("body")).to_have_css("background-color", "rgb(251, 250, 248)")
    page.close()


# Real checks --------------------------------------------------------------------------------------


def test_one_file_that_hangs_or_dies_costs_no_other(tmp_path: Path) -> None:
    write(
        tmp_path / "class",
        {
            "anna.py": RIGHT,
            "copycat.py": "from anna import move\n",
            "hangs.py": "import time\ntime.sleep(1000)\ndef move(cells): pass\n",
            "kills.py": """
                import os, signal
                def move(cells):
                    os.kill(os.getppid(), signal.SIGKILL)
                    os._exit(0)
                """,
            "nothing.py": "x = 1\n",
            "random.py": "import random\nchoice = random.choice\n" + LAST,
        },
    )
    check = ClassCheck(tmp_path / "class", tmp_path / "out", MOVES._replace(seconds=20.0))
    for _ in check.run(LocalRunner(3)):
        pass
    results = {each.submission.student: each for each in check.results}
    assert len(results) == 6
    assert results["anna"].passed
    assert results["hangs"].failure == "The check did not end within 20 s."
    assert "no function move" in results["nothing"].failure
    copied = results["copycat"].report
    assert copied is not None
    assert "imports anna, which is not there" in copied.import_failure
    assert not results["kills"].passed
    weak = results["random"].report
    assert weak is not None
    assert "last empty cell" in weak.functions["move"].failures[0].says
    again = ClassCheck(tmp_path / "class", tmp_path / "out", MOVES._replace(seconds=20.0))
    assert {each.student for each in again.waiting} <= {"kills"}
    longer = ClassCheck(tmp_path / "class", tmp_path / "out", MOVES._replace(seconds=21.0))
    assert (
        {"hangs", "nothing"}
        <= {each.student for each in longer.waiting}
        <= {
            "hangs",
            "nothing",
            "kills",
        }
    )


def until(happened: Callable[[], bool], seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_ctrl_c_keeps_results_and_leaves_nothing_running(tmp_path: Path) -> None:
    hangs = f"open({str(tmp_path / 'pid')!r}, 'w').write(str(__import__('os').getpid()))\n"
    hangs += "import time\ntime.sleep(1000)\n"
    write(tmp_path / "class", {"anna.py": "1 / 0\n", "hangs.py": hangs})
    (tmp_path / "temporary").mkdir()
    words = ["check", "--class", "class", "--out", "out", "--as", "moves", "--jobs", "1"]
    process = subprocess.Popen(
        [NOUGHTS, *words],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path / "temporary")},
        stderr=subprocess.PIPE,
        text=True,
    )
    pid = tmp_path / "pid"
    until(lambda: pid.exists() and pid.read_text() != "")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "1 of 2 students checked" in err
    assert "Traceback" not in err
    assert (tmp_path / "out" / "results" / "anna.json").is_file()
    assert "not checked yet" in (tmp_path / "out" / "index.html").read_text()
    if sys.platform == "linux":
        until(lambda: not Path(f"/proc/{pid.read_text()}").exists())
    assert not [*(tmp_path / "temporary").iterdir()]
