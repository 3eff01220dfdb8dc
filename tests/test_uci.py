"""Bots that speak our protocol: the match's commands and the bot's answers."""

from __future__ import annotations

import shlex
import sys
from contextlib import closing
from pathlib import Path

import pytest

import noughts
from noughts.arena.bot import Bot, Bounds, Entry, Fault, GameSetup, Reply, Turn, Verdict
from noughts.arena.control import Clocks, Control
from noughts.games.position import Player, Position
from noughts.search.result import LARGEST_ESTIMATE, Limit, Value

RECORDER = Path(__file__).parent / "bots" / "recorder.py"
VARIANT = "UCI_Variant type string default basic"


def entry(folder: Path, options: list[str], *answers: str) -> Entry:
    command = [sys.executable, "-S", "-E", str(RECORDER), *options, "--", *answers]
    return Entry("recorder", f"uci:{shlex.join(command)}", Bounds(start_seconds=60, log=folder))


def sent(folder: Path) -> list[str]:
    """Return the lines sent to a bot, after its end."""
    lines = (folder / "recorder.log").read_text().splitlines()
    return [line.partition(" ")[2] for line in lines if " --- started" not in line]


def asked(bot: Bot, start: Position, moves: list[int], clocks: Clocks | None = None) -> Reply:
    position = start
    for move in moves:
        position = position.play(move)
    return bot.choose(Turn(start, moves, position, Limit(nodes=100), 60, clocks, 0.1))


def answer(folder: Path, said: str) -> Reply:
    """Return the reply made of an answer to the first `go` of a basic game."""
    start = noughts.game("basic")
    with closing(entry(folder, [VARIANT], said).open()) as bot:
        bot.new_game(GameSetup(start, Player.X, Control(nodes=100), 1))
        return asked(bot, start, [])


def test_game_is_sent_from_its_start_to_its_end(tmp_path: Path) -> None:
    start = noughts.game("basic")
    options = [VARIANT, "Hash type spin default 1 min 1 max 9", "Seed type spin min 1 max 10"]
    taking_part = entry(tmp_path, options, "bestmove 5", "bestmove 9")
    with closing(taking_part._replace(options=(("hash", "7"),)).open()) as bot:
        for seed in (8, 12):
            bot.new_game(GameSetup(start, Player.X, Control(nodes=100), seed))
        assert asked(bot, start, []) == Reply(4)
        assert asked(bot, start, [4, 0]) == Reply(8)
    assert sent(tmp_path) == [
        "uci",
        "setoption name Hash value 7",
        "isready",
        "setoption name UCI_Variant value basic",
        "setoption name Seed value 9",
        "ucinewgame",
        "isready",
        "setoption name Seed value 3",
        "ucinewgame",
        "isready",
        "position startpos",
        "go nodes 100",
        "position startpos moves 5 1",
        "go nodes 100",
        "quit",
    ]


def test_seed_option_of_the_user_is_kept(tmp_path: Path) -> None:
    taking_part = entry(tmp_path, [VARIANT, "Seed type spin default 0 min 0 max 99"])
    with closing(taking_part._replace(options=(("seed", "5"),)).open()) as bot:
        bot.new_game(GameSetup(noughts.game("basic"), Player.X, Control(nodes=1), 8))
    assert [line for line in sent(tmp_path) if "Seed" in line] == ["setoption name Seed value 5"]


@pytest.mark.parametrize("rules_id", ["mnk:5,4,3,misere", "ultimate:won=open", "connect4:5,4"])
def test_game_from_any_position_of_any_rules(rules_id: str, tmp_path: Path) -> None:
    start = noughts.game(rules_id)
    start = start.play(start.legal_moves()[0])
    move = start.legal_moves()[-1]
    with closing(entry(tmp_path, [VARIANT], f"bestmove {start.move_text(move)}").open()) as bot:
        bot.new_game(GameSetup(start, Player.O, Control(nodes=100), 1))
        assert asked(bot, start, []) == Reply(move)
    told = sent(tmp_path)
    assert f"setoption name UCI_Variant value {rules_id}" in told
    assert f"position pos {start}" in told


