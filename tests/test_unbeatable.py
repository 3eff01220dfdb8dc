"""`noughts unbeatable`: compared with plain recursion over all games of many strategies."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

import pytest
from command import run
from naive import ROWS_OF_THREE

import noughts
from noughts.analysis import Analyser
from noughts.arena.bot import Entry, parse_entry
from noughts.arena.control import Control
from noughts.arena.play import FunctionEntry
from noughts.games import record as records
from noughts.games.position import Player, Position
from noughts.games.row import RowPosition
from noughts.opponents import opponent
from noughts.school.asking import Asker, Nature, nature, needs_whole_games
from noughts.school.judged_moves import EarlyMoves, best_points, decisive, exact_points
from noughts.school.unbeatable import BotFailed, LostGame, SideSearch, UnbeatableReport

Strategy = Callable[[str], int]
"""The cell that a bot takes on a board of nine characters, `X`, `O` or `.`."""

BOTS = Path(__file__).parent / "bots"
FAULTY = f"{sys.executable} {BOTS / 'faulty.py'}"
EMPTY = "." * 9


# Tic-tac-toe once more, as a text of nine characters ----------------------------------------------


def winner(board: str) -> str | None:
    for a, b, c in ROWS_OF_THREE:
        if board[a] == board[b] == board[c] != ".":
            return board[a]
    return None


def free(board: str) -> list[int]:
    return [cell for cell in range(9) if board[cell] == "."]


def is_over(board: str) -> bool:
    return winner(board) is not None or "." not in board


def turn(board: str) -> str:
    return "XO"[board.count("X") > board.count("O")]


def played(board: str, cell: int) -> str:
    return board[:cell] + turn(board) + board[cell + 1 :]


@cache
def value(board: str) -> int:
    """Return 1, 0 or -1 for the side to move."""
    if is_over(board):
        return -1 if winner(board) else 0
    return max(-value(played(board, cell)) for cell in free(board))


class Games(NamedTuple):
    """All games of a strategy with one side, from plain recursion."""

    number: int
    shortest_loss: int | None
    boards: frozenset[str]
    """The boards on which the strategy chooses."""


def all_games(strategy: Strategy, side: str, board: str = EMPTY) -> Games:
    if is_over(board):
        lost = winner(board) not in (None, side)
        return Games(1, 9 - board.count(".") if lost else None, frozenset())
    own = turn(board) == side
    cells = [strategy(board)] if own else free(board)
    below = [all_games(strategy, side, played(board, cell)) for cell in cells]
    losses = [each.shortest_loss for each in below if each.shortest_loss is not None]
    boards = frozenset({board} if own else ()).union(*(each.boards for each in below))
    return Games(sum(each.number for each in below), min(losses, default=None), boards)


# Bots of this process -----------------------------------------------------------------------------


def board_of(position: Position) -> str:
    assert isinstance(position, RowPosition)
    return "".join(str(position.mark(cell) or ".") for cell in range(9))


def bot(function: object) -> Entry:
    entry = FunctionEntry("mine", "python:mine")
    entry.function = function  # type: ignore[assignment]
    return entry


def bot_of(strategy: Strategy) -> Entry:
    return bot(lambda position: strategy(board_of(position)))


def search(
    entry: Entry, side: Player, answers: int = 1, limit: int = 100_000, *, whole: bool = False
) -> SideSearch:
    with Asker(entry, noughts.game("basic"), side, Control(), whole_games=whole) as asker:
        found = SideSearch(asker, answers, limit)
        found.run()
    return found


def careless(seed: int) -> Strategy:
    """Return a strategy that takes any cell, always the same on a board."""
    return lambda board: random.Random(f"{seed}{board}").choice(free(board))


def best_cells(board: str) -> list[int]:
    return [cell for cell in free(board) if -value(played(board, cell)) == value(board)]


def careful(seed: int) -> Strategy:
    """Return a strategy that never gives anything away."""
    return lambda board: random.Random(f"{seed}{board}").choice(best_cells(board))


def slips(seed: int) -> Strategy:
    """Return a strategy that gives something away on some boards with at least four marks."""

    def choose(board: str) -> int:
        careless_here = board.count(".") < 6 and random.Random(f"{board}{seed}").random() < 0.1
        return (careless if careless_here else careful)(seed)(board)

    return choose


# Lines --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seeds", [5, pytest.param(200, marks=pytest.mark.soak)])
def test_all_lines_are_those_of_plain_recursion(seeds: int) -> None:
    kept = lost = 0
    for seed in range(seeds):
        for strategy in (careless(seed), slips(seed), careful(seed)):
            for side in Player:
                found, games = search(bot_of(strategy), side), all_games(strategy, side.value)
                assert (found.lost and found.lost.plies) == games.shortest_loss
                assert found.never_loses == (games.shortest_loss is None)
                if found.lost is None:
                    assert (found.lines, found.positions) == (games.number, len(games.boards))
                    kept += 1
                    continue
                board = EMPTY
                for cell in found.lost.moves:
                    assert turn(board) != side.value or cell == strategy(board)
                    board = played(board, cell)
                assert winner(board) == side.other.value
                lost += 1
    assert kept >= 2 * seeds
    assert lost >= 2 * seeds


def test_whole_games_count_the_same_lines() -> None:
    for side in Player:
        merged, whole = (search(bot_of(careful(1)), side, whole=each) for each in (False, True))
        assert merged.lines == whole.lines
        assert merged.positions == whole.positions == merged.questions < whole.questions


def test_an_opponent_that_never_loses() -> None:
    player = opponent("alphabeta")
    start = noughts.game("basic")

    @cache
    def strategy(board: str) -> int:
        position = start
        marks = {mark: [cell for cell in range(9) if board[cell] == mark] for mark in "XO"}
        for ply in range(9 - board.count(".")):
            position = position.play(marks["XO"[ply % 2]][ply // 2])
        move = player.choose(position).move
        assert move is not None
        return move

    for side in Player:
        games = all_games(strategy, side.value)
        found = search(parse_entry("alphabeta"), side)
        assert games.shortest_loss is None
        assert found.never_loses
        assert (found.lines, found.plies) == (games.number, 9)


class Forgetful:
    """Plays well, but errs at its second move of a game."""

    def __init__(self) -> None:
        self.moves = 0

    def __call__(self, position: Position) -> int:
        self.moves += 1
        board = board_of(position)
        worst = min(free(board), key=lambda cell: -value(played(board, cell)))
        return worst if self.moves == 2 else best_cells(board)[0]


def test_whole_games_reveal_a_bot_with_memory() -> None:
    assert search(bot(Forgetful), Player.O).never_loses
    assert search(bot(Forgetful), Player.O, whole=True).lost is not None


class Latecomer(Forgetful):
    """Plays well, but errs if its first move comes late in the game."""

    def __call__(self, position: Position) -> int:
        self.moves += 1
        board = board_of(position)
        worst = min(free(board), key=lambda cell: -value(played(board, cell)))
        return worst if self.moves == 1 and position.ply > 3 else best_cells(board)[0]


def test_a_loss_that_whole_games_do_not_repeat() -> None:
    found = search(bot(Latecomer), Player.X)
    assert found.lost is not None
    assert found.remembers
    assert search(bot(Latecomer), Player.X, whole=True).never_loses
    assert not search(bot_of(careless(0)), Player.O).remembers
    assert not search(parse_entry("random"), Player.O, 3).remembers


def test_the_command_plays_whole_games_if_the_bot_remembers(tmp_path: Path) -> None:
    source = """
        class choose:
            def __init__(self):
                self.first = True

            def __call__(self, position):
                first, self.first = self.first, False
                cells = [4, 0, 2, 6, 8, 1, 3, 5, 7] if not first or position.ply < 2 else range(9)
                return next(cell for cell in cells if cell in position.legal_moves())
    """
    done = run("unbeatable", write(tmp_path, source), "--ask", 1)
    whole = run("unbeatable", write(tmp_path, source), "--ask", 1, "--every-line")
    assert done.returncode == whole.returncode == 1
    assert "Every line was played as a separate game." in done.stdout
    assert done.stdout == whole.stdout


def test_different_answers_are_all_followed() -> None:
    draws = random.Random(1)
    lucky = bot(lambda position: draws.choice(best_cells(board_of(position))))
    searches = tuple(search(lucky, side, 5) for side in Player)
    report = UnbeatableReport("mine", Nature.UNKNOWN, 5, searches)
    assert (report.verdict, report.passed, report.lost) == ("no loss found", True, None)
    assert report.varied > 100
    for one in searches:
        for text, moves in one.strategy.items():
            best = best_cells(board_of(noughts.position(text)))
            assert {int(move) - 1 for move in moves} <= set(best)


def test_a_rare_mistake_is_found() -> None:
    draws = random.Random(1)

    def choose(position: Position) -> int:
        return (careful if draws.random() < 0.7 else careless)(0)(board_of(position))

    assert search(bot(choose), Player.O, 10).lost is not None


def test_an_illegal_move_loses() -> None:
    found = search(bot_of(lambda board: 4 if board.count(".") < 6 else free(board)[0]), Player.X)
    assert found.lost is not None
    assert found.lost.illegal
    assert found.lost.plies == 5
    assert found.lost.end.mark(4) is not None  # type: ignore[attr-defined]
    record = found.lost.record("mine")
    assert (record.result, record.termination) == ("0-1", "illegal move")
    record.check()


def test_a_limit_leaves_the_answer_open() -> None:
    strategy = careful(0)

    def lines(board: str, plies: int) -> int:
        if plies == 0 or is_over(board):
            return 1
        cells = [strategy(board)] if turn(board) == "X" else free(board)
        return sum(lines(played(board, cell), plies - 1) for cell in cells)

    plies = set()
    for limit in (1, 5, 20, 60):
        found = search(bot_of(strategy), Player.X, limit=limit)
        assert (found.is_complete, found.never_loses, found.lost) == (False, False, None)
        assert found.positions <= limit
        assert found.lines == lines(EMPTY, found.plies)
        plies.add(found.plies)
    assert len(plies) >= 3


def test_a_start_in_the_middle_of_a_game() -> None:
    start = noughts.position("basic~XX1.O2.O2~X")
    with Asker(bot_of(careful(0)), start, Player.O, Control()) as asker:
        found = SideSearch(asker)
        found.run()
    assert found.lost is not None
    assert found.lost.plies == 1
    assert str(found.lost.start) == str(start)


OWN_GAME = """
import noughts
from noughts.games.position import IllegalMove, Outcome, Player, Position


