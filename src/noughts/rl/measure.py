"""What moves lose: in all proven positions, and in those in which the choice matters.

labels of positions, an action in each ──measure()──► MoveMeasure
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from noughts.games.words import percent


class MoveMeasure(NamedTuple):
    """How good moves are, measured by exact values.

    A position is *proven* if its value and that of every legal move are proven. In a proven
    position *the choice matters* if two legal moves differ in value. In the others every move is
    optimal, so a share of all proven positions flatters a poor player.
    """

    proven: int
    """Legal moves in proven positions."""
    optimal: int
    """Those of them that kept the value."""
    lost: int
    """The value that all of them lost: 1 for a win turned into a draw or a draw into a loss, 2 for
    a win turned into a loss."""
    matters: int
    """Those in positions in which the choice matters."""

    @property
    def optimal_share(self) -> float:
        """The share of optimal moves in proven positions; NaN without any."""
        return self.optimal / self.proven if self.proven else math.nan

    @property
    def regret(self) -> float:
        """The mean of the value lost in proven positions, 0 to 2; NaN without any."""
        return self.lost / self.proven if self.proven else math.nan

    @property
    def matters_optimal_share(self) -> float:
        """The share of optimal moves where the choice matters; NaN without any such position."""
        kept = self.optimal - (self.proven - self.matters)
        return kept / self.matters if self.matters else math.nan

    @property
    def matters_regret(self) -> float:
        """The mean of the value lost where the choice matters; NaN without any such position."""
        return self.lost / self.matters if self.matters else math.nan

    def as_data(self) -> dict[str, Any]:
        """Return both measures for JSON; `None` is that of no move."""
        return {
            "proven": self.proven,
            "optimal_share": self.optimal_share if self.proven else None,
            "regret": self.regret if self.proven else None,
            "matters": self.matters,
            "matters_optimal_share": self.matters_optimal_share if self.matters else None,
            "matters_regret": self.matters_regret if self.matters else None,
        }

    def __str__(self) -> str:
        lines = ["positions              moves  optimal  regret"]
        for name, moves, share, regret in (
            ("proven", self.proven, self.optimal_share, self.regret),
            ("the choice matters", self.matters, self.matters_optimal_share, self.matters_regret),
        ):
            numbers = f"{percent(share):>9}{regret:8.3f}" if moves else f"{'-':>9}{'-':>8}"
            lines.append(f"{name:18}{moves:10,}{numbers}")
        return "\n".join(lines)


def measure(labels: Mapping[str, npt.NDArray[Any]], actions: npt.ArrayLike) -> MoveMeasure:
    """Measure an action in each of some positions.

    Illegal actions, and those in positions that are not proven, are left out.

    >>> from noughts.rl import label
    >>> measure(label(["basic~3.3.3~X", "basic~3.1X1.3~O"]), [0, 1])
    MoveMeasure(proven=2, optimal=1, lost=1, matters=1)

    Args:
        labels: of the positions, as `noughts.rl.label` returns them or a data set has them:
            `proven`, `value`, `move_values` and `move_proven`.
        actions: integers (positions).

    Raises:
        ValueError: not one action a position.
        TypeError: the actions are no integers.
    """
    values, count = labels["move_values"], len(labels["value"])
    chosen = np.asarray(actions)
    if chosen.shape != (count,):
        raise ValueError(f"{count} positions need as many actions, not the shape {chosen.shape}")
    if chosen.dtype.kind not in "iu":
        raise TypeError(f"actions are integers, not {chosen.dtype}")
    legal = ~np.isnan(values)
    # Which positions count must not depend on the action: bad moves are harder to prove.
    proven = labels["proven"] & (labels["move_proven"] | ~legal).all(axis=1)
    inside = (chosen >= 0) & (chosen < values.shape[1])
    kept = np.where(inside, chosen, 0)
    rows = np.flatnonzero(proven & inside & legal[np.arange(count), kept])
    lost = labels["value"][rows] - values[rows, kept[rows]]
    worst = np.where(legal, values, np.inf).min(axis=1)[rows]
    return MoveMeasure(
        len(rows),
        int((lost == 0).sum()),
        int(lost.sum()),
        int((worst < labels["value"][rows]).sum()),
    )
