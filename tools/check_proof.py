"""Check a proof that a side wins the nine-board game:

    python check_proof.py FILE [--sample N [--seed S] | --slice I/N]

The file has the winner's moves (docs/proof.md). This program knows the rules (docs/rules.md),
follows every reply, and proves every leaf by its own search; or a random sample of leaves, or
the I-th of N slices. Exit code: 0 proven, 1 not proven.
"""

import argparse
import random
import re
import sys
from collections.abc import Iterator
from math import log2
from pathlib import Path
from typing import NamedTuple

FREE, DRAWN = 9, 10  # in place of a named board: any board that is not full; the game is drawn
ALL, INFINITE = 0b111_111_111, 1 << 28
LINES = (7, 56, 448, 73, 146, 292, 273, 84)
CELLS = [[cell for cell in range(9) if marks >> cell & 1] for marks in range(512)]
COMPLETING = [
    sum({1 << cell for line in LINES for cell in range(9) if line & ~marks == 1 << cell})
    for marks in range(512)
]
"""For the marks of a side on a board, the cells that complete a line (bit 3 * row + column)."""
STEPS = ((3, 1), (3, -1), (-3, 1), (-3, -1), (1, 3), (1, -3), (-1, 3), (-1, -3))
IMAGES = [[4 + i * (cell // 3 - 1) + j * (cell % 3 - 1) for cell in range(9)] for i, j in STEPS]
"""Where each cell of a board goes under the symmetries of a square."""
Marks = tuple[tuple[int, ...], ...]


class NotProven(Exception):
    """The proof is wrong, or is none."""


class Position(NamedTuple):
    """A position without a line; `hot` has the boards on which each side can complete one."""

    marks: Marks
    hot: tuple[int, ...]
    full: int
    board: int
    side: int
    ply: int

    def empty(self, board: int) -> int:
        return ALL & ~(self.marks[0][board] | self.marks[1][board])

    def boards(self) -> list[int]:
        return [self.board] if self.board < FREE else CELLS[ALL & ~self.full]

    def can_win(self) -> bool:
        """Whether the side to move can complete a line, which wins."""
        return any(self.hot[self.side] >> board & 1 for board in self.boards())

    def is_drawn(self) -> bool:
        return self.full == ALL or self.board == DRAWN

    def moves(self) -> list[int]:
        return [9 * b + cell for b in self.boards() for cell in CELLS[self.empty(b)]]

    def is_kept_by(self, image: list[int]) -> bool:
        """Whether a symmetry of boards and cells maps the position to itself."""
        if self.board < FREE and image[self.board] != self.board:
            return False
        return all(
            own[c // 9] >> c % 9 & 1 == own[image[c // 9]] >> image[c % 9] & 1
            for own in self.marks
            for c in range(81)
        )


class Game:
    """The rules, the side that should win, and a search for its wins."""

    def __init__(self, full_is_draw: bool, attacker: int) -> None:
        self.full_is_draw, self.attacker = full_is_draw, attacker
        self.known: dict[Position, tuple[int, int]] = {}
        self.expansions = 0

    def place(self, marks: Marks, cell: int, side: int, ply: int) -> Position:
        """Return a position whose last move was on a cell; `FREE` before the first move."""
        empty = [ALL & ~(x | o) for x, o in zip(*marks, strict=True)]
        hot = (sum(bool(COMPLETING[own[b]] & empty[b]) << b for b in range(9)) for own in marks)
        full = sum((not empty[b]) << b for b in range(9))
        closed = cell < FREE and full >> cell & 1
        board = (DRAWN if self.full_is_draw else FREE) if closed else cell
        return Position(marks, tuple(hot), full, board, side, ply)

    def after(self, p: Position, move: int) -> Position:
        """Return the position after a move that completes no line."""
        own = list(p.marks[p.side])
        own[move // 9] |= 1 << move % 9
        marks = (tuple(own), p.marks[1]) if p.side == 0 else (p.marks[0], tuple(own))
        return self.place(marks, move % 9, 1 - p.side, p.ply + 1)

    def safe_cells(self, p: Position, board: int) -> int:
        """Return the cells after which the other side cannot complete a line at once."""
        other, every, safe = 1 - p.side, p.empty(board), 0
        threats = COMPLETING[p.marks[other][board]]
        for cell in CELLS[every]:
            rest = every & ~(1 << cell)
            hot = p.hot[other] & ~(1 << board) | bool(threats & rest) << board
            closed = (p.full | (not rest) << board) >> cell & 1
            safe |= (not (hot and not self.full_is_draw if closed else hot >> cell & 1)) << cell
        return safe

    def numbers(self, p: Position) -> tuple[int, int]:
        """Return proof and disproof number for the side to move; of an open position a guess.

        Any guess leads to the same proofs; good ones save time.
        """
        attacks = p.side == self.attacker
        if p.is_drawn():  # a draw is enough for the defender
            return (INFINITE, 0) if attacks else (0, INFINITE)
        if p.can_win():
            return 0, INFINITE
        moves = sum(self.safe_cells(p, board).bit_count() for board in p.boards())
        if not moves:
            return INFINITE, 0
        if p in self.known:
            return self.known[p]
        mine, theirs = p.hot[p.side], p.hot[1 - p.side]
        threats = (mine & ~theirs).bit_count() - (theirs & ~mine).bit_count()
        cells = 0
        for board in range(9):
            cells += (p.empty(board) & ~theirs).bit_count() * (not mine >> board & 1)
            cells -= (p.empty(board) & ~mine).bit_count() * (not theirs >> board & 1)
        if attacks:
            proof = 129 - 140 * threats - 15 * cells + 14 * moves + 48 * log2(moves)
            disproof = 399 + 125 * threats - 7 * moves + 19 * log2(moves)
        else:
            proof = 228 - 58 * threats - 4 * cells + 22 * moves - 9 * log2(moves)
            disproof = 212 + 34 * threats + 2 * cells - 6 * moves + 83 * log2(moves)
        return int(2 ** min(max(proof / 64, 0), 20)), int(2 ** min(max(disproof / 64, 0), 20))

    def search(self, p: Position, proof_limit: int, disproof_limit: int) -> tuple[int, int]:
        """Search a position until a number reaches its limit (depth-first proof numbers)."""
        self.expansions += 1
        safe = [9 * b + cell for b in p.boards() for cell in CELLS[self.safe_cells(p, b)]]
        children = [self.after(p, move) for move in safe]
        numbers = [self.numbers(child) for child in children]
        while True:
            proofs, disproofs = zip(*numbers, strict=True)
            least, most = min(disproofs), max(proofs)
            others = sum(proof > 0 for proof in proofs) - 1
            found = (least, (most + others if most else 0) if least else INFINITE)
            if not least or not most or least >= proof_limit or found[1] >= disproof_limit:
                self.known[p] = found
                return found
            best = disproofs.index(least)
            second = min(disproofs[:best] + disproofs[best + 1 :], default=INFINITE)
            limit = min(second + second // 4 + 1, proof_limit)
            numbers[best] = self.search(children[best], disproof_limit - others, limit)

    def is_won(self, p: Position) -> bool:  # for the attacker, who is to move
        self.known.clear()
        found = self.numbers(p)
        return (found if 0 in found else self.search(p, INFINITE, INFINITE))[0] == 0


class Proof:
    """A proof as its file has it."""

    def __init__(self, data: bytes) -> None:
        head, _, self.moves = data.partition(b"\n\n")
        match = re.fullmatch(
            r"noughts-proof 1\nstart advanced(:full=draw)?~([1-9XO.]+)~([XO])~([-1-9])\n"
            r"attacker ([XO])\ncut (\d+)\nmoves (\d+)",
            head.decode("ascii", "replace"),
        )
        draw, cells, side, board, self.winner, cut, size = match.groups("") if match else [""] * 7
        boards = [re.sub(r"\d", lambda run: "_" * int(run[0]), text) for text in cells.split(".")]
        sets = [tuple(sum((c == m) << i for i, c in enumerate(b)) for b in boards) for m in "XO"]
        x, o = (sum(map(int.bit_count, own)) for own in sets)
        won = any(own & line == line for marks in sets for own in marks for line in LINES)
        last = FREE if board in ("", "-") else int(board) - 1
        named = any(own >> last & 1 for own in sets[side == "X"]) if x else last == FREE
        if [*map(len, boards)] != [9] * 9 or x - o != (side == "O") or won or not named:
            raise NotProven("the file does not begin as a proof")
        if len(self.moves) != int(size):
            raise NotProven(f"not as many moves as {size}")
        self.text, self.cut = f"advanced{draw}~{cells}~{side}~{board}", int(cut)
        self.game = Game(bool(draw), "XO".index(self.winner))
        self.start = self.game.place(tuple(sets), last, x - o, x + o)

    def leaves(self) -> Iterator[Position]:
        """Follow the moves and all replies; yield the positions from the cut on."""
        self.at = 0
        yield from self._below(self.start)
        if self.at < len(self.moves):
            raise NotProven(f"nothing needs move {self.at + 1}")

    def _below(self, p: Position) -> Iterator[Position]:
        attacks = p.side == self.game.attacker
        if p.is_drawn() or (p.can_win() and not attacks):
            raise NotProven(f"a draw, or a win of the other side, after move {self.at}")
        if p.can_win():  # that move proves the position
            return
        if attacks and p.ply >= self.cut:
            yield p
        elif attacks:
            code, self.at = (*self.moves[self.at : self.at + 1], 99)[0], self.at + 1
            move = 9 * p.board + code if code < 9 else code - 9
            if (code < 9) != (p.board < FREE) or move not in p.moves():
                raise NotProven(f"move {self.at} is illegal or missing")
            yield from self._below(self.game.after(p, move))
        else:
            kept = [image for image in IMAGES if p.is_kept_by(image)]
            for move in p.moves():  # not for an image of an earlier reply
                if all(9 * image[move // 9] + image[move % 9] >= move for image in kept):
                    yield from self._below(self.game.after(p, move))

    def check(self, sample: int, seed: int, part: int, parts: int) -> str:
        """Prove the leaves; return a sentence."""
        leaves = sum(1 for _ in self.leaves())  # reads the whole file first
        picked: range | set[int] = range(leaves * (part - 1) // parts, leaves * part // parts)
        if sample and leaves:
            picked = set(random.Random(seed).choices(range(leaves), k=sample))
        for number, leaf in enumerate(self.leaves()):
            if number in picked and not self.game.is_won(leaf):
                raise NotProven(f"leaf {number}, after move {self.at}")
        share = f"{100 * (1 - 0.01 ** (1 / max(sample, 1))):.2g} % fail"
        return (
            f"{self.winner} wins {self.text}: {len(picked)} of {leaves} leaves proven,"
            f" {len(self.moves)} moves to ply {self.cut}, {self.game.expansions} expansions"
            + (f"; with 99 % confidence fewer than {share}" if sample else "")
        )


def main() -> str:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slice", default="1/1")
    words = parser.parse_args()
    part, parts = map(int, words.slice.split("/"))
    if words.sample < 0 or not 1 <= part <= parts:
        parser.error("--sample takes a number, --slice I/N with I from 1 to N")
    return Proof(words.file.read_bytes()).check(words.sample, words.seed, part, parts)


if __name__ == "__main__":
    try:
        print(main())
    except (NotProven, OSError, ValueError) as error:
        sys.exit(f"not proven: {error}")
