"""Puzzles: proofs by another path, the installed sets, making, rating and solving."""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

import noughts
from noughts import levels
from noughts.engine import Engine
from noughts.games.nested import NestedPosition
from noughts.games.position import Position, canonical_key, wins_at_once
from noughts.games.row import RowPosition
from noughts.puzzles.make import make, puzzles_of_game
from noughts.puzzles.proof import Prover, has_threats, plies_of
from noughts.puzzles.puzzle import (
    GAMES,
    KINDS,
    LEVELS,
    TRIES,
    BadPuzzles,
    Puzzle,
    all_puzzles,
    parse_puzzles,
    puzzle_named,
    puzzle_of_day,
    puzzles_of,
)
from noughts.puzzles.rating import rating, solved_by_level
from noughts.puzzles.solve import hints, judged, rest_of_solution
from noughts.puzzles.themes import THEMES, themes
from noughts.puzzles.threats import Threats
from noughts.search.result import WIN, Limit
from noughts.search.walk import LimitReached
from noughts.work.continued import OtherCommand

SAMPLE = 6
"""Puzzles of each game that `make test` proves again."""
LARGE_SAMPLE = 2
"""The same on large boards."""


def without_keeps(rules: str) -> list[Puzzle]:
    """Return the installed puzzles but those of the kind `keep` (test_puzzles_keep)."""
    return [puzzle for puzzle in puzzles_of(rules) if puzzle.kind != "keep"]


def sample(rules: str) -> list[Puzzle]:
    puzzles = without_keeps(rules)
    if not puzzles:
        return []
    if has_threats(noughts.game(rules)):
        puzzles = [each for each in puzzles if each.moves == 2]
        return random.Random(rules).sample(puzzles, LARGE_SAMPLE)
    return random.Random(f"{rules}:{len(puzzles)}").sample(puzzles, SAMPLE)


# The rules of a puzzle, proven again ------------------------------------------------------------


@cache
def distance(position: Position) -> int:
    """Return the plies to a win (positive) or loss (negative) by minimax; 0 for a draw."""
    outcome = position.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else 1000 if outcome.winner is position.turn else -1000
    after = [-distance(position.play(move)) for move in position.legal_moves()]
    best = max(after)
    return best - 1 if best > 0 else best + 1 if best < 0 else 0


def wins_by_minimax(position: Position, move: int, plies: int) -> bool:
    """Whether a move wins within `plies`, by a search without an engine."""
    after = -distance(position.play(move))
    return after > 0 and 1000 - after + 1 <= plies


def wins_by_solver(engine: Engine, position: Position, move: int, plies: int) -> bool:
    """Whether a move wins within `plies`, by the solver with exact distances."""
    after = position.play(move)
    outcome = after.outcome()
    if outcome is not None:
        return outcome.winner is position.turn
    found = engine.solve(after, Limit(nodes=100_000_000))
    assert found.exact
    return found.value.is_loss and (found.value.plies or 0) + 1 <= plies


def wins_by_proof_numbers(engine: Engine, position: Position, move: int, plies: int) -> bool:
    """Whether a move wins within `plies`, by proof-number search to that depth."""
    after = position.play(move)
    outcome = after.outcome()
    if outcome is not None:
        return outcome.winner is position.turn
    found = engine.solve(after, Limit(depth=plies - 1, nodes=100_000_000))
    lost = -(WIN - (after.ply + plies - 1))
    wins = found.exact and found.value.is_loss
    assert wins or found.bounds[0] > lost
    return wins


def wins_by_threats(position: Position, move: int, moves: int) -> bool:
    assert isinstance(position, RowPosition)
    return Threats(position, 5_000_000).wins_after(move, moves)


def wins_by_search(engine: Engine, position: Position, moves: int) -> list[int] | None:
    """Return the moves that win within `moves` own moves, by a search of all moves.

    `None` if it needs more than 50 million nodes.
    """
    plies = 2 * moves - 1
    found = engine.best_move(
        position, Limit(depth=plies, nodes=50_000_000), moves=True, method="alphabeta"
    )
    if not found.complete:
        return None
    return [m for m, value in found.moves.items() if value.is_win and (value.plies or 99) <= plies]


