"""Matches on a Ray cluster: the same games, lost workers and machines, and refused machines."""

from __future__ import annotations

import json
import os
import pickle
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest
from command import NOUGHTS
from matches import fixtures_of, terms_of, timeless
from needs import imported
from patience import PATIENCE
from samples import NIM

import noughts
from noughts import nets
from noughts.arena.bot import Bounds
from noughts.arena.control import Control
from noughts.arena.match import WorkerLost, in_process
from noughts.arena.schedule import Terms
from noughts.extras import missing
from noughts.games.record import read
from noughts.games.registry import load
from noughts.school.classroom import ClassCheck, ClassTerms, LocalRunner, Runner
from noughts.school.student import Interface

ray = imported("ray", "cluster")
cluster_utils = imported("ray.cluster_utils", "cluster")

from noughts.arena import cluster  # noqa: E402 - it needs Ray
from noughts.arena.cluster import Cluster, ClusterUnavailable  # noqa: E402
from noughts.school.cluster import ClusterRunner  # noqa: E402

ROOT = Path(__file__).parent.parent
TIMID = f"python:{ROOT}/examples/bots/my_bot.py:Timid"
SMALL = {"num_cpus": 1, "object_store_memory": 80 << 20, "include_dashboard": False}
# Warnings of Ray itself.
pytestmark = pytest.mark.filterwarnings(
    *(f"ignore::{kind}" for kind in ("ResourceWarning", "DeprecationWarning", "FutureWarning"))
)


@pytest.fixture(scope="module")
def machines() -> Iterator[Any]:
    """Connect to a cluster of two machines with one processor each, both on this machine.

    The workers of a connection serve several tests; each new connection starts its own.
    """
    patch = pytest.MonkeyPatch()
    patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    patch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    found = cluster_utils.Cluster(initialize_head=True, head_node_args=SMALL)
    found.add_node(**SMALL)
    ray.init(address=found.address, log_to_driver=False, logging_level="ERROR")
    yield found
    ray.shutdown()
    found.shutdown()
    patch.undo()


@pytest.fixture
def unconnected() -> None:
    """Leave the cluster of the tests before: these connect themselves."""
    ray.shutdown()


def here(terms: Terms) -> dict[int, str]:
    return {f.number: timeless(record) for f, record in in_process(terms, fixtures_of(terms))}


def processes() -> dict[int, tuple[int, str]]:
    """Return the parent and the command line of every running process, by its id."""
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            state, parent, *_ = (place / "stat").read_text().rpartition(")")[2].split()
            title = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if state != "Z":
            found[int(place.name)] = (int(parent), title)
    return found


def rooms(machines: Any) -> list[int]:
    """Return the ids of the worker processes on the machines of the tests."""
    raylets = {
        info.process.pid
        for node in machines.list_all_nodes()
        for info in node.all_processes.get("raylet", [])
    }
    return [
        pid
        for pid, (parent, title) in processes().items()
        if parent in raylets and title.startswith("ray::_Actor")
    ]


def offspring(ancestor: int) -> set[int]:
    """Return the descendants of a process."""
    known, found = processes(), {ancestor}
    while more := {pid for pid, (parent, _) in known.items() if parent in found} - found:
        found |= more
    return found - {ancestor}


def wait_until_gone(pids: set[int]) -> None:
    until = time.monotonic() + PATIENCE
    while left := {pid: known for pid, known in processes().items() if pid in pids}:
        assert time.monotonic() < until, left
        time.sleep(0.2)


@pytest.mark.usefixtures("forget_games")
def test_cluster_plays_the_same_games(machines: Any) -> None:
    load(NIM)
    games = ("basic", "connect4:4,4", "advanced", "nim")
    terms = terms_of("alphabeta", "mcts", TIMID, games=games, load=(NIM,), pairs=1)
    news: list[str] = []
    over = []
    for fixture, record in Cluster(8, machines.address, tell=news.append)(
        terms, fixtures_of(terms)
    ):
        over.append((fixture.number, timeless(record)))
        # One game for each processor at most.
        assert len(rooms(machines)) <= 2
    assert dict(over) == here(terms)
    assert len(over) == len(fixtures_of(terms))
    assert not [sentence for sentence in news if "left out" in sentence or "lost" in sentence]


