"""Environments for agents that learn, with exact answers.

    Batch ──► many games at once, in arrays of NumPy

They need the extra `rl`.
"""

from __future__ import annotations

from noughts.rl.batch import Batch, IllegalAction

__all__ = ["Batch", "IllegalAction"]
