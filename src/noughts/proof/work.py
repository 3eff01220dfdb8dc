"""The work of a campaign: tasks without a state.

A task is a position and what to do there. The same task gives the same result on every machine
with the same engine and net.
"""

from __future__ import annotations

import hashlib
import time
from functools import cache
from typing import NamedTuple

from noughts import _core, nets
from noughts.engine import Engine
from noughts.games.registry import position
from noughts.search import Limit

ORDER_FACTOR = 16
"""Nodes to order all moves, as a multiple of the nodes to find the best one."""
LEAF_BUDGETS = (300_000, 3_000_000, 30_000_000)
"""Expansions of a leaf; all leaves of a job get the smallest budget first."""
POLICY_NODES = 1_000
"""Nodes for a move two plies before the leaves; four times as many two plies earlier, etc."""
TABLE_MIB = 16
PROBE = "advanced~O2X1X3.1X5XO.7X1.1O7.1O2X4.O7O.3O1X3.2O3XO1.X5O1X~X~4"
"""A position whose proof is hashed to name the version of engine, net and prover."""


class Choose(NamedTuple):
    """Choose the attacker's move at a node."""

    path: str
    position: str
    nodes: int
    tried: tuple[int, ...] = ()
    """Moves that were not proven to win."""


class Prove(NamedTuple):
    """Prove that the attacker wins at a node."""

    path: str
    position: str
    leaf_ply: int
    expansions: int


class Done(NamedTuple):
    """The result of a task."""

    move: int | None = None
    """Of `Choose`: the move; `None` if none is left."""
    verdict: str = ""
    """Of `Prove`: `won`, `lost` or `open`."""
    expansions: int = 0
    leaves: int = 0
    codes: bytes = b""
    seconds: float = 0.0
    """Seconds of one core."""


Task = Choose | Prove


def do(task: Task, stop: _core.StopFlag | None = None) -> Done:
    """Do a task and return its result, which does not count if `stop` ended the task."""
    began = time.thread_time()
    rules = task.position.partition("~")[0]
    if isinstance(task, Choose):
        return _choose(task, rules)._replace(seconds=time.thread_time() - began)
    verdict, codes, expansions, leaves, _ = _core.strategy(
        task.position,
        _net(rules).core,
        task.leaf_ply,
        POLICY_NODES,
        list(LEAF_BUDGETS),
        task.expansions,
        stop,
    )
    return Done(
        verdict=verdict.name,
        expansions=expansions,
        leaves=leaves,
        codes=codes,
        seconds=time.thread_time() - began,
    )


def _choose(task: Choose, rules: str) -> Done:
    engine = Engine(rules, table_mib=TABLE_MIB)
    place = position(task.position)
    if not task.tried:
        best = engine.best_move(task.position, Limit(nodes=task.nodes), method="selective")
        if best.value.is_loss:
            return Done()
        assert best.move is not None
        if place.play(best.move).outcome() is None:
            return Done(move=best.move)
        # That move ends the game as a draw: another one may win.
    order = engine.best_move(
        task.position, Limit(nodes=task.nodes * ORDER_FACTOR), method="alphabeta", moves=True
    )
    for move, value in order.moves.items():
        if move in task.tried or value.is_loss:
            continue
        if place.play(move).outcome() is None:
            return Done(move=move)
    return Done()


def _net(rules: str) -> nets.Net:
    net = nets.net_of(rules)
    assert net is not None  # one is installed for both options of `advanced`
    return net


@cache
def version(rules: str) -> str:
    """Return a fingerprint of engine, net and prover; where it is the same, so are all results."""
    net = _net(rules)
    probe = PROBE.replace("advanced", rules, 1)
    found = _core.strategy(probe, net.core, 24, POLICY_NODES, [*LEAF_BUDGETS], 10**6)
    text = f"{net.card.sha256} {LEAF_BUDGETS} {found}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]