def test_games_for_training_are_the_same_on_a_cluster(machines: Any, tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    from noughts.cluster import in_cluster
    from noughts.train.data import Plan, play
    from noughts.work.parallel import in_threads

    plan = Plan(nets.NESTED["advanced"], nodes=10, seed=1)
    for name, run in (("here", in_threads()), ("there", in_cluster(2, machines.address))):
        assert [*play(tmp_path / name, plan, 1, run=run)][-1] > 0
    shards = [file.name for file in (tmp_path / "there").glob("*.samples")]
    assert "shard-000000.samples" in shards
    for shard in shards:
        here = tmp_path / "here" / shard
        assert not here.exists() or here.read_bytes() == (tmp_path / "there" / shard).read_bytes()


def test_a_campaign_proves_the_same_on_a_cluster(machines: Any, tmp_path: Path) -> None:
    from noughts.cluster import in_cluster
    from noughts.proof import campaign, certificate, run
    from noughts.work.parallel import in_threads

    plan = campaign.plan_of("advanced~8X.1X4O2.2O6.O8.1OX1X4.6O2.3X1X3.9.4O4~X~3", 16, 18)
    made = []
    for name, runner in (("here", in_threads()), ("there", in_cluster(2, machines.address))):
        campaign.start(tmp_path / name, plan)
        *_, status = run.run(tmp_path / name, runner)
        assert status.is_proven
        made.append(certificate.of_campaign(campaign.Campaign(tmp_path / name)))
    assert made[0] == made[1]


@pytest.mark.soak
def test_lost_workers_and_machines_cost_no_game(machines: Any) -> None:
    terms = terms_of(
        "engine", "a=engine", games=("ultimate",), pairs=5, control=Control(nodes=5000)
    )
    news: list[str] = []
    over = []
    third = machines.add_node(**SMALL)
    for fixture, record in Cluster(8, machines.address, tell=news.append)(
        terms, fixtures_of(terms)
    ):
        over.append((fixture.number, timeless(record)))
        if len(over) == 2:
            for pid in rooms(machines):
                os.kill(pid, signal.SIGKILL)
        if len(over) == 4:
            machines.remove_node(third, allow_graceful=False)
    assert dict(over) == here(terms)
    assert len(over) == 10
    assert [sentence for sentence in news if "was lost on" in sentence]
    wait_until_gone({*rooms(machines)})


@pytest.fixture
def a_class(tmp_path: Path) -> Path:
    """Return a folder with the files of three students."""
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "anna.py").write_text("def move(cells):\n    return cells.index(None)\n")
    (folder / "ben.py").write_text("def move(cells:\n")
    (folder / "carla.py").write_text("x = 1\n")
    return folder


def test_class_is_checked_on_the_cluster_as_here(machines: Any, a_class: Path) -> None:
    found = []
    # Machines lost in other tests may be refused first.
    runners: tuple[Runner, ...] = (
        ClusterRunner(None, machines.address, tell=lambda _: None),
        LocalRunner(1),
    )
    for number, runner in enumerate(runners):
        check = ClassCheck(a_class, a_class.parent / str(number), ClassTerms(Interface.MOVES))
        assert {each.submission.student for each in check.run(runner)} == {"anna", "ben", "carla"}
        found.append([(each.report, each.failure) for each in check.results])
    assert found[0] == found[1]
    assert found[0][0][0] is not None


def test_machines_with_another_checker_check_nothing(
    machines: Any, a_class: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.school.cluster.checker_version", lambda: "another")
    news: list[str] = []
    check = ClassCheck(a_class, a_class.parent / "out", ClassTerms(Interface.MOVES))
    with pytest.raises(WorkerLost, match="no machine of the cluster"):
        list(check.run(ClusterRunner(None, machines.address, tell=news.append)))
    assert sum("is not used: it has another version of noughts" in each for each in news) == 2


def test_class_needs_a_cluster_at_its_address(a_class: Path) -> None:
    words = ["check", "--class", str(a_class), "--out", str(a_class.parent / "out")]
    done = run(NOUGHTS, *words, "--as", "moves", "--ray-address", "127.0.0.1:9")
    assert done.returncode == 4
    assert "No cluster at 127.0.0.1:9" in done.stderr


@pytest.mark.soak
def test_machines_that_differ_are_left_out(machines: Any, tmp_path: Path) -> None:
    version = noughts.__version__
    wanted = {
        "older": f"is not used: noughts is 0.0.1 there, and {version} here",
        "bare": "is not used: noughts cannot be imported there: ",
    }
    nodes = []
    for name, text in (
        ("older", "import noughts.version; noughts.version.__version__ = '0.0.1'"),
        ("bare", "import sys; sys.modules['noughts'] = None"),
    ):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "sitecustomize.py").write_text(text)
        nodes.append(machines.add_node(**SMALL, env_vars={"PYTHONPATH": str(folder)}))
    terms = terms_of("random", "a=random", pairs=50_000)
    news: list[str] = []
    games = Cluster(8, machines.address, tell=news.append)(terms, iter(fixtures_of(terms)))
    until = time.monotonic() + 240
    try:
        # On a busy machine Ray may lose another node.
        while not all(any(said in sentence for sentence in news) for said in wanted.values()):
            next(games)
            assert time.monotonic() < until, news
    finally:
        games.close()
        wait_until_gone({*rooms(machines)})
        for node in nodes:
            machines.remove_node(node)


