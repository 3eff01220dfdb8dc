"""Measure the native engine on one core, with a target beside each figure.

    python bench/engine.py                   one to two minutes of measurements
    python bench/engine.py --data DIR        also Connect Four on files of graded positions
    python bench/engine.py --data DIR --pons DIR
                                             ... beside Pascal Pons' program, built from a checkout:
                                             git clone https://github.com/PascalPons/connect4
    python bench/engine.py --full            also Connect Four from the empty board
    python bench/engine.py --quick           only the node signature
    python bench/engine.py --quick --write-signature
                                             the same, written to a file for the tests

A line of a file of graded positions has the columns played, from 1, and the exact score; the files
of blog.gamesolver.org are `Test_L1_R1.txt` and so on. OpenSpiel, compared with our MCTS, is in the
extra `oracle`. Lines whose files or programs are missing are skipped.

Searches are timed in CPU seconds of the process, in which one thread works. Wall time is used for
microseconds: calls from Python, and Connect Four on files, where both programs take the time in C++
from the text of a position to its score. The two sides of a ratio take turns (A B A B …), and their
medians are compared; for a file, the mean of the positions' medians.
"""

from __future__ import annotations

import json
import multiprocessing
import platform
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

from table import Line, medians, parser, seconds, show

import noughts
from noughts import Position
from noughts.engine import Engine, perft
from noughts.games.row import ConnectFour
from noughts.search import Limit, SearchResult

SIGNATURE = Path(__file__).parent.parent / "tests" / "data" / "signature.json"
PONS_MAIN = Path(__file__).with_name("pons.cpp")
PONS_TABLE_MIB = 80  # 2^24 entries of a four-byte key and a one-byte value.
ROUNDS = 3

Work = Callable[[Engine, Position], SearchResult]


def best_move(engine: Engine, position: Position, method: str, limit: Limit) -> SearchResult:
    return engine.best_move(position, limit, method=method)


def depth(plies: int) -> Work:
    return partial(best_move, method="alphabeta", limit=Limit(depth=plies))


def simulations(number: int) -> Work:
    return partial(best_move, method="mcts", limit=Limit(simulations=number))


def solution(engine: Engine, position: Position) -> SearchResult:
    result = engine.solve(position)
    assert result.exact
    return result


# Searches whose node counts depend on no machine; together they are the signature.
SEARCHES: tuple[tuple[str, str, Work], ...] = (
    ("alpha-beta 9", "ultimate", depth(9)),
    (
        "alpha-beta 9",
        "ultimate:tie=boards~XO2OXO2.X2O1OXOO.O2XX3O.OX1O2OX1.1O5XX.XXOX1OO2.OX3XX1O.2XXOO3"
        ".1XX2X1O1~X~1",
        depth(9),
    ),
    ("alpha-beta 8", "ultimate:won=open", depth(8)),
    ("alpha-beta 9", "advanced", depth(9)),
    ("alpha-beta 8", "advanced~7O1.1X7.4O4.9.X2O5.4X3X.9.1O4O2.5X3~X~5", depth(8)),
    ("alpha-beta 14", "connect4", depth(14)),
    ("alpha-beta 10", "connect4:9,7,5", depth(10)),
    ("alpha-beta 6", "mnk:7,6,5", depth(6)),
    ("alpha-beta 9", "mnk:3,3,3", depth(9)),
    ("MCTS", "ultimate", simulations(20_000)),
    ("MCTS", "advanced", simulations(20_000)),
    ("MCTS", "connect4", simulations(20_000)),
    ("MCTS", "mnk:15,15,5", simulations(1_000)),
    ("solved", "basic", solution),
    ("solved", "mnk:4,3,3,misere", solution),
    ("solved", "mnk:5,5,4", solution),
    ("solved", "mnk:7,4,4", solution),
    ("solved", "connect4:6,4", solution),
    ("solved", "connect4:5,4,3", solution),
    ("solved", "connect4~7.7.7.XO5.OX1XO1X.OOXOOXX~X", solution),
    (
        "solved",
        "advanced~1X1OO2X1.O1O4XX.3O1X2X.XOOX4X.2X6.X2X3O1.O8.1X2OOXO1.1O3O1XO~X~5",
        solution,
    ),
    (
        "solved",
        "ultimate~2X2XXX1.5OXO1.OXOX1X1OX.OO2X3X.2O1OX2X.2OO2OO1.O1XX1X1XO.1XXOX1O2.O1O1O1O1X~X~6",
        solution,
    ),
)


