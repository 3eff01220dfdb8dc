"""Game records in two forms with the same content: PGN-like text and JSON lines.

    [Game "basic"]                       {"schema": 1, "game": "basic", "tags": {"X": "you"},
    [X "you"]        ◄──► Record ◄──►     "moves": ["5", {"move": "1", "comment": "a corner"}],
                                          "result": "*", "termination": "unfinished"}
    1. 5 1 {a corner} *

A record is a tree of moves: the first child of a node continues its line, the others are
variations. `docs/records.md` describes both forms. No function here recurses, so lines may have any
length and parentheses any depth.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

from noughts.games import foreign_records
from noughts.games.foreign_records import ForeignGame
from noughts.games.position import (
    IllegalMove,
    NotationError,
    Player,
    Position,
    Termination,
    parse_moves,
    placed,
)
from noughts.games.registry import game, position

if sys.platform != "win32":
    import fcntl

RESULTS = {Player.X: "1-0", Player.O: "0-1", None: "1/2-1/2"}
"""The result for each winner; `None` is a draw."""
UNFINISHED = "*"
"""The result of an unfinished game."""
SWAP2 = "swap2"
"""The tag `Opening` of a game that began with swap2 (`noughts.games.swap2`). Else `Opening` is the
number of moves that a match gave to both players."""

_KNOWN_RESULTS = (*RESULTS.values(), UNFINISHED)
_BY_RULES = [termination.value for termination in Termination]
_TAGS_OF_FIELDS = ("Game", "Start", "Result", "Termination")
_PGN = re.compile(r'\[(Event|Site|Date|Round|White|Black|Variant) "')
_FIRST_TAG = '[Game "'
_WIDTH = 100

_TAG_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
_TAG = re.compile(
    r'\[([A-Za-z][A-Za-z0-9_]*) "([^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+)"\][ \t]*+(?:\n[ \t\n]*+|\Z)'
)
_TOKEN = re.compile(
    r"""[ \t\n]*+(?:
        \{(?P<comment>[^\\}]*+(?:\\.[^\\}]*+)*+)\}
      | "(?P<quoted>[^\\"]*+(?:\\.[^\\"]*+)*+)"
      | (?P<number>[0-9]++\.++)
      | (?P<open>\()
      | (?P<close>\))
      | (?P<word>[^][(){}"\ \t\n]++)
      | (?P<other>.)
    )""",
    re.VERBOSE | re.DOTALL,
)
_PLAIN_MOVE = re.compile(r"(?![0-9]+\.)[!#-'*-Z^-z|~]+")
_DIGIT_RUN = re.compile("[0-9]{2,}")
# A comment is wrapped at single spaces: its line breaks read as spaces.
_BREAK = re.compile(r"(?<=[^ ]) (?=[^ \[])")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)

# Some programs treat these characters as line ends, or drop them, so they are escaped.
_LATE_CONTROLS = {code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), 0x2028, 0x2029)}
_CONTROLS = {code: f"\\u{code:04x}" for code in range(0x20)} | _LATE_CONTROLS
_LETTERS = {"\\": "\\", '"': '"', "{": "{", "}": "}", "n": "\n", "r": "\r", "t": "\t"}
_IN_ALL = _CONTROLS | {ord(_LETTERS[letter]): f"\\{letter}" for letter in "\\nrt"}
_IN_QUOTES = _IN_ALL | {ord('"'): '\\"'}
_IN_COMMENT = _IN_ALL | {ord("}"): "\\}"}


def parse_time(text: str) -> datetime | None:
    """Return the time of an ISO text, in UTC if it has no zone; `None` if it is not a time."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


@dataclass(eq=False, slots=True)
class RecordNode:
    """A move in a record, with its comment and the next moves."""

    move: int
    comment: str = ""
    children: list[RecordNode] = field(default_factory=list, repr=False)
    """The next moves: the first continues the line, the others are variations."""


@dataclass(eq=False)
class Record:
    """A game: its moves, variations, comments and result.

    Two records are equal if all fields are equal and the tags have the same order.
    """

    start: Position
    tags: dict[str, str] = field(default_factory=dict)
    """The tags in order, without `Game`, `Start`, `Result` and `Termination`, which have fields of
    their own. `X`, `O`, `Date` and `Time` have a meaning; all others are free."""
    comment: str = ""
    """The comment before the first move."""
    children: list[RecordNode] = field(default_factory=list, repr=False)
    """The possible first moves: the main line's, then those of variations."""
    result: str = UNFINISHED
    """`1-0` (X wins), `0-1`, `1/2-1/2` or `*`; given by the rules if they ended the game."""
    termination: str = "unfinished"
    """The text of a `Termination` if the rules ended the game; else any other text, such as
    resignation, time forfeit, abandoned or unfinished."""

    @classmethod
    def from_moves(
        cls,
        start: Position,
        moves: str | Iterable[int],
        tags: Mapping[str, str] | None = None,
        *,
        result: str | None = None,
        termination: str | None = None,
    ) -> Self:
        """Return the record of a game without variations.

        Args:
            start: the position before the first move.
            moves: the moves from there, as a list such as `"5 1 9"` or as numbers.
            tags: for example the players' names, `{"X": "you", "O": "mcts"}`.
            result: the result if the rules did not end the game; `*` by default.
            termination: the reason for that result; by default `unknown`, or `unfinished` for `*`.

        Raises:
            IllegalMove: a move that the rules do not allow.
            NotationError: the result or termination contradicts the rules.

        >>> import noughts
        >>> record = Record.from_moves(noughts.game("basic"), "5 1 3 2 7")
        >>> record.result, record.termination
        ('1-0', 'line')
        """
        record = cls(start, dict(tags or {}))
        children, current = record.children, start
        for move in parse_moves(start, moves) if isinstance(moves, str) else moves:
            current = current.play(move)
            children.append(RecordNode(move))
            children = children[0].children
        record.result, record.termination = _ending(current, result, termination)
        return record

    def __str__(self) -> str:
        return format_text(self).rstrip("\n")

    def main_line(self) -> Iterator[RecordNode]:
        """Yield the nodes of the main line."""
        children = self.children
        while children:
            yield children[0]
            children = children[0].children

    @property
    def moves(self) -> list[int]:
        """The moves of the main line."""
        return [node.move for node in self.main_line()]

    def number(self, tag: str) -> int:
        """Return a tag that is a whole number, such as `Round` or `Pair`; 0 if it is missing."""
        text = self.tags.get(tag, "")
        return int(text) if text.isascii() and text.isdecimal() else 0

    @property
    def played(self) -> datetime | None:
        """Date and time of the game from the tags `Date` and `Time`; UTC without a time zone."""
        date, time = self.tags.get("Date", ""), self.tags.get("Time", "")
        return parse_time(f"{date}T{time}" if time else date)

    def positions(self) -> Iterator[Position]:
        """Yield the positions of the main line in order.

        Raises:
            IllegalMove: a move that the rules do not allow.
        """
        current = self.start
        yield current
        for node in self.main_line():
            current = current.play(node.move)
            yield current

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return _content(self) == _content(other)

    def check(self) -> None:
        """Check that the record can be written and read back.

        Raises:
            IllegalMove: a move of the main line that the rules do not allow.
            NotationError: an invalid start, tag name, result or termination.
        """
        _check_head(self)
        *_, end = self.positions()
        _ending(end, self.result, self.termination)


def _nodes(record: Record) -> Iterator[tuple[int, RecordNode]]:
    """Yield every node with its depth: parents first, siblings in order."""
    waiting = [(1, node) for node in reversed(record.children)]
    while waiting:
        depth, node = waiting.pop()
        yield depth, node
        waiting.extend((depth + 1, child) for child in reversed(node.children))


def _content(record: Record) -> tuple[object, ...]:
    return (
        str(record.start),
        list(record.tags.items()),
        record.comment,
        [(depth, node.move, node.comment) for depth, node in _nodes(record)],
        record.result,
        record.termination,
    )


def _ending(end: Position, result: str | None, termination: str | None) -> tuple[str, str]:
    """Return the result and termination of a game that stops at `end`; fill in a missing one.

    Raises:
        NotationError: the result or termination contradicts the rules.
    """
    outcome = end.outcome()
    if outcome is None:
        if result is None:
            result = UNFINISHED
        if result not in _KNOWN_RESULTS:
            reason = f'"{result}" is not a result. Results: {" ".join(_KNOWN_RESULTS)}'
            raise NotationError(str(end), "RESULT", reason)
        if termination is None:
            termination = "unfinished" if result == UNFINISHED else "unknown"
        if termination in _BY_RULES:
            reason = f'the termination is "{termination}", but by the rules the game is not over'
            raise NotationError(str(end), "TERMINATION", reason)
        return result, termination
    by_rules, why = RESULTS[outcome.winner], outcome.termination.value
    if result not in (None, by_rules):
        reason = f"the result is {result}, but by the rules it is {by_rules}"
        raise NotationError(str(end), "RESULT", reason)
    if termination not in (None, why):
        reason = f'the termination is "{termination}", but by the rules it is "{why}"'
        raise NotationError(str(end), "TERMINATION", reason)
    return by_rules, why


def _check_head(record: Record) -> str | None:
    """Check the start and the tags; return the start if it needs a tag."""
    start = str(record.start)
    for name in record.tags:
        _check_tag_name(name)
    if start == str(game(record.start.rules_id)):
        return None
    position(start)
    return start


def _check_tag_name(name: str) -> None:
    if name in _TAGS_OF_FIELDS:
        raise NotationError(
            name, "TAGS", f"set the field {name.lower()} of the record instead of the tag {name}"
        )
    if not _TAG_NAME.fullmatch(name):
        reason = (
            f'"{name}" is not a tag name. Begin with a letter; letters, digits and _ may follow'
        )
        raise NotationError(name, "TAGS", reason)


def _writable(text: str) -> str:
    """Return `text` after a check that it can be encoded in UTF-8.

    Raises:
        NotationError: the text contains half of a surrogate pair.
    """
    half = _SURROGATE.search(text)
    if half:
        around = text[max(half.start() - 50, 0) : half.end() + 50]
        raise NotationError(around, "TEXT", f"UTF-8 cannot encode the character {half[0]!r}")
    return text


# Text ---------------------------------------------------------------------------------------------


def format_text(record: Record) -> str:
    """Return a record as text, with the empty line at its end.

    >>> import noughts
    >>> print(format_text(Record.from_moves(noughts.game("basic"), [4, 0], {"X": "you"})), end="")
    [Game "basic"]
    [X "you"]
    [Result "*"]
    [Termination "unfinished"]
    <BLANKLINE>
    1. 5 1 *
    <BLANKLINE>

    Raises:
        IllegalMove: a move that the rules do not allow.
        NotationError: as `Record.check`; or a text that UTF-8 cannot encode.
    """
    record.check()
    start = record.start
    tags = {"Game": start.rules_id}
    if str(start) != str(game(start.rules_id)):
        tags["Start"] = str(start)
    tags |= record.tags | {"Result": record.result, "Termination": record.termination}
    lines = [f'[{name} "{value.translate(_IN_QUOTES)}"]' for name, value in tags.items()]
    lines.append("")
    for word in [*_words(record), record.result]:
        if lines[-1] and len(lines[-1]) + 1 + len(word) <= _WIDTH:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return _writable("\n".join(lines) + "\n\n")


def _words(record: Record) -> list[str]:
    """Return the words of the lines: moves, numbers, comments and parentheses."""
    words = _comment_words(record.comment)
    # A stack of a ")" or of siblings: the first continues the line, the others follow in
    # parentheses. The text at the end comes before the move's number; with None, O's move has
    # no number.
    waiting: list[str | tuple[Sequence[RecordNode], Position, int, str | None]] = []
    if record.children:
        waiting.append((record.children, record.start, _first_ply(record.start), ""))
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            words[-1] += item
            continue
        (node, *others), before, ply, opening = item
        after = before.play(node.move)
        if opening is not None or ply % 2 == 0:
            words.append((opening or "") + _number(ply))
        words.append(_move_word(before, node.move))
        words += _comment_words(node.comment)
        if node.children:
            waiting.append((node.children, after, ply + 1, "" if others else None))
        for other in reversed(others):
            waiting += [")", ([other], before, ply, "(")]
    return words


def _first_ply(start: Position) -> int:
    """Return the ply to number the first move by: even if X is to move, odd if O is."""
    return start.ply + ((start.turn is Player.O) != start.ply % 2)


def _number(ply: int) -> str:
    return f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"


def _move_word(before: Position, move: int) -> str:
    """Return a move as it is written: in quotes if it could be read as something else."""
    text = before.move_text(move)
    run = before.digit_runs and _DIGIT_RUN.fullmatch(text)
    if _PLAIN_MOVE.fullmatch(text) and text not in _KNOWN_RESULTS and not run:
        return text
    return f'"{text.translate(_IN_QUOTES)}"'


def _comment_words(comment: str) -> list[str]:
    return _BREAK.split("{" + comment.translate(_IN_COMMENT) + "}") if comment else []


def parse_text(text: str) -> list[Record]:
    """Return the records of a text.

    Raises:
        IllegalMove: a move that the rules do not allow; the reason names the line.
        NotationError: a text that is not a record, or contradicts itself; the reason names the
            line.
    """
    return list(read_text(io.StringIO(text, newline=None)))


def read_text(lines: Iterable[str]) -> Iterator[Record]:
    """Yield the records of an iterable of lines, such as an open file.

    Raises:
        IllegalMove, NotationError: as `parse_text`, after the valid records before the fault.
    """
    block: list[str] = []
    first = 1
    for number, line in enumerate(lines, 1):
        if line.startswith(_FIRST_TAG):
            if block:
                yield from _parse_block(_Block("".join(block), first))
            block, first = [line], number
        elif block:
            block.append(line)
        elif line.strip(" \t\n"):
            reason = f'line {number}: begin a game with a tag such as {_FIRST_TAG}basic"]'
            if _PGN.match(line):
                reason += "; this file looks like PGN, the format of chess"
            raise NotationError(line, "TAGS", reason)
    if block:
        yield from _parse_block(_Block("".join(block), first))


class _Line(NamedTuple):
    """The line of a block at an offset; as text `line 3`, with its number in the file."""

    block: _Block
    offset: int

    def __str__(self) -> str:
        return f"line {self.block.first + self.block.text.count(chr(10), 0, self.offset)}"


class _Block(NamedTuple):
    """The lines of one game, with the number of the first line in the file."""

    text: str
    first: int

    def refuse(self, offset: int, field: str, reason: str) -> NotationError:
        begin = self.text.rfind("\n", 0, offset) + 1
        line = self.text[begin:].partition("\n")[0]
        return NotationError(line, field, f"{_Line(self, offset)}: {reason}")

    def unescaped(self, offset: int, text: str) -> str:
        """Return `text`, which begins at `offset`, with its escapes replaced."""

        def character(escape: re.Match[str]) -> str:
            letter = escape[1]
            if len(letter) == 5:
                return chr(int(letter[1:], 16))
            if letter not in _LETTERS:
                known = r"\\ \" \{ \} \n \r \t \uXXXX"
                reason = f"{escape[0]} is not an escape. Escapes: {known}"
                raise self.refuse(offset + escape.start(), "TEXT", reason)
            return _LETTERS[letter]

        plain = _ESCAPE.sub(character, text)
        half = _SURROGATE.search(plain)
        if half:
            reason = f"UTF-8 cannot encode the character {half[0]!r}"
            raise self.refuse(offset, "TEXT", reason)
        return plain


class _Place(NamedTuple):
    """The place of a new move: its siblings, the position before it and its ply."""

    siblings: list[RecordNode]
    position: Position
    ply: int

    def play(self, text: str) -> tuple[RecordNode, _Place]:
        """Add the move with this text; return its node and the place after it."""
        node = RecordNode(self.position.parse_move(text))
        after = self.position.play(node.move)
        self.siblings.append(node)
        return node, _Place(node.children, after, self.ply + 1)


def _parse_block(block: _Block) -> Iterator[Record]:
    """Yield the record of a block, then check that nothing follows it.

    This order saves a game that is followed by garbage, such as the first bytes of the next game.
    """
    record, end = _parse_game(block)
    yield record
    rest = re.search(r"[^ \t\n]", block.text[end:])
    if rest:
        reason = f"only a new game, from {_FIRST_TAG}…, may follow the result {record.result}"
        raise block.refuse(end + rest.start(), "RESULT", reason)


def _parse_game(block: _Block) -> tuple[Record, int]:
    """Return the record of a block, and the offset after its result."""
    tags, places, offset = _parse_tags(block)
    record = Record(_parse_start(block, tags, places))
    end, result, offset = _parse_moves(block, offset, record)
    said = tags.get("Result", result)
    if said != result:
        reason = f"the tag Result is {said}, but the moves end with {result}"
        raise block.refuse(places["Result"], "RESULT", reason)
    try:
        record.result, record.termination = _ending(end, result, tags.get("Termination"))
    except NotationError as error:
        at = places["Termination"] if error.field == "TERMINATION" else offset
        raise block.refuse(at, error.field, error.reason) from None
    record.tags = {name: value for name, value in tags.items() if name not in _TAGS_OF_FIELDS}
    return record, offset


def _parse_tags(block: _Block) -> tuple[dict[str, str], dict[str, int], int]:
    """Return the tags, the offset of each, and the offset of the text after them."""
    tags: dict[str, str] = {}
    places: dict[str, int] = {}
    offset = 0
    while block.text.startswith("[", offset):
        tag = _TAG.match(block.text, offset)
        if not tag:
            reason = 'this is not a tag. Write [Name "value"] on its own line'
            raise block.refuse(offset, "TAGS", reason)
        name = tag[1]
        if name in tags:
            raise block.refuse(offset, "TAGS", f"the tag {name} appears twice")
        tags[name], places[name] = block.unescaped(tag.start(2), tag[2]), offset
        offset = tag.end()
    return tags, places, offset


def _parse_start(block: _Block, tags: dict[str, str], places: dict[str, int]) -> Position:
    name = "Game"
    try:
        start = game(tags["Game"])
        if "Start" not in tags:
            return start
        name = "Start"
        return _position_of(start, tags["Start"])
    except NotationError as error:
        raise block.refuse(places[name], error.field, error.reason) from None


def _position_of(rules: Position, text: str) -> Position:
    """Return the position of a position string with the same rules."""
    start = position(text)
    if start.rules_id != rules.rules_id:
        reason = f"the game is {rules.rules_id}, but the position is of {start.rules_id}"
        raise NotationError(text, "START", reason)
    return start


def _parse_moves(block: _Block, offset: int, record: Record) -> tuple[Position, str, int]:
    """Read the moves from `offset` on into `record`.

    Returns the position at the end of the main line, the result, and the offset after it.
    """

    def refuse(reason: str, field: str = "MOVES") -> NotationError:
        return block.refuse(at, field, reason)

    here = _Place(record.children, record.start, _first_ply(record.start))
    before: _Place | None = None  # the place of the last move of this line
    last: Record | RecordNode = record  # the owner of the next comment
    outer: list[tuple[_Place, _Place | None, Record | RecordNode]] = []
    digit_runs = record.start.digit_runs
    numbered = False
    for token in _TOKEN.finditer(block.text, offset):
        kind = token.lastgroup or ""
        text, at = token[kind], token.start(kind)
        if kind == "word" and text in _KNOWN_RESULTS:
            kind = "result"
        if numbered and kind not in ("word", "quoted"):
            raise refuse("the move after the number is missing")
        numbered = kind == "number"
        if kind == "number":
            if text != _number(here.ply):
                raise refuse(f"the move number is {text}, but the next move is {_number(here.ply)}")
        elif kind == "comment":
            if outer and before is None:
                raise refuse("a comment belongs after a move; this variation has no move yet")
            if last.comment:
                raise refuse("a move has one comment; join these two")
            last.comment = block.unescaped(at, text.replace("\n", " "))
        elif kind == "open":
            if before is None:
                raise refuse("a variation belongs after the move that it replaces")
            outer.append((here, before, last))
            here, before = before, None
        elif kind == "close":
            if not outer:
                raise refuse("this ) has no (")
            if before is None:
                raise refuse("this variation has no moves")
            here, before, last = outer.pop()
        elif kind == "other":
            raise refuse(_STRAY.get(text, f"{text} is allowed only in comments and quotes"))
        elif kind == "result":
            if outer:
                raise refuse(f"the ) of a variation is missing before {text}", "RESULT")
            return here.position, text, token.end()
        else:
            if kind == "quoted":
                text = block.unescaped(at, text)
            run = kind == "word" and digit_runs and _DIGIT_RUN.fullmatch(text)
            for move in text if run else (text,):
                before = here
                with placed(_Line(block, at)):
                    last, here = here.play(move)
    at = len(block.text.rstrip(" \t\n"))
    raise refuse(
        f"the game from line {block.first} has no result. "
        f"End it with one of {' '.join(_KNOWN_RESULTS)}",
        "RESULT",
    )


_STRAY = {"{": "the } of this comment is missing", '"': "the second quote of this move is missing"}


# JSON lines ---------------------------------------------------------------------------------------

_RECORD_KEYS = {
    "schema": int,
    "game": str,
    "start": str,
    "tags": dict,
    "comment": str,
    "moves": list,
    "variations": list,
    "result": str,
    "termination": str,
}
_MOVE_KEYS = {"move": str, "comment": str}
_VARIATION_KEYS = {"line": int, "after": int, "moves": list}
_OPTIONAL = {"start", "tags", "comment", "variations", "termination"}
_KINDS: dict[type, str] = {
    int: "a whole number",
    float: "a number with a fraction",
    str: "a text",
    dict: "an object",
    list: "a list",
    bool: "true or false",
    type(None): "null",
}


def format_json_line(record: Record, positions: Sequence[Position] = ()) -> str:
    """Return a record as one line of JSON, with the newline.

    Args:
        record: the record.
        positions: the positions of the main line; if left out, the moves are played.

    Raises:
        IllegalMove: a move that the rules do not allow.
        NotationError: as `format_text`.
    """
    given = _check_head(record)
    start = end = record.start
    lines: list[dict[str, object]] = []
    # For each line: its first siblings, the position, the line it leaves, moves played before it.
    waiting: list[tuple[Sequence[RecordNode], Position, int, int]] = [
        (record.children, start, 0, 0)
    ]
    for number, (siblings, before, line, after) in enumerate(waiting):
        moves: list[object] = []
        known = iter(positions[1:] if number == 0 else ())
        while siblings:
            node, *others = siblings
            ply = after + len(moves)
            waiting.extend(([other], before, number, ply) for other in others)
            text = before.move_text(node.move)
            moves.append({"move": text, "comment": node.comment} if node.comment else text)
            before, siblings = next(known, None) or before.play(node.move), node.children
        end = before if number == 0 else end
        lines.append({"line": line, "after": after, "moves": moves})
    _ending(end, record.result, record.termination)
    data: dict[str, object] = {"schema": 1, "game": start.rules_id}
    if given is not None:
        data["start"] = given
    data["tags"] = record.tags
    if record.comment:
        data["comment"] = record.comment
    data["moves"] = lines[0]["moves"]
    if lines[1:]:
        data["variations"] = lines[1:]
    data |= {"result": record.result, "termination": record.termination}
    line_text = json.dumps(data, ensure_ascii=False).translate(_LATE_CONTROLS)
    return _writable(line_text + "\n")


def parse_json_line(text: str) -> Record:
    """Return the record of a JSON object.

    Raises:
        IllegalMove: a move that the rules do not allow.
        NotationError: an object that is not a record, or contradicts itself.
    """

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        keys: dict[str, object] = {}
        for key, value in pairs:
            if key in keys:
                raise NotationError(text, "JSON", f'the key "{key}" appears twice')
            keys[key] = value
        return keys

    try:
        data = json.loads(text, object_pairs_hook=unique)
    except NotationError:
        raise
    except (ValueError, RecursionError) as error:
        raise NotationError(text, "JSON", f"this is not a JSON object: {error}") from None
    data = _checked(text, "a record", data, _RECORD_KEYS)
    if data["schema"] != 1:
        raise NotationError(text, "SCHEMA", f"schema {data['schema']} is unknown; use schema 1")
    start = game(data["game"])
    if "start" in data:
        start = _position_of(start, data["start"])
    record = Record(start, data.get("tags", {}), data.get("comment", ""))
    _checked(text, "tags", record.tags, dict.fromkeys(record.tags, str))
    for name in record.tags:
        _check_tag_name(name)
    lines = [_parse_line(text, _Place(record.children, start, 0), data["moves"])]
    for variation in data.get("variations", []):
        _checked(text, "a variation", variation, _VARIATION_KEYS)
        number, after = variation["line"], variation["after"]
        if not 0 <= number < len(lines):
            reason = f"the variation leaves line {number}, but only {len(lines)} come before it"
            raise NotationError(text, "VARIATIONS", reason)
        places = lines[number]
        index = after - places[0].ply
        if not 0 <= index < len(places) - 1:
            reason = f"line {number} has no move after {after} moves to replace"
            raise NotationError(text, "VARIATIONS", reason)
        if not variation["moves"]:
            raise NotationError(text, "VARIATIONS", "this variation has no moves")
        lines.append(_parse_line(text, places[index], variation["moves"]))
    end = lines[0][-1].position
    record.result, record.termination = _ending(end, data["result"], data.get("termination"))
    return record


def _checked(text: str, what: str, data: object, kinds: Mapping[str, type]) -> dict[str, Any]:
    """Return `data` after a check that it is an object with the keys and types of `kinds`."""
    if not isinstance(data, dict):
        raise NotationError(text, "JSON", f"{what} must be an object, not {_KINDS[type(data)]}")
    for key in kinds:
        if key not in data and key not in _OPTIONAL:
            raise NotationError(text, "JSON", f'{what} needs the key "{key}"')
    for key, value in data.items():
        if key not in kinds:
            raise NotationError(text, "JSON", f'{what} has no key "{key}". Keys: {" ".join(kinds)}')
        if type(value) is not kinds[key]:
            reason = f'"{key}" must be {_KINDS[kinds[key]]}, not {_KINDS[type(value)]}'
            raise NotationError(text, "JSON", reason)
        if isinstance(value, str):
            _writable(value)
    return data


def _parse_line(text: str, here: _Place, moves: list[object]) -> list[_Place]:
    """Play the moves of a line from `here`; return the place of each, and that after the last."""
    places = [here]
    for entry in moves:
        if isinstance(entry, str):
            _, here = here.play(entry)
        else:
            move = _checked(text, "a move", entry, _MOVE_KEYS)
            node, here = here.play(move["move"])
            node.comment = move.get("comment", "")
        places.append(here)
    return places


def read_json_lines(lines: Iterable[str]) -> Iterator[Record]:
    """Yield the records of JSON lines, such as an open file.

    Raises:
        IllegalMove, NotationError: as `parse_json_line`, after the valid records before the fault;
            the reason names the line.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        with placed(f"line {number}"):
            record = parse_json_line(line)
        yield record


# Other forms --------------------------------------------------------------------------------------


def read_any(lines: Iterable[str]) -> Iterator[Record]:
    """Yield the games of an iterable of lines in any form, found by the first line with text.

    The forms are those of a record; `.psq` of Piskvork; SGF of Gomoku; and a game on each line, as
    `foreign_records.read_lines` describes it.

    Raises:
        IllegalMove, NotationError: an invalid game, after the valid ones before it; the reason
            names the line.
    """
    lines = iter(lines)
    begin: list[str] = []
    for line in lines:
        begin.append(line)
        if line.strip():
            break
    else:
        return
    lines = chain(begin, lines)
    own = {"[": read_text, "{": read_json_lines}.get(begin[-1].lstrip()[0])
    if own:
        yield from own(lines)
    else:
        reader = foreign_records.reader_of(begin[-1]) or foreign_records.read_lines
        yield from map(_played, reader(lines))


def has_records(first: str) -> bool:
    """Tell whether a text has records, not lines of moves, by its first line that is not empty."""
    return first.lstrip()[:1] in ("[", "{") or foreign_records.reader_of(first) is not None


def _played(game: ForeignGame) -> Record:
    """Return the record of a game of another form, by the first rules that it fits."""
    faults: list[NotationError | IllegalMove] = []
    for start in game.starts:
        try:
            return _played_from(start, game)
        except (NotationError, IllegalMove) as fault:
            faults.append(fault)
    raise faults[0]


def _played_from(start: Position, game: ForeignGame) -> Record:
    record = Record(start, dict(game.tags), game.comment)
    children, current = record.children, start
    for line, move, comment in game.moves:
        with placed(f"line {line}"):
            # As a text, so that a refusal names the cell.
            current = current.play(current.move_text(move))
        children.append(RecordNode(move, comment))
        children = children[0].children
    is_over = current.outcome() is not None
    result = None if is_over and game.result == UNFINISHED else game.result
    termination = None if is_over else game.termination
    with placed(f"line {game.result_line}"):
        record.result, record.termination = _ending(current, result, termination)
    return record


# Files --------------------------------------------------------------------------------------------


def read(path: str | os.PathLike[str]) -> Iterator[Record]:
    """Yield the games of a file: JSON lines if its name ends in `.jsonl`, else as `read_any`.

    Raises:
        IllegalMove, NotationError: an invalid game, after the valid ones before it; the reason
            names the line.
        OSError: as `open`.
    """
    records = read_json_lines if _is_json(path) else read_any
    # Invalid UTF-8 becomes lone surrogates, which the readers refuse with their line.
    with Path(path).open(encoding="utf-8-sig", errors="surrogateescape") as file:
        yield from records(file)


def append(path: str | os.PathLike[str], record: Record) -> None:
    """Append a record to a file as a whole or not at all; create the file if necessary.

    The form is JSON lines if the name ends in `.jsonl`, else text. Other processes that append
    wait. On return, the record is on the disk. If the last record is cut off, perhaps by a power
    failure, the new record begins on a new line after it.

    Raises:
        IllegalMove, NotationError: a record that cannot be written; the file is unchanged.
        OSError: as `open` and `write`; a partly written record is removed.
    """
    is_json = _is_json(path)
    data = (format_json_line(record) if is_json else format_text(record)).encode()
    line_ends = 1 if is_json else 2  # after every record
    with Path(path).open("a+b", buffering=0) as file:
        lock(file, wait=True)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - line_ends, 0))
        tail = file.read(line_ends)
        if size:
            data = b"\n" * (line_ends - len(tail) + len(tail.rstrip(b"\n"))) + data
        append_whole(file, data, sync=True)


def append_whole(file: io.FileIO, data: bytes, *, sync: bool = False) -> None:
    """Append bytes to an unbuffered file as a whole or not at all.

    Args:
        file: a file without a buffer, which could not be emptied on a full disk.
        data: the bytes.
        sync: whether to wait until the bytes are on the disk.

    Raises:
        OSError: as `write`; partly written bytes are removed.
    """
    size = file.seek(0, os.SEEK_END)
    try:
        written = 0
        while written < len(data):
            written += file.write(data[written:])
        if sync:
            os.fsync(file.fileno())
    except BaseException:
        file.truncate(size)
        raise


def lock(file: IO[Any], *, wait: bool = False) -> bool:
    """Lock a file until it is closed; return whether that succeeded. Windows has no such locks."""
    if sys.platform != "win32":
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
    return True


def _is_json(path: str | os.PathLike[str]) -> bool:
    return Path(path).suffix == ".jsonl"