@noughts.register
class Matches(Position):
    '''Take 1 to 3 of 7 matches; the last one wins. Move 0 takes one match.'''

    name = "matches"

    def __init__(self, left=7, turn=Player.X):
        self.left, self._turn = left, turn

    turn = property(lambda self: self._turn)

    def legal_moves(self):
        return tuple(range(min(self.left, 3)))

    def play(self, move):
        if move not in self.legal_moves():
            raise IllegalMove(move, self, "there are too few")
        return Matches(self.left - move - 1, self._turn.other)

    def outcome(self):
        return None if self.left else Outcome(self._turn.other)

    def key(self):
        return self.left, self._turn

    def __str__(self):
        return f"matches~{self.left}~{self._turn}"
"""


def test_a_game_of_ones_own(tmp_path: Path) -> None:
    """X wins with a reply that leaves 4, and O cannot."""
    (tmp_path / "matches.py").write_text(OWN_GAME)
    own = ("--load", tmp_path / "matches.py", "unbeatable", "alphabeta", "--game", "matches")
    done = run(*own, "--json")
    sides = json.loads(done.stdout)["sides"]
    assert done.returncode == 1
    # X takes 3. O takes 1 to 3, and X the rest: one position after the first, and three lines.
    assert (sides["X"]["lost"], sides["X"]["positions"], sides["X"]["lines"]) == (None, 4, 3)
    assert sides["O"]["lost"]["plies"] == 3
    assert run(*own, "--plies", 7).returncode == 0


# Kinds of bots ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "seconds", "kind"),
    [
        ("minimax", None, Nature.FIXED),
        ("engine", None, Nature.FIXED),
        ("engine:level=4", None, Nature.CHANCE),
        ("engine:level=4,seed=1", None, Nature.FIXED),
        ("engine:threads=2", None, Nature.UNKNOWN),
        ("random", None, Nature.CHANCE),
        ("mcts", 0.1, Nature.CHANCE),
        ("mcts:seed=1", 0.1, Nature.UNKNOWN),
        ("alphabeta:seconds=1", None, Nature.UNKNOWN),
        ("perfect", None, Nature.FIXED),
        ("openspiel", None, Nature.UNKNOWN),
    ],
)
def test_nature(text: str, seconds: float | None, kind: Nature) -> None:
    assert nature(parse_entry(text), Control(seconds)) is kind


def test_a_seed_brings_chance() -> None:
    assert nature(parse_entry("minimax"), Control(), seed=1) is Nature.CHANCE


def test_bots_that_need_whole_games() -> None:
    start = noughts.game("basic")
    texts = {f"codingame:{sys.executable}": True, "random:seed=1": True, "random": False}
    texts |= {f"uci:{sys.executable}": False, "minimax": False}
    for text, whole in texts.items():
        assert needs_whole_games(parse_entry(text), start, Player.O) is whole


def test_a_seeded_bot_plays_as_in_its_games() -> None:
    """The lost game of `random:seed=5` is the one that it plays."""
    found = search(parse_entry("random:seed=5"), Player.O, whole=True)
    assert found.lost is not None
    player, position = opponent("random:seed=5"), noughts.game("basic")
    for move in found.lost.moves:
        if position.turn is Player.O:
            assert player.choose(position).move == move
        position = position.play(move)
    assert position.outcome() == found.lost.end.outcome()


def test_a_bot_that_does_not_repeat_its_moves_is_undecided() -> None:
    draws = random.Random(0)
    lucky = bot(lambda position: draws.choice(best_cells(board_of(position))))
    found = search(lucky, Player.X, whole=True)
    assert found.is_complete
    assert found.strayed > 0
    assert not found.never_loses


def test_a_fault_on_the_way_is_told_where_it_was() -> None:
    """In whole games, its second answer to the same position may be the illegal one."""
    seen: set[Position] = set()

    def choose(position: Position) -> int:
        if position.ply == 0 or position not in seen:
            seen.add(position)
            return position.legal_moves()[0]
        return 0

    found = search(bot(choose), Player.X, whole=True)
    assert found.lost is not None
    assert found.lost.illegal
    assert len(found.lost.moves) == 2
    assert found.lost.end in seen


# Judged moves -------------------------------------------------------------------------------------


def early(strategy: Strategy, plies: int) -> EarlyMoves:
    entry, start = bot_of(strategy), noughts.game("basic")
    found = EarlyMoves({side: Asker(entry, start, side, Control()) for side in Player}, plies)
    found.run()
    return found


def test_regret_is_that_of_plain_recursion() -> None:
    boards: list[set[str]] = [{EMPTY}]
    for _ in range(3):
        after = {played(board, cell) for board in boards[-1] for cell in free(board)}
        boards.append({board for board in after if not is_over(board)})
    wrong_moves = 0
    for seed in range(1):
        strategy = careless(seed)
        found = early(strategy, 3)
        assert (found.is_complete, found.unproven) == (True, 0)
        for ply, each in zip(boards, found.by_ply, strict=True):
            lost = [value(board) + value(played(board, strategy(board))) for board in ply]
            assert each.positions == each.regret.solved == len(ply)
            assert each.regret.points == sum(lost) / 2
            assert each.wrong == sum(map(bool, lost))
        for wrong in found.wrong:
            board = board_of(wrong.position)
            assert wrong.move == strategy(board)
            assert list(wrong.better) == best_cells(board)
            assert noughts.game("basic").after(wrong.moves) == wrong.position
        worst = max(each.regret or 0 for each in found.wrong)
        assert found.worst is not None
        assert found.worst.regret == worst
        wrong_moves += len(found.wrong)
    assert wrong_moves > 25
    assert early(careful(0), 3).is_right


def test_the_first_moves_of_connect_four() -> None:
    """Its opening scores are −2 −1 0 +1 0 −1 −2, so only the middle keeps the win."""
    start = noughts.game("connect4")
    for column, regret in enumerate([1.0, 1.0, 0.5, 0.0]):
        asker = Asker(bot(lambda _, column=column: column), start, Player.X, Control())
        found = EarlyMoves({Player.X: asker}, 0)
        found.run()
        assert found.regret.points == regret
        assert found.is_right == (regret == 0.0)
        if regret:
            assert found.wrong[0].better == (3,)


def test_points_of_connect_four_are_those_of_plain_recursion() -> None:
    def worth(position: Position) -> float:
        outcome = position.outcome()
        if outcome is not None:
            return 0.5 if outcome.winner is None else float(outcome.winner is position.turn)
        return max(1 - worth(position.play(move)) for move in position.legal_moves())

    rng, compared = random.Random(0), set()
    for number in range(40):
        position = noughts.game(("connect4:4,4", "connect4:4,4,3")[number % 2])
        while position.outcome() is None and position.ply < 8:
            position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is not None:
            continue
        wanted = {move: 1 - worth(position.play(move)) for move in position.legal_moves()}
        assert exact_points(position, Analyser()) == wanted
        compared |= set(wanted.values())
    assert compared == {0.0, 0.5, 1.0}


def test_unproven_values_are_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.school.judged_moves.NODES", 500)
    monkeypatch.setattr("noughts.school.judged_moves.SOLVER_NODES", 2_000)
    assert best_points({1: 0.5, 2: None}) is None
    assert best_points({1: 1.0, 2: None}) == 1.0
    start = noughts.game("mnk:7,7,5")
    asker = Asker(bot(lambda position: position.legal_moves()[0]), start, Player.X, Control())
    found = EarlyMoves({Player.X: asker}, 0)
    found.run()
    assert (found.is_complete, found.unproven, found.wrong) == (True, 1, [])
    assert not found.is_right
    assert decisive(LostGame(start, Player.X, (0,))) is None


def test_the_mistake_of_a_lost_game_is_the_move_that_lost_it() -> None:
    mistakes = 0
    for seed in range(12):
        for side in Player:
            lost = search(bot_of(slips(seed) if seed % 2 else careless(seed)), side).lost
            if lost is None:
                continue
            mistake = decisive(lost)
            assert mistake is not None
            board = board_of(mistake.position)
            assert mistake.move == lost.moves[len(mistake.moves)]
            assert value(board) >= 0
            assert value(played(board, mistake.move)) == 1
            assert list(mistake.better) == best_cells(board)
            mistakes += 1
    assert mistakes > 8


def test_a_side_that_is_lost_from_the_start() -> None:
    start = noughts.game("mnk:4,3,3")
    with Asker(parse_entry("engine"), start, Player.O, Control()) as asker:
        found = SideSearch(asker)
        found.run()
    assert found.lost is not None
    mistake = decisive(found.lost)
    assert mistake is not None
    assert (mistake.regret, mistake.moves) == (0.0, found.lost.moves[:1])


# The command --------------------------------------------------------------------------------------


def write(folder: Path, source: str) -> str:
    (folder / "mine.py").write_text(dedent(source))
    return f"python:{folder / 'mine.py'}:choose"


def test_the_command_says_that_a_bot_never_loses() -> None:
    done = run("unbeatable", "alphabeta")
    assert done.returncode == 0
    assert done.stdout.startswith("alphabeta never loses at basic.\n")
    assert "as X  no line loses: 81 positions, 73 lines" in done.stdout


def test_the_command_shows_the_lost_game(tmp_path: Path) -> None:
    """The first free cell: O is beaten by 2 5 8, X by 1 3 2 …; the record has the shorter one."""
    text = write(tmp_path, "def choose(position):\n    return position.legal_moves()[0]\n")
    saved = tmp_path / "lost.jsonl"
    done = run("unbeatable", f"first={text}", "--ask", 1, "--record", saved)
    assert done.returncode == 1
    assert done.stdout.startswith("first loses at basic.\n")
    (record,) = records.read(saved)
    moves = " ".join(noughts.move_texts(record.start, record.moves))
    assert f"The shortest lost game, with the bot as O: {moves}\n" in done.stdout
    assert (record.tags["X"], record.tags["O"], record.result) == ("Opponent", "first", "1-0")
    command = done.stdout.partition("See why: noughts ")[2].partition("\n")[0]
    assert run(*command.replace("'", "").split(maxsplit=4)).returncode == 0
    assert run("review", saved).returncode == 0


def test_json() -> None:
    done = run("unbeatable", "random", "--ask", 2, "--side", "o", "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 1
    assert (data["schema"], data["verdict"], data["answers"]) == (1, "loses", 2)
    assert list(data["sides"]) == ["O"]
    lost = data["sides"]["O"]["lost"]
    assert lost["plies"] == len(lost["moves"]) == 5
    assert data["mistake"]["regret"] in (0.5, 1.0)


def test_json_of_early_moves() -> None:
    done = run("unbeatable", "random", "--ask", 1, "--plies", 2, "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 1
    assert [each["positions"] for each in data["by_ply"]] == [1, 9, 72]
    assert (data["positions"], data["complete"], data["unproven"]) == (82, True, 0)
    assert data["worst"]["regret"] == 1.0
    assert run("unbeatable", "perfect", "--plies", 2).returncode == 0


def test_a_bot_that_fails(tmp_path: Path) -> None:
    source = "def choose(position):\n    return 1 / 0 if position.ply == 2 else 0\n"
    done = run("unbeatable", write(tmp_path, source))
    assert done.returncode == 4
    assert "failed: as X, after 1 2: crash: " in done.stderr
    assert "ZeroDivisionError" in done.stderr
    assert done.stdout == ""


def test_faults_in_whole_games() -> None:
    done = run("unbeatable", f"uci:{FAULTY} crash 2", "--every-line", "--ask", 1)
    assert done.returncode == 4
    assert "after 1 2: crash" in done.stderr
    done = run("unbeatable", f"uci:{FAULTY} repeats 2", "--every-line", "--ask", 1)
    assert done.returncode == 1
    assert "Then it makes an illegal move: it answered 'bestmove 1'" in done.stdout


def test_a_failure_is_told_with_its_line() -> None:
    def choose(position: Position) -> int:
        raise noughts.arena.bot.Fault(noughts.arena.bot.Verdict.TIME, f"late in {position}")

    with pytest.raises(BotFailed, match="as O, after 1: time forfeit: late in basic~X2"):
        search(bot(choose), Player.O)


def test_ctrl_c_says_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    ask, asked = Asker.answer, []

    def answer(self: Asker, *arguments: int) -> int:
        asked.append(arguments)
        if len(asked) > 200:
            raise KeyboardInterrupt
        return ask(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Asker, "answer", answer)
    done = run("unbeatable", "alphabeta")
    assert done.returncode == 130
    assert "As X: no line loses: 81 positions, 73 lines. As O: no loss in the first " in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["nobody"], 2, 'No bot is called "nobody"'),
        (["human"], 2, "A person cannot play"),
        (["minimax", "--game", "chess"], 2, "No game called"),
        (["minimax", "--game", "basic~XXX.OO1.3~O"], 3, "the game is over"),
        (["minimax", "--game", "basic~XXX.OO1.3~X"], 3, "to move"),
        (["engine", "--seconds", "1", "--depth", "1"], 2, "choose one"),
        (["minimax", "--certificate", "proof.txt"], 2, "not a .jsonl file"),
        (["minimax", "--certificate", "nowhere/proof.jsonl"], 3, "there is no folder"),
        (["minimax", "--record", "nowhere/games.txt"], 3, "there is no folder"),
        (["minimax", "--plies", "2", "--record", "games.txt"], 2, "plays no games"),
        ([f"kaggle:{BOTS / 'faulty.py'}"], 2, "plays connect4"),
        (["uci:cat", "--start-seconds", "0.2"], 4, "slow start"),
        (["perfect:seconds=0.1", "--game", "ultimate"], 4, "does not solve"),
    ],
)
def test_bad_arguments(words: list[str], code: int, says: str, tmp_path: Path) -> None:
    done = run("unbeatable", *words, cwd=tmp_path)
    assert done.returncode == code
    assert says in done.stderr
