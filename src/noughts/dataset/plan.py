"""What a data set holds, and how it is made."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from noughts.engine import native_position
from noughts.games.registry import game
from noughts.version import __version__

Source = Literal["all", "levels", "random", "selfplay"]
Labelling = Literal["exact", "searched"]
SOURCES: tuple[str, ...] = get_args(Source)
LABELLINGS: tuple[str, ...] = get_args(Labelling)

FACTS = "dataset.json"
"""The file of a data set with its plan and its counts."""
SPLITS = ("train", "validation", "test")
LICENCE = "cc0-1.0"
"""The default licence, by its name in the list of SPDX, in small letters."""


class BadDataset(ValueError):
    """A folder holds no data set, or a damaged one; the message says why."""


@dataclass(frozen=True)
class DatasetPlan:
    """The command that makes a data set. Equal plans make equal positions and labels."""

    rules: str
    """A rules id."""
    positions: int
    """Positions to have at the end, if the game has as many."""
    source: Source
    """Where they come from: every position, or games of levels, of chance or of the engine."""
    labels: Labelling
    """Whether every value is proven, or some are the estimates of a search."""
    nodes: int | None = None
    """Positions to search for each label, as for `noughts.rl.label`."""
    seed: int = 0
    licence: str = LICENCE
    version: str = __version__
    """That of noughts; another one may search in another way."""

    def check(self) -> DatasetPlan:
        """Return the plan with the full id of its rules.

        Raises:
            ValueError: a word or number that a plan cannot have.
            NotationError: no such rules, or rules that the core does not know.
        """
        if self.positions < 1:
            raise ValueError(f"a data set has one position or more, not {self.positions}")
        for name, value, known in (
            ("source", self.source, SOURCES),
            ("labels", self.labels, LABELLINGS),
        ):
            if value not in known:
                raise ValueError(f"{name} is one of {' '.join(known)}, not {value!r}")
        if not re.fullmatch("[a-z0-9.+-]+", self.licence):
            raise ValueError(
                f"a licence is a name in small letters, such as {LICENCE} or mit, not "
                f"{self.licence!r}"
            )
        rules = native_position(game(self.rules)).rules_id
        return DatasetPlan(**{**asdict(self), "rules": rules})

    @property
    def has_games(self) -> bool:
        """Whether the positions are those of games."""
        return self.source != "all"

    @property
    def command(self) -> str:
        """The command line that makes the data set, without its folder."""
        words = ["noughts dataset make", self.rules, f"--positions {self.positions}"]
        words += [f"--from {self.source}", f"--labels {self.labels}"]
        if self.nodes is not None:
            words.append(f"--nodes {self.nodes}")
        words.append(f"--seed {self.seed}")
        if self.licence != LICENCE:
            words.append(f"--licence {self.licence}")
        return " ".join(words)


@dataclass(frozen=True)
class Counts:
    """What was found while a data set was made."""

    rows: dict[str, int]
    """Positions of each split, the empty ones left out."""
    games: int
    """Games that were played for them; 0 if every position was listed."""
    duplicates: int
    """Positions left out, since an equal or symmetric one came before."""
    unproven: int
    """Positions left out, since a value in them is not proven."""
    proven: int
    """Positions of the data set whose value is proven."""

    @property
    def positions(self) -> int:
        """Positions of all splits."""
        return sum(self.rows.values())


@dataclass(frozen=True)
class Facts:
    """The content of `dataset.json`; without counts while the data set is being made."""

    plan: DatasetPlan
    counts: Counts | None = None

    def write(self, folder: Path) -> None:
        """Write the file as a whole.

        Raises:
            OSError: it cannot be written.
        """
        part = folder / f"{FACTS}.part"
        part.write_text(json.dumps({"schema": 1, **asdict(self)}, indent=1) + "\n", "utf-8")
        part.replace(folder / FACTS)


def facts_of(folder: Path) -> Facts:
    """Return the facts of a folder.

    Raises:
        BadDataset: the folder holds no data set.
    """
    file = folder / FACTS
    if not folder.is_dir():
        raise BadDataset(f"there is no folder {folder}")
    if not file.is_file():
        raise BadDataset(f"{folder} holds no data set of `noughts dataset make`: no {FACTS}")
    try:
        found: dict[str, Any] = json.loads(file.read_text("utf-8"))
        counts = found["counts"]
        plan = DatasetPlan(**found["plan"]).check()
        given = None if counts is None else Counts(**counts)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise BadDataset(f"{file} is damaged") from error
    return Facts(plan, given)
