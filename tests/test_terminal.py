"""The terminal as a person uses it: at a real pseudo-terminal, and through pipes."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest
from test_cli import NOUGHTS, run

from noughts.games import record

Start = Callable[..., pexpect.spawn]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start `noughts` with arguments at an 100×40 terminal; ended when the test is."""
    running = []

    def spawn(arguments: str, **variables: str) -> pexpect.spawn:
        environment = {"TERM": "xterm-256color", "LANG": "C.UTF-8", **variables}
        child = pexpect.spawn(
            NOUGHTS,
            shlex.split(arguments),
            encoding="utf-8",
            timeout=20,
            dimensions=(40, 100),
            env=environment,
        )
        running.append(child)
        return child

    yield spawn
    for child in running:
        child.close(force=True)


def ends(child: pexpect.spawn, code: int = 0) -> str:
    """Wait for the end and return what was still shown."""
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == code, child.before
    assert "Traceback" not in child.before
    return str(child.before)


def test_a_newcomer_is_asked_and_plays_a_game_to_its_end(start: Start) -> None:
    child = start("play")
    child.expect("Which game")
    for entry in ("9", "basic"):
        child.sendline(entry)
    child.expect("Against whom")
    child.sendline("perfect")
    child.expect("Your letter")
    child.sendline("x")
    child.expect("Who starts")
    child.sendline("me")
    child.expect(r"X \(you\): ")
    child.sendline("1")
    child.expect(r"O \(perfect\).* plays 5.*its view: D")
    for entry in ("9", "3"):
        child.expect(r"X \(you\): ")
        child.sendline(entry)
    child.expect("Score: X")
    child.expect("Another round")
    child.sendline("perhaps")
    child.expect("'perhaps' is not an answer")
    child.sendline("no")
    ends(child)


def test_whoever_picks_o_and_starts_sees_the_letters_swapped(start: Start) -> None:
    child = start("play")
    for question, entry in (
        ("Which game", "basic"),
        ("Against whom", "random"),
        ("Your letter", "o"),
        ("Who starts", "me"),
    ):
        child.expect(question)
        child.sendline(entry)
    child.expect(r"O \(you\): ")
    child.sendline("5")
    child.expect(r"X \(random\).* plays \d")
    child.expect(r"O \(you\): ")
    child.sendline("5")
    child.expect("cell 5 is taken by O")
    child.sendline("quit")
    resume = re.search(r"noughts (play .*)", ends(child))
    assert resume
    again = start(resume[1].strip())
    again.expect(r"O \(you\): ")
    again.sendline("5")
    again.expect("cell 5 is taken by O")
    again.sendline("quit")
    ends(again)


@pytest.mark.parametrize("answers", [["quit"], ["basic", "exit"], ["mnk", "quit"]])
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


def test_control_c_at_the_prompt_loses_nothing(start: Start) -> None:
    child = start("play basic --x human --o human")
    child.expect(r"X \(human\): ")
    child.sendline("5 1")
    child.expect(r"X \(human\): ")
    child.kill(signal.SIGINT)
    assert "--moves '5 1'" in ends(child, 130)


def test_control_c_while_the_machine_thinks(start: Start) -> None:
    child = start("play ultimate --o mcts:seconds=60")
    child.expect(r"X \(you\): ")
    child.sendline("55")
    child.expect("thinks")
    child.sendintr()
    assert "--moves '55'" in ends(child, 130)


ENTRIES = {
    "basic": [
        ("5", None),
        ("5", "cell 5 is taken by X"),
        ("10", "there is no cell 10: the cells are 1 to 9"),
        ("0", "there is no cell 0"),
        ("hello", "'hello' is not a move"),
        ("", "an empty line is no move"),
        ("0 0", None),
        ("0,3", "row and column are counted from 0 to 2"),
        ("2,2", None),
    ],
    "mnk:4,4,3": [
        ("B2", None),
        ("b2", "cell b2 is taken by X"),
        ("e1", "there is no cell e1: the cells are a1 to d4"),
        ("22", "'22' is not a move"),
        ("", "an empty line is no move"),
    ],
    "connect4:4,4": [
        *[("2", None)] * 4,
        ("2", "column 2 is full"),
        ("5", "there is no column 5: the columns are 1 to 4"),
        ("left", "'left' is not a move"),
        ("", "an empty line is no move"),
    ],
    "ultimate": [
        ("5", "which board?"),
        ("5 1", None),
        ("55", "the move must be on board 1"),
        ("5", None),
        ("51", "cell 1 of board 5 is taken by X"),
        ("50", "boards and cells are counted from 1 to 9"),
        ("north", "'north' is not a move"),
        ("", "an empty line is no move"),
    ],
}


