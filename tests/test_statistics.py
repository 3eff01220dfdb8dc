"""Statistics of results, against published numbers to their last printed digit."""

from __future__ import annotations

import random
from math import inf, log

import pytest

from noughts.arena.statistics import (
    MAX_NORMALIZED,
    MODELS,
    UNSEEN,
    Model,
    Sprt,
    _likeliest,
    elo,
    elo_interval,
    expected_score,
    likelihood_of_superiority,
    normalized_elo,
    pentanomial,
    score,
    standard_error,
)

# From app/tests/elo_test.cpp of fastchess (github.com/Disservin/fastchess, commit 2f5e888): losses,
# draws and wins, or pairs; then Elo, its ±, normalized Elo, its ±, and the likelihood of
# superiority in percent. None: the file has no such figure.
FASTCHESS = [
    ((89, 123, 76), None, None, "-20.76", "40.13", "15.53"),
    ((96, 111, 136), "40.70", "30.43", "49.77", "36.77", "99.60"),
    ((356, 0, 34), None, None, "-508.44", "34.48", None),
    ((34, 54, 31 + 32, 64, 75), "55.58", "27.65", "57.94", "28.28", "100.00"),
    ((332, 433, 457 + 41, 333, 334), "-8.64", "10.33", "-9.17", "10.96", "5.05"),
    ((7895, 8757, 5485 + 200, 568, 9999), "-21.04", "2.95", "-19.01", "2.65", None),
]

# From messages of Stockfish's commits, which quote the tests of fishtest: commit, model, bounds,
# pairs, and the logarithm of the likelihood ratio. In braces the bounds were in Elo, in angle
# brackets they are in normalized Elo. Then, marked so, from app/tests/sprt_test.cpp of fastchess
# (commit 0cbac49).
RATIOS: list[tuple[str, Model, float, float, tuple[int, ...], str]] = [
    ("6ad4f485", "logistic", -0.20, 1.10, (406, 8728, 41933, 8848, 493), "2.94"),
    ("6ad4f485", "logistic", 0.20, 0.90, (23, 1079, 15473, 1255, 14), "2.94"),
    ("32d78176", "logistic", -1.00, 0.20, (577, 11681, 56451, 11586, 605), "2.94"),
    ("32d78176", "logistic", -0.70, 0.20, (87, 6272, 81610, 6175, 108), "2.98"),
    ("a7ab92ec", "logistic", 0.20, 0.90, (7, 9004, 61085, 9425, 7), "2.93"),
    ("b52f0147", "normalized", -1.75, 0.25, (1721, 77704, 208246, 77189, 1732), "3.19"),
    ("d077f9a8", "normalized", 0.00, 2.00, (20, 1334, 3810, 1569, 35), "2.95"),
    ("218c74ec", "normalized", 0.50, 2.50, (39, 11353, 31686, 11822, 33), "2.96"),
    ("fd3c762f", "normalized", -1.75, 0.25, (549, 26214, 72561, 26240, 532), "3.04"),
    ("f4bcd404", "normalized", 0.00, 2.00, (521, 17154, 37050, 17170, 489), "-2.94"),
    ("3c04b5c4", "normalized", -1.75, 0.25, (0, 0, 0, 2, 267), "2.19"),
    ("fastchess", "normalized", 0, 2, (36027, 68692, 36433), "0.92"),
    ("fastchess", "normalized", -1.75, 0.25, (10650, 20431, 10871), "2.30"),
    ("fastchess", "logistic", 0.5, 2.5, (21184, 40708, 21404), "-1.57"),
    ("fastchess", "logistic", 0, 2, (57030, 106593, 57433), "-2.59"),
    ("fastchess", "normalized", 0, 2, (365, 16618, 36029 + 200, 16974, 390), "2.25"),
    ("fastchess", "normalized", -1.75, 0.25, (127, 4883, 10311 + 401, 5150, 104), "3.01"),
    ("fastchess", "logistic", 0.5, 2.5, (223, 9863, 20279 + 1000, 10037, 246), "-3.07"),
    ("fastchess", "logistic", 0, 2, (871, 26175, 55003 + 980, 26678, 821), "-4.98"),
]


