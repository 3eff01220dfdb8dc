"""The two independent checkers of proofs: they accept proofs, and refuse everything else."""

from __future__ import annotations

import importlib.util
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
from naive_nine_boards import SYMMETRIES, Place, constructed, image_of
from patience import PATIENCE
from proof_samples import TOOLS, WON, compiled, proven

from noughts import _core
from noughts.games.position import Player
from noughts.proof.certificate import BadCertificate, Certificate, read

ROOT = TOOLS.parent
REASON = re.compile(
    r"not proven: .*(after move \d+|move \d+ is illegal|needs move \d+|not as many moves as \d+"
    r"|does not begin as a proof|is no proof|bad start position|start position)"
)


def _module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_proof", TOOLS / "check_proof.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["check_proof"] = module
    spec.loader.exec_module(module)
    return module


CHECKER = _module()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the checker in C."""
    return compiled(TOOLS / "check_proof.c", tmp_path_factory.mktemp("checker"))


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Certificate]:
    """Prove small campaigns, won by X and by O, with both options."""
    folder = tmp_path_factory.mktemp("campaigns")
    return {name: proven(start, folder / str(i)) for i, (name, start) in enumerate(WON.items())}


def in_c(program: Path, file: Path, *words: object) -> tuple[int, str]:
    """Return the exit code and the sentence of the checker in C."""
    done = subprocess.run(
        [program, file, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE
    )
    return done.returncode, done.stdout.strip()


def in_python(file: Path, *words: object) -> tuple[int, str]:
    """Return the same of the checker in Python, run as a program."""
    done = subprocess.run(
        [sys.executable, TOOLS / "check_proof.py", file, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    return done.returncode, (done.stdout + done.stderr).strip()


def in_process(data: bytes) -> tuple[int, str]:
    """Return the same in this process: half a second less with many files."""
    try:
        return 0, CHECKER.Proof(data).check(0, 1, 1, 1)
    except (CHECKER.NotProven, ValueError) as error:
        return 1, f"not proven: {error}"


def place_of(text: str) -> Place:
    """Return the naive position of a position string."""
    rules, cells, _, target = text.split("~")
    marks = re.sub(r"\d", lambda run: "." * int(run[0]), cells.replace(".", ""))
    return Place(marks, None if target == "-" else int(target) - 1, rules.endswith("full=draw"))


class Broken(Exception):
    """A damaged certificate, by the walk of this file and the prover of the package."""


def leaves_of(certificate: Certificate) -> Iterator[Place]:
    """Walk a certificate by the naive rules; yield its leaves."""
    codes = iter(certificate.codes)

    def below(place: Place) -> Iterator[Place]:
        attacks = place.side == str(certificate.attacker)
        if place.is_drawn() or (place.can_win() and not attacks):
            raise Broken
        if place.can_win():
            return
        if attacks and place.ply >= certificate.cut:
            yield place
        elif attacks:
            code = next(codes, 255)
            if (code < 9) == place.is_free():
                raise Broken
            move = code - 9 if place.is_free() else 9 * (place.target or 0) + code
            if move not in place.moves():
                raise Broken
            yield from below(place.play(move))
        else:
            kept = [symmetry for symmetry in SYMMETRIES if place.is_kept_by(symmetry)]
            for move in place.safe_moves():
                if min(image_of(move, symmetry) for symmetry in kept) == move:
                    yield from below(place.play(move))

    yield from below(place_of(certificate.start))
    if next(codes, None) is not None:
        raise Broken


def is_proof(file: Path) -> bool:
    """Whether a file is a proof, by the package's reader and prover."""
    try:
        certificate = read(file)
        side = "XO".index(str(certificate.attacker))
        return all(
            _core.prove(str(leaf), side, 10**8)[0] == _core.Verdict.won
            for leaf in leaves_of(certificate)
        )
    except (BadCertificate, Broken):
        return False


def cuts_of(certificate: Certificate) -> range:
    return range(certificate.cut - 6, certificate.cut + 1)


