"""A bot for benches: `python scripted.py SECONDS MOVE …` plays the moves of a given game.

It speaks the protocol, works for SECONDS on each move, and knows no rules.
"""

import sys
import time


def main() -> None:
    seconds, game = float(sys.argv[1]), sys.argv[2:]
    played = 0
    for line in sys.stdin:
        words = line.split()
        match words[0]:
            case "uci":
                print("id name scripted\nuciok", flush=True)
            case "isready":
                print("readyok", flush=True)
            case "position":
                played = len(words) - words.index("moves") - 1 if "moves" in words else 0
            case "go":
                until = time.perf_counter() + seconds
                while time.perf_counter() < until:
                    pass
                print(f"bestmove {game[played]}", flush=True)
            case "quit":
                return


if __name__ == "__main__":
    main()
