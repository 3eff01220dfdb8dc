"""Positions that the engine once called even, unproven: it proves most, and calls few even."""

from __future__ import annotations

import json
from pathlib import Path

import noughts
from noughts import Engine, Limit

RULES = "ultimate:tie=boards"
KNOWN = json.loads((Path(__file__).parent / "data" / "even.json").read_text(encoding="utf-8"))
"""The moves to each position and its value, which `solve` has proven, and the counts to reach."""
EVEN = 0.01


def test_positions_once_called_even_are_proven() -> None:
    """Proven values are true, moves of proven draws hold them, and few decided ones seem even."""
    engine, solver = Engine(RULES, table_mib=16), Engine(RULES, table_mib=16)
    assert len(KNOWN["positions"]) == 40
    proven = called_even = held = 0
    for row in KNOWN["positions"]:
        engine.clear()
        position = noughts.game(RULES).after(row["moves"])
        result = engine.best_move(position, Limit(nodes=KNOWN["nodes"]))
        assert result.nodes <= KNOWN["nodes"]
        assert result.move is not None
        if not result.exact:
            called_even += row["value"] != "draw" and abs(result.score) <= EVEN
            continue
        proven += 1
        assert result.value.kind == row["value"], row["moves"]
        if result.value.is_draw and held < 5:
            held += 1
            after = solver.solve(position.play(result.move))
            assert after.value.is_draw, row["moves"]
    assert proven >= KNOWN["proven"]
    assert called_even <= KNOWN["called_even"]
    assert held == 5
