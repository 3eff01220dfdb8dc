"""`noughts vectors`: write files with which programs in other languages can check their rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from noughts.cli.options import DEVELOP, Commands
from noughts.cli.output import fail, fail_to_write

app = Commands()


@app.add_to(DEVELOP, "noughts vectors vectors")
def vectors(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder to write; empty, or earlier vectors.")
    ],
) -> None:
    """Write positions with their moves and results, as JSON, to check rules in any language.

    One file for each set of rules, one of texts to refuse, and a schema; the same each time.
    """
    from noughts import conformance

    if not folder.is_dir():
        fail(f"DIR: there is no folder {folder}", 3)
    try:
        sizes = conformance.write(folder)
    except conformance.OtherFiles as error:
        fail(f"DIR: {error}; choose an empty folder", 2)
    except OSError as error:
        fail_to_write(folder, error, "DIR")
    print(f"{folder}: {len(sizes)} files, {sum(sizes.values()) / 1e6:.1f} MB")
