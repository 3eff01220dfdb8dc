"""Checks of explanations: each line is replayed, and each claim is proven another way.

The rules are asked move by move, without the code that found the facts. Values are those of
`solve_all` for small games and of the textbook's negamax where it finishes; for other positions the
lines must at least be consistent with the value.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import noughts
from noughts.explain.kinds import Fact, Moves
from noughts.explain.sentences import Sentence, explain
from noughts.games.nested import NestedPosition
from noughts.games.position import Player, Position
from noughts.games.row import RowPosition
from noughts.judgement.judge import Judge
from noughts.search import Limit, Value, negamax, solve_all

NESTED_LINES = ("123", "456", "789", "147", "258", "369", "159", "357")
SOLVED = ("basic", "mnk:3,3,3,misere", "mnk:2,3,2,misere", "connect4:3,3,3")
SHORT = Limit(nodes=20_000)


@cache
def solution(rules_id: str) -> dict[Position, Value]:
    return solve_all(noughts.game(rules_id))


def truth(position: Position, move: int | None = None) -> Value | None:
    """Return the exact value of a position or of a move, if found without the engine."""
    if move is not None:
        value = truth(position.play(move))
        return None if value is None else value.for_mover
    if position.rules_id in SOLVED:
        return solution(position.rules_id)[position]
    if len(position.legal_moves()) > 81:
        return None  # no search of 300 nodes finishes there
    found = negamax(position, Limit(nodes=300))
    return found.value if found.exact and found.complete else None


def end(position: Position, line: Moves) -> Position:
    """Return the position after a line; each move must be legal."""
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
    """Check that a line of best play ends as the value says."""
    final = end(position, line)
    if not value.is_exact:
        return
    if over(final):
        player = {"win": position.turn, "draw": None, "loss": position.turn.other}[value.kind]
        assert winner(final) is player
        assert value.plies in (None, len(line))
    else:
        assert position.rules_id not in SOLVED
        assert value.plies is None or len(line) < value.plies


def agrees(value: Value, exact: Value | None) -> None:
    """Check a value that is called proven."""
    assert value.is_exact
    if exact is not None:
        assert value.kind == exact.kind
        assert value.plies in (None, exact.plies)


def is_worth(position: Position, move: int, line: Moves, value: Value) -> None:
    """Check that a move has a value, and that its line ends as the value says."""
    assert line[0] == move
    bears_out(position, line, value)
    agrees(value, truth(position, move))


def stays(place: Position, threat: int) -> bool:
    """Return whether `threat` wins after each other move that does not end the game.

    There must be such a move.
    """
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
    """Check the threats of a move, and return the position after it."""
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


def boards_to_play(position: Position) -> set[int]:
    return {int(position.move_text(move)[0]) - 1 for move in position.legal_moves()}


def lined(position: Position) -> set[int]:
    """Return the legal moves that make a line on a board without a line of anybody."""
    assert isinstance(position, NestedPosition)
    found = set()
    for move in position.legal_moves():
        if any(line_on(position, move // 9, player) for player in Player):
            continue
        after = position.play(move)
        if line_on(after, move // 9, position.turn):
            found.add(move)
    return found


def owned_by(position: NestedPosition, board: int) -> Player | None:
    """Return who has a line on a board; if both have, the position knows who was first."""
    players = [player for player in Player if line_on(position, board, player)]
    return position.owner(board) if len(players) > 1 else next(iter(players), None)


def three_with(position: NestedPosition, player: Player) -> set[int]:
    """Return the boards that a player may still win, and has three in line with."""
    found = set()
    for board in range(9):
        if owned_by(position, board):
            continue
        marks = [position.mark(9 * board + cell) for cell in range(9)]
        if all(marks) or not any(
            all(marks[int(cell) - 1] is not player.other for cell in line) for line in NESTED_LINES
        ):
            continue
        own = {str(each + 1) for each in range(9) if owned_by(position, each) is player}
        if any(set(line) <= own | {str(board + 1)} for line in NESTED_LINES):
            found.add(board)
    return found


def new_threes(before: Position, after: Position, player: Player, boards: Moves) -> None:
    """Check the boards with which a player has three in line, one of them newly so."""
    assert isinstance(before, NestedPosition)
    assert isinstance(after, NestedPosition)
    now, then = three_with(after, player), three_with(before, player)
    assert set(boards) == (now if now - then else set())


def check_sends_in_vain(position: Position, fact: Fact) -> None:
    after = one_move(position, fact)
    assert fact.board is not None
    assert boards_to_play(after) == {fact.board}
    assert isinstance(after, NestedPosition)
    marks = [after.mark(9 * fact.board + cell) for cell in range(9)]
    hopeless = all(
        any(marks[int(cell) - 1] is position.turn for cell in line) for line in NESTED_LINES
    )
    assert hopeless or any(line_on(after, fact.board, player) for player in Player)


def check_frees(position: Position, fact: Fact) -> None:
    assert fact.move is not None
    assert fact.player is position.turn.other
    after = position.play(fact.move)
    assert {line[0] for line in fact.lines} == {fact.move}
    gains = {line[1] for line in fact.lines if len(line) > 1}
    assert gains == lined(after)
    assert set(fact.boards) == {move // 9 for move in gains}
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
    new_threes(position, after, fact.player, fact.boards)


def check_stops_boards(position: Position, fact: Fact) -> None:
    after = one_move(position, fact)
    assert fact.board is not None
    assert isinstance(after, NestedPosition)
    assert line_on(after, fact.board, fact.player)
    theirs = {str(b + 1) for b in range(9) if owned_by(after, b) is fact.player.other}
    assert any(set(line) <= theirs | {str(fact.board + 1)} for line in NESTED_LINES)


def check_denies_game(position: Position, fact: Fact) -> None:
    check_denies_board(position, fact)
    assert isinstance(position, NestedPosition)
    assert not position.rules.one_line
    owned = {str(b + 1) for b in range(9) if owned_by(position, b) is position.turn.other}
    assert any(set(line) <= owned | {str((fact.board or 0) + 1)} for line in NESTED_LINES)


def check_two_in_line(position: Position, fact: Fact) -> None:
    after = one_move(position, fact)
    board, player = fact.board, position.turn
    assert fact.player is player
    assert board is not None
    assert isinstance(position, NestedPosition)
    assert isinstance(after, NestedPosition)
    assert not any(line_on(after, board, each) for each in Player)

    def completing(place: NestedPosition) -> set[int]:
        marks = [place.mark(9 * board + cell) for cell in range(9)]
        own = {str(cell + 1) for cell in range(9) if marks[cell] is player}
        return {
            9 * board + cell
            for cell in range(9)
            if marks[cell] is None
            and any(set(line) <= own | {str(cell + 1)} for line in NESTED_LINES)
        }

    assert set(fact.moves) == completing(after) - completing(position) != set()


def check_gains_board(position: Position, fact: Fact) -> None:
    assert fact.move is not None
    assert fact.player is position.turn
    after = position.play(fact.move)
    assert not lined(after)
    assert [line[1] for line in fact.lines] == list(after.legal_moves())
    for line in fact.lines:
        assert line[0] == fact.move
        assert line[2] in lined(after.play(line[1]))


def gives(place: Position) -> bool:
    """Return whether the player to move can make a line at once, or has a free choice."""
    assert isinstance(place, NestedPosition)
    free = place.target is not None and place.target not in boards_to_play(place)
    return not over(place) and (free or bool(lined(place)))


def check_spares(position: Position, fact: Fact) -> None:
    assert fact.move is not None
    after = position.play(fact.move)
    assert not gives(after)
    assert not over(after)
    others = [move for move in position.legal_moves() if move != fact.move]
    given = {move for move in others if gives(position.play(move))}
    assert set(fact.moves) == given
    assert 2 * len(given) >= len(others) > 0
    assert tuple(line[0] for line in fact.lines) == fact.moves
    for line in fact.lines:
        assert len(line) < 2 or line[1] in lined(position.play(line[0]))


def forks(place: Position, move: int) -> bool:
    """Return whether a move wins at once after each answer that does not win first."""
    after = place.play(move)
    answers = [after.play(answer) for answer in after.legal_moves()]
    open_ = [each for each in answers if not over(each)]
    return bool(open_) and all(winning(each) for each in open_)


def check_opens(position: Position, fact: Fact) -> None:
    assert fact.player is position.turn
    assert {line[0] for line in fact.lines} == {fact.move}
    assert fact.moves == tuple(line[2] for line in fact.lines)
    for line in fact.lines:
        assert forks(end(position, line[:2]), line[2])


def check_stops_open(position: Position, fact: Fact) -> None:
    assert fact.move is not None
    assert fact.player is position.turn
    assert fact.moves == tuple(line[1] for line in fact.lines)
    after = position.play(fact.move)
    for line in fact.lines:
        assert forks(end(position, line[:1]), line[1])
        assert line[1] not in after.legal_moves() or winning(after) or not forks(after, line[1])


def check_awaits(position: Position, fact: Fact) -> None:
    after = one_move(position, fact)
    assert isinstance(position, RowPosition)
    assert isinstance(after, RowPosition)
    rules = position.rules
    assert rules.gravity

    def reach(place: RowPosition) -> set[int]:
        """Return the empty cells where a mark of S makes a line and that cannot be played yet."""
        own = {c for c in range(rules.size) if place.mark(c) is position.turn}
        found = set()
        for cell in range(rules.size):
            row, column = divmod(cell, rules.columns)
            below = cell + rules.columns
            if place.mark(cell) or row == rules.rows - 1 or place.mark(below):
                continue
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                length = 1
                for way in (1, -1):
                    y, x = row + way * down, column + way * right
                    while 0 <= y < rules.rows and 0 <= x < rules.columns:
                        if y * rules.columns + x not in own:
                            break
                        length, y, x = length + 1, y + way * down, x + way * right
                if length >= rules.k:
                    found.add(cell)
        return found

    assert set(fact.cells) == reach(after) - reach(position) != set()


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
    assert boards_to_play(position.play(fact.move)) == {fact.board}
    assert set(fact.moves) == lined(position.play(fact.move)) != set()
    for line in fact.lines:
        before, after = end(position, line[:1]), end(position, line)
        assert isinstance(before, NestedPosition)
        assert isinstance(after, NestedPosition)
        assert before.owner(fact.board) is None
        assert after.owner(fact.board) is fact.player
        assert line_on(after, fact.board, fact.player)
        new_threes(before, after, fact.player, fact.boards)


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
    if value.is_exact:
        is_worth(position, fact.move, own, value)
    worse = ORDER[: 1 if not value.is_exact else ORDER.index(value.kind)]
    others = [move for move in position.legal_moves() if move != fact.move]
    assert [line[0] for line in lines] == others != []
    for line in lines:
        exact, final = truth(position, line[0]), end(position, line)
        assert exact is None or exact.kind in worse
        if over(final):
            player = winner(final)
            ended = "draw" if player is None else "win" if player is position.turn else "loss"
            assert ended in worse
        if fact.plies is not None:
            assert exact is None or (exact.is_loss and (exact.plies or 0) <= fact.plies)
            assert len(line) <= fact.plies
    if fact.plies is not None and all(over(end(position, line)) for line in lines):
        assert max(map(len, lines)) == fact.plies


def compared(position: Position, fact: Fact, outlook: str) -> list[int]:
    """Check moves that all win, or all lose, at known distances; return these, the fact's first."""
    assert fact.value is not None
    assert fact.move is not None
    assert fact.value.plies == fact.plies
    assert fact.moves
    values = (fact.value, *fact.values)
    for move, line, value in zip((fact.move, *fact.moves), fact.lines, values, strict=True):
        assert value.kind == outlook
        is_worth(position, move, line, value)
    return [value.plies or 0 for value in values]


