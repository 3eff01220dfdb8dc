"""Levels of play from 1 to 10: search depth and noise of the estimates.

    levels.toml ──► level_of(rules id, number): Level

    Engine.analyse: depth 0, 1, … ──► value of each move ──► the best move
                                      a win or loss within the level's sight,
                                      else an estimate with noise

A level makes the mistakes of people. It overlooks distant wins and losses: beyond its sight they
count as estimates, and its sight is sometimes one or two plies shorter. It misjudges the other
moves a little. It never plays a random move, but the best move by these values. On a large board it
considers only the moves that look best without the noise: among 225 moves, noise would often
lift a poor edge move to the top. Levels are limited by plies and nodes, not by time, and so play
the same on every machine.

`levels.toml` has a table of ten levels for each game that differs from the default, so that each
level beats the one below by about the same score; `bench/levels.py` measures and tunes them.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from math import inf
from typing import Any, NamedTuple

from noughts.engine import Engine
from noughts.games.position import Position
from noughts.games.words import count
from noughts.search.result import NO_LIMIT, Limit, SearchResult, Value

LEVELS = range(1, 11)
"""The numbers of the levels; the highest has no weakness except its limit."""
HIGHEST = LEVELS[-1]
BEGINNERS = 1
"""The level that newcomers meet first: it wins where it can, but blocks nothing on purpose."""
FILE = "levels.toml"
DEFAULT = "default"
"""The table of all other games."""
MANY_MOVES = 81
"""With more moves than this, a level considers only some of them."""
CONSIDERED = 25
"""Number of moves that it then considers, the best by its values, and all equal to the last."""
_WINNERS = {1: "a beginner can win", 4: "a careful player can win", 7: "a strong player can win"}
"""The players who can beat a level, from that level on."""


class BadLevels(ValueError):
    """The file of the levels is damaged; the message says where."""


class Level(NamedTuple):
    """The weaknesses of a level.

    Args:
        nodes: maximum of its search, which then ends at the last finished depth.
        sight: search depth in plies, and the largest distance of a win or loss that it sees;
            `None` for the highest level, which has only `nodes`.
        slip: the chance that its sight is a ply shorter, and then again a ply shorter.
        blur: standard deviation of the noise of its estimates, which lie between -1 and 1.
    """

    nodes: int
    sight: int | None = None
    slip: float = 0.0
    blur: float = 0.0


Ladders = Mapping[str, tuple[Level, ...]]
"""The levels in order, by the name of the game or `DEFAULT`."""


def level_of(rules_id: str, number: int) -> Level:
    """Return a level of a game.

    >>> level_of("basic", 4)
    Level(nodes=400000, sight=4, slip=0.38, blur=0.11)

    Raises:
        BadLevels: the installed file is damaged.
    """
    known = ladders()
    return known.get(rules_id.partition(":")[0], known[DEFAULT])[number - 1]


def full_strength(rules_id: str) -> Limit:
    """Return the limit of the highest level: some tenths of a second; on large boards seconds.

    Raises:
        BadLevels: the installed file is damaged.
    """
    return Limit(nodes=level_of(rules_id, HIGHEST).nodes)


@cache
def ladders() -> Ladders:
    """Return the levels of all games.

    Raises:
        BadLevels: the installed file is damaged.
    """
    try:
        return parsed(files("noughts").joinpath(FILE).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadLevels(f"cannot read {FILE}: {error}. Install noughts again") from error
    except BadLevels as error:
        raise BadLevels(f"{FILE} is damaged: {error}. Install noughts again") from error


def parsed(text: str) -> Ladders:
    """Return the levels that a file's text describes.

    Raises:
        BadLevels: the text is damaged.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadLevels(str(error)) from error
    found = {game: _ladder(game, rows) for game, rows in tables.items()}
    if DEFAULT not in found:
        raise BadLevels(f"there is no table [{DEFAULT}]")
    for game, ladder in found.items():
        for number, level, usual in zip(LEVELS, ladder, found[DEFAULT], strict=True):
            if level.sight != usual.sight:
                raise BadLevels(
                    f"[{game}] level {number} sees {level.sight} plies, and by [{DEFAULT}] "
                    f"{usual.sight}: the sight of a level is the same in every game"
                )
    return found


