"""The prover of nine boards: its verdicts, its lemmas, its budgets."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from naive_nine_boards import (
    SYMMETRIES,
    Place,
    constructed,
    image_of,
    played,
    played_safely,
    start,
    value,
)

from noughts import _core, nets
from noughts.engine import Engine
from noughts.search import Limit

BOTH = pytest.mark.parametrize("full_draw", [False, True], ids=["free", "draw"])
MANY = 10**9


def late_positions(full_draw: bool, count: int, seed: int) -> Iterator[Place]:
    """Yield positions that the naive solver can solve, few of them won at once."""
    rng = random.Random(seed)
    while count:
        kind = count % 4
        if kind == 0:
            place = played(rng, full_draw, rng.randrange(48, 55))
        elif kind == 1:
            place = constructed(rng, full_draw, 6, rng.choice(SYMMETRIES[1:]))
        else:
            place = constructed(rng, full_draw, rng.randrange(4, 13))
        if not place.can_win() or rng.random() < 0.02:
            count -= 1
            yield place


def rules_of(place: Place) -> str:
    return str(place).partition("~")[0]


def net_of(rules: str) -> nets.Net:
    """Return the installed net of rules that have one."""
    net = nets.net_of(rules)
    assert net is not None
    return net


def verdict_of(place: Place, attacker: int, expansions: int = MANY) -> str:
    return _core.prove(str(place), attacker, expansions)[0].name


def wins(worth: int, place: Place, attacker: int) -> bool:
    """Whether the attacker wins a position of a worth for the side to move."""
    return worth == (1 if place.ply % 2 == attacker else -1)


@BOTH
@pytest.mark.parametrize(
    "count", [100, pytest.param(10_000, marks=pytest.mark.soak)], ids=["some", "many"]
)
def test_late_positions_have_the_values_of_the_rules(full_draw: bool, count: int) -> None:
    """Both attackers, with full boards, free choices and draws; the move of a win wins."""
    seen: Counter[object] = Counter()
    for place in late_positions(full_draw, count, seed=count):
        known: dict[Place, int] = {}
        worth = value(place, known)
        for attacker in (0, 1):
            found, expansions, move = _core.prove(str(place), attacker, MANY)
            won = wins(worth, place, attacker)
            assert found.name == ("won" if won else "lost"), (str(place), attacker)
            seen[attacker, found.name] += 1
            if won and place.ply % 2 == attacker and expansions:
                after = place.play(move)
                assert not after.is_drawn()
                assert value(after, known) == -1, str(place)
                seen["moves"] += 1
            # A draw is a failure of both attackers.
            seen["drawn", attacker] += worth == 0 and found.name == "lost"
        seen["worth", worth] += 1
        seen["full"] += any(place.is_full(board) for board in range(9))
        seen["free"] += place.is_free()
        seen["searched"] += len(known) > 20
    cases = [(attacker, name) for attacker in (0, 1) for name in ("won", "lost")]
    needed = [*cases, "moves", *(("worth", worth) for worth in (-1, 0, 1)), "full", "searched"]
    needed += [("drawn", 0), ("drawn", 1)]
    # With `full=draw` a full target ends the game.
    assert all(seen[case] >= 3 for case in needed + ["free"] * (not full_draw)), seen
    assert seen["free"] == 0 or not full_draw
    assert sum(seen["worth", worth] for worth in (-1, 0, 1)) == count


@BOTH
@pytest.mark.parametrize(
    "count", [48, pytest.param(13_000, marks=pytest.mark.soak)], ids=["some", "many"]
)
def test_agrees_with_the_solver_of_the_engine(full_draw: bool, count: int) -> None:
    """Plies 18 to 40; the soak compares more than 20,000 positions of both options together."""
    rng = random.Random(count)
    engine = Engine("advanced:full=draw" if full_draw else "advanced", table_mib=16)
    compared: Counter[object] = Counter()
    for number in range(count):
        ply = 18 + number % 6 if number % 8 == 0 else 22 + number % 19
        place = played_safely(rng, full_draw, ply)
        # With a limit of depth another search answers (core/dfpn.hpp); few wins need the last ply.
        # It takes minutes for some positions of early plies.
        solved = engine.solve(str(place), Limit(nodes=100_000, depth=80 - place.ply))
        if not solved.value.is_exact:
            compared["left", place.ply] += 1
            continue
        worth = solved.value.is_win - solved.value.is_loss
        for attacker in (0, 1):
            name = "won" if wins(worth, place, attacker) else "lost"
            assert verdict_of(place, attacker) == name, (str(place), attacker)
        compared[place.ply] += 1
        compared["worth", worth] += 1
    positions = sum(compared[ply] for ply in range(18, 41))
    assert positions >= 0.8 * count, compared
    assert all(compared[ply] for ply in range(22, 41)), compared
    assert sum(compared[ply] for ply in range(18, 22)) >= max(1, count // 160), compared
    assert compared["worth", 1] > 10 < compared["worth", -1], compared


@BOTH
def test_agrees_with_alpha_beta_to_the_end(full_draw: bool) -> None:
    rng = random.Random(5)
    engine = Engine("advanced:full=draw" if full_draw else "advanced", table_mib=16)
    compared: Counter[int] = Counter()
    for number in range(36):
        make = played_safely if number % 2 else played
        place = make(rng, full_draw, rng.randrange(38, 49))
        found = engine.best_move(str(place), Limit(depth=81, nodes=200_000), method="alphabeta")
        if not found.value.is_exact:
            continue
        worth = found.value.is_win - found.value.is_loss
        for attacker in (0, 1):
            name = "won" if wins(worth, place, attacker) else "lost"
            assert verdict_of(place, attacker) == name, (str(place), attacker)
        compared[worth] += 1
    assert sum(compared.values()) >= 30
    assert compared[1] > 6 < compared[-1], compared


# Lemmas


@BOTH
def test_moves_left_out_lose_at_once(full_draw: bool) -> None:
    """`replies_to_answer` leaves out moves after which the other side can complete a line, and
    images of earlier moves; a side without a safe move has lost."""
    rng = random.Random(6)
    seen: Counter[str] = Counter()
    # Before the sides have lines to complete, random moves lead to few unsafe ones.
    for number in range(200):
        place = played(rng, full_draw, rng.randrange(8, 60))
        if number % 4 == 0:
            place = constructed(rng, full_draw, 12)
        if place.can_win():
            with pytest.raises(ValueError, match="no position to prove"):
                _core.replies_to_answer(str(place))
            seen["won"] += 1
            continue
        safe = set(place.safe_moves())
        answered = _core.replies_to_answer(str(place))
        assert answered == sorted(set(answered))
        assert set(answered) <= safe
        kept = [s for s in SYMMETRIES[1:] if place.is_kept_by(s)]
        for move in safe - set(answered):
            assert any(image_of(move, symmetry) < move for symmetry in kept), str(place)
            seen["image"] += 1
        for move in set(place.moves()) - safe:
            after = place.play(move)
            assert after.can_win()
            assert not after.is_drawn()
            seen["unsafe"] += 1
        seen["answered"] += len(answered)
        if not safe and place.ply >= 18:
            for attacker in (0, 1):
                found, expansions, move = _core.prove(str(place), attacker, MANY)
                assert found.name == ("lost" if place.ply % 2 == attacker else "won")
                assert (expansions, move) == (0, -1)
            seen["no safe move"] += 1
    assert all(seen[case] >= 5 for case in ("won", "unsafe", "answered", "no safe move")), seen


@BOTH
@pytest.mark.parametrize(
    "symmetry",
    [
        # One of each kind: a mirror, a diagonal, a quarter turn and a half turn.
        *(SYMMETRIES[at] for at in (1, 3, 2, 4)),
        *(pytest.param(SYMMETRIES[at], marks=pytest.mark.soak) for at in (5, 6, 7)),
    ],
)
def test_replies_left_out_for_symmetry_have_the_same_value(
    full_draw: bool, symmetry: tuple[int, ...]
) -> None:
    """Each is the image of an answered reply under a symmetry that keeps the position."""
    rng = random.Random(7)
    left_out = solved = 0
    for number in range(4000):
        place = constructed(rng, full_draw, rng.choice((6, 16, 30)), symmetry)
        if place.can_win():
            continue
        kept = [s for s in SYMMETRIES if place.is_kept_by(s)]
        assert symmetry in kept
        answered = _core.replies_to_answer(str(place))
        for move in set(place.safe_moves()) - set(answered):
            (first,) = {image_of(move, s) for s in kept} & set(answered)
            symmetry_of = next(s for s in kept if image_of(move, s) == first)
            one, other = place.play(move), place.play(first)
            assert one.image(symmetry_of) == other
            left_out += 1
            if not one.is_drawn() and place.ply >= 66 and number % 3 == 0:
                assert value(one) == value(other)
                solved += 1
        if left_out >= 15 and solved >= 3:
            break
    assert left_out >= 15
    assert solved >= 3


def test_symmetric_openings() -> None:
    """The replies that remain at the start and after moves to the middle."""
    place = start(False)
    assert len(_core.replies_to_answer(str(place))) == 15
    middle = place.play(40)
    # 55 names the middle board: its corner 51 and edge 52 are left.
    assert _core.replies_to_answer(str(middle)) == [36, 37]
    # 51 names board 1; only the mirror at one diagonal keeps the position.
    assert _core.replies_to_answer(str(middle.play(36))) == [0, 1, 2, 4, 5, 8]


@BOTH
def test_other_searches_change_no_result(full_draw: bool) -> None:
    rng = random.Random(8)
    places = [played_safely(rng, full_draw, ply) for ply in (22, 24, 26, 28, 30, 32)]
    calls = [(str(place), attacker, 20_000) for place in places for attacker in (0, 1)]
    first = [_core.prove(*call) for call in calls]
    assert sum(expansions for _, expansions, _ in first) > 1_000
    assert [_core.prove(*call) for call in reversed(calls)] == first[::-1]


@BOTH
def test_strategies_are_the_same_each_time_and_complete(full_draw: bool) -> None:
    """Codes of a strategy are read whole; each missing or spare code is noticed."""
    rng = random.Random(9)
    rules = "advanced:full=draw" if full_draw else "advanced"
    net = net_of(rules).core
    seen: Counter[object] = Counter()
    for _ in range(12):
        place = played_safely(rng, full_draw, 20)
        call = (str(place), net, 24, 100, [3_000, 100_000], 400_000)
        found = _core.strategy(*call)
        assert _core.strategy(*call) == found
        verdict, codes, expansions, leaves, _ = found
        seen[verdict.name] += 1
        assert expansions <= 400_000
        if verdict.name != "open":
            assert verdict_of(place, place.ply % 2) == verdict.name
        if verdict.name != "won":
            assert codes == b""
            continue
        side = place.ply % 2
        whole, count = _core.part_of_strategy(str(place), side, codes, 26, 24)
        assert codes.startswith(whole[:1])
        assert count <= leaves  # some nodes before the leaves have no reply to answer
        assert _core.part_of_strategy(str(place), side, codes, 26, 26)[0] == codes
        for broken in (codes[:-1], codes + b"\0"):
            with pytest.raises(ValueError, match="no strategy: code"):
                _core.part_of_strategy(str(place), side, broken, 26, 26)
    assert seen["won"] >= 3 <= seen["lost"] + seen["open"], seen


# Budgets and bad input


@BOTH
def test_a_small_budget_leaves_the_verdict_open(full_draw: bool) -> None:
    rng = random.Random(10)
    seen: Counter[str] = Counter()
    for _ in range(30):
        place = played_safely(rng, full_draw, rng.randrange(26, 34))
        truth, needed, _ = _core.prove(str(place), 0, MANY)
        for budget in (0, 1, 2, 3, 10, needed - 1, needed, needed + 1):
            if budget < 0:
                continue
            found, expansions, _ = _core.prove(str(place), 0, budget)
            assert expansions <= max(budget, 1)
            assert found.name in ("open", truth.name), (str(place), budget)
            if budget > needed:
                assert found == truth
            seen["open" if found.name == "open" else "decided"] += 1
    assert seen["open"] > 25 < seen["decided"], seen


WON_AT_ONCE = "advanced~XX7.O8.O8.9.9.9.9.9.9~X~1"
EARLY = "advanced~9.9.9.9.4X4.9.9.9.9~O~5"


def test_bad_input_is_refused() -> None:
    net = net_of("advanced").core
    middle = played_safely(random.Random(11), False, 20)
    text = str(middle)
    over = played(random.Random(12), False, 30, lambda place: place.moves())
    while not any(over.completes(move) for move in over.moves()):
        over = played(random.Random(over.cells), False, 30)
    won = next(move for move in over.moves() if over.completes(move))
    finished = str(over.play(won))
    for bad in (finished, "ultimate~9.9.9.9.9.9.9.9.9~X~-", "basic~3.3.3~X", "hello"):
        with pytest.raises(ValueError, match="cannot read"):
            _core.prove(bad, 0, 10)
        with pytest.raises(ValueError, match="cannot read"):
            _core.replies_to_answer(bad)
        with pytest.raises(ValueError, match="cannot read"):
            _core.strategy(bad, net, 24, 10, [10], 10)
        with pytest.raises(ValueError, match="cannot read"):
            _core.part_of_strategy(bad, 0, b"", 24, 24)
    for attacker in (0, 1):
        with pytest.raises(ValueError, match="no position to prove"):
            _core.prove(EARLY, attacker, 10)
    for attacker in (-1, 2):
        with pytest.raises(ValueError, match="out of range"):
            _core.prove(text, attacker, 10)
        with pytest.raises(ValueError, match="out of range"):
            _core.part_of_strategy(text, attacker, b"", 24, 24)
    with pytest.raises(ValueError, match="no position to prove"):
        _core.strategy(WON_AT_ONCE, net, 24, 10, [10], 10)
    with pytest.raises(ValueError, match="out of range"):
        _core.strategy(text, net, 24, 10, [], 10)
    with pytest.raises(ValueError, match="out of range"):
        _core.strategy(EARLY, net, 17, 10, [10], 10)
    for odd in (21, 23, 81):
        with pytest.raises(ValueError, match="out of range"):
            _core.strategy(text, net, odd, 10, [10], 10)


def test_the_last_ply_of_which_a_prover_can_begin() -> None:
    """Ply 18 has 63 empty cells, as many as a key holds."""
    place = played_safely(random.Random(13), False, 18)
    assert place.cells.count(".") == 63
    assert _core.prove(str(place), 0, 1_000)[1] <= 1_000
    with pytest.raises(ValueError, match="no position to prove"):
        _core.prove(str(played_safely(random.Random(13), False, 17)), 0, 1_000)
