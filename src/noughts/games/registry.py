"""All known games by name, and the functions from text to positions.

rules id, title ──game()────────► start position
position string ──position()────► position
either of them  ──parse_start()─► position
Python file     ──load()────────► more games ──own_files()──► the files, for other processes
"""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from noughts.games.catalogue import folded, make_rules_id
from noughts.games.given_tree import GivenTree
from noughts.games.nested import Advanced, NestedPosition, Ultimate
from noughts.games.phrases import said
from noughts.games.position import NotationError, Position
from noughts.games.row import MNK, Basic, ConnectFour, RowPosition

Game = TypeVar("Game", bound=Position)

LONGEST_NAME = 60
"""Most characters of an unknown name that an error repeats."""

GAMES: dict[str, type[Position]] = {
    game.name: game for game in (Basic, MNK, ConnectFour, Advanced, Ultimate)
}
"""Every known game by its name, in the order of lists and forms."""


def register(game: type[Game]) -> type[Game]:
    """Make a game known by its name; works as a class decorator.

    Raises:
        ValueError: it is no subclass of `Position`, lacks a method or the name that every game
            needs, or its name is taken or no lower-case word.
    """
    if not (isinstance(game, type) and issubclass(game, Position)):
        raise ValueError(f"a game is a subclass of noughts.Position, not {game!r}")
    absent = ["name"] * (not hasattr(game, "name")) + sorted(game.__abstractmethods__)
    if absent:
        needs = f"{game.__name__} lacks {', '.join(absent)}, which every game needs"
        raise ValueError(f"{needs} (docs/your-game.md)")
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", game.name):
        raise ValueError(f"{game.name!r} is not a name: use lower-case letters and digits")
    if GAMES.get(game.name, game).__qualname__ != game.__qualname__:
        raise ValueError(f"there is already a game named {game.name!r}")
    game.title = game.title or game.name.capitalize()
    GAMES[game.name] = game
    return game


@cache
def sample(name: str) -> tuple[Position, int | None] | None:
    """Return a position for small pictures of a game, and the cell of its last move.

    `None` for a game that cannot begin without options and names no sample.
    """
    rules_id, *moves = GAMES[name].sample.split() or [name]
    try:
        position = game(rules_id)
    except NotationError:
        return None
    last = None
    for move in moves:
        number = position.parse_move(move)
        if isinstance(position, RowPosition | NestedPosition):
            last = position.cell(number)
        position = position.play(number)
    return position, last


def load(path: Path) -> ModuleType:
    """Run a user's Python file and return it as a module; games in it register themselves.

    Each call runs the file again. It can import modules of its folder.

    Raises:
        Exception: any exception of the file.
    """
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    spec = importlib.util.spec_from_file_location(f"file_{path.stem}", path.resolve())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def own_files() -> list[Path]:
    """Return the files outside this package that registered games, for `load` elsewhere."""
    modules = (sys.modules[game.__module__] for game in GAMES.values())
    found = {getattr(module, "__file__", None) for module in modules}
    files = {Path(file).resolve() for file in found if file}
    return sorted(file for file in files if not file.is_relative_to(Path(__file__).parents[1]))


def default_ids() -> list[str]:
    """Return the rules id of each game in its default size.

    >>> default_ids()[:3]
    ['basic', 'mnk:15,15,5', 'connect4:7,6,4']
    """
    return [
        make_rules_id(name, [size.default for size in game.sizes]) for name, game in GAMES.items()
    ]


def _titles() -> Iterator[tuple[str, str]]:
    """Yield the names and titles of games and presets, each with its rules id."""
    for default, (name, game) in zip(default_ids(), GAMES.items(), strict=True):
        for title in (name, game.title, *game.also_called):
            yield title, default
        for preset in game.presets:
            for title in (preset.title, *preset.also_called):
                yield title, preset.rules_id


def _unknown(text: str, name: str) -> NotationError:
    """Return the error for a name that no game has, with the names that are spelled like it."""
    named = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
    if name.endswith(".py"):
        reason = f"{named} is a file: load it with `noughts --load {named}`, and name its game"
        return NotationError(text, "RULES", reason)
    names = dict(_titles())
    shown = {folded(title): title for title in names}
    near: dict[str, str] = {}
    for key in get_close_matches(folded(name), shown):
        near.setdefault(names[shown[key]], shown[key])
    # A title says enough of the presets whose titles continue it.
    found = list(near.values())
    found = [each for each in found if not any(each.startswith(f"{one} ") for one in found)]
    *others, last = found or GAMES
    guess = f"{', '.join(others)} or {last}" if others else last
    return NotationError(text, "RULES", f"{said('no-game', name=named)}. Did you mean {guess}?")


def is_known(text: str) -> bool:
    """Tell whether `find` knows a name, a title or a rules id.

    >>> is_known("Connect Four"), is_known("connect4:8,7"), is_known("chess")
    (True, True, False)
    """
    name = text.partition(":")[0]
    return name in GAMES or folded(name) in {folded(title) for title, _ in _titles()}


def find(text: str) -> str:
    """Return the rules id that `text` stands for; titles count in any case and punctuation.

    >>> find("connect four"), find("Gomoku"), find("ultimate:tie=boards")
    ('connect4:7,6,4', 'mnk:15,15,5', 'ultimate:tie=boards')

    Raises:
        NotationError: no game has that name or title.
    """
    name, colon, options = text.partition(":")
    if name in GAMES:
        return text
    titles = {folded(title): rules for title, rules in _titles()}
    if folded(name) not in titles:
        raise _unknown(text, name)
    found = titles[folded(name)]
    return f"{found.partition(':')[0]}:{options}" if colon else found


def game(rules_id: str) -> Position:
    """Return the start position of a game, named by its rules id or a title.

    >>> game("connect4:8,7")
    noughts.position('connect4:8,7~8.8.8.8.8.8.8~X')
    >>> game("Tic-tac-toe").rules_id
    'basic'

    Raises:
        NotationError: no such game, or it has no such option.
    """
    name, colon, options = find(rules_id).partition(":")
    if colon and not options:
        raise NotationError(rules_id, "RULES", said("no-options"))
    return GAMES[name].start(options)


def position(text: str) -> Position:
    """Return the position of a position string, or of a tree with given leaf values.

    >>> position("basic~X2.1O1.3~X").legal_moves()
    (1, 2, 3, 5, 6, 7, 8)
    >>> position("((3 12) (2 4))~a2").legal_moves()
    (0, 1)

    Raises:
        NotationError: with the field at fault, the place and the reason.
    """
    if text.startswith("("):
        return GivenTree.parse(text)
    rules_id = text.partition("~")[0]
    name, colon, options = rules_id.partition(":")
    if name not in GAMES:
        raise _unknown(text, name)
    if colon and not options:
        raise NotationError(text, "RULES", said("no-options"))
    return GAMES[name].parse(text)


def parse_start(text: str) -> Position:
    """Return the position of a rules id, a title or a position string.

    >>> parse_start("basic") == parse_start("basic~3.3.3~X")
    True

    Raises:
        NotationError: as `game` or `position`.
    """
    return position(text) if "~" in text else game(text)
