"""Ratings: published examples, known strengths, and results that say little."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import combinations
from math import exp

import pytest

from noughts.arena.rating import ELO, MIDDLE, Rating, rate
from noughts.arena.standings import Meeting
from noughts.arena.statistics import elo, expected_score

NO_PAIRS = (0,) * 5

# Citations between journals of statistics, where the cited journal wins: A. Agresti, Categorical
# Data Analysis, 2nd edition, page 448, after S. Stigler, 1994. The abilities relative to Biometrika
# are printed by H. Turner and D. Firth in Bradley-Terry Models in R: The BradleyTerry2
# Package (Journal of Statistical Software 48(9), 2012, section 1.2).
CITATIONS = [
    ("Biometrika", "Comm Statist", 730, 33),
    ("Biometrika", "JASA", 498, 320),
    ("Biometrika", "JRSS-B", 221, 284),
    ("Comm Statist", "JASA", 68, 813),
    ("Comm Statist", "JRSS-B", 17, 276),
    ("JASA", "JRSS-B", 142, 325),
]
ABILITIES = {"Biometrika": 0, "Comm Statist": -2.9491, "JASA": -0.4796, "JRSS-B": 0.2690}

# Baseball, American League, Eastern Division, 1987: Agresti, tables 10.10 and 10.11. The abilities
# are relative to Baltimore; their standard errors are about 0.3.
BASEBALL = [
    ("Milwaukee", "Detroit", 7, 6),
    ("Milwaukee", "Toronto", 9, 4),
    ("Milwaukee", "New York", 7, 6),
    ("Milwaukee", "Boston", 7, 6),
    ("Milwaukee", "Cleveland", 9, 4),
    ("Milwaukee", "Baltimore", 11, 2),
    ("Detroit", "Toronto", 7, 6),
    ("Detroit", "New York", 5, 8),
    ("Detroit", "Boston", 11, 2),
    ("Detroit", "Cleveland", 9, 4),
    ("Detroit", "Baltimore", 9, 4),
    ("Toronto", "New York", 7, 6),
    ("Toronto", "Boston", 7, 6),
    ("Toronto", "Cleveland", 8, 5),
    ("Toronto", "Baltimore", 12, 1),
    ("New York", "Boston", 6, 7),
    ("New York", "Cleveland", 7, 6),
    ("New York", "Baltimore", 10, 3),
    ("Boston", "Cleveland", 7, 6),
    ("Boston", "Baltimore", 12, 1),
    ("Cleveland", "Baltimore", 6, 7),
]
TEAMS = {
    "Milwaukee": "1.58",
    "Detroit": "1.44",
    "Toronto": "1.29",
    "New York": "1.25",
    "Boston": "1.11",
    "Cleveland": "0.68",
    "Baltimore": "0.00",
}


def met(a: str, b: str, wins: int, losses: int, draws: int = 0) -> Meeting:
    return Meeting(a, b, (losses, draws, wins), NO_PAIRS)


def by_name(ratings: Sequence[Rating]) -> dict[str, Rating]:
    return {rating.name: rating for rating in ratings}


def test_journals_of_statistics() -> None:
    ratings = by_name(rate([met(*row) for row in CITATIONS], ("Biometrika", 0)))
    assert {name: round(rating.elo / ELO, 4) for name, rating in ratings.items()} == ABILITIES
    assert ratings["JASA"].points == 320 + 813 + 142
    assert ratings["JASA"].games == 818 + 881 + 467


def test_baseball_teams() -> None:
    ratings = rate([met(*row) for row in BASEBALL], ("Baltimore", 0))
    assert {rating.name: f"{rating.elo / ELO:.2f}" for rating in ratings} == TEAMS
    assert [rating.name for rating in ratings] == list(TEAMS)
    for rating in ratings[:-1]:
        assert rating.margin is not None
        assert f"{rating.margin / ELO / 1.96:.1f}" == "0.3"
    assert ratings[-1].margin == 0


def test_rating_difference_of_two_players_matches_their_score() -> None:
    meeting = met("a", "b", 136, 96, 111)
    a, b = rate([meeting])
    assert f"{a.elo - b.elo:+.2f}" == "+40.70"
    assert a.elo + b.elo == pytest.approx(2 * MIDDLE)
    _, b = rate([meeting], ("a", 2000))
    assert b.elo == pytest.approx(2000 - elo(191.5 / 343))
    # The margin relative to the other player is what match programs print, 30.43, plus one unit.
    assert b.margin == pytest.approx(30.43, rel=0.005)
    assert rate([meeting.turned()], ("a", 2000))[1] == pytest.approx(b)


Chances = Callable[[int, int], float]


def play(
    rng: random.Random,
    strengths: Sequence[float],
    pairs: int,
    *,
    draws: Chances = lambda _a, _b: 0.3,
    bias: float = 0.0,
    meet: Callable[[int, int], bool] = lambda _a, _b: True,
) -> list[Meeting]:
    """Return meetings of players with these strengths, in natural logarithms of the odds.

    `draws` is the share of draws between equal players, and `bias` the standard deviation of X's
    advantage from the openings.
    """
    meetings = []
    for a, b in combinations(range(len(strengths)), 2):
        if not meet(a, b):
            continue
        games, counts = [0] * 3, [0] * 5
        for _ in range(pairs):
            halves, opening = 0, rng.gauss(0, bias)
            for side in (1, -1):
                expected = 1 / (1 + exp(strengths[b] - strengths[a] - side * opening))
                drawn = 2 * draws(a, b) * min(expected, 1 - expected)
                chance = rng.random()
                half = 2 if chance < expected - drawn / 2 else int(chance < expected + drawn / 2)
                games[half] += 1
                halves += half
            counts[halves] += 1
        meetings.append(Meeting(str(a), str(b), tuple(games), tuple(counts)))
    return meetings


def coverage(strengths: Sequence[float], meetings: Sequence[list[Meeting]], **how: str) -> float:
    """Return how often the margins contain the strengths, relative to the mean or the `anchor`."""
    anchor = how.get("anchor")
    against = sum(strengths) / len(strengths) if anchor is None else strengths[int(anchor)]
    held = []
    for each in meetings:
        for rating in rate(each, None if anchor is None else (anchor, MIDDLE)):
            if rating.name != anchor:
                assert rating.margin is not None
                truth = MIDDLE + ELO * (strengths[int(rating.name)] - against)
                held.append(abs(rating.elo - truth) <= rating.margin)
    return sum(held) / len(held)


def seldom_even(a: int, b: int) -> float:
    """Weak players never draw, strong players nearly always."""
    return 0.9 if min(a, b) >= 2 else 0.0


@pytest.mark.parametrize(
    ("strengths", "pairs", "how", "anchor"),
    [
        ((0, 0.5, 1, 1.5), 20, {}, None),
        ((0, 0.5, 1, 1.5), 20, {"draws": seldom_even}, None),
        ((0, 0.5, 1, 1.5), 20, {"draws": seldom_even}, "3"),
        ((0, 0.8, 1.6, 2.4), 30, {"meet": lambda a, b: b == a + 1}, None),
        ((0, 0.0), 30, {"bias": 2.0}, None),
    ],
    ids=["all play all", "draws at the top", "against the best", "a ladder", "unfair openings"],
)
def test_margins_contain_the_truth_as_often_as_they_claim(
    strengths: Sequence[float], pairs: int, how: dict[str, Chances], anchor: str | None
) -> None:
    rng = random.Random(7)
    meetings = [play(rng, strengths, pairs, **how) for _ in range(250)]  # type: ignore[arg-type]
    chosen = {} if anchor is None else {"anchor": anchor}
    # 95 %; ratings of a tournament depend on each other, so 250 of them are about 400 draws.
    assert 0.91 < coverage(strengths, meetings, **chosen) < 0.98


def test_pairs_narrow_the_margins_where_openings_are_unfair() -> None:
    (meeting,) = play(random.Random(1), (0, 0), 200, bias=3.0)
    alone = meeting._replace(pairs=NO_PAIRS)
    paired, single = (rate([each])[0].margin for each in (meeting, alone))
    assert paired is not None
    assert single is not None
    assert paired < 0.8 * single


def test_known_strengths_are_recovered() -> None:
    strengths = [0.4 * n for n in range(8)]
    ratings = by_name(rate(play(random.Random(2), strengths, 2000)))
    for n, strength in enumerate(strengths):
        assert ratings[str(n)].elo == pytest.approx(MIDDLE + ELO * (strength - 1.4), abs=12)


def test_ratings_maximize_the_likelihood() -> None:
    """Each player's points equal the expected points: the equation of the maximum."""
    meetings = play(random.Random(3), (0, 1, 2, 5, 5), 40)
    ratings = by_name(rate(meetings))
    for name, rating in ratings.items():
        expected = 0.0
        for meeting in meetings:
            for side in (meeting, meeting.turned()):
                if side.a == name:
                    difference = rating.elo - ratings[side.b].elo
                    expected += sum(side.games) * expected_score(difference)
        assert expected == pytest.approx(rating.points, abs=1e-6)


