"""The terminal game, at a pseudo-terminal and through pipes."""

from __future__ import annotations

import re
import signal
import subprocess
from pathlib import Path

import pytest
from command import NOUGHTS, run
from patience import PATIENCE
from terminal import Start, ends

from noughts.games import record


def test_newcomer_answers_questions_and_plays_a_game(start: Start) -> None:
    child = start("play")
    child.expect("Which game")
    for entry in ("9", "basic"):
        child.sendline(entry)
    child.expect("Against whom")
    child.sendline("perfect")
    child.expect("Your letter")
    child.sendline("x")
    child.expect("Who starts")
    child.sendline("you")
    child.expect(r"X \(you\): ")
    child.sendline("1")
    child.expect(r"O \(perfect\).* plays 5.*its view: draws")
    for entry in ("9", "3"):
        child.expect(r"X \(you\): ")
        child.sendline(entry)
    child.expect("Score: X")
    child.expect("See why: review")
    child.expect("Play again")
    child.sendline("perhaps")
    child.expect("Type yes, swap, review, undo or no")
    child.sendline("review")
    child.expect(r"1 X 1 +best")
    child.expect(r"X.*: accuracy \d+")
    child.expect("Play again")
    child.sendline("no")
    ends(child)


def test_perfect_starts_where_it_knows_only_the_first_player(start: Start) -> None:
    child = start("play")
    for question, entry in (
        ("Which game", "advanced:full=draw"),
        ("Against whom", "perfect"),
        ("Your letter", "o"),
    ):
        child.expect(question)
        child.sendline(entry)
    child.expect("The computer starts: it knows how the first player wins")
    child.expect(r"X \(perfect\).* plays 55.*its view: wins")
    child.expect(r"O \(you\), board 5: ")


def test_person_with_o_who_starts_sees_letters_swapped(start: Start) -> None:
    child = start("play")
    for question, entry in (
        ("Which game", "basic"),
        ("Against whom", "random"),
        ("Your letter", "o"),
        ("Who starts", "you"),
    ):
        child.expect(question)
        child.sendline(entry)
    child.expect(r"O \(you\): ")
    child.sendline("5")
    child.expect(r"X \(random\).* plays \d")
    child.expect(r"O \(you\): ")
    child.sendline("5")
    child.expect("Cell 5 is taken")
    child.sendline("quit")
    resume = re.search(r"noughts (play .*)", ends(child))
    assert resume
    again = start(resume[1].strip())
    again.expect(r"O \(you\): ")
    again.sendline("5")
    again.expect("Cell 5 is taken")
    again.sendline("quit")
    ends(again)


@pytest.mark.parametrize("answers", [["quit"], ["q"], ["basic", "exit"], ["mnk", "quit"]])
def test_quit_at_the_questions_before_a_game(answers: list[str]) -> None:
    done = run("play", entries="".join(f"{answer}\n" for answer in answers))
    assert done.returncode == 0
    assert "not one of them" not in done.stdout
    assert "Your letter" not in done.stdout


def test_colours_clearing_and_no_color(start: Start) -> None:
    child = start("play basic --o random:seed=1")
    child.expect(r"X \(you\): ")
    assert "\x1b[2J" in child.before
    child.sendline("5")
    child.expect(r"X \(you\): ")
    assert re.search(r"\x1b\[[0-9;]*38;", child.before)
    assert "│" in child.before
    child.sendline("quit")
    ends(child)
    plain = start("play basic --o random:seed=1 --ascii", NO_COLOR="1")
    plain.expect(r"X \(you\): ")
    plain.sendline("5")
    plain.expect(r"X \(you\): ")
    assert not re.search(r"\x1b\[[0-9;]*38;", plain.before)
    assert "[\x1b[1mO\x1b[0m]" in plain.before
    assert "│" not in plain.before


def test_control_c_at_the_prompt_keeps_the_game(start: Start) -> None:
    child = start("play basic --x human --o human")
    child.expect(r"X \(human\): ")
    child.sendline("5")
    child.expect(r"O \(human\): ")
    child.kill(signal.SIGINT)
    assert "--moves '5'" in ends(child, 130)