def proves_win(puzzle: Puzzle, engine: Engine) -> bool:
    """Prove that one move of a puzzle wins in time, by another path than `make`.

    Return false if it is only proven that the position is won, on a large board.
    """
    position, plies = puzzle.position, plies_of(puzzle.position, puzzle.moves)
    legal = position.legal_moves()
    if has_threats(position):
        found = wins_by_search(engine, position, puzzle.moves) if puzzle.moves < 4 else None
        if found is None:
            assert engine.best_move(position, Limit(nodes=2_000_000)).value.is_win
            return False
        assert found == [puzzle.line[0]]
        return True
    if isinstance(position, NestedPosition):
        winning = [m for m in legal if wins_by_proof_numbers(engine, position, m, plies)]
    elif isinstance(position, noughts.GAMES["connect4"]):
        winning = [m for m in legal if wins_by_solver(engine, position, m, plies)]
    elif position.rules.size <= 9:  # type: ignore[attr-defined]
        winning = [m for m in legal if wins_by_minimax(position, m, plies)]
    else:
        winning = [m for m in legal if wins_by_threats(position, m, puzzle.moves)]
    assert winning == [puzzle.line[0]]
    return True


def proves_only(puzzle: Puzzle, engine: Engine) -> None:
    """Prove that all moves but one lose, and that one draws, or does not lose."""
    values = {}
    for move in puzzle.position.legal_moves():
        after = puzzle.position.play(move)
        if after.outcome() is not None:
            winner = after.outcome().winner  # type: ignore[union-attr]
            values[move] = "draw" if winner is None else "loss"
            continue
        found = engine.solve(after, Limit(nodes=300_000_000), weakly=True)
        not_lost = found.bounds[1] <= 0
        assert found.exact or not_lost
        values[move] = found.value.for_mover.kind if found.exact else "hold"
    first, *_ = puzzle.line
    kept = values.pop(first)
    assert kept == puzzle.kind or (puzzle.kind == "hold" and kept in ("draw", "win"))
    assert set(values.values()) == {"loss"}


def proves(puzzle: Puzzle, engine: Engine) -> bool:
    engine.clear()
    if puzzle.kind == "win":
        return proves_win(puzzle, engine)
    proves_only(puzzle, engine)
    return True


@pytest.mark.parametrize("rules", GAMES)
def test_a_sample_is_proven_again(rules: str) -> None:
    engine = Engine(rules, table_mib=64, book=False)
    puzzles = sample(rules)
    assert puzzles
    assert all(proves(puzzle, engine) for puzzle in puzzles)


@pytest.mark.soak
@pytest.mark.parametrize("rules", GAMES)
def test_all_are_proven_again(rules: str) -> None:
    engine = Engine(rules, table_mib=256, book=False)
    proven = [proves(puzzle, engine) for puzzle in without_keeps(rules)]
    assert len(proven) >= 60
    assert all(proven) or (has_threats(noughts.game(rules)) and sum(proven) > 0.8 * len(proven))


@pytest.mark.parametrize("rules", GAMES)
def test_solutions_are_played_out(rules: str) -> None:
    """Every own move of them wins in time, every reply lasts as long as any."""
    for puzzle in sample(rules):
        check_solution(puzzle)


