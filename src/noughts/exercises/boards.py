"""Exercises on a board: the best move and its reason, and the lines evaluation E(n)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from noughts.exercises.exercise import ExerciseEntry, FigureNode
from noughts.exercises.grading import exercise_of
from noughts.exercises.material import Made, Wish, random_game, start_of
from noughts.exercises.trees import said, without
from noughts.explain.facts import by_rules, threats
from noughts.explain.sentences import about_attempt, about_move, sentences
from noughts.games.nested import NestedPosition
from noughts.games.position import Player, Position, canonical_key, won
from noughts.games.registry import parse_start
from noughts.games.row import Basic, RowPosition
from noughts.judgement.judge import Judge
from noughts.search import Limit, SearchResult
from noughts.search.evaluation import open_lines

LAST_PLIES = 9
"""Positions of `move` are at most this many plies from the end of a random game."""
SEARCHED = Limit(nodes=20_000)
"""The limit that must prove the values of all moves."""
EVALUATED = ("basic", "basic", "mnk:4,4,4")
"""Games of `evaluation`, unless the caller chooses."""


def make_move(wish: Wish, rng: random.Random) -> Made | None:
    """Return an exercise: the only best move, and the reason why it is best."""
    start = start_of(wish)
    position = rng.choice(random_game(start, rng)[-LAST_PLIES:])
    judge = Judge(position, SEARCHED)
    result = judge.values(position)
    if not all(value.is_exact for value in result.moves.values()):
        return None
    values = {move: value.expected for move, value in result.moves.items()}
    best = [move for move, value in values.items() if value == max(values.values())]
    if len(best) > 1 or len(values) < 3:
        return None
    move = best[0]
    reasons = reasons_of(position)
    true, points = reason_of(position, move, result), _distance(result, move)
    if true is None or points is None:
        return None
    right = position.move_text(move)
    why = " ".join(map(str, sentences(position, about_move(position, move, judge))))
    entries = [
        ExerciseEntry(
            name="move",
            label=f"Best move of {position.turn}",
            answer=right,
            why=why,
            clue=f"Can {position.turn} win at once? Does {position.turn.other} threaten to? "
            "Then try the moves that make a threat.",
            kind="choice",
            choices=tuple(position.move_text(each) for each in position.legal_moves()),
            mistakes={
                position.move_text(each): f"No: {_attempt(position, each, judge)}"
                for each in position.legal_moves()
                if each != move
            },
        ),
        ExerciseEntry(
            name="why",
            label="It is the best move because",
            answer=reasons[true],
            why=why,
            clue="Play the move, and look for lines that lack one mark, of both players.",
            kind="choice",
            choices=tuple(reasons.values()),
            mistakes={
                reason: f"That is not true of {right}. {_wrong_reason(position, kind, right)}"
                for kind, reason in reasons.items()
                if kind != true
            },
        ),
    ]
    return Made(
        exercise_of(
            "move",
            "Best move",
            f"{position.turn} is to move. One move is better than all others. Which one, and why?",
            ("A win is better than a draw, and a draw is better than a loss.", *_names(position)),
            (FigureNode("", position=str(position)),),
            entries,
            position,
            points=points,
        ),
        canonical_key(position),
    )


def _names(position: Position) -> Iterator[str]:
    """Yield a sentence on how moves are written, if the figure does not show it."""
    if isinstance(position, Basic):
        yield "Cells are numbered from 1 to 9, row by row."
    elif isinstance(position, NestedPosition):
        yield "A move is two digits from 1 to 9, counted row by row: the board, then the cell."


def _attempt(position: Position, move: int, judge: Judge) -> str:
    """Return why a move is wrong, without naming the best one."""
    return " ".join(map(str, sentences(position, about_attempt(position, move, judge))))


def reasons_of(position: Position) -> dict[str, str]:
    """Return the reasons to choose from, by their kinds."""
    other = position.turn.other
    return {
        "wins": "It wins at once.",
        "blocks": f"It goes where {other} threatens to win at once.",
        "two_threats": f"It makes two threats at once, and {other} can stop only one.",
        "forces": "It wins, but neither at once nor by two threats at once.",
        "only": f"{other} threatens nothing yet, but every other move loses.",
    }


def _wrong_reason(position: Position, kind: str, right: str) -> str:
    """Return how to see that a reason of a kind is not true."""
    other = position.turn.other
    return {
        "wins": f"The game is not won right after {right}.",
        "blocks": f"{other} could not win there at once.",
        "two_threats": f"After {right}, {position.turn} does not have two threats.",
        "forces": f"Look at the first move and the value: {right} is a different kind of move.",
        "only": "Look at the threats, and at the values of the other moves.",
    }[kind]


def reason_of(position: Position, move: int, result: SearchResult) -> str | None:
    """Return the kind of the only reason of `reasons_of` that is true of the best move.

    Returns `None` if none or several are true, or if one is open to argument.
    """
    after, threatened = position.play(move), threats(position)
    if won(after, position.turn):
        return None if move in threatened else "wins"
    facts = {fact.kind for fact in by_rules(position, move)}
    true = []
    if move in threatened:
        true.append("blocks")
    elif threatened:
        return None
    if result.moves[move].is_win:
        if len(threats(after)) > 1 and "two_threats" not in facts:
            return None
        true.append("two_threats" if "two_threats" in facts else "forces")
    elif not threatened:
        others = [value for each, value in result.moves.items() if each != move]
        if result.moves[move].is_draw and all(value.is_loss for value in others):
            true.append("only")
    return true[0] if len(true) == 1 else None


def _distance(result: SearchResult, move: int) -> int | None:
    """Return the plies to the end of the game, as `GRADES` counts them; `None` if unknown.

    If `move` wins, they are those to the win, otherwise those of the wrong move that lasts longest.
    """
    best = result.moves[move]
    others = [value for each, value in result.moves.items() if each != move]
    plies = [value.plies for value in ([best] if best.is_win else others)]
    known = [each for each in plies if each is not None]
    return max(known) if len(known) == len(plies) else None


# E(n)


def make_evaluation(wish: Wish, rng: random.Random) -> Made | None:
    """Return an exercise: the lines open to X and to O, and E(n), their difference.

    Raises:
        ValueError: the game is not one of rows, or is one with `misere` or `exact`.
    """
    start = start_of(wish) if wish.game else parse_start(rng.choice(EVALUATED))
    if not isinstance(start, RowPosition):
        raise ValueError(f"E(n) counts lines of one board: {start.rules_id} is not a game of rows")
    if start.rules.misere:
        raise ValueError("E(n) counts lines as good: not in misère")
    if start.rules.exact:
        raise ValueError("E(n) counts lines by their own cells: not with exact")
    position = start
    for _ in range(rng.randint(2, max(2, min(len(start.legal_moves()) - 3, 12)))):
        position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is not None:
            return None
    mine, theirs = open_lines(position)
    x, o = (mine, theirs) if position.turn is Player.X else (theirs, mine)
    lines = position.rules.lines
    marked = [line for line in lines if line & (position.x | position.o)]
    entries = [
        _lines_entry(position, "X", x, position.x, position.o),
        _lines_entry(position, "O", o, position.o, position.x),
        ExerciseEntry(
            name="E",
            label="E(n)",
            answer=str(x - o),
            why=f"E(n) = {x} − {o} = {said(x - o)}.",
            clue="Take the lines open to O from the lines open to X.",
            mistakes=without(
                str(x - o),
                [
                    (str(o - x), "The sign is wrong: E(n) is for X, whoever is to move."),
                    (str(x + o), "E(n) is the difference, not the sum."),
                ],
            ),
        ),
    ]
    return Made(
        exercise_of(
            "evaluation",
            "Evaluate a board",
            "How many lines are still open to X, and how many to O? What is E(n)?",
            (
                f"A line is {position.rules.k} cells in a row, also without any mark in it; it is "
                "open to a player if the opponent has no mark in it.",
                "E(n) is the number of lines open to X minus the number open to O.",
            ),
            (FigureNode("", position=str(position)),),
            entries,
            position,
            points=len(marked),
        ),
        canonical_key(position),
    )


def _lines_entry(
    position: RowPosition, name: str, answer: int, own: int, other: int
) -> ExerciseEntry:
    lines = position.rules.lines
    blocked = sum(1 for line in lines if line & other)
    begun = sum(1 for line in lines if line & own and not line & other)
    opponent = "O" if name == "X" else "X"
    known: Iterable[tuple[int, str]] = (
        (len(lines), f"{len(lines)} is the number of all lines."),
        (blocked, f"{blocked} is the number of lines that {opponent} blocks."),
        (begun, f"{begun} lines have a mark of {name}, but empty lines are open, too."),
    )
    return ExerciseEntry(
        name=f"{name}.lines",
        label=f"Lines open to {name}",
        answer=str(answer),
        why=f"The board has {len(lines)} lines; {opponent} has a mark in {blocked}, so "
        f"{len(lines)} − {blocked} = {answer} are open to {name}.",
        clue=f"Count all lines, and take away those with a mark of {opponent}.",
        mistakes=without(str(answer), ((str(n), sentence) for n, sentence in known)),
    )
