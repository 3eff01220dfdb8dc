"""Campaigns: their tree, log and work, through kills, damage and moves that fail."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from command import run as command
from proof_samples import NOT_WON, WON, plan_of, proven

from noughts import _core
from noughts.games.registry import position
from noughts.proof import campaign as campaigns
from noughts.proof import run as runs
from noughts.proof import work
from noughts.proof.campaign import BadCampaign, Campaign, CampaignPlan
from noughts.proof.certificate import Certificate, of_campaign, read
from noughts.proof.log import BadLog, Line, Log, pack, unpack
from noughts.proof.run import PolicyFailed, Status, status_of
from noughts.proof.work import Choose, Done, Prove, Task, version
from noughts.work.parallel import Take, in_threads

START = WON["X"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """The certificate of a campaign without any trouble."""
    return proven(START, tmp_path_factory.mktemp("whole") / "campaign")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign that has not begun."""
    campaigns.start(tmp_path / "campaign", plan_of(START))
    return tmp_path / "campaign"


def work_on(folder: Path) -> Status:
    """Work on a campaign to its end."""
    *_, status = runs.run(folder, in_threads(1))
    return status


def certificate_of(folder: Path) -> Certificate:
    return of_campaign(Campaign(folder))


def log_files(folder: Path) -> list[Path]:
    return sorted((folder / "log").glob("*.log"))


def lines_of(folder: Path) -> list[Line]:
    return [*Log(folder / "log", position(START).rules_id).read()]


def version_here() -> str:
    return version("advanced")


# Whole campaigns


@pytest.mark.parametrize("name", WON)
def test_campaigns_by_the_command_line(name: str, tmp_path: Path) -> None:
    """Start, run, status and export; the library finds the same certificate."""
    plan = plan_of(WON[name])
    folder, file = tmp_path / "campaign", tmp_path / "whole.proof"
    plies = ("--job-ply", plan.job_ply, "--leaf-ply", plan.leaf_ply)
    done = command("proof", "start", plan.start, folder, *plies)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"that {name[0]} wins, by jobs at ply {plan.job_ply}" in done.stdout
    assert command("proof", "start", plan.start, folder, *plies).returncode == 0
    assert command("proof", "start", "advanced", folder).returncode == 2
    assert command("proof", "status", folder).returncode == 1
    done = command("proof", "export", folder, "-o", file)
    assert done.returncode == 3
    assert "not proven yet" in done.stderr
    done = command("proof", "run", folder, "--jobs", 2)
    assert done.returncode == 0, done.stderr
    assert "proven." in done.stdout
    done = command("proof", "status", folder)
    assert done.returncode == 0
    assert "proven." in done.stdout
    assert command("proof", "export", folder, "-o", file).returncode == 0
    expected = proven(plan.start, tmp_path / "again")
    assert read(file) == expected
    assert expected.attacker is position(plan.start).turn
    for ply in range(plan.job_ply - 2, plan.cut + 1):
        done = command("proof", "export", folder, "-o", file, "--ply", ply)
        assert done.returncode == 0
        assert read(file) == expected.shortened(ply)
        assert f"{expected.shortened(ply).leaves():,} leaves from ply {ply}" in done.stdout
    assert command("proof", "export", folder, "-o", file, "--ply", plan.cut + 1).returncode == 2


