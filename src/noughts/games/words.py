"""Positions in words: the state of a game, its result and the marks on the board.

number   ──► count()             2 games
share    ──► percent()           68.8 %
position ──► state()             X to move on board 1
         ──► title_and_rule()    Tic-tac-toe, Get 3 in a row on a 3×3 board.
         ──► short_text()        connect4, or the position string
         ──► outcome_sentence()  X wins with the top row.
         ──► description()       X on 1 2. O on 4 5. X to move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from noughts.games.catalogue import with_defaults
from noughts.games.lines import BOARD, cells_of
from noughts.games.nested import NestedPosition
from noughts.games.phrases import LINE_CELLS, Phrase, phrase, said
from noughts.games.position import Player, Position, Termination
from noughts.games.registry import game
from noughts.games.row import ConnectFour, RowPosition


def count(number: int, one: str, many: str = "") -> str:
    """Return a number and its noun.

    >>> count(1, "game"), count(2000, "game"), count(2, "ply", "plies")
    ('1 game', '2,000 games', '2 plies')
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def percent(share: float, digits: int = 1) -> str:
    """Return a share from 0 to 1 in percent.

    >>> percent(11 / 16), percent(1, digits=0)
    ('68.8 %', '100 %')
    """
    return f"{100 * share:.{digits}f} %"


def cell_name(position: RowPosition | NestedPosition, cell: int) -> str:
    """Return the name of a cell; in Connect Four `4/1` is the lowest cell of column 4."""
    if not isinstance(position, ConnectFour):
        return position.move_text(cell)
    row, column = divmod(cell, position.rules.columns)
    return f"{column + 1}/{position.rules.rows - row}"


def short_text(position: Position) -> str:
    """Return the rules id of a start position, else the position string; for `parse_start`."""
    text = str(position)
    return position.rules_id if text == str(game(position.rules_id)) else text


def outcome_sentence(position: Position) -> str:
    """Return the result of a finished game, with the winning line."""
    return str(_result(position))


