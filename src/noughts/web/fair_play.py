"""No analysis of a running game between two people, for its players and spectators.

    games of the client ──► their positions ──┐
    question: a line of positions ────────────┴──► Refused, or the answer

The server knows a client by its cookie, and a spectator without one by its address. It cannot know
an engine elsewhere, or a person at another browser.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from noughts.answers.problems import Refused
from noughts.games.position import Position
from noughts.games.row import RowPosition

ANALYSIS_OFF = "Analysis is off: a game between two people has this position."
MACHINE_OFF = (
    "This position is on the board of your game with another person. Finish that game before you "
    "play it with a machine."
)


def not_now(why: str) -> Refused:
    """Return the refusal of a question about a running game, or of a game from its position."""
    return Refused(403, "not-now", why)


def is_near(line: Iterable[Position], private: Sequence[Position]) -> bool:
    """Return whether a line has a private position, or a position one move after one.

    Rotations and reflections of a position count as the same.

    >>> import noughts
    >>> played = noughts.position("basic~X2.3.3~O")
    >>> corner = noughts.position("mnk:3,3,3~2X.3.3~O")
    >>> is_near([corner], [played]), is_near([corner.play("b2")], [played])
    (True, True)
    >>> is_near([noughts.position("basic~1X1.3.3~O")], [played])
    False
    """
    near: dict[int, set[Hashable]] = {}
    for position in private:
        near.setdefault(position.ply, set()).add(_identity(position))
        for move in position.legal_moves():
            after = position.play(move)
            near.setdefault(after.ply, set()).add(_identity(after))
    return any(
        _identity(image) in near[position.ply]
        for position in line
        if position.ply in near
        for image in position.symmetries()
    )


def _identity(position: Position) -> Hashable:
    """Return a key of a position that is the same in two rules ids of one game."""
    if not isinstance(position, RowPosition):
        return position.rules_id, position.key()
    rules = position.rules
    kind = rules.gravity, rules.misere, rules.exact
    return rules.columns, rules.rows, rules.k, *kind, position.key()
