"""Game records: PGN-like text and its twin in JSON lines, which hold the same.

    [Game "basic"]                       {"schema": 1, "game": "basic", "tags": {"X": "you"},
    [X "you"]        ◄──► Record ◄──►     "moves": ["5", {"move": "1", "comment": "a corner"}],
                                          "result": "*", "termination": "unfinished"}
    1. 5 1 {a corner} *

A record is a tree of moves: the first child of a node goes on with its line, the others are
variations. `docs/records.md` describes both forms. Nothing here recurses, so that lines may be as
long, and parentheses as deep, as they like.
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
from pathlib import Path
from typing import Any, NamedTuple, Self

from noughts.games.position import IllegalMove, NotationError, Player, Position, Termination
from noughts.games.registry import game, position

if sys.platform != "win32":
    import fcntl

RESULTS = {Player.X: "1-0", Player.O: "0-1", None: "1/2-1/2"}
"""The result for each winner."""
UNFINISHED = "*"
"""The result of a game without one."""

_KNOWN_RESULTS = (*RESULTS.values(), UNFINISHED)
_BY_RULES = [termination.value for termination in Termination]
_TAGS_OF_FIELDS = ("Game", "Start", "Result", "Termination")
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
# A comment is wrapped where two words are one space apart: the line break reads as that space.
_BREAK = re.compile(r"(?<=[^ ]) (?=[^ \[])")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)

# What some programs take for the end of a line, or swallow, is escaped.
_LATE_CONTROLS = {code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), 0x2028, 0x2029)}
_CONTROLS = {code: f"\\u{code:04x}" for code in range(0x20)} | _LATE_CONTROLS
_LETTERS = {"\\": "\\", '"': '"', "{": "{", "}": "}", "n": "\n", "r": "\r", "t": "\t"}
_IN_ALL = _CONTROLS | {ord(_LETTERS[letter]): f"\\{letter}" for letter in "\\nrt"}
_IN_QUOTES = _IN_ALL | {ord('"'): '\\"'}
_IN_COMMENT = _IN_ALL | {ord("}"): "\\}"}


@dataclass(eq=False, slots=True)
class Node:
    """A move in a record, with what was said of it and what followed."""

    move: int
    comment: str = ""
    children: list[Node] = field(default_factory=list, repr=False)
    """The next moves: the line goes on with the first, the others are variations."""


@dataclass(eq=False)
class Record:
    """A game with its moves, variations and comments, and how it ended.

    Two records are equal if every field is, the tags in the same order.
    """

    start: Position
    tags: dict[str, str] = field(default_factory=dict)
    """All tags, in order, but those that other fields hold: `Game`, `Start`, `Result` and
    `Termination`. `X`, `O` and `Date` have a meaning; any other is kept."""
    comment: str = ""
    """What was said before the first move."""
    children: list[Node] = field(default_factory=list, repr=False)
    """The first moves: that of the main line, then those of variations."""
    result: str = UNFINISHED
    """`1-0` (X has won), `0-1`, `1/2-1/2` or `*`; what the rules say if they ended the game."""
    termination: str = "unfinished"
    """A `Termination` in its text form if the rules ended the game, else any text that is none,
    such as resignation, time forfeit, abandoned or unfinished."""

    @classmethod
    def from_moves(
        cls,
        start: Position,
        moves: Iterable[int],
        tags: Mapping[str, str] | None = None,
        *,
        result: str | None = None,
        termination: str | None = None,
    ) -> Self:
        """Return the record of a game without variations.

        Args:
            start: the position before the first move.
            moves: the moves from there.
            tags: such as the players' names, `{"X": "you", "O": "mcts"}`.
            result: of a game that the rules did not end; `*` if left out.
            termination: how such a game ended; if left out, `unfinished` where there is no
                result, else `unknown`.

        Raises:
            IllegalMove: a move that the rules do not allow.
            NotationError: a result or termination that contradicts the rules.

        >>> import noughts
        >>> record = Record.from_moves(noughts.game("basic"), [4, 0, 2, 1, 6])
        >>> record.result, record.termination
        ('1-0', 'line')
        """
        record = cls(start, dict(tags or {}))
        children, current = record.children, start
        for move in moves:
            current = current.play(move)
            node = Node(move)
            children.append(node)
            children = node.children
        record.result, record.termination = _ending(current, result, termination)
        return record

    def main_line(self) -> Iterator[Node]:
        """Yield the nodes of the main line."""
        children = self.children
        while children:
            yield children[0]
            children = children[0].children

    @property
    def moves(self) -> list[int]:
        """The moves of the main line."""
        return [node.move for node in self.main_line()]

    @property
    def played(self) -> datetime | None:
        """When it was played, as the tags `Date` and `Time` tell; UTC unless they name a zone."""
        date, time = self.tags.get("Date", ""), self.tags.get("Time", "")
        try:
            found = datetime.fromisoformat(f"{date}T{time}" if time else date)
        except ValueError:
            return None
        return found if found.tzinfo else found.replace(tzinfo=UTC)

    def positions(self) -> Iterator[Position]:
        """Yield the positions of the main line, from the start to the end.

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
        """Make sure that the record can be written and read back.

        Raises:
            IllegalMove: a move of the main line that the rules do not allow.
            NotationError: a start, tag name, result or termination that cannot stand.
        """
        _check_head(self)
        *_, end = self.positions()
        _ending(end, self.result, self.termination)


