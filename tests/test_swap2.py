"""Swap2: who places stones and chooses, the sides in the record, and a game at the terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import run

import noughts
from noughts import NotationError, Player
from noughts.games import record
from noughts.games.swap2 import Choice, Swap2, check_swap2, seats

PLAY = ("play", "mnk:6,6,4,exact", "--x", "human", "--o", "human")
SWAP2 = ("--opening", "swap2")
STONES = ["c3", "c4", "d3"]


@pytest.mark.parametrize(
    ("choices", "x"),
    [
        *((("O",), 1), (("X",), 2)),
        *((("more", "X"), 1), (("more", "O"), 2)),
    ],
)
def test_the_last_choice_decides_the_sides(choices: tuple[Choice, ...], x: int) -> None:
    swap, placers, choosers, left = Swap2(), [], [], list(choices)
    for moves in range(7):
        while swap.choices_at(moves):
            assert not swap.is_decided
            choosers.append(swap.chooser(moves))
            swap.choose(left.pop(0), moves)
        placers.append(swap.stones_of(moves))
    assert choosers == [2, 1][: len(choices)]
    assert placers == ([1, 1, 1, 2, 2] if "more" in choices else [1, 1, 1]) + [None] * (
        2 if "more" in choices else 4
    )
    assert (swap.is_decided, left) == (True, [])
    assert seats(swap.is_swapped) == {Player.X: x, Player.O: 3 - x}


def test_an_undo_takes_back_the_choices_after_it() -> None:
    swap = Swap2()
    swap.choose("more", 3)
    swap.choose("O", 5)
    for moves, is_swapped, choices in ((5, True, ()), (4, False, ()), (2, False, ())):
        swap.forget_after(moves)
        assert (swap.is_swapped, swap.choices_at(moves)) == (is_swapped, choices)
    assert swap.choices_at(3) == ("O", "X", "more")


@pytest.mark.parametrize("start", ["basic", "connect4", "mnk:5,5,3", "mnk:5,1,4", "ultimate"])
def test_only_long_lines_begin_with_swap2(start: str) -> None:
    with pytest.raises(NotationError, match="swap2 begins"):
        check_swap2(noughts.game(start))
    check_swap2(noughts.game("mnk:6,1,4"))
    with pytest.raises(NotationError, match="on an empty board"):
        check_swap2(noughts.game("mnk:9,9,5").play("a1"))


@pytest.mark.parametrize(
    ("entries", "x", "moves"),
    [
        ([*STONES, "O", "a1", "resign"], "player 1", 4),
        ([*STONES, "x", "a1", "resign"], "player 2", 4),
        ([*STONES, "banana", "more", "a1", "b1", "more", "X", "resign"], "player 1", 5),
        ([*STONES, "more", "a1", "b1", "O", "a2", "resign"], "player 2", 6),
        # The choice is made again after its last stone has been taken back.
        ([*STONES, "X", "undo", "redo", "O", "resign"], "player 1", 3),
        ([*STONES, "X", "a1", "undo", "b1", "resign"], "player 2", 4),
    ],
)
def test_record_names_the_players_after_the_swap(
    tmp_path: Path, entries: list[str], x: str, moves: int
) -> None:
    kept = tmp_path / "games.txt"
    done = run(*PLAY, *SWAP2, "--save", kept, entries="\n".join([*entries, "no", ""]))
    assert done.returncode == 0, done.stderr
    (game,) = record.read(kept)
    assert game.tags["Opening"] == record.SWAP2
    assert {game.tags["X"], game.tags["O"]} == {"player 1", "player 2"}
    assert (game.tags["X"], len(game.moves), game.termination) == (x, moves, "resignation")
    assert ("Type O, X or more" in done.stdout) == ("banana" in entries)


def test_score_follows_the_players() -> None:
    won = ["a1", "resign"]  # O, who has moved, is followed by X, who resigns.
    entries = [*STONES, "X", *won, "yes", *STONES, "O", *won, "swap", *STONES, "O", *won, "no"]
    done = run(*PLAY, *SWAP2, entries="\n".join([*entries, ""]))
    assert re.findall("Score: .*", done.stdout) == [
        "Score: X (player 2) 0, O (player 1) 1, draws 0",
        "Score: X (player 1) 1, O (player 2) 1, draws 0",
        # Player 2 begins now, and is called player 1.
        "Score: X (player 1) 1, O (player 2) 2, draws 0",
    ]


@pytest.mark.parametrize(
    ("entries", "opening", "moves", "next_prompt"),
    [
        (STONES, "swap2", "c3 c4 d3", "Player 2, your side: O, X, more?"),
        ([*STONES, "more", "a1"], "swap2:more", "c3 c4 d3 a1", "X (a stone of player 2): "),
        ([*STONES, "X", "a1"], "swap2:X", "c3 c4 d3 a1", "X (player 2): "),
        ([*STONES, "more", "a1", "b1", "O"], "swap2:more,O", "c3 c4 d3 a1 b1", "O (player 1): "),
    ],
)
def test_a_game_resumes_with_its_choices(
    tmp_path: Path, entries: list[str], opening: str, moves: str, next_prompt: str
) -> None:
    left = run(*PLAY, *SWAP2, entries="\n".join([*entries, "quit", ""]))
    resume = left.stdout.partition("To resume:")[2].split()
    assert resume[resume.index("--opening") + 1] == opening
    kept = tmp_path / "game.txt"
    options = ("--opening", opening, "--moves", moves, "--save", kept)
    again = run(*PLAY, *options, entries="quit\n")
    assert next_prompt in again.stdout
    assert again.stdout.partition("To resume:")[2].split() == resume
    assert [game.tags["Opening"] for game in record.read(kept)] == [record.SWAP2]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("play", "gomoku", *SWAP2), "two people play it"),
        ((*PLAY, *SWAP2, "--swapped"), "two people play it"),
        ((*PLAY, *SWAP2, "--moves", "a1 a2 a3 a4"), "cannot have 4 moves"),
        ((*PLAY, "--opening", "swap2:O", "--moves", "a1 a2"), "cannot have 2 moves"),
        ((*PLAY, "--opening", "swap2:O,X"), "an opening is swap2"),
        ((*PLAY, "--opening", "swap"), "an opening is swap2"),
        (("play", "basic", "--o", "human", *SWAP2), "swap2 begins m,n,k-games"),
    ],
)
def test_wrong_use_is_refused(words: tuple[str, ...], complaint: str) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert complaint in " ".join(done.stderr.split()).lower() + done.stderr
