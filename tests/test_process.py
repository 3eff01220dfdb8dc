"""The process of a bot: its lines, its bounds, its log, and that nothing of it outlives its end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from noughts.arena import process
from noughts.arena.bot import Bounds, Fault, Verdict
from noughts.arena.process import Child

PATIENCE = 60.0
"""More than enough on the slowest machine."""
PATIENT = Bounds(start_seconds=PATIENCE)


def shell(script: str, bounds: Bounds = PATIENT) -> Child:
    return Child(["sh", "-c", script], bounds=bounds)


def python(script: str, bounds: Bounds = PATIENT) -> Child:
    return Child([sys.executable, "-S", "-E", "-c", script], bounds=bounds)


def lines(child: Child) -> list[str]:
    """Return all lines of a process that ends by itself."""
    found, fault = heard(child)
    assert fault.verdict is Verdict.EXIT, fault
    return found


def fault_of(child: Child) -> Fault:
    return heard(child)[1]


def heard(child: Child) -> tuple[list[str], Fault]:
    found = []
    with closing(child):
        try:
            while (line := child.line(PATIENCE)) is not None:
                found.append(line)
        except Fault as fault:
            return found, fault
    raise AssertionError("it has not ended")


def is_alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status not in "ZX"


def wait_until(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < until:
        time.sleep(0.02)
    return holds()


needs_proc = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc"
)


def test_lines_go_both_ways() -> None:
    with closing(Child(["cat"], bounds=PATIENT)) as child:
        for line in ("hello", "", "zwölf Züge ♟"):
            child.send(line)
            assert child.line(PATIENCE) == line
        assert child.line(0) is None


def test_lines_are_split_at_any_place_and_the_last_needs_no_end() -> None:
    script = "printf 'one\\r\\ntw'; sleep 0.2; printf 'o\\n\\nfour'"
    assert lines(shell(script)) == ["one", "two", "", "four"]


@needs_proc
def test_what_it_said_before_it_ended_is_heard_first() -> None:
    with closing(shell("read question; echo one; echo two")) as child:
        child.send("go")
        assert child.line(PATIENCE) == "one"
        assert wait_until(lambda: not is_alive(child.pid or 0))
        child.send("go on")
        assert child.line(PATIENCE) == "two"
        with pytest.raises(Fault, match="status 0, after 'go on' was sent to it"):
            child.line(PATIENCE)


def test_what_is_not_utf_8_is_replaced() -> None:
    assert lines(shell("printf '\\377\\n'")) == ["\ufffd"]


def test_no_shell_reads_the_arguments() -> None:
    assert lines(Child(["echo", "$HOME", "; ls", "*"], bounds=PATIENT)) == ["$HOME ; ls *"]


def test_a_process_has_the_environment_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_WORD", "as it is")
    assert lines(shell('echo "$NOUGHTS_WORD"')) == ["as it is"]


def test_a_process_runs_in_its_directory_and_its_program_is_found_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "here"
    program.write_text("#!/bin/sh\npwd\n")
    program.chmod(0o755)
    there = tmp_path / "there"
    there.mkdir()
    monkeypatch.chdir(tmp_path)
    assert lines(Child(["./here"], directory=there, bounds=PATIENT)) == [str(there.resolve())]


def test_a_process_that_cannot_be_started_says_why(tmp_path: Path) -> None:
    for argv, directory, reason in (
        (["no-such-program"], None, "no-such-program: No such file or directory"),
        ([str(tmp_path)], None, "Permission denied"),
        (["cat"], tmp_path / "nowhere", "nowhere: no such folder"),
    ):
        with pytest.raises(Fault, match=reason) as caught:
            Child(argv, directory=directory, bounds=PATIENT)
        assert caught.value.verdict is Verdict.CRASH


@pytest.mark.parametrize(
    ("script", "verdict", "reason"),
    [
        ("exit 0", Verdict.EXIT, "its process ended with exit status 0"),
        ("exit 3", Verdict.CRASH, "its process ended with exit status 3"),
        ("kill -SEGV $$", Verdict.CRASH, "its process was killed by SIGSEGV"),
        (
            "echo why >&2; exit 1",
            Verdict.CRASH,
            "exit status 1; its last words: why",
        ),
    ],
)
def test_the_end_of_a_process_is_told(script: str, verdict: Verdict, reason: str) -> None:
    fault = fault_of(shell(script))
    assert fault.verdict is verdict
    assert reason in fault.message


def test_last_words_are_few_and_cannot_write_on_a_terminal() -> None:
    script = "for i in $(seq 1000); do echo line $i >&2; done; printf '\\033[2Jred' >&2; exit 1"
    message = fault_of(shell(script)).message
    first, *told = message.split("\n")
    assert first.endswith("exit status 1; its last words: \ufffd[2Jred")
    assert told == [*(f"  line {number}" for number in range(992, 1001)), "  \ufffd[2Jred"]


def test_one_that_does_not_read_blocks_nobody() -> None:
    with closing(shell("sleep 1000")) as child:
        began = time.monotonic()
        child.send("x" * process.UNREAD_BYTES)
        child.send("x" * process.UNREAD_BYTES)
        with pytest.raises(Fault, match="it does not read its input") as caught:
            child.send("one more")
        assert caught.value.verdict is Verdict.HANG
        assert time.monotonic() - began < PATIENCE


def test_a_slow_reader_gets_all_of_it() -> None:
    script = "import sys, time; time.sleep(0.3); print(len(sys.stdin.readline()))"
    with closing(python(script)) as child:
        child.send("x" * 500_000)
        assert child.line(PATIENCE) == "500001"


def test_errors_are_read_while_it_is_written_to() -> None:
    """Else both would wait for each other: 200 KB are more than a pipe holds."""
    script = """import sys
