"""The texts of checked files as opponents: `file:DIGEST:NAME`.

A text depends on the file alone, so that another check of the same file lets its games continue.
"""

from __future__ import annotations

import re
from hashlib import sha256

from noughts.answers.names import clean_name

LONGEST_FILE_NAME = 60
"""Most characters shown of a file's name."""
_TEXT = re.compile(r"file:[0-9a-f]{16}:(.+)")


def file_text(digest: str, name: str) -> str:
    """Return a file as the text of an opponent.

    >>> file_text("0123456789abcdef", "tictactoe.py")
    'file:0123456789abcdef:tictactoe.py'
    """
    return f"file:{digest}:{name}"


def file_name(text: str) -> str | None:
    """Return the name of the file that an opponent's text stands for, `None` for no file."""
    found = _TEXT.fullmatch(text)
    return found and found[1]


def opponent_text(name: str, source: str, interface: str | None, function: str | None) -> str:
    """Return the text of a file as an opponent, which is the same for each check of the file.

    The arguments are those of the check, and the name of the file for people.
    """
    name = clean_name(name, LONGEST_FILE_NAME) or "file.py"
    asked = repr((name, source, interface and str(interface), function))
    return file_text(sha256(asked.encode()).hexdigest()[:16], name)
