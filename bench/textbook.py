"""Measure the textbook searches: check node counts, and print times beside targets.

    python bench/textbook.py           one table
    python bench/textbook.py --json    the same as one object
    python bench/textbook.py --quick   only the node counts

The two sides of a ratio take turns (A B A B …), and their medians are compared. OpenSpiel, compared
in three lines, is in the extra `oracle`; without it these lines are skipped.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from statistics import median

import baseline
from table import Line, Task, medians, parser, seconds, show

import noughts
from noughts.games.row import MNK
from noughts.search import (
    Limit,
    SearchResult,
    alphabeta,
    in_order,
    mcts,
    minimax,
    negamax,
    solve_all,
)
from noughts.search.walk import unknown

EMPTY = noughts.game("basic")
CENTRE_FIRST = in_order((4, 0, 2, 6, 8, 1, 3, 5, 7))


def plain() -> SearchResult:
    return minimax(EMPTY, score="sign")


def row_major() -> SearchResult:
    return alphabeta(EMPTY, score="sign")


def centre_first() -> SearchResult:
    return alphabeta(EMPTY, score="sign", order=CENTRE_FIRST)


def with_table() -> SearchResult:
    return negamax(EMPTY, score="sign", evaluate=unknown)


def lists_of_lists() -> int:
    return baseline.minimax(baseline.empty_board(), "X")


def best_moves() -> dict[noughts.Position, list[int]]:
    """Solve every position of the 3×3 board and list its best moves."""
    solution = solve_all(EMPTY)
    return {
        position: [
            move
            for move in position.legal_moves()
            if solution[position.play(move)].for_mover == value
        ]
        for position, value in solution.items()
    }


def baseline_nodes() -> int:
    """Count the boards of the baseline, which looks for the winner of each once."""
    nodes = 0
    winner = baseline.winner

    def counted(board: baseline.Board) -> baseline.Mark:
        nonlocal nodes
        nodes += 1
        return winner(board)

    baseline.winner = counted
    try:
        lists_of_lists()
    finally:
        baseline.winner = winner
    return nodes


def node_counts() -> dict[str, int]:
    """Count the positions that each search enters; the counts depend on no machine.

    Raises:
        AssertionError: a count has changed, so times would measure something else.
    """
    counts = {
        "minimax": plain().nodes,
        "minimax, lists of lists": baseline_nodes(),
        "alpha-beta, row-major": row_major().nodes,
        "alpha-beta, centre first": centre_first().nodes,
        "negamax with table": with_table().nodes,
        "solved": len(best_moves()),
    }
    expected = {
        "minimax": 549_946,
        "minimax, lists of lists": 549_946,
        "alpha-beta, row-major": 18_297,
        "alpha-beta, centre first": 7_275,
        "negamax with table": 7_873,
        "solved": 5_478,
    }
    assert counts == expected, f"{counts}, where {expected} was expected"
    return counts


def against_open_spiel() -> list[Line]:
    """Time the searches against OpenSpiel's Python alpha-beta, whose states are C++.

    Raises:
        ImportError: OpenSpiel is not installed.
    """
    import pyspiel
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    theirs = pyspiel.load_game("tic_tac_toe")
    lines = []
    for name, ours, target in (
        ("alpha-beta, row-major", row_major, 2),
        ("alpha-beta, centre first", centre_first, 1),
        ("negamax with table", with_table, 1),
    ):
        our, their = medians(ours, lambda: alpha_beta_search(theirs), rounds=15)
        title = f"{name}: time over OpenSpiel's"
        lines.append(Line(title, our / their, "×", "≤", target, (our, their)))
    return lines


def against_lists() -> Line:
    our, their = medians(plain, lists_of_lists, rounds=5)
    title = "minimax: times faster than lists of lists"
    return Line(title, their / our, "×", "≥", 2, (our, their))


def time_of(name: str, task: Task, rounds: int, most: float) -> Line:
    took = median(seconds(task) for _ in range(rounds))
    return Line(name, took, "s", "<", most)


def process(*command: str | Path) -> Task:
    return lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def largest_position() -> Line:
    """Measure the largest position of a random game on 19×19, without the shared rules."""
    rng = random.Random(1)
    position = MNK.start("19,19,19")
    largest = 0
    while position.outcome() is None:
        position = position.play(rng.choice(position.legal_moves()))
        own = (position, position.x, position.o, position.ply)
        largest = max(largest, sum(map(sys.getsizeof, own)))
    return Line("a position on 19×19", largest, "bytes", "<", 1024)


def largest_tree() -> Line:
    limit = 5_000
    nodes = mcts(noughts.game("ultimate"), Limit(nodes=limit), seed=1).nodes
    return Line("MCTS: nodes of its tree", nodes, "nodes", "≤", limit)


def measure() -> tuple[list[Line], list[str]]:
    """Return the lines of the table, and the skipped lines with the reasons."""
    lines, skipped = [], []
    try:
        lines += against_open_spiel()
    except ImportError as error:
        skipped.append(f"the comparison with OpenSpiel, which cannot be imported: {error}")
    program = Path(sys.executable).with_name("noughts")
    lines += [
        against_lists(),
        time_of("value and best moves of all 5,478 positions", best_moves, 5, 1),
        time_of("import noughts", process(sys.executable, "-c", "import noughts"), 15, 0.1),
        time_of("noughts --help", process(program, "--help"), 15, 0.4),
        largest_position(),
        largest_tree(),
    ]
    return lines, skipped


def main() -> None:
    options = parser(__doc__).parse_args()
    counts = node_counts()
    lines, skipped = ([], ["everything but the node counts"]) if options.quick else measure()
    show(counts, lines, skipped, as_json=options.json)


if __name__ == "__main__":
    main()
