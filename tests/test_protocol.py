"""The engine protocol: grammar, sessions, and `noughts engine` as a process."""

from __future__ import annotations

import random
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from queue import Empty, SimpleQueue

import pytest
from command import NOUGHTS, run
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENCE
from samples import NIM, RULES_IDS, random_game

import noughts
from noughts.arena.bot import Turn
from noughts.arena.control import Clocks, Control
from noughts.arena.process import Child
from noughts.arena.protocol import (
    VARIANT,
    Go,
    Info,
    Option,
    bestmove_line,
    go_line,
    info_line,
    info_of,
    option_line,
    parse_bestmove,
    parse_go,
    parse_info,
    parse_option,
    parse_position,
    parse_set_option,
    plays,
    position_line,
    set_option_line,
)
from noughts.arena.serving import OVERHEAD, EngineSession, OpponentEngine, variants
from noughts.games.position import IllegalMove, NotationError, Player, Position
from noughts.search.result import NO_LIMIT, Limit, SearchResult, Value

OPPONENTS = (
    "random",
    "minimax",
    "alphabeta",
    "hminimax",
    "negamax",
    "mcts",
    "engine",
    "engine:level=4",
)


def turn(limit: Limit = NO_LIMIT, clocks: Clocks | None = None, increment: float = 0.0) -> Turn:
    start = noughts.game("basic")
    return Turn(start, (), start, limit, 1.0, clocks, increment)


# ---- the grammar ----


@pytest.mark.parametrize("rules_id", RULES_IDS)
def test_positions_with_moves_round_trip(rules_id: str) -> None:
    rng = random.Random(1)
    start = noughts.game(rules_id)
    positions = list(random_game(start, rng))
    moves = [
        next(move for move in before.legal_moves() if before.play(move) == after)
        for before, after in pairwise(positions)
    ]
    line = position_line(start, moves)
    assert line.startswith("position startpos moves ")
    assert parse_position(line.removeprefix("position "), rules_id) == (start, moves)
    middle = len(moves) // 2
    line = position_line(positions[middle], moves[middle:])
    read = parse_position(line.removeprefix("position "), rules_id)
    assert read == (positions[middle], moves[middle:])


@pytest.mark.parametrize(
    ("rest", "complaint"),
    [
        ("", "Expected position startpos or position pos STRING"),
        ("pos", "Expected position startpos or position pos STRING"),
        ("fen 8/8", "Expected position startpos or position pos STRING"),
        ("pos nonsense~9~Q", 'No game called "nonsense"'),
        ("pos basic~XXX.OOO.3~X", "Both X and O have a line"),
        ("startpos moves 5 5", "Cell 5 is taken."),
        ("startpos moves a1", "There is no cell a1."),
    ],
)
def test_bad_positions_are_refused_with_the_reason(rest: str, complaint: str) -> None:
    with pytest.raises((NotationError, IllegalMove)) as refusal:
        parse_position(rest, "basic")
    assert complaint in str(refusal.value)


def test_go_line_has_clocks_or_a_limit() -> None:
    assert go_line(turn(Limit(depth=4, nodes=100, seconds=0.29))) == (
        "go depth 4 nodes 100 movetime 290"
    )
    on_clock = turn(Limit(seconds=0.25), Clocks(9.9999, 0.5), 0.1)
    assert go_line(on_clock) == "go wtime 9999 btime 500 winc 100 binc 100"


@given(
    st.integers(1, 10**6),
    st.integers(1, 10**12),
    st.integers(1, 10**6),
    st.sampled_from(["", "ponder ", "mate 3 ", "searchmoves 1 2 "]),
)
def test_limit_is_parsed_whatever_is_beside_it(
    depth: int, nodes: int, milliseconds: int, beside: str
) -> None:
    limit = Limit(depth, nodes, milliseconds / 1000)
    rest = go_line(turn(limit)).removeprefix("go ")
    assert parse_go(beside + rest).limit(Player.X) == limit


