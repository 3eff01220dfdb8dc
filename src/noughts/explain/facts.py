"""Facts about a position and its moves, each with the lines of moves that prove it.

rules  ──► lines made, threats, boards named ──┐
                                               ├──► Fact(kind, move, lines, …)
Judge  ──► value of every move, best lines ────┘    a claim of KINDS, ready to be checked

S is the player to move, T the opponent. Lines begin in the position of the fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from noughts.explain.boards import on_board, on_target
from noughts.explain.kinds import Fact, Moves
from noughts.explain.rows import on_row
from noughts.games.nested import NestedPosition
from noughts.games.position import Position, wins_at_once, won
from noughts.games.row import RowPosition
from noughts.judgement.judge import Judge
from noughts.search import Value
from noughts.search.result import own_moves

NAMED = 2
"""Most other moves that a comparison of distances names."""

# By the rules -------------------------------------------------------------------------------------


def threats(position: Position) -> Moves:
    """Return the winning moves that the opponent of the player to move threatens.

    Each of them wins at once after every reply that neither takes its cell nor ends the game.

    >>> import noughts
    >>> threats(noughts.position("basic~XX1.O2.3~O"))
    (2,)
    """
    quiet = _quiet(position)
    after = {move: position.play(move) for move in quiet}
    found = {threat for move in quiet[:2] for threat in wins_at_once(after[move])}

    def stands(threat: int) -> bool:
        others = [after[move] for move in quiet if move != threat]
        return bool(others) and all(
            threat in place.legal_moves() and won(place.play(threat), place.turn)
            for place in others
        )

    return tuple(sorted(filter(stands, found)))


def _quiet(position: Position) -> Moves:
    """Return the moves that do not end the game."""
    return tuple(m for m in position.legal_moves() if position.play(m).outcome() is None)


def _other(position: Position, threat: int, first: Sequence[int]) -> int:
    """Return a move that does not stop a threat, one of `first` if possible."""
    quiet = _quiet(position)
    return next(m for m in (*first, *quiet) if m in quiet and m != threat)


def threat_of_other(position: Position) -> Fact | None:
    """Return the threat of the opponent of the player to move, or `None`."""
    moves = threats(position)
    if not moves:
        return None
    lines = tuple((_other(position, move, ()), move) for move in moves)
    return Fact("threat", position.turn.other, None, lines, moves)


def by_rules(position: Position, move: int) -> Iterator[Fact]:
    """Yield the facts about a legal move that follow from the rules, the weightiest first."""
    player = position.turn
    after = position.play(move)
    outcome = after.outcome()
    if outcome is not None:
        winner = outcome.winner
        kind = "wins" if winner is player else "draws" if winner is None else "loses_at_once"
        yield Fact(kind, player if winner is None else winner, move, ((move,),))
        return
    stopped = tuple(t for t in threats(position) if t not in wins_at_once(after))
    if stopped:
        lines = tuple((_other(position, threat, ()), threat) for threat in stopped)
        yield Fact("blocks", player, move, lines, stopped)
    answers = wins_at_once(after)
    if answers:
        gift = _falls(position) and answers == (move,)
        lines = tuple((move, answer) for answer in answers)
        board = move % 9 if isinstance(position, NestedPosition) else None
        kind = "gives_above" if gift else "allows"
        yield Fact(kind, player.other, move, lines, answers, board=board)
    else:
        yield from _forcing(position, move)
    if isinstance(position, NestedPosition):
        yield from on_board(position, move)
        if not answers:
            yield from on_target(position, move)
    elif isinstance(position, RowPosition) and not answers:
        yield from on_row(position, move)


def _forcing(position: Position, move: int) -> Iterator[Fact]:
    """Yield how `move`, after which T cannot win at once, limits T's replies."""
    player = position.turn
    after = position.play(move)
    answers = {answer: after.play(answer) for answer in after.legal_moves()}
    if all(won(place, player) for place in answers.values()):
        yield Fact("no_good_answer", player, move, tuple((move, answer) for answer in answers))
        return
    sure = all(won(place, player) or wins_at_once(place) for place in answers.values())
    found = threats(after)
    if found and (sure or len(found) == 1):
        kind = "two_threats" if sure and len(found) > 1 else "threatens"
        threatened = tuple((move, _other(after, threat, found), threat) for threat in found)
        yield Fact(kind, player, move, threatened, found)
    if sure and len(found) < 2:
        answered = tuple(
            (move, answer, *wins_at_once(place)[:1]) for answer, place in answers.items()
        )
        yield Fact("every_answer", player, move, answered)


def _falls(position: Position) -> bool:
    """Whether marks fall, so that a move opens the cell above it."""
    return isinstance(position, RowPosition) and position.rules.gravity


def zugzwang(position: Position) -> Fact | None:
    """Return a fact if every move gives T the winning cell above it, else `None`."""
    moves = tuple(position.legal_moves())
    if not _falls(position):
        return None
    after = [(move, position.play(move)) for move in moves]
    if any(place.outcome() is not None or wins_at_once(place) != (m,) for m, place in after):
        return None
    return Fact("zugzwang", position.turn.other, None, tuple((m, m) for m in moves), moves)


# By values ----------------------------------------------------------------------------------------


CLASSES = {"loss": -1, "draw": 0, "win": 1}
"""The proven values in order."""