@pytest.mark.parametrize("rules_id", ENTRIES)
def test_every_wrong_entry_gets_its_own_sentence(rules_id: str) -> None:
    entries = ENTRIES[rules_id]
    done = run("play", rules_id, "--o", "human", entries="".join(f"{e}\n" for e, _ in entries))
    assert (done.returncode, done.stderr) == (0, "")
    for _, sentence in entries:
        if sentence:
            assert done.stdout.count(sentence) == 1, sentence
    played = re.search(r"--moves '([^']*)'", done.stdout)
    assert played
    assert len(played[1].split()) == sum(sentence is None for _, sentence in entries)


def test_a_closed_board_is_named() -> None:
    moves = "51 15 52 25 53 35"
    done = run("play", "ultimate", "--o", "human", "--moves", moves, entries="54\n")
    assert "board 5 is closed: it is won by X" in done.stdout


def test_a_hint_says_why() -> None:
    done = run("play", "basic", "--o", "random", "--moves", "5193", entries="hint\n")
    assert "2 (D)\n2 blocks O's line 1 2 3." in done.stdout


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
        "there is no move of yours to take back",
        "1 2 3 4 6 7 8 9",
        "3 (D)",
        "2 L 6",
        "nodes, depth 8",
        "save where? type: save FILE",
        "not saved: No such file or directory",
        f"saved to {kept}",
    ):
        assert shown in done.stdout
    assert [game.moves for game in record.read(kept)] == [[4], [4, 0]]


def test_undo_and_redo_against_a_machine_go_back_to_ones_own_move() -> None:
    entries = "5\nundo\nredo\nundo\nundo\nredo\nredo\nquit\n"
    done = run("play", "basic", "--o", "alphabeta", entries=entries)
    assert "there is no move of yours to take back" in done.stdout
    assert "there is nothing to redo" in done.stdout
    assert "--moves '5 1'" in done.stdout


def test_a_game_piped_in_from_a_file() -> None:
    for entries in ("5\n1\n9\n2\n3\n4\n7\n", "5 1 9 2 3 4 7\n", "5192347"):
        done = run("play", "basic", "--x", "human", "--o", "human", entries=entries)
        assert done.returncode == 0
        if entries == "5192347":
            assert "there is no cell 5192347" in done.stdout
            continue
        assert "X wins with the line 3 5 7." in done.stdout
        assert "\x1b" not in done.stdout
        assert all(ord(letter) < 128 for letter in done.stdout)


def test_a_piped_list_with_a_fault_plays_none_of_it() -> None:
    done = run("play", "basic", "--o", "human", entries="5 1 5 2\n")
    assert "move 3: cell 5 is taken by X" in done.stdout
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


@pytest.mark.parametrize(
    ("rules_id", "moves", "sentence"),
    [
        ("basic", "5192347", "X wins with the line 3 5 7."),
        ("basic", "152374689", "A draw: nobody has a line."),
        ("basic", "253649781", "X wins with the lines 1 2 3 and 1 4 7."),
        ("mnk:3,3,3,misere", "a1 b1 a2 b2 a3", "O wins: X made the line a1 a2 a3."),
        ("connect4", "1212121", "X wins with the line 1/4 1/3 1/2 1/1."),
        ("advanced", "51 15 52 25 53", "X wins with the line 51 52 53."),
    ],
)
def test_the_end_is_told_with_its_line(rules_id: str, moves: str, sentence: str) -> None:
    done = run("play", rules_id, "--o", "human", "--moves", moves, entries="")
    assert sentence in done.stdout


@pytest.mark.parametrize(
    ("rules_id", "seed", "sentence"),
    [
        ("ultimate", 1, r"[XO] wins with boards \d \d \d\."),
        ("ultimate:tie=boards", 20, r"[XO] wins by boards, [3-9] to [0-8]\."),
    ],
)
def test_ultimate_ends_with_boards(rules_id: str, seed: int, sentence: str) -> None:
    done = run("play", rules_id, "--x", "random", "--o", "random", "--seed", str(seed))
    assert re.search(sentence, done.stdout), done.stdout[-200:]


def test_input_that_is_no_text_is_refused_politely() -> None:
    done = subprocess.run(
        [NOUGHTS, "play", "basic", "--o", "human"],
        input=b"\xff\xfe\x00\n5\n",
        capture_output=True,
        timeout=30,
    )
    assert done.returncode == 0
    assert b"is not a move" in done.stdout
