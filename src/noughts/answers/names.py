"""The names that people give, made safe for others to read."""

from __future__ import annotations

import unicodedata

LONGEST_NAME = 24
"""Most characters of a name."""


def clean_name(text: str, most: int = LONGEST_NAME) -> str | None:
    """Return a name for others to read; `None` if it has no characters.

    Control and format characters, which could turn around the text beside it, are removed, and so
    are more than two marks on a letter.

    >>> clean_name(" Ada\\u202e  Lovelace\\n"), clean_name("\\u200b ")
    ('Ada Lovelace', None)
    >>> len(clean_name("o" + 9 * "\\u0301"))
    3

    Args:
        text: as the person gave it.
        most: most characters of the result.
    """
    kept: list[str] = []
    for character in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(character)
        is_piled = kind[0] == "M" and all(unicodedata.category(c)[0] == "M" for c in kept[-2:])
        if kind[0] != "C" and not is_piled:
            kept.append(character)
    return " ".join("".join(kept).split())[:most].rstrip() or None
