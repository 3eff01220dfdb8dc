"""Make a net of fitted weights: whole numbers, and a card.

weights ──────────► quantized ──► packed: Net ──► its file
   │    ▲               ▲                  │
   │    └───────────────│─── weights_of ◄──┘
   └─► floats: .npz ──► loaded
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np

from noughts import _core, nets
from noughts.train import gomoku_data
from noughts.train.data import (
    CHOSEN_ROWS,
    CONTENTS,
    EMBEDDED,
    HIDDEN,
    ROWS,
    SMALL_CONTENTS,
    SMALL_EMBEDDED,
    WIDTH,
    Plan,
)

_LOGIT = 2**13
"""The whole number that stands for a logit of 1 in the core."""


class _Array(NamedTuple):
    """How a net holds an array of weights."""

    shape: tuple[int, ...]
    unit: float
    """The whole number that stands for 1."""
    kind: str


_NESTED = {
    "embedding": _Array((CONTENTS, EMBEDDED), 2**6, "<i1"),
    "place": _Array((9, EMBEDDED, WIDTH), 2**6, "<i1"),
    "rows": _Array((ROWS, WIDTH), 2**9, "<i2"),
    "second": _Array((HIDDEN, WIDTH), 2**6, "<i1"),
    "second_bias": _Array((HIDDEN,), _LOGIT, "<i4"),
    "third": _Array((HIDDEN,), 2**6, "<i2"),
    "bias": _Array((), _LOGIT, "<i4"),
    "estimate": _Array((), _LOGIT * 2**10 / 10_000, "<i4"),
    "balance": _Array((), _LOGIT * 2**10 / 2**15, "<i4"),
}
"""The arrays in the order of `core/net.hpp`, with the shapes of a full net."""
_GOMOKU = {
    "vectors": _Array((gomoku_data.COUNT, gomoku_data.FEATURES), 2**6, "<i1"),
    "features_bias": _Array((gomoku_data.FEATURES,), 2**6, "<i1"),
    "second": _Array((gomoku_data.HIDDEN, 2 * gomoku_data.FEATURES), 2**6, "<i2"),
    "second_bias": _Array((gomoku_data.HIDDEN,), 2**15, "<i4"),
    "third": _Array((gomoku_data.HIDDEN,), 2**6, "<i2"),
    "bias": _Array((), _LOGIT, "<i4"),
    "estimate": _Array((), _LOGIT * 2**10 / 10_000, "<i4"),
    "moves": _Array((2 * gomoku_data.FEATURES,), 2**6, "<i2"),
}
"""The arrays in the order of `core/five_net.hpp`."""


def quantized(weights: Mapping[str, Any]) -> bytes:
    """Return weights as integers, in the order of the core."""
    arrays = _GOMOKU if "vectors" in weights else _NESTED
    small = arrays is _NESTED and np.shape(weights["embedding"])[-1] == SMALL_EMBEDDED
    parts = {"embedding": SMALL_CONTENTS, "rows": np.arange(CHOSEN_ROWS)} if small else {}

    def numbers(name: str, array: _Array) -> bytes:
        wanted = np.round(np.asarray(weights[name], np.float64) * array.unit)
        if name in parts:
            wanted = wanted[parts[name]]
        limits = np.iinfo(array.kind)
        return np.clip(wanted, limits.min, limits.max).astype(array.kind).tobytes()

    return b"".join(numbers(name, array) for name, array in arrays.items())


def weights_of(net: nets.Net) -> dict[str, Any]:
    """Return the weights of a full net as numbers, the inverse of `quantized`.

    Raises:
        ValueError: the net is small.
    """
    if net.is_small:
        raise ValueError(f"the net {net.card.name} is small: training continues full nets only")
    found, begin = {}, 0
    for name, (shape, unit, kind) in (_GOMOKU if net.is_gomoku else _NESTED).items():
        numbers = np.frombuffer(net.weights, kind, math.prod(shape), begin)
        begin += numbers.nbytes
        found[name] = (numbers.reshape(shape) / unit).astype(np.float32)
    return found


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
    if size not in (_core.NET_SIZE, _core.SMALL_NET_SIZE, _core.FIVE_NET_SIZE):
        sizes = (
            f"{_core.NET_SIZE:,}, a small one {_core.SMALL_NET_SIZE:,}, "
            f"one of Gomoku {_core.FIVE_NET_SIZE:,}"
        )
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
