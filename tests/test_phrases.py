"""The table of phrases, and what the core says of positions and moves beside the Python rules.

core.wasm runs in Node, with the scripts of the page that turn phrases into sentences.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from needs import CORE_WASM, needs_node, needs_wasm
from samples import RULES_IDS, random_game
from scripts import write_module

import noughts
from noughts.answers.positions import line_data, parse_line, refusal_data
from noughts.answers.rules import rules_data
from noughts.conformance import REFUSED_POSITIONS, REFUSED_RULES
from noughts.games.hint_phrases import HINTS, HINTS_ON_PAGE
from noughts.games.phrases import ON_PAGE, PHRASES, phrase
from noughts.games.position import IllegalMove, NotationError, Player, Position
from noughts.games.progress import LOST
from noughts.games.registry import GAMES
from noughts.games.words import title_and_rule
from noughts.site import build
from noughts.views.modules import bundle, ordered

ROOT = Path(__file__).parents[1]
IDS = [each for each in RULES_IDS if each.partition(":")[0] in GAMES]


TITLES = [
    *IDS,
    *(
        "mnk:7,6,4",
        "mnk:7,6,4,misere",
        "mnk:6,6,4,exact,misere",
        "mnk:3,3,3,misere",
        "connect4:6,5",
        "connect4:6,7,5",
    ),
    *("connect4:9,6,5", "ultimate:tie=boards,won=open", "advanced:full=draw"),
]


class Case(NamedTuple):
    """A line of moves from a start, and moves to be refused after it."""

    start: str
    moves: Sequence[str] = ()
    refused: Sequence[str] = ()


@pytest.mark.parametrize(("table", "file"), [("", "phrases"), ("hints", "hint_phrases")])
def test_the_scripts_have_the_same_table(table: str, file: str) -> None:
    command = [sys.executable, "tools/phrases.py", *filter(None, [table])]
    written = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    there = ROOT / f"src/noughts/web/static/core/{file}.js"
    assert there.read_text(encoding="utf-8") == written


WAYS = {"", "or", "and", "place", "board", "boards", "line"}
HINT_WAYS = WAYS - {"boards"} | {"named", "spot"}


def test_phrases_on_a_page_have_the_arguments_of_the_others() -> None:
    assert set(ON_PAGE) < set(PHRASES)
    assert set(HINTS_ON_PAGE) < set(HINTS)
    assert not set(HINTS) & set(PHRASES)
    for text in (*PHRASES.values(), *ON_PAGE.values()):
        for way in re.findall(r"\{\w+(?::([^{}]*))?\}", text):
            assert "|" in way or way in WAYS or way.startswith("count "), text
    for text in (*HINTS.values(), *HINTS_ON_PAGE.values()):
        for way in re.findall(r"\{\w+(?::([^{}]*))?\}", text):
            assert way.startswith("count ") or way in HINT_WAYS, text
    for text in (*PHRASES.values(), *ON_PAGE.values(), *HINTS.values(), *HINTS_ON_PAGE.values()):
        assert text.count("{") == text.count("}") == len(re.findall(r"\{\w+[^{}]*\}", text))


@pytest.mark.parametrize(
    ("viewer", "said"),
    [
        (Player.X, "O played in the centre, so you play the centre board."),
        (Player.O, "You played in the centre, so X plays the centre board."),
        (None, "O played in the centre, so X plays the centre board."),
    ],
)
def test_a_viewer_is_addressed(viewer: Player | None, said: str) -> None:
    found = phrase("sent", cell=5, last=Player.O, turn=Player.X)
    assert found.seen_by(viewer) == said


def asked(folder: Path, cases: Sequence[Case]) -> list[dict[str, Any]]:
    """Return for each case the view, or the refusal, and the refusals of the moves after it."""
    for entry in ("core/core", "core/words", "site/sentences"):
        write_module(folder, entry)
    rules = str(CORE_WASM.with_name("rules.wasm"))
    command = ["node", "tests/positions.mjs", str(folder), rules]
    told = "\n".join(json.dumps(case._asdict()) for case in cases)
    done = subprocess.run(command, cwd=ROOT, input=told, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def by_python(case: Case) -> dict[str, Any]:
    """Return what the Python rules answer."""
    try:
        line = parse_line(case.start, case.moves)
    except (IllegalMove, NotationError) as error:
        return {"refused": str(error)}
    last = line[-2].parse_move(case.moves[-1]) if case.moves else None
    here = str(line[-1])
    return {
        "view": line_data(line, last),
        "refusals": [refusal_data(here, "", text) for text in case.refused],
        "reasons": [why(line[-1], text) for text in case.refused],
    }


def why(position: Position, text: str) -> str | None:
    """Return the sentence that a terminal shows for a refused move."""
    try:
        position.parse_move(text)
    except IllegalMove as error:
        return str(error)
    return None


def compare(folder: Path, cases: Sequence[Case]) -> Counter[str]:
    """Compare the core with the Python rules; return how often each code was said."""
    codes: Counter[str] = Counter()
    for case, found in zip(cases, asked(folder, cases), strict=True):
        codes.update(found.pop("codes"))
        wanted = json.loads(json.dumps(by_python(case)))
        if found.get("refused", "").startswith("No game called"):
            # Python knows titles, too, adds games that are spelled like the name, and shortens it.
            name = case.start.partition("~")[0].partition(":")[0]
            assert name not in noughts.GAMES
            if "~" in case.start:
                begun, shortened, _ = wanted["refused"].partition("…")
                assert begun.startswith(found["refused"][: len(begun) if shortened else -1])
        else:
            assert found == wanted, case
    return codes


TWO_LINES = "32 25 54 49 91 19 95 51 16 67 71 12 28 82 26 63 31 13 38 83 39 93 35"
"""A game of `advanced` whose last move completes two lines."""

# Texts, one at least for each reason why a position or a move is refused.
REFUSED = [
    *(Case(text) for text in (*REFUSED_RULES.values(), *REFUSED_POSITIONS.values())),
    Case("advanced", TWO_LINES.split()),
    Case("mnk:5,2,3,exact~XXXX1.OOO2~X"),
    Case("mnk:5,2,3,exact~XXX2.OO2O~X"),
    Case("mnk:5,3,3,exact~XXXX1.1OOX1.O1OOX~X"),
    Case("basic~3.3.3X"),
    Case('basic~3.3.1"1~X'),
    Case("basic~3.3.\\2~X"),
    Case("advanced~9.9.9.9.9.9.9.9.8é~X~-"),
    Case("mnk:7,7,3~XXX4.7.XXX4.7.OO5.OO5.O6~O"),
    Case("ultimate:won=open~XOXXOOOXX.O8.9.9.9.9.9.9.9~O~9~---------"),
    Case("advanced~XXX6.OO7.O8.O8.9.9.9.9.9~X~1"),
    Case("ultimate~XXX6.XXX6.XXX6.OOO6.OOO6.OOO6.9.9.9~X~1"),
    Case("ultimate~XXX6.XXX6.XXX6.OO7.OO7.OO7.OO7.O8.9~X~1"),
    Case("ultimate~XXX6.OO7.9.9.9.9.9.9.9~O~9"),
    Case("ultimate~XXXO5.OO7.9.9.9.9.9.9.9~X~4"),
    Case("ultimate~XXXX1X3.OOO1O4.9.9.9.9.9.9.9~X~5"),
    Case("advanced~XXX6.OO7.9.9.X8.O8.9.9.9~X~1"),
    Case("advanced~XXX6.OO7.9.9.3X5.9.9.9.9~O~4"),
    Case("mnk:5,5,3~XOX1O.XX1OO.1X1OO.OOO1X.X1XX1~X"),
    Case("advanced~4O1X2.O2OO2X1.3O4X.7XX.1XX4X1.2X2O1O1.1X6O.1OO2OOXO.XX3X1O1~X~2"),
    Case(
        "advanced:full=draw~O1XO1O1X1.2OX2X2.XOOOOXXXO.2XXOXO2.X1OOXX3.XOX1XOOX1.OXX2OXO1"
        ".2X1OOO2.2X6~O~3"
    ),
    Case(
        "ultimate:tie=boards~XXOXOX1O1.XXOXOXXOX.XXOXXOOOO.2XOX1OOO.OOXXOOXXO.OXOXOX1XO.OOX1XOO1X"
        ".1OX2XO1X.XOXO1OXOX~X~6"
    ),
    Case(
        "ultimate:won=open~XXOXOXXOO.OXXXOOOXX.XXXOOX1XX.OXOXOOXOX.XOOOXXXXX.OOOXXXOXO.OOOXOOOXO"
        ".OOOOXXXOX.XXOOOXXOO~X~3~XDXDXOOOO"
    ),
    Case("basic", (), ("0", "a1", "-1", "x", "é")),
    Case("basic", ("5",), ("5", "9")),
    Case("basic", ("5", "5")),
    Case("basic", ("1", "4", "2", "5", "3"), ("6", "x", "1")),
    Case("mnk:9,9,5", ("e5",), ("e5", "z9")),
    Case("connect4", ("4",) * 6, ("4", "8", "x", "-1")),
    Case("ultimate", (), ("5", "x", "x1", "01", "123", "-5")),
    Case("ultimate", ("55",), ("5", "11", "55", "59", "0")),
]


@needs_node
@needs_wasm
def test_every_reason_is_the_same_in_both_languages(tmp_path: Path) -> None:
    said = compare(tmp_path, [*REFUSED, *with_closed_boards(), *lines(len(IDS))])
    # The core has no games of a user, no line of input and no resignations; the states are those of
    # words.js and words.py.
    others = {
        "won",
        "which-cell",
        "which-column",
        "which-board",
        "ended",
        "drawn-agreed",
        *LOST.values(),
    }
    # Those of swap2 are in test_swap2_site.py.
    others |= {code for code in PHRASES if code.startswith(("state-", "swap2"))}
    assert set(PHRASES) - set(said) <= others, set(PHRASES) - set(said) - others


@needs_node
def test_titles_and_rules_are_the_same_in_both_languages(tmp_path: Path) -> None:
    entry = "/static/titles.js"
    modules = build.modules()
    script = f"""
        {bundle(ordered(modules, entry))}
        const offered = {json.dumps(rules_data())};
        const {{ titleOf, ruleOf }} = {modules[entry].name};
        const gameOf = (id) => offered.games.find((each) => each.name === id.split(":")[0]);
        const told = (id) => [titleOf(offered, id), ruleOf(gameOf(id), id)];
        console.log(JSON.stringify({json.dumps(TITLES)}.map(told)));
    """
    (tmp_path / "titles.mjs").write_text(script, encoding="utf-8")
    command = ["node", str(tmp_path / "titles.mjs")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    expected = [[*title_and_rule(noughts.game(each))] for each in TITLES]
    assert json.loads(done.stdout) == expected


@needs_node
@needs_wasm
@pytest.mark.soak
def test_positions_of_many_games(tmp_path: Path) -> None:
    compare(tmp_path, list(lines(60 * len(IDS))))


def with_closed_boards() -> Iterator[Case]:
    """Yield ends of games with moves to boards that are won or full."""
    rng = random.Random(3)
    for rules in ("advanced", "ultimate", "ultimate:won=open", "ultimate:tie=boards"):
        for _ in range(10):
            for position in list(random_game(noughts.game(rules), rng))[-4:]:
                moves = [f"{board}{cell}" for board in range(1, 10) for cell in (1, 5)]
                yield Case(str(position), [], moves)


def spoiled(text: str, rng: random.Random) -> str:
    """Return a text with a few characters replaced, removed, doubled or swapped."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randrange(len(text))
        new = rng.choice("XOXO123456789~.-:,D=é ")
        text = rng.choice(
            (
                text[:at] + new + text[at + 1 :],
                text[:at] + text[at + 1 :],
                text[:at] + new + text[at:],
                text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :],
            )
        )
        text = text or "~"
    return text


