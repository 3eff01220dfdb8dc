"""Nim: the players take stones in turn, and the last stone wins (Bouton 1901)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

import noughts
from noughts import NotationError, Outcome, Player

PILES = (3, 4, 5)


@noughts.register
@dataclass(frozen=True, repr=False)
class Nim(noughts.Position):
    """Three piles of stones; move `10 * pile + stones` is written `a2`: two from the first."""

    name = "nim"
    about = "Take any number of stones from one pile; take the last stone to win."
    piles: tuple[int, ...] = PILES
    turn: Player = Player.X

    def legal_moves(self) -> list[int]:
        return [10 * pile + n + 1 for pile, left in enumerate(self.piles) for n in range(left)]

    def play(self, move: int | str) -> Self:
        pile, stones = divmod(self.legal_move(move), 10)
        piles = tuple(left - stones * (i == pile) for i, left in enumerate(self.piles))
        return type(self)(piles, self.turn.other)

    def outcome(self) -> Outcome | None:
        return None if any(self.piles) else Outcome(self.turn.other)

    def key(self) -> tuple[object, ...]:
        return self.piles, self.turn.value

    def __str__(self) -> str:
        return f"nim~{'.'.join(map(str, self.piles))}~{self.turn}"

    @classmethod
    def parse(cls, text: str) -> Self:
        fields = re.fullmatch(r"nim~([0-3])\.([0-4])\.([0-5])~([XO])", text)
        if not fields:
            raise NotationError(text, "POSITION", "write a position such as nim~3.4.5~X")
        piles, turn = tuple(map(int, fields.groups()[:3])), Player(fields[4])
        taken = [full - left for full, left in zip(PILES, piles, strict=True)]
        if max(taken) < 2 and sum(taken) % 2 != (turn is Player.O):
            raise NotationError(text, "SIDE", f"{turn.other} is to move, not {turn}")
        return cls(piles, turn)

    def move_text(self, move: int) -> str:
        return f"{'abc'[move // 10]}{move % 10}"

    def diagram(self) -> str:
        return "\n".join("abc"[pile] + " " + "|" * left for pile, left in enumerate(self.piles))
