"""Pages in a single file, which open from disk without a network in any browser.

title, HTML, data ─┐
style sheets ──────┼──page()──► one HTML text, from single_file.html
modules ──bundle()─┘
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Template
from typing import Any

from noughts.views.foreign import without_controls
from noughts.views.modules import bundle, parse
from noughts.views.svg import DARK, LIGHT


class Places(dict[str, int]):
    """Indices of texts, each stored once in the data of a page."""

    def __missing__(self, text: str) -> int:
        place = self[text] = len(self)
        return place


def page(
    title: str,
    body: str,
    data: Any,
    *,
    styles: Iterable[Traversable],
    scripts: Iterable[Traversable],
    theme: str = "auto",
) -> str:
    """Return a page as one text; its content policy forbids all requests.

    Args:
        title: plain text, also shown at the top.
        body: HTML shown without the script.
        data: for JSON; the script finds it in the element `data`.
        styles: style sheets; the colours of `svg.LIGHT` and `DARK` are their variables.
        scripts: modules, each importing only from those before it.
        theme: `light`, `dark`, or `auto` for the setting of the reader's system.
    """
    template = (files("noughts.views") / "single_file.html").read_text(encoding="utf-8")
    modules = [parse(f"/{script.name}", script.read_text(encoding="utf-8")) for script in scripts]
    filled = Template(template).substitute(
        title=escape(title),
        theme="" if theme == "auto" else f' data-theme="{theme}"',
        light=LIGHT.variables,
        dark=DARK.variables,
        style="".join(style.read_text(encoding="utf-8") for style in styles),
        script=bundle(modules),
        body=body,
        # Texts of a game may contain a closing tag, which would end the data.
        data=json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    )
    return without_controls(filled)


def card(name: str, title: str, *body: str) -> str:
    """Return a section with a heading.

    Args:
        name: its id and class.
        title: plain text.
        body: HTML.
    """
    return (
        f'<section class="card {name}" aria-labelledby="{name}">'
        f'<h2 id="{name}">{escape(title)}</h2>{"".join(body)}</section>'
    )
