"""The page as a folder of files, which any web server can serve.

    modules of the page, some replaced ──► app/*.js         index.html ──► app/*.css
    levels, nets, books, rules, first positions ──► data/*, JSON in index.html
    build/site-parts ──► core/core.wasm, python/*
    all of them ──► sw.js, by which the page works without network

The scripts of the page are those of the server; `site/static` has others in place of its client
and its addresses. All URLs are relative, so the folder may lie anywhere on a host.
"""

from __future__ import annotations

import gzip
import json
import re
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from noughts.answers import positions
from noughts.answers.rules import RulesView, lesson_data, rules_data, with_sizes
from noughts.games.catalogue import file_stem
from noughts.games.registry import GAMES, game
from noughts.site import offline
from noughts.site.tasks import task_files
from noughts.version import __version__
from noughts.views.modules import Module, bundle, ordered, parse
from noughts.web import bundles, visitor

STATIC = files("noughts.site") / "static"
PAGE = files("noughts.web") / "static"
MARK = "noughts-site.json"
"""The file by which a folder is known to be a site of ours."""
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "style-src 'self'; connect-src 'self'; img-src 'self' data:; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
REPLACED = ("address.js", "client.js")
"""The modules of the page that the site has in another form."""
START, EARLY, WORKER, HELPER = "start.js", "early.js", "worker.js", "helper.js"
PARTS = ("core", "python")
BUILT_PARTS = Path(__file__).parents[3] / "build/site-parts"
"""Where `make site-parts` of a checkout leaves the parts."""
HOW_TO_OPEN = (
    '<div class="sentence late"><p>Still loading. The page needs JavaScript and a server: '
    "if you opened it as a file, run <code>python -m http.server</code> in its folder, and open "
    "<code>http://localhost:8000</code>.</p></div>"
)
"""Shown after some seconds without a page."""
PRIVACY = (
    '\n<footer class="site-note">Everything is computed in your browser. Your games are kept in '
    "it, and nothing leaves this machine.</footer>"
)


class NotASite(ValueError):
    """A folder with files that are not of a site."""


class NoCore(RuntimeError):
    """There is no `core.wasm`, neither in the parts nor in the package."""


class Site(NamedTuple):
    """A written site."""

    has_python: bool
    """Whether it has what only Python computes: reviews, puzzles, labs and exercises."""
    bytes: int
    compressed: int
    """Sizes of all files, as they are and each compressed by gzip."""
    first: int
    """Compressed bytes of a first visit until a move is played, without nets, books and Python."""


