"""Opening books: each position has one entry, and the entry is right."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

import noughts
from noughts import _core
from noughts.books import ENTRIES, Book, book_of, unpacked
from noughts.books.build import positions
from noughts.cli.main import app
from noughts.engine import Engine
from noughts.games.position import Position
from noughts.search import Limit, negamax
from noughts.search.walk import unknown

SMALL = "connect4:4,4"
STONES = 6


def mirrored(position: Position) -> Position:
    rules, rows, turn = str(position).split("~")
    return noughts.position("~".join((rules, ".".join(row[::-1] for row in rows.split(".")), turn)))


def can_win(position: Position, but: int) -> bool:
    """Return whether the side to move has a winning move besides this column."""
    moves = (move for move in position.legal_moves() if move != but)
    return any(position.play(move).outcome() is not None for move in moves)


def built(path: Path, rules: str, stones: int) -> Book:
    words = ["book", rules, str(stones), str(path), "--jobs", "1"]
    assert CliRunner().invoke(app, words).exit_code == 0
    return unpacked(path.read_bytes())


@pytest.mark.parametrize(("rules", "stones"), [("connect4", 4), (SMALL, 7), ("connect4:5,7", 5)])
def test_a_position_and_its_mirror_image_share_an_entry(rules: str, stones: int) -> None:
    level = {noughts.game(rules)}
    for _ in range(stones):
        level = {each.play(move) for each in level for move in each.legal_moves()}
    places: dict[int, set[str]] = {}
    for position in level:
        place, size = _core.book_place(str(position))
        assert 0 <= place < size
        places.setdefault(place, set()).add(str(position))
    for same in places.values():
        one = min(same)
        assert same == {one, str(mirrored(noughts.position(one)))}


def test_only_connect_four_has_entries() -> None:
    for text in ("basic~3.3.3~X", "ultimate", "connect4~9"):
        with pytest.raises(ValueError, match="cannot read"):
            _core.book_place(text)


def test_a_book_is_built_and_continued(tmp_path: Path) -> None:
    path = tmp_path / "small.book"
    book = built(path, SMALL, STONES)
    wanted = positions(SMALL, STONES)
    assert {place for place, entry in enumerate(book.content) if entry} == set(wanted)
    rng = random.Random(1)
    for place, position in rng.sample(list(wanted.items()), 40):
        value = negamax(position, evaluate=unknown).value.kind
        assert book.content[place] == ENTRIES[value]

    # A second run solves the unknown positions alone.
    known, *gone = sorted(wanted)[:30]
    values = bytearray(book.content)
    values[known] = 7
    for place in gone:
        values[place] = 0
    path.write_bytes(Book(STONES, bytes(values)).packed(SMALL))
    again = built(path, SMALL, STONES)
    assert again.content[known] == 7
    assert all(again.content[place] == book.content[place] for place in gone)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((SMALL, "5"), 3, "is a book of another game"),
        (("connect4:6,4", "6"), 3, "is a book of another game"),
        (("basic", "2"), 2, "No book can hold"),
        (("checkers", "2"), 2, "checkers"),
        (("connect4", "17"), 2, "Invalid value for"),
        (("connect4", "0"), 2, "Invalid value for"),
    ],
)
def test_a_book_that_cannot_be_built_is_refused(
    words: tuple[str, ...], code: int, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.book"
    other = Book(6, bytes(_core.book_place("connect4:4,4~4.4.4.4~X")[1]))
    path.write_bytes(other.packed(SMALL))
    before = path.read_bytes()
    result = CliRunner().invoke(app, ["book", *words, str(path)])
    assert result.exit_code == code
    assert message in result.stderr
    assert path.read_bytes() == before


def test_invalid_book_file_is_refused() -> None:
    for data in (b"", b"connect4 9\nabc", b"connect4\n" + Book(1, b"1").packed("a")[4:], b"a b\n"):
        with pytest.raises(ValueError, match="not a book"):
            unpacked(data)
    with pytest.raises(ValueError, match="cannot read"):
        _core.Engine("connect4", 1, 0, "", 9, b"too short")
    with pytest.raises(ValueError, match="cannot read"):
        _core.Engine("basic", 1, 0, "", 1, b"abc")


def test_engine_with_a_book_finds_the_same_value_sooner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = built(tmp_path / "small.book", SMALL, STONES)
    monkeypatch.setattr("noughts.engine.book_of", {SMALL: book}.get)
    with_book, without = Engine(SMALL), Engine(SMALL, book=False)
    spent = {True: 0, False: 0}
    for stones in range(STONES + 2):
        for position in random.Random(stones).sample([*positions(SMALL, stones).values()][:40], 1):
            for has_book, engine in ((True, with_book), (False, without)):
                engine.clear()
                for result in engine.analyse(position, method="assisted", moves=False):
                    if result.exact:
                        spent[has_book] += result.nodes
                        break
                solved = without.solve(position).value
                assert result.value.kind == solved.kind
                assert engine.best_move(position).value == solved
                engine.clear()
                scores = engine.best_move(position, moves=True)
                assert scores.exact
                assert scores.moves == without.best_move(position, moves=True).moves
    assert spent[True] < spent[False]


def test_proofs_ignore_the_book() -> None:
    limit = Limit(nodes=100_000)
    with_book, without = (Engine("connect4", book=book) for book in (True, False))
    for weakly in (True, False):
        found = with_book.solve("connect4", limit, weakly=weakly)
        assert not found.exact
        assert found.bounds == without.solve("connect4", limit, weakly=weakly).bounds


def test_connect_four_book_is_complete() -> None:
    book = book_of("connect4")
    assert book is not None
    assert book.stones == 9
    assert set(book.content) == {0, 1, 2, 3}


def test_book_agrees_with_the_solver() -> None:
    book = book_of("connect4")
    assert book is not None
    engine, rng = Engine("connect4", table_mib=16), random.Random(4)
    seen = 0
    while seen < 40:
        position = noughts.game("connect4")
        while position.ply < book.stones and position.outcome() is None:
            position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is not None:
            continue
        seen += 1
        place, _ = _core.book_place(str(position))
        assert ENTRIES[engine.solve(position, weakly=True).value.kind] == book.content[place]


def test_engine_answers_the_first_moves_from_the_book() -> None:
    """The middle column wins, its neighbours draw, the others lose (Allis 1988; Allen 1988)."""
    results = Engine("connect4").analyse("connect4", Limit(nodes=1_000_000))
    values = next(
        [value.kind for value in result.moves.values()] for result in results if result.exact
    )
    assert values == ["loss", "loss", "draw", "win", "draw", "loss", "loss"]


@pytest.mark.soak
def test_positions_of_eight_stones_have_the_published_values() -> None:
    """The whole data set of J. Tromp (Connect-4, UCI machine learning repository, 1995): positions
    that nobody has won and in which neither side can win with the next move."""
    book = book_of("connect4")
    assert book is not None
    assert book.stones == 9
    counts: Counter[str] = Counter()
    worth = {0: -1, 1: -1, 2: 0, 3: 1}
    for position in positions("connect4", 8).values():
        best = -1
        for number, move in enumerate(position.legal_moves()):
            after = position.play(move)
            # After two different moves each column was open to the other side.
            if after.outcome() is not None or (number < 2 and can_win(after, but=move)):
                break
            place, _ = _core.book_place(str(after))
            best = max(best, -worth[book.content[place]])
        else:
            counts[{-1: "loss", 0: "draw", 1: "win"}[best]] += 1
    assert counts == {"win": 44_473, "draw": 6_449, "loss": 16_635}
