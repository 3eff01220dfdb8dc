"""Measure the error rates and the length of the SPRT by simulated matches.

    python bench/sprt.py --runs 2000

    strength, openings ──► chances of a pair's points ──► random pairs ──► Sprt ──► passed or not

The games of a pair follow Bradley and Terry's model with draws, from openings that favour X by
chance; so the two games of a pair depend on each other, as in real matches. A match at elo0 should
pass in at most alpha of the runs, and one at elo1 fail in at most beta; half way between the test
takes longest. The same seed simulates the same matches. The exit status is 1 if an error rate
exceeds its bound by more than chance explains.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Sequence
from math import exp, sqrt
from statistics import mean
from typing import Any, NamedTuple

from noughts.arena.statistics import (
    ELO_OF_SPREAD,
    MODELS,
    Model,
    Sprt,
    expected_score,
)


class Case(NamedTuple):
    """A test and its simulated matches."""

    elo0: float
    elo1: float
    model: Model
    draws: float
    """The share of draws between equal players."""
    bias: float
    """The standard advantage of an opening for X or O, in natural logarithms of the odds."""
    every: int = 1
    """The number of pairs played between two decisions of the test."""


CASES = [
    *(Case(0, 100, model, 0.3, 1.0) for model in MODELS),
    *(Case(0, 50, model, 0.3, 1.0) for model in MODELS),
    Case(0, 50, "logistic", 0.0, 0.0),
    Case(0, 50, "logistic", 0.9, 1.0),
    Case(0, 50, "normalized", 0.9, 1.0),
    Case(-25, 25, "logistic", 0.3, 2.0),
    *(Case(0, 20, model, 0.3, 1.0, every=4) for model in MODELS),
    *(Case(0, 10, model, 0.3, 1.0, every=16) for model in MODELS),
]
QUICK = 2
"""The first, shorter cases of the list."""


def chances_of_pair(strength: float, draws: float, bias: float) -> list[float]:
    """Return the probabilities that A takes 0, ½, 1, 1½ and 2 points of a pair.

    A's strength is in natural logarithms of the odds; each opening favours X as often as O.
    """
    chances = [0.0] * 5
    for opening in (-bias, bias):
        games = []
        for side in (1, -1):
            expected = 1 / (1 + exp(-strength - side * opening))
            drawn = 2 * draws * min(expected, 1 - expected)
            games.append((1 - expected - drawn / 2, drawn, expected - drawn / 2))
        for first, chance in enumerate(games[0]):
            for second, other in enumerate(games[1]):
                chances[first + second] += chance * other / 2
    return chances


def distance(chances: Sequence[float], model: Model) -> float:
    """Return the model's measure: the mean score, or its distance from ½ in deviations of a game.

    >>> round(distance([0.25, 0, 0.5, 0, 0.25], "logistic"), 3)
    0.5
    """
    score = sum(chance * step / 4 for step, chance in enumerate(chances))
    if model == "logistic":
        return score
    square = sum(chance * (step / 4 - score) ** 2 for step, chance in enumerate(chances))
    return (score - 0.5) / sqrt(2 * square)


def chances_at(elo: float, case: Case) -> list[float]:
    """Return the probabilities of a pair's points where A is `elo` better, in the case's units."""
    wanted = expected_score(elo) if case.model == "logistic" else elo / ELO_OF_SPREAD
    lower, upper = -10.0, 10.0
    for _ in range(60):
        middle = (lower + upper) / 2
        found = distance(chances_of_pair(middle, case.draws, case.bias), case.model)
        lower, upper = (middle, upper) if found < wanted else (lower, middle)
    return chances_of_pair(lower, case.draws, case.bias)


def run(test: Sprt, chances: Sequence[float], every: int, rng: random.Random) -> tuple[bool, int]:
    """Play a match until the test stops; return whether A passed, and the number of pairs."""
    counts = [0] * 5
    while True:
        for points in rng.choices(range(5), chances, k=every):
            counts[points] += 1
        passed = test.passed(counts)
        if passed is not None:
            return passed, sum(counts)


def measure(case: Case, alpha: float, beta: float, runs: int, seed: int) -> dict[str, Any]:
    """Return the error rates at both hypotheses, and the mean numbers of pairs."""
    test = Sprt(case.elo0, case.elo1, alpha, beta, case.model)
    test.check()
    rng = random.Random(f"{seed} {case}")
    between = (case.elo0 + case.elo1) / 2
    results = {}
    for elo in (case.elo0, between, case.elo1):
        chances = chances_at(elo, case)
        results[elo] = [run(test, chances, case.every, rng) for _ in range(runs)]
    passed = {elo: mean(passed for passed, _ in found) for elo, found in results.items()}
    pairs = {elo: mean(pairs for _, pairs in found) for elo, found in results.items()}
    return {
        **case._asdict(),
        "passed_at_elo0": passed[case.elo0],
        "failed_at_elo1": 1 - passed[case.elo1],
        "pairs_at_elo0": pairs[case.elo0],
        "pairs_between": pairs[between],
        "pairs_at_elo1": pairs[case.elo1],
    }


def is_beyond(rate: float, bound: float, runs: int) -> bool:
    """Return whether an error rate exceeds its bound by three standard errors."""
    return rate > bound + 3 * sqrt(bound * (1 - bound) / runs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=1000, help="matches at each hypothesis (1000)")
    parser.add_argument("--alpha", type=float, default=0.05)
    parser.add_argument("--beta", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="only the widest bounds")
    parser.add_argument("--json", action="store_true", help="answer with one JSON object")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs must be at least 1")
    try:
        Sprt(0, 1, options.alpha, options.beta).check()
    except ValueError as error:
        parser.error(str(error))
    cases = CASES[:QUICK] if options.quick else CASES
    head = ("bounds", "model", "draws", "bias", "alpha", "beta", "pairs at 0", "between", "at 1")
    widths = (12, 10, 5, 5, 6, 6, 10, 8, 8)
    if not options.json:
        print(f"{options.runs} matches at each hypothesis, seed {options.seed}; the bounds are")
        print(f"alpha ≤ {options.alpha:.1%} and beta ≤ {options.beta:.1%}")
        print("  ".join(cell.rjust(width) for cell, width in zip(head, widths, strict=True)))
    found, started = [], time.perf_counter()
    for case in cases:
        result = measure(case, options.alpha, options.beta, options.runs, options.seed)
        found.append(result)
        if not options.json:
            cells = (
                f"{case.elo0:g} … {case.elo1:g}",
                case.model,
                f"{case.draws:.0%}",
                f"{case.bias:g}",
                f"{result['passed_at_elo0']:.1%}",
                f"{result['failed_at_elo1']:.1%}",
                f"{result['pairs_at_elo0']:,.0f}",
                f"{result['pairs_between']:,.0f}",
                f"{result['pairs_at_elo1']:,.0f}",
            )
            print("  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True)))
            sys.stdout.flush()
    if options.json:
        print(json.dumps({"schema": 1, "runs": options.runs, "cases": found}))
    else:
        print(f"{time.perf_counter() - started:.0f} s in all")
    missed = any(
        is_beyond(result["passed_at_elo0"], options.alpha, options.runs)
        or is_beyond(result["failed_at_elo1"], options.beta, options.runs)
        for result in found
    )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
