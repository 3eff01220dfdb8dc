"""Work on a campaign, and report its progress.

campaign ──take──► runner ──result──► log ──► status, with a forecast
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from noughts.proof.campaign import (
    MAX_EXPANSIONS,
    MAX_LOST,
    MIN_JOBS,
    Campaign,
    opened,
    read_plan,
)
from noughts.proof.work import Done, Task, do, version
from noughts.work.parallel import Runner


class PolicyFailed(RuntimeError):
    """The moves chosen are too costly, or too often not won: the campaign needs another policy."""


class Status(NamedTuple):
    """How far a campaign is."""

    total: int
    """Jobs of the tree, as far as its moves are chosen."""
    done: int
    """Jobs of the tree that are won."""
    open_nodes: int
    """Nodes whose move is not chosen yet; 0 once the number of jobs is known."""
    expansions: int
    """Expansions of the jobs that are won."""
    seconds: float
    """Seconds of one core, for the jobs that are won."""
    leaves: int
    """Leaves of the jobs that are won."""
    deviation: float
    """Standard deviation of the expansions of a job."""
    not_won: int
    """Tries of jobs that were not won."""
    changes: int
    """Nodes whose first chosen move was replaced."""

    @property
    def is_proven(self) -> bool:
        """Whether all jobs are won."""
        return self.open_nodes == 0 and self.done == self.total

    @property
    def mean(self) -> float:
        """Expansions of a job."""
        return self.expansions / self.done if self.done else 0.0

    @property
    def forecast(self) -> float:
        """Estimated expansions of all jobs; the jobs done are a random sample of them."""
        return self.mean * self.total

    @property
    def error(self) -> float:
        """One standard error of the forecast."""
        if not self.done:
            return 0.0
        left = 1 - self.done / self.total
        return self.deviation / sqrt(self.done) * sqrt(left) * self.total

    @property
    def core_seconds_left(self) -> float:
        """Seconds of one core for the jobs that are left, by the mean."""
        return self.seconds / self.done * (self.total - self.done) if self.done else 0.0

    @property
    def share_lost(self) -> float:
        """The share of tries that were not won."""
        tries = self.done + self.not_won
        return self.not_won / tries if tries else 0.0


class _Sums:
    """The sums of a status, kept while results come in."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.recount()

    def recount(self) -> None:
        """Walk the tree."""
        campaign = self.campaign
        jobs = [*campaign.jobs()]
        self.total = len(jobs)
        self.open_nodes = sum(1 for _ in campaign.open_nodes())
        self.done = self.expansions = self.squares = self.leaves = 0
        self.seconds = 0.0
        for path in jobs:
            if path in campaign.won:
                self.count(path)

    def count(self, path: str) -> None:
        """Add a job that is won."""
        job = self.campaign.won[path]
        self.done += 1
        self.expansions += job.expansions
        self.squares += job.expansions**2
        self.leaves += job.leaves
        self.seconds += job.seconds

    def status(self) -> Status:
        """Return the status."""
        campaign = self.campaign
        variance = 0.0
        if self.done > 1:
            mean = self.expansions / self.done
            variance = (self.squares / self.done - mean**2) * self.done / (self.done - 1)
        return Status(
            self.total,
            self.done,
            self.open_nodes,
            self.expansions,
            self.seconds,
            self.leaves,
            sqrt(max(variance, 0.0)),
            sum(map(len, campaign.failures.values())),
            sum(len(moves) > 1 for moves in campaign.choices.values()),
        )


def status_of(campaign: Campaign) -> Status:
    """Return how far a campaign is."""
    return _Sums(campaign).status()


def run(folder: Path, runner: Runner) -> Iterator[Status]:
    """Work on a campaign until it is proven; yield the status after each result.

    Raises:
        BadCampaign: no campaign, one that another process works on, or one without a move left.
        BadLog: the log is of another format or other rules.
        PolicyFailed: too many jobs were not won, or the forecast is too large.
    """
    with ExitStack() as stack:
        campaign = stack.enter_context(opened(folder, version(read_plan(folder).rules)))
        campaign.plan_tasks()
        sums = _Sums(campaign)
        yield sums.status()
        # A run that fails ends the tasks in progress before it frees the folder.
        results: Generator[tuple[Task, Done], None, None] = runner(do, campaign.take)
        stack.enter_context(closing(results))
        for task, done in results:
            known = task.path in campaign.won
            campaign.add(task, done)
            if done.verdict == "won":
                if not known and campaign.stands(task.path):
                    sums.count(task.path)
            elif not (left := campaign.to_choose):
                sums.recount()
            else:
                sums.open_nodes = left
            status = sums.status()
            yield status
            if status.done + status.not_won >= MIN_JOBS:
                if status.share_lost > MAX_LOST:
                    raise PolicyFailed(
                        f"{status.not_won} of {status.done + status.not_won} tries were not won"
                    )
                if status.forecast > MAX_EXPANSIONS:
                    raise PolicyFailed(f"the forecast is {status.forecast:.2g} expansions")
