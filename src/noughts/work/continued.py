"""Files of long commands: an interrupted command continues from FILE.part."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


class OtherCommand(ValueError):
    """The unfinished file belongs to another command."""


def part_of(file: Path) -> Path:
    """Return the path of the unfinished file."""
    return file.with_name(f"{file.name}.part")


def continued(file: Path, head: str, ends: Callable[[str], bool] = lambda _: True) -> list[str]:
    """Return the lines of an interrupted command, up to the last that ends a piece of work.

    Lines after it are cut off the unfinished file, which is made if there is none.

    Args:
        file: that the command will write.
        head: its first line, which names the command.
        ends: whether a line ends a piece of work.

    Raises:
        OtherCommand: the file begins with another line.
        OSError: the file cannot be read or written.
    """
    part = part_of(file)
    if not part.exists():
        part.write_text(f"{head}\n", encoding="utf-8")
        return []
    first, *lines = part.read_text(encoding="utf-8").splitlines(keepends=True)
    if (found := first.strip()) != head:
        raise OtherCommand(
            f"{part} belongs to another command: {found.strip(' #')}. Delete it to start again"
        )
    while lines and not (lines[-1].endswith("\n") and ends(lines[-1])):
        lines.pop()
    part.write_text("".join([first, *lines]), encoding="utf-8")
    return [line.strip() for line in lines]
