"""A game in progress: undo, redo, and its record after each step."""

from __future__ import annotations

import random

import pytest

import noughts
from noughts import IllegalMove, Player
from noughts.games.progress import GameInProgress
from noughts.games.record import Record, RecordNode, format_text, parse_text


def new_round(rules: str = "basic", *moves: int) -> GameInProgress:
    return GameInProgress(Record.from_moves(noughts.game(rules), moves))


def test_game_continues_from_any_record() -> None:
    played = new_round("basic", 4, 0)
    played.play(8)
    assert played.moves == [4, 0, 8]
    assert [position.ply for position in played.positions] == [0, 1, 2, 3]
    assert played.record.moves == played.moves
    assert str(played.position) == str(list(played.record.positions())[-1])


def test_undo_takes_back_a_player_s_last_move_and_the_reply() -> None:
    played = new_round("basic", 4, 0, 8, 2)
    assert played.undo(Player.X)
    assert played.moves == [4, 0]
    assert played.redo(Player.X)
    assert played.moves == [4, 0, 8, 2]
    assert not played.redo(Player.X)
    assert played.undo()
    assert played.moves == [4, 0, 8]
    assert played.undo(Player.O)
    assert played.moves == [4]
    assert not played.undo(Player.O), "O has no move to take back"


def test_another_move_forgets_undone_moves() -> None:
    played = new_round("basic", 4, 0, 8)
    played.undo()
    played.play(7)
    assert played.moves == [4, 0, 7]
    assert not played.redo()
    assert "9" not in format_text(played.record).splitlines()[-2]


def test_refused_move_changes_nothing() -> None:
    played = new_round("basic", 4, 0)
    played.undo()
    before = format_text(played.record)
    with pytest.raises(IllegalMove):
        played.play(4)
    assert format_text(played.record) == before
    assert played.redo(), "the undone move is still there"


def test_record_has_the_rules_result_until_undo() -> None:
    played = new_round("basic", 4, 0, 2, 1)
    assert not played.is_over
    played.play(6)
    assert (played.record.result, played.record.termination) == ("1-0", "line")
    assert played.is_over
    played.undo()
    assert (played.record.result, played.record.termination) == ("*", "unfinished")


def test_resigning_loses_and_ends_the_game() -> None:
    played = new_round("connect4", 3)
    played.resign(Player.X)
    assert (played.record.result, played.record.termination) == ("0-1", "resignation")
    with pytest.raises(IllegalMove, match="over"):
        played.play(3)
    with pytest.raises(IllegalMove, match="over"):
        played.resign(Player.O)
    played.record.check()
    assert played.undo()
    assert not played.is_over


def test_variations_survive_undo_and_redo() -> None:
    played = new_round("basic", 4, 0, 8)
    played.record.children[0].children.append(RecordNode(1, "tried"))
    played.undo(Player.O)
    assert played.redo()
    assert [node.move for node in played.record.children[0].children] == [0, 1]
    assert played.moves[:2] == [4, 0]


def test_undo_to_the_root_of_a_variation_ends_the_game_there() -> None:
    played = GameInProgress(parse_text('[Game "basic"]\n1. 5 1 2. 9 (2. 2 8) (2. 3 7 3. 4) 3 *')[0])
    assert played.undo(Player.X)
    assert played.record.moves == played.moves == [4, 0]
    assert [node.move for node in played.beside] == [1, 2]
    assert played.redo()
    assert format_text(played.record).endswith("1. 5 1 2. 9 (2. 2 8) (2. 3 7 3. 4) *\n\n")
    played.undo()
    played.play(6)
    assert format_text(played.record).endswith("1. 5 1 2. 7 (2. 2 8) (2. 3 7 3. 4) *\n\n")
    assert not played.beside


def test_random_walks_keep_moves_positions_and_record_together() -> None:
    rng = random.Random(1)
    for _ in range(40):
        played = new_round("ultimate")
        for _ in range(60):
            if played.is_over or rng.random() < 0.3:
                rng.choice([played.undo, played.redo])(rng.choice([None, *Player]))
            else:
                after = rng.choice(played.position.legal_moves())
                if rng.random() < 0.3:
                    played.beside.append(RecordNode(after))
                played.play(rng.choice(played.position.legal_moves()))
            assert played.record.moves == played.moves
            assert list(map(str, played.record.positions())) == list(map(str, played.positions))
            played.record.check()
