"""The scripts and the style sheets of the page in few files, made when the server starts.

    modules ──┬──► in the HTML     first.js: asks for the game of a link while the rest loads
              ├──► main.js         the modules of two or more pages, but those loaded by import("…")
              └──► game.js, lab.js, …   one for each page, loads main.js
    sheets of index.html ──► page.css, and home.css, … for those with data-page="home"

The address of a file has a digest of all of them, so that browsers keep it forever.
"""

from __future__ import annotations

import gzip
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import chain
from typing import NamedTuple

from noughts.views import replay
from noughts.views.modules import Module, bundle, ordered, parse
from noughts.views.svg import DARK, LIGHT

STATIC = files("noughts.web") / "static"
MODULES = {"/static": STATIC, "/static/core": STATIC / "core", "/static/replay": replay.STATIC}
FIRST, MAIN = "/static/first.js", "/static/main.js"
_SHEET = re.compile(r'<link rel="stylesheet" href="([^"]+)"(?: data-page="(\w+)")?>\n')
# Templates with line breaks are HTML, in which margins do not count.
_COMMENT = re.compile(r"^ *(?://.*|/\*[\s\S]*?\*/)\n", re.M)
_MARGIN = re.compile(r"^ +", re.M)


class File(NamedTuple):
    """A file of the page, also compressed."""

    kind: str
    plain: bytes
    packed: bytes


class Bundles(NamedTuple):
    """The files of the page by their names, and the HTML that loads them."""

    digest: str
    files: dict[str, File]
    html: str
    """`index.html`, whose head loads the style sheet and the scripts of every page."""
    first: str
    """The script in the HTML, which runs before the others have loaded."""

    @property
    def hash(self) -> str:
        """The hash of the script in the HTML, as a source of a Content-Security-Policy."""
        return f"'sha256-{b64encode(sha256(self.first.encode()).digest()).decode()}'"

    def address(self, name: str) -> str:
        return f"/static/built/{self.digest}/{name}"


@cache
def bundles() -> Bundles:
    """Return the files of the page.

    Raises:
        ValueError: modules cannot be bundled.
    """
    index = index_html()
    texts = {name: small(text) for name, text in (scripts(modules()) | sheets(index)).items()}
    first = texts.pop("first.js")
    assert "</script" not in first, "it would end the element"
    digest = sha256("".join(texts.values()).encode()).hexdigest()[:16]
    found = {name: _file(name, text) for name, text in texts.items()}
    made = Bundles(digest, found, "", first)
    # The style sheets come last: a script after one waits for it.
    links = (
        f'<script src="{made.address("main.js")}" type="module"></script>\n'
        f"<script>{first}</script>\n"
        f'<link rel="stylesheet" href="{made.address("page.css")}">\n'
    )
    return made._replace(html=with_links(index, links))


def index_html() -> str:
    """Return the HTML of the page, which loads every style sheet and script as a separate file."""
    return (STATIC / "index.html").read_text(encoding="utf-8")


def with_links(index: str, links: str) -> str:
    """Return the HTML of the page with other elements in place of its sheets and its script."""
    head, script, body = index.partition('<script src="/static/main.js" type="module"></script>\n')
    assert script, "index.html loads main.js"
    return f"{_SHEET.sub('', head)}{links}{body}"


def small(text: str) -> str:
    """Return a script or a style sheet without comments and indentation."""
    return _MARGIN.sub("", _COMMENT.sub("", text))


