"""Adapters: a newcomer's bot of each kind plays every game it can, and faults are named."""

from __future__ import annotations

import os
import random
import shlex
import shutil
import sys
import tarfile
import venv
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from command import run

import noughts
from noughts import NotationError, Player, Position
from noughts.arena.adapters import aima, cs50, kaggle
from noughts.arena.adapters.python import choose_by
from noughts.arena.bot import KINDS, Bot, Bounds, Fault, GameSetup, Reply, Turn, parse_entry
from noughts.arena.control import Clocks, Control
from noughts.arena.referee import play_game
from noughts.games.position import Termination
from noughts.games.record import Record
from noughts.games.registry import GAMES
from noughts.games.row import RowPosition
from noughts.search.result import Limit

ROOT = Path(__file__).parent.parent
BOTS = ROOT / "examples" / "bots"
PYTHON = shlex.quote(sys.executable)
PATIENT = Control(seconds=60)
"""Seconds: more than any bot here takes, on a busy machine too."""

CHOOSE = f"python:{BOTS}/my_bot.py:choose"
TIMID = f"python:{BOTS}/my_bot.py:Timid"
KAGGLE = f"kaggle:{BOTS}/connectx_agent.py"
CS50 = f"cs50:{BOTS}/tictactoe.py"
AIMA = f"aima:{BOTS}/aima_player.py:my_player"
AIMA_RANDOM = f"aima:{BOTS}/aima_player.py:random_player"
CODINGAME = f"codingame:{PYTHON} {BOTS}/codingame_bot.py"
GOMOCUP = f"gomocup:{PYTHON} {BOTS}/pbrain_random.py"
NINEBOARD = f"nineboard:{PYTHON} {BOTS}/nineboard_agent.py"

GAMES_OF = {
    CHOOSE: [
        ("basic", "5"),
        ("mnk:5,5,4", "c3 c2"),
        ("mnk:4,3,3,misere", ""),
        ("connect4", "44"),
        ("connect4:5,4", ""),
        ("advanced", "55"),
        ("advanced:full=draw", "55 54"),
        ("ultimate", ""),
        ("ultimate:tie=boards", "55 51 15"),
        ("ultimate:won=open", "55"),
    ],
    TIMID: [("ultimate:tie=boards,won=open", "55 51")],
    KAGGLE: [("connect4", ""), ("connect4", "445"), ("connect4:5,4", "3"), ("connect4:6,5,3", "")],
    f"{KAGGLE}:my_agent": [("connect4", "4")],
    CS50: [("basic", ""), ("basic", "5 1 9"), ("mnk:3,3,3", "b2 a1")],
    AIMA: [("basic", "5"), ("mnk:4,3,3", ""), ("mnk:3,4,3,misere", "b2"), ("connect4:5,4", "3")],
    AIMA_RANDOM: [("mnk:6,5,4", "c3 c2 d4"), ("connect4", "44")],
    CODINGAME: [
        ("basic", ""),
        ("mnk:3,3,3", "b2"),
        ("ultimate", ""),
        ("ultimate", "55"),
        ("ultimate:tie=boards", "19"),
        ("ultimate:won=open", ""),
        ("ultimate:tie=boards,won=open", "51"),
    ],
    GOMOCUP: [("mnk:7,7,5", ""), ("mnk:8,6,5", "d4"), ("mnk:15,15,5", "h8 h9 g8 i9")],
    NINEBOARD: [("advanced:full=draw", "55"), ("advanced:full=draw", "19")],
}


class Scripted(Bot):
    """A bot that plays a given list of moves."""

    def __init__(self, start: Position, moves: str) -> None:
        words = moves.split()
        texts = {start.move_text(move): move for move in start.legal_moves()}
        self.moves = iter([texts[word] for word in words])

    def new_game(self, setup: GameSetup) -> None:
        pass

    def choose(self, turn: Turn) -> Reply:  # noqa: ARG002
        return Reply(next(self.moves))

    def end_game(self, record: Record) -> None:
        pass

    def close(self) -> None:
        pass


def opened(text: str, **bounds: Any) -> Bot:
    return parse_entry(text, Bounds(start_seconds=60)._replace(**bounds)).open()


def play(
    bot: Bot | str,
    rules: str,
    opening: str = "",
    side: Player = Player.X,
    other: str | None = None,
    control: Control = PATIENT,
    seed: int = 1,
    **bounds: Any,
) -> Record:
    """Return the game of a bot against the given moves, or else against engine level 1."""
    start = noughts.game(rules)
    mine = opened(bot, **bounds) if isinstance(bot, str) else bot
    try:
        known = GAMES[start.name].__module__.startswith("noughts.")
        theirs = "engine:level=1" if known else "random"
        its: Bot = parse_entry(theirs).open() if other is None else Scripted(start, other)
        moves = noughts.parse_moves(start, opening)
        return play_game(start, moves, {side: mine, side.other: its}, control, seed, {})
    finally:
        if isinstance(bot, str):
            mine.close()


