"""Environments for agents that learn, with exact answers.

    Batch ──► many games at once, in arrays of NumPy
    label ──► the value of positions and of every action, exact where proven
    evaluate ──► a policy against the levels, and what its moves lose
    symmetries ──► images of observations and actions

They need the extra `rl`.
"""

from __future__ import annotations

from noughts.rl.batch import Batch, IllegalAction
from noughts.rl.evaluation import PolicyReport, evaluate
from noughts.rl.labels import label
from noughts.rl.symmetry import Symmetry, symmetries

__all__ = [
    "Batch",
    "IllegalAction",
    "PolicyReport",
    "Symmetry",
    "evaluate",
    "label",
    "symmetries",
]
