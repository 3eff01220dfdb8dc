"""`noughts games` lists the games and compares rules; `noughts perft` counts move sequences."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from noughts.cli.inputs import read_position, read_position_after
from noughts.cli.options import (
    DEVELOP,
    MORE,
    Commands,
    JsonFlag,
    MovesOption,
    PositionArgument,
    complete_rules,
    limit_option,
)
from noughts.cli.output import answer, fail, progress
from noughts.games.position import Position, move_texts
from noughts.games.position import perft as count_sequences
from noughts.games.registry import GAMES
from noughts.games.words import count

app = Commands()


@app.add_to(
    MORE,
    "noughts games",
    "noughts games ultimate ultimate:won=open",
)
def games(
    rules: Annotated[
        list[str] | None,
        typer.Argument(help="Two games to compare.", autocompletion=complete_rules),
    ] = None,
    json_: JsonFlag = False,
) -> None:
    """List the games, or show the first difference between two sets of rules."""
    if not rules:
        if json_:
            fields = ("name", "title", "usage", "about")
            known = GAMES.values()
            answer({"games": [{each: getattr(one, each) for each in fields} for one in known]})
            return
        for one in GAMES.values():
            print(f"{one.title}: {_usage(one)}")
            print(f"    {one.about}")
            for preset in one.presets:
                print(f"    {preset.title}: {preset.rules_id}")
        return
    if len(rules) != 2:
        fail(f"name two games to compare, or none to list them; {len(rules)} given", 2)
    _show_difference(rules[0], rules[1], json_)


def _usage(game: type[Position]) -> str:
    """Return how a rules id of a game is written: `connect4[:W,H[,K]]`, `mnk:M,N,K`."""
    usage = game.usage
    after_name = f"[:{usage[1:].lstrip(',')}" if usage.startswith("[") else f":{usage}"
    return f"{game.name}{after_name}" if usage else game.name


def _show_difference(first: str, second: str, json_: bool) -> None:
    from noughts.games.difference import compare

    start = read_position(first)[0]
    comparison = compare(start, read_position(second)[0])
    texts = move_texts(start, comparison.moves or ())
    sides = (comparison.first, comparison.second)
    if json_:
        answer(
            {
                "moves": texts if comparison.moves is not None else None,
                "positions": [str(position) for position in sides],
                "allowed": [[p.move_text(move) for move in p.legal_moves()] for p in sides],
                "outcomes": [_outcome_text(position) for position in sides],
                "compared": comparison.positions,
                "complete": comparison.complete,
            }
        )
        return
    if comparison.moves is None:
        found = "all of them: the rules are the same" if comparison.complete else "no difference"
        print(f"{comparison.positions:,} positions compared, {found}")
        return
    print(f"after {' '.join(texts)}" if texts else "at the start")
    for position in sides:
        moves = [position.move_text(move) for move in position.legal_moves()]
        allowed = f"{count(len(moves), 'move')}: {' '.join(moves)}"
        print(f"{position}")
        print(f"    {_outcome_text(position) or allowed}")


def _outcome_text(position: Position) -> str | None:
    outcome = position.outcome()
    if outcome is None:
        return None
    return f"{outcome.winner} wins" if outcome.winner else "a draw"


@app.add_to(
    DEVELOP,
    "noughts perft connect4 --depth 6",
    "noughts perft ultimate --moves '51 15' --depth 4 --json",
    "noughts perft ultimate --depth 8 --native",
)
def perft(
    game: PositionArgument,
    depth: Annotated[int, limit_option("depth", "Count sequences of 1 to this many moves.")],
    moves: MovesOption = "",
    native: Annotated[bool, typer.Option("--native", help="Count with the native core.")] = False,
    json_: JsonFlag = False,
) -> None:
    """Count the move sequences of each length: the standard test of a rulebook."""
    place = read_position_after(game, moves)
    counts = []
    with progress("counting") as show:
        for plies in range(1, depth + 1):
            counts.append(_perft(place, plies, native, show))
            if not json_:
                print(f"{plies:>3} {counts[-1]:>16,}", flush=True)
    if json_:
        answer({"position": str(place), "nodes": counts})


def _perft(position: Position, depth: int, native: bool, show: Any) -> int:
    """Count sequences, and show progress after each move of the root."""
    count_below = count_sequences
    if native:
        from noughts import engine

        count_below = engine.perft
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    counted = 0
    for number, move in enumerate(moves, 1):
        counted += count_below(position.play(move), depth - 1)
        show(number, len(moves))
    return counted
