"""Statistics of results: Elo with its interval, likelihood of superiority, and the SPRT.

    scores of pairs ──pentanomial()──► counts ──► elo_interval · likelihood_of_superiority
    results of games ────────────────► counts ──► normalized_elo · Sprt.ratio ──► stop or continue

The two games of a pair share an opening and are not independent, so the pair is the unit of every
error bar: `counts` holds the numbers of units in which A took 0, ¼, ½, ¾ and all of the points. For
single games it holds losses, draws and wins. All functions take such counts alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, inf, log, log10, sqrt
from typing import Literal, NamedTuple

Counts = Sequence[int]
"""Numbers of units by A's part of the points, in equal steps from 0 to 1."""
Model = Literal["logistic", "normalized"]
"""The unit of a test's bounds, see `Sprt`."""
MODELS: tuple[Model, ...] = ("logistic", "normalized")

Z = 1.96
"""Half the width of an interval of 95 %, in standard errors of a normal distribution."""
ELO_OF_SPREAD = 800 / log(10)
"""Normalized Elo per standard deviation of a game; equals Elo near an even score without draws."""
MAX_NORMALIZED = 150.0
"""The widest bound of a test in normalized Elo."""


def pentanomial(scores: Sequence[float]) -> list[int]:
    """Count pairs by their mean score of A, 0 to 1 in quarters.

    >>> pentanomial([0, 0.5, 0.5, 0.75, 1])
    [1, 0, 2, 1, 1]
    """
    return [scores.count(quarters / 4) for quarters in range(5)]


def score(counts: Counts) -> float:
    """Return the mean score of A, 0 to 1.

    >>> score([96, 111, 136])
    0.5583090379008746

    Raises:
        ValueError: `counts` has no units.
    """
    if not any(counts):
        raise ValueError("no game has been played")
    return sum(v * count for v, count in zip(_values(counts), counts, strict=True)) / sum(counts)


def standard_error(counts: Counts) -> float:
    """Return the standard error of the mean score; infinite for less than two units.

    Computed as match programs do, from the mean square over all units.

    >>> standard_error([1, 2, 1])
    0.1767766952966369

    Raises:
        ValueError: `counts` has no units.
    """
    squares, units = _squares(counts), sum(counts)
    return sqrt(squares) / units if units > 1 else inf


def score_margin(counts: Counts) -> float:
    """Return half the 95 % interval of the mean score.

    Where all units ended alike their spread is unknown, and the bound that holds for any spread is
    returned (W. Hoeffding, Probability inequalities for sums of bounded random variables, 1963).

    >>> round(score_margin([10, 0, 10]), 3), round(score_margin([0, 0, 20]), 3)
    (0.219, 0.304)

    Raises:
        ValueError: `counts` has no units.
    """
    if not any(counts):
        raise ValueError("no game has been played")
    if max(counts) == sum(counts):
        return min(1, sqrt(log(2 / 0.05) / (2 * sum(counts))))
    return Z * standard_error(counts)


def elo(score: float) -> float:
    """Return the difference in Elo at which A's expected score is `score`, 0 to 1.

    The expected score of the logistic curve, 1 / (1 + 10^(-difference / 400)), solved for the
    difference (A. Elo, The Rating of Chessplayers, 1978).

    >>> round(elo((136 + 111 / 2) / (136 + 96 + 111)), 2)
    40.7
    >>> elo(0.5), elo(1), elo(0)
    (0.0, inf, -inf)
    """
    if score in (0, 1):
        return inf if score else -inf
    return 0.0 - 400 * log10(1 / score - 1)


def expected_score(difference: float) -> float:
    """Return A's expected score, 0 to 1, for a difference in Elo: the inverse of `elo`.

    >>> expected_score(0), round(expected_score(400), 4)
    (0.5, 0.9091)
    """
    return 1 / (1 + exp(-difference * log(10) / 400))


def elo_interval(counts: Counts) -> tuple[float, float]:
    """Return the bounds of the 95 % interval; a bound beyond every possible score is infinite.

    Match programs print half the distance of the bounds after ±.

    >>> lower, upper = elo_interval([96, 111, 136])
    >>> round((upper - lower) / 2, 2)
    30.43
    >>> elo_interval([0, 0, 0, 1, 0])
    (-inf, inf)

    Raises:
        ValueError: `counts` has no units.
    """
    middle, margin = score(counts), Z * standard_error(counts)
    return elo(max(0, middle - margin)), elo(min(1, middle + margin))