def test_control_c_while_the_machine_thinks(start: Start) -> None:
    child = start("play ultimate --o mcts:seconds=60")
    child.expect(r"X \(you\): ")
    child.sendline("55")
    child.expect("is thinking")
    child.sendintr()
    assert "--moves '55'" in ends(child, 130)


ENTRIES = {
    "basic": [
        ("5", None),
        ("5", "Cell 5 is taken. Free cells: 1 2 3 4 6 7 8 9."),
        ("10", "There is no cell 10. Type a cell from 1 to 9."),
        ("0", "There is no cell 0."),
        ("hello", '"hello" is not a move.'),
        ("", ", or `help`."),
        ("0 0", None),
        ("0,3", "One move at a time: 0 or 3?"),
        ("5 3", "One move at a time: 5 or 3?"),
        ("1 1", "Cell 5 is taken. Free cells: 2 3 4 6 7 8 9."),
        ("3 4 6", "One move at a time: 3, 4 or 6?"),
        ("2,2", None),
    ],
    "mnk:4,4,3": [
        ("B2", None),
        ("b2", "Cell b2 is taken."),
        ("e1", "There is no cell e1. Type a cell from a1 to d4."),
        ("c3 D4", "One move at a time: c3 or d4?"),
        ("22", "There is no cell 22."),
        ("", ", or `help`."),
    ],
    "connect4:4,4": [
        *[("2", None)] * 4,
        ("2", "Column 2 is full. Free columns: 1 3 4."),
        ("5", "There is no column 5. Type a column from 1 to 4."),
        ("1 3", "One move at a time: 1 or 3?"),
        ("left", '"left" is not a move'),
        ("", ", or `help`."),
    ],
    "ultimate": [
        ("5", "Which board?"),
        ("5 1", None),
        ("55", "Play on board 1: the last move sent you there."),
        ("5", None),
        ("51", "Cell 1 of board 5 is taken."),
        ("52 21", "One move at a time: 52 or 21?"),
        ("50", "Boards and cells have the numbers 1 to 9"),
        ("north", '"north" is not a move'),
        ("", ", or `help`."),
    ],
}


@pytest.mark.parametrize("rules_id", ENTRIES)
def test_every_wrong_entry_has_its_own_sentence(rules_id: str) -> None:
    entries = ENTRIES[rules_id]
    done = run("play", rules_id, "--o", "human", entries="".join(f"{e}\n" for e, _ in entries))
    assert (done.returncode, done.stderr) == (0, "")
    for _, sentence in entries:
        if sentence:
            assert done.stdout.count(sentence) == 1, sentence
    played = re.search(r"--moves '([^']*)'", done.stdout)
    assert played
    assert len(played[1].split()) == sum(sentence is None for _, sentence in entries)


def test_closed_board_is_named() -> None:
    moves = "51 15 52 25 53 35"
    done = run("play", "ultimate", "--o", "human", "--moves", moves, entries="54\n")
    assert "X has won board 5." in done.stdout


def test_hint_says_why() -> None:
    done = run("play", "basic", "--o", "random", "--moves", "5193", entries="hint\n")
    assert (
        "O threatens the top row. Play top middle (2): it blocks that line. "
        "It is the only move that does not lose."
    ) in done.stdout


def test_hint_has_the_letters_on_the_screen() -> None:
    done = run("play", "basic", "--swapped", "--x", "human", "--moves", "12", entries="hint\n")
    assert "It wins in 3 moves" in done.stdout or "O wins in 3 moves." in done.stdout


def test_commands_at_the_prompt(tmp_path: Path) -> None:
    kept = tmp_path / "games.txt"
    entries = f"""\
undo
5
moves
undo
redo
hint
analyse
help
save
save {tmp_path}/missing/games.txt
save {kept}
1
save {kept}
quit
"""
    done = run("play", "basic", "--o", "human", entries=entries)
    assert (done.returncode, done.stderr) == (0, "")
    for shown in (
        "There is no move of yours to take back.",
        "1 2 3 4 6 7 8 9",
        "Play top right (3): it lies on 2 lines that O can still complete.",
        "2 loss 3",
        "nodes, depth 8",
        "Name a file: save FILE.",
        "missing/games.txt: No such file or directory.",
        f"Saved to {kept}.",
    ):
        assert shown in done.stdout
    assert [game.moves for game in record.read(kept)] == [[4], [4, 0]]


