"""A bot's process: lines, bounds, log, and no process left at its end."""

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
from needs import needs_linux, needs_proc
from patience import PATIENCE

from noughts.arena import process
from noughts.arena.bot import Bounds, Fault, Verdict
from noughts.arena.process import Child

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


def test_lines_are_sent_and_received() -> None:
    with closing(Child(["cat"], bounds=PATIENT)) as child:
        for line in ("hello", "", "zwölf Züge ♟"):
            child.send(line)
            assert child.line(PATIENCE) == line
        assert child.line(0) is None


def test_lines_arrive_in_parts_and_the_last_needs_no_newline() -> None:
    script = "printf 'one\\r\\ntw'; sleep 0.2; printf 'o\\n\\nfour'"
    assert lines(shell(script)) == ["one", "two", "", "four"]


@needs_proc
def test_output_before_the_end_is_read_first() -> None:
    with closing(shell("read question; echo one; echo two")) as child:
        child.send("go")
        assert child.line(PATIENCE) == "one"
        assert wait_until(lambda: not is_alive(child.pid or 0))
        child.send("go on")
        assert child.line(PATIENCE) == "two"
        with pytest.raises(Fault, match="status 0, after 'go on' was sent to it"):
            child.line(PATIENCE)


def test_invalid_utf_8_is_replaced() -> None:
    assert lines(shell("printf '\\377\\n'")) == ["\ufffd"]


def test_no_shell_reads_the_arguments() -> None:
    assert lines(Child(["echo", "$HOME", "; ls", "*"], bounds=PATIENT)) == ["$HOME ; ls *"]


def test_process_gets_the_user_s_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOUGHTS_WORD", "as it is")
    assert lines(shell('echo "$NOUGHTS_WORD"')) == ["as it is"]


def test_process_runs_in_its_folder_and_its_program_is_found_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "here"
    program.write_text("#!/bin/sh\npwd\n")
    program.chmod(0o755)
    there = tmp_path / "there"
    there.mkdir()
    monkeypatch.chdir(tmp_path)
    assert lines(Child(["./here"], directory=there, bounds=PATIENT)) == [str(there.resolve())]


def test_process_that_cannot_start_says_why(tmp_path: Path) -> None:
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
def test_end_of_a_process_is_reported(script: str, verdict: Verdict, reason: str) -> None:
    fault = fault_of(shell(script))
    assert fault.verdict is verdict
    assert reason in fault.message


def test_last_words_are_short_and_safe_for_a_terminal() -> None:
    script = "for i in $(seq 1000); do echo line $i >&2; done; printf '\\033[2Jred' >&2; exit 1"
    message = fault_of(shell(script)).message
    first, *told = message.split("\n")
    assert first.endswith("exit status 1; its last words: \ufffd[2Jred")
    assert told == [*(f"  line {number}" for number in range(992, 1001)), "  \ufffd[2Jred"]


def test_process_that_does_not_read_blocks_nobody() -> None:
    with closing(shell("sleep 1000")) as child:
        child.send("x" * process.UNREAD_BYTES)
        child.send("x" * process.UNREAD_BYTES)
        with pytest.raises(Fault, match="it does not read its input") as caught:
            child.send("one more")
        assert caught.value.verdict is Verdict.HANG


def test_slow_reader_gets_everything() -> None:
    script = "import sys, time; time.sleep(0.3); print(len(sys.stdin.readline()))"
    with closing(python(script)) as child:
        child.send("x" * 500_000)
        assert child.line(PATIENCE) == "500001"


def test_errors_are_read_during_a_write() -> None:
    """Otherwise both sides would wait: 200 KB do not fit into a pipe."""
    script = """import sys
for line in sys.stdin:
    sys.stderr.write("x" * 200_000)
    print(line.strip(), flush=True)"""
    with closing(python(script)) as child:
        for number in range(5):
            child.send(str(number))
            assert child.line(PATIENCE) == str(number)