def _nodes(record: Record) -> Iterator[tuple[int, Node]]:
    """Yield every node with its distance from the start, parents first, siblings in order."""
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
    """Return the result and termination of a game that stops at `end`, what is missing filled in.

    Raises:
        NotationError: one of them contradicts the rules.
    """
    outcome = end.outcome()
    if outcome is None:
        if result is None:
            result = UNFINISHED
        if result not in _KNOWN_RESULTS:
            reason = f"{result!r} is not a result; results are {' '.join(_KNOWN_RESULTS)}"
            raise NotationError(str(end), "RESULT", reason)
        if termination is None:
            termination = "unfinished" if result == UNFINISHED else "unknown"
        if termination in _BY_RULES:
            reason = f"{termination!r} is an end by the rules, and by them the game goes on"
            raise NotationError(str(end), "TERMINATION", reason)
        return result, termination
    by_rules, why = RESULTS[outcome.winner], outcome.termination.value
    if result not in (None, by_rules):
        reason = f"{result!r} contradicts the rules, by which the game is over with {by_rules}"
        raise NotationError(str(end), "RESULT", reason)
    if termination not in (None, why):
        reason = f"{termination!r} contradicts the rules, which ended the game by {why!r}"
        raise NotationError(str(end), "TERMINATION", reason)
    return by_rules, why


def _check_head(record: Record) -> str | None:
    """Make sure that the start and the tags can be written; return the start if it is a tag."""
    start = str(record.start)
    for name in record.tags:
        _check_tag_name(name)
    if start == str(game(record.start.rules_id)):
        return None
    position(start)
    return start


def _check_tag_name(name: str) -> None:
    if name in _TAGS_OF_FIELDS:
        raise NotationError(name, "TAGS", f"the tag {name} is a field of the record of its own")
    if not _TAG_NAME.fullmatch(name):
        reason = f"{name!r} is not a tag name: letters, digits and _ after a first letter"
        raise NotationError(name, "TAGS", reason)


def _writable(text: str) -> str:
    """Return `text` if UTF-8 can hold it.

    Raises:
        NotationError: it holds half of a surrogate pair.
    """
    half = _SURROGATE.search(text)
    if half:
        around = text[max(half.start() - 50, 0) : half.end() + 50]
        raise NotationError(around, "TEXT", f"{half[0]!r} is no character that UTF-8 can hold")
    return text


# Text ---------------------------------------------------------------------------------------------


def format_text(record: Record) -> str:
    """Return a record as text, with the empty line that ends it.

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
        NotationError: as `Record.check`; or a text that UTF-8 cannot hold.
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
    """Return moves, numbers, comments and parentheses as the words that a line is made of."""
    words = _comment_words(record.comment)
    # What is still to be written, the next last: a ")", or siblings, of which the first goes on
    # with the line and the others follow in parentheses. The text at the end stands before the
    # move's number; without one, O's move has no number.
    waiting: list[str | tuple[Sequence[Node], Position, int, str | None]] = []
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
    """Return the ply that numbers count from: even where X is to move, though not every game of
    a user's own knows its ply."""
    return start.ply + ((start.turn is Player.O) != start.ply % 2)


def _number(ply: int) -> str:
    return f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"


