"""Scripts of the page as modules for Node."""

from __future__ import annotations

from pathlib import Path

from noughts.site import build
from noughts.views.modules import bundle, ordered


def write_module(folder: Path, entry: str) -> Path:
    """Write a script of the page, such as `core/core`, with its imports as one module.

    Its default export is the namespace of the script.
    """
    modules = build.modules()
    address = f"/static/{entry}.js"
    script = bundle(ordered(modules, address))
    path = folder / f"{Path(entry).name}.mjs"
    path.write_text(f"{script}export default {modules[address].name};\n", encoding="utf-8")
    return path
