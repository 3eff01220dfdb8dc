"""The file and the database that keep the games of a match."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from noughts.cli.database import opened_database
from noughts.cli.output import fail, failing, warn, writing
from noughts.games.position import IllegalMove, NotationError
from noughts.games.record import Record, parse_json_line

if TYPE_CHECKING:
    from noughts.arena.match import Match


class ResultsSink(NamedTuple):
    """A file or database that keeps the games of a match."""

    place: str
    records: Sequence[Record]
    """Games from before this run."""
    add: Callable[[Record], object]


@contextmanager
def file_sink(path: Path) -> Iterator[ResultsSink]:
    from noughts.arena.results import Results

    unreadable = failing(3, (IllegalMove, NotationError), f"--out: {path} is not a file of games: ")
    with unreadable, writing(path, "--out"):
        results = Results(path)

    def add(record: Record) -> None:
        with writing(path, "--out"):
            results.add(record)

    with closing(results):
        if results.cut_off:
            warn(f"the last line of {path} is cut off; its game is played again")
        yield ResultsSink(str(path), results.records, add)


@contextmanager
def database_sink(url: str, event: str) -> Iterator[ResultsSink]:
    with opened_database(url) as store:
        from noughts.database.store import without_password

        errors = (IllegalMove, NotationError)
        with failing(3, errors, f"--database: cannot read a game of {event}: "):
            records = [parse_json_line(line) for line in store.results(event)]
        yield ResultsSink(without_password(url), records, store.add_result)


def load_played(played: Match, sinks: Sequence[ResultsSink]) -> None:
    """Load the games that each sink already has; add them to the match and to the other sink."""
    from noughts.arena.results import OtherTerms, games_of

    known = []
    for sink in sinks:
        try:
            known.append(games_of(sink.records, played.terms, played.fixtures))
        except OtherTerms as error:
            fail(f"{sink.place} has another match: {error}. Choose another name.", 3)
    every = dict(sorted({number: each for has in known for number, each in has.items()}.items()))
    for sink, has in zip(sinks, known, strict=True):
        for number in every.keys() - has.keys():
            sink.add(every[number])
    for number, record in every.items():
        played.add(number, record)