def likelihood_of_superiority(counts: Counts) -> float | None:
    """Return the probability that A is better, 0 to 1; `None` if it is undefined.

    The part above ½ of the normal distribution of the mean score. It is undefined if all units
    ended alike, because the variance is then unknown.

    >>> round(likelihood_of_superiority([96, 111, 136]), 4)
    0.996
    >>> likelihood_of_superiority([0, 0, 9, 0, 0])

    Raises:
        ValueError: `counts` has no units.
    """
    middle, error = score(counts), standard_error(counts)
    if error in (0, inf):
        return None
    return erfc((0.5 - middle) / error / sqrt(2)) / 2


def normalized_elo(counts: Counts) -> tuple[float, float] | None:
    """Return the difference in normalized Elo and half its 95 % interval.

    The distance of the mean score from ½ in standard deviations of a game, times `ELO_OF_SPREAD`:
    it determines the number of games needed to tell A from B at any rate of draws (M. Van den
    Bergh, Normalized Elo, 2020). `None` if the results have no spread.

    >>> difference, margin = normalized_elo([75, 64, 63, 54, 34][::-1])
    >>> round(difference, 2), round(margin, 2)
    (57.94, 28.28)

    Raises:
        ValueError: `counts` has no units.
    """
    squares, units, games = _squares(counts), sum(counts), _games_of_unit(counts)
    if not squares:
        return None
    of_a_game = sqrt(squares / units * games)
    return ELO_OF_SPREAD * (score(counts) - 0.5) / of_a_game, Z * ELO_OF_SPREAD / sqrt(
        units * games
    )


class Sprt(NamedTuple):
    """A sequential probability ratio test of whether A is better by `elo1` or only by `elo0`.

    After every unit the match stops if `ratio`, the logarithm of the generalised likelihood ratio,
    has left `bounds`: at the upper bound A passes, at the lower one it fails. The bounds are
    Wald's (Sequential Analysis, 1947). The likelihoods are those of the likeliest distributions of
    the units under either hypothesis (M. Van den Bergh, A practical introduction to the GSPRT, and
    The GSPRT for multinomial distributions), which is what fishtest, fastchess and cutechess do.

    Args:
        elo0: difference under the null hypothesis, less than `elo1`.
        elo1: difference under the alternative.
        alpha: probability that a difference of `elo0` passes.
        beta: probability that a difference of `elo1` fails.
        model: unit of both: `logistic` for Elo, `normalized` for normalized Elo, with which the
            length of a test does not depend on the rate of draws.

    >>> test = Sprt(-0.2, 1.1)
    >>> lower, upper = test.bounds
    >>> round(lower, 2), round(upper, 2)
    (-2.94, 2.94)
    >>> counts = [406, 8728, 41933, 8848, 493]
    >>> round(test.ratio(counts), 2), test.passed(counts)
    (2.94, None)
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "logistic"

    def check(self) -> None:
        """Check the arguments.

        Raises:
            ValueError: they define no test; the message says why.
        """
        if self.model not in MODELS:
            raise ValueError(f"no model {self.model!r}; there are {' and '.join(MODELS)}")
        if not -inf < self.elo0 < self.elo1 < inf:
            raise ValueError(f"elo0 is less than elo1; given are {self.elo0:g} and {self.elo1:g}")
        for name, error in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < error < 0.5:
                raise ValueError(f"{name} is between 0 and 0.5, not {error:g}")
        if self.model == "normalized" and max(-self.elo0, self.elo1) > MAX_NORMALIZED:
            most = f"from -{MAX_NORMALIZED:g} to {MAX_NORMALIZED:g}"
            raise ValueError(f"bounds in normalized Elo go {most}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The stopping bounds log(beta / (1 - alpha)) and log((1 - beta) / alpha)."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Counts) -> float:
        """Return the logarithm of the likelihood ratio, 0 before the first unit."""
        if not any(counts):
            return 0.0
        # A result not seen yet is not impossible.
        smoothed = [count or UNSEEN for count in counts]
        parts = [count / sum(smoothed) for count in smoothed]
        values = _values(counts)
        under0, under1 = (self._likeliest(parts, values, elo) for elo in (self.elo0, self.elo1))
        return sum(
            count * log(likely / unlikely)
            for count, likely, unlikely in zip(smoothed, under1, under0, strict=True)
        )

    def passed(self, counts: Counts) -> bool | None:
        """Return whether A passes; `None` while the test is undecided."""
        ratio, (lower, upper) = self.ratio(counts), self.bounds
        return True if ratio >= upper else False if ratio <= lower else None

    def _likeliest(
        self, parts: Sequence[float], values: Sequence[float], elo: float
    ) -> list[float]:
        """Return the distribution that makes `parts` likeliest if A is better by `elo`."""
        if self.model == "logistic":
            return _likeliest(parts, [value - expected_score(elo) for value in values])
        return _likeliest_at(parts, values, elo / ELO_OF_SPREAD * sqrt(_games_of_unit(values)))


UNSEEN = 1e-3
"""Count used for a result that no unit has had yet."""
MEAN_ERROR = 1e-13
"""Distance from its mean at which a likeliest distribution is found."""
ROUNDS = 40
"""Steps within which `_likeliest_at` converges, for all bounds up to `MAX_NORMALIZED`."""


def _values(counts: Counts) -> list[float]:
    """Return A's part of the points for each entry of `counts`."""
    return [step / (len(counts) - 1) for step in range(len(counts))]