def test_status_as_json(folder: Path) -> None:
    keys = {
        *("schema", "start", "attacker", "proven", "total", "done", "open_nodes", "expansions"),
        *("seconds", "leaves", "deviation", "not_won", "changes", "mean", "forecast", "error"),
        "core_seconds_left",
    }
    before = json.loads(command("proof", "status", folder, "--json").stdout)
    assert before.keys() == keys
    assert (before["schema"], before["start"], before["attacker"]) == (1, START, "X")
    assert not before["proven"]
    assert (before["open_nodes"], before["done"], before["mean"]) == (1, 0, 0)
    last = work_on(folder)
    done = command("proof", "status", folder, "--json")
    after = json.loads(done.stdout)
    assert done.returncode == 0
    assert after["proven"]
    assert after["done"] == after["total"] == last.done > 2
    assert after["expansions"] == last.expansions == after["forecast"]
    assert after["mean"] == after["expansions"] / after["done"]
    assert (after["error"], after["open_nodes"], after["not_won"]) == (0, 0, 0)
    won = [line for line in lines_of(folder) if line.kind == "won"]
    assert after["expansions"] == sum(int(line.rest[0]) for line in won)
    assert after["leaves"] == sum(int(line.rest[2]) for line in won)


def test_a_campaign_of_one_job(tmp_path: Path) -> None:
    """The start may be a job itself."""
    ply = plan_of(START).job_ply - 2
    campaigns.start(tmp_path, campaigns.plan_of(START, ply, ply + 4))
    assert work_on(tmp_path).is_proven
    assert [line.path for line in lines_of(tmp_path)] == [""]
    certificate = certificate_of(tmp_path)
    # The start is a leaf of any cut before its own ply.
    assert [certificate.shortened(cut).leaves() for cut in (0, ply - 2, ply - 1, ply)] == [1] * 4


def test_packed_codes_are_restored() -> None:
    rng = random.Random(1)
    for size in (0, 1, 10, 1000):
        codes = rng.randbytes(size)
        assert unpack(pack(codes)) == codes
        assert " " not in pack(codes)
    for damaged in ("c-", pack(b"abc")[:-3], "é"):
        with pytest.raises(ValueError, match=r"damaged|base85|ASCII"):
            unpack(damaged)


# Kills

RUN = "import sys; from noughts.cli.main import main; sys.argv[0] = 'noughts'; main()"


def killed(folder: Path, rng: random.Random) -> bool:
    """Start a run and kill it at a random moment; return whether it was still working."""
    before = sum(file.stat().st_size for file in log_files(folder))
    growth = rng.choice((0, 1, 200, 900, 2_000))
    words = [sys.executable, "-c", RUN, "proof", "run", str(folder), "--jobs", "1"]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        end = time.monotonic() + rng.random() if growth == 0 else float("inf")
        while child.poll() is None and time.monotonic() < end:
            if sum(file.stat().st_size for file in log_files(folder)) >= before + max(growth, 1):
                break
            time.sleep(rng.random() / 500)
        child.kill()
    return child.returncode == -signal.SIGKILL


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("kills", [5, pytest.param(50, marks=pytest.mark.soak)])
def test_kills_change_nothing(kills: int, tmp_path: Path) -> None:
    """The answer and the certificate are those of a campaign that nobody killed."""
    plan = campaigns.plan_of(START, plan_of(START).job_ply + 2, plan_of(START).leaf_ply)
    rng = random.Random(kills)
    campaigns.start(tmp_path / "whole", plan)
    expected = work_on(tmp_path / "whole")
    number = hits = 0
    while hits < kills:
        folder = tmp_path / str(number)
        number += 1
        campaigns.start(folder, plan)
        while hits < kills and not status_of(Campaign(folder)).is_proven:
            hits += killed(folder, rng)
        found = work_on(folder)
        assert found.is_proven
        assert found._replace(seconds=0) == expected._replace(seconds=0)
        assert certificate_of(folder) == certificate_of(tmp_path / "whole")
    assert len([*Campaign(tmp_path / "whole").jobs()]) > 10


def test_a_second_master_is_refused(folder: Path) -> None:
    with campaigns.opened(folder, "one"):
        with (
            pytest.raises(BadCampaign, match="another process works on"),
            campaigns.opened(folder, "two"),
        ):
            pass
        done = command("proof", "run", folder, "--jobs", 1)
        assert done.returncode == 3
        assert "nother process works on" in done.stderr
        # Reading needs no lock.
        assert command("proof", "status", folder).returncode == 1
    assert work_on(folder).is_proven