def test_undo_and_redo_against_a_machine_go_to_one_s_own_move() -> None:
    entries = "5\nundo\nredo\nundo\nundo\nredo\nredo\nquit\n"
    done = run("play", "basic", "--o", "alphabeta", entries=entries)
    assert "There is no move of yours to take back." in done.stdout
    assert "There is nothing to redo." in done.stdout
    assert "--moves '5 1'" in done.stdout


def test_q_leaves_a_game() -> None:
    done = run("play", "basic", "--x", "human", "--o", "human", entries="5\nq\n1\n")
    assert done.returncode == 0
    assert done.stdout.endswith("--moves '5'\n")


def test_game_piped_from_a_file() -> None:
    done = run("play", "basic", "--x", "human", "--o", "human", entries="5\n1\n9\n2\n3\n4\n7\n")
    assert done.returncode == 0
    assert "X wins with the diagonal from top right." in done.stdout
    assert "\x1b" not in done.stdout
    assert all(ord(letter) < 128 for letter in done.stdout)


@pytest.mark.parametrize("entries", ["5 1 9 2 3 4 7\n", "5192347", "5 3\n"])
def test_a_prompt_takes_one_move(entries: str) -> None:
    done = run("play", "basic", "--x", "human", "--o", "human", entries=entries)
    assert done.returncode == 0
    refusal = "One move at a time: " if " " in entries else "There is no cell 5192347."
    assert refusal in done.stdout
    assert "--moves" not in done.stdout


def test_rounds_sides_and_the_running_score() -> None:
    game = "5\n1\n9\n2\n3\n4\n7\n"
    done = run("play", "basic", "--o", "human", entries=f"{game}yes\n{game}swap\n{game}no\n")
    assert done.returncode == 0
    assert "Score: X (human) 2, O (human) 0, draws 0" in done.stdout
    assert "Score: X (human) 1, O (human) 2, draws 0" in done.stdout


def test_machines_play_each_other_and_the_seed_repeats_the_game(tmp_path: Path) -> None:
    kept = tmp_path / "games.jsonl"
    for _ in range(2):
        done = run(
            *("play", "ultimate:tie=boards", "--x", "mcts:simulations=20", "--o", "random"),
            *("--seed", "7", "--save", str(kept)),
        )
        assert done.returncode == 0
    first, second = record.read(kept)
    assert first == second
    *_, end = first.positions()
    assert end.outcome() is not None


DRAWN_ULTIMATE = (
    "92 22 29 96 61 11 14 48 86 67 71 15 58 84 47 73 34 45 55 57 79 97 78 81 17 75 51 16 69 95 54 "
    "44 41 13 36 62 21 19 93 39 98 87 74 42 28 52 24 76 66 65 56 68 25 32 94 99 91 31 72 37 77 38"
)
DRAWN_BOARDS = (
    "48 87 78 85 52 25 57 71 12 29 91 13 35 59 93 36 61 17 72 22 24 43 32 27 73 38 84 42 21 11 "
    "15 54 45 55 56 63 37 74 41 18 83 39 98 89 99 97 77 79 92 26 65 51 16 64 44 46 68 88 31 14 49 "
    "67 76 62 28 69 23 34 33 66 75"
)


@pytest.mark.parametrize(
    ("rules_id", "moves", "sentence"),
    [
        ("basic", "5192347", "X wins with the diagonal from top right."),
        ("basic", "152374689", "A draw: nobody has a line."),
        ("basic", "253649781", "X wins with the top row and the left column."),
        ("mnk:3,3,3,misere", "a1 b1 a2 b2 a3", "O wins: X made the left column."),
        ("connect4", "1212121", "X wins with 4 in column 1."),
        ("connect4", "112233554", "X wins with a row of 5 from column 1 to 5."),
        ("connect4", "12234334454", "X wins with a diagonal of 4 from column 1 to 4."),
        ("advanced", "51 15 52 25 53", "X wins with the top row on the centre board."),
        ("ultimate", DRAWN_ULTIMATE, "A draw: nobody has 3 boards in a row."),
        ("ultimate:tie=boards", DRAWN_BOARDS, "A draw: both have 4 boards."),
    ],
)
def test_end_is_announced_with_its_line(rules_id: str, moves: str, sentence: str) -> None:
    done = run("play", rules_id, "--o", "human", "--moves", moves, entries="")
    assert sentence in done.stdout


