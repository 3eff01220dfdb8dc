"""Measure the prover of nine boards: python bench/prover.py

The 150 leaves of `leaves.txt` are positions of ply 18 from the tree of chosen moves, at random
replies. Expansions are positions whose children the search makes. The solver of `noughts solve`
proves the same positions, with 64 MiB; its nodes are positions entered. Times are processor time of
one core.
"""

from __future__ import annotations

import time
from math import exp, log
from pathlib import Path

from noughts import _core
from noughts.engine import Engine
from noughts.search import Limit

LEAVES = (Path(__file__).parent / "leaves.txt").read_text().split()
SOLVED = 20
"""Leaves for the solver, which is slower."""


def main() -> None:
    began = time.process_time()
    proofs = [_core.prove(leaf, 0, 10**9) for leaf in LEAVES]
    seconds = time.process_time() - began
    assert all(verdict is _core.Verdict.won for verdict, *_ in proofs)
    counts = [expansions for _, expansions, _ in proofs]
    print(f"{len(counts)} leaves of ply 18, all won: {seconds:.2f} s")
    print(f"expansions: mean {sum(counts) / len(counts):,.0f}, geometric mean {_mean(counts):,.0f}")
    print(f"{sum(counts) / seconds / 1e6:.2f} million expansions a second (target 3.5)")
    engine = Engine("advanced", table_mib=64)
    began = time.process_time()
    nodes = [engine.solve(leaf, Limit(nodes=10**8)).nodes for leaf in LEAVES[:SOLVED]]
    seconds = time.process_time() - began
    print(
        f"`noughts solve`, the first {SOLVED}: geometric mean {_mean(nodes):,.0f} nodes,"
        f" {seconds:.2f} s; here {_mean(counts[:SOLVED]):,.0f}"
    )


def _mean(numbers: list[int]) -> float:
    """Return the geometric mean."""
    return exp(sum(map(log, numbers)) / len(numbers))


if __name__ == "__main__":
    main()