@pytest.mark.parametrize("name", ["check_proof.py", "check_proof.c"])
def test_checkers_are_short_and_independent(name: str) -> None:
    """A stranger can read them: 250 lines at most, and nothing of the package."""
    text = (TOOLS / name).read_text()
    assert len(text.splitlines()) <= 250
    modules = re.findall(r"^(?:import|from|#include) +[<\"]?([\w.]+)", text, re.MULTILINE)
    assert len(modules) >= 5
    if name.endswith(".py"):
        assert {module.partition(".")[0] for module in modules} <= sys.stdlib_module_names
    else:
        assert '#include "' not in text


def test_both_accept_whole_proofs(
    program: Path, certificates: dict[str, Certificate], tmp_path: Path
) -> None:
    """At every cut, with the numbers of leaves and moves."""
    file = tmp_path / "small.proof"
    compared = 0
    for name, whole in certificates.items():
        for cut in cuts_of(whole):
            certificate = whole.shortened(cut)
            file.write_bytes(certificate.packed())
            assert read(file) == certificate
            leaves = certificate.leaves()
            assert leaves == sum(1 for _ in leaves_of(certificate))
            found = (
                f"{name[0]} wins {whole.start}: {leaves} of {leaves} leaves proven,"
                f" {len(certificate.codes)} moves to ply {cut}, "
            )
            checks = [in_c(program, file)]
            if cut == whole.cut:  # the leaves of earlier plies take Python long
                checks.append(in_python(file))
            for code, text in checks:
                assert code == 0
                assert text.startswith(found), (name, cut, text)
                compared += 1
        assert is_proof(file)
    assert compared == (7 + 1) * len(WON)


def test_slices_and_samples(
    program: Path, certificates: dict[str, Certificate], tmp_path: Path
) -> None:
    """Slices prove each leaf once; a sample says how sure it is."""
    file = tmp_path / "small.proof"
    certificate = certificates["O, full=draw"]
    file.write_bytes(certificate.packed())
    all_leaves = certificate.leaves()
    assert all_leaves > 30
    for parts in (1, 3, all_leaves + 3):
        for check in (in_c,) if parts > 3 else (in_c, lambda _, *words: in_python(*words)):
            proven_leaves = 0
            for part in range(1, parts + 1):
                code, text = check(program, file, "--slice", f"{part}/{parts}")
                assert code == 0, text
                match = re.match(rf"O wins \S+: (\d+) of {all_leaves} leaves proven", text)
                assert match is not None, text
                proven_leaves += int(match[1])
            assert proven_leaves == all_leaves
    for check in (in_c, lambda _, *words: in_python(*words)):
        answers = [check(program, file, "--sample", 20, "--seed", seed) for seed in (1, 1, 2)]
        assert answers[0] == answers[1] != answers[2]
        for code, text in answers:
            assert code == 0
            assert text.endswith("; with 99 % confidence fewer than 21 % fail")


WRONG_USAGE: list[list[str]] = [
    [],
    ["--slice", "0/3"],
    ["--slice", "4/3"],
    ["--slice", "1"],
    ["--slice", "a/b"],
    ["--slice", "1/0"],
    ["--sample"],
    ["--sample", "x"],
    ["--sample", "-1"],
    ["--seed", "x"],
    ["--leaves", "3"],
]


