"""Facts in row games: open rows, and lines of Connect Four that wait for a cell.

An open row is `k + 1` cells in line with both ends empty, and one mark missing between them: with
it the player has `k - 1` in a row and threatens both ends. For k = 5:

    ┌───┬───┬───┬───┬───┬───┐
    │   │ X │ X │   │ X │   │
    └───┴───┴───┴───┴───┴───┘

S is the player to move, T the opponent.
"""

from __future__ import annotations

from collections.abc import Iterator

from noughts.explain.kinds import Fact
from noughts.games.lines import cells_of, line_ends
from noughts.games.lines import lines as lines_on
from noughts.games.position import Player
from noughts.games.row import RowPosition

SHORTEST = 4
"""The shortest winning line for which open rows are named."""


def on_row(position: RowPosition, move: int) -> Iterator[Fact]:
    """Yield the effects of a move after which T cannot win at once."""
    rules, player = position.rules, position.turn
    after = position.play(move)
    if rules.gravity:
        cells = _awaited(after, player) & ~_awaited(position, player)
        if cells:
            yield Fact("awaits", player, move, ((move,),), cells=cells_of(cells))
        return
    if rules.misere or rules.k < SHORTEST:
        return
    made = {row: cell for row, cell in _open_rows(after, player).items() if row >> move & 1}
    yield from _rows(after, "opens", player, move, made, (move,))
    theirs = _open_rows(position, player.other)
    if not any(_forks(after, player.other, cell) for cell in {*theirs.values()} - {move}):
        yield from _rows(position, "stops_open", player, move, theirs, ())


def _rows(
    place: RowPosition,
    kind: str,
    player: Player,
    move: int,
    rows: dict[int, int],
    line: tuple[int, ...],
) -> Iterator[Fact]:
    """Yield a fact on open rows, with lines that begin with `line` and a move outside the rows."""
    outside = next(
        (
            other
            for other in place.legal_moves()
            if not any(row >> other & 1 for row in rows) and place.play(other).outcome() is None
        ),
        None,
    )
    if rows and outside is not None:
        cells = tuple(sorted(set(rows.values())))
        lines = tuple((*line, outside, cell) for cell in cells)
        yield Fact(kind, player, move, lines, cells)


def _open_rows(position: RowPosition, player: Player) -> dict[int, int]:
    """Return the open rows of a player as masks, with the missing cell of each.

    A player who threatens to win at once has no open row, since the opponent must answer first.
    """
    rules = position.rules
    found: dict[int, int] = {}
    mine, theirs = _marks(position, player), _marks(position, player.other)
    if _completing(position, player, mine):
        return found
    size = rules.columns, rules.rows, rules.k + 1
    for row, beyond in zip(lines_on(*size), line_ends(*size), strict=True):
        if row & theirs or (row & mine).bit_count() != rules.k - 2:
            continue
        if rules.exact and beyond & mine:
            continue  # a mark at that end would make the line too long
        first, *inner, last = cells_of(row)
        if not mine >> first & 1 and not mine >> last & 1:
            found[row] = next(cell for cell in inner if not mine >> cell & 1)
    return found


def _forks(position: RowPosition, player: Player, cell: int) -> bool:
    """Whether a player threatens two lines at once with a mark on a cell."""
    return _completing(position, player, _marks(position, player) | 1 << cell).bit_count() > 1


def _awaited(position: RowPosition, player: Player) -> int:
    """Return the cells that complete a line for a player but lie above an empty cell."""
    lowest = sum(1 << position.cell(move) for move in position.legal_moves())
    return _completing(position, player, _marks(position, player)) & ~lowest


def _completing(position: RowPosition, player: Player, mine: int) -> int:
    """Return the empty cells that complete a line for a player with the marks `mine`."""
    return position.rules.completing(mine, _marks(position, player.other))


def _marks(position: RowPosition, player: Player) -> int:
    return position.x if player is Player.X else position.o
