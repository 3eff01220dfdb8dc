"""Explain a position or a move in true sentences, each with its proof.

position, Judge ──explain()──► facts ──WORDS──► Sentence ──► text, with coordinates of cells
                                                         ──► words, with their names
                                                         ──► fact.lines: the moves that prove it
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from noughts.explain.facts import (
    alike,
    by_itself,
    by_rules,
    by_values,
    standing,
    threat_of_other,
    threats,
    zugzwang,
)
from noughts.explain.kinds import ANSWERS, ESTIMATED, Fact, Moves
from noughts.explain.situation import why_closed
from noughts.games.nested import NestedPosition
from noughts.games.phrases import LINE_CELLS, LINES, board_name, phrase
from noughts.games.position import Player, Position, Termination, move_texts
from noughts.games.row import Basic, ConnectFour, RowPosition
from noughts.games.words import cell_name, count, line_phrase
from noughts.judgement.judge import Judge
from noughts.search import Value
from noughts.search.result import own_moves

LONGEST_LIST = 8
"""A sentence names at most this many moves and counts the others."""
NOTABLE = 10
"""A smaller difference of two expected scores, in per cent, is called slight."""
NAMED_BOARDS = 3
"""A sentence on a free choice names at most this many boards."""


class Sentence(NamedTuple):
    """A true sentence about a position, and the fact that it puts into words."""

    marked: str
    """The text; on 3×3 boards each cell stands between `OPEN` and `CLOSE`."""
    fact: Fact
    own_board: int | None = None
    """The board that the player to move has to play, whose cells need no name of the board."""

    @property
    def text(self) -> str:
        """The sentence with the coordinates of cells."""
        return self.marked.replace(OPEN, "").replace(CLOSE, "")

    @property
    def words(self) -> str:
        """The sentence with the names of cells and lines on 3×3 boards."""
        named = LINE.sub(lambda found: _line_name(found[1]), self.marked)
        named = CELL.sub(lambda found: _cell_name(found[1], self.own_board), named)
        return named[:1].upper() + named[1:] if self.marked.startswith(OPEN) else named

    def __str__(self) -> str:
        return self.text


def explain(position: Position, judge: Judge, move: int | None = None) -> list[Sentence]:
    """Return the sentences about a position that is not over, or about one legal move in it.

    >>> import noughts
    >>> place = noughts.position("basic~XX1.OO1.3~X")
    >>> for sentence in explain(place, Judge(place), 6):
    ...     print(sentence)
    7 leaves O's line 4 5 6 open: O wins at once with 6.
    7 turns a win into an immediate loss; 3 wins at once.

    Raises:
        IllegalMove: `move` is not legal.
        ValueError: the game is over.
    """
    if position.outcome() is not None:
        raise ValueError(f"the game is over in {position}")
    found = about_position(position, judge) if move is None else about_move(position, move, judge)
    return sentences(position, found)


def sentences(position: Position, facts: Iterable[Fact]) -> list[Sentence]:
    """Put facts about a position into words, without a capital before a move such as `b2`."""
    own_board = position.forced if isinstance(position, NestedPosition) else None
    return [
        Sentence(f"{_said(position, WORDS[fact.kind], fact)}.", fact, own_board) for fact in facts
    ]


def without_chances(position: Position, found: Iterable[Sentence]) -> list[Sentence]:
    """Return sentences in which estimates have no numbers, for a page that shows its own."""
    return [
        each._replace(marked=f"{_compared(position, each.fact)}.")
        if each.fact.kind in ESTIMATED
        else each
        for each in found
    ]


def about_position(position: Position, judge: Judge) -> Iterator[Fact]:
    """Yield a proven value, threats, the best move with its reasons, and the other moves.

    An estimate comes last.
    """
    stands = standing(position, judge)
    best = stands.move
    assert best is not None
    if stands.kind not in ESTIMATED:
        yield stands
    yield from filter(None, (threat_of_other(position), zugzwang(position)))
    yield from (
        fact for fact in about_move(position, best, judge) if fact.kind not in ("worth", "estimate")
    )
    yield from (fact for fact in alike(position, judge) if fact.moves != (best,))
    if stands.kind in ESTIMATED:
        yield stands


def about_move(position: Position, move: int, judge: Judge) -> Iterator[Fact]:
    """Yield the effects of a move by the rules, and how its value compares with the others."""
    yield from what_it_does(position, move, judge.values(position).moves[move])
    for fact in by_values(position, move, judge):
        if not (fact.kind in ("quickest", "worth") and fact.value and fact.value.plies == 1):
            yield fact


def about_attempt(position: Position, move: int, judge: Judge) -> Iterator[Fact]:
    """Yield the effects and the value of a move, without naming a better one."""
    yield from what_it_does(position, move, judge.values(position).moves[move])
    yield by_itself(position, move, judge)


def what_it_does(position: Position, move: int, value: Value) -> Iterator[Fact]:
    """Yield the effects of a move by the rules that its value does not contradict."""
    for fact in by_rules(position, move):
        if value.is_win or fact.kind not in (
            "two_threats",
            "every_answer",
            "no_good_answer",
        ):
            yield fact


# Words --------------------------------------------------------------------------------------------


SENDS = "{own} sends {other} to {board}"


def _said(position: Position, words: str | Callable[[Position, Fact], str], fact: Fact) -> str:
    """Return a fact in words, from a function or from a text with gaps for moves and players."""
    if not isinstance(words, str):
        return words(position, fact)
    return words.format(
        own="" if fact.move is None else _own(position, fact),
        other=position.turn.other,
        player=fact.player,
        board="" if fact.board is None else f"the {board_name(fact.board)}",
    )


def listed(texts: Sequence[str]) -> str:
    """Join texts with commas and `and`; shorten a long list.

    >>> listed(["1", "3", "5"]), listed([str(n) for n in range(20)])
    ('1, 3 and 5', '0, 1, 2, 3, 4, 5, 6 and 13 other moves')
    """
    if len(texts) > LONGEST_LIST:
        rest = len(texts) - LONGEST_LIST + 1
        texts = [*texts[: LONGEST_LIST - 1], f"{rest} other moves"]
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last


def either(texts: Sequence[str]) -> str:
    return listed(texts).replace(" and ", " or ")


def _distance(value: Value, before: str = " in ") -> str:
    """Return the distance of a win or loss in moves of the winner, such as ` in 3 moves`."""
    if value.plies is None:
        return ""
    soon = 1 if value.is_win else 2
    return " at once" if value.plies <= soon else f"{before}{count(own_moves(value.plies), 'move')}"


def _verb(value: Value, plural: bool = False) -> str:
    """Return the verb for a value, such as `wins in 3 moves`."""
    verb = {"win": "win", "draw": "draw", "loss": "lose"}[value.kind]
    return f"{verb}{'' if plural else 's'}{_distance(value)}"


OPEN, CLOSE = "\ue000", "\ue001"
CELL = re.compile(f"{OPEN}([1-9]{{1,2}}){CLOSE}")
LINE = re.compile(f"line ({' '.join([CELL.pattern] * 3)})")


def move_words(position: Position, move: int) -> str:
    """Return a move as sentences in words name it: its cell on 3×3 boards, or else its text.

    >>> import noughts
    >>> move_words(noughts.game("advanced"), 80), move_words(noughts.game("connect4"), 3)
    ('bottom right of the bottom-right board', '4')
    """
    text = _marked(position, position.move_text(move))
    return CELL.sub(lambda found: _cell_name(found[1], None), text)


def _marked(position: Position, text: str) -> str:
    """Return the text of a cell; on 3×3 boards with numbers between `OPEN` and `CLOSE`."""
    return f"{OPEN}{text}{CLOSE}" if isinstance(position, Basic | NestedPosition) else text


def _cell_name(text: str, own_board: int | None) -> str:
    """Return the name of a cell of a 3×3 board or of nine, without the player's own board.

    >>> _cell_name("73", None), _cell_name("73", 6), _cell_name("5", None)
    ('top right of the bottom-left board', 'top right', 'the centre')
    """
    *board, cell = map(int, text)
    place = str(phrase("spot", cell=cell))
    if not board or board[0] - 1 == own_board:
        return place
    return f"{place} of the {board_name(board[0] - 1)}"


def _line_name(marked: str) -> str:
    """Return the name of a line of three marked cells on a 3×3 board or on one of nine."""
    texts = sorted(CELL.findall(marked))
    line = LINES[LINE_CELLS.index("".join(text[-1] for text in texts))]
    return line if len(texts[0]) == 1 else f"{line} of the {board_name(int(texts[0][0]) - 1)}"


def _own(position: Position, fact: Fact) -> str:
    assert fact.move is not None
    return _marked(position, position.move_text(fact.move))


def _texts(position: Position, fact: Fact) -> list[str]:
    """Return the texts of moves that are played in the position itself."""
    return [_marked(position, position.move_text(move)) for move in fact.moves]


def _answers(position: Position, fact: Fact) -> list[str]:
    """Return the texts of the last moves of the fact's lines."""
    return [_marked(position, move_texts(position, line)[-1]) for line in fact.lines]