def _is_worse(value: Value, than: Value) -> bool:
    """Whether the outcome of a value (win, draw or loss) is proven to be worse than another's."""
    if not than.is_exact:
        return value.is_loss
    return value.is_exact and CLASSES[value.kind] < CLASSES[than.kind]


def standing(position: Position, judge: Judge) -> Fact:
    """Return the value of the position, proven or estimated."""
    result = judge.values(position)
    assert result.move is not None
    kind = "open" if not result.value.is_exact else "standing"
    lines = (judge.line(position, result.move),)
    return Fact(kind, position.turn, result.move, lines, value=result.value)


def by_itself(position: Position, move: int, judge: Judge) -> Fact:
    """Return the value of a legal move, proven or estimated, not compared with other moves."""
    result = judge.values(position)
    value, lines = result.moves[move], (judge.line(position, move),)
    kind = "worth" if value.is_exact else "estimate"
    return Fact(kind, position.turn, move, lines, value=value)


def by_values(position: Position, move: int, judge: Judge) -> Iterator[Fact]:
    """Yield how a legal move compares with the others by proven values."""
    result = judge.values(position)
    assert result.move is not None
    value, player = result.moves[move], position.turn
    others = {other: each for other, each in result.moves.items() if other != move}
    best, line = result.move, judge.line(position, move)
    alone = bool(others) and all(_is_worse(each, value) for each in others.values())
    if not others:
        yield Fact("only_move", player, move, ((move,),))
    if alone:
        lines = tuple(judge.line(position, other) for other in others)
        within = _within(others.values())
        yield Fact("only", player, move, (line, *lines), value=value, plies=within)
    if not value.is_exact:
        more = (best,) if result.moves[best].rank > value.rank else ()
        lines = (line, *(judge.line(position, each) for each in more))
        values = tuple(result.moves[each] for each in more)
        yield Fact("estimate", player, move, lines, more, value, values)
    elif _is_worse(value, result.moves[best]) and result.moves[best].is_exact:
        lines = (line, judge.line(position, best))
        yield Fact("gives_up", player, move, lines, (best,), value, (result.moves[best],))
    elif not alone:
        compared = _by_distance(position, move, others, judge) if value.plies and others else None
        yield compared or by_itself(position, move, judge)


def _within(values: Iterable[Value]) -> int | None:
    """Return the longest distance if all values are losses at known distances, else `None`."""
    longest = 0
    for value in values:
        if not value.is_loss or value.plies is None:
            return None
        longest = max(longest, value.plies)
    return longest


def _timed(scores: Mapping[int, Value], value: Value) -> bool:
    """Whether no move can be better than `value`, and all equal moves have known distances."""
    return all(
        each.is_exact and (each.kind != value.kind or each.plies is not None)
        for each in scores.values()
    )


def _by_distance(
    position: Position, move: int, others: Mapping[int, Value], judge: Judge
) -> Fact | None:
    """Compare the distance of a move with those of the best other moves, if all are known."""
    scores = judge.values(position).moves
    value = scores[move]
    known = [m for m, each in others.items() if each.kind == value.kind and each.plies]
    same = sorted(known, key=lambda other: -others[other].rank)
    better = bool(same) and others[same[0]].rank > value.rank
    if better and is_as_far(others[same[0]], value):
        return None
    if not better and not (same and _timed(scores, value)):
        return None
    if value.is_win:
        kind = "slower" if better else "quickest"
    elif all(each.is_loss for each in scores.values()):
        kind = "sooner" if better else "holds_out"
    else:
        return None
    moves = tuple(same[: 1 if better else NAMED])
    lines = tuple(judge.line(position, each) for each in (move, *moves))
    values = tuple(others[each] for each in moves)
    return Fact(kind, position.turn, move, lines, moves, value, values, value.plies)


def is_as_far(value: Value, other: Value) -> bool:
    """Whether two wins or losses have the same distance in moves, or one distance is unknown."""
    plies = value.plies, other.plies
    return None in plies or own_moves(plies[0] or 0) == own_moves(plies[1] or 0)


def alike(position: Position, judge: Judge) -> Iterator[Fact]:
    """Yield the moves of each proven value, best value first; nothing in a lost position."""
    result = judge.values(position)
    player = position.turn
    if result.value.is_loss:
        return
    for outlook in ("win", "draw"):
        moves = tuple(m for m, value in result.moves.items() if value.kind == outlook)
        if moves:
            lines = tuple(judge.line(position, move) for move in moves)
            values = tuple(result.moves[move] for move in moves)
            yield Fact("alike", player, None, lines, moves, Value(outlook, None, None), values)
    losing = {m: value.plies for m, value in result.moves.items() if value.is_loss}
    answers = {move: wins_at_once(position.play(move)) for move in losing}
    given = tuple(move for move in losing if answers[move])
    if given:
        gifts = tuple((move, answers[move][0]) for move in given)
        yield Fact("give_win", player.other, None, gifts, given)
    later = {move: plies for move, plies in losing.items() if move not in given}
    for plies in sorted(set(later.values()), key=lambda plies: (plies is None, plies)):
        moves = tuple(move for move in later if later[move] == plies)
        refuted = tuple(judge.line(position, move) for move in moves)
        yield Fact("lose", player, None, refuted, moves, plies=plies)
