"""Hints: always a reason, and every claim true; `hint_checks.py` proves each another way."""

from __future__ import annotations

import json
import random
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from hint_checks import REASONS, THREATS, all_codes, check
from needs import CORE_WASM, needs_node, needs_wasm
from samples import NIM, data, games_restored, random_game
from sentence_checks import over

import noughts
from noughts import _core
from noughts.explain.facts import by_rules, threat_of_other
from noughts.explain.hint import HintSentence, hint
from noughts.games import registry
from noughts.games.hint_phrases import HINTS
from noughts.games.position import Position
from noughts.judgement.judge import Judge
from noughts.search import Limit, SearchResult, Value
from noughts.views.modules import bundle, ordered
from noughts.web import bundles

RULES = {
    "basic": 4,
    "mnk:2,3,2": 4,
    "mnk:3,3,1": 2,
    "mnk:4,4,3": 3,
    "mnk:3,3,3,misere": 4,
    "mnk:4,4,3,misere": 4,
    "mnk:7,7,4": 2,
    "mnk:5,5,3,exact": 4,
    "mnk:4,4,3,exact,misere": 4,
    "mnk:9,9,5": 1,
    "mnk:15,15,5": 1,
    "connect4": 4,
    "connect4:5,4,3": 4,
    "advanced": 2,
    "advanced:full=draw": 2,
    "ultimate": 2,
    "ultimate:tie=boards": 3,
    "ultimate:won=open": 2,
}
"""Rules, with the number of games whose hints are checked."""


@pytest.fixture(autouse=True)
def _short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.judgement.judge.SOLVED", {})


def positions(rules_id: str, games: int, rng: random.Random) -> Iterator[tuple[Position, Judge]]:
    """Yield unfinished positions of random games and of games with good moves, with a judge."""
    start = noughts.game(rules_id)
    for number in range(games):
        judge = Judge(start, Limit(nodes=rng.choice((50, 1_000, 10_000))))
        if number % 2:
            for place in random_game(start, rng):
                if not over(place) and rng.random() < 0.5:
                    yield place, judge
            continue
        place = start
        while not over(place):
            if len(place.legal_moves()) < 100 or rng.random() < 0.2:
                yield place, judge
            best = judge.values(place).move
            assert best is not None
            place = place.play(best if rng.random() < 0.7 else rng.choice(place.legal_moves()))


def checked(rules_id: str, games: int) -> Counter[str]:
    """Check the hints of some games; return how often each code is in them."""
    rng = random.Random(rules_id)
    codes: Counter[str] = Counter()
    for place, judge in positions(rules_id, games, rng):
        result = judge.values(place)
        assert result.move is not None
        codes += check(place, result.move, result.moves, hint(place, result))
    assert codes
    return codes


@pytest.mark.parametrize("rules_id", RULES)
def test_hints_of_games_are_true(rules_id: str) -> None:
    checked(rules_id, RULES[rules_id])


@pytest.mark.soak
@pytest.mark.parametrize("rules_id", RULES)
def test_hints_of_many_games_are_true(rules_id: str) -> None:
    checked(rules_id, 50 * RULES[rules_id])


OTHERS = {"play", "said"}
"""Codes for games that the core does not know."""


class Example(NamedTuple):
    """A hint of `data/hints.json`: a position, the values of its moves, and the sentences."""

    position: str
    values: str
    """The move to play first: `9:w3 2:d 5:u55`, with plies or the expected score in per cent."""
    text: str
    page: str

    def found(self) -> tuple[Position, int, dict[int, Value], list[HintSentence]]:
        position = noughts.position(self.position)
        values: dict[int, Value] = {}
        for word in self.values.split():
            text, _, told = word.partition(":")
            number = int(told[1:]) if told[1:] else None
            values[position.parse_move(text)] = {
                "w": Value.win(number),
                "d": Value.draw(),
                "l": Value.loss(number),
                "u": Value.unknown(((number or 0) - 50) / 50),
            }[told[0]]
        result = replace(EMPTY, position=position, move=next(iter(values)), moves=values)
        return position, next(iter(values)), values, hint(position, result)


EMPTY = SearchResult(None, 0.0, False, False, 0, 0, 0.0, noughts.game("basic"))
EXAMPLES = [Example(**each) for each in data("hints")]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example.position))
def test_examples(example: Example) -> None:
    position, move, values, said = example.found()
    check(position, move, values, said)
    assert " ".join(map(str, said)) == example.text
    assert " ".join(each.phrase.on_page() for each in said) == example.page