@pytest.mark.parametrize(
    ("rules_id", "seed", "sentence"),
    [
        ("ultimate", 1, r"[XO] wins with the [a-z ]+ of boards\."),
        ("ultimate:tie=boards", 20, r"[XO] wins by boards, [3-9] to [0-8]\."),
    ],
)
def test_ultimate_ends_with_boards(rules_id: str, seed: int, sentence: str) -> None:
    done = run("play", rules_id, "--x", "random", "--o", "random", "--seed", str(seed))
    assert re.search(sentence, done.stdout), done.stdout[-200:]


def test_input_that_is_not_text_is_refused() -> None:
    done = subprocess.run(
        [NOUGHTS, "play", "basic", "--o", "human"],
        input=b"\xff\xfe\x00\n5\n",
        capture_output=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0
    assert b"is not a move" in done.stdout


@pytest.mark.parametrize(
    "wrong", ["engine:level=11", "minimax:depth=x", "foo:1", "human:", "mcst", "13", "mcts=1"]
)
def test_a_wrong_opponent_is_asked_again(wrong: str) -> None:
    done = run("play", entries=f"basic\n{wrong}\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("engine:level=4]: ") == 2
    assert "Your letter" not in done.stdout


@pytest.mark.parametrize(
    ("game", "opponent", "name"),
    [
        ("tic-tac-toe", "minimax:depth=2", "Minimax, depth 2"),
        ("Connect Four", "perfect", "Perfect"),
        ("GOMOKU", "mcts:simulations=5", "MCTS, simulations 5"),
        ("5", "hminimax:depth=1", "H-minimax, depth 1"),
        ("2\n1", "alphabeta:depth=1", "Alpha-beta, depth 1"),
        ("mnk\n3,3,3", "negamax", "Negamax"),
    ],
)
def test_every_opponent_and_title_can_be_typed(game: str, opponent: str, name: str) -> None:
    done = run("play", entries=f"{game}\n{opponent}\nx\nyou\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"You are X, against {name}. Type `help` for commands." in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["basic"], "Tic-tac-toe.\nGet 3 in a row on a 3x3 board.\nYou are X, against Engine, le"),
        (["basic", "--x", "minimax"], "You are O, against Minimax. Type `help`"),
        (["basic", "--swapped"], "You are O, against Engine, level 4."),
        (["mnk:5,5,4", "--o", "human"], "5x5, four in a row.\nGet 4 in a row on a 5x5 board."),
        (["connect4:8,7"], "Connect Four 8x7.\nDrop your discs into columns and get 4 in a row."),
    ],
)
def test_a_game_begins_with_its_rules_and_the_opponent(arguments: list[str], said: str) -> None:
    done = run("play", *arguments, entries="")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"\n{said}") or said in done.stdout


def test_new_and_resign(tmp_path: Path) -> None:
    kept = tmp_path / "games.txt"
    entries = "5\nrestart\n1\nresign\nno\n"
    done = run("play", "basic", "--o", "human", "--save", str(kept), entries=entries)
    assert (done.returncode, done.stderr) == (0, "")
    assert "X wins: O resigned." in done.stdout
    assert "Score: X (human) 1, O (human) 0, draws 0" in done.stdout
    games = list(record.read(kept))
    assert [(game.moves, game.result) for game in games] == [([4], "*"), ([0], "1-0")]
    assert games[1].termination == "resignation"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("?", "list the legal moves"),
        ("rules", "3 in a row wins: across, down or diagonal."),
        ("ANALYZE", "nodes, depth"),
        ("undu", "Did you mean `undo`?"),
        ("resing", "Did you mean `resign`?"),
        ("qiut", "Did you mean `quit`?"),
    ],
)
def test_other_spellings_at_the_prompt(entry: str, said: str) -> None:
    done = run("play", "basic", "--o", "random", entries=f"{entry}\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout
