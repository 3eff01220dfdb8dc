"""The games of a match on several machines, which Ray (docs.ray.io) makes one cluster of.

    machine ──greeted──┬─ it fits ──► a room for each of its processors ◄──fixture── Cluster
                       └─ it does not: told, and left out        └──record──► yielded

A room has one game at a time, and the next fixture is taken when one is free: nothing queues up. A
room that is lost, by itself or with its machine, loses nothing but time: its game is played again.
Machines that join the cluster get rooms while the match goes on. Importing this module needs Ray.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import socket
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import ray
from ray.exceptions import RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

import noughts
from noughts.arena.bot import Fault
from noughts.arena.match import DEATHS, FAREWELL, Room, RoomLost, Waiting, try_bots
from noughts.arena.openings import Opening
from noughts.arena.schedule import Fixture, Terms
from noughts.engine import Engine
from noughts.games.record import Record, format_json_line, parse_json_line
from noughts.games.registry import load
from noughts.search import Limit

LOOK_SECONDS = 2.0
"""How often the cluster is asked for its machines."""
PATIENCE = 60.0
"""After so many seconds without a room it is told that the match waits for one."""
ANSWER_SECONDS = 5.0
"""A cluster is to answer at its address within these."""
STORE_BYTES = 80 << 20
"""Of shared memory for a cluster of this machine alone: little is sent, and Ray takes no less."""
PROBED = ("connect4", "mnk:7,7,5", "advanced", "ultimate")
PROBE = Limit(nodes=5000)
"""A search in each of these games shows whether two cores are the same."""

LINE_COLUMNS = 300
"""So much is told of an error of Ray's."""

Tell = Callable[[str], None]
"""Takes a sentence about the cluster."""


class ClusterUnavailable(RoomLost):
    """No game can be played: there is no cluster at the address, or it cannot be used from here."""


class Likeness(NamedTuple):
    """What is the same on two machines if the same games are played there; the fields are texts of
    no meaning."""

    code: str
    """Of the rulebook, the searches and the arena."""
    core: str
    """Of what the native core finds."""
    games: str
    """Of the files that make games of a user's own known."""


def likeness(files: Iterable[Path]) -> Likeness:
    """Return that of this machine, with these files of games.

    Raises:
        OSError: a file that cannot be read.
    """
    package = Path(noughts.__file__).parent
    folders = (package, *(package / name for name in ("games", "search", "arena")))
    code = hashlib.sha256()
    for file in sorted(file for folder in folders for file in folder.glob("*.py")):
        code.update(file.read_bytes())
    core = hashlib.sha256()
    for rules in PROBED:
        found = Engine(rules, table_mib=1).best_move(noughts.game(rules), PROBE)
        core.update(f"{found.move} {found.score} {found.nodes}\n".encode())
    games = hashlib.sha256(b"\n".join(file.read_bytes() for file in files))
    return Likeness(code.hexdigest(), core.hexdigest(), games.hexdigest())


class Cluster:
    """A runner with rooms on the machines of a Ray cluster.

    Where Ray is running in this process already, its cluster is used, and left running.

    Args:
        jobs: how many games are played at once, as far as the cluster has processors.
        address: of a running cluster, `HOST:PORT`, or `auto` for that of this machine; if left out
            one of this machine alone is started, and ended with the games.
        files: a folder that is sent to every machine, where bots then run; if left out the folder
            in which this process runs has to be there on each.
        tell: what is told of machines that are left out or lost, in sentences.
    """

    def __init__(
        self,
        jobs: int,
        address: str | None = None,
        *,
        files: Path | None = None,
        tell: Tell = lambda _: None,
    ) -> None:
        self._jobs = jobs
        self._address = address
        self._files = files
        self._tell = tell

    def __call__(
        self, terms: Terms, fixtures: Iterable[Fixture]
    ) -> Generator[tuple[Fixture, Record], None, None]:
        """Play the fixtures.

        Raises:
            ClusterUnavailable: there is none.
            RoomLost: no machine fits, or process after process died over one game.
            RuntimeError: a game could not be played for a reason that is no bot's; it is told.
        """
        with self._connected():
            directory = None if self._files else Path.cwd()
            yield from _Crew(terms, fixtures, self._jobs, directory, self._tell).play()

    @contextmanager
    def _connected(self) -> Iterator[None]:
        if ray.is_initialized():
            yield
            return
        settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        if self._files is not None:
            settings["runtime_env"] = {"working_dir": str(self._files)}
        if self._address is None:
            # Nobody is told that Ray was used; and GPUs are not hidden from bots.
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
            settings |= {
                "address": "local",
                "num_cpus": self._jobs,
                "include_dashboard": False,
                "object_store_memory": STORE_BYTES,
            }
        else:
            _find(self._address)
            settings["address"] = self._address
        try:
            ray.init(**settings)
        except (ConnectionError, RayError, RuntimeError, ValueError) as error:
            ray.shutdown()
            where = self._address or "this machine"
            raise ClusterUnavailable(f"no cluster at {where}: {error}") from error
        try:
            yield
        finally:
            ray.shutdown()


