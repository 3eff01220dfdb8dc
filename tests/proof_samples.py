"""Small campaigns: positions that a side wins, their folders and their certificates."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from noughts.proof import campaign as campaigns
from noughts.proof.certificate import Certificate, of_campaign
from noughts.proof.run import run
from noughts.work.parallel import in_threads

TOOLS = Path(__file__).parents[1] / "tools"

WON = {
    "X": "advanced~2XO2X2.1XO6.1OO3X2.O3X4.5O3.O1X2XOX1.3X1O1O1.X4O3.5X3~X~3",
    "O": "advanced~1O4X1X.1XXOO2O1.1O7.1X2O4.3X2XX1.2X2O3.X3O2O1.OX3X3.6O2~O~3",
    "X, full=draw": "advanced:full=draw~2X6.4XX3.1OX2OXO1.2O6.1O5O1.O1XX4O.5O1X1.2O2X2O.4X2X1~X~8",
    "O, full=draw": "advanced:full=draw~4O2XO.X6O1.O2O5.1O3X1X1.2X3X2.3O2O2.3X3OO.XX4XO1.2X2X3~O~8",
}
"""Positions of plies 22 and 23 that the side to move wins."""
NOT_WON = "advanced~2X3X2.4OOX1X.3O1O3.OX6X.O1X5O.1X6X.1O5O1.3XX4.1O1OX3O~X~9"
"""A position of ply 24 that the side to move does not win."""


def plan_of(start: str) -> campaigns.CampaignPlan:
    """Return a plan with jobs two plies and leaves four plies below a start."""
    ply = start.split("~")[1].count("X") + start.split("~")[1].count("O")
    return campaigns.plan_of(start, ply + 2, ply + 4)


def proven(start: str, folder: Path) -> Certificate:
    """Run a campaign to its end; return its certificate."""
    campaigns.start(folder, plan_of(start))
    *_, last = run(folder, in_threads(1))
    assert last.is_proven
    return of_campaign(campaigns.Campaign(folder))


def compiled(source: Path, folder: Path) -> Path:
    """Compile a program of `tools/`; skip the test where there is no compiler."""
    name, *standard = ("cc",) if source.suffix == ".c" else ("c++", "-std=c++20")
    compiler = shutil.which(name)
    if compiler is None:
        if "CI" in os.environ:
            pytest.fail(f"no {name}")
        pytest.skip(f"no {name}: apt-get install g++")
    program = folder / source.stem
    command: list[str | Path] = [compiler, *standard, "-O2", "-Wall", source, "-lm", "-o", program]
    subprocess.run(command, check=True)
    return program
