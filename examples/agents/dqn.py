"""DQN: a net in place of the table of Q-learning, in NumPy alone.

    games ──► memory ──some of it, mixed──► the net moves to  result, or -best reply by an older net

    python examples/agents/dqn.py FOLDER

The net sees a board and says what each move is worth, so it also answers for positions that it has
never seen: `--rules connect4:5,4` or `--rules mnk:4,4,4` have too many for a table. The folder
keeps the net and the curve; the same command continues. It needs the extra `rl`, and `plots` for
the curve as a picture.

Sources: Mnih et al., "Human-level control through deep reinforcement learning", Nature 518, 2015;
the choice of the best reply by one net and its worth by the other: van Hasselt, Guez and Silver,
"Deep Reinforcement Learning with Double Q-learning", AAAI 2016.
"""

from __future__ import annotations

import argparse
import itertools
import os
from pathlib import Path
from typing import Any

# Several threads only wait for each other with matrices as small as these.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from noughts.rl import Batch, evaluate, mistakes, symmetries
from noughts.rl.curve import Curve

WIDTHS = (256, 256)
"""Units of the hidden layers."""
AT_ONCE = 64
"""Games that are played at once."""
MEMORY = 50_000
"""The most moves in the memory; new ones replace the oldest."""
SAMPLE = 256
"""Moves in a step of training. There is one step after each move in all games."""
OLDER = 200
"""Steps after which the older net becomes a copy of the net."""
CHANCE = (1.0, 0.2)
"""The share of random moves in the first and in the last game."""
RATE = (1e-3, 1e-4)
"""How far a step changes the weights, at first and in the end (Adam, Kingma and Ba 2015)."""
PARTS = 10
"""Measurements of a training, without that before it."""

Net = list[Any]
"""A matrix and a vector for each layer."""


def new_net(inputs: int, outputs: int, rng: np.random.Generator) -> Net:
    net: Net = []
    sizes = (inputs, *WIDTHS, outputs)
    for above, below in itertools.pairwise(sizes):
        weights = rng.normal(0, (2 / above) ** 0.5, (above, below)).astype(np.float32)
        net += [weights, np.zeros(below, np.float32)]
    net[-2] *= 0.1
    return net


def layers(net: Net, boards: Any) -> list[Any]:
    """Return the units of each layer; the last are the worth of each move, from -1 to 1."""
    units = [boards.reshape(len(boards), -1).astype(np.float32)]
    for index in range(0, len(net), 2):
        found = units[-1] @ net[index] + net[index + 1]
        units.append(np.tanh(found) if index == len(net) - 2 else np.maximum(found, 0))
    return units


def worth(net: Net, boards: Any, legal: Any) -> Any:
    return np.where(legal, layers(net, boards)[-1], -np.inf)


