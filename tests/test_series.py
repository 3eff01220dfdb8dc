"""A series of games: who may take back and resign, the score; in Python and on the site."""

from __future__ import annotations

import json
import random
import subprocess
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from needs import NODE, needs_node
from scripts import write_module
from site_views import assert_same, site_views

import noughts
from noughts.answers.positions import line_data
from noughts.games.position import Player, move_texts, parse_moves
from noughts.games.progress import GameInProgress
from noughts.games.record import Record
from noughts.games.series import NO_SCORE, Series

GAMES = ("basic", "connect4:4,4", "ultimate")
X, O = Player  # noqa: E741


def begun(moves: str = "", people: tuple[Player, ...] = (X,)) -> Series:
    start = noughts.game("basic")
    return Series(GameInProgress(Record.from_moves(start, parse_moves(start, moves))), people)


@pytest.mark.parametrize(
    ("moves", "people", "left"),
    [
        ("5 1 9", (X,), "5 1"),
        ("5 1", (X,), ""),
        ("5 1", (O,), "5"),
        ("5 1 9", (O,), "5"),
        ("5 1 9", (X, O), "5 1"),
        ("5 1 9", (), "5 1"),
    ],
)
def test_undo_takes_back_the_last_move_of_the_person(
    moves: str, people: tuple[Player, ...], left: str
) -> None:
    series = begun(moves, people)
    assert series.can_undo
    assert series.undo()
    assert series.round.texts == left.split()
    assert series.can_redo
    assert series.redo()
    assert series.round.texts == moves.split()


def test_a_person_without_a_move_takes_nothing_back() -> None:
    series = begun("5", (O,))
    assert not series.can_undo
    assert not series.undo()
    assert not series.redo()


@pytest.mark.parametrize(
    ("moves", "people", "winner"),
    [("", (X,), O), ("5", (X,), O), ("5", (X, O), X), ("", (X, O), O), ("", (O,), X)],
)
def test_the_person_to_move_resigns_else_the_one_against_a_machine(
    moves: str, people: tuple[Player, ...], winner: Player
) -> None:
    series = begun(moves, people)
    assert series.can_resign
    series.resign()
    assert series.round.winner is winner
    assert not series.can_resign
    assert series.total() == {**NO_SCORE, winner: 1}
    with pytest.raises(noughts.IllegalMove):
        series.resign()


def test_machines_alone_do_not_resign() -> None:
    assert not begun("", ()).can_resign


def test_sides_swap_after_a_game() -> None:
    won = Series(begun("5 1 9 2 8 3").round, (X,), {X: 1, O: 0, None: 2})
    assert won.round.winner is O
    assert won.total() == {X: 1, O: 1, None: 2}
    lost = Series(begun("5 1 9 2").round, (X,), {X: 1, O: 0, None: 2})
    assert lost.total() == {X: 1, O: 0, None: 2}
    assert lost.following_score() == {X: 0, O: 1, None: 2}


def sessions(number: int) -> Iterator[Series]:
    """Yield the states of random sessions, with people and machines at both sides."""
    rng = random.Random(7)
    for index in range(number):
        seats = [*product((True, False), repeat=2)][index % 4]
        people = [side for side, is_person in zip(Player, seats, strict=True) if is_person]
        score = {X: rng.randrange(3), O: rng.randrange(3), None: rng.randrange(3)}
        start = noughts.game(GAMES[index % len(GAMES)])
        series = Series(GameInProgress(Record(start)), people, score)
        for _ in range(30):
            yield series
            act = rng.choice(("move",) * 7 + ("undo", "undo", "redo", "resign", "draw", "forfeit"))
            if act == "undo":
                series.undo()
            elif act == "redo":
                series.redo()
            elif series.round.is_over:
                break
            elif act == "move":
                series.round.play(rng.choice(list(series.round.position.legal_moves())))
            elif rng.random() < 0.7:
                continue
            elif act == "resign" and series.can_resign:
                series.resign()
            elif act == "draw":
                series.round.agree_draw()
            elif act == "forfeit":
                reason = rng.choice(("time forfeit", "illegal move", "adjudication"))
                series.round.forfeit(rng.choice((X, O)), reason)


