"""Swap2 on pages without a server: the scripts agree with Python on phases, undo and sentences."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from needs import CORE_WASM, NODE, needs_node, needs_wasm
from site_views import assert_same, site_views

import noughts
from noughts.answers.files import import_games
from noughts.arena.openings import EVEN, EVEN_NODES, is_large_board
from noughts.engine import Engine
from noughts.explain.situation import swap2_situation
from noughts.games.position import Player
from noughts.games.record import Record, format_text
from noughts.games.swap2 import Choice, Swap2
from noughts.search import Limit
from noughts.site import build
from noughts.views.modules import bundle, ordered

LINES: tuple[tuple[Choice, ...], ...] = (
    (),
    ("O",),
    ("X",),
    ("more",),
    ("more", "O"),
    ("more", "X"),
)
MOVES = ("h8", "h9", "i8", "a1", "b1", "c1", "d1", "e1")


def kept(made: tuple[Choice, ...], number: int, people: list[Player]) -> dict[str, Any]:
    """Return a game as a page without a server keeps it, and the part of its position it needs."""
    seats = {each.value.lower(): "me" if each in people else "random" for each in Player}
    game: dict[str, Any] = {
        "id": "1",
        "version": 1,
        "result": "*",
        "termination": "",
        "next": None,
        "lines": [],
        "moves": MOVES[:number],
        "undone": MOVES[number:],
        "comments": {},
        "choices": made,
        "score": {"x": 0, "o": 0, "draws": 0},
        **seats,
    }
    return {"game": game, "position": {"turn": "XO"[number % 2], "outcome": None}}


def by_python(made: tuple[Choice, ...], number: int, people: list[Player]) -> dict[str, Any]:
    """Return what the server has of the same game."""
    swap2, moves = Swap2(made), MOVES[:number]
    choices, actor = swap2.choices_at(number), swap2.side_of(swap2.player_at(number))
    person = people[0] if len(people) == 1 else None
    act = swap2.last_act(number, person)
    said = {side: swap2_situation(swap2, moves, swap2.player_of(side)) for side in Player}
    others = swap2_situation(swap2, moves)
    can = ["vary", "delete", "resign", *(["undo"] if act else [])]
    if actor in people:
        can.append("choose" if choices else "move")
    redone = None
    if number < len(MOVES) and not choices:
        can.append("redo")
        redone = number + 1
        while redone < len(MOVES) and not swap2.choices_at(redone):
            if person in (None, swap2.side_of(swap2.player_at(redone))):
                break
            redone += 1
    return {
        "swap2": {
            "first": swap2.side_of(1).value,
            "decided": swap2.is_decided,
            "side": actor.value,
            "choices": [*choices],
            "stones": swap2.stones,
            "situation": others and {"-": others, **{each.value: said[each] for each in Player}},
        },
        "can": sorted(can),
        "yours": [each.value for each in people],
        "counts": [act and act.moves, redone],
    }


@needs_node
def test_the_scripts_have_the_same_phases(tmp_path: Path) -> None:
    states = [
        (made, number, people)
        for made in LINES
        for number in range(len(MOVES) + 1)
        for people in ([*Player], [Player.X], [Player.O])
        if Swap2(made).can_have(number)
    ]
    assert len(states) > 60
    found = site_views(tmp_path, [kept(*state) for state in states])
    for state, view in zip(states, found, strict=True):
        assert_same(view, by_python(*state), state)


def test_an_imported_game_has_its_choices() -> None:
    start = noughts.game("mnk:9,9,5")
    for made in LINES:
        game = Record.from_moves(start, [0, 20, 40, 60, 80][: 5 if "more" in made else 3])
        assert "choices" not in import_games(format_text(game))[0]
        Swap2(made).tag(game)
        (found,) = import_games(format_text(game))
        assert found["choices"] == [*made]


EVEN_SCRIPT = """
import { readFileSync } from "node:fs";
const core = await loadCore(readFileSync(process.argv[2]));
for (const line of readFileSync(0, "utf8").trim().split("\\n")) {
  const { position, count, even } = JSON.parse(line);
  let state = 7;
  const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
  const engine = core.engine(core.position(position).rules, { tableMib: 16 });
  console.log(JSON.stringify(evenStones(core, engine, position, count, even, random)));
  engine.delete();
}
"""


@needs_node
@needs_wasm
def test_stones_of_the_script_are_even_by_the_engine_s_estimate(tmp_path: Path) -> None:
    script = bundle(ordered(build.modules(), "/static/core/even.js"))
    script += "const { evenStones } = $_static_core_even;\n"
    script += "const { loadCore } = $_static_core_core;\n"
    (tmp_path / "even.mjs").write_text(script + EVEN_SCRIPT, encoding="utf-8")
    even = build.site_data([])["even"]
    large = noughts.game("mnk:15,15,5").after("h8 a1 o15")
    asked = [(noughts.game("mnk:11,9,5"), 3), (large, 2), (noughts.game("mnk:6,6,4"), 3)]
    told = [{"position": str(start), "count": count, "even": even} for start, count in asked]
    assert NODE is not None
    done = subprocess.run(
        [NODE, str(tmp_path / "even.mjs"), str(CORE_WASM)],
        input="\n".join(map(json.dumps, told)),
        capture_output=True,
        text=True,
        check=True,
    )
    for (start, count), line in zip(asked, done.stdout.splitlines(), strict=True):
        texts = json.loads(line)
        assert len(set(texts)) == count
        place = start.after(texts)  # The stones are legal.
        if is_large_board(start):
            engine = Engine(place.rules_id, table_mib=16, net="no")  # as the script's
            value = engine.best_move(place, Limit(nodes=EVEN_NODES)).value
            assert value.estimate is not None
            assert abs(value.estimate) <= EVEN
