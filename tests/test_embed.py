"""The element <noughts-board> of another site's page, held to the Python rules."""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections.abc import Iterator
from html import escape
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import IPython
import pytest
from board_page import POLICY, Boards, boards
from command import run
from firefox import firefox
from needs import NODE, needs_axe, needs_browser, needs_firefox, needs_node, needs_wasm
from page import faults
from samples import RULES_IDS, random_game

import noughts
from noughts import _core, engine, levels, nets
from noughts.answers.positions import value_data
from noughts.games.given_tree import GivenTree
from noughts.games.position import Position
from noughts.games.record import parse_text
from noughts.games.words import description, outcome_sentence, state
from noughts.views import embed, notebook_board
from noughts.views.board import cell_of
from noughts.views.modules import bundle, ordered, parse
from noughts.views.values import words

pytestmark = [needs_wasm, needs_browser]

DOCS = Path(__file__).parent.parent / "docs"
BOARD = r"<noughts-board[ >](?:[^`])*?</noughts-board>"
IDS = [each for each in RULES_IDS if each.partition(":")[0] in noughts.GAMES]
SMALL = [each for each in IDS if each != "mnk:19,19,5"]
RECORD = r"""[Game "mnk:4,3,3"]
[X "Ann <b>"]
[O "Ben"]
[Result "1-0"]
[Termination "resignation"]

{Before the game.} 1. b2 a1 {A "corner" in braces \}, and a
second line.} (1... c2 {Better.} 2. b1 (2. b3 c1)) 2. c2 d2 3. b1 1-0
"""


@pytest.fixture(scope="module")
def opened() -> Iterator[Boards]:
    with boards() as found:
        yield found
        assert found.wrong == []


def status(position: Position, last: str | None) -> str:
    said = f"{position.turn.other} played {last}. " if last else ""
    if position.outcome():
        return said + outcome_sentence(position)
    return f"{said}{state(position)}."


def whole_game(rules: str, rng: random.Random) -> tuple[list[Position], list[int]]:
    """Return the positions of a random game, and the moves."""
    positions = list(random_game(noughts.game(rules), rng))
    return positions, [
        next(move for move in before.legal_moves() if before.play(move) == after)
        for before, after in pairwise(positions)
    ]


def check_games(opened: Boards, ids: list[str], seed: int) -> None:
    """Play random games by clicks; compare every position with the Python rules."""
    rng, compared = random.Random(seed), 0
    for rules in ids:
        positions, moves = whole_game(rules, rng)
        cells = [cell_of(before, move) for before, move in zip(positions, moves, strict=False)]
        assert opened.set("rules", rules)["problem"] is None
        seen = opened.play([cell for cell in cells if cell is not None])
        texts = [each.move_text(move) for each, move in zip(positions, moves, strict=False)]
        for ply, (after, found) in enumerate(zip(positions[1:], seen, strict=True), 1):
            assert found["position"] == str(after)
            assert (found["move"], found["moves"]) == (texts[ply - 1], " ".join(texts[:ply]))
            assert found["status"] == status(after, texts[ply - 1])
            assert found["board"] == f"Board. {description(after)}"
            playable = {cell_of(after, move) for move in after.legal_moves()}
            named = set(found["may"])
            assert playable <= named if "connect4" in rules else playable == named
            compared += 1
    assert compared >= len(ids)


def test_games_by_clicks_follow_the_rules(opened: Boards) -> None:
    opened.show("<noughts-board play></noughts-board>")
    check_games(opened, SMALL, 1)


@pytest.mark.soak
def test_many_games_by_clicks(opened: Boards) -> None:
    opened.show("<noughts-board play></noughts-board>")
    for seed in range(2, 12):
        check_games(opened, SMALL, seed)
    check_games(opened, ["mnk:19,19,5", "mnk:15,15,5"], 3)


@pytest.mark.parametrize(
    "rules", ["mnk:4,3,3", "connect4:4,4", pytest.param("ultimate", marks=pytest.mark.soak)]
)
def test_game_by_keys(opened: Boards, rules: str) -> None:
    page = opened.show(f'<noughts-board rules="{rules}" play controls></noughts-board>')
    positions, moves = whole_game(rules, random.Random(4))
    page.keyboard.press("Tab")
    at = (0, 0)  # In Connect Four any row is as good.
    for before, move in zip(positions, moves, strict=False):
        cell = cell_of(before, move)
        assert cell is not None
        to = row_and_column(rules, cell)
        for keys, steps in (
            ("ArrowUp ArrowDown", to[0] - at[0]),
            ("ArrowLeft ArrowRight", to[1] - at[1]),
        ):
            for _ in range(abs(steps)):
                page.keyboard.press(keys.split()[steps > 0])
        page.keyboard.press("Enter")
        at = to
    last = positions[-2].move_text(moves[-1])
    assert opened.state()["status"] == status(positions[-1], last)


