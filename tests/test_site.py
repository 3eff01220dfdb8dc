"""The page without a server: the folder, the levels of play, and games in browsers."""

from __future__ import annotations

import gzip
import json
import random
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from firefox import firefox
from needs import (
    CORE_WASM,
    NODE,
    SITE_PARTS,
    needs_browser,
    needs_firefox,
    needs_node,
    needs_site_parts,
    needs_wasm,
)
from page import Visitor, button, chromium, moves, wait_for
from playwright.sync_api import Locator, Route, expect
from samples import RULES_IDS, random_game
from scripts import write_module
from site_page import hosted
from site_views import site_views
from typer.testing import CliRunner

from noughts import _core, levels
from noughts.answers.calls import answer
from noughts.answers.files import import_games, player_names, read_games
from noughts.answers.positions import analysis_data, line_data, proof_data
from noughts.cli.main import app
from noughts.engine import Engine
from noughts.games.position import Player, Position
from noughts.games.record import Record, format_text
from noughts.games.registry import GAMES, game
from noughts.judgement.results import informed, steady, with_proofs
from noughts.levels import Level
from noughts.search.result import Limit
from noughts.site import build
from noughts.views.modules import bundle, ordered
from noughts.views.values import mark
from noughts.web.game import Seat
from noughts.web.game_views import names_for

pytestmark = pytest.mark.xdist_group("site")

RULES = ("basic", "mnk:3,3,3,misere", "mnk:5,5,4", "connect4", "advanced", "ultimate")
LARGE = (
    *("mnk:9,9,5", "mnk:15,15,5", "mnk:20,20,5,exact", "mnk:9,9,5,misere"),
    *("connect4:9,9,4", "ultimate:won=open"),
)
NODES = 3_000