for line in sys.stdin:
    sys.stderr.write("x" * 200_000)
    print(line.strip(), flush=True)"""
    with closing(python(script)) as child:
        for number in range(5):
            child.send(str(number))
            assert child.line(PATIENCE) == str(number)


@needs_proc
def test_limits_are_set_but_never_above_those_of_the_user() -> None:
    script = "import resource as r; print(*r.getrlimit(r.{}))"
    bounds = PATIENT._replace(memory_mib=512, cpu_seconds=7)
    assert lines(python(script.format("RLIMIT_AS"), bounds)) == [f"{512 << 20} {512 << 20}"]
    assert lines(python(script.format("RLIMIT_CPU"), bounds)) == ["7 8"]
    assert lines(python(script.format("RLIMIT_CORE"), bounds)) == ["0 0"]
    user = f"""import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
from noughts.arena.process import Child
from noughts.arena.bot import Bounds
child = Child([sys.executable, "-c", {script.format("RLIMIT_CPU")!r}], bounds=Bounds(cpu_seconds=7))
print(child.line(60))
child.close()"""
    told = subprocess.run([sys.executable, "-c", user], capture_output=True, text=True, check=True)
    assert told.stdout == "5 5\n"


def test_signals_are_as_a_program_expects_them() -> None:
    script = "import signal as s; print(s.getsignal(s.SIGINT), s.pthread_sigmask(0, []))"
    told = lines(python(script))
    ignored = "import subprocess, sys; sys.exit(subprocess.call(['sh', '-c', 'kill -PIPE $$']))"
    assert told == ["<built-in function default_int_handler> set()"]
    assert "exit status 243" in fault_of(python(ignored)).message  # 256 - SIGPIPE


def test_the_log_has_what_each_process_wrote(tmp_path: Path) -> None:
    bounds = PATIENT._replace(log=tmp_path / "logs")
    for number in range(2):
        child = Child(["sh", "-c", f"echo words {number} >&2"], bounds=bounds, name="a/b ot")
        lines(child)
    (log,) = (tmp_path / "logs").iterdir()
    assert log.name == "a_b_ot.log"
    told = [line.partition(" ")[2] for line in log.read_text().splitlines()]
    assert [line for line in told if line.startswith("words")] == ["words 0", "words 1"]
    assert [line.startswith("--- started ") for line in told] == [True, False] * 2


def test_the_log_is_bounded_and_has_the_end(tmp_path: Path) -> None:
    script = "import sys; sys.stderr.write('x' * 99 + '\\n'); "
    script = f"for i in range(30_000): {script}\nsys.stderr.write('the very end')"
    lines(python(script, PATIENT._replace(log=tmp_path)))
    (log,) = tmp_path.iterdir()
    text = log.read_text()
    assert len(text) < 1.2 * process.LOG_BYTES
    assert "bytes are left out; the end:" in text
    assert text.endswith("the very end\n")


def test_a_polite_process_may_finish_its_work(tmp_path: Path) -> None:
    file = tmp_path / "done"
    with closing(shell(f"cat; echo done > {file}")) as child:
        child.send("hello")
        assert child.line(PATIENCE) == "hello"
        child.close(PATIENCE)
    assert file.read_text() == "done\n"


def test_a_closed_child_is_closed_once_and_for_all() -> None:
    child = Child(["cat"], bounds=PATIENT)
    child.close()
    child.close()
    with pytest.raises(Fault):
        child.send("hello")
    with pytest.raises(Fault):
        child.line(1)


STUBBORN = """import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
pids = []
for own_session in (False, True):
    for _ in range(3):
        pid = os.fork()
        if pid == 0:
            if own_session:
                os.setsid()
                if os.fork():
                    os._exit(0)
            time.sleep(1000)
        pids.append(pid)
