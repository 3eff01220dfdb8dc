"""Books: every position has a place of its own, and what stands there is right."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

import noughts
from noughts import _core
from noughts.books import ENTRIES, Book, book_of, unpacked
from noughts.books.__main__ import main, positions
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
    """Whether the side to move can win at once in another column."""
    moves = (move for move in position.legal_moves() if move != but)
    return any(position.play(move).outcome() is not None for move in moves)


def built(path: Path, rules: str, stones: int, monkeypatch: pytest.MonkeyPatch) -> Book:
    words = ["books", rules, str(stones), str(path), "--jobs", "1"]
    monkeypatch.setattr("sys.argv", words)
    assert main() == 0
    return unpacked(path.read_bytes())


@pytest.mark.parametrize(("rules", "stones"), [("connect4", 4), (SMALL, 7), ("connect4:5,7", 5)])
def test_each_position_has_a_place_of_its_own_with_its_mirror_image(
    rules: str, stones: int
) -> None:
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


def test_places_are_of_connect_four_alone() -> None:
    for text in ("basic~3.3.3~X", "ultimate", "connect4~9"):
        with pytest.raises(ValueError, match=r"there are no books with|cannot read"):
            _core.book_place(text)


def test_a_book_is_built_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "small.book"
    book = built(path, SMALL, STONES, monkeypatch)
    wanted = positions(SMALL, STONES)
    assert {place for place, entry in enumerate(book.values) if entry} == set(wanted)
    rng = random.Random(1)
    for place, position in rng.sample(list(wanted.items()), 40):
        value = negamax(position, evaluate=unknown).value.value
        assert book.values[place] == ENTRIES[value]

    # A run goes on from what is known, and does not look at it again.
    known, *gone = sorted(wanted)[:30]
    values = bytearray(book.values)
    values[known] = 7
    for place in gone:
        values[place] = 0
    path.write_bytes(Book(STONES, bytes(values)).packed(SMALL))
    again = built(path, SMALL, STONES, monkeypatch)
    assert again.values[known] == 7
    assert all(again.values[place] == book.values[place] for place in gone)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((SMALL, "5"), "is another book"),
        (("connect4:6,4", "6"), "is another book"),
        (("basic", "2"), "there are no books"),
        (("checkers", "2"), "checkers"),
        (("connect4", "17"), "1 to 16"),
        (("connect4", "0"), "1 to 16"),
    ],
)
def test_what_no_book_can_be_made_of_is_said(
    words: tuple[str, ...],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "a.book"
    other = Book(6, bytes(_core.book_place("connect4:4,4~4.4.4.4~X")[1]))
    path.write_bytes(other.packed(SMALL))
    before = path.read_bytes()
    monkeypatch.setattr("sys.argv", ["books", *words, str(path)])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err
    assert path.read_bytes() == before


def test_a_file_that_is_no_book_is_refused() -> None:
    for data in (b"", b"connect4 9\nabc", b"connect4\n" + Book(1, b"1").packed("a")[4:], b"a b\n"):
        with pytest.raises(ValueError, match="not a book"):
            unpacked(data)
    with pytest.raises(ValueError, match="book"):
        _core.Engine("connect4", 1, 0, "", 9, b"too short")
    with pytest.raises(ValueError, match="book"):
        _core.Engine("basic", 1, 0, "", 1, b"abc")


def test_an_engine_with_a_book_finds_the_same_sooner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = built(tmp_path / "small.book", SMALL, STONES, monkeypatch)
    monkeypatch.setattr("noughts.engine.book_of", {SMALL: book}.get)
    with_book, without = Engine(SMALL), Engine(SMALL, book=False)
    spent = {True: 0, False: 0}
    for stones in range(STONES + 2):
        for position in random.Random(stones).sample([*positions(SMALL, stones).values()][:40], 1):
            for has_book, engine in ((True, with_book), (False, without)):
                engine.clear()
                for result in engine.analyse(position, method="assisted"):
                    if result.exact:
                        spent[has_book] += result.nodes
                        break
                solved = without.solve(position).value
                assert result.value.value == solved.value
                assert engine.best_move(position).value == solved
                engine.clear()
                scores = engine.scores(position)
                assert scores.exact
                assert scores.scores == without.scores(position).scores
    assert spent[True] < spent[False]


def test_proofs_are_made_without_the_book() -> None:
    limit = Limit(nodes=100_000)
    with_book, without = (Engine("connect4", book=book) for book in (True, False))
    for weakly in (True, False):
        found = with_book.solve("connect4", limit, weakly=weakly)
        assert not found.exact
        assert found.bounds == without.solve("connect4", limit, weakly=weakly).bounds


def test_the_book_of_connect_four_is_whole() -> None:
    book = book_of("connect4")
    assert book is not None
    assert book.stones == 9
    assert set(book.values) == {0, 1, 2, 3}


def test_the_book_says_what_the_solver_proves() -> None:
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
        assert ENTRIES[engine.solve(position, weakly=True).value.value] == book.values[place]


def test_the_engine_knows_the_first_moves_at_once() -> None:
    """The middle column wins, its neighbours draw, the others lose (Allis 1988; Allen 1988)."""
    results = Engine("connect4").every_move("connect4", Limit(nodes=1_000_000))
    values = next(
        [value.value for value in result.scores.values()] for result in results if result.exact
    )
    assert values == ["loss", "loss", "draw", "win", "draw", "loss", "loss"]


def test_the_positions_of_eight_stones_are_worth_what_was_published() -> None:
    """All of the data set of J. Tromp (Connect-4, UCI machine learning repository, 1995): nobody
    has won, and neither side could win with the next move."""
    book = book_of("connect4")
    assert book is not None
    assert book.stones == 9
    counts: Counter[str] = Counter()
    worth = {0: -1, 1: -1, 2: 0, 3: 1}
    for position in positions("connect4", 8).values():
        best = -1
        for move in position.legal_moves():
            after = position.play(move)
            if after.outcome() is not None or can_win(after, but=move):
                break
            place, _ = _core.book_place(str(after))
            best = max(best, -worth[book.values[place]])
        else:
            counts[{-1: "loss", 0: "draw", 1: "win"}[best]] += 1
    assert counts == {"win": 44_473, "draw": 6_449, "loss": 16_635}
