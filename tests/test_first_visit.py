"""The first requests of a visit: few files, kept forever, and HTML with the first replies."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from needs import needs_browser
from page import Visit, wait_until
from playwright.sync_api import expect
from web import API, Person, people

from noughts.views.modules import parse
from noughts.web.bundles import MODULES, bundles, scripts

LINK = re.compile(r'(?:href|src)="(/static/built/[^"]+)"')
POSITION = "ultimate~9.9.9.9.X8.9.9.9.9~O~1"
PATHS = {
    "/": {"page.css", "home.css", "main.js", "home.js"},
    "/?game=ultimate": {"page.css", "main.js", "game.js"},
    f"/position/{POSITION}": {"page.css", "main.js", "game.js"},
    "/game/unknown": {"page.css", "main.js", "game.js"},
    "/puzzles": {"page.css", "puzzles.css", "main.js", "puzzles.js"},
    "/learn": {"page.css", "learn.css", "main.js", "learn.js"},
    "/games": {"page.css", "games.css", "main.js", "games.js"},
    "/lab": {"page.css", "lab.css", "main.js", "lab.js"},
    "/check": {"page.css", "check.css", "main.js", "check.js"},
    "/replay": {"page.css", "viewer.css", "main.js", "viewer.js"},
    "/no/page": {"page.css", "main.js"},
}


def given(html: str) -> dict[str, Any]:
    """Return the replies in the HTML of a page."""
    found = re.search(r'<script type="application/json" id="given">(.*?)</script>', html)
    assert found
    replies: dict[str, Any] = json.loads(found[1])
    return replies


@pytest.mark.parametrize("path", PATHS)
def test_page_loads_only_its_files(tmp_path: Path, path: str) -> None:
    with people(tmp_path) as (anna,):
        answer = anna.get(path, headers={"accept": "text/html"})
        links = LINK.findall(answer.text)
        assert {link.rpartition("/")[2] for link in links} == PATHS[path]
        for link in links:
            file = anna.get(link)
            assert file.status_code == 200
            assert file.headers["content-encoding"] == "gzip"
            assert file.headers["cache-control"] == "public, max-age=31536000, immutable"
            plain = anna.get(link, headers={"accept-encoding": "identity"})
            assert "content-encoding" not in plain.headers
            assert plain.content == file.content


def test_files_of_another_version_are_not_found(tmp_path: Path) -> None:
    with people(tmp_path) as (anna,):
        assert anna.get("/static/built/0123456789abcdef/main.js").status_code == 404
        assert anna.get(bundles().address("nothing.js")).status_code == 404


def test_html_is_compressed(tmp_path: Path) -> None:
    with people(tmp_path) as (anna,), anna.stream("GET", "/") as answer:
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["vary"] == "accept-encoding"
        assert b"</html>" in gzip.decompress(b"".join(answer.iter_raw()))


def test_first_visit_stays_small() -> None:
    """At 50 kB a second, 50 kB take a second."""
    names = PATHS["/game/unknown"]
    packed = [bundles().files[name].packed for name in names]
    assert sum(map(len, [*packed, gzip.compress(bundles().first.encode())])) < 50_000


def test_script_in_the_html_is_allowed_by_its_hash(tmp_path: Path) -> None:
    with people(tmp_path) as (anna,):
        answer = anna.get("/")
        other = anna.get(f"{API}/rules")
    (script,) = re.findall(r"<script>(.*?)</script>", answer.text, re.S)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    allowed = f"script-src 'self' 'sha256-{digest}';"
    assert allowed in answer.headers["content-security-policy"]
    assert "script-src 'self';" in other.headers["content-security-policy"]
    assert answer.text.index("<script>") < answer.text.index('rel="stylesheet"')


def test_html_has_the_replies_of_the_api(tmp_path: Path) -> None:
    with people(tmp_path) as (anna,):
        game = anna.open("ultimate", o="random")
        paths = [
            "/",
            "/?game=connect4:8,7,4",
            f"/position/{POSITION}?moves=11",
            f"/game/{game['id']}",
        ]
        seen = set()
        for path in paths:
            replies = given(anna.get(path).text)
            assert len(replies) >= 2
            for asked, reply in replies.items():
                method, _, rest = asked.partition(" ")
                place, *words = rest.split("&")
                query = dict(word.split("=", 1) for word in words)
                assert method == "GET"
                assert anna.get(API + place, params=query).json() == reply
                seen.add(place)
    assert seen == {"/rules", "/position", "/games", f"/games/{game['id']}"}


def test_html_has_nothing_that_a_visitor_may_not_see(tmp_path: Path) -> None:
    with people(tmp_path, 2) as (anna, ben):
        game = anna.open("basic", o="guest", moves="5")
        path = f"/game/{game['id']}"
        assert set(given(anna.get(path).text)) == {"GET /rules", f"GET /games/{game['id']}"}
        assert ben.get(path).text == ben.get("/game/unknown").text
        assert set(given(ben.get(path).text)) == {"GET /rules"}


def test_text_of_a_game_cannot_end_the_element(tmp_path: Path) -> None:
    with people(tmp_path) as (anna,):
        game = anna.open("basic", moves="5", x="me", o="me")
        body = {"version": game["version"], "path": ["5"], "comment": "</script><script>"}
        game = anna.ask("PUT", f"/games/{game['id']}/comments", body).json()
        html = anna.get(f"/game/{game['id']}").text
    assert "</script><script>" not in html
    assert given(html)[f"GET /games/{game['id']}"]["comments"] == {"1": "</script><script>"}


def stage(anna: Person, path: str) -> str:
    return anna.get(path).text.partition('<main id="main"')[2].partition("</main>")[0]


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        (f"/position/{POSITION}", "X played top left, so you play the top-left board."),
        ("/position/basic~X2.3.3~O", "Your turn."),
        ("/?game=connect4", "You begin: drop into any column."),
    ],
)
def test_html_has_the_board(tmp_path: Path, path: str, sentence: str) -> None:
    with people(tmp_path) as (anna,):
        drawn = stage(anna, path)
    assert f'<p class="situation">{sentence}' in drawn
    assert ('class="X"' in drawn) == path.startswith("/position/")
    assert "style=" not in drawn


def test_html_has_no_board_with_swapped_letters(tmp_path: Path) -> None:
    with people(tmp_path) as (anna,):
        shown, swapped = (
            anna.open("basic", o="random", moves="5 1", swapped=each) for each in (False, True)
        )
        assert "<svg" in stage(anna, f"/game/{shown['id']}")
        assert "<svg" not in stage(anna, f"/game/{swapped['id']}")
        assert "<svg" not in stage(anna, "/")
        assert "<svg" not in stage(anna, "/position/nonsense")


# The bundles


def test_no_template_has_a_line_like_a_comment() -> None:
    """The bundles drop margins, and lines that begin with a comment."""
    found = [file for place in MODULES.values() for file in place.iterdir()]
    modules = [file for file in found if file.name.endswith(".js")]
    assert len(modules) > 40
    for file in modules:
        is_inside = False
        for line in file.read_text(encoding="utf-8").splitlines():
            assert not (is_inside and line.strip().startswith(("//", "/*"))), (file.name, line)
            is_inside ^= line.count("`") % 2 == 1
        assert not is_inside, file.name


def test_module_is_in_one_bundle_of_those_that_load_together() -> None:
    place = files("noughts.web") / "static"
    names = [each.name.removesuffix(".js") for each in place.iterdir() if each.name.endswith(".js")]
    built = {name: file.plain.decode() for name, file in bundles().files.items()}
    built["HTML"] = bundles().first
    for name in names:
        holders = [file for file, text in built.items() if f"const $_static_{name} =" in text]
        assert len(holders) == (name not in ("api", "worker")), (name, holders)


def test_parts_load_the_bundles_above_them() -> None:
    sources = {
        "first": "export const one = 1;\n",
        "main": 'import("./a.js");\nimport("./b.js");\n',
        "a": 'import { shared } from "./shared.js";\nimport("./later.js");\nexport const a = 1;\n',
        "b": 'import { shared } from "./shared.js";\nexport const b = shared;\n',
        "later": 'import { a } from "./a.js";\nexport const c = a;\n',
        "shared": 'import("./late.js");\nexport const shared = 2;\n',
        "late": "export const late = 3;\n",
    }
    modules = {
        f"/static/{name}.js": parse(f"/static/{name}.js", text) for name, text in sources.items()
    }
    texts = scripts(modules)
    assert set(texts) == {"first.js", "main.js", "a.js", "b.js", "later.js", "late.js"}
    assert "const shared = 2;" in texts["main.js"]
    assert "const late = 3;" in texts["late.js"]
    assert "const late = 3;" not in texts["main.js"]
    imports = {name: re.findall(r'from "\./(\w+)\.js"', text) for name, text in texts.items()}
    assert imports["later.js"] == ["main", "a"]
    assert imports["b.js"] == ["main"]
    assert "$_static_first" in texts["first.js"]
    assert "export" not in texts["first.js"]
    assert "export const { c } = $_static_later;" in texts["later.js"]


# The requests of a browser


@needs_browser
@pytest.mark.parametrize(
    ("path", "asked"),
    [
        (lambda _: f"/position/{POSITION}", set()),
        (lambda _: "/?game=basic&opponent=me", set()),
        (lambda game: f"/game/{game['id']}#watch={game['keys']['watch']}", {"GET /games/ID"}),
        (lambda game: f"/game/{game['id']}#join={game['keys']['join']}", {"POST /games/ID/join"}),
    ],
)
def test_board_needs_one_level_of_requests(
    visit: Visit, path: Callable[[dict[str, Any]], str], asked: set[str]
) -> None:
    host = visit()
    body = {"start": "ultimate", "moves": "51", "x": "me", "o": "guest"}
    game = host.context.request.post(f"{host.address}{API}/games", data=body).json()
    guest = visit()
    found = []
    guest.page.on("request", lambda request: found.append((request.method, request.url)))
    page = guest.go(path(game))
    expect(page.locator(".cell").first).to_be_visible()
    api = [f"{method} {url.partition(API)[2]}" for method, url in found if API in url]
    before_the_lesson = {each for each in api if "/lesson" not in each and "/live" not in each}
    assert before_the_lesson == {each.replace("ID", game["id"]) for each in asked}
    files = [url for _, url in found if "/built/" in url and "cards" not in url]
    assert len(files) == 3


def test_review_is_loaded_at_the_end_of_a_game(visit: Visit) -> None:
    page = visit().go("/position/basic~XX1.OO1.3~X")
    expect(page.locator(".cell.may").first).to_be_visible()
    loaded = "performance.getEntriesByType('resource').some(({ name }) => /review.js/.test(name))"
    assert not page.evaluate(loaded)
    page.keyboard.type("3")
    expect(page.get_by_role("button", name="Review", exact=True)).to_be_visible()
    wait_until(page, loaded)
