"""Fit the weights of a net to positions, with JAX (extra `train`).

    samples ──► batches, each turned by a random symmetry ──► Adam ──► weights

The network is that of `core/net.hpp`. Its target is a proven win or loss, or else a mix of the
search's judgement and the result of the game; its loss is the cross-entropy of the expected result.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from noughts.train.data import (
    CELLS,
    CHOSEN_ROWS,
    CONTENTS,
    EMBEDDED,
    HIDDEN,
    IMAGES,
    ROWS,
    SMALL_EMBEDDED,
    TURNED_ROWS,
    WIDTH,
    Samples,
)

JUDGEMENT = 0.7
"""The share of the search in the target; the rest is the result of the game."""
HALF = 2458
"""The balance, in the unit of nets, whose estimate is 1/2."""
BATCH, RATE, FINE_RATE = 8192, 4e-3, 1e-3
"""Positions of a step, the first step size of a new net, and that of a continued net."""
LARGEST = 127 / 64
"""The largest weight that fits into a byte."""
HELD_OUT = 20_000
"""Positions that only measure the loss, at most one in fifty."""

Weights = dict[str, Any]


class Epoch(NamedTuple):
    """The state after an epoch; the first `Epoch` is the state before training."""

    number: int
    loss: float
    """The loss on the positions held out, in nats."""
    weights: Weights


def fit(
    samples: Samples,
    epochs: int = 8,
    seed: int = 0,
    *,
    small: bool = False,
    first: Weights | None = None,
) -> Iterator[Epoch]:
    """Yield the state before training and after each epoch, of a small net or a full one.

    Args:
        samples: the positions.
        epochs: passes over them.
        seed: of the first weights and the order of the positions.
        small: whether the net is small.
        first: the weights to continue from; random ones if left out.

    Raises:
        ValueError: fewer positions than a batch.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(samples.score))
    held = min(HELD_OUT, len(order) // 50)
    test, train = order[:held], order[held:]
    steps = len(train) // BATCH
    if not steps:
        raise ValueError(f"{len(order):,} positions are too few: a net needs {BATCH:,} or more")
    if first is None:
        weights = _first(jax.random.PRNGKey(seed), SMALL_EMBEDDED if small else EMBEDDED)
    else:
        weights = {name: jnp.asarray(each) for name, each in first.items()}
    rate = RATE if first is None else FINE_RATE
    optimizer = optax.adam(optax.cosine_decay_schedule(rate, epochs * steps))
    state = optimizer.init(weights)
    columns = _columns(samples)

    def batch(rows: Any) -> tuple[Any, ...]:
        return tuple(column[rows] for column in columns)

    measured = jax.jit(_loss)
    step = jax.jit(partial(_step, optimizer))
    yield Epoch(0, float(measured(weights, *batch(test))), weights)
    for epoch in range(1, epochs + 1):
        rng.shuffle(train)
        for begin in range(0, steps * BATCH, BATCH):
            symmetries = rng.integers(0, 8, BATCH)
            weights, state = step(weights, state, symmetries, *batch(train[begin : begin + BATCH]))
        yield Epoch(epoch, float(measured(weights, *batch(test))), weights)


def target_of(score: Any, result: Any) -> Any:
    """Return the expected results to learn, from 0 to 1: the proven ones, or else a mix."""
    mixed = JUDGEMENT * score + (1 - JUDGEMENT) * result
    return (1 + np.where(np.abs(score) == 1, score, mixed)) / 2


def _columns(samples: Samples) -> tuple[Any, ...]:
    target = target_of(samples.score, samples.result)
    estimate = samples.balance / (HALF + np.abs(samples.balance))
    return samples.contents, samples.rows, estimate, samples.balance / 2**15, target


def _first(key: Any, embedded: int) -> Weights:
    """Return random weights, which begin near the hand-written evaluation."""
    keys = jax.random.split(key, 4)
    return {
        "embedding": 0.1 * jax.random.normal(keys[0], (CONTENTS, embedded)),
        "place": 0.2 * jax.random.normal(keys[1], (9, EMBEDDED, WIDTH)),
        "rows": jnp.zeros((ROWS, WIDTH)).at[:CHOSEN_ROWS].set(0.1),
        "second": 0.2 * jax.random.normal(keys[2], (HIDDEN, WIDTH)),
        "second_bias": jnp.full(HIDDEN, 0.1),
        "third": 0.2 * jax.random.normal(keys[3], (HIDDEN,)),
        "bias": jnp.zeros(()),
        "estimate": jnp.array(2.0),
        "balance": jnp.array(0.0),
    }


def _logit(weights: Weights, contents: Any, rows: Any, estimate: Any, balance: Any) -> Any:
    embedding = weights["embedding"]
    if embedding.shape[1] == SMALL_EMBEDDED:
        embedding = embedding[IMAGES.T].reshape(CONTENTS, EMBEDDED)
    embedded = embedding[contents]
    total = jnp.einsum("nbi,bij->nj", embedded, weights["place"])
    total += weights["rows"][rows].sum(1)
    hidden = jnp.clip(total, 0, 1) @ weights["second"].T + weights["second_bias"]
    learned = jnp.clip(hidden, 0, 1) @ weights["third"] + weights["bias"]
    return learned + weights["estimate"] * estimate + weights["balance"] * balance


def _loss(weights: Weights, *batch: Any) -> Any:
    *inputs, target = batch
    logit = _logit(weights, *inputs)
    return jnp.mean(jnp.logaddexp(0, logit) - target * logit)


def _step(
    optimizer: Any, weights: Weights, state: Any, symmetries: Any, contents: Any, *rest: Any
) -> tuple[Weights, Any]:
    """Return weights and state after a batch, whose positions are turned by symmetries."""
    rows, *others = rest
    boards = jnp.take_along_axis(contents, jnp.asarray(CELLS)[symmetries], 1)
    turned = jnp.asarray(IMAGES)[symmetries[:, None], boards]
    turned_rows = jnp.asarray(TURNED_ROWS)[symmetries[:, None], rows]
    gradient = jax.grad(_loss)(weights, turned, turned_rows, *others)
    updates, state = optimizer.update(gradient, state, weights)
    weights = optax.apply_updates(weights, updates)
    bounded = {name: jnp.clip(weights[name], -LARGEST, LARGEST) for name in _BYTES}
    return weights | bounded, state


_BYTES = ("embedding", "place", "second")
