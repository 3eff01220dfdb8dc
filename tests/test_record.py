"""Game records: both formats hold everything, refuse errors, and leave files whole."""

from __future__ import annotations

import fcntl
import io
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path
from random import Random
from typing import Self

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import PATIENCE

import noughts
from noughts.games.record import (
    Record,
    RecordNode,
    append,
    format_json_line,
    format_text,
    parse_json_line,
    parse_text,
    read,
    read_json_lines,
    read_text,
)

RULES = (
    "basic",
    "mnk:4,3,3",
    "mnk:3,3,3,misere",
    "connect4",
    "connect4:4,4,3",
    "advanced",
    "advanced:full=draw",
    "ultimate",
    "ultimate:won=open",
    "ultimate:tie=boards,won=open",
)
PAGE = Path(__file__).parent.parent / "docs" / "records.md"
SUFFIXES = (".pgn", ".jsonl")

nasty = st.text(' ab[](){}"\\\n\r\t;%*1.-0Game\x00\x85\u2028', max_size=60)
anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
prose = st.text("ab {}[\\\n", min_size=150, max_size=400)
texts = st.one_of(st.just(""), nasty, anything, prose)
tag_names = st.from_regex("[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
    lambda name: name not in ("Game", "Start", "Result", "Termination")
)


def random_line(start: noughts.Position, length: int, random: Random) -> list[int]:
    moves: list[int] = []
    while len(moves) < length and start.outcome() is None:
        moves.append(random.choice(start.legal_moves()))
        start = start.play(moves[-1])
    return moves


@st.composite
def records(draw: st.DrawFn, tags: bool = True) -> Record:
    """A random game of any rules from any start, with variations and comments anywhere."""
    random = Random(draw(st.integers(0, 2**32)))
    start = noughts.game(draw(st.sampled_from(RULES)))
    for move in random_line(start, draw(st.sampled_from((0, 0, 1, 2, 7))), random):
        start = start.play(move)
    result, termination = draw(
        st.sampled_from(
            ((None, None), ("1-0", "resignation"), ("0-1", None), ("1/2-1/2", "by agreement"))
        )
    )
    moves = random_line(start, draw(st.sampled_from((0, 3, 30, 100))), random)
    end = start
    for move in moves:
        end = end.play(move)
    if end.outcome() is not None:
        result = termination = None
    elif termination:
        termination += draw(texts)
    record = Record.from_moves(
        start,
        moves,
        draw(st.dictionaries(tag_names, texts, max_size=3)) if tags else None,
        result=result,
        termination=termination,
    )
    record.comment = draw(texts)
    places: list[tuple[list[RecordNode], noughts.Position]] = [(record.children, start)]
    for node, position in zip(record.main_line(), list(record.positions())[1:], strict=True):
        places.append((node.children, position))
    for comment in draw(st.lists(texts, max_size=12)):
        siblings, position = random.choice(places)
        if not siblings:
            continue
        if random.random() < 0.3:
            siblings[0].comment = comment
            continue
        for move in random_line(position, random.randint(1, 3), random):
            node = RecordNode(move, comment if random.random() < 0.5 else "")
            siblings.append(node)
            position = position.play(move)
            siblings = node.children
            places.append((siblings, position))
    return record


@settings(max_examples=70, deadline=None)
@given(st.lists(records(), max_size=3))
def test_text_round_trip(games: list[Record]) -> None:
    text = "".join(format_text(record) for record in games)
    assert parse_text(text) == games
    assert "".join(format_text(record) for record in parse_text(text)) == text
    assert parse_text(text.replace("\n", "\r\n")) == games


@settings(max_examples=70, deadline=None)
@given(records())
def test_json_round_trip_and_conversion(record: Record) -> None:
    line = format_json_line(record)
    assert line.splitlines(keepends=True) == [line]
    twin = parse_json_line(line)
    assert twin == record
    assert format_json_line(twin) == line
    assert format_text(twin) == format_text(record)
    (from_text,) = parse_text(format_text(record))
    assert format_json_line(from_text) == line


def test_comment_belongs_to_the_move_of_its_own_line() -> None:
    (record,) = parse_text(BASIC + "{of none} 5 (4 {of 4} 1) {of 5} 2 {of 2} *")
    five, four = record.children
    assert [record.comment, five.comment, four.comment] == ["of none", "of 5", "of 4"]
    assert five.children[0].comment == "of 2"
    assert four.children[0].comment == ""


