"""Q-learning: a table of what each move is worth, learned from games against itself.

    Q[position, move] ──the best move, or one of chance──► the position after it
          ▲                                                   │
          └── the result; or the worth of the best reply, with the opposite sign

    python examples/agents/q_learning.py FOLDER

Two million numbers fit into a table: this works on boards of up to nine cells, such as
`--rules mnk:3,3,3,misere`. The folder keeps the table and the curve; the same command continues.
It needs the extra `rl`, and `plots` for the curve as a picture.

Source: Watkins, "Learning from Delayed Rewards", 1989. The turned sign is that of minimax: what is
good for one side is bad for the other.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from noughts.rl import Batch, Symmetry, evaluate, mistakes, symmetries
from noughts.rl.curve import Curve

AT_ONCE = 50
"""Games that are played at once; each position and move is learned by itself all the same."""
CHANCE = 0.8
"""The share of moves that are random, so that every position comes up."""
RATE = 1.0
"""How far a number moves to what was just seen. All the way: nothing here is left to luck."""
SHOWN = (0, 100, 300, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
"""The numbers of games after which the agent is measured."""


def codes(observation: Any) -> Any:
    """Return a number for each position: its cells in base 3, own marks 1, the other side's 2."""
    cells = observation.reshape(len(observation), -1, 2).astype(np.int64)
    return (cells[..., 0] + 2 * cells[..., 1]) @ 3 ** np.arange(cells.shape[1])


def best(table: Any, observation: Any, legal: Any) -> Any:
    """Return the legal move with the highest number in each position."""
    return np.where(legal, table[codes(observation)], -np.inf).argmax(axis=1)


def learn(table: Any, batch: Batch, images: list[Symmetry], rng: np.random.Generator) -> int:
    """Play a move in each game, and note what it was worth; return how many games have ended."""
    rows = np.arange(batch.count)
    before, side = batch.observation.copy(), batch.turn.copy()
    is_random = rng.random(batch.count) < CHANCE
    moves = np.where(
        is_random,
        batch.sample(int(rng.integers(2**32))),
        best(table, batch.observation, batch.legal),
    )
    batch.step(moves)
    replies = np.where(batch.legal, table[codes(batch.observation)], -np.inf)
    worth = np.where(batch.terminated, batch.reward[rows, side], -replies.max(axis=1))
    for image in images:  # Symmetric positions have symmetric moves: learn them, too.
        place = codes(image.observation(before)), image.actions(moves)
        table[place] += RATE * (worth - table[place])
    ended = int(batch.terminated.sum())
    batch.reset(mask=batch.terminated.copy())
    return ended


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn a small board by a table.")
    parser.add_argument("folder", type=Path, help="for the table and the curve; made if needed")
    parser.add_argument("--rules", default="basic")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()

    batch = Batch(given.rules, AT_ONCE)
    cells = batch.observation[0].size // 2
    if cells > 9:
        raise SystemExit(f"{given.rules} has {cells} cells: a table holds boards of nine or fewer")
    given.folder.mkdir(parents=True, exist_ok=True)
    file, curve = given.folder / "table.npz", Curve(given.folder / "curve.jsonl")
    table, games = np.zeros((3**cells, batch.actions), np.float32), 0
    if file.exists():
        kept = np.load(file)
        if str(kept["rules"]) != batch.rules:
            raise SystemExit(f"{file} has learned {kept['rules']}: choose another folder")
        table, games = kept["table"], int(kept["games"])
    images = symmetries(batch.rules)
    shown = {each for each in SHOWN if games <= each < given.games} | {given.games}
    for stop in sorted(shown):
        # New games and new dice here: so a continued run is the same as one without a pause.
        batch, rng = Batch(given.rules, AT_ONCE), np.random.default_rng([given.seed, games])
        while games < stop:
            games += learn(table, batch, images, rng)
        report = evaluate(lambda *seen: best(table, *seen), batch.rules, seed=given.seed)
        curve.add(games, report)
        part = file.with_name("part.npz")
        np.savez(part, table=table, games=games, rules=batch.rules)
        part.replace(file)
        print(f"{games:7,} games: regret {report.measure.regret:.3f} a move", flush=True)
    print(report)
    wrong, total = mistakes(lambda *seen: best(table, *seen), batch.rules)
    print(f"In {wrong:,} of all {total:,} positions the best move by the table loses value.")
    try:
        from noughts.views.agent_chart import regret_chart, report_chart
    except ImportError as error:
        print(error)
        return
    chart = regret_chart(f"Q-learning on {batch.rules}", {"Q-learning": curve.points})
    (given.folder / "curve.svg").write_bytes(chart)
    (given.folder / "report.svg").write_bytes(report_chart(report))


if __name__ == "__main__":
    main()
