"""The sentences on a position and on refused moves, against the rules, over random games."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, product

import pytest
from samples import NIM, games_restored

import noughts
from noughts.explain.lesson import FILM, LONGEST, lesson
from noughts.explain.situation import refusal, situation
from noughts.games.nested import NestedPosition
from noughts.games.phrases import PLACES
from noughts.games.position import Player, Position
from noughts.games.registry import GAMES, load, sample
from noughts.games.row import ConnectFour, RowPosition

NESTED = [
    *("advanced", "advanced:full=draw", "ultimate", "ultimate:tie=boards"),
    *("ultimate:won=open", "ultimate:tie=boards,won=open"),
]
ROWS = ["basic", "mnk:4,4,3", "mnk:3,3,3,misere", "mnk:9,9,5", "connect4", "connect4:2,6,4"]
NAMES = [f"{place.replace(' ', '-')} board" for place in PLACES]
GAMES_EACH = 25


def played(rules_id: str, games: int) -> Iterator[tuple[Position, int | None]]:
    """Yield the positions of random games, each with the cell of its last move.

    Most moves that would end a game are replaced, so that boards fill up.
    """
    rng = random.Random(rules_id)
    for _ in range(games):
        position, last = noughts.game(rules_id), None
        while True:
            yield position, last
            if position.outcome() is not None:
                break
            assert isinstance(position, RowPosition | NestedPosition)
            for _ in range(6):
                move = rng.choice(list(position.legal_moves()))
                if position.play(move).outcome() is None:
                    break
            last = position.cell(move)
            position = position.play(move)


def named_boards(said: str, position: NestedPosition) -> set[int]:
    """Return the boards that a sentence allows, by its words alone.

    A sentence that counts the open boards means those without a mark of being closed.
    """
    counted = re.search(r"any of the (\d+) open boards", said)
    if counted:
        is_open = {board for board in range(9) if not position.closed >> board & 1}
        assert len(is_open) == int(counted[1])
        return is_open
    if "in any cell" in said:
        return set(range(9))
    allowed = re.split(r", so |: | Play |^Play ", said)[1]
    return {board for board, name in enumerate(NAMES) if f"the {name}" in allowed}


@pytest.mark.parametrize("rules_id", NESTED)
def test_boards_of_the_sentence_are_those_of_the_legal_moves(rules_id: str) -> None:
    kinds: Counter[str] = Counter()
    for position, last in played(rules_id, GAMES_EACH):
        assert isinstance(position, NestedPosition)
        if position.outcome() is not None:
            continue
        legal = {move // 9 for move in position.legal_moves()}
        for viewer in (None, *Player):
            said = situation(position, last, viewer)
            assert named_boards(said, position) == legal, (said, str(position))
            mover = position.turn
            names = {player: "you" if player is viewer else str(player) for player in Player}
            if last is None:
                assert said.lower().startswith(f"{names[mover]} begin".lower())
                continue
            cell = PLACES[last % 9]
            begun = re.fullmatch(r"(\w+) played (?:in the )?([a-z ]+), (so|but) .+", said)
            assert begun
            assert begun[1].lower() == names[mover.other].lower()
            assert begun[2] == cell
            assert re.search(rf"\b{names[mover]} (plays?|may play) ", said)
            is_won = "is won" in said
            if begun[3] == "but":
                board = last % 9
                assert is_won == (position.rules.won_closed and position.owner(board) is not None)
                assert is_won != ("is full" in said)
        kinds["but" if ", but " in said else "so" if ", so " in said else "begin"] += 1
    assert kinds["begin"] == GAMES_EACH
    assert kinds["so"] > GAMES_EACH
    assert kinds["but"] > 0 or rules_id.endswith("full=draw")


@pytest.mark.parametrize("rules_id", NESTED[2:])
def test_few_open_boards_are_named(rules_id: str) -> None:
    found: Counter[int] = Counter()
    for position, last in played(rules_id, 6 * GAMES_EACH):
        assert isinstance(position, NestedPosition)
        boards = {move // 9 for move in position.legal_moves()}
        if not boards or position.forced is not None or len(boards) > 2:
            continue
        found[len(boards)] += 1
        assert named_boards(situation(position, last), position) == boards
    assert set(found) == {1, 2}


@pytest.mark.parametrize("rules_id", [*NESTED, *ROWS])
def test_refusals_are_true(rules_id: str) -> None:
    reasons: Counter[str] = Counter()
    rng = random.Random(1)
    for position, _ in played(rules_id, 2):
        legal = set(position.legal_moves())
        if rng.random() > 0.3 and position.outcome() is None:
            continue
        assert isinstance(position, RowPosition | NestedPosition)
        falls = isinstance(position, ConnectFour)
        size = 81 if isinstance(position, NestedPosition) else position.rules.size
        for move in range(position.rules.columns if falls else size):  # type: ignore[union-attr]
            refused = refusal(position, position.move_text(move))
            if move in legal:
                assert refused is None
                continue
            assert refused
            said = refused.sentence
            assert said.count(".") <= 2
            if position.outcome() is not None:
                assert refused == ("The game is over.", (), ())
                reasons["over"] += 1
                continue
            assert bool(refused.boards) != bool(refused.cells)
            if isinstance(position, NestedPosition):
                boards = {each // 9 for each in legal}
                if refused.boards:
                    assert move // 9 not in boards
                    assert set(refused.boards) == boards == named_boards(said, position)
                else:
                    assert move // 9 in boards
                    assert position.mark(move) is not None
                    assert set(refused.cells) == {m for m in legal if m // 9 == move // 9}
                if said.startswith("The "):
                    board = NAMES.index(said[4:].partition(" is ")[0])
                    assert board == move // 9
                    assert position.closed >> board & 1
                    won = bool(position.rules.won_closed and position.owner(board))
                    assert (" is won." in said) == won
            else:
                cells = {position.cell(each) for each in legal}
                assert set(refused.cells) == cells
                assert all(position.mark(cell) is None for cell in cells)
                assert ("full" if falls else "taken") in said
            reasons[said.split()[0]] += 1
    assert len(reasons) > 1


@pytest.mark.parametrize(
    ("rules_id", "text", "said"),
    [
        ("basic", "0", "There is no cell 0. Type a cell from 1 to 9."),
        ("ultimate", "zz", '"zz" is not a move. Type a board and a cell, such as 51.'),
        ("connect4", "8", "There is no column 8. Type a column from 1 to 7."),
    ],
)
def test_text_that_is_no_move_is_refused(rules_id: str, text: str, said: str) -> None:
    refused = refusal(noughts.game(rules_id), text)
    assert refused == (said, (), ())


@pytest.mark.parametrize("rules_id", ROWS)
def test_sentence_of_a_row_game_tells_the_last_move_and_the_turn(rules_id: str) -> None:
    compared = 0
    for (before, _), (position, last) in pairwise(played(rules_id, 5)):
        assert isinstance(position, RowPosition)
        if last is None or position.outcome() is not None:
            continue
        assert isinstance(before, RowPosition)
        (move,) = (each for each in before.legal_moves() if before.cell(each) == last)
        said = situation(position, last, position.turn)
        start = re.fullmatch(r"[XO] played (?:in the |column )?(.+)\. Your turn\.", said)
        assert start
        small = (position.rules.columns, position.rules.rows) == (3, 3)
        assert start[1] == (PLACES[last] if small else before.move_text(move))
        assert said.startswith(str(position.turn.other))
        other = situation(position, last, position.turn.other)
        assert other == said.replace(f"{position.turn.other} played", "You played").replace(
            "Your turn.", f"{position.turn} to move."
        )
        compared += 1
    assert compared > 3


def test_sentence_of_an_own_game_and_of_an_end() -> None:
    with games_restored():
        load(NIM)
        start = noughts.game("nim")
        assert situation(start, None, Player.X) == "Your turn."
        assert situation(start) == "X to move."
        refused = refusal(start, "d9")
        assert refused
        assert "not a legal move" in refused.sentence
        told = lesson(start)
        assert (told.steps, told.scenes) == ((), ())
    over = noughts.game("basic").after("5 1 3 2 7")
    assert situation(over, 6, Player.X) == "X wins with the diagonal from top right."


# Lessons


@pytest.mark.parametrize(
    "rules_id", [*NESTED, *ROWS, "mnk:15,15,5", "mnk:19,19,19", "mnk:6,5,4", "mnk:5,6,4"]
)
def test_steps_show_their_sentences(rules_id: str) -> None:
    start = noughts.game(rules_id)
    steps = lesson(start).steps
    assert len(steps) == 3
    for said, (position, last) in steps:
        assert len(said) < 70
        outcome = position.outcome()
        wins = re.match(r"(\d+) (?:won boards )?in a row (?:on any board )?(win|lose)s?", said)
        if wins and "wins that board" not in said:
            assert outcome
            assert outcome.winner
            assert last is not None
            assert position.mark(last) is (
                outcome.winner if wins[2] == "win" else outcome.winner.other
            )
            if isinstance(position, RowPosition):
                assert len(position.winning_line()) == position.rules.k == int(wins[1])
                assert position.rules.misere == (wins[2] == "lose")
            elif not position.rules.one_line:
                assert len(position.winning_boards()) == 3
        elif "draw" in said:
            assert outcome
            assert outcome.winner is None
            assert not position.legal_moves()
        elif "wins that board" in said:
            assert isinstance(position, NestedPosition)
            assert outcome is None
            assert (position.won_x | position.won_o).bit_count() == 1
        elif "names the board" in said:
            assert isinstance(position, NestedPosition)
            assert last is not None
            assert position.forced == last % 9 != last // 9
        elif "full column" in said:
            assert isinstance(position, ConnectFour)
            assert len(position.legal_moves()) == position.rules.columns - 1
        else:
            assert "begins" in said or "falls" in said


def test_full_board_without_a_line_is_shown_for_every_size() -> None:
    for columns, rows in product(range(1, 9), repeat=2):
        if max(columns, rows) < 3:
            continue
        last = lesson(noughts.game(f"mnk:{columns},{rows},3")).steps[-1]
        assert last.sentence.endswith("a draw."), (columns, rows)
        assert not last.picture.position.legal_moves()


@pytest.mark.parametrize("rules_id", NESTED)
def test_film_is_a_game_and_lasts_at_most_twenty_seconds(rules_id: str) -> None:
    scenes = lesson(noughts.game(rules_id)).scenes
    assert sum(scene.seconds for scene in scenes) <= LONGEST == 20
    pictures = [picture for scene in scenes for picture in scene.pictures]
    position: Position = noughts.game(rules_id)
    shown = []
    for text in ["", *FILM.split()]:
        if position.outcome() is not None:
            break
        position = position.play(text) if text else position
        shown.append(position)
    assert [str(each) for each, _ in pictures] == list(map(str, shown))
    for scene in scenes[:3]:
        ((position, _),) = scene.pictures
        assert isinstance(position, NestedPosition)
        boards = {move // 9 for move in position.legal_moves()}
        assert named_boards(scene.sentence, position) == boards
    outcome = pictures[-1].position.outcome()
    assert outcome
    assert outcome.winner is Player.X


def test_samples_are_unfinished_or_won_positions_of_each_game() -> None:
    for name in GAMES:
        found = sample(name)
        assert found
        position, last = found
        assert position.rules_id.partition(":")[0] == name
        assert isinstance(position, RowPosition | NestedPosition)
        assert last is not None
        assert position.mark(last) is position.turn.other
