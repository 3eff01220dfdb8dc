"""Bots for other sites: the exported source, and that it plays as the engine does."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, NamedTuple

import pytest
from command import NOUGHTS
from command import run as noughts_run
from needs import IN_CI

import noughts
from noughts import _core, export, nets
from noughts.arena.adapters.codingame import place
from noughts.arena.codingame import RULES
from noughts.games.position import Position
from noughts.opponents import opponent

COMPILER = shutil.which("g++")
needs_compiler = pytest.mark.skipif(not COMPILER and not IN_CI, reason="no g++")
NODES = 2_000


def compiled(folder: Path, *flags: str) -> str:
    """Return the program of the exported source; a warning is an error."""
    source, program = folder / "bot.cpp", folder / "bot"
    source.write_text(export.codingame(), "utf-8")
    command = [str(COMPILER), "-std=c++20", "-Wall", "-Wextra", "-Werror", *flags]
    subprocess.run([*command, str(source), "-o", str(program)], check=True, timeout=600)
    return str(program)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    return compiled(tmp_path_factory.mktemp("export"), "-O1")


class Answer(NamedTuple):
    """A move of a bot, and the facts that it writes to the error stream."""

    move: tuple[int, int]
    depth: int
    score: int
    nodes: int


class SiteBot:
    """A bot in one game, as the site runs it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def answer(self, position: Position, last: tuple[int, int]) -> Answer:
        moves = position.legal_moves()
        lines = [last, (len(moves),), *(place(position, move) for move in moves)]
        text = "".join(" ".join(map(str, numbers)) + "\n" for numbers in lines)
        self._stream(self.process.stdin).write(text)
        self._stream(self.process.stdin).flush()
        row, column = map(int, self._stream(self.process.stdout).readline().split())
        words = self._stream(self.process.stderr).readline().split()
        assert words[::2] == ["depth", "score", "nodes"]
        return Answer((row, column), *map(int, words[1::2]))

    @staticmethod
    def _stream(stream: IO[str] | None) -> IO[str]:
        assert stream is not None
        return stream


@contextmanager
def started(*command: str) -> Iterator[SiteBot]:
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield SiteBot(process)
        finally:
            process.kill()


def played(bot: SiteBot, seed: int) -> Iterator[tuple[Position, Answer]]:
    """Play a game against random moves, the bot first if the seed is even.

    Yields the position before each move of the bot, and its answer.
    """
    rng, position, last = random.Random(seed), noughts.game(RULES), (-1, -1)
    while position.outcome() is None:
        if position.ply % 2 == seed % 2:
            answer = bot.answer(position, last)
            yield position, answer
            (move,) = (m for m in position.legal_moves() if place(position, m) == answer.move)
        else:
            move = rng.choice(position.legal_moves())
            last = place(position, move)
        position = position.play(move)


def check_same_moves(program: str, games: int) -> None:
    """Compare the bot with `engine:net=small`: moves, depths, nodes and estimates."""
    small, compared = nets.small_net(), 0
    for seed in range(games):
        engine = opponent(f"engine:net=small,nodes={NODES},table=16")
        with started(program, "--nodes", str(NODES)) as bot:
            for position, answer in played(bot, seed):
                found = engine.choose(position)
                assert found.move is not None
                assert answer[:2] == (place(position, found.move), found.depth), str(position)
                assert answer.nodes == found.nodes
                if found.value.estimate is not None:
                    estimate = answer.score / _core.ESTIMATE_UNIT
                    expected = small.expected(RULES, estimate)
                    assert found.value.estimate == pytest.approx(expected, abs=1e-6)
                compared += 1
    assert compared > 16 * games


def test_source_fits_into_the_site() -> None:
    source = export.codingame()
    assert len(source.encode("utf-16-le")) // 2 <= export.LARGEST
    assert '#include "' not in source
    assert source.count("int main(") == 1
    assert len(set(source.splitlines())) > 1_000
    for row_game in ("RowPosition", "Connect4", "Solver", "MonteCarlo"):
        assert row_game not in source


@needs_compiler
@pytest.mark.parametrize("count", [2, pytest.param(20, marks=pytest.mark.soak)])
def test_bot_plays_the_moves_of_the_engine(program: str, count: int) -> None:
    check_same_moves(program, count)


@needs_compiler
@pytest.mark.soak
@pytest.mark.parametrize(
    "flags", ["-O0", "-O2", "-O3", "-O1 -fsanitize=address,undefined -Wno-array-bounds"]
)
def test_bot_plays_the_same_however_it_is_compiled(tmp_path: Path, flags: str) -> None:
    """The site compiles without optimisation. With sanitizers, GCC sees bounds where none are."""
    check_same_moves(compiled(tmp_path, *flags.split()), 20)


@needs_compiler
def test_bot_plays_whole_games_in_a_match(program: str, tmp_path: Path) -> None:
    bot = f"site=codingame:{program} --nodes 200"
    command = [NOUGHTS, "match", bot, "random:seed=1", "--game", RULES, "--plies", "0"]
    more = ["--pairs", "5", "--seconds", "1", "--margin", "5", "--json"]
    done = subprocess.run([*command, *more], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    bots = json.loads(done.stdout)["standings"]["bots"]
    (site,) = (each for each in bots if each["name"] == "site")
    assert (site["games"], site["faults"]) == (10, {})
    assert site["points"] >= 9


@needs_compiler
def test_bot_ends_its_searches_by_its_clock(program: str) -> None:
    """`noughts match` shows how long they take; without a limit no search would end."""
    for seed in (0, 1):
        with started(program) as bot:
            assert all(answer.nodes > 0 for _, answer in islice(played(bot, seed), 3))


@needs_compiler
@pytest.mark.parametrize("words", [["--nodes"], ["--nodes", "0"], ["--nodes", "x"], ["fast"]])
def test_bot_refuses_bad_arguments(program: str, words: list[str]) -> None:
    done = subprocess.run([program, *words], capture_output=True, text=True, input="")
    assert (done.returncode, done.stdout) == (2, "")
    assert "usage: " in done.stderr


def test_command_writes_the_source(tmp_path: Path) -> None:
    file = tmp_path / "bot.cpp"
    done = noughts_run("export", "codingame", "--out", file)
    assert done.returncode == 0, done.stderr
    source = export.codingame()
    assert done.stdout == f"{file}: {len(source):,} characters\n"
    assert file.read_text("utf-8") == source
    assert noughts_run("export", "codingame").stdout == source


def test_command_refuses_bad_nets_and_files(tmp_path: Path) -> None:
    full = tmp_path / "full.net"
    net = nets.net_of("ultimate")
    assert net is not None
    full.write_bytes(net.packed())
    other = tmp_path / "other.net"
    other.write_bytes(nets.made("x", ("ultimate",), nets.small_net().weights, positions=1,
                                nodes=1, seed=0).packed())  # fmt: skip
    for words, code, complaint in (
        (["--net", full], 3, "needs a small net"),
        (["--net", "no"], 3, "needs a small net"),
        (["--net", other], 3, "evaluates ultimate, not ultimate:tie=boards"),
        (["--net", tmp_path / "none.net"], 3, "No such file"),
        (["--out", tmp_path / "none" / "bot.cpp"], 3, "cannot write"),
        (["--size", "3"], 2, "No such option"),
    ):
        done = noughts_run("export", "codingame", *words)
        assert (done.returncode, done.stdout) == (code, "")
        assert complaint in done.stderr
    assert noughts_run("export", "chess").returncode == 2