# Results that say little


def test_players_who_never_met_are_in_groups() -> None:
    ratings = rate([met("a", "b", 3, 1), met("c", "d", 1, 2), met("d", "e", 2, 1)])
    assert [(rating.name, rating.group) for rating in ratings] == [
        *(("d", 0), ("c", 0), ("e", 0)),
        *(("a", 1), ("b", 1)),
    ]
    for group in (0, 1):
        mean = [rating.elo for rating in ratings if rating.group == group]
        assert sum(mean) / len(mean) == pytest.approx(MIDDLE)
    anchored = by_name(rate([met("a", "b", 3, 1), met("c", "d", 1, 2)], ("b", 1000)))
    assert anchored["b"].elo == 1000
    assert anchored["c"].elo + anchored["d"].elo == pytest.approx(2 * MIDDLE)


def test_all_wins_or_all_losses_give_a_bound_and_no_margin() -> None:
    among = [met("b", "c", 12, 8), met("c", "d", 11, 9), met("b", "d", 13, 7)]
    whole = [met("a", name, 20, 0) for name in "bcd"] + [met(n, "e", 20, 0) for n in "abcd"]
    ratings = rate(among + whole)
    assert "".join(rating.name + rating.bound for rating in ratings) == "a>bcde<"
    assert [rating.margin is None for rating in ratings] == [True, False, False, False, True]
    # The others are rated as if those two were absent.
    middle = by_name(rate(among))
    for rating in ratings[1:-1]:
        assert (rating.elo, rating.margin) == pytest.approx(middle[rating.name][1:3])
    # More lost games lower the bound, and a single point gives a margin.
    more = rate(among + [met(n, "e", 60, 0) for n in "bcd"])
    assert more[-1].elo < ratings[-1].elo
    assert not rate([*among, met("b", "e", 19, 1)])[-1].bound


