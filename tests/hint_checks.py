"""Checks of hints: each claim of a phrase is proven by the rules, move by move, or by counting.

The codes are those of `noughts.games.hint_phrases`. S is the player to move, T the opponent.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sentence_checks import (
    NESTED_LINES,
    agrees,
    boards_to_play,
    check_awaits,
    gives,
    line_on,
    lined,
    new_threes,
    over,
    owned_by,
    truth,
    winner,
    winning,
)

from noughts.explain.hint import HintSentence
from noughts.explain.kinds import Fact
from noughts.games.nested import NestedPosition
from noughts.games.phrases import LINES, PLACES, Phrase, phrase
from noughts.games.position import Player, Position
from noughts.games.row import RowPosition, RowRules
from noughts.search import Value

SAMPLE = 8
"""Moves that are tried on large boards, where all of them would take too long."""
ORDER = ("loss", "draw", "win")
VALUED = {
    *("wins-line", "wins-board", "wins-count", "ends-drawn", "only-draw", "no-sooner"),
    *("sure-win", "keeps-draw", "best-chance", "loses-now", "stops-one", "hopeless"),
    *("holds-out", "loses-anyway"),
}
"""Reasons after which no value is said."""


Values = Mapping[int, Value]


@dataclass
class Case:
    """A hint to check: a position, the move to play, and the values of all moves."""

    position: Position
    move: int
    values: Values
    threat: Phrase | None
    rings: tuple[int, ...] = ()
    """The rings of the sentence that is checked."""

    @property
    def after(self) -> Position:
        return self.position.play(self.move)

    @property
    def value(self) -> Value:
        return self.values[self.move]

    @property
    def others(self) -> list[int]:
        return [move for move in self.position.legal_moves() if move != self.move]


def check(position: Position, move: int, values: Values, said: list[HintSentence]) -> Counter[str]:
    """Check the sentences of a hint; return how often each code is in them."""
    try:
        return _check(position, move, values, said)
    except AssertionError as error:
        texts = " ".join(map(str, said))
        raise AssertionError(f"{position} {position.move_text(move)}: {texts}") from error


def _check(position: Position, move: int, values: Values, said: list[HintSentence]) -> Counter[str]:
    codes = [each.phrase.code for each in said]
    at = next(index for index, code in enumerate(codes) if code.startswith("play-"))
    assert at <= 1
    assert len({str(each) for each in said}) == len(said)
    case = Case(position, move, values, said[0].phrase if at else None)
    if at:
        THREATS[codes[0]](case, said[0].phrase.arguments)
    check_play(case, said[at].phrase)
    reasons = [said[at], *(each for each in said[at + 1 :] if each.phrase.code == "also")]
    for each in reasons:
        reason = each.phrase.arguments["reason"]
        assert each.sketch is not None
        case.rings = each.sketch.rings
        REASONS[reason.code](case, reason.arguments)
    last = said[-1].phrase
    told = [each.phrase.arguments["reason"].code for each in reasons]
    if last.code.startswith("worth-"):
        assert not VALUED & set(told)
        check_worth(case, last)
    else:
        assert last.code in (codes[at], "also")
    return Counter(code for each in said for code in all_codes(each.phrase))


def all_codes(value: Any) -> Iterator[str]:
    if isinstance(value, Phrase):
        yield value.code
        for each in value.arguments.values():
            yield from all_codes(each)
    elif isinstance(value, list):
        for each in value:
            yield from all_codes(each)


# Lines -------------------------------------------------------------------------------------------


def lines_made(before: Position, move: int) -> list[str]:
    """Return the names of the winning lines that a move makes, found by walking from its cell."""
    after, player = before.play(move), before.turn
    if isinstance(after, NestedPosition):
        board, cell = divmod(move, 9)
        if not after.rules.one_line:
            return []
        return [
            str(phrase("small-line-on", line=at + 1, board=board + 1))
            for at, line in enumerate(NESTED_LINES)
            if str(cell + 1) in line
            and all(after.mark(9 * board + int(each) - 1) is player for each in line)
        ]
    assert isinstance(after, RowPosition)
    assert isinstance(before, RowPosition)
    rules, cell = after.rules, before.cell(move)
    found = []
    for number, (right, down) in enumerate(((1, 0), (0, 1), (1, 1), (-1, 1))):
        run = [cell]
        for way in (1, -1):
            y, x = divmod(cell, rules.columns)
            while True:
                x, y = x + way * right, y + way * down
                if not (0 <= x < rules.columns and 0 <= y < rules.rows):
                    break
                if after.mark(y * rules.columns + x) is not player:
                    break
                run.append(y * rules.columns + x)
        if len(run) == rules.k or (len(run) > rules.k and not rules.exact):
            found.append(_line_name(after, number, sorted(run), cell))
    return found


def _line_name(place: RowPosition, number: int, run: list[int], cell: int) -> str:
    rules = place.rules
    y, x = divmod(cell, rules.columns)
    if rules.gravity:
        columns = sorted(each % rules.columns + 1 for each in run)
        code = ("row-line", "column-line", "diagonal-line", "diagonal-line")[number]
        return str(phrase(code, count=len(run), first=columns[0], last=columns[-1]))
    if rules.columns == rules.rows == rules.k == 3:
        return f"the {LINES[(y, 3 + x, 6, 7)[number]]}"
    if number == 0:
        return f"{len(run)} in row {y + 1}"
    if number == 1:
        return f"{len(run)} in column {chr(ord('a') + x)}"
    return f"{len(run)} in a diagonal through {place.move_text(cell)}"


def quiet(position: Position) -> list[int]:
    """Return moves that do not end the game: all, or some on a large board."""
    moves = [m for m in position.legal_moves() if not over(position.play(m))]
    return moves if len(moves) <= 81 else random.Random(str(position)).sample(moves, SAMPLE)


def threats(position: Position) -> list[int]:
    """Return the winning moves of the opponent of the player to move, after any quiet move."""
    tried = {move: winning(position.play(move)) for move in quiet(position)}
    every = {each for wins in tried.values() for each in wins}
    return sorted(
        threat
        for threat in every
        if [move for move in tried if move != threat]
        and all(threat in wins for move, wins in tried.items() if move != threat)
    )


def turned(position: Position, threat: int) -> Position:
    return position.play(next(move for move in quiet(position) if move != threat))


def check_what(position: Position, what: Phrase) -> list[int]:
    """Check the words for the threats of the opponent of the player to move; return these."""
    found = threats(position)
    assert found
    lines = [each for move in found for each in lines_made(turned(position, move), move)]
    if what.code == "ways":
        assert what.arguments["count"] == max(len(found), len(lines))
    elif what.code == "both-lines":
        assert [str(each) for each in what.arguments["lines"]] == lines
    elif what.code == "both-ends":
        assert len(found) == len(lines) == 2
        assert str(what.arguments["line"]) == lines[0]
        assert lines[0].split(" through")[0][2:] == lines[1].split(" through")[0][2:]
    elif what.code == "game-on":
        assert [move // 9 + 1 for move in found] == [what.arguments["board"]]
    else:
        assert len(found) == 1
        assert [str(what)] == lines
    return found


# Threats -----------------------------------------------------------------------------------------


def threat_threat(case: Case, said: Mapping[str, Any]) -> None:
    assert said["player"] == case.position.turn.other.value
    check_what(case.position, said["what"])


def outside(position: Position, cells: list[int]) -> Iterator[Position]:
    """Yield positions after quiet moves that leave `cells` free."""
    moves = [move for move in quiet(position) if move not in cells]
    yield from (position.play(move) for move in reversed(moves))


def forks(place: Position, cell: int) -> bool:
    """Whether the player to move threatens two wins with a move, and no answer stops both."""
    after = place.play(cell)
    neutral = next(outside(after, []), None)
    if over(after) or winning(after) or neutral is None:
        return False
    wins = {each for other in outside(after, []) for each in winning(other)}
    return len(wins) > 1 and all(
        winning(after.play(each)) for each in wins if not over(after.play(each))
    )


def threat_open_row(case: Case, said: Mapping[str, Any]) -> None:
    position = case.position
    assert isinstance(position, RowPosition)
    assert said["player"] == position.turn.other.value
    assert said["count"] == position.rules.k - 1
    cells = [position.parse_move(text) for text in said["cells"]]
    for cell in cells:
        assert any(forks(place, cell) for place in outside(position, cells))


def named_boards(position: Position, takes: Callable[[Position], set[int]]) -> set[int]:
    """Return the boards, from 1, on which T `takes` something after every move that names them."""
    found: dict[int, list[bool]] = {}
    for move in position.legal_moves():
        after = position.play(move)
        sent = not over(after) and boards_to_play(after) == {move % 9}
        forced = sent and isinstance(after, NestedPosition) and after.forced is not None
        found.setdefault(move % 9 + 1, []).append(forced and bool(takes(after)))
    return {board for board, all_ in found.items() if all(all_)}


def threat_danger(case: Case, said: Mapping[str, Any]) -> None:
    assert set(said["boards"]) == named_boards(case.position, winning) != set()


def threat_danger_take(case: Case, said: Mapping[str, Any]) -> None:
    assert set(said["boards"]) == named_boards(case.position, lined) != set()
    assert not named_boards(case.position, winning)
    assert over(case.after) or not lined(case.after)


def columns_above(position: Position) -> set[int]:
    assert isinstance(position, RowPosition)
    assert position.rules.gravity
    tried = {move: position.play(move) for move in position.legal_moves()}
    return {m for m, after in tried.items() if not over(after) and winning(after) == {m}}


def threat_above(case: Case, said: Mapping[str, Any]) -> None:
    assert {each - 1 for each in said["columns"]} == columns_above(case.position) != set()
    assert case.move + 1 not in said["columns"]


def threat_above_all(case: Case, said: Mapping[str, Any]) -> None:
    assert said["player"] == case.position.turn.other.value
    assert columns_above(case.position) == set(case.position.legal_moves())


def losses(position: Position) -> set[int]:
    other = position.turn.other
    return {m for m in position.legal_moves() if winner(position.play(m)) is other}


def threat_avoid(case: Case, said: Mapping[str, Any]) -> None:
    names = [str(each) for each in said["cells"]]
    found = sorted(losses(case.position))
    assert len(names) == len(found) > 0
    for name, move in zip(names, found, strict=True):
        spot = PLACES[move % 9].replace("centre", "the centre")
        assert name in (case.position.move_text(move), spot)


def threat_avoid_many(case: Case, said: Mapping[str, Any]) -> None:
    assert said["count"] == len(losses(case.position)) > 3
    assert said["of"] == len(case.position.legal_moves()) > said["count"]


THREATS: dict[str, Callable[[Case, Mapping[str, Any]], None]] = {
    name.removeprefix("threat_").replace("_", "-"): check_
    for name, check_ in list(globals().items())
    if name.startswith("threat_")
}


# The move and its value --------------------------------------------------------------------------


def check_play(case: Case, said: Phrase) -> None:
    position, move, told = case.position, case.move, said.arguments
    if isinstance(position, NestedPosition):
        assert (told["board"], told["cell"]) == (move // 9 + 1, move % 9 + 1)
    elif isinstance(position, RowPosition) and position.rules.gravity:
        assert told["column"] == move + 1
    if "cell" in told and not isinstance(position, NestedPosition):
        assert told["cell"] == move + 1
    assert told.get("text", position.move_text(move)) == position.move_text(move)


def check_worth(case: Case, said: Phrase) -> None:
    value, told = case.value, said.arguments
    kinds = {"worth-draw": "draw", "worth-chance": "unknown"}
    kinds |= dict.fromkeys(("worth-win", "worth-sure"), "win")
    kinds |= dict.fromkeys(("worth-loss", "worth-lost"), "loss")
    assert value.kind == kinds[said.code]
    if said.code != "worth-draw":
        assert told["player"] == case.position.turn.value
    if "chance" in told:
        assert told["chance"] == value.chance
    if value.is_exact:
        agrees(value, truth(case.position, case.move))
        assert ("moves" in told) == (value.plies is not None and not value.is_draw)
    if "moves" in told:
        assert told["moves"] == ((value.plies or 0) + 1) // 2


# Reasons by the rules ----------------------------------------------------------------------------


def because_wins_line(case: Case, said: Mapping[str, Any]) -> None:
    assert winner(case.after) is case.position.turn
    assert str(said["line"]) in lines_made(case.position, case.move)


def boards_of(position: NestedPosition, player: Player) -> set[str]:
    return {str(board + 1) for board in range(9) if owned_by(position, board) is player}


def in_line(boards: set[str]) -> bool:
    return any(set(line) <= boards for line in NESTED_LINES)


def because_wins_board(case: Case, said: Mapping[str, Any]) -> None:
    position, after = nested(case)
    mine = boards_of(after, position.turn)
    assert winner(after) is position.turn
    assert in_line(mine)
    assert not in_line(mine - {str(said["board"])})


def because_wins_count(case: Case, said: Mapping[str, Any]) -> None:
    position, after = nested(case)
    counts = [len(boards_of(after, each)) for each in (position.turn, position.turn.other)]
    assert winner(after) is position.turn
    assert not in_line(boards_of(after, position.turn))
    assert counts == [said["more"], said["less"]]


def because_ends_drawn(case: Case, said: Mapping[str, Any]) -> None:
    del said
    assert over(case.after)
    assert winner(case.after) is None


def because_only_legal(case: Case, said: Mapping[str, Any]) -> None:
    del said
    assert list(case.position.legal_moves()) == [case.move]


def because_blocks(case: Case, said: Mapping[str, Any]) -> None:
    del said
    assert case.threat is not None
    assert case.threat.code == "threat"
    assert threats(case.position)
    assert not winning(case.after)


def because_blocks_line(case: Case, said: Mapping[str, Any]) -> None:
    because_blocks(case, said)
    (threat,) = threats(case.position)
    assert len(lines_made(turned(case.position, threat), threat)) == 1


def because_keeps_off(case: Case, said: Mapping[str, Any]) -> None:
    del said
    assert losses(case.position)
    assert case.move not in losses(case.position)


def because_threatens(case: Case, said: Mapping[str, Any]) -> None:
    assert not winning(case.after)
    assert len(check_what(case.after, said["what"])) == 1


def because_two_threats(case: Case, said: Mapping[str, Any]) -> None:
    assert not winning(case.after)
    found = check_what(case.after, said["what"])
    assert len(found) > 1
    for answer in {*found, *quiet(case.after)} & {*case.after.legal_moves()}:
        place = case.after.play(answer)
        assert winner(place) is case.position.turn or winning(place)


def because_every_answer(case: Case, said: Mapping[str, Any]) -> None:
    del said
    assert not winning(case.after)
    for answer in case.after.legal_moves():
        place = case.after.play(answer)
        assert winner(place) is case.position.turn or winning(place)


def because_no_answer(case: Case, said: Mapping[str, Any]) -> None:
    del said
    answers = case.after.legal_moves()
    assert all(winner(case.after.play(each)) is case.position.turn for each in answers)


# On nine boards


def nested(case: Case) -> tuple[NestedPosition, NestedPosition]:
    after = case.after
    assert isinstance(case.position, NestedPosition)
    assert isinstance(after, NestedPosition)
    return case.position, after


def because_takes_board(case: Case, said: Mapping[str, Any]) -> None:
    position, after = nested(case)
    board = said["board"] - 1
    assert owned_by(position, board) is None
    assert owned_by(after, board) is position.turn


def because_takes_needed(case: Case, said: Mapping[str, Any]) -> None:
    because_takes_board(case, said)
    position, _ = nested(case)
    assert in_line(boards_of(position, position.turn.other) | {str(said["board"])})


def because_takes_towards(case: Case, said: Mapping[str, Any]) -> None:
    because_takes_board(case, said)
    position, after = nested(case)
    assert said["boards"]
    boards = tuple(board - 1 for board in said["boards"])
    new_threes(position, after, position.turn, boards)


def because_denies_board(case: Case, said: Mapping[str, Any]) -> None:
    position, _ = nested(case)
    board, cell = divmod(case.move, 9)
    assert said["board"] == board + 1
    assert owned_by(position, board) is None
    other = position.turn.other
    marks = {str(each + 1) for each in range(9) if position.mark(9 * board + each) is other}
    assert in_line(marks | {str(cell + 1)})
    assert not in_line(marks)


def because_denies_line(case: Case, said: Mapping[str, Any]) -> None:
    because_denies_board(case, said)
    assert nested(case)[0].rules.one_line


def because_denies_game(case: Case, said: Mapping[str, Any]) -> None:
    because_denies_board(case, said)
    position, _ = nested(case)
    assert in_line(boards_of(position, position.turn.other) | {str(said["board"])})


def because_threatens_board(case: Case, said: Mapping[str, Any]) -> None:
    position, after = nested(case)
    board = said["board"] - 1
    assert board == case.move // 9
    assert owned_by(after, board) is None

    def ways(place: NestedPosition) -> set[int]:
        own = {str(each + 1) for each in range(9) if place.mark(9 * board + each) is position.turn}
        free = [each for each in range(9) if place.mark(9 * board + each) is None]
        return {9 * board + each for each in free if in_line(own | {str(each + 1)})}

    assert set(case.rings) == ways(after) - ways(position) != set()


because_threatens_line = because_threatens_board


def sent(case: Case, said: Mapping[str, Any]) -> int:
    """Return the board, from 0, where T must play, as the phrase says."""
    _, after = nested(case)
    assert boards_to_play(after) == {said["board"] - 1}
    assert after.forced == said["board"] - 1
    return int(said["board"]) - 1


def because_sends_won(case: Case, said: Mapping[str, Any]) -> None:
    _, after = nested(case)
    board = sent(case, said)
    assert any(line_on(after, board, player) for player in Player)


def because_sends_dead(case: Case, said: Mapping[str, Any]) -> None:
    position, after = nested(case)
    marks = [after.mark(9 * sent(case, said) + cell) for cell in range(9)]
    assert all(any(marks[int(c) - 1] is position.turn for c in line) for line in NESTED_LINES)


def because_gains_board(case: Case, said: Mapping[str, Any]) -> None:
    del said
    assert not lined(case.after)
    assert all(lined(case.after.play(each)) for each in case.after.legal_moves())


def because_spares(case: Case, said: Mapping[str, Any]) -> None:
    assert not gives(case.after)
    given = [move for move in case.others if gives(case.position.play(move))]
    assert said["count"] == len(given)
    assert 2 * len(given) >= len(case.others)


def because_spares_alone(case: Case, said: Mapping[str, Any]) -> None:
    del said
    assert not gives(case.after)
    assert case.others
    assert all(gives(case.position.play(move)) for move in case.others)


def targets(position: Position) -> dict[int, int]:
    """Return the boards where S can send T, with the number of T's marks there."""
    found = {}
    for move in position.legal_moves():
        after = position.play(move)
        if not over(after) and isinstance(after, NestedPosition) and after.forced is not None:
            found[after.forced] = marked(after, after.forced)
    return found