def test_clock_is_divided() -> None:
    go = parse_go("wtime 40000 btime 400 winc 0 binc 100")
    assert go.limit(Player.X).seconds == pytest.approx(1.0)
    assert go.limit(Player.X).max_seconds == pytest.approx(4.0)
    assert go.limit(Player.O).seconds == pytest.approx(0.01 + 0.08)
    # Less than the increment is left: only the clock counts.
    poor = parse_go("wtime 50 btime 50 winc 1000 binc 1000").limit(Player.X, 0.01)
    assert poor.seconds == poor.max_seconds == pytest.approx(0.4 * 0.04)
    alone = parse_go("btime 4000")
    assert alone.clocks == Clocks(4.0, 4.0)


def test_too_small_limits_become_the_smallest() -> None:
    assert parse_go("movetime -5 depth 0 nodes -1").limit(Player.X) == Limit(1, 1, 0.001)
    assert parse_go("wtime -100 btime 0 winc -3").limit(Player.O).seconds == 0.001
    assert parse_go("movetime 1").limit(Player.X, overhead=1.0).seconds == 0.001


@pytest.mark.parametrize(("milliseconds", "overhead"), [(10, 1), (100, 10), (1000, 10)])
def test_overhead_is_at_most_a_tenth_of_a_fixed_time(milliseconds: int, overhead: int) -> None:
    default = int(OVERHEAD.default) / 1000
    limit = parse_go(f"movetime {milliseconds}").limit(Player.X, default)
    assert limit.seconds == pytest.approx((milliseconds - overhead) / 1000)
    # A match gives a bot of its own process the whole time.
    assert Control(seconds=milliseconds / 1000).limit(None).seconds == milliseconds / 1000


@pytest.mark.parametrize("rest", ["movetime", "movetime soon", "depth 4.5", f"nodes {'9' * 5000}"])
def test_limits_that_are_not_numbers_are_refused(rest: str) -> None:
    with pytest.raises(NotationError, match="number"):
        parse_go(rest)


def test_empty_go_and_infinite_differ() -> None:
    assert parse_go("") == Go()
    assert parse_go("infinite").infinite
    assert parse_go("infinite").limit(Player.X) == NO_LIMIT


OPTIONS = (
    Option(VARIANT, "combo", "basic", choices=("basic", "mnk:*")),
    Option("Move Overhead", "spin", "5", least=0, most=100),
    Option("Offset", "spin", "-5", least=-10, most=0),
    Option("Clear Hash", "button"),
    Option("Book", "check", "true"),
    Option("Book File", "string"),
    Option("Name", "string", "two words"),
)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_options_round_trip(option: Option) -> None:
    assert parse_option(option_line(option)) == option


@pytest.mark.parametrize(
    "line",
    ["option", "option name A", "option name A type slider", "option type spin", "id name a"],
)
def test_invalid_options_are_refused(line: str) -> None:
    with pytest.raises(NotationError, match="Expected option name"):
        parse_option(line)


@pytest.mark.parametrize(
    ("option", "good", "bad"),
    [
        (OPTIONS[0], ["basic", "mnk:*"], ["ultimate", "", "BASIC"]),
        (OPTIONS[1], ["0", "100", "007"], ["-1", "101", "x", "", "1.5"]),
        (OPTIONS[4], ["true", "false"], ["yes", ""]),
        (OPTIONS[5], ["", "any thing"], []),
    ],
)
def test_option_checks_its_value(option: Option, good: list[str], bad: list[str]) -> None:
    for value in good:
        option.check(value)
    for value in bad:
        with pytest.raises(NotationError, match="Expected"):
            option.check(value)


@pytest.mark.parametrize(
    ("name", "value"), [("Hash", "64"), ("Move Overhead", "20"), ("Clear Hash", ""), ("A", "b c")]
)
def test_settings_round_trip(name: str, value: str) -> None:
    line = set_option_line(name, value)
    assert parse_set_option(line.removeprefix("setoption ")) == (name, value)


def test_setting_without_a_name_is_refused() -> None:
    with pytest.raises(NotationError, match="setoption name NAME value VALUE"):
        parse_set_option("Hash 64")


def test_rules_are_offered_by_name_or_in_general() -> None:
    offered = Option(VARIANT, "combo", "connect4", choices=("connect4", "mnk:*"))
    rules_ids = ("connect4", "connect4:5,4", "mnk:3,3,3", "mnk:3,3,3,misere", "basic")
    assert [plays(offered, rules_id) for rules_id in rules_ids] == [True, False, True, True, False]
    assert plays(Option(VARIANT, "string"), "anything")


