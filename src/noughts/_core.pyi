"""The native core: fast positions and searches behind one narrow door."""

from collections.abc import Callable, Sequence
import enum


def perft(position: str, depth: int) -> int:
    """Count the move sequences of exactly `depth` plies."""

def random_game(position: str, seed: int) -> tuple[list[tuple[list[int], int]], int]:
    """
    Play at random to the end: [(legal moves, move played), ...] and the outcome.
    """

def book_place(position: str) -> tuple[int, int]:
    """
    The place of a position of Connect Four in a book, and how many places there are.
    """

WIN: int = 30000

SURE: int = 29000

ESTIMATE_UNIT: int = 10000

class Method(enum.Enum):
    alphabeta = 0

    mcts = 1

    mcts_random = 2

    solve = 3

    solve_weakly = 4

    assisted = 5

class Limit:
    """How far a search may go; whichever comes first ends it."""

    def __init__(self, depth: int | None, nodes: int | None, seconds: float | None, simulations: int | None) -> None: ...

class Finding:
    """What a search has found out."""

    @property
    def move(self) -> int: ...

    @property
    def score(self) -> int: ...

    @property
    def exact(self) -> bool: ...

    @property
    def lower(self) -> int: ...

    @property
    def upper(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def simulations(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def table_use(self) -> float: ...

    @property
    def pv(self) -> list[int]: ...

class Engine:
    """The searches of one set of rules, with their tables."""

    def __init__(self, rules: str, table_mib: int, seed: int, evaluation: str, stones: int, book: bytes) -> None: ...

    def arm(self) -> None:
        """Make ready for a search, which `stop` ends from then on."""

    def stop(self) -> None:
        """End the search under way, or the next one."""

    def search(self, position: str, method: Method, limit: Limit, report: Callable[[Finding], None] | None) -> Finding:
        """Search without the GIL; `report` is told of findings."""

    def scores(self, position: str, method: Method, limit: Limit, report: Callable[[Sequence[tuple[int, Finding]]], None] | None) -> list[tuple[int, Finding]]:
        """Find the value of every legal move, as `search` does."""

    def clear(self) -> None:
        """Forget everything, so that the next search is as the first."""
