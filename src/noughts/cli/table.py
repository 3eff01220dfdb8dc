"""`noughts table`: the values of row games, proven here and published."""

from __future__ import annotations

import re
from collections import Counter
from enum import StrEnum
from typing import Annotated, Any

import typer

from noughts.cli.options import MORE, Commands, JsonFlag, number_option
from noughts.cli.output import answer, fail, failing, progress, show_table, writing
from noughts.engine import LARGEST_TABLE
from noughts.games.position import NotationError
from noughts.games.words import count as counted
from noughts.proof import tables
from noughts.proof.tables import BadTable, BoardResult, TableName, TableRow
from noughts.search.result import LARGEST_LIMITS

app = Commands()


class TableGame(StrEnum):
    """Games that have a table."""

    MNK = "mnk"
    CONNECT4 = "connect4"


TITLES: dict[TableName, str] = {
    "mnk": "m,n,k-games: columns, rows, marks in a line",
    "misere": "Misère m,n,k-games: whoever completes a line loses",
    "connect4": "Connect Four: columns, rows, marks in a line",
}
WINNERS = {"win": "first", "draw": "draw", "loss": "second"}
"""How the table shows a value for the first player."""
SECONDS = 10.0


@app.add_to(
    MORE,
    "noughts table mnk",
    "noughts table mnk --misere --json",
    "noughts table connect4 --k 4",
    "noughts table mnk --prove --to 7,7 --seconds 7200 --jobs 2",
    "noughts table mnk --board mnk:9,7,5 --prove --seconds 36000 --memory 4096",
)
def table(
    game: Annotated[TableGame, typer.Argument(help="The game.")],
    misere: Annotated[
        bool, typer.Option("--misere", help="The games that a full line loses.")
    ] = False,
    to: Annotated[
        str | None, typer.Option(help="Columns and rows of the largest board, as in 7,7.")
    ] = None,
    k: Annotated[int, typer.Option(help="Most marks in a line.", min=2)] = tables.MAX_IN_ROW,
    board: Annotated[
        list[str] | None, typer.Option(help="Only this board, by its rules. Repeatable.")
    ] = None,
    prove: Annotated[
        bool, typer.Option("--prove", help="First prove the values that are missing.")
    ] = False,
    seconds: Annotated[
        float,
        number_option("Most processor time for a board.", 0.1, LARGEST_LIMITS["seconds"]),
    ] = SECONDS,
    jobs: Annotated[int, typer.Option(help="Boards at a time.", min=1)] = 1,
    memory: Annotated[
        int, typer.Option(help="Memory for each board, in MiB.", min=1, max=LARGEST_TABLE)
    ] = tables.TABLE_MIB,
    json_: JsonFlag = False,
) -> None:
    """Show the values of row games that were proven here, beside the published ones.

    --prove can be interrupted at any time, and continues when it is called again.
    Exit code 1: a value differs from a published one.
    """
    name: TableName = "misere" if misere else "mnk" if game is TableGame.MNK else "connect4"
    if misere and game is TableGame.CONNECT4:
        fail("--misere: only m,n,k-games have it", 2)
    chosen = _boards(name, to, k, board)
    file = tables.installed(name)
    with failing(3, (BadTable, UnicodeDecodeError)):
        results = tables.read(file)
        if prove:
            with progress("proving") as show, writing(file, "--prove"):
                show(
                    sum(row.value is not None for row in tables.rows(chosen, results)), len(chosen)
                )
                for result, left in tables.prove(chosen, file, seconds, jobs=jobs, memory=memory):
                    results.append(result)
                    show(len(chosen) - left, len(chosen))
        found = tables.rows(chosen, results)
    if json_:
        answer(_data(name, found))
    else:
        _show(name, found, is_whole=not (to or board))
    if any(row.status == "disagrees" for row in found):
        raise typer.Exit(1)


