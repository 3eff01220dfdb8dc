"""noughts: the workbench for the tic-tac-toe family.

>>> import noughts
>>> noughts.game("basic").play("5")
noughts.position('basic~3.1X1.3~O')

Each name is imported from its module when it is first used, so that `import noughts` is quick.
"""

from __future__ import annotations

from importlib import import_module

from noughts.version import __version__ as __version__

TYPE_CHECKING = False  # true to type checkers, and `typing` takes longer than the rest
if TYPE_CHECKING:
    from typing import Any

    from noughts.analysis import analyse as analyse
    from noughts.arena.play import play_match as play_match
    from noughts.engine import Engine as Engine
    from noughts.games.position import IllegalMove as IllegalMove
    from noughts.games.position import NotationError as NotationError
    from noughts.games.position import Outcome as Outcome
    from noughts.games.position import Player as Player
    from noughts.games.position import Position as Position
    from noughts.games.position import move_texts as move_texts
    from noughts.games.position import parse_moves as parse_moves
    from noughts.games.record import Record as Record
    from noughts.games.registry import GAMES as GAMES
    from noughts.games.registry import game as game
    from noughts.games.registry import position as position
    from noughts.games.registry import register as register
    from noughts.opponents import opponent as opponent
    from noughts.search.result import Limit as Limit
    from noughts.views.notebook_board import board as board

_MODULES = {
    "GAMES": "games.registry",
    "Engine": "engine",
    "IllegalMove": "games.position",
    "Limit": "search.result",
    "NotationError": "games.position",
    "Outcome": "games.position",
    "Player": "games.position",
    "Position": "games.position",
    "Record": "games.record",
    "analyse": "analysis",
    "board": "views.notebook_board",
    "game": "games.registry",
    "move_texts": "games.position",
    "opponent": "opponents",
    "parse_moves": "games.position",
    "play_match": "arena.play",
    "position": "games.registry",
    "register": "games.registry",
}
"""The module of each public name."""

__all__ = [*_MODULES]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'noughts' has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(f"noughts.{_MODULES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return [*globals(), *_MODULES]


def load_ipython_extension(shell: Any) -> None:
    """Show positions, trees and results as pictures in a notebook, after `%load_ext noughts`."""
    from noughts.views.notebook import register

    register(shell)