# Damage


def cut_tail(text: str) -> str:
    return text[:-20]


def change_middle(text: str) -> str:
    lines = text.split("\n")
    lines[2] = lines[2].replace(" won ", " open ")
    return "\n".join(lines)


def change_choice(text: str) -> str:
    lines = text.split("\n")
    lines[1] = lines[1][:-1] + ("0" if lines[1][-1] != "0" else "1")
    return "\n".join(lines)


def change_first(text: str) -> str:
    return "X" + text[1:]


@pytest.mark.parametrize(
    ("damage", "place", "left"),
    [
        (cut_tail, "000001.log: line 6", 1),
        (change_middle, "000001.log: line 3", 1),
        (change_choice, "000001.log: line 2", 0),
        (change_first, "000001.log: line 1", 5),
    ],
)
def test_damaged_lines_do_not_count(
    damage: Callable[[str], str], place: str, left: int, folder: Path, whole: Certificate
) -> None:
    """They are named, their work is done again, and the answer is the same."""
    assert work_on(folder).is_proven
    (file,) = log_files(folder)
    text = file.read_text()
    assert text.count("\n") == 6  # the head, one choice and four jobs
    file.write_text(damage(text))
    campaign = Campaign(folder, version_here())
    assert campaign.log.damaged == [place]
    assert len(campaign.won) == 4 - min(left, 4)
    done = command("proof", "status", folder)
    assert done.returncode == 1
    assert f"{place} is damaged and does not count" in done.stderr
    before = len(lines_of(folder))
    assert work_on(folder).is_proven
    assert len(lines_of(folder)) == before + max(left, 1)
    assert certificate_of(folder) == whole


def test_a_file_without_a_line_is_no_damage(folder: Path, whole: Certificate) -> None:
    """A run can be killed before it writes the first line of a file."""
    work_on(folder)
    (folder / "log" / "000002.log").touch()
    assert Campaign(folder, version_here()).log.damaged == []
    assert work_on(folder).is_proven
    assert certificate_of(folder) == whole


def test_any_damage_to_a_byte_is_noticed(folder: Path, whole: Certificate) -> None:
    work_on(folder)
    (file,) = log_files(folder)
    good = file.read_bytes()
    rng = random.Random(2)
    for _ in range(200):
        at = rng.randrange(len(good))
        byte = rng.randrange(256)
        file.write_bytes(good[:at] + bytes([byte]) + good[at + 1 :])
        log = Log(file.parent, "advanced")
        lines = [*log.read()]
        assert bool(log.damaged) == (byte != good[at])
        assert len(lines) == 5 or log.damaged
    file.write_bytes(good)
    assert certificate_of(folder) == whole


# Versions, formats, rules


def rewritten(folder: Path, old: str, new: str) -> None:
    """Replace a word of a log's head, with the right checksum."""
    from noughts.proof.log import _opened, _sealed

    (file,) = log_files(folder)
    head, rest = file.read_text().split("\n", 1)
    text = _opened(head)
    assert text is not None
    assert old in text
    file.write_text(_sealed(text.replace(old, new)) + rest)


def test_won_jobs_of_another_version_count(folder: Path, whole: Certificate) -> None:
    work_on(folder)
    rewritten(folder, version_here(), "000000000000")
    assert status_of(Campaign(folder, version_here())).is_proven
    before = lines_of(folder)
    assert work_on(folder).is_proven
    assert lines_of(folder) == before
    assert certificate_of(folder) == whole


def test_failures_of_another_version_do_not_count(folder: Path, whole: Certificate) -> None:
    with campaigns.opened(folder, "old") as campaign:
        campaign.plan_tasks()
        choose = campaign.take()
        assert isinstance(choose, Choose)
        campaign.add(choose, work.do(choose))
        jobs = [*campaign.jobs()]
        for path, verdict in zip(jobs, ("lost", "open", "open", "lost"), strict=True):
            campaign.log.append("old", verdict, path, 7, "0.1")
    assert status_of(Campaign(folder, "old")).not_won == 4
    assert status_of(Campaign(folder, version_here())).not_won == 0
    last = work_on(folder)
    assert last.is_proven
    assert last.changes == 0
    assert certificate_of(folder) == whole


