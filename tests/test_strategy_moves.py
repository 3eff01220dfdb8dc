"""The winner's moves of a certificate, followed in games against any replies."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from command import run
from proof_samples import WON, proven

import noughts
from noughts import _core
from noughts.books import Book, book_of
from noughts.engine import Engine
from noughts.games.catalogue import file_stem
from noughts.games.nested import Advanced
from noughts.games.position import Player
from noughts.games.registry import position
from noughts.opponents import OpponentFailed
from noughts.proof.certificate import BadCertificate, Certificate, read
from noughts.search import Limit
from noughts.views import strategy

ROOT = Path(__file__).parent.parent
TOP = Certificate(str(noughts.game("advanced")), Player.X, 4, bytes([9 + 40, 0, 1]))
"""55, then 11 after 51, and 22 after 52."""


def placed(moves: list[int]) -> Advanced:
    place = position(TOP.start).after(moves)
    assert isinstance(place, Advanced)
    return place


def test_images_of_replies_have_images_of_moves() -> None:
    start = placed([])
    assert TOP.move_in(start) == 40
    for cell in (0, 1, 2, 3, 5, 6, 7, 8):
        after = placed([40, 36 + cell])
        move = TOP.move_in(after)
        # A corner answers a corner, an edge an edge: the cell of the same name.
        assert move == 9 * cell + cell
        assert move in after.legal_moves()


def test_positions_are_won_if_the_strategy_has_them() -> None:
    assert TOP.holds(placed([]))
    assert TOP.holds(placed([40]))  # the other side is to move
    assert all(TOP.holds(placed([40, 36 + cell])) for cell in (0, 1, 2, 3, 5, 6, 7, 8))
    assert TOP.holds(placed([40, 36, 0]))
    assert TOP.holds(placed([40, 36, 0, 1]))  # a leaf
    assert TOP.holds(placed([40, 38, 20, 19]))  # its image
    assert not TOP.holds(placed([0]))
    assert not TOP.holds(placed([40, 36, 1]))
    assert not TOP.holds(placed([40, 36, 0, 1, 9]))


def test_other_positions_have_no_move() -> None:
    assert TOP.move_in(placed([40])) is None  # the other side is to move
    assert TOP.move_in(placed([40, 36, 0, 1])) is None  # a leaf
    assert TOP.move_in(placed([0, 4])) is None
    with pytest.raises(BadCertificate):
        Certificate(TOP.start, Player.X, 6, TOP.codes).move_in(placed([]))


def test_moves_are_counted_by_ply() -> None:
    assert TOP.moves_by_ply() == {0: 1, 2: 2}
    with pytest.raises(BadCertificate):
        Certificate(TOP.start, Player.X, 6, TOP.codes).moves_by_ply()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the file of a certificate."""
    path = tmp_path / "top.proof"
    path.write_bytes(TOP.packed())
    return path


def test_the_answers_are_shown(file: Path, tmp_path: Path) -> None:
    done = run("proof", "show", str(file))
    assert done.stdout.splitlines() == [
        "X wins; 3 moves to ply 4",
        "1 at ply 0, 2 at ply 2",
        "",
        "X plays 55.",
        "after  X plays",
        *(f"5{cell}     {cell}{cell}" for cell in (1, 2, 3, 4, 6, 7, 8, 9)),
    ]
    assert (
        run("proof", "show", str(file), "55").stdout.splitlines()[2:]
        == (done.stdout.splitlines()[4:])
    )
    picture, chart = tmp_path / "answers.svg", tmp_path / "chart.svg"
    options = ("-o", str(picture), "--chart", str(chart))
    below = run("proof", "show", str(file), "55", "53", *options).stdout.splitlines()
    assert below[2:] == ["X plays 33.", "after" + 18 * " " + "  X plays", below[-1]]
    assert below[-1] == "31 32 34 35 36 37 38 39  as a search finds"
    assert picture.read_text(encoding="utf-8").count(">search<") == 8
    assert ">2</text>" in chart.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("rest", "code", "said"),
    [
        (["44"], 3, "has no move after 44"),
        (["55", "51", "11", "12"], 3, "has no move after 55 51 11 12"),
        (["55", "66"], 3, "play on board 5"),
        (["--chart", "chart.txt"], 2, "--chart: chart.txt is not"),
    ],
)
def test_what_cannot_be_shown_is_refused(file: Path, rest: list[str], code: int, said: str) -> None:
    done = run("proof", "show", str(file), *rest)
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr


def test_a_missing_file_is_told_by_its_name() -> None:
    done = run("proof", "show", "nothing.proof")
    assert done.returncode == 3
    assert done.stderr == "noughts: Cannot read nothing.proof: No such file or directory.\n"