def node_counts() -> dict[str, int]:
    """Return the nodes of each search of the signature, each with a new engine."""
    counts: dict[str, int] = {}
    for what, text, work in SEARCHES:
        start = noughts.position(text) if "~" in text else noughts.game(text)
        # Without a net, so that the counts change only with the search.
        engine = Engine(start.rules_id, table_mib=4, seed=1, net="no")
        name = f"{what}, {start.rules_id}, ply {start.ply}"
        assert name not in counts
        counts[name] = work(engine, start).nodes
    return counts


def perft_of_ultimate() -> Line:
    counts = []
    took = median(
        seconds(lambda: counts.append(perft("ultimate", 8)), time.process_time)
        for _ in range(ROUNDS)
    )
    # Counted by two programs; see tests/data/perft.json.
    assert set(counts) == {281_067_408}, counts
    return Line("perft, ultimate, depth 8", took, "s", "≤", 0.15)


def mcts_beside_open_spiel() -> list[Line]:
    """Compare the time of equal simulations from the start, with random playouts.

    Raises:
        ImportError: OpenSpiel is not installed.
    """
    import pyspiel

    lines = []
    number = 20_000
    limit = Limit(simulations=number)
    for rules, their_name in ("ultimate", "ultimate_tic_tac_toe"), ("connect4", "connect_four"):
        engine = Engine(rules, seed=1)
        game = pyspiel.load_game(their_name)
        start = game.new_initial_state()

        def ours(engine: Engine = engine) -> None:
            engine.clear()
            result = engine.best_move(engine.rules, limit, method="mcts_random")
            assert result.simulations == number

        def theirs(game: object = game, start: object = start) -> None:
            evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
            pyspiel.MCTSBot(
                game,
                evaluator,
                uct_c=2,
                max_simulations=number,
                max_memory_mb=1000,
                solve=True,
                seed=1,
                verbose=False,
            ).step(start)

        our, their = medians(ours, theirs, 5, time.process_time)
        title = f"MCTS, {rules}, random playouts, over OpenSpiel's"
        lines.append(Line(title, their / our, "×", "≥", 10, (our, their)))
    return lines


def alphabeta_of_ultimate() -> list[Line]:
    plies = 12
    engine = Engine("ultimate", net="no")
    results = []

    def work() -> None:
        engine.clear()
        results.append(engine.best_move("ultimate", Limit(depth=plies), method="alphabeta"))

    took = median(seconds(work, time.process_time) for _ in range(ROUNDS))
    assert all(result.depth >= plies for result in results)
    title = f"alpha-beta, ultimate, depth {plies}"
    return [
        Line(f"{title}: nodes a second", results[0].nodes / took, "nodes/s", "≥", 10_000_000),
        Line(f"{title}: time", took, "s", "≤", 1),
    ]


def searches_with_nets() -> list[Line]:
    lines = []
    for rules in ("ultimate", "advanced", "ultimate:won=open"):
        engine = Engine(rules)
        results: list[SearchResult] = []

        def work(engine: Engine = engine, results: list[SearchResult] = results) -> None:
            engine.clear()
            results.append(engine.best_move(engine.rules, Limit(nodes=1_000_000)))

        took = median(seconds(work, time.process_time) for _ in range(ROUNDS))
        speed = results[0].nodes / took
        lines.append(Line(f"with the net, {rules}", speed, "nodes/s", "≥", 3_000_000))
    return lines