@pytest.mark.parametrize(("counts", "difference", "margin", "normal", "around", "los"), FASTCHESS)
def test_elo_equals_that_of_fastchess(
    counts: tuple[int, ...],
    difference: str | None,
    margin: str | None,
    normal: str,
    around: str,
    los: str | None,
) -> None:
    lower, upper = elo_interval(counts)
    assert difference in (None, f"{elo(score(counts)):.2f}")
    assert margin in (None, f"{(upper - lower) / 2:.2f}")
    found = normalized_elo(counts)
    assert found is not None
    assert tuple(f"{number:.2f}" for number in found) == (normal, around)
    superiority = likelihood_of_superiority(counts)
    assert superiority is not None
    assert los in (None, f"{100 * superiority:.2f}")


@pytest.mark.parametrize(
    ("wins", "losses", "draws", "margin"), [(859, 772, 1329, "9.28"), (1164, 1267, 3049, "6.12")]
)
def test_margins_equal_older_tests_of_fastchess(
    wins: int, losses: int, draws: int, margin: str
) -> None:
    lower, upper = elo_interval((losses, draws, wins))
    # That test tolerates a difference of 1 %.
    assert (upper - lower) / 2 == pytest.approx(float(margin), rel=0.01)


@pytest.mark.parametrize(("source", "model", "elo0", "elo1", "counts", "ratio"), RATIOS)
def test_likelihood_ratios_equal_the_published_ones(
    source: str, model: Model, elo0: float, elo1: float, counts: tuple[int, ...], ratio: str
) -> None:
    test = Sprt(elo0, elo1, model=model)
    assert f"{test.ratio(counts):.2f}" == ratio, source
    # With all five kinds of pairs present, the test from the other side is its mirror image.
    other = Sprt(-elo1, -elo0, model=model)
    assert other.ratio(counts[::-1]) == pytest.approx(-test.ratio(counts), rel=1e-4)


def test_sprt_stops_at_wald_s_bounds() -> None:
    assert [f"{bound:.2f}" for bound in Sprt(0, 5).bounds] == ["-2.94", "2.94"]
    test = Sprt(0, 50, alpha=0.01, beta=0.1)
    assert test.bounds == (log(0.1 / 0.99), log(0.9 / 0.01))
    verdicts = [test.passed([2, 5, 10, 6 + more, 3]) for more in range(0, 200, 5)]
    # More good pairs never make it fail, and finally it passes.
    assert verdicts == [None] * verdicts.count(None) + [True] * verdicts.count(True)
    assert verdicts.count(None)
    assert verdicts.count(True)
    assert test.passed([40, 60, 100, 40, 10]) is False


@pytest.mark.parametrize("model", MODELS)
def test_likelihood_ratio_uses_the_most_likely_distributions(model: Model) -> None:
    """No distribution of a hypothesis makes the results more likely than the one found.

    So the ratio falls as the tested hypothesis moves away from the best fit.
    """
    counts = (20, 45, 90, 60, 25)
    best = elo(score(counts))
    if model == "normalized":
        found = normalized_elo(counts)
        assert found is not None
        best = found[0]
    below = [Sprt(best - step, best, model=model).ratio(counts) for step in (1, 5, 20, 60, 90)]
    above = [-Sprt(best, best + step, model=model).ratio(counts) for step in (1, 5, 20, 60, 90)]
    for ratios in (below, above):
        assert ratios == sorted(ratios)
        assert ratios[0] > 0
    # Near the best fit it is half the squared distance in standard errors.
    interval = elo_interval(counts)
    error = (interval[1] - interval[0]) / 2 / 1.96
    if model == "normalized":
        assert found is not None
        error = found[1] / 1.96
    assert below[1] == pytest.approx((5 / error) ** 2 / 2, rel=0.05)


def test_counts_whose_first_step_ends_at_a_bound_pass() -> None:
    """The mean score here is twice the mean of the squares, so that Newton's step is 2."""
    assert Sprt(0, 10).ratio([1, 3, 13, 17, 19]) == pytest.approx(1.381893, abs=1e-6)


