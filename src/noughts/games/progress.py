"""A game in progress: its moves, the moves to redo, variations and result.

    play(move) ──► line ──undo()──► undone ──redo()──► line
                    └── the record: the line, the variations beside it, the result

The terminal, the window and the page all use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from noughts.games.phrases import said
from noughts.games.position import IllegalMove, Player, Position, move_texts
from noughts.games.record import RESULTS, UNFINISHED, Record, RecordNode
from noughts.games.words import outcome_sentence

RESIGNATION = "resignation"
"""The termination of a resigned game."""
TIME_FORFEIT = "time forfeit"
"""The termination of a game lost on time."""
ILLEGAL_MOVE = "illegal move"
"""The termination of a game lost by a machine whose reply was not a legal move."""
AGREEMENT = "by agreement"
"""The termination of a draw by agreement."""
LOST = {
    RESIGNATION: "won-resigned",
    TIME_FORFEIT: "won-on-time",
    ILLEGAL_MOVE: "won-illegal",
}
"""The codes of the sentences for these endings, in `PHRASES`."""


class GameInProgress:
    """A game in progress, begun or continued from a record.

    >>> import noughts
    >>> played = GameInProgress(Record(noughts.game("basic")))
    >>> for move in (4, 0, 8):
    ...     played.play(move)
    >>> played.undo(noughts.Player.X), played.moves
    (True, [4, 0])

    Args:
        record: the game so far; moves are added to it.

    Raises:
        IllegalMove: a move of the record is illegal.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.positions = list(record.positions())
        """The positions of the line, from the start."""
        self.texts = move_texts(record.start, record.moves)
        """The moves of the line as text."""
        self.undone: list[RecordNode] = []
        """The moves to redo, the next one last."""
        self.beside: list[RecordNode] = []
        """Variations that begin at the end of the line. They return to the record with the next
        move; before it, the first variation would count as the main line.
        """
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
    def ending(self) -> str | None:
        """The result as a sentence; `None` while the game is in progress."""
        kept = self.record
        if kept.result == UNFINISHED:
            return None
        if self.position.outcome() is not None:
            return outcome_sentence(self.position)
        winner = self.winner
        if winner is None and kept.termination == AGREEMENT:
            return said("drawn-agreed")
        if winner is None or kept.termination not in LOST:
            return said("ended", result=kept.result, termination=kept.termination)
        return said(LOST[kept.termination], winner=winner, loser=winner.other)

    @property
    def winner(self) -> Player | None:
        """The winner; `None` for a draw, or while the game is in progress."""
        return next((who for who, won in RESULTS.items() if won == self.record.result), None)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules, a resignation, the clock or an agreement."""
        return self.record.result != UNFINISHED

    def play(self, move: int) -> None:
        """Play a move at the end of the line and clear the moves to redo.

        Raises:
            IllegalMove: the move is illegal, or the game is over.
        """
        if self.is_over and self.position.outcome() is None:
            raise IllegalMove(self.position.move_text(move), self.position, said("over"))
        self._append(RecordNode(move))
        self.undone.clear()

    def undo(self, player: Player | None = None) -> bool:
        """Take back the last move, or the last one of `player` with the moves after it.

        A resignation is taken back too. Returns False if there is no such move.
        """
        turns = [position.turn for position in self.positions[:-1]]
        back = [ply for ply, turn in enumerate(turns) if player in (None, turn)]
        if not back:
            return False
        self.go_back(back[-1])
        return True

    def go_back(self, moves: int) -> None:
        """Take back all but the first `moves` moves, and a resignation."""
        self._followers[-1] += self.beside
        while len(self.positions) > moves + 1:
            self._followers.pop()
            self.undone.append(self._followers[-1].pop(0))
            self.positions.pop()
            self.texts.pop()
        self._settle()

    def redo(self, player: Player | None = None) -> bool:
        """Redo the last undone move; with `player`, all moves until that player is to move.

        Returns False if there is no undone move.
        """
        if not self.undone:
            return False
        self._append(self.undone.pop())
        while player is not None and self.undone and self.position.turn is not player:
            self._append(self.undone.pop())
        return True

    def resign(self, player: Player) -> None:
        """End the game with a resignation of `player`.

        Raises:
            IllegalMove: the game is over.
        """
        self._end("resign", player.other, RESIGNATION)

    def forfeit(self, player: Player, termination: str = TIME_FORFEIT) -> None:
        """End the game with a loss of `player`, by default on time.

        Raises:
            IllegalMove: the game is over.
        """
        self._end("forfeit", player.other, termination)

    def agree_draw(self) -> None:
        """End the game with a draw that both players want.

        Raises:
            IllegalMove: the game is over.
        """
        self._end("draw", None, AGREEMENT)

    def _end(self, what: str, winner: Player | None, termination: str) -> None:
        if self.is_over:
            raise IllegalMove(what, self.position, said("over"))
        self.record.result, self.record.termination = RESULTS[winner], termination

    def nodes(self) -> Iterator[RecordNode]:
        """Yield every move of the game and its variations, undone moves included."""
        waiting = [*self.record.children, *self.beside, *self.undone]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children

    def vary(self, moves: Sequence[int]) -> None:
        """Add a line of moves from the start as a variation, after the known ones.

        The line of the game does not change.

        Raises:
            IllegalMove: a move is illegal; nothing is added.
        """
        self.record.start.after(moves)
        followers = self._after(0, None)
        for number, move in enumerate(moves, 1):
            node = _with_move(followers, move)
            if node is None:
                node = RecordNode(move)
                followers.append(node)
            followers = self._after(number, node)

    def find(self, moves: Sequence[int]) -> RecordNode | None:
        """Return the last move of a line from the start, or `None` if the line is unknown."""
        followers, node = self._after(0, None), None
        for number, move in enumerate(moves, 1):
            node = _with_move(followers, move)
            if node is None:
                return None
            followers = self._after(number, node)
        return node

    def forget(self, moves: Sequence[int]) -> bool:
        """Delete the variation at the end of a line from the start.

        Deletes the moves that belong to no other line. Returns False
        if the line is unknown or part of the game itself.
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

    def _is_of_game(self, number: int, node: RecordNode) -> bool:
        """Return whether the node is move `number` of the game, from 1."""
        return number < len(self._followers) and self._followers[number - 1][0] is node

    def _after(self, number: int, node: RecordNode | None) -> list[RecordNode]:
        """Return the next moves after move `number`, from 1; a node of `None` is the start."""
        if node is None or self._is_of_game(number, node):
            return self.beside if number == len(self._followers) - 1 else self._followers[number]
        return node.children

    def _append(self, node: RecordNode) -> None:
        known = _with_move(self.beside, node.move)
        if known is not None:
            # The game now follows a variation.
            self.beside.remove(known)
            _take_over(node, known)
        after = self.position.play(node.move)
        self.texts.append(self.position.move_text(node.move))
        self.positions.append(after)
        self._followers[-1][:] = [node, *self.beside]
        self._followers.append(node.children)
        self._settle()

    def _settle(self) -> None:
        """End the record at the end of the line, and set its result by the rules."""
        self.beside = self._followers[-1][:]
        self._followers[-1].clear()
        outcome = self.position.outcome()
        self.record.result, self.record.termination = (
            (UNFINISHED, "unfinished")
            if outcome is None
            else (RESULTS[outcome.winner], outcome.termination.value)
        )


def _with_move(nodes: Iterable[RecordNode], move: int) -> RecordNode | None:
    return next((node for node in nodes if node.move == move), None)


def _take_over(node: RecordNode, other: RecordNode) -> None:
    """Merge the comments and next moves of another node with the same move into a node."""
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
