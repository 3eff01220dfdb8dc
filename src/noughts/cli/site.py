"""`noughts site`: write the page as a folder that needs no server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from noughts.cli.options import MORE, Commands
from noughts.cli.output import fail, warn

app = Commands()

BUILD = "Run `make site-parts` in a checkout of noughts; --parts names the folder elsewhere"


@app.add_to(MORE, "noughts site public", "noughts site public --parts build/site-parts")
def site(
    folder: Annotated[Path, typer.Argument(help="The folder to write; empty, or an earlier site.")],
    parts: Annotated[
        Path | None,
        typer.Option(
            help="The folder with core.wasm and Python, of `make site-parts`. Default: "
            "build/site-parts of the checkout."
        ),
    ] = None,
) -> None:
    """Write the page as static files: all is computed in the visitor's browser.

    Any web server or host can serve the folder, also below a path. There are no accounts, and no
    games between two machines.
    """
    from noughts.site.build import BUILT_PARTS, NoCore, NotASite, write

    if parts is not None and not parts.is_dir():
        fail(f"--parts: {parts} is not a folder", 2)
    try:
        written = write(folder, parts or BUILT_PARTS)
    except NotASite as error:
        fail(str(error), 2)
    except NoCore:
        fail(f"without core.wasm nothing can be played, so no site is written. {BUILD}", 3)
    except OSError as error:
        fail(f"cannot write the site: {error}", 3)
    if not written.has_python:
        warn(f"the site has no Python, so no reviews, puzzles, labs and exercises. {BUILD}")
    print(f"{folder}: {_mb(written.bytes)}, {_mb(written.compressed)} compressed.")
    print(f"A first game loads {written.first / 1000:.0f} kB compressed.")
    print(f"Try it: python -m http.server --directory {folder}")


def _mb(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
