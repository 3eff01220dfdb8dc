"""Data sets: their rows and splits, interruptions, checks, and what is refused."""

from __future__ import annotations

import itertools
import json
import shutil
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.dataset as arrow
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from noughts.cli.main import app
from noughts.dataset import make as making
from noughts.dataset.check import check
from noughts.dataset.games import LARGEST, every_position
from noughts.dataset.make import make
from noughts.dataset.pieces import schema
from noughts.dataset.plan import FACTS, DatasetPlan, Facts, facts_of
from noughts.games.position import canonical_key
from noughts.games.registry import position
from noughts.rl import label
from noughts.work.parallel import Runner, in_threads

run = CliRunner().invoke
SMALL = DatasetPlan("connect4:4,4", 250, "random", "exact", seed=3)
COLUMNS = (
    "value",
    "proven",
    "estimate",
    "distance",
    "optimal",
    "move_values",
    "move_proven",
)


def rows_of(folder: Path, split: str = "*") -> list[dict[str, Any]]:
    files = sorted(folder.glob(f"data/{split}-*.parquet"))
    found: list[dict[str, Any]] = arrow.dataset(files).to_table().to_pylist()
    return found


def contents(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sets") / "small"
    make(folder, SMALL, in_threads(1))
    return folder


def test_every_position_of_a_board_is_there_with_its_labels(tmp_path: Path) -> None:
    facts = make(tmp_path / "set", DatasetPlan("basic", 1000, "all", "exact"))
    assert facts.counts is not None
    # 765 positions up to symmetry (OEIS A361221), without those in which the game is over: 138.
    assert facts.counts.rows == {"train": 627}
    rows = rows_of(tmp_path / "set")
    known = label([row["position"] for row in rows])
    for name in COLUMNS:
        np.testing.assert_array_equal(np.array([row[name] for row in rows]), known[name])
    assert {row["game"] for row in rows} == {None}
    table = pq.read_table(next((tmp_path / "set/data").iterdir()))
    assert table.schema.equals(schema("basic"))


def test_fewer_positions_are_a_sample_of_all(tmp_path: Path) -> None:
    make(tmp_path / "set", DatasetPlan("basic", 100, "all", "exact"))
    plies = {row["ply"] for row in rows_of(tmp_path / "set")}
    assert len(rows_of(tmp_path / "set")) == 100
    assert {4, 5, 6, 7} <= plies


def test_games_are_split_whole_and_no_position_is_twice(small: Path) -> None:
    games: dict[str, set[int]] = {}
    keys = []
    for split in ("train", "validation", "test"):
        rows = rows_of(small, split)
        games[split] = {row["game"] for row in rows}
        keys += [canonical_key(position(row["position"])) for row in rows]
    assert len(keys) == len({*keys}) == 250
    assert {number % 10 for number in games["train"]} <= {*range(8)}
    assert {number % 10 for number in games["validation"]} == {8}
    assert {number % 10 for number in games["test"]} == {9}
    counts = facts_of(small).counts
    assert counts is not None
    assert counts.duplicates > 0


def test_moves_and_results_are_those_of_the_games(small: Path) -> None:
    rows = [row for row in rows_of(small) if row["game"] == 0]
    for before, after in itertools.pairwise(rows):
        assert str(position(before["position"]).play(before["move"])) == after["position"]
        assert before["result"] == -after["result"]
    assert len(rows) > 4


class Killed(Exception):
    pass


def killed_after(number: int) -> Runner:
    """Return a runner that does pieces in the wrong order, and then ends with the program."""

    def run(work: Any, take: Any) -> Generator[tuple[Any, Any], None, None]:
        from noughts._core import StopFlag

        items = [item for item in (take() for _ in range(number)) if item is not None]
        for item in reversed(items):
            yield item, work(item, StopFlag())
        raise Killed

    return run


def test_interrupted_command_makes_the_same_files(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "set"
    for number in (1, 2):
        with pytest.raises(Killed):
            make(folder, SMALL, killed_after(number))
    (folder / "parts/000099.partial").write_bytes(b"half")
    assert len([*(folder / "parts").iterdir()]) == 4
    assert run(app, ["dataset", "check", str(folder)]).exit_code == 3

    def die(_: Facts) -> str:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(making, "card", die)
        with pytest.raises(Killed):
            make(folder, SMALL, in_threads(2))
    make(folder, SMALL, in_threads(2))
    assert contents(folder) == contents(small)
    make(folder, SMALL, killed_after(0))  # It is finished: nothing is left to do.
    assert contents(folder) == contents(small)


def test_no_estimate_is_called_exact(tmp_path: Path) -> None:
    options = {"nodes": 50, "seed": 1}
    exact = make(tmp_path / "exact", DatasetPlan("ultimate", 12, "random", "exact", **options))  # type: ignore[arg-type]
    assert exact.counts is not None
    assert exact.counts.unproven > 50
    for row in rows_of(tmp_path / "exact"):
        assert row["proven"]
        assert row["move_proven"] == row["legal"]
    both = make(tmp_path / "both", DatasetPlan("ultimate", 200, "random", "searched", **options))  # type: ignore[arg-type]
    assert both.counts is not None
    assert 0 < both.counts.proven < 200
    unsure = [row for row in rows_of(tmp_path / "both") if not row["proven"]]
    assert {row["value"] for row in unsure} == {0}
    assert len({row["estimate"] for row in unsure}) > 5
    assert check(tmp_path / "both", sample=3, nodes=2_000).passed


def test_levels_and_the_engine_play(tmp_path: Path) -> None:
    for source in ("levels", "selfplay"):
        plan = DatasetPlan("mnk:4,3,3", 12, source, "exact")
        make(tmp_path / source, plan, in_threads(1))
    assert rows_of(tmp_path / "levels") != rows_of(tmp_path / "selfplay")


def test_card_and_facts(small: Path) -> None:
    text = (small / "README.md").read_text()
    assert text.startswith("---\n")
    head = text.split("---\n")[1]
    assert "license: cc0-1.0\n" in head
    assert "  - split: train\n    path: data/train-*.parquet\n" in head
    command = "noughts dataset make connect4:4,4 --positions 250 --from random --labels exact"
    assert f"`{command} --seed 3 --out DIR`" in text
    assert json.loads((small / FACTS).read_text())["counts"]["rows"]["train"] > 100


def changed(small: Path, folder: Path, column: str, change: Any) -> Path:
    """Copy a data set, with another value in the first row that changes."""
    shutil.copytree(small, folder)
    file = next((folder / "data").glob("train-*"))
    rows = pq.read_table(file).to_pylist()
    for row in rows:
        before = row[column]
        row[column] = change(row)
        if row[column] != before:
            break
    import pyarrow as pa

    pq.write_table(pa.Table.from_pylist(rows, schema("connect4:4,4")), file)
    return folder


@pytest.mark.parametrize(
    ("column", "change", "says"),
    [
        ("position", lambda _: "connect4:4,4~4.4.4.4~Y", "The side to move"),
        ("legal", lambda row: [not each for each in row["legal"]], "are not those of the"),
        ("game", lambda _: 9, "game 9 belongs in test"),
        (
            "value",
            lambda row: 1 if row["value"] == 0 else row["value"],
            "value and estimate differ",
        ),
        (
            "move_values",
            lambda row: [-each if each == each else each for each in row["move_values"]],
            "has the value",
        ),
        ("optimal", lambda row: [False] * len(row["optimal"]), "optimal are not the actions"),
        ("optimal", lambda row: [True] * len(row["optimal"]), "optimal are not the actions"),
        ("distance", lambda _: 99, "ends after 99 plies"),
        (
            "distance",
            lambda row: row["distance"] + 2 if 0 < row["distance"] < 5 else row["distance"],
            "the distance is ",
        ),
    ],
)
def test_check_finds_faults(
    small: Path, tmp_path: Path, column: str, change: Any, says: str
) -> None:
    folder = changed(small, tmp_path / "set", column, change)
    found = run(app, ["dataset", "check", str(folder), "--sample", "250"])
    assert found.exit_code == 1
    assert says in found.output


def test_check_refuses_columns_of_other_types(small: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    shutil.copytree(small, folder)
    file = next((folder / "data").glob("train-*"))
    rows = pq.read_table(file)
    at = rows.schema.get_field_index("move_values")
    short = [each[:2] for each in rows["move_values"].to_pylist()]
    pq.write_table(rows.set_column(at, "move_values", [short]), file)
    found = run(app, ["dataset", "check", str(folder)])
    assert found.exit_code == 3
    assert "columns of other types" in " ".join(found.output.split())


def test_check_of_a_good_set(small: Path) -> None:
    found = run(app, ["dataset", "check", str(small), "--sample", "40", "--json"])
    data = json.loads(found.stdout)
    assert (found.exit_code, data["passed"], data["rows"], data["sample"]) == (0, True, 250, 40)
    assert data["proven_again"] > 40
    assert data["not_proven_again"] == 0


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ("make nope --positions 5 --out DIR", 2, 'No game called "nope"'),
        ("make basic --positions 0 --out DIR", 2, "--positions"),
        ("make advanced --positions 5 --from all --out DIR", 2, "too many to list"),
        ("make basic --positions 5 --licence 'a: b' --out DIR", 2, "A licence is a name"),
        ("make basic --positions 5 --out FILE", 2, "is a file"),
        ("make basic --positions 5 --out OTHER", 2, "has other files: notes.txt"),
        ("make basic --positions 5 --out SMALL", 2, "has another data set"),
        ("make ultimate --positions 5 --from random --nodes 1 --out DIR", 0, ""),
        ("check DIR", 3, "there is no folder"),
        ("check OTHER", 3, "holds no data set"),
        ("check DAMAGED", 3, "cannot be read"),
        ("check CHESS", 3, "is damaged"),
    ],
)
def test_what_is_refused(small: Path, tmp_path: Path, words: str, code: int, says: str) -> None:
    import shlex

    paths = {name: tmp_path / name for name in ("DIR", "FILE", "OTHER", "DAMAGED", "CHESS")}
    paths["SMALL"] = small
    paths["FILE"].write_text("")
    paths["OTHER"].mkdir()
    (paths["OTHER"] / "notes.txt").write_text("mine")
    shutil.copytree(small, paths["DAMAGED"])
    next((paths["DAMAGED"] / "data").glob("train-*")).write_bytes(b"no Parquet")
    shutil.copytree(small, paths["CHESS"])
    facts = paths["CHESS"] / FACTS
    facts.write_text(facts.read_text().replace('"connect4:4,4"', '"chess"'))
    before = contents(small)
    arguments = [str(paths.get(word, word)) for word in shlex.split(words)]
    found = run(app, ["dataset", *arguments])
    assert found.exit_code == code, found.output
    assert says in " ".join(found.output.split())
    assert contents(small) == before
    if code:
        assert not paths["DIR"].exists() or not [*paths["DIR"].iterdir()]


def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in sys.modules if name.startswith("noughts.dataset")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    found = run(app, ["dataset", "check", str(tmp_path)])
    assert found.exit_code == 2
    assert "pyarrow" in found.output
    assert "-m pip install" in found.output


def test_listing_stops_at_a_million() -> None:
    assert LARGEST == 1_000_000
    counted: list[int] = []
    assert len(every_position("mnk:3,2,2", counted.append)) == counted[-1]
