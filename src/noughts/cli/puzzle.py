"""`noughts puzzle`: make and solve puzzles."""

from __future__ import annotations

import datetime
import random
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from noughts.cli.options import PLAY, Commands, SeedOption, complete_rules, examples
from noughts.cli.output import fail, failing, progress, warn, writing
from noughts.games import registry
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
        "noughts puzzle make advanced --keep --count 20 --out keep.txt",
    )
)
def make(
    game: Annotated[str, typer.Argument(help="A game.", autocompletion=complete_rules)],
    out: Annotated[Path, typer.Option(help="The file to write; replaced at the end.")],
    number: Annotated[int, typer.Option("--count", help="Puzzles to make.", min=1)] = 100,
    seed: Annotated[int, typer.Option(help="Of the games.", min=0)] = 0,
    jobs: Annotated[int, typer.Option(help="Games at once.", min=1)] = 1,
    max_games: Annotated[
        int | None, typer.Option("--games", help="Stop after this many games.", min=1)
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Make puzzles in which only one move keeps a win.")
    ] = False,
) -> None:
    """Find puzzles in games between weak levels of the engine, prove and rate them.

    Every limit is one of nodes: the same command makes the same file. An interrupted run continues
    from FILE.part.
    """
    from noughts.puzzles.make import make as make_puzzles
    from noughts.puzzles.puzzle import BadPuzzles
    from noughts.work.continued import OtherCommand

    bad_use = failing(2, (NotationError, OtherCommand, BadPuzzles))
    with bad_use, writing(out, "--out"), progress("searching games") as show:
        for found, games in make_puzzles(game, number, seed, out, jobs, max_games, keep):  # noqa: B007
            show(found, number)
    print(f"{out}: {count(found, 'puzzle')} from {count(games, 'game')}")


class Difficulty(StrEnum):
    """Difficulties of puzzles."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


@puzzles.command(
    epilog=examples(
        "noughts puzzle play",
        "noughts puzzle play connect4 --level hard",
        "noughts puzzle play --today",
    )
)
def play(
    game: Annotated[
        str | None,
        typer.Argument(help="A game. Left out: all games.", autocompletion=complete_rules),
    ] = None,
    level: Annotated[Difficulty | None, typer.Option(help="Only puzzles this difficult.")] = None,
    today: Annotated[bool, typer.Option("--today", help="Solve the puzzle of the day.")] = False,
    seed: SeedOption = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII.")] = False,
) -> None:
    """Solve puzzles: find the best move, and play on against the longest defence."""
    from noughts.cli.puzzle_play import PuzzleGame
    from noughts.cli.terminal import Quit, Terminal
    from noughts.puzzles.puzzle import GAMES, BadPuzzles, all_puzzles, puzzle_of_day, puzzles_of
    from noughts.puzzles.streak import load_streak, streak_file

    if today and (game or level):
        fail("--today takes no game and no --level: everybody gets the same puzzle", 2)
    day, file = datetime.date.today(), streak_file()
    with failing(4, (OSError, ValueError)):
        streak = load_streak(file)
    with failing(4, BadPuzzles):
        if today:
            chosen = [puzzle_of_day(day)]
        elif game is None:
            chosen = all_puzzles()
        else:
            with failing(2, NotationError):
                rules = registry.game(game).rules_id
            chosen = list(puzzles_of(rules))
            if not chosen:
                fail(f"there are no puzzles of {rules}. Games: {' '.join(GAMES)}", 2)
    chosen = [each for each in chosen if level in (None, each.level)]
    if not chosen:
        fail(f"there are no {level} puzzles of {game}", 2)
    random.Random(seed).shuffle(chosen)
    chosen.sort(key=lambda puzzle: puzzle.id in streak.solved)
    asked = PuzzleGame(Terminal(ascii_only), streak)
    try:
        for number, puzzle in enumerate(chosen, 1):
            solved = asked.solve(puzzle, "Today" if today else f"Puzzle {number} of {len(chosen)}")
            if solved and today:
                streak.solve_day(day)
                print(f"Days in a row: {streak.days}.")
    except Quit:
        pass
    finally:
        try:
            streak.save(file)
        except OSError as error:
            warn(f"cannot save your streak in {file}: {error.strerror}")
