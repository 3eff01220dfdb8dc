"""The check of students' files by the API: permission, reports, limits, and games against files."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import httpx2 as httpx
import pytest
from command import run
from needs import needs_proc
from patience import PATIENCE
from running_files import marking, process_of, sleeping, until_ended
from students import BASE
from web import Person, people, problem

import noughts
from noughts.answers import tasks
from noughts.answers.checked import file_text, opponent_text
from noughts.school.check import moves
from noughts.school.specification import solution
from noughts.school.student import Interface, position_of
from noughts.web.check_models import LARGEST_FILE, CheckView
from noughts.web.checked_files import MAX_FILES, CheckedFiles
from noughts.web.games import Games

KEY = "the-key-of-the-server"
HEADERS = {"noughts-key": KEY}
FIRST = "def move(cells):\n    return cells.index(None)\n"
"""A function that takes the first free cell."""
TEXT = file_text("0123456789abcdef", "tictactoe.py")


@pytest.fixture(scope="module")
def anna(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """A person on a server that checks files."""
    with people(tmp_path_factory.mktemp("server"), check_key=KEY, hosts={"testserver"}) as (found,):
        yield found


def check(person: Person, source: str, **wanted: Any) -> httpx.Response:
    return person.ask("POST", "/check", {"file": dedent(source), **wanted}, headers=HEADERS)


# Permission


def test_server_checks_no_files_by_default(tmp_path: Path) -> None:
    source, mark = marking(tmp_path)
    with people(tmp_path) as (anna,):
        assert anna.get_json("/check") == {"enabled": False, "unlocked": False}
        assert anna.get_json("/check", headers=HEADERS) == {"enabled": False, "unlocked": False}
        refused = check(anna, source)
        assert problem(refused) == (403, "off")
        assert "noughts check" in refused.json()["detail"]
    assert not mark.exists()


@pytest.mark.parametrize(
    ("headers", "refused"),
    [
        ({"noughts-key": ""}, (403, "wrong-key")),
        ({"noughts-key": KEY[:-1]}, (403, "wrong-key")),
        ({**HEADERS, "origin": "http://evil.example"}, (403, "origin")),
        ({**HEADERS, "origin": "null"}, (403, "origin")),
        ({**HEADERS, "sec-fetch-site": "cross-site"}, (403, "origin")),
        ({**HEADERS, "host": "evil.example"}, (421, "host")),
    ],
)
def test_file_of_others_does_not_run(
    anna: Person, tmp_path: Path, headers: dict[str, str], refused: tuple[int, str]
) -> None:
    source, mark = marking(tmp_path)
    answer = anna.ask("POST", "/check", {"file": source}, headers=headers)
    assert problem(answer) == refused
    assert not mark.exists()


def test_file_with_the_key_runs(anna: Person, tmp_path: Path) -> None:
    assert anna.get_json("/check", headers=HEADERS) == {"enabled": True, "unlocked": True}
    source, mark = marking(tmp_path)
    check(anna, source, name="mine.py")
    assert mark.exists()


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--host", "0.0.0.0"), "needs --host 127.0.0.1, not 0.0.0.0"),
        (("--proxy", "127.0.0.1"), "does not go with --proxy"),
        (("--allow-host", "games.example.org"), "does not go with --allow-host"),
    ],
)
def test_files_are_checked_only_for_this_machine(
    tmp_path: Path, option: tuple[str, str], message: str
) -> None:
    database = tmp_path / "games.db"
    done = run("serve", "--check-files", "--port", "0", "--database", database, *option)
    assert done.returncode == 2
    assert message in done.stderr
    assert not database.exists()


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--proxy", "999.1.1.1"), "--proxy: '999.1.1.1' does not appear to be an IPv4 or IPv6"),
        (("--proxy", "*"), "--proxy: '*' does not appear"),
        (("--allow-host", "https://x.org/"), "--allow-host: 'https://x.org/' is not a host name"),
        (("--allow-host", "x.org:8080"), "is not a host name alone"),
    ],
)
def test_wrong_proxies_and_hosts_are_refused(
    tmp_path: Path, option: tuple[str, str], message: str
) -> None:
    database = tmp_path / "games.db"
    done = run("serve", "--port", "0", "--database", database, *option)
    assert done.returncode == 2
    assert message in done.stderr
    assert not database.exists()


def test_server_prints_its_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    applications = []

    class Ready:
        """A server that ends as soon as it is ready."""

        ended_by = None

        def __init__(self, application: Any, *, ready: Callable[[], None], **_: Any) -> None:
            applications.append(application)
            self.ready = ready

        def run(self, _: object) -> None:
            self.ready()

    monkeypatch.setattr("noughts.web.server.Server", Ready)
    done = run("serve", "--check-files", "--port", "0", "--database", tmp_path / "games.db")
    first, second = done.stdout.splitlines()
    address = first.split()[3]
    found = re.fullmatch(rf"Check files at {re.escape(address)}check#key=([\w-]{{22}})", second)
    assert found
    with Person(applications[0], base_url=address) as anna:
        for key, is_right in ((found[1], True), (KEY, False)):
            access = anna.get_json("/check", headers={"noughts-key": key})
            assert access == {"enabled": True, "unlocked": is_right}


# Reports


@pytest.fixture(scope="module")
def first(anna: Person) -> httpx.Response:
    """The reply to a check of `FIRST` under the name `bot.py`."""
    return check(anna, FIRST, name="bot.py", progress=True, **{"as": "moves"})


def opponent_of(answer: httpx.Response) -> str:
    """Return the file of a check as the text of an opponent."""
    text: str = json.loads(answer.text.splitlines()[-1])["opponent"]
    return text


def test_report_is_that_of_the_command(first: httpx.Response, tmp_path: Path) -> None:
    assert first.headers["content-type"] == "application/jsonl"
    *progress, report = map(json.loads, first.text.splitlines())
    assert progress
    assert all(each["kind"] == "progress" for each in progress)
    assert [each["done"] for each in progress] == sorted(each["done"] for each in progress)
    assert all(each["done"] <= each["of"] == 100 for each in progress)
    assert report.pop("kind") == "report"
    CheckView.model_validate(report)

    path = tmp_path / "bot.py"
    path.write_text(FIRST)
    done = run("check", path, "--as", "moves", "--json")
    assert done.returncode == 1
    wanted = json.loads(done.stdout)
    (failure,) = report["functions"]["move"]["failures"]
    assert failure.pop("picture")["board"]["cells"] == failure["board"]
    assert report["functions"]["move"].pop("verdict") == "wrong"
    assert report["play"].pop("sentence").startswith("It loses 487 of 822 games")
    assert report.pop("headline") == "1 of 1 functions has a mistake."
    assert report.pop("opponent").endswith(":bot.py")
    assert report == wanted


def test_functions_have_verdicts_and_boards(anna: Person) -> None:
    source = BASE[BASE.index("def winner") : BASE.index("def utility")]
    source = "X, O, EMPTY = 'X', 'O', None\n" + source.replace("[2][0] == mark", "[2][1] == mark")
    report = CheckView.model_validate(check(anna, source).json())
    verdicts = {name: each.verdict for name, each in report.functions.items()}
    assert verdicts == {
        "initial_state": "missing",
        "player": "missing",
        "actions": "missing",
        "result": "missing",
        "winner": "wrong",
        "terminal": "right, but fails because of `winner`",
        "utility": "missing",
        "minimax": "missing",
    }
    assert report.opponent is None
    for each in report.functions["winner"].failures:
        assert each.picture is not None
        assert each.picture["board"]["cells"] == each.board
    assert [each.picture for each in report.functions["utility"].failures] == [None]


@pytest.mark.parametrize(
    ("wanted", "refused", "detail"),
    [
        ({"file": "x = 1"}, (422, "request"), "The file has none of the seven functions"),
        (
            {"file": FIRST, "as": "aima"},
            (422, "request"),
            "no function player. Its functions: move",
        ),
        ({"file": "x = '\0'"}, (422, "request"), "null bytes"),
        ({"file": "x = '\ud800'"}, (422, "request"), "unicode"),
        ({"file": "#" * (LARGEST_FILE + 1)}, (422, "request"), "at most 200000 characters"),
        ({"file": "", "as": "chess"}, (422, "request"), "as"),
        ({"file": "", "path": "/etc"}, (422, "request"), "path"),
    ],
)
def test_wrong_request_is_refused(
    anna: Person, wanted: dict[str, Any], refused: tuple[int, str], detail: str
) -> None:
    body = json.dumps(wanted).encode()
    headers = {**HEADERS, "content-type": "application/json"}
    answer = anna.post("/api/v1/check", content=body, headers=headers)
    assert problem(answer) == refused
    assert detail in answer.json()["detail"]


def test_file_that_is_not_python_is_reported(anna: Person) -> None:
    report = check(anna, "def player(board:\n").json()
    assert report["import"] == {
        "passed": False,
        "says": "Line 1 is not Python: '(' was never closed.",
    }
    assert not report["passed"]
    assert report["opponent"] is None


# Limits


@needs_proc
def test_hanging_file_is_ended(
    anna: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, mark = sleeping(tmp_path)
    seconds = anna.app.state.thinkers._processes._seconds  # type: ignore[attr-defined]
    for limit in (4, 16, 64):  # on a busy machine the file's process may start late
        monkeypatch.setitem(seconds, tasks.check, float(limit))
        (line,) = map(json.loads, check(anna, source, progress=True).text.splitlines())
        assert (line["kind"], line["status"]) == ("problem", 503)
        assert line["detail"] == f"This took more than {limit} seconds and was stopped."
        if mark.exists():
            break
    number, folder = process_of(mark)
    until_ended(number)
    assert not folder.exists()


@needs_proc
def test_newer_check_replaces_a_running_one(anna: Person, tmp_path: Path) -> None:
    source, mark = sleeping(tmp_path)
    answers: list[httpx.Response] = []
    waiting = threading.Thread(target=lambda: answers.append(check(anna, source)))
    waiting.start()
    number, folder = process_of(mark)
    assert check(anna, "x = 1").status_code == 422
    waiting.join(PATIENCE)
    (answer,) = answers
    assert problem(answer) == (409, "replaced")
    until_ended(number)
    assert not folder.exists()


# Games


def first_free(board: str) -> str | None:
    """Return the first free cell of a board as a move."""
    return str(board.index(".") + 1)


def taught(person: Person, **changed: str | None) -> str:
    """Give the server a file that takes the first free cell, with other moves on some boards.

    Args:
        person: a client of the server.
        changed: moves by position strings, with `_` for `~` and `.`; `None` for no legal move.
    """
    known_moves = {
        str(position_of(board)): first_free(board)
        for board, known in solution().items()
        if not known.over
    }
    known_moves |= changed
    games: Games = person.app.state.games  # type: ignore[attr-defined]
    assert person.portal is not None
    person.portal.call(games.add_file, TEXT, known_moves)
    return TEXT


def until_turn(person: Person, game: dict[str, Any]) -> dict[str, Any]:
    """Return a game once its machine has moved or failed."""
    until = time.monotonic() + PATIENCE
    while True:
        game = person.get_json(f"/games/{game['id']}")
        mine = game["position"]["turn"] in game["yours"]
        if mine or game["result"] != "*" or game["trouble"]:
            return game
        assert time.monotonic() < until
        time.sleep(0.01)


def test_checked_file_plays_its_moves(anna: Person, first: httpx.Response) -> None:
    text = opponent_of(first)
    files: CheckedFiles = anna.app.state.games.files  # type: ignore[attr-defined]
    boards = [board for board, known in solution().items() if not known.over]
    found = [files.move(text, position_of(board)) for board in boards]
    assert found == [first_free(board) for board in boards]
    assert len(found) == 4520

    game = until_turn(anna, anna.open(x=text, o="me"))
    assert game["players"]["X"]["name"] == "bot.py"
    for mine in ("5", "3", "7"):
        game = until_turn(anna, anna.play(game, mine))
    assert game["moves"] == ["1", "5", "2", "3", "4", "7"]
    assert game["sentence"] == "O wins with the diagonal from top right."
    (listed, *_) = anna.get_json("/games")["games"]
    assert (listed["x"], listed["o"]) == ("bot.py", "You")
    again = until_turn(
        anna, anna.ask("POST", f"/games/{game['id']}/rematch", {"version": 0}).json()
    )
    assert again["players"]["O"]["name"] == "bot.py"
    assert until_turn(anna, anna.play(again, "9"))["moves"] == ["9", "1"]


@pytest.mark.parametrize(
    ("interface", "value", "move"),
    [
        (Interface.CS50, (0, 1), (0, 1)),
        (Interface.AIMA, (1, 2), (0, 1)),
        (Interface.MOVES, 1, (0, 1)),
        (Interface.CS50, (0, 0), None),
        (Interface.CS50, (0, 3), None),
        (Interface.CS50, [0, 1], None),
        (Interface.MOVES, True, None),
        (Interface.MOVES, -1, None),
        (Interface.MOVES, None, None),
    ],
)
def test_only_legal_moves_are_kept(
    interface: Interface, value: object, move: tuple[int, int] | None
) -> None:
    over = "XXXOO...."
    assert moves(interface, {"X........": value, over: value}) == {"X........": move}


def test_only_the_same_file_is_the_same_opponent(first: httpx.Response) -> None:
    def text(**wanted: str) -> str:
        asked = {"name": "bot.py", "file": FIRST, "as": "moves", **wanted}
        return opponent_text(asked["name"], asked["file"], asked["as"], asked.get("function"))

    assert text() == opponent_of(first)
    others = [text(file=f"{FIRST}#"), text(name="a.py"), text(function="f")]
    assert len({text(), *others}) == 4
    assert text(name="\u202e\n:x.py" + 99 * "y").endswith("::x.py" + 55 * "y")


def test_file_without_a_legal_move_loses(anna: Person) -> None:
    text = taught(anna, **{"basic~1X1.3.3~O": None})
    game = until_turn(anna, anna.open(o=text))
    game = until_turn(anna, anna.play(game, "2"))
    assert (game["result"], game["termination"]) == ("1-0", "illegal move")
    assert game["sentence"] == "X wins: O answered with no legal move."
    assert "undo" in game["can"]
    text = anna.ask("GET", f"/games/{game['id']}/export?format=text").text
    assert "illegal move" in text
    imported = anna.ask("POST", "/games/import", {"text": text}).json()["games"][0]
    assert imported["result"] == "1-0"


def test_board_without_a_known_move_has_a_sentence(anna: Person) -> None:
    text = taught(anna)
    files: CheckedFiles = anna.app.state.games.files  # type: ignore[attr-defined]
    files.keep(text, {"basic~3.3.3~X": "5"})
    game = until_turn(anna, anna.open(x=text, o="me"))
    game = until_turn(anna, anna.play(game, "1"))
    assert game["trouble"] == (
        "The machine does not move: tictactoe.py was too slow to be asked about this board. "
        "Take a move back, or resign."
    )
    game = anna.change(game, "undo")
    assert (game["moves"], game["trouble"]) == (["5"], None)


def test_restart_keeps_the_game_and_a_new_check_continues_it(tmp_path: Path) -> None:
    with people(tmp_path) as (anna,):
        game = until_turn(anna, anna.open(x=taught(anna), o="me"))
        cookies = anna.cookies
    with people(tmp_path) as (anna,):
        anna.cookies = cookies
        assert anna.get_json("/games")["games"][0]["x"] == "tictactoe.py"
        game = until_turn(anna, anna.play(game, "9"))
        gone = "the server no longer has the moves of tictactoe.py, so check it again."
        assert gone in game["trouble"]
        taught(anna)
        assert until_turn(anna, game)["moves"] == ["1", "9", "2"]


@pytest.mark.parametrize(
    ("start", "text"),
    [
        ("basic", file_text("f" * 16, "other.py")),
        ("basic", "file:x"),
        ("connect4", TEXT),
        ("mnk:3,3,3", TEXT),
    ],
)
def test_file_plays_only_its_game(anna: Person, start: str, text: str) -> None:
    taught(anna)
    answer = anna.ask("POST", "/games", {"start": start, "o": text})
    assert problem(answer) == (422, "notation")


def test_files_used_last_are_kept() -> None:
    files, start = CheckedFiles(), noughts.game("basic")
    texts = [file_text(f"{number:016x}", "a.py") for number in range(MAX_FILES + 1)]
    for text in texts[:-1]:
        files.keep(text, {str(start): "5"})
    assert files.move(texts[0], start) == "5"
    files.keep(texts[-1], {str(start): None})
    assert files.move(texts[-1], start) is None
    files.check(texts[0], start)
    with pytest.raises(noughts.NotationError, match="no moves of this file"):
        files.check(texts[1], start)
