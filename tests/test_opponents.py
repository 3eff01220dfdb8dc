"""The opponents: their texts, the limits under which they think, and stops."""

from __future__ import annotations

import threading

import pytest

import noughts
from noughts.games.position import NotationError, Position
from noughts.opponents import OPPONENTS, OpponentFailed, opponent
from noughts.search import minimax, negamax
from noughts.search.result import NO_LIMIT, Limit

KINDS = tuple(kind for kind in OPPONENTS if kind not in ("human", "perfect"))
TEXTS = (*KINDS, "engine:level=4", "engine:level=10", "engine:method=mcts")
"""Maximum seconds of a search that has been stopped, on the slowest machine."""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("engine:level=0", "there is no level '0'"),
        ("engine:level=11", "there is no level '11'. Choose one of: 1 2"),
        ("minimax:depth=x", "depth must be a whole number, not 'x'"),
        ("minimax:depth=1.5", "depth must be a whole number, not '1.5'"),
        ("minimax:depth=99999999999", "depth must be at most 1,000,000"),
        ("alphabeta:depth=0", "depth must be above 0"),
        ("mcts:seconds=-1", "seconds must be a number, not '-1'"),
        ("foo:1", "there is no opponent 'foo'. Choose one of: human random"),
        ("alphabta", "there is no opponent 'alphabta'. Did you mean alphabeta?"),
        (
            "alphabeta:dept=3",
            "there is no key 'dept' of alphabeta. Did you mean depth?",
        ),
        ("minimax:score=best", "there is no score 'best'. Choose one of: distance sign ten"),
        ("negamax:score=ten", "there is no score 'ten'. Choose one of: distance sign"),
        ("engine:method=guess", "there is no method 'guess'"),
        ("engine:evaluation=lines", "there is no evaluation 'lines'"),
        ("engine:book=maybe", "book must be yes or no, not 'maybe'"),
        ("engine:level=4,seconds=1", "a level takes no seconds: it has its own"),
        ("engine:level=4,sight=2", "a level takes no sight: it has its own"),
        ("engine:slip=0.5", "slip needs sight, the plies of a level"),
        ("engine:sight=4,method=mcts", "sight takes no method: every move is searched"),
        ("engine:sight=4,blur=1.5", "blur must be at most 1"),
        ("engine:sight=0", "sight must be above 0"),
        ("mcts:seed=1,seed=2", "seed is given twice"),
        ("human:", "nothing follows the colon"),
        ("human:depth=1", "there is no key 'depth' of human. Choose one of: none"),
        ("", "there is no opponent ''"),
    ],
)
def test_wrong_texts_are_refused(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as error:
        opponent(text)
    assert reason in error.value.reason


def test_opponent_knows_its_text() -> None:
    parsed = opponent("engine:method=mcts_random,book=no,seconds=0.5")
    assert parsed.values == {"method": "mcts_random", "book": False, "seconds": 0.5}
    assert (parsed.kind, parsed.is_human) == ("engine", False)
    assert parsed.name == "Engine, method mcts_random, book no, 0.5 s a move"


def test_person_cannot_think() -> None:
    person = opponent("human")
    assert (person.is_human, person.name) == (True, "Person")
    with pytest.raises(OpponentFailed):
        person.choose(noughts.game("basic"))


# ---- limits ----


@pytest.mark.parametrize("text", [*KINDS, "perfect"])
@pytest.mark.parametrize("key", ["depth", "nodes", "seconds", "simulations"])
def test_tighter_limit_holds_for_every_kind(text: str, key: str) -> None:
    position = noughts.game("ultimate")
    if key in OPPONENTS[text].keys:
        parsed = opponent(f"{text}:{key}=3")
        assert parsed.limit(position) == Limit(**{key: 3})
        assert parsed.limit(position, Limit(**{key: 2})) == Limit(**{key: 2})
        assert parsed.limit(position, Limit(**{key: 4})) == Limit(**{key: 3})
        other = Limit(nodes=7) if key != "nodes" else Limit(depth=7)
        assert parsed.limit(position, other) == Limit(**{key: 3}).tighter(other)
    else:
        assert getattr(opponent(text).limit(position, Limit(**{key: 2})), key) == 2


def test_tighter_limit_bounds_the_search() -> None:
    position = noughts.game("ultimate")
    for text in ("minimax", "alphabeta", "hminimax", "negamax", "engine"):
        assert opponent(f"{text}:depth=2").choose(position, Limit(depth=3)).depth == 2
        assert opponent(f"{text}:depth=3").choose(position, Limit(depth=2)).depth == 2
    for own, limit in ((20, 30), (30, 20)):
        parsed = opponent(f"mcts:simulations={own}")
        assert parsed.choose(position, Limit(simulations=limit)).simulations == 20


def test_level_keeps_to_a_tighter_limit() -> None:
    position = noughts.position("ultimate~9.9.9.9.X8.9.9.9.9~O~1")
    level = opponent("engine:level=7", seed=1)
    assert level.choose(position).depth == 7
    assert level.choose(position, Limit(depth=2)).depth == 2
    assert level.choose(position, Limit(nodes=500)).depth < 7
    assert level.choose(position, Limit(seconds=1e-9)).depth < 7
    assert opponent("engine:level=10").limit(position, Limit(nodes=50)) == Limit(nodes=50)
    assert opponent("engine:level=10").limit(position, Limit(nodes=10**9)).nodes == 1_000_000


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("rules_id", ["basic", "ultimate"])
def test_every_limit_ends_every_search(text: str, rules_id: str) -> None:
    position = noughts.game(rules_id)
    for limit in (Limit(seconds=0.02), Limit(nodes=50), Limit(depth=1), Limit(seconds=1e-9)):
        assert opponent(text).choose(position, limit).move in position.legal_moves()


def test_default_limits() -> None:
    small, large = noughts.game("basic"), noughts.game("ultimate")
    for text in ("minimax", "alphabeta", "hminimax", "negamax"):
        assert opponent(text).limit(small) == NO_LIMIT
        assert opponent(text).limit(large) == Limit(nodes=50_000)
    for position in (small, large):
        assert opponent("mcts").limit(position) == Limit(simulations=1000)
        assert opponent("engine").limit(position) == Limit(nodes=1_000_000)
        assert opponent("perfect").limit(position) == Limit(seconds=10)
        assert opponent("engine:level=4").limit(position) == NO_LIMIT


def test_small_game_is_searched_at_once_to_its_end() -> None:
    position = noughts.game("basic").play(4).play(0)
    (result,) = opponent("minimax").think(position)
    assert (result.nodes, result.exact) == (minimax(position).nodes, True)


def test_results_have_growing_depth() -> None:
    position = noughts.game("ultimate")
    for text in ("minimax", "alphabeta", "hminimax", "negamax", "engine"):
        depths = [result.depth for result in opponent(text).think(position, Limit(depth=3))]
        assert sorted(set(depths)) == depths[:3] == [1, 2, 3], text
    chosen = opponent("negamax:depth=4").choose(position)
    searched = negamax(position, Limit(depth=4))
    assert (chosen.move, chosen.score, chosen.nodes) == (
        searched.move,
        searched.score,
        searched.nodes,
    )


# ---- stops ----


@pytest.mark.parametrize("text", TEXTS)
def test_stop_before_the_first_result_is_not_lost(text: str) -> None:
    for rules_id in ("basic", "ultimate"):
        position = noughts.game(rules_id)
        parsed = opponent(text)
        results = parsed.think(position, until_stopped=True)
        parsed.stop()
        *_, last = results
        assert last.move in position.legal_moves()
        # The next search is not stopped.
        assert parsed.choose(position, Limit(depth=2)).move in position.legal_moves()


@pytest.mark.parametrize("text", TEXTS)
def test_stop_from_another_thread_ends_the_search(text: str) -> None:
    position = noughts.game("ultimate")
    parsed = opponent(text)
    results = parsed.think(position, until_stopped=True)
    timer = threading.Timer(0.1, parsed.stop)
    timer.start()
    *_, last = results
    timer.join()
    assert last.move in position.legal_moves()


# ---- kinds ----


@pytest.mark.parametrize("kind", ["minimax", "alphabeta", "hminimax"])
def test_opponent_scores_by_ten_minus_depth(kind: str) -> None:
    wins_at_once = noughts.position("basic~XX1.OO1.3~X")
    assert opponent(f"{kind}:score=ten").choose(wins_at_once).score == 10
    assert opponent(f"{kind}:score=sign").choose(wins_at_once).score == 1
    # Long games: the nodes end the search here, else ten plies.
    for limit in (Limit(nodes=300), Limit(depth=12, nodes=300)):
        found = opponent(f"{kind}:score=ten").choose(noughts.game("connect4:4,4"), limit)
        assert found.move is not None
    row = noughts.game("connect4:1,15,15")
    assert opponent(f"{kind}:score=ten,depth=12").choose(row).depth == 10


@pytest.mark.parametrize(
    ("text", "rules", "moves", "limit", "advice"),
    [
        ("perfect:seconds=0.01", "ultimate", "", Limit(), "Give it more time"),
        ("perfect", "ultimate", "", Limit(seconds=0.01), r" s\. Choose another opponent"),
        ("perfect:seconds=0.01", "advanced", "99", Limit(), "Let it begin"),
    ],
)
def test_perfect_advises_what_helps(
    text: str, rules: str, moves: str, limit: Limit, advice: str
) -> None:
    with pytest.raises(OpponentFailed, match=advice):
        opponent(text).choose(noughts.game(rules).after(moves), limit)


def test_perfect_refuses_to_guess() -> None:
    solved = noughts.position("basic~XX1.OO1.3~X")
    assert opponent("perfect").choose(solved).text == "3"
    results = opponent("perfect:seconds=0.05").think(noughts.game("ultimate"))
    assert not next(results).exact
    with pytest.raises(OpponentFailed, match="Perfect does not solve"):
        list(results)


def test_seed_repeats_a_game() -> None:
    position = noughts.game("ultimate")
    for text in ("random", "mcts:simulations=20", "engine:level=2", "minimax:depth=1"):
        games = []
        for _ in range(2):
            parsed = opponent(text, seed=5)
            games.append([parsed.choose(position).move for _ in range(6)])
        assert games[0] == games[1]
        assert len(set(games[0])) > 1, text
    moves = {opponent("minimax:depth=1").choose(position).move for _ in range(5)}
    assert len(moves) == 1


def test_game_of_ones_own_is_played(nim: Position) -> None:
    for text in ("random", "minimax:nodes=200", "alphabeta", "negamax", "mcts", "perfect"):
        assert opponent(text).choose(nim).move in nim.legal_moves()
    with pytest.raises(OpponentFailed, match="native core"):
        opponent("engine").choose(nim)


def test_engine_can_be_lent() -> None:
    position = noughts.game("connect4")
    engine = noughts.Engine("connect4", table_mib=1)
    parsed = opponent("engine")
    *_, last = parsed.think(position, Limit(depth=4), engine=engine)
    assert last.depth == 4
    # A stop after the search does not reach the engine any more.
    results = engine.analyse(position, Limit(depth=6), moves=False)
    parsed.stop()
    *_, last = results
    assert last.depth == 6
