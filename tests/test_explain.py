"""Every sentence is true: its lines are replayed, and its claim is checked another way.

The rules are asked move by move, without the code that found the facts; values are those of
`solve_all` where a game is small, of the textbook's negamax where that comes to an end, and
otherwise at least borne out by the lines.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from samples import RULES_IDS, random_game, reachable
from test_cli import answer, run

import noughts
from noughts.games.nested import NestedPosition
from noughts.games.position import Player, Position
from noughts.games.row import RowPosition
from noughts.search import Limit, Value, negamax, solve_all
from noughts.views.explain import WORDS, Sentence, explain
from noughts.views.facts import KINDS, Fact, Judge, Moves, alike

NESTED_LINES = ("123", "456", "789", "147", "258", "369", "159", "357")
SOLVED = ("basic", "mnk:3,3,3", "mnk:3,3,3,misere", "mnk:2,3,2,misere", "connect4:3,3,3")
SHORT = Limit(nodes=20_000)
EXAMPLES = str(Path(__file__).parent.parent / "examples")


@cache
def solution(rules_id: str) -> dict[Position, Value]:
    return solve_all(noughts.game(rules_id))


def truth(position: Position, move: int | None = None) -> Value | None:
    """Return the exact value of a position or of a move in it, if it can be found without the
    engine."""
    if move is not None:
        value = truth(position.play(move))
        return None if value is None else value.for_mover
    if position.rules_id in SOLVED:
        return solution(position.rules_id)[position]
    if len(position.legal_moves()) > 81:
        return None  # no search of 300 nodes comes to an end there
    found = negamax(position, Limit(nodes=300))
    return found.value if found.exact and found.complete else None


def end(position: Position, line: Moves) -> Position:
    """Return the position after a line, whose moves must all be legal."""
    for move in line:
        assert move in position.legal_moves()
        position = position.play(move)
    return position


def winner(position: Position) -> Player | None:
    outcome = position.outcome()
    return None if outcome is None else outcome.winner


def over(position: Position) -> bool:
    return position.outcome() is not None


def winning(position: Position) -> set[int]:
    return {m for m in position.legal_moves() if winner(position.play(m)) is position.turn}


def bears_out(position: Position, line: Moves, value: Value) -> None:
    """Check a line of best play against the value that it is to prove."""
    final = end(position, line)
    if value.value == "unknown":
        return
    if over(final):
        player = {"win": position.turn, "draw": None, "loss": position.turn.other}[value.value]
        assert winner(final) is player
        assert value.plies in (None, len(line))
    else:
        assert position.rules_id not in SOLVED
        assert value.plies is None or len(line) < value.plies


def agrees(value: Value, exact: Value | None) -> None:
    """Check a value that is said to be proven."""
    assert value.value != "unknown"
    if exact is not None:
        assert value.value == exact.value
        assert value.plies in (None, exact.plies)


def is_worth(position: Position, move: int, line: Moves, value: Value) -> None:
    """Check that a move is worth a value, and that its line bears it out."""
    assert line[0] == move
    bears_out(position, line, value)
    agrees(value, truth(position, move))


def stays(place: Position, threat: int) -> bool:
    """Whether the player who is not to move wins with `threat` after any move that is not the
    threat and does not end the game, and there is such a move."""
    after = [place.play(move) for move in place.legal_moves() if move != threat]
    after = [each for each in after if not over(each)]
    return bool(after) and all(threat in winning(each) for each in after)


def one_move(position: Position, fact: Fact) -> Position:
    assert fact.lines == ((fact.move,),)
    return end(position, fact.lines[0])


def check_wins(position: Position, fact: Fact) -> None:
    assert winner(one_move(position, fact)) is fact.player is position.turn


def check_loses_at_once(position: Position, fact: Fact) -> None:
    assert winner(one_move(position, fact)) is fact.player is position.turn.other


def check_draws(position: Position, fact: Fact) -> None:
    after = one_move(position, fact)
    assert over(after)
    assert winner(after) is None


def check_allows(position: Position, fact: Fact) -> None:
    assert fact.move is not None
    after = position.play(fact.move)
    assert fact.player is position.turn.other is after.turn
    assert {line[1] for line in fact.lines} == set(fact.moves) == winning(after) != set()
    assert all(line[0] == fact.move and len(line) == 2 for line in fact.lines)
    assert all(winner(end(position, line)) is fact.player for line in fact.lines)
    if fact.board is not None:
        assert position.move_text(fact.move)[1] == str(fact.board + 1)


def check_gives_above(position: Position, fact: Fact) -> None:
    check_allows(position, fact)
    assert isinstance(position, RowPosition)
    assert fact.move is not None
    assert fact.moves == (fact.move,)
    after = position.play(fact.move)
    assert after.cell(fact.move) == position.cell(fact.move) - position.rules.columns


def threatening(position: Position, fact: Fact) -> Position:
    """Check the threats that a move makes, and return the position after it."""
    assert fact.move is not None
    after = position.play(fact.move)
    assert fact.player is position.turn
    assert not winning(after)
    assert all(stays(after, threat) for threat in fact.moves)
    assert tuple(line[2] for line in fact.lines) == fact.moves
    assert all(line[0] == fact.move for line in fact.lines)
    assert all(winner(end(position, line)) is fact.player for line in fact.lines)
    return after


def check_two_threats(position: Position, fact: Fact) -> None:
    after = threatening(position, fact)
    assert len(fact.moves) > 1
    for reply in after.legal_moves():
        place = after.play(reply)
        assert winner(place) is fact.player or winning(place) & set(fact.moves)


def check_threatens(position: Position, fact: Fact) -> None:
    threatening(position, fact)
    assert fact.moves


def check_threat(position: Position, fact: Fact) -> None:
    assert fact.player is position.turn.other
    assert tuple(line[1] for line in fact.lines) == fact.moves
    assert all(winner(end(position, line)) is fact.player for line in fact.lines)
    assert all(stays(position, threat) for threat in fact.moves)


def check_blocks(position: Position, fact: Fact) -> None:
    assert fact.move is not None
    assert tuple(line[1] for line in fact.lines) == fact.moves
    assert all(winner(end(position, line)) is position.turn.other for line in fact.lines)
    assert all(stays(position, threat) for threat in fact.moves)
    assert not winning(position.play(fact.move)) & set(fact.moves)


def check_every_answer(position: Position, fact: Fact) -> None:
    assert fact.move is not None
    after = position.play(fact.move)
    assert [line[1] for line in fact.lines] == list(after.legal_moves())
    assert all(line[0] == fact.move and len(line) <= 3 for line in fact.lines)
    assert all(winner(end(position, line)) is fact.player for line in fact.lines)
    assert fact.player is position.turn


def check_no_good_answer(position: Position, fact: Fact) -> None:
    check_every_answer(position, fact)
    assert all(len(line) == 2 for line in fact.lines)


def check_sends(position: Position, fact: Fact) -> None:
    after = one_move(position, fact)
    assert fact.board is not None
    assert {after.move_text(move)[0] for move in after.legal_moves()} == {str(fact.board + 1)}


def check_frees(position: Position, fact: Fact) -> None:
    after = one_move(position, fact)
    assert fact.board is not None
    assert position.move_text(fact.lines[0][0])[1] == str(fact.board + 1)
    boards = {after.move_text(move)[0] for move in after.legal_moves()}
    assert str(fact.board + 1) not in boards
    empty = {move // 9 for move in range(81) if isinstance(after, NestedPosition)}
    for board in empty - {int(text) - 1 for text in boards}:
        assert isinstance(after, NestedPosition)
        full = all(after.mark(9 * board + cell) for cell in range(9))
        assert full or (after.owner(board) is not None and "won=open" not in after.rules_id)


def line_on(position: NestedPosition, board: int, player: Player) -> bool:
    return any(
        all(position.mark(9 * board + int(cell) - 1) is player for cell in line)
        for line in NESTED_LINES
    )


def check_takes_board(position: Position, fact: Fact) -> None:
    after = one_move(position, fact)
    assert fact.board is not None
    assert isinstance(position, NestedPosition)
    assert isinstance(after, NestedPosition)
    assert position.owner(fact.board) is None
    assert after.owner(fact.board) is position.turn is fact.player
    assert line_on(after, fact.board, position.turn)


def check_denies_board(position: Position, fact: Fact) -> None:
    one_move(position, fact)
    assert isinstance(position, NestedPosition)
    assert fact.board is not None
    assert fact.move is not None
    assert position.owner(fact.board) is None
    marks = {
        str(cell + 1)
        for cell in range(9)
        if position.mark(9 * fact.board + cell) is position.turn.other
    }
    marks.add(position.move_text(fact.move)[1])
    assert position.move_text(fact.move)[0] == str(fact.board + 1)
    assert any(set(line) <= marks for line in NESTED_LINES)


def check_gives_board(position: Position, fact: Fact) -> None:
    assert fact.move is not None
    assert fact.board is not None
    assert fact.player is position.turn.other
    check_sends(position, fact._replace(lines=((fact.move,),)))
    for line in fact.lines:
        before, after = end(position, line[:1]), end(position, line)
        assert isinstance(before, NestedPosition)
        assert isinstance(after, NestedPosition)
        assert before.owner(fact.board) is None
        assert after.owner(fact.board) is fact.player
        assert line_on(after, fact.board, fact.player)


def check_only_move(position: Position, fact: Fact) -> None:
    one_move(position, fact)
    assert list(position.legal_moves()) == [fact.move]


def check_give_win(position: Position, fact: Fact) -> None:
    assert tuple(line[0] for line in fact.lines) == fact.moves
    assert all(len(line) == 2 for line in fact.lines)
    assert all(winner(end(position, line)) is fact.player for line in fact.lines)
    assert fact.player is position.turn.other


def check_zugzwang(position: Position, fact: Fact) -> None:
    check_give_win(position, fact)
    assert fact.moves == tuple(position.legal_moves())
    for move in fact.moves:
        check_gives_above(position, fact._replace(move=move, moves=(move,), lines=((move, move),)))


def check_standing(position: Position, fact: Fact) -> None:
    assert fact.value is not None
    assert fact.move is not None
    is_worth(position, fact.move, fact.lines[0], fact.value)
    agrees(fact.value, truth(position))


def check_worth(position: Position, fact: Fact) -> None:
    assert fact.value is not None
    assert fact.move is not None
    is_worth(position, fact.move, fact.lines[0], fact.value)


ORDER = ("loss", "draw", "win")


def check_only(position: Position, fact: Fact) -> None:
    value, (own, *lines) = fact.value, fact.lines
    assert value is not None
    assert fact.move is not None
    if value.value != "unknown":
        is_worth(position, fact.move, own, value)
    worse = ORDER[: 1 if value.value == "unknown" else ORDER.index(value.value)]
    others = [move for move in position.legal_moves() if move != fact.move]
    assert [line[0] for line in lines] == others != []
    for line in lines:
        exact, final = truth(position, line[0]), end(position, line)
        assert exact is None or exact.value in worse
        if over(final):
            player = winner(final)
            ended = "draw" if player is None else "win" if player is position.turn else "loss"
            assert ended in worse
        if fact.plies is not None:
            assert exact is None or (exact.value == "loss" and (exact.plies or 0) <= fact.plies)
            assert len(line) <= fact.plies
    if fact.plies is not None and all(over(end(position, line)) for line in lines):
        assert max(map(len, lines)) == fact.plies


def compared(position: Position, fact: Fact, outlook: str) -> list[int]:
    """Check moves that all win, or all lose, in known distances; return these, ours first."""
    assert fact.value is not None
    assert fact.move is not None
    assert fact.value.plies == fact.plies
    assert fact.moves
    values = (fact.value, *fact.values)
    for move, line, value in zip((fact.move, *fact.moves), fact.lines, values, strict=True):
        assert value.value == outlook
        is_worth(position, move, line, value)
    return [value.plies or 0 for value in values]


def distances(position: Position) -> list[int]:
    """Return in how many plies the moves win or lose that do as far as is known."""
    exact = [truth(position, move) for move in position.legal_moves()]
    return [value.plies for value in exact if value and value.plies is not None]


def check_quickest(position: Position, fact: Fact) -> None:
    own, *others = compared(position, fact, "win")
    assert own <= min(others)
    exact = [truth(position, move) for move in position.legal_moves()]
    assert all(value is None or value.value != "win" or value.plies >= own for value in exact)  # type: ignore[operator]


def check_slower(position: Position, fact: Fact) -> None:
    own, quicker = compared(position, fact, "win")
    assert quicker < own


def check_holds_out(position: Position, fact: Fact) -> None:
    own, *others = compared(position, fact, "loss")
    assert own >= max(others)
    exact = [truth(position, move) for move in position.legal_moves()]
    assert all(value is None or value.value == "loss" for value in exact)
    assert max(distances(position), default=0) <= own


def check_sooner(position: Position, fact: Fact) -> None:
    own, later = compared(position, fact, "loss")
    assert own < later


def check_gives_up(position: Position, fact: Fact) -> None:
    (better,), (best,) = fact.moves, fact.values
    assert fact.value is not None
    assert fact.move is not None
    assert ORDER.index(fact.value.value) < ORDER.index(best.value)
    is_worth(position, fact.move, fact.lines[0], fact.value)
    is_worth(position, better, fact.lines[1], best)


def check_alike(position: Position, fact: Fact) -> None:
    assert fact.value is not None
    for move, line, value in zip(fact.moves, fact.lines, fact.values, strict=True):
        assert value.value == fact.value.value
        is_worth(position, move, line, value)


def check_lose(position: Position, fact: Fact) -> None:
    assert tuple(line[0] for line in fact.lines) == fact.moves != ()
    for move, line in zip(fact.moves, fact.lines, strict=True):
        is_worth(position, move, line, Value("loss", fact.plies, None))


def check_estimate(position: Position, fact: Fact) -> None:
    assert fact.value is not None
    assert fact.move is not None
    assert fact.value.value == "unknown"
    assert fact.value.estimate is not None
    assert -1 < fact.value.estimate < 1
    assert fact.lines[0][0] == fact.move
    after = position.play(fact.move)
    assert not over(after)
    assert not winning(after)
    for move, line, value in zip(fact.moves, fact.lines[1:], fact.values, strict=True):
        assert value.rank > fact.value.rank
        if value.value != "unknown":
            is_worth(position, move, line, value)


def check_open(position: Position, fact: Fact) -> None:
    assert fact.value is not None
    assert fact.value.value == "unknown"
    assert not winning(position)
    end(position, fact.lines[0])


CHECKS: dict[str, Callable[[Position, Fact], None]] = {
    name.removeprefix("check_"): check
    for name, check in list(globals().items())
    if name.startswith("check_")
}


def check(position: Position, sentence: Sentence) -> None:
    """Check a sentence: its claim, its lines, and that its text says what the fact holds."""
    fact = sentence.fact
    try:
        assert fact.lines
        for line in fact.lines:
            assert line
            end(position, line)
        CHECKS[fact.kind](position, fact)
        values = [value.plies for value in (fact.value, *fact.values) if value is not None]
        for plies in re.findall(r"(\d+) plies", sentence.text):
            assert int(plies) in (fact.plies, *values)
        if fact.move is not None and fact.kind not in ("standing", "only"):
            assert position.move_text(fact.move) in sentence.text.replace(":", " ").replace(",", "")
        assert sentence.text.endswith(".")
        assert "None" not in sentence.text
    except AssertionError as error:
        raise AssertionError(f"{position}: {sentence.text} {fact}") from error


def check_position(position: Position, judge: Judge, moves: Moves) -> set[str]:
    """Check all that is said of a position and of `moves` there; return the kinds of facts."""
    kinds = set()
    for move in (None, *moves):
        sentences = explain(position, judge, move)
        assert sentences
        assert len({sentence.text for sentence in sentences}) == len(sentences)
        for sentence in sentences:
            check(position, sentence)
            kinds.add(sentence.fact.kind)
    return kinds


def test_every_kind_of_fact_has_a_claim_words_and_a_check() -> None:
    assert set(KINDS) == set(WORDS) == set(CHECKS)


@pytest.mark.parametrize("rules_id", ["basic", "mnk:3,3,3,misere", "connect4:3,3,3"])
def test_every_sentence_about_every_small_position(rules_id: str) -> None:
    start = noughts.game(rules_id)
    judge = Judge(start)
    kinds: set[str] = set()
    rng = random.Random(0)
    for place in sorted(reachable(start), key=str):
        if not over(place):
            kinds |= check_position(place, judge, (rng.choice(place.legal_moves()),))
            groups_are_whole(place, judge)
    assert {"standing", "only", "gives_up", "quickest", "holds_out", "worth"} <= kinds
    assert "estimate" not in kinds


def groups_are_whole(position: Position, judge: Judge) -> None:
    """Check that a list of moves that win, draw or lose lists all that do."""
    outlooks = {move: truth(position, move) for move in position.legal_moves()}
    for fact in alike(position, judge):
        if fact.value is not None:
            same = [m for m, v in outlooks.items() if v is not None and v.value == fact.value.value]
            assert list(fact.moves) == same
        elif fact.kind == "lose":
            same = [m for m, v in outlooks.items() if v == Value("loss", fact.plies, None)]
            assert list(fact.moves) == same


def late(start: Position, rng: random.Random) -> Position:
    """Return a position of a random game, half the time one near its end."""
    *positions, _ = random_game(start, rng)
    near = positions[-12:] if rng.random() < 0.5 else positions
    return rng.choice(near)


@pytest.mark.parametrize("rules_id", RULES_IDS)
def test_every_sentence_about_random_positions(rules_id: str) -> None:
    some_sentences_are_true(rules_id, 5 if rules_id == "mnk:19,19,5" else 60)


@pytest.mark.soak
@pytest.mark.parametrize("rules_id", RULES_IDS)
def test_every_sentence_about_many_random_positions(rules_id: str) -> None:
    some_sentences_are_true(rules_id, 60 if rules_id == "mnk:19,19,5" else 1000)


def some_sentences_are_true(rules_id: str, number: int) -> None:
    rng = random.Random(rules_id)
    start = noughts.game(rules_id)
    for count in range(number):
        place = late(start, rng)
        # Little searched, much must be left open; nothing said may be false for that.
        limit = Limit(nodes=rng.choice((1, 50, 20_000))) if count % 4 == 0 else SHORT
        check_position(place, Judge(place, limit), (rng.choice(place.legal_moves()),))


def said(position: str, move: str = "", **limits: int) -> list[str]:
    """Return the sentences about a position, or about a move in it."""
    place = noughts.position(position) if "~" in position else noughts.game(position)
    asked = place.parse_move(move) if move else None
    return [sentence.text for sentence in explain(place, Judge(place, Limit(**limits)), asked)]


BASIC, MISERE = "basic~XX1.OO1.3~X", "mnk:3,3,3,misere"
ULTIMATE = (
    "ultimate~2O3XXX.1XOX1OOX1.1OX2X1XX.3O2XXO.OX1XX4.OXO6.X2OOX1OO.OO2O1OO1.XO4XXO~X~8",
    "ultimate~O2O2X1O.5OXXO.1O3X3.1O2OOXX1.XX1X2X2.X1XXOOX2.XXOOOOXOO.X3O1O2.4XXO1X~O~1",
    "ultimate~1XX6.2X1O2O1.OO7.O8.O7X.4X4.3X5.1X7.5O3~X~1",
    "ultimate~6X2.9.5X3.8X.9.2O5O.3O5.5X3.7O1~X~9",
)
BY_BOARDS = (
    "ultimate:tie=boards~XOO1OXO2.1OOOOXXXO.XXX3O2.XXX2X3.1XOXXX1O1.OXOOOOXO1.3OOOXX1."
    "OXOOXX1XX.XOOXXOO1X~O~5"
)
WORDED = [
    (BASIC, "3", "3 makes the line 1 2 3 and wins."),
    (BASIC, "7", "7 leaves O's line 4 5 6 open: O wins at once with 6."),
    (BASIC, "7", "7 turns a win into a loss, in 2 plies; 3 wins at once."),
    ("basic~XX1.1O1.3~O", "", "X threatens the line 1 2 3, with 3."),
    ("basic~XX1.1O1.3~O", "3", "3 blocks X's line 1 2 3."),
    ("basic~XX1.1O1.3~O", "3", "3 threatens the line 3 5 7, with 7."),
    (
        "basic~XX1.1O1.3~O",
        "3",
        "3 is the only move that holds the draw; every other move loses within 2 plies.",
    ),
    ("basic", "", "X to move: the game is a draw if nobody errs; 5 holds it."),
    ("basic", "", "Every move draws."),
    (
        "mnk:3,3,3~XO1.1X1.2O~X",
        "a3",
        "a3 threatens two lines at once, with c1 and a2: O can stop only one.",
    ),
    (f"{MISERE}~OX1.3.1XO~X", "b2", "b2 makes the line b1 b2 b3, and who makes a line loses."),
    (f"{MISERE}~OXO.3.OXX~X", "c2", "c2 leaves O only moves that make a line."),
    (f"{MISERE}~XOX.OOX.X1O~X", "b3", "b3 ends the game as a draw, as nobody has a line."),
    (f"{MISERE}~OXX.OXO.1OX~X", "a3", "a3 is the only legal move."),
    (f"{MISERE}~1OX.1XX.1O1~O", "a2", "a2 wins in 4 plies; a1 wins sooner, in 2."),
    (f"{MISERE}~3.X2.XOO~X", "b2", "b2 loses in 3 plies; b1 holds out for 5."),
    (f"{MISERE}~3.O2.2X~X", "", "Every move loses; none holds out longer than b1: 7 plies."),
    ("connect4:4,4~4.3X.3X.O1OX~O", "4", "4 blocks X's line 4/4 4/3 4/2 4/1."),
    ("connect4:5,4,3~5.X4.OO3.OX2X~X", "3", "3 gives O the cell above it, which wins at once."),
    (
        "connect4:4,4~X1OO.X1XX.O1XO.XXOO~O",
        "",
        "Every move gives X the cell above it, which wins at once.",
    ),
    ("connect4:5,4,3~5.5.4O.1OX1X~X", "5", "Whatever O answers to 5, X wins at once."),
    ("advanced~9.9.3O5.2X1X4.3O5.9.9.9.9~X~4", "47", "47 makes the line 43 45 47 and wins."),
    ("advanced~9.9.9.9.X8.9.9.9.9~O~1", "11", "11 sends X to board 1."),
    (
        "advanced~9.9.9.6O2.7X1.8X.7XX.5O2X.3XO2OO~O~8",
        "87",
        "87 sends X to board 7, where X wins at once with 77.",
    ),
    ("advanced~X4O1X1.9.9.9.9.6X2.O5O2.8O.6X2~X~7", "74", "74 keeps O from a line on board 7."),
    (ULTIMATE[0], "25", "25 wins board 2, and with the boards 1 2 3 in line the game."),
    (
        ULTIMATE[1],
        "16",
        "16 names board 6, which is closed: X may play on any open board, and wins at once "
        "with 49.",
    ),
    (ULTIMATE[2], "11", "11 wins board 1."),
    (ULTIMATE[2], "11", "11 names board 1, which is closed: O may play on any open board."),
    (ULTIMATE[3], "96", "96 sends O to board 6, which O can win at once with 66."),
    (BY_BOARDS, "21", "21 ends the game, and X has won: the boards are 5 to 4."),
]


@pytest.mark.parametrize(("position", "move", "sentence"), WORDED)
def test_what_is_said(position: str, move: str, sentence: str) -> None:
    assert sentence in said(position, move)


def test_of_what_is_not_proven_estimates_are_given() -> None:
    about = said("ultimate", depth=4)
    assert re.fullmatch(
        r"X to move: the estimate for X at depth 4 is [+-]0\.\d\d, with \d\d; nothing is proven\.",
        about[0],
    )
    of_move = said("ultimate", "19", depth=4)[-1]
    assert re.match(r"Of 19 nothing is proven: the estimate for X at depth 4 is ", of_move)


def test_a_draw_by_a_full_target_is_named() -> None:
    moves = "55 54 45 53 35 51 15 58 88 85 56 65 57 75 52 25 59"
    place = noughts.game("advanced:full=draw")
    for move in noughts.parse_moves(place, moves):
        place = place.play(move)
    sentence = "95 ends the game as a draw: it names board 5, which is full."
    assert sentence in said(str(place), "95", nodes=20_000)


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> Iterator[Position]:
    monkeypatch.syspath_prepend(EXAMPLES)
    monkeypatch.setattr("noughts.games.registry.GAMES", noughts.GAMES)
    monkeypatch.delitem(sys.modules, "nim", raising=False)
    import nim

    yield nim.Nim()
    del noughts.GAMES["nim"], sys.modules["nim"]


def test_a_game_of_ones_own_is_explained(nim: Position) -> None:
    for place in reachable(nim):
        if not over(place) and sum(place.piles) < 6:  # type: ignore[attr-defined]
            judge = Judge(place, Limit(nodes=3_000))
            check_position(place, judge, (place.legal_moves()[0],))
    texts = [sentence.text for sentence in explain(noughts.position("nim~1.2.2~X"), Judge(nim))]
    assert (
        "a1 is the only winning move, in 5 plies; every other move loses within 4 plies." in texts
    )


def test_a_finished_game_is_not_explained() -> None:
    place = noughts.position("basic~XXX.OO1.3~O")
    with pytest.raises(ValueError, match="the game is over"):
        explain(place, Judge(place))


# The command --------------------------------------------------------------------------------------


def test_the_command_shows_each_sentence_above_its_lines() -> None:
    done = run("explain", BASIC, "7")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-6:] == [
        "",
        "7 leaves O's line 4 5 6 open: O wins at once with 6.",
        "    7 6",
        "7 turns a win into a loss, in 2 plies; 3 wins at once.",
        "    7 6",
        "    3",
    ]


def test_json_has_every_line_in_the_notation() -> None:
    data = answer("explain", "mnk:3,3,3", "c3", "--moves", "b2 b1")
    assert (data["position"], data["move"]) == ("mnk:3,3,3~1O1.1X1.3~X", "c3")
    for sentence in data["sentences"]:
        assert sentence["exact"]
        for line in sentence["lines"]:
            place = noughts.position(data["position"])
            for text in line:
                place = place.play(place.parse_move(text))
    claims = {sentence["claim"]: sentence for sentence in data["sentences"]}
    assert claims["threatens"]["moves"] == ["a1"]
    assert claims["threatens"]["lines"][0][-1] == "a1"


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["chess"], 2, "there is no game 'chess'"),
        (["basic~XXX.OOO.3~X"], 3, "both X and O have a line"),
        (["basic~XXX.OO1.3~O"], 3, "nothing left to explain. X wins with the line 1 2 3."),
        (["basic", "0"], 3, "there is no cell 0"),
        (["basic", "5", "--moves", "5"], 3, "cell 5 is taken by X"),
        (["basic", "--nodes", "0"], 2, "nodes"),
    ],
)
def test_wrong_input_is_refused(arguments: list[str], code: int, complaint: str) -> None:
    done = run("explain", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert complaint in done.stderr
