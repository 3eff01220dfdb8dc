"""Calls of the page to Python in the browser: the questions of the HTTP API, without a server.

    "explain", {"start", "moves", "move"} ──answer()──► {"result": …} or {"problem": …}

A result is the JSON data of the server's reply, made by the same functions; a problem is the body
of its problem document. Two differences: the explorer counts the engine's games alone, since there
is no server with games, and `check` adds the moves of the file, which the page plays itself.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, signature
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from noughts.answers import rules as rule_answers
from noughts.answers import tasks
from noughts.answers.checked import opponent_text
from noughts.answers.exercises import exercise_kinds
from noughts.answers.explorer import (
    ExplorerView,
    counted_keys,
    counted_of_engine,
    explorer_data,
)
from noughts.answers.files import export_game, import_games
from noughts.answers.labs import check_lab, check_lab_options, lab_list
from noughts.answers.positions import (
    Data,
    PositionView,
    line_data,
    played_line,
    proof_data,
    refusal_data,
)
from noughts.answers.problems import Refused, document, problem
from noughts.answers.puzzles import (
    PuzzleView,
    found_puzzle,
    iso_date,
    puzzle_data,
    puzzle_list,
)
from noughts.answers.tasks import Progress, WithProofs
from noughts.explorer.counts import added
from noughts.opponents import OpponentFailed
from noughts.puzzles.puzzle import puzzle_of_day


def position(start: str, moves: str = "") -> PositionView:
    """Return a position with its legal moves."""
    played = played_line(start, moves)
    return line_data(played.positions, played.moves[-1] if played.moves else None)


def move(start: str, moves: Sequence[str], opponent: str, seconds: float = 10.0) -> dict[str, str]:
    """Return the move of an opponent, as `{"move": …}`."""
    try:
        return {"move": tasks.choose(start, moves, opponent, seconds)}
    except OpponentFailed as error:
        raise Refused(422, "no-move", f"{error}.") from None


def replay(
    start: str, moves: Sequence[str], algorithms: Sequence[str], *, progress: Progress
) -> Data:
    """Record one or two searches, as data for the viewer of replays."""
    _check_searches(algorithms)
    text = tasks.replay(start, moves, algorithms, False, progress=progress)
    data: Data = json.loads(text)
    return data


def replay_page(
    start: str, moves: Sequence[str], algorithms: Sequence[str], *, progress: Progress
) -> str:
    """Record one or two searches, and return the text of an HTML file."""
    _check_searches(algorithms)
    return tasks.replay(start, moves, algorithms, True, progress=progress)


def _check_searches(algorithms: Sequence[str]) -> None:
    if not 1 <= len(algorithms) <= 2:
        raise Refused(422, "request", "Choose one or two searches.", field="algorithms")


def lab(name: str, options: Mapping[str, Any], *, progress: Progress) -> Data:
    """Run a lab, as `Report` data."""
    check_lab(name, options)
    check_lab_options(options)
    return tasks.lab(name, {**options}, progress=progress)


def puzzle_day(date: str) -> PuzzleView:
    """Return the puzzle of a date."""
    return puzzle_data(puzzle_of_day(iso_date(date)))


def puzzle(id: str) -> PuzzleView:  # noqa: A002
    """Return a puzzle without its solution."""
    return puzzle_data(found_puzzle(id))


def explorer(start: str, moves: str = "", values: bool = True) -> ExplorerView:
    """Return every move with its value and the engine's games."""
    played = played_line(start, moves)
    counts = added(counted_of_engine(played.position, counted_keys(played)))
    proven = tasks.proven(str(played.position), ()) if values else {}
    return explorer_data(played, counts, proven)


def check(
    file: str,
    interface: Literal["cs50", "aima", "moves"] | None = None,
    function: str | None = None,
    name: str = "tictactoe.py",
    *,
    progress: Progress,
) -> Data:
    """Check a student's file, and return its report and moves.

    Args:
        file: the text of the file.
        interface: its functions, by default those of CS50.
        function: the function that chooses a move, of another interface.
        name: the name of the file, for people.
        progress: called with the per cent done, summed over the functions, and the full sum.

    Returns:
        `CheckView` data; and `moves`: by positions of `basic`, the move of its
        function, or null for no legal move.
    """
    from noughts.school.here import check_here

    if "\0" in file:
        raise Refused(422, "request", "The file is no text: it has null bytes.", field="file")
    with tempfile.TemporaryDirectory(prefix="noughts-check-") as folder:
        asked = folder, file, interface, function
        report, moves = tasks.checked(check_here, *asked, progress)
    opponent = opponent_text(name, file, interface, function) if any(moves.values()) else None
    return report | {"opponent": opponent, "moves": moves}


