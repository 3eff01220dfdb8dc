"""Proofs about a position: who wins within n moves, and which moves win, or do not lose.

    position, n ──► Threats (large boards), else a full alpha-beta search to a depth
    position    ──► the exact solver of the game, for each move that may win, or not lose

Nothing is estimated: a question that its limit of nodes leaves open raises `LimitReached`.
"""

from __future__ import annotations

from noughts.engine import Engine
from noughts.games.nested import NestedPosition
from noughts.games.position import Position
from noughts.games.row import RowPosition
from noughts.puzzles.threats import Threats
from noughts.search.result import Limit, SearchResult, Value
from noughts.search.walk import LimitReached

TABLE_MIB = 16
LARGE_BOARD = 81
"""Cells of the smallest board of which wins are proven by threats alone."""
NODES = 2_000_000
"""Default limit of each question, in positions."""
GLANCE = 20_000
"""Nodes of the search that looks for the moves that may win, or not lose."""
THREAT_SHARE = 100
"""`Threats`, which runs in Python, gets the nodes divided by this."""


def has_threats(position: Position) -> bool:
    """Whether wins are proven by `Threats`: on boards too large for a search of all moves."""
    if not isinstance(position, RowPosition):
        return False
    rules = position.rules
    is_large = rules.size >= LARGE_BOARD
    return is_large and not (rules.gravity or rules.misere or rules.exact)


def plies_of(position: Position, moves: int) -> int:
    """Return the plies within which a win in `moves` own moves ends the game.

    The last ply is an own move. Only if a line loses or boards are counted, it may be a reply.
    """
    late = (
        position.rules.misere
        if isinstance(position, RowPosition)
        else isinstance(position, NestedPosition) and position.rules.count_boards
    )
    return 2 * moves if late else 2 * moves - 1


