"""MENACE, the Matchbox Educable Noughts And Crosses Engine: 300 matchboxes that learn to play.

    the box of the position ──► a bead, drawn by chance ──► its cell
          ▲                                                    │ … the game ends
          └── won: 3 beads more in each box used; drawn: 1 more; lost: the drawn bead is taken away

    python examples/agents/menace.py FOLDER

Donald Michie's machine had the boxes of the first player. This one has those of both, and plays
against itself. Positions that are equal up to rotation and reflection share a box. The folder keeps
the beads, the curve, and a drawing of the first boxes; the same command continues. It needs the
extra `rl`, and `plots` for the curve as a picture.

Source: Michie, "Experiments on the mechanization of game-learning", The Computer Journal 6, 1963.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from noughts.games.words import count
from noughts.rl import Batch, evaluate, mistakes, symmetries
from noughts.rl.curve import Curve
from noughts.views.svg import LIGHT

FIRST_BEADS = (4, 4, 3, 3, 2, 2, 1, 1, 1)
"""Beads of each move in a new box, by the marks on the board."""
CHANGES = {1: 3, 0: 1, -1: -1}
"""Beads added for the moves of the side that has won, drawn or lost."""
SHOWN = (0, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
"""The numbers of games after which the agent is measured."""
IMAGES = symmetries("basic")


class Boxes:
    """The matchboxes: the beads of the nine cells, by the position that is drawn on the lid."""

    def __init__(self) -> None:
        self.beads: dict[str, list[int]] = {}
        self._places: dict[bytes, tuple[str, int]] = {}

    def place(self, observation: Any) -> tuple[str, int]:
        """Return the box of a position, and the symmetry that turns the position into its lid."""
        key = observation.tobytes()
        if key not in self._places:
            turned = [_lid(image.observation(observation)) for image in IMAGES]
            lid = min(turned)
            self._places[key] = lid, turned.index(lid)
            if lid not in self.beads:
                number = FIRST_BEADS[9 - lid.count(".")]
                self.beads[lid] = [number if cell in _choices(lid) else 0 for cell in range(9)]
        return self._places[key]

    def draw(self, observation: Any, rng: np.random.Generator) -> tuple[int, str, int]:
        """Draw a bead: return the move, the box and the cell on its lid."""
        lid, turn = self.place(observation)
        beads = np.array(self.beads[lid], float)
        cell = int(rng.choice(9, p=beads / beads.sum()))
        return int(np.flatnonzero(IMAGES[turn].images == cell)[0]), lid, cell

    def best(self, observations: Any, _: Any) -> Any:
        """Return the move with most beads in each position."""
        moves = []
        for observation in observations:
            lid, turn = self.place(observation)
            cell = int(np.argmax(self.beads[lid]))
            moves.append(int(np.flatnonzero(IMAGES[turn].images == cell)[0]))
        return np.array(moves)

    def teach(self, lid: str, cell: int, change: int) -> None:
        """Add beads of a cell to a box, or take them away; the last bead of a box stays."""
        beads = self.beads[lid]
        beads[cell] = max(beads[cell] + change, 0)
        if not any(beads):
            beads[cell] = 1


def _lid(observation: Any) -> str:
    """Return nine characters: X for the side to move, O for the other, a point for nobody."""
    mine, theirs = observation.reshape(9, 2).T
    return "".join("X" if m else "O" if t else "." for m, t in zip(mine, theirs, strict=True))


def _choices(lid: str) -> set[int]:
    """Return the free cells of a lid, of those that are symmetric only the first."""
    same = [each for each in IMAGES if "".join(lid[cell] for cell in each.cells) == lid]
    return {min(int(each.images[cell]) for each in same) for cell in range(9) if lid[cell] == "."}


def play(boxes: Boxes, batch: Batch, rng: np.random.Generator) -> None:
    """Play a game and learn from it."""
    batch.reset()
    drawn: list[tuple[int, str, int]] = []
    while not batch.terminated[0]:
        side = int(batch.turn[0])
        move, lid, cell = boxes.draw(batch.observation[0], rng)
        drawn.append((side, lid, cell))
        batch.step([move])
    for side, lid, cell in drawn:
        boxes.teach(lid, cell, CHANGES[int(batch.reward[0, side])])


def drawing(boxes: Boxes) -> str:
    """Return the first boxes of X and O as SVG: the lid, and the beads of each cell."""
    lids = sorted(boxes.beads, key=lambda lid: (-lid.count("."), lid))[:12]
    wide, high, ink, paper = 180, 190, LIGHT.ink, LIGHT.paper
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {6 * wide + 20} {2 * high + 20}" '
        f'role="img" font-family="system-ui, sans-serif"><title>Matchboxes of MENACE</title>'
        f'<rect width="100%" height="100%" fill="{paper}"/>'
    ]
    for number, lid in enumerate(lids):
        x, y = 20 + number % 6 * wide, 20 + number // 6 * high
        beads, total = boxes.beads[lid], sum(boxes.beads[lid])
        parts.append(
            f'<g transform="translate({x} {y})"><rect width="160" height="170" rx="6" '
            f'fill="{LIGHT.card}" stroke="{LIGHT.line}"/><path d="M54 14v132M102 14v132'
            f'M10 56h140M10 102h140" stroke="{LIGHT.line}" transform="translate(3 0)"/>'
        )
        for cell in range(9):
            across, down = 34 + cell % 3 * 47, 34 + cell // 3 * 46
            if lid[cell] != ".":
                colour = LIGHT.x if lid[cell] == "X" else LIGHT.o
                parts.append(
                    f'<text x="{across}" y="{down + 9}" text-anchor="middle" font-size="26" '
                    f'font-weight="bold" fill="{colour}">{lid[cell]}</text>'
                )
            elif beads[cell]:
                # The area of a bead is the share of its cell, that is, its chance.
                radius = 3 + 16 * (beads[cell] / total) ** 0.5
                parts.append(
                    f'<circle cx="{across}" cy="{down}" r="{radius:.1f}" fill="{LIGHT.good}" '
                    f'fill-opacity="0.8"/>'
                )
        parts.append(
            f'<text x="80" y="163" text-anchor="middle" font-size="11" fill="{ink}">'
            f"{count(total, 'bead')}</text></g>"
        )
    return "".join([*parts, "</svg>\n"])


def main() -> None:
    parser = argparse.ArgumentParser(description="Teach matchboxes tic-tac-toe.")
    parser.add_argument("folder", type=Path, help="for the beads and the curve; made if needed")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()

    given.folder.mkdir(parents=True, exist_ok=True)
    file, curve = given.folder / "boxes.json", Curve(given.folder / "curve.jsonl")
    boxes, batch, games = Boxes(), Batch("basic", 1), 0
    if file.exists():
        kept = json.loads(file.read_text())
        boxes.beads, games = kept["beads"], kept["games"]
    shown = {each for each in SHOWN if games <= each < given.games} | {given.games}
    for stop in sorted(shown):
        # New dice here: so a continued run is the same as one without a pause.
        rng = np.random.default_rng([given.seed, games])
        while games < stop:
            play(boxes, batch, rng)
            games += 1
        report = evaluate(boxes.best, "basic", seed=given.seed)
        curve.add(games, report)
        part = file.with_suffix(".part")
        part.write_text(json.dumps({"games": games, "beads": boxes.beads}))
        part.replace(file)
        print(
            f"{games:7,} games, {len(boxes.beads)} boxes: "
            f"regret {report.measure.regret:.3f} a move",
            flush=True,
        )
    print(report)
    wrong, total = mistakes(boxes.best, "basic")
    print(f"In {wrong:,} of all {total:,} positions the move with most beads loses value.")
    (given.folder / "boxes.svg").write_text(drawing(boxes), encoding="utf-8")
    try:
        from noughts.views.agent_chart import regret_chart
    except ImportError as error:
        print(error)
        return
    (given.folder / "curve.svg").write_bytes(
        regret_chart("MENACE: matchboxes learn tic-tac-toe", {"MENACE": curve.points})
    )


if __name__ == "__main__":
    main()
