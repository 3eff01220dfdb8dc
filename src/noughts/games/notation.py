"""The fields of position strings and rules ids.

    connect4:8,7~8.8.8.8.8.3X4.2XO4~O
    RULES       CELLS               SIDE

CELLS are the rows from the top, separated by dots; a number is a run of empty cells.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from noughts.games.phrases import said
from noughts.games.position import NotationError, Player, Position


def split_fields(text: str, *names: str, optional: int = 0) -> list[str]:
    """Return the fields of a position string; the last `optional` ones may be missing."""
    fields = text.split("~")
    least = len(names) - optional
    if not least <= len(fields) <= len(names):
        wanted = "~".join(names[:least]) + "".join(f"[~{name}]" for name in names[least:])
        raise NotationError(text, "POSITION", said("fields", form=wanted))
    return fields


def parse_cells(
    text: str, cells: str, columns: int, rows: int, rows_are: Literal["row", "board"] = "row"
) -> tuple[int, int]:
    """Return the marks of X and of O as masks, with bit `row * columns + column` for a cell."""

    def refuse(code: str, **arguments: object) -> NotationError:
        return NotationError(text, "CELLS", said(code, **arguments))

    parts = cells.split(".")
    if len(parts) != rows:
        raise refuse(f"{rows_are}s", found=len(parts), wanted=rows)
    x = o = 0
    for row, part in enumerate(parts):
        column = 0
        for token in re.findall(r"[0-9]+|.", part, re.DOTALL):
            place = {"row": row + 1, "column": column + 1}
            if token in ("X", "O"):
                bit = 1 << (row * columns + column)
                if column < columns:
                    x, o = (x | bit, o) if token == "X" else (x, o | bit)
                column += 1
            elif not re.fullmatch("[0-9]+", token):
                raise refuse(f"{rows_are}-mark", **place, mark=token)
            elif token[0] == "0" or len(token) > 2:
                raise refuse(f"{rows_are}-number", **place, number=token, wanted=columns)
            else:
                column += int(token)
        if column != columns:
            raise refuse(rows_are, row=row + 1, found=column, wanted=columns)
    return x, o


def format_cells(x: int, o: int, columns: int, rows: int) -> str:
    """Return the CELLS field for the marks of X and of O."""
    full = (1 << columns) - 1
    starts = range(0, rows * columns, columns)
    return ".".join([_format_row(x >> at & full, o >> at & full, columns) for at in starts])


# Cached: a move changes one row.
@lru_cache(maxsize=2**14)
def _format_row(x: int, o: int, columns: int) -> str:
    part, empty = "", 0
    for cell in range(columns):
        mark = "X" if x >> cell & 1 else "O" if o >> cell & 1 else ""
        if mark:
            part += (str(empty) if empty else "") + mark
        empty = 0 if mark else empty + 1
    return part + (str(empty) if empty else "")


def parse_side(text: str, side: str, x_count: int, o_count: int) -> Player:
    """Return the player to move, after a check against the numbers of marks."""
    if side not in ("X", "O"):
        raise NotationError(text, "SIDE", said("side", side=side))
    if x_count - o_count not in (0, 1):
        raise NotationError(text, "CELLS", said("marks", x=x_count, o=o_count))
    turn = Player.X if x_count == o_count else Player.O
    if side != turn.value:
        reason = said("turn", x=x_count, o=o_count, turn=turn, side=side)
        raise NotationError(text, "SIDE", reason)
    return turn


def parse_options(game: type[Position], text: str) -> tuple[list[int], set[str]]:
    """Return the sizes in the options of a rules id, and the words that are not a default."""

    def refuse(code: str, **arguments: object) -> NotationError:
        return NotationError(f"{game.name}:{text}", "RULES", said(code, **arguments))

    sizes: list[int] = []
    chosen: dict[str, str] = {}
    options = {option.key: option.values for option in game.options}
    for word in text.split(",") if text else []:
        key = word.partition("=")[0]
        if re.fullmatch("[0-9]+", word):
            if chosen:
                raise refuse("late-size", word=word)
            if len(sizes) == len(game.sizes):
                raise refuse("extra-size", word=word, name=game.name)
            if word[0] == "0" or len(word) > 2:
                raise refuse("bad-size", symbol=game.sizes[len(sizes)].symbol, word=word)
            sizes.append(int(word))
        elif key not in options:
            known = [*(size.symbol for size in game.sizes), *options] or ["none"]
            raise refuse("no-option", word=word, name=game.name, known=known)
        elif key in chosen:
            raise refuse("same-option", key=key)
        elif word not in (value.text for value in options[key]):
            forms = [value.text for value in options[key] if value.text]
            raise refuse("bad-option", forms=forms, word=word)
        else:
            chosen[key] = word
    return sizes, {word for key, word in chosen.items() if word != options[key][0].text}
