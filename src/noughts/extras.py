"""What an extra of the package needs, and the command that installs it in this Python."""

from __future__ import annotations

import sys


def missing(what: str, package: str | None, extra: str) -> str:
    """Return the sentence that something needs a package, with the command that installs it.

    The command names the requirements of the extra, not `noughts[extra]`: it works where no index
    has this package, as in a checkout.

    Args:
        what: the thing, such as `the page`.
        package: the name of the absent module.
        extra: the extra of `pyproject.toml` that has it.
    """
    return f"{what} needs {package}: {pip_install(*requirements_of(extra))}"


def requirements_of(extra: str) -> list[str]:
    """Return the requirements of an extra of this package, such as `pygame-ce>=2.5.2`."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        known = [each.partition(";") for each in requires("noughts") or ()]
    except PackageNotFoundError:
        known = []
    found = [name.strip() for name, _, marker in known if f"extra == '{extra}'" in _quoted(marker)]
    return found or [f"noughts[{extra}]"]


def pip_install(*requirements: str) -> str:
    """Return the command that installs packages where this program runs."""
    words = [f"'{each}'" for each in requirements]
    python = f"'{sys.executable}'" if " " in sys.executable else sys.executable
    return " ".join([python, "-m", "pip", "install", *words])


def _quoted(marker: str) -> str:
    return marker.replace('"', "'")
