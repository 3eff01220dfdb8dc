"""Searches with a memory: only functions that are sure to be pure are remembered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import pytest
from students import BASE, EVERY, FAULTY, RIGHT, imports_forgotten

from noughts.school.check import Check, CheckLimits
from noughts.school.memory import Memory, remembered
from noughts.school.student import Case, StudentFile


@pytest.fixture(autouse=True)
def imports_restored() -> Iterator[None]:
    with imports_forgotten():
        yield


def module(source: str) -> ModuleType:
    made = ModuleType("made")
    exec(dedent(source), vars(made))
    return made


PURE = {
    "operators": "def f(n): return n + 1",
    "a helper, and recursion": "def f(n): return n if n < 2 else f(n - g(n))\ndef g(n): return 1",
    "a table that is only read": "TABLE = [[1, 2], [3]]\ndef f(n): return TABLE[n][0]",
    "math and copy": "import copy, math\ndef f(n): return math.inf if copy.deepcopy([n]) else 0",
    "an exception": "class E(Exception): pass\ndef f(n):\n    if n < 0: raise E\n    return n",
    "a list of its own": "def f(n):\n    found = []\n    found.append(n)\n    return found[0]",
    "generators": "def f(n): return max(i for i in range(n))",
}
IMPURE = {
    "a global": "n = 0\ndef f():\n    global n\n    n += 1\n    return n",
    "a global that another function writes": (
        "n = 0\ndef f(): return n\ndef g():\n    global n\n    n += 1"
    ),
    "a list of all calls": "calls = []\ndef f():\n    calls.append(1)\n    return len(calls)",
    "a list that another function changes": (
        "board = [0]\ndef f(): return g()\ndef g(): return board[0]\ndef h(): board[0] += 1"
    ),
    "a default": "def f(found=[]):\n    found.append(1)\n    return len(found)",
    "an attribute": "def f():\n    f.calls = 1 + getattr(f, 'calls', 0)\n    return f.calls",
    "an attribute that is there": "def f(): return len(f.calls)\nf.calls = []",
    "chance": "import random\ndef f(n): return random.choice([1, 2])",
    "the clock": "import time\ndef f(): return time.time()",
    "an import": "def f():\n    import random\n    return random.random()",
    "an object": "class A:\n    n = 0\na = A()\ndef f(): return a.n",
    "a closure": (
        "def make():\n    n = 0\n    def f():\n        nonlocal n\n        n += 1\n"
        "        return n\n    return f\nf = make()"
    ),
    "a call of an impure one": "def f(): return g()\ndef g(): return input()",
    "input": "def f(): return input()",
}


@pytest.mark.parametrize("name", PURE)
def test_pure_functions_are_remembered(name: str) -> None:
    assert "f" in Memory(module(PURE[name])).functions


@pytest.mark.parametrize("name", IMPURE)
def test_any_doubt_leaves_a_function_as_it_is(name: str) -> None:
    made = module(IMPURE[name])
    own = made.f
    assert "f" not in Memory(made).functions
    assert made.f is own


def test_values_depend_on_types_and_are_kept_only_if_constant() -> None:
    made = module(
        """
        def kind(value): return repr(value)
        def cells(board): return [cell for row in board for cell in row]
        """
    )
    assert Memory(made).functions == ("cells", "kind")
    assert [made.kind(value) for value in (1, True, 1.0, "1")] == ["1", "True", "1.0", "'1'"]
    first, second = made.cells([[1], [2]]), made.cells([[1], [2]])
    assert first == second == [1, 2]
    assert first is not second


def test_endless_recursion_ends_the_memory() -> None:
    calls = 0

    def search(n: int) -> int:
        nonlocal calls
        calls += 1
        return quick(n + 1) if n else calls

    quick = remembered(search)
    assert quick(0) == quick(0) == 1
    with pytest.raises(RecursionError):
        quick(1)
    before = calls
    assert quick(0) == before + 1


def test_global_that_changes_after_all_is_seen(tmp_path: Path) -> None:
    """A function may pass a list to a helper that changes it; the file then answers as it is."""
    source = BASE + dedent(
        """
        asked = [0]

        def note(counter):
            counter.sort(key=lambda n: n)
            counter += [1]

        def minimax(board):
            note(asked)
            return None if terminal(board) else sorted(actions(board))[len(asked) % 2]
        """
    )
    path = tmp_path / "tictactoe.py"
    path.write_text(source, "utf-8")
    cases = [Case(board) for board in EVERY[:6]]
    with_memory, as_it_is = (
        [
            each.value
            for each in StudentFile(path).call(
                "minimax", cases, right=(), seconds=1, remember=remember
            )
        ]
        for remember in (True, False)
    )
    assert with_memory == as_it_is
    assert len(set(as_it_is)) > 1


def answers(source: str, folder: Path, *, remember: bool) -> list[tuple[str, str]]:
    """Return the moves of a file on boards near the end."""
    path = folder / "tictactoe.py"
    path.write_text(dedent(source), "utf-8")
    cases = [Case(board) for board in EVERY[::40] if board.count(".") <= 5]
    with imports_forgotten():
        found = StudentFile(path).call("minimax", cases, right=(), seconds=1, remember=remember)
        return [(each.value, each.raised.partition(":")[0]) for each in found]


SEARCHES = {
    **{name: each.source for name, each in FAULTY.items() if each.function == "minimax"},
    **RIGHT,
}
del SEARCHES["minimax: endless recursion"]  # which is slow in this process


@pytest.mark.parametrize("name", SEARCHES)
def test_memory_changes_no_answer(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda *_: "")
    remembered, as_it_is = (
        answers(SEARCHES[name], tmp_path, remember=each) for each in (True, False)
    )
    assert len(as_it_is) > 30
    assert remembered == as_it_is


def test_search_that_is_wrong_without_a_memory_is_wrong(tmp_path: Path) -> None:
    """A memory that hides a mistake is not used: the answers are those of the file as it is."""
    path = tmp_path / "tictactoe.py"
    path.write_text(FAULTY["player: a global turn"].source, "utf-8")
    limits = CheckLimits(searches=0.05, games=0.0, again=0.02)
    report = Check(StudentFile(path), boards=EVERY[-300:], limits=limits).run()
    assert not report.functions["player"].passed
