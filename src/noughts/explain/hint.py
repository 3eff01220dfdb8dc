"""Hints: a threat of the opponent, the move to play and its reasons.

position, values of its moves ──hint()──► O threatens the middle column.
                                          Play bottom middle (8): it blocks that line.
                                          It is the only move that does not lose.

The core finds the reasons in `core/hint.hpp`, also in browsers. For registered Python games the
sentences are those of `sentences`.
"""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from noughts import engine
from noughts.explain.facts import threat_of_other
from noughts.explain.kinds import Fact
from noughts.explain.sentences import sentences, what_it_does
from noughts.explain.sketch import Sketch
from noughts.games.phrases import Phrase, phrase, phrase_of, sentence
from noughts.games.position import Player, Position
from noughts.search import SearchResult

REASONS = 2
"""Maximum number of reasons."""


class HintSentence(NamedTuple):
    """A true sentence of a hint."""

    phrase: Phrase
    sketch: Sketch | None
    """The marks that show the sentence on the board; `None` if it is about a value."""

    def __str__(self) -> str:
        return sentence(str(self.phrase))


def hint(position: Position, result: SearchResult) -> list[HintSentence]:
    """Return a threat of the opponent, the best move with its reasons, and its value.

    >>> import noughts
    >>> place = noughts.position("basic~XX1.1O1.3~O")
    >>> found = noughts.Engine("basic").best_move(place, noughts.Limit(nodes=1_000), moves=True)
    >>> print(*hint(place, found), sep="\\n")
    X threatens the top row.
    Play top right (3): it blocks that line.
    It is the only move that does not lose.

    Args:
        position: a position that is not over.
        result: has the value of every legal move.
    """
    assert result.move is not None
    if not engine.is_native(position):
        return _generic(position, result, result.move)
    found = engine.hint(position, result.move, result.moves)
    return [HintSentence(phrase_of(each["phrase"]), _sketch(each["sketch"])) for each in found]


def _sketch(seen: engine.SketchData | None) -> Sketch | None:
    if seen is None:
        return None
    return Sketch(seen["move"], Player(seen["player"]), tuple(seen["rings"]), seen["sends"])


def _generic(position: Position, result: SearchResult, move: int) -> list[HintSentence]:
    """Return a hint for a game that the core does not know."""
    facts = list(islice(what_it_does(position, move, result.value), REASONS))
    if not facts:
        kind = "standing" if result.value.is_exact else "open"
        facts = [Fact(kind, position.turn, move, (result.line,), value=result.value)]
    play = phrase("play", text=position.move_text(move))
    threats = filter(None, [threat_of_other(position)])
    said = [phrase("said", text=each.text) for each in sentences(position, [*threats, *facts])]
    at = len(said) - len(facts)
    return [HintSentence(each, None) for each in (*said[:at], play, *said[at:])]