@pytest.mark.usefixtures("unconnected")
def test_bots_run_in_the_folder_that_is_sent(
    machines: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "engine"
    program.write_text(f"#!/bin/sh\nexec {shlex.quote(NOUGHTS)} engine random\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    terms = terms_of("uci:./engine", "random", pairs=1)
    monkeypatch.chdir(ROOT)
    fixtures = fixtures_of(terms)
    with pytest.raises(WorkerLost, match=r"no machine of the cluster can play: .*engine"):
        list(Cluster(2, machines.address)(terms, fixtures))
    sent = Cluster(2, machines.address, files=tmp_path)
    over = dict(sent(terms, fixtures))
    assert sorted(over) == fixtures
    assert not any("Fault" in record.tags for record in over.values())


@pytest.mark.usefixtures("forget_games")
def test_unfit_machines_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("nim.py").write_bytes(NIM.read_bytes())
    terms = terms_of("random", "a=random", games=("basic",), load=(Path("nim.py"),))
    like = cluster.likeness(terms.load)
    assert like == cluster.likeness(terms.load)

    def refusal(terms: Terms = terms, **changes: Any) -> str | None:
        return cluster.refusal(terms, tmp_path, like._replace(**changes))

    assert refusal() is None
    assert refusal(games="other") == "not the same there: nim.py"
    assert "has other Python code than here" in str(refusal(code="other"))
    assert refusal(core="other") == "the native core there finds other moves than here"
    assert refusal(terms._replace(load=(Path("none.py"),))) == (
        f"there is no {tmp_path / 'none.py'} there"
    )
    nowhere = tmp_path / "none"
    assert cluster.refusal(terms, nowhere, like) == f"there is no {nowhere} there"
    slow = terms_of(TIMID, "random", load=terms.load)
    entries = (slow.entries[0]._replace(bounds=Bounds(start_seconds=0.001)), slow.entries[1])
    assert "slow start" in str(refusal(slow._replace(entries=entries)))
    (tmp_path / "nim.py").write_text("raise OSError('no games today')")
    assert refusal() == "OSError: no games today"
    greet = pickle.loads(ray.cloudpickle.dumps(cluster._greeter()))
    assert greet("0.0.0", b"") == f"noughts is {noughts.__version__} there, and 0.0.0 here"


@pytest.mark.usefixtures("unconnected")
@pytest.mark.parametrize("address", ["localhost:1", "localhost:999999", "nowhere at all"])
def test_address_without_a_cluster(address: str) -> None:
    terms = terms_of("random", "a=random")
    with pytest.raises(ClusterUnavailable, match=f"no cluster at {address}: "):
        list(Cluster(1, address)(terms, fixtures_of(terms)))


# The command


def run(*words: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, timeout=300, **settings)


@pytest.mark.soak
@pytest.mark.usefixtures("forget_games")
def test_match_with_ray_is_stopped_and_resumed(tmp_path: Path) -> None:
    words = ["--load", str(NIM), "match", TIMID, "t=mcts", "--game", "nim", "--nodes", "50"]
    words += ["--pairs", "200", "--event", "test", "--json"]
    file = tmp_path / "games.jsonl"
    with_ray = [NOUGHTS, *words, "--ray", "--jobs", "2", "--out", str(file)]
    # The terminal's ^C may split a character.
    settings: dict[str, Any] = {"encoding": "utf-8", "codec_errors": "replace"}
    child = pexpect.spawn(with_ray[0], with_ray[1:], timeout=300, **settings)
    while not file.exists() or not file.stat().st_size:
        assert child.isalive(), child.read()
        time.sleep(0.1)
    family = offspring(child.pid)
    assert [pid for pid, (_, title) in processes().items() if pid in family and "raylet" in title]
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert "To continue: noughts --load" in child.before
    wait_until_gone(family)

    load(NIM)
    before = list(read(file))
    assert 0 < len(before) < 400
    ended = run(*with_ray)
    assert ended.returncode == 0, ended.stderr
    data = json.loads(ended.stdout)
    here = run(NOUGHTS, *words, "--jobs", "1", "--out", str(tmp_path / "here.jsonl"))

    def said(data: dict[str, Any]) -> dict[str, Any]:
        return {key: data[key] for key in ("bots", "games", "pairs", "seed", "played", "faults")}

    assert said(data) == said(json.loads(here.stdout))
    files = (file, tmp_path / "here.jsonl")
    there, alone = (sorted(map(timeless, read(path))) for path in files)
    assert there == alone
    assert len(there) == 400


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--ray", "--pin"], 2, "--pin does not go with --ray"),
        (["--ray-files", "."], 2, "--ray-files goes with --ray or --ray-address"),
        (["--ray-address", "localhost:1"], 4, "No cluster at localhost:1: "),
    ],
)
def test_wrong_options_are_refused(words: list[str], status: int, said: str) -> None:
    ended = run(NOUGHTS, "match", "random", "a=random", "--game", "basic", *words)
    assert (ended.returncode, ended.stdout) == (status, "")
    assert said in ended.stderr


def test_without_ray_the_extra_is_named() -> None:
    code = "import sys; sys.modules['ray'] = None; from noughts.cli.main import main; main()"
    ended = run(sys.executable, "-c", code, "match", "--ray", "random", "a=random")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert missing("--ray", "ray", "cluster") in ended.stderr