def _line_made(position: Position, line: Moves) -> str:
    """Return the winning line after a line of moves, such as `the line 1 2 3`, or nothing."""
    position = position.after(line)
    if not isinstance(position, RowPosition | NestedPosition):
        return ""
    cells = position.winning_line()
    if not cells or (isinstance(position, RowPosition) and len(cells) != position.rules.k):
        return ""
    if isinstance(position, ConnectFour):
        return str(line_phrase(position, set(cells)))
    return "the line " + " ".join(_marked(position, cell_name(position, cell)) for cell in cells)


def _line_of(player: Player, line: str) -> str:
    """Return a line of `_line_made` with its owner: `O's line 1 2 3`."""
    return f"{player}'s {line.removeprefix('the ').removeprefix('a ')}"


def _wins(position: Position, fact: Fact) -> str:
    own, after = _own(position, fact), position.play(fact.lines[0][0])
    line = _line_made(position, fact.lines[0])
    if line:
        return f"{own} makes {line} and wins"
    if isinstance(after, NestedPosition) and after.winning_boards():
        board = board_name(fact.lines[0][0] // 9)
        return f"{own} wins the {board}, and the game with three boards in a row"
    return f"{own} wins at once{_count_of_boards(after)}"


def _count_of_boards(after: Position) -> str:
    outcome = after.outcome()
    if outcome is None or outcome.termination is not Termination.BOARDS:
        return ""
    assert isinstance(after, NestedPosition)
    won = after.won_x.bit_count(), after.won_o.bit_count()
    return f": the boards are {max(won)} to {min(won)}"


def _loses_at_once(position: Position, fact: Fact) -> str:
    own, after = _own(position, fact), position.play(fact.lines[0][0])
    line = _line_made(position, fact.lines[0])
    if line:
        return f"{own} makes {line}, which loses"
    return f"{own} ends the game, and {fact.player} has won{_count_of_boards(after)}"


def _draws(position: Position, fact: Fact) -> str:
    own, after = _own(position, fact), position.play(fact.lines[0][0])
    outcome = after.outcome()
    assert outcome is not None
    of_boards = isinstance(after, NestedPosition) and not after.rules.one_line
    why = {
        Termination.FULL: f", as nobody has a line{' of boards' if of_boards else ''}",
        Termination.TARGET: f": it names the {board_name(fact.lines[0][0] % 9)}, which is full",
        Termination.BOARDS: ", as both have won as many boards",
    }.get(outcome.termination, "")
    return f"{own} ends the game as a draw{why}"


def _two_threats(position: Position, fact: Fact) -> str:
    own, count = _own(position, fact), len(fact.moves)
    number = {2: "two", 3: "three", 4: "four"}.get(count, str(count))
    where = listed(_answers(position, fact))
    what = "lines" if isinstance(position, RowPosition) else "wins"
    other = position.turn.other
    return f"{own} threatens {number} {what} at once, with {where}: {other} can stop only one"


def _no_good_answer(position: Position, fact: Fact) -> str:
    misere = isinstance(position, RowPosition) and position.rules.misere
    what = "that make a line" if misere else "that lose at once"
    return f"{_own(position, fact)} leaves {position.turn.other} only moves {what}"


def _threatens(position: Position, fact: Fact) -> str:
    return f"{_own(position, fact)} threatens {_threatened(position, fact)}"


def _threat(position: Position, fact: Fact) -> str:
    return f"{fact.player} threatens {_threatened(position, fact)}"


def _threatened(position: Position, fact: Fact) -> str:
    texts = _answers(position, fact)
    line = _line_made(position, fact.lines[0]) if len(texts) == 1 else ""
    if line:
        return f"{line}, with {texts[0]}"
    return f"to win with {either(texts)}"


def _blocks(position: Position, fact: Fact) -> str:
    own, other = _own(position, fact), position.turn.other
    lines = [_line_made(position, line) for line in fact.lines]
    if len(lines) == 1 and lines[0]:
        return f"{own} blocks {_line_of(other, lines[0])}"
    return f"{own} stops {other}, who threatens to win with {either(_answers(position, fact))}"


def _allows(position: Position, fact: Fact) -> str:
    own, other = _own(position, fact), fact.player
    assert fact.move is not None
    ways = either(_answers(position, fact))
    after = position.play(fact.move)
    if isinstance(after, NestedPosition) and fact.board is not None:
        if after.forced is None:
            return f"{_free_choice(position, fact)}: {other} wins at once with {ways}"
        return f"{_said(position, SENDS, fact)}, where {other} wins at once with {ways}"
    line = _line_made(position, fact.lines[0]) if len(fact.lines) == 1 else ""
    if line and fact.moves[0] in threats(position):
        return f"{own} leaves {_line_of(other, line)} open: {other} wins at once with {ways}"
    return f"{own} lets {other} win at once with {ways}"


def _free_choice(position: Position, fact: Fact) -> str:
    assert fact.move is not None
    assert fact.board is not None
    after = position.play(fact.move)
    assert isinstance(after, NestedPosition)
    why = f"the {board_name(fact.board)} is {why_closed(after, fact.board)}"
    return f"{_own(position, fact)} gives {fact.player} a free choice, as {why}"


def _frees(position: Position, fact: Fact) -> str:
    said = _free_choice(position, fact)
    if not fact.boards:
        return said
    if len(fact.boards) > NAMED_BOARDS:
        return f"{said}: {fact.player} can win any of {len(fact.boards)} boards at once"
    return f"{said}: {fact.player} can win {_boards(fact)} at once"


def _gives_board(position: Position, fact: Fact) -> str:
    ways = either(_answers(position, fact))
    next_ = f", and then needs only {_boards(fact)} for three in a row" if fact.boards else ""
    return f"{_said(position, SENDS, fact)}, which {fact.player} can win at once with {ways}{next_}"


def _boards(fact: Fact) -> str:
    """Return the boards that a claim names, joined by `or`."""
    return either([f"the {board_name(board)}" for board in fact.boards])


def _takes_board(position: Position, fact: Fact) -> str:
    said = _said(position, "{own} wins {board}", fact)
    if not fact.boards:
        return said
    return f"{said}: with {_boards(fact)} {fact.player} would have three in a row"


def _denies_board(position: Position, fact: Fact) -> str:
    words = "{own} keeps {other} from winning {board}"
    if isinstance(position, NestedPosition) and position.rules.one_line:
        words = "{own} blocks {other}'s line on {board}"
    return _said(position, words, fact)


def _two_in_line(position: Position, fact: Fact) -> str:
    one_line = isinstance(position, NestedPosition) and position.rules.one_line
    where = f"{'on ' if one_line else ''}{{board}}"
    said = _said(position, f"{{own}} threatens to win {where}", fact)
    return f"{said}, with {either(_texts(position, fact))}"


def _sends_in_vain(position: Position, fact: Fact) -> str:
    assert fact.board is not None
    is_won = isinstance(position, NestedPosition) and position.owner(fact.board) is not None
    why = "which is already won" if is_won else "where {other} can make no line any more"
    return _said(position, f"{SENDS}, {why}", fact)


def _spares(position: Position, fact: Fact) -> str:
    own, other = _own(position, fact), position.turn.other
    if len(fact.moves) == len(position.legal_moves()) - 1:
        return f"{own} is the only move that gives {other} neither a board nor a free choice"
    unlike = listed(_texts(position, fact))
    return f"{own} gives {other} neither a board nor a free choice, unlike {unlike}"


def _row_opened(words: str) -> Callable[[Position, Fact], str]:
    """Return a function that puts an open row into words."""

    def said(position: Position, fact: Fact) -> str:
        player = position.turn if fact.kind == "opens" else position.turn.other
        ways = either(_answers(position, fact))
        return (
            f"{_said(position, words, fact)}: with {ways} {player} would threaten two lines at once"
        )

    return said


def _awaits(position: Position, fact: Fact) -> str:
    assert isinstance(position, RowPosition)
    columns = sorted({cell % position.rules.columns + 1 for cell in fact.cells})
    where = f"a disc higher up in column {either([str(each) for each in columns])}"
    return f"{_own(position, fact)} prepares a line: {where} would win for {fact.player}"


def _give_win(position: Position, fact: Fact) -> str:
    verb = "lets" if len(fact.moves) == 1 else "let"
    return f"{listed(_texts(position, fact))} {verb} {fact.player} win at once"


def _standing(position: Position, fact: Fact) -> str:
    value, player, own = fact.value, fact.player, _own(position, fact)
    assert value is not None
    if value.is_draw:
        return f"{player} to move: a draw with best play; {own} keeps it"
    if value.is_win:
        return f"{player} to move wins{_distance(value)} with {own}"
    return f"{player} to move loses{_distance(value)}, whatever {player} plays"


def _worth(position: Position, fact: Fact) -> str:
    assert fact.value is not None
    return f"{_own(position, fact)} {_verb(fact.value)}"


def _only(position: Position, fact: Fact) -> str:
    own, value = _own(position, fact), fact.value
    assert value is not None
    within = _distance(Value.loss(fact.plies), " within ")
    if not value.is_exact:
        return f"Every move but {own} loses{within}"
    rest = f"; every other move loses{within}" if fact.plies else ""
    if value.is_win:
        soon = value.plies in (None, 1)
        return f"{own} is the only winning move{'' if soon else f',{_distance(value)}'}{rest}"
    return f"{own} is the only move that keeps the draw{rest}"


def _quickest(position: Position, fact: Fact) -> str:
    own, distance = _own(position, fact), _distance(Value.win(fact.plies))
    others: dict[str, list[str]] = {}
    for text, value in zip(_texts(position, fact), fact.values, strict=True):
        others.setdefault(_distance(value), []).append(text)
    rest = [
        f"{listed(texts)} {'wins' if len(texts) == 1 else 'win'} "
        f"{'as soon' if each == distance else f'too,{each}'}"
        for each, texts in others.items()
    ]
    if distance in others:
        return f"{own} wins{distance}, and no move sooner; {', and '.join(rest)}"
    return f"{own} is the quickest win,{distance}; {', and '.join(rest)}"


def _slower(position: Position, fact: Fact) -> str:
    quicker, distance = _texts(position, fact)[0], _distance(fact.values[0])
    said = f"{_own(position, fact)} wins{_distance(Value.win(fact.plies))}"
    return f"{said}; {quicker} wins sooner,{distance}"


def _holds_out(position: Position, fact: Fact) -> str:
    own = _own(position, fact)
    if isinstance(position, ConnectFour):
        own = f"Column {own}"
    return f"Every move loses. {own} lasts longest: {count(own_moves(fact.plies or 0), 'move')}"


def _sooner(position: Position, fact: Fact) -> str:
    other, value = _texts(position, fact)[0], fact.values[0]
    said = f"{_own(position, fact)} loses{_distance(Value.loss(fact.plies))}"
    return f"{said}; {other} lasts {count(own_moves(value.plies or 0), 'move')}"


def _gives_up(position: Position, fact: Fact) -> str:
    own, value, better = _own(position, fact), fact.value, fact.values[0]
    assert value is not None
    into = f"a {value.kind}"
    if value.is_loss:
        distance = _distance(value)
        into = "an immediate loss" if distance == " at once" else f"a loss{distance}"
    other = f"{_texts(position, fact)[0]} {_verb(better)}"
    return f"{own} turns a {better.kind} into {into}; {other}"


def _alike(position: Position, fact: Fact) -> str:
    assert fact.value is not None
    texts, winning = _texts(position, fact), fact.value.is_win
    if len(fact.moves) == len(position.legal_moves()) and len(fact.moves) > 1:
        return f"Every move {_verb(fact.value)}"
    if len(texts) > 1 and winning:
        ranked = sorted(zip(texts, fact.values, strict=True), key=lambda item: -item[1].rank)
        texts = [f"{text}{_distance(value)}" for text, value in ranked]
        return f"These moves win: {listed(texts)}"
    return f"{listed(texts)} {_verb(fact.value, plural=len(texts) > 1)}"


def _lose(position: Position, fact: Fact) -> str:
    value = Value.loss(fact.plies)
    return f"{listed(_texts(position, fact))} {_verb(value, plural=len(fact.moves) > 1)}"


def _estimate(position: Position, fact: Fact) -> str:
    own, value = _own(position, fact), fact.value
    assert value is not None
    if not fact.moves:
        return f"With {own}, {_chance(fact)}. Not proven"
    (better, *_), (best, *_) = _texts(position, fact), fact.values
    if best.is_exact:
        return f"{better} {_verb(best)}. With {own}, {_chance(fact)}, not proven"
    chances = best.chance, value.chance
    slightly = "slightly " if chances[0] - chances[1] < NOTABLE else ""
    same = f"both {chances[0]} %"
    against = same if chances[0] == chances[1] else f"{chances[0]} % against {chances[1]} %"
    return f"{better} looks {slightly}better than {own} ({against}). Not proven"


def _open(position: Position, fact: Fact) -> str:
    return f"{_own(position, fact)} looks best: {_chance(fact)}. Not proven"


def _compared(position: Position, fact: Fact) -> str:
    """Return an estimate as a comparison, without a chance."""
    own = _own(position, fact)
    if fact.kind == "open":
        return f"{own} looks best. Not proven"
    if not fact.moves:
        return f"Nothing is proven of {own}"
    (better, *_), (best, *_) = _texts(position, fact), fact.values
    if best.is_exact:
        return f"{better} {_verb(best)}. Nothing is proven of {own}"
    assert fact.value is not None
    slightly = "slightly " if best.chance - fact.value.chance < NOTABLE else ""
    return f"{better} looks {slightly}better than {own}. Not proven"


def _chance(fact: Fact) -> str:
    assert fact.value is not None
    return f"{fact.player}'s expected score is about {fact.value.chance} %"


def outlook(value: Value) -> str:
    """Return a value in a few words.

    >>> outlook(Value.win(5)), outlook(Value.loss(2)), outlook(Value.draw())
    ('win in 3 moves', 'loss at once', 'draw')
    >>> outlook(Value.unknown(0.1))
    '55 %'
    """
    if not value.is_exact:
        return f"{value.chance} %"
    return value.kind if value.is_draw else f"{value.kind}{_distance(value)}"


WORDS: dict[str, str | Callable[[Position, Fact], str]] = {
    "wins": _wins,
    "loses_at_once": _loses_at_once,
    "draws": _draws,
    "two_threats": _two_threats,
    "every_answer": "Whatever {other} answers to {own}, {player} wins at once",
    "no_good_answer": _no_good_answer,
    "threatens": _threatens,
    "threat": _threat,
    "blocks": _blocks,
    "allows": _allows,
    "gives_above": "{own} gives {player} the cell above it, which wins at once",
    "opens": _row_opened("{own} opens a row"),
    "stops_open": _row_opened("{own} stops {other}'s open row"),
    "awaits": _awaits,
    "takes_board": _takes_board,
    "stops_boards": "{own} wins {board}, which {other} needed for three in a row",
    "denies_board": _denies_board,
    "denies_game": "{own} keeps {other} from winning {board}, and with it the game",
    "two_in_line": _two_in_line,
    "frees": _frees,
    "gives_board": _gives_board,
    "gains_board": "Whatever {other} answers to {own}, {player} can win a board",
    "sends_in_vain": _sends_in_vain,
    "spares": _spares,
    "only_move": "{own} is the only legal move",
    "give_win": _give_win,
    "zugzwang": "Every move gives {player} the cell above it, which wins at once",
    "standing": _standing,
    "worth": _worth,
    "only": _only,
    "quickest": _quickest,
    "slower": _slower,
    "holds_out": _holds_out,
    "sooner": _sooner,
    "gives_up": _gives_up,
    "alike": _alike,
    "lose": _lose,
    "estimate": _estimate,
    "open": _open,
}
"""The words of each kind of fact, for `_said`."""


def claimed_moves(position: Position, fact: Fact) -> tuple[str | None, list[str]]:
    """Return the texts of the move that a claim is about, and of the other moves in it."""
    own = None if fact.move is None else position.move_text(fact.move)
    if fact.kind in ANSWERS:
        return own, [move_texts(position, line)[-1] for line in fact.lines]
    return own, [position.move_text(move) for move in fact.moves]