def with_marks_moved(position: Position, rng: random.Random) -> str:
    """Return the position with some marks exchanged, which no game may lead to."""
    fields = str(position).split("~")
    marks = list(fields[1])
    places = [at for at, mark in enumerate(marks) if mark in "XO"]
    for _ in range(rng.randrange(1, 4)):
        if len(places) > 1:
            one, other = rng.sample(places, 2)
            marks[one], marks[other] = marks[other], marks[one]
    fields[1] = "".join(marks)
    if len(fields) > 3 and rng.random() < 0.3:
        fields[3] = rng.choice("123456789")
    return "~".join(fields)


def lines(number: int) -> Iterator[Case]:
    """Yield starts and moves: whole games, positions in between, and texts to refuse."""
    rng = random.Random(19)
    for index in range(number):
        rules = IDS[index % len(IDS)]
        positions = list(random_game(noughts.game(rules), rng))
        texts = []
        for before, after in pairwise(positions):
            move = next(each for each in before.legal_moves() if before.play(each) == after)
            texts.append(before.move_text(move))
        yield Case(rules, texts)
        yield Case(rules, [*texts, texts[0]])
        for at in rng.sample(range(len(positions)), min(4, len(positions))):
            known = [*texts, "0", "99", "a1", "t19", "-1", "5", "55", "x", "b-2", "é"]
            yield Case(str(positions[at]), texts[at : at + 1], rng.sample(known, 4))
            yield Case(rules, texts[:at], texts[:at])
            yield Case(str(positions[at]), [rng.choice(known)])
            yield Case(with_marks_moved(positions[at], rng))
        yield Case(spoiled(str(rng.choice(positions)), rng))
        yield Case(spoiled(rules, rng))
