"""AlphaZero: a net learns Connect Four from games against itself, with a search that it guides.

    net ──search()──► a better choice of moves ──play()──► games ──fit()──► a better net

    python examples/agents/alphazero.py FOLDER

The folder keeps the net and the curve, again after every 25 rounds; the same command continues. Any
rules of Connect Four will do: `--rules connect4:5,4`. It needs the extra `baselines`, and `plots`
for the curve as a picture.

Sources: Silver et al., "A general reinforcement learning algorithm that masters chess, shogi and Go
through self-play", Science 362, 2018. The search is that of Danihelka et al., "Policy improvement
by planning with Gumbel", ICLR 2022, in the library mctx.
"""

from __future__ import annotations

import argparse
import itertools
import pickle
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import mctx
import numpy as np
import optax

from noughts.games.lines import lines
from noughts.games.registry import game
from noughts.games.row import ConnectFour
from noughts.rl import MoveMeasure, evaluate, measure
from noughts.rl.curve import Curve

WIDTH, LAYERS = 256, 3
"""Units of a hidden layer, and their number."""
GAMES, MOVES = 256, 20
"""Games at once, and moves of each in a round."""
RANDOM = 0.1
"""The share of moves that are random, so that the net learns from poor positions, too."""
KEPT = 40
"""Rounds whose positions are used for training, at most."""
BATCH, STEPS = 1024, 30
"""Positions in a step of training, and steps in a round."""
RATE = 1e-3
"""How far a step changes the weights at first; a tenth in the last round."""
SHOWN = 25
"""Rounds from one measurement to the next."""
LEVELS = 2, 5, 8
"""The opponents in those measurements."""

Net = list[tuple[Any, Any]]
"""The weights of each layer: a matrix and a vector."""


# The rules, as far as a search inside JAX needs them. A board is an array (rows, columns, 2) of the
# marks of the side to move and of the other, as an observation of `noughts.rl`.


class Rules:
    """A game of Connect Four."""

    def __init__(self, rules: str) -> None:
        start = game(rules)
        if not isinstance(start, ConnectFour):
            raise SystemExit(f"this file plays Connect Four, not {rules}")
        self.id, given = start.rules_id, start.rules
        self.shape = given.rows, given.columns, 2
        self.in_line = given.k
        found = [
            [mask >> cell & 1 for cell in range(given.size)]
            for mask in lines(given.columns, given.rows, given.k)
        ]
        self.lines = jnp.array(found, jnp.float32).T
        """(cells, lines): which cells each line has."""

    def start(self, games: int) -> Any:
        return jnp.zeros((games, *self.shape))

    def legal(self, boards: Any) -> Any:
        """Return which columns are not full."""
        return boards[:, 0].sum(-1) == 0

    def drop(self, boards: Any, columns: Any) -> tuple[Any, Any, Any]:
        """Play a move on each board: return the boards, and which are won, and which are over."""
        games = jnp.arange(len(boards))
        free = (boards.sum(-1) == 0)[games, :, columns].sum(-1)
        played = boards.at[games, free - 1, columns, 0].set(1)
        counts = played[..., 0].reshape(len(boards), -1) @ self.lines
        won = (counts == self.in_line).any(-1)
        return (
            played[..., ::-1],
            won,
            won | (played.sum((1, 2, 3)) == self.shape[0] * self.shape[1]),
        )


# The net: from a board to a preference for each move, and the expected result.


def new_net(rules: Rules, key: Any) -> Net:
    rows, columns, _ = rules.shape
    sizes = [2 * (rows * columns + rules.lines.shape[1]), *[WIDTH] * LAYERS, columns + 1]
    net = []
    for number, (above, below) in enumerate(itertools.pairwise(sizes)):
        scale = (2 / above) ** 0.5 if number < LAYERS else 0.01
        weights = scale * jax.random.normal(jax.random.fold_in(key, number), (above, below))
        net.append((weights, jnp.zeros(below)))
    return net


def judge(rules: Rules, net: Net, boards: Any) -> tuple[Any, Any]:
    """Return the logits of the moves, and the expected result from -1 to 1."""
    boards = boards.astype(jnp.float32)
    marks = jnp.moveaxis(boards, -1, 1).reshape(len(boards), 2, -1)
    # The marks in each line: what wins is part of the rules.
    in_lines = marks @ rules.lines / rules.in_line
    units = jnp.concatenate([marks, in_lines], -1).reshape(len(boards), -1)
    for number, (weights, bias) in enumerate(net[:-1]):
        new = jax.nn.relu(units @ weights + bias)
        units = units + new if number else new
    weights, bias = net[-1]
    found = units @ weights + bias
    return jnp.where(rules.legal(boards), found[:, :-1], -1e9), jnp.tanh(found[:, -1])