def at(rules: str, moves: str = "", limit: Limit = Limit(), **more: Any) -> Turn:  # noqa: B008
    start = noughts.game(rules)
    played = noughts.parse_moves(start, moves)
    position = start
    for move in played:
        position = position.play(move)
    return Turn(start, played, position, limit, 60, **more)


def program(folder: Path, text: str) -> str:
    """Return a command that runs a Python program."""
    path = folder / "bot.py"
    path.write_text(text)
    return f"{PYTHON} {path}"


@pytest.mark.parametrize(
    ("bot", "rules", "opening", "side"),
    [
        pytest.param(bot, *game, side, marks=() if game in games[::3] else pytest.mark.soak)
        for bot, games in GAMES_OF.items()
        for game in games
        for side in Player
        # CodinGame's protocol cannot tell a bot of a first move that was played for it.
        if not (bot == CODINGAME and game[1] and side is Player.X)
    ],
    ids=lambda value: str(value).replace(str(BOTS), "").replace(PYTHON, ""),
)
def test_example_bot_plays_its_games(bot: str, rules: str, opening: str, side: Player) -> None:
    entry, start = parse_entry(bot), noughts.game(rules)
    assert entry.refusal(start, noughts.parse_moves(start, opening), side) is None
    record = play(bot, rules, opening, side)
    assert record.termination in [each.value for each in Termination], record.tags["Fault"]


def test_accepted_openings_mislead_no_bot() -> None:
    """A bot that had a wrong position would answer with an illegal move or take another cell."""
    rng, games = random.Random(14), 0
    for bot, all_games in GAMES_OF.items():
        if bot.partition(":")[0] not in ("codingame", "gomocup", "nineboard"):
            continue
        for rules in sorted({rules for rules, _ in all_games}):
            for plies in range(4):
                opening: list[str] = []
                position = noughts.game(rules)
                for _ in range(plies):
                    move = rng.choice(position.legal_moves())
                    opening.append(position.move_text(move))
                    position = position.play(move)
                for side in Player:
                    start, moves = noughts.game(rules), " ".join(opening)
                    told = noughts.parse_moves(start, moves)
                    if parse_entry(bot).refusal(start, told, side) is not None:
                        assert bot != GOMOCUP
                        continue
                    if bot == CODINGAME:
                        assert not plies or (plies == 1 and side is Player.O)
                    record = play(bot, rules, moves, side)
                    assert "Fault" not in record.tags, record.tags["Fault"]
                    games += 1
    assert games > 40


@pytest.mark.parametrize("plies", ["1", "2"])
def test_a_match_that_would_mislead_a_bot_does_not_begin(plies: str, tmp_path: Path) -> None:
    names = [f"site={CODINGAME}", "random", "--game", "ultimate", "--pairs", "1"]
    done = run("match", *names, "--plies", plies, "--out", str(tmp_path / "games.jsonl"))
    assert done.returncode == 2
    assert "site: a CodinGame bot learns only its opponent's last move" in done.stderr
    assert "play with --plies 0" in done.stderr
    assert not (tmp_path / "games.jsonl").exists() or not (tmp_path / "games.jsonl").read_text()
    done = run("match", *names, "--plies", "0", "--seed", "3")
    assert done.returncode == 0, done.stderr


def test_every_kind_has_an_example() -> None:
    tried = {bot.partition(":")[0] for bot in GAMES_OF}
    assert tried | {"uci", "openspiel", "chat"} == {*KINDS}


@pytest.mark.usefixtures("nim")
@pytest.mark.parametrize("side", Player, ids=str)
def test_function_plays_a_registered_game(side: Player) -> None:
    record = play(CHOOSE, "nim", "a1", side)
    assert record.termination == "rules", record.tags


def test_game_seed_seeds_random() -> None:
    with closing(opened(CHOOSE)) as bot:
        games = [play(bot, "ultimate", "55", other=None, seed=seed).moves for seed in (1, 2, 1)]
    assert games[0] == games[2] != games[1]


# Refusals before a game.