@pytest.mark.parametrize("words", WRONG_USAGE, ids=" ".join)
def test_wrong_usage(
    program: Path, certificates: dict[str, Certificate], words: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "small.proof"
    file.write_bytes(certificates["X"].packed())
    named = [file] if words else []
    for command in ([program], [sys.executable, TOOLS / "check_proof.py"]):
        done = subprocess.run([*command, *named, *words], capture_output=True, text=True)
        assert done.returncode in (1, 2)
        assert re.search("usage|not proven", done.stdout + done.stderr)
        assert "Traceback" not in done.stderr


def test_missing_and_foreign_files(program: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    foreign.write_bytes(bytes(range(256)) * 9)
    empty = tmp_path / "empty"
    empty.touch()
    for file in (tmp_path / "none", foreign, empty):
        for code, text in (in_c(program, file), in_python(file)):
            assert code == 1
            assert text.startswith("not proven: ")


# Damage


def packed(certificate: Certificate, **fields: object) -> bytes:
    """Return a file whose head is right for its codes, or has other fields."""
    values = {
        "start": certificate.start,
        "attacker": certificate.attacker,
        "cut": certificate.cut,
        "moves": len(certificate.codes),
        **fields,
    }
    lines = [f"{name} {value}" for name, value in values.items()]
    return "\n".join(["noughts-proof 1", *lines]).encode() + b"\n\n" + certificate.codes


def damaged_codes(
    certificate: Certificate, rng: random.Random, rounds: int
) -> Iterator[tuple[str, bytes]]:
    codes, size = certificate.codes, len(certificate.codes)
    for _ in range(rounds):
        at, byte = rng.randrange(size), rng.randrange(9 if rng.random() < 0.8 else 256)
        if codes[at] != byte:
            yield "wrong move", codes[:at] + bytes([byte]) + codes[at + 1 :]
        yield "missing reply", codes[:at] + codes[at + 1 :]
        yield "extra move", codes[:at] + bytes([byte]) + codes[at:]
        yield "cut tail", codes[:at]
        other = rng.randrange(size)
        if codes[at] != codes[other]:
            swapped = bytearray(codes)
            swapped[at], swapped[other] = codes[other], codes[at]
            yield "moves exchanged", bytes(swapped)
    # The replies that a mirror would leave out, if it kept the positions.
    yield "symmetric claims", _with_claims(certificate)


def _with_claims(certificate: Certificate) -> bytes:
    """Return the codes without those after replies whose mirror images are smaller."""
    codes = iter(certificate.codes)

    def below(place: Place, is_left_out: bool) -> Iterator[int]:
        if place.can_win():
            return
        if place.side == str(certificate.attacker):
            if place.ply >= certificate.cut:
                return
            code = next(codes)
            if not is_left_out:
                yield code
            move = code - 9 if place.is_free() else 9 * (place.target or 0) + code
            yield from below(place.play(move), is_left_out)
            return
        for move in place.safe_moves():
            is_claimed = image_of(move, SYMMETRIES[1]) < move
            yield from below(place.play(move), is_left_out or is_claimed)

    return bytes(below(place_of(certificate.start), False))


def damaged_heads(
    certificate: Certificate, rng: random.Random, rounds: int
) -> Iterator[tuple[str, bytes]]:
    whole = certificate.packed()
    start, size = certificate.start, len(certificate.codes)
    place = place_of(start)
    for shift in (-3, -2, -1, 1, 2, 40, 10**6):
        yield "cut changed", packed(certificate, cut=certificate.cut + shift)
    for cut in ("-1", "", "x", "99999999999999999999999"):
        yield "cut changed", packed(certificate, cut=cut)
    other = Player.O if certificate.attacker is Player.X else Player.X
    for attacker in (other, "", "Y", "XX"):
        yield "attacker changed", packed(certificate, attacker=attacker)
    for moves in (0, size - 1, size + 1, "", "x", "-1", 10**9, 2**64, 2**64 + size):
        yield "number changed", packed(certificate, moves=moves)
    marked = [move for move in range(81) if place.cells[move] != "."]
    empty = [move for move in range(81) if place.cells[move] == "."]
    for _ in range(rounds):
        cells = list(place.cells)
        one, two = rng.choice(marked), rng.choice(empty)
        cells[one], cells[two] = ".", cells[one]
        changed = place._replace(cells="".join(cells))
        yield "mark moved", packed(certificate, start=changed)
        cells = list(place.cells)
        for mark, move in zip("XO", rng.sample(empty, 2), strict=True):
            cells[move] = mark
        yield "marks added", packed(certificate, start=place._replace(cells="".join(cells)))
        cells = list(place.cells)
        one = rng.choice(marked)
        cells[one] = "O" if cells[one] == "X" else "X"
        turned = place._replace(cells="".join(cells))
        yield "marks not balanced", packed(certificate, start=turned)
    for target in [None, *range(9)]:
        if target != place.target:
            yield "target changed", packed(certificate, start=place._replace(target=target))
    for mark in "XO":
        cells = list(place.cells)
        board = rng.randrange(9)
        cells[9 * board : 9 * board + 3] = mark * 3
        lined = place._replace(cells="".join(cells))
        yield "line at the start", packed(certificate, start=lined)
    rules = "advanced" if place.full_draw else "advanced:full=draw"
    for text in (
        start.replace(start.partition("~")[0], rules),
        start.replace("advanced", "ultimate"),
        start[:-1],
        start[:-2],
        start + "~-",
        start.replace(".", ""),
        start.replace(".", "/"),
        start.replace("~X~", "~O~") if "~X~" in start else start.replace("~O~", "~X~"),
        start.swapcase(),
        "",
    ):
        yield "start rewritten", packed(certificate, start=text)
    yield "extra byte", whole + b"\0"
    yield "extra byte", whole + b"\n"
    yield "cut tail", whole[:-1]
    for at in range(0, whole.index(b"\n\n") + 2, 3):
        yield "byte of the head lost", whole[:at] + whole[at + 1 :]
    for magic in (b"noughts-proof 2", b"noughts-proof 10", b"noughts-proof", b""):
        yield "other format", whole.replace(b"noughts-proof 1", magic)
    yield "lines of Windows", whole.replace(b"\n", b"\r\n")


@pytest.mark.parametrize(
    ("name", "rounds"),
    [("O, full=draw", 4), *(pytest.param(name, 30, marks=pytest.mark.soak) for name in WON)],
)
def test_damaged_proofs_are_refused(
    name: str, rounds: int, program: Path, certificates: dict[str, Certificate], tmp_path: Path
) -> None:
    """Both refuse them, unless the package says that the damage made another proof."""
    rng = random.Random(1)
    whole = certificates[name]
    file = tmp_path / "damaged.proof"
    seen: Counter[str] = Counter()
    for cut in (whole.cut, whole.cut - 2):
        certificate = whole.shortened(cut)
        files = [
            *damaged_heads(certificate, rng, rounds),
            *((kind, packed(replace(certificate, codes=codes)))
              for kind, codes in damaged_codes(certificate, rng, rounds)),
        ]  # fmt: skip
        for kind, data in files:
            if data == certificate.packed():
                continue
            file.write_bytes(data)
            expected = 0 if is_proof(file) else 1
            for code, text in (in_c(program, file), in_process(data)):
                assert code == expected, (kind, data, text)
                if code:
                    assert REASON.search(text), (kind, text)
            seen[kind] += 1
            seen["still a proof"] += not expected
    assert seen["still a proof"] < 0.3 * seen.total(), seen
    assert seen.total() > (250 if rounds < 30 else 500), seen
    assert len(seen) >= 17, seen


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.soak if "X" in name else ()) for name in WON]
)
def test_a_leaf_that_is_not_won_is_refused(
    name: str, program: Path, certificates: dict[str, Certificate], tmp_path: Path
) -> None:
    """The attacker's last moves are exchanged for others, until a leaf fails."""
    certificate = certificates[name]
    file = tmp_path / "unproven.proof"
    refused = 0
    for at in range(len(certificate.codes)):
        for code in range(9):
            codes = certificate.codes[:at] + bytes([code]) + certificate.codes[at + 1 :]
            file.write_bytes(packed(replace(certificate, codes=codes)))
            try:
                leaves = len([*leaves_of(read(file))])
            except Broken:
                continue
            if is_proof(file):
                continue
            for found, text in (in_c(program, file), in_process(file.read_bytes())):
                assert found == 1
                match = re.fullmatch(r"not proven: leaf (\d+), after move (\d+)", text)
                assert match is not None, text
                assert int(match[1]) < leaves
                assert int(match[2]) <= len(codes)
            refused += 1
            if refused == 3:
                return
    assert refused >= 1


