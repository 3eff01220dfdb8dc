"""Export the engine as the source of a bot for another site: one file, without libraries.

    core/codingame.cpp ──► its headers in place of #include, no comments ──► one C++20 file
                                        net in place of @NET@ ──┘

The headers are those that the installed core was built from, so the bot and `Engine` with the same
net are one engine: at equal nodes they play the same moves.
"""

from __future__ import annotations

import re
from pathlib import Path

from noughts import _core, nets
from noughts.arena.codingame import RULES
from noughts.version import __version__

LARGEST = 99_999
"""Most characters that CodinGame accepts; it counts UTF-16 units."""
CORE = Path(_core.__file__).with_name("core")
"""The folder of the core's source."""
_BITS = 14
"""Bits of the net in a character. CJK ideographs are all assigned, and no text tool changes them;
there are more than 2¹⁴.
"""
_FIRST_CHARACTER = 0x4E00
_COLUMNS = 48
"""Characters of the net in a line: ideographs are wide."""

_INCLUDE = re.compile(r'#include (?:"(?P<own>[^"]+)"|<(?P<standard>[^>]+)>)')
_COMMENT = re.compile(r'(?P<string>"(?:\\.|[^"\\])*")|[ \t]*//.*')
_INDENT = re.compile("^(?:  )+")
"""Of a line; a tab takes half as many characters."""
_HEAD = """\
// Ultimate tic-tac-toe for CodinGame, made by noughts {version}: noughts export codingame
// MIT License. Copyright (c) 2026 the noughts authors. The source with comments: {version}, core/.
// The net has the SHA-256 {sha256}.
#ifdef __GNUC__
#pragma GCC optimize("O3,inline,omit-frame-pointer")
#endif
#if defined(__GNUC__) && defined(__x86_64__)
#pragma GCC target("sse4.2,popcnt")
#endif
"""


def codingame(name: str | nets.Net = nets.SMALL_NET) -> str:
    """Return the source of a bot for CodinGame's Ultimate Tic-Tac-Toe.

    Args:
        name: a small net, its file, or `nets.SMALL_NET`.

    Raises:
        BadNet: no net, one of other rules, or one that is not small.
    """
    net = nets.chosen(RULES, name)
    if net is None or not net.is_small:
        raise nets.BadNet(
            "a bot for CodinGame needs a small net, as `noughts train fit --size small` makes it"
        )
    standard: set[str] = set()
    lines = _inlined("codingame.cpp", standard, set())
    source = "\n".join(
        (
            _HEAD.format(version=__version__, sha256=net.card.sha256),
            *(f"#include <{name}>" for name in sorted(standard)),
            "",
            *lines,
            "",
        )
    ).replace("}\nnamespace noughts {\n", "")
    return source.replace('u"@NET@"', _literal(net.weights))


def _inlined(name: str, standard: set[str], seen: set[str]) -> list[str]:
    """Return the lines of a file of the core with its headers before them, each header once.

    Args:
        name: in `CORE`.
        standard: gets the standard headers that the lines need.
        seen: gets the headers that the lines hold.
    """
    lines: list[str] = []
    conditions = 0
    for commented in (CORE / name).read_text("utf-8").splitlines():
        line = _COMMENT.sub(lambda found: found["string"] or "", commented)
        conditions += line.startswith("#if") - line.startswith("#endif")
        include = _INCLUDE.fullmatch(line)
        if include is None or (conditions and include["standard"]):
            if line and line != "#pragma once":
                lines.append(_INDENT.sub(lambda found: "\t" * (len(found[0]) // 2), line))
        elif conditions:
            continue  # A header for another platform.
        elif include["standard"]:
            standard.add(include["standard"])
        elif include["own"] not in seen:
            seen.add(include["own"])
            lines += _inlined(include["own"], standard, seen)
    return lines


def _literal(weights: bytes) -> str:
    """Return weights as string literals, `_BITS` bits a character."""
    bits = "".join(f"{byte:08b}" for byte in weights)
    bits += "0" * (-len(bits) % _BITS)
    text = "".join(
        chr(_FIRST_CHARACTER + int(bits[at : at + _BITS], 2)) for at in range(0, len(bits), _BITS)
    )
    lines = (text[at : at + _COLUMNS] for at in range(0, len(text), _COLUMNS))
    return "\n".join(f'u"{line}"' for line in lines)
