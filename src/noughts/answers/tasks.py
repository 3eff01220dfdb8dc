"""The questions that take time: texts and numbers in, JSON data out.

start, moves ──► Judge ──► values, sentences, a hint, a review
             ──► searches ──► a replay
             ──► an opponent ──► its move
lab, options ──► a report
kind, seed   ──► an exercise, marks
file ──► a report, and the moves of its function

The server runs them in worker processes, the browser in its worker. Each imports this module first,
so its imports decide how soon a worker is ready.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from noughts.answers.exercises import (
    ExerciseAnswers,
    ExerciseMarks,
    ExerciseView,
    FigureView,
    check_exercise,
)
from noughts.answers.positions import (
    AnalysisView,
    Data,
    GraphPoint,
    analysis_data,
    line_data,
    parse_line,
    parse_path,
    picture_data,
    point_data,
)
from noughts.answers.puzzles import PuzzleAnswer, PuzzleSolution, found_puzzle
from noughts.answers.reasons import (
    HintView,
    ReviewView,
    SentenceView,
    TriedView,
    WhyView,
    hint_data,
    review_data,
    sentences_data,
)
from noughts.exercises.exercise import Exercise, Grade, mark
from noughts.exercises.make import exercises
from noughts.exercises.material import Wish
from noughts.explain import review as reviews
from noughts.explain.sentences import about_attempt, move_words, sentences
from noughts.explain.sentences import explain as explained
from noughts.explorer.explore import exact_values
from noughts.games.position import Position, move_texts
from noughts.games.record import Record
from noughts.games.words import outcome_sentence
from noughts.judgement.judge import ALL_THREADS, Judge
from noughts.labs.claims import LABS
from noughts.opponents import opponent
from noughts.puzzles.puzzle import Level, Puzzle
from noughts.puzzles.solve import faults, judged, reasons, rest_of_solution
from noughts.search import Value
from noughts.search.recording import Recording
from noughts.search.result import Limit, SearchResult
from noughts.search.textbook import parse_search
from noughts.search.trace import record
from noughts.search.walk import LimitReached
from noughts.views import exercise_figure
from noughts.views import replay as replays
from noughts.views.svg import AUTO

if TYPE_CHECKING:
    from noughts.school.report import CheckReport

Progress = Callable[[int, int], None]
Tell = Callable[[Data], None]
"""Gets the early findings of a task, as JSON data."""
Answered = TypeVar("Answered")

EXPLAINED = Limit(nodes=1_000_000, seconds=2.0)
"""Search limit of an explanation or a hint."""
EVALUATED_SECONDS = 20.0
"""Time limit of a search with a given number of nodes."""
REVIEWED = Limit(nodes=200_000, seconds=1.0)
"""Search limit of each position in a review, if the game is short."""
REVIEW_SECONDS = 6.0
"""Time limit of a review for the values of all positions together."""
REVIEW_THREADS = min(2, ALL_THREADS)
"""Positions of a line that are judged at once."""
REPLAYED_NODES = 5_000
"""Most nodes that a replay records."""
REPLAYED_EVENTS = 50_000
"""Most events that a replay records."""


class WithProofs(NamedTuple, Generic[Answered]):
    """A reply, and what its judge has proven on the way, for analyses of the positions."""

    reply: Answered
    proofs: list[SearchResult]


Proofs = Sequence[SearchResult]
"""Results of other searches, with proofs about the positions of a line."""


def _judge(rules: str, limit: Limit, known: Proofs = ()) -> Judge:
    """Return a judge that knows some proofs; it keeps its results for later tasks."""
    judge = _kept_judge(rules, limit)
    judge.know(known)
    return judge


@lru_cache(maxsize=2)
def _kept_judge(rules: str, limit: Limit) -> Judge:
    (start,) = parse_line(rules, ())
    return Judge(start, limit, threads=REVIEW_THREADS)


def _unfinished(start: str, moves: Sequence[str]) -> Position:
    """Return the position after the moves.

    Raises:
        IllegalMove, NotationError: in the start or the moves.
        ValueError: the game is over there.
    """
    position = parse_line(start, moves)[-1]
    if position.outcome() is not None:
        raise ValueError(f"The game is over. {outcome_sentence(position)}")
    return position


def choose(start: str, moves: Sequence[str], text: str, seconds: float) -> str:
    """Return the move of an opponent within a number of seconds.

    Raises:
        NotationError: no such opponent.
        OpponentFailed: it has no move.
    """
    position = _unfinished(start, moves)
    machine = opponent(text)
    limit = machine.limit(position).tighter(Limit(seconds=seconds))
    chosen = machine.choose(position, limit).text
    assert chosen is not None
    return chosen


def analyse(start: str, moves: Sequence[str]) -> AnalysisView:
    """Return the value of every legal move."""
    position = parse_line(start, moves)[-1]
    result = _judge(position.rules_id, EXPLAINED).values(position)
    return analysis_data(position, result, done=True, waiting=False)


def evaluate(
    start: str, moves: Sequence[str], nodes: int | None, *, progress: Progress
) -> AnalysisView:
    """Return the value of every legal move, found within a number of nodes.

    Args:
        start: rules id or position string.
        moves: moves from there.
        nodes: most nodes of the search; `None` for the limits of `analyse`, which solve small
            boards whatever they need.
        progress: called with the nodes so far and the most nodes, after each depth.

    Raises:
        IllegalMove, NotationError: in the start or the moves.
        ValueError: the game is over there.
    """
    position = _unfinished(start, moves)
    limit = EXPLAINED if nodes is None else Limit(nodes=nodes, seconds=EVALUATED_SECONDS)

    def heard(found: SearchResult) -> None:
        most = limit.nodes or found.nodes
        progress(min(found.nodes, most), most)

    judge = Judge(position, limit, exactly=nodes is not None, heard=heard)
    return analysis_data(position, judge.values(position), done=True, waiting=False)


def proven(start: str, moves: Sequence[str]) -> Mapping[int, Value]:
    """Return the values of the moves that a short search proves."""
    return exact_values(parse_line(start, moves)[-1])


def graph(start: str, moves: Sequence[str], *, known: Proofs = ()) -> list[GraphPoint]:
    """Return the value of each position of a line for X."""
    line = parse_line(start, moves)
    judge = _judge(line[0].rules_id, REVIEWED, known)
    played = [line[ply].parse_move(move) for ply, move in enumerate(moves)]
    found = judge.along(line[0], played)
    return [point_data(ply, each.position, each.value) for ply, each in enumerate(found)]


def _proofs(judge: Judge, positions: Iterable[Position]) -> list[SearchResult]:
    """Return the results of a judge with the proven moves only, for analyses of the positions."""
    results = (judge.values(position) for position in positions)
    found = [
        replace(each, moves=proven, lines={})
        for each in results
        if (proven := {move: value for move, value in each.moves.items() if value.is_exact})
    ]
    for limit in (EXPLAINED, REVIEWED) if found else ():
        _judge(found[0].position.rules_id, limit, found)
    return found


def explain(
    start: str, moves: Sequence[str], move: str | None = None, *, known: Proofs = ()
) -> WithProofs[WhyView]:
    """Explain the value of a position or of a move."""
    position = _unfinished(start, moves)
    chosen = None if move is None else position.parse_entry(move)
    judge = _judge(position.rules_id, EXPLAINED, known)
    found = explained(position, judge, chosen)
    why: WhyView = {"sentences": sentences_data(position, found, with_tree=True)}
    return WithProofs(why, _proofs(judge, [position]))


def hint(start: str, moves: Sequence[str], *, known: Proofs = ()) -> WithProofs[HintView]:
    """Return a threat of the opponent, and the best move with its reasons and its value."""
    position = _unfinished(start, moves)
    judge = _judge(position.rules_id, EXPLAINED, known)
    said = hint_data(position, judge.values(position))
    return WithProofs(said, _proofs(judge, [position]))


def attempt(start: str, moves: Sequence[str], move: str, *, known: Proofs = ()) -> TriedView:
    """Explain a move tried in place of an error."""
    position = _unfinished(start, moves)
    judge = _judge(position.rules_id, EXPLAINED, known)
    chosen = position.parse_entry(move)
    found = sentences(position, about_attempt(position, chosen, judge))
    return {"move": position.move_text(chosen), "sentences": sentences_data(position, found)}


def review(
    start: str,
    moves: Sequence[str],
    opening: int = 0,
    *,
    progress: Progress,
    tell: Tell,
    known: Proofs = (),
) -> WithProofs[ReviewView]:
    """Review every move of a line; `tell` gets `FoundError` data.

    The first `opening` moves get no label: they were no player's own.
    """
    line = parse_line(start, moves)
    steps = zip(line, moves, strict=False)
    played = [position.parse_move(text) for position, text in steps]
    game = Record.from_moves(line[0], played, {"Opening": str(opening)})

    def found_error(ply: int, label: str) -> None:
        position = line[ply - 1]
        words, player = move_words(position, played[ply - 1]), position.turn.value
        tell({"ply": ply, "player": player, "move": moves[ply - 1], "words": words, "label": label})

    limit = REVIEWED.tighter(Limit(seconds=round(REVIEW_SECONDS / len(line), 2)))
    judge = _judge(line[0].rules_id, limit, known)
    remarks = reviews.review(game, judge, progress, found_error)
    found = review_data(remarks, judge)
    return WithProofs(found, _proofs(judge, (remark.position for remark in remarks)))


def _of_puzzle(puzzle: Puzzle) -> list[SentenceView]:
    """Return the reasons of the first move of a puzzle."""
    position = puzzle.position
    judge = _judge(position.rules_id, EXPLAINED)
    return sentences_data(position, sentences(position, reasons(puzzle, judge)))


def puzzle_move(id: str, moves: Sequence[str], move: str) -> PuzzleAnswer:  # noqa: A002
    """Judge a move in an installed puzzle.

    Raises:
        IllegalMove: the rules do not allow a move.
        Refused: there is no such puzzle.
        ValueError: the game is over before the move.
    """
    puzzle = found_puzzle(id)
    start = str(puzzle.position)
    position = _unfinished(start, moves)
    chosen = position.parse_entry(move)
    found = judged(puzzle, parse_path(puzzle.position, moves), chosen)
    texts = [*moves, position.move_text(chosen)]
    said: list[SentenceView] = []
    if found.solved:
        said = _of_puzzle(puzzle)
    elif not found.right:
        judge = _judge(position.rules_id, EXPLAINED)
        why = faults(puzzle, position, chosen, judge)
        said = sentences_data(position, sentences(position, why))
    line, played = parse_line(start, texts), [chosen]
    if found.reply is not None:
        line.append(line[-1].play(found.reply))
        played.append(found.reply)
    views = [line_data(line[: len(texts) + 1 + number], last) for number, last in enumerate(played)]
    return {
        "move": texts[-1],
        "right": found.right,
        "solved": found.solved,
        "reply": None if found.reply is None else line[-2].move_text(found.reply),
        "positions": views,
        "sentences": said,
    }


def puzzle_solution(id: str, moves: Sequence[str]) -> PuzzleSolution:  # noqa: A002
    """Return the rest of the solution of an installed puzzle.

    Raises:
        IllegalMove: the rules do not allow a move.
        Refused: there is no such puzzle.
        ValueError: the game is over.
    """
    puzzle = found_puzzle(id)
    position = _unfinished(str(puzzle.position), moves)
    try:
        rest = rest_of_solution(puzzle, parse_path(puzzle.position, moves))
    except LimitReached:
        rest = ()
    return {"moves": move_texts(position, rest), "sentences": _of_puzzle(puzzle)}


def lab(name: str, options: Mapping[str, Any], *, progress: Progress) -> Data:
    """Run a lab and return its report, as data.

    Raises:
        NotationError, ValueError: a wrong option.
    """
    return asdict(LABS[name](progress=progress, **options))


def replay(
    start: str, moves: Sequence[str], algorithms: Sequence[str], page: bool, *, progress: Progress
) -> str:
    """Record searches and return their replay: as JSON, or with `page` as a single HTML page.

    Raises:
        IllegalMove, NotationError: in the position or the searches.
    """
    position = _unfinished(start, moves)
    searches = [parse_search(text, position) for text in algorithms]
    recordings = []
    for done, search in enumerate(searches):
        progress(done, len(searches))
        recording = Recording(max_events=REPLAYED_EVENTS)
        record(
            search.search,
            position,
            search.limit,
            write=recording,
            max_nodes=REPLAYED_NODES,
            **search.options,
        )
        recordings.append(recording)
    if page:
        return replays.replay(recordings)
    return json.dumps(replays.replay_data(recordings), ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=32)
def _exercise(kind: str, seed: int, difficulty: Level | None) -> Exercise:
    """Return an exercise; it is kept for its marks.

    Raises:
        Refused: there is no such kind or seed.
        TooFew: there is none of this difficulty.
    """
    check_exercise(kind, seed)
    wish = Wish(difficulty=None if difficulty is None else Grade(difficulty))
    (made,) = exercises(kind, 1, seed, wish)
    return made


def _figure(made: Exercise, *, solved: bool = False) -> FigureView:
    """Return the figure of an exercise."""
    drawn = exercise_figure.drawing(made, AUTO, solved=solved)
    return {
        "width": drawn.width,
        "height": drawn.height,
        "body": drawn.body,
        "scale": exercise_figure.scale(made, drawn),
        "description": exercise_figure.description(made, solved=solved),
    }


def exercise(kind: str, seed: int, difficulty: Level | None = None) -> ExerciseView:
    """Return an exercise without its answers; it raises as `_exercise`."""
    made = _exercise(kind, seed, difficulty)
    return {
        "title": made.title,
        "task": made.task,
        "rules": list(made.rules),
        "difficulty": made.difficulty.value,
        "figure": _figure(made),
        "entries": [
            {
                "name": entry.name,
                "label": entry.label,
                "kind": entry.kind,
                "choices": list(entry.choices),
                "row": entry.row,
                "column": entry.column,
                "clue": entry.clue,
            }
            for entry in made.entries
        ],
    }


def exercise_marks(
    kind: str, seed: int, answers: Mapping[str, str], difficulty: Level | None = None
) -> ExerciseMarks:
    """Mark answers.

    Raises:
        Refused, TooFew: as `_exercise`.
        ValueError: the exercise has no entry with one of the names.
    """
    made = _exercise(kind, seed, difficulty)
    try:
        marks = mark(made, answers)
    except KeyError as error:
        raise ValueError(f"The exercise has no entry {error}.") from None
    return {"marks": [{"name": name, "right": right, "says": says} for name, right, says in marks]}


def exercise_answers(kind: str, seed: int, difficulty: Level | None = None) -> ExerciseAnswers:
    """Return the answers of an exercise; it raises as `_exercise`."""
    made = _exercise(kind, seed, difficulty)
    return {
        "figure": _figure(made, solved=True),
        "answers": [
            {"name": entry.name, "answer": entry.shown, "why": entry.why} for entry in made.entries
        ],
    }


def check(
    folder: str, source: str, interface: str | None, function: str | None, *, progress: Progress
) -> tuple[Data, dict[str, str | None]]:
    """Check a student's file.

    Args:
        folder: for the file, and for its process.
        source: the text of the file.
        interface: its functions, by default those of CS50.
        function: the function that chooses a move, of another interface.
        progress: called with the per cent done, summed over the functions, and the full sum.

    Returns:
        The report, as `CheckView` data; and the move of its function in each position, as text,
        or `None` for no legal move.

    Raises:
        ValueError: the file has no functions to check.
    """
    # Here, since only this task needs them.
    from noughts.school.process import check_file

    return checked(
        partial(check_file, within=Path(folder)), folder, source, interface, function, progress
    )


def checked(
    checker: Callable[..., CheckReport],
    folder: str,
    source: str,
    interface: str | None,
    function: str | None,
    progress: Progress,
) -> tuple[Data, dict[str, str | None]]:
    """Check a student's file by `school.process.check_file` or `school.here.check_here`.

    The other arguments and the result are those of `check`.
    """
    from noughts.school.check import NothingToCheck
    from noughts.school.student import FUNCTIONS, Interface, position_of
    from noughts.views.check_report import headline

    path = Path(folder, "tictactoe.py")
    path.write_text(source, encoding="utf-8")
    names: dict[str, int] = dict.fromkeys(FUNCTIONS if interface in (None, "cs50") else (), 0)

    def note(name: str, done: int, of: int) -> None:
        # A function that fails is asked again; the progress stays.
        names[name] = max(names.get(name, 0), 100 * done // of)
        progress(sum(names.values()), 100 * len(names))

    try:
        form = None if interface is None else Interface(interface)
        report = checker(path, form, function, progress=note)
    except NothingToCheck as error:
        raise ValueError(f"the file {error}") from None
    data = {"schema": 1, "headline": headline(report), **report.as_data()}
    data["play"]["sentence"] = report.play_sentence()
    for name, each in data["functions"].items():
        each["verdict"] = report.verdict(name)
        for failure in each["failures"]:
            board = failure["board"]
            failure["picture"] = picture_data(position_of(board), None) if board else None
    moves = {}
    for board, action in report.moves.items():
        position = position_of(board)
        cell = None if action is None else 3 * action[0] + action[1]
        moves[str(position)] = None if cell is None else position.move_text(cell)
    return data, moves


WITH_KNOWN = (explain, hint, attempt, graph, review)
"""The tasks with an argument `known`."""
WITH_PROGRESS = (evaluate, review, lab, replay, check)
"""The tasks with an argument `progress`."""
WITH_TELL = (review,)
"""The tasks with an argument `tell`."""
