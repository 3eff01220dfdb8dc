"""The explorer: equal moves, counts against a naive recount, values against other solvers."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import chain, pairwise
from pathlib import Path

import pytest
from command import answer, run
from databases import stored

import noughts
from noughts import Position
from noughts.database.store import Store, file_url
from noughts.engine import Engine
from noughts.explorer.counts import MAX_PLIES, Outcomes, added, keys_of, line_of, steps
from noughts.explorer.explore import exact_values, explored
from noughts.explorer.make import make
from noughts.explorer.openings import (
    MIN_GAMES,
    BadOpenings,
    Openings,
    openings_of,
    parse_openings,
)
from noughts.games.position import canonical_key
from noughts.games.record import RESULTS, Record, format_json_line
from noughts.search.result import Value
from noughts.work.continued import OtherCommand

RULES = ("basic", "mnk:4,3,3", "connect4", "advanced", "ultimate", "ultimate:won=open")
ENGINE_GAMES = (
    *("connect4", "mnk:15,15,5", "advanced"),
    *("ultimate", "ultimate:tie=boards", "ultimate:won=open"),
)


def images(position: Position) -> set[str]:
    return {str(image) for image in position.symmetries()}


def random_game(rules: str, rng: random.Random) -> list[Position]:
    line = [noughts.game(rules)]
    while (moves := line[-1].legal_moves()) and len(line) < 30:
        line.append(line[-1].play(rng.choice(moves)))
    return line


def random_position(rules: str, rng: random.Random, plies: int) -> Position:
    """Return an unfinished position after random moves."""
    while True:
        line = random_game(rules, rng)
        if len(line) > plies and line[plies].outcome() is None:
            return line[plies]


# Equal moves


@pytest.mark.parametrize("rules", RULES)
def test_moves_share_a_step_if_they_lead_to_images_of_one_position(rules: str) -> None:
    rng = random.Random(rules)
    compared = 0
    for plies in (0, 1, 2, 3, 5):
        position = random_position(rules, rng, plies)
        found = steps(position)
        assert sorted(chain(*found.values())) == list(position.legal_moves())
        for moves in found.values():
            same = images(position.play(moves[0]))
            for move in position.legal_moves():
                assert (str(position.play(move)) in same) == (move in moves)
                compared += 1
    assert compared > 50


@pytest.mark.parametrize("rules", RULES)
def test_every_image_of_a_position_has_the_same_steps(rules: str) -> None:
    rng = random.Random(rules)
    for plies in (1, 2, 4):
        position = random_position(rules, rng, plies)
        sizes = {key: len(moves) for key, moves in steps(position).items()}
        seen = [image for image in position.symmetries() if image != position]
        for image in seen:
            assert {key: len(moves) for key, moves in steps(image).items()} == sizes
        assert seen or rules == "connect4"


# Counts


def naive_step(before: Position, after: Position) -> str:
    return f"{min(images(before))} {min(images(after))}"


@pytest.mark.parametrize("rules", RULES)
def test_counts_equal_a_naive_recount(rules: str) -> None:
    rng = random.Random(rules)
    naive: dict[str, Counter[str]] = defaultdict(Counter)
    lines, results = [random_game(rules, rng) for _ in range(12)], [*RESULTS]
    counted: list[tuple[int, Outcomes]] = []
    for line in lines:
        winner = rng.choice(results)
        counted += [(key, Outcomes.won_by(winner)) for key in keys_of(line)]
        for before, after in pairwise(line):
            if after.ply <= MAX_PLIES:
                naive[naive_step(before, after)][RESULTS[winner]] += 1
    counts = added(counted)
    assert sum(each.games for each in counts.values()) == sum(map(Counter.total, naive.values()))
    checked = 0
    for position in {str(each): each for line in lines[:4] for each in line[:4]}.values():
        for move in explored(position, counts, {}):
            known = naive[naive_step(position, position.play(move.moves[0]))]
            assert move.outcomes == (known["1-0"], known["1/2-1/2"], known["0-1"])
            checked += move.outcomes.games
    assert checked > 20


def test_line_of_a_stored_game() -> None:
    game = Record.from_moves(noughts.game("basic"), "5 1 3 2 7")
    line = line_of(format_json_line(game))
    assert line.winner is noughts.Player.X
    assert list(line.keys) == keys_of(list(game.positions()))
    assert type(line).parse(str(line)) == line
    foreign = '{"schema": 1, "game": "no-such-game", "tags": {}, "moves": [], "result": "1-0"}'
    assert line_of(foreign).keys == ()


def test_only_the_first_plies_count() -> None:
    line = random_game("ultimate", random.Random(1))
    assert len(line) > MAX_PLIES + 1
    assert len(keys_of(line)) == MAX_PLIES
    assert len(keys_of(line[5:])) == MAX_PLIES - 5
    assert keys_of(line[MAX_PLIES:]) == []


# Values


@cache
def solved(position: Position) -> Value:
    """Return the value of a position by plain minimax."""
    outcome = position.outcome()
    if outcome is not None:
        if outcome.winner is None:
            return Value.draw()
        return Value.win(0) if outcome.winner is position.turn else Value.loss(0)
    return max(
        (solved(position.play(move)).for_mover for move in position.legal_moves()),
        key=lambda value: value.rank,
    )


def all_positions(rules: str) -> Iterator[Position]:
    """Yield the unfinished positions of a game, one of each class of symmetric ones."""
    level = [noughts.game(rules)]
    while level:
        yield from level
        after = (each.play(move) for each in level for move in each.legal_moves())
        level = [*{canonical_key(each): each for each in after if not each.outcome()}.values()]


@pytest.mark.parametrize(("rules", "every"), [("basic", 1), ("mnk:3,3,3,misere", 10)])
def test_all_values_are_exact(rules: str, every: int) -> None:
    """All positions of 3×3, and a sample of misère."""
    compared = 0
    for position in [*all_positions(rules)][::every]:
        values = exact_values(position)
        assert values == {
            move: solved(position.play(move)).for_mover for move in position.legal_moves()
        }
        for each in explored(position, {}, values):
            assert each.value in [values[move] for move in each.moves]
            compared += 1
    assert compared > 100


def check_connect_four(stones: int, count: int, engine: Engine) -> None:
    rng = random.Random(stones)
    for _ in range(count):
        position = random_position("connect4", rng, stones)
        values = exact_values(position)
        assert values.keys() == set(position.legal_moves())
        for move, value in values.items():
            after = position.play(move)
            if after.outcome() is None:
                assert engine.solve(after, weakly=True).value.for_mover.kind == value.kind


def test_values_of_connect_four_are_exact() -> None:
    """The solver does not use the book, from which the values of few stones are."""
    check_connect_four(8, 1, Engine("connect4"))
    assert {str(value) for value in exact_values(noughts.game("connect4")).values()} == {
        *("L", "D", "W")
    }


@pytest.mark.soak
def test_many_values_of_connect_four() -> None:
    engine = Engine("connect4")
    for stones in range(8, 20):
        check_connect_four(stones, 10, engine)


def test_values_of_4x4() -> None:
    rng = random.Random(1)
    compared = 0
    for _ in range(3):
        position = random_position("mnk:4,4,4", rng, 8)
        for move, value in exact_values(position).items():
            assert value == solved(position.play(move)).for_mover
            compared += 1
    assert compared


def test_values_of_a_game_of_ones_own(nim: Position) -> None:
    wanted = {move: solved(nim.play(move)).for_mover for move in nim.legal_moves()}
    values = exact_values(nim)
    assert values.keys() == wanted.keys()
    for move, value in values.items():
        assert value in (wanted[move], wanted[move]._replace(plies=None))


def test_no_value_is_shown_that_is_not_proven() -> None:
    assert exact_values(noughts.game("ultimate")) == {}
    position = noughts.game("basic").after("5 1 3 2 7")
    assert exact_values(position) == {}
    assert explored(position, {}, {}) == []


def test_wins_come_first_and_losses_last() -> None:
    position = noughts.position("basic~XX1.OO1.3~X")
    key = next(key for key, moves in steps(position).items() if 8 in moves)
    found = explored(position, {key: Outcomes(1, 1, 1)}, exact_values(position))
    kinds = [each.value.kind for each in found if each.value]
    assert kinds == ["win", "draw", "loss", "loss", "loss"]
    assert found[2].moves == (8,)
    unknown = explored(position, {key: Outcomes(1, 1, 1)}, {2: Value.unknown(0.5)})
    assert unknown[0].moves == (8,)
    assert all(each.value is None for each in unknown)


# Openings


def made(file: Path, games: int = 6) -> str:
    for _ in make("connect4:4,4", games, 3, file):
        pass
    return file.read_text(encoding="utf-8")


def test_the_same_command_makes_the_same_file_after_an_interruption(tmp_path: Path) -> None:
    whole = made(tmp_path / "whole.txt")
    for games in make("connect4:4,4", 6, 3, tmp_path / "parts.txt"):
        if games == 3:
            break
    part = tmp_path / "parts.txt.part"
    part.write_text(part.read_text() + "1 2")  # a line that was cut off
    assert made(tmp_path / "parts.txt") == whole
    assert not part.exists()
    found = parse_openings(whole.splitlines())
    assert (found.rules, found.games) == ("connect4:4,4", 6)
    assert [*found.lines()] == whole.splitlines()[2:]
    part.write_text("# noughts explore connect4 --make FILE --games 6 --seed 3\n")
    with pytest.raises(OtherCommand, match="belongs to another command"):
        made(tmp_path / "parts.txt")


def test_openings_count_the_games_of_the_engine(tmp_path: Path) -> None:
    file = tmp_path / "few.txt"
    for _ in make("connect4:4,4", 8, 1, file):
        games = (tmp_path / "few.txt.part").read_text()
    start = noughts.game("connect4:4,4")
    outcomes: list[tuple[int, Outcomes]] = []
    for game in games.splitlines()[1:]:
        moves, result = game.rsplit(" ", 1)
        line = [start.after(moves.split()[:count]) for count in range(len(moves.split()) + 1)]
        winner = {text: player for player, text in RESULTS.items()}[result]
        outcomes += [(key, Outcomes.won_by(winner)) for key in keys_of(line)]
    wanted = {key: each for key, each in added(outcomes).items() if each.games >= MIN_GAMES}
    assert wanted
    assert parse_openings(file.read_text().splitlines()).counts == wanted


@pytest.mark.parametrize("rules", ENGINE_GAMES)
def test_installed_openings(rules: str) -> None:
    openings = openings_of(rules)
    assert openings is not None
    assert openings.rules == rules
    assert openings.games >= 100
    first = [openings.counts.get(key, Outcomes()).games for key in steps(noughts.game(rules))]
    assert 0.9 * openings.games < sum(first) <= openings.games
    assert all(each.games >= MIN_GAMES for each in openings.counts.values())
    assert Openings(*openings) == openings


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "line 1"),
        ("# noughts explore connect4 --make FILE --games 2 --seed 1\n1 9 1 1 0", "line 2"),
        ("# noughts explore connect4 --make FILE --games 2 --seed 1\n2 4 1 1 0", "line 2"),
        ("# noughts explore connect4 --make FILE --games 2 --seed 1\n1 4 1 1", "line 2"),
    ],
)
def test_damaged_openings_are_refused(lines: str, message: str) -> None:
    with pytest.raises(BadOpenings, match=message):
        parse_openings(lines.splitlines() or [""])


def test_games_without_openings() -> None:
    assert openings_of("mnk:6,6,4") is None


# The commands


def test_the_command_shows_values_and_games() -> None:
    shown = run("explore", "connect4", "--moves", "44")
    assert shown.returncode == 0
    lines = [line.split() for line in shown.stdout.splitlines()]
    assert ["1", "7", "L"] in [line[:3] for line in lines]
    assert ["4", "W"] in [line[:2] for line in lines]
    over = run("explore", "basic", "--moves", "5 1 3 2 7")
    assert over.stdout == "X wins with the diagonal from top right.\n"


def test_the_command_counts_the_games_of_a_server(tmp_path: Path) -> None:
    store = Store(file_url(str(tmp_path / "games.db")))
    game = Record.from_moves(noughts.game("basic"), "5 1 3 2 7")
    store.save([stored("a", result=game.result, record=format_json_line(game))])
    store.close()
    asked = ("explore", "basic", "--database", tmp_path / "games.db")
    found = answer(*asked, "--source", "server")
    assert [(each["moves"], each["games"], each["x"]) for each in found["moves"]] == [
        (["5"], 1, 1),
        (["1", "3", "7", "9"], 0, 0),
        (["2", "4", "6", "8"], 0, 0),
    ]
    assert {each["value"]["value"] for each in found["moves"]} == {"draw"}
    assert answer(*asked, "--source", "engine")["moves"][0]["games"] == 0


def test_the_command_makes_openings(tmp_path: Path) -> None:
    file = tmp_path / "made.txt"
    made_here = run(*("explore", "connect4:4,4", "--make", file, "--games", 6, "--seed", 3))
    assert made_here.stdout == f"{file}: 6 games\n"
    assert parse_openings(file.read_text().splitlines()).games == 6


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("explore", "basic", "--source", "server"), 2, "needs --database"),
        (("explore", "chess"), 2, "o game called"),
        (("explore", "basic", "--moves", "5 5"), 3, "taken"),
        (("explore", "chess", "--make", "x.txt"), 2, "o game called"),
        (("explore", "basic", "--games", "5"), 2, "need --make FILE"),
    ],
)
def test_wrong_commands(arguments: tuple[str, ...], code: int, message: str) -> None:
    done = run(*arguments)
    assert (done.returncode, message in done.stderr) == (code, True), done.stderr