def kept(series: Series) -> dict[str, Any]:
    """Return a game as a page without a server keeps it, and its position."""
    played, record = series.round, series.round.record
    undone = move_texts(played.position, [node.move for node in reversed(played.undone)])
    seats = {side.value.lower(): "me" if side in series.people else "random" for side in Player}
    score = {"x": series.score[X], "o": series.score[O], "draws": series.score[None]}
    game = {
        "id": "1",
        "version": 1,
        "moves": [*played.texts],
        "undone": undone,
        "next": None,
        "result": record.result,
        "termination": record.termination,
        "lines": [],
        "comments": {},
        "score": score,
        **seats,
    }
    return {
        "game": game,
        "position": line_data(played.positions, played.moves[-1] if played.moves else None),
    }


def by_python(series: Series) -> dict[str, Any]:
    """Return what the server's view has of the same."""
    played, total = series.round, series.total()
    can = ["vary", "delete"] if series.people else ["delete"]
    if series.people:
        if not played.is_over and played.position.turn in series.people:
            can.append("move")
        can += ["undo"] * series.can_undo + ["redo"] * series.can_redo
        can.append("resign" if series.can_resign else "rematch")
    moves, sentence = len(played.moves), played.ending
    after_undo = after_redo = None
    if series.undo():
        after_undo = len(played.moves)
        while len(played.moves) < moves:
            played.redo()
    if series.redo():
        after_redo = len(played.moves)
        while len(played.moves) > moves:
            played.undo()
    return {
        "can": sorted(can),
        "sentence": sentence,
        "score": {"x": total[X], "o": total[O], "draws": total[None]},
        "counts": [after_undo, after_redo],
    }


@needs_node
def test_the_pages_without_a_server_do_the_same(tmp_path: Path) -> None:
    cases, wanted, seen = [], [], Counter[str]()
    for series in sessions(120):
        cases.append(kept(series))
        record = series.round.record
        ending = record.result, record.termination
        wanted.append(by_python(series))
        record.result, record.termination = ending
        seen.update(wanted[-1]["can"])
        seen[record.termination] += 1
    for case, view, expected in zip(cases, site_views(tmp_path, cases), wanted, strict=True):
        assert_same(view, expected, case)
    for each in ("undo", "redo", "resign", "rematch", "time forfeit", "by agreement", "line"):
        assert seen[each] > 10, (each, seen)


@needs_node
def test_variations_have_the_comments_after_their_branch(tmp_path: Path) -> None:
    case = kept(begun("5 1 9"))
    comments = {"5": "the centre", "5 2": "an edge", "5 2 4 6": "a block"}
    case["game"] |= {"lines": [["5", "2", "4", "6"]], "comments": comments}
    (view,) = site_views(tmp_path, [case])
    assert view["comments"] == {"1": "the centre"}
    assert view["variations"] == [
        {
            "path": ["5", "2", "4", "6"],
            "shared": 1,
            "comments": {"2": "an edge", "4": "a block"},
        }
    ]


SWAPPED = """
import letters from "./letters.mjs";
console.log(JSON.stringify(letters.swapGame(JSON.parse(process.argv[2]))));
"""


@needs_node
def test_page_with_swapped_letters_swaps_all_that_has_a_side(tmp_path: Path) -> None:
    situation = {"X": "You begin.", "O": "X begins.", "-": "X begins."}
    texts = {"state": "X to move", "description": "X to move.", "situation": situation}
    position = {"turn": "X", "board": {"cells": "X.O", "owners": None}, "outcome": None, **texts}
    players = {"X": {"name": "Ann"}, "O": {"name": "Ben"}}
    game = {
        "swapped": True,
        "position": position,
        "players": players,
        "yours": ["X"],
        "result": "1-0",
        "sentence": "X wins: O resigned.",
        "score": {"x": 2, "o": 1, "draws": 3},
        "clock": {"x": 60, "o": 50, "running": "X"},
        "offer": {"side": "O"},
        "thinking": {"side": "X"},
    }
    write_module(tmp_path, "letters")
    (tmp_path / "swapped.mjs").write_text(SWAPPED, encoding="utf-8")
    assert NODE is not None
    command = [NODE, str(tmp_path / "swapped.mjs"), json.dumps(game)]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    shown = found.pop("position")
    assert (shown["turn"], shown["board"]["cells"], shown["state"]) == ("O", "O.X", "O to move")
    assert shown["situation"] == {"X": "O begins.", "O": "You begin.", "-": "O begins."}
    assert found == {
        "swapped": True,
        "players": {"X": players["O"], "O": players["X"]},
        "yours": ["O"],
        "result": "0-1",
        "sentence": "O wins: X resigned.",
        "score": {"x": 1, "o": 2, "draws": 3},
        "clock": {"x": 50, "o": 60, "running": "O"},
        "offer": {"side": "X"},
        "thinking": {"side": "O"},
    }