def smallest_board() -> list[Line]:
    def solve(engine: Engine) -> None:
        assert engine.solve("basic").value.is_draw

    warm = Engine("basic")
    calls = {
        "with a new engine": lambda: solve(Engine("basic")),
        "with the same engine": lambda: solve(warm),
    }
    return [
        Line(f"3×3 solved {how}", 1000 * median(seconds(call) for _ in range(101)), "ms", "≤", 1)
        for how, call in calls.items()
    ]


def rows() -> list[Line]:
    """Solve m,n,k-games, all of them drawn (Uiterwijk 2019; Hsu, Ko et al. 2020; our tables)."""
    lines = []
    for sizes, most in ("5,5,4", 0.1), ("7,4,4", 1), ("7,7,5", 1), ("8,7,5", 60), ("8,4,4", 60):
        engine = Engine(f"mnk:{sizes}", table_mib=256)

        def work(engine: Engine = engine) -> None:
            result = engine.solve(engine.rules, Limit(seconds=600))
            assert result.value.is_draw, result

        lines.append(Line(f"({sizes}) solved", seconds(work, time.process_time), "s", "≤", most))
    return lines


class Graded(NamedTuple):
    """A position of a file, and its exact score."""

    position: ConnectFour
    score: int


class Grade(NamedTuple):
    """Published figures of Pons for a file: its name, mean nodes and mean microseconds a position.

    From the last step of his tutorial, strong solver, on his machine: blog.gamesolver.org.
    """

    name: str
    nodes: float
    microseconds: float


GRADES = {
    "Test_L3_R1": Grade("End-Easy", 51.28, 4.57),
    "Test_L2_R1": Grade("Middle-Easy", 449.6, 37.5),
    "Test_L2_R2": Grade("Middle-Medium", 39_900, 3_210),
    "Test_L1_R1": Grade("Begin-Easy", 3_298, 255),
    "Test_L1_R2": Grade("Begin-Medium", 1_201_000, 96_600),
    "Test_L1_R3": Grade("Begin-Hard", 65_920_000, 5_490_000),
}


class Solved(NamedTuple):
    """The result of a position and its cost."""

    score: int
    nodes: int
    seconds: float
    reset: float  # Seconds to reset the table before the position.


def graded(file: Path) -> list[Graded]:
    """Return the positions of a file.

    Raises:
        ValueError: a line is not moves and a score.
    """
    result = []
    for number, line in enumerate(file.read_text().splitlines(), 1):
        try:
            moves, score = line.split()
            position = ConnectFour.start()
            for move in noughts.parse_moves(position, moves):
                position = position.play(move)
            result.append(Graded(position, int(score)))
        except ValueError as error:
            raise ValueError(f"{file}, line {number}: {error}") from error
    return result


def score_of(position: ConnectFour, result: SearchResult) -> int:
    """Return the score in stones, negative for a loss, 0 for a draw."""
    value = result.value
    if value.plies is None:
        return 0
    stones = position.score_of_win(value.plies)
    return stones if value.is_win else -stones


def solved_by_us(engine: Engine, positions: list[Graded]) -> list[Solved]:
    """Solve each position; the time is measured in the core, from the text to the score."""
    result = []
    for position, _ in positions:
        reset = seconds(engine.clear)
        found = engine.solve(position)
        result.append(Solved(score_of(position, found), found.nodes, found.seconds, reset))
    return result


def built(checkout: Path, folder: Path) -> Path:
    """Build Pons' program with the compiler options of our core.

    Raises:
        CalledProcessError: it cannot be built.
    """
    program = folder / "pons"
    options = ["-std=c++11", "-O3", "-DNDEBUG"]
    if platform.machine() in ("x86_64", "AMD64"):
        options.append("-march=x86-64-v2")
    sources = (PONS_MAIN, checkout / "Solver.cpp")
    subprocess.run(["c++", *options, "-I", checkout, *sources, "-o", program], check=True)
    return program