def test_registered_game(tmp_path: Path, nim: Position) -> None:
    move = nim.legal_moves()[0]
    with closing(entry(tmp_path, [VARIANT], f"bestmove {nim.move_text(move)}").open()) as bot:
        bot.new_game(GameSetup(nim, Player.X, Control(nodes=100), 1))
        assert asked(bot, nim, []) == Reply(move)
    assert {"setoption name UCI_Variant value nim", "position startpos"} < {*sent(tmp_path)}


def test_clocks_are_sent_in_milliseconds(tmp_path: Path) -> None:
    start = noughts.game("basic")
    with closing(entry(tmp_path, [VARIANT], "bestmove 2").open()) as bot:
        bot.new_game(GameSetup(start, Player.O, Control(clock=10, increment=0.1), 1))
        asked(bot, start, [0], Clocks(9.5, 10.0))
    assert "go wtime 9500 btime 10000 winc 100 binc 100" in sent(tmp_path)


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ("bestmove 5", Reply(4)),
        ("  bestmove  5  ponder 1", Reply(4)),
        ("thinking aloud||bestmove 5", Reply(4)),
        ("info string hello|bestmove 5", Reply(4)),
        ("info depth 9 score win 5 nodes 77|bestmove 5", Reply(4, Value.win(5), 9, 77)),
        (
            "info depth 1 score draw|info depth 2 score estimate 7|info string x|bestmove 5",
            Reply(4, Value.unknown(LARGEST_ESTIMATE), 2),
        ),
        ("info depth deep score banana|bestmove 5", Reply(4)),
    ],
)
def test_info_becomes_the_comment_of_a_move(said: str, reply: Reply, tmp_path: Path) -> None:
    assert answer(tmp_path, said) == reply


@pytest.mark.parametrize(
    ("said", "verdict", "message"),
    [
        ("bestmove", Verdict.GARBAGE, "it answered 'bestmove' to `go nodes 100` in basic~3.3.3~X"),
        ("bestmove 0", Verdict.GARBAGE, "there is no cell 0"),
        (
            "bestmove none",
            Verdict.GARBAGE,
            "the game is not over; expected, for example, `bestmove 1`",
        ),
    ],
)
def test_invalid_answers_are_faults(
    said: str, verdict: Verdict, message: str, tmp_path: Path
) -> None:
    with pytest.raises(Fault, match=message) as caught:
        answer(tmp_path, said)
    assert caught.value.verdict is verdict


def test_move_of_another_position_is_illegal_not_garbage(tmp_path: Path) -> None:
    start = noughts.game("ultimate")
    with closing(entry(tmp_path, [VARIANT], "bestmove 99").open()) as bot:
        bot.new_game(GameSetup(start, Player.O, Control(nodes=100), 1))
        with pytest.raises(Fault, match="expected, for example, `bestmove 1") as caught:
            asked(bot, start, [36])
    assert caught.value.verdict is Verdict.ILLEGAL


def test_last_of_many_info_lines_counts(tmp_path: Path) -> None:
    many = "|".join(f"info depth {depth} score draw nodes {depth}" for depth in range(1, 2001))
    assert answer(tmp_path, f"{many}|bestmove 5") == Reply(4, Value.draw(), 2000, 2000)


def test_unrequested_output_is_not_an_answer(tmp_path: Path) -> None:
    start = noughts.game("basic")
    said = ("bestmove 5|bestmove 6|info string the end of the first answer", "bestmove 9")
    with closing(entry(tmp_path, [VARIANT], *said).open()) as bot:
        bot.new_game(GameSetup(start, Player.X, Control(nodes=100), 1))
        assert asked(bot, start, []) == Reply(4)
        bot.new_game(GameSetup(start, Player.X, Control(nodes=100), 1))
        assert asked(bot, start, []) == Reply(8)