print("ready", flush=True)
"""


def offspring(marker: str) -> list[int]:
    """Return the processes that have a word in their environment."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if marker.encode() in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue
    return [pid for pid in found if is_alive(pid) and pid != os.getpid()]


@needs_proc
@pytest.mark.parametrize("end", ["time.sleep(1000)", "sys.exit(0)", "os.kill(os.getpid(), 9)"])
def test_nothing_that_a_bot_has_started_outlives_it(
    end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = f"offspring-{os.getpid()}-{end}"
    monkeypatch.setenv("NOUGHTS_MARKER", marker)
    child = python(STUBBORN + end)
    assert child.line(PATIENCE) == "ready"
    child.close(0)
    assert offspring(marker) == []


MATCH = f"""import sys, time
from noughts.arena.process import Child
child = Child([sys.executable, "-S", "-E", "-c", {STUBBORN + "time.sleep(1000)"!r}])
assert child.line(60) == "ready"
print("ready", flush=True)
time.sleep(1000)
"""


@needs_proc
def test_when_the_match_is_killed_its_bots_are_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    marker = f"orphan-{os.getpid()}"
    monkeypatch.setenv("NOUGHTS_MARKER", marker)
    with subprocess.Popen([sys.executable, "-c", MATCH], stdout=subprocess.PIPE) as match:
        assert match.stdout is not None
        assert match.stdout.readline() == b"ready\n"
        assert len(offspring(marker)) > 5
        match.kill()
    assert wait_until(lambda: offspring(marker) == [])


@needs_proc
@pytest.mark.skipif(sys.platform != "linux", reason="only there a bot dies with its keeper")
def test_a_bot_whose_keeper_is_killed_is_at_fault_and_ended() -> None:
    with closing(shell("echo $PPID; sleep 1000")) as child:
        keeper = child.line(PATIENCE)
        assert keeper is not None
        assert child.pid is not None
        os.kill(int(keeper), signal.SIGKILL)
        with pytest.raises(Fault, match="watches over it was ended"):
            child.line(PATIENCE)
        assert wait_until(lambda: child.pid is not None and not is_alive(child.pid))


def test_a_socket_can_be_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        script = f"import socket; socket.create_connection(('127.0.0.1', {port})); print(input())"
        with closing(python(script)) as child:
            assert child.wait_for(server, PATIENCE)
            server.accept()[0].close()
            assert not child.wait_for(server, 0)
            child.send("hello")
            assert child.line(PATIENCE) == "hello"
            with pytest.raises(Fault, match="exit status 0"):
                child.wait_for(server, PATIENCE)