@pytest.mark.parametrize("start", WON.values(), ids=WON)
def test_shown_answers_win(start: str, tmp_path: Path) -> None:
    certificate = proven(start, tmp_path / "campaign")
    place = position(start)
    assert isinstance(place, Advanced)
    attacker = certificate.attacker
    move = certificate.move_in(place)
    said = strategy.text(certificate, place)
    if move is not None and place.play(move).outcome() is not None:
        assert said.endswith(f"{attacker} has won.")
        return
    after = place if move is None else place.play(move)
    shown = 0
    for row in said.splitlines()[2:]:
        replies, _, answer = row.partition("  ")
        for reply in replies.split():
            then = after.play(after.parse_move(reply))
            wins = [m for m in then.legal_moves() if then.play(m).outcome() is not None]
            if answer.strip() == "a move that completes a line":
                assert wins
            else:
                assert certificate.move_in(then) == then.parse_move(answer.strip())
                assert not wins
            shown += 1
    assert shown == len(after.legal_moves())


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    """Return an engine whose book is a strategy."""
    book = Book(TOP.cut, TOP.codes)
    monkeypatch.setattr("noughts.engine.book_of", {"advanced": book}.get)
    return Engine("advanced", table_mib=16)


LIMIT = Limit(nodes=20_000)


def test_an_engine_plays_by_its_book(engine: Engine) -> None:
    for moves in ([], *([40, 36 + cell] for cell in (0, 1, 2, 3, 5, 6, 7, 8))):
        place = placed(moves)
        found = engine.best_move(place, LIMIT)
        assert (found.move, found.exact) == (TOP.move_in(place), True)
        assert found.value.is_win
        assert found.nodes < LIMIT.nodes  # type: ignore[operator]
        values = engine.best_move(place, LIMIT, moves=True).moves
        proven = {move for move, value in values.items() if value.is_exact}
        assert proven == {found.move}
    lost = engine.best_move(placed([40]), LIMIT, moves=True)
    assert lost.value.is_loss
    assert all(value.is_loss for value in lost.moves.values())


def test_the_book_serves_play_and_never_a_proof(engine: Engine) -> None:
    assert not engine.solve(placed([]), Limit(nodes=100_000)).exact
    assert not engine.best_move(placed([]), LIMIT, method="selective").exact
    assert not engine.best_move(placed([40, 36, 1]), LIMIT).exact
    assert not Engine("advanced", book=False).best_move(placed([]), LIMIT).exact


@pytest.mark.usefixtures("engine")
def test_perfect_plays_by_the_book() -> None:
    perfect = noughts.opponent("perfect")
    assert perfect.choose(placed([])).move == 40
    with pytest.raises(OpponentFailed):
        perfect.choose(placed([0]), Limit(seconds=0.01))


@pytest.mark.parametrize("rules", ["advanced", "advanced:full=draw"])
def test_the_installed_book_is_the_top_of_the_proof(rules: str) -> None:
    book = book_of(rules)
    assert book is not None
    proof = read(ROOT / "proofs" / f"{file_stem(rules)}.proof")
    assert proof.shortened(book.stones).codes == book.content


@pytest.mark.parametrize("rules", ["advanced", "advanced:full=draw"])
def test_perfect_wins_from_the_start(rules: str) -> None:
    perfect = noughts.opponent("perfect:seconds=600")
    for seed in range(5):
        place, rng = noughts.game(rules), random.Random(seed)
        while place.outcome() is None:
            if place.turn is Player.X:
                move = perfect.choose(place).move
                assert move is not None
            else:
                move = rng.choice(place.legal_moves())
            place = place.play(move)
        assert place.outcome().winner is Player.X  # type: ignore[union-attr]


@pytest.mark.parametrize("start", WON.values(), ids=WON)
def test_whoever_follows_a_certificate_wins(start: str, tmp_path: Path) -> None:
    certificate = proven(start, tmp_path / "campaign")
    attacker = certificate.attacker
    seen: Counter[str] = Counter()
    for seed in range(300):
        rng = random.Random(seed)
        place = position(start)
        assert isinstance(place, Advanced)
        while place.outcome() is None:
            if place.turn is attacker:
                move = certificate.move_in(place)
                if move is None:
                    verdict, _, _ = _core.prove(str(place), attacker is Player.O, 10**8)
                    assert verdict is _core.Verdict.won
                    assert place.ply >= certificate.cut
                    break
            else:
                move = rng.choice(place.legal_moves())
            place = place.play(move)
        else:
            end = place.outcome()
            assert end is not None
            assert end.winner is attacker
            seen["won"] += 1
            continue
        seen["leaf"] += 1
    assert seen["won"] > 10 < seen["leaf"], seen
