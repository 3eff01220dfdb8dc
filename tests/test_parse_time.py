"""The time to read hostile texts: it grows no faster than their length."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from itertools import cycle, islice

import pytest

import noughts
from noughts.answers.files import read_games
from noughts.games.position import parse_moves
from noughts.games.registry import parse_start
from noughts.opponents import opponent

HEAD = '[Game "connect4"]\n\n'
JSON = '{"schema": 1, "game": "basic", "result": "*", '


def repeated(parts: str, length: int) -> str:
    """Return a text of a length, from parts in turn."""
    return "".join(islice(cycle(parts), length))


def games(text: str) -> object:
    return list(read_games(text))


PSQ = "Piskvorky 15x15, 11:11, 0\n"
HOSTILE: dict[str, tuple[Callable[[str], object], Callable[[int], str]]] = {
    "open parentheses": (games, lambda n: HEAD + "1. 1 " + "(" * n),
    "closed parentheses": (games, lambda n: HEAD + "1. 1 " + ")" * n),
    "nested variations": (games, lambda n: HEAD + "1. 1 " + "(1. 2 " * (n // 6)),
    "variations": (games, lambda n: HEAD + "1. 1 " + "(1. 2) " * (n // 7) + "*\n"),
    "moves": (games, lambda n: HEAD + "1. " + "1 " * (n // 2)),
    "a run": (games, lambda n: "1" * n),
    "runs": (games, lambda n: "4453\n" * (n // 5)),
    "a comment without end": (games, lambda n: HEAD + "{" + "a " * (n // 2)),
    "a comment of backslashes": (games, lambda n: HEAD + "{" + "\\" * n),
    "a comment of escapes": (games, lambda n: HEAD + "{" + "\\n" * (n // 2) + "} *\n"),
    "comments": (games, lambda n: HEAD + "{a} " * (n // 4)),
    "numbers": (games, lambda n: HEAD + "1" * n),
    "number and dots": (games, lambda n: HEAD + "1" + "." * n),
    "a quote without end": (games, lambda n: HEAD + '1. "' + "a" * n),
    "blanks": (games, lambda n: HEAD + " \n\t" * (n // 3)),
    "tags": (games, lambda n: '[Game "basic"]\n' + "".join(f'[A{i} ""]\n' for i in range(n // 11))),
    "a tag without end": (games, lambda n: '[Game "' + "\\a" * (n // 2)),
    "a tag and blanks": (games, lambda n: '[Game "basic"]' + " " * n),
    "heads": (games, lambda n: '[Game "basic"]\n\n*\n' * (n // 18)),
    "a game's name": (games, lambda n: f'[Game "{repeated("connect four ", n)}"]\n\n*\n'),
    "a game's options": (games, lambda n: f'[Game "mnk:{"3," * (n // 2)}"]\n\n*\n'),
    "a start": (games, lambda n: f'[Game "basic"]\n[Start "basic~{"X" * n}~X"]\n\n*\n'),
    "a start of fields": (games, lambda n: f'[Game "basic"]\n[Start "basic{"~" * n}"]\n\n*\n'),
    "a start of rows": (games, lambda n: f'[Game "basic"]\n[Start "basic~{"." * n}~X"]\n\n*\n'),
    "a tree": (games, lambda n: f'[Game "basic"]\n[Start "{"(" * n}~a"]\n\n*\n'),
    "a wide tree": (games, lambda n: f'[Game "basic"]\n[Start "({"1 " * (n // 2)})~a"]\n\n*\n'),
    "a deep tree": (
        games,
        lambda n: f'[Game "basic"]\n[Start "{"(" * (n // 2)}1{")" * (n // 2)}~a"]\n\n*\n',
    ),
    "SGF parentheses": (games, lambda n: "(;GM[4]" + "(;B[aa]" * (n // 7)),
    "SGF without end": (games, lambda n: "(;GM[4]C[" + "\\]" * (n // 2)),
    "SGF names": (games, lambda n: "(;GM[4]" + "A" * n),
    "SGF values": (games, lambda n: "(;GM[4]AB" + "[aa:ss]" * (n // 7) + ")"),
    "SGF comments": (games, lambda n: "(;GM[4]" + ";C[a]" * (n // 5) + ")"),
    "SGF games": (games, lambda n: "(;GM[4])" * (n // 8)),
    "SGF blanks": (games, lambda n: "(;GM[4]" + " \n" * (n // 2)),
    ".psq moves": (games, lambda n: PSQ + "1,1,0\n" * (n // 6)),
    ".psq digits": (games, lambda n: PSQ + "1" * n),
    ".psq blanks": (games, lambda n: PSQ + " \n" * (n // 2)),
    "JSON lists": (games, lambda n: JSON + '"moves": ' + "[" * n),
    "JSON digits": (games, lambda n: '{"schema": ' + "1" * n),
    "JSON keys": (games, lambda n: "{" + ",".join(f'"{i}": 1' for i in range(n // 10)) + "}"),
    "JSON tags": (
        games,
        lambda n: (
            JSON + '"moves": [], "tags": {' + ",".join(f'"A{i}": ""' for i in range(n // 12)) + "}}"
        ),
    ),
    "JSON variations": (
        games,
        lambda n: (
            JSON
            + '"moves": ["1"], "variations": ['
            + ",".join(['{"line": 0, "after": 0, "moves": ["2"]}'] * (n // 40))
            + "]}"
        ),
    ),
    "JSON comments": (
        games,
        lambda n: JSON + '"moves": [], "comment": "' + "\\ud800" * (n // 6) + '"}',
    ),
    "a position's name": (parse_start, lambda n: repeated("connect four ", n)),
    "a position's options": (parse_start, lambda n: "ultimate:" + "tie=boards," * (n // 11)),
    "a position's cells": (parse_start, lambda n: "mnk:19,19,5~" + "1" * n + "~X"),
    "moves of a game": (
        lambda text: parse_moves(noughts.game("basic"), text),
        lambda n: "x" * n,
    ),
    "spaces": (lambda text: parse_moves(noughts.game("basic"), text), lambda n: " " * n + "0"),
    "an opponent": (opponent, lambda n: "engine:" + "level=1," * (n // 8)),
    "an opponent's number": (opponent, lambda n: "engine:level=" + "1" * n),
    "an opponent's fraction": (opponent, lambda n: "engine:seconds=1." + "1" * n),
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", HOSTILE)
def test_long_texts_are_read_to_their_end(name: str) -> None:
    """These characters take a second at most; in quadratic time they would take minutes."""
    read, hostile = HOSTILE[name]
    with contextlib.suppress(ValueError):
        read(hostile(300_000))