def check_solution(puzzle: Puzzle) -> None:
    position, player = puzzle.position, puzzle.player
    prover = Prover(position.rules_id, 20_000_000)
    for number, move in enumerate(puzzle.line):
        if position.turn is player and puzzle.kind == "win":
            assert prover.wins(position, move, puzzle.moves - number // 2)
        position = position.play(move)
    if puzzle.kind == "win":
        outcome = position.outcome()
        if plies_of(puzzle.position, 1) == 1:
            assert outcome is not None
            assert outcome.winner is player
        else:
            assert position.outcome() is None
            assert all(
                position.play(reply).outcome().winner is player  # type: ignore[union-attr]
                for reply in position.legal_moves()
            )


# Threats ----------------------------------------------------------------------------------------


def random_positions(rules: str, plies: range, count: int) -> Iterator[Position]:
    rng = random.Random(rules)
    for _ in range(count):
        position, wanted = noughts.game(rules), rng.choice(plies)
        while position.ply < wanted:
            after = position.play(rng.choice(position.legal_moves()))
            if after.outcome() is not None:
                break
            position = after
        yield position


@pytest.mark.parametrize(
    ("rules", "plies", "most", "number"),
    [
        ("mnk:4,4,3", range(1, 8), 3, 40),
        ("mnk:5,5,4", range(3, 16), 4, 25),
        ("mnk:6,6,4", range(4, 18), 3, 25),
        ("mnk:7,7,5", range(8, 24), 3, 20),
        ("mnk:7,6,4", range(5, 12), 3, 15),
    ],
)
def test_threats_agree_with_a_search_of_all_moves(
    rules: str, plies: range, most: int, number: int
) -> None:
    engine, compared, won = Engine(rules, table_mib=16), 0, 0
    for position in random_positions(rules, plies, number):
        assert isinstance(position, RowPosition)
        threats = Threats(position, 1_000_000)
        for moves in range(1, most + 1):
            engine.clear()
            wanted = wins_by_search(engine, position, moves)
            assert threats.winning_moves(moves) == wanted, (position, moves)
            compared += 1
            if wanted:
                won += 1
                assert all(threats.wins_after(move, moves) for move in wanted)
                break
    assert compared > number
    assert won > number / 8


def test_the_longest_replies_are_those_of_a_search() -> None:
    rules, compared = "mnk:6,6,4", 0
    engine = Engine(rules, table_mib=16)
    for position in random_positions(rules, range(6, 16), 60):
        assert isinstance(position, RowPosition)
        threats = Threats(position, 1_000_000)
        shortest = next(((n, m) for n in (1, 2, 3) if (m := threats.winning_moves(n))), None)
        if shortest is None or shortest[0] == 1:
            continue
        moves, winning = shortest
        after = position.play(winning[0])
        found = engine.best_move(
            after, Limit(depth=2 * moves - 2), moves=True, method="alphabeta"
        ).moves
        longest = max(value.plies or 0 for value in found.values())
        replies = threats.replies(winning[0], moves)
        assert replies
        assert {found[reply].plies for reply in replies} == {longest}
        compared += 1
    assert compared > 10


def test_threats_respect_their_limit() -> None:
    position = noughts.game("mnk:15,15,5").after("h8 a1 h9 a3 j10 a5")
    assert isinstance(position, RowPosition)
    with pytest.raises(LimitReached):
        Threats(position, 10).winning_moves(4)


# The installed sets -----------------------------------------------------------------------------


@pytest.mark.parametrize("rules", GAMES)
def test_installed_puzzles(rules: str) -> None:
    puzzles = puzzles_of(rules)
    assert len(puzzles) >= 60
    assert len({canonical_key(each.position) for each in puzzles}) == len(puzzles)
    assert [each.rating for each in puzzles] == sorted(each.rating for each in puzzles)
    for puzzle in puzzles:
        assert puzzle.position.rules_id == rules
        assert not wins_at_once(puzzle.position)
        assert puzzle.rating == rating(puzzle.solved)
        assert set(puzzle.themes) <= THEMES.keys()
        assert Puzzle.parse(str(puzzle)) == puzzle
    trivial = [each for each in puzzles if each.solved[:2] == (TRIES, TRIES)]
    assert len(trivial) <= len(puzzles) / 10


def test_every_puzzle_has_an_id() -> None:
    puzzles = all_puzzles()
    assert len({each.id for each in puzzles}) == len(puzzles)
    assert puzzle_named(puzzles[7].id) == puzzles[7]
    assert puzzle_named("0123456789") is None
    assert {each.level for each in puzzles} == LEVELS.keys()


def test_one_puzzle_a_day() -> None:
    first = datetime.date(2026, 11, 23)
    days = [puzzle_of_day(first + datetime.timedelta(day)) for day in range(30)]
    assert days == [puzzle_of_day(first + datetime.timedelta(day)) for day in range(30)]
    assert len({each.id for each in days}) == 30
    assert len({each.position.rules_id for each in days}) > 1


@pytest.mark.parametrize("rules", GAMES)
def test_themes_follow_from_the_rules(rules: str) -> None:
    puzzles = sample(rules)
    for puzzle in puzzles:
        assert themes(puzzle.position, puzzle.line) == puzzle.themes


def test_damaged_lines_are_refused() -> None:
    line = str(puzzles_of("basic")[0])
    fields = line.split("\t")
    for bad in (
        "",
        "\t".join(fields[:-1]),
        "\t".join(["basic~9~X", *fields[1:]]),
        "\t".join([fields[0], "mate", *fields[2:]]),
        "\t".join([*fields[:2], f"{fields[2]} 9 9", *fields[3:]]),
        "\t".join([*fields[:-1], "88"]),
    ):
        with pytest.raises(BadPuzzles, match="not a puzzle"):
            Puzzle.parse(bad)
    with pytest.raises(BadPuzzles, match="line 3"):
        parse_puzzles(["# head", line, "wrong"])


# Making and rating ------------------------------------------------------------------------------


def test_the_same_command_makes_the_same_file(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.txt", tmp_path / "parts.txt"
    games = list(make("connect4:5,4", 3, 5, whole))
    assert games[-1][0] == 3
    assert not (tmp_path / "whole.txt.part").exists()
    for _ in zip(range(3), make("connect4:5,4", 3, 5, parts), strict=False):
        pass
    part = tmp_path / "parts.txt.part"
    part.write_text(part.read_text() + "half a li")
    with pytest.raises(OtherCommand, match="another command"):
        next(make("connect4:5,4", 4, 5, parts))
    list(make("connect4:5,4", 3, 5, parts))
    assert parts.read_text() == whole.read_text()
    assert len(parse_puzzles(whole.read_text().splitlines())) == 3


def test_games_do_not_depend_on_the_games_before() -> None:
    alone = puzzles_of_game("connect4", 3, 4)
    puzzles_of_game("connect4", 3, 1)
    assert puzzles_of_game("connect4", 3, 4) == alone


def test_a_file_ends_with_the_games(tmp_path: Path) -> None:
    file = tmp_path / "few.txt"
    found, games = list(make("connect4:5,4", 50, 1, file, max_games=2))[-1]
    assert games == 2
    assert file.read_text().startswith(
        "# noughts puzzle make connect4:5,4 --count 50 --seed 1 --games 2\n# noughts "
    )
    assert len(parse_puzzles(file.read_text().splitlines())) == found


@pytest.mark.parametrize("rules", ["basic", "mnk:5,5,4", "mnk:15,15,5"])
def test_a_rating_counts_what_the_levels_play(rules: str) -> None:
    puzzle = sample(rules)[0]
    engine = Engine(rules, table_mib=16, book=False)
    played = []
    for number in levels.LEVELS[:7]:
        level = levels.level_of(rules, number)
        moves = [levels.choose(engine, puzzle.position, level, seed).move for seed in range(TRIES)]
        played.append(moves.count(puzzle.line[0]))
    counts = solved_by_level(engine, puzzle.position, puzzle.line[0])
    assert list(counts[:7]) == played
    assert counts == puzzle.solved


def test_ratings_order_puzzles() -> None:
    ladder: list[Sequence[int]] = [[TRIES] * n + [0] * (10 - n) for n in range(11)]
    ratings = [rating(each) for each in ladder]
    assert ratings == sorted(ratings, reverse=True)
    assert ratings[0] == 11.0
    assert ratings[10] == 0.0


# Solving ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", GAMES)
def test_a_person_solves_by_the_solution(rules: str) -> None:
    for puzzle in sample(rules):
        for number in range(0, len(puzzle.line), 2):
            verdict = judged(puzzle, puzzle.line[:number], puzzle.line[number])
            assert verdict.right
            assert verdict.solved == (number == len(puzzle.line) - 1)
            if not verdict.solved:
                assert verdict.reply == puzzle.line[number + 1]
            assert rest_of_solution(puzzle, puzzle.line[:number]) == puzzle.line[number:]


@pytest.mark.parametrize("rules", [rules for rules in GAMES if rules != "mnk:3,3,3,misere"])
def test_other_moves_are_right_if_they_win_in_time(rules: str) -> None:
    """A second move that is not in the solution is right exactly if it wins in time."""
    tried = right = 0
    for puzzle in [each for each in puzzles_of(rules) if each.moves == 3][:4]:
        played = puzzle.line[:2]
        position = puzzle.position.after(played)
        winning = Prover(rules, 20_000_000).winning_moves(position, 2)
        for move in position.legal_moves():
            verdict = judged(puzzle, played, move)
            assert verdict.right == (move in winning)
            tried += 1
            if verdict.right and move != puzzle.line[2]:
                right += 1
                rest = rest_of_solution(puzzle, (*played, move, verdict.reply or 0))
                assert position.play(move).play(verdict.reply or 0).after(rest).outcome()
    assert tried


def test_a_wrong_first_move_is_wrong() -> None:
    for puzzle in sample("ultimate"):
        wrong = [m for m in puzzle.position.legal_moves() if m != puzzle.line[0]]
        assert not any(judged(puzzle, (), move).right for move in wrong)


def test_hints_do_not_name_the_move() -> None:
    for puzzle in sample("connect4"):
        assert len(list(hints(puzzle))) >= len(puzzle.themes)


def test_the_page_of_documentation_has_the_themes_and_counts() -> None:
    page = (Path(__file__).parents[1] / "docs" / "puzzles.md").read_text()
    for name, definition in THEMES.items():
        assert f"| {name} | {definition} |\n" in page
    for rules in GAMES:
        puzzles = puzzles_of(rules)
        levels = [sum(each.level == level for each in puzzles) for level in LEVELS]
        kinds = [sum(each.kind == kind for each in puzzles) for kind in KINDS]
        row = " | ".join(map(str, (len(puzzles), *levels, *kinds)))
        assert f"| `{rules}` | {row} |\n" in page
