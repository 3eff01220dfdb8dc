"""Faulty bots: each fault has its verdict and message, and leaves no process or open file."""

from __future__ import annotations

import gc
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from needs import skip

import noughts
from noughts.arena import uci
from noughts.arena.bot import Bot, Bounds, Entry, Fault, GameSetup, Turn, Verdict, parse_entry
from noughts.arena.control import Control
from noughts.arena.referee import play_game
from noughts.games.position import NotationError, Player
from noughts.games.record import Record
from noughts.search.result import Limit

FAULTY = Path(__file__).parent / "bots" / "faulty.py"
AT_LEISURE = Control(nodes=100)
HURRIED = Control(seconds=0.5)
PATIENT = Bounds(start_seconds=60)
MARK = "NOUGHTS_TEST_OF_FAULTS"

# The verdict of each fault, and a part of its message.
CASES: dict[str, tuple[Control, Verdict, str]] = {
    "crash": (
        AT_LEISURE,
        Verdict.CRASH,
        "exit status 1, after 'go nodes 100' was sent to it; .*Error: no.*to fail",
    ),
    "killed": (AT_LEISURE, Verdict.CRASH, "killed by SIGSEGV"),
    "exit": (AT_LEISURE, Verdict.EXIT, "exit status 0"),
    "hang": (HURRIED, Verdict.HANG, "neither `stop` nor `isready`.*does it flush"),
    "spin": (AT_LEISURE, Verdict.CRASH, "used up its 1 s of processor time"),
    "hog": (AT_LEISURE, Verdict.CRASH, "bounded to 256 MiB.*MemoryError"),
    "repeats": (
        AT_LEISURE,
        Verdict.ILLEGAL,
        "'bestmove .'.* is taken. Free cells: .*, `bestmove [12]`",
    ),
    "garbage": (AT_LEISURE, Verdict.GARBAGE, "'bestmove banana'.*a cell from 1 to 9"),
    "none": (AT_LEISURE, Verdict.GARBAGE, "'bestmove none'.*the game is not over"),
    "bare": (HURRIED, Verdict.GARBAGE, "expected `bestmove MOVE`; it wrote '5'"),
    "binary": (AT_LEISURE, Verdict.GARBAGE, "'bestmove \ufffd\\[2J\ufffd'"),
    "errors": (AT_LEISURE, Verdict.FLOOD, "more than 4 MiB on its error stream"),
    "infos": (AT_LEISURE, Verdict.FLOOD, "more than 16 MiB where an answer was wanted"),
    "long": (AT_LEISURE, Verdict.FLOOD, "longer than 1 MiB"),
    "partial": (HURRIED, Verdict.HANG, "'bestmove 9' without an end of line"),
    "unended": (HURRIED, Verdict.GARBAGE, "no move.*, but 'bestmove 9' without an end of line"),
    "capitals": (HURRIED, Verdict.GARBAGE, "expected `bestmove MOVE`; it wrote 'BESTMOVE 9'"),
    "noise": (HURRIED, Verdict.GARBAGE, "it wrote '\ufffd\ufffd\ufffd\\[2J'"),
    "late": (
        HURRIED,
        Verdict.TIME,
        "within 0.520 s of `go movetime 500`, but 'bestmove 9' after",
    ),
    "deaf": (HURRIED, Verdict.STOP, "answered `isready`, but not `stop`"),
    "obeys": (HURRIED, Verdict.TIME, "told to stop"),
    "offspring": (HURRIED, Verdict.HANG, "gave no move"),
    "offspring-exit": (AT_LEISURE, Verdict.EXIT, "exit status 0"),
    "stubborn": (HURRIED, Verdict.HANG, "gave no move"),
    "closes-input": (AT_LEISURE, Verdict.EXIT, "closed its input, though it still runs"),
    "closes-output": (AT_LEISURE, Verdict.EXIT, "closed its output, though it still runs"),
}


def entry(*arguments: str, bounds: Bounds = PATIENT) -> Entry:
    command = shlex.join([sys.executable, "-S", "-E", str(FAULTY), *arguments])
    return Entry("faulty", f"uci:{command}", bounds)


def played(bot: Bot, other: Bot, control: Control = AT_LEISURE) -> Record:
    """Return the game of a bot, as O, against another bot."""
    bots = {Player.X: other, Player.O: bot}
    return play_game(noughts.game("basic"), [], bots, control, 1, {})


@pytest.fixture
def steady() -> Iterator[Bot]:
    """Return the entry of a bot without faults, in a process of its own."""
    with closing(entry().open()) as bot:
        yield bot


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208


def processes() -> list[str]:
    """Return the processes with MARK in their environment, and zombies of this process."""
    found = []
    mark = f"{MARK}={os.getpid()}\0".encode()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and folder.name != str(os.getpid()):
            try:
                status = (folder / "stat").read_text().rpartition(")")[2].split()
                of_ours = status[:2] == ["Z", str(os.getpid())]
                if of_ours or mark in (folder / "environ").read_bytes():
                    found.append((folder / "cmdline").read_text().replace("\0", " "))
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue
    return found