@pytest.mark.parametrize(
    ("old", "new"), [("campaign 1", "campaign 2"), (" advanced ", " advanced:full=draw ")]
)
def test_logs_of_other_formats_and_rules_are_refused(old: str, new: str, folder: Path) -> None:
    work_on(folder)
    rewritten(folder, old, new)
    with pytest.raises(BadLog, match="this version reads"):
        Campaign(folder)
    for words in (("run", folder), ("status", folder), ("export", folder, "-o", folder / "x")):
        done = command("proof", *words)
        assert done.returncode == 3
        assert "this version reads 'noughts-campaign 1' for advanced" in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        "hello",
        json.dumps({"start": START, "job_ply": 24, "leaf_ply": 26, "format": 2}),
        json.dumps({"start": START, "job_ply": 23, "leaf_ply": 26}),
        json.dumps({"start": START, "job_ply": "24", "leaf_ply": 26}),
        json.dumps({"start": START, "job_ply": None, "leaf_ply": None}),
        json.dumps({"start": "advanced", "job_ply": 12, "leaf_ply": 18}),
        json.dumps({"start": "hello", "job_ply": 12, "leaf_ply": 18}),
        json.dumps({"start": "basic~3.3.3~X", "job_ply": 12, "leaf_ply": 18}),
        json.dumps({"start": START, "job_ply": 24, "leaf_ply": 26, "spare": 1}),
    ],
)
def test_bad_plans_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "campaign.json").write_text(text)
    for step in ("run", "status"):
        done = command("proof", step, tmp_path)
        assert done.returncode == 3
        assert done.stderr.count("\n") == 1
        assert "Traceback" not in done.stderr


def test_no_campaign(tmp_path: Path) -> None:
    for words in (("run", tmp_path), ("status", tmp_path), ("export", tmp_path, "-o", "x")):
        done = command("proof", *words, cwd=tmp_path)
        assert done.returncode == 3
        assert "o campaign in" in done.stderr


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ("basic", ()),
        ("ultimate", ()),
        (START, ("--job-ply", 23)),
        (START, ("--job-ply", 20)),
        (START, ("--leaf-ply", 23)),
        ("advanced", ("--job-ply", 12, "--leaf-ply", 10)),
        ("advanced~XXX6.OO7.9.9.9.9.9.9.9~O~3", ()),
        ("advanced~XX7.O8.O8.9.9.9.9.9.9~X~1", ()),
        ("advanced", ("--job-ply", 12, "--leaf-ply", 82)),
    ],
)
def test_bad_starts_are_refused(start: str, words: tuple[object, ...], tmp_path: Path) -> None:
    done = command("proof", "start", start, tmp_path / "campaign", *words)
    assert done.returncode in (2, 3)
    assert done.stderr
    assert not (tmp_path / "campaign").exists()


# Moves that fail


def scripted(folder: Path, answer: Callable[[Task], Done | None]) -> Iterator[Status]:
    """Run a campaign in one place whose tasks may have other results than their own."""

    def runner(_: object, take: Take[Task]) -> Iterator[tuple[Task, Done]]:
        while (task := take()) is not None:
            yield task, answer(task) or work.do(task)

    return runs.run(folder, runner)  # type: ignore[arg-type]