def test_one_won_game_counts_as_one_and_a_half_of_two() -> None:
    winner, loser = rate([met("a", "b", 1, 0)])
    # Half a win and half a loss are added, as by Haldane and Anscombe: odds of 3 to 1.
    assert abs(winner.elo - loser.elo) == pytest.approx(elo(0.75))
    assert (winner.bound, loser.bound) == ("", "<")


def test_levels_are_as_far_apart_as_the_players_who_met() -> None:
    """Only the best of one level met the best of the other."""
    ratings = by_name(rate([met("a", "b", 8, 2), met("c", "d", 7, 3), met("a", "c", 1, 0)]))
    assert ratings["a"].elo - ratings["c"].elo == pytest.approx(elo(0.75))


def test_players_who_only_beat_the_same_loser_are_unbounded() -> None:
    ratings = by_name(rate([met("a", "c", 9, 0), met("b", "c", 9, 0), met("a", "d", 5, 5)]))
    assert (ratings["a"].bound, ratings["b"].bound, ratings["c"].bound) == ("", "~", "<")


def test_only_draws_have_no_margin() -> None:
    ratings = rate([met("a", "b", 0, 0, 50), met("b", "c", 0, 0, 2)])
    assert [(rating.elo, rating.margin) for rating in ratings] == [(MIDDLE, None)] * 3


def test_empty_results_and_an_anchor_without_games() -> None:
    assert rate([]) == []
    assert rate([met("a", "b", 0, 0)]) == []
    with pytest.raises(ValueError, match="no games of z to rate it by; there are of a, b"):
        rate([met("a", "b", 1, 0)], ("z", 1500))
    with pytest.raises(ValueError, match="there are of nobody"):
        rate([], ("z", 1500))


def test_distant_and_many_players() -> None:
    ladder = rate([met(f"{n:02}", f"{n + 1:02}", 99, 1) for n in range(60)])
    assert ladder[0].elo - ladder[-1].elo == pytest.approx(60 * elo(0.99))
    strengths = [n / 10 for n in range(40)]
    ratings = by_name(rate(play(random.Random(4), strengths, 10)))
    assert ratings["39"].elo - ratings["0"].elo == pytest.approx(ELO * 3.9, abs=100)