def _boards(name: TableName, to: str | None, k: int, board: list[str] | None) -> list[str]:
    """Return the boards that the options choose."""
    if board:
        with failing(2, NotationError, "--board: "):
            found = [tables.canonical(rules) for rules in board]
        for rules in found:
            if tables.table_of(rules) != name:
                fail(f"--board: {rules} is not in this table", 2)
        return list(dict.fromkeys(found))
    largest = None
    if to is not None:
        sizes = re.fullmatch(r"\s*([0-9]{1,2})\s*[,x×]\s*([0-9]{1,2})\s*", to)
        if not sizes:
            fail(f"--to: {to!r} is not columns and rows, as in 7,7", 2)
        largest = (int(sizes[1]), int(sizes[2]))
    with failing(2, NotationError, "--to: "):
        found = tables.boards(name, largest, k)
    if not found:
        fail("there are no boards of these sizes", 2)
    return found


def _show(name: TableName, found: list[TableRow], is_whole: bool) -> None:
    sections: dict[int, list[list[str]]] = {}
    for row in found:
        cells = [_board(row.rules), _value(row.result), _published(row)]
        if row.result is None:
            cells += ["", "", ""]
        else:
            depth = "" if row.value else str(row.result.depth)
            cells += [f"{row.result.nodes:,}", f"{row.result.seconds:,.2f}", depth]
        sections.setdefault(tables.place_of(row.rules).rules.k, []).append(cells)
    headers = ("board", "proven here", "published", "nodes", "seconds", "depth reached")
    show_table(TITLES[name], headers, sections.values(), _paragraphs(name, found, is_whole))


def _board(rules: str) -> str:
    """Return the sizes of a board.

    >>> _board("mnk:4,3,3,misere"), _board("connect4")
    ('4,3,3', '7,6,4')
    """
    board = tables.place_of(rules).rules
    return f"{board.columns},{board.rows},{board.k}"


def _value(result: BoardResult | None) -> str:
    if result is None:
        return ""
    if result.value:
        return WINNERS[result.value]
    bounds = (result.at_least, result.at_most)
    return {("draw", "win"): "first or draw", ("loss", "draw"): "second or draw"}.get(bounds, "?")


def _published(row: TableRow) -> str:
    values: dict[str, list[str]] = {}
    for each in row.published:
        values.setdefault(WINNERS[each.value], []).append(each.source)
    return "; ".join(f"{value} ({', '.join(names)})" for value, names in values.items())


def _paragraphs(name: TableName, found: list[TableRow], is_whole: bool) -> list[str]:
    numbers = Counter(row.status for row in found)
    proven = [row for row in found if row.value]
    total = counted(len(found), "board")
    count = f"The winner with best play, or a draw. Proven here: {len(proven)} of {total}."
    if numbers["agrees"]:
        count += f" Agreements with a published value: {numbers['agrees']}."
    if numbers["new"]:
        count += f" Proven, with no published value known: {numbers['new']}."
    said = [count]
    for status, text in (
        ("disagrees", "Disagreements with a published value"),
        ("unproven", "Published, but not proven here"),
        ("open", "Neither proven here nor published"),
    ):
        named = [_board(row.rules) for row in found if row.status == status]
        if named:
            said.append(f"{text}: {' · '.join(named)}.")
    if name == "connect4" and is_whole:
        wide = " · ".join(rules.partition(":")[2] for rules in tables.too_wide())
        said.append(f"Published, but too wide for the rules here: {wide}.")
    used = {each.source for row in found for each in row.published}
    said += [f"{key}: {title}." for key, title in tables.sources().items() if key in used]
    return said


def _data(name: TableName, found: list[TableRow]) -> dict[str, Any]:
    return {
        "table": name,
        "boards": [
            {
                "rules": row.rules,
                "status": row.status,
                "value": row.value,
                "published": [each._asdict() for each in row.published],
                **(
                    {}
                    if row.result is None
                    else {
                        key: value for key, value in row.result._asdict().items() if key != "rules"
                    }
                ),
            }
            for row in found
        ],
        "disagreements": [row.rules for row in found if row.status == "disagrees"],
        "gaps": [row.rules for row in found if row.value is None],
        "sources": tables.sources(),
    }