VALUES = st.one_of(
    st.builds(Value, st.just("win"), st.none() | st.integers(1, 400), st.none()),
    st.builds(Value, st.just("loss"), st.none() | st.integers(1, 400), st.none()),
    st.just(Value.draw()),
    st.builds(
        Value,
        st.just("unknown"),
        st.none(),
        st.integers(-9999, 9999).map(lambda number: number / 10000),
    ),
)


@given(
    st.builds(
        Info,
        st.none() | st.integers(0, 400),
        st.none() | VALUES,
        st.none() | st.integers(1, 10**12),
        st.none() | st.integers(0, 10**6).map(lambda number: number / 1000),
        st.none() | st.integers(0, 1000).map(lambda number: number / 1000),
        st.lists(st.sampled_from(["11", "a1", "7"])).map(tuple),
        st.none() | st.sampled_from(["hello", "error: no pv 3", "depth 4"]),
    )
)
def test_output_of_an_engine_round_trips(info: Info) -> None:
    assert parse_info(info_line(info)) == info


def test_unknown_output_of_other_engines_is_ignored() -> None:
    line = "info depth 6 seldepth 9 multipv 1 currmove 51 score win upperbound nodes 10 pv 51 15"
    said = parse_info(line)
    assert (said.depth, said.nodes, said.pv) == (6, 10, ("51", "15"))
    assert said.value == Value.win()
    for wrong in ("info depth x", "info score cp 30", "info score estimate high", "info nodes"):
        with pytest.raises(NotationError):
            parse_info(wrong)


def test_estimate_is_never_parsed_as_a_proof() -> None:
    for text in ("1", "1.0", "-1", "37", "1e9"):
        value = parse_info(f"info score estimate {text}").value
        assert value is not None
        assert value.estimate is not None
        assert -1 < value.estimate < 1


def test_moves_round_trip() -> None:
    assert parse_bestmove(bestmove_line("51")) == "51"
    assert parse_bestmove("bestmove 51 ponder 15") == "51"
    assert parse_bestmove(bestmove_line(None)) is None
    with pytest.raises(NotationError, match="Expected bestmove MOVE"):
        parse_bestmove("bestmove")


# ---- a session ----


FIRST_INFO, LAST_INFO = (
    f"info depth {depth} score estimate 0.0000 nodes {10 * depth} time 0" for depth in (1, 2)
)


class Scripted:
    """A thinker that thinks until its limit, or until the test releases it."""

    name, author = "scripted", "the tests"
    variants = ("basic", "mnk:*")
    options: Sequence[Option] = (Option("Seed", "spin", "0", least=0, most=9),)

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self.asked: list[tuple[str, Limit, bool]] = []
        self.heard: list[tuple[str, ...]] = []

    def set_option(self, name: str, value: str) -> None:
        self.heard.append((name, value))

    def new_game(self) -> None:
        self.heard.append(("new game",))

    def get_ready(self, rules_id: str) -> None:
        self.heard.append(("ready", rules_id))

    def think(
        self, position: Position, limit: Limit, *, until_stopped: bool
    ) -> Iterator[SearchResult]:
        self.asked.append((str(position), limit, until_stopped))
        self.stopped.clear()
        return self._results(position, limit, until_stopped)

    def _results(
        self, position: Position, limit: Limit, until_stopped: bool
    ) -> Iterator[SearchResult]:
        first, *_, last = position.legal_moves()
        yield SearchResult(first, 0, False, False, 1, 10, 0.0, position)
        if limit.depth == 13:
            raise RuntimeError("thirteen\nis bad")
        if until_stopped:
            self.stopped.wait()
        yield SearchResult(last, 0, False, False, 2, 20, 0.0, position)

    def stop(self) -> None:
        self.stopped.set()


class Conversation:
    """A session in a thread, and its answers."""

    def __init__(self, thinker: Scripted | OpponentEngine) -> None:
        self._in: SimpleQueue[str | None] = SimpleQueue()
        self._out: SimpleQueue[str] = SimpleQueue()
        self.session = EngineSession(thinker, self._out.put)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self.session.run(iter(self._in.get, None))

    def send(self, *lines: str) -> None:
        for line in lines:
            self._in.put(f"{line}\n")

    def until(self, word: str) -> list[str]:
        lines: list[str] = []
        while not lines or lines[-1].split()[0] != word:
            lines.append(self._out.get(timeout=PATIENCE))
        return lines

    def ask(self, *lines: str) -> list[str]:
        """Return the answers to the lines, up to the next `readyok`."""
        self.send(*lines, "isready")
        return self.until("readyok")[:-1]

    def end(self) -> list[str]:
        """End the input, and return the remaining answers."""
        self._in.put(None)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        rest: list[str] = []
        try:
            while True:
                rest.append(self._out.get_nowait())
        except Empty:
            return rest


