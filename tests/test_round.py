"""A game being played: what is taken back and played again, and what its record says meanwhile."""

from __future__ import annotations

import random

import pytest

import noughts
from noughts import IllegalMove, Player
from noughts.arena.round import Round
from noughts.games.record import Node, Record, format_text, parse_text


def new_round(rules: str = "basic", *moves: int) -> Round:
    return Round(Record.from_moves(noughts.game(rules), moves))


def test_a_round_goes_on_from_any_record() -> None:
    played = new_round("basic", 4, 0)
    played.play(8)
    assert played.moves == [4, 0, 8]
    assert [position.ply for position in played.positions] == [0, 1, 2, 3]
    assert played.record.moves == played.moves
    assert str(played.position) == str(list(played.record.positions())[-1])


def test_a_player_takes_back_the_last_own_move_and_its_answer() -> None:
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
    assert not played.undo(Player.O), "O has no move left to take back"


def test_another_move_forgets_what_was_taken_back() -> None:
    played = new_round("basic", 4, 0, 8)
    played.undo()
    played.play(7)
    assert played.moves == [4, 0, 7]
    assert not played.redo()
    assert "9" not in format_text(played.record).splitlines()[-2]


def test_a_refused_move_changes_nothing() -> None:
    played = new_round("basic", 4, 0)
    played.undo()
    before = format_text(played.record)
    with pytest.raises(IllegalMove):
        played.play(4)
    assert format_text(played.record) == before
    assert played.redo(), "what was taken back is still there"


def test_the_record_says_how_the_rules_ended_the_game_and_undo_takes_that_back() -> None:
    played = new_round("basic", 4, 0, 2, 1)
    assert not played.is_over
    played.play(6)
    assert (played.record.result, played.record.termination) == ("1-0", "line")
    assert played.is_over
    played.undo()
    assert (played.record.result, played.record.termination) == ("*", "unfinished")


def test_who_resigns_has_lost_and_nobody_moves_any_more() -> None:
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


def test_variations_beside_the_line_stay_when_it_is_taken_back_and_played_again() -> None:
    played = new_round("basic", 4, 0, 8)
    played.record.children[0].children.append(Node(1, "tried"))
    played.undo(Player.O)
    assert played.redo()
    assert [node.move for node in played.record.children[0].children] == [0, 1]
    assert played.moves[:2] == [4, 0]


def test_a_line_taken_back_to_where_a_variation_begins_ends_there() -> None:
    played = Round(parse_text('[Game "basic"]\n1. 5 1 2. 9 (2. 2 8) (2. 3 7 3. 4) 3 *')[0])
    assert played.undo(Player.X)
    assert played.record.moves == played.moves == [4, 0]
    assert [node.move for node in played.beside] == [1, 2]
    assert played.redo()
    assert format_text(played.record).endswith("1. 5 1 2. 9 (2. 2 8) (2. 3 7 3. 4) *\n\n")
    played.undo()
    played.play(6)
    assert format_text(played.record).endswith("1. 5 1 2. 7 (2. 2 8) (2. 3 7 3. 4) *\n\n")
    assert not played.beside


def test_random_walks_keep_line_positions_and_record_together() -> None:
    rng = random.Random(1)
    for _ in range(100):
        played = new_round("ultimate")
        for _ in range(60):
            if played.is_over or rng.random() < 0.3:
                rng.choice([played.undo, played.redo])(rng.choice([None, *Player]))
            else:
                after = rng.choice(played.position.legal_moves())
                if rng.random() < 0.3:
                    played.beside.append(Node(after))
                played.play(rng.choice(played.position.legal_moves()))
            assert played.record.moves == played.moves
            assert list(map(str, played.record.positions())) == list(map(str, played.positions))
            played.record.check()