def _move_word(before: Position, move: int) -> str:
    """Return a move as it stands in text: in quotes if it could be taken for something else."""
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
        NotationError: what is no record, or contradicts itself; the reason names the line.
    """
    return list(read_text(io.StringIO(text, newline=None)))


def read_text(lines: Iterable[str]) -> Iterator[Record]:
    """Yield the records of a text given line by line, such as an open file, one after another.

    Raises:
        IllegalMove, NotationError: as `parse_text`, after the records before.
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
            reason = f'line {number}: a game begins with a tag such as {_FIRST_TAG}basic"]'
            raise NotationError(line, "TAGS", reason)
    if block:
        yield from _parse_block(_Block("".join(block), first))


class _Block(NamedTuple):
    """The lines from the first tag of a game to that of the next, and the number of the first."""

    text: str
    first: int

    def place(self, offset: int) -> str:
        number = self.first + self.text.count("\n", 0, offset)
        return f"line {number}"

    def refuse(self, offset: int, field: str, reason: str) -> NotationError:
        begin = self.text.rfind("\n", 0, offset) + 1
        line = self.text[begin:].partition("\n")[0]
        return NotationError(line, field, f"{self.place(offset)}: {reason}")

    def unescaped(self, offset: int, text: str) -> str:
        """Return what `text`, which begins at `offset`, stands for."""

        def character(escape: re.Match[str]) -> str:
            letter = escape[1]
            if len(letter) == 5:
                return chr(int(letter[1:], 16))
            if letter not in _LETTERS:
                known = r"\\ \" \{ \} \n \r \t \uXXXX"
                reason = f"{escape[0]} stands for nothing; there are {known}"
                raise self.refuse(offset + escape.start(), "TEXT", reason)
            return _LETTERS[letter]

        plain = _ESCAPE.sub(character, text)
        half = _SURROGATE.search(plain)
        if half:
            reason = f"{half[0]!r} is no character: wanted is text in UTF-8"
            raise self.refuse(offset, "TEXT", reason)
        return plain


class _Place(NamedTuple):
    """Where a move goes: among which siblings, in which position, at which ply."""

    siblings: list[Node]
    position: Position
    ply: int

    def play(self, text: str) -> tuple[Node, _Place]:
        """Add the move that is written `text`; return its node and the place behind it."""
        node = Node(self.position.parse_move(text))
        after = self.position.play(node.move)
        self.siblings.append(node)
        return node, _Place(node.children, after, self.ply + 1)


def _parse_block(block: _Block) -> Iterator[Record]:
    """Yield the one record of a block, then make sure that nothing follows it.

    So a game is not lost to what stands behind it, such as the first bytes of one cut off.
    """
    record, end = _parse_game(block)
    yield record
    rest = re.search(r"[^ \t\n]", block.text[end:])
    if rest:
        reason = f"behind the result {record.result} only a new game may follow, from {_FIRST_TAG}…"
        raise block.refuse(end + rest.start(), "RESULT", reason)


def _parse_game(block: _Block) -> tuple[Record, int]:
    """Return the record at the beginning of a block, and the offset where its result ends."""
    tags, places, offset = _parse_tags(block)
    record = Record(_parse_start(block, tags, places))
    end, result, offset = _parse_moves(block, offset, record)
    said = tags.get("Result", result)
    if said != result:
        reason = f"the tag says {said!r}, but the moves end with {result}"
        raise block.refuse(places["Result"], "RESULT", reason)
    try:
        record.result, record.termination = _ending(end, result, tags.get("Termination"))
    except NotationError as error:
        at = places["Termination"] if error.field == "TERMINATION" else offset
        raise block.refuse(at, error.field, error.reason) from None
    record.tags = {name: value for name, value in tags.items() if name not in _TAGS_OF_FIELDS}
    return record, offset


def _parse_tags(block: _Block) -> tuple[dict[str, str], dict[str, int], int]:
    """Return the tags, the offset of each, and that of the text behind them all."""
    tags: dict[str, str] = {}
    places: dict[str, int] = {}
    offset = 0
    while block.text.startswith("[", offset):
        tag = _TAG.match(block.text, offset)
        if not tag:
            reason = 'not a tag; wanted is [Name "value"] on a line of its own'
            raise block.refuse(offset, "TAGS", reason)
        name = tag[1]
        if name in tags:
            raise block.refuse(offset, "TAGS", f"the tag {name} is given twice")
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
    """Return the position that `text` stands for, which must be one of the same rules."""
    start = position(text)
    if start.rules_id != rules.rules_id:
        reason = f"the game is {rules.rules_id}, but the position is one of {start.rules_id}"
        raise NotationError(text, "START", reason)
    return start