@pytest.mark.parametrize(
    ("bot", "rules", "opening", "reason"),
    [
        (KAGGLE, "mnk:7,6,4", "", "a ConnectX agent plays connect4 of any size, not mnk:7,6,4"),
        (CS50, "mnk:3,3,3,misere", "", "the CS50 project plays basic and mnk:3,3,3, not"),
        (AIMA, "ultimate", "", "an AIMA player plays basic, mnk and connect4, not ultimate"),
        (CODINGAME, "advanced", "", "a CodinGame bot plays ultimate and basic mnk:3,3,3, not"),
        (CODINGAME, "ultimate", "55", "play with --plies 0"),
        (CODINGAME, "ultimate", "55 51", "learns only its opponent's last move"),
        (CODINGAME, "basic", "5", "behind an opening with one of its own moves"),
        (GOMOCUP, "mnk:7,7,4", "", "plays five in a row, mnk:M,N,5[,exact], not mnk:7,7,4"),
        (GOMOCUP, "mnk:7,7,5,misere", "", "not mnk:7,7,5,misere"),
        (NINEBOARD, "advanced", "55", "plays advanced:full=draw, not advanced"),
        (NINEBOARD, "advanced:full=draw", "", "an agent needs openings of one move"),
        (NINEBOARD, "advanced:full=draw", "55 54", "an agent needs openings of one move"),
    ],
)
def test_kind_refuses_unsupported_rules(bot: str, rules: str, opening: str, reason: str) -> None:
    start = noughts.game(rules)
    refusal = parse_entry(bot).refusal(start, noughts.parse_moves(start, opening), Player.X)
    assert refusal is not None
    assert reason in refusal


def test_bots_without_positions_refuse_a_position() -> None:
    start = noughts.game("ultimate").play(36)
    for side in Player:
        refusal = parse_entry(CODINGAME).refusal(noughts.position(str(start)), [], side)
        assert refusal is not None
        assert "opening" in refusal


