"""Full disks: one sentence, exit code 4, and no half record in a file."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from command import NOUGHTS, PLAIN, run, run_program
from needs import skip

from noughts.games import record

resource = pytest.importorskip("resource", reason="needs limits of processes")

MATCH = ("match", "random", "other=random", "--game", "basic", "--seconds", "5", "--jobs", "1")
NOISY = """
import sys


def choose(position):
    print("x" * 300, file=sys.stderr)
    return position.legal_moves()[0]
"""


def run_within(size: int, *words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run `noughts` with a limit of bytes on each file that it writes."""
    return subprocess.run(
        [NOUGHTS, *map(str, words)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        # A cut-off file of compiled code would break later runs.
        env={**PLAIN, "PYTHONDONTWRITEBYTECODE": "1"},
        timeout=300,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )


def ends_in_one_sentence(done: subprocess.CompletedProcess[str], complaint: str) -> bool:
    return (
        done.returncode == 4
        and "Traceback" not in done.stderr
        and done.stderr.splitlines()[-1].startswith(f"noughts: {complaint}")
    )


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("games") / "games.jsonl"
    assert run(*MATCH, "--pairs", 2, "--out", file).returncode == 0
    return file


def test_match_ends_with_whole_records_and_resumes(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    words = (*MATCH, "--pairs", 4, "--out", file.name)
    done = run_within(2000, *words, cwd=tmp_path)
    assert ends_in_one_sentence(done, "--out: cannot write games.jsonl: "), done
    before = file.read_bytes()
    assert 0 < len(before) < 2000
    assert before.endswith(b"\n")
    done = run(*words, cwd=tmp_path)
    assert (done.returncode, "cut off" in done.stderr) == (0, False), done.stderr
    assert file.read_bytes().startswith(before)
    assert len(list(record.read(file))) == 8


def test_match_on_a_full_file_system(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    try:
        subprocess.run(mounting, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        skip("needs the right to mount a file system")
    try:
        words = (*MATCH, "--pairs", 100, "--out", "games.jsonl")
        done = run_program(*words, cwd=disk)
        assert ends_in_one_sentence(done, "--out: cannot write games.jsonl: No space left"), done
        assert len(list(record.read(disk / "games.jsonl"))) > 10
        assert (disk / "games.jsonl").read_bytes().endswith(b"\n")
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_match_names_the_log_that_it_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "noisy.py").write_text(NOISY)
    words = ("match", "noisy=python:noisy.py:choose", *MATCH[2:], "--pairs", 2, "--log", "logs")
    for size in (50, 700):  # at the start of a process, and in a game
        done = run_within(size, *words, cwd=tmp_path)
        assert ends_in_one_sentence(done, "Cannot write logs/noisy.log: "), done
        (tmp_path / "logs" / "noisy.log").unlink()


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("results", "FILE", "-o", "report.html"), "--output"),
        (("replay", "basic", "--moves", "5129", "-o", "replay.html"), "--output"),
        (("trace", "basic", "--moves", "5129", "-o", "trace.jsonl"), "--output"),
        (("review", "FILE", "--game", "1", "--save", "reviewed.txt"), "--save"),
        (("play", "basic", "--x", "random", "--o", "random", "--save", "games.txt"), "--save"),
        ((*MATCH, "--pairs", "1", "--report", "report.html"), "--report"),
    ],
)
def test_commands_name_the_file(
    words: tuple[str, ...], option: str, games: Path, tmp_path: Path
) -> None:
    given = [str(games) if word == "FILE" else word for word in words]
    done = run_within(50, *given, cwd=tmp_path)
    assert ends_in_one_sentence(done, f"{option}: cannot write {words[-1]}: "), done


def test_commands_name_their_output(games: Path) -> None:
    if not Path("/dev/full").exists():
        skip("needs /dev/full")
    for words in (
        ("perft", "basic", "--depth", "3"),
        ("games",),
        ("--help",),
        ("analyse", "basic", "--moves", "51", "--json"),
        ("trace", "basic", "--moves", "5129"),
        ("results", games, "--games"),
        ("review", games, "--game", "1"),
        ("play", "basic", "--x", "random", "--o", "random"),
        ("engine", "random"),
    ):
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [NOUGHTS, *map(str, words)],
                input="uci\nucinewgame\nposition startpos\ngo\n",
                stdout=full,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                env=PLAIN,
                timeout=300,
            )
        assert ends_in_one_sentence(done, "cannot write the output: No space left"), (words, done)
        assert len(done.stderr.splitlines()) == 1, done.stderr


def test_output_that_nobody_reads_is_no_error(games: Path) -> None:
    for closed in (">&-", "| true"):
        done = subprocess.run(
            ["sh", "-c", f"{NOUGHTS} results {games} {closed}"],
            capture_output=True,
            encoding="utf-8",
            env={"PATH": "/usr/bin:/bin", **PLAIN},
            timeout=300,
        )
        assert (done.returncode, done.stderr) == (0, "")
