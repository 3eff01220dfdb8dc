"""`noughts explore`: the moves of a position, their values and games; `noughts explorer make`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.cli.database import opened_database
from noughts.cli.inputs import read_position_after
from noughts.cli.options import (
    ANALYSE,
    Commands,
    JsonFlag,
    MovesOption,
    PositionArgument,
    complete_rules,
    examples,
)
from noughts.cli.output import answer, fail, failing, progress, show_table, writing
from noughts.games.position import NotationError, Position
from noughts.games.words import count, outcome_sentence, short_text, state

if TYPE_CHECKING:
    from noughts.explorer.counts import Outcomes

app = Commands()
explorer = typer.Typer(
    name="explorer",
    help="Make the openings of the explorer: games of the engine against itself.",
    epilog=examples("noughts explorer make ultimate --games 1000 --seed 1 --out ultimate.txt"),
    no_args_is_help=True,
)
app.add_typer(explorer, name="explorer", rich_help_panel=ANALYSE)

BATCH = 100
"""Games of a server that are counted in one transaction."""


class Source(StrEnum):
    """The games to count."""

    BOTH = "both"
    SERVER = "server"
    ENGINE = "engine"


@app.add_to(
    ANALYSE,
    "noughts explore connect4 --moves 44",
    "noughts explore ultimate --database games.db --source server",
    "noughts explore basic --moves '5 1' --json",
)
def explore(
    position: PositionArgument,
    moves: MovesOption = "",
    database: Annotated[
        str | None,
        typer.Option(help="A server's database: an SQLite file or an SQLAlchemy URL."),
    ] = None,
    source: Annotated[Source, typer.Option(help="The games to count.")] = Source.BOTH,
    json_: JsonFlag = False,
) -> None:
    """Show the exact value of every move, and how the games with it ended.

    Moves that are equal by rotation or reflection share a line. The games are those of the engine
    against itself, and with --database the finished games of a server.
    """
    from noughts.explorer.counts import MAX_PLIES, added
    from noughts.explorer.explore import exact_values, explored
    from noughts.explorer.openings import BadOpenings, openings_of

    place = read_position_after(position, moves)
    if source is Source.SERVER and database is None:
        fail("--source server needs --database", 2)
    counted: list[tuple[int, Outcomes]] = []
    if source is not Source.ENGINE and database is not None:
        counted += _counts_of_server(database, place).items()
    with failing(4, BadOpenings):
        openings = None if source is Source.SERVER else openings_of(place.rules_id)
    if openings is not None:
        counted += openings.counts.items()
    found = explored(place, added(counted), exact_values(place))
    if json_:
        answer(
            {
                "position": str(place),
                "counted": place.ply < MAX_PLIES,
                "moves": [
                    {
                        "moves": [place.move_text(move) for move in each.moves],
                        "value": each.value and each.value.as_data(),
                        "games": each.outcomes.games,
                        **each.outcomes._asdict(),
                    }
                    for each in found
                ],
            }
        )
        return
    if not found:
        print(outcome_sentence(place))
        return
    rows = [
        [
            " ".join(place.move_text(move) for move in each.moves),
            str(each.value or "–"),
            *(f"{number:,}" for number in (each.outcomes.games, *each.outcomes)),
        ]
        for each in found
    ]
    told = []
    if place.ply >= MAX_PLIES:
        told.append(f"Games are counted for their first {MAX_PLIES} moves.")
    if openings is not None:
        told.append(f"The engine played {count(openings.games, 'game')} against itself.")
    headers = ["Move", "Value", "Games", "X won", "Drawn", "O won"]
    show_table(f"{short_text(place)}: {state(place)}", headers, [rows], told)


def _counts_of_server(database: str, place: Position) -> dict[int, Outcomes]:
    """Return how the server's games with each move of a position ended, once all are counted."""
    from noughts.explorer.counts import MAX_PLIES, steps

    with opened_database(database) as store, progress("counting games"):
        while ids := store.uncounted(BATCH):
            store.count_games(ids)
        return store.outcomes(list(steps(place)) if place.ply < MAX_PLIES else [])


@explorer.command(
    epilog=examples("noughts explorer make ultimate --games 1000 --seed 1 --out ultimate.txt")
)
def make(
    game: Annotated[str, typer.Argument(help="A game.", autocompletion=complete_rules)],
    out: Annotated[Path, typer.Option(help="The file to write; replaced at the end.")],
    games: Annotated[int, typer.Option(help="Games to play.", min=1)] = 100,
    seed: Annotated[int, typer.Option(help="Of the openings.", min=0)] = 0,
) -> None:
    """Let the engine play itself, and count the first moves of its games.

    Every limit is one of nodes: the same command makes the same file. An interrupted run continues
    from FILE.part.
    """
    from noughts.explorer.make import make as make_openings
    from noughts.work.continued import OtherCommand

    bad_use = failing(2, (NotationError, OtherCommand))
    with bad_use, writing(out, "--out"), progress("playing") as show:
        for played in make_openings(game, games, seed, out):
            show(played, games)
    print(f"{out}: {count(games, 'game')}")