def _games_of_unit(counts: Sequence[float]) -> int:
    """Return the games in a unit: 1 with three results, 2 with five."""
    return (len(counts) - 1) // 2


def _squares(counts: Counts) -> float:
    """Return the sum of the squared distances from the mean score."""
    mean = score(counts)
    return sum(n * (value - mean) ** 2 for value, n in zip(_values(counts), counts, strict=True))


def _likeliest(parts: Sequence[float], values: Sequence[float]) -> list[float]:
    """Return the distribution of mean 0 that makes the observed `parts` likeliest.

    It is p / (1 + x v) for each part p with value v, x being such that the mean is 0 (M. Van den
    Bergh, The GSPRT for multinomial distributions, proposition 1.1; in general A. Owen, Empirical
    likelihood ratio confidence intervals, 1988). The mean falls with x, which Newton's steps find
    within bounds that they narrow. At the first bounds the mean is infinite: next to them a step is
    tiny, but far from the end.
    """
    lower, upper, x = -1 / max(values), -1 / min(values), 0.0
    pairs = list(zip(parts, values, strict=True))
    for _ in range(200):
        mean = slope = 0.0
        for part, value in pairs:
            term = value / (1 + x * value)
            mean += part * term
            slope += part * term * term
        if mean > 0:
            lower = x
        else:
            upper = x
        step = x + mean / slope
        if not lower < step < upper:
            step = (lower + upper) / 2
        if abs(mean) < MEAN_ERROR or step == x:
            break
        x = step
    return [part / (1 + x * value) for part, value in pairs]


def _likeliest_at(parts: Sequence[float], values: Sequence[float], distance: float) -> list[float]:
    """Return the likeliest distribution with a mean `distance` standard deviations above ½.

    At the maximum, the derivative of mean - distance · deviation by each part takes the place of a
    value in `_likeliest`. It depends on the distribution, so the computation is repeated until it
    converges (M. Van den Bergh, Normalized Elo in practice, section 4.1).
    """
    likeliest = [1 / len(parts)] * len(parts)
    for _ in range(ROUNDS):
        mean = sum(part * value for part, value in zip(likeliest, values, strict=True))
        squares = [(value - mean) ** 2 for value in values]
        deviation = sqrt(sum(part * sq for part, sq in zip(likeliest, squares, strict=True)))
        slopes = [
            value - 0.5 - distance * (deviation + square / deviation) / 2
            for value, square in zip(values, squares, strict=True)
        ]
        before, likeliest = likeliest, _likeliest(parts, slopes)
        if max(abs(new - old) for new, old in zip(likeliest, before, strict=True)) < 1e-9:
            break
    return likeliest