@contextmanager
def conversation(thinker: Scripted | OpponentEngine) -> Iterator[Conversation]:
    talk = Conversation(thinker)
    try:
        yield talk
    finally:
        talk.end()


def test_session_introduces_its_engine() -> None:
    with conversation(Scripted()) as talk:
        talk.send("uci")
        *lines, end = talk.until("uciok")
        assert lines[:2] == ["id name scripted", "id author the tests"]
        offered = {option.name: option for option in map(parse_option, lines[2:])}
        assert list(offered) == [VARIANT, "Move Overhead", "Seed"]
        assert offered[VARIANT].choices == Scripted.variants
        assert end == "uciok"


def test_session_answers_isready_and_stop_while_it_thinks() -> None:
    thinker = Scripted()
    with conversation(thinker) as talk:
        assert talk.ask("go infinite")[:1] == [FIRST_INFO]
        assert talk.ask() == []
        talk.send("stop")
        assert talk.until("bestmove") == [LAST_INFO, "bestmove 9"]
        assert talk.ask("stop") == []
    assert thinker.asked == [("basic~3.3.3~X", NO_LIMIT, True)]


def test_infinite_waits_for_stop_after_the_search_is_complete() -> None:
    with conversation(OpponentEngine("alphabeta")) as talk:
        talk.send("position startpos moves 1 2 3 4 5 6", "go infinite")
        assert not any(line.startswith("bestmove") for line in talk.ask())
        talk.send("stop")
        assert talk.until("bestmove")[-1] == "bestmove 7"


def test_engine_gets_limits_less_the_overhead() -> None:
    thinker = Scripted()
    with conversation(thinker) as talk:
        talk.send("go depth 3")
        assert talk.until("bestmove")[-1] == "bestmove 9"
        talk.send("position startpos moves 5", "setoption name move overhead value 40", "go")
        talk.until("bestmove")
        talk.send("go movetime 100 depth 2")
        talk.until("bestmove")
        talk.send("go wtime 1 btime 4000 winc 0 binc 0 depth 1")
        talk.until("bestmove")
    limits = [limit for _, limit, _ in thinker.asked]
    assert limits[:2] == [Limit(depth=3), NO_LIMIT]
    seconds = [limit.seconds for limit in limits[2:]]
    assert not any(until_stopped for _, _, until_stopped in thinker.asked)
    assert seconds == [pytest.approx(0.09), pytest.approx(0.099)]


def test_options_are_checked_and_unknown_ones_ignored() -> None:
    thinker = Scripted()
    with conversation(thinker) as talk:
        assert talk.ask("setoption name seed value 4", "setoption name Nothing value 1") == []
        assert "Expected a whole number from 0 to 9" in talk.ask("setoption name Seed value 10")[0]
        assert "setoption name NAME" in talk.ask("setoption Seed 4")[0]
        assert "Expected a whole number" in talk.ask("setoption name Move Overhead value -1")[0]
        talk.send("ucinewgame")
    assert [heard for heard in thinker.heard if heard[0] != "ready"] == [
        ("Seed", "4"),
        ("new game",),
    ]


def test_rules_are_set_and_refused() -> None:
    thinker = Scripted()
    with conversation(thinker) as talk:
        assert talk.ask("setoption name UCI_Variant value mnk:4,3,3") == []
        talk.send("go depth 1")
        talk.until("bestmove")
        for wrong, complaint in (
            ("setoption name UCI_Variant value connect4", "This engine plays basic mnk:*"),
            ("setoption name UCI_Variant value chess", 'No game called "chess"'),
            ("position pos connect4~7.7.7.7.7.7~X", "This engine plays basic mnk:*"),
            ("position pos mnk:4,3,3~5.4.4~X", "Row 1 has 5 cells"),
            ("position startpos moves z9", "There is no cell z9."),
        ):
            talk.send("position startpos")
            (said,) = talk.ask(wrong)
            assert said.startswith("info string error ")
            assert complaint in said
            assert talk.ask("go depth 1") == ["bestmove none"]
        # Refused rules do not apply to the next start.
        talk.send("position startpos", "go depth 1")
        talk.until("bestmove")
    assert {asked for asked, _, _ in thinker.asked} == {"mnk:4,3,3~4.4.4~X"}


