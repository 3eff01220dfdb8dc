"""Every sentence is true: its lines are replayed, and its claim is checked another way.

The rules are asked move by move, without the code that found the facts; values are those of
`solve_all` where a game is small, of the textbook's negamax where that comes to an end, and
otherwise at least borne out by the lines.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache

import pytest
from samples import RULES_IDS, random_game, reachable

import noughts
from noughts.games.nested import NestedPosition
from noughts.games.position import Player, Position
from noughts.games.row import RowPosition
from noughts.search import Limit, Value, negamax, solve_all
from noughts.views.explain import WORDS, Sentence, explain
from noughts.views.facts import KINDS, Fact, Judge, Moves

NESTED_LINES = ("123", "456", "789", "147", "258", "369", "159", "357")
SOLVED = ("basic", "mnk:3,3,3", "mnk:3,3,3,misere", "mnk:2,3,2,misere", "connect4:3,3,3")
SHORT = Limit(nodes=20_000)


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
    for move in set(position.legal_moves()) - set(fact.moves):
        exact = truth(position, move)
        if position.rules_id in SOLVED:
            assert exact is not None
            assert exact.value != fact.value.value


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
    assert {"standing", "only", "gives_up", "quickest", "holds_out", "worth"} <= kinds
    assert "estimate" not in kinds


def late(start: Position, rng: random.Random) -> Position:
    """Return a position of a random game, half the time one near its end."""
    *positions, _ = random_game(start, rng)
    near = positions[-12:] if rng.random() < 0.5 else positions
    return rng.choice(near)


@pytest.mark.parametrize("rules_id", RULES_IDS)
def test_every_sentence_about_random_positions(rules_id: str) -> None:
    some_sentences_are_true(rules_id, 12 if rules_id == "mnk:19,19,5" else 60)


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