def scripts(modules: Mapping[str, Module], *before: str) -> dict[str, str]:
    """Return the bundles by their names.

    Args:
        modules: by their addresses; `first.js` and `main.js` are among them.
        before: addresses of modules that run before `first.js`, each a script.

    Returns:
        The modules, and the scripts `before` and `first.js`, whose constants all modules see.

    Raises:
        ValueError: modules import each other in a circle, or names that are not exported.
    """
    texts: dict[str, str] = {}
    first: list[Module] = []
    for address in (*before, FIRST):
        new = [each for each in ordered(modules, address) if each not in first]
        texts[address.rpartition("/")[2]] = f'"use strict";\n{bundle(new, first)}'
        first += new
    start = ordered(modules, MAIN)
    pages = modules[MAIN].later
    counts = Counter(each for page in pages for each in _family(modules, page, pages))
    everything = [each for address in modules for each in ordered(modules, address)]
    common = [each for each in everything if counts[each.address] > 1]
    imported = {each.address for module in modules.values() for each in module.imports}
    late = {part for each in (*common, *start) for part in each.later}.difference(imported)
    # The modules of pages come first: main.js starts the page.
    shared = [each for each in dict.fromkeys((*common, *start)) if each.address not in late]
    main = [each for each in shared if each not in first]
    texts["main.js"] = bundle(main, first) + _exports(main)

    def add(address: str, known: Mapping[str, Sequence[Module]]) -> None:
        name = address.rpartition("/")[2]
        texts[name], own = _part(modules[address], ordered(modules, address), known, first)
        for each in sorted({part for module in own for part in module.later}.difference(pages)):
            add(each, {**known, name: own})

    later = {part for module in (*first, *main) for part in module.later}.difference(pages)
    for each in (*pages, *sorted(later)):
        add(each, {"main.js": main})
    return texts


def _family(modules: Mapping[str, Module], page: str, pages: Collection[str]) -> set[str]:
    """Return the addresses of the modules that a page loads now or later, without other pages."""
    found: set[str] = set()
    waiting = [page]
    while waiting:
        needed = {each.address for each in ordered(modules, waiting.pop())} - found
        found |= needed
        waiting += [part for each in needed for part in modules[each].later if part not in pages]
    return found


def _part(
    entry: Module,
    needed: Iterable[Module],
    known: Mapping[str, Sequence[Module]],
    first: Sequence[Module],
) -> tuple[str, list[Module]]:
    """Return the bundle of a module that is loaded later, and the modules in it.

    Args:
        entry: the module; the bundle has its exports.
        needed: the modules that it needs, itself included.
        known: the bundles that are loaded before, by their names.
        first: the modules in the HTML.
    """
    given = [*first, *chain(*known.values())]
    own = [module for module in needed if module not in given]
    imports = (_imports(name, modules) for name, modules in known.items() if modules)
    exported = f"export const {{ {', '.join(entry.exports)} }} = {entry.name};\n"
    return "".join(imports) + bundle(own, given) + exported + _exports(own), own


def _imports(name: str, modules: Iterable[Module]) -> str:
    return f'import {{ {", ".join(module.name for module in modules)} }} from "./{name}";\n'


def _exports(modules: Iterable[Module]) -> str:
    return f"export {{ {', '.join(module.name for module in modules)} }};\n"


def modules() -> dict[str, Module]:
    """Return the modules of the page by their addresses."""
    found = (
        parse(f"{folder}/{file.name}", file.read_text(encoding="utf-8"))
        for folder, place in MODULES.items()
        for file in place.iterdir()
        if file.name.endswith(".js")
    )
    return {module.address: module for module in found}


def sheets(index: str) -> dict[str, str]:
    """Return the style sheets by their names: that of all pages, and those of single pages."""
    found: dict[str, str] = {}
    for address, page in _SHEET.findall(index):
        name = f"{page or 'page'}.css"
        found[name] = found.get(name, "") + _sheet(address)
    return found


def _sheet(address: str) -> str:
    if address == "/static/palette.css":
        return palette()
    folder, _, name = address.rpartition("/")
    return (MODULES[folder] / name).read_text(encoding="utf-8")


def palette() -> str:
    """Return the colours of `noughts.views` as CSS variables, light and dark."""
    light = f"{{color-scheme:light;{LIGHT.variables}}}"
    dark = f"{{color-scheme:dark;{DARK.variables}}}"
    return (
        f":root{light}@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){dark}}}"
        f":root[data-theme=dark]{dark}\n"
    )


def _file(name: str, text: str) -> File:
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    return File(kind, text.encode(), gzip.compress(text.encode(), mtime=0))