def test_finished_game_has_no_move() -> None:
    with conversation(Scripted()) as talk:
        assert talk.ask("position startpos moves 1 4 2 5 3", "go infinite") == ["bestmove none"]


def test_impossible_positions_are_reported_and_answered() -> None:
    thinker = Scripted()
    with conversation(thinker) as talk:
        assert talk.ask("", "xyzzy", "go-to", "debug on", "ponderhit") == []
        talk.send("go movetime soon")
        lines = talk.until("bestmove")
        assert "Expected a number after movetime, not 'soon'" in lines[0]
        talk.send("go depth 13")
        assert talk.until("bestmove")[-2:] == [
            "info string error RuntimeError: thirteen is bad",
            "bestmove none",
        ]
        talk.send("go depth 1")
        assert talk.until("bestmove")[-1] == "bestmove 9"


def test_commands_during_a_search_wait_or_are_refused() -> None:
    thinker = Scripted()
    with conversation(thinker) as talk:
        talk.send("go infinite")
        for line in ("go depth 1", "setoption name Seed value 1", "ucinewgame"):
            said = [text for text in talk.ask(line) if text != FIRST_INFO]
            assert len(said) == 1
            assert said[0].startswith("info string error ")
        # After `stop` they wait until the search has ended.
        talk.send("position startpos moves 5", "stop", "setoption name Seed value 2", "go depth 1")
        assert talk.until("bestmove")[-1] == "bestmove 9"
        assert talk.until("bestmove")[-1] == "bestmove 9"
    assert [heard for heard in thinker.heard if heard[0] == "Seed"] == [("Seed", "2")]
    assert [asked for asked, _, _ in thinker.asked] == ["basic~3.3.3~X", "basic~3.1X1.3~O"]


def test_end_of_input_ends_the_search() -> None:
    talk = Conversation(Scripted())
    talk.send("go infinite")
    talk.until("info")
    assert talk.end() == [LAST_INFO, "bestmove 9"]


# ---- the opponents as engines ----


def last_result(
    engine: OpponentEngine, position: Position, limit: Limit = NO_LIMIT
) -> SearchResult:
    *_, last = engine.think(position, limit, until_stopped=False)
    return last


def test_same_seed_plays_the_same_moves() -> None:
    position = noughts.game("ultimate")
    for text in ("random", "mcts:simulations=20", "engine:level=2", "engine:method=mcts,nodes=500"):
        engine = OpponentEngine(text)
        games = []
        for _ in range(2):
            engine.set_option("Seed", "5")
            engine.new_game()
            games.append(
                [
                    [*engine.think(position, NO_LIMIT, until_stopped=False)][-1].move
                    for _ in range(4)
                ]
            )
        assert games[0] == games[1]


def test_options_of_an_opponent_are_its_keys() -> None:
    named = {text: [option.name for option in OpponentEngine(text).options] for text in OPPONENTS}
    assert named["engine"] == ["Hash", "Threads", "Level", "Method", "OwnBook", "Net", "Seed"]
    assert {tuple(named[text]) for text in OPPONENTS[:6]} == {("Seed",)}
    level = next(
        option for option in OpponentEngine("engine:level=4").options if option.name == "Level"
    )
    assert level.default == "4"
    with pytest.raises(NotationError, match="A person cannot be an engine"):
        OpponentEngine("human")


def test_options_change_how_the_engine_thinks() -> None:
    position = noughts.game("ultimate")
    engine = OpponentEngine("engine")
    full = last_result(engine, position, Limit(nodes=2_000))
    engine.set_option("Level", "1")
    weak = last_result(engine, position, Limit(nodes=2_000))
    assert weak.depth <= 1 < full.depth
    engine.set_option("Level", "0")
    for name, value in (("Hash", "1"), ("Method", "mcts")):
        engine.set_option(name, value)
    by_simulations = last_result(engine, position, Limit(nodes=2_000))
    assert by_simulations.depth != full.depth


