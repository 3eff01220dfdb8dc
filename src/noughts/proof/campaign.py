"""A campaign: the folder of a proof, and what its log says.

    node of the attacker ──choose──► move ──► every reply ──► node of the attacker … ──► job

The tree follows from the start position and the moves chosen, so the log holds only these and the
results of jobs. A won job counts with any engine; a failure counts only for the version that
tried it. After a failure the job's parent chooses another move. A node with no move left is given
up, and its own parent chooses another move.
"""

from __future__ import annotations

import heapq
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from noughts import _core
from noughts.games.nested import Advanced
from noughts.games.position import NotationError, Player
from noughts.games.record import lock
from noughts.games.registry import game, position
from noughts.proof.log import Line, Log, pack
from noughts.proof.work import Choose, Done, Prove, Task

PLAN = "campaign.json"
FIRST_PLY = 18
"""The first ply of leaves: the core's exact keys hold 63 empty cells."""
LAST_PLY = 80
"""The last ply of leaves: one cell is empty."""
CHOICE_NODES = 100_000
"""Nodes to choose a move two plies before the jobs; four times as many two plies earlier, etc."""
MAX_CHOICE_NODES = 5_000_000
"""The limit of those."""
BUDGETS = (100_000_000, 1_000_000_000)
"""Expansions of a job; it is tried once with each."""
MAX_LOST = 0.03
"""Largest share of jobs not won; with more, the policy has failed."""
MAX_EXPANSIONS = 1.5e12
"""A forecast above this ends a run."""
MIN_JOBS = 500
"""Jobs before a forecast ends a run."""
OPENING = ("55", "5551", "555111", "5552", "555222")
"""Chosen by symmetry: X answers 51 with 11 and 52 with 22, which keeps half of the symmetries."""


class BadCampaign(ValueError):
    """A folder without a campaign, or with one that cannot continue."""


@dataclass(frozen=True)
class CampaignPlan:
    """What a campaign proves, and how its tree is cut."""

    start: str
    """Position from which the side to move is proven to win."""
    job_ply: int = 12
    leaf_ply: int = FIRST_PLY
    format: int = 1

    @property
    def rules(self) -> str:
        """The rules id."""
        return self.start.partition("~")[0]

    @property
    def attacker(self) -> Player:
        """The side that is proven to win."""
        return position(self.start).turn

    @property
    def cut(self) -> int:
        """The log holds the attacker's moves before this ply, those at the leaves included."""
        return self.leaf_ply + 2


def plan_of(text: str, job_ply: int | None = None, leaf_ply: int | None = None) -> CampaignPlan:
    """Return the plan for a position or rules id.

    Args:
        job_ply: of the jobs; left out, 12, or four plies after a later start.
        leaf_ply: of the leaves; left out, 18, or six plies after the jobs.

    Raises:
        NotationError: the text is no position.
        BadCampaign: not a game that campaigns can prove, or plies that do not fit.
    """
    start = position(text) if "~" in text else game(text)
    if not isinstance(start, Advanced):
        raise BadCampaign(f"campaigns prove `advanced` and `advanced:full=draw`, not {text}")
    if start.outcome() is not None:
        raise BadCampaign("the game is over in this position")
    after = (start.play(move).outcome() for move in start.legal_moves())
    if any(outcome is not None and outcome.winner is not None for outcome in after):
        raise BadCampaign("a line can be completed at once in this position")
    job = job_ply if job_ply is not None else max(12, start.ply + 4)
    leaf = leaf_ply if leaf_ply is not None else max(FIRST_PLY, job + 6)
    if job < start.ply or (job - start.ply) % 2 or leaf < job or (leaf - job) % 2:
        raise BadCampaign(
            f"jobs at ply {job} and leaves at ply {leaf} are not plies of the side to move at"
            f" ply {start.ply}"
        )
    if leaf < FIRST_PLY:
        raise BadCampaign(f"leaves have ply {FIRST_PLY} or more, not {leaf}")
    if leaf > LAST_PLY:
        raise BadCampaign(f"leaves have ply {LAST_PLY} or less, not {leaf}")
    return CampaignPlan(str(start), job, leaf)