# The search: the moves that it prefers are the lesson for the net.


def search(rules: Rules, net: Net, boards: Any, key: Any, simulations: int, noise: float) -> Any:
    """Search each board with the net."""

    def simulate(net: Net, _: Any, columns: Any, boards: Any) -> tuple[Any, Any]:
        after, won, over = rules.drop(boards, columns)
        logits, value = judge(rules, net, after)
        step = mctx.RecurrentFnOutput(
            reward=won.astype(jnp.float32),
            # What is good for the next player is bad for this one.
            discount=jnp.where(over, 0.0, -1.0),
            prior_logits=logits,
            value=jnp.where(over, 0.0, value),
        )
        return step, after

    logits, value = judge(rules, net, boards)
    return mctx.gumbel_muzero_policy(
        net,
        key,
        mctx.RootFnOutput(prior_logits=logits, value=value, embedding=boards),
        simulate,
        simulations,
        invalid_actions=~rules.legal(boards),
        qtransform=partial(mctx.qtransform_completed_by_mix_value, use_mixed_value=True),
        gumbel_scale=noise,
    )


class Samples(NamedTuple):
    """Positions for training."""

    boards: Any
    moves: Any
    """The share that the search gives to each move."""
    results: Any
    """The result for the side to move, -1 to 1."""


def play(
    rules: Rules, simulations: int, net: Net, boards: Any, key: Any
) -> tuple[Any, Samples, Any]:
    """Play moves in all games: return the boards, the samples, and how many games have ended."""

    def move(boards: Any, key: Any) -> tuple[Any, tuple[Any, ...]]:
        for_search, for_chance, for_move = jax.random.split(key, 3)
        found = search(rules, net, boards, for_search, simulations, noise=1.0)
        is_random = jax.random.bernoulli(for_chance, RANDOM, (GAMES,))
        chances = jnp.where(rules.legal(boards), 0.0, -jnp.inf)
        columns = jnp.where(is_random, jax.random.categorical(for_move, chances), found.action)
        after, won, over = rules.drop(boards, columns)
        expected = found.search_tree.summary().value
        step = boards.astype(jnp.uint8), found.action_weights, won, over, expected, is_random
        return jnp.where(over[:, None, None, None], 0.0, after), step

    boards, (seen, weights, won, over, expected, is_random) = jax.lax.scan(
        move, boards, jax.random.split(key, MOVES)
    )

    def back(later: Any, step: tuple[Any, ...]) -> tuple[Any, Any]:
        won, over, expected, is_random = step
        result = jnp.where(over, won.astype(jnp.float32), -later)
        # What follows a random move says little of the position before it.
        result = jnp.where(is_random, expected, result)
        return result, result

    ended = over.sum()
    # A game in progress counts as what the search expects of its last position.
    over = over.at[-1].set(True)
    is_random = is_random.at[-1].set(~won[-1])
    steps = won, over, expected, is_random
    _, results = jax.lax.scan(back, expected[-1], steps, reverse=True)
    samples = Samples(seen, weights, results)
    flat = Samples(*(each.reshape(-1, *each.shape[2:]) for each in samples))
    return boards, flat, ended


OPTIMIZER = optax.chain(
    optax.clip_by_global_norm(1.0), optax.scale_by_adam(), optax.add_decayed_weights(1e-4)
)


def fit(rules: Rules, net: Net, state: Any, samples: Samples, rate: float) -> tuple[Net, Any, Any]:
    """Make a step of training; return the net, the optimizer's state and the loss."""

    def loss(net: Net) -> Any:
        logits, value = judge(rules, net, samples.boards)
        moves = optax.softmax_cross_entropy(logits, samples.moves)
        return (moves + (value - samples.results) ** 2).mean()

    found, slopes = jax.value_and_grad(loss)(net)
    changes, state = OPTIMIZER.update(slopes, state, net)
    return optax.apply_updates(net, jax.tree.map(lambda each: -rate * each, changes)), state, found


def policy(rules: Rules, net: Net, simulations: int) -> Callable[[Any, Any], Any]:
    """Return the net as a policy of `noughts.rl`: alone, or with a search."""

    def alone(boards: Any, _: Any) -> Any:
        return judge(rules, net, boards)[0].argmax(-1)

    def searching(boards: Any, key: Any) -> Any:
        return search(rules, net, boards, key, simulations, noise=0.0).action

    choose = jax.jit(searching if simulations else alone)

    def act(observation: Any, _: Any) -> Any:
        count = len(observation)
        # JAX compiles for each size: few sizes are enough, from 16 boards on.
        size = 1 << max(count - 1, 15).bit_length()
        boards = np.zeros((size, *rules.shape), np.float32)
        boards[:count] = observation
        return np.asarray(choose(boards, jax.random.key(0)))[:count]

    return act


