"""`noughts ratings`: how strong players are by all their games, as a table, as JSON, as a chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import noughts
from noughts.apps.command import (
    ChartTheme,
    JsonFlag,
    answer,
    check_chart,
    complete_rules,
    examples,
    fail,
    progress,
    read_records,
    show_table,
    writing,
)
from noughts.games.position import IllegalMove, NotationError
from noughts.games.record import UNFINISHED, Record, parse_json_line
from noughts.views.standings import points_text

if TYPE_CHECKING:
    from noughts.arena.rating import Rating

app = typer.Typer()

BOUNDS = {
    ">": "> stands before players from whom the others took no point",
    "<": "< before those who took none from the others",
    "~": "~ before those for whom both is so",
}
"""What the signs of ratings mean; the others are those without one."""


@app.command(
    epilog=examples(
        "noughts ratings match.jsonl",
        "noughts ratings 2026-*.jsonl --game connect4 --anchor engine:level=1=1000",
        "noughts ratings --database results.db --since 2026-03-01 -o ratings.svg",
    )
)
def ratings(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Records of games, such as those of a match.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(help="Matches in a database: an SQLite file or an SQLAlchemy URL."),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(help="Games of this rules id alone.", autocompletion=complete_rules),
    ] = None,
    anchor: Annotated[
        str | None,
        typer.Option(
            help="A player and the rating that it is to have, such as random=0. If left out, "
            "the mean is 1500."
        ),
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="Games of this day and later alone: YYYY-MM-DD.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Draw them over time: a .png or .svg file."),
    ] = None,
    theme: Annotated[ChartTheme, typer.Option(help="The look of the chart.")] = ChartTheme.LIGHT,
    json_: JsonFlag = False,
) -> None:
    """Rate players by all their games at once, with error bars: Elo by Bradley and Terry's model.

    A draw is half a point; the two games of a pair count as one unit of the error bars.
    """
    from noughts.arena.rating import history, rate
    from noughts.arena.standings import standings

    if not files and database is None:
        fail("ratings takes files of records, --database, or both", 2)
    rules = None if game is None else _rules(game)
    fixed = None if anchor is None else _anchor(anchor)
    start = None if since is None else _date(since)
    if start is None and since is not None:
        fail(f"--since: {since!r} is no date; wanted is YYYY-MM-DD", 2)
    if output is not None:
        check_chart(output)
    with progress("reading"):
        records = _chosen([*_of_files(files or ()), *_of_database(database, rules)], rules, start)
    if not records:
        fail("there are no finished games of two players to rate them by", 3)
    with progress("rating"):
        table = standings(records)
        try:
            found = rate(table.meetings(), fixed)
        except ValueError as error:
            fail(f"--anchor: {error}", 2)
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
        count = "1 game" if table.games == 1 else f"{table.games:,} games"
        _show(found, f"{count} of {', '.join(played)}{_between(dates)}", fixed)
    if output is not None:
        from noughts.views.chart import kind_of
        from noughts.views.rating_chart import rating_chart

        with progress("drawing"):
            moments = history(records, anchor=fixed)
            title = f"Ratings at {', '.join(played)}"
            drawn = rating_chart(title, moments, kind_of(output.name), theme.value)
        with writing(output):
            output.write_bytes(drawn)


# What is asked for


def _rules(game: str) -> str:
    try:
        return noughts.game(game).rules_id
    except NotationError as error:
        fail(f"--game: {error}", 2)


def _anchor(text: str) -> tuple[str, float]:
    name, _, rating = text.rpartition("=")
    try:
        elo = float(rating)
    except ValueError:
        elo = float("nan")
    if not name or not abs(elo) < 1e6:
        fail(f"--anchor: {text!r} is no player and rating; wanted is such as random=0", 2)
    return name, elo


def _date(text: str) -> datetime | None:
    """Return a date, or a moment, in ISO form; what names no zone is UTC."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


# The records


def _of_files(files: Sequence[Path]) -> Iterator[Record]:
    for file in files:
        yield from read_records(file)


def _of_database(database: str | None, rules: str | None) -> Iterator[Record]:
    if database is None:
        return
    try:
        from noughts.store import Store, StoreUnavailable, file_url, without_password
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        fail(f"a database needs {package}: pip install 'noughts[arena]'", 2)
    if "://" not in database and not Path(database).is_file():
        fail(f"--database: there is no file {database}", 3)
    try:
        store = Store(database if "://" in database else file_url(database))
        lines = store.results(rules=rules)
        store.close()
    except ValueError as error:
        fail(f"--database: {error}", 2)
    except StoreUnavailable as error:
        fail(f"the database cannot be opened: {error} ({without_password(database)})", 4)
    try:
        yield from map(parse_json_line, lines)
    except (IllegalMove, NotationError) as error:
        fail(f"--database: a record cannot be read: {error}", 3)


def _chosen(records: Sequence[Record], rules: str | None, start: datetime | None) -> list[Record]:
    """Return the finished games of two players that were asked for, each once, by their dates.

    Games without a date count as the earliest.
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
            # Two matches may have one name: their games have other dates.
            key = tags["Event"], tags["Round"], date
            if key in known:
                continue
            known.add(key)
        dated.append((date, record))
    return [record for _, record in sorted(dated, key=lambda each: each[0])]


# The answer


def _between(dates: Sequence[str]) -> str:
    if not dates:
        return ""
    return f", {dates[0]}" if dates[0] == dates[-1] else f", {dates[0]} to {dates[-1]}"


def _show(found: Sequence[Rating], title: str, anchor: tuple[str, float] | None) -> None:
    groups: list[list[tuple[str, ...]]] = [[] for _ in range(1 + max(r.group for r in found))]
    for rating in found:
        groups[rating.group].append(_row(rating))
    against = "the mean, which is 1500" if anchor is None else f"{anchor[0]}, the anchor"
    paragraphs = [f"± is the error bar of 95 % against {against}."]
    if any(rating.margin is None and not rating.bound for rating in found):
        paragraphs.append("Where all results are alike there is no error bar.")
    bounds = [text for sign, text in BOUNDS.items() if any(r.bound == sign for r in found)]
    if bounds:
        paragraphs.append(
            f"{', '.join(bounds)}: no result bounds their ratings on that side. They stand as if "
            "they had drawn one more game with each of those others whom they met."
        )
    if len(groups) > 1:
        paragraphs.append(
            "The groups never met, nor did they meet the same players: a rating of one group says "
            "nothing of another."
        )
    show_table(title, ("player", "Elo", "±", "games", "points", "score"), groups, paragraphs)


def _row(rating: Rating) -> tuple[str, ...]:
    return (
        rating.name,
        f"{rating.bound} {rating.elo:.0f}".strip(),
        "" if rating.margin is None else f"{rating.margin:.0f}",
        f"{rating.games:,}",
        points_text(rating.points),
        f"{rating.points / rating.games:.1%}",
    )
