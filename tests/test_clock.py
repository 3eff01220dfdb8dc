"""Time on a clock: no forfeits, less time for a clear choice, more for an unclear one."""

from __future__ import annotations

import random
from time import sleep

import pytest
from matches import fixtures_of, terms_of

import noughts
import noughts.arena.bot
from noughts import Engine, Limit
from noughts.arena.bot import Bot, Builtin, GameSetup, Reply, Turn
from noughts.arena.control import Clocks, Control
from noughts.arena.match import in_process
from noughts.arena.referee import play_game
from noughts.games.position import Player


@pytest.mark.parametrize(
    ("clock", "increment", "games"),
    [(1.0, 0.01, 2_000), (0.2, 0.0, 500), (60.0, 1.0, 500), (0.1, 0.1, 500)],
)
def test_no_clock_runs_out(clock: float, increment: float, games: int) -> None:
    """Simulated clocks; every move uses up to the most that it may, and some communication."""
    rng, overhead = random.Random(1), 0.01
    control = Control(clock=clock, increment=increment)
    for _ in range(games):
        eager = rng.random()
        left = clock
        for _ in range(41):
            limit = control.limit(left, overhead)
            assert limit.seconds is not None
            assert limit.max_seconds is not None
            assert 0.001 <= limit.seconds <= limit.max_seconds
            share = 1.0 if rng.random() < eager else rng.random()
            spent = limit.max_seconds * share + rng.uniform(0, overhead)
            assert spent <= control.deadline(left)
            left = Clocks(left, 1.0).spend(Player.X, spent, increment).x


def test_time_for_a_move_lasts_to_the_end_of_the_game() -> None:
    left = 60.0
    control = Control(clock=left)
    for _ in range(40):
        seconds = control.limit(left).seconds
        assert seconds is not None
        left -= seconds
    assert left > 15


class Timed(Bot):
    """Plays the first legal move, and notes its limits."""

    def __init__(self) -> None:
        self.seconds: list[float | None] = []

    def new_game(self, setup: GameSetup) -> None:
        pass

    def choose(self, turn: Turn) -> Reply:
        self.seconds.append(turn.limit.seconds)
        assert turn.deadline == (turn.limit.seconds or 0) + 2
        return Reply(turn.position.legal_moves()[0])


def test_first_move_of_each_side_has_its_own_time() -> None:
    bots, start = {player: Timed() for player in Player}, noughts.game("basic")
    control = Control(seconds=0.1, margin=2, first_seconds=1.0)
    record = play_game(start, [4], bots, control, 1, {})
    assert record.tags["Control"] == "seconds=0.1,first=1"
    for bot in bots.values():
        assert len(bot.seconds) > 2
        assert bot.seconds == [1.0, *[0.1] * (len(bot.seconds) - 1)]


class Sleepy(Timed):
    """A bot that answers too late."""

    def choose(self, turn: Turn) -> Reply:
        sleep(turn.deadline + 0.001)
        return Reply(turn.position.legal_moves()[0])


class Slow(Builtin):
    """A built-in opponent on a machine that stands still."""

    def choose(self, turn: Turn) -> Reply:
        sleep(turn.deadline + 0.001)
        return super().choose(turn)


@pytest.mark.parametrize(
    "control", [Control(seconds=0.001, margin=0), Control(clock=0.01, margin=0)]
)
def test_busy_machine_is_no_fault_of_a_built_in_opponent(control: Control) -> None:
    bots: dict[Player, Bot] = {Player.X: Slow("random"), Player.O: Builtin("random")}
    record = play_game(noughts.game("basic"), [], bots, control, 1, {})
    assert "Fault" not in record.tags
    assert record.termination in ("line", "full")
    bots = {Player.X: Sleepy(), Player.O: Builtin("random")}
    record = play_game(noughts.game("basic"), [], bots, control, 1, {})
    assert record.termination == "time forfeit"


def test_busy_machine_is_no_fault_in_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noughts.arena.bot, "Builtin", Slow)
    terms = terms_of("random", "random", control=Control(seconds=0.001, margin=0))
    played = [record for _, record in in_process(terms, fixtures_of(terms))]
    assert len(played) == 4
    assert {record.termination for record in played} <= {"line", "full"}


# A search that missed its target would think for an hour.
HOUR = 3600.0


def test_engine_manages_its_time() -> None:
    engine, rng = Engine("ultimate", table_mib=16), random.Random(3)
    limit = Limit(seconds=0.05, max_seconds=HOUR)
    depths: list[int] = []
    while len(depths) < 20:
        position = noughts.game("ultimate")
        for _ in range(rng.randrange(20)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None:
            depths.append(engine.best_move(position, limit).depth)
    # A busy machine may take the time of one of them.
    assert max(depths) > 1


def test_one_move_needs_no_thought() -> None:
    text = "ultimate~2X1X3X.5X3.OOXOXO1OX.2X1O2X1.O1XO1OXXX.2OXXX2O.2O1O4.O1X1OX3.2X1OO1O1~O~3"
    position = noughts.position(text)
    assert len(position.legal_moves()) == 1
    engine = Engine("ultimate", table_mib=16)
    assert engine.best_move(position, Limit(seconds=HOUR, max_seconds=2 * HOUR)).move is not None


@pytest.mark.parametrize("method", ["mcts", "alphabeta"])
def test_other_searches_end_at_the_limit(method: str) -> None:
    """MCTS, and the value of every move, do not manage their time."""
    engine = Engine("ultimate", table_mib=16)
    limit = Limit(seconds=0.05, max_seconds=HOUR)
    if method == "mcts":
        engine.best_move("ultimate", limit, method=method)
    else:
        engine.best_move("ultimate", limit, moves=True)


def test_limits_of_time_are_checked() -> None:
    with pytest.raises(ValueError, match="max_seconds"):
        Limit(seconds=2.0, max_seconds=1.0)
    with pytest.raises(ValueError, match="max_seconds"):
        Limit(max_seconds=1.0)
    managed = Limit(seconds=1.0, max_seconds=4.0)
    assert managed.tighter(Limit(nodes=5)).max_seconds == 4.0
    assert managed.tighter(Limit(seconds=0.5)) == Limit(seconds=0.5)
    assert managed.tighter(Limit(seconds=3.0)) == Limit(seconds=1.0)
