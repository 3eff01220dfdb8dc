"""Make a net of fitted weights: whole numbers, and a card.

weights ──────────► quantized ──► packed: Net ──► its file
   │                    ▲
   └─► floats: .npz ──► loaded
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from noughts import _core, nets
from noughts.train.data import CHOSEN_ROWS, SMALL_CONTENTS, SMALL_EMBEDDED, Plan

_LOGIT = 2**13
"""One in the logit of the core."""


def quantized(weights: Mapping[str, Any]) -> bytes:
    """Return weights as integers, in the order of `core/net.hpp`."""
    small = np.shape(weights["embedding"])[-1] == SMALL_EMBEDDED
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


def floats(weights: Mapping[str, Any], plan: Plan, positions: int) -> bytes:
    """Return the content of a file with the weights before rounding, for `loaded`.

    It is NumPy's `.npz`: an array for each name of the weights, `positions`, and `plan` as JSON.
    """
    file = io.BytesIO()
    arrays: dict[str, Any] = {name: np.asarray(each) for name, each in weights.items()}
    np.savez_compressed(file, plan=json.dumps(asdict(plan)), positions=positions, **arrays)
    return file.getvalue()


def loaded(file: Path) -> dict[str, Any]:
    """Return the arguments of `packed`, except the name, from a file with the content of `floats`.

    Raises:
        ValueError: the file is missing or damaged, or it lacks an array.
    """
    try:
        with np.load(io.BytesIO(file.read_bytes())) as arrays:
            weights = {name: arrays[name] for name in arrays.files}
        fields = json.loads(str(weights.pop("plan")))
        plan = Plan(**fields | {"rules": tuple(fields["rules"])})
        positions = int(weights.pop("positions"))
        size = len(quantized(weights))
    except KeyError as error:
        raise ValueError(f"{file} has no array {error}") from error
    except (OSError, EOFError, ValueError, TypeError, IndexError, BadZipFile) as error:
        raise ValueError(f"{file} holds no weights of `noughts train fit --weights`") from error
    if size not in (_core.NET_SIZE, _core.SMALL_NET_SIZE):
        sizes = f"{_core.NET_SIZE:,}, a small one {_core.SMALL_NET_SIZE:,}"
        raise ValueError(f"the weights in {file} make {size:,} bytes; a net has {sizes}")
    return {"weights": weights, "plan": plan, "positions": positions}


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
