"""One game being played: its line of moves, what was taken back, and how it ended.

    play(move) ──► line ──undo()──► taken back ──redo()──► line
                    └── the record: the line, the variations beside it, the result

The terminal, the window and the page play on this; none of them keeps a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from noughts.games.position import IllegalMove, Player, Position
from noughts.games.record import RESULTS, UNFINISHED, Node, Record

RESIGNATION = "resignation"
"""The termination of a game that a player has given up."""


class Round:
    """A game being played, from any record on: a start position, or moves made before.

    >>> import noughts
    >>> played = Round(Record(noughts.game("basic")))
    >>> for move in (4, 0, 8):
    ...     played.play(move)
    >>> played.undo(noughts.Player.X), played.moves
    (True, [4, 0])

    Args:
        record: the game so far; it grows with the line.

    Raises:
        IllegalMove: a move of the record that the rules do not allow.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.positions = list(record.positions())
        """From the start to the end of the line."""
        self.undone: list[Node] = []
        """What was taken back, the next to be played again at the end."""
        self.beside: list[Node] = []
        """Variations that begin where the line ends now. The record gets them back when the line
        goes on: until then their first move would count as the line's."""
        self._followers = [record.children, *(node.children for node in record.main_line())]

    @property
    def position(self) -> Position:
        """The position at the end of the line."""
        return self.positions[-1]

    @property
    def moves(self) -> list[int]:
        """The moves of the line."""
        return [followers[0].move for followers in self._followers[:-1]]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or by a player."""
        return self.record.result != UNFINISHED

    def play(self, move: int) -> None:
        """Play a move at the end of the line; what was taken back is forgotten.

        Raises:
            IllegalMove: the rules do not allow it, or the game is over.
        """
        if self.is_over and self.position.outcome() is None:
            raise IllegalMove(self.position.move_text(move), self.position, "the game is over")
        self._append(Node(move))
        self.undone.clear()

    def undo(self, player: Player | None = None) -> bool:
        """Take back the last move, or the last one of `player` and what followed.

        A resignation is taken back with it. Returns whether there was one.
        """
        turns = [position.turn for position in self.positions[:-1]]
        back = [ply for ply, turn in enumerate(turns) if player in (None, turn)]
        if not back:
            return False
        self._followers[-1] += self.beside
        while len(self.positions) > back[-1] + 1:
            self._followers.pop()
            self.undone.append(self._followers[-1].pop(0))
            self.positions.pop()
        self._settle()
        return True

    def redo(self, player: Player | None = None) -> bool:
        """Play again what was taken back last; with `player`, until that player is to move.

        Returns whether there was anything.
        """
        if not self.undone:
            return False
        self._append(self.undone.pop())
        while player is not None and self.undone and self.position.turn is not player:
            self._append(self.undone.pop())
        return True

    def resign(self, player: Player) -> None:
        """End the game: `player` gives it up.

        Raises:
            IllegalMove: the game is over.
        """
        if self.is_over:
            raise IllegalMove("resign", self.position, "the game is over")
        self.record.result, self.record.termination = RESULTS[player.other], RESIGNATION

    def nodes(self) -> Iterator[Node]:
        """Yield every move of the game and of its variations, those taken back among them."""
        waiting = [*self.record.children, *self.beside, *self.undone]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children

    def vary(self, moves: Sequence[int]) -> None:
        """Keep a line of moves from the start as a variation; of the line itself nothing changes.

        What is new of it is added behind what is known.

        Raises:
            IllegalMove: a move that the rules do not allow; nothing is kept.
        """
        position = self.record.start
        for move in moves:
            position = position.play(move)
        followers = self._after(0, None)
        for number, move in enumerate(moves, 1):
            node = _with_move(followers, move)
            if node is None:
                node = Node(move)
                followers.append(node)
            followers = self._after(number, node)

    def find(self, moves: Sequence[int]) -> Node | None:
        """Return the last move of a line from the start, of the game or of a variation."""
        followers, node = self._after(0, None), None
        for number, move in enumerate(moves, 1):
            node = _with_move(followers, move)
            if node is None:
                return None
            followers = self._after(number, node)
        return node

    def forget(self, moves: Sequence[int]) -> bool:
        """Delete the variation that a line from the start ends in, to where it leaves another.

        What follows its last move goes with it. Returns whether there was one: the line of the
        game is none.
        """
        if self.find(moves) is None:
            return False
        followers, doomed = self._after(0, None), None
        for number, move in enumerate(moves, 1):
            node = _with_move(followers, move)
            assert node is not None
            if not self._is_of_game(number, node) and (doomed is None or len(followers) > 1):
                doomed = followers, node
            followers = self._after(number, node)
        if doomed is None:
            return False
        doomed[0].remove(doomed[1])
        return True

    def _is_of_game(self, number: int, node: Node) -> bool:
        """Whether the move with a number, counted from 1, is that of the game."""
        return number < len(self._followers) and self._followers[number - 1][0] is node

    def _after(self, number: int, node: Node | None) -> list[Node]:
        """Return what may follow a move with a number, counted from 1; `None` is the start."""
        if node is None or self._is_of_game(number, node):
            return self.beside if number == len(self._followers) - 1 else self._followers[number]
        return node.children

    def _append(self, node: Node) -> None:
        known = _with_move(self.beside, node.move)
        if known is not None:
            # The game now goes the way of a variation.
            self.beside.remove(known)
            _take_over(node, known)
        self.positions.append(self.position.play(node.move))
        self._followers[-1][:] = [node, *self.beside]
        self._followers.append(node.children)
        self._settle()

    def _settle(self) -> None:
        """Let the record end where the line does, and say how it ends by the rules."""
        self.beside = self._followers[-1][:]
        self._followers[-1].clear()
        outcome = self.position.outcome()
        self.record.result, self.record.termination = (
            (UNFINISHED, "unfinished")
            if outcome is None
            else (RESULTS[outcome.winner], outcome.termination.value)
        )


def _with_move(nodes: Iterable[Node], move: int) -> Node | None:
    return next((node for node in nodes if node.move == move), None)


def _take_over(node: Node, other: Node) -> None:
    """Add to a node what was said of another with the same move, and what followed it."""
    waiting = [(node, other)]
    while waiting:
        node, other = waiting.pop()
        node.comment = node.comment or other.comment
        for child in other.children:
            known = _with_move(node.children, child.move)
            if known is None:
                node.children.append(child)
            else:
                waiting.append((known, child))
