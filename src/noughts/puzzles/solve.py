"""Judges the moves of a person who solves a puzzle, and answers them.

puzzle, moves so far, move ──► judged() ──► right or wrong, and the reply
puzzle                     ──► reasons() ──► facts about its first move
position, wrong move       ──► faults()  ──► facts about it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from noughts.explain.facts import by_itself, threat_of_other
from noughts.explain.kinds import Fact
from noughts.explain.sentences import about_attempt, about_move, sentences, what_it_does
from noughts.games.position import Position
from noughts.judgement.judge import Judge
from noughts.puzzles.proof import Prover
from noughts.puzzles.puzzle import Puzzle
from noughts.puzzles.themes import THEMES
from noughts.search.result import Value
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
    move is wrong if a `Prover` cannot prove this within its nodes.

    Args:
        puzzle: the puzzle.
        played: the moves since its position, own moves and replies in turn.
        move: the next own move.

    Raises:
        ValueError: it is not the turn of the person who solves.
    """
    line, known = puzzle.line, _checked(puzzle, played)
    on_line = line[: len(known)] == known
    left = puzzle.moves - len(known) // 2
    if on_line and line[len(known)] == move:
        return Judgement(True, True) if left == 1 else Judgement(True, reply=line[len(known) + 1])
    if not known:
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
        played: right moves and their replies; after others there is no solution.

    Raises:
        LimitReached: the person has left the solution, and a proof takes too many nodes.
        ValueError: it is not the turn of the person who solves.
    """
    known = _checked(puzzle, played)
    if puzzle.line[: len(known)] == known:
        return puzzle.line[len(known) :]
    position = puzzle.position.after(known)
    prover, left = Prover(position.rules_id), puzzle.moves - len(known) // 2
    winning = prover.winning_moves(position, left)
    return prover.line(position, winning[0], left) if winning else ()


def _checked(puzzle: Puzzle, played: Sequence[int]) -> tuple[int, ...]:
    """Return the moves since the position of a puzzle.

    Raises:
        ValueError: the next move is not an own move of the solution.
    """
    if len(played) % 2 or len(played) >= len(puzzle.line):
        raise ValueError(
            f"There are {len(played)} moves since the puzzle. Give own moves and replies in turn, "
            f"at most {len(puzzle.line) - 1}."
        )
    return tuple(played)


def reasons(puzzle: Puzzle, judge: Judge) -> Iterator[Fact]:
    """Yield the facts about the first move of the solution.

    A win of any length is known from the puzzle: it is mostly too long for the judge.
    """
    position, move = puzzle.position, puzzle.line[0]
    if puzzle.kind != "keep":
        yield from about_move(position, move, judge)
        return
    value = Value.win()
    yield from what_it_does(position, move, value)
    yield Fact("only", position.turn, move, ((move,),), value=value)


def faults(puzzle: Puzzle, position: Position, move: int, judge: Judge) -> Iterator[Fact]:
    """Yield the effects and the value of a wrong move, without naming a better one.

    Args:
        puzzle: the puzzle.
        position: of the puzzle, or after right moves and replies.
        move: a wrong move.
        judge: its estimates are left out if it is proven that the move does not win.
    """
    if puzzle.kind != "keep":
        yield from about_attempt(position, move, judge)
        return
    value = judge.values(position).moves[move]
    yield from what_it_does(position, move, value)
    if value.is_exact:
        yield by_itself(position, move, judge)


def hints(puzzle: Puzzle) -> Iterator[str]:
    """Yield hints that do not name the move, the threat of the opponent first."""
    threat = threat_of_other(puzzle.position)
    if threat is not None:
        yield sentences(puzzle.position, (threat,))[0].text
    for theme in puzzle.themes:
        yield f"{theme.capitalize()}: {THEMES[theme]}."
