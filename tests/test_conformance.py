"""Properties of every registered game; a game enters by being registered.

A new game needs its rules ids in data/rules.json, their counts in data/perft.json and at least
one whole game for each in data/golden.json; without them this suite fails.
"""

from __future__ import annotations

import pickle
import random
import re
from itertools import combinations
from typing import Any

import pytest
from samples import (
    RULES,
    RULES_IDS,
    as_result,
    data,
    random_game,
    random_position,
    reachable,
    replay,
)

import noughts
from noughts import IllegalMove, Player, Position
from noughts.games.position import canonical_key, perft
from noughts.search import solve_all

PERFT: list[dict[str, Any]] = data("perft")
GOLDEN: list[dict[str, Any]] = data("golden")
SMALL = ["basic", "mnk:3,3,3,misere", "mnk:2,3,2", "mnk:2,3,2,misere", "connect4:3,3,3"]
ODD_MOVES = [-(10**30), -1, 9, 81, 361, 10**30]

every_rules = pytest.mark.parametrize("rules_id", RULES_IDS)


def sample(rules_id: str, seed: int = 0) -> list[Position]:
    """Return the positions of a few random games, fewer of long games."""
    rng = random.Random(seed)
    positions: list[Position] = []
    while len(positions) < 150:
        positions += random_game(noughts.game(rules_id), rng)
    return positions


def thinned(positions: list[Position]) -> list[Position]:
    """Return a part of a sample, smaller for games with more moves."""
    return positions[:: max(3, len(positions[0].legal_moves()) // 3)]


@pytest.mark.parametrize("name", noughts.GAMES)
def test_every_registered_game_has_rules_counts_and_golden_games(name: str) -> None:
    assert name in RULES, f"{name} has no rules ids in data/rules.json"
    for rules_id in RULES[name]:
        assert noughts.game(rules_id).rules_id == rules_id
        assert any(entry["rules"] == rules_id for entry in PERFT), f"no perft of {rules_id}"
        assert any(entry["rules"] == rules_id for entry in GOLDEN), f"no golden game of {rules_id}"


@pytest.mark.parametrize("name", noughts.GAMES)
def test_every_combination_of_options_is_among_the_rules(name: str) -> None:
    game = noughts.GAMES[name]
    words = [value.text for option in game.options for value in option.values[1:]]
    assert all(word in game.usage for word in words)
    tested = {
        frozenset(re.findall(r"[a-z]+(?:=[a-z]+)?", i.partition(":")[2])) for i in RULES[name]
    }
    for count in range(len(words) + 1):
        assert tested.issuperset(map(frozenset, combinations(words, count)))


def replayed(rules_id: str, entry: dict[str, Any]) -> object:
    """Return the result under `rules_id` of the moves of a data entry."""
    try:
        position = replay(rules_id, entry["moves"])
    except IllegalMove:
        return "illegal"
    depth = min(len(entry.get("nodes", ())), 3)
    return position.outcome(), [perft(position, d) for d in range(1, depth + 1)]


@pytest.mark.parametrize("name", noughts.GAMES)
def test_data_distinguish_all_options(name: str) -> None:
    """For two rules of a game on one board, some count or golden game differs."""

    def sizes(rules_id: str) -> list[str]:
        return re.findall(r"[0-9]+", rules_id)

    for rules_id, other in combinations(RULES[name], 2):
        if sizes(rules_id) == sizes(other):
            entries = [entry for entry in PERFT + GOLDEN if entry["rules"] in (rules_id, other)]
            assert any(replayed(rules_id, entry) != replayed(other, entry) for entry in entries)


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden["rules"])
def test_golden_games_end_as_recorded(golden: dict[str, Any]) -> None:
    position = replay(golden["rules"], golden["moves"])
    assert as_result(position.outcome()) == (golden["winner"], golden["termination"])
    assert str(position) == golden["position"]
    assert noughts.position(golden["position"]) == position


@every_rules
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.soak)])
def test_exactly_the_legal_moves_are_accepted(rules_id: str, step: int) -> None:
    for position in sample(rules_id)[::step]:
        legal = list(position.legal_moves())
        assert legal == sorted(set(legal))
        assert all(type(move) is int for move in legal)
        for move in [*range(-3, 100), *ODD_MOVES, *legal]:
            if move in legal:
                assert position.play(move) != position
            else:
                with pytest.raises(IllegalMove) as caught:
                    position.play(move)
                assert (caught.value.move, caught.value.position) == (move, position)
                assert caught.value.reason


@every_rules
def test_positions_are_immutable(rules_id: str) -> None:
    for position in sample(rules_id):
        before = str(position), hash(position), position.key(), list(position.legal_moves())
        for move in list(position.legal_moves())[:3]:
            position.play(move)
        for name in ("ply", "turn", "rules", "x", "a_new_name"):
            with pytest.raises(AttributeError):
                setattr(position, name, 0)
        after = str(position), hash(position), position.key(), list(position.legal_moves())
        assert after == before


@every_rules
def test_same_moves_give_equal_positions(rules_id: str) -> None:
    for one, other in zip(sample(rules_id), sample(rules_id), strict=True):
        assert one == other
        assert hash(one) == hash(other)