def test_every_code_has_an_example_and_a_check() -> None:
    said = [sentence.phrase for each in EXAMPLES for sentence in each.found()[-1]]
    codes = {code for each in said for code in all_codes(each)}
    assert codes >= set(HINTS) - OTHERS
    assert set(THREATS) | set(REASONS) <= codes


@needs_node
@needs_wasm
def test_examples_are_the_same_in_the_browser(tmp_path: Path) -> None:
    modules = bundles.modules()
    entries = ("/static/core/core.js", "/static/core/hints.js")
    needed = {each.address: each for entry in entries for each in ordered(modules, entry)}
    names = [modules[entry].name for entry in entries]
    script = f"""
        import {{ readFileSync }} from "node:fs";
        {bundle(needed.values())}
        const core = await {names[0]}.loadCore(readFileSync({json.dumps(str(CORE_WASM))}));
        const KINDS = {{ w: "win", d: "draw", l: "loss", u: "unknown" }};
        const valueOf = (word) => {{
          const [move, told] = word.split(":");
          const number = told.length > 1 ? Number(told.slice(1)) : null;
          return {{ move, value: KINDS[told[0]], plies: number, chance: number }};
        }};
        for (const {{ position, values }} of {json.dumps([each._asdict() for each in EXAMPLES])}) {{
          const said = {names[1]}.told(core.hint(position, values.split(" ").map(valueOf)));
          console.log(JSON.stringify(said));
        }}
    """
    (tmp_path / "hints.mjs").write_text(script, encoding="utf-8")
    command = ["node", str(tmp_path / "hints.mjs")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    for example, sentences in zip(EXAMPLES, found, strict=True):
        _, _, _, said = example.found()
        assert " ".join(each["text"] for each in sentences) == example.page
        assert [each["claim"] for each in sentences] == [each.phrase.code for each in said]
        for each, sketch in zip(said, (each["sketch"] for each in sentences), strict=True):
            if each.sketch is None:
                assert sketch is None
            else:
                move, player, rings, sends = each.sketch
                shown = {"move": move, "player": player.value, "rings": [*rings], "sends": sends}
                assert sketch == shown


KINDS = {
    **dict.fromkeys(("wins-line", "wins-board", "wins-count"), "wins"),
    "ends-drawn": "draws",
    **dict.fromkeys(("blocks", "blocks-line"), "blocks"),
    "two-threats": "two_threats",
    "threatens": "threatens",
    "every-answer": "every_answer",
    "no-answer": "no_good_answer",
    **dict.fromkeys(("takes-board", "takes-towards"), "takes_board"),
    "takes-needed": "stops_boards",
    **dict.fromkeys(("denies-board", "denies-line"), "denies_board"),
    "denies-game": "denies_game",
    **dict.fromkeys(("threatens-board", "threatens-line"), "two_in_line"),
    **dict.fromkeys(("sends-won", "sends-dead"), "sends_in_vain"),
    "gains-board": "gains_board",
    **dict.fromkeys(("spares", "spares-alone"), "spares"),
    "opens-row": "opens",
    "stops-row": "stops_open",
    "awaits": "awaits",
}
"""Reasons that explanations give, too, with their kinds of facts."""


def test_explanations_have_the_same_reasons() -> None:
    seen = set()
    for example in EXAMPLES:
        position, move, _, said = example.found()
        kinds = {fact.kind for fact in by_rules(position, move)}
        for each in said:
            reason = each.phrase.arguments.get("reason")
            if reason and reason.code in KINDS:
                seen.add(reason.code)
                assert KINDS[reason.code] in kinds, example
            if each.phrase.code == "threat":
                threat = threat_of_other(position)
                assert threat is not None
                assert each.sketch is not None
                assert len(each.sketch.rings) == len(threat.moves)
    assert seen == set(KINDS)


def test_a_game_of_a_user_has_hints() -> None:
    with games_restored():
        registry.load(NIM)
        start = noughts.game("nim")
        said = hint(start, Judge(start).values(start))
    assert [each.phrase.code for each in said] == ["play", "said"]
    assert str(said[0]).startswith("Play ")


@pytest.mark.parametrize(
    "values", ["", "5", "5:", "5:x", "5:w3 5:d", "0:d", "5:dd", "5:w99999999999999999999"]
)
def test_the_core_refuses_wrong_values(values: str) -> None:
    with pytest.raises(ValueError, match="cannot read"):
        _core.hint("basic~XOX.XO1.OXX~O" if "5" not in values else "basic~3.3.3~X", values)
