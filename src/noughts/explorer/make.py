"""Makes openings: the engine plays itself ──► games ──► counts of the first moves in a file.

    seed ──► game 0, 1, 2, … ──► FILE.part: the first moves and the result of each game
                                   │ all games
                                   ▼
                                 FILE: the steps of the tree and their outcomes

Every game has its own random numbers, and every limit is one of nodes. So the same command makes
the same file, also after an interruption.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from noughts.engine import Engine, native_position
from noughts.explorer.counts import (
    MAX_PLIES,
    WINNERS,
    CountedLine,
    Outcomes,
    added,
    keys_of,
    steps,
)
from noughts.explorer.openings import Openings, header
from noughts.games.position import Position, move_texts, parse_moves
from noughts.games.record import RESULTS
from noughts.games.registry import game
from noughts.games.row import RowPosition
from noughts.search.result import Limit, SearchResult
from noughts.version import __version__
from noughts.work.continued import continued, part_of

NODES = 20_000
"""Nodes of each move."""
VARIED_PLIES = 6
"""Plies at the start of a game in which the engine does not always play its best move."""
SHARE = 0.5
"""The chance of the best move in these plies; else the next best has this chance, and so on."""
WORST = 0.2
"""A move played in these plies is estimated to be at most this much worse than the best."""
TABLE_MIB = 4


def make(rules: str, games: int, seed: int, file: Path) -> Iterator[int]:
    """Make a file of openings; yield the number of games so far, after each game.

    An interrupted call continues from the file with `.part` at its end.

    Args:
        rules: a rules id of a built-in game.
        games: to play.
        seed: of the games.
        file: to write.

    Raises:
        OtherCommand: the `.part` file belongs to another command.
        NotationError: no such rules, or rules that the core does not know.
        OSError: a file cannot be written.
    """
    start = native_position(game(rules))
    head = header(start.rules_id, games, seed)
    played = continued(file, head)
    yield len(played)
    with part_of(file).open("a", encoding="utf-8") as log:
        engine = Engine(start.rules_id, table_mib=TABLE_MIB)
        while len(played) < games:
            played.append(played_game(engine, start, random.Random(f"{seed}:{len(played)}")))
            log.write(f"{played[-1]}\n")
            log.flush()
            yield len(played)
    counted = (each for line in played for each in _counted(start, line))
    openings = Openings(start.rules_id, games, added(counted))
    steps = list(openings.lines())
    lines = [head, f"# noughts {__version__}: {len(steps)} steps", *steps]
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    part_of(file).unlink()


def played_game(engine: Engine, start: Position, rng: random.Random) -> str:
    """Return the first moves and the result of a game that the engine plays against itself.

    The game ends when the engine has proven its result.
    """
    engine.clear()
    position, moves = start, list[int]()
    while (outcome := position.outcome()) is None:
        is_varied = position.ply < VARIED_PLIES
        found = engine.best_move(position, Limit(nodes=NODES), moves=is_varied)
        if found.value.is_exact and not is_varied:
            winner = position.turn if found.value.is_win else position.turn.other
            return _line(start, moves, RESULTS[None if found.value.is_draw else winner])
        move = _varied(found, rng) if is_varied else found.move
        assert move is not None
        moves.append(move)
        position = position.play(move)
    return _line(start, moves, RESULTS[outcome.winner])


def _varied(found: SearchResult, rng: random.Random) -> int:
    """Return one of the good moves, the better ones more often.

    Moves that are equal by symmetry count as one. Of equal estimates, the one nearest to the middle
    comes first: on a large board, all first moves have the same estimate.
    """
    position, best = found.position, max(value.rank for value in found.moves.values())
    good = [move for move, *_ in steps(position).values()]
    good = [move for move in good if found.moves[move].rank >= best - WORST]
    if not good:  # The value of the best move is proven, and that of an equal one is not.
        assert found.move is not None
        return found.move
    good.sort(key=lambda move: (-found.moves[move].rank, _from_middle(position, move)))
    place = 0
    while place < len(good) - 1 and rng.random() >= SHARE:
        place += 1
    return good[place]


def _from_middle(position: Position, move: int) -> int:
    """Return the squared distance of a move from the middle of a board without nested boards."""
    if not isinstance(position, RowPosition):
        return 0
    rules = position.rules
    row, column = divmod(position.cell(move), rules.columns)
    return (2 * row - rules.rows + 1) ** 2 + (2 * column - rules.columns + 1) ** 2


def _line(start: Position, moves: list[int], result: str) -> str:
    return " ".join([*move_texts(start, moves[:MAX_PLIES]), result])


def _counted(start: Position, played: str) -> Iterator[tuple[int, Outcomes]]:
    """Yield the keys of a game's steps with its result."""
    text, result = played.rsplit(" ", 1)
    line = [start]
    for move in parse_moves(start, text):
        line.append(line[-1].play(move))
    yield from CountedLine(WINNERS[result], tuple(keys_of(line))).counted