def _find(address: str) -> None:
    """Make sure that something answers at an address: Ray itself waits for minutes, and then ends
    the process.

    Raises:
        ClusterUnavailable: nothing does.
    """
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon or not port.isdecimal():
        return  # `auto`, or a word that Ray knows better
    try:
        socket.create_connection((host.strip("[]"), int(port)), ANSWER_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise ClusterUnavailable(f"no cluster at {address}: {error}") from error


class _Machine:
    """A machine of the cluster, a node in Ray's words."""

    def __init__(self, node: dict[str, Any]) -> None:
        self.id: str = node["NodeID"]
        self.name = f"{node['NodeManagerAddress']} ({node['NodeManagerHostname']})"
        self.processors = int(node["Resources"]["CPU"])
        self.fits = False
        self.refusal: str | None = None
        """Why it is left out."""
        self.rooms = 0
        self.failures = 0
        """How many rooms in a row could not be opened."""

    def place(self) -> dict[str, Any]:
        """Return what lets Ray put something there and nowhere else."""
        return {"scheduling_strategy": NodeAffinitySchedulingStrategy(self.id, soft=False)}


class _FarRoom(NamedTuple):
    """A room, as seen from here."""

    machine: _Machine
    actor: Any


class _Actor:
    """A room, where it is."""

    def __init__(self, terms: Terms, directory: Path | None) -> None:
        _settle(terms, directory)
        self._room = Room(terms)

    def open(self) -> None:
        """Do nothing: an answer says that the room is there."""

    def play(self, fixture: Fixture) -> str:
        return format_json_line(self._room.play(fixture))

    def close(self) -> None:
        self._room.close()


def _settle(terms: Terms, directory: Path | None) -> None:
    if directory is not None:
        os.chdir(directory)
    for path in terms.load:
        load(path)


def _greeter() -> Callable[[str, bytes], str | None]:
    """Return what, once it is on a machine, returns why that does not fit, or `None`."""

    # Being no name of this module it is sent as a whole, and runs where noughts is not.
    def greet(version: str, rest: bytes) -> str | None:
        import pickle

        try:
            import noughts
        except ImportError as error:
            return f"noughts cannot be imported there: {error}"
        if noughts.__version__ != version:
            return f"noughts is {noughts.__version__} there, and {version} here"
        from noughts.arena import cluster

        return cluster.refusal(*pickle.loads(rest))

    return greet


def refusal(terms: Terms, directory: Path | None, like: Likeness) -> str | None:
    """Return why this machine cannot play the games of a match; `None` if it can.

    Args:
        terms: of the match.
        directory: where bots are to run.
        like: of the machine that the match is started from.
    """
    try:
        _settle(terms, directory)
        here = likeness(terms.load)
    except FileNotFoundError as error:
        return f"there is no {error.filename} there"
    except Exception as error:  # whatever a user's file may raise
        return f"{type(error).__name__}: {error}"
    if here.games != like.games:
        return f"not the same there: {' '.join(map(str, terms.load))}"
    if here.code != like.code:
        return f"noughts {noughts.__version__} there has other Python code than here"
    if here.core != like.core:
        return "the native core there finds other moves than here"
    everyone = range(len(terms.entries))
    games = [Fixture(0, 0, Opening(game), x, x, 0) for game in terms.games for x in everyone]
    try:
        try_bots(terms, games)
    except Fault as fault:
        return str(fault)
    return None


class _Crew:
    """The rooms of one match."""

    def __init__(
        self,
        terms: Terms,
        fixtures: Iterable[Fixture],
        jobs: int,
        directory: Path | None,
        tell: Tell,
    ) -> None:
        self._terms = terms
        self._waiting = Waiting(fixtures)
        self._jobs = jobs
        self._directory = directory
        self._tell = tell
        self._greeting = pickle.dumps((terms, directory, likeness(terms.load)))
        self._machines: dict[str, _Machine] = {}
        self._rooms: list[_FarRoom] = []
        self._idle: list[_FarRoom] = []
        self._under_way = 0
        self._awaited: dict[Any, Callable[[Any], tuple[Fixture, Record] | None]] = {}
        """By the reference of an answer, what takes it."""
        self._next_look = 0.0
        self._told_at = time.monotonic() + PATIENCE

    def play(self) -> Generator[tuple[Fixture, Record], None, None]:
        try:
            while True:
                self._look()
                self._open_rooms()
                if not self._deal():
                    return
                if not self._awaited:
                    time.sleep(LOOK_SECONDS)
                    continue
                for answer in ray.wait([*self._awaited], timeout=LOOK_SECONDS)[0]:
                    over = self._awaited.pop(answer)(answer)
                    if over is not None:
                        yield over
        finally:
            self._close()

    def _look(self) -> None:
        """Now and then, greet machines that are new, and forget those that are gone."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + LOOK_SECONDS
        self._take_machines()
        refusals = [each.refusal for each in self._machines.values() if each.refusal]
        if refusals and len(refusals) == len(self._machines):
            raise RoomLost(f"no machine of the cluster can play: {refusals[0]}")
        if not self._idle and not self._under_way and now > self._told_at:
            self._told_at = inf
            self._tell("no processor of the cluster is free; the match waits for one")

    def _take_machines(self) -> None:
        nodes = {
            node["NodeID"]: node
            for node in ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
        }
        for gone in self._machines.keys() - nodes.keys():
            self._tell(f"{self._machines.pop(gone).name} has left the cluster")
        for new in nodes.keys() - self._machines.keys():
            machine = self._machines[new] = _Machine(nodes[new])
            greet = ray.remote(num_cpus=0, max_retries=0, **machine.place())(_greeter())
            answer = greet.remote(noughts.__version__, self._greeting)
            self._awaited[answer] = partial(self._greeted, machine)

    def _is_there(self, machine: _Machine) -> bool:
        self._take_machines()
        return machine.id in self._machines

    def _open_rooms(self) -> None:
        while len(self._rooms) < self._jobs:
            fit = [m for m in self._machines.values() if m.fits and m.rooms < m.processors]
            if not fit:
                return
            machine = min(fit, key=lambda each: each.rooms)
            actor = ray.remote(num_cpus=1, **machine.place())(_Actor)
            room = _FarRoom(machine, actor.remote(self._terms, self._directory))
            machine.rooms += 1
            self._rooms.append(room)
            self._awaited[room.actor.open.remote()] = partial(self._opened, room)

    def _deal(self) -> bool:
        """Give games to the rooms that have none; return whether there is more to come."""
        while self._idle:
            fixture = self._waiting.next()
            if fixture is None:
                return self._under_way > 0
            room = self._idle.pop()
            self._under_way += 1
            answer = room.actor.play.remote(fixture)
            self._awaited[answer] = partial(self._played, room, fixture)
        return True

    def _greeted(self, machine: _Machine, answer: Any) -> None:
        try:
            refusal = ray.get(answer)
        except RayError as error:
            refusal = _last_line(error)
        machine.fits = refusal is None
        if refusal is not None:
            self._leave_out(machine, refusal)

    def _opened(self, room: _FarRoom, answer: Any) -> None:
        try:
            ray.get(answer)
        except RayError as error:
            self._lose(room)
            room.machine.failures += 1
            if room.machine.failures == DEATHS and self._is_there(room.machine):
                self._leave_out(room.machine, _last_line(error))
        else:
            room.machine.failures = 0
            self._idle.append(room)

    def _played(
        self, room: _FarRoom, fixture: Fixture, answer: Any
    ) -> tuple[Fixture, Record] | None:
        self._under_way -= 1
        try:
            line = ray.get(answer)
        except RayTaskError as error:
            raise RuntimeError(f"game {fixture.number} could not be played:\n{error}") from error
        except RayError as error:
            self._lose(room)
            self._waiting.again(fixture, f"on {room.machine.name}: {_last_line(error)}")
            self._tell(f"game {fixture.number} was lost on {room.machine.name}; it is played again")
            return None
        self._idle.append(room)
        return fixture, parse_json_line(line)

    def _leave_out(self, machine: _Machine, refusal: str) -> None:
        machine.fits = False
        machine.refusal = f"{machine.name}: {refusal}"
        self._tell(f"{machine.name} is left out: {refusal}")

    def _lose(self, room: _FarRoom) -> None:
        self._rooms.remove(room)
        room.machine.rooms -= 1
        # One that cannot be reached may live, and would keep its processor.
        with suppress(RayError):
            ray.kill(room.actor)

    def _close(self) -> None:
        """Let the bots end that have no game, and end all others."""
        if not ray.is_initialized():
            return  # Ray would look for a cluster of its own accord
        with suppress(RayError):
            farewells = [room.actor.close.remote() for room in self._idle]
            if farewells:
                ray.wait(farewells, num_returns=len(farewells), timeout=FAREWELL)
            for room in self._rooms:
                ray.kill(room.actor)


def _last_line(error: Exception) -> str:
    """Return what an error of Ray's comes to; before it come traces and numbers."""
    return str(error).strip().rpartition("\n")[2][:LINE_COLUMNS] or type(error).__name__