def test_likeliest_distributions_are_distributions_of_mean_0() -> None:
    rng, compared = random.Random(3), 0
    for _ in range(3_000):
        size, most = rng.choice((3, 5)), 10 ** rng.uniform(0, 5)
        counts = [int(rng.random() ** rng.choice((1, 6)) * most) or UNSEEN for _ in range(size)]
        parts = [count / sum(counts) for count in counts]
        for difference in (0, 10, -5, 300):
            values = [step / (size - 1) - expected_score(difference) for step in range(size)]
            likeliest = _likeliest(parts, values)
            mean = sum(part * value for part, value in zip(likeliest, values, strict=True))
            assert min(likeliest) > 0
            assert (sum(likeliest), mean) == pytest.approx((1, 0), abs=1e-6), (counts, difference)
            compared += 1
    assert compared == 12_000


def test_any_counts_and_bounds_give_a_ratio() -> None:
    rng = random.Random(5)
    extreme = [
        [number * (step == place) for step in range(size)]
        for size in (3, 5)
        for place in range(size)
        for number in (1, 10_000)
    ]
    mixed = [rng.choices((0, 0, 1, 3, 900), k=rng.choice((3, 5))) for _ in range(200)]
    for counts in extreme + mixed:
        for test in (
            Sprt(0, 5),
            Sprt(-400, 400),
            Sprt(0, 5, model="normalized"),
            Sprt(-MAX_NORMALIZED, MAX_NORMALIZED, model="normalized"),
        ):
            test.check()
            assert -inf < test.ratio(counts) < inf, (test, counts)


@pytest.mark.parametrize(
    ("test", "reason"),
    [
        (Sprt(5, 0), "elo0 is less than elo1; given are 5 and 0"),
        (Sprt(5, 5), "elo0 is less than elo1"),
        (Sprt(0, inf), "elo0 is less than elo1"),
        (Sprt(0, float("nan")), "elo0 is less than elo1"),
        (Sprt(0, 5, alpha=0), "alpha is between 0 and 0.5, not 0"),
        (Sprt(0, 5, beta=0.5), "beta is between 0 and 0.5, not 0.5"),
        (Sprt(0, 151, model="normalized"), "bounds in normalized Elo go from -150 to 150"),
        (Sprt(0, 5, model="bayesian"), "no model 'bayesian'; there are logistic and normalized"),  # type: ignore[arg-type]
    ],
)
def test_invalid_tests_are_refused(test: Sprt, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        test.check()


def test_results_that_say_little() -> None:
    assert elo_interval((0, 0, 0, 1, 0)) == (-inf, inf)
    assert elo_interval((0, 0, 0, 0, 9)) == (inf, inf)
    assert elo_interval((0, 0, 9, 0, 0)) == (0, 0)
    for counts in ((0, 0, 1, 0, 0), (0, 0, 9, 0, 0), (0, 0, 9)):
        assert likelihood_of_superiority(counts) is None
        assert normalized_elo(counts) is None
    assert Sprt(0, 5).ratio((0, 0, 9, 0, 0)) < 0 < Sprt(0, 5).ratio((0, 0, 9))
    assert standard_error((0, 1, 0)) == inf
    assert Sprt(0, 5).ratio((0, 0, 0)) == 0
    assert Sprt(0, 5).passed((0, 0, 0)) is None
    for function in (score, standard_error, elo_interval, likelihood_of_superiority):
        with pytest.raises(ValueError, match="no game has been played"):
            function((0, 0, 0))
    with pytest.raises(ValueError, match="no game has been played"):
        normalized_elo((0, 0, 0, 0, 0))


def test_elo_and_expected_score_are_inverse() -> None:
    for difference in (-800, -40.7, 0, 3, 1200):
        assert elo(expected_score(difference)) == pytest.approx(difference)
    # FIDE Handbook B.02, table 8.1.2: differences of 4 to 10 points expect .51, of 198 to 206 .76.
    assert [f"{expected_score(d):.2f}" for d in (7, 202)] == ["0.51", "0.76"]


def test_interval_contains_the_truth_as_often_as_it_claims() -> None:
    rng = random.Random(1)
    chances = (0.05, 0.2, 0.4, 0.25, 0.1)
    truth = elo(sum(chance * step / 4 for step, chance in enumerate(chances)))
    held, runs = 0, 1000
    for _ in range(runs):
        pairs = rng.choices((0, 0.25, 0.5, 0.75, 1), chances, k=100)
        lower, upper = elo_interval(pentanomial(pairs))
        held += lower <= truth <= upper
    # 95 %, within four standard deviations of a thousand draws.
    assert 0.92 < held / runs < 0.98