class Prover:
    """Answers questions about positions of one game.

    Args:
        rules: its rules id.
        nodes: positions for each question.
        engine: the engine to use, which the caller clears; a new one if left out.
    """

    def __init__(self, rules: str, nodes: int = NODES, engine: Engine | None = None) -> None:
        self._engine = engine or Engine(rules, table_mib=TABLE_MIB, book=False)
        self._nodes = nodes

    def winning_moves(self, position: Position, moves: int) -> list[int]:
        """Return the moves that win within `moves` moves of the side to move, in order.

        Raises:
            LimitReached: the question takes too many nodes.
        """
        if has_threats(position):
            return self._threats(position).winning_moves(moves)
        plies = plies_of(position, moves)
        found = self._search(position, plies)
        return [move for move, value in found.moves.items() if _within(value, plies)]

    def shortest_win(self, position: Position, most: int) -> tuple[int, list[int]] | None:
        """Return the smallest number of own moves that win, and the moves that win within it.

        `None` if nothing wins within `most` own moves.

        Raises:
            LimitReached: the question takes too many nodes.
        """
        for moves in range(1, most + 1):
            found = self.winning_moves(position, moves)
            if found:
                return moves, found
        return None

    def wins(self, position: Position, move: int, moves: int) -> bool:
        """Whether a legal move wins within `moves` own moves, itself included.

        Raises:
            LimitReached: the question takes too many nodes.
        """
        if has_threats(position):
            return self._threats(position).wins_after(move, moves)
        after, plies = position.play(move), plies_of(position, moves) - 1
        outcome = after.outcome()
        if outcome is not None or plies == 0:
            return outcome is not None and outcome.winner is position.turn
        limit = Limit(depth=plies, nodes=self._nodes)
        result = self._engine.best_move(after, limit, method="alphabeta")
        if not result.complete:
            raise LimitReached
        return _within(result.value.for_mover, plies + 1)

    def longest_reply(self, position: Position, move: int, moves: int) -> int:
        """Return the reply to a winning move that loses last; of equal ones the first.

        Args:
            position: before the move.
            move: wins within `moves` own moves, and not at once.
            moves: own moves, `move` included.

        Raises:
            LimitReached: the question takes too many nodes.
        """
        if has_threats(position):
            return self._threats(position).replies(move, moves)[0]
        found = self._search(position.play(move), plies_of(position, moves) - 1)
        return max(sorted(found.moves), key=lambda reply: found.moves[reply].rank)

    def line(self, position: Position, move: int, moves: int) -> tuple[int, ...]:
        """Return the line of a win within `moves` own moves, with the replies that last longest.

        Args:
            position: before the move.
            move: wins within `moves` own moves.
            moves: own moves, `move` included.

        Raises:
            LimitReached: a question takes too many nodes.
        """
        line = [move]
        for left in range(moves, 1, -1):
            if position.play(move).outcome() is not None:
                break
            reply = self.longest_reply(position, move, left)
            position = position.play(move).play(reply)
            move = self.winning_moves(position, left - 1)[0]
            line += reply, move
        return tuple(line)

    def only_move(self, position: Position) -> tuple[int, Value] | None:
        """Return the only move that does not lose, with its value: a draw, or not a loss.

        The value is `Value.draw()`, or `Value.unknown()` where it is proven that the move does not
        lose, and not whether it wins. `None` if there is no such move, or if it wins.

        Raises:
            LimitReached: the question takes too many nodes.
        """
        legal = position.legal_moves()
        if len(legal) < 2:
            return None
        limit = Limit(nodes=GLANCE)
        found = self._engine.best_move(position, limit, moves=True)
        rest = [move for move, value in found.moves.items() if not value.is_loss]
        if len(rest) != 1:
            return None
        (move,) = rest
        value = found.moves[move]
        if value.is_win or value.is_draw:
            return None if value.is_win else (move, value)
        after = position.play(move)
        solved = self._engine.solve(after, Limit(nodes=self._nodes), weakly=True)
        lower, upper = solved.bounds
        if solved.exact:
            return (move, Value.draw()) if solved.value.is_draw else None
        if upper > 0:
            raise LimitReached
        return (move, Value.draw()) if lower >= 0 else (move, Value.unknown())

    def only_win(self, position: Position) -> int | None:
        """Return the only move that wins, in however many moves; `None` if there is none.

        Also `None` where a short search sees the win, or there is no other move.

        Raises:
            LimitReached: the question takes too many nodes for a move.
        """
        found = self._engine.best_move(position, Limit(nodes=GLANCE), moves=True)
        if found.value.is_win or len(found.moves) < 2:
            return None
        wins: list[int] = []
        # The moves that look best come first: if two win, these most probably do.
        for move in sorted(found.moves, key=lambda each: found.moves[each].rank, reverse=True):
            if not found.moves[move].is_exact and self._wins_at_last(position.play(move)):
                wins.append(move)
                if len(wins) > 1:
                    return None
        return wins[0] if wins else None

    def _wins_at_last(self, after: Position) -> bool:
        """Whether the side that has moved wins, in however many moves.

        Raises:
            LimitReached: the question takes too many nodes.
        """
        solved = self._engine.solve(after, Limit(nodes=self._nodes), weakly=True)
        lower, upper = solved.bounds
        if lower < 0 <= upper:
            raise LimitReached
        return upper < 0

    def _threats(self, position: Position) -> Threats:
        assert isinstance(position, RowPosition)
        return Threats(position, self._nodes // THREAT_SHARE)

    def _search(self, position: Position, depth: int) -> SearchResult:
        limit = Limit(depth=depth, nodes=self._nodes)
        found = self._engine.best_move(position, limit, method="alphabeta", moves=True)
        if not found.complete:
            raise LimitReached
        return found


def _within(value: Value, plies: int) -> bool:
    """Whether a value of a search to a depth of `plies` is a win within it."""
    return value.is_win and value.plies is not None and value.plies <= plies
