"""A minimal engine in the protocol of docs/protocol.md: tic-tac-toe, without an error."""

import sys
from functools import cache

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@cache
def search(board: str, side: str) -> tuple[int, str]:
    """Return the value for the side to move, 1, 0 or -1, and its best move.

    The board is nine letters: X, O, or the number of an empty cell, which is the move there.
    """
    if any(board[a] == board[b] == board[c] for a, b, c in LINES):
        return -1, "none"
    moves = [move for move in board if move.isdigit()]
    after = [(-search(board.replace(move, side), "XO"[side == "X"])[0], move) for move in moves]
    return max(after, default=(0, "none"))


def read_position(words: list[str]) -> tuple[str, str]:
    """Return the board and the side to move; ValueError or IndexError if it cannot be."""
    rules, cells, side = (words[1] if words[0] == "pos" else "basic~3.3.3~X").split("~")
    if rules != "basic":
        raise ValueError(f"this engine does not play {rules}")
    marks = "".join(" " * int(c) if c.isdigit() else c for c in cells.replace(".", ""))
    board = "".join(str(n) if mark == " " else mark for n, mark in enumerate(marks, 1))
    for move in words[words.index("moves") + 1 :] if "moves" in words else []:
        if move not in {*board} - {"X", "O"}:
            raise ValueError(f"{move} is not an empty cell")
        board, side = board.replace(move, side), "XO"[side == "X"]
    return board, side


if __name__ == "__main__":
    best, pending = "1", False
    for line in sys.stdin:
        word, *words = line.split() or [""]
        if word == "uci":
            print("id name minimal\nid author you")
            print("option name UCI_Variant type combo default basic var basic\nuciok")
        elif word == "isready":
            print("readyok")
        elif word == "position":
            try:
                best = search(*read_position(words))[1]
            except (ValueError, IndexError) as error:
                best = "none"
                print(f"info string error {error}")
        elif word == "go" and "infinite" in words:
            pending = True  # It is given at stop.
        elif word == "go" or (word == "stop" and pending):
            print(f"bestmove {best}")
            pending = False
        elif word == "quit":
            break
        sys.stdout.flush()