def measure_on(folder: Path, act: Callable[[Any, Any], Any], rules: Rules) -> MoveMeasure:
    """Measure a policy on the positions of a data set, without playing games."""
    import pyarrow.dataset

    rows = pyarrow.dataset.dataset(folder / "data").to_table().to_pylist()
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    boards = columns["observation"].astype(np.uint8).reshape(-1, *rules.shape)
    return measure(columns, act(boards, None))


class Agent:
    """All that an interrupted training needs to continue."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.rules_id = rules.id
        self.net = new_net(rules, jax.random.key(seed))
        self.state = OPTIMIZER.init(self.net)
        self.boards = rules.start(GAMES)
        self.kept: list[Samples] = []
        self.rounds = self.games = 0
        self.seconds = 0.0


def load(file: Path, rules: Rules, seed: int) -> Agent:
    if not file.exists():
        return Agent(rules, seed)
    agent: Agent = pickle.loads(file.read_bytes())
    if agent.rules_id != rules.id:
        raise SystemExit(f"{file} has learned {agent.rules_id}: choose another folder")
    return agent


def save(file: Path, agent: Agent) -> None:
    part = file.with_suffix(".part")
    part.write_bytes(pickle.dumps(jax.device_get(agent)))
    part.replace(file)


def train_round(agent: Agent, steps: Any, rate: float, seed: int) -> float:
    """Play and learn once; return the last loss."""
    play_round, fit_step = steps
    key = jax.random.fold_in(jax.random.key(seed), agent.rounds)
    agent.boards, samples, ended = play_round(agent.net, agent.boards, key)
    agent.kept = [*agent.kept, jax.device_get(samples)][-KEPT:]
    everything = Samples(*(np.concatenate(each) for each in zip(*agent.kept, strict=True)))
    rng = np.random.default_rng([seed, agent.rounds])
    for _ in range(STEPS):
        rows = rng.integers(len(everything.results), size=BATCH)
        chosen = Samples(*(each[rows] for each in everything))
        if rng.random() < 0.5:  # The mirror image teaches as much.
            chosen = Samples(chosen.boards[:, :, ::-1], chosen.moves[:, ::-1], chosen.results)
        agent.net, agent.state, loss = fit_step(agent.net, agent.state, chosen, rate)
    agent.rounds += 1
    agent.games += int(ended)
    return float(loss)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train AlphaZero on Connect Four.")
    parser.add_argument("folder", type=Path, help="for the net and the curve; made if needed")
    parser.add_argument("--rules", default="connect4")
    parser.add_argument("--rounds", type=int, default=150)
    parser.add_argument("--simulations", type=int, default=32, help="of the search, a move")
    parser.add_argument("--games", type=int, default=4, help="against each level, at the end")
    parser.add_argument(
        "--data", type=Path, help="a data set of proven positions, to measure the agent on, too"
    )
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()

    rules = Rules(given.rules)
    given.folder.mkdir(parents=True, exist_ok=True)
    file = given.folder / "agent.pickle"
    agent = load(file, rules, given.seed)
    curve = Curve(given.folder / "curve.jsonl")
    steps = (
        jax.jit(partial(play, rules, given.simulations)),
        jax.jit(partial(fit, rules)),
    )
    while True:
        if agent.rounds % SHOWN == 0 or agent.rounds >= given.rounds:
            save(file, agent)
            report = evaluate(
                policy(rules, agent.net, 0), rules.id, games=4, levels=LEVELS, seed=given.seed
            )
            curve.add(agent.games, report)
            print(
                f"{agent.rounds} rounds, {agent.games:,} games, {agent.seconds / 60:.1f} minutes: "
                f"regret {report.measure.regret:.3f} a move",
                flush=True,
            )
        if agent.rounds >= given.rounds:
            break
        began = time.monotonic()
        rate = RATE * max(1 - 0.9 * agent.rounds / given.rounds, 0.1)
        train_round(agent, steps, rate, given.seed)
        agent.seconds += time.monotonic() - began
    for simulations in (0, given.simulations):
        print(f"\n{simulations} simulations a move:")
        act = policy(rules, agent.net, simulations)
        if given.data:
            print(measure_on(given.data, act, rules), flush=True)
        print(evaluate(act, rules.id, games=given.games, seed=given.seed), flush=True)
    try:
        from noughts.views.agent_chart import regret_chart
    except ImportError as error:
        print(error)
        return
    chart = regret_chart(f"AlphaZero on {rules.id}", {"the net alone": curve.points})
    (given.folder / "curve.svg").write_bytes(chart)


if __name__ == "__main__":
    main()