CALLS: dict[str, Callable[..., Any]] = {
    "position": position,
    "refusal": refusal_data,
    "rules": rule_answers.rules_data,
    "lesson": rule_answers.lesson_data,
    "move": move,
    "analyse": tasks.analyse,
    "explain": tasks.explain,
    "graph": tasks.graph,
    "import_games": import_games,
    "export_game": export_game,
    "hint": tasks.hint,
    "try": tasks.attempt,
    "review": tasks.review,
    "replay": replay,
    "replay_page": replay_page,
    "labs": lab_list,
    "lab": lab,
    "puzzles": puzzle_list,
    "puzzle_day": puzzle_day,
    "puzzle": puzzle,
    "puzzle_move": tasks.puzzle_move,
    "puzzle_solution": tasks.puzzle_solution,
    "exercises": exercise_kinds,
    "exercise": tasks.exercise,
    "exercise_marks": tasks.exercise_marks,
    "exercise_answers": tasks.exercise_answers,
    "explorer": explorer,
    "check": check,
}
"""The functions that answer calls, by name."""
CALLBACKS = ("progress", "tell")
"""The arguments that are functions, which no caller gives as JSON."""


def answer(
    call: str,
    arguments: str,
    progress: Progress = lambda *_: None,
    tell: Callable[[str], None] = lambda _: None,
) -> str:
    """Return the answer of a call, as JSON text.

    Args:
        call: one of `CALLS`.
        arguments: its arguments by name, as JSON text.
        progress: called with (done, of) by calls that take long.
        tell: called with early findings of such calls, as JSON text.
    """
    callbacks = (progress, lambda data: tell(_json(data)))
    try:
        function = CALLS.get(call)
        if function is None:
            raise Refused(404, "not-found", f"There is no call {call!r}.", field="call")
        given = _checked(function, json.loads(arguments))
        parameters = signature(function).parameters
        tells = {n: call for n, call in zip(CALLBACKS, callbacks, strict=True) if n in parameters}
        result = function(**given, **tells)
        if isinstance(result, WithProofs):
            proofs = [proof_data(each) for each in result.proofs]
            result = {**result.reply, "proofs": proofs}
        return _json({"result": result})
    except (Refused, ValueError) as error:
        return _json({"problem": document(problem(error))})


def _json(data: Data) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _checked(function: Callable[..., Any], given: object) -> dict[str, Any]:
    """Return the arguments of a call.

    Raises:
        Refused: one is missing, unknown or of another type.
    """
    hints, known = get_type_hints(function), dict(signature(function).parameters)
    for name in CALLBACKS:
        known.pop(name, None)
    if not isinstance(given, dict):
        raise Refused(422, "request", "The arguments are no object.")
    for name, parameter in known.items():
        if name not in given and parameter.default is Parameter.empty:
            raise Refused(422, "request", f"{name}: missing.", field=name)
    for name, value in given.items():
        if name not in known:
            raise Refused(422, "request", f"{name}: unknown argument.", field=name)
        if not _fits(value, hints[name]):
            raise Refused(422, "request", f"{name}: wrong type.", field=name)
    return given


def _fits(value: object, hint: Any) -> bool:
    """Return whether a JSON value has the type of an argument.

    >>> _fits(["a"], Sequence[str]), _fits([1], Sequence[str]), _fits(None, str | None)
    (True, False, True)
    >>> _fits(True, int), _fits(1, float), _fits("easy", Literal["easy", "hard"])
    (False, True, True)
    """
    kind, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if kind is Literal:
        return value in inner
    if kind in (Union, UnionType):
        return any(_fits(value, each) for each in inner)
    if kind is Sequence:
        return isinstance(value, list) and all(_fits(each, inner[0]) for each in value)
    if kind is Mapping:
        return isinstance(value, dict) and all(_fits(each, inner[1]) for each in value.values())
    if hint is float:
        return type(value) in (int, float)
    return type(value) is hint
