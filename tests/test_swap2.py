"""Swap2: who places stones and chooses, the sides in the record, and a game at the terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import run

import noughts
from noughts import NotationError, Player
from noughts.games import record
from noughts.games.swap2 import Choice, Swap2, check_swap2, opening_moves, seats, swap2_of

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


def test_an_undo_takes_back_moves_and_choices_in_turn() -> None:
    swap, moves, left = Swap2(("more", "O")), 7, []
    while act := swap.last_act(moves, None):
        swap, moves = Swap2(act.made), act.moves
        left.append((act.player, moves, swap.made))
    assert left == [
        (2, 6, ("more", "O")),
        (1, 5, ("more", "O")),
        (1, 5, ("more",)),
        (2, 4, ("more",)),
        (2, 3, ("more",)),
        (2, 3, ()),
        *((1, moves, ()) for moves in (2, 1, 0)),
    ]
    # Player 2 has X, who moved last, and player 1 chose before that.
    assert Swap2(("more", "X")).last_act(6, Player.X) == (1, 5, ("more",))


@pytest.mark.parametrize(
    ("tags", "moves", "made", "opening"),
    [
        ({"Opening": "swap2", "Choices": "more,O"}, 7, ("more", "O"), 5),
        ({"Opening": "swap2", "Choices": "X"}, 7, ("X",), 3),
        ({"Opening": "swap2"}, 2, (), 2),
        # The tags do not fit the moves, or name no choices.
        ({"Opening": "swap2"}, 7, None, 3),
        ({"Opening": "swap2", "Choices": "more,O"}, 4, None, 3),
        ({"Opening": "swap2", "Choices": "O,X"}, 4, None, 3),
        ({"Opening": "4"}, 7, None, 4),
        ({}, 7, None, 0),
    ],
)
def test_tags_of_a_record_are_read(
    tags: dict[str, str], moves: int, made: tuple[Choice, ...] | None, opening: int
) -> None:
    start = noughts.game("mnk:9,9,5")
    kept = record.Record.from_moves(start, [move * 2 for move in range(moves)], tags)
    found = swap2_of(kept)
    assert (None if found is None else found.made) == made
    assert opening_moves(kept) == opening
    if found is not None:
        found.tag(kept)
        assert kept.tags == tags


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
    assert swap2_of(game) is not None
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
        ((*PLAY, *SWAP2, "--swapped"), "with swap2 the letters stay"),
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


ALONE = ("play", "mnk:6,6,4,exact", *SWAP2, "--seed", "5")


@pytest.mark.parametrize(
    ("stones", "said", "sides"),
    [
        (("c3", "f1", "d3"), "Engine chooses X.", ("engine:nodes=3000", "human")),
        (("a1", "c3", "f6"), "Engine chooses O and plays ", ("human", "engine:nodes=3000")),
    ],
)
def test_the_computer_chooses_by_its_own_estimate(
    tmp_path: Path, stones: tuple[str, ...], said: str, sides: tuple[str, str]
) -> None:
    kept = tmp_path / "games.txt"
    machine = ("--o", "engine:nodes=3000", "--save", kept)
    entries = [*stones, "undo", stones[2], "resign", "no", ""]
    done = run(*ALONE, *machine, entries="\n".join(entries))
    assert "You are player 1, against Engine" in done.stdout
    assert done.stdout.count("X (your stone): ") == 3  # One of them after undo.
    # Again after the undo, and once more below the last board.
    assert done.stdout.count(said.replace("Engine", "Engine, nodes 3000")) == 3
    (game,) = record.read(kept)
    assert (game.tags["X"], game.tags["O"]) == sides
    assert game.result == ("1-0" if sides[1] == "human" else "0-1")


def test_the_computer_places_the_stones() -> None:
    machine = ("--x", "engine:nodes=300", "--o", "human")
    entries = ["resume", "X", "undo", "redo", "more", "a1", "undo", "undo", "O", "swap", "quit", ""]
    done = run(*ALONE, *machine, entries="\n".join(entries))
    assert "You are player 2, against Engine" in done.stdout
    pattern = "Engine, nodes 300 places .*"
    placed = re.findall(pattern, done.stdout)
    assert re.fullmatch("Engine, nodes 300 places ([a-f][1-6] ?){3}[.]", placed[0])
    assert done.stdout.count("Your side: O, X, more? ") == 5
    assert "Choose a side first." in done.stdout
    assert "Type O, X or more" in done.stdout
    assert done.stdout.count("O (your stone): ") == 2
    assert "O (you): " in done.stdout
    # The same stones again, with the same seed.
    assert re.findall(pattern, run(*ALONE, *machine, entries="quit\n").stdout) == placed


def test_a_random_computer_makes_each_choice() -> None:
    said = ""
    for seed in range(8):
        words = ("--x", "random", "--o", "random", "--seed", str(seed))
        said += run("play", "mnk:6,6,4", *words, *SWAP2).stdout
    assert len(re.findall("^Random places ([a-f][1-6] ?){3}[.]$", said, re.M)) == 8
    for choice in ("chooses X", "chooses O and plays [a-f][1-6]", "adds [a-f][1-6] [a-f][1-6]"):
        assert re.search(f"^Random {choice}[.]$", said, re.M), choice