@every_rules
def test_position_strings_round_trip(rules_id: str) -> None:
    for position in sample(rules_id):
        text = str(position)
        assert re.fullmatch(r"[A-Za-z0-9._~:,=-]+", text)
        assert text.startswith(position.rules_id + "~")
        for copy in (
            noughts.position(text),
            eval(repr(position), {"noughts": noughts}),
            pickle.loads(pickle.dumps(position)),
        ):
            assert copy == position
            assert hash(copy) == hash(position)
            assert str(copy) == text
            assert (copy.ply, copy.turn, copy.outcome(), copy.key()) == (
                position.ply, position.turn, position.outcome(), position.key(),
            )  # fmt: skip


@every_rules
def test_move_texts_round_trip(rules_id: str) -> None:
    for position in thinned(sample(rules_id)):
        texts = [position.move_text(move) for move in position.legal_moves()]
        assert len(set(texts)) == len(texts)
        for move, text in zip(position.legal_moves(), texts, strict=True):
            assert position.parse_move(text) == move
            assert position.parse_entry(f" {text} ") == move
            assert position.play(text) == position.after(text) == position.play(move)


@every_rules
def test_the_diagram_shows_every_mark(rules_id: str) -> None:
    seen = 0
    for position in thinned(sample(rules_id)):
        drawn = position.diagram()
        for player, mask in zip(Player, (position.x, position.o), strict=True):  # type: ignore[attr-defined]
            owners = drawn.count(f" {player} ┐") + drawn.count(f" {player} ┓")
            shown = drawn.replace("boards", "").count(str(player))
            assert shown >= mask.bit_count() + owners
            seen += mask.bit_count()
        assert not re.search(r" $", drawn, re.MULTILINE)
    assert seen


@every_rules
def test_move_list_leads_to_the_same_position(rules_id: str) -> None:
    start = noughts.game(rules_id)
    rng = random.Random(5)
    words, moves, position = [], [], start
    while position.outcome() is None:
        moves.append(rng.choice(position.legal_moves()))
        words.append(position.move_text(moves[-1]))
        position = position.play(moves[-1])
    assert noughts.parse_moves(start, " ".join(words)) == moves
    assert start.after(" ".join(words)) == position
    if start.digit_runs:
        assert noughts.parse_moves(start, "".join(words)) == moves


@every_rules
def test_turns_alternate_and_plies_count(rules_id: str) -> None:
    before = None
    for position in sample(rules_id):
        if before is None or position.ply == 0:
            assert (position.turn, position.ply) == (Player.X, 0)
        else:
            assert (position.turn, position.ply) == (before.turn.other, before.ply + 1)
        before = position


@every_rules
def test_games_end_within_their_bounds(rules_id: str) -> None:
    bounds = RULES[rules_id.partition(":")[0]][rules_id]
    golden = [replay(rules_id, entry["moves"]) for entry in GOLDEN if entry["rules"] == rules_id]
    for position in sample(rules_id) + golden:
        if position.outcome() is None:
            assert position.legal_moves()
            assert position.ply < bounds["longest"]
        else:
            assert not position.legal_moves()
            assert bounds["shortest"] <= position.ply <= bounds["longest"]


@every_rules
def test_keys_are_equal_exactly_if_positions_are(rules_id: str) -> None:
    positions = {position for seed in range(3) for position in sample(rules_id, seed)}
    children = {position.play(move) for position in positions for move in position.legal_moves()}
    everything = positions | children
    assert len({position.key() for position in everything}) == len(everything)


@every_rules
def test_symmetry_keeps_the_rules(rules_id: str) -> None:
    forms_of_one = RULES[rules_id.partition(":")[0]][rules_id]["symmetries"]
    most = 0
    for position in thinned(sample(rules_id)):
        forms = list(position.symmetries())
        assert position in forms
        most = max(most, len(set(forms)))
        after = sorted(str(canonical_key(position.play(move))) for move in position.legal_moves())
        for form in set(forms):
            assert form.outcome() == position.outcome()
            assert (form.ply, form.turn) == (position.ply, position.turn)
            assert canonical_key(form) == canonical_key(position)
            assert noughts.position(str(form)) == form
            assert set(form.symmetries()) == set(forms)
            assert after == sorted(str(canonical_key(form.play(m))) for m in form.legal_moves())
    assert most == forms_of_one


@pytest.mark.parametrize("rules_id", SMALL)
def test_symmetry_keeps_the_value(rules_id: str) -> None:
    solution = solve_all(noughts.game(rules_id))
    by_class: dict[object, set[object]] = {}
    for position, value in solution.items():
        assert all(solution[form] == value for form in position.symmetries())
        by_class.setdefault(canonical_key(position), set()).add(value)
    assert all(len(values) == 1 for values in by_class.values())


def test_basic_has_765_classes() -> None:
    """Schaeffer 2002 and others; the counts by ply are from an independent program."""
    positions = reachable(noughts.game("basic"))
    classes = {(position.ply, canonical_key(position)) for position in positions}
    by_ply = [sum(1 for ply, _ in classes if ply == wanted) for wanted in range(10)]
    assert by_ply == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    assert len({key for _, key in classes}) == 765


@every_rules
def test_invalid_texts_are_refused_with_a_reason(rules_id: str) -> None:
    rng = random.Random(6)
    position = random_position(noughts.game(rules_id), rng)
    for text in ("", "z99", "-1", "00", "nonsense", "0 0 0", "½"):
        with pytest.raises(IllegalMove) as caught:
            position.parse_move(text)
        assert caught.value.reason
        assert caught.value.position == position
