"""Pages in a single file, which open from disk without a network in any browser.

template, content ────┐
style sheets ─────────┼──page()──► one HTML text; every template extends base.html
modules ──bundle()────┤            page.css and theme.js are in every page
data ──JSON───────────┘

Templates escape every text. Only drawings made by this package are marked as `safe` in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any

from noughts.views.foreign import without_controls
from noughts.views.modules import bundle, parse
from noughts.views.svg import DARK, LIGHT

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

VIEWS = files("noughts.views")
STYLES = (VIEWS / "replay" / "static" / "base.css", VIEWS / "page.css")
"""Style sheets of all pages."""
THEME = VIEWS / "theme.js"
"""The script of the button of all pages."""

_CODE = re.compile("`([^`]*)`")


class Places(dict[str, int]):
    """Indices of texts, each stored once in the data of a page."""

    def __missing__(self, text: str) -> int:
        place = self[text] = len(self)
        return place


def page(
    template: str,
    title: str,
    *,
    styles: Iterable[Traversable] = (),
    scripts: Iterable[Traversable] = (),
    data: Any = None,
    theme: str = "auto",
    **content: object,
) -> str:
    """Return a page as one text; its content policy forbids all requests.

    Args:
        template: path in `noughts.views` of a template that extends `base.html`.
        title: plain text, also shown at the top.
        styles: more style sheets than `STYLES`; the colours of `svg.LIGHT` and `DARK` are their
            variables.
        scripts: modules, each importing only from those before it.
        data: for JSON; the script finds it in the element `data`.
        theme: `light`, `dark`, or `auto` for the setting of the reader's system.
        content: variables of the template.
    """
    sheets = [style.read_text(encoding="utf-8") for style in (*STYLES, *styles)]
    modules = [
        parse(f"/{script.name}", script.read_text(encoding="utf-8")) for script in (THEME, *scripts)
    ]
    made = _environment().get_template(template)
    filled = made.render(
        content,
        title=title,
        theme=theme,
        light=LIGHT.variables,
        dark=DARK.variables,
        style="".join(sheets),
        script=bundle(modules),
        data=data,
    )
    return without_controls(filled)


@cache
def _environment() -> Environment:
    # Most commands make no page, and need no template engine to start.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("noughts", "views"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    made.filters["code"] = _code
    made.filters["number"] = "{:,}".format
    return made


def _code(text: str) -> Markup:
    """Return a text as HTML, with code between backticks."""
    from markupsafe import Markup, escape

    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))