@pytest.fixture
def nothing_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Check after the test that no process of a bot and no open file is left."""
    if not Path("/proc/self/fd").exists():
        skip("needs /proc to list processes and open files")
    monkeypatch.setenv(MARK, str(os.getpid()))
    gc.collect()  # what earlier tests left to be closed
    before = descriptors()
    yield
    assert processes() == []
    assert descriptors() <= before


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("fault", CASES)
def test_each_fault_has_its_verdict_and_message(fault: str) -> None:
    control, verdict, message = CASES[fault]
    bounds = PATIENT._replace(stop_seconds=3)
    if fault == "spin":
        bounds = bounds._replace(cpu_seconds=1)
    if fault == "hog":
        bounds = bounds._replace(memory_mib=256)
    with closing(entry(fault, bounds=bounds).open()) as bot:
        record = played(bot, parse_entry("random").open(), control)
    assert record.termination == verdict.value, record.tags["Fault"]
    assert record.result == "1-0"
    told = record.tags["Fault"].replace("\n", " ")
    assert re.search(message, told), told


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize(
    ("fault", "seconds", "verdict", "message"),
    [
        ("start-crash", 60, Verdict.CRASH, "exit status 1.*RuntimeError"),
        ("start-exit", 60, Verdict.EXIT, "exit status 0"),
        ("start-hang", 2, Verdict.SLOW_START, "within 2 s"),
    ],
)
def test_bot_that_does_not_start(
    fault: str, seconds: float, verdict: Verdict, message: str
) -> None:
    with pytest.raises(Fault) as caught:
        entry(fault, bounds=Bounds(start_seconds=seconds)).open()
    assert caught.value.verdict is verdict
    assert re.search(message, caught.value.message, re.DOTALL)


@pytest.mark.usefixtures("nothing_left")
def test_bot_that_writes_something_else_than_uciok() -> None:
    command = f"uci:{sys.executable} -S -c 'print(1, flush=True); import time; time.sleep(99)'"
    with pytest.raises(Fault, match=r"`uci` with `uciok` within 4 s; it wrote '1'"):
        Entry("talker", command, Bounds(start_seconds=4)).open()


@pytest.mark.usefixtures("nothing_left")
def test_missing_program() -> None:
    with pytest.raises(Fault, match=r"crash: it cannot be started: \./nobody: No such file"):
        Entry("nobody", "uci:./nobody", PATIENT).open()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("uci:", "Expected uci:COMMAND"),
        ("uci:'open", "No closing quotation"),
        ("uci:no-such-program-anywhere --fast", "There is no program 'no-such-program-anywhere'"),
        ("uci:/no/such/program", "There is no program '/no/such/program'"),
        ("uci:./nobody", r"There is no program '\./nobody'"),
    ],
)
def test_invalid_commands(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        parse_entry(text)


@pytest.mark.usefixtures("nothing_left")
def test_bot_plays_only_the_rules_that_it_offers() -> None:
    with closing(entry().open()) as bot, pytest.raises(Fault) as caught:
        bot.new_game(GameSetup(noughts.game("connect4"), Player.X, AT_LEISURE, 1))
    assert caught.value.verdict is Verdict.UNFIT
    assert caught.value.message.startswith(
        "it does not play connect4; its UCI_Variant offers basic"
    )


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("Hash", "64", "no option Hash; its options are UCI_Variant"),
        ("uci_variant", "chess", "UCI_Variant cannot be set to 'chess': expected one of basic"),
    ],
)
def test_unknown_options_of_a_bot(name: str, value: str, message: str) -> None:
    with pytest.raises(Fault, match=message) as caught:
        entry()._replace(options=((name, value),)).open()
    assert caught.value.verdict is Verdict.UNFIT


def test_comment_of_a_bot_is_in_its_reply(steady: Bot) -> None:
    start = noughts.game("basic")
    steady.new_game(GameSetup(start, Player.X, AT_LEISURE, 1))
    reply = steady.choose(Turn(start, [], start, Limit(nodes=100), 60))
    assert (reply.move, str(reply.value), reply.depth, reply.nodes) == (0, "+0.50", 1, 1)


def test_process_is_kept_between_games_and_replaced_after_its_death(steady: Bot) -> None:
    def pid() -> int:
        assert isinstance(steady, uci.ProcessBot)
        assert steady.child.pid is not None
        return steady.child.pid

    random = parse_entry("random").open()
    first = pid()
    for _ in range(2):
        assert "Fault" not in played(steady, random).tags
        assert pid() == first
    os.kill(first, 9)
    assert "Fault" not in played(steady, random).tags
    assert pid() != first


def test_record_keeps_the_moves_before_a_fault() -> None:
    with closing(entry("crash", "2").open()) as bot, closing(entry().open()) as other:
        record = played(bot, other)
    assert record.termination == "crash"
    assert record.moves == [0, 1, 2]


@pytest.mark.usefixtures("nothing_left")
@pytest.mark.parametrize("games", [30, pytest.param(500, marks=pytest.mark.soak)])
def test_games_with_faults_leave_nothing_behind(games: int, tmp_path: Path) -> None:
    """The other bot plays on in its process; each game leaves nothing."""
    faults = [*CASES, "start-crash", "start-exit"]
    bounds = Bounds(memory_mib=256, cpu_seconds=1, stop_seconds=0.2, log=tmp_path)
    with closing(entry().open()) as other:
        during, alive = descriptors(), processes()
        for number in range(games):
            try:
                bot = entry(faults[number % len(faults)], bounds=bounds).open()
            except Fault:
                pass
            else:
                with closing(bot):
                    assert "Fault" in played(bot, other, HURRIED).tags
            assert descriptors() == during
            assert processes() == alive
        assert "Fault" not in played(other, parse_entry("random").open()).tags
    log = (tmp_path / "faulty.log").read_text()
    assert "RuntimeError: no idea what to play" in log