def start(folder: Path, plan: CampaignPlan) -> None:
    """Make the folder of a campaign.

    Raises:
        BadCampaign: the folder holds another campaign.
        OSError: it cannot be written.
    """
    if (folder / PLAN).exists():
        if read_plan(folder) == plan:
            return
        raise BadCampaign(f"{folder} holds another campaign: see its {PLAN}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("lock\n")
    (folder / PLAN).write_text(json.dumps(asdict(plan), indent=1) + "\n")


def read_plan(folder: Path) -> CampaignPlan:
    """Return the plan of a campaign.

    Raises:
        BadCampaign: the folder holds none, or one of another format.
    """
    try:
        fields = json.loads((folder / PLAN).read_text())
        plan = CampaignPlan(**fields)
        if plan.format != 1:
            raise BadCampaign(f"{folder / PLAN} has format {plan.format}; this version reads 1")
        if plan != plan_of(plan.start, plan.job_ply, plan.leaf_ply):
            raise BadCampaign(f"{folder / PLAN} holds no plan of this version")
        return plan
    except FileNotFoundError as error:
        raise BadCampaign(f"no campaign in {folder}: noughts proof start GAME {folder}") from error
    except NotADirectoryError as error:
        raise BadCampaign(f"{folder} is a file, not the folder of a campaign") from error
    except (TypeError, ValueError, NotationError) as error:
        if isinstance(error, BadCampaign):
            raise
        raise BadCampaign(f"{folder / PLAN} is damaged: {error}") from error


@dataclass
class WonJob:
    """A won job."""

    expansions: int
    seconds: float
    leaves: int
    when: int
    """Seconds since 1970."""
    codes: str
    """The codes of the winning strategy, as text from `noughts.proof.log.pack`."""


@dataclass
class Campaign:
    """A campaign in a folder, as its log tells it."""

    folder: Path
    version: str = ""
    """The version of the engine and net here; results of other versions count only if they are
    won.
    """
    plan: CampaignPlan = field(init=False)
    log: Log = field(init=False)
    _start: Advanced = field(init=False)
    choices: dict[str, list[int]] = field(default_factory=dict)
    """The moves chosen at each node, by its path; the last one is current."""
    given_up: set[str] = field(default_factory=set)
    """Nodes without another move to try."""
    won: dict[str, WonJob] = field(default_factory=dict)
    failures: dict[str, list[Line]] = field(default_factory=dict)
    """Jobs tried by this version and not won."""
    waiting: list[tuple[bool, int, Task]] = field(default_factory=list)
    """A heap: choices first, jobs in a random order that depends on their paths alone."""
    to_choose: int = 0
    """Choices that are waiting."""

    def __post_init__(self) -> None:
        self.plan = read_plan(self.folder)
        place = position(self.plan.start)
        assert isinstance(place, Advanced)
        self._start = place
        self.log = Log(self.folder / "log", self.plan.rules)
        for path in OPENING:
            if not self._start.ply and len(path) % 4 == 2:
                self.choices[path[:-2]] = [_move(path[-2:])]
        for line in self.log.read():
            self._learn(line)

    def _learn(self, line: Line) -> None:
        path, rest = line.path, line.rest
        if line.kind == "choose":
            if rest[0] == "none":
                if line.version == self.version:
                    self.given_up.add(path)
            elif _move(rest[0]) not in (tried := self.choices.setdefault(path, [])):
                tried.append(_move(rest[0]))
        elif line.kind == "won":
            self.won[path] = WonJob(
                int(rest[0]), float(rest[1]), int(rest[2]), line.seconds, rest[3]
            )
        elif line.version == self.version:
            self.failures.setdefault(path, []).append(line)

    def position(self, path: str) -> Advanced:
        """Return the position of a node."""
        place = self._start
        for at in range(0, len(path), 2):
            place = place.play(_move(path[at : at + 2]))
        return place

    def children(self, path: str) -> list[str]:
        """Return the attacker's nodes after the current move of a node and each reply."""
        move = self.choices[path][-1]
        after = self.position(path).play(move)
        return [
            f"{path}{_text(move)}{_text(reply)}" for reply in _core.replies_to_answer(str(after))
        ]

    def jobs(self) -> Iterator[str]:
        """Yield the paths of the tree's jobs, depth first, except below nodes without a choice."""
        nodes = [""]
        while nodes:
            path = nodes.pop()
            if self.is_job(path):
                yield path
            elif path in self.choices:
                nodes.extend(reversed(self.children(path)))

    def open_nodes(self) -> Iterator[str]:
        """Yield the paths of nodes without a choice."""
        nodes = [""]
        while nodes:
            path = nodes.pop()
            if self.is_job(path):
                continue
            if path in self.choices:
                nodes.extend(self.children(path))
            else:
                yield path

    def is_job(self, path: str) -> bool:
        """Return whether a node is a job."""
        return len(path) // 2 + self._start.ply >= self.plan.job_ply

    # Tasks

    def plan_tasks(self) -> None:
        """Find the tasks that are left."""
        self.waiting.clear()
        self.to_choose = 0
        for path in self.open_nodes():
            self._choose(path)
        for path in self.jobs():
            self._prove(path)

    def take(self) -> Task | None:
        """Return the next task; `None` if there is none at present."""
        while self.waiting:
            is_job, _, task = heapq.heappop(self.waiting)
            self.to_choose -= not is_job
            if self.stands(task.path):
                return task
        return None

    def stands(self, path: str) -> bool:
        """Return whether current moves lead to a node, so that it is in the tree."""
        return all(
            self.choices[path[:at]][-1] == _move(path[at : at + 2]) for at in range(0, len(path), 4)
        )

    def _push(self, is_job: bool, task: Task) -> None:
        self.to_choose += not is_job
        heapq.heappush(self.waiting, (is_job, zlib.crc32(task.path.encode()), task))

    def _choose(self, path: str) -> None:
        place = self.position(path)
        before = (self.plan.job_ply - 2 - place.ply) // 2
        nodes = min(CHOICE_NODES * 4**before, MAX_CHOICE_NODES)
        self._push(False, Choose(path, str(place), nodes, tuple(self.choices.get(path, ()))))

    def _prove(self, path: str) -> None:
        if path in self.won:
            return
        tried = len(self.failures.get(path, ()))
        lost = any(line.kind == "lost" for line in self.failures.get(path, ()))
        if lost or tried >= len(BUDGETS):
            self._change(path)
        else:
            place = str(self.position(path))
            self._push(True, Prove(path, place, self.plan.leaf_ply, BUDGETS[tried]))

    def _change(self, path: str) -> None:
        """Let the parent of a node that is not won choose another move.

        Raises:
            BadCampaign: no move is left at the start.
        """
        if not path:
            raise BadCampaign("no move of the start position was proven to win")
        parent = path[:-4]
        if parent in self.given_up:
            self._change(parent)
        elif not any(task.path == parent for *_, task in self.waiting):
            self._choose(parent)

    def add(self, task: Task, done: Done) -> None:
        """Write the result of a task to the log, and find the tasks that follow."""
        if isinstance(task, Choose):
            word = "none" if done.move is None else _text(done.move)
            line = self.log.append(self.version, "choose", task.path, word, task.nodes)
            self._learn(line)
            if done.move is None:
                self._change(task.path)
            else:
                for child in self.children(task.path):
                    if self.is_job(child):
                        self._prove(child)
                    elif child not in self.choices:
                        self._choose(child)
            return
        words: tuple[object, ...] = (done.expansions, f"{done.seconds:.2f}")
        if done.verdict == "won":
            words += (done.leaves, pack(done.codes))
        self._learn(self.log.append(self.version, done.verdict, task.path, *words))
        if self.stands(task.path):
            self._prove(task.path)


@contextmanager
def opened(folder: Path, version: str) -> Iterator[Campaign]:
    """Open a campaign for work; until it is closed, no other process can.

    Raises:
        BadCampaign: no campaign, one that another process works on, or one without a move left.
        BadLog: the log is of another format or other rules.
    """
    read_plan(folder)
    with (folder / "lock").open("w") as held:
        if not lock(held):
            raise BadCampaign(f"another process works on {folder}")
        campaign = Campaign(folder, version)
        try:
            yield campaign
        finally:
            campaign.log.close()


def _move(text: str) -> int:
    return 9 * (int(text[0]) - 1) + int(text[1]) - 1


def _text(move: int) -> str:
    return f"{move // 9 + 1}{move % 9 + 1}"