def slopes(net: Net, boards: Any, moves: Any, targets: Any) -> Net:
    """Return the slope of the mean squared error for each weight, by the chain rule."""
    units = layers(net, boards)
    rows = np.arange(len(moves))
    error = np.zeros_like(units[-1])
    error[rows, moves] = (units[-1][rows, moves] - targets) * 2 / len(moves)
    error *= 1 - units[-1] ** 2
    found: Net = []
    for index in range(len(net) - 2, -1, -2):
        above = units[index // 2]
        found = [above.T @ error, error.sum(axis=0), *found]
        error = (error @ net[index].T) * (above > 0)
    return found


class Agent:
    """The net, its optimizer and its memory."""

    def __init__(self, rules: str, seed: int) -> None:
        batch = Batch(rules, 1)
        rng = np.random.default_rng(seed)
        self.rules, self.games, self.steps = batch.rules, 0, 0
        self.images = symmetries(rules)
        self.net = new_net(batch.observation[0].size, batch.actions, rng)
        self.older = [each.copy() for each in self.net]
        self.means = [np.zeros_like(each) for each in self.net]
        self.squares = [np.zeros_like(each) for each in self.net]
        shape = batch.observation.shape[1:]
        self.boards = np.zeros((MEMORY, *shape), np.uint8)
        self.after = np.zeros((MEMORY, *shape), np.uint8)
        self.legal = np.zeros((MEMORY, batch.actions), np.bool_)
        self.moves = np.zeros(MEMORY, np.int64)
        self.results = np.zeros(MEMORY, np.float32)
        self.over = np.zeros(MEMORY, np.bool_)
        self.known = 0

    def policy(self, boards: Any, legal: Any) -> Any:
        return worth(self.net, boards, legal).argmax(axis=1)

    def play(self, batch: Batch, rng: np.random.Generator, chance: float) -> None:
        """Play a move in each game and remember it."""
        before, side = batch.observation.copy(), batch.turn.copy()
        is_random = rng.random(batch.count) < chance
        chosen = self.policy(before, batch.legal)
        moves = np.where(is_random, batch.sample(int(rng.integers(2**32))), chosen)
        batch.step(moves)
        rows = (self.known + np.arange(batch.count)) % MEMORY
        self.boards[rows], self.after[rows] = before, batch.observation
        self.legal[rows], self.moves[rows] = batch.legal, moves
        self.results[rows] = batch.reward[np.arange(batch.count), side]
        self.over[rows] = batch.terminated
        self.known += batch.count
        self.games += int(batch.terminated.sum())
        batch.reset(mask=batch.terminated.copy())

    def learn(self, rng: np.random.Generator, rate: float) -> None:
        """Change the net by some moves of the memory, turned by a symmetry."""
        rows = rng.integers(min(self.known, MEMORY), size=SAMPLE)
        replies = worth(self.net, self.after[rows], self.legal[rows]).argmax(axis=1)
        later = layers(self.older, self.after[rows])[-1][np.arange(SAMPLE), replies]
        targets = np.where(self.over[rows], self.results[rows], -later)
        image = self.images[rng.integers(len(self.images))]
        boards, moves = image.observation(self.boards[rows]), image.actions(self.moves[rows])
        self.steps += 1
        warm = (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for number, slope in enumerate(slopes(self.net, boards, moves, targets)):
            self.means[number] += 0.1 * (slope - self.means[number])
            self.squares[number] += 0.001 * (slope**2 - self.squares[number])
            step = self.means[number] / (self.squares[number] ** 0.5 + 1e-8)
            self.net[number] -= rate * warm * step
        if self.steps % OLDER == 0:
            self.older = [each.copy() for each in self.net]

    def save(self, file: Path) -> None:
        part = file.with_name("part.npz")
        fields = {name: value for name, value in vars(self).items() if name != "images"}
        lists = {name: fields.pop(name) for name in ("net", "older", "means", "squares")}
        flat = {f"{name}{i}": each for name, found in lists.items() for i, each in enumerate(found)}
        np.savez(part, **fields, **flat)
        part.replace(file)

    def load(self, file: Path) -> None:
        with np.load(file) as kept:
            if str(kept["rules"]) != self.rules:
                raise SystemExit(f"{file} has learned {kept['rules']}: choose another folder")
            for name in ("net", "older", "means", "squares"):
                setattr(self, name, [kept[f"{name}{i}"] for i in range(len(self.net))])
            for name in ("boards", "after", "legal", "moves", "results", "over"):
                setattr(self, name, kept[name])
            self.games, self.steps, self.known = (
                int(kept[name]) for name in ("games", "steps", "known")
            )


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn a small game by a net.")
    parser.add_argument("folder", type=Path, help="for the net and the curve; made if needed")
    parser.add_argument("--rules", default="basic")
    parser.add_argument("--games", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()

    given.folder.mkdir(parents=True, exist_ok=True)
    file, curve = given.folder / "agent.npz", Curve(given.folder / "curve.jsonl")
    agent = Agent(given.rules, given.seed)
    if file.exists():
        agent.load(file)
    shown = [given.games * part // PARTS for part in range(PARTS)]
    for stop in [*(each for each in shown if each >= agent.games), given.games]:
        # New games and new dice here: so a continued run is the same as one without a pause.
        batch, rng = Batch(agent.rules, AT_ONCE), np.random.default_rng([given.seed, agent.games])
        while agent.games < stop:
            done = agent.games / given.games
            agent.play(batch, rng, CHANCE[0] + (CHANCE[1] - CHANCE[0]) * done)
            if agent.known >= SAMPLE:
                agent.learn(rng, RATE[0] + (RATE[1] - RATE[0]) * done)
        report = evaluate(agent.policy, agent.rules, seed=given.seed)
        curve.add(agent.games, report)
        agent.save(file)
        print(f"{agent.games:7,} games: regret {report.measure.regret:.3f} a move", flush=True)
    print(report)
    if Batch(agent.rules, 1).observation[0].size <= 2 * 9:
        wrong, total = mistakes(agent.policy, agent.rules)
        print(f"In {wrong:,} of all {total:,} positions the best move by the net loses value.")
    try:
        from noughts.views.agent_chart import regret_chart
    except ImportError as error:
        print(error)
        return
    chart = regret_chart(f"DQN on {agent.rules}", {"DQN": curve.points})
    (given.folder / "curve.svg").write_bytes(chart)


if __name__ == "__main__":
    main()
