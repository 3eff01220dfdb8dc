"""Rate the installed puzzles of a game again, after a change of its engine.

    python bench/puzzle_ratings.py mnk:15,15,5 --jobs 2            print how the ratings change
    python bench/puzzle_ratings.py mnk:15,15,5 --jobs 2 --write    and write them into the files

The puzzles stay: positions, solutions and themes depend on the rules alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import mean

import noughts
from noughts.engine import Engine
from noughts.puzzles.proof import TABLE_MIB
from noughts.puzzles.puzzle import GAMES, Puzzle, files_of, in_order, parse_puzzles
from noughts.puzzles.rating import rating, solved_by_level


def rated(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with the rating of the present engine."""
    engine = Engine(puzzle.position.rules_id, table_mib=TABLE_MIB, book=False)
    solved = solved_by_level(engine, puzzle.position, puzzle.line[0])
    return puzzle._replace(rating=rating(solved), solved=solved)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--jobs", type=int, default=1, help="puzzles at once")
    parser.add_argument("--write", action="store_true", help="write the ratings into the files")
    options = parser.parse_args(arguments)
    folder = Path(noughts.__file__).parent / "puzzles"
    for file in map(folder.joinpath, files_of(options.game)):
        lines = file.read_text(encoding="utf-8").splitlines()
        before = parse_puzzles(lines)
        with ProcessPoolExecutor(options.jobs) as processes:
            after = list(processes.map(rated, before))
        pairs = list(zip(before, after, strict=True))
        changes = [new.rating - old.rating for old, new in pairs]
        print(
            f"{file.name}: {len(after)} puzzles, "
            f"mean rating {mean(new.rating for new in after):.1f} ({mean(changes):+.1f}); "
            f"{sum(abs(each) > 1 for each in changes)} change by more than 1, "
            f"{sum(new.level != old.level for old, new in pairs)} have another difficulty"
        )
        if options.write:
            head = [line for line in lines if line.startswith("#")]
            text = "\n".join([*head, *map(str, sorted(after, key=in_order))])
            file.write_text(f"{text}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
