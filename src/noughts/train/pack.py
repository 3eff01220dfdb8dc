"""Make a net of fitted weights: whole numbers, and a card.

weights ──► quantized ──► packed: Net ──► its file
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from noughts import nets
from noughts.train.data import CHOSEN_ROWS, SMALL_CONTENTS, SMALL_EMBEDDED, Plan

_LOGIT = 2**13
"""One in the logit of the core."""


def quantized(weights: Mapping[str, Any]) -> bytes:
    """Return weights as integers, in the order of `core/net.hpp`."""
    small = weights["embedding"].shape[1] == SMALL_EMBEDDED
    parts = {"embedding": SMALL_CONTENTS, "rows": np.arange(CHOSEN_ROWS)} if small else {}

    def numbers(name: str, factor: float, kind: str) -> bytes:
        wanted = np.round(np.asarray(weights[name], np.float64) * factor)
        if name in parts:
            wanted = wanted[parts[name]]
        limits = np.iinfo(kind)
        return np.clip(wanted, limits.min, limits.max).astype(kind).tobytes()

    return b"".join(
        (
            numbers("embedding", 2**6, "<i1"),
            numbers("place", 2**6, "<i1"),
            numbers("rows", 2**9, "<i2"),
            numbers("second", 2**6, "<i1"),
            numbers("second_bias", _LOGIT, "<i4"),
            numbers("third", 2**6, "<i2"),
            numbers("bias", _LOGIT, "<i4"),
            numbers("estimate", _LOGIT * 2**10 / 10_000, "<i4"),
            numbers("balance", _LOGIT * 2**10 / 2**15, "<i4"),
        )
    )


def packed(weights: Mapping[str, Any], name: str, plan: Plan, positions: int) -> nets.Net:
    """Return a net with its card."""
    return nets.made(
        name,
        plan.rules,
        quantized(weights),
        positions=positions,
        nodes=plan.nodes,
        seed=plan.seed,
        generation=plan.generation,
    )
