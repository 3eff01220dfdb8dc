"""Games in the forms of other programs, and games as lines of moves.

    Piskvorky 15x15, 11:11, 0 …   ──read_psq()────┐
    (;GM[4]SZ[15]PB[Ann];B[hh];…) ──read_sgf()────┼──► ForeignGame
    connect4 4453                 ──read_lines()──┘

A reader checks a form and turns its cells into moves; `noughts.games.record` plays them. The forms
are those of the functions openPsq and savePsq of Piskvork, of SGF FF[4] (red-bean.com/sgf), and of
the positions at connect4.gamesolver.org.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from noughts.games.notation import format_cells
from noughts.games.position import IllegalMove, NotationError, Position, parse_moves, placed
from noughts.games.registry import default_ids, game, is_known, parse_start, position
from noughts.games.row import LARGEST

LONGEST_TITLE = 4
"""Most words of a title at the beginning of a line."""
BARE_RUNS = ("basic", "connect4")
"""The games whose moves may be a run of digits without a rules id."""

_PSQ = re.compile(r"Piskvorky\b")
_PSQ_HEAD = re.compile(r"Piskvorky ([0-9]{1,9})x([0-9]{1,9}), *-?[0-9]+:-?[0-9]+, *([01])\s*")
_PSQ_MOVE = re.compile(r"([0-9]{1,9}),([0-9]{1,9})(?:,-?[0-9]+)?")
_PSQ_END = re.compile(r"([0-9]),(.*)")
_SGF = re.compile(r"\(\s*;")
_SGF_TOKEN = re.compile(
    r"\s*+(?:(?P<sign>[();])|(?P<name>[A-Za-z]++)|\[(?P<value>(?:[^\\\]]++|\\.)*+)\]|(?P<other>\S))",
    re.DOTALL,
)
_SGF_POINT = re.compile(r"([a-z])([a-z])")
_RENJU_POINT = re.compile(r"([A-Za-z])([0-9]{1,2})")
_SGF_SIZE = re.compile(r"([0-9]{1,9})(?::([0-9]{1,9}))?")
_SGF_RESULT = re.compile(r"(b|black|w|white) *\+ *(.*)", re.IGNORECASE | re.DOTALL)
_SGF_DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SGF_CHARSET = re.compile(
    r"\bCA\[\s*((?:gb|big5|shift|euc|koi8|windows|cp12|iso-8859)[\w-]*)\s*\]", re.IGNORECASE
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_GAMESOLVER = re.compile(r"https?://connect4\.gamesolver\.org/\S*?[?&]pos=([0-9]*)(?:[&#]\S*)?")

_SGF_GAMES = {
    "1": "Go",
    "2": "Othello",
    "3": "chess",
    "5": "Nine Men's Morris",
    "6": "Backgammon",
    "7": "Chinese chess",
    "8": "Shogi",
    "9": "Lines of Action",
    "10": "Ataxx",
    "11": "Hex",
}
_SGF_REASONS = {"r": "resignation", "t": "time forfeit", "f": "forfeit"}
_SGF_DRAWS = ("0", "draw", "1/2-1/2", "jigo")
_COLOURS = {"B": "Black", "W": "White"}


class Move(NamedTuple):
    """A move that is not yet played."""

    line: int
    """Its line in the text, from 1."""
    move: int
    comment: str = ""


class ForeignGame(NamedTuple):
    """A game of another form; its moves are not yet played."""

    starts: tuple[Position, ...]
    """The start in each of the rules that the game may follow; the first that fits is right."""
    moves: list[Move]
    tags: Mapping[str, str] = {}
    comment: str = ""
    result: str | None = None
    termination: str | None = None
    result_line: int = 1
    """The line that states the result."""


Reader = Callable[[Iterable[str]], Iterator[ForeignGame]]


def reader_of(first: str) -> Reader | None:
    """Return the reader of a text by its first line that is not empty; `None` if it is unknown."""
    line = first.lstrip()
    if _PSQ.match(line):
        return read_psq
    # The ; may stand on the second line.
    if _SGF.match(line) or line.strip() == "(":
        return read_sgf
    return None


def _refusal(line: int, text: str, field: str, reason: str) -> NotationError:
    return NotationError(text, field, f"line {line}: {reason}")


def _decoded(text: str) -> str:
    """Return a text whose bytes may not have been UTF-8: Latin-1, or the charset that it names.

    Args:
        text: decoded from UTF-8, with each other byte as a lone surrogate.
    """
    if not _SURROGATE.search(text):
        return text
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        half = text[error.start]
        raise NotationError(text, "TEXT", f"UTF-8 cannot encode the character {half!r}") from None
    named = _SGF_CHARSET.search(text)
    try:
        return data.decode(named[1] if named else "latin-1")
    except (LookupError, UnicodeError):
        return data.decode("latin-1")


def _starts(columns: int, rows: int, rules: str) -> tuple[Position, ...]:
    """Return the starts of five in a row by the name of its rules; both kinds if it tells nothing.

    Raises:
        NotationError: the board is too large or too small, or the rules are unknown here.
    """
    if max(columns, rows) > LARGEST:
        reason = f"the board is {columns}×{rows}; noughts reads boards up to {LARGEST}×{LARGEST}"
        raise NotationError(f"{columns}x{rows}", "RULES", reason)
    if "caro" in rules.lower():
        raise NotationError(rules, "RULES", "noughts does not know the Caro rule")
    free, exact = f"mnk:{columns},{rows},5", f"mnk:{columns},{rows},5,exact"
    # Under `exact` a line of six wins for nobody, so the result of a game of Renju may be any.
    if re.search("renju|standard|exact", rules, re.IGNORECASE):
        return (game(exact),)
    if re.search("free|gomoku", rules, re.IGNORECASE):
        return (game(free),)
    return game(free), game(exact)


# Piskvork -----------------------------------------------------------------------------------------


def read_psq(lines: Iterable[str]) -> Iterator[ForeignGame]:
    """Yield the game of a `.psq` file of Piskvork or Gomocup.

    Raises:
        NotationError: the file is damaged; the reason names the line.
    """
    text = _decoded("".join(lines)).rstrip()
    rows = [line.strip() for line in text.split("\n")]
    first = next(number for number, row in enumerate(rows) if row)
    head = _PSQ_HEAD.fullmatch(rows[first])
    if not head:
        reason = "a record of Piskvork begins with a line such as `Piskvorky 15x15, 11:11, 0`"
        raise _refusal(first + 1, rows[first], "TEXT", reason)
    width, height = int(head[1]), int(head[2])
    moves: list[Move] = []
    number = first + 1
    while number < len(rows) and (found := _PSQ_MOVE.fullmatch(rows[number])):
        column, row = int(found[1]), int(found[2])
        if not (1 <= column <= width and 1 <= row <= height):
            reason = f"{column},{row} is outside the board, which is {width}×{height}"
            raise _refusal(number + 1, rows[number], "MOVES", reason)
        moves.append(Move(number + 1, (row - 1) * width + column - 1))
        number += 1
    names, rules, winner = _psq_end(rows, number)
    with placed(f"line {first + 1}"):
        starts = _starts(width, height, rules)
    # The third number of the head is 1 if the second player begins.
    x, o = ("2", "1") if head[3] == "1" else ("1", "2")
    named = dict(zip("12", names, strict=False))
    tags = {"X": named.get(x, ""), "O": named.get(o, ""), "Rules": rules}
    yield ForeignGame(
        starts,
        moves,
        {name: text for name, text in tags.items() if text},
        result={x: "1-0", o: "0-1"}.get(winner),
        result_line=len(rows),
    )


def _psq_end(rows: list[str], number: int) -> tuple[list[str], str, str]:
    """Return the names, the rules and the winner, `1` or `2`, from the lines after the moves.

    These are two names (none in a game of people), a code, and perhaps the winner and the rules.
    """
    rest = rows[number:]
    if not rest:
        reason = "the record is cut off: after its moves come the players' names and a number"
        raise _refusal(len(rows), rows[-1], "TEXT", reason)
    ending = _PSQ_END.fullmatch(rest[-1])
    *names, code = rest[:-1] if ending and len(rest) > 1 else rest
    if len(names) not in (0, 2) or not re.fullmatch("-?[0-9]+", code):
        reason = (
            f'"{rest[0][:50]}" is neither a move, such as 8,8,120, nor the first of the last '
            "lines: the players' names and a number"
        )
        raise _refusal(number + 1, rest[0], "MOVES", reason)
    return names, ending[2].strip() if ending else "", ending[1] if ending else ""


# SGF ----------------------------------------------------------------------------------------------


class _Node(NamedTuple):
    """A node of an SGF tree."""

    line: int
    properties: dict[str, list[str]]

    def text(self, name: str) -> str:
        """Return the first value of a property, without escapes; empty if it is missing."""
        value = self.properties.get(name, [""])[0]
        return re.sub(r"\\(?:\n|(.))", r"\1", value).strip()

    def simple(self, name: str) -> str:
        """Return a value in one line."""
        return " ".join(self.text(name).split())

    def refuse(self, field: str, reason: str) -> NotationError:
        return _refusal(self.line, f"{self.properties}"[:200], field, reason)


def read_sgf(lines: Iterable[str]) -> Iterator[ForeignGame]:
    """Yield the games of an SGF collection: of each its main line, without its variations.

    Raises:
        NotationError: a game other than Gomoku, or a damaged text; the reason names the line.
    """
    for nodes in _main_lines(_decoded("".join(lines)).rstrip()):
        yield _sgf_game(nodes)


def _main_lines(text: str) -> Iterator[list[_Node]]:
    """Yield the nodes of the main line of each tree."""
    # For each open parenthesis: whether it is in the main line, its nodes, its variations.
    levels: list[tuple[bool, list[_Node], list[None]]] = []
    nodes: list[_Node] = []
    name, values = "", list[str]()
    line, at = 1, 0

    def refuse(reason: str) -> NotationError:
        return _refusal(line, text[at : at + 50], "TEXT", reason)

    for token in _SGF_TOKEN.finditer(text):
        begin = token.start(token.lastgroup or 0)
        line, at = line + text.count("\n", at, begin), begin
        sign = token["sign"]
        if token["other"] is not None:
            if token["other"] == "[":
                raise refuse("the ] of this value is missing")
            raise refuse(f'"{token["other"]}" is out of place')
        if name and token["value"] is None and not values:
            raise refuse(f"the property {name} has no value")
        if sign == "(":
            if levels and not levels[-1][1]:
                raise refuse("a variation may begin only after a node")
            is_main = not levels or (levels[-1][0] and not levels[-1][2])
            if levels:
                levels[-1][2].append(None)
            else:
                nodes = []
            levels.append((is_main, [], []))
            name = ""
        elif not levels:
            raise refuse("a game begins with (;")
        elif sign == ")":
            if not levels.pop()[1]:
                raise refuse("this ) closes a game or variation without a node")
            name = ""
            if not levels:
                yield nodes
        elif sign == ";":
            is_main, own, variations = levels[-1]
            if variations:
                raise refuse("a node may not follow a variation")
            own.append(_Node(line, {}))
            if is_main:
                nodes.append(own[-1])
            name = ""
        elif not levels[-1][1] or levels[-1][2]:
            raise refuse("a property belongs to a node, which begins with ;")
        elif token["name"] is not None:
            # Older forms write names with small letters, such as GaMe.
            name = re.sub("[a-z]", "", token["name"])
            if not name:
                raise refuse(f'"{token["name"]}" is not the name of a property')
            values = levels[-1][1][-1].properties.setdefault(name, [])
        elif not name:
            raise refuse("this value belongs to no property")
        else:
            values.append(token["value"])
    if levels:
        line, at = line + text.count("\n", at), len(text)
        raise refuse("the record is cut off: the ) of the game is missing")


class _Board(NamedTuple):
    """The size of an SGF board."""

    columns: int
    rows: int

    def cell(self, node: _Node, value: str) -> int:
        """Return the cell of a point: `hh` with rows from the top, `h8` with rows from below."""
        if found := _SGF_POINT.fullmatch(value):
            column, row = ord(found[1]) - ord("a"), ord(found[2]) - ord("a")
        elif found := _RENJU_POINT.fullmatch(value):
            column, row = ord(found[1].lower()) - ord("a"), self.rows - int(found[2])
        else:
            raise node.refuse(
                "MOVES", f"[{value}] is not a cell; expected one such as [hh] or [h8]"
            )
        if not (column < self.columns and 0 <= row < self.rows):
            reason = f"[{value}] is outside the board, which is {self.columns}×{self.rows}"
            raise node.refuse("MOVES", reason)
        return row * self.columns + column

    def cells(self, node: _Node, values: list[str]) -> set[int]:
        """Return the cells of points and of rectangles, such as `aa:cb`."""
        found: set[int] = set()
        for value in values:
            corners = [self.cell(node, each.strip()) for each in value.split(":", 1)]
            (top, left), (bottom, right) = (
                divmod(each, self.columns) for each in (corners[0], corners[-1])
            )
            new = {
                row * self.columns + column
                for row in range(top, bottom + 1)
                for column in range(left, right + 1)
            }
            if not new or new & found:
                raise node.refuse(
                    "MOVES", f"[{value}] has no new cells from top left to bottom right"
                )
            found |= new
        return found

    def is_pass(self, value: str) -> bool:
        return not value or (value == "tt" and max(self) < LARGEST)


def _sgf_game(nodes: list[_Node]) -> ForeignGame:
    """Return the game of the nodes of a main line."""
    root = nodes[0]
    kind, rules = root.simple("GM") or "1", root.simple("RU")
    if kind != "4":
        named = _SGF_GAMES.get(kind, f"game {kind}")
        reason = f"this is an SGF record of {named}; noughts reads SGF of Gomoku, GM[4]"
        raise NotationError(kind, "GM", reason)
    size = _SGF_SIZE.fullmatch(root.simple("SZ") or "15")
    if not size:
        raise root.refuse("SZ", f"[{root.simple('SZ')}] is not a size such as [15] or [20:18]")
    board = _Board(int(size[1]), int(size[2] or size[1]))
    with placed(f"line {root.line}"):
        starts = _starts(*board, rules)
    stones, colours, moves, comments = _sgf_moves(nodes, board)
    x, o = ("W", "B") if colours[:1] == ["W"] else ("B", "W")
    if any(stones.values()):
        x, o = "B", "W"
        side = {"B": "X", "W": "O"}.get(colours[0] if colours else root.simple("PL")[:1].upper())
        with placed(f"line {root.line}"):
            starts = tuple(_with_stones(each, board, stones, side) for each in starts)
    day = _SGF_DAY.match(root.simple("DT"))
    tags = {"X": root.simple(f"P{x}"), "O": root.simple(f"P{o}"), "Date": day[0] if day else ""}
    return ForeignGame(
        starts,
        [Move(line, move, said) for (line, move), said in zip(moves, comments[1:], strict=True)],
        {name: text for name, text in {**tags, "Rules": rules}.items() if text},
        comments[0],
        *_sgf_result(root.simple("RE"), x),
        root.line,
    )


def _sgf_moves(
    nodes: list[_Node], board: _Board
) -> tuple[dict[str, set[int]], list[str], list[tuple[int, int]], list[str]]:
    """Return the stones before the first move, and the colours, lines and cells of the moves.

    The last list has the comment on the start and that on each move.
    """
    stones: dict[str, set[int]] = {"B": set(), "W": set()}
    colours: list[str] = []
    moves: list[tuple[int, int]] = []
    comments = [[nodes[0].text("GC")]]
    for node in nodes:
        for name in {"AB", "AW", "AE"} & node.properties.keys():
            if colours:
                raise node.refuse("MOVES", f"{name} changes the board after the first move")
        for name in ("AB", "AW"):
            stones[name[1]] |= board.cells(node, node.properties.get(name, []))
        for colour in [each for each in _COLOURS if each in node.properties]:
            if colour in colours[-1:]:
                raise node.refuse("MOVES", f"{_COLOURS[colour]} moves twice in a row")
            if len(colours) > len(moves) and not board.is_pass(node.simple(colour)):
                raise node.refuse("MOVES", "a move follows a pass; noughts knows no passes")
            colours.append(colour)
            if not board.is_pass(node.simple(colour)):
                moves.append((node.line, board.cell(node, node.simple(colour))))
                comments.append([])
        comments[-1].append(node.text("C"))
    return stones, colours, moves, ["\n".join(filter(None, each)) for each in comments]


def _with_stones(
    start: Position, board: _Board, stones: dict[str, set[int]], side: str | None
) -> Position:
    """Return the position with stones on the board; without a side, the numbers tell who moves."""
    if stones["B"] & stones["W"]:
        raise NotationError(str(start), "CELLS", "a cell has a black and a white stone")
    x, o = (sum(1 << cell for cell in stones[colour]) for colour in "BW")
    side = side or ("X" if len(stones["B"]) == len(stones["W"]) else "O")
    return position(f"{start.rules_id}~{format_cells(x, o, *board)}~{side}")


def _sgf_result(text: str, x: str) -> tuple[str | None, str | None]:
    """Return the result and termination of an SGF result, where `x` is the colour of X."""
    if not text or text == "?":
        return None, None
    if text.lower() in _SGF_DRAWS:
        return "1/2-1/2", None
    found = _SGF_RESULT.fullmatch(text)
    if not found:
        return "*", text
    reason = _SGF_REASONS.get(found[2][:1].lower())
    return "1-0" if found[1][0].upper() == x else "0-1", reason


# Lines --------------------------------------------------------------------------------------------


def read_lines(lines: Iterable[str]) -> Iterator[ForeignGame]:
    """Yield the game of each line that is not empty.

    A line is a position string or rules id followed by moves, such as `connect4 4453`; a run of
    digits that fits only one game; or the address of a position at connect4.gamesolver.org.

    Raises:
        IllegalMove, NotationError: in a line; the reason names it.
    """
    for number, line in enumerate(lines, 1):
        words = line.strip()
        if words:
            with placed(f"line {number}"):
                start, moves = _read_line(words)
            yield ForeignGame((start,), [Move(number, move) for move in moves])


def _read_line(line: str) -> tuple[Position, list[int]]:
    if re.fullmatch("[1-9]+", line):
        return _read_run(line)
    found = _GAMESOLVER.fullmatch(line)
    name, moves = ("connect4", found[1]) if found else _split(line)
    start = parse_start(name)
    return start, parse_moves(start, moves)


def _split(line: str) -> tuple[str, str]:
    """Return the game or position that begins a line, and the moves after it.

    Raises:
        NotationError: it begins with neither; the reason names the games that its moves fit.
    """
    first, _, moves = line.partition(" ")
    if "~" in first or is_known(first):
        return first, moves
    words = line.split()
    for count in range(min(len(words), LONGEST_TITLE), 1, -1):
        title = " ".join(words[:count])
        if is_known(title):
            return title, " ".join(words[count:])
    if fitting := [f"{rules} {line}" for rules in _fitting(line)]:
        raise NotationError(line, "TEXT", f"no game is named: write {_choice(fitting)}")
    if not first[0].isalpha():
        expected = "a record, a position, or a game and its moves, such as `connect4 4453`"
        raise NotationError(line, "TEXT", f"{first[:50]!r} is no game; expected {expected}")
    return first, moves


def _fitting(moves: str) -> Iterator[str]:
    """Return the rules ids of the games that moves fit from the start."""
    for each in default_ids():
        with suppress(IllegalMove, NotationError):  # a user's game may need options
            start = game(each)
            parse_moves(start, moves)
            yield start.rules_id


def _choice(lines: Iterable[str]) -> str:
    """Return the lines to choose from, each cut after some characters."""
    return " or ".join(f"`{each if len(each) <= 50 else f'{each[:50]}…'}`" for each in lines)


def _read_run(run: str) -> tuple[Position, list[int]]:
    """Return the start and the moves of the only game that a run of digits fits."""
    found: dict[str, tuple[Position, list[int]]] = {}
    refused: list[str] = []
    for name in BARE_RUNS:
        start = game(name)
        try:
            found[name] = start, parse_moves(start, run)
        except IllegalMove as error:
            refused.append(f"As `{name}`: {error}")
    if len(found) == 1:
        return next(iter(found.values()))
    if not found:
        raise NotationError(run, "MOVES", " ".join(["no game fits.", *refused]))
    choice = _choice(f"{name} {run}" for name in found)
    raise NotationError(run, "TEXT", f"more than one game fits: write {choice}")
