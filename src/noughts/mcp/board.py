"""The board to play on, as an MCP application: one HTML file, which asks no network.

<noughts-board>, with the engine ──┐
a plain board, host.js, app.js ────┴──board_page()──► ui://noughts/board.html

The host shows it beside the results of some tools. Under the strictest policy of the MCP Apps
extension, which allows no WebAssembly, the server's tools tell the legal moves instead of the
engine in the page.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from string import Template

from noughts.version import __version__
from noughts.views import embed
from noughts.views.modules import bundle, ordered, parse

BOARD = "ui://noughts/board.html"
STATIC = files(__package__) / "static"
MAIN = "/static/mcp/app.js"


@cache
def board_page() -> str:
    """Return the page, some hundred kilobytes of HTML.

    Raises:
        noughts.views.embed.CoreMissing: the package was built without core.wasm.
    """
    element = embed.script()
    sources = embed.sources()
    for file in STATIC.iterdir():
        if file.name.endswith(".js"):
            sources[f"/static/mcp/{file.name}"] = file.read_text(encoding="utf-8")
    modules = {address: parse(address, source) for address, source in sources.items()}
    template = Template((STATIC / "board.html").read_text(encoding="utf-8"))
    return template.substitute(
        # Within a string of JavaScript, `<\/` is `</`.
        element=element.replace("</script", "<\\/script"),
        script=bundle(ordered(modules, MAIN)).replace("</script", "<\\/script"),
        main=modules[MAIN].name,
        version=__version__,
    )
