"""`noughts ratings`: Elo ratings of players, in a table, JSON or a chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.arena.standings import standings
from noughts.cli.database import opened_database
from noughts.cli.inputs import read_records
from noughts.cli.options import MORE, ChartTheme, Commands, JsonFlag, complete_rules
from noughts.cli.output import answer, check_chart, fail, failing, progress, show_table, writing
from noughts.games import registry
from noughts.games.position import IllegalMove, NotationError
from noughts.games.record import UNFINISHED, Record, parse_json_line, parse_time
from noughts.games.words import count, percent
from noughts.views.standings import points_text

if TYPE_CHECKING:
    from noughts.arena.rating import Rating

app = Commands()

BOUNDS = {
    ">": "> marks players who won every game against the others",
    "<": "< those who lost every game against them",
    "~": "~ those who did both",
}
"""What each sign before a rating means; "the others" are the players without a sign."""


@app.add_to(
    MORE,
    "noughts ratings match.jsonl",
    "noughts ratings 2026-*.jsonl --game connect4 --anchor engine:level=1=1000",
    "noughts ratings --database results.db --since 2026-03-01 -o ratings.svg",
)
def ratings(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Files of games, such as those of a match.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(help="A database with matches: an SQLite file or an SQLAlchemy URL."),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(help="Only games of these rules.", autocompletion=complete_rules),
    ] = None,
    anchor: Annotated[
        str | None,
        typer.Option(help="A player and its rating, such as random=0. Default: the mean is 1500."),
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="Only games since this day: YYYY-MM-DD.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Draw the ratings over time to a .png or .svg file."),
    ] = None,
    theme: Annotated[ChartTheme, typer.Option(help="Colours of the chart.")] = ChartTheme.LIGHT,
    json_: JsonFlag = False,
) -> None:
    """Rate players by all their games, with error bars (Elo, Bradley-Terry model).

    A draw is half a point. The error bars count the two games of a pair as one.
    """
    from noughts.arena.rating import history, rate

    if not files and database is None:
        fail("name files of games, --database, or both", 2)
    with failing(2, NotationError, "--game: "):
        rules = None if game is None else registry.game(game).rules_id
    fixed = None if anchor is None else _anchor(anchor)
    start = None if since is None else parse_time(since)
    if start is None and since is not None:
        fail(f"--since: {since!r} is not a date, such as 2026-03-01", 2)
    if output is not None:
        check_chart(output)
    with progress("reading"):
        records = _chosen([*_of_files(files or ()), *_of_database(database, rules)], rules, start)
    if not records:
        fail("there are no finished games between two players", 3)
    with progress("rating"):
        table = standings(records)
        with failing(2, ValueError, "--anchor: "):
            found = rate(table.meetings(), fixed)
    dates = [date[:10] for record in records if (date := record.tags.get("Date"))]
    played = [*table.by_rules]
    if json_:
        answer(
            {
                "games": table.games,
                "rules": played,
                "from": dates[0] if dates else None,
                "to": dates[-1] if dates else None,
                "anchor": None if fixed is None else {"name": fixed[0], "elo": fixed[1]},
                "ratings": [rating._asdict() for rating in found],
            }
        )
    else:
        _show(found, f"{count(table.games, 'game')} of {', '.join(played)}{_between(dates)}", fixed)
    if output is not None:
        from noughts.views.chart import kind_of
        from noughts.views.rating_chart import rating_chart

        with progress("drawing"):
            moments = history(records, anchor=fixed)
            title = f"Ratings at {', '.join(played)}"
            drawn = rating_chart(title, moments, kind_of(output.name), theme.value)
        with writing(output):
            output.write_bytes(drawn)


def _anchor(text: str) -> tuple[str, float]:
    name, _, rating = text.rpartition("=")
    try:
        elo = float(rating)
    except ValueError:
        elo = float("nan")
    if not name or not abs(elo) < 1e6:
        fail(f"--anchor: {text!r} is not a player and a rating, such as random=0", 2)
    return name, elo


def _of_files(files: Sequence[Path]) -> Iterator[Record]:
    for file in files:
        yield from read_records(file)


def _of_database(database: str | None, rules: str | None) -> Iterator[Record]:
    if database is None:
        return
    if "://" not in database and not Path(database).is_file():
        fail(f"--database: there is no file {database}", 3)
    with opened_database(database) as store:
        lines = store.results(rules=rules)
    try:
        yield from map(parse_json_line, lines)
    except (IllegalMove, NotationError) as error:
        fail(f"--database: cannot read a game: {error}", 3)


def _chosen(records: Sequence[Record], rules: str | None, start: datetime | None) -> list[Record]:
    """Return the finished games that were asked for, each once, the oldest first.

    Games without a date come before all others.
    """
    earliest = datetime.min.replace(tzinfo=UTC)
    known: set[tuple[str, str, datetime]] = set()
    dated: list[tuple[datetime, Record]] = []
    for record in records:
        tags = record.tags
        x, o = tags.get("X"), tags.get("O")
        date = record.played or earliest
        if record.result == UNFINISHED or not x or not o or x == o:
            continue
        if rules not in (None, record.start.rules_id) or (start is not None and date < start):
            continue
        if "Event" in tags and "Round" in tags:
            # Two matches may share a name, but not the dates of their games.
            key = tags["Event"], tags["Round"], date
            if key in known:
                continue
            known.add(key)
        dated.append((date, record))
    return [record for _, record in sorted(dated, key=lambda each: each[0])]


def _between(dates: Sequence[str]) -> str:
    if not dates:
        return ""
    return f", {dates[0]}" if dates[0] == dates[-1] else f", {dates[0]} to {dates[-1]}"


def _show(found: Sequence[Rating], title: str, anchor: tuple[str, float] | None) -> None:
    groups: list[list[tuple[str, ...]]] = [[] for _ in range(1 + max(r.group for r in found))]
    for rating in found:
        groups[rating.group].append(_row(rating))
    against = "the mean, which is 1500" if anchor is None else f"{anchor[0]}, the anchor"
    paragraphs = [f"± is the 95 % error bar against {against}."]
    if any(rating.margin is None and not rating.bound for rating in found):
        paragraphs.append("A player with equal results in all games has no error bar.")
    bounds = [text for sign, text in BOUNDS.items() if any(r.bound == sign for r in found)]
    if bounds:
        paragraphs.append(
            f"{', '.join(bounds)}: nothing bounds their ratings on that side. They are rated as if "
            "they had drawn one more game with each of the others whom they met."
        )
    if len(groups) > 1:
        paragraphs.append(
            "The groups share no opponents: do not compare ratings of different groups."
        )
    show_table(title, ("player", "Elo", "±", "games", "points", "score"), groups, paragraphs)


def _row(rating: Rating) -> tuple[str, ...]:
    return (
        rating.name,
        f"{rating.bound} {rating.elo:.0f}".strip(),
        "" if rating.margin is None else f"{rating.margin:.0f}",
        f"{rating.games:,}",
        points_text(rating.points),
        percent(rating.points / rating.games),
    )
