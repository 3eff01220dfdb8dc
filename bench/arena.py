"""Measure the arena: the cost of a match beside the bots' thinking, and the precision of its time.

    a game, move by move ──► bots that only repeat it ──referee──► seconds a move
    a bot that works 95 of 100 ms a move, the other cores busy too ──► time forfeits
    an engine in an endless search ──stop──► milliseconds until its move arrives

The games are random and of all lengths, since a process is sent all moves of its game each time.
Times are wall times, as for bots. Run it on an idle machine.
"""

from __future__ import annotations

import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from statistics import median

from table import Line, parser, seconds, show

import noughts
from noughts.arena.bot import Bot, Entry, GameSetup, Reply, Turn, Verdict
from noughts.arena.control import Control
from noughts.arena.process import Child
from noughts.arena.protocol import VARIANT, set_option_line
from noughts.arena.referee import parse_note, play_game
from noughts.games.position import Player, Position
from noughts.games.record import Record

SCRIPTED = Path(__file__).with_name("scripted.py")
GAMES = ("basic", "connect4", "ultimate", "mnk:19,19,5")
ROUNDS = 20
RANDOM_GAMES = 10_000
TIMED_MOVES = 1000
WORK, ALLOWED = 0.095, 0.1
STOPS = 100
STOPPED = (
    *(("engine", rules_id) for rules_id in GAMES),
    ("alphabeta", "ultimate"),
    ("mcts", "ultimate"),
)
"""Opponents that are stopped, and the games."""


class Repeating(Bot):
    """A bot in this process that plays given moves."""

    def __init__(self, moves: Sequence[int]) -> None:
        self._moves = moves

    def new_game(self, setup: GameSetup) -> None:
        pass

    def choose(self, turn: Turn) -> Reply:
        return Reply(self._moves[len(turn.moves)])

    def end_game(self, record: Record) -> None:
        pass

    def close(self) -> None:
        pass


def game_of(rules_id: str) -> list[int]:
    """Return the moves of a random game; the same in each run."""
    rng = random.Random(1)
    position: Position = noughts.game(rules_id)
    moves = []
    while position.outcome() is None:
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    return moves


def repeating(rules_id: str) -> Bot:
    return Repeating(game_of(rules_id))


def scripted(rules_id: str, work: float = 0.0) -> Bot:
    """Return a bot in its own process that plays the moves of a game."""
    moves = noughts.move_texts(noughts.game(rules_id), game_of(rules_id))
    command = [sys.executable, "-S", "-E", str(SCRIPTED), str(work), *moves]
    return Entry("scripted", f"uci:{shlex.join(command)}").open()


def played(rules_id: str, bot: Bot, other: Bot, control: Control) -> Record:
    bots = {Player.X: bot, Player.O: other}
    return play_game(noughts.game(rules_id), [], bots, control, 1, {})


def overhead(rules_id: str, is_process: bool, rounds: int) -> float:
    """Return the median cost of a move in milliseconds."""
    times = []
    with ExitStack() as stack:
        bot, other = (
            stack.enter_context(closing((scripted if is_process else repeating)(rules_id)))
            for _ in range(2)
        )
        moves = len(game_of(rules_id))
        for _ in range(rounds):
            began = time.perf_counter()
            record = played(rules_id, bot, other, Control(nodes=1))
            times.append((time.perf_counter() - began) / moves)
            assert len(record.moves) == moves, record
    return 1000 * median(times)