@settings(max_examples=50, deadline=None)
@given(records(tags=False))
def test_text_lines_are_short(record: Record) -> None:
    text = format_text(record)
    assert text.endswith("\n\n")
    assert text.splitlines() == text.split("\n")[:-1]
    assert text.count('\n[Game "') == 0
    for line in text.partition("\n\n")[2].splitlines():
        assert line == line.strip(" ")
        assert not line.startswith("[")
        # A longer line has no space to break at.
        assert len(line) <= 100 or not re.search(r"[^ ] [^ \[]", line)


def test_comment_is_wrapped_between_words() -> None:
    record = Record.from_moves(noughts.game("basic"), [4])
    record.comment = "word " * 18 + '[Game "basic"]  ' + "another " * 30
    text = format_text(record)
    lines = text.partition("\n\n")[2].splitlines()
    assert max(map(len, lines)) <= 100
    assert len(lines) == 5
    assert not any(line.startswith("[") or line != line.strip(" ") for line in lines)
    assert parse_text(text) == [record]


@settings(max_examples=200, deadline=None)
@given(st.one_of(anything, nasty), st.integers(0, 400))
def test_only_our_errors_escape(garbage: str, place: int) -> None:
    games = [Record.from_moves(noughts.game("basic"), [4, 0, 8], {"X": "a"})] * 2
    text, line = "".join(map(format_text, games)), format_json_line(games[0])
    for parse, whole in ((parse_text, text), (parse_json_line, line)):
        place %= len(whole)
        for spoiled in (garbage, whole[:place] + garbage + whole[place:]):
            try:
                parse(spoiled)
            except (noughts.NotationError, noughts.IllegalMove) as error:
                str(error).encode()


def test_from_moves_sets_the_result() -> None:
    start = noughts.game("basic")
    won = Record.from_moves(start, [0, 3, 1, 4, 2])
    assert (won.result, won.termination) == ("1-0", "line")
    assert won.moves == [0, 3, 1, 4, 2]
    positions = list(won.positions())
    assert positions[0] == start
    assert positions[-1].outcome() is not None
    assert len(positions) == 6
    assert Record.from_moves(start, [0]).result == "*"
    assert Record.from_moves(start, [0], result="0-1").termination == "unknown"
    lost = Record.from_moves(start, [0], result="0-1", termination="resignation")
    assert (lost.result, lost.termination) == ("0-1", "resignation")
    misere = Record.from_moves(noughts.game("mnk:3,3,3,misere"), [0, 3, 1, 4, 2])
    assert (misere.result, misere.termination) == ("0-1", "line")
    finished = Record.from_moves(positions[-1], [])
    assert finished.result == "1-0"
    assert parse_text(format_text(finished)) == [finished]


def test_equality_compares_everything() -> None:
    start = noughts.game("basic")

    def record() -> Record:
        return Record.from_moves(start, [0, 1, 2], {"X": "a", "O": "b"})

    changes: list[Callable[[Record], object]] = [
        lambda it: it.tags.update(X="c"),
        lambda it: it.tags.update(X=it.tags.pop("X")),
        lambda it: setattr(it, "comment", "c"),
        lambda it: setattr(it, "result", "1-0"),
        lambda it: setattr(it, "termination", "abandoned"),
        lambda it: setattr(it, "start", start.play(0)),
        lambda it: it.children.append(RecordNode(0)),
        lambda it: setattr(it.children[0], "comment", "c"),
        lambda it: setattr(it.children[0].children[0], "move", 5),
    ]
    assert record() == record()
    assert record() != "a record"
    for change in changes:
        other = record()
        change(other)
        assert record() != other


def test_same_moves_in_other_variations_differ() -> None:
    flat, deep = (
        parse_text(f'[Game "basic"]\n\n1. 5 1 {moves} *')[0]
        for moves in ("(1... 2) (1... 3)", "(1... 2 2. 3)")
    )
    assert flat != deep


BASIC = '[Game "basic"]\n'
LINE = '{"schema": 1, "game": "basic", "moves": ["5"], "result": "*"'


