"""Run the notebooks of `examples/notebooks`, and make pages of the site from them.

    NAME.ipynb ──cells()──► Cell ──Session.run()──► outputs ──page()──► Markdown and pictures

The cells run in an IPython shell of this process, which starts faster than a Jupyter kernel.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from IPython.core import interactiveshell
from traitlets.config import Config

FOLDER = Path(__file__).parent.parent / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

Output = dict[str, Any]
"""The data of one output by MIME type; printed text has `text/plain`."""


class Cell(NamedTuple):
    kind: str
    """`markdown` or `code`."""
    name: str
    """Its id in the file."""
    source: str


def cells(path: Path) -> list[Cell]:
    """Return the cells of a notebook file."""
    notebook = json.loads(path.read_text("utf-8"))
    return [
        Cell(cell["cell_type"], cell["id"], "".join(cell["source"])) for cell in notebook["cells"]
    ]


class Session:
    """Runs cells one after another, with common variables."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell

    def run(self, source: str) -> list[Output]:
        """Run a cell and return its outputs in order: printed text, and the value of its end.

        Raises:
            Exception: the error that the cell raised.
        """
        outputs: list[Output] = []

        class Printed(io.TextIOBase):
            def write(self, text: str) -> int:
                if outputs and outputs[-1].keys() == {"text/plain"}:
                    outputs[-1]["text/plain"] += text
                else:
                    outputs.append({"text/plain": text})
                return len(text)

        def show(value: object) -> None:
            if value is not None:
                data, _ = self.shell.display_formatter.format(value)
                outputs.append(data)

        self.shell.display_trap.hook = show
        with redirect_stdout(Printed()):
            self.shell.run_cell(source, store_history=False).raise_error()
        return outputs


@contextmanager
def session() -> Iterator[Session]:
    """Yield a new session, without history and with the formats of a notebook."""
    config = Config()
    config.HistoryManager.enabled = False
    shells: Any = interactiveshell
    shell = shells.InteractiveShell.instance(config=config)
    try:
        yield Session(shell)
    finally:
        shells.InteractiveShell.clear_instance()


def page(name: str, shown: Iterable[Cell]) -> tuple[str, dict[str, str]]:
    """Run cells, and return them with their outputs as Markdown, and the pictures by file name.

    Args:
        name: the beginning of the file names.
        shown: the cells of a notebook.
    """
    blocks: list[str] = []
    pictures: dict[str, str] = {}
    with session() as running:
        for cell in shown:
            if cell.kind == "markdown":
                text = cell.source.replace("](../../docs/", "](")
                blocks.append(re.sub(r"\]\(([^)]*)\.ipynb\)", r"](notebook-\1.md)", text))
                continue
            blocks.append(f"```python\n{cell.source}\n```")
            for output in running.run(cell.source):
                if "image/svg+xml" in output:
                    file = f"{name}-{len(pictures) + 1}.svg"
                    pictures[file] = output["image/svg+xml"]
                    title = re.search("<title>(.*?)</title>", pictures[file])
                    blocks.append(f"[![{title[1] if title else 'picture'}]({file})]({file})")
                elif "text/html" in output:
                    blocks.append(re.sub(r"\n\s*", "\n", output["text/html"]).strip())
                else:
                    blocks.append(f'```text title="Output"\n{output["text/plain"].rstrip()}\n```')
    return "\n\n".join(blocks) + "\n", pictures
