"""Judges the moves of a person who solves a puzzle, and answers them.

puzzle, moves so far, move ──► judged() ──► right or wrong, and the reply
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from noughts.explain.facts import threat_of_other
from noughts.explain.sentences import sentences
from noughts.puzzles.proof import Prover
from noughts.puzzles.puzzle import Puzzle
from noughts.puzzles.themes import THEMES
from noughts.search.walk import LimitReached


class Judgement(NamedTuple):
    """The judgement of one move."""

    right: bool
    """Whether the move is proven to keep the result in the moves that are left."""
    solved: bool = False
    reply: int | None = None
    """The reply to a right move that does not solve the puzzle."""


def judged(puzzle: Puzzle, played: Sequence[int], move: int) -> Judgement:
    """Judge a legal move after right moves and their replies.

    Every move that wins within the moves that are left is right, not only that of the solution. A
    move of which this cannot be proven within the nodes of a `Prover` is wrong.

    Args:
        puzzle: the puzzle.
        played: the moves since its position, own moves and replies in turn.
        move: the next own move.
    """
    line, known = puzzle.line, tuple(played)
    on_line = line[: len(known)] == known
    left = puzzle.moves - len(known) // 2
    if on_line and line[len(known)] == move:
        return Judgement(True, True) if left == 1 else Judgement(True, reply=line[len(known) + 1])
    if not known or left < 1:
        return Judgement(False)
    position = puzzle.position.after(known)
    prover = Prover(position.rules_id)
    try:
        if not prover.wins(position, move, left):
            return Judgement(False)
        if left == 1 or position.play(move).outcome() is not None:
            return Judgement(True, True)
        return Judgement(True, reply=prover.longest_reply(position, move, left))
    except LimitReached:
        return Judgement(False)


def rest_of_solution(puzzle: Puzzle, played: Sequence[int]) -> tuple[int, ...]:
    """Return the moves from here to the end of the puzzle, best play of both sides.

    Args:
        puzzle: the puzzle.
        played: right moves and their replies.

    Raises:
        LimitReached: the person has left the solution, and a proof takes too many nodes.
    """
    known = tuple(played)
    if puzzle.line[: len(known)] == known:
        return puzzle.line[len(known) :]
    position = puzzle.position.after(known)
    prover, left = Prover(position.rules_id), puzzle.moves - len(known) // 2
    return prover.line(position, prover.winning_moves(position, left)[0], left)


def hints(puzzle: Puzzle) -> Iterator[str]:
    """Yield hints that do not name the move, the threat of the opponent first."""
    threat = threat_of_other(puzzle.position)
    if threat is not None:
        yield sentences(puzzle.position, (threat,))[0].text
    for theme in puzzle.themes:
        yield f"{theme.capitalize()}: {THEMES[theme]}."