def test_a_game_that_is_over_proves_nothing(program: Path, tmp_path: Path) -> None:
    """A drawn game and a won one as the start, with no move and any cut."""
    rng = random.Random(2)
    file = tmp_path / "over.proof"
    refused = 0
    while refused < 20:
        place = constructed(rng, False, 12)
        full = [
            target
            for target in range(9)
            if place.is_full(target)
            and any(place.cells[9 * board + target] == place.other for board in range(9))
        ]
        if not full:
            continue
        drawn = place._replace(target=full[0], full_draw=True)
        for attacker in "XO":
            for cut in (0, 81):
                empty = Certificate(str(drawn), Player[attacker], cut, b"")
                file.write_bytes(empty.packed())
                assert not is_proof(file)
                for code, text in (in_c(program, file), in_process(file.read_bytes())):
                    assert code == 1, (empty, text)
                refused += 1


@pytest.mark.parametrize("symmetry", SYMMETRIES[1:])
def test_symmetric_replies_are_left_out_once(
    symmetry: tuple[int, ...], program: Path, tmp_path: Path
) -> None:
    """A symmetric start that the side to move loses: its replies lead to the leaves."""
    rng = random.Random(3)
    file = tmp_path / "symmetric.proof"
    compared = left_out = 0
    while compared < 4 or not left_out:
        place = constructed(rng, False, 16, symmetry)
        attacker = Player[place.other]
        safe = place.safe_moves()
        if place.can_win() or len(safe) < 2:
            continue
        side = "XO".index(place.other)
        if _core.prove(str(place), side, 10**6)[0] != _core.Verdict.won:
            continue
        certificate = Certificate(str(place), attacker, place.ply, b"")
        leaves = certificate.leaves()
        assert leaves == len(_core.replies_to_answer(str(place)))
        left_out += leaves < len(safe)
        file.write_bytes(certificate.packed())
        for code, text in (in_c(program, file), in_process(file.read_bytes())):
            assert code == 0, text
            assert text.startswith(
                f"{attacker} wins {place}: {leaves} of {leaves} leaves proven, 0 moves"
            )
        compared += 1