@pytest.mark.parametrize(
    ("text", "moves", "result", "termination"),
    [
        (BASIC + "\n1. 5 1 2. 9 *\n", [4, 0, 8], "*", "unfinished"),
        (BASIC + "5 1 9 *", [4, 0, 8], "*", "unfinished"),
        (BASIC + "\n\n519 *", [4, 0, 8], "*", "unfinished"),
        (BASIC + "1.5 1...1 2.9 1-0", [4, 0, 8], "1-0", "unknown"),
        (BASIC + '[Termination ""]\n\n*', [], "*", ""),
        (BASIC + '[Result "1-0"]  \n\n[O "b"]\n1.5(1.4)1 2.4{x}2 3.6 1-0', None, "1-0", "line"),
        ('\n\n[Game "basic"]\r\n\r\n1.\r\n5\r\n*', [4], "*", "unfinished"),
        ('[Game "connect4"]\n4453 *', [3, 3, 4, 2], "*", "unfinished"),
        ('[Game "mnk:3,3,3"]\n[Start "mnk:3,3,3~3.3.3~X"]\n"a1" *', [0], "*", "unfinished"),
        ('[Game "basic"]\n[Start "basic~X2.3.3~O"]\n1... 2 2. 3 *', [1, 2], "*", "unfinished"),
    ],
)
def test_handwritten_text_is_read(
    text: str, moves: list[int] | None, result: str, termination: str
) -> None:
    (record,) = parse_text(text)
    assert moves is None or record.moves == moves
    assert (record.result, record.termination) == (result, termination)


def test_empty_text_is_not_a_record() -> None:
    assert parse_text("") == parse_text("\n \n") == list(read_json_lines(["\n", ""])) == []


TEXT_ERRORS = [
    ('[Game "chess"]\n*', 1, 'no game called "chess"'),
    ('[Game "mnk:21,3,3"]\n*', 1, "a 21×3 board is too large: the limit is 20×20"),
    ('[Game "basic"] 5 *', 1, 'this is not a tag. Write [Name "value"] on its own line'),
    (BASIC + "[X 'a']\n*", 2, 'this is not a tag. Write [Name "value"] on its own line'),
    (BASIC + '[X "a]\n*', 2, 'this is not a tag. Write [Name "value"] on its own line'),
    (BASIC + '[1X "a"]\n*', 2, 'this is not a tag. Write [Name "value"] on its own line'),
    (BASIC + '[X "a"]\n[X "a"]\n*', 3, "the tag X appears twice"),
    (BASIC + '[X "\\a"]\n*', 2, r"\a is not an escape. Escapes: \\ \" \{ \} \n \r \t \uXXXX"),
    (BASIC + '[X "\\ud800"]\n*', 2, r"UTF-8 cannot encode the character '\ud800'"),
    (BASIC + '[X "\udcff"]\n*', 2, r"UTF-8 cannot encode the character '\udcff'"),
    (BASIC + '[Start "basic~X2.3~O"]\n*', 2, "the number of rows is 2, not 3"),
    (
        BASIC + '[Start "connect4~7.7.7.7.7.7~X"]\n*',
        2,
        "the game is basic, but the position is of connect4",
    ),
    (BASIC + '[Result "1-0"]\n\n5 *', 2, "the tag Result is 1-0, but the moves end with *"),
    (
        BASIC + '[Termination "line"]\n\n5 *',
        2,
        'the termination is "line", but by the rules the game is not over',
    ),
    (
        BASIC + '[Termination "resignation"]\n\n14253 1-0',
        2,
        'the termination is "resignation", but by the rules it is "line"',
    ),
    (
        BASIC + "\n1. 1 4 2. 2 5\n3. 3 0-1",
        4,
        "the result is 0-1, but by the rules it is 1-0",
    ),
    (
        BASIC + "\n1. 1 4 2. 2 5\n3. 3 9 1-0",
        4,
        "the game is over",
    ),
    (BASIC + "\n1. 5\n1 2. 5 *", 4, "cell 5 is taken. Free cells: 2 3 4 6 7 8 9"),
    (BASIC + "\n1. 5 1-", 3, '"1-" is not a move. Type a cell from 1 to 9'),
    (BASIC + '\n1. "1-0" *', 3, '"1-0" is not a move. Type a cell from 1 to 9'),
    (BASIC + "\n1. 5 2. 1 *", 3, "the move number is 2., but the next move is 1"),
    (BASIC + "\n1... 5 *", 3, "the move number is 1..., but the next move is 1"),
    (
        BASIC + "\n" + "1" * 5000 + ". 5 *",
        3,
        "the move number is 1111",
    ),
    (BASIC + "\n1. *", 3, "the move after the number is missing"),
    (BASIC + "\n1. {a} 5 *", 3, "the move after the number is missing"),
    (
        BASIC + "\n5 (\n{a} 4) *",
        4,
        "a comment belongs after a move; this variation has no move yet",
    ),
    (BASIC + "\n5 {a} {b} *", 3, "a move has one comment; join these two"),
    (BASIC + "\n5 {a\nb", 3, "the } of this comment is missing"),
    (BASIC + '\n5 "1 *', 3, "the second quote of this move is missing"),
    (BASIC + "\n5 {a\\q} *", 3, r"\q is not an escape. Escapes: \\ \" \{ \} \n \r \t \uXXXX"),
    (BASIC + "\n5 } *", 3, "} is allowed only in comments and quotes"),
    (BASIC + '\n5\n[X "a"] *', 4, "[ is allowed only in comments and quotes"),
    (BASIC + "\n(5) *", 3, "a variation belongs after the move that it replaces"),
    (BASIC + "\n5 ((4)) *", 3, "a variation belongs after the move that it replaces"),
    (BASIC + "\n5 () *", 3, "this variation has no moves"),
    (BASIC + "\n5 (4)) *", 3, "this ) has no ("),
    (BASIC + "\n5 (4 1-0", 3, "the ) of a variation is missing before 1-0"),
    (
        BASIC + "\n5 1\n\n\n",
        3,
        "the game from line 1 has no result. End it with one of 1-0 0-1 1/2-1/2 *",
    ),
    (
        BASIC + "\n5 (4",
        3,
        "the game from line 1 has no result. End it with one of 1-0 0-1 1/2-1/2 *",
    ),
    (BASIC + "\n5 *\n4 *", 4, 'only a new game, from [Game "…, may follow the result *'),
    (BASIC + "\n5 * *", 3, 'only a new game, from [Game "…, may follow the result *'),
]


