"""Wins within a number of moves in m,n,k-games, by threats instead of a search of all moves.

    X X X . .     a line with one cell left is a threat to win at once: the other side must take it
    X X . . .     a line with two left becomes one

The attacker wins within r own moves. Two rules leave most moves out, and keep the answer
exact, since a further mark never hurts its owner:

- A move of the attacker must win within r - 1 moves if the defender passes. So it lies on a line
  that r own marks complete, unless the attacker wins without it.
- If the attacker wins after a pass, the defender must take one of the cells of that win, its
  carrier, or play on a line that could reach k - 1 marks in time. (Carriers: Hayward 2003, for
  Hex; the idea of threats: Allis, van den Herik and Huntjens 1996.)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from noughts.games.lines import cells_of
from noughts.games.position import Player
from noughts.games.row import RowPosition
from noughts.search.walk import LimitReached

NODES = 200_000
"""Default limit of a question, in positions."""


class Threats:
    """Answers "who wins within r moves?" in a position of an m,n,k-game.

    Args:
        position: of a game without gravity in which every line wins, however long.
        nodes: positions for each call.
    """

    def __init__(self, position: RowPosition, nodes: int = NODES) -> None:
        rules = position.rules
        self._k, self._lines = rules.k, rules.lines
        self._through: list[list[int]] = [[] for _ in range(rules.size)]
        for index, line in enumerate(rules.lines):
            for cell in cells_of(line):
                self._through[cell].append(index)
        self._attacker, self._defender = (0, 1) if position.turn is Player.X else (1, 0)
        self._marks = [position.x, position.o]
        self._counts = [
            [(line & marks).bit_count() for line in rules.lines] for marks in self._marks
        ]
        self._most, self._nodes = nodes, 0
        self._known: dict[tuple[int, int, int], int] = {}

    def winning_moves(self, moves: int) -> list[int]:
        """Return the moves of the side to move that win within `moves` own moves, in order.

        Raises:
            LimitReached: the question needs too many positions.
        """
        self._nodes = 0
        fives = self._completions(self._attacker)
        if moves == 1:
            return list(cells_of(fives))
        sooner = self._attack(moves - 1)
        candidates = cells_of(self._empty()) if sooner else self._candidates(moves)
        found = []
        for move in candidates:
            with self._put(self._attacker, move):
                if fives >> move & 1 or self._defend(moves - 1):
                    found.append(move)
        return found

    def replies(self, move: int, moves: int) -> list[int]:
        """Return the replies to a winning move that last longest, in order.

        Args:
            move: wins within `moves` own moves, and not at once.
            moves: own moves, `move` included.

        Raises:
            LimitReached: the question needs too many positions.
        """
        self._nodes = 0
        with self._put(self._attacker, move):
            left = next(left for left in range(1, moves) if self._defend(left))
            longest = []
            for reply in sorted(self._answers(left)):
                with self._put(self._defender, reply):
                    if left == 1 or not self._attack(left - 1):
                        longest.append(reply)
        return longest

    def wins_after(self, move: int, moves: int) -> bool:
        """Whether a legal move wins within `moves` own moves, itself included.

        Raises:
            LimitReached: the question needs too many positions.
        """
        self._nodes = 0
        if self._completions(self._attacker) >> move & 1:
            return True
        with self._put(self._attacker, move):
            return moves > 1 and bool(self._defend(moves - 1))

    def _empty(self) -> int:
        size = len(self._through)
        return ((1 << size) - 1) & ~(self._marks[0] | self._marks[1])

    @contextmanager
    def _put(self, player: int, cell: int) -> Iterator[None]:
        """Put a mark on a cell for a while."""
        counts, bit = self._counts[player], 1 << cell
        self._marks[player] |= bit
        for line in self._through[cell]:
            counts[line] += 1
        try:
            yield
        finally:
            self._marks[player] &= ~bit
            for line in self._through[cell]:
                counts[line] -= 1

    def _open_lines(self, player: int, least: int) -> Iterator[int]:
        """Yield the empty cells of each line with `least` own marks or more and no other marks."""
        others = self._counts[1 - player]
        marks = self._marks[player]
        for line, count in enumerate(self._counts[player]):
            if count >= least and not others[line]:
                yield self._lines[line] & ~marks

    def _completions(self, player: int) -> int:
        """Return the cells that complete a line of a player, as a mask."""
        cells = 0
        for missing in self._open_lines(player, self._k - 1):
            cells |= missing
        return cells

    def _candidates(self, moves: int) -> tuple[int, ...]:
        """Return the moves that can win within `moves`, if the attacker does not win sooner."""
        forced = self._completions(self._defender)
        if forced:
            return cells_of(forced) if forced.bit_count() == 1 else ()
        cells = 0
        for missing in self._open_lines(self._attacker, self._k - moves):
            cells |= missing
        return cells_of(cells)

    def _count(self) -> None:
        self._nodes += 1
        if self._nodes > self._most:
            raise LimitReached

    def _attack(self, moves: int) -> int:
        """Return the carrier of a win within `moves`, the attacker to move; 0 if there is none."""
        key = (self._marks[0], self._marks[1], moves)
        if key not in self._known:
            self._count()
            self._known[key] = self._found(moves)
        return self._known[key]

    def _found(self, moves: int) -> int:
        fives = self._completions(self._attacker)
        if fives:
            return fives & -fives
        if moves == 1:
            return 0
        if moves == 2:
            return self._double()
        if sooner := self._attack(moves - 1):
            return sooner
        for move in self._candidates(moves):
            with self._put(self._attacker, move):
                carrier = self._defend(moves - 1)
            if carrier:
                return carrier | 1 << move
        return 0

    def _double(self) -> int:
        """Return the mask of a cell that makes two threats and the cells of both; 0 without one."""
        forced = self._completions(self._defender)
        if forced & (forced - 1):
            return 0
        ways: dict[int, int] = {}
        for missing in self._open_lines(self._attacker, self._k - 2):
            first = missing & -missing
            second = missing ^ first
            ways[first] = ways.get(first, 0) | second
            ways[second] = ways.get(second, 0) | first
        for cell, others in ways.items():
            if forced in (0, cell) and others & (others - 1):
                one = others & -others
                rest = others ^ one
                return cell | one | (rest & -rest)
        return 0

    def _defend(self, moves: int) -> int:
        """Return the carrier of a win, the defender to move; 0 if a reply prevents it.

        The attacker has `moves` left.
        """
        if self._completions(self._defender):
            return 0
        threatened = self._completions(self._attacker)
        if threatened & (threatened - 1):
            one = threatened & -threatened
            rest = threatened ^ one
            return one | (rest & -rest)
        if moves == 1:
            return 0
        carrier = threatened or self._attack(moves)
        if not carrier:
            return 0
        for reply in self._relevant(carrier, threatened, moves):
            with self._put(self._defender, reply):
                found = self._attack(moves)
            if not found:
                return 0
            carrier |= found
        return carrier

    def _answers(self, moves: int) -> tuple[int, ...]:
        """Return the replies that may last longest against a win within `moves`."""
        threatened = self._completions(self._attacker)
        if threatened:
            return cells_of(threatened)
        return cells_of(self._relevant_mask(self._attack(moves), moves))

    def _relevant(self, carrier: int, threatened: int, moves: int) -> tuple[int, ...]:
        return cells_of(threatened or self._relevant_mask(carrier, moves))

    def _relevant_mask(self, carrier: int, moves: int) -> int:
        cells = carrier
        for missing in self._open_lines(self._defender, self._k - moves):
            cells |= missing
        return cells & self._empty()
