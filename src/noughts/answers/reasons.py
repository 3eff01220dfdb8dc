"""Sentences about positions and moves as JSON data, and reviews of games.

Sentence ──sentence_data()──► SentenceView      remarks ──review_data()──► ReviewView
"""

from __future__ import annotations

from collections.abc import Sequence

from noughts.answers.described import Described
from noughts.answers.positions import Letter, ValueView, value_data
from noughts.explain.hint import hint
from noughts.explain.kinds import ESTIMATED
from noughts.explain.review import (
    ERRORS,
    Remark,
    WinEnd,
    deciding_move,
    proven_wins,
    summary,
    turning_points,
)
from noughts.explain.sentences import Sentence, claimed_moves, move_words, without_chances
from noughts.explain.sketch import sketch
from noughts.explain.win_tree import tree_of
from noughts.games.phrases import said
from noughts.games.position import Player, Position, move_texts
from noughts.judgement.judge import Judge
from noughts.search import SearchResult
from noughts.threat_tree import ThreatTree
from noughts.views.threat_tree import headline, rows


class SketchView(Described):
    """The marks on a board that show a sentence: an arrow, rings, and a dashed arrow."""

    move: int | None
    """The cell of the move that the sentence is about."""
    player: Letter
    """The player of the rings."""
    rings: list[int]
    """Cells that the sentence names."""
    sends: int | None
    """The board, from 0, that the move names."""


class TreeRowView(Described):
    """Replies with their common answer, and what follows without a choice."""

    depth: int
    """The number of rows above it."""
    replies: list[str]
    """The replies; at a row of any other one reply as an example; none at the root."""
    any_other: str | None
    """`any other reply`, if the row is for those that the rows beside it do not have."""
    moves: list[str]
    """The answer, and more moves of both sides in turn."""
    note: str
    """What is to say after the last move; empty where rows below go on."""


class WinTreeView(Described):
    """The tree of a win by threats, as rows, each before those below it."""

    winner: Letter
    base: list[str]
    """Moves from the position of the sentence to the root."""
    text: str
    """What the tree proves, and how to read it, in sentences."""
    rows: list[TreeRowView]


class SentenceView(Described):
    """A true sentence, and the lines that prove it."""

    text: str
    words: str
    """The same sentence with the names of cells in place of the coordinates of nine boards."""
    claim: str
    """The kind of claim, a key of `noughts.explain.kinds.KINDS`."""
    player: Letter
    """The player that the sentence is about."""
    move: str | None
    """The move that the sentence is about; null if it is about the position."""
    moves: list[str]
    """Other moves in the sentence."""
    value: ValueView | None
    plies: int | None
    board: int | None
    """The board in the sentence, from 1; null if there is none."""
    boards: list[int]
    """Other boards in the sentence, from 1."""
    exact: bool
    """Whether the claim is proven."""
    lines: list[list[str]]
    sketch: SketchView | None
    """The marks that show the sentence on the board; null for a claim about values."""
    tree: WinTreeView | None
    """The whole tree of replies to a win by threats, in five in a row: in explanations, and of the
    errors of a review."""


class WhyView(Described):
    sentences: list[SentenceView]


class TriedView(WhyView):
    move: str


class HintSentenceView(Described):
    """A true sentence of a hint."""

    text: str
    claim: str
    """The code of its phrase, a key of `noughts.games.hint_phrases.HINTS`."""
    sketch: SketchView | None
    """The marks that show the sentence on the board; null for a value."""


class HintView(Described):
    move: str
    value: ValueView
    sentences: list[HintSentenceView]
    """A threat of the opponent if there is one, the move with its reasons, and its value."""


class RemarkView(Described):
    """The review of one move."""

    ply: int
    """The number of the move, from 1."""
    player: Letter
    move: str
    words: str
    """The move as the `words` of a sentence name it, such as `top left`."""
    label: str
    """A key of `noughts.explain.review.LABELS`."""
    before: ValueView
    """The value of the best move."""
    after: ValueView
    """The value of the move played, for the same player."""
    proven: bool
    """Whether the value of the position before the move is proven."""
    best: str
    best_words: str
    lost: float
    """The expected score that the move loses, from 0 to 1: a win is 1, a draw 0.5, a loss 0."""
    accuracy: float | None
    """From 0 to 100; null where the legal moves hardly differ."""
    clues: list[str]
    """For an error: sentences that help to find a better move, the vaguest first."""
    error: bool
    """Whether the page offers the move as an exercise."""
    good: list[str]
    """For an error: the moves that solve the exercise."""
    sentences: list[SentenceView]


class FoundError(Described):
    """An error that a review has found before its end; a later proof can change its label."""

    ply: int
    """The number of the move, from 1."""
    player: Letter
    move: str
    words: str
    label: str
    """A key of `noughts.explain.review.LABELS`."""