def test_parts_are_checked_once(
    program: Path, certificates: dict[str, Certificate], tmp_path: Path
) -> None:
    file, log = tmp_path / "good.proof", tmp_path / "check.log"
    certificate = next(iter(certificates.values()))
    file.write_bytes(certificate.packed())
    command = [*map(str, (TOOLS / "check_parts.sh", program, file, log, 5, 2))]

    def done(*words: str) -> int:
        return subprocess.run([*command, *words], capture_output=True, timeout=PATIENCE).returncode

    assert done("2", "3") == 0
    assert sorted(line.split()[0] for line in log.read_text().splitlines()) == ["2/5", "3/5"]
    assert done() == 0
    lines = log.read_text().splitlines()
    assert sorted(line.split()[0] for line in lines) == [f"{part}/5" for part in range(1, 6)]
    proven = [int(number) for line in lines for number in re.findall(r": (\d+) of", line)]
    assert sum(proven) == certificate.leaves()
    file.write_bytes(certificate.packed()[:-1])
    assert done() == 0, "nothing is left to check"
    log.unlink()
    assert done() == 1
    assert not log.read_text()
    log.unlink()
    file.unlink()
    assert done() == 2, "the file is missing"
    file.write_bytes(certificate.packed())
    command[1] = str(tmp_path / "missing")
    assert done() == 2, "the program is missing"
    assert not log.exists()


@pytest.mark.parametrize(
    ("file", "rules", "leaves"),
    [
        ("advanced.proof", "advanced", 1_691_205),
        ("advanced-full-draw.proof", "advanced:full=draw", 1_680_468),
    ],
)
def test_the_proofs_of_nine_boards(program: Path, file: str, rules: str, leaves: int) -> None:
    """The committed file is read whole, and 20 of its leaves are proven."""
    code, said = in_c(program, ROOT / "proofs" / file, "--sample", 20)
    assert code == 0
    assert re.search(rf"X wins {rules}~9[.9]+~X~-: 20 of {leaves} leaves proven", said)


@pytest.mark.parametrize(
    ("folder", "rules", "moves", "leaves"),
    [
        ("advanced", "advanced", 11_727_966, 45_933_142),
        ("draw", "advanced:full=draw", 11_666_584, 45_800_720),
    ],
)
def test_the_log_of_the_check_names_each_leaf_once(
    folder: str, rules: str, moves: int, leaves: int
) -> None:
    """`check.log` has a line for each slice of the whole file that the checker in C has proven."""
    done = []
    for line in (ROOT / "campaigns" / folder / "check.log").read_text().splitlines():
        found = re.fullmatch(
            rf"(\d+)/(\d+) X wins {rules}~9(?:\.9){{8}}~X~-: (\d+) of (\d+) leaves proven,"
            rf" {moves} moves to ply 20, \d+ expansions",
            line,
        )
        assert found
        number, of, proven, total = map(int, found.groups())
        first, last = leaves * (number - 1) // of, leaves * number // of
        assert (proven, total) == (last - first, leaves)
        done.append((first, last))
    done.sort()
    assert all(last <= first for (_, last), (first, _) in pairwise(done))
