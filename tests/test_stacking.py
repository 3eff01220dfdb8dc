"""Stacks of marks in Connect Four against an exhaustive search, and the time of hostile ones."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from samples import random_game

import noughts
from noughts.games import stacking
from noughts.games.stacking import can_stack


def searched(board: tuple[str, ...]) -> bool:
    """Return whether alternating turns can stack a board, from all orders of taking it off."""
    waiting = [board]
    seen = set(waiting)
    while waiting:
        board = waiting.pop()
        left = sum(map(len, board))
        if not left:
            return True
        for number, column in enumerate(board):
            if column[:1] == "OX"[left % 2]:
                after = (*board[:number], column[1:], *board[number + 1 :])
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
    return False


def random_board(rng: random.Random, columns: int, rows: int) -> tuple[str, ...]:
    """Return columns with as many marks of each as turns give, single or in runs."""
    heights = [rng.choice((rows, rng.randint(0, rows))) for _ in range(columns)]
    total, longest, marks = sum(heights), rng.randint(1, 5), ""
    left = {"X": (total + 1) // 2, "O": total // 2}
    while len(marks) < total:
        mark = rng.choice([each for each in "XO" if left[each]])
        run = min(rng.randint(1, longest), left[mark])
        marks, left[mark] = marks + mark * run, left[mark] - run
    return tuple(marks[sum(heights[:n]) : sum(heights[: n + 1])] for n in range(columns))


def test_answers_are_those_of_an_exhaustive_search() -> None:
    rng, answers = random.Random(1), Counter[bool]()
    for _ in range(4_000):
        board = random_board(rng, rng.randint(1, 5), rng.randint(1, 6))
        answers[searched(board)] += 1
        assert can_stack((board,)) == searched(board), board
    assert min(answers[True], answers[False]) > 500


@pytest.mark.parametrize("rules", ["connect4", "connect4:9,19,19", "connect4:2,19,10"])
def test_boards_of_play_are_never_refused(rules: str) -> None:
    rng = random.Random(1)
    for _ in range(20):
        for position in random_game(noughts.game(rules), rng):
            if rng.random() < 0.2 or position.outcome():
                assert noughts.position(str(position)) == position


HOSTILE = [
    ("XXXXOXOOXXXX", *["OOXOXXOO"] * 5, *["XXOOXOOX"] * 3),
    tuple("X" * 9 + "O" * 9 if n % 2 else "O" * 9 + "X" * 9 for n in range(9)),
    tuple("XXOO" * 4 if n % 2 else "OXXO" * 4 for n in range(9)),
    (
        *("OOOOOXXOOXXXOOOXX", "OOXXXOOOOOXXXXOXX", "XXO", "XXXXOX", "OOOOXXOOXXXXOXXOX"),
        *("X", "XOOOOOXXOXXX", "OOOOOOOOOXXOOXXXX"),
    ),
]


@pytest.mark.parametrize("board", HOSTILE)
def test_search_of_a_hostile_board_visits_few_boards(
    board: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    turns = stacking._turns

    def counted(column: str) -> int:
        seen.append(column)
        return turns(column)

    monkeypatch.setattr(stacking, "_turns", counted)
    can_stack.cache_clear()
    can_stack((board,) * 9)
    can_stack.cache_clear()
    # A board has nine columns, and nine moves lead on from it.
    assert len(seen) < 9 * 10 * stacking.MAX_BOARDS


def test_search_gives_up_in_favour_of_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    board = ("OXX", "XXXXOXOOXXXOO", "OOOXXXOOXXOOO")
    assert not can_stack((board,))
    can_stack.cache_clear()
    monkeypatch.setattr(stacking, "MAX_BOARDS", 10)
    assert can_stack((board,))
    can_stack.cache_clear()