@pytest.mark.parametrize("lines_before", [0, 6])
@pytest.mark.parametrize(("text", "line", "sentence"), TEXT_ERRORS)
def test_text_errors_name_line_and_reason(
    text: str, line: int, sentence: str, lines_before: int
) -> None:
    whole = format_text(Record.from_moves(noughts.game("basic"), [4]))
    assert whole.count("\n") == 6

    def shifted(place: re.Match[str]) -> str:
        return f"line {int(place[1]) + lines_before}"

    with pytest.raises((noughts.NotationError, noughts.IllegalMove)) as caught:
        parse_text(whole + text if lines_before else text)
    assert re.sub(r"line (\d+)", shifted, sentence) in str(caught.value)
    assert str(caught.value).startswith(f"Line {line + lines_before}: ")


@pytest.mark.parametrize("text", ["hello", '[X "a"]', '[Game: "basic"]', "\ufeff", "\0"])
def test_text_begins_with_a_game_tag(text: str) -> None:
    with pytest.raises(noughts.NotationError) as caught:
        parse_text(f"\n \n{text}\n")
    assert 'Line 3: begin a game with a tag such as [Game "basic"]' in str(caught.value)


def test_a_game_of_chess_is_refused_by_the_name_of_its_form() -> None:
    with pytest.raises(noughts.NotationError, match="looks like PGN, the format of chess"):
        parse_text('[Event "?"]\n[Site "?"]\n\n1. e4 e5 *\n')


def test_text_after_a_game_does_not_lose_it() -> None:
    found = read_text([BASIC, "\n", "1. 5 *\n", "\0\0\0\n"])
    assert next(found).moves == [4]
    with pytest.raises(
        noughts.NotationError, match=r"Line 4: only a new game, from .*, may follow the result \*"
    ):
        next(found)


