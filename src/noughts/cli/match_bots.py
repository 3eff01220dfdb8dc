"""The bots of a match: texts of the command line, or a TOML file."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from noughts.arena.bot import Bounds, Entry, parse_entry
from noughts.cli.output import fail, failing
from noughts.games.position import NotationError

PYTHON_SECONDS = 20
"""Seconds within which an interpreter must tell its version."""


def read_entries(
    texts: Sequence[str], file: Path | None, bounds: Bounds, python: str | None = None
) -> tuple[Entry, ...]:
    """Return the bots of a match, or fail: at least two, with different names.

    Args:
        texts: bots, or their names in the file.
        file: a TOML file that describes bots.
        bounds: of their processes.
        python: the interpreter of Python functions.
    """
    known = {} if file is None else _read_bots(file, bounds, python)
    entries = [_named(text, known, bounds, python) for text in texts]
    entries = entries or list(known.values())
    if len(entries) < 2:
        fail(f"a match needs two bots, such as `level4 random`, not {len(entries)}", 2)
    names = [entry.name for entry in entries]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        fail(f"two bots are called {twice}. Rename one: other={twice}", 2)
    return tuple(entries)


def read_entry(text: str, file: Path | None, bounds: Bounds, python: str | None = None) -> Entry:
    """Return the bot that a text of the command line names, or fail."""
    known = {} if file is None else _read_bots(file, bounds, python)
    return _named(text, known, bounds, python)


def _named(text: str, known: Mapping[str, Entry], bounds: Bounds, python: str | None) -> Entry:
    if python is not None:
        _check_python(python, "--python", 2)
    with failing(2, NotationError):
        return known.get(text) or parse_entry(text, bounds)._replace(python=python)


@cache
def _check_python(python: str, place: str, code: int) -> None:
    """Fail unless a program is a Python that can load this package."""
    wanted = f"{sys.version_info.major}.{sys.version_info.minor}"
    command = [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=PYTHON_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        fail(f"{place}: there is no Python {python}", code)
    found = said.stdout.strip()
    if found != wanted:
        fail(
            f"{place}: {python} must be Python {wanted}, as this program, not {found or 'none'}",
            code,
        )


_BOT_KEYS: dict[str, type | tuple[type, ...]] = {
    "bot": str,
    "directory": str,
    "memory": int,
    "cpu": int,
    "start": (int, float),
    "python": str,
    "options": dict,
}


def _read_bots(file: Path, bounds: Bounds, python: str | None) -> dict[str, Entry]:
    """Return the bots that a TOML file describes, by name."""
    errors = (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError)
    with failing(3, errors, f"--bots: cannot read {file}: "):
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    return {
        name: _read_bot(f"{file}, [{name}]", name, bot, bounds, python)
        for name, bot in data.items()
    }


def _read_bot(place: str, name: str, bot: object, bounds: Bounds, python: str | None) -> Entry:
    if not isinstance(bot, dict):
        fail(f'--bots: {place} is not a table. Write [{name}], and bot = "…" below it.', 3)
    for key, value in bot.items():
        if key not in _BOT_KEYS:
            fail(f"--bots: {place}: unknown key {key!r}. Known: {' '.join(_BOT_KEYS)}", 3)
        if not isinstance(value, _BOT_KEYS[key]) or isinstance(value, bool):
            fail(f"--bots: {place}: {key} cannot be {value!r}", 3)
        if isinstance(value, int | float) and not value > 0:
            fail(f"--bots: {place}: {key} must be above 0", 3)
    if "bot" not in bot:
        fail(f"--bots: {place}: the key bot is missing", 3)
    own = bounds._replace(
        memory_mib=bot.get("memory", bounds.memory_mib),
        cpu_seconds=bot.get("cpu", bounds.cpu_seconds),
        start_seconds=float(bot.get("start", bounds.start_seconds)),
    )
    directory = Path(bot["directory"]) if "directory" in bot else None
    if directory is not None and not directory.is_dir():
        fail(f"--bots: {place}: there is no folder {directory}", 3)
    with failing(3, NotationError, f"--bots: {place}: "):
        entry = parse_entry(bot["bot"], own)
    python = bot.get("python", python)
    if python is not None:
        _check_python(python, f"--bots: {place}", 3)
    options = tuple((key, str(value)) for key, value in bot.get("options", {}).items())
    return entry._replace(name=name, options=options, directory=directory, python=python)
