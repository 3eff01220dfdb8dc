"""The phrases about texts, moves and positions: one table for Python, the core and the pages.

    code, arguments ──said()──► row 3 has 4 cells, not 5

The core returns codes and arguments, in `core/reading.hpp` and `core/facts.hpp`; the scripts of the
pages have this table in `web/static/core/phrases.js`, which `tools/phrases.py` writes. A phrase can
follow a colon, unless it ends with a full stop.

A phrase has its arguments in braces, as text, or in one of these ways:

    {cells}                 a list, with spaces
    {owners:or}             a list, with a word
    {cell:place}            a cell from 1 to 9, after `played`: in the centre
    {board:board}           one of nine boards from 1: centre board
    {open:boards}           a choice of boards: the centre board or the top-left board
    {line:line}             a line of a 3×3 board from 1 to 8: top row
    {turn:you play|plays}   a player: you play, X plays

and in those of hints (`hint_phrases`), which pages load later:

    {cell:spot}             a cell from 1 to 9, as a noun: the centre
    {boards:named}          boards: the centre board or the top-left board; any of 4 boards
    {count:count move}      a number and its noun: 1 move, 2 moves
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from noughts.games.hint_phrases import HINTS, HINTS_ON_PAGE
from noughts.games.tree_phrases import TREES

PLACES = (
    *("top left", "top middle", "top right"),
    *("middle left", "centre", "middle right"),
    *("bottom left", "bottom middle", "bottom right"),
)
"""The names of the cells of a 3×3 board, and of nine boards, row by row from the top left."""

LINES = (
    *("top row", "middle row", "bottom row"),
    *("left column", "middle column", "right column"),
    *("diagonal from top left", "diagonal from top right"),
)
"""The names of the lines of a 3×3 board."""
LINE_CELLS = ("123", "456", "789", "147", "258", "369", "159", "357")
"""The cells of each of `LINES`, from 1 to 9."""

PHRASES = {
    # Rules ids
    "no-game": 'no game called "{name}"',
    "no-options": "the options are missing after the colon",
    "late-size": "the size {word} must come before the options",
    "extra-size": "{word} is one number too many for {name}",
    "bad-size": "{symbol} must be a number from 1 to 20, not {word}",
    "no-option": 'no option "{word}" in {name}. Options: {known}',
    "same-option": "the option {key} appears twice",
    "bad-option": 'the option is {forms:or}, not "{word}"',
    "no-sizes": "the sizes are missing, as in mnk:5,5,4",
    "no-height": "the height is missing, as in connect4:8,7",
    "large-board": "a {columns}×{rows} board is too large: the limit is {widest}×{highest}",
    "long-line": "{k} in a row does not fit on a {columns}×{rows} board",
    # Position strings
    "fields": "the text is not of the form {form}",
    "rows": "the number of rows is {found}, not {wanted}",
    "row": "row {row} has {found} cells, not {wanted}",
    "row-mark": 'row {row}, column {column}: "{mark}" is not X, O or a number of empty cells',
    "row-number": "row {row}, column {column}: {number} is not a number from 1 to {wanted}",
    "boards": "the number of boards is {found}, not {wanted}",
    "board": "board {row} has {found} cells, not {wanted}",
    "board-mark": 'board {row}, cell {column}: "{mark}" is not X, O or a number of empty cells',
    "board-number": "board {row}, cell {column}: {number} is not a number from 1 to {wanted}",
    "side": 'the side to move is X or O, not "{side}"',
    "marks": (
        "the board has {x} X and {o} O; X moves first, so it must have as many as O or one more"
    ),
    "turn": "with {x} X and {o} O, {turn} is to move, not {side}",
    "hanging": "row {row}, column {column}: the cell below this mark is empty",
    "two-lines": "both X and O have a line",
    "late-line": "{player} has a line, but {mover} moved after it",
    "last-move": "no single last move completes the lines of {mover}",
    "built": "a line of exactly {k} would have ended the game before {player} had these marks",
    "stack": "alternating turns cannot stack the marks like this",
    "target": 'the target is a board from 1 to 9 or -, not "{target}"',
    "early-target": "the target before the first move is -",
    "no-target": "the target after a move is a board from 1 to 9",
    "extra-owners": "{rules} has no owners field: the marks show the owners",
    "no-owners": "the owners field is missing: {rules} needs the winner of each board",
    "owners": 'the owners are nine of X, O, D and -, not "{owners}"',
    "owner": "the owner of board {board} is {owners:or}, not {said}",
    "owner-full": "the owner of board {board} is D (full without a line), not {said}",
    "owner-open": "the owner of board {board} is - (not full, without a line), not {said}",
    "board-lines": "board {board}: both X and O have a line",
    "board-late": "board {board}: {player} moved again after winning it",
    "many-lines": "{player} has lines on {count} boards, but the first line ends the game",
    "two-wins": "both X and O have won",
    "late-win": "{player} has won, but {mover} moved after it",
    "unmarked-target": (
        "the target is {target}, but {mover}, who moved last, has no mark on a cell {target}"
    ),
    "closed-target": (
        "the target is {target}, but every cell {target} of {mover} is on a board closed before"
    ),
    "idle-target": (
        "the target is {target}, but {mover} did not win with a mark on a cell {target}"
    ),
    # Moves
    "move": "move {number}: {reason}",
    "over": "the game is over",
    "which-cell": "type a cell from {first} to {last}",
    "no-cell": "there is no cell {text}. Type a cell from {first} to {last}",
    "no-move": '"{text}" is not a move. Type a cell from {first} to {last}',
    "taken": "cell {cell} is taken",
    "taken-few": "cell {cell} is taken. Free cells: {free}",
    "which-column": "type a column from {first} to {last}",
    "no-column": "there is no column {text}. Type a column from {first} to {last}",
    "no-drop": '"{text}" is not a move. Type a column from {first} to {last}',
    "full": "column {cell} is full. Free columns: {free}",
    "which-board": "type a board and a cell, such as 51",
    "which-board-of": "which board? Type a board and a cell, such as 5{text}",
    "no-board": "there is no cell {text}. Boards and cells have the numbers 1 to 9",
    "no-nested-move": '"{text}" is not a move. Type a board and a cell, such as 51',
    "other-board": "play on board {forced}: the last move sent you there",
    "won-board": "{owner} has won board {board}",
    "full-board": "board {board} is full",
    "taken-there": "cell {cell} of board {board} is taken. Free cells there: {free}",
    # States
    "state-won": "{winner} has won",
    "state-drawn": "drawn",
    "state-turn": "{turn} to move",
    "state-board": "{turn} to move on board {forced}",
    # Situations
    "begin": "{turn:You begin|begins}: play in any cell.",
    "begin-row": "{turn:You begin|begins}: play in any cell. {k} in a row wins.",
    "begin-misere": "{turn:You begin|begins}: play in any cell. {k} in a row loses.",
    "begin-drop": "{turn:You begin|begins}: drop into any column. {k} in a row wins.",
    "next": "{turn:Your turn|to move}.",
    "played": "{last:You|} played {cell}. {turn:Your turn|to move}.",
    "played-place": "{last:You|} played {cell:place}. {turn:Your turn|to move}.",
    "dropped": "{last:You|} played column {column}. {turn:Your turn|to move}.",
    "sent": "{last:You|} played {cell:place}, so {turn:you play|plays} the {cell:board}.",
    "sent-won": (
        "{last:You|} played {cell:place}, but that board is won:"
        " {turn:you|} may play {open:boards}."
    ),
    "sent-full": (
        "{last:You|} played {cell:place}, but that board is full:"
        " {turn:you|} may play {open:boards}."
    ),
    # Swap2; the viewer is "you"
    "swap2": (
        "Player 1 places three stones, X O X. Then player 2 plays O or X, or places two more, O X,"
        " and player 1 chooses."
    ),
    "swap2-place": (
        "{player:You place|places} an {mark}: stone {stone} of {stones}."
        " Then {other:you choose|chooses} a side."
    ),
    "swap2-choose": (
        "{player:You choose|chooses}: play X, play O and move next, or add two stones."
    ),
    "swap2-choose-last": "{player:You choose|chooses}: play X, or play O and move next.",
    "swap2-chosen": "{player:You|} chose {side}. {turn:Your turn|to move}.",
    "swap2-chosen-played": (
        "{player:You|} chose {side} and played {cell}. {turn:Your turn|to move}."
    ),
    "swap2-no-choice": "there is no side to choose now",
    # Results
    "drawn": "A draw: nobody has a line.",
    "drawn-boards": "A draw: nobody has 3 boards in a row.",
    "drawn-count": "A draw: both have {count:count board}.",
    "drawn-target": "A draw: the named board is full.",
    "won": "{winner} wins.",
    "won-line": "{winner} wins with {lines:and}.",
    "won-misere": "{winner} wins: {loser} made {lines:and}.",
    "won-boards": "{winner} wins with {lines:and} of boards.",
    "won-count": "{winner} wins by boards, {more} to {less}.",
    "won-resigned": "{winner} wins: {loser} resigned.",
    "won-on-time": "{winner} wins: {loser} ran out of time.",
    "won-illegal": "{winner} wins: {loser} answered with no legal move.",
    "drawn-agreed": "A draw: both players agreed.",
    "ended": "{result} ({termination}).",
    "line": "the line {cells}",
    "small-line": "the {line:line}",
    "small-line-on": "the {line:line} on the {board:board}",
    "column-line": "{count} in column {first}",
    "row-line": "a row of {count} from column {first} to {last}",
    "diagonal-line": "a diagonal of {count} from column {first} to {last}",
}
"""The phrases, by their codes."""

ON_PAGE = {
    "over": "The game is over.",
    "taken": "That cell is taken. Choose a free one.",
    "taken-few": "That cell is taken. Choose a free one.",
    "full": "Column {cell} is full. Choose another column.",
    "other-board": "Play the {forced:board}: {last} played {forced:place}.",
    "won-board": "The {board:board} is won. Play {open:boards}.",
    "full-board": "The {board:board} is full. Play {open:boards}.",
    "taken-there": "That cell is taken. Choose a free one.",
}
"""Phrases for a page, which shows no numbers of boards and cells."""

NAMED_BOARDS = 3
"""A phrase names at most this many boards, and else their number."""

_ALL = PHRASES | HINTS | TREES
_ALL_ON_PAGE = ON_PAGE | HINTS_ON_PAGE

_ARGUMENT = re.compile(r"\{(\w+)(?::([^{}]*))?\}")


class Phrase(NamedTuple):
    """A code and its arguments; `str` fills in the phrase."""

    code: str
    arguments: dict[str, Any]

    def __str__(self) -> str:
        return _filled(_ALL[self.code], self.arguments)

    def seen_by(self, viewer: object) -> str:
        """Return the phrase for one of the players, who is "you"."""
        return _filled(_ALL[self.code], self.arguments, viewer)

    def on_page(self) -> str:
        """Return a sentence for a page.

        >>> phrase("taken", cell="a1").on_page()
        'That cell is taken. Choose a free one.'
        """
        return sentence(_filled(_ALL_ON_PAGE.get(self.code, _ALL[self.code]), self.arguments))


def phrase(code: str, **arguments: Any) -> Phrase:
    """Return a phrase with its arguments."""
    return Phrase(code, arguments)


def phrase_of(data: Mapping[str, Any]) -> Phrase:
    """Return a phrase of the core, whose arguments may be phrases or lists of phrases.

    >>> str(phrase_of({"code": "threat", "player": "O", "what": {"code": "small-line", "line": 5}}))
    'O threatens the middle column'
    """

    def read(value: Any) -> Any:
        if isinstance(value, list):
            return [read(each) for each in value]
        return phrase_of(value) if isinstance(value, Mapping) else value

    arguments = {name: read(value) for name, value in data.items() if name != "code"}
    return Phrase(data["code"], arguments)


def said(code: str, **arguments: Any) -> str:
    """Return the text of a phrase.

    >>> said("row", row=3, found=4, wanted=5)
    'row 3 has 4 cells, not 5'
    """
    return str(Phrase(code, arguments))


def sentence(text: str) -> str:
    """Return `text` with a capital letter and a full stop; a move at its start stays as it is.

    >>> sentence("the game is over"), sentence("a1 is taken")
    ('The game is over.', 'a1 is taken.')
    """
    first = text.partition(" ")[0]
    begun = text[:1].upper() + text[1:] if first.isalpha() else text
    return begun if begun.endswith((".", "?", "!")) else f"{begun}."


def board_name(board: int) -> str:
    """Return the name of one of nine boards, from 0 to 8.

    >>> board_name(0), board_name(4)
    ('top-left board', 'centre board')
    """
    return f"{PLACES[board].replace(' ', '-')} board"


def _filled(text: str, arguments: dict[str, Any], viewer: object = None) -> str:
    return _ARGUMENT.sub(lambda found: _in_words(arguments[found[1]], found[2] or "", viewer), text)


def _in_words(value: Any, way: str, viewer: object) -> str:
    if way == "board":
        return board_name(value - 1)
    if way == "place":
        place = PLACES[value - 1]
        return f"in the {place}" if place == "centre" else place
    if way == "boards":
        return _choice(value)
    if way == "spot":
        return "the centre" if PLACES[value - 1] == "centre" else PLACES[value - 1]
    if way == "line":
        return LINES[value - 1]
    if way == "named":
        return _named(value)
    if way.startswith("count "):
        return f"{value} {way.removeprefix('count ')}{'' if value == 1 else 's'}"
    you, bar, verb = way.partition("|")
    if bar:
        return you if value == viewer else f"{value} {verb}".rstrip()
    if isinstance(value, list):
        texts = [str(each) for each in value]
        return list_of(texts, way) if way else " ".join(texts)
    return str(value)


def list_of(texts: list[str], word: str) -> str:
    """Return texts as a list in a sentence.

    >>> list_of(["a1", "b1", "c1"], "or")
    'a1, b1 or c1'
    """
    *first, last = texts
    return f"{', '.join(first)} {word} {last}" if first else last


def _choice(boards: list[int]) -> str:
    """Return the boards of a free choice as the object of `play`."""
    if len(boards) > 2:
        return f"any of the {len(boards)} open boards"
    return list_of([f"the {board_name(board - 1)}" for board in boards], "or")


def _named(boards: list[int]) -> str:
    """Return any of some boards, for `on` or a verb."""
    if len(boards) > NAMED_BOARDS:
        return f"any of {len(boards)} boards"
    return list_of([f"the {board_name(board - 1)}" for board in boards], "or")