def test_proof_is_reported_as_one() -> None:
    position = noughts.position("basic~XX1.OO1.3~X")
    last = last_result(OpponentEngine("engine"), position)
    assert (last.text, last.value) == ("3", Value.win(1))


def test_perfect_reports_that_it_cannot_solve() -> None:
    with conversation(OpponentEngine("perfect:seconds=0.05")) as talk:
        talk.send("setoption name UCI_Variant value ultimate", "position startpos", "go")
        *_, said, answer = talk.until("bestmove")
        assert "Perfect does not solve" in said
        assert answer == "bestmove none"


def test_native_engine_offers_the_games_of_the_core() -> None:
    offered = Option(VARIANT, "combo", choices=tuple(variants(native=True)))
    assert all(plays(offered, rules_id) for rules_id in RULES_IDS)
    assert not plays(offered, "nim")


def test_info_of_a_search_round_trips() -> None:
    from noughts.search import alphabeta

    position = noughts.position("basic~XX1.OO1.3~X")
    said = parse_info(info_line(info_of(alphabeta(position))))
    assert (said.value, said.pv) == (Value.win(1), ("3",))


# ---- the process ----


def test_process_answers_while_it_thinks_and_ends_on_quit() -> None:
    child = Child([NOUGHTS, "engine"])
    try:
        for line in ("uci", "setoption name UCI_Variant value ultimate", "go infinite", "isready"):
            child.send(line)
        said = []
        while (line := child.line(PATIENCE) or "timeout") not in ("readyok", "timeout"):
            said.append(line)
        assert line == "readyok"
        assert "uciok" in said
        child.send("stop")
        while not (line := child.line(PATIENCE) or "timeout").startswith(("bestmove", "timeout")):
            pass
        position = noughts.game("ultimate")
        assert position.parse_move(line.split()[1]) in position.legal_moves()
        child.send("go infinite")
    finally:
        child.close(PATIENCE)
    assert child.status == 0


def test_process_survives_bytes_that_are_not_text() -> None:
    done = subprocess.run(
        [NOUGHTS, "engine", "random"],
        input=b"\xff\xfe\0\n\nposition pos \xff~\nisready\ngo\nquit\n",
        capture_output=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0
    assert done.stdout.decode().splitlines()[-2:] == ["readyok", "bestmove none"]
    assert b"Traceback" not in done.stderr


def test_process_serves_registered_games() -> None:
    nim = str(NIM)
    commands = "setoption name UCI_Variant value nim\nposition startpos\ngo depth 20\nisready\n"
    child = Child([NOUGHTS, "--load", nim, "engine", "negamax"])
    try:
        for line in commands.splitlines():
            child.send(line)
        said = []
        while not (line := child.line(PATIENCE) or "timeout").startswith(("bestmove", "timeout")):
            said.append(line)
        # Taking two from the first pile leaves 1, 4 and 5, with nim-sum 0 (Bouton 1901).
        assert line == "bestmove a2"
    finally:
        child.close()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["engine", "human"], "A person cannot be an engine"),
        (["engine", "stockfish"], "There is no opponent 'stockfish'"),
        (["engine", "alphabeta:depth=0"], "Depth must be above 0"),
    ],
)
def test_wrong_opponents_are_refused(arguments: list[str], complaint: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert done.stdout == ""


def test_engine_without_the_game_still_answers() -> None:
    with conversation(OpponentEngine("engine:evaluation=report")) as talk:
        assert "no evaluation 'report' for basic" in talk.ask("position startpos")[0]
        talk.send("go nodes 100")
        assert talk.until("bestmove")[-1] == "bestmove none"
        assert talk.ask("setoption name UCI_Variant value ultimate") == []
        talk.send("go nodes 100")
        assert talk.until("bestmove")[-1] != "bestmove none"


@pytest.mark.parametrize(
    "entries", [b"uci\nisready\n", b"setoption name UCI_Variant value ultimate\ngo movetime 300\n"]
)
def test_closed_output_ends_the_process(entries: bytes) -> None:
    process = subprocess.Popen(
        [NOUGHTS, "engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, errors = process.communicate(entries, timeout=PATIENCE)
    assert (process.returncode, errors) == (0, b"")
