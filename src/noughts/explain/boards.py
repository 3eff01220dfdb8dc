"""Facts on nine boards: boards won, threatened and denied, and where a move sends the opponent.

    marks of S on a board ──COMPLETING──► cells with which S has a line there
    boards won by S       ──COMPLETING──► boards with which S has three in line

S is the player to move, T the opponent.
"""

from __future__ import annotations

from collections.abc import Iterator

from noughts.explain.kinds import Fact, Moves
from noughts.games.lines import BOARD, COMPLETING, HAS_LINE, LINES, cells_of
from noughts.games.nested import NestedPosition
from noughts.games.position import Player


def on_board(position: NestedPosition, move: int) -> Iterator[Fact]:
    """Yield the effects of a move on the board where it is played; it does not end the game."""
    player, other = position.turn, position.turn.other
    board, cell = divmod(move, 9)
    if position.owner(board) is not None:
        return
    after, here = position.play(move), ((move,),)
    wanted = HAS_LINE[_boards_of(position, other) | 1 << board]
    if after.owner(board) is player:
        boards = _news(position, after, player)
        if boards or not wanted:
            yield Fact("takes_board", player, move, here, board=board, boards=boards)
        if wanted:
            yield Fact("stops_boards", player, move, here, board=board)
    if COMPLETING[_marks(position, board, other)] >> cell & 1:
        kind = "denies_game" if wanted else "denies_board"
        yield Fact(kind, player, move, here, board=board)
    if after.owner(board) is None:
        found = _ways(after, board, player) & ~_ways(position, board, player)
        if found:
            yield Fact("two_in_line", player, move, here, _moves(board, found), board=board)


def on_target(position: NestedPosition, move: int) -> Iterator[Fact]:
    """Yield the chances of T on the board that a move names; T cannot win at once after it."""
    player, other = position.turn, position.turn.other
    after, board = position.play(move), move % 9
    gains = _gains(after)
    if after.forced is None:
        lines = tuple((move, gain) for gain in gains) or ((move,),)
        boards = tuple(sorted({gain // 9 for gain in gains}))
        yield Fact("frees", other, move, lines, board=board, boards=boards)
        return
    if gains:
        lines = tuple((move, gain) for gain in gains)
        boards = _news(after, after.play(gains[0]), other)
        yield Fact("gives_board", other, move, lines, gains, board=board, boards=boards)
        return
    if after.owner(board) is not None or not _can_line(after, board, other):
        yield Fact("sends_in_vain", player, move, ((move,),), board=board)
    if not position.rules.one_line:
        yield from _gains_board(after, move)
        yield from _spares(position, move)


def _gains_board(after: NestedPosition, move: int) -> Iterator[Fact]:
    """Yield whether S can win a board whatever T answers to a move."""
    lines = []
    for answer in after.legal_moves():
        place = after.play(answer)
        gains = _gains(place)
        if not gains:
            return
        lines.append((move, answer, gains[0]))
    yield Fact("gains_board", after.turn.other, move, tuple(lines))


def _spares(position: NestedPosition, move: int) -> Iterator[Fact]:
    """Yield the moves that give T a board or a free choice, if most do and `move` does not."""
    others = [other for other in position.legal_moves() if other != move]
    lines: list[Moves] = []
    for other in others:
        place = position.play(other)
        if place.outcome() is None and (place.forced is None or _gains(place)):
            lines.append((other, *_gains(place)[:1]))
    if lines and 2 * len(lines) >= len(others):
        given = tuple(line[0] for line in lines)
        yield Fact("spares", position.turn, move, tuple(lines), given)


def _gains(position: NestedPosition) -> Moves:
    """Return the moves that make a line on a board which nobody has won."""
    boards = {move // 9 for move in position.legal_moves()}
    return tuple(
        move
        for board in sorted(boards)
        if position.owner(board) is None
        for move in _moves(board, _ways(position, board, position.turn))
    )


def _news(position: NestedPosition, after: NestedPosition, player: Player) -> tuple[int, ...]:
    """Return the boards that would give a player three in line; none if `position` had them all."""
    found = _wanted(after, player)
    return cells_of(found) if found & ~_wanted(position, player) else ()


def _wanted(position: NestedPosition, player: Player) -> int:
    """Return the boards that a player can still win and that would make three in line."""
    return sum(
        1 << board
        for board in cells_of(COMPLETING[_boards_of(position, player)])
        if position.owner(board) is None
        and not position.closed >> board & 1
        and _can_line(position, board, player)
    )


def _can_line(position: NestedPosition, board: int, player: Player) -> bool:
    """Whether a line of a board has no mark of the player's opponent."""
    theirs = _marks(position, board, player.other)
    return any(not line & theirs for line in LINES)


def _ways(position: NestedPosition, board: int, player: Player) -> int:
    """Return the empty cells of a board that complete a line for a player."""
    empty = BOARD & ~(position.x | position.o) >> 9 * board
    return COMPLETING[_marks(position, board, player)] & empty


def _marks(position: NestedPosition, board: int, player: Player) -> int:
    return (position.x if player is Player.X else position.o) >> 9 * board & BOARD


def _boards_of(position: NestedPosition, player: Player) -> int:
    return position.won_x if player is Player.X else position.won_o


def _moves(board: int, cells: int) -> Moves:
    return tuple(9 * board + cell for cell in cells_of(cells))
