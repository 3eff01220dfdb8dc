"""The parts that position strings and rules ids are made of.

    connect4:8,7~8.8.8.8.8.3X4.2XO4~O
    RULES       CELLS               SIDE

CELLS are rows from the top, separated by dots; a number stands for a run of empty cells.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from noughts.games.position import NotationError, Player


def split_fields(text: str, *names: str, optional: int = 0) -> list[str]:
    """Return the fields of a position string, of which the last `optional` may be missing."""
    fields = text.split("~")
    least = len(names) - optional
    if not least <= len(fields) <= len(names):
        wanted = "~".join(names[:least]) + "".join(f"[~{name}]" for name in names[least:])
        raise NotationError(
            text, "POSITION", f"{len(fields)} fields between ~, where {wanted} is wanted"
        )
    return fields


def parse_cells(
    text: str, cells: str, columns: int, rows: int, row_word: str = "row"
) -> tuple[int, int]:
    """Return the marks of X and of O as masks (bit `row * columns + column`)."""

    def refuse(reason: str) -> NotationError:
        return NotationError(text, "CELLS", reason)

    parts = cells.split(".")
    if len(parts) != rows:
        raise refuse(f"{len(parts)} {row_word}s, where {rows} are wanted")
    x = o = 0
    for row, part in enumerate(parts):
        column = 0
        for token in re.findall(r"[0-9]+|.", part, re.DOTALL):
            place = f"{row_word} {row + 1}, column {column + 1}"
            if token in ("X", "O"):
                bit = 1 << (row * columns + column)
                if column < columns:
                    x, o = (x | bit, o) if token == "X" else (x, o | bit)
                column += 1
            elif not re.fullmatch("[0-9]+", token):
                raise refuse(f"{place}: {token!r} is not X, O or a number of empty cells")
            elif token[0] == "0" or len(token) > 2:
                raise refuse(f"{place}: {token} is not a number from 1 to {columns}")
            else:
                column += int(token)
        if column != columns:
            raise refuse(f"{row_word} {row + 1} has {column} cells, where {columns} are wanted")
    return x, o


def format_cells(x: int, o: int, columns: int, rows: int) -> str:
    """Return the CELLS field for the marks of X and of O."""
    parts = []
    for row in range(rows):
        part, empty = "", 0
        for cell in range(row * columns, (row + 1) * columns):
            mark = "X" if x >> cell & 1 else "O" if o >> cell & 1 else ""
            if mark:
                part += (str(empty) if empty else "") + mark
            empty = 0 if mark else empty + 1
        parts.append(part + (str(empty) if empty else ""))
    return ".".join(parts)


def parse_side(text: str, side: str, x_count: int, o_count: int) -> Player:
    """Return the player to move, checked against the numbers of marks."""
    if side not in ("X", "O"):
        raise NotationError(text, "SIDE", f"{side!r} is not X or O")
    if x_count - o_count not in (0, 1):
        raise NotationError(
            text,
            "CELLS",
            f"{x_count} X and {o_count} O: X moves first and the players take turns, "
            "so X has as many marks as O or one more",
        )
    turn = Player.X if x_count == o_count else Player.O
    if side != turn.value:
        raise NotationError(
            text, "SIDE", f"with {x_count} X and {o_count} O it is {turn}'s move, not {side}'s"
        )
    return turn


def parse_options(
    name: str,
    options: str,
    sizes: Sequence[str] = (),
    choices: Mapping[str, Sequence[str]] | None = None,
) -> tuple[list[int], dict[str, str]]:
    """Return the sizes and the chosen options of a rules id.

    `sizes` names the numbers that may stand first. `choices` gives for each option its values,
    the default first; an option without values is a flag, and chosen as `""`.
    """
    text = f"{name}:{options}"

    def refuse(reason: str) -> NotationError:
        return NotationError(text, "RULES", reason)

    numbers: list[int] = []
    chosen: dict[str, str] = {}
    choices = choices or {}
    for word in options.split(",") if options else []:
        key, equals, value = word.partition("=")
        if re.fullmatch("[0-9]+", word):
            if chosen:
                raise refuse(f"the number {word} stands behind an option; sizes come first")
            if len(numbers) == len(sizes):
                raise refuse(f"the number {word} is one too many for {name}")
            if word[0] == "0" or len(word) > 2:
                raise refuse(f"{sizes[len(numbers)]} = {word} is not a number from 1 to 19")
            numbers.append(int(word))
        elif key not in choices:
            known = " ".join([*sizes, *choices]) or "none"
            raise refuse(f"{name} has no option {word!r} (it has: {known})")
        elif key in chosen:
            raise refuse(f"the option {key} is given twice")
        elif bool(equals) != bool(choices[key]) or (equals and value not in choices[key]):
            forms = [f"{key}={known}" for known in choices[key]] or [key]
            raise refuse(f"{word!r} is not {' or '.join(forms)}")
        else:
            chosen[key] = value
    return numbers, chosen
