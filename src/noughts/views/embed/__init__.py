"""The script of `<noughts-board>`: boards in any web page, in one file.

modules, style sheets ──┐
levels of play ─────────┼──script()──► noughts-board.js
core.wasm, compressed ──┘

The script holds no rules: it draws the facts that the core tells. It asks no network.
"""

from __future__ import annotations

import base64
import gzip
import json
from functools import cache
from importlib.resources import files
from string import Template

from noughts.levels import ladders
from noughts.version import __version__
from noughts.views import replay
from noughts.views.modules import bundle, ordered, parse
from noughts.views.svg import DARK, LIGHT

STATIC = files(__package__) / "static"
PAGE = files("noughts") / "web" / "static"
CORE = PAGE / "core"
FOLDERS = {
    "/static": PAGE,
    "/static/core": CORE,
    "/static/replay": replay.STATIC,
    "/static/embed": STATIC,
}
MAIN = "/static/embed/main.js"
STYLES = (
    *(replay.STATIC / name for name in ("base.css", "board.css", "steps.css")),
    PAGE / "board.css",
    STATIC / "embed.css",
)


class CoreMissing(OSError):
    """The installation has no core.wasm."""


@cache
def script() -> str:
    """Return the script, some hundred kilobytes of JavaScript.

    Raises:
        CoreMissing: the package was built without core.wasm.
    """
    try:
        core = (CORE / "core.wasm").read_bytes()
    except FileNotFoundError:
        raise CoreMissing(
            "This installation has no core.wasm. `make wasm` builds it in a checkout of noughts."
        ) from None
    modules = {address: parse(address, source) for address, source in sources().items()}
    template = Template((STATIC / "file.js").read_text(encoding="utf-8"))
    return template.substitute(
        version=__version__,
        script=bundle(ordered(modules, MAIN)),
        main=modules[MAIN].name,
        core=base64.b64encode(gzip.compress(core, mtime=0)).decode(),
    )


def sources() -> dict[str, str]:
    """Return the modules that boards in other pages are made of, by their addresses."""
    found = {
        f"{folder}/{file.name}": file.read_text(encoding="utf-8")
        for folder, place in FOLDERS.items()
        for file in place.iterdir()
        if file.name.endswith(".js") and file.name != "file.js"
    }
    return found | {"/static/embed/data.js": _data()}


def _data() -> str:
    """Return the module with the style sheet and the levels of play."""
    levels = {
        name: [{key: value for key, value in level._asdict().items() if value} for level in ladder]
        for name, ladder in ladders().items()
    }
    style = "".join(sheet.read_text(encoding="utf-8") for sheet in STYLES)
    # The colours follow the `color-scheme` of the page.
    colours = ";".join(
        f"--{name.replace('_', '-')}:light-dark({light},{dark})"
        for name, light, dark in zip(LIGHT._fields, LIGHT, DARK, strict=True)
    )
    return (
        f"export const STYLE = {json.dumps(f':host{{{colours}}}{style}')};\n"
        f"export const LEVELS = {json.dumps(levels)};\n"
    )
