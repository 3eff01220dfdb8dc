"""The command line: `noughts play`, `games`, `analyse`, `perft`, `solve`, and what the modules of
`ADDED` add. `command` has what all of them share.
"""

from __future__ import annotations

import io
import shlex
import sys
from collections.abc import Iterator
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import noughts
from noughts.apps import compare, desk, learn, match, protocol, ratings, results, see, serve
from noughts.apps.command import (
    JsonFlag,
    MovesOption,
    SaveOption,
    SeedOption,
    SwappedFlag,
    after,
    answer,
    complete_rules,
    examples,
    fail,
    progress,
    read_position,
)
from noughts.games import registry
from noughts.games.position import IllegalMove, NotationError, Position
from noughts.games.row import ConnectFour

if TYPE_CHECKING:
    from noughts.search import SearchResult, Value

app = typer.Typer(
    name="noughts",
    help="The workbench for the tic-tac-toe family: play it, and see how the machine thinks.",
    epilog=examples(
        "noughts play", "noughts play ultimate --o mcts:seconds=1", "noughts lab counts"
    ),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def complete_opponent(incomplete: str) -> list[str]:
    from noughts.arena.player import OPPONENTS

    return [name for name in OPPONENTS if name.startswith(incomplete)]


WHO = (
    "human, random, minimax, alphabeta, hminimax, negamax, mcts, engine or perfect, with limits "
    "and options as in alphabeta:depth=6 or mcts:simulations=1000,seed=1"
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"noughts {noughts.__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    load: Annotated[
        list[Path] | None,
        typer.Option(help="A Python file that registers games of your own; may be repeated."),
    ] = None,
    version: Annotated[  # noqa: ARG001 - acts in its callback
        bool,
        typer.Option("--version", help="Show the version.", callback=_version, is_eager=True),
    ] = False,
) -> None:
    context.obj = [word for path in load or () for word in ("--load", str(path))]
    for path in load or ():
        load_file(path)


def load_file(path: Path) -> None:
    """Run a Python file, so that the games in it register themselves."""
    if path.suffix != ".py" or not path.is_file():
        fail(f"--load: {path} is not a Python file", 2)
    try:
        registry.load(path)
    except Exception as error:  # whatever a user's file may raise
        fail(f"--load: {path}: {type(error).__name__}: {error}", 3)


@app.command(
    epilog=examples(
        "noughts play",
        "noughts play mnk:5,5,4 --x alphabeta:depth=4 --o human",
        "noughts play ultimate --x mcts:simulations=500 --o negamax:seconds=1 --save games.txt",
        "noughts play basic --o human < moves.txt",
    )
)
def play(
    context: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(
            help="A rules id or a position string; asked for if left out.",
            autocompletion=complete_rules,
        ),
    ] = None,
    x: Annotated[
        str,
        typer.Option(
            "--x", help=f"Who plays X and moves first: {WHO}.", autocompletion=complete_opponent
        ),
    ] = "human",
    o: Annotated[
        str,
        typer.Option("--o", help="Who plays O: one of the same.", autocompletion=complete_opponent),
    ] = "engine",
    moves: MovesOption = "",
    save: SaveOption = None,
    seed: SeedOption = None,
    swapped: SwappedFlag = False,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII.")] = False,
) -> None:
    """Play a game in the terminal: a person or any opponent on either side."""
    from noughts.apps import terminal
    from noughts.arena.player import OpponentFailed, parse_opponent
    from noughts.games.position import Player

    screen = terminal.Screen(ascii_only)
    if game is None:
        try:
            start, sides, swapped = terminal.set_up(screen, seed)
        except terminal.Leave:
            return
        opening: list[int] = []
    else:
        start, opening = read_position(game, moves)
        try:
            sides = {
                player: parse_opponent(text, seed if seed is None else 2 * seed + number)
                for number, (player, text) in enumerate(zip(Player, (x, o), strict=True))
            }
        except NotationError as error:
            fail(str(error), 2)
    table = terminal.Table(screen, start, sides, moves=opening, swapped=swapped, save=save)
    table.resume = shlex.join(["noughts", *context.obj, "play"])
    try:
        table.run()
    except OpponentFailed as error:
        table.farewell()
        fail(str(error), 4)


