"""All known games by name, and the way from text to a position and to moves.

rules id        ──game()────────► start position
position string ──position()────► position
either of them  ──parse_start()─► position
move list       ──parse_moves()─► moves
Python file     ──load()────────► more games
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from noughts.games.given_tree import GivenTree
from noughts.games.nested import Advanced, Ultimate
from noughts.games.position import IllegalMove, NotationError, Position
from noughts.games.row import MNK, Basic, ConnectFour

Game = TypeVar("Game", bound=Position)

GAMES: dict[str, type[Position]] = {
    game.name: game for game in (Basic, MNK, ConnectFour, Advanced, Ultimate)
}
"""Every known game by its name."""


def register(game: type[Game]) -> type[Game]:
    """Make a game known by its name; works as a class decorator.

    Raises:
        ValueError: the name is taken, or not a lower-case word.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", game.name):
        raise ValueError(f"{game.name!r} is not a name: wanted are lower-case letters and digits")
    if GAMES.get(game.name, game).__qualname__ != game.__qualname__:
        raise ValueError(f"there is a game named {game.name!r} already")
    GAMES[game.name] = game
    return game


def load(path: Path) -> None:
    """Run a Python file, so that the games in it register themselves.

    Raises:
        Exception: whatever the file raises.
    """
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)


def _family(text: str, rules_id: str) -> type[Position]:
    name = rules_id.partition(":")[0]
    if name not in GAMES:
        known = " ".join(GAMES)
        raise NotationError(text, "RULES", f"there is no game {name!r}; there are {known}")
    return GAMES[name]


def game(rules_id: str) -> Position:
    """Return the start position of the rules named by `rules_id`.

    >>> game("connect4:8,7")
    noughts.position('connect4:8,7~8.8.8.8.8.8.8~X')

    Raises:
        NotationError: no such game, or it has no such option.
    """
    family = _family(rules_id, rules_id)
    _, colon, options = rules_id.partition(":")
    if colon and not options:
        raise NotationError(rules_id, "RULES", "nothing follows the colon")
    return family.start(options)


def position(text: str) -> Position:
    """Return the position that a position string, or a tree with given leaf values, stands for.

    >>> position("basic~X2.1O1.3~X").legal_moves()
    (1, 2, 3, 5, 6, 7, 8)
    >>> position("((3 12) (2 4))~a2").legal_moves()
    (0, 1)

    Raises:
        NotationError: naming the field at fault, the place in it and the reason.
    """
    if text.startswith("("):
        return GivenTree.parse(text)
    rules_id = text.partition("~")[0]
    family = _family(text, rules_id)
    if rules_id.endswith(":"):
        raise NotationError(text, "RULES", "nothing follows the colon")
    return family.parse(text)


def parse_start(text: str) -> Position:
    """Return the position that a rules id or a position string stands for.

    >>> parse_start("basic") == parse_start("basic~3.3.3~X")
    True

    Raises:
        NotationError: as `game` or `position`.
    """
    return position(text) if "~" in text else game(text)


def parse_moves(start: Position, text: str) -> list[int]:
    """Return the moves of a list such as `"51 15 55"`, or `"4453"` where runs are allowed.

    Raises:
        IllegalMove: naming the first word that is no legal move, and the position before it.
    """
    moves: list[int] = []
    current = start
    for word in text.split():
        run = start.digit_runs and re.fullmatch("[0-9]{2,}", word)
        for token in word if run else (word,):
            try:
                move = current.parse_move(token)
            except IllegalMove as error:
                number = f"move {len(moves) + 1}: " if len(moves) else ""
                raise IllegalMove(error.move, error.position, number + error.reason) from None
            moves.append(move)
            current = current.play(move)
    return moves


def move_texts(start: Position, moves: Iterable[int]) -> list[str]:
    """Return moves that are played one after another as text.

    >>> move_texts(game("ultimate"), [36, 0])
    ['51', '11']

    Raises:
        IllegalMove: a move that the rules do not allow there.
    """
    texts = []
    for move in moves:
        texts.append(start.move_text(move))
        start = start.play(move)
    return texts