def _parse_moves(block: _Block, offset: int, record: Record) -> tuple[Position, str, int]:
    """Read the moves that begin at `offset` into `record`.

    Return the position at the end of the main line, the result, and the offset behind it.
    """

    def refuse(reason: str, field: str = "MOVES") -> NotationError:
        return block.refuse(at, field, reason)

    here = _Place(record.children, record.start, _first_ply(record.start))
    before: _Place | None = None  # where the last move of this line went
    last: Record | Node = record  # what a comment is about
    outer: list[tuple[_Place, _Place | None, Record | Node]] = []
    digit_runs = record.start.digit_runs
    numbered = False
    for token in _TOKEN.finditer(block.text, offset):
        kind = token.lastgroup or ""
        text, at = token[kind], token.start(kind)
        if kind == "word" and text in _KNOWN_RESULTS:
            kind = "result"
        if numbered and kind not in ("word", "quoted"):
            raise refuse("a move follows its number at once, and here is none")
        numbered = kind == "number"
        if kind == "number":
            if text != _number(here.ply):
                raise refuse(f"the move number {text} stands where {_number(here.ply)} is due")
        elif kind == "comment":
            if outer and before is None:
                raise refuse("a comment stands behind its move, and the variation has none yet")
            if last.comment:
                raise refuse("a second comment on one move; both can stand in one")
            last.comment = block.unescaped(at, text.replace("\n", " "))
        elif kind == "open":
            if before is None:
                raise refuse("a variation stands behind the move that it replaces; here is none")
            outer.append((here, before, last))
            here, before = before, None
        elif kind == "close":
            if not outer:
                raise refuse("there is no ( to this )")
            if before is None:
                raise refuse("a variation has moves; this one has none")
            here, before, last = outer.pop()
        elif kind == "other":
            raise refuse(_STRAY.get(text, f"{text!r} can stand in comments and quotes only"))
        elif kind == "result":
            if outer:
                raise refuse(f"{text} stands in a variation whose ) is missing", "RESULT")
            return here.position, text, token.end()
        else:
            if kind == "quoted":
                text = block.unescaped(at, text)
            run = kind == "word" and digit_runs and _DIGIT_RUN.fullmatch(text)
            for move in text if run else (text,):
                before = here
                try:
                    last, here = here.play(move)
                except IllegalMove as error:
                    reason = f"{block.place(at)}: {error.reason}"
                    raise IllegalMove(error.move, error.position, reason) from None
    at = len(block.text.rstrip(" \t\n"))
    raise refuse(
        f"the game that begins on line {block.first} has no result; "
        f"it ends with one of {' '.join(_KNOWN_RESULTS)}",
        "RESULT",
    )


_STRAY = {"{": "the comment that begins here has no }", '"': "the quoted move has no second quote"}


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


def format_json_line(record: Record) -> str:
    """Return a record as one line of JSON, with the line's end.

    Raises:
        IllegalMove: a move that the rules do not allow.
        NotationError: as `format_text`.
    """
    given = _check_head(record)
    start = end = record.start
    lines: list[dict[str, object]] = []
    # The siblings that begin each line, the line that it leaves, after how many moves of the game.
    waiting: list[tuple[Sequence[Node], Position, int, int]] = [(record.children, start, 0, 0)]
    for number, (siblings, before, line, after) in enumerate(waiting):
        moves: list[object] = []
        while siblings:
            node, *others = siblings
            ply = after + len(moves)
            waiting.extend(([other], before, number, ply) for other in others)
            text = before.move_text(node.move)
            moves.append({"move": text, "comment": node.comment} if node.comment else text)
            before, siblings = before.play(node.move), node.children
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
    """Return the record that a JSON object stands for.

    Raises:
        IllegalMove: a move that the rules do not allow.
        NotationError: what is no record, or contradicts itself.
    """

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        keys: dict[str, object] = {}
        for key, value in pairs:
            if key in keys:
                raise NotationError(text, "JSON", f"the key {key!r} is given twice")
            keys[key] = value
        return keys

    try:
        data = json.loads(text, object_pairs_hook=unique)
    except NotationError:
        raise
    except (ValueError, RecursionError) as error:
        raise NotationError(text, "JSON", f"not an object in JSON: {error}") from None
    data = _checked(text, "a record", data, _RECORD_KEYS)
    if data["schema"] != 1:
        raise NotationError(text, "SCHEMA", f"schema {data['schema']} is unknown; known is 1")
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
            reason = f"line {number} does not stand before the variation; there are {len(lines)}"
            raise NotationError(text, "VARIATIONS", reason)
        places = lines[number]
        index = after - places[0].ply
        if not 0 <= index < len(places) - 1:
            reason = f"line {number} has no move after {after} moves that could be replaced"
            raise NotationError(text, "VARIATIONS", reason)
        if not variation["moves"]:
            raise NotationError(text, "VARIATIONS", "a variation has moves; this one has none")
        lines.append(_parse_line(text, places[index], variation["moves"]))
    end = lines[0][-1].position
    record.result, record.termination = _ending(end, data["result"], data.get("termination"))
    return record


