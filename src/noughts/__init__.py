"""noughts: the workbench for the tic-tac-toe family.

>>> import noughts
>>> noughts.game("basic").play(4)
noughts.position('basic~3.1X1.3~O')
"""

import sys

from noughts.games.position import (
    IllegalMove,
    NotationError,
    Outcome,
    Player,
    Position,
    Termination,
    canonical_key,
    perft,
)
from noughts.games.registry import GAMES, game, move_texts, parse_moves, position, register

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "IllegalMove",
    "NotationError",
    "Outcome",
    "Player",
    "Position",
    "Termination",
    "canonical_key",
    "game",
    "move_texts",
    "parse_moves",
    "perft",
    "position",
    "register",
]

if "IPython" in sys.modules:
    from noughts.views.notebook import register as _register_views

    _register_views()
