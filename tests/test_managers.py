"""The protocols of Gomocup and CodinGame."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from command import NOUGHTS

import noughts
from noughts.arena import codingame
from noughts.arena.gomocup import OVERHEAD, GomocupSession
from noughts.arena.openings import EVEN
from noughts.engine import Engine
from noughts.games.position import Position
from noughts.opponents import Opponent, opponent
from noughts.search.result import NO_LIMIT, Limit, SearchResult


class Listening(Opponent):
    """An opponent that remembers the positions and limits that it was asked about."""

    def __init__(self, text: str = "random:seed=1", nodes: int | None = None) -> None:
        super().__init__(text, {"seed": 1} if nodes is None else {"seed": 1, "nodes": nodes})
        self.asked: list[tuple[Position, Limit]] = []

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> SearchResult:
        self.asked.append((position, limit))
        return super().choose(position, limit)


def gomocup(*lines: str, player: Opponent | None = None) -> list[str]:
    said: list[str] = []
    GomocupSession(player or opponent("engine:nodes=500"), said.append).run(lines)
    return said


def cell(text: str) -> tuple[int, int]:
    column, row = map(int, text.split(","))
    return column, row


def test_gomocup_game_is_followed_from_both_sides() -> None:
    player = Listening()
    first, second = gomocup("START 15", "BEGIN", "TURN 0,0", "END", "TURN 1,1", player=player)[1:]
    position, _ = player.asked[-1]
    assert position.rules_id == "mnk:15,15,5"
    assert position.ply == 2
    assert len({cell(first), cell(second), (0, 0)}) == 3
    later = Listening()
    assert gomocup("RECTSTART 19,9", "TURN 18,8", player=later)[0] == "OK"
    (position, _), *_ = later.asked
    assert position.rules_id == "mnk:19,9,5"
    assert 19 * 9 - 1 not in position.legal_moves()


@pytest.mark.parametrize(
    ("line", "size"), [("START 20", 20), ("START 15 15", 15), ("RECTSTART 15, 15", 15)]
)
def test_gomocup_sizes_as_managers_send_them(line: str, size: int) -> None:
    player = Listening()
    assert gomocup(line, "BEGIN", player=player)[0] == "OK"
    assert player.asked[-1][0].rules_id == f"mnk:{size},{size},5"


@pytest.mark.parametrize("lines", [("INFO rule 1", "START 15"), ("START 15", "INFO rule 1")])
def test_gomocup_rule_1_is_exactly_five(lines: tuple[str, ...]) -> None:
    player = Listening()
    # Four on each side of the empty cell 4,0: nine in a row would not win.
    stones = [f"{n},0,2" for n in range(9) if n != 4]
    own = [f"{2 * n},14,1" for n in range(7)]
    said = gomocup(*lines, "BOARD", *stones, *own, "DONE", "START 12", "BEGIN", player=player)
    assert [line for line in said if not line[0].isdigit()] == ["OK", "OK"]
    assert [position.rules_id for position, _ in player.asked] == [
        "mnk:15,15,5,exact",
        "mnk:12,12,5,exact",
    ]


def test_gomocup_engine_takes_and_stops_wins() -> None:
    four = [f"{n},7,1" for n in range(4)]
    others = ["0,0,2", "2,0,2", "4,0,2", "6,0,2"]
    said = gomocup("START 15", "BOARD", *four, *others, "DONE")
    assert said[-1] == "4,7"
    threat = [line.replace(",1", ",2") for line in four]
    own = ["0,0,1", "2,0,1", "4,0,1"]
    assert gomocup("START 15", "BOARD", *threat, *own, "DONE")[-1] == "4,7"


def test_gomocup_board_gives_the_stones_to_their_owners() -> None:
    for stones, turn in ((("3,3,1", "4,4,2"), "X"), (("4,4,2",), "O"), ((), "X")):
        player = Listening()
        gomocup("START 10", "BOARD", *stones, "DONE", player=player)
        (position, _), *_ = player.asked
        assert str(position.turn) == turn
        for stone in stones:
            column, row, owner = map(int, stone.split(","))
            mover = position.turn if owner == 1 else position.turn.other
            marks = position.x if mover is noughts.Player.X else position.o  # type: ignore[attr-defined]
            assert marks >> (row * 10 + column) & 1


def test_gomocup_stone_is_taken_back() -> None:
    player = Listening()
    first = gomocup("START 15", "BEGIN", player=player)[1]
    said = gomocup("START 15", "BEGIN", "TURN 0,0", "TAKEBACK 0,0", "TURN 1,1", player=Listening())
    assert said[3] == "OK"
    assert cell(first)


@pytest.mark.parametrize(
    ("hints", "limit"),
    [
        ((), NO_LIMIT),
        (("timeout_turn 1000",), Limit(seconds=1 - OVERHEAD)),
        (("timeout_turn 0",), Limit(seconds=0.001)),
        (("timeout_turn 5000", "timeout_match 2147483647", "time_left 9"), Limit(seconds=4.97)),
        (
            ("timeout_turn 500", "timeout_match 60000", "time_left 40030"),
            Limit(seconds=0.47, max_seconds=0.47),
        ),
        (
            ("timeout_turn 30000", "timeout_match 60000", "time_left 40030"),
            Limit(seconds=1.0, max_seconds=4.0),
        ),
    ],
)
def test_gomocup_time_is_kept(hints: tuple[str, ...], limit: Limit) -> None:
    player = Listening()
    gomocup("START 15", *(f"INFO {hint}" for hint in hints), "BEGIN", player=player)
    (_, asked), *_ = player.asked
    assert asked.seconds == pytest.approx(limit.seconds)
    assert asked.max_seconds == pytest.approx(limit.max_seconds)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("TURN 15,0", "not on the board"),
        ("TURN 7", "expected two whole numbers"),
        ("TURN x,y", "expected two whole numbers"),
        ("START", "expected a whole number"),
        ("START 999", "ERROR"),
        ("TAKEBACK 1,1", "no stone to take back"),
        ("INFO timeout_turn soon", "expected a whole number"),
        ("INFO rule 4", "MESSAGE rule 4 is not known here; the engine plays rule 0"),
    ],
)
def test_gomocup_wrong_line_is_answered_and_loses_nothing(line: str, complaint: str) -> None:
    said = gomocup("START 15", line, "START 15", "TURN 7,7")
    assert complaint in said[1]
    assert cell(said[-1]) != (7, 7)


def test_gomocup_swap2_begins_with_three_even_stones() -> None:
    player = opponent("engine:nodes=500,seed=4")
    said = gomocup("START 15", "SWAP2BOARD", "DONE", player=player)
    assert said[0] == "OK"
    stones = [row * 15 + column for column, row in map(cell, said[1].split())]
    assert len(set(stones)) == 3
    place = noughts.game("mnk:15,15,5").after(stones)
    value = Engine(place.rules_id, seed=4, table_mib=16).best_move(place, Limit(nodes=20_000)).value
    assert abs(value.estimate or 1) <= EVEN
    assert gomocup("START 15", "SWAP2BOARD", "DONE", player=player) == said
    assert "," in gomocup("START 8", "SWAP2BOARD", "DONE", player=opponent("engine:nodes=500"))[1]


@pytest.mark.parametrize(
    ("stones", "takes_x"),
    [
        (("7,7", "0,0", "7,8"), True),
        (("0,0", "7,7", "14,14"), False),
        (("7,7", "0,0", "8,8", "14,0", "6,8"), True),
        (("0,0", "7,7", "14,14", "7,8", "0,14"), False),
    ],
)
def test_gomocup_swap2_takes_the_better_side(stones: tuple[str, ...], takes_x: bool) -> None:
    player = Listening("engine:nodes=2000", nodes=2_000)
    said = gomocup("START 15", "SWAP2BOARD", *stones, "DONE", "TURN 3,3", player=player)
    assert (said[1] == "SWAP") == takes_x
    position = player.asked[-1][0]
    # The game goes on from the stones, and from the engine's move if it took O.
    assert position.ply == len(stones) + (1 if takes_x else 2)
    assert cell(said[2])


def test_gomocup_swap2_refuses_other_numbers_of_stones() -> None:
    said = gomocup(
        "START 15", "SWAP2BOARD", "7,7", "DONE", "SWAP2BOARD", "7,7", "7,7", "7,7", "DONE"
    )
    assert said[1] == "ERROR swap2 has 3 or 5 stones before a choice, or none"
    assert said[2].startswith("ERROR")
    assert gomocup("SWAP2BOARD", "DONE") == ["ERROR no game has begun: send START"]


def test_gomocup_board_of_the_other_side_is_refused_as_a_whole() -> None:
    said = gomocup("START 15", "BOARD", "7,7,1", "DONE", "BOARD", "1,1,9", "2,2,1", "DONE", "BEGIN")
    assert said[1] == "ERROR it is not the engine's turn on this board"
    assert "is no stone" in said[2]
    assert len(said) == 4
    assert gomocup("BEGIN") == ["ERROR no game has begun: send START"]
    assert gomocup("", "ABOUT")[0].startswith('name="noughts", version=')
    assert gomocup("start 15", "INFO evaluate 1,1", "info rule 0") == ["OK"]


def test_codingame_games_are_played_to_their_end(tmp_path: Path) -> None:
    """The adapter for bots of the site starts our engine as such a bot."""
    bot = f"site=codingame:{NOUGHTS} engine engine:nodes=200 --protocol codingame"
    command = [NOUGHTS, "match", bot, "random:seed=1", "--game", codingame.RULES]
    more = ["--plies", "0", "--pairs", "2", "--seconds", "1", "--margin", "5", "--json"]
    done = subprocess.run([*command, *more], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    bots = json.loads(done.stdout)["standings"]["bots"]
    (site,) = (each for each in bots if each["name"] == "site")
    assert (site["games"], site["faults"]) == (4, {})


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (["9 0"], "9 0 is not a legal move"),
        (["zero"], "expected a row and a column"),
        (["-1 -1", "many"], "expected the number of legal moves"),
    ],
)
def test_codingame_wrong_line_is_named(lines: list[str], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        codingame.play(opponent("random"), lines, print)


def test_command_speaks_the_protocols(tmp_path: Path) -> None:
    def talk(text: str, *words: str) -> subprocess.CompletedProcess[str]:
        command = [NOUGHTS, "engine", *words]
        return subprocess.run(command, input=text, capture_output=True, text=True, cwd=tmp_path)

    done = talk("START 10\nBEGIN\nEND\n", "engine:nodes=500", "--protocol", "gomocup")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("OK\n")
    done = talk("0 0\n1\n0 1\n", "engine:nodes=500", "--protocol", "codingame")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.split()) == 2
    done = talk("0 0\n1\n0 1\n0 0\n", "engine:nodes=500", "--protocol", "codingame")
    assert done.returncode == 3
    assert "0 0 is not a legal move" in done.stderr
    assert "Traceback" not in done.stderr
    assert talk("", "human", "--protocol", "gomocup").returncode == 2
