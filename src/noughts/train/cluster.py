"""Play games for training on the machines of a Ray cluster (docs.ray.io).

    shard numbers ──► a task for each processor ──► samples

A task whose machine is lost runs again on another. Importing this module needs Ray.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from itertools import islice
from typing import Any

import ray
from ray.exceptions import RayError

from noughts import nets
from noughts.arena.cluster import Likeness, connected, last_line, likeness
from noughts.arena.match import DEATHS, WorkerLost, cores
from noughts.train.data import Plan, Runner


def in_cluster(jobs: int | None = None, address: str | None = None) -> Runner:
    """Return a runner of `train.data.play` in a Ray cluster.

    Its generator raises `WorkerLost` if there is no cluster, if a machine has another version of
    noughts, or if a task is lost several times.

    Args:
        jobs: shards at once; all processors of the cluster if left out.
        address: of a running cluster, `HOST:PORT`, or `auto` for that of this machine. Default: a
            cluster on this machine alone, started and ended with the games.
    """

    def run(
        plan: Plan, net: nets.Net | None, numbers: Iterator[int]
    ) -> Generator[tuple[int, bytes], None, None]:
        running: dict[Any, int] = {}
        with connected(jobs or len(cores()), address):
            places = jobs or int(ray.cluster_resources().get("CPU", 1))
            task = ray.remote(num_cpus=1, max_retries=DEATHS)(_task())
            here, file = likeness(()), net and ray.put(net.packed())
            try:
                while True:
                    for number in islice(numbers, places - len(running)):
                        running[task.remote(plan, file, number, here)] = number
                    if not running:
                        return
                    done, _ = ray.wait([*running])
                    for each in done:
                        yield running.pop(each), ray.get(each)
            except RayError as error:
                raise WorkerLost(f"the cluster cannot play: {last_line(error)}") from error
            finally:
                for each in running:
                    ray.cancel(each, force=True)

    return run


def _task() -> Callable[[Plan, bytes | None, int, Likeness], bytes]:
    """Return a function that runs on a machine and returns the samples of a shard."""

    # Ray sends a local function by value, so that a machine without noughts can say so.
    def play(plan: Plan, file: bytes | None, number: int, driver: Likeness) -> bytes:
        import socket

        from noughts import nets
        from noughts.arena.cluster import likeness
        from noughts.train.data import shard

        if likeness(()) != driver:
            raise RuntimeError(f"{socket.gethostname()} has another version of noughts")
        return shard(plan, nets.unpacked(file) if file else None, number)

    return play
