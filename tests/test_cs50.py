"""The course's seven functions, on unreachable boards too."""

import itertools
from collections.abc import Iterator
from copy import deepcopy
from functools import cache

import pytest

import noughts
from noughts import cs50 as ttt
from noughts.cs50 import EMPTY, Board, O, X
from noughts.games.row import Basic
from noughts.search import Value, solve_all

Cells = tuple[str | None, ...]


def board_of(cells: Cells) -> Board:
    return [list(cells[3 * row : 3 * row + 3]) for row in range(3)]


def every_filling() -> Iterator[Board]:
    """Yield all 3^9 boards, most of them unreachable."""
    for cells in itertools.product((X, O, EMPTY), repeat=9):
        yield board_of(cells)


def lines_of(board: Board) -> list[list[str | None]]:
    columns = [[row[j] for row in board] for j in range(3)]
    diagonals = [[board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    return [*board, *columns, *diagonals]


@cache
def solution() -> dict[noughts.Position, Value]:
    return solve_all(noughts.game("basic"))


def test_empty_board() -> None:
    board = ttt.initial_state()
    assert board == [[EMPTY] * 3] * 3
    assert ttt.player(board) == X
    assert ttt.actions(board) == {(i, j) for i in range(3) for j in range(3)}
    assert (ttt.winner(board), ttt.terminal(board), ttt.utility(board)) == (None, False, 0)
    board[0][0] = X
    assert board[1][0] is EMPTY, "rows are separate lists"
    assert ttt.initial_state() != board, "each call returns a new board"


def test_names_are_those_of_the_course() -> None:
    assert (ttt.X, ttt.O, ttt.EMPTY) == ("X", "O", None)


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.soak)])
def test_every_filling_of_the_board_has_an_answer(step: int) -> None:
    for board in itertools.islice(every_filling(), 0, None, step):
        before = deepcopy(board)
        cells = [cell for row in board for cell in row]
        lines = lines_of(board)
        winners = {mark for mark in (X, O) if [mark] * 3 in lines}
        empty = {(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}

        assert ttt.player(board) == (O if cells.count(X) > cells.count(O) else X)
        assert ttt.actions(board) == empty
        assert ttt.winner(board) in winners if winners else ttt.winner(board) is None
        assert ttt.terminal(board) == (bool(winners) or not empty)
        assert ttt.utility(board) == {X: 1, O: -1, None: 0}[ttt.winner(board)]
        for i, j in itertools.product(range(3), repeat=2):
            if (i, j) in empty:
                after = ttt.result(board, (i, j))
                assert after[i][j] == ttt.player(board)
                after[i][j] = EMPTY
                assert after == board
            else:
                with pytest.raises(noughts.IllegalMove):
                    ttt.result(board, (i, j))
        assert board == before


@pytest.mark.parametrize("action", [(0, 0), (-1, 0), (0, -1), (-3, -3), (3, 0), (1, 3), None])
def test_result_refuses_an_action_that_is_not_an_empty_cell(action: tuple[int, int]) -> None:
    board = ttt.result(ttt.initial_state(), (0, 0))
    before = deepcopy(board)
    with pytest.raises(ValueError, match="not an empty cell"):
        ttt.result(board, action)
    assert board == before


def test_result_shares_no_row_with_its_argument() -> None:
    board = ttt.initial_state()
    after = ttt.result(board, (1, 1))
    after[0][0] = O
    assert board == ttt.initial_state()


def test_minimax_wins_fastest_and_loses_slowest() -> None:
    for position, value in solution().items():
        assert isinstance(position, Basic)
        marks = (position.mark(cell) for cell in range(9))
        board = board_of(tuple(mark and mark.value for mark in marks))
        action = ttt.minimax(board)
        if position.outcome() is not None:
            assert action is None
        else:
            assert action is not None
            after = solution()[position.play(3 * action[0] + action[1])]
            assert after.for_mover.rank == value.rank, board


def test_minimax_searches_few_positions_of_the_empty_board(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []
    play = Basic.play

    def counted(position: Basic, move: int | str) -> Basic:
        played.append(position.ply)
        return play(position, move)

    monkeypatch.setattr(Basic, "play", counted)
    assert ttt.minimax(ttt.initial_state()) is not None
    assert 100 < len(played) < 10_000


def test_minimax_refuses_a_board_with_too_many_marks() -> None:
    board: Board = [[X, X, EMPTY], [EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY]]
    with pytest.raises(noughts.NotationError, match="2 X and 0 O"):
        ttt.minimax(board)


@pytest.mark.parametrize("user", [X, O])
def test_course_runner_never_loses(user: str) -> None:
    """Play as the course's `runner.py` does, against every sequence of clicks."""
    ends = set()

    def machine_or_click(board: Board) -> None:
        if ttt.terminal(board):
            ends.add(ttt.winner(board))
        elif ttt.player(board) == user:
            for i, j in itertools.product(range(3), repeat=2):
                if board[i][j] == ttt.EMPTY:
                    machine_or_click(ttt.result(board, (i, j)))
        else:
            action = ttt.minimax(board)
            assert action is not None
            machine_or_click(ttt.result(board, action))

    machine_or_click(ttt.initial_state())
    assert ends == {None, O if user == X else X}