def site(folder: Path, parts: Path) -> tuple[int, str]:
    """Return the exit code of `noughts site` and its output."""
    result = CliRunner().invoke(app, ["site", str(folder), "--parts", str(parts)])
    return result.exit_code, result.output


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a site in a sub-folder, `a/b`, of whichever parts there are."""
    folder = tmp_path_factory.mktemp("site")
    parts = SITE_PARTS if SITE_PARTS.exists() else folder
    code, said = site(folder / "a/b", parts)
    assert code == 0, said
    return folder


@pytest.fixture(scope="module")
def address(written: Path) -> Iterator[str]:
    """Serve the folder, and yield the address of the site."""
    with hosted(written) as found:
        yield found


# The folder


@needs_wasm
def test_the_folder_has_no_absolute_addresses_and_a_strict_policy(written: Path) -> None:
    html = (written / "a/b/index.html").read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)
    assert policy is not None
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy[1]
    assert "unsafe-inline" not in policy[1]
    assert re.findall(r'(?:href|src)="(/[^"]*)"', html) == []
    scripts = [*(written / "a/b/app").iterdir()]
    assert len(scripts) > 15
    for script in scripts:
        text = script.read_text(encoding="utf-8")
        assert "/static/" not in text, script.name
        assert "/api/v1" not in text, script.name


@needs_wasm
def test_sizes(written: Path) -> None:
    """A first game, each net and Python keep the sizes that docs/site.md names as their limits."""

    def size(files: Iterable[Path]) -> int:
        found = [len(gzip.compress(file.read_bytes())) for file in files]
        assert found
        return sum(found)

    place = written / "a/b"
    assert size([place / name for name in build.FIRST_FILES]) < 120_000
    assert size([place / "core/core.wasm"]) < 360_000
    for net in (place / "data").glob("*.net"):
        assert size([net]) <= 350_000
    if (place / "python").exists():
        assert size((place / "python").iterdir()) <= 12_000_000


@needs_wasm
def test_a_second_site_replaces_the_first_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    assert site(folder, tmp_path)[0] == 0
    first = sorted(path for path in folder.rglob("*") if path.is_file())
    (folder / "app/old.js").write_text("old")
    mark = folder / build.MARK
    mark.write_text(mark.read_text().replace('"app/main.js"', '"app/main.js", "app/old.js"'))
    (folder / "CNAME").write_text("my.example")
    assert site(folder, tmp_path)[0] == 0
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    assert found == sorted([*first, folder / "CNAME"])


def test_other_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear")
    code, said = site(tmp_path, tmp_path)
    assert (code, [each.name for each in tmp_path.iterdir()]) == (2, ["letter.txt"])
    assert "has other files" in said
    code, said = site(tmp_path / "letter.txt", tmp_path)
    assert code == 2
    assert "not a folder" in said
    code, said = site(tmp_path / "new", tmp_path / "none")
    assert code == 2
    assert not (tmp_path / "new").exists()


@needs_wasm
def test_missing_python_is_named(tmp_path: Path) -> None:
    code, said = site(tmp_path / "site", tmp_path)
    assert code == 0
    assert "no Python, so no reviews" in said
    assert "make site-parts" in said


def test_nothing_is_written_without_the_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "PAGE", tmp_path / "nowhere")
    code, said = site(tmp_path / "site", tmp_path)
    assert code == 3
    assert "make site-parts" in said
    assert "Try it" not in said
    assert not (tmp_path / "site").exists()


# Levels


IDS = [each for each in RULES_IDS if each.partition(":")[0] in GAMES]


def questions(count: int, chosen: random.Random) -> list[Position]:
    found: list[Position] = []
    while len(found) < count:
        line = [*random_game(game(chosen.choice(RULES)), chosen)]
        found.append(chosen.choice(line[:-1]))
    return found


def asked(folder: Path, places: Sequence[Position], level: Level) -> list[dict[str, Any]]:
    """Return the moves of the site's script."""
    script = bundle(ordered(build.modules(), "/static/core/levels.js"))
    script += "export const { choose } = $_static_core_levels;\n"
    script += "export const { loadCore } = $_static_core_core;\n"
    (folder / "levels.mjs").write_text(script)
    data = build.site_data([])

    def files(rules: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for kind in ("nets", "books"):
            if each := data[kind].get(rules):
                file = Path(build.__file__).parents[1] / kind / Path(each["file"]).name
                found[kind[:-1]] = {**each, "file": str(file)}
        return found

    lines = [
        json.dumps({"position": str(each), "level": level._asdict(), "files": files(each.rules_id)})
        for each in places
    ]
    assert NODE is not None
    command = [NODE, "tests/site_levels.mjs", str(folder / "levels.mjs"), str(CORE_WASM)]
    done = subprocess.run(
        command, input="\n".join(lines), capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@needs_wasm
@needs_node
@pytest.mark.parametrize("count", [12, pytest.param(1_000, marks=pytest.mark.soak)])
def test_levels_choose_the_moves_of_the_package(tmp_path: Path, count: int) -> None:
    places = questions(count, random.Random(7))
    places += [game(rules) for rules in LARGE]
    engines: dict[str, Engine] = {}
    for level in (Level(NODES, sight=3), Level(NODES, sight=6), Level(NODES)):
        found = asked(tmp_path, places, level)
        compared = 0
        for place, each in zip(places, found, strict=True):
            engine = engines.setdefault(place.rules_id, Engine(place.rules_id, table_mib=8))
            if level.sight is None:
                engine.clear()
                wanted = engine.best_move(place, Limit(nodes=NODES)).move
            else:
                wanted = levels.choose(engine, place, level, seed=1).move
            assert each["move"] == wanted, (str(place), level)
            compared += 1
        assert compared == len(places) > 12


SEEN = """
import levels from "./levels.mjs";
const [scores, about] = JSON.parse(process.argv[2]);
const seen = new Map();
levels.look(scores, about, seen);
console.log(JSON.stringify([...seen.keys()]));
"""


@needs_node
def test_a_level_sees_a_win_at_its_depth(tmp_path: Path) -> None:
    exact = {"exact": True, "lower": 0, "upper": 0}
    scores = [[plies, {"score": _core.WIN - 4 - plies, **exact}] for plies in (1, 3, 5)]
    write_module(tmp_path, "core/levels")
    (tmp_path / "seen.mjs").write_text(SEEN, encoding="utf-8")
    question = json.dumps([scores, {"ply": 4, "sight": 3, "curve": None}])
    assert NODE is not None
    command = [NODE, str(tmp_path / "seen.mjs"), question]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [1, 3]


def views_of(folder: Path, cases: list[str]) -> list[dict[str, Any]]:
    """Return the views that the page makes of findings, by `createAnalysis` in Node."""
    script = bundle(ordered(build.modules(), "/static/core/analysis.js"))
    module = folder / "analysis.mjs"
    module.write_text(script + "export const { createAnalysis } = $_static_core_analysis;\n")
    assert NODE is not None
    command = [NODE, "tests/site_analysis.mjs", str(module)]
    done = subprocess.run(
        command, input="\n".join(cases), capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@needs_node
@pytest.mark.parametrize(
    ("scores", "exact", "shown"),
    [
        ((0, -2_000), (True, False), ("unknown", 0)),
        ((0, -2_000), (True, True), ("draw", None)),
        ((9_993, -2_000), (True, False), ("win", None)),
        ((-9_992, -9_990), (True, True), ("loss", None)),
    ],
)
def test_a_draw_or_a_loss_is_proven_by_every_move(
    tmp_path: Path,
    scores: tuple[int, int],
    exact: tuple[bool, bool],
    shown: tuple[str, float | None],
) -> None:
    place = game("basic").after("5")
    finding = {"lower": 0, "upper": 0, "depth": 2, "nodes": 30_000, "seconds": 1.0}
    found = [
        (move, {**finding, "move": move, "score": score, "exact": is_exact, "pv": [move]})
        for move, score, is_exact in zip((0, 1), scores, exact, strict=True)
    ]
    facts = {"position": str(place), "board": line_data([place], None)["board"]}
    case = {"facts": facts, "curve": None, "proofs": None, "depths": [found]}
    (view,) = views_of(tmp_path, [json.dumps(case)])
    assert (view["value"]["value"], view["value"]["estimate"]) == shown


@needs_node
@pytest.mark.parametrize("count", [40, pytest.param(1_000, marks=pytest.mark.soak)])
def test_analyses_equal_those_of_the_server(tmp_path: Path, count: int) -> None:
    rng = random.Random(9)
    wanted: list[dict[str, Any]] = []
    lines, proven = [], 0
    for place in questions(count, rng):
        engine = Engine(place.rules_id, table_mib=4)
        limit = Limit(nodes=rng.choice((500, 5_000, 50_000)))
        _, search, made = engine._search(place, limit, None, True)
        found = [*engine._stream(search)]
        results = [made(each, place, limit) for each in found]
        other = Engine(place.rules_id, table_mib=4)
        whole = other.best_move(place, Limit(nodes=60_000), moves=True)
        known = {move: value for move, value in whole.moves.items() if value.is_exact}
        proof = replace(whole, moves=known, lines={}) if known and rng.random() < 0.7 else None
        *_, result = steady(results)
        result = informed(with_proofs(result, proof), proof)
        proven += proof is not None
        wanted.append({**analysis_data(place, result, done=True, waiting=False)})
        net = engine.net
        case = {
            "facts": {
                "position": str(place),
                "board": line_data([place], None)["board"],
            },
            "curve": net and net.card.curves.get(place.rules_id),
            "proofs": proof and proof_data(proof),
            "depths": [[[move, facts_of(each)] for move, each in scores] for scores in found],
        }
        lines.append(json.dumps(case))
    assert proven > count / 10
    views = views_of(tmp_path, lines)
    for expected, shown in zip(wanted, views, strict=True):
        for name in ("seconds", "per_second"):
            assert shown.pop(name) == pytest.approx(expected.pop(name), abs=2e-3, rel=1e-3)
        for value, other in zip(
            (shown.pop("value"), *shown.pop("values").values()),
            (expected.pop("value"), *expected.pop("values").values()),
            strict=True,
        ):
            assert value.pop("estimate") == pytest.approx(other.pop("estimate"))
            assert value == other
        assert shown == expected


def facts_of(found: Any) -> dict[str, Any]:
    """Return the fields of a finding, as the core writes them for scripts."""
    names = ("move", "score", "exact", "lower", "upper", "depth", "nodes", "seconds", "pv")
    return {name: getattr(found, name) for name in names}


@needs_wasm
@needs_node
def test_the_noise_of_a_level_has_the_distribution_of_the_package(tmp_path: Path) -> None:
    place = game("mnk:4,4,4").after("b2 c3")
    level, games = Level(NODES, sight=2, slip=0.4, blur=0.1), 400
    found = Counter(each["move"] for each in asked(tmp_path, [place] * games, level))
    engine = Engine("mnk:4,4,4", table_mib=8)
    wanted = Counter(levels.choose(engine, place, level, seed=seed).move for seed in range(games))
    assert len(wanted) > 3, "the noise decides"
    # Half of the sum of differences: the share of games with another move.
    other = sum(abs(found[move] - wanted[move]) for move in {*found, *wanted}) / (2 * games)
    assert other < 0.2


@needs_wasm
@needs_node
def test_a_level_considers_the_same_moves_of_a_large_board(tmp_path: Path) -> None:
    place, level = game("mnk:15,15,5").after("h8"), Level(NODES, sight=1, blur=0.5)
    found = {each["move"] for each in asked(tmp_path, [place] * 200, level)}
    values = Engine("mnk:15,15,5").best_move(place, Limit(depth=1), moves=True).moves
    ranks = sorted((value.rank for value in values.values()), reverse=True)
    considered = {m for m, value in values.items() if value.rank >= ranks[levels.CONSIDERED - 1]}
    assert len(considered) < levels.MANY_MOVES < len(values)
    assert found <= considered
    assert len(found) > len(considered) / 2


# Files of games


def test_games_survive_export_and_import() -> None:
    rng, compared = random.Random(3), 0
    for rules in RULES:
        line = [*random_game(game(rules), rng)]
        moves = [
            before.move_text(next(m for m in before.legal_moves() if before.play(m) == after))
            for before, after in pairwise(line)
        ]
        lines = [[line[0].move_text(line[0].legal_moves()[-1])]]
        kept = {
            "start": str(line[0]),
            "moves": moves,
            "lines": lines,
            "comments": {"": "before", moves[0]: "a good move"},
            "tags": {"X": "Ada", "Event": "a lesson"},
        }
        for form in ("text", "json"):
            text = result_of("export_game", {**kept, "format": form})
            (found,) = result_of("import_games", {"text": text})
            same = lines[0][0] == moves[0]
            assert found["moves"] == moves
            assert [found[key] for key in ("comments", "tags")] == [kept["comments"], kept["tags"]]
            assert found["lines"] == ([] if same else lines)
            assert found["names"] == {"X": "Ada", "O": None}
            compared += 1
        assert result_of("export_game", {**kept, "format": "svg"}).startswith("<svg")
    assert compared == 2 * len(RULES)


@needs_node
def test_both_pages_name_the_players_of_an_imported_game(tmp_path: Path) -> None:
    texts = [format_text(Record.from_moves(game("basic"), [4], tags)) for tags in NAMES]
    cases, names = [], []
    for text in texts:
        (kept,) = import_games(text)
        whole = {"id": "a", "version": 1, "rules": "basic", "swapped": False, "undone": []}
        score = {"x": 0, "o": 0, "draws": 0}
        times = {"created": "", "updated": "", "next": None}
        seats = {"x": "me", "o": "me", "score": score}
        cases.append({"game": {**whole, **times, **seats, **kept}, "position": {"turn": "O"}})
        (each,) = read_games(text)
        people = {side: Seat("person", "a", name) for side, name in player_names(each).items()}
        names.append(names_for(people, [*Player]))
    views = site_views(tmp_path, cases)
    shown = [[view["players"][side]["name"] for side in "XO"] for view in views]
    assert shown == [[found[side] for side in Player] for found in names]
    assert shown == [["You", "You"], ["Ada", "Bob"], ["Guest", "Bob"], ["You", "You"]]


NAMES: tuple[dict[str, str], ...] = (
    {},
    {"X": " Ada\u202e", "O": "Bob"},
    {"O": "Bob"},
    {"X": "Ada", "O": "Ada"},
)


def result_of(call: str, given: dict[str, Any]) -> Any:
    return json.loads(answer(call, json.dumps(given)))["result"]


# Browsers


def turns(page: Any, cells: Sequence[int]) -> None:
    """Play cells, each when it is the person's move."""
    for cell in cells:
        expect(page).to_have_title(re.compile("^Your move"))
        page.locator(f'.cell[data-cell="{cell}"]').click()


@needs_browser
@needs_wasm
def test_a_game_is_played_and_kept(address: str) -> None:
    with chromium() as browser:
        visitor = Visitor(browser, address)
        asked: list[str] = []
        visitor.page.on("request", lambda request: asked.append(request.url))
        page = visitor.go("")
        expect(page.get_by_text("nothing leaves this machine")).to_be_visible()
        page.locator(".home-game[data-game=basic] .home-options").click()
        page.get_by_label("Opponent").select_option("me")
        turns(page, [4])
        expect(page.locator(".situation")).to_have_text("X played in the centre. O to move.")
        for number, cell in enumerate((0, 2, 1, 6), 2):
            page.locator(f'.cell[data-cell="{cell}"]').click()
            expect(moves(page)).to_have_count(number)
        expect(page.locator(".situation")).to_have_text("X wins with the diagonal from top right.")
        page.reload()
        expect(page.locator(".situation")).to_have_text("X wins with the diagonal from top right.")
        button(page, "Undo").click()
        expect(page.locator(".situation")).to_have_text("O played top middle. X to move.")
        button(page, "Redo").click()
        expect(page.locator(".situation")).to_have_text("X wins with the diagonal from top right.")
        button(page, "Rematch").click()
        begins = "X begins: play in any cell. 3 in a row wins."
        expect(page.locator(".situation")).to_have_text(begins)
        page.get_by_role("link", name="My games").click()
        expect(page.locator("li.game")).to_have_count(2)
        # A machine answers, and the links of positions are those of the served page.
        visitor.go("#/position/connect4~7.7.7.7.7.3X3~O?moves=4")
        page.reload()
        turns(page, [31 - 7])
        expect(page).to_have_title(re.compile("^Your move"))
        expect(page.locator(".rows .half button")).to_have_count(3)
        assert not [url for url in asked if "/python/" in url], "a game needs no Python"
        assert visitor.wrong == []


def drawn_marks(picture: Locator) -> list[str]:
    """Return the outlines of the marks of each player in a picture without won boards."""
    paths = picture.locator("path.x, path.o")
    found: list[str] = paths.evaluate_all("paths => paths.map((each) => each.getAttribute('d'))")
    return found


@needs_browser
@needs_wasm
def test_a_link_is_drawn_before_its_rules_are_there(address: str) -> None:
    """The early picture has the marks of the position, and the place of the page's picture."""

    def keeper(held: list[Route]) -> Callable[[Route], None]:
        def keep(route: Route) -> None:
            held.append(route)

        return keep

    lines = {
        "ultimate": "51 19 95 59 91 11 15",
        "connect4": "4 4 3 3 2 1 7",
        "mnk:15,15,5": "h8 i7 e5",
    }
    places = [game(rules).after(moves) for rules, moves in lines.items()]
    links = [(f"#/position/{place}", "rules.wasm", 2) for place in places]
    links += [(f"#/?game={name}", "app/main.js", 0) for name in ("ultimate", "basic")]
    with chromium() as browser:
        for link, late, least in links:
            visitor = Visitor(browser, address)
            held: list[Route] = []
            visitor.page.route(f"**/{late}", keeper(held))
            visitor.page.goto(visitor.address + link, wait_until="commit")
            page = visitor.page
            picture = page.locator(".stage .picture svg")
            expect(picture).to_be_visible()
            marks, place = drawn_marks(picture), picture.bounding_box()
            assert len(marks) >= least, "of both players"
            assert page.locator(".cell").count() == 0
            assert wait_for(page, held.__len__)
            for route in held:
                route.continue_()
            page.unroute(f"**/{late}")
            expect(page.locator(".cell").first).to_be_visible()
            assert (drawn_marks(picture), picture.bounding_box()) == (marks, place)
            assert visitor.wrong == []


@needs_browser
@needs_wasm
def test_analysis_follows_the_position(address: str) -> None:
    """The values of a solved position are exact, and a stop gives way to the next position."""
    position = game("connect4").after("4 4 4 4 4 2 2 2 6 6")
    found = Engine("connect4").best_move(position, Limit(seconds=10), moves=True)
    with chromium() as browser:
        visitor = Visitor(browser, address)
        page = visitor.go(f"#/position/{position}")
        button(page, "Analysis").click()
        chips = page.locator(".cell .chip")
        expect(chips).to_have_count(len(found.moves))
        marks = sorted(mark(value) for value in found.moves.values())
        wait_for(page, lambda: sorted(chips.all_text_contents()) == marks)
        assert sorted(chips.all_text_contents()) == marks
        turns(page, [40])
        expect(page.locator(".situation")).to_have_text(re.compile("to move"))
        expect(chips.first).to_be_visible()
        assert visitor.wrong == []


@needs_browser
@needs_wasm
def test_a_hint_needs_no_python(address: str) -> None:
    with chromium() as browser:
        visitor = Visitor(browser, address)
        asked: list[str] = []
        visitor.page.on("request", lambda request: asked.append(request.url))
        page = visitor.go("#/position/basic~XX1.1O1.3~O")
        button(page, "Hint").click()
        said = ["X threatens the top row.", "Play top right: it blocks that line."]
        expect(page.locator(".hinted .said")).to_have_text(
            [*said, "It is the only move that does not lose."]
        )
        assert any(url.endswith("/core/core.wasm") for url in asked)
        assert not [url for url in asked if "/python/" in url or "pyodide" in url]
        assert visitor.wrong == []


@pytest.mark.soak
@needs_browser
@needs_wasm
@needs_site_parts
def test_python_answers_on_the_site(address: str) -> None:
    with chromium() as browser:
        visitor = Visitor(browser, address)
        page = visitor.go("#/?game=basic&opponent=engine:level=1")
        turns(page, [0])
        pages = {
            "#/puzzles": ".puzzle-card",
            "#/puzzles/today": ".cell",
            "#/lab?lab=prune": "main button",
            "#/exercises": "main a.card",
            "#/explore/connect4": ".cell",
            "#/replay?start=basic&moves=5+1+9+3": "main [aria-label=Replay] button",
        }
        for path, ready in pages.items():
            visitor.go("")
            visitor.go(path)
            expect(page.locator(ready).first).to_be_visible()
        assert visitor.wrong == []


@pytest.mark.soak
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@needs_firefox
@needs_wasm
def test_firefox_plays(address: str, tmp_path: Path) -> None:
    with firefox(address, tmp_path) as browser:
        browser.go("", ".home-game")
        browser.go("#/?game=basic&opponent=engine:level=1", ".cell")
        browser.click('.cell[data-cell="4"]')
        browser.wait(".rows .half button", least=2)
        assert browser.errors() == []