def marked(place: NestedPosition, board: int) -> int:
    return sum(place.mark(9 * board + cell) is place.turn for cell in range(9))


def because_sends_unmarked(case: Case, said: Mapping[str, Any]) -> None:
    _, after = nested(case)
    assert marked(after, sent(case, said)) == 0
    assert any(targets(case.position).values())


def because_sends_fewest(case: Case, said: Mapping[str, Any]) -> None:
    _, after = nested(case)
    counts = targets(case.position).values()
    assert said["count"] == marked(after, sent(case, said)) == min(counts) < max(counts)


def because_sends_elsewhere(case: Case, said: Mapping[str, Any]) -> None:
    assert case.threat is not None
    assert case.threat.code in ("danger", "danger-take")
    board = sent(case, said)
    assert board + 1 not in case.threat.arguments["boards"]
    assert not lined(case.after)


def because_lets_take(case: Case, said: Mapping[str, Any]) -> None:
    board = sent(case, said)
    assert {each // 9 for each in lined(case.after)} == {board}


def because_lets_take_any(case: Case, said: Mapping[str, Any]) -> None:
    assert said["other"] == case.position.turn.other.value
    assert len(boards_to_play(case.after)) > 1
    assert lined(case.after)


def because_lines_on(case: Case, said: Mapping[str, Any]) -> None:
    position, _ = nested(case)
    board, cell = divmod(case.move, 9)
    assert said["board"] == board + 1
    assert owned_by(position, board) is None
    open_ = [
        line
        for line in NESTED_LINES
        if str(cell + 1) in line
        and all(position.mark(9 * board + int(c) - 1) is not position.turn.other for c in line)
    ]
    assert said["count"] == len(open_) > 0


# In row games


def because_opens_row(case: Case, said: Mapping[str, Any]) -> None:
    position, after = case.position, case.after
    assert isinstance(position, RowPosition)
    assert said["count"] == position.rules.k - 2
    assert not threats(after)
    assert case.rings
    for cell in case.rings:
        assert any(forks(place, cell) for place in outside(after, list(case.rings)))


def because_stops_row(case: Case, said: Mapping[str, Any]) -> None:
    del said
    assert case.threat is not None
    assert case.threat.code == "open-row"
    cells = [case.position.parse_move(text) for text in case.threat.arguments["cells"]]
    for cell in cells:
        assert cell == case.move or not forks(case.after, cell) or winning(case.after)


def because_awaits(case: Case, said: Mapping[str, Any]) -> None:
    fact = Fact("awaits", case.position.turn, case.move, ((case.move,),), cells=case.rings)
    check_awaits(case.position, fact)
    assert isinstance(case.position, RowPosition)
    columns = case.position.rules.columns
    assert said["columns"] == sorted({cell % columns + 1 for cell in case.rings})


def open_lines(position: Position, move: int, player: Player) -> list[int]:
    """Return the marks of a player on each line through a move that the other has no mark on."""
    assert isinstance(position, RowPosition)
    own, other = (position.x, position.o) if player is Player.X else (position.o, position.x)
    cell = 1 << position.cell(move)
    through = [line for line in position.rules.lines if line & cell]
    if position.rules.exact:
        through = [line for line in through if not neighbours(position.rules, line) & own]
    return [(line & own).bit_count() for line in through if not line & other]


def neighbours(rules: RowRules, line: int) -> int:
    """Return the cells that would make a line longer."""
    cells = [cell for cell in range(rules.size) if line >> cell & 1]
    step = cells[1] - cells[0]
    found = 0
    for cell, side in ((cells[0], -step), (cells[-1], step)):
        (y, x), (row, column) = divmod(cell, rules.columns), divmod(cell + side, rules.columns)
        if 0 <= cell + side < rules.size and abs(y - row) <= 1 and abs(x - column) <= 1:
            found |= 1 << cell + side
    return found


def because_most_lines(case: Case, said: Mapping[str, Any]) -> None:
    player = case.position.turn
    counts = [len(open_lines(case.position, move, player)) for move in case.others]
    assert said["count"] == len(open_lines(case.position, case.move, player)) > max(counts)


def because_open_lines(case: Case, said: Mapping[str, Any]) -> None:
    assert said["player"] == case.position.turn.value
    assert said["count"] == len(open_lines(case.position, case.move, case.position.turn)) > 0


def because_builds(case: Case, said: Mapping[str, Any]) -> None:
    assert isinstance(case.position, RowPosition)
    lines = open_lines(case.position, case.move, case.position.turn)
    assert said == {"count": max(lines) + 1, "k": case.position.rules.k}
    assert said["count"] > 1


def because_hinders(case: Case, said: Mapping[str, Any]) -> None:
    other = case.position.turn.other
    assert said["other"] == other.value
    assert said["count"] == max(open_lines(case.position, case.move, other)) > 0


def because_few_lines(case: Case, said: Mapping[str, Any]) -> None:
    player = case.position.turn
    counts = [len(open_lines(case.position, move, player)) for move in case.others]
    own = len(open_lines(case.position, case.move, player))
    assert 0 < said["count"] == own <= min(counts)
    assert own < max(counts)


def because_no_lines(case: Case, said: Mapping[str, Any]) -> None:
    assert said["player"] == case.position.turn.value
    assert not open_lines(case.position, case.move, case.position.turn)


# Reasons by values -------------------------------------------------------------------------------


def known(case: Case, move: int) -> Value:
    """Return the value of a move; if it is proven, another search must agree."""
    value = case.values[move]
    if value.is_exact:
        agrees(value, truth(case.position, move))
    return value


def are_worse(case: Case) -> bool:
    """Whether every other move is proven to be worse."""
    own = ORDER.index(known(case, case.move).kind)
    others = [known(case, move) for move in case.others]
    return bool(others) and all(each.is_exact and ORDER.index(each.kind) < own for each in others)


def because_only_win(case: Case, said: Mapping[str, Any]) -> None:
    del said
    assert case.value.is_win
    assert are_worse(case)


def because_only_draw(case: Case, said: Mapping[str, Any]) -> None:
    del said
    assert case.value.is_draw
    assert are_worse(case)


def because_only_chance(case: Case, said: Mapping[str, Any]) -> None:
    del said
    assert not case.value.is_exact
    assert case.others
    assert all(known(case, move).is_loss for move in case.others)


def moves_of(value: Value) -> int:
    assert value.plies is not None
    return (value.plies + 1) // 2


def because_no_sooner(case: Case, said: Mapping[str, Any]) -> None:
    own = known(case, case.move)
    assert own.is_win
    assert said["moves"] == moves_of(own)
    for move in case.others:
        other = known(case, move)
        assert other.is_exact
        assert not other.is_win or moves_of(other) >= moves_of(own)


def because_sure_win(case: Case, said: Mapping[str, Any]) -> None:
    del said
    assert known(case, case.move).is_win


def because_keeps_draw(case: Case, said: Mapping[str, Any]) -> None:
    del said
    assert known(case, case.move).is_draw


def because_best_chance(case: Case, said: Mapping[str, Any]) -> None:
    assert said["count"] == len(case.position.legal_moves())
    assert said["chance"] == case.value.chance == max(v.chance for v in case.values.values())


def lost_at_once(case: Case) -> bool:
    other = case.position.turn.other
    places = [case.position.play(move) for move in case.position.legal_moves()]
    return all(winner(each) is other or winning(each) for each in places)


def because_loses_now(case: Case, said: Mapping[str, Any]) -> None:
    del said
    assert losses(case.position) == set(case.position.legal_moves())


def because_stops_one(case: Case, said: Mapping[str, Any]) -> None:
    del said
    assert lost_at_once(case)
    assert len(threats(case.position)) == 2
    assert case.move in threats(case.position)


def because_hopeless(case: Case, said: Mapping[str, Any]) -> None:
    assert said["other"] == case.position.turn.other.value
    assert lost_at_once(case)


def because_holds_out(case: Case, said: Mapping[str, Any]) -> None:
    own = known(case, case.move)
    assert said["moves"] == moves_of(own)
    for move in case.position.legal_moves():
        other = known(case, move)
        assert other.is_loss
        assert moves_of(other) <= moves_of(own)


def because_loses_anyway(case: Case, said: Mapping[str, Any]) -> None:
    del said
    assert all(known(case, move).is_loss for move in case.position.legal_moves())


REASONS: dict[str, Callable[[Case, Mapping[str, Any]], None]] = {
    name.removeprefix("because_").replace("_", "-"): check_
    for name, check_ in list(globals().items())
    if name.startswith("because_")
}