@app.command(epilog=examples("noughts games", "noughts games ultimate ultimate:won=open"))
def games(
    rules: Annotated[
        list[str] | None,
        typer.Argument(
            help="Two rules ids, to see where they part.", autocompletion=complete_rules
        ),
    ] = None,
    json_: JsonFlag = False,
) -> None:
    """List the games, each in one sentence; or show where two sets of rules part."""
    if not rules:
        rows = [(family.name, family.options, family.about) for family in noughts.GAMES.values()]
        if json_:
            answer({"games": [{"name": n, "options": o, "about": a} for n, o, a in rows]})
            return
        for name, options_, about in rows:
            print(f"{name}{':' if options_ else ''}{options_}")
            print(f"    {about}")
        return
    if len(rules) != 2:
        fail(f"games takes no rules id or two, not {len(rules)}", 2)
    _show_difference(rules[0], rules[1], json_)


def _show_difference(first: str, second: str, json_: bool) -> None:
    from noughts.games.difference import compare

    start = read_position(first)[0]
    comparison = compare(start, read_position(second)[0])
    texts = noughts.move_texts(start, comparison.moves or ())
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
        print(f"{position}")
        allowed = f"{len(moves)} moves: {' '.join(moves)}"
        print(f"    {_outcome_text(position) or allowed}")


def _outcome_text(position: Position) -> str | None:
    outcome = position.outcome()
    if outcome is None:
        return None
    return f"{outcome.winner} wins" if outcome.winner else "a draw"


