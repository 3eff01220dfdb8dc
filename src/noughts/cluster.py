"""Independent pieces of work on the machines of a Ray cluster (docs.ray.io).

    take() ──► item ──► a task for each processor ──► (item, result)

A task whose machine is lost runs again on another. Importing this module needs Ray.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import ray
from ray import cloudpickle
from ray.exceptions import RayError

from noughts.arena.cluster import Likeness, connected, last_line, likeness
from noughts.arena.match import DEATHS, WorkerLost, cores
from noughts.work.parallel import Item, Result, Runner, Take, Work


def in_cluster(jobs: int | None = None, address: str | None = None) -> Runner:
    """Return a runner in a Ray cluster.

    Its generator raises `WorkerLost` if there is no cluster, if a machine has another version of
    noughts, or if a task is lost several times.

    Args:
        jobs: pieces of work at once; all processors of the cluster if left out.
        address: of a running cluster, `HOST:PORT`, or `auto` for that of this machine. Default: a
            cluster on this machine alone, started and ended with the work.
    """

    def run(
        work: Work[Item, Result], take: Take[Item]
    ) -> Generator[tuple[Item, Result], None, None]:
        running: dict[Any, Item] = {}
        with connected(jobs or len(cores()), address):
            places = jobs or int(ray.cluster_resources().get("CPU", 1))
            task = ray.remote(num_cpus=1, max_retries=DEATHS)(_task())
            packed, here = ray.put(cloudpickle.dumps(work)), likeness(())
            try:
                while True:
                    while len(running) < places and (item := take()) is not None:
                        running[task.remote(packed, item, here)] = item
                    if not running:
                        return
                    done, _ = ray.wait([*running])
                    for each in done:
                        yield running.pop(each), ray.get(each)
            except RayError as error:
                raise WorkerLost(f"the cluster cannot work: {last_line(error)}") from error
            finally:
                for each in running:
                    ray.cancel(each, force=True)

    return run


def _task() -> Callable[[bytes, Any, Likeness], Any]:
    """Return a function that does a piece of work on a machine."""

    # Ray sends a local function by value, so that a machine without noughts can say so.
    def do(packed: bytes, item: Any, driver: Likeness) -> Any:
        import pickle
        import socket

        from noughts._core import StopFlag
        from noughts.arena.cluster import likeness

        if likeness(()) != driver:
            raise RuntimeError(f"{socket.gethostname()} has another version of noughts")
        return pickle.loads(packed)(item, StopFlag())

    return do