JSON_ERRORS = [
    ("hello", "This is not a JSON object: Expecting value: line 1 column 1 (char 0)"),
    (
        '{"schema": 1',
        "This is not a JSON object: Expecting ',' delimiter: line 1 column 13 (char 12)",
    ),
    (
        "[" * 100_000,
        "This is not a JSON object: maximum recursion depth exceeded",
    ),
    (
        "1" * 5000,
        "This is not a JSON object: Exceeds the limit",
    ),
    ("[]", "A record must be an object, not a list"),
    ("{}", 'A record needs the key "schema"'),
    (
        LINE + ', "x": 1}',
        'A record has no key "x". Keys: schema game start tags comment moves',
    ),
    (LINE + ', "game": "basic"}', 'The key "game" appears twice'),
    (LINE.replace("1", "2", 1) + "}", "Schema 2 is unknown; use schema 1"),
    (LINE.replace("1", "true", 1) + "}", '"schema" must be a whole number, not true or false'),
    (
        LINE.replace("1", "1.0", 1) + "}",
        '"schema" must be a whole number, not a number with a fraction',
    ),
    (LINE.replace('"*"', "null") + "}", '"result" must be a text, not null'),
    (LINE + ', "start": "basic~3.3~X"}', "The number of rows is 2, not 3"),
    (
        LINE + ', "start": "mnk:3,3,3~3.3.3~X"}',
        "The game is basic, but the position is of mnk:3,3,3",
    ),
    (LINE + ', "tags": {"X": 1}}', '"X" must be a text, not a whole number'),
    (
        LINE + ', "tags": {"X-": ""}}',
        '"X-" is not a tag name. Begin with a letter; letters, digits and _ may follow',
    ),
    (LINE + ', "tags": {"Game": "a"}}', "Set the field game of the record instead of the tag Game"),
    (LINE + ', "comment": "\\ud800"}', r"UTF-8 cannot encode the character '\ud800'"),
    (
        LINE + ', "termination": "full"}',
        'The termination is "full", but by the rules the game is not over',
    ),
    (LINE.replace('"*"', '"2-0"') + "}", '"2-0" is not a result. Results: 1-0 0-1 1/2-1/2 *'),
    (LINE.replace('"5"', "5") + "}", "A move must be an object, not a whole number"),
    (LINE.replace('"5"', '"0"') + "}", "There is no cell 0. Type a cell from 1 to 9"),
    (LINE.replace('"5"', '{"comment": "a"}') + "}", 'A move needs the key "move"'),
    (
        LINE.replace('"5"', '{"move": "5", "nag": 1}') + "}",
        'A move has no key "nag". Keys: move comment',
    ),
    (LINE + ', "variations": [1]}', "A variation must be an object, not a whole number"),
    (LINE + ', "variations": [{"line": 0}]}', 'A variation needs the key "after"'),
    (
        LINE + ', "variations": [{"line": 1, "after": 0, "moves": ["4"]}]}',
        "The variation leaves line 1, but only 1 come before it",
    ),
    (
        LINE + ', "variations": [{"line": 0, "after": 1, "moves": ["4"]}]}',
        "Line 0 has no move after 1 moves to replace",
    ),
    (
        LINE + ', "variations": [{"line": 0, "after": -1, "moves": ["4"]}]}',
        "Line 0 has no move after -1 moves to replace",
    ),
    (
        LINE + ', "variations": [{"line": 0, "after": 0, "moves": []}]}',
        "This variation has no moves",
    ),
]


@pytest.mark.parametrize(("text", "sentence"), JSON_ERRORS)
def test_json_errors_name_the_reason(text: str, sentence: str) -> None:
    with pytest.raises((noughts.NotationError, noughts.IllegalMove)) as caught:
        parse_json_line(text)
    assert sentence in str(caught.value)
    with pytest.raises((noughts.NotationError, noughts.IllegalMove), match="Line 3: "):
        list(read_json_lines([LINE + "}\n", "\n", text]))


def changed(**fields: object) -> Record:
    record = Record.from_moves(noughts.game("basic"), [0, 3, 1, 4, 2])
    for name, value in fields.items():
        setattr(record, name, value)
    return record


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        (changed(result="*"), "The result is *, but by the rules it is 1-0"),
        (
            changed(termination="time forfeit"),
            'The termination is "time forfeit", but by the rules it is "line"',
        ),
        (
            changed(tags={"Result": "1-0"}),
            "Set the field result of the record instead of the tag Result",
        ),
        (
            changed(tags={"a b": ""}),
            '"a b" is not a tag name. Begin with a letter; letters, digits and _ may follow',
        ),
        (changed(tags={"X": "\ud800"}), r"UTF-8 cannot encode the character '\ud800'"),
        (changed(comment="a\udfff"), r"UTF-8 cannot encode the character '\udfff'"),
        (changed(children=[RecordNode(9)]), "There is no such cell"),
        (
            changed(children=[*changed().children, RecordNode(9)]),
            "There is no such cell",
        ),
    ],
)
def test_records_that_cannot_be_written(record: Record, sentence: str, tmp_path: Path) -> None:
    for write in (format_text, format_json_line):
        with pytest.raises((noughts.NotationError, noughts.IllegalMove)) as caught:
            write(record)
        assert sentence in str(caught.value)
        str(caught.value).encode()
    for suffix in SUFFIXES:
        with pytest.raises((noughts.NotationError, noughts.IllegalMove)):
            append(tmp_path / f"games{suffix}", record)
        assert not (tmp_path / f"games{suffix}").exists()