def _ladder(game: str, rows: Any) -> tuple[Level, ...]:
    if not isinstance(rows, dict) or list(rows) != [str(number) for number in LEVELS]:
        raise BadLevels(f"[{game}] must have the levels {LEVELS[0]} to {HIGHEST} in order")
    return tuple(_level(f"[{game}] level {number}", number, rows[str(number)]) for number in LEVELS)


def _level(place: str, number: int, row: Any) -> Level:
    names = ("nodes",) if number == HIGHEST else Level._fields
    if not isinstance(row, dict) or set(row) != set(names):
        raise BadLevels(f"{place} must have {', '.join(names)} and nothing else")
    for name, value in row.items():
        is_whole = name in ("nodes", "sight")
        if isinstance(value, bool) or not isinstance(value, int if is_whole else int | float):
            raise BadLevels(f"{place}: {name} must be a number, not {value!r}")
        if not (value >= 1 if is_whole else 0 <= value <= 1):
            bounds = "at least 1" if is_whole else "from 0 to 1"
            raise BadLevels(f"{place}: {name} must be {bounds}, not {value}")
    return Level(**row)


def description(number: int) -> str:
    """Return the sight of a level, and the players who can beat it.

    >>> description(5), description(10)
    ('sees up to 5 plies ahead; a careful player can win', 'full strength')
    """
    sight = level_of(DEFAULT, number).sight
    if sight is None:
        return "full strength"
    winner = _WINNERS[max(each for each in _WINNERS if each <= number)]
    return f"sees up to {count(sight, 'ply', 'plies')} ahead; {winner}"


def choose(
    engine: Engine,
    position: Position,
    level: Level,
    seed: int,
    limit: Limit = NO_LIMIT,
    is_stopped: Callable[[], bool] = lambda: False,
) -> SearchResult:
    """Return the move that a level plays in a game in progress, with its view of the move.

    For the same position, level and seed it is the same, whatever was searched before, unless
    `limit` or a stop ends the search, or the level has no weakness.

    Args:
        engine: an engine of the game.
        position: the position to move in.
        level: see `level_of`.
        seed: of its slips and of the noise of its estimates.
        limit: ends the search sooner than the level does.
        is_stopped: asked after each depth; the search ends once it returns true.

    Raises:
        NotationError: not a position of the engine's rules.
    """
    if level.sight is None:
        return engine.best_move(position, Limit(nodes=level.nodes).tighter(limit))
    rng = random.Random(seed)
    sight = sight_in_game(level, rng)
    engine.clear()
    bound = Limit(depth=sight, nodes=level.nodes).tighter(limit)
    seen: dict[int, Value] = {}
    for result in engine.analyse(position, bound):
        seen |= {move: value for move, value in result.moves.items() if is_seen(value, sight)}
        if is_stopped():
            engine.stop()
    best = preferred(seen, level, rng)
    value = seen[best]
    return replace(
        result,
        move=best,
        score=value.score(position.ply),
        exact=value.is_exact,
        line=(best,),
        moves={},
    )


def sight_in_game(level: Level, rng: random.Random) -> int:
    """Return the search depth of a level below the highest for one move, after its slips."""
    assert level.sight is not None
    sight = level.sight
    while sight > 1 and rng.random() < level.slip:
        sight -= 1
    return sight


def preferred(seen: Mapping[int, Value], level: Level, rng: random.Random) -> int:
    """Return the best move by the values that a level sees, with its noise."""
    least = -inf
    if len(seen) > MANY_MOVES:
        least = sorted((value.rank for value in seen.values()), reverse=True)[CONSIDERED - 1]
    considered = sorted(move for move, value in seen.items() if value.rank >= least)
    blur = {move: rng.gauss(0, level.blur) for move in considered}

    def judged(move: int) -> float:
        value = seen[move]
        return value.rank + blur[move] if value.kind in ("unknown", "draw") else value.rank

    return max(considered, key=judged)


def is_seen(value: Value, sight: int) -> bool:
    """Whether a value is an estimate, a draw, or a win or loss within `sight` plies."""
    if value.kind in ("unknown", "draw"):
        return True
    return value.plies is not None and value.plies <= sight