@needs_proc
def test_limits_are_set_within_those_of_the_user() -> None:
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


def test_signals_have_their_default_handlers() -> None:
    script = "import signal as s; print(s.getsignal(s.SIGINT), s.pthread_sigmask(0, []))"
    told = lines(python(script))
    ignored = "import subprocess, sys; sys.exit(subprocess.call(['sh', '-c', 'kill -PIPE $$']))"
    assert told == ["<built-in function default_int_handler> set()"]
    assert "exit status 243" in fault_of(python(ignored)).message  # 256 - SIGPIPE


def test_log_has_the_output_of_each_process(tmp_path: Path) -> None:
    bounds = PATIENT._replace(log=tmp_path / "logs")
    for number, name in enumerate(("a/b ot", "a/b ot", "a:b ot")):
        lines(Child(["sh", "-c", f"echo words {number} >&2"], bounds=bounds, name=name))
    log, other = sorted((tmp_path / "logs").iterdir(), key=lambda each: -each.stat().st_size)
    assert log.name == "a_b_ot-69ad4c0e.log"
    assert "words 2" in other.read_text()
    told = [line.partition(" ")[2] for line in log.read_text().splitlines()]
    assert [line for line in told if line.startswith("words")] == ["words 0", "words 1"]
    assert [line.startswith("--- started ") for line in told] == [True, False] * 2


def test_log_is_bounded_and_keeps_the_end(tmp_path: Path) -> None:
    script = "import sys; sys.stderr.write('x' * 99 + '\\n'); "
    script = f"for i in range(30_000): {script}\nsys.stderr.write('the very end')"
    lines(python(script, PATIENT._replace(log=tmp_path)))
    (log,) = tmp_path.iterdir()
    text = log.read_text()
    assert len(text) < 1.2 * process.LOG_BYTES
    assert "bytes are missing; the end:" in text
    assert text.endswith("the very end\n")


def test_process_may_finish_its_work_after_quit(tmp_path: Path) -> None:
    file = tmp_path / "done"
    with closing(shell(f"cat; echo done > {file}")) as child:
        child.send("hello")
        assert child.line(PATIENCE) == "hello"
        child.close(PATIENCE)
    assert file.read_text() == "done\n"


def test_closed_child_stays_closed() -> None:
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
    """Return the ids of processes with a word in their environment."""
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
def test_descendants_of_a_bot_end_with_it(end: str, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_bots_end_when_the_match_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    marker = f"orphan-{os.getpid()}"
    monkeypatch.setenv("NOUGHTS_MARKER", marker)
    with subprocess.Popen([sys.executable, "-c", MATCH], stdout=subprocess.PIPE) as match:
        assert match.stdout is not None
        assert match.stdout.readline() == b"ready\n"
        assert len(offspring(marker)) > 5
        match.kill()
    assert wait_until(lambda: offspring(marker) == [])


@needs_proc
@needs_linux
def test_bot_whose_supervisor_is_killed_is_at_fault_and_ends() -> None:
    with closing(shell("echo $PPID; sleep 1000")) as child:
        supervisor = child.line(PATIENCE)
        assert supervisor is not None
        assert child.pid is not None
        os.kill(int(supervisor), signal.SIGKILL)
        with pytest.raises(Fault, match="watches over it was ended"):
            child.line(PATIENCE)
        assert wait_until(lambda: child.pid is not None and not is_alive(child.pid))


def test_bot_that_ends_late_has_not_closed_its_output(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "CLOSED_SECONDS", 0)
    child = shell("read line; exit 3")
    with closing(child):
        child._supervisor.send_signal(signal.SIGSTOP)
        try:
            child.send("end")
            assert wait_until(lambda: child.line(0.01) is None and child._closed is not None)
            assert child.line(0.01) is None
        finally:
            child._supervisor.send_signal(signal.SIGCONT)
        with pytest.raises(Fault, match="ended with exit status 3"):
            child.line(PATIENCE)


def test_socket_can_be_waited_for() -> None:
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