def random_games(number: int) -> float:
    """Return the seconds of a match between two random bots, run as a user does."""
    with tempfile.TemporaryDirectory() as folder, on_one_core():
        file = Path(folder) / "games.jsonl"
        command = [
            str(Path(sys.executable).with_name("noughts")),
            "match",
            "random",
            "other=random",
        ]
        command += ["--game", "basic", "--pairs", str(number // 2), "--plies", "0", "--nodes", "1"]
        command += ["--jobs", "1", "--out", str(file)]
        took = seconds(lambda: subprocess.run(command, check=True, capture_output=True))
        with file.open() as lines:
            assert sum('"moves"' in line for line in lines) == number
    return took


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep this process and its children on one core."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    yield
    os.sched_setaffinity(0, cores)


@contextmanager
def other_cores_at_work() -> Iterator[None]:
    cores = os.cpu_count() or 1
    burn = [sys.executable, "-S", "-c", "while True: pass"]
    with ExitStack() as stack:
        for _ in range(cores - 1):
            burner = stack.enter_context(subprocess.Popen(burn))
            stack.callback(burner.kill)
        yield


def forfeits(moves: int, rules_id: str) -> tuple[int, float]:
    """Return the number of late moves among at least `moves`, and the longest in milliseconds."""
    control = Control(seconds=ALLOWED)
    late, longest, made = 0, 0.0, 0
    with other_cores_at_work(), ExitStack() as stack:
        while made < moves:
            bot, other = (stack.enter_context(closing(scripted(rules_id, WORK))) for _ in range(2))
            record = played(rules_id, bot, other, control)
            assert record.tags.get("Fault") is None or record.termination == Verdict.TIME.value
            late += "Fault" in record.tags
            notes = [parse_note(node.comment) for node in record.main_line()]
            times = [note.seconds for note in notes if note is not None]
            made += len(times) + ("Fault" in record.tags)
            longest = max([longest, *times])
            stack.close()
    return late, 1000 * longest


def stops(opponent: str, rules_id: str, number: int) -> list[float]:
    """Return the sorted milliseconds from `stop` to the move of `noughts engine`."""
    rng = random.Random(1)
    times = []
    command = [str(Path(sys.executable).with_name("noughts")), "engine", opponent]
    with closing(Child(command)) as child:

        def ask(line: str, answer: str) -> float:
            child.send(line)
            began = time.perf_counter()
            while not (child.line(60) or answer).startswith(answer):
                pass
            return 1000 * (time.perf_counter() - began)

        child.send(set_option_line(VARIANT, rules_id))
        for _ in range(number):
            ask("isready", "readyok")
            child.send("position startpos")
            child.send("go infinite")
            time.sleep(rng.uniform(0.01, 0.1))
            times.append(ask("stop", "bestmove"))
    return sorted(times)


def main() -> None:
    options = parser(__doc__)
    quick = options.parse_args().quick
    rounds, number, moves = (1, 20, 5) if quick else (ROUNDS, RANDOM_GAMES, TIMED_MOVES)
    lines = []
    for is_process, kind, most in (False, "in this process", 1), (True, "a process", 2):
        lines += [
            Line(
                f"a move, {rules_id}, {kind}",
                overhead(rules_id, is_process, rounds),
                "ms",
                "≤",
                most,
            )
            for rules_id in GAMES
        ]
    taken = random_games(number)
    lines.append(Line(f"{number:,} random games, basic, one core", taken, "s", "≤", 20))
    late, longest = forfeits(moves, "basic" if quick else "ultimate")
    about = f"{1000 * WORK:g} of {1000 * ALLOWED:g} ms"
    lines += [
        Line(f"{moves:,} moves of {about}: forfeits", late, "", "<", 1),
        Line(f"{moves:,} moves of {about}: the longest", longest, "ms", "beside", 1000 * ALLOWED),
    ]
    for opponent, rules_id in STOPPED:
        times = stops(opponent, rules_id, STOPS if not quick else 2)
        name = f"stop, {opponent}, {rules_id}"
        is_native = opponent == "engine"
        lines += [
            Line(f"{name}: median", median(times), "ms", "beside", 20),
            Line(f"{name}: longest", times[-1], "ms", "≤" if is_native else "beside", 20),
        ]
    show({}, lines, [], as_json=options.parse_args().json)
    sys.exit(1 if any(line.met is False for line in lines) else 0)


if __name__ == "__main__":
    main()