def distances(position: Position) -> list[int]:
    """Return the known distances in plies of winning and losing moves."""
    exact = [truth(position, move) for move in position.legal_moves()]
    return [value.plies for value in exact if value and value.plies is not None]


def check_quickest(position: Position, fact: Fact) -> None:
    own, *others = compared(position, fact, "win")
    assert (own + 1) // 2 <= (min(others) + 1) // 2
    exact = [truth(position, move) for move in position.legal_moves()]
    wins = [value.plies or 0 for value in exact if value is not None and value.is_win]
    assert all((plies + 1) // 2 >= (own + 1) // 2 for plies in wins)


def check_slower(position: Position, fact: Fact) -> None:
    own, quicker = compared(position, fact, "win")
    assert (quicker + 1) // 2 < (own + 1) // 2


def check_holds_out(position: Position, fact: Fact) -> None:
    own, *others = compared(position, fact, "loss")
    assert own >= max(others)
    exact = [truth(position, move) for move in position.legal_moves()]
    assert all(value is None or value.is_loss for value in exact)
    assert max(distances(position), default=0) <= own


def check_sooner(position: Position, fact: Fact) -> None:
    own, later = compared(position, fact, "loss")
    assert (own + 1) // 2 < (later + 1) // 2


def check_gives_up(position: Position, fact: Fact) -> None:
    (better,), (best,) = fact.moves, fact.values
    assert fact.value is not None
    assert fact.move is not None
    assert ORDER.index(fact.value.kind) < ORDER.index(best.kind)
    is_worth(position, fact.move, fact.lines[0], fact.value)
    is_worth(position, better, fact.lines[1], best)


def check_alike(position: Position, fact: Fact) -> None:
    assert fact.value is not None
    for move, line, value in zip(fact.moves, fact.lines, fact.values, strict=True):
        assert value.kind == fact.value.kind
        is_worth(position, move, line, value)


def check_lose(position: Position, fact: Fact) -> None:
    assert tuple(line[0] for line in fact.lines) == fact.moves != ()
    for move, line in zip(fact.moves, fact.lines, strict=True):
        is_worth(position, move, line, Value.loss(fact.plies))


def check_estimate(position: Position, fact: Fact) -> None:
    assert fact.value is not None
    assert fact.move is not None
    assert not fact.value.is_exact
    assert fact.value.estimate is not None
    assert -1 < fact.value.estimate < 1
    assert fact.lines[0][0] == fact.move
    after = position.play(fact.move)
    assert not over(after)
    assert not winning(after)
    for move, line, value in zip(fact.moves, fact.lines[1:], fact.values, strict=True):
        assert value.rank > fact.value.rank
        if value.is_exact:
            is_worth(position, move, line, value)


def check_open(position: Position, fact: Fact) -> None:
    assert fact.value is not None
    assert not fact.value.is_exact
    assert not winning(position)
    end(position, fact.lines[0])


CHECKS: dict[str, Callable[[Position, Fact], None]] = {
    name.removeprefix("check_"): check
    for name, check in list(globals().items())
    if name.startswith("check_")
}


def check(position: Position, sentence: Sentence) -> None:
    """Check a sentence: its claim, its lines, and the facts in its text."""
    fact = sentence.fact
    try:
        assert fact.lines
        for line in fact.lines:
            assert line
            end(position, line)
        CHECKS[fact.kind](position, fact)
        values = [value for value in (fact.value, *fact.values) if value is not None]
        plies = [each for each in (fact.plies, *(v.plies for v in values)) if each is not None]
        for moves in re.findall(r"(\d+) moves?\b", sentence.text):
            assert int(moves) in {each - each // 2 for each in plies}
        for chance in re.findall(r"(\d+) %", sentence.text):
            assert int(chance) in {value.chance for value in values}
        assert "plies" not in sentence.text
        if fact.move is not None and fact.kind not in ("standing", "only"):
            assert position.move_text(fact.move) in sentence.text.replace(":", " ").replace(",", "")
        assert sentence.text.endswith(".")
        assert "None" not in sentence.text
    except AssertionError as error:
        raise AssertionError(f"{position}: {sentence.text} {fact}") from error


def check_position(position: Position, judge: Judge, moves: Moves) -> set[str]:
    """Check the sentences about a position and `moves`; return their kinds of facts."""
    kinds = set()
    for move in (None, *moves):
        sentences = explain(position, judge, move)
        assert sentences
        assert len({sentence.text for sentence in sentences}) == len(sentences)
        for sentence in sentences:
            check(position, sentence)
            kinds.add(sentence.fact.kind)
    return kinds
