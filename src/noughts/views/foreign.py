"""Texts of foreign files and bots, such as names and comments, made safe for a screen.

Control characters could move the cursor or change the colours of a terminal, and bidirectional
controls could turn around the text beside them. Files and JSON keep them.
"""

from __future__ import annotations

import re

CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 without tab and line feed, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"  # bidirectional
)


def without_controls(text: str) -> str:
    """Return a text without control characters and bidirectional controls.

    >>> without_controls("\\x1b[31mred\\u202e, line 1\\nline 2")
    '[31mred, line 1\\nline 2'
    """
    return CONTROLS.sub("", text)


def escaped_controls(json_text: str) -> str:
    r"""Return JSON whose strings have these characters as escapes.

    >>> print(escaped_controls('{"name": "a\u202e"}'))
    {"name": "a\u202e"}
    """
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", json_text)
