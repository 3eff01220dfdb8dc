"""Tables of matches: points, faults, times, pairs, and the comparison of two bots."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence

import pytest

import noughts
from noughts.arena.standings import Meeting, Standings, standings
from noughts.games.record import Record
from noughts.views.standings import fault_lines

X_WINS, O_WINS, DRAWN = "5 1 3 4 7", "1 5 2 3 9 7", "5 1 3 7 4 6 2 8 9"


def played(
    x: str, o: str, moves: str = X_WINS, game: str = "basic", notes: Sequence[str] = (), **tags: str
) -> Record:
    """Return the record of a finished game of a match."""
    start = noughts.game(game)
    texts = {"X": x, "O": o, "XBot": f"engine:name={x}", "OBot": f"engine:name={o}"}
    record = Record.from_moves(start, noughts.parse_moves(start, moves), texts | tags)
    for node, note in zip(record.main_line(), notes, strict=False):
        node.comment = note
    return record


def test_points_are_counted_for_both_sides() -> None:
    games = [played("a", "b"), played("b", "a", O_WINS), played("a", "c", DRAWN), played("c", "b")]
    table = standings(games)
    rows = {
        tally.name: (tally.games, tally.wins, tally.draws, tally.losses, tally.points)
        for tally in table.ranking()
    }
    assert rows == {"a": (3, 2, 1, 0, 2.5), "c": (2, 1, 1, 0, 1.5), "b": (3, 0, 0, 3, 0)}
    assert list(rows) == ["a", "c", "b"], "a has 83 % of the points, c 75 %"
    assert table.games == 4
    assert table.bots["a"].text == "engine:name=a"
    meeting = table.meeting("b", "a")
    assert (meeting.wins, meeting.draws, meeting.losses, meeting.points) == (0, 0, 2, 0)
    assert meeting.turned() == table.meeting("a", "b")
    assert not any(table.meeting("a", "nobody").games)
    assert [(m.a, m.b) for m in table.meetings()] == [("a", "c"), ("a", "b"), ("c", "b")]


def test_pair_counts_when_both_games_are_over() -> None:
    table = Standings()
    table.add(played("a", "b", Event="e", Pair="1"))
    assert table.meeting("a", "b").pairs == (0,) * 5
    assert table.meeting("a", "b").counts == (0, 0, 1), "no pair is complete"
    table.add(played("a", "b", Event="e", Pair="2"))
    table.add(played("b", "a", DRAWN, Event="e", Pair="2"))
    assert table.meeting("a", "b").pairs == (0, 0, 0, 1, 0)
    assert table.meeting("b", "a").pairs == (0, 1, 0, 0, 0)
    # The same number in another match or game is another pair.
    table.add(played("b", "a", O_WINS, Event="f", Pair="1"))
    assert sum(table.meeting("a", "b").pairs) == 1
    table.add(played("b", "a", O_WINS, Event="e", Pair="1"))
    assert table.meeting("a", "b").pairs == (0, 0, 0, 1, 1)
    assert table.meeting("a", "b").counts == (0, 0, 0, 1, 1)


def test_games_of_a_pair_have_the_sides_swapped() -> None:
    table = standings(played("a", "b", Event="e", Pair="1") for _ in range(2))
    assert table.meeting("a", "b").pairs == (0,) * 5


def test_each_game_has_its_own_table() -> None:
    misere = played("a", "b", "a1 b2 a2 b1 c3 c2 a3", "mnk:3,3,3,misere")
    table = standings([played("a", "b"), misere, played("b", "a", DRAWN)])
    assert {rules: part.games for rules, part in table.by_rules.items()} == {
        "basic": 2,
        "mnk:3,3,3,misere": 1,
    }
    assert table.by_rules["basic"].bots["a"].points == 1.5
    assert table.games == 3


def test_fault_counts_for_the_loser() -> None:
    start = noughts.game("basic")
    tags = {"X": "a", "O": "b", "Fault": "O: it ended by signal 9"}
    lost = Record.from_moves(start, [4], tags, result="1-0", termination="crash")
    table = standings([lost, lost, played("a", "b", O_WINS)])
    assert table.bots["b"].faults == {"crash": 2}
    assert not table.bots["a"].faults
    given_up = Record.from_moves(start, [4], tags, result="1-0", termination="resignation")
    assert not standings([given_up]).bots["b"].faults


def test_times_belong_to_the_player_who_moved() -> None:
    notes = ["", "", "W 3, depth 4, 17 nodes, 0.5 s", "0.25 s", "0.1 s", "a comment"]
    table = standings([played("a", "b", notes=notes)])
    a, b = table.bots["a"], table.bots["b"]
    assert (a.moves, a.max_seconds, b.moves, b.max_seconds) == (2, 0.5, 1, 0.25)
    assert a.mean_seconds == pytest.approx(0.3)
    assert standings([played("a", "b")]).bots["a"].mean_seconds is None


def test_games_without_result_or_names() -> None:
    start = noughts.game("basic")
    table = standings([Record.from_moves(start, [4]), Record.from_moves(start, [4, 0, 2, 3, 6])])
    assert table.unfinished == 1
    assert table.games == 1
    assert table.bots["?"].points == 1, "a player against itself has half the points"
    assert table.meetings() == []


def test_table_is_one_json_object() -> None:
    assert standings([]).data() == {"games": 0, "unfinished": 0, "bots": [], "meetings": []}
    games = [played("a", "b", Event="e", Pair="1"), played("b", "a", O_WINS, Event="e", Pair="1")]
    data = json.loads(json.dumps(standings(games).data(), allow_nan=False))
    (meeting,) = data["meetings"]
    assert (meeting["a"], meeting["pairs"], meeting["elo"]) == ("a", [0, 0, 0, 0, 1], None)
    assert meeting["elo_interval"] == [None, None]
    assert data["bots"][0]["faults"] == {}
    assert data["by_rules"]["basic"]["games"] == 2


def test_difference_in_words() -> None:
    table = Standings()
    for number in range(12):
        table.add(played("a", "b", Event="e", Pair=str(number)))
        table.add(played("b", "a", DRAWN if number % 3 else X_WINS, Event="e", Pair=str(number)))
    meeting = table.meeting("a", "b")
    assert meeting.pairs == (0, 0, 4, 8, 0)
    # The pairs' mean is 2/3, their deviation √2/12: 0.0340 is the standard error of twelve.
    assert meeting.elo_text == "+120 ± 53"
    assert meeting.turned().elo_text == "-120 ± 53"
    assert meeting.superiority is not None
    assert meeting.superiority > 0.999


def test_last_words_of_a_bot_are_shown_once() -> None:
    message = "X: it ended; its last words: Oops\n  Traceback\n  Oops"
    tags = {"X": "a", "O": "b", "Fault": message}
    record = Record.from_moves(noughts.game("basic"), [], tags, result="0-1", termination="crash")
    (line,) = fault_lines([record])
    assert line.message == "it ended; its last words: Oops"


def test_x_against_o() -> None:
    """The counts equal those of the records, for all games, by rules and by bots."""
    rng = random.Random(3)
    games = []
    for number in range(240):
        pair = number // 2
        x, o = random.Random(pair).sample("abc", 2)
        if number % 2:
            x, o = o, x
        rules = "basic" if pair % 3 else "mnk:3,3,3"
        result = rng.choice(["1-0", "1-0", "1/2-1/2", "0-1", "*"])
        tags = {"X": x, "O": o, "Pair": str(pair)} if pair % 5 else {"X": x, "O": o}
        games.append(Record.from_moves(noughts.game(rules), [], tags))
        games[-1].result = result
    games.append(played("a", "a"))
    table = standings(games)

    def counted(wanted: list[Record]) -> tuple[int, ...]:
        return tuple(sum(r.result == each for r in wanted) for each in ("0-1", "1/2-1/2", "1-0"))

    assert table.sides().games == counted(games)
    for rules, part in table.by_rules.items():
        assert part.sides().games == counted([r for r in games if r.start.rules_id == rules])
    checked = 0
    for bots, sides in table.sides_by_bots().items():
        own = [r for r in games if sorted((r.tags["X"], r.tags["O"])) == list(bots)]
        assert sides.games == counted(own) == table.sides(*bots[::-1]).games
        points = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}
        pairs = [0] * 5
        by_pair: dict[str, list[str]] = {}
        for r in own:
            if "Pair" in r.tags and r.result != "*":
                by_pair.setdefault(r.tags["Pair"], []).append(r.result)
        for results in by_pair.values():
            if len(results) == 2:
                pairs[sum(points[each] for each in results)] += 1
                checked += 1
        assert list(sides.pairs) == pairs
    assert checked > 40
    assert ("a", "a") in table.sides_by_bots()
    assert table.sides().better == "X"


def test_side_is_better_only_beyond_the_interval() -> None:
    def better(*games: int) -> str | None:
        return Meeting("X", "O", games, (0,) * 5).better

    assert better(0, 0, 7) is None
    assert better(0, 0, 8) == "X"
    assert better(40, 0, 0) == "O"
    assert better(0, 500, 0) is None
    assert better(40, 0, 60) == "X"
    assert better(41, 0, 60) is None