def solved_by_pons(program: Path, file: Path) -> list[Solved]:
    with file.open() as positions:
        answers = subprocess.check_output(program, stdin=positions, text=True)
    result = []
    for answer in answers.splitlines():
        score, nodes, search, reset = map(int, answer.split())
        result.append(Solved(score, nodes, search / 1e9, reset / 1e9))
    return result


def checked(rounds: list[list[Solved]], positions: list[Graded], file: Path) -> list[Solved]:
    """Return each position with its median times over the rounds.

    Raises:
        AssertionError: a score differs from the file's.
    """
    result = []
    for (position, score), runs in zip(positions, zip(*rounds, strict=True), strict=True):
        assert all(run.score == score for run in runs), f"{file}: {position} scores {score}: {runs}"
        took, reset = median(run.seconds for run in runs), median(run.reset for run in runs)
        result.append(runs[0]._replace(seconds=took, reset=reset))
    return result


def mean_times(solved: list[Solved]) -> tuple[float, float]:
    """Return the mean microseconds for a position, without and with the reset."""
    search = 1e6 * mean(each.seconds for each in solved)
    return search, search + 1e6 * mean(each.reset for each in solved)


def connect_four(file: Path, positions: list[Graded], program: Path | None) -> Iterator[Line]:
    """Solve the positions of a file, with the table reset for each."""
    grade = GRADES.get(file.stem)
    title = f"Connect Four, {grade.name if grade else file.stem}"
    engine = Engine("connect4", table_mib=PONS_TABLE_MIB)
    rounds, their_rounds = [], []
    for _ in range(ROUNDS):
        rounds.append(solved_by_us(engine, positions))
        if program:
            their_rounds.append(solved_by_pons(program, file))
    ours = checked(rounds, positions, file)
    search, both = mean_times(ours)
    nodes = mean(each.nodes for each in ours)
    if program:
        theirs = checked(their_rounds, positions, file)
        their_search, their_both = mean_times(theirs)
        their_nodes = mean(each.nodes for each in theirs)
        yield Line(f"{title}: mean time", search, "µs", "≤", their_search)
        yield Line(f"{title}: mean time with the reset", both, "µs", "≤", their_both)
        yield Line(f"{title}: mean nodes", nodes, "nodes", "beside", their_nodes)
    elif grade:
        yield Line(f"{title}: mean time, published", search, "µs", "beside", grade.microseconds)
    if grade:
        yield Line(f"{title}: mean nodes, published", nodes, "nodes", "beside", grade.nodes)


def empty_connect_four() -> Line:
    engine, start = Engine("connect4", table_mib=1024), ConnectFour.start()

    def work() -> None:
        result = engine.solve(start)
        # X wins with the 41st stone (Allis 1988; Allen 1988).
        assert score_of(start, result) == 1, result

    took = seconds(work, time.process_time)
    return Line("Connect Four from the empty board, 1 GiB", took, "s", "≤", 60)


def resident_mib(which: str) -> float:
    """Return the resident set of this process in MiB, current (`VmRSS`) or peak (`VmHWM`).

    Raises:
        FileNotFoundError: not on Linux.
    """
    status = Path("/proc/self/status").read_text()
    return int(status.partition(f"{which}:")[2].split()[0]) / 1024


def growth(rules: str, method: str, mib: int) -> float:
    """Return by how many MiB this new process grows in a long search."""

    def search(engine: Engine, limit: Limit) -> SearchResult:
        if method == "solve":
            return engine.solve(rules, limit)
        return engine.best_move(rules, limit, method=method)

    # Allocates everything but the table.
    search(Engine(rules, table_mib=4), Limit(nodes=20_000))
    before = resident_mib("VmRSS")
    engine = Engine(rules, table_mib=mib)
    if method == "mcts":
        result = search(engine, Limit(simulations=30_000 * mib))
        assert result.table_use > 0.99, "the pool is not full yet"
    else:
        # A table grows to its full size in a few steps, the last when it is half full.
        nodes = 100_000 * mib
        while search(engine, Limit(nodes=nodes)).table_use < 0.5:
            nodes *= 2
    return resident_mib("VmHWM") - before


