"""The likely mistake behind the wrong answers of a function, in one sentence.

    wrong answers ──grouped_by_mistake()──► groups ──explanation()──► a sentence each
                                                                 └──► the mistake, without the
                                                                      values of this file
A sentence is a guess from all wrong answers of a group; the board and the values beside it are
facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from itertools import combinations
from typing import Any, NamedTuple

from noughts.games.lines import cells_of, lines
from noughts.school.report import not_written
from noughts.school.specification import (
    UTILITY,
    Foreign,
    action_of,
    expected,
    solution,
    value_of,
)
from noughts.school.student import FUNCTIONS, CallAnswer, Case, Interface

LINES = tuple(map(cells_of, lines(3, 3, 3)))
ROWS, COLUMNS = ((0, 1, 2), (3, 4, 5), (6, 7, 8)), ((0, 3, 6), (1, 4, 7), (2, 5, 8))
DIAGONALS = ((0, 4, 8), (2, 4, 6))
KINDS = ("ended", "time", "exits", "raised", "changed", "shares", "value", "accepted")
"""The kinds of fault in the order in which they are reported."""
ENDS = {"win": "wins", "draw": "draws", "loss": "loses"}
FEWEST_MOVES = 20
"""Fewest moves that can show a pattern."""
UNNAMED = "plays moves that give away a win or a draw"
"""The mistake of weak moves without a pattern."""
NEAR_END = 4
"""Most empty cells of a board that every check reaches, however slow the file is."""
_OF_THIS_FILE = re.compile("\x02(.*?)\x1f(.*?)\x03", re.DOTALL)


class Wrong(NamedTuple):
    """A case with a wrong answer."""

    case: Case
    answer: CallAnswer
    kinds: list[str]
    how: str = ""
    """How the case was asked if it is right at another time, as in `check.WAYS`; else empty."""
    replaced: tuple[str, ...] = ()
    """The functions of the file in whose place right ones were called."""

    @property
    def value(self) -> Any:
        return value_of(self.answer)


class Explanation(NamedTuple):
    """The likely mistake behind a group of wrong answers."""

    says: str
    """One sentence, about this file."""
    mistake: str
    """The same without values and lines of this file, equal for near-identical mistakes."""
    cases: str = ""
    """Fingerprint of the wrong cases if only they tell the mistake from others; else empty."""


def _here(text: object, elsewhere: str) -> str:
    """Mark `text` as true of this file only; `elsewhere` replaces it in the general sentence."""
    clean = str(text).translate(dict.fromkeys((2, 3, 31)))
    return f"\x02{clean}\x1f{elsewhere}\x03"


def grouped_by_mistake(
    interface: Interface, function: str, wrongs: Sequence[Wrong]
) -> list[list[Wrong]]:
    """Return wrong answers in groups that one mistake may explain; the order in a group stays."""
    groups: dict[tuple[int, str], list[Wrong]] = {}
    for wrong in wrongs:
        kind = wrong.kinds[0]
        key = KINDS.index(kind), _sort_of(interface, function, kind, wrong)
        groups.setdefault(key, []).append(wrong)
    return [groups[key] for key in sorted(groups, key=lambda key: (key[0], -len(groups[key])))]


def _sort_of(interface: Interface, function: str, kind: str, wrong: Wrong) -> str:
    """Return the finer kind of a wrong answer."""
    if kind == "raised":
        return f"{wrong.answer.raised.partition(':')[0]} {wrong.answer.line}"
    if kind == "accepted":
        return _why_impossible(wrong.case)
    if kind != "value":
        return ""
    wanted = expected(interface, function, wrong.case)
    if function == "winner":
        return f"{wanted is None} {type(wrong.value).__name__}"
    if function in FUNCTIONS[:-1]:
        return type(wrong.value).__name__ if function in ("actions", "terminal", "utility") else ""
    if wanted is None:
        return "finished"
    action = action_of(interface, wrong.value)
    if action is None:
        return "type"
    return "weak" if action in solution()[wrong.case.board].actions else "impossible"


def _why_impossible(case: Case) -> str:
    assert case.action is not None
    if min(case.action) < 0:
        return "negative"
    return "outside" if max(case.action) > 2 else "taken"


def explanation(
    interface: Interface,
    function: str,
    wrongs: Sequence[Wrong],
    passed: Sequence[Case],
    *,
    is_only: bool = False,
) -> Explanation:
    """Return the likely mistake behind a group of wrong answers.

    Args:
        interface: of the file.
        function: its name.
        wrongs: a group from `grouped_by_mistake`, or wrong answers that are right at other times.
        passed: the cases with a right answer.
        is_only: whether the function has no right answer, and no other mistake.
    """
    first = wrongs[0]
    if first.how:
        text = _of_state(f"`{function}`", first)
    elif first.kinds[0] == "raised":
        text = _of_exception(f"`{function}`", first.answer, is_only)
    else:
        text = _sentence(interface, function, wrongs, passed)
    if first.replaced:
        text += _here(f" {_with_right(first.replaced)}", "")
    says, mistake = (_OF_THIS_FILE.sub(rf"\{part}", text) for part in (1, 2))
    cases = _fingerprint(wrongs) if mistake.endswith(f"{UNNAMED}.") else ""
    return Explanation(says, mistake, cases)


def _with_right(names: Sequence[str]) -> str:
    """Return the sentence about functions in whose place right ones were called."""
    *most, last = (f"`{name}`" for name in names)
    listed = f"{', '.join(most)} and {last}" if most else last
    return f"Seen with {'right functions' if most else 'a right one'} in place of {listed}."


def _of_state(name: str, wrong: Wrong) -> str:
    """Return the sentence about a function whose answers depend on earlier calls."""
    advice = "compute the answer from the board alone."
    if wrong.how == "fresh":
        return (
            f"{name} is wrong at its first call, and right after others: it keeps a value between "
            f"calls; {advice}"
        )
    if wrong.how == "not fresh":
        return (
            f"{name} is right at its first call, and wrong after others: it keeps a value between "
            f"calls, or uses chance; {advice}"
        )
    if wrong.how == "game":
        return (
            f"{name} is right on single boards, and wrong in a game from `initial_state`: it keeps "
            f"a value or a list between calls; {advice}"
        )
    return (
        f"{name} answers the same board differently at different times: it keeps a value between "
        f"calls, or uses chance; {advice}"
    )


def _fingerprint(wrongs: Sequence[Wrong]) -> str:
    boards = [wrong.case.board for wrong in wrongs]
    boards = [board for board in boards if board.count(".") <= NEAR_END] or boards
    return sha256(" ".join(sorted(boards)).encode()).hexdigest()[:12]


def _sentence(
    interface: Interface, function: str, wrongs: Sequence[Wrong], passed: Sequence[Case]
) -> str:
    """Return the sentence of `explanation`, with parts marked by `_here`."""
    name = f"`{function}`"
    kind, first = wrongs[0].kinds[0], wrongs[0]
    if kind == "time":
        return (
            f"{name} does not come to an end here: look for a loop without end, or a slow search."
        )
    if kind == "ended":
        return f"{name} does not return: {_lower(first.answer.ended)}"
    if kind == "exits":
        return (
            f"{name} ends the program with {first.answer.raised.partition(':')[0]}: "
            "remove `exit()`, or raise an exception for an impossible action."
        )
    if kind == "changed":
        return _of_change(interface, name, function, wrongs)
    if kind == "shares" and function == "initial_state":
        if first.answer.shares == "board":
            return (
                f"{name} returns the same lists at each call, so that a second game begins with "
                "the marks of the first: make new lists in the function."
            )
        return (
            f"The rows of {name} are one list, so that a mark in one row appears in all, even in "
            "a `copy.deepcopy`: write `[[EMPTY] * 3 for _ in range(3)]`."
        )
    if kind == "shares":
        if first.answer.shares == "board":
            return f"{name} returns the board that it is given: copy it first."
        return (
            f"The board that {name} returns shares rows with another list: "
            "copy each row, as `copy.deepcopy` does."
        )
    if kind == "accepted":
        return {
            "taken": f"{name} accepts a cell that is taken: raise an exception for it.",
            "outside": f"{name} accepts an action outside the board: raise an exception for it.",
            "negative": f"{name} accepts a negative index, which Python counts from the end: "
            "raise an exception for it.",
        }[_why_impossible(first.case)]
    says = f"{name} {_of_values(interface, function, wrongs, passed)}"
    return says if says.endswith("?") else f"{says}."


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _of_exception(name: str, answer: CallAnswer, is_only: bool) -> str:
    kind, _, text = answer.raised.partition(": ")
    where = _here(f" in line {answer.line}" if answer.line else "", "")
    if kind == "RecursionError":
        return f"{name} calls itself without end{where}: return at a finished board first."
    if kind == "NotImplementedError" and is_only:
        return not_written(name.strip("`"))
    if kind == "NotImplementedError":
        return (
            f"{name} comes to `raise NotImplementedError`{where} on some boards: return a value on "
            "every path, and delete that line."
        )
    hints = {
        "UnboundLocalError": "give the variable a value on every path",
        "NameError": "a name is misspelt or not imported",
        "IndexError": "an index leaves the board",
    }
    hint = f": {hints[kind]}" if kind in hints else _here(f" ({text})" if text else "", "")
    return f"{name} raises {kind}{where}{hint}."


def _of_change(interface: Interface, name: str, function: str, wrongs: Sequence[Wrong]) -> str:
    thing = "state" if interface is Interface.AIMA else "board"
    shallow = all(
        wrong.answer.shares == "rows" for wrong in wrongs if not wrong.answer.raised
    ) and any(not wrong.answer.raised for wrong in wrongs)
    if function == "result" and shallow:
        return (
            f"{name} copies the outer list only, and so changes the rows of the board that it is "
            "given: use `copy.deepcopy`."
        )
    if function == "minimax" or interface is not Interface.CS50:
        return f"{name} changes the {thing} that it is given: search on copies of it."
    return f"{name} changes the {thing} that it is given: copy it first."


def _of_values(
    interface: Interface, function: str, wrongs: Sequence[Wrong], passed: Sequence[Case]
) -> str:
    """Return the rest of a sentence that begins with the function."""
    if interface is not Interface.CS50 or function == "minimax":
        return _of_choice(interface, function, wrongs, passed)
    if all(wrong.value is None for wrong in wrongs) and function != "winner":
        return "returns nothing here: a `return` is missing on this path"
    explain: Callable[[Sequence[Wrong], Sequence[Case]], str] = {
        "initial_state": _of_start,
        "player": _of_player,
        "actions": _of_actions,
        "result": _of_result,
        "winner": _of_winner,
        "terminal": _of_terminal,
        "utility": _of_utility,
    }[function]
    return explain(wrongs, passed)


def _type_of(value: Any) -> str:
    """Return the type of a value with its article."""
    name = value.type_name if isinstance(value, Foreign) else type(value).__name__
    words = {
        "str": "text",
        "int": "number",
        "bool": "truth value",
        "float": "number with a point",
        "NoneType": "None",
        "ndarray": "NumPy array",
    }
    word = words.get(name, name)
    if word == "None":
        return word
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


# initial_state, player, actions, result ----------------------------------------------------------


def _of_start(wrongs: Sequence[Wrong], passed: Sequence[Case]) -> str:  # noqa: ARG001
    return _of_board(wrongs[0].value) or "returns a board whose cells are not all EMPTY"


def _of_board(value: Any) -> str:
    """Return why a value is not three lists of three; empty if it is."""
    if not isinstance(value, list):
        return f"returns {_type_of(value)}; a board is a list of three lists"
    if not all(isinstance(row, list) for row in value):
        return "returns a list whose rows are not lists: each row is a list of three cells"
    if [len(row) for row in value] != [3, 3, 3]:
        return "returns a board that is not three rows of three cells"
    return ""


def _of_player(wrongs: Sequence[Wrong], passed: Sequence[Case]) -> str:
    values = {repr(wrong.value) for wrong in wrongs}
    if not passed and values == {"'X'", "'O'"}:
        return "names the other player: X begins, and O moves when X has one mark more"
    if values <= {"'X'", "'O'"}:
        if len(wrongs) == 1 and wrongs[0].case.board == "." * 9:
            return "is wrong on the empty board only: X makes the first move"
        turns = {solution()[wrong.case.board].turn for wrong in wrongs}
        if len(turns) == 1 and not any(solution()[case.board].turn in turns for case in passed):
            (turn,) = turns
            return f"never names {turn}: compare the numbers of X and O on the board"
        return "names the wrong player: X moves when both have as many marks, else O"
    value = _here(repr(wrongs[0].value), "another value")
    return f"returns {value}: it must be X or O, the names at the top of the file"


def _of_actions(wrongs: Sequence[Wrong], passed: Sequence[Case]) -> str:  # noqa: ARG001
    first = wrongs[0].value
    if not isinstance(first, set):
        plain = not isinstance(first, Foreign) or first.type_name == "generator"
        if plain or first.type_name in ("dict_keys", "map", "filter"):
            return (
                f"returns {_type_of(first)}; the course asks for a set: "
                "write `set(…)` around it, or collect with `add`"
            )
        return f"returns {_type_of(first)}; the course asks for a set of pairs"
    if not all(action_of(Interface.CS50, each) for each in first):
        return "returns a set of other things than pairs (i, j) of numbers"
    pairs = [(wrong.value, solution()[wrong.case.board].actions) for wrong in wrongs]
    if all(got == {(j, i) for i, j in empty} for got, empty in pairs):
        return "exchanges row and column: an action is (row, column)"
    if all(got == {(i + 1, j + 1) for i, j in empty} for got, empty in pairs):
        return "counts from 1: rows and columns count from 0"
    every = {divmod(cell, 3) for cell in range(9)}
    if all(got == every - empty for got, empty in pairs):
        return "returns the taken cells; it must return the empty ones"
    missed = set.intersection(*(set(empty - got) for got, empty in pairs))
    extra = [got - empty for got, empty in pairs]
    if not any(extra):
        every_missed = set.union(*(set(empty - got) for got, empty in pairs))
        for axis, word in enumerate(("row", "column")):
            kept = {cell[axis] for cell in every_missed}
            if len(kept) == 1 and len(every_missed) > 1:
                return f"never looks at {word} {kept.pop()}: rows and columns are 0, 1 and 2"
        if len(every_missed) == 1:
            return f"never returns {_here(f'the cell {every_missed.pop()}', 'one of the cells')}"
        if all(len(got) == 1 for got, _ in pairs):
            return "returns one cell only: the `return` stands inside the loop"
        some = sorted(missed) or sorted(every_missed)
        return f"misses empty cells{_here(f', such as {some[0]}', '')}"
    return "returns cells that are taken or not on the board: return the empty ones"


def _of_result(wrongs: Sequence[Wrong], passed: Sequence[Case]) -> str:
    if other := _of_board(wrongs[0].value):
        return other

    def marked(change: Callable[[Wrong], tuple[int, int, str]]) -> bool:
        """Return whether each wrong board is the given one with a (row, column, mark) changed."""
        for wrong in wrongs:
            i, j, mark = change(wrong)
            board = [list(wrong.case.board[row : row + 3]) for row in (0, 3, 6)]
            board[i][j] = mark
            if [[cell or "." for cell in row] for row in wrong.value] != board:
                return False
        return True

    def turn(wrong: Wrong) -> str:
        return solution()[wrong.case.board].turn

    def place(wrong: Wrong) -> tuple[int, int]:
        assert wrong.case.action is not None
        return wrong.case.action

    if marked(lambda wrong: (*place(wrong), "O" if turn(wrong) == "X" else "X")):
        marks = {turn(wrong) for wrong in wrongs}
        if len(marks) == 1 and passed:
            other = "O" if marks == {"X"} else "X"
            return f"always places {other}: ask `player` whose turn it is"
        return "places the mark of the other player: ask `player` before the mark is placed"
    if marked(lambda wrong: (place(wrong)[1], place(wrong)[0], turn(wrong))):
        return "exchanges row and column: an action is (row, column)"
    if marked(
        lambda wrong: (*place(wrong), wrong.case.board[3 * place(wrong)[0] + place(wrong)[1]])
    ):
        return "returns the board without the new mark"
    return "returns a board that differs from the given one in more than the new mark"


# winner, terminal, utility ------------------------------------------------------------------------


def _own_lines(board: str) -> list[tuple[int, ...]]:
    """Return the complete lines of a board."""
    return [line for line in LINES if "." != board[line[0]] == board[line[1]] == board[line[2]]]


def _line_words(found: Sequence[tuple[int, ...]]) -> str:
    """Return lines in words.

    >>> _line_words([(2, 4, 6)]), _line_words(COLUMNS)
    ('the line 3 5 7', 'the columns')
    """
    for words, group in (
        ("the rows", ROWS),
        ("the columns", COLUMNS),
        ("the diagonals", DIAGONALS),
    ):
        if set(found) == set(group):
            return words
    texts = [" ".join(str(cell + 1) for cell in line) for line in found]
    if len(texts) == 1:
        return f"the line {texts[0]}"
    return f"the lines {', '.join(texts[:-1])} and {texts[-1]}"


def _of_winner(wrongs: Sequence[Wrong], passed: Sequence[Case]) -> str:
    known = solution()
    values = [wrong.value for wrong in wrongs]
    if known[wrongs[0].case.board].winner is None:
        return _of_false_winner(wrongs, passed)
    if any(value not in (None, "X", "O") for value in values):
        other = next(value for value in values if value not in (None, "X", "O"))
        shown = _here(repr(other), "another value")
        return f"returns {shown}: it must be X or O, the names at the top of the file"
    winners = {known[wrong.case.board].winner for wrong in wrongs}
    right = {known[case.board].winner for case in passed} - {None}
    if any(value is not None for value in values):
        if all(value is not None for value in values):
            if not right:
                return "names the loser: return the player who has the line"
            if len(winners) == 1:
                return f"returns the wrong player where {winners.pop()} has a line"
        return "names the wrong player: return the mark on the line"
    if not right:
        return "never finds a winner: it returns None where a player has three in a row"
    if len(winners) == 1 and not right & winners:
        return f"never finds that {winners.pop()} has won"
    if all(any(_is_empty(each.case.board, line) for line in LINES) for each in wrongs):
        return (
            "takes three empty cells for a line, and returns EMPTY before it looks at the others: "
            "test that the cells are not EMPTY"
        )
    for marks in ("XO", "X", "O"):
        missed = _missed_lines(
            [each.case.board for each in wrongs],
            [case.board for case in passed if known[case.board].winner in (*marks,)],
        )
        if missed and winners <= {*marks}:
            of = "" if marks == "XO" else f" of {marks}"
            words = _line_words(missed)
            numbered = "; the cells are numbered from 1 to 9" if words[-1].isdigit() else ""
            return f"misses {words}{of}{numbered}"
    if all("." not in wrong.case.board for wrong in wrongs):
        return "does not look for a line on a full board"
    if all("." in wrong.case.board for wrong in wrongs) and all(
        "." not in case.board for case in passed if known[case.board].winner
    ):
        return "looks for a line only when the board is full"
    return "misses a line: test all three rows, all three columns and both diagonals"


def _missed_lines(wrong: Sequence[str], passed: Sequence[str]) -> list[tuple[int, ...]]:
    """Return the lines that explain all boards without a found winner; empty if none do.

    A line is missed if most boards with no other line are wrong; another mistake may let some pass.
    """
    tally = dict.fromkeys(LINES, 0)
    for boards, weight in ((wrong, 1), (passed, -1)):
        for board in boards:
            own = _own_lines(board)
            if len(own) == 1:
                tally[own[0]] += weight
    missed = [line for line in LINES if tally[line] > 0]
    return missed if all({*_own_lines(board)} <= {*missed} for board in wrong) else []


def _is_empty(board: str, line: Iterable[int]) -> bool:
    return all(board[cell] == "." for cell in line)


def _of_false_winner(wrongs: Sequence[Wrong], passed: Sequence[Case]) -> str:
    """Explain a winner on boards where nobody has won."""
    values = {repr(wrong.value) for wrong in wrongs}
    if not values <= {"'X'", "'O'"}:
        drawn = all("." not in wrong.case.board for wrong in wrongs)
        where = "on a draw" if drawn else "where nobody has won"
        shown = _here(repr(wrongs[0].value), "another value")
        return f"returns {shown} {where}: it must return None there"
    clear = [case.board for case in passed if solution()[case.board].winner is None]

    def has(board: str, triple: tuple[int, ...], mark: str | None = None) -> bool:
        marks = {board[cell] for cell in triple}
        return len(marks) == 1 and marks != {"."} and mark in (None, *marks)

    for size, words in ((3, "as a line"), (2, "as enough for a line")):
        for cells in combinations(range(9), size):
            if all(has(wrong.case.board, cells, wrong.value) for wrong in wrongs) and not any(
                has(board, cells) for board in clear
            ):
                shown = " ".join(str(cell + 1) for cell in cells)
                return f"counts the cells {shown} {words}; the cells are numbered from 1 to 9"
    if all("." not in wrong.case.board for wrong in wrongs):
        return "names a winner on a draw: it must return None there"
    return "names a winner where nobody has three in a row"


def _of_terminal(wrongs: Sequence[Wrong], passed: Sequence[Case]) -> str:
    known = solution()
    first = wrongs[0].value
    if not isinstance(first, bool):
        return f"returns {_here(repr(first), 'another value')}: it must return True or False"
    if not passed and len({wrong.value for wrong in wrongs}) == 2:
        return "exchanges True and False"
    if first is True:
        if not any(not known[case.board].over for case in passed):
            return "always says that the game is over"
        return "ends the game too early: it continues while nobody has won and a cell is empty"
    winners = {known[wrong.case.board].winner for wrong in wrongs}
    right = {known[case.board].winner for case in passed if known[case.board].over}
    if winners == {None}:
        return "does not see that a full board ends the game"
    if None not in winners and not right & {"X", "O"}:
        return "does not see that a line ends the game: ask `winner`"
    if not right:
        return "never says that the game is over"
    if len(winners) == 1:
        return f"does not see that a line of {winners.pop()} ends the game"
    if all("." in wrong.case.board for wrong in wrongs):
        return "ends the game on a full board only: a line ends it, too"
    return "does not see that a line ends the game"


def _of_utility(wrongs: Sequence[Wrong], passed: Sequence[Case]) -> str:
    known = solution()
    winners = {known[wrong.case.board].winner for wrong in wrongs}
    values = {wrong.value for wrong in wrongs if not isinstance(wrong.value, (set, list, dict))}
    first = wrongs[0].value
    if isinstance(first, bool) or first not in (1, 0, -1):
        return f"returns {_here(repr(first), 'another value')}: it must return 1, -1 or 0"
    if winners == {"X", "O"} and values == {1, -1}:
        if not any(known[case.board].winner for case in passed):
            return "exchanges the players: 1 means that X has won, -1 that O has"
        return "judges for the wrong player: 1 always means that X has won, -1 that O has"
    if len(winners) == 1 and len(values) == 1:
        (winner,) = winners
        end = "on a draw" if winner is None else f"where {winner} has won"
        return f"returns {first!r} {end}: it must return {UTILITY[winner]}"
    if not passed or not any(known[case.board].winner for case in passed):
        return f"never finds a winner{_here(f': it returns {first!r} here', '')}"
    return "is 1 if X has won, -1 if O has won, and 0 on a draw; it returns other values"


# minimax and other functions that choose a move ---------------------------------------------------


def _of_choice(
    interface: Interface, function: str, wrongs: Sequence[Wrong], passed: Sequence[Case]
) -> str:
    known = solution()
    first = wrongs[0]
    here = known[first.case.board]
    form = {
        Interface.CS50: "an action (i, j)",
        Interface.AIMA: "a move (x, y) of `game.actions(state)`",
        Interface.MOVES: "a cell from 0 to 8",
    }[interface]
    if here.over:
        if first.value in (0, 1, -1):
            return "returns the value of a finished board: it must return None there"
        return "returns something else than None on a finished board"
    action = action_of(interface, first.value)
    sometimes = any(not known[case.board].over for case in passed)
    hopeless = _hopeless(wrongs) if sometimes else ""
    if action is None:
        if first.value is None and hopeless:
            return f"returns no move{hopeless}"
        return _of_form(first.value, form, sometimes)
    if action not in here.actions:
        if max(action) > 2 or min(action) < 0:
            cell = "a cell outside the board"
        else:
            cell = "a cell that is taken"
        return f"returns {_here(f'{first.value!r}, ', '')}{cell}{hopeless}"
    # The board numbers its cells from 1 to 9.
    counted = " (cells from 0 to 8)" if interface is Interface.MOVES else ""
    fact = (
        f"plays {first.value!r}{counted}, which {ENDS[here.values[action]]}, where "
        f"{expected(interface, function, first.case)[0]!r} {ENDS[here.values[min(here.best)]]}"
    )
    return f"{_here(fact, UNNAMED)}{_weakness(interface, wrongs, passed)}"


def _hopeless(wrongs: Sequence[Wrong]) -> str:
    """Return the end of a sentence about boards on which every move loses, or none wins.

    Empty if there are others among them.
    """
    known = solution()
    ends = {end for wrong in wrongs for end in known[wrong.case.board].values.values()}
    advice = "return one of them; a search that begins with `-math.inf` or `math.inf` finds it"
    if ends == {"loss"}:
        return f", when every move loses: {advice}"
    return f", when no move wins: {advice}" if ends and "win" not in ends else ""


def _of_form(value: Any, form: str, sometimes: bool) -> str:
    if value is None:
        where = "on some boards" if sometimes else ""
        return f"returns nothing {where}: it must return {form}".replace(" :", ":")
    if isinstance(value, list) and len(value) == 2:
        return f"returns the list{_here(f' {value!r}', '')}; an action is a tuple: write (i, j)"
    if isinstance(value, tuple) and any(isinstance(each, (tuple, list)) for each in value):
        return f"returns the action together with its value: it must return {form} alone"
    if type(value) in (int, float) and -1 <= value <= 1:
        return f"returns the value of the board in place of the move: it must return {form}"
    return f"returns {_type_of(value)}; it must return {form}"


def _weakness(interface: Interface, wrongs: Sequence[Wrong], passed: Sequence[Case]) -> str:
    """Return the pattern of weak moves as the end of a sentence; empty if there is none."""
    known = solution()
    open_ = [case.board for case in passed if not known[case.board].over]
    if len(wrongs) + len(open_) < FEWEST_MOVES:
        return ""
    turns = {known[wrong.case.board].turn for wrong in wrongs}
    # A board on which all moves are worth the same can show nothing.
    telling = {known[board].turn for board in open_ if len(set(known[board].values.values())) > 1}

    def worst(wrong: Wrong) -> bool:
        here = known[wrong.case.board]
        action = action_of(interface, wrong.value)
        assert action is not None
        rank = ("loss", "draw", "win").index
        return rank(here.values[action]) == min(map(rank, here.values.values()))

    is_worst = all(map(worst, wrongs))
    if len(turns) == 1 and turns <= {"X", "O"} and telling - turns and not telling & turns:
        (turn,) = turns
        aim = "smallest" if turn == "O" else "largest"
        return f": for {turn} it must take the action with the {aim} value"
    if is_worst and not telling:
        return ": it takes the worst action; exchange `max` and `min`"
    if len(turns) == 1 and is_worst and turns != telling:
        (turn,) = turns
        return f": it plays well for {'X' if turn == 'O' else 'O'} only"
    fewest = min(wrong.case.board.count(".") for wrong in wrongs)
    if fewest > 3:
        return (
            f": it is right with at most {fewest - 1} empty cells; does it search to the end "
            "of the game?"
        )
    firsts = [
        action_of(interface, wrong.value) == min(known[wrong.case.board].actions)
        for wrong in wrongs
    ]
    if all(firsts):
        return ": does it always take the first empty cell?"
    lasts = [
        action_of(interface, wrong.value) == max(known[wrong.case.board].actions)
        for wrong in wrongs
    ]
    if all(lasts):
        return ": does it always take the last empty cell?"
    if len(turns) == 1:
        return f": it is wrong for {turns.pop()} only"
    return ""
