"""The Ray cluster of commands with `--ray`."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from noughts.cli.output import fail
from noughts.extras import missing

RayFlag = Annotated[
    bool, typer.Option("--ray", help="Work in a Ray cluster, started here if none runs.")
]
RayAddressOption = Annotated[
    str | None,
    typer.Option(help="Work in a running cluster: HOST:PORT, or auto for one on this machine."),
]


def cluster_address(given: str | None) -> str | None:
    """Prepare for Ray, and return the address of its cluster; `None` to start one here.

    Args:
        given: the address in the command line.
    """
    # Otherwise Ray prints messages about machines to stdout.
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
    try:
        import ray  # noqa: F401
    except ImportError as error:
        fail(missing("--ray", error.name, "cluster"), 2)
    # Ray sets this variable for programs that it starts in a cluster.
    return given or os.environ.get("RAY_ADDRESS") or None
