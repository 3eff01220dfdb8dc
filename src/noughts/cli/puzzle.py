"""`noughts puzzle`: make and solve puzzles."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from noughts.cli.options import PLAY, Commands, complete_rules, examples
from noughts.cli.output import failing, progress, writing
from noughts.games.position import NotationError
from noughts.games.words import count

app = Commands()
puzzles = typer.Typer(
    name="puzzle",
    help="Solve puzzles, or make them: positions with one best move, which is proven.",
    epilog=examples(
        "noughts puzzle play",
        "noughts puzzle play connect4 --level hard",
        "noughts puzzle make ultimate --count 100 --seed 1 --out ultimate.txt",
    ),
    no_args_is_help=True,
)
app.add_typer(puzzles, name="puzzle", rich_help_panel=PLAY)


@puzzles.command(
    epilog=examples(
        "noughts puzzle make connect4 --count 20 --out connect4.txt",
        "noughts puzzle make mnk:6,6,4 --count 100 --seed 7 --jobs 4 --out small.txt",
    )
)
def make(
    game: Annotated[str, typer.Argument(help="A game.", autocompletion=complete_rules)],
    out: Annotated[Path, typer.Option(help="The file to write; replaced at the end.")],
    number: Annotated[int, typer.Option("--count", help="Puzzles to make.", min=1)] = 100,
    seed: Annotated[int, typer.Option(help="Of the games.", min=0)] = 0,
    jobs: Annotated[int, typer.Option(help="Games at once.", min=1)] = 1,
    most_games: Annotated[
        int | None, typer.Option("--games", help="Stop after this many games.", min=1)
    ] = None,
) -> None:
    """Find puzzles in games between weak levels of the engine, prove and rate them.

    Every limit is one of nodes: the same command makes the same file. An interrupted run continues
    from FILE.part.
    """
    from noughts.puzzles.make import make as make_puzzles
    from noughts.puzzles.puzzle import BadPuzzles

    bad_use = failing(2, (NotationError, BadPuzzles))
    with bad_use, writing(out, "--out"), progress("searching games") as show:
        for found, games in make_puzzles(game, number, seed, out, jobs, most_games):  # noqa: B007
            show(found, number)
    print(f"{out}: {count(found, 'puzzle')} from {count(games, 'game')}")
