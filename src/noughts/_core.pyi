"""The native core: fast positions and searches."""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray


class EngineBusy(RuntimeError):
    pass

def perft(position: str, depth: int) -> int:
    """Count the move sequences of exactly `depth` plies."""

def random_game(position: str, seed: int) -> tuple[list[tuple[list[int], int]], int]:
    """
    Play random moves to the end; return [(legal moves, move played), ...] and the outcome.
    """

def hint(position: str, values: str) -> str:
    """
    Return the sentences of a hint as JSON, from the values of all legal moves.
    """

def threat_tree(position: str, loses: bool, first: int, most: int, nodes: int) -> list[int]:
    """
    Return the tree of a win of five in a row by threats as codes; none if no win is found.
    """

def book_place(position: str) -> tuple[int, int]:
    """
    Return the index of a Connect Four position in a book, and the length of that book.
    """

class CountEnd(enum.Enum):
    complete = 0

    plies = 1

    seconds = 2

    memory = 3

    overflow = 4

def count(position: str, plies: int, seconds: float, bytes: int, report: Callable[[Sequence[tuple[int, int, int]]], None]) -> CountEnd:
    """
    Count the positions of each ply after a start position; return the reason of the end.
    """

WIN: int = 30000

SURE: int = 29000

ESTIMATE_UNIT: int = 10000

class Method(enum.Enum):
    alphabeta = 0

    selective = 1

    mcts = 2

    mcts_random = 3

    solve = 4

    solve_weakly = 5

    assisted = 6

    best = 7

class Limit:
    """Limits of a search; the first one reached ends it."""

    def __init__(self, depth: int | None, nodes: int | None, seconds: float | None, simulations: int | None, target: float | None = None) -> None: ...

class Finding:
    """Result of a search."""

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

class Weights:
    """The weights of a net, a learned evaluation."""

    def __init__(self, weights: bytes) -> None: ...

    def estimate(self, position: str) -> int:
        """
        Return the estimate of an unfinished position of the net's games, without a search.
        """

NET_SIZE: int = 403804

SMALL_NET_SIZE: int = 28396

FIVE_NET_SIZE: int = 108584

SAMPLE_SIZE: int = 30

FIVE_SAMPLE_SIZE: int = 110

def self_play(rules: str, seed: int, nodes: int, net: Weights | None) -> bytes:
    """
    Play a nine-board game or Gomoku, without the GIL; return its positions as samples.
    """

class StopFlag:
    """Ends the searches that it was given to."""

    def __init__(self) -> None: ...

    def set(self) -> None: ...

    def is_set(self) -> bool: ...

class Verdict(enum.Enum):
    open = 0

    won = 1

    lost = 2

def replies_to_answer(position: str) -> list[int]:
    """Return the safe replies of `advanced`, without images of earlier ones."""

def prove(position: str, attacker: int, expansions: int) -> tuple[Verdict, int, int]:
    """
    Search for a proof that the attacker (0 is X) wins, or does not; return the verdict, the expansions and the best move.
    """

def strategy(position: str, net: Weights, leaf_ply: int, policy_nodes: int, budgets: Sequence[int], expansions: int, stop: StopFlag | None = None) -> tuple[Verdict, bytes, int, int, int]:
    """
    Search for a winning strategy of the side to move; return the verdict, its codes, the expansions, the leaves, and the nodes where the first choice was not the last.
    """

def part_of_strategy(position: str, attacker: int, codes: bytes, cut: int, shorter: int) -> tuple[bytes, int]:
    """
    Return the codes of a strategy before the ply `shorter`, and the leaves there.
    """

def counts_of_strategy(position: str, attacker: int, codes: bytes, cut: int) -> list[int]:
    """Return the number of codes of each ply."""

def leaf_paths(position: str, attacker: int, codes: bytes, cut: int, leaves: Sequence[int]) -> list[bytes]:
    """Return the moves to leaves of a strategy, whose numbers ascend."""

class StrategyBook:
    """A strategy by the position."""

    def __init__(self, position: str, attacker: int, codes: bytes, cut: int) -> None: ...

    def find(self, position: str) -> int | None:
        """
        Return the attacker's move in an unfinished position of the strategy; -1 if the other side is to move, or at a leaf; None if the strategy does not have the position.
        """

class Engine:
    """The searches of one set of rules, with their tables."""

    def __init__(self, rules: str, table_mib: int, seed: int, evaluation: str, stones: int, book: bytes, net: Weights | None = None, threads: int = 1) -> None: ...

    def arm(self) -> None:
        """Reset the stop flag; a later `stop` ends the next search."""

    def stop(self) -> None:
        """Stop the search in progress, or the next one."""

    def search(self, position: str, method: Method, limit: Limit, report: Callable[[Finding], None] | None) -> Finding:
        """Search without the GIL; call `report` with each better finding."""

    def scores(self, position: str, method: Method, limit: Limit, report: Callable[[Sequence[tuple[int, Finding]]], None] | None) -> list[tuple[int, Finding]]:
        """Find the value of every legal move, without the GIL."""

    def clear(self) -> None:
        """Clear all tables: the next search starts from nothing."""

class Illegal(enum.Enum):
    refuse = 0

    lose = 1

    random = 2

    ignore = 3

class Batch:
    """Games in step, in arrays of the caller."""

    def __init__(self, rules: str, count: int, threads: int) -> None: ...

    def shape(self) -> tuple[int, int, int, int]:
        """Return rows, columns, planes and actions of a game."""

    def begin(self, observation: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], legal: Annotated[NDArray[numpy.bool_], dict(order='C', device='cpu')], reward: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')], terminated: Annotated[NDArray[numpy.bool_], dict(order='C', device='cpu')], turn: Annotated[NDArray[numpy.int8], dict(order='C', device='cpu')], ply: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu')]) -> None:
        """Start all games; write to these arrays from now on."""

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(order='C', device='cpu', writable=False)], illegal: Illegal, seed: int) -> int:
        """
        Play an action in each game; return the first game that refuses, or -1.
        """

    def reset(self, mask: Annotated[NDArray[numpy.bool_], dict(order='C', device='cpu', writable=False)]) -> None:
        """Start the games of a mask."""

    def sample(self, actions: Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')], seed: int) -> None:
        """Write a random legal action of each game."""

    def boards(self, game: int) -> tuple[int, int, int]:
        """
        Return the board that the last move chose, -1 for none, and the won boards of X and O.
        """

    def load(self, game: int, position: str) -> None:
        """Set up a position in a game."""

class BookLabels:
    """Values of Connect Four positions with fewer stones than a book's."""

    def __init__(self, rules: str, stones: int, content: bytes) -> None: ...

    def label(self, observation: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.int8], dict(order='C', device='cpu')], distance: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu')], moves: Annotated[NDArray[numpy.int8], dict(order='C', device='cpu')]) -> None:
        """
        Write -1, 0 or 1 for each position and move; 2 for unknown, 9 for illegal.
        """