def row_and_column(rules: str, cell: int) -> tuple[int, int]:
    if rules == "ultimate":
        board, inner = divmod(cell, 9)
        return 3 * (board // 3) + inner // 3, 3 * (board % 3) + inner % 3
    return divmod(cell, 4)


def test_replay(opened: Boards) -> None:
    page = opened.show(
        f"<noughts-board record='{escape(RECORD)}'></noughts-board>",
        f"<noughts-board record at=3>{escape(RECORD)}</noughts-board>",
    )
    moves = ["b2", "a1", "c2", "d2", "b1"]
    comments = ["Before the game.", "", 'A "corner" in braces }, and a second line.', "", "", ""]
    forward = page.get_by_role("button", name="Step forward").first
    for ply in range(6):
        found = opened.state()
        position = noughts.game("mnk:4,3,3").after(" ".join(moves[:ply]))
        assert found["board"] == f"Board. {description(position)}"
        assert found["comment"] == comments[ply]
        assert found["count"] == f"{ply} of 5"
        if ply < 5:
            forward.click()
    assert opened.state()["players"] == "X: Ann <b> · O: Ben"
    assert opened.state()["status"] == "X played b1. X wins (resignation)."
    forward.click(force=True)  # It stays at the end.
    page.keyboard.press("ArrowLeft")
    assert opened.state()["count"] == "4 of 5"
    page.keyboard.press("Home")
    assert opened.state()["status"] == "X to move."
    page.keyboard.press("End")
    assert opened.state()["count"] == "5 of 5"
    assert opened.state(1)["count"] == "3 of 5"
    assert opened.state(1)["may"] == []


READ = """
const core = { position: () => ({ board: { names: [..."123456789"] }, outcome: null }) };
const attributes = { rules: null, position: null, moves: null, record: process.argv[2], at: null };
const { moves, comments } = game.readGame(core, attributes);
console.log(JSON.stringify({ moves, comments }));
"""


@needs_node
def test_comments_of_a_record_stay_at_their_moves(tmp_path: Path) -> None:
    """A run of digits is several moves; a comment after it belongs to the last one."""
    text = '[Game "basic"]\n\n51 {a corner} 9 {the other} *'
    (record,) = parse_text(text)
    modules = {address: parse(address, source) for address, source in embed.sources().items()}
    entry = "/static/embed/game.js"
    script = f"{bundle(ordered(modules, entry))}const game = {modules[entry].name};{READ}"
    (tmp_path / "game.mjs").write_text(script, encoding="utf-8")
    assert NODE is not None
    command = [NODE, str(tmp_path / "game.mjs"), text]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    nodes = [*record.main_line()]
    assert found["moves"] == [record.start.move_text(node.move) for node in nodes]
    assert found["comments"] == {
        str(number): node.comment for number, node in enumerate(nodes, 1) if node.comment
    }


BAD = {
    'rules="chess"': 'No game called "chess".',
    'rules="mnk:3"': "sizes are missing",
    'position="basic~XX1.3.3~O"': "The board has 2 X and 0 O",
    'position="basic~9~X" rules="basic"': "",
    'rules="connect4" position="basic~3.3.3~X"': "The position belongs to basic, not to connect4.",
    'moves="5 5"': "Move 2: cell 5 is taken.",
    'rules="ultimate" moves="51 99"': "Move 2: play on board 1",
    'moves="5" at="2"': 'The attribute at is a number from 0 to 1, not "2".',
    'at="-1"': "The attribute at is a number",
    'at="x"': "The attribute at is a number",
    'play="chess"': "The attribute play is empty, engine:level=4",
    'play="engine:level=11"': 'not "engine:level=11".',
    'play="engine:level=0"': 'not "engine:level=0".',
    'side="Z"': 'The attribute side is X or O, not "Z".',
    'record="hello"': "A record begins with a line",
    "record": "A record begins with a line",
    "record='[Game \"basic\"]\n\n1. 5'": "The record has no result",
    "record='[Game \"basic\"]\n\n1. 5 5 *'": "Move 2: cell 5 is taken.",
    "record='[Game \"basic\"]\n\n1. 5 { *'": "The record cannot be read",
    "record='[Game \"basic\"]\n\n*' moves=5": "A record has its own rules and moves",
}


def test_bad_attributes_are_refused_in_a_sentence(opened: Boards) -> None:
    opened.show(*(f"<noughts-board {each}></noughts-board>" for each in BAD))
    for at, (given, said) in enumerate(BAD.items()):
        problem = opened.state(at)["problem"]
        assert problem, given
        assert said in problem, given
        assert problem[0].isupper(), given
        assert problem[-1] in ".*", given
    assert opened.set("rules", "basic", 0)["problem"] is None
    assert opened.set("rules", None, 1)["status"] == "X to move."


def test_two_boards_and_changed_attributes(opened: Boards) -> None:
    opened.show(
        "<noughts-board play></noughts-board>",
        '<noughts-board rules="connect4" moves="4453" play></noughts-board>',
    )
    opened.play([4])
    assert opened.state(0)["status"] == "X played 5. O to move."
    assert opened.state(1)["status"] == "O played 3. X to move."
    assert opened.play([4])[0]["status"].startswith("Cell 5 is taken.")
    after = noughts.game("connect4").after("44534")
    assert opened.play([3], 1)[0]["position"] == str(after)
    assert opened.set("moves", "51", 0)["board"] == "Board. X on 5. O on 1. X to move."
    assert opened.set("position", "basic~OOX.1X1.X2~X", 0)["problem"] is not None
    assert opened.set("moves", None, 0)["problem"] is not None
    assert (
        opened.set("position", "basic~OOX.1X1.X2~O", 0)["status"]
        == "X wins with the diagonal from top right."
    )


def test_machine_and_values(opened: Boards) -> None:
    page = opened.show(
        '<noughts-board rules="mnk:4,3,3" play="engine:level=7" side="O"></noughts-board>',
        '<noughts-board moves="1 5 9" analysis></noughts-board>',
        '<noughts-board rules="connect4" moves="4455" analysis="shown"></noughts-board>',
    )
    opened.until(0, "status", "O to move")
    start = noughts.game("mnk:4,3,3")
    chosen = levels.choose(noughts.Engine("mnk:4,3,3"), start, levels.level_of("mnk:4,3,3", 7), 1)
    after = start.play(chosen.text or "")
    assert opened.state(0)["status"] == status(after, chosen.text)
    opened.until(2, "worth", "Best")
    assert opened.state(2)["worth"] == "Best: 3, wins in 2 moves."
    assert opened.state(1)["chips"] == {}
    page.get_by_role("button", name="Values").first.click()
    opened.until(1, "worth", "Best")
    position = noughts.game("basic").after("1 5 9")
    result = noughts.Engine("basic").best_move(position, moves=True)
    expected = {str(move): words(value) for move, value in result.moves.items()}
    assert opened.state(1)["chips"] == expected


@pytest.mark.parametrize("net", [None, nets.net_of("ultimate")], ids=["plain", "net"])
def test_values_equal_those_of_python(opened: Boards, net: nets.Net | None) -> None:
    rng, findings = random.Random(5), []
    for _ in range(300):
        ply = rng.randrange(40)
        score = rng.choice(
            (0, rng.randrange(-12_000, 12_000), _core.WIN - ply - rng.randrange(1, 40))
        )
        score *= rng.choice((1, -1))
        is_exact = abs(score) > _core.SURE or score == 0
        lower = score - (rng.choice((0, 0, 1)) if score else 0)
        findings.append((score, is_exact and rng.random() < 0.7, lower, score, ply))
    page = opened.show("<noughts-board></noughts-board>")
    seen = page.evaluate(
        """async ([findings, curve]) => {
             const { valueOf } = await import("/core/values.js");
             return findings.map(([score, exact, lower, upper, ply]) =>
               valueOf({ score, exact, lower, upper }, ply, curve));
           }""",
        [findings, net and net.card.curves["ultimate"]],
    )
    for (score, is_exact, lower, upper, ply), found in zip(findings, seen, strict=True):
        known = SimpleNamespace(
            score=score, exact=is_exact, lower=lower, upper=upper, move=0, depth=1, nodes=1
        )
        for name in ("seconds", "table_use", "simulations"):
            setattr(known, name, 0)
        known.pv = [0]
        position = SimpleNamespace(ply=ply, rules_id="ultimate")
        value = engine._result(known, position, noughts.Limit(), net).value  # type: ignore[arg-type]
        assert found == value_data(value), (score, is_exact, lower, ply)


def test_policy_without_workers_and_without_webassembly(opened: Boards) -> None:
    before = list(opened.wrong)
    board = '<noughts-board moves="1 5 9" analysis="shown"></noughts-board>'
    opened.show(board, policy=POLICY.replace("blob:", "'none'"))
    opened.until(0, "worth", "Best")
    assert opened.state()["chips"]["2"] == "loses in 2 moves"
    opened.show(board, policy=POLICY.replace("'wasm-unsafe-eval'", ""))
    assert "must allow 'wasm-unsafe-eval'" in (opened.state()["problem"] or "")
    said = opened.wrong[len(before) :]
    assert len(said) == 1
    assert "Creating a worker" in said[0]
    opened.wrong[:] = before


@needs_axe
def test_no_faults_of_accessibility(opened: Boards) -> None:
    page = opened.show(
        '<noughts-board rules="ultimate" play controls analysis="shown"></noughts-board>',
        f"<noughts-board record='{escape(RECORD)}'></noughts-board>",
        '<noughts-board rules="connect4" moves="4453" play controls></noughts-board>',
        '<noughts-board rules="chess"></noughts-board>',
    )
    opened.until(0, "worth", "Looks best")
    assert faults(page) == []


def test_light_and_dark_follow_the_page(opened: Boards) -> None:
    page = opened.show(
        *(f"<noughts-board {each}></noughts-board>" for each in ("", "theme=light", "theme=dark"))
    )
    grounds = """[...document.querySelectorAll("noughts-board")].map((each) =>
        getComputedStyle(each.shadowRoot.querySelector(".frame")).backgroundColor)"""
    light, dark = "rgb(251, 250, 248)", "rgb(19, 21, 24)"
    assert page.evaluate(grounds) == [light, light, dark]
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(grounds) == [dark, light, dark]
    page.emulate_media(color_scheme="light")


def test_boards_of_the_documentation(opened: Boards) -> None:
    texts = [page.read_text("utf-8") for page in sorted(DOCS.glob("*.md"))]
    found = [each for text in texts for each in re.findall(BOARD, text)]
    assert len(found) > 10
    opened.show(*found)
    for at, each in enumerate(found):
        assert opened.state(at)["problem"] is None, each


class Shell:
    """A shell of a notebook, whose cells have ids."""

    cell = "one"

    def get_parent(self) -> dict[str, object]:
        return {"metadata": {"cellId": self.cell}}


def test_board_in_a_notebook(opened: Boards, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell()
    monkeypatch.setattr(notebook_board, "_script_cell", None)
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    position = noughts.game("connect4").after("4453")
    first = noughts.board(position, play="engine:level=3", analysis=True)
    outputs = [first._repr_html_()]
    shell.cell = "two"
    (record,) = parse_text(RECORD)
    outputs.append(noughts.board(record)._repr_html_())
    outputs.append(noughts.board("ultimate", play=False, theme="dark", size=200)._repr_html_())
    assert [each.count("<script>") for each in outputs] == [1, 0, 0]
    shell.cell = "one"
    assert first._repr_html_() == outputs[0]
    monkeypatch.setattr(IPython, "get_ipython", lambda: None)
    assert "<script>" in first._repr_html_()
    # The script runs from the output of the first cell; the page itself has none.
    opened.show(
        *outputs,
        policy="default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'"
        "; img-src data:; worker-src blob:; style-src 'unsafe-inline'",
        script="",
    )
    assert opened.state(0)["status"] == "X to move."
    assert opened.play([3])[0]["status"] == "X played 4. O is thinking…"
    opened.until(0, "status", "X to move.")
    assert opened.state(1)["players"] == "X: Ann <b> · O: Ben"
    assert opened.state(2)["may"] == []
    with pytest.raises(noughts.NotationError, match="built-in"):
        noughts.board(GivenTree.parse("((3 12) (2 4))"))


def test_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "noughts-board.js"
    assert run("export", "board", "--out", file).returncode == 0
    text = file.read_text("utf-8")
    assert text == embed.script()
    assert "</script" not in text
    assert "eval(" not in text
    monkeypatch.setattr(embed, "CORE", tmp_path)
    embed.script.cache_clear()
    missing = run("export", "board")
    assert missing.returncode == 3
    assert "make wasm" in missing.stderr
    embed.script.cache_clear()


@pytest.mark.soak
@needs_firefox
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_in_firefox_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "noughts-board.js").write_text(embed.script(), "utf-8")
    (tmp_path / "page.html").write_text(
        '<!doctype html><title>A course</title><noughts-board moves="1 5 9" play analysis="shown">'
        '</noughts-board><script src="noughts-board.js"></script>',
        "utf-8",
    )
    with firefox(tmp_path.as_uri(), tmp_path) as found:
        found.go("/page.html", "noughts-board")
        text = (
            "return document.querySelector('noughts-board').shadowRoot"
            "?.querySelector(arguments[0])?.textContent.startsWith(arguments[1])"
        )
        found.until(text, ".worth", "Best")
        found.ask(
            "document.querySelector('noughts-board').shadowRoot"
            ".querySelector('.cell[data-cell=\"2\"]').click()"
        )
        found.until(text, ".status", "O played 3. X to move.")
        assert found.errors() == []