class TallyView(Described):
    """The summary of one player's moves."""

    labels: dict[str, int]
    """Number of moves by label."""
    accuracy: float | None
    """The mean accuracy of the moves that have one, 0 to 100; null if none has."""
    turning_points: list[int]
    """The numbers of up to three errors, from 1, the worst first."""


class ProvenWinView(Described):
    """A part of a game in which a player's win is proven."""

    player: Letter
    first: int
    """The number of the first move, from 1, before which the win is proven."""
    last: int
    """The number of the last such move."""
    end: WinEnd
    """How the part ends: with the game, by the last move, or without a further proof."""
    sentence: str


class ReviewView(Described):
    remarks: list[RemarkView]
    summary: dict[Letter, TallyView]
    decided: int | None
    """The number of the error that decided the game, from 1; null if none did."""
    wins: list[ProvenWinView]
    """The parts of the game with a proven win, in order."""


TREE_SIZE = 400
"""Most positions of a tree on the page."""


def sentences_data(
    position: Position, found: Sequence[Sentence], *, with_tree: bool = False
) -> list[SentenceView]:
    """Return sentences without numbers of estimates; the first that can have a tree, with it."""
    data = [sentence_data(position, each) for each in without_chances(position, found)]
    if with_tree:
        for each, view in zip(found, data, strict=True):
            if tree := tree_of(position, each.fact, TREE_SIZE):
                is_here = tree.position.ply == position.ply
                view["tree"] = tree_data(tree, [] if is_here else [view["move"] or ""])
                break
    return data


def tree_data(tree: ThreatTree, base: Sequence[str]) -> WinTreeView:
    """Return a tree; `base` are the moves from the position of its sentence to its root."""
    text, found = tree.position.move_text, list(rows(tree))
    return {
        "winner": tree.winner.value,
        "base": [*base],
        "text": headline(tree, found),
        "rows": [
            {
                "depth": row.depth,
                "replies": [text(reply) for reply in row.replies],
                "any_other": said("tree-any") if row.is_any_other else None,
                "moves": [text(move) for move in row.moves],
                "note": row.note,
            }
            for row in found
        ],
    }


def sentence_data(position: Position, told: Sentence) -> SentenceView:
    """Return a sentence and its claim, moves as texts and boards from 1."""
    fact, seen = told.fact, sketch(position, told.fact)
    move, moves = claimed_moves(position, fact)
    return {
        "text": told.text,
        "words": told.words,
        "claim": fact.kind,
        "player": fact.player.value,
        "move": move,
        "moves": moves,
        "value": None if fact.value is None else value_data(fact.value),
        "plies": fact.plies,
        "board": None if fact.board is None else fact.board + 1,
        "boards": [board + 1 for board in fact.boards],
        "exact": fact.kind not in ESTIMATED,
        "lines": [move_texts(position, line) for line in fact.lines],
        "sketch": None if seen is None else _sketch(*seen),
        "tree": None,
    }


def hint_data(position: Position, result: SearchResult) -> HintView:
    """Return a hint for a position, from the values of its moves."""
    assert result.move is not None
    return {
        "move": position.move_text(result.move),
        "value": value_data(result.value),
        "sentences": [
            {
                "text": each.phrase.on_page(),
                "claim": each.phrase.code,
                "sketch": None if each.sketch is None else _sketch(*each.sketch),
            }
            for each in hint(position, result)
        ],
    }


def _sketch(
    move: int | None, player: Player, rings: Sequence[int], sends: int | None
) -> SketchView:
    return {"move": move, "player": player.value, "rings": [*rings], "sends": sends}


def review_data(remarks: Sequence[Remark], judge: Judge) -> ReviewView:
    """Return the review of a game, with plies from 1."""
    return {
        "remarks": [_remark(ply, each, judge) for ply, each in enumerate(remarks, 1)],
        "summary": {
            player.value: {
                "labels": labels,
                "accuracy": accuracy,
                "turning_points": turning_points(remarks, player),
            }
            for player, (labels, accuracy) in summary(remarks).items()
        },
        "decided": deciding_move(remarks),
        "wins": [
            {
                "player": win.player.value,
                "first": win.first,
                "last": win.last,
                "end": win.end,
                "sentence": str(win),
            }
            for win in proven_wins(remarks)
        ],
    }


def _remark(ply: int, remark: Remark, judge: Judge) -> RemarkView:
    position = remark.position
    return {
        "ply": ply,
        "player": position.turn.value,
        "move": position.move_text(remark.move),
        "words": move_words(position, remark.move),
        "label": remark.label,
        "before": value_data(remark.before),
        "after": value_data(remark.after),
        "proven": judge.values(position).value.is_exact,
        "best": position.move_text(remark.best),
        "best_words": move_words(position, remark.best),
        "lost": remark.lost,
        "accuracy": remark.accuracy,
        "clues": remark.clues,
        "error": remark.label in ERRORS,
        "good": [position.move_text(move) for move in remark.good],
        "sentences": sentences_data(position, remark.sentences, with_tree=remark.label in ERRORS),
    }