@pytest.mark.parametrize("verdict", ["lost", "open"])
def test_another_move_follows_a_job_that_is_not_won(verdict: str, folder: Path) -> None:
    """The job's parent chooses again, and the proof is complete."""
    failed: list[str] = []

    def answer(task: Task) -> Done | None:
        if isinstance(task, Prove) and (not failed or task.path == failed[0]):
            failed.append(task.path)
            return Done(verdict=verdict, expansions=5)
        return None

    *_, last = scripted(folder, answer)
    assert last.is_proven
    assert last.changes == 1
    # A job is tried with each budget; one that is lost is not tried again.
    assert last.not_won == len(failed) == (1 if verdict == "lost" else len(campaigns.BUDGETS))
    campaign = Campaign(folder, version_here())
    assert len(campaign.choices[""]) == 2
    assert not any(path.startswith(failed[0][:2]) for path in campaign.jobs())
    assert status_of(campaign)._replace(seconds=0) == last._replace(seconds=0)
    certificate = certificate_of(folder)
    assert certificate.leaves() > 0
    assert certificate.codes[0] == campaign.choices[""][1] % 9


def test_stale_results_do_not_count(folder: Path) -> None:
    """A job ends after its parent has chosen another move: the sums are those of the tree."""

    def runner(_: object, take: Take[Task]) -> Iterator[tuple[Task, Done]]:
        choose = take()
        assert isinstance(choose, Choose)
        yield choose, work.do(choose)
        first, second, third = take(), take(), take()
        assert isinstance(first, Prove)
        assert second is not None
        assert third is not None
        yield first, Done(verdict="lost", expansions=5)
        again = take()
        assert isinstance(again, Choose)
        yield again, work.do(again)
        yield second, work.do(second)
        yield third, work.do(third)
        while (task := take()) is not None:
            yield task, work.do(task)

    statuses = [*runs.run(folder, runner)]  # type: ignore[arg-type]
    assert statuses[-1].is_proven
    assert all(status.done <= status.total for status in statuses if not status.open_nodes)
    campaign = Campaign(folder, version_here())
    assert len(campaign.choices[""]) == 2
    found = status_of(campaign)._replace(seconds=0)
    assert statuses[-1]._replace(seconds=0) == found
    assert certificate_of(folder).leaves() > 0


def test_the_same_result_twice_is_harmless(folder: Path, whole: Certificate) -> None:
    def runner(_: object, take: Take[Task]) -> Iterator[tuple[Task, Done]]:
        while (task := take()) is not None:
            done = work.do(task)
            yield task, done
            yield task, done

    *_, last = runs.run(folder, runner)  # type: ignore[arg-type]
    campaign = Campaign(folder, version_here())
    assert last.is_proven
    assert last._replace(seconds=0) == status_of(campaign)._replace(seconds=0)
    assert certificate_of(folder) == whole


@pytest.mark.parametrize("start", [NOT_WON, NOT_WON.replace("advanced", "advanced:full=draw")])
def test_a_position_that_is_not_won_ends_with_an_error(start: str, tmp_path: Path) -> None:
    campaigns.start(tmp_path / "campaign", plan_of(start))
    done = command("proof", "run", tmp_path / "campaign", "--jobs", 1)
    assert done.returncode == 3
    assert "o move of the start position was proven to win" in done.stderr
    assert command("proof", "status", tmp_path / "campaign").returncode == 1
    # Again, by the log alone.
    assert command("proof", "run", tmp_path / "campaign", "--jobs", 1).returncode == 3


def test_all_moves_fail(folder: Path) -> None:
    """Every move of the start is tried once before the campaign gives up."""
    plan_moves = len(position(START).legal_moves())

    def answer(task: Task) -> Done | None:
        return Done(verdict="lost", expansions=5) if isinstance(task, Prove) else None

    with pytest.raises(BadCampaign, match="no move of the start"):
        list(scripted(folder, answer))
    tried = Campaign(folder, version_here()).choices[""]
    assert len(set(tried)) == len(tried) <= plan_moves
    assert len(tried) > 1


DRAWS = "advanced:full=draw~XOXXOOOXX.9.9.9.4O4.9.9.9.9~X~5"
"""X may name the full board 1 by 51, which draws."""