@pytest.mark.parametrize(
    ("result", "termination", "sentence"),
    [
        ("2-0", None, '"2-0" is not a result'),
        (None, "line", 'The termination is "line", but by the rules the game is not over'),
    ],
)
def test_from_moves_refuses_illegal_games(
    result: str | None, termination: str | None, sentence: str
) -> None:
    with pytest.raises(noughts.NotationError, match=sentence):
        Record.from_moves(noughts.game("basic"), [4], result=result, termination=termination)


class Awkward(noughts.Position):
    """A registered game of a given length, with every awkward text for a move."""

    name = "awkward"
    about = "Any move, until the end."
    texts = ("1-0", "*", "5.", "a b", "(", "{", '[Game "', "", '"', "\\", "55", "é\n", "9.x", "go")
    digit_runs = True

    def __init__(self, length: int, played: int = 0) -> None:
        self.length = length
        self.played = played

    @classmethod
    def start(cls, options: str = "") -> Self:
        return cls(int(options or "8"))

    @property
    def turn(self) -> noughts.Player:
        return noughts.Player.O if self.played % 2 else noughts.Player.X

    def legal_moves(self) -> range:
        return range(len(self.texts) if self.played < self.length else 0)

    def play(self, move: int | str) -> Self:
        self.legal_move(move)
        return type(self)(self.length, self.played + 1)

    def outcome(self) -> noughts.Outcome | None:
        return noughts.Outcome(noughts.Player.O) if self.played == self.length else None

    def key(self) -> Hashable:
        return self.played

    def move_text(self, move: int) -> str:
        return self.texts[move]

    @classmethod
    def parse(cls, text: str) -> Self:
        rules, _, played = text.partition("~")
        return cls(cls.start(rules.partition(":")[2]).length, int(played or "0"))

    def __str__(self) -> str:
        return f"awkward:{self.length}" + (f"~{self.played}" if self.played else "")


@pytest.fixture
def awkward() -> Iterator[type[Awkward]]:
    noughts.register(Awkward)
    yield Awkward
    del noughts.GAMES["awkward"]


@pytest.mark.parametrize("played", [0, 3])
def test_registered_game_with_awkward_move_texts(awkward: type[Awkward], played: int) -> None:
    record = Record.from_moves(awkward(20, played), range(len(awkward.texts)))
    record.children += [RecordNode(move, "why not") for move in range(len(awkward.texts))]
    for write, parse in ((format_text, lambda text: parse_text(text)[0]), JSON):
        assert parse(write(record)) == record
    assert Record.from_moves(awkward(2), [0, 1]).termination == "rules"
    numbered = format_text(Record.from_moves(awkward(20, 3), [13, 13, 10]))
    assert numbered.endswith('\n\n1... go 2. go "55" *\n\n')


JSON: tuple[Callable[[Record], str], Callable[[str], Record]] = (format_json_line, parse_json_line)


def test_unregistered_game_is_not_written() -> None:
    for write in (format_text, format_json_line):
        with pytest.raises(noughts.NotationError, match='No game called "awkward"'):
            write(Record.from_moves(Awkward(8), [0]))


def test_long_lines_and_deep_nesting_do_not_recurse(awkward: type[Awkward]) -> None:
    long = Record.from_moves(awkward(5_000), [10] * 5_000)
    node = long.children[0]
    for _ in range(2000):
        node.children.append(RecordNode(10))
        node = node.children[0]
    assert repr(long)
    assert parse_text(format_text(long)) == [long]
    assert parse_json_line(format_json_line(long)) == long
    deep = Record.from_moves(awkward(3000), [10] * 3000)
    siblings = deep.children
    for _ in range(2000):
        siblings.append(RecordNode(10))
        siblings[-1].children.append(RecordNode(10))
        siblings = siblings[-1].children
    assert parse_json_line(format_json_line(deep)) == deep
    assert parse_text(format_text(deep)) == [deep]


