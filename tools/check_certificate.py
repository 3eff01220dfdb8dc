"""Check a certificate of `noughts unbeatable`: python tools/check_certificate.py FILE

Follow its moves and every reply of the opponent: no game may be lost, no position missing or left
over, no move illegal, and the counts must be right. The rules are those of basic, mnk and
connect4. Exit code: 0 the certificate is right, 1 it is wrong, 3 the file is no certificate.
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

OTHER = {"X": "O", "O": "X"}
KNOWN = r"basic|mnk:\d+,\d+,\d+(,exact)?(,misere)?|connect4(:\d+,\d+(,\d+)?)?"


class Rules:
    """A row game; a position is the text of its cells, row by row: `X`, `O` or `_`."""

    def __init__(self, text: str) -> None:
        if not re.fullmatch(KNOWN, text):
            raise ValueError(f"unknown rules: {text}")
        self.text = text
        sizes = [int(number) for number in re.findall(r"\d+", text.partition(":")[2])]
        self.width, height, k = sizes + ([3, 3, 3] if text == "basic" else [7, 6, 4])[len(sizes) :]
        self.line = f"(?<!M)M{{{k}}}(?!M)" if ",exact" in text else f"M{{{k}}}"
        self.lanes: dict[object, list[int]] = {}
        for cell in range(self.width * height):
            row, column = divmod(cell, self.width)
            for lane in (("row", row), ("column", column), (row - column,), (row + column,) * 2):
                self.lanes.setdefault(lane, []).append(cell)

    def moves(self, cells: str) -> dict[str, int]:
        """Return the cell that each legal move takes, by the text of the move."""
        empty = [cell for cell, mark in enumerate(cells) if mark == "_"]
        if self.text == "basic":
            return {str(cell + 1): cell for cell in empty}
        if self.text.startswith("connect4"):  # The lowest cell of a column comes last.
            return {str(cell % self.width + 1): cell for cell in empty}
        return {f"{chr(97 + cell % self.width)}{cell // self.width + 1}": cell for cell in empty}

    def result(self, cells: str, mark: str) -> str:
        """Return the winner after a move of `mark`, `draw`, or nothing in an unfinished game."""
        line, lanes = self.line.replace("M", mark), self.lanes.values()
        if any(re.search(line, "".join(cells[cell] for cell in lane)) for lane in lanes):
            return OTHER[mark] if self.text.endswith("misere") else mark
        return "" if "_" in cells else "draw"

    def string(self, cells: str, turn: str) -> str:
        rows = ".".join(re.findall("." * self.width, cells))
        return f"{self.text}~{re.sub('_+', lambda run: str(len(run[0])), rows)}~{turn}"


def fault(head: dict[str, Any], moves: dict[str, set[str]]) -> str:
    """Return the first fault of a certificate; nothing if it is right."""
    rules, reached = Rules(head["rules"]), set[str]()
    _, packed, first = head["start"].split("~")
    start = re.sub(r"\d+", lambda run: "_" * int(run[0]), packed).replace(".", "")
    if rules.string(start, first) != head["start"] or not head["sides"]:
        raise ValueError(f"not a start with sides: {head['start']}")
    for side, counts in head["sides"].items():
        positions, lines, turn, layer = set[str](), 0, first, Counter({start: 1})
        while layer:
            after = Counter[str]()  # the number of move sequences that lead to each position
            for cells, paths in layer.items():
                text, legal = rules.string(cells, turn), rules.moves(cells)
                positions |= {text} if turn == side else set()
                for move in moves.get(text, {"no move"}) if turn == side else legal:
                    if move not in legal:
                        return f"{move} is given for {text}"
                    place = cells[: legal[move]] + turn + cells[legal[move] + 1 :]
                    if (result := rules.result(place, turn)) == OTHER[side]:
                        return f"{side} loses after {move} in {text}"
                    lines += paths if result else 0
                    after[place] += 0 if result else paths
            turn, layer = OTHER[turn], +after
        if counts != (found := {"positions": len(positions), "lines": lines}):
            return f"as {side}, it claims {counts}, but there are {found}"
        reached |= positions
    return f"unreachable: {' '.join(moves.keys() - reached)}" if moves.keys() - reached else ""


def main(path: str) -> int:
    try:
        moves: dict[str, set[str]] = {}
        head, *answers = map(json.loads, Path(path).read_text("utf-8").splitlines())
        for answer in answers:
            moves.setdefault(answer["position"], set()).add(answer["move"])
        wrong = fault(head, moves)
    except (OSError, AttributeError, KeyError, TypeError, ValueError) as error:
        print(f"{path} is no certificate: {error!r}", file=sys.stderr)
        return 3
    print(f"wrong: {wrong}" if wrong else f"right: never loses at {head['rules']}: {head['sides']}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
