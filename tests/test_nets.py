"""Nets: their arithmetic, their files, and the engine that uses them."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from needs import imported
from nets_reference import balance, content, rows
from samples import random_game
from typer.testing import CliRunner

import noughts
from noughts import Engine, Limit, _core, nets
from noughts.cli.main import app
from noughts.games.lines import HAS_LINE, cells_of, permuted, symmetries
from noughts.games.nested import NestedPosition

np = imported("numpy", "train")

RULES = [rules for family in nets.NESTED.values() for rules in family]
CONTENTS, ROWS = 19_686 + 1024, 20 + 32**2 + 11
FACTS = {"positions": 1, "nodes": 1, "seed": 0}


def random_weights(seed: int) -> bytes:
    """Return weights that are neither all small nor all clipped."""
    rng = np.random.default_rng(seed)

    def numbers(kind: str, size: int, most: int) -> bytes:
        found: bytes = rng.integers(-most, most + 1, size).astype(kind).tobytes()
        return found

    first = numbers("<i1", 16 * CONTENTS + 9 * 16 * 32, 30) + numbers("<i2", ROWS * 32, 300)
    second = numbers("<i1", 8 * 32, 30) + numbers("<i4", 8, 5_000) + numbers("<i2", 8, 40)
    return first + second + numbers("<i4", 3, 2_000)


def open_boards() -> list[tuple[int, int]]:
    """Return the own and the other marks of each board with an empty cell and without a line."""
    free = [marks for marks in range(512) if not HAS_LINE[marks]]
    return [(own, other) for own in free for other in free if not own & other and own | other < 511]


def number(own: int, other: int) -> int:
    """Return the content of an open board."""
    powers = [1, 3, 9, 27, 81, 243, 729, 2187, 6561]
    return sum(powers[n] for n in cells_of(own)) + 2 * sum(powers[n] for n in cells_of(other))


def random_small_weights(seed: int) -> tuple[bytes, bytes]:
    """Return the weights of a small net, and those of the full net that it stands for."""
    full, boards = random_weights(seed), open_boards()
    known = {number(*board): at for at, board in enumerate(boards)}
    known |= {closed: len(boards) + at for at, closed in enumerate(range(19_683, 19_686))}
    pairs = np.random.default_rng(seed).integers(-30, 31, (len(known), 2)).astype("<i1")
    embedding = np.zeros((CONTENTS, 8, 2), "<i1")
    for at, turned in enumerate(symmetries(3, 3)):
        for own, other in boards:
            image = number(permuted(own, turned), permuted(other, turned))
            embedding[number(own, other), at] = pairs[known[image]]
        for closed in range(19_683, 19_686):
            embedding[closed, at] = pairs[known[closed]]
    places = full[16 * CONTENTS : 16 * CONTENTS + 9 * 16 * 32]
    rest = full[16 * CONTENTS + len(places) :]
    chosen, others = rest[: 20 * 64], rest[ROWS * 64 :]
    empty = bytes((ROWS - 20) * 64)
    return (
        pairs.tobytes() + places + chosen + others,
        embedding.tobytes() + places + chosen + empty + others,
    )


def estimate(weights: bytes, position: NestedPosition) -> int:
    """Compute an estimate as `core/net.hpp` describes it, in whole numbers."""
    at = 0

    def numbers(kind: str, *shape: int) -> Any:
        nonlocal at
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        at += size
        return np.frombuffer(weights[at - size : at], kind).reshape(shape).astype(np.int64)

    embedding, place = numbers("<i1", CONTENTS, 16), numbers("<i1", 9, 16, 32)
    vectors, second = numbers("<i2", ROWS, 32), numbers("<i1", 8, 32)
    second_bias, third = numbers("<i4", 8), numbers("<i2", 8)
    bias, of_estimate, of_balance = (int(numbers("<i4", 1)[0]) for _ in range(3))
    second_bias, bias = np.clip(second_bias, -(2**27), 2**27), max(-(2**27), min(2**27, bias))
    total = vectors[rows(position)].sum(0)
    for board in range(9):
        total += (embedding[content(position, board)] @ place[board] + 4) >> 3
    first = np.clip(total >> 2, 0, 127)
    hidden = np.clip((second @ first + second_bias) >> 6, 0, 127)
    known = balance(position)
    middle = min(abs(known) // 32, 1023) * 32 + 16
    own = (of_estimate * (middle * 9999 // (2458 + middle)) + of_balance * middle) >> 10
    own = max(-(2**27), min(2**27, own))
    logit = bias + int(hidden @ third) + (own if known >= 0 else -own)
    result = round(9999 * math.tanh(min(abs(logit) // 16, 5119) * 16 / 2**14))
    return result if logit >= 0 else -result


@pytest.mark.parametrize("rules_id", RULES)
def test_estimates_are_those_of_the_arithmetic_described(rules_id: str) -> None:
    rng, seen = random.Random(rules_id), set()
    for seed in range(3):
        weights = random_weights(seed)
        net = _core.Weights(weights)
        for _ in range(5):
            for position in list(random_game(noughts.game(rules_id), rng))[:-1]:
                assert isinstance(position, NestedPosition)
                expected = estimate(weights, position)
                assert net.estimate(str(position)) == expected, str(position)
                seen.add(expected)
    assert len(seen) > 100


@pytest.mark.parametrize("rules_id", nets.SMALL_FAMILY)
def test_small_net_embeds_a_board_by_its_images(rules_id: str) -> None:
    rng, seen = random.Random(rules_id), set()
    small, full = random_small_weights(7)
    assert len(small) == _core.SMALL_NET_SIZE
    assert len(full) == _core.NET_SIZE
    net = _core.Weights(small)
    for _ in range(4):
        for position in list(random_game(noughts.game(rules_id), rng))[:-1]:
            assert isinstance(position, NestedPosition)
            expected = estimate(full, position)
            assert net.estimate(str(position)) == expected, str(position)
            seen.add(expected)
    assert len(seen) > 100


def test_small_net_is_named() -> None:
    small = nets.small_net()
    for rules_id in nets.SMALL_FAMILY:
        assert Engine(rules_id, net="small").net is small
    assert small.is_small
    assert small.card.rules == nets.SMALL_FAMILY
    assert nets.unpacked(small.packed()) == small
    full = Engine("ultimate").net
    assert full is not None
    assert not full.is_small
    others = set(RULES) - set(nets.SMALL_FAMILY) | {"connect4", "basic"}
    assert len(others) == 6
    for rules_id in others:
        with pytest.raises(nets.BadNet, match=f"there is no small net for {rules_id}, only for"):
            Engine(rules_id, net="small")


def test_table_of_results_is_the_same_with_every_library_of_mathematics() -> None:
    """No value is so near a half that an error in the last digits would change it."""
    for index in range(5120):
        value = 9999 * math.tanh(index * 16 / 2**14)
        assert abs(value % 1 - 0.5) > 1e-9


def test_file_keeps_a_net(tmp_path: Path) -> None:
    net = nets.made("mine", tuple(RULES), random_weights(1), **FACTS)
    file = tmp_path / "mine.net"
    file.write_bytes(net.packed())
    assert nets.read(file) == net
    engine = Engine("ultimate", net=str(file))
    assert engine.net == net
    result = engine.best_move("ultimate", Limit(nodes=2_000))
    without = Engine("ultimate", net="no").best_move("ultimate", Limit(nodes=2_000))
    assert result.score != without.score


def test_net_that_is_missing_damaged_or_foreign_is_refused(tmp_path: Path) -> None:
    good = nets.made("mine", ("ultimate",), random_weights(1), **FACTS).packed()
    file = tmp_path / "bad.net"
    for data in (b"", b"nonsense", good[:-1], good[:100], good.replace(b'"mine"', b"1}{")):
        file.write_bytes(data)
        nets.read.cache_clear()
        with pytest.raises(nets.BadNet, match=r"not a net|damaged"):
            Engine("ultimate", net=str(file))
    other = nets.made("mine", ("ultimate",), random_weights(2), **FACTS)
    swapped = nets.Net(other.card, random_weights(3)).packed()
    with pytest.raises(nets.BadNet, match="its weights are not those of its card"):
        nets.unpacked(swapped)
    with pytest.raises(nets.BadNet, match="No such file"):
        Engine("ultimate", net=str(tmp_path / "none.net"))
    file.write_bytes(good)
    nets.read.cache_clear()
    for rules_id in ("connect4", "ultimate:tie=boards", "ultimate:won=open"):
        with pytest.raises(nets.BadNet, match="evaluates ultimate, not"):
            Engine(rules_id, net=str(file))


def test_commands_take_a_net_and_report_a_bad_one(tmp_path: Path) -> None:
    run = CliRunner().invoke
    absent = tmp_path / "none.net"
    result = run(app, ["match", f"a=engine:net={absent}", "b=random", "--game", "ultimate"])
    assert result.exit_code == 2
    assert "No such file" in result.output
    result = run(app, ["match", "engine:level=3,net=no", "random", "--game", "ultimate"])
    assert result.exit_code == 2
    assert "A level takes no net" in result.output


@pytest.mark.parametrize("parts", [10, 20])
def test_calibrated_estimates_follow_the_curve(parts: int) -> None:
    curve = tuple(((part + 0.5) / parts) ** 2 for part in range(parts))
    net = nets.made("mine", ("ultimate",), random_weights(1), **FACTS, curves={"ultimate": curve})
    assert nets.unpacked(net.packed()) == net
    for part, expected in enumerate(curve):
        middle = (part + 0.5) / parts
        assert net.expected("ultimate", middle) == pytest.approx(expected)
        assert net.expected("ultimate", -middle) == pytest.approx(-expected)
        assert net.expected("ultimate:tie=boards", middle) == middle
    assert [net.expected("ultimate", end) for end in (-1, 0, 1)] == [-1, 0, 1]
    between = (parts // 2 - 1, parts // 2)
    assert net.expected("ultimate", 0.5) == pytest.approx(sum(curve[at] for at in between) / 2)
    shown = [net.expected("ultimate", n / 1000) for n in range(-1000, 1001)]
    assert shown == sorted(shown)
    short = nets.made(
        "mine", ("ultimate",), random_weights(1), **FACTS, curves={"ultimate": (1.0,)}
    )
    with pytest.raises(nets.BadNet, match="a curve of a net has 10 numbers"):
        nets.unpacked(short.packed())


@pytest.mark.parametrize("name", nets.NESTED)
def test_engine_shows_calibrated_estimates(name: str) -> None:
    rules_id = nets.NESTED[name][0]
    net = nets.net_of(rules_id)
    assert net is not None
    plain = nets.Net(replace(net.card, curves={}), net.weights)
    for method in ("selective", "alphabeta", "mcts"):
        limit = Limit(nodes=2_000, simulations=500)
        known = Engine(rules_id, net=plain, seed=1).best_move(rules_id, limit, method=method).score
        shown = Engine(rules_id, seed=1).best_move(rules_id, limit, method=method).score
        by_net = method != "mcts"  # whose estimate is a share of won games
        assert shown == pytest.approx(net.expected(rules_id, known) if by_net else known)


@pytest.mark.parametrize("name", nets.NESTED)
def test_installed_nets(name: str) -> None:
    file = Path(nets.__file__).parent / f"{name}.net"
    assert file.stat().st_size < nets.LARGEST
    net = nets.read(file)
    assert (net.card.name, net.card.rules) == (name, nets.NESTED[name])
    assert net.card.generation >= 2
    assert set(net.card.curves) == set(net.card.rules)
    for rules_id in net.card.rules:
        assert nets.net_of(rules_id) == Engine(rules_id).net == net
        assert nets.family_of(rules_id) == net.card.rules


def test_page_reads_no_file_for_a_client(tmp_path: Path) -> None:
    from noughts.web.machine_moves import parse_machine

    start = noughts.game("ultimate")
    for name in ("no", "/etc/hostname", str(tmp_path)):
        with pytest.raises(noughts.NotationError, match="has only its own net"):
            parse_machine(f"engine:net={name}", start)
