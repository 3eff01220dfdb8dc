"""`noughts analyse` values every move; `noughts solve` gives the exact value of a position."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import inf
from pathlib import Path
from typing import Annotated, Any

import typer

from noughts.cli.inputs import read_position, read_position_after
from noughts.cli.options import (
    ANALYSE,
    Commands,
    JsonFlag,
    MovesOption,
    PositionArgument,
    SearchLimits,
    limit_option,
)
from noughts.cli.output import Screen, answer, failing
from noughts.engine import LARGEST_TABLE, Engine, is_native
from noughts.games.position import IllegalMove, Position, move_texts
from noughts.games.row import ConnectFour
from noughts.games.words import count, outcome_sentence
from noughts.search import Limit, SearchResult, Value, negamax
from noughts.search.negamax import TableScore
from noughts.search.walk import unknown

app = Commands()


@app.add_to(
    ANALYSE,
    "noughts analyse basic --moves 51",
    "noughts analyse connect4 --depth 6",
    "noughts analyse 'ultimate~9.9.9.9.X8.9.9.9.9~O~1' --json",
)
def analyse(
    position: PositionArgument,
    limits: SearchLimits,
    moves: MovesOption = "",
    json_: JsonFlag = False,
) -> None:
    """Show the value of every move.

    win 2 wins in 2 moves, loss 2 loses in 2; 71% is the expected score, a draw counts half.
    """

    from noughts import analysis
    from noughts.cli.terminal import analysis_lines, watch

    place = read_position_after(position, moves)
    limit = limits.limit
    if limit == Limit():
        limit = Limit(nodes=1_000_000)
    last = watch(
        Screen(stderr=True), analysis.analyse(place, limit), partial(analysis_lines, place)
    )
    if json_:
        answer({"position": str(place), **_result_data(place, last)})
    elif place.outcome() is not None:
        print(outcome_sentence(place))
    else:
        for line in analysis_lines(place, last):
            print(line.plain)


def _result_data(position: Position, result: SearchResult) -> dict[str, Any]:
    return {
        "move": result.text,
        **result.value.as_data(),
        "exact": result.value.is_exact,
        "moves": {
            position.move_text(move): value.as_data() for move, value in result.moves.items()
        },
        "nodes": result.nodes,
        "depth": result.depth,
        "line": move_texts(position, result.line),
        "seconds": result.seconds,
    }


@app.add_to(
    ANALYSE,
    "noughts solve mnk:5,5,4",
    "noughts solve connect4 --moves 44444 --json",
    "noughts solve connect4 --weakly",
    "noughts solve connect4 --file positions.txt --json",
)
def solve(
    position: PositionArgument,
    moves: MovesOption = "",
    seconds: Annotated[float, limit_option("seconds", "Seconds for each position.")] = 60.0,
    table: Annotated[
        int, typer.Option(help="Size of the hash table in MiB.", min=1, max=LARGEST_TABLE)
    ] = 256,
    file: Annotated[
        Path | None,
        typer.Option(help="Solve the position after the moves of each line of this file."),
    ] = None,
    weakly: Annotated[
        bool, typer.Option("--weakly", help="Prove only who wins, not how soon.")
    ] = False,
    json_: JsonFlag = False,
) -> None:
    """Prove who wins, and how soon, if the time is enough.

    W 5: the side to move wins with the fifth mark from here; L 4: it loses to the fourth; D: draw.
    """

    start, opening = read_position(position, moves)
    place, limit = start.after(opening), Limit(seconds=seconds)
    prove: Any = _proof_in_python
    if is_native(start):
        prove = Engine(start.rules_id, table_mib=table).solve
    for each in (place,) if file is None else _positions_of(file, place):
        _show_solution(each, prove(each, limit, weakly=weakly), json_)


def _proof_in_python(place: Position, limit: Limit, *, weakly: bool = False) -> SearchResult:
    """Return the value of a position whose game the native solver does not know."""
    score: TableScore = "sign" if weakly else "distance"
    return negamax(place, limit, score=score, evaluate=unknown)


def _positions_of(file: Path, start: Position) -> Iterator[Position]:
    """Yield the position after the moves of each line.

    If a run of digits is a list of moves, the rest of the line is skipped: test files have a
    score there.
    """
    with failing(3, (OSError, UnicodeDecodeError), f"--file: cannot read {file}: "):
        lines = file.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        moves = "".join(line.split()[:1]) if start.digit_runs else line
        with failing(3, IllegalMove, f"--file: {file}, line {number}: "):
            yield start.after(moves)


def _show_solution(place: Position, result: SearchResult, json_: bool) -> None:
    value = result.value
    best = result.text
    score = _game_score(place, value)
    if json_:
        answer(
            {
                "position": str(place),
                "value": value.kind,
                "plies": value.plies,
                "score": score,
                "move": best,
                "bounds": [value.kind] * 2
                if value.is_exact
                else [_bound(bound) for bound in result.bounds],
                "nodes": result.nodes,
                "seconds": result.seconds,
            }
        )
        return
    words = "not solved in time" if not value.is_exact else str(value)
    shown = [words, f"best {best}" if best else "", f"score {score}" if score is not None else ""]
    work = f"{count(result.nodes, 'node')}, {result.seconds:.2f} s"
    print("   ".join(text for text in (*shown, work) if text), flush=True)


def _bound(score: float) -> str | None:
    """Return a bound of the score as `win`, `draw` or `loss`; `None` if there is no bound."""
    return None if abs(score) == inf else "win" if score >= 1 else "loss" if score <= -1 else "draw"


def _game_score(position: Position, value: Value) -> int | None:
    """Return the score that Connect Four solvers use, in stones; `None` for other games."""
    if not isinstance(position, ConnectFour) or not value.is_exact:
        return None
    if value.is_draw or value.plies is None:
        return 0 if value.is_draw else None
    stones = position.score_of_win(value.plies)
    return stones if value.is_win else -stones
