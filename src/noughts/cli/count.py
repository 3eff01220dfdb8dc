"""`noughts count`: the exact numbers of positions and games of a game."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from noughts.cli.inputs import read_position_after
from noughts.cli.options import (
    MORE,
    Commands,
    JsonFlag,
    MovesOption,
    PositionArgument,
    limit_option,
)
from noughts.cli.output import answer, failing, progress, show_table
from noughts.games.words import count as counted
from noughts.games.words import percent, short_text, title_and_rule
from noughts.labs.counting import (
    LARGEST_MEMORY,
    MEMORY_MIB,
    RESULTS,
    SECONDS,
    CountedLayer,
    GameCount,
    Kind,
    count_game,
    total,
)

app = Commands()

RESULT_NAMES: dict[Kind, str] = {"x": "won by X", "draw": "drawn", "o": "won by O"}


@app.add_to(
    MORE,
    "noughts count basic",
    "noughts count mnk:4,3,3 --json",
    "noughts count connect4 --plies 10",
    "noughts count mnk:5,4,4 --seconds 600 --memory 4096",
)
def count(
    game: PositionArgument,
    moves: MovesOption = "",
    plies: Annotated[
        int | None,
        typer.Option(help="Count only the positions after at most this many moves.", min=0),
    ] = None,
    seconds: Annotated[float, limit_option("seconds", "Stop after this time.")] = SECONDS,
    memory: Annotated[
        int, typer.Option(help="Most memory for the positions, in MiB.", min=1, max=LARGEST_MEMORY)
    ] = MEMORY_MIB,
    json_: JsonFlag = False,
) -> None:
    """Count the positions and games of a game, exactly, ply by ply.

    Exit code 1: a limit of time or memory came first. The plies shown are complete.
    """
    start = read_position_after(game, moves)
    with progress("counting") as show, failing(2, ValueError):
        found = count_game(start, plies=plies, seconds=seconds, memory_mib=memory, progress=show)
    bound = {"seconds": f"{seconds:g} s", "memory": f"{memory:,} MiB", "overflow": "2⁶⁴ sequences"}
    if json_:
        answer(_data(found))
    else:
        _show(found, bound.get(found.end))
    if found.end in bound:
        raise typer.Exit(1)


def _show(found: GameCount, bound: str | None) -> None:
    headers = ("ply", "positions", "up to symmetry", "move sequences", "X wins", "draws", "O wins")
    rows = []
    for ply, layer in enumerate(found.layers):
        games = (layer[kind].sequences for kind in RESULTS)
        rows.append([str(ply), *map(_number, (*total(layer), *games))])
    games = (found.sum_of(kind).sequences for kind in RESULTS)
    sums = [["all", *map(_number, (*found.sum_of(), *games))]]
    paragraphs = [_positions_sentence(found), _games_sentence(found)]
    if not found.is_complete:
        most = found.start.max_plies
        reached = f"Counted completely to ply {found.plies}" + (f" of {most}" if most else "")
        paragraphs.append(f"{reached}; stopped at {bound}." if bound else f"{reached}.")
    title = f"{title_and_rule(found.start)[0]}: {short_text(found.start)}"
    show_table(title, headers, (rows, sums), paragraphs)


def _number(number: int) -> str:
    return f"{number:,}" if number else "·"


def _positions_sentence(found: GameCount) -> str:
    everything, over = found.sum_of(), found.sum_of(*RESULTS)
    size = f"{counted(everything.positions, 'position')}, {everything.classes:,} up to symmetry."
    if not over.positions:
        return size
    parts = (f"{found.sum_of(kind).positions:,} {name}" for kind, name in RESULT_NAMES.items())
    return f"{size} The game is over in {over.positions:,}: {', '.join(parts)}."


def _games_sentence(found: GameCount) -> str:
    games = found.sum_of(*RESULTS).sequences
    if not games:
        return f"No game ends by ply {found.plies}."
    parts = []
    for kind, name in RESULT_NAMES.items():
        number = found.sum_of(kind).sequences
        parts.append(f"{number:,} {name} ({percent(number / games)})")
    if not found.is_complete:
        return f"{counted(games, 'game')} by ply {found.plies}: {', '.join(parts)}."
    lengths = found.games_by_length
    shortest, longest = min(lengths), max(lengths)
    span = counted(longest, "ply", "plies")
    if shortest < longest:
        span = f"{shortest} to {span}, {found.mean_length:.2f} on average"
    return f"{counted(games, 'game')}: {', '.join(parts)}. Length: {span}."


def _data(found: GameCount) -> dict[str, Any]:
    lengths = found.games_by_length
    totals = found.sum_of()
    return {
        "game": found.start.rules_id,
        "position": str(found.start),
        "complete": found.is_complete,
        "ended_by": found.end,
        "seconds": round(found.seconds, 3),
        "plies": [
            {"ply": ply, **total(layer)._asdict(), "over": _over(layer)}
            for ply, layer in enumerate(found.layers)
        ],
        "total": {
            **totals._asdict(),
            "over": _over({kind: found.sum_of(kind) for kind in RESULTS}),
            "games": found.sum_of(*RESULTS).sequences,
            "shortest": min(lengths, default=None),
            "longest": max(lengths, default=None),
            "mean_length": found.mean_length,
        }
        if found.is_complete
        else None,
    }


def _over(layer: CountedLayer) -> dict[str, Any]:
    """Return the counts of the finished positions of a layer; their sequences are games."""
    over: dict[str, Any] = {}
    for kind in RESULTS:
        positions, classes, games = layer[kind]
        over[kind] = {"positions": positions, "classes": classes, "games": games}
    return over