def memory() -> list[Line]:
    """Measure the difference between each search's memory and its limit.

    Raises:
        FileNotFoundError: not on Linux.
    """
    mib = 100
    lines: list[Line] = []
    spawn = multiprocessing.get_context("spawn")
    for rules, method in (
        ("ultimate", "alphabeta"),
        ("ultimate", "mcts"),
        ("ultimate", "solve"),
        ("connect4", "solve"),
        ("mnk:10,4,4", "solve"),
    ):
        with ProcessPoolExecutor(1, mp_context=spawn) as fresh:
            grown = fresh.submit(growth, rules, method, mib).result()
        title = f"memory, {rules}, {method}: off the {mib} MiB asked for"
        lines.append(Line(title, 100 * abs(grown / mib - 1), "%", "≤", 5))
    return lines


def measure(
    files: dict[Path, list[Graded]], checkout: Path | None, full: bool
) -> tuple[list[Line], list[str]]:
    """Return the lines of the table, and the skipped lines with the reasons."""
    skipped = []
    lines = [perft_of_ultimate()]
    try:
        lines += mcts_beside_open_spiel()
    except ImportError as error:
        skipped.append(f"MCTS beside OpenSpiel's, which cannot be imported: {error}")
    lines += alphabeta_of_ultimate()
    lines += searches_with_nets()
    lines += smallest_board()
    lines += rows()
    with tempfile.TemporaryDirectory() as folder:
        program = built(checkout, Path(folder)) if checkout and files else None
        for file, positions in files.items():
            lines += connect_four(file, positions, program)
    if not files:
        skipped.append("Connect Four on graded positions: --data DIR")
    elif not checkout:
        skipped.append("Connect Four beside Pons' program: --pons DIR")
    if full:
        lines.append(empty_connect_four())
    else:
        skipped.append("Connect Four from the empty board: --full")
    try:
        lines += memory()
    except FileNotFoundError as error:
        skipped.append(f"memory: {error}")
    return lines, skipped


def main() -> None:
    options_of = parser(__doc__)
    options_of.add_argument(
        "--full", action="store_true", help="also Connect Four from the empty board"
    )
    options_of.add_argument("--data", type=Path, help="folder of graded positions, *.txt")
    options_of.add_argument(
        "--pons",
        type=Path,
        help="checkout of https://github.com/PascalPons/connect4, to build and measure too",
    )
    options_of.add_argument(
        "--write-signature", action="store_true", help=f"write {SIGNATURE.name} for the tests"
    )
    options = options_of.parse_args()
    files = sorted(options.data.glob("*.txt")) if options.data else []
    if options.data and not files:
        options_of.error(f"--data: no *.txt in {options.data}")
    if options.pons and not (options.pons / "Solver.cpp").exists():
        options_of.error(f"--pons: no Solver.cpp in {options.pons}")
    try:
        positions = {file: graded(file) for file in files}
    except ValueError as error:
        options_of.error(f"--data: {error}")

    counts = node_counts()
    signature = sum(counts.values())
    if options.write_signature:
        kept = {"signature": signature, "nodes": counts}
        SIGNATURE.write_text(json.dumps(kept, ensure_ascii=False, indent=2) + "\n")
    lines: list[Line] = []
    skipped = ["everything but the node counts"]
    if not options.quick:
        lines, skipped = measure(positions, options.pons, options.full)
    show(counts, lines, skipped, as_json=options.json, signature=signature)


if __name__ == "__main__":
    main()
