"""The replay: the page's data and the command; `test_replay_page.py` opens the page."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from command import run
from recordings import MIDDLE, SMALL, data_of, long_recording, recorded
from samples import RULES_IDS, random_position

import noughts
from noughts.games.nested import NestedPosition
from noughts.games.row import RowPosition
from noughts.search.pseudocode import LINES
from noughts.search.recording import Recording
from noughts.search.textbook import SEARCHES
from noughts.search.trace import (
    KINDS,
    Backpropagate,
    Best,
    Enter,
    Expand,
    Leave,
    kind_of,
)
from noughts.search.trace_file import JsonLines
from noughts.views.narrate import sentence
from noughts.views.replay import replay

ROOT = Path(__file__).parent.parent


# The pseudocode


@pytest.mark.parametrize("search", SEARCHES)
def test_pseudocode_equals_that_of_the_docs(search: str) -> None:
    pages = (ROOT / "docs" / name for name in ("search.md", "large-games.md"))
    docs = "".join(page.read_text(encoding="utf-8") for page in pages)
    blocks = re.findall(r"^```text\n(.*?)^```", docs, re.S | re.M)
    lines = "\n".join(LINES[search]).partition("\n\nfunction MIN-VALUE")[0]
    assert any(block.startswith(lines) for block in blocks)


# Data in the page


@pytest.mark.parametrize("search", SEARCHES)
def test_every_event_is_in_the_page(search: str) -> None:
    recording = recorded(noughts.position(MIDDLE), search)
    data = data_of(replay([recording]))
    (told,) = data["searches"]
    texts, columns = data["texts"], told["events"]
    assert len(recording) == len(columns["kind"])
    entries = [event for event in recording.events if isinstance(event, Enter | Expand)]
    for place, event in enumerate(recording.events):
        moment = recording.at(place + 1)
        assert data["kinds"][columns["kind"][place]] == kind_of(event)
        assert texts[columns["say"][place]] == sentence(moment)
        if moment.node is not None:
            assert entries[columns["node"][place]].node == moment.node
        if isinstance(event, Best | Leave):
            shown = recording.start.scale.text(event.score, moment.path[-1].bound)
            assert texts[columns["value"][place]] == shown
        if isinstance(event, Backpropagate):
            assert columns["count"][place] == event.visits
    assert set(data["kinds"]) == set(KINDS)
    end = recording.end
    assert end is not None
    assert (told["told"], told["searched"]) == (end.recorded, end.recorded + end.left_out)
    path = [texts[told["nodes"]["move"][node]] for node in told["line"][1:]]
    assert path == noughts.move_texts(recording.start.position, end.result.line)[: len(path)]
    assert len(path) == len(end.result.line) or search == "negamax"


@pytest.mark.parametrize("rules_id", RULES_IDS)
def test_boards_follow_the_rules(rules_id: str) -> None:
    """The marks and moves in the data lead to the position of every node."""
    position = random_position(noughts.game(rules_id), random.Random(rules_id))
    recording = recorded(position, "mcts:simulations=150,seed=1")
    data = data_of(replay([recording]))
    nodes, board = data["searches"][0]["nodes"], data["board"]
    entries = [event for event in recording.events if isinstance(event, Expand)]
    owners: list[str] = []
    cells: list[list[str]] = []
    for place, entry in enumerate(entries):
        after, parent = entry.position, nodes["parent"][place]
        if not isinstance(after, RowPosition | NestedPosition):
            assert data["texts"][nodes["text"][place]] == after.diagram()
            continue
        cells.append(list(board["cells"] if parent < 0 else cells[parent]))
        if parent >= 0:
            cells[place][nodes["cell"][place]] = "XO"[nodes["turn"][parent]]
        assert cells[place] == [str(after.mark(cell) or ".") for cell in range(len(board["cells"]))]
        over = data["texts"][nodes["over"][place]]
        assert bool(over) == (after.outcome() is not None)
        if isinstance(after, NestedPosition):
            inherited = "" if parent < 0 else owners[parent]
            owners.append(nodes["owners"].get(str(place), inherited))
            assert [owner in "XO" for owner in owners[place]] == [
                after.owner(number) is not None for number in range(9)
            ]
            named = {move // 9 for move in after.legal_moves()}
            assert nodes["open"][place] == sum(1 << number for number in named)


@pytest.mark.parametrize(
    ("position", "line", "boards"),
    [
        (SMALL, [2, 6], None),
        ("basic~XX1.OO1.3~X", [0, 2], None),
        ("connect4~7.7.7.X6.X6.XOOO3~X", [14, 35], None),
        ("mnk:5,5,4~XXX2.OOO2.5.5.5~X", [0, 3], None),
        ("advanced~XX7.OO7.9.9.9.9.9.9.9~X~1", [0, 2], None),
        (
            "ultimate~1O2O1XXX.OXXXOOXOO.OOXOXOXOX.O1XOO2XO.XXX3O1X.1X1XXO1XO.XOOOXXOO1."
            "1XOXXOXOO.OX1XOXOOX~X~4",
            None,
            [[0, 8], [2, 8]],
        ),
    ],
)
def test_winning_lines(
    position: str, line: list[int] | None, boards: list[list[int]] | None
) -> None:
    recording = recorded(noughts.position(position), "minimax:depth=3")
    nodes = data_of(replay([recording]))["searches"][0]["nodes"]
    if line:
        assert [line] in nodes["line"].values()
    if boards:
        assert boards in nodes["boards"].values()


def test_page_is_self_contained() -> None:
    page = replay([recorded(noughts.position(SMALL), name) for name in ("minimax", "alphabeta")])
    assert set(re.findall(r"https?://[^\s\"'<)]*", page)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(script|img|iframe|link)[^>]*\ssrc=|@import|url\(", page)
    assert re.findall(r"<link[^>]*href=\"([^\"]*)", page) == ["data:,"]


def test_registered_game_shows_its_diagram(nim: noughts.Position) -> None:
    data = data_of(replay([recorded(nim, "alphabeta:depth=2")]))
    root = data["searches"][0]["nodes"]["text"][0]
    assert (data["board"]["kind"], data["texts"][root]) == ("text", "a |||\nb ||||\nc |||||")


def test_tree_with_given_leaf_values(tmp_path: Path) -> None:
    tree = "((3 12 8) (2 4 6) (14 5 2))"
    done = run("replay", tree, "-o", "see.html", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    data = data_of((tmp_path / "see.html").read_text(encoding="utf-8"))
    (told,) = data["searches"]
    assert told["told"] == 11
    ((_, moves, reason),) = told["cuts"].values()
    assert (moves, reason) == (["b2", "b3"], "2 ≤ alpha 3")
    assert {data["texts"][over] for over in told["nodes"]["over"]} == {"", "a leaf"}


def test_text_of_a_game_is_escaped(nim: noughts.Position, monkeypatch: pytest.MonkeyPatch) -> None:
    """A closing tag in a diagram neither ends the data nor enters the page."""
    hostile = "</script><img src=x onerror=alert(1)>"
    monkeypatch.setattr(type(nim), "diagram", lambda _: hostile)
    page = replay([recorded(nim, "alphabeta:depth=2")])
    assert page.count("</script>") == 2
    assert "<img" not in page
    assert hostile in data_of(page)["texts"]


def test_what_is_refused() -> None:
    small, middle = (recorded(noughts.position(text), "minimax") for text in (SMALL, MIDDLE))
    with pytest.raises(ValueError, match="one search or two, not 0"):
        replay([])
    with pytest.raises(ValueError, match="one search or two, not 3"):
        replay([small] * 3)
    with pytest.raises(ValueError, match=r"in two positions: basic~XOX.* and basic~X2"):
        replay([small, middle])
    with pytest.raises(ValueError, match="begins with an event `start`"):
        replay([Recording()])
    with pytest.raises(ValueError, match="begins with an event `start`"):
        replay([Recording(small.events[1:])])
    with pytest.raises(ValueError, match="without a node"):
        replay([Recording(small.events[:1])])
    with pytest.raises(ValueError, match="node 1 is entered twice"):
        replay([Recording([*small.events[:2], small.events[1]])])


def test_page_is_small() -> None:
    """20,000 events are a few megabytes at most, and omitted events are counted."""
    recording = long_recording()
    page = replay([recording])
    assert len(recording) == 20_001
    assert len(page.encode()) < 4_000_000
    (told,) = data_of(page)["searches"]
    assert told["dropped"] == recording.dropped > 0
    assert told["told"] < told["searched"] == 59_705


# The command


def test_command(tmp_path: Path) -> None:
    two = ("--algorithm", "minimax", "--algorithm", "alphabeta:score=sign")
    done = run("replay", MIDDLE, *two, "-o", "see.html", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    minimax = len(recorded(noughts.position(MIDDLE), "minimax"))
    assert done.stdout.splitlines()[0] == f"see.html   Minimax: {minimax:,} events"
    data = data_of((tmp_path / "see.html").read_text(encoding="utf-8"))
    assert [search["name"] for search in data["searches"]] == ["Minimax", "Alpha-beta"]
    assert [search["about"] for search in data["searches"]] == ["", "score sign"]
    piped = run("replay", MIDDLE, *two, cwd=tmp_path)
    assert data_of(piped.stdout) == data


def test_command_reports_omitted_events(tmp_path: Path) -> None:
    done = run("replay", MIDDLE, "--nodes", "50", "-o", "see.html", cwd=tmp_path)
    assert done.returncode == 0
    (told,) = data_of((tmp_path / "see.html").read_text(encoding="utf-8"))["searches"]
    assert told["told"] == 50 < told["searched"]
    assert f"has 50 of {told['searched']:,} nodes. --depth" in done.stderr
    done = run("replay", MIDDLE, "--depth", "1", "-o", "see.html", cwd=tmp_path)
    (told,) = data_of((tmp_path / "see.html").read_text(encoding="utf-8"))["searches"]
    assert told["told"] == 7
    assert "has 7 of" in done.stderr


def test_file_of_noughts_trace(tmp_path: Path) -> None:
    recording = recorded(noughts.position(MIDDLE), "negamax")
    with (tmp_path / "search.jsonl").open("w", encoding="utf-8") as file:
        write = JsonLines(file)
        for event in recording.events:
            write(event)
    done = run("replay", "--trace", "search.jsonl", "-o", "see.html", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    page = (tmp_path / "see.html").read_text(encoding="utf-8")
    assert data_of(page) == data_of(replay([recording]))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"score":0', '"score":"much"'),
        ('"reason":"over"', '"reason":[]'),
        ('"node":3,"parent":2', '"node":2,"parent":2'),
        ('"event":"best"', '"event":"worst"'),
    ],
)
def test_file_with_inconsistent_events(tmp_path: Path, old: str, new: str) -> None:
    lines = (ROOT / "tests/data/traces/basic-minimax.jsonl").read_text(encoding="utf-8")
    assert old in lines
    (tmp_path / "search.jsonl").write_text(lines.replace(old, new), encoding="utf-8")
    done = run("replay", "--trace", "search.jsonl", "-o", "see.html", cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert done.stderr.startswith("noughts: --trace: ")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "see.html").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["-o", "see.html"], 2, "Name a position, or a file with --trace"),
        (["checkers", "-o", "see.html"], 2, 'No game called "checkers"'),
        (["basic~XXX.OOO.3~X", "-o", "see.html"], 3, "Both X and O have a line"),
        (["basic~XXX.OO1.3~O", "-o", "see.html"], 3, "Cannot search"),
        (["((3 12) (2", "-o", "see.html"], 3, "Character 9: this ( has no )"),
        (["basic", "--moves", "55", "-o", "see.html"], 3, "Move 2: cell 5 is taken"),
        (["basic", "--algorithm", "alphabet", "-o", "see.html"], 2, "no search 'alphabet'"),
        ([SMALL, *["--algorithm", "minimax"] * 3, "-o", "see.html"], 2, "not 3"),
        ([SMALL, "-o", "no/such/see.html"], 3, "cannot write no/such/see.html"),
        ([SMALL, "--nodes", "0", "-o", "see.html"], 2, "nodes"),
        ([SMALL, "--nodes", "1000000", "-o", "see.html"], 2, "nodes"),
        (["--trace", "missing.jsonl", "-o", "see.html"], 3, "cannot read missing.jsonl"),
        (["--trace", "empty.jsonl", "-o", "see.html"], 3, "begins with an event `start`"),
        (["--trace", "bytes.jsonl", "-o", "see.html"], 3, "not UTF-8 text"),
        (["--trace", "words.jsonl", "-o", "see.html"], 3, "line 1"),
        (["basic", "--trace", "empty.jsonl", "-o", "see.html"], 2, "--trace does not go with"),
        (["--trace", "empty.jsonl", "--nodes", "5", "-o", "see.html"], 2, "--trace"),
        ([*["--trace", "empty.jsonl"] * 3, "-o", "see.html"], 2, "not 3"),
    ],
)
def test_wrong_input(tmp_path: Path, arguments: list[str], code: int, complaint: str) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "words.jsonl").write_text("to be or not to be\n")
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe")
    done = run("replay", *arguments, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "see.html").exists()
