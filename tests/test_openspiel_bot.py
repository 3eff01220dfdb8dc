"""OpenSpiel's MCTSBot in our matches: it follows every game and answers with legal moves."""

from __future__ import annotations

import pytest
from needs import imported

import noughts
from noughts import NotationError, Player
from noughts.arena.adapters.openspiel import openspiel_game
from noughts.arena.bot import Bot, parse_entry
from noughts.arena.control import Control
from noughts.arena.referee import play_game
from noughts.games.record import Record


@pytest.fixture(autouse=True)
def _needs_openspiel() -> None:
    imported("pyspiel", "oracle")


def played(rules: str, x: str, o: str, control: Control, opening: tuple[int, ...] = ()) -> Record:
    bots: dict[Player, Bot] = {
        Player.X: parse_entry(x).open(),
        Player.O: parse_entry(o).open(),
    }
    return play_game(noughts.game(rules), opening, bots, control, 7, {"X": x, "O": o})


@pytest.mark.parametrize(
    "rules", ["basic", "mnk:5,4,3", "connect4", "ultimate", "ultimate:tie=boards"]
)
def test_bot_plays_whole_games_on_either_side(rules: str) -> None:
    opening = tuple(noughts.game(rules).legal_moves()[-1:])
    for sides in (("openspiel", "random"), ("random", "openspiel")):
        record = played(rules, *sides, Control(nodes=60), opening)
        assert "Fault" not in record.tags
        assert record.moves[:1] == [*opening]
        assert record.result != "*"


def test_bot_beats_random_and_is_repeatable() -> None:
    records = [played("ultimate", "openspiel", "random", Control(nodes=200)) for _ in range(2)]
    assert records[0].moves == records[1].moves
    assert records[0].result == "1-0"
    own = played("ultimate", "openspiel:simulations=20", "random", Control(nodes=10**9))
    assert own.result != "*"


def test_time_limit_is_kept() -> None:
    record = played("connect4", "openspiel", "openspiel", Control(seconds=0.02, margin=5))
    assert "Fault" not in record.tags


def test_positions_as_starts_are_refused() -> None:
    start = noughts.position("connect4~7.7.7.7.7.3X3~O")
    reason = parse_entry("openspiel").refusal(start, (), Player.O)
    assert reason is not None
    assert "from the start of a game" in reason


@pytest.mark.parametrize("rules", ["advanced", "ultimate:won=open", "mnk:4,4,3,misere"])
def test_other_rules_are_refused_before_a_match(rules: str) -> None:
    reason = parse_entry("openspiel").refusal(noughts.game(rules), (), Player.X)
    assert reason is not None
    assert f"OpenSpiel has no {rules}" in reason
    with pytest.raises(ValueError, match="OpenSpiel has no"):
        openspiel_game(rules)


@pytest.mark.parametrize("text", ["openspiel:fast", "openspiel:simulations=0"])
def test_wrong_options_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match="openspiel:simulations=1000"):
        parse_entry(text)
