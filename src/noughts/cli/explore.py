"""`noughts explore`: the moves of a position, their values and games; `--make` plays the games."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from noughts.cli.database import opened_database
from noughts.cli.inputs import read_position_after
from noughts.cli.options import (
    MORE,
    Commands,
    JsonFlag,
    MovesOption,
    PositionArgument,
)
from noughts.cli.output import answer, fail, failing, progress, show_table, writing
from noughts.games.position import NotationError, Position
from noughts.games.words import count, outcome_sentence, short_text, state

if TYPE_CHECKING:
    from noughts.explorer.counts import Outcomes

app = Commands()
GAMES = 100
"""Default number of games of `--make`."""
BATCH = 100
"""Games of a server that are counted in one transaction."""


class Source(StrEnum):
    """The games to count."""

    BOTH = "both"
    SERVER = "server"
    ENGINE = "engine"


@dataclass(frozen=True)
class MakeOptions:
    """The games that the engine plays against itself."""

    panel: ClassVar[str] = "Make the games"
    make: Annotated[
        Path | None,
        typer.Option(
            help="Let the engine play itself, and write the openings of its games to this file."
        ),
    ] = None
    games: Annotated[int | None, typer.Option(help=f"Games to play. Default: {GAMES}.", min=1)] = (
        None
    )
    seed: Annotated[int | None, typer.Option(help="Of the games. Default: 0.", min=0)] = None


@app.add_to(
    MORE,
    "noughts explore connect4 --moves 44",
    "noughts explore ultimate --database games.db --source server",
    "noughts explore basic --moves '5 1' --json",
    "noughts explore ultimate --make ultimate.txt --games 1000 --seed 1",
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
    *,
    made: MakeOptions,
) -> None:
    """Show the exact value of every move, and how the games with it ended.

    Moves that are equal by rotation or reflection share a line. The games are those of the engine
    against itself, and with --database the finished games of a server.
    """
    if made.make is not None:
        _make(position, made.make, made.games or GAMES, made.seed or 0)
        return
    if made.games is not None or made.seed is not None:
        fail("--games and --seed need --make FILE", 2)
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


def _make(game: str, out: Path, games: int, seed: int) -> None:
    """Write the openings of a game."""
    from noughts.explorer.make import make as make_openings
    from noughts.work.continued import OtherCommand

    bad_use = failing(2, (NotationError, OtherCommand))
    with bad_use, writing(out, "--make"), progress("playing") as show:
        for played in make_openings(game, games, seed, out):
            show(played, games)
    print(f"{out}: {count(games, 'game')}")
