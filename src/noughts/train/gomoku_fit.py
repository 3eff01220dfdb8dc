"""Fit the weights of a net of Gomoku to positions, with JAX (extra `train`).

    positions ──► batches ──► Adam ──► weights

The network is that of `core/five_net.hpp`. It learns the result, as nets of nine-board games do,
and the search's move: the loss is the cross-entropy of the expected result, and a part of that of
the move.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from noughts.train.fit import FINE_RATE, HELD_OUT, RATE, Epoch, Weights, target_of
from noughts.train.gomoku_data import COUNT, FEATURES, HIDDEN, Positions

BATCH = 1_024
"""Positions of a step."""
MOVES = 0.3
"""The part of the loss of the moves."""
LARGEST, LARGEST_HIDDEN = 127 / 64, 8.0
"""The largest feature and number of a vector, and the largest unit of the hidden layer."""
SCALE = 16
"""What divides the sum of a feature over the cells."""
ROUNDED = 8_192
"""The number of cells of a batch is rounded up to a multiple, so that few steps are compiled."""


def fit(
    positions: Positions, epochs: int = 8, seed: int = 0, *, first: Weights | None = None
) -> Iterator[Epoch]:
    """Yield the state before training and after each epoch.

    Args:
        positions: the positions; the last ones only measure the loss.
        epochs: passes over them.
        seed: of the first weights and the order of the positions.
        first: the weights to continue from; random ones if left out.

    Raises:
        ValueError: fewer positions than two batches.
    """
    batches = _Batches(positions)
    count = len(positions.score)
    held = max(min(HELD_OUT, count // 20) // BATCH, 1) * BATCH
    train, test = np.arange(count - held), np.arange(count - held, count)
    steps = len(train) // BATCH
    if not steps:
        raise ValueError(f"{count:,} positions are too few: a net needs {2 * BATCH:,} or more")
    if first is None:
        weights = _first(jax.random.PRNGKey(seed))
    else:
        weights = {name: jnp.asarray(each) for name, each in first.items()}
    rate = RATE if first is None else FINE_RATE
    optimizer = optax.adam(optax.cosine_decay_schedule(rate, epochs * steps))
    state = optimizer.init(weights)
    step = jax.jit(partial(_step, optimizer))
    measured = jax.jit(lambda weights, *batch: _losses(weights, *batch)[1])

    def loss() -> float:
        parts = [
            measured(weights, *batches.of(test[at : at + BATCH])) for at in range(0, held, BATCH)
        ]
        return float(np.mean(parts))

    yield Epoch(0, loss(), weights)
    rng = np.random.default_rng(seed)
    for epoch in range(1, epochs + 1):
        rng.shuffle(train)
        for begin in range(0, steps * BATCH, BATCH):
            weights, state = step(weights, state, *batches.of(train[begin : begin + BATCH]))
        yield Epoch(epoch, loss(), weights)


class _Batches:
    """Batches of positions: the cells of all in one array, rounded up."""

    def __init__(self, positions: Positions) -> None:
        self.positions = positions
        self.begin = np.cumsum(positions.cells) - positions.cells
        self.target = target_of(positions.score, positions.result)

    def of(self, rows: NDArray[np.int64]) -> tuple[Any, ...]:
        """Return the vectors of the cells, and the position of each; of the positions, the chosen
        cells, whether there is one, estimates and targets."""
        positions, count = self.positions, len(rows)
        cells = positions.cells[rows]
        first, total = np.cumsum(cells) - cells, cells.sum()
        at = np.repeat(self.begin[rows] - first, cells) + np.arange(total)
        size = -(-total // ROUNDED) * ROUNDED
        lines = np.zeros((size, 8), np.int32)
        lines[:total] = positions.lines[at]
        owners = np.full(size, count, np.int32)
        owners[:total] = np.repeat(np.arange(count), cells)
        has_move = positions.chosen[rows] >= 0
        chosen = np.where(has_move, first + positions.chosen[rows], 0)
        return (
            lines,
            owners,
            chosen,
            has_move.astype(np.float32),
            positions.estimate[rows],
            self.target[rows],
        )


def _first(key: Any) -> Weights:
    """Return random weights, which begin near the estimate from the patterns."""
    keys = jax.random.split(key, 4)
    return {
        "vectors": 0.15 * jax.random.normal(keys[0], (COUNT, FEATURES)),
        "features_bias": jnp.full(FEATURES, 0.1),
        "second": 0.1 * jax.random.normal(keys[1], (HIDDEN, 2 * FEATURES)),
        "second_bias": jnp.full(HIDDEN, 0.1),
        "third": 0.1 * jax.random.normal(keys[2], (HIDDEN,)),
        "bias": jnp.zeros(()),
        "estimate": jnp.array(2.0),
        "moves": 0.1 * jax.random.normal(keys[3], (2 * FEATURES,)),
    }


def logits(weights: Weights, lines: Any, owners: Any, estimate: Any) -> tuple[Any, Any]:
    """Return the logit of the expected result of each position, and that of each cell as a move."""
    vectors, bias = weights["vectors"][lines], weights["features_bias"]
    views = [vectors[:, :4].sum(1) + bias, vectors[:, 4:].sum(1) + bias]
    features = jnp.clip(jnp.concatenate(views, 1), 0, LARGEST)
    count = len(estimate)
    sums = jax.ops.segment_sum(features, owners, count + 1, indices_are_sorted=True)[:count]
    hidden = sums / SCALE @ weights["second"].T + weights["second_bias"]
    learned = jnp.clip(hidden, 0, LARGEST_HIDDEN) @ weights["third"] + weights["bias"]
    return learned + weights["estimate"] * estimate, features @ weights["moves"]


def _losses(
    weights: Weights,
    lines: Any,
    owners: Any,
    chosen: Any,
    has_move: Any,
    estimate: Any,
    target: Any,
) -> tuple[Any, Any]:
    """Return the loss of a batch, and its part for the expected result."""
    logit, moves = logits(weights, lines, owners, estimate)
    of_result = jnp.mean(jnp.logaddexp(0, logit) - target * logit)
    count = len(estimate)
    most = jax.ops.segment_max(moves, owners, count + 1, indices_are_sorted=True)
    powers = jnp.exp(moves - most[owners])
    total = jax.ops.segment_sum(powers, owners, count + 1, indices_are_sorted=True)
    wrong = (jnp.log(total) + most)[:count] - moves[chosen]
    of_move = jnp.sum(has_move * wrong) / jnp.maximum(jnp.sum(has_move), 1)
    return of_result + MOVES * of_move, of_result


def _step(optimizer: Any, weights: Weights, state: Any, *batch: Any) -> tuple[Weights, Any]:
    gradient = jax.grad(_losses, has_aux=True)(weights, *batch)[0]
    updates, state = optimizer.update(gradient, state, weights)
    weights = optax.apply_updates(weights, updates)
    return weights | {"vectors": jnp.clip(weights["vectors"], -LARGEST, LARGEST)}, state
