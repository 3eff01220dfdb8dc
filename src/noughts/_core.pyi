"""The native core: fast positions and searches behind one narrow door."""



def perft(position: str, depth: int) -> int:
    """Count the move sequences of exactly `depth` plies."""

def random_game(position: str, seed: int) -> tuple[list[tuple[list[int], int]], int]:
    """
    Play at random to the end: [(legal moves, move played), ...] and the outcome.
    """