@app.command(
    epilog=examples(
        "noughts analyse basic --moves 51",
        "noughts analyse connect4 --depth 6",
        "noughts analyse 'ultimate~9.9.9.9.X8.9.9.9.9~O~1' --json",
    )
)
def analyse(
    position: Annotated[
        str, typer.Argument(help="A position string or a rules id.", autocompletion=complete_rules)
    ],
    moves: MovesOption = "",
    depth: Annotated[int | None, typer.Option(help="Plies to look ahead.", min=1)] = None,
    nodes: Annotated[
        int | None, typer.Option(help="Positions to enter; a million if no limit is given.", min=1)
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Time to think.", min=0.001)] = None,
    json_: JsonFlag = False,
) -> None:
    """Give the value of every legal move: W 3 wins in 3 plies, D draws, +0.42 is an estimate."""
    from rich.console import Console

    from noughts.apps.terminal import analysis, analysis_lines, watch
    from noughts.search import Limit
    from noughts.views.words import outcome_sentence

    place = after(*read_position(position, moves))
    limit = Limit(depth, nodes, seconds)
    if limit == Limit():
        limit = Limit(nodes=1_000_000)
    last = watch(Console(stderr=True), analysis(place, limit), partial(analysis_lines, place))
    if json_:
        answer({"position": str(place), **_result_data(place, last)})
    elif place.outcome() is not None:
        print(outcome_sentence(place))
    else:
        for line in analysis_lines(place, last):
            print(line.plain)


def _result_data(position: Position, result: SearchResult) -> dict[str, Any]:
    return {
        "best": None if result.move is None else position.move_text(result.move),
        **result.value._asdict(),
        "exact": result.value.value != "unknown",
        "scores": {
            position.move_text(move): value._asdict() for move, value in result.scores.items()
        },
        "nodes": result.nodes,
        "depth": result.depth,
        "pv": noughts.move_texts(position, result.pv),
        "seconds": result.seconds,
    }


@app.command(
    epilog=examples(
        "noughts perft connect4 --depth 6",
        "noughts perft ultimate --moves '51 15' --depth 4 --json",
        "noughts perft ultimate --depth 8 --native",
    )
)
def perft(
    game: Annotated[
        str, typer.Argument(help="A rules id or a position string.", autocompletion=complete_rules)
    ],
    depth: Annotated[int, typer.Option(help="Count depth 1 to this.", min=1)],
    moves: MovesOption = "",
    native: Annotated[bool, typer.Option("--native", help="Count with the native core.")] = False,
    json_: JsonFlag = False,
) -> None:
    """Count the move sequences of each length: the standard check of a rulebook."""
    place = after(*read_position(game, moves))
    counts = []
    with progress("counting") as show:
        for plies in range(1, depth + 1):
            counts.append(_perft(place, plies, native, show))
            if not json_:
                print(f"{plies:>3} {counts[-1]:>16,}", flush=True)
    if json_:
        answer({"position": str(place), "nodes": counts})


def _perft(position: Position, depth: int, native: bool, show: Any) -> int:
    """Count with progress after each move of the root."""
    count_below = noughts.perft
    if native:
        from noughts import engine

        count_below = engine.perft
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    count = 0
    for number, move in enumerate(moves, 1):
        count += count_below(position.play(move), depth - 1)
        show(number, len(moves))
    return count


@app.command(
    epilog=examples(
        "noughts solve mnk:5,5,4",
        "noughts solve connect4 --moves 44444 --json",
        "noughts solve connect4 --weakly",
        "noughts solve connect4 --file positions.txt --json",
    )
)
def solve(
    position: Annotated[
        str,
        typer.Argument(help="A position string or a rules id.", autocompletion=complete_rules),
    ],
    moves: MovesOption = "",
    seconds: Annotated[float, typer.Option(help="Time for each position.", min=0.001)] = 60.0,
    table: Annotated[int, typer.Option(help="Memory of the table in MiB.", min=1)] = 256,
    file: Annotated[
        Path | None,
        typer.Option(help="Solve after the moves of each line of this file, in order."),
    ] = None,
    weakly: Annotated[
        bool, typer.Option("--weakly", help="Find out who wins, not how soon.")
    ] = False,
    json_: JsonFlag = False,
) -> None:
    """Give the exact value of a position, or say that it was not found in the time given."""
    from noughts.engine import Engine
    from noughts.search import Limit

    start, opening = read_position(position, moves)
    try:
        engine = Engine(start.rules_id, table_mib=table)
    except NotationError as error:
        fail(str(error), 2)
    place, limit = after(start, opening), Limit(seconds=seconds)
    for each in (place,) if file is None else _positions_of(file, place):
        _show_solution(each, engine.solve(each, limit, weakly=weakly), json_)


def _positions_of(file: Path, start: Position) -> Iterator[Position]:
    """Yield the position after the moves of each line.

    Where runs of digits are moves, only the first word of a line is: files of test positions have
    a score behind it.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        fail(f"--file: {file} cannot be read: {error}", 3)
    for number, line in enumerate(lines, 1):
        moves = "".join(line.split()[:1]) if start.digit_runs else line
        try:
            yield after(start, noughts.parse_moves(start, moves))
        except IllegalMove as error:
            fail(f"--file: {file}, line {number}: {error}", 3)


def _show_solution(place: Position, result: SearchResult, json_: bool) -> None:
    value = result.value
    best = None if result.move is None else place.move_text(result.move)
    score = _game_score(place, value)
    if json_:
        answer(
            {
                "position": str(place),
                "value": value.value,
                "plies": value.plies,
                "score": score,
                "best": best,
                "bounds": [_bound(bound) for bound in result.bounds],
                "nodes": result.nodes,
                "seconds": result.seconds,
            }
        )
        return
    words = "not within the limit" if value.value == "unknown" else str(value)
    shown = [words, f"best {best}" if best else "", f"score {score}" if score is not None else ""]
    work = f"{result.nodes:,} nodes, {result.seconds:.2f} s"
    print("   ".join(text for text in (*shown, work) if text), flush=True)


def _bound(score: float) -> str | None:
    """Return the outlook that a bound of the score stands for; `None` where nothing is known."""
    return None if abs(score) == inf else "win" if score >= 1 else "loss" if score <= -1 else "draw"


def _game_score(position: Position, value: Value) -> int | None:
    """Return the value on the game's own scale, where it has one: Connect Four counts stones."""
    if not isinstance(position, ConnectFour) or value.value == "unknown":
        return None
    if value.value == "draw" or value.plies is None:
        return 0 if value.value == "draw" else None
    stones = position.score_of_win(value.plies)
    return stones if value.value == "win" else -stones


ADDED = (see, compare, learn, match, results, ratings, protocol, serve, desk)
for module in ADDED:
    app.add_typer(module.app)


def main() -> None:
    """Run the command line."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    app()