@pytest.mark.usefixtures("nim")
def test_engine_refuses_a_registered_game() -> None:
    start = noughts.game("nim")
    assert parse_entry("engine").refusal(start, (), Player.X) == "the engine does not know nim"
    assert parse_entry("negamax").refusal(start, (), Player.X) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("python:", "expected python:FILE.py:function"),
        ("python:missing.py:choose", "there is no file missing.py"),
        (f"python:{BOTS}/my_bot.py", "no function is named; expected"),
        (f"python:{BOTS}/my_bot.py:is it", "'is it' is not the name of a function"),
        ("python:math", "no function is named"),
        ("python:my-package:choose", "is neither a file that ends in .py nor module:function"),
        ("kaggle:agent", "'agent' is neither a file that ends in .py nor module:function"),
        (f"{CS50}:minimax", "write the file alone, without :minimax"),
        (f"aima:{BOTS}/aima_player.py", "no function is named; expected"),
        ("codingame:no-such-program", "there is no program"),
        ("gomocup:'unclosed", "closing quotation"),
        ("nineboard:  ", "expected nineboard:COMMAND"),
    ],
)
def test_wrong_bot_names_are_refused(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_entry(text)
    assert refused.value.field == "BOT"
    assert reason in refused.value.reason


# Arguments and return values of functions.


def test_connectx_agent_gets_observation_and_configuration() -> None:
    turn = at("connect4", "445", Limit(seconds=0.5), clocks=Clocks(9.0, 3.5))
    observation, configuration = kaggle.asked(turn)
    rows = [observation.board[row * 7 : row * 7 + 7] for row in range(6)]
    assert rows == [[0] * 7] * 4 + [[0, 0, 0, 2, 0, 0, 0], [0, 0, 0, 1, 1, 0, 0]]
    assert observation["mark"] == observation.mark == 2
    assert (observation.step, observation.remainingOverageTime) == (3, 3.0)
    assert (configuration.columns, configuration["rows"], configuration.inarow) == (7, 6, 4)
    assert configuration.actTimeout == configuration.timeout == 0.5
    observation.note = "kept"
    assert observation["note"] == "kept"
    with pytest.raises(AttributeError):
        _ = observation.nothing
    assert kaggle.asked(at("connect4"))[1].actTimeout == kaggle.ACT_SECONDS


def test_agent_is_the_last_callable_and_gets_the_arguments_it_takes(tmp_path: Path) -> None:
    path = tmp_path / "agents.py"
    path.write_text(
        "import random\nfrom math import sqrt\n"
        "def first(obs, config): return 1\n"
        "def second(obs): return obs.board.index(0) + obs['step']\n"
        "first = first\nnumber = 6\n"
    )
    turn = at("connect4:5,4", "1")
    assert kaggle.load(str(path))(turn).text == "2"
    assert kaggle.load(f"{path}:first")(turn).text == "2"
    path.write_text("board = 1\n")
    with pytest.raises(LookupError, match="makes no function that could be the agent"):
        kaggle.load(str(path))


KAGGLE_FILES = """
import os, sys
sys.path.append("/kaggle_simulations/agent")
import helper
with open("/kaggle_simulations/agent/data/column.txt") as file:
    column = int(file.read())
assert os.path.exists("/kaggle_simulations/agent/main.py")
assert "helper.py" in os.listdir("/kaggle_simulations/agent")
def agent(observation, configuration):
    return column + helper.MORE
"""


@pytest.mark.parametrize("form", ["main.py", "submission.tar.gz", "submission.zip"])
def test_kaggle_submission_of_several_files(form: str, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    (folder / "data").mkdir(parents=True)
    (folder / "main.py").write_text(KAGGLE_FILES)
    (folder / "helper.py").write_text("MORE = 1\n")
    (folder / "data" / "column.txt").write_text("2\n")
    path = folder / form
    if form != "main.py":
        name, _, kind = form.partition(".")
        archive = "gztar" if kind == "tar.gz" else kind
        path = Path(shutil.make_archive(str(tmp_path / name), archive, folder))
    with closing(opened(f"kaggle:{path}")) as bot:
        for _ in range(2):
            bot.new_game(GameSetup(noughts.game("connect4"), Player.X, PATIENT, 1))
            assert bot.choose(at("connect4")).move == 3


@pytest.mark.parametrize(
    ("data", "reason"), [(b"no archive", "cannot be unpacked"), (None, "has no main.py at its top")]
)
def test_damaged_kaggle_archives_are_named(data: bytes | None, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "submission.tar.gz"
    if data is None:
        with tarfile.open(path, "w:gz"):
            pass
    else:
        path.write_bytes(data)
    with pytest.raises(Fault) as fault:
        opened(f"kaggle:{path}")
    assert reason in fault.value.message
    with pytest.raises(NotationError, match="There is no file"):
        parse_entry(f"kaggle:{tmp_path}/none.zip")


def test_function_runs_in_another_python(tmp_path: Path) -> None:
    """One with a package that this one lacks."""
    venv.create(tmp_path / "its", symlinks=True)
    (packages,) = (tmp_path / "its").glob("lib/python*/site-packages")
    (packages / "only_there.py").write_text("CELL = 4\n")
    path = tmp_path / "bot.py"
    path.write_text("import only_there\ndef choose(position): return only_there.CELL\n")
    entry = parse_entry(f"python:{path}:choose")
    with pytest.raises(Fault, match="No module named 'only_there'"):
        entry.open()
    python = str(tmp_path / "its" / "bin" / "python")
    with closing(entry._replace(python=python).open()) as bot:
        bot.new_game(GameSetup(noughts.game("basic"), Player.X, PATIENT, 1))
        assert bot.choose(at("basic")).move == 4
    done = run("match", f"bot=python:{path}:choose", "random", "--game", "basic", "--python", "no")
    assert (done.returncode, done.stderr) == (2, "noughts: --python: there is no Python no.\n")


def test_aima_game_has_our_rules() -> None:
    rng = random.Random(6)
    for rules in ("basic", "mnk:4,3,3", "mnk:3,5,3,misere", "connect4:4,5", "connect4:5,4,3"):
        for _ in range(20):
            position = noughts.game(rules)
            assert isinstance(position, RowPosition)
            game = aima.AimaGame(position.rules)
            state = game.initial
            columns = position.rules.columns
            while (outcome := position.outcome()) is None:
                assert state == aima.state_of(position)
                assert not game.terminal_test(state)
                cells = {(position.cell(move)): move for move in position.legal_moves()}
                at_xy = {(cell // columns + 1, cell % columns + 1): cell for cell in cells}
                assert set(game.actions(state)) == set(at_xy)
                choice = rng.choice(game.actions(state))
                state = game.result(state, choice)
                position = position.play(cells[at_xy[choice]])
            assert game.terminal_test(state)
            worth = {Player.X: 1, Player.O: -1, None: 0}[outcome.winner]
            assert (game.utility(state, "X"), game.utility(state, "O")) == (worth, -worth)
            assert game.result(state, (1, 9)) == state


def test_aima_board_is_displayed_row_by_row(capsys: pytest.CaptureFixture[str]) -> None:
    turn = at("connect4:4,4", "213")
    assert isinstance(turn.position, RowPosition)
    game = aima.AimaGame(turn.position.rules)
    game.display(aima.state_of(turn.position))
    assert capsys.readouterr().out == ". . . .\n. . . .\n. . . .\nO X X .\n"


def test_cs50_file_may_define_its_own_marks(tmp_path: Path) -> None:
    path = tmp_path / "tictactoe.py"
    path.write_text(
        "X = 1\nO = 2\nEMPTY = 0\n"
        "def minimax(board):\n    assert board == [[1, 0, 0], [0, 2, 0], [0, 0, 0]], board\n"
        "    board[2][1] = 9\n    return (2, 1)\n"
    )
    assert cs50.load(str(path))(at("basic", "15")).text == "8"


@pytest.mark.parametrize(
    ("answer", "text"),
    [(8, "c3"), ("c3", "c3"), (" b1 ", "b1"), (True, "b1"), (None, "<None>"), (1.0, "<1.0>")],
)
def test_accepted_return_values_of_a_function(answer: object, text: str) -> None:
    choose = choose_by(lambda _: answer)
    assert choose(at("mnk:3,3,3")) == (answer, text)


FAULTS = {
    "raise KeyError('no idea')": ("crash", "KeyError: 'no idea' (line 2 of bot.py)"),
    "return None": ("garbage", "it returned None in basic~X2.3.3~O; expected a legal move"),
    "return 'the middle'": ("garbage", "it returned 'the middle' in"),
    "return 0": ("illegal move", "such as 1, or its text, such as '2'"),
    "raise SystemExit": ("early exit", ""),
    "return input()": ("crash", "EOFError"),
    "import time; time.sleep(600)": ("hang", "it returned no move within"),
}
PROTOCOL = ("adapters", "bestmove", "movetime", "isready")
"""Words of the host's process, which is not the author's concern."""


@pytest.mark.parametrize("body", FAULTS)
def test_faults_of_a_function(body: str, tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(f"def choose(position):\n    {body}\n")
    hangs = "sleep" in body
    control = Control(seconds=0.1) if hangs else PATIENT
    record = play(f"python:{path}:choose", "basic", "1", Player.O, control=control)
    verdict, message = FAULTS[body]
    assert (record.result, record.termination) == ("1-0", verdict)
    assert message in record.tags["Fault"]
    assert not [word for word in PROTOCOL if word in record.tags["Fault"]]


@pytest.mark.parametrize(
    ("kind", "function", "body", "rules", "moves", "fault"),
    [
        ("kaggle", "agent(o, c)", "return 3", "connect4:4,4", "4444", "it returned 3 in"),
        ("kaggle", "agent(o, c)", "return '1'", "connect4:4,4", "44", "it returned '1' in"),
        (
            "kaggle",
            "agent(o, c)",
            "return 1.5",
            "connect4:4,4",
            "44",
            "a column with an empty cell",
        ),
        ("cs50", "minimax(board)", "return (0, (1, 2))", "basic", "", "it returned (0, (1, 2)) in"),
        ("cs50", "minimax(board)", "return None", "basic", "", "counted from 0, such as (0, 0)"),
        ("aima", "play(game, state)", "return (1, 1)", "basic", "15", "such as (1, 2)"),
        ("aima", "play(game, state)", "return (1, 1)", "connect4:4,4", "14", "it returned (1, 1)"),
    ],
)
def test_fault_is_told_in_terms_of_the_function(
    kind: str, function: str, body: str, rules: str, moves: str, fault: str, tmp_path: Path
) -> None:
    path = tmp_path / "bot.py"
    path.write_text(f"def {function}:\n    {body}\n")
    named = ":play" if kind == "aima" else ""
    record = play(f"{kind}:{path}{named}", rules, moves)
    assert fault in record.tags["Fault"]
    assert not [word for word in PROTOCOL if word in record.tags["Fault"]]


def test_traceback_begins_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("import helper\ndef choose(position):\n    return helper.choose(position)\n")
    (tmp_path / "helper.py").write_text(
        "def choose(position):\n    return position.play(0).cells\n"
    )
    fault = play(f"python:{path}:choose", "basic", "1", Player.O).tags["Fault"]
    lines = [line.strip() for line in fault.splitlines()]
    files = [line for line in lines if line.startswith("File")]
    assert [str(tmp_path) in line for line in files[:2]] == [True, True], fault


def test_printed_text_is_not_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(
        "import os, sys\nprint('bestmove 9')\n"
        "def choose(position, seconds):\n"
        "    assert seconds == 60, seconds\n"
        "    print('bestmove 9'); os.system('echo bestmove 9'); sys.stdout.write('best')\n"
        "    return position.legal_moves()[0]\n"
    )
    record = play(f"python:{path}:choose", "basic", other="7 8 9", log=tmp_path / "log")
    assert [noughts.game("basic").move_text(move) for move in record.moves] == list("17283")
    (log,) = (tmp_path / "log").iterdir()
    assert log.read_text().count("bestmove 9") >= 6


def test_bot_keeps_no_state_between_games(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(
        "class Bot:\n    games = 0\n"
        "    def __init__(self): Bot.games += 1\n"
        "    def __call__(self, position): return position.legal_moves()[self.games]\n"
    )
    with closing(opened(f"python:{path}:Bot")) as bot:
        games = [play(bot, "basic", side=Player.X, other="9 8 7 6").moves[0] for _ in range(3)]
    assert games == [1, 1, 1]


def test_helpers_keep_no_state_between_games(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    for name in ("helper", "parts/__init__", "parts/inner"):
        (tmp_path / f"{name}.py").write_text("games = []\n")
    path = tmp_path / "bot.py"
    path.write_text(
        "import helper, parts.inner\nmet = [helper.games, parts.games, parts.inner.games]\n"
        "for games in met: games.append(1)\n"
        "def choose(position): return position.legal_moves()[sum(map(len, met))]\n"
    )
    with closing(opened(f"python:{path}:choose")) as bot:
        games = [play(bot, "basic", side=Player.X, other="9 8 7 6").moves[0] for _ in range(3)]
    assert games == [3, 3, 3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("def chose(position): pass", "has no choose; it has chose"),
        ("def choose(:", "SyntaxError"),
        ("choose = 3", "int cannot be called; a bot is a function, or a class with __call__"),
        ("class choose: ...", "choose cannot be called; a bot is a function, or a class with"),
    ],
)
def test_invalid_bot_files_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(text)
    with pytest.raises(Fault, match="crash") as fault:
        opened(f"python:{path}:choose")
    assert message in fault.value.message
    assert "adapters" not in fault.value.message


# Messages to programs, word for word, and faults of programs.

CODINGAME_SCRIBE = """
import sys
answers = iter(sys.argv[2:])
while True:
    lines = [input(), input()]
    lines += sorted(input() for _ in range(int(lines[1])))
    with open(sys.argv[1], "a") as log:
        print(*lines, sep="\\n", file=log)
    print(next(answers))
"""


def test_codingame_input(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = program(tmp_path, CODINGAME_SCRIBE)
    bot = f"codingame:{command} {log} '0 0 hello' '1 1' '2 2'"
    record = play(bot, "basic", other="2 3")
    assert record.result == "1-0"
    cells = [f"{row} {column}" for row in range(3) for column in range(3)]
    assert log.read_text().splitlines() == [
        *("-1 -1", "9", *cells),
        *("0 1", "7", *cells[2:]),
        *("0 2", "5", "1 0", "1 2", "2 0", "2 1", "2 2"),
    ]


def test_codingame_cells_are_counted_over_the_whole_board(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = program(tmp_path, CODINGAME_SCRIBE)
    record = play(f"codingame:{command} {log} '2 7'", "ultimate", "65", Player.O)
    told = log.read_text().splitlines()
    # 65 is cell 5 of board 6: row 4, column 7; the answer has to be on board 5.
    assert told[:2] == ["4 7", "9"]
    assert told[2:] == [f"{row} {column}" for row in (3, 4, 5) for column in (3, 4, 5)]
    assert record.termination == "illegal move"
    assert "it answered 2 7; it was offered 3 3, 3 4, 3 5, 4 3," in record.tags["Fault"]


GOMOCUP_SCRIBE = """
import sys
answers = iter(sys.argv[2:])
for line in sys.stdin.buffer:
    assert b"\\r" not in line
    line = line.decode().strip()
    with open(sys.argv[1], "a") as log:
        print(line, file=log)
    word = line.split()[0]
    if word in ("START", "RECTSTART", "RESTART"):
        print("MESSAGE hello\\nOK", flush=True)
    elif word in ("BEGIN", "TURN", "DONE"):
        print("DEBUG thinking\\n\\n" + next(answers), end="\\r\\n", flush=True)
    elif word == "END":
        break
"""
INFOS = [
    "INFO timeout_turn 60000",
    "INFO timeout_match 0",
    "INFO max_memory 0",
    "INFO game_type 1",
    "INFO rule 0",
]
UNLIMITED = "INFO time_left 2147483647"


def test_gomocup_commands(tmp_path: Path) -> None:
    log = tmp_path / "log"
    answers = "1,1 1,2 2,2 3,3 6,5 5,5 4,5 3,5 2,5"
    with closing(opened(f"gomocup:{program(tmp_path, GOMOCUP_SCRIBE)} {log} {answers}")) as bot:
        record = play(bot, "mnk:7,6,5", "a1 b1 c1", Player.O, "a2 a3 a4 a5")
        assert record.result == "1-0", record.tags
        record = play(bot, "mnk:7,6,5", "", Player.X, "a1 b1 c1 d1")
        assert record.result == "1-0", record.tags
    assert log.read_text().splitlines() == [
        *("RECTSTART 7,6", *INFOS),
        *(UNLIMITED, "BOARD", "0,0,2", "1,0,1", "2,0,2", "DONE"),
        *(UNLIMITED, "TURN 0,1", UNLIMITED, "TURN 0,2", UNLIMITED, "TURN 0,3"),
        *("RESTART", *INFOS),
        *(UNLIMITED, "BEGIN"),
        *(UNLIMITED, "TURN 0,0", UNLIMITED, "TURN 1,0", UNLIMITED, "TURN 2,0"),
        *(UNLIMITED, "TURN 3,0", "END"),
    ]


def test_gomocup_brain_is_sent_the_rule(tmp_path: Path) -> None:
    log = tmp_path / "log"
    bot = f"gomocup:{program(tmp_path, GOMOCUP_SCRIBE)} {log} 1,1 x"
    play(bot, "mnk:7,7,5,exact", "d4", Player.O, "d5")
    assert "INFO rule 1" in log.read_text().splitlines()


def test_gomocup_brain_is_sent_clock_and_memory(tmp_path: Path) -> None:
    log = tmp_path / "log"
    bot = f"gomocup:{program(tmp_path, GOMOCUP_SCRIBE)} {log} 0,0 x"
    control = Control(clock=90, increment=1)
    play(bot, "mnk:7,7,5", "d4", Player.O, "d5", control, memory_mib=4096)
    told = log.read_text().splitlines()
    assert told[:4] == [
        "START 7",
        "INFO timeout_turn 90000",
        "INFO timeout_match 90000",
        "INFO max_memory 4294967296",
    ]
    assert told[6:8] == ["INFO time_left 90000", "TURN 3,3"]
    left = int(told[8].split()[-1])
    assert 1_000 < left <= 91_000


def test_stones_of_a_position_alternate(tmp_path: Path) -> None:
    log = tmp_path / "log"
    start = noughts.position("mnk:6,5,5~O1XX2.6.6.6.5O~X")
    with closing(opened(f"gomocup:{program(tmp_path, GOMOCUP_SCRIBE)} {log} 1,1 x")) as bot:
        play_game(start, [], {Player.X: bot, Player.O: Scripted(start, "a5")}, PATIENT, 1, {})
    told = log.read_text().splitlines()
    told = told[told.index("BOARD") + 1 : told.index("DONE")]
    assert told == ["2,0,1", "0,0,2", "3,0,1", "5,4,2"]


def test_brain_without_restart_is_started_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    text = (
        GOMOCUP_SCRIBE.replace(', "RESTART"', "")
        + """
    elif word == "RESTART":
        print("UNKNOWN", flush=True)
"""
    )
    with closing(opened(f"gomocup:{program(tmp_path, text)} {log} 0,1 1,1 2,1 3,1 4,1")) as bot:
        for _ in range(2):
            assert play(bot, "mnk:7,7,5", other="a1 b1 c1 d1").result == "1-0"
    assert [line.split()[0] for line in log.read_text().splitlines() if "INFO" not in line] == [
        *("START", "BEGIN", "TURN", "TURN", "TURN", "TURN"),
        *("RESTART", "END", "START", "BEGIN", "TURN", "TURN", "TURN", "TURN", "END"),
    ]


NINEBOARD_SCRIBE = """
import socket, sys
with open(sys.argv[1], "a+") as log:
    log.seek(0)
    answers = iter([*sys.argv[2:-2], ""][log.read().count("init.")])
assert sys.argv[-2] == "-p"
with socket.create_connection(("localhost", int(sys.argv[-1]))) as server:
    for line in server.makefile():
        print("board " * 10_000)
        with open(sys.argv[1], "a") as log:
            log.write(line)
        if "_move(" in line and "last" not in line:
            server.sendall(f"{next(answers)}\\n".encode())
        if line.startswith(("win", "loss", "end")):
            break
"""


def test_nineboard_messages(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with closing(opened(f"nineboard:{program(tmp_path, NINEBOARD_SCRIBE)} {log} 123 55")) as bot:
        assert play(bot, "advanced:full=draw", "55", Player.O, "15 25").result == "0-1"
        assert play(bot, "advanced:full=draw", "55", Player.X, "51 52 53").result == "0-1"
    assert log.read_text().splitlines() == [
        *("init.", "start(o).", "second_move(5,5).", "next_move(5).", "next_move(5)."),
        "win(triple).",
        *("init.", "start(x).", "third_move(5,5,1).", "next_move(2).", "last_move(3)."),
        "loss(triple).",
    ]


FILLED = "55 54 45 53 35 51 15 58 88 85 56 65 57 75 52 25 59 95"


@pytest.mark.parametrize(
    ("side", "moves", "result", "termination", "told"),
    [
        (Player.O, "55 51", "0-1", "illegal move", ["win(illegal_move)."]),
        (Player.O, "55 51", "0-1", "crash", ["win(illegal_move)."]),
        (Player.O, "55 51", "0-1", "time forfeit", ["win(timeout)."]),
        (Player.O, "55", "1-0", "hang", ["loss(timeout)."]),
        (Player.O, "55 51", "1/2-1/2", "adjudication", ["draw(triple)."]),
        (Player.O, FILLED, "1/2-1/2", "target", ["draw(full_board)."]),
        (Player.X, FILLED, "1/2-1/2", "target", ["last_move(5).", "draw(full_board)."]),
    ],
)
def test_nineboard_agent_is_sent_the_result(
    side: Player, moves: str, result: str, termination: str, told: list[str], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    start = noughts.game("advanced:full=draw")
    played = noughts.parse_moves(start, moves)
    with closing(opened(f"nineboard:{program(tmp_path, NINEBOARD_SCRIBE)} {log}")) as bot:
        bot.new_game(GameSetup(start, side, PATIENT, 1))
        bot.end_game(Record.from_moves(start, played, result=result, termination=termination))
    ending = [] if told[-1].startswith(("win", "loss")) else ["end."]
    assert log.read_text().splitlines()[2:] == [*told, *ending]


CONNECT = "import socket, sys\ns = socket.create_connection(('localhost', int(sys.argv[-1])))\n"
WRONG = {
    "debugging where answers belong": (
        *("codingame", "input()\nprint('my turn')\nprint('1 1')"),
        *("garbage", "it answered 'my turn'; expected a row and a column, such as `"),
    ),
    "a number too few": ("codingame", "print('1')", "garbage", "it answered '1'; expected"),
    "no such cell": ("codingame", "print('-1 3')", "illegal move", "it answered -1 3; it was"),
    "the end": ("codingame", "input()", "early exit", "exit status 0"),
    "a failure": ("codingame", "int('x')", "crash", "ValueError: invalid literal"),
    "no line": (
        *("codingame", "import sys, time; print('1 1', end='', flush=True); time.sleep(600)"),
        *("hang", "it wrote '1 1' without an end of line"),
    ),
    "a board too small": ("gomocup", "print('ERROR 20 only')", "garbage", "`OK` to `START 7`"),
    "a silent brain": ("gomocup", "import time; time.sleep(600)", "slow start", "`OK`"),
    "no coordinates": (
        *("gomocup", "print('OK'); print('ERROR I am lost')"),
        *("garbage", "'ERROR I am lost'; expected column,row, such as `0,0`"),
    ),
    "off the board": ("gomocup", "print('OK'); print('7,6')", "illegal move", "rows 0 to 6"),
    "messages for ever": (
        *("gomocup", "print('OK')\nwhile True: print('MESSAGE' + ' wait' * 999)"),
        *("flood", "more than 16 MiB"),
    ),
    "nobody connects": ("nineboard", "import time; time.sleep(600)", "slow start", "to port"),
    "nobody is there": ("nineboard", "", "early exit", "exit status 0"),
    "no cell": ("nineboard", CONNECT + "s.sendall(b'one\\n')\ninput()", "garbage", "'one'"),
    "ten": ("nineboard", CONNECT + "s.sendall(b'10\\n')\ninput()", "illegal move", "1 to 9"),
    "hung up": ("nineboard", CONNECT + "s.recv(99)\ns.close()", "early exit", "exit status 0"),
    "hung up, but alive": (
        *("nineboard", CONNECT + "s.recv(99)\ns.close()\ninput()"),
        *("early exit", "it closed its connection"),
    ),
    "a failing agent": (
        *("nineboard", CONNECT + "s.recv(99)\nint('x')"),
        *("crash", "ValueError: invalid literal"),
    ),
    "a silent agent": ("nineboard", CONNECT + "input()", "hang", "no answer came"),
}
RULES = {"codingame": "basic", "gomocup": "mnk:7,7,5", "nineboard": "advanced:full=draw"}


def held() -> tuple[int, str]:
    """Return the number of open files and children of this process, or (0, 0) without /proc."""
    own = Path("/proc/self")
    if not own.exists():
        return 0, ""
    children = own / "task" / str(os.getpid()) / "children"
    return len(list((own / "fd").iterdir())), children.read_text()


@pytest.mark.parametrize("wrong", WRONG)
def test_faults_of_programs(wrong: str, tmp_path: Path) -> None:
    kind, text, verdict, message = WRONG[wrong]
    bot = f"{kind}:{program(tmp_path, text)}"
    opening, side = ("55", Player.O) if kind == "nineboard" else ("", Player.X)
    control = Control(seconds=0.4) if verdict == "hang" else PATIENT
    start_seconds = 4 if verdict == "slow start" else 60
    entry = parse_entry(bot, Bounds(start_seconds=start_seconds))
    before = held()
    # A nine-board agent starts before its game, other bots with it.
    try:
        opened = entry.open()
    except Fault as fault:
        found, told = fault.verdict.value, fault.message
    else:
        with closing(opened):
            record = play(opened, RULES[kind], opening, side, control=control)
        found, told = record.termination, record.tags["Fault"]
    assert found == verdict, told
    assert message in told
    assert held() == before


def test_suggested_move_is_played(tmp_path: Path) -> None:
    text = (
        "input()\nprint('OK', flush=True)\n"
        "while input() != 'BEGIN': pass\n"
        "print('SUGGEST 3,2', flush=True)\nprint(input().split()[1])\n"
    )
    record = play(f"gomocup:{program(tmp_path, text)}", "mnk:7,7,5")
    assert noughts.game("mnk:7,7,5").move_text(record.moves[0]) == "d3"