def _result(position: Position) -> Phrase:
    outcome = position.outcome()
    assert outcome is not None
    winner = outcome.winner
    if winner is None:
        return _draw(position, outcome.termination)
    if isinstance(position, NestedPosition):
        if outcome.termination is Termination.BOARDS:
            less, more = sorted((position.won_x.bit_count(), position.won_o.bit_count()))
            return phrase("won-count", winner=winner, more=more, less=less)
        if boards := position.winning_boards():
            lines = [phrase("small-line", line=line) for line in _small(boards)]
            return phrase("won-boards", winner=winner, lines=lines)
        cells = position.winning_line()
        lines = [
            phrase("small-line-on", line=line, board=cells[0] // 9 + 1)
            for line in _small(cell % 9 for cell in cells)
        ]
        return phrase("won-line", winner=winner, lines=lines)
    if not isinstance(position, RowPosition):
        return phrase("won", winner=winner)
    lines = _lines(position)
    if position.rules.misere:
        return phrase("won-misere", winner=winner, loser=winner.other, lines=lines)
    return phrase("won-line", winner=winner, lines=lines)


def _draw(position: Position, termination: Termination) -> Phrase:
    if termination is Termination.TARGET:
        return phrase("drawn-target")
    if not isinstance(position, NestedPosition) or position.rules.one_line:
        return phrase("drawn")
    if termination is Termination.BOARDS:
        return phrase("drawn-count", count=position.won_x.bit_count())
    return phrase("drawn-boards")


def _completed(position: RowPosition) -> Iterable[set[int]]:
    """Return the cells of the completed lines, those of one direction together."""
    # Completed lines of one direction share the last cell, so they join to one long line.
    by_step: dict[int, set[int]] = {}
    for marks in (position.x, position.o):
        for mask in position.rules.lines_of(marks):
            cells = cells_of(mask)
            by_step.setdefault(cells[-1] - cells[0], set()).update(cells)
    return by_step.values()


def _small(cells: Iterable[int]) -> Iterator[int]:
    """Yield the lines of a 3×3 board with all their cells among some, from 1."""
    found = {str(cell + 1) for cell in cells}
    return (number for number, line in enumerate(LINE_CELLS, 1) if found >= {*line})


def _lines(position: RowPosition) -> list[Phrase]:
    """Return the completed lines."""
    completed, rules = _completed(position), position.rules
    if (rules.columns, rules.rows, rules.k) == (3, 3, 3) and not isinstance(position, ConnectFour):
        cells = [cell for line in completed for cell in line]
        return [phrase("small-line", line=line) for line in _small(cells)]
    return [line_phrase(position, each) for each in completed]


def line_phrase(position: RowPosition, cells: set[int]) -> Phrase:
    """Return a completed line; in Connect Four by its columns, which have names on every board."""
    if not isinstance(position, ConnectFour):
        return phrase("line", cells=[position.move_text(cell) for cell in sorted(cells)])
    places = [divmod(cell, position.rules.columns) for cell in cells]
    first, last = (end(column for _, column in places) + 1 for end in (min, max))
    rows = len({row for row, _ in places})
    code = "column-line" if first == last else "row-line" if rows == 1 else "diagonal-line"
    return phrase(code, count=len(cells), first=first, last=last)


def title_and_rule(position: Position) -> tuple[str, str]:
    """Return the title of a position's game, and its rules in short.

    >>> import noughts
    >>> title_and_rule(noughts.game("mnk:5,5,4"))
    ('5×5, four in a row', 'Get 4 in a row on a 5×5 board.')
    """
    words = position.rules_id.partition(":")[2].split(",")
    family = type(position)
    rule = family.about
    if words != [""]:
        values = [value for option in family.options for value in option.values]
        chosen = [value for value in values if value.text in words]
        ruled = next((value.ruled for value in chosen if value.ruled), family.ruled)
        rule = _sized(family, ruled, words) or rule
        rule = " ".join([rule, *(value.about for value in chosen if not value.ruled)])
    return _title(family, position.rules_id), rule


def _sized(family: type[Position], template: str, words: Iterable[str]) -> str:
    """Return a text with the sizes in a rules id, which has the usual ones by default."""
    given = [word for word in words if word.isdigit()]
    symbols = [size.symbol for size in family.sizes]
    return template.format(**dict(zip(symbols, with_defaults(family.sizes, given), strict=True)))


def _title(family: type[Position], rules_id: str) -> str:
    """Return the title of a rules id, as `titles.js` does."""
    title, options = family.title or family.name.capitalize(), rules_id.partition(":")[2]
    if not options:
        return title
    for preset in family.presets:
        if preset.rules_id == rules_id:
            return preset.title
    if not family.titled:
        return f"{title} ({rules_id})"
    words = options.split(",")
    values = (value for option in family.options for value in option.values)
    titled = "".join(value.titled for value in values if value.text in words)
    return _sized(family, family.titled, words) + titled


def state(position: Position) -> str:
    """Return the state of the game: the side to move and its board, or the result."""
    outcome = position.outcome()
    if outcome is not None:
        return said("state-won", winner=outcome.winner) if outcome.winner else said("state-drawn")
    forced = position.forced if isinstance(position, NestedPosition) else None
    if forced is None:
        return said("state-turn", turn=position.turn)
    return said("state-board", turn=position.turn, forced=forced + 1)


def description(position: Position) -> str:
    """Return a description of the board, for screen readers.

    >>> import noughts
    >>> description(noughts.position("basic~XX1.OO1.3~X"))
    'X on 1 2. O on 4 5. X to move.'
    """
    if isinstance(position, RowPosition):
        said = [
            _held(player, [cell_name(position, cell) for cell in cells_of(marks)])
            for player, marks in ((Player.X, position.x), (Player.O, position.o))
        ]
    elif isinstance(position, NestedPosition):
        said = [
            _board_words(
                board,
                position.x >> 9 * board & BOARD,
                position.o >> 9 * board & BOARD,
                position.owner(board),
            )
            for board in range(9)
        ]
    else:
        said = [position.diagram()]
    how = state(position)
    return " ".join([*(f"{text}." for text in said if text), f"{how[0].upper()}{how[1:]}."])


# Cached: a move changes one board of nine.
@lru_cache(maxsize=4096)
def _board_words(board: int, x: int, o: int, owner: Player | None) -> str:
    """Return the marks of one of nine boards, of 0 to 8, from the masks of its cells."""
    held = [
        _held(player, [f"{board + 1}{cell + 1}" for cell in cells_of(marks)])
        for player, marks in ((Player.X, x), (Player.O, o))
        if marks
    ]
    won = [f"won by {owner}"] if owner else []
    return f"board {board + 1}: " + ", ".join(won + held) if held else ""


def _held(player: Player, names: Sequence[str]) -> str:
    return f"{player} on {' '.join(names)}" if names else ""