def _checked(text: str, what: str, data: object, kinds: Mapping[str, type]) -> dict[str, Any]:
    """Return `data` if it is an object with the keys of `kinds`, their values of these kinds."""
    if not isinstance(data, dict):
        raise NotationError(text, "JSON", f"{what} is an object, not {_KINDS[type(data)]}")
    for key in kinds:
        if key not in data and key not in _OPTIONAL:
            raise NotationError(text, "JSON", f"{what} needs the key {key!r}")
    for key, value in data.items():
        if key not in kinds:
            raise NotationError(
                text, "JSON", f"{what} has no key {key!r}; it has {' '.join(kinds)}"
            )
        if type(value) is not kinds[key]:
            reason = f"{key!r} is {_KINDS[kinds[key]]}, not {_KINDS[type(value)]}"
            raise NotationError(text, "JSON", reason)
        if isinstance(value, str):
            _writable(value)
    return data


def _parse_line(text: str, here: _Place, moves: list[object]) -> list[_Place]:
    """Play the moves of a line from `here`; return the place of each, and that behind the last."""
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
    """Yield the records of JSON lines, such as an open file, one after another.

    Raises:
        IllegalMove, NotationError: as `parse_json_line`, after the records before; the reason
            names the line.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = parse_json_line(line)
        except IllegalMove as error:
            reason = f"line {number}: {error.reason}"
            raise IllegalMove(error.move, error.position, reason) from None
        except NotationError as error:
            raise NotationError(error.text, error.field, f"line {number}: {error.reason}") from None
        yield record


# Files --------------------------------------------------------------------------------------------


def read(path: str | os.PathLike[str]) -> Iterator[Record]:
    """Yield the records of a file: JSON lines if its name ends in `.jsonl`, else text.

    Raises:
        IllegalMove, NotationError: a game that cannot be read, after those before it; the reason
            names the line.
        OSError: as `open`.
    """
    records = read_json_lines if _is_json(path) else read_text
    # What is not UTF-8 becomes lone surrogates, which the readers refuse with their line.
    with Path(path).open(encoding="utf-8-sig", errors="surrogateescape") as file:
        yield from records(file)


def append(path: str | os.PathLike[str], record: Record) -> None:
    """Add a record to the end of a file, which is made if need be, as a whole or not at all.

    The form is that of `read`. Other processes that append wait their turn. When this returns,
    the record is on the disk. If the last record of the file was cut off, by a loss of power
    perhaps, it stays as it is, and the new one begins on a line of its own.

    Raises:
        IllegalMove, NotationError: a record that cannot be written; the file is untouched.
        OSError: as `open` and `write`; what was written of the record is taken back.
    """
    is_json = _is_json(path)
    data = (format_json_line(record) if is_json else format_text(record)).encode()
    line_ends = 1 if is_json else 2  # behind every record
    with Path(path).open("a+b", buffering=0) as file:
        if sys.platform != "win32":
            fcntl.flock(file, fcntl.LOCK_EX)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - line_ends, 0))
        tail = file.read(line_ends)
        if size:
            data = b"\n" * (line_ends - len(tail) + len(tail.rstrip(b"\n"))) + data
        try:
            written = 0
            while written < len(data):
                written += file.write(data[written:])
            os.fsync(file.fileno())
        except BaseException:
            file.truncate(size)
            raise


def _is_json(path: str | os.PathLike[str]) -> bool:
    return Path(path).suffix == ".jsonl"
