"""Makes puzzles: games with mistakes ──► positions ──► proofs ──► rated puzzles in a file.

    seed ──► game 0, 1, 2, … ──► FILE.part: a line for each puzzle and each finished game
                                     │ enough puzzles, or all positions of a small game
                                     ▼
                                   FILE: sorted by rating, under a header that names the command

Every game has its own random numbers, and every limit is one of nodes. So the same command makes
the same file, with any number of processes, and also after an interruption.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from functools import cache, partial
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path

from noughts import levels
from noughts.engine import Engine, native_position
from noughts.games.position import NotationError, Position, canonical_key
from noughts.games.registry import game
from noughts.games.row import RowPosition
from noughts.puzzles.proof import NODES, TABLE_MIB, Prover, has_threats
from noughts.puzzles.puzzle import TRIES, Kind, Puzzle, in_order
from noughts.puzzles.rating import rating, solved_by_level
from noughts.puzzles.themes import themes
from noughts.search.result import Limit
from noughts.search.walk import LimitReached
from noughts.version import __version__
from noughts.work.continued import continued, part_of

LONGEST_WIN, LONGEST_BY_THREATS = 6, 4
"""Most own moves of a win; fewer on boards where `Threats`, which is in Python, proves it."""
SMALL = 9
"""Cells of a board so small that all its positions are candidates."""
GAME_NODES = 4_000
"""Nodes of each move of a game."""
TRIVIAL_SHARE = 0.1
"""The largest part of a file that levels 1 and 2 always solve."""
LEVEL_SHARE = 0.5
"""The largest part of a file that has one difficulty, except in small games."""
GLANCE = 20_000
"""Nodes of a first search; only if it sees a win, the shortest win is proven."""
KEEP_NODES = 500_000
"""Nodes of each question about a win of any length. On nine boards nearly all questions before ply
13 need more, and few from ply 16 on."""
MAX_PER_GAME = 2
"""Puzzles from one game."""
PLAYERS = (2, 6)
"""The weakest and the strongest level that plays."""
OPENING = (3, 8)
"""Random moves of an opening, from and to."""
MIDDLE = 2
"""The largest distance of the random moves from the middle of a large board, in cells."""
FINISHED = "# game "


def make(
    rules: str,
    number: int,
    seed: int,
    file: Path,
    jobs: int = 1,
    max_games: int | None = None,
    keep: bool = False,
) -> Iterator[tuple[int, int]]:
    """Make a file of puzzles; yield the puzzles so far and the games so far, after each game.

    An interrupted call continues from the file with `.part` at its end.

    Args:
        rules: a rules id of a built-in game.
        number: puzzles to make; fewer where a small game has fewer.
        seed: of the games.
        file: to write.
        jobs: processes.
        max_games: ends the search for more puzzles.
        keep: make puzzles of the kind `keep`, and no others.

    Raises:
        OtherCommand: the `.part` file belongs to another command.
        NotationError: no such rules, rules that the core does not know, or `keep` for a board too
            large to solve.
        OSError: a file cannot be written.
    """
    rules = native_position(game(rules)).rules_id
    if keep and has_threats(game(rules)):
        reason = f"--keep needs exact values, and {rules} is too large to solve"
        raise NotationError(rules, "RULES", reason)
    kind = " --keep" if keep else ""
    head = f"# noughts puzzle make {rules} --count {number} --seed {seed}{kind}"
    total = len(_positions(rules, seed)) if is_small(rules) else max_games
    found, played = _continued(file, head, total)
    taken = {canonical_key(puzzle.position) for puzzle in found}
    yield len(found), played
    with part_of(file).open("a", encoding="utf-8") as log:
        for index, made in _played(rules, seed, keep, played, total, jobs):
            for puzzle in made:
                if _fits(puzzle, found, taken, number):
                    found.append(puzzle)
                    taken.add(canonical_key(puzzle.position))
                    log.write(f"{puzzle}\n")
            log.write(f"{FINISHED}{index}\n")
            log.flush()
            yield len(found), index + 1
            if len(found) >= number:
                break
    found.sort(key=in_order)
    command = head if max_games is None else f"{head} --games {max_games}"
    lines = [command, f"# noughts {__version__}: {len(found)} puzzles", *map(str, found)]
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    part_of(file).unlink()


def _continued(file: Path, head: str, total: int | None) -> tuple[list[Puzzle], int]:
    """Return the puzzles of an interrupted run, and the number of its finished games."""
    lines = continued(file, head, lambda line: line.startswith(FINISHED))
    found: list[Puzzle] = []
    played = 0
    for line in lines:
        if line.startswith(FINISHED):
            played += 1
        elif played != total:
            found.append(Puzzle.parse(line))
    return found, played if total is None else min(played, total)


def _fits(puzzle: Puzzle, found: Sequence[Puzzle], taken: set[Hashable], number: int) -> bool:
    """Whether a puzzle is new, and the file does not have too many like it."""
    if len(found) >= number or canonical_key(puzzle.position) in taken:
        return False
    if _is_trivial(puzzle):
        return sum(map(_is_trivial, found)) < TRIVIAL_SHARE * number
    if is_small(puzzle.position.rules_id):
        return True
    return Counter(each.level for each in found)[puzzle.level] < LEVEL_SHARE * number


def _is_trivial(puzzle: Puzzle) -> bool:
    return puzzle.solved[:2] == (TRIES, TRIES)


def is_small(rules: str) -> bool:
    """Whether all positions of a game are candidates, not only those of played games."""
    start = game(rules)
    return isinstance(start, RowPosition) and start.rules.size <= SMALL


@cache
def _positions(rules: str, seed: int) -> list[Position]:
    """Return all unfinished positions of a small game, without symmetric ones, shuffled."""
    found: dict[Hashable, Position] = {}
    level = [game(rules)]
    while level:
        new: dict[Hashable, Position] = {}
        for position in level:
            if position.outcome() is None:
                new.setdefault(canonical_key(position), position)
        found |= new
        level = [each.play(move) for each in new.values() for move in each.legal_moves()]
    positions = list(found.values())
    random.Random(seed).shuffle(positions)
    return positions


def _played(
    rules: str, seed: int, keep: bool, first: int, total: int | None, jobs: int
) -> Iterator[tuple[int, list[Puzzle]]]:
    """Yield the number of each game, from `first` on, and the puzzles in it."""
    numbers = count(first) if total is None else iter(range(first, total))
    search = partial(puzzles_of_game, rules, seed, keep=keep)
    if jobs == 1:
        for number in numbers:
            yield number, search(number)
        return
    with get_context("spawn").Pool(jobs) as pool:
        while batch := list(islice(numbers, 4 * jobs)):
            yield from zip(batch, pool.map(search, batch, chunksize=1), strict=True)


@cache
def _engine(rules: str) -> Engine:
    return Engine(rules, table_mib=TABLE_MIB, book=False)


def puzzles_of_game(rules: str, seed: int, number: int, *, keep: bool = False) -> list[Puzzle]:
    """Return the puzzles in one game of two levels; of a small game, of one position.

    With `keep`, those of the kind `keep`; else the others.
    """
    engine = _engine(rules)
    if is_small(rules):
        puzzle = puzzle_of(_positions(rules, seed)[number], engine, keep=keep)
        return [puzzle] if puzzle else []
    rng = random.Random(f"{seed}:{number}")
    position = _opening(game(rules), rng)
    players = [levels.level_of(rules, rng.randint(*PLAYERS)) for _ in range(2)]
    found: list[Puzzle] = []
    next_ply = position.ply
    while position.outcome() is None and len(found) < MAX_PER_GAME:
        if position.ply >= next_ply:
            puzzle = puzzle_of(position, engine, keep=keep)
            if puzzle is not None:
                found.append(puzzle)
                next_ply = position.ply + 2 * puzzle.moves
        level = players[position.ply % 2]
        seed_of_move = rng.getrandbits(32)
        chosen = levels.choose(engine, position, level, seed_of_move, Limit(nodes=GAME_NODES))
        assert chosen.move is not None
        position = position.play(chosen.move)
    return found


def _opening(position: Position, rng: random.Random) -> Position:
    """Return the position after some random moves; on a large board they are near its middle."""
    for _ in range(rng.randint(*OPENING)):
        moves = list(position.legal_moves())
        if has_threats(position):
            assert isinstance(position, RowPosition)
            rules = position.rules
            moves = [
                move
                for move in moves
                if abs(move % rules.columns - rules.columns // 2) <= MIDDLE
                and abs(move // rules.columns - rules.rows // 2) <= MIDDLE
            ]
        after = position.play(rng.choice(moves))
        if after.outcome() is not None:
            break
        position = after
    return position


def puzzle_of(position: Position, engine: Engine, *, keep: bool = False) -> Puzzle | None:
    """Return the puzzle in a position, or `None` if it has no proven, unique best move.

    With `keep`, a puzzle of the kind `keep`; else one of the others.
    """
    engine.clear()
    prover = Prover(position.rules_id, KEEP_NODES if keep else NODES, engine)
    try:
        if keep:
            found = _keep(position, prover)
        else:
            found = _win(position, prover, engine) or _only(position, prover)
    except LimitReached:
        return None
    if found is None:
        return None
    kind, line = found
    solved = solved_by_level(engine, position, line[0])
    own = (len(line) + 1) // 2
    return Puzzle(position, kind, own, line, themes(position, line), rating(solved), solved)


def _win(position: Position, prover: Prover, engine: Engine) -> tuple[Kind, tuple[int, ...]] | None:
    """Return the solution of a win in two moves or more with one first move."""
    if not engine.best_move(position, Limit(nodes=GLANCE)).value.is_win:
        return None
    longest = LONGEST_BY_THREATS if has_threats(position) else LONGEST_WIN
    shortest = prover.shortest_win(position, longest)
    if shortest is None or shortest[0] == 1 or len(shortest[1]) > 1:
        return None
    return "win", prover.line(position, shortest[1][0], shortest[0])


def _only(position: Position, prover: Prover) -> tuple[Kind, tuple[int, ...]] | None:
    """Return the only move that does not lose, as the solution of a puzzle."""
    if has_threats(position):
        return None
    found = prover.only_move(position)
    if found is None:
        return None
    move, value = found
    return "draw" if value.is_draw else "hold", (move,)


def _keep(position: Position, prover: Prover) -> tuple[Kind, tuple[int, ...]] | None:
    """Return the only move that wins, as the solution of a puzzle."""
    move = prover.only_win(position)
    return None if move is None else ("keep", (move,))