def test_many_parentheses_take_linear_time() -> None:
    count = 20_000
    (nested,) = parse_text(BASIC + "1. 5 " + "(1. 4 " * count + ")" * count + " *")
    assert len(nested.children) == count + 1
    for spoiled in ("(" * count, "5 " + "(4 " * count, "5 " + ")" * count, "{" * count):
        with pytest.raises(noughts.NotationError):
            parse_text(BASIC + spoiled)


def test_ten_thousand_variations() -> None:
    (record,) = parse_text(BASIC + "5 " + "(4 5 (1) 2) " * 5_000 + "*")
    assert len(record.children) == 5_001
    assert parse_text(format_text(record)) == [record]
    assert parse_json_line(format_json_line(record)) == record


# Files --------------------------------------------------------------------------------------------


def games_of(count: int) -> list[Record]:
    """Return distinct games with everything that a record can hold."""
    random = Random(5)
    games = []
    for number in range(count):
        start = noughts.game(RULES[number % len(RULES)])
        record = Record.from_moves(
            start, random_line(start, 100, random), {"X": "Ada é\n", "Round": f"{number}"}
        )
        record.comment = "a (longer) comment, in [brackets] and {braces} " * 4
        record.children.append(RecordNode(start.legal_moves()[-1], "instead of this"))
        games.append(record)
    return games


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_append_and_read(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"games{suffix}"
    games = games_of(12)
    for count, record in enumerate(games, 1):
        append(path if count % 2 else str(path), record)
        assert list(read(path)) == games[:count]
    write = format_json_line if suffix == ".jsonl" else format_text
    assert path.read_bytes() == "".join(map(write, games)).encode()
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    append(path, games[0])
    assert list(read(path)) == [*games, games[0]]


def readable(records: Iterator[Record]) -> tuple[list[Record], Exception | None]:
    """Return the records before the first unreadable one, and its error."""
    games = []
    try:
        for record in records:
            games.append(record)  # noqa: PERF402 - keeps those before an error
    except (noughts.NotationError, noughts.IllegalMove) as error:
        return games, error
    return games, None


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_file_cut_off_anywhere(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.fsync", lambda _: None)
    path = tmp_path / f"games{suffix}"
    moves = [4, 0, 2, 6, 3]
    games = [
        Record.from_moves(noughts.game("basic"), moves, {"X": "é", "Z": "[Game"}, result=result)
        for result in ("*", "1/2-1/2")
    ]
    for record in games:
        record.comment = "a ] [ } comment é"
        record.children[0].children.append(RecordNode(1, "b"))
    is_json = suffix == ".jsonl"
    write, reader = (format_json_line, read_json_lines) if is_json else (format_text, read_text)
    texts = [write(record).encode() for record in games]
    whole = b"".join(texts)
    added = Record.from_moves(noughts.game("basic"), [4], {"X": "added"})
    begin = kept = 0  # The complete games before the cut-off one.
    for size in range(len(whole)):
        if kept < len(games) and size == begin + len(texts[kept].rstrip()):
            begin += len(texts[kept])
            kept += 1
        last_line = whole[:size].count(b"\n") + 1
        lines = range(whole[:begin].count(b"\n") + 1, last_line + 1)

        path.write_bytes(whole[:size])
        append(path, added)
        data = path.read_bytes()
        assert data.startswith(whole[:size])
        assert data.endswith((b"\n" if size else b"") + write(added).encode())
        for content in (whole[:size], data):
            lines_of_text = io.StringIO(content.decode(errors="surrogateescape"))
            found, error = readable(reader(lines_of_text))
            if begin < size:
                assert found == games[:kept]
                number = re.match(r"Line (\d+): ", str(error))
                assert number
                assert int(number[1]) in lines
            else:
                assert error is None
                assert found == games[:kept] + [added] * (content is data)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_invalid_utf_8(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"games{suffix}"
    games = games_of(2)
    for record in games:
        append(path, record)
    line = path.read_bytes()[: path.read_bytes().rindex(b"Ada")].count(b"\n") + 1
    path.write_bytes(b"Ada \xff".join(path.read_bytes().rsplit(b"Ada ", 1)))
    found, error = readable(read(path))
    assert found == games[:1]
    assert f"Line {line}: UTF-8 cannot encode the character '\\udcff'" in str(error)


def run(code: str, *arguments: object) -> subprocess.Popen[str]:
    """Start Python with the names of this module and `path`."""
    here = str(Path(__file__).parent)
    prelude = f"import sys; sys.path.insert(0, {here!r}); from test_record import *\n"
    return subprocess.Popen(
        [sys.executable, "-c", f"{prelude}path = Path(sys.argv[1])\n{code}"]
        + [str(argument) for argument in arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


FULL_DISK = """
import resource
games = games_of(40)
append(path, games[0])
size = path.stat().st_size
# A file may not grow beyond the limit: what fits is written, and the rest is an error.
resource.setrlimit(resource.RLIMIT_FSIZE, (size + int(sys.argv[2]), resource.RLIM_INFINITY))
for record in games[1:]:
    before = path.read_bytes()
    try:
        append(path, record)
    except OSError as error:
        assert path.read_bytes() == before, "the file was left changed"
        print(len(before), error.strerror)
        break
else:
    raise AssertionError("no write failed")
"""


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("room", [0, 1, 5000])
def test_full_disk_leaves_whole_games(suffix: str, room: int, tmp_path: Path) -> None:
    path = tmp_path / f"games{suffix}"
    process = run(FULL_DISK, path, room)
    output, complaint = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, complaint
    assert "File too large" in output
    found, error = readable(read(path))
    assert error is None
    assert found == games_of(40)[: len(found)]
    assert len(found) > (room > 1000)


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_failed_flush_removes_the_game(
    failure: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(b"[Game")

    def fail(_: int) -> None:
        raise failure

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", fail)
        with pytest.raises(type(failure)):
            append(path, games_of(1)[0])
    assert path.read_bytes() == b"[Game"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_two_processes_append_at_once(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"games{suffix}"
    code = "for record in games_of(30)[int(sys.argv[2]) :: 2]: append(path, record)"
    for process in [run(code, path, part) for part in (0, 1)]:
        _, complaint = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, complaint
    found = list(read(path))
    for part in (0, 1):
        assert [it for it in found if int(it.tags["Round"]) % 2 == part] == games_of(30)[part::2]


def test_append_waits_for_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    (record,) = games_of(1)
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        thread = threading.Thread(target=append, args=(path, record))
        thread.start()
        thread.join(0.2)
        assert thread.is_alive()
        assert path.stat().st_size == 0
    thread.join(PATIENCE)
    assert list(read(path)) == [record]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_kill_leaves_whole_games(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"games{suffix}"
    code = """
while True:
    for record in games_of(20): append(path, record)
"""
    size = 0
    for _ in range(2):
        process = run(code, path)
        deadline = time.monotonic() + PATIENCE
        try:
            while (path.stat().st_size if path.exists() else 0) < size + 20_000:
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.003)
        finally:
            process.kill()
            process.communicate()
        size = path.stat().st_size
        games = games_of(20)
        found = list(read(path))
        assert found
        assert all(record == games[int(record.tags["Round"])] for record in found)


def test_docs_describe_the_formats() -> None:
    blocks = re.findall(r"^```(text|json)\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    (text,) = [block for kind, block in blocks if kind == "text" and block.startswith("[")]
    (line,) = [block for kind, block in blocks if kind == "json"]
    record = parse_json_line(line)
    assert parse_text(text) == [record]
    assert format_text(record) == text + "\n"
    assert json.loads(format_json_line(record)) == json.loads(line)


@pytest.mark.parametrize(
    ("tags", "played"),
    [
        ({}, None),
        ({"Date": "2026-03-01"}, "2026-03-01T00:00:00+00:00"),
        ({"Date": "2026-03-01", "Time": "12:30:05"}, "2026-03-01T12:30:05+00:00"),
        ({"Date": "2026-03-01T12:30:05+02:00"}, "2026-03-01T12:30:05+02:00"),
        ({"Date": "yesterday"}, None),
        ({"Date": "2026-03-01", "Time": "late"}, None),
    ],
)
def test_time_of_a_game(tags: dict[str, str], played: str | None) -> None:
    found = Record(noughts.game("basic"), tags).played
    assert (None if found is None else found.isoformat()) == played