def test_a_move_that_draws_is_not_chosen() -> None:
    """A choice ends no game, whatever the engine prefers."""
    start = position(DRAWS)
    drawing = [move for move in start.legal_moves() if start.play(move).outcome() is not None]
    assert drawing == [36]
    tried: tuple[int, ...] = ()
    while True:
        done = work.do(Choose("", DRAWS, 2_000, tried))
        if done.move is None:
            break
        assert done.move not in drawing
        tried += (done.move,)
    assert len(tried) == len(start.legal_moves()) - 1


def test_a_policy_that_fails_ends_the_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MIN_JOBS", 1)
    answers = iter(["lost"])

    def answer(task: Task) -> Done | None:
        if isinstance(task, Prove) and (verdict := next(answers, "")):
            return Done(verdict=verdict, expansions=5)
        return None

    with pytest.raises(PolicyFailed, match="1 of 1 tries were not won"):
        list(scripted(folder, answer))
    # The lock is free again.
    with campaigns.opened(folder, version_here()):
        pass


def test_a_large_forecast_ends_the_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MIN_JOBS", 1)
    monkeypatch.setattr(runs, "MAX_EXPANSIONS", 10.0)
    done = command("proof", "run", folder, "--jobs", 1)
    assert done.returncode == 1
    assert "he forecast is" in done.stderr


def test_a_run_that_fails_ends_its_runner_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise its jobs would run until Python ends."""
    monkeypatch.setattr(runs, "MIN_JOBS", 1)
    ends: list[bool] = []

    def runner(_: object, take: Take[Task]) -> Iterator[tuple[Task, Done]]:
        try:
            while (task := take()) is not None:
                yield task, Done(verdict="lost") if isinstance(task, Prove) else work.do(task)
        finally:
            done = command("proof", "run", folder, "--jobs", 1)
            ends.append(done.returncode == 3)  # this run still has the folder

    with pytest.raises(PolicyFailed):
        list(runs.run(folder, runner))  # type: ignore[arg-type]
    assert ends == [True]


def test_tasks_are_stateless() -> None:
    """The same task has the same result, and a stopped one says that it is open."""
    task = Prove("", START, plan_of(START).leaf_ply, 10**6)
    done = work.do(task)
    assert done.verdict == "won"
    assert work.do(task)._replace(seconds=0) == done._replace(seconds=0)
    small = work.do(task._replace(expansions=20))
    assert (small.verdict, small.codes) == ("open", b"")
    assert small.expansions <= 20
    stop = _core.StopFlag()
    stop.set()
    assert work.do(task, stop).verdict == "open"
    choose = Choose("", START, 5_000)
    first = work.do(choose)
    assert work.do(choose)._replace(seconds=0) == first._replace(seconds=0)
    assert first.move is not None
    second = work.do(choose._replace(tried=(first.move,)))
    assert second.move not in (first.move, None)


def test_the_plan_of_a_whole_game() -> None:
    assert campaigns.plan_of("advanced") == CampaignPlan(
        "advanced~9.9.9.9.9.9.9.9.9~X~-", 12, 18, 1
    )
    assert campaigns.plan_of("advanced:full=draw").rules == "advanced:full=draw"


def test_the_opening_by_symmetry(tmp_path: Path) -> None:
    """X begins in the middle; O has two replies, and X keeps a mirror."""
    campaigns.start(tmp_path, campaigns.plan_of("advanced", 4))
    campaign = Campaign(tmp_path)
    assert campaign.children("") == ["5551", "5552"]
    assert [*campaign.open_nodes()] == []
    jobs = [*campaign.jobs()]
    assert len(jobs) == len(campaign.children("5551")) + len(campaign.children("5552"))
    assert all(path[:6] in ("555111", "555222") for path in jobs)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = command("proof", "start", "advanced", tmp_path / "file")
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert [*tmp_path.iterdir()] == [tmp_path / "file"]