def write(folder: Path, parts: Path) -> Site:
    """Write the site into a folder, in place of an earlier one.

    Args:
        folder: is made if there is none.
        parts: has the folders `core` and `python`, as `make site-parts` writes them.

    Raises:
        NotASite: the folder has other files.
        NoCore: nothing could be played.
        OSError: a file cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise NotASite(f"the file {folder} is not a folder")
    is_old = (folder / MARK).is_file()
    if folder.is_dir() and any(folder.iterdir()) and not is_old:
        raise NotASite(f"the folder {folder} has other files; choose an empty one")
    found = _part_folders(parts)
    if "core" not in found:
        raise NoCore
    if is_old:
        for name in json.loads((folder / MARK).read_text(encoding="utf-8"))["files"]:
            (folder / name).unlink(missing_ok=True)
    whole = offline.with_offline(_files(found))
    for name, content in whole.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    mark = json.dumps({"noughts": __version__, "files": sorted(whole)}, indent=1)
    (folder / MARK).write_text(f"{mark}\n", encoding="utf-8")
    sizes = {name: len(gzip.compress(content, 6)) for name, content in whole.items()}
    return Site(
        has_python="python" in found,
        bytes=sum(map(len, whole.values())),
        compressed=sum(sizes.values()),
        first=sum(sizes.get(name, 0) for name in FIRST_FILES),
    )


FIRST_FILES = (
    "index.html",
    "core/rules.wasm",
    "app/page.css",
    "app/home.css",
    f"app/{START}",
    f"app/{EARLY}",
    "app/first.js",
    "app/main.js",
    "app/home.js",
    "app/game.js",
    "app/sentences.js",
)
"""The files that a first game between people needs."""


def _part_folders(parts: Path) -> dict[str, Path]:
    """Return the folders of the parts that are there; `core.wasm` may be that of the package."""
    found = {name: parts / name for name in PARTS if (parts / name).is_dir()}
    if "core" not in found and (Path(str(PAGE)) / "core" / "core.wasm").is_file():
        found["core"] = Path(str(PAGE)) / "core"
    return found


def _files(parts: dict[str, Path]) -> dict[str, bytes]:
    """Return the content of every file by its path in the folder."""
    page = modules()
    index = bundles.index_html()
    scripts = bundles.scripts(page, f"/static/site/{EARLY}")
    scripts[WORKER] = bundle(ordered(page, f"/static/{WORKER}"))
    for name in (START, offline.SCRIPT):
        scripts[name] = bundle(ordered(page, f"/static/site/{name}"))
    scripts[HELPER] = bundle(ordered(page, f"/static/core/{HELPER}"))
    sheets = bundles.sheets(index)
    sheets["page.css"] += (STATIC / "site.css").read_text(encoding="utf-8")
    texts = {f"app/{name}": bundles.small(text) for name, text in (scripts | sheets).items()}
    found = {name: text.encode() for name, text in texts.items()}
    found["index.html"] = _html(index, [*parts]).encode()
    for name in ("icon.svg", "icon-turn.svg"):
        found[name] = (PAGE / name).read_bytes()
    found |= visitor.data_files()
    found |= task_files()
    for rules in _taught():
        found[_lesson_file(rules)] = json.dumps(lesson_data(rules), ensure_ascii=False).encode()
    for part, place in parts.items():
        for file in place.iterdir():
            found[f"{part}/{file.name}"] = file.read_bytes()
    return found


def modules() -> dict[str, Module]:
    """Return the modules of the page, with those of the site."""
    found = bundles.modules()

    def add(address: str, text: str) -> None:
        found[address] = parse(address, text)

    for file in STATIC.iterdir():
        if file.name.endswith(".js"):
            inside = "" if file.name in REPLACED else "site/"
            add(f"/static/{inside}{file.name}", file.read_text(encoding="utf-8"))
    return found


def _html(index: str, parts: list[str]) -> str:
    links = (
        '<link rel="stylesheet" href="app/page.css">\n'
        f'<script src="app/{START}" async></script>\n'
        f'<script src="app/{EARLY}" defer></script>\n'
        '<script src="app/first.js" defer></script>\n'
        '<script src="app/main.js" type="module"></script>\n'
    )
    html = bundles.with_links(index, links + offline.HEAD)
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    html = html.replace('<meta name="viewport"', f'{policy}<meta name="viewport"')
    html = html.replace('href="/static/icon.svg"', 'href="icon.svg"')
    html = re.sub(r'href="(/[^"]*)"', r'href="#\1"', html)
    html = re.sub(r"<noscript>.*?</noscript>", "", html, flags=re.S)
    html = html.replace("</main>", f"</main>{HOW_TO_OPEN}{PRIVACY}")
    given = {"GET /rules": _rules(), **_positions()}
    data = _script("given", given) + _script("site", site_data(parts))
    return html.replace("</body>", f"{data}</body>")


def _script(name: str, data: Any) -> str:
    """Return data as an element of the page."""
    # A text may contain a closing tag, which would end the element.
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>\n'


def _rules() -> RulesView:
    """Return the rules without opponents that need a server."""
    found = rules_data()
    opponents = [each for each in found["opponents"] if each["text"] != "guest"]
    games = [each for each in found["games"] if each["native"]]
    return {**found, "opponents": opponents, "games": games}


def _positions() -> dict[str, positions.PositionView]:
    """Return the first position of each game that the home page offers, by the script's request."""
    quick = [each["quick"]["rules"] for each in _rules()["games"] if each["quick"]]
    starts = sorted({with_sizes(each) for each in chain(GAMES, quick)} - {"tree"})
    return {
        f"GET /position&start={start}&moves=": positions.line_data(
            positions.parse_line(start, ()), None
        )
        for start in starts
    }


def site_data(parts: list[str]) -> dict[str, Any]:
    """Return the data that `parts.js` reads."""
    return {
        **visitor.engine_data(),
        "lessons": {rules: _lesson_file(rules) for rules in _taught()},
        "python": "python" in parts,
        "version": __version__,
    }


def _taught() -> list[str]:
    """Return the rules ids whose lessons lie beside the page: those that the page offers."""
    games = [each for name, each in GAMES.items() if name != "tree"]
    presets = [preset.rules_id for each in games for preset in each.presets]
    quick = [each["quick"]["rules"] for each in _rules()["games"] if each["quick"]]
    native = [each["name"] for each in _rules()["games"]]
    return sorted({game(with_sizes(each)).rules_id for each in (*native, *presets, *quick)})


def _lesson_file(rules: str) -> str:
    return f"data/lessons/{file_stem(rules)}.json"
