"""Tables of row games: the values of empty boards that were proven here, beside published ones.

    boards ──► prove: tries of 1, 10, 100, … seconds ──► tables/NAME.jsonl ─┐
                                                         published.toml ────┴──► rows

A file of results has a JSON object a line, one for each try of a board; the bounds of all its
tries hold together. Values are those of the first player. A proof is a complete search by the
engine, with a table of 64-bit hashes: a value is wrong with a probability of about 10⁻¹⁰ in 10⁹
nodes (`core/row_solver.hpp`). The keys of Connect Four on 64 bits are exact.
"""

from __future__ import annotations

import json
import os
import threading
import time
import tomllib
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, NamedTuple

from noughts.engine import Engine
from noughts.games import registry
from noughts.games.position import NotationError
from noughts.games.row import RowPosition
from noughts.search.result import WIN, Outlook, SearchResult
from noughts.version import __version__

TableName = Literal["mnk", "misere", "connect4"]
Status = Literal["agrees", "new", "open", "unproven", "disagrees"]
"""`new` is proven here and nowhere published; `unproven` the reverse; `open` is neither."""

FOLDER = files("noughts") / "proof"
ORDER: tuple[Outlook, ...] = ("loss", "draw", "win")
"""The values, the worst one first."""
LARGEST: dict[TableName, tuple[int, int]] = {"mnk": (8, 8), "misere": (5, 5), "connect4": (9, 12)}
"""Columns and rows of the largest boards."""
MAX_IN_ROW = 6
MAX_SUM = 16
"""Largest sum of columns and rows of a Connect Four board with four in a row."""
SMALL_SIDES = {3: (3, 6), 5: (4, 6)}
"""Smallest and largest side of a Connect Four board, in cells, by the number in a row."""
FIRST_TRY, NEXT_TRY = 1.0, 10.0
"""Seconds of the first try of a board, and how many times longer each next one is."""
TABLE_MIB = 256
INTERVAL = 0.05
"""Seconds between two looks at the time that the tries have taken."""


class BadTable(ValueError):
    """A file of results or of published values is damaged."""


class PublishedValue(NamedTuple):
    """A value that somebody has published."""

    value: Outlook
    source: str
    """Its key in `sources`."""


class BoardResult(NamedTuple):
    """The result of one or more tries of a board, for the first player."""

    rules: str
    at_least: Outlook
    at_most: Outlook
    nodes: int
    seconds: float
    """Seconds of processor time."""
    depth: int
    """Plies in which a win of one side was excluded; of alpha-beta, plies searched completely. Only
    of interest where the value is not proven."""
    version: str
    """The version of this package."""

    @property
    def value(self) -> Outlook | None:
        """The proven value."""
        return self.at_least if self.at_least == self.at_most else None


class TableRow(NamedTuple):
    """The proven and the published values of a board."""

    rules: str
    result: BoardResult | None
    published: tuple[PublishedValue, ...]

    @property
    def value(self) -> Outlook | None:
        """The value that is proven here."""
        return self.result.value if self.result else None

    @property
    def status(self) -> Status:
        """How the value compares with the published ones."""
        if self.result and any(not _allows(self.result, each.value) for each in self.published):
            return "disagrees"
        if self.value is None:
            return "unproven" if self.published else "open"
        return "agrees" if self.published else "new"


def _allows(result: BoardResult, value: Outlook) -> bool:
    at_least, at_most, place = map(ORDER.index, (result.at_least, result.at_most, value))
    return at_least <= place <= at_most


def place_of(rules: str) -> RowPosition:
    """Return the empty board of rules that have a table.

    Raises:
        NotationError: no such rules, or rules of another game.
    """
    place = registry.game(rules)
    if not isinstance(place, RowPosition) or place.rules.exact:
        reason = "tables have only m,n,k-games without exact, and Connect Four"
        raise NotationError(rules, "RULES", reason)
    return place


def canonical(rules: str) -> str:
    """Return the rules id of the board of the same value that has at least as many columns as rows.

    >>> canonical("mnk:3,5,4,misere"), canonical("connect4:4,6"), canonical("connect4:7,6,4")
    ('mnk:5,3,4,misere', 'connect4:4,6', 'connect4')

    Raises:
        NotationError: as `place_of`.
    """
    board = place_of(rules).rules
    if board.gravity:
        return board.id
    columns, rows = max(board.columns, board.rows), min(board.columns, board.rows)
    return f"mnk:{columns},{rows},{board.k}" + (",misere" if board.misere else "")


def table_of(rules: str) -> TableName:
    """Return the table that a board belongs to."""
    if rules.startswith("connect4"):
        return "connect4"
    return "misere" if rules.endswith("misere") else "mnk"


def boards(
    table: TableName, largest: tuple[int, int] | None = None, max_in_row: int = MAX_IN_ROW
) -> list[str]:
    """Return the rules ids of the boards of a table, small boards first.

    >>> boards("mnk", (3, 3))
    ['mnk:2,2,2', 'mnk:3,2,2', 'mnk:3,3,2', 'mnk:3,2,3', 'mnk:3,3,3']

    Args:
        table: which one.
        largest: columns and rows of the largest board; `LARGEST` if left out. In Connect Four
            `MAX_SUM` and `SMALL_SIDES` hold, too.
        max_in_row: the largest number of marks in a line.
    """
    columns, rows = largest or LARGEST[table]
    if table == "connect4":
        found = [
            f"connect4:{w},{h}" + (f",{k}" if k != 4 else "")
            for k in range(3, min(max_in_row, 5) + 1)
            for w in range(3, columns + 1)
            for h in range(3, rows + 1)
            if (w + h <= MAX_SUM and w >= 4 <= h if k == 4 else _is_small(w, h, k))
        ]
    else:
        columns, rows = max(columns, rows), min(columns, rows)
        ending = ",misere" if table == "misere" else ""
        found = [
            f"mnk:{m},{n},{k}{ending}"
            for m in range(2, columns + 1)
            for n in range(2, min(m, rows) + 1)
            for k in range(2, min(max_in_row, m) + 1)
        ]
    return sorted(map(canonical, found), key=_size)


def _is_small(columns: int, rows: int, in_row: int) -> bool:
    least, most = SMALL_SIDES[in_row]
    sides = (columns, rows)
    return least <= min(sides) and in_row <= max(sides) <= most


def _size(rules: str) -> tuple[int, int, int, int]:
    board = place_of(rules).rules
    return board.k, board.columns * board.rows, board.columns, board.rows


@cache
def _published() -> tuple[dict[str, str], dict[str, tuple[PublishedValue, ...]]]:
    data = tomllib.loads(FOLDER.joinpath("published.toml").read_text(encoding="utf-8"))
    found: dict[str, tuple[PublishedValue, ...]] = {}
    for each in data["values"]:
        if each["source"] not in data["sources"] or each["value"] not in ORDER:
            raise BadTable(
                f"published.toml: no source {each['source']!r} or value {each['value']!r}"
            )
        for rules in each["boards"]:
            found[rules] = (*found.get(rules, ()), PublishedValue(each["value"], each["source"]))
    return data["sources"], found


def sources() -> dict[str, str]:
    """Return the titles of the sources of published values by their keys."""
    return _published()[0]


def published() -> dict[str, tuple[PublishedValue, ...]]:
    """Return the published values by rules ids, among them boards too wide for the rules here."""
    return _published()[1]


def too_wide() -> list[str]:
    """Return the boards with a published value that have more columns than the rules allow."""
    found = []
    for rules in published():
        try:
            place_of(rules)
        except NotationError:
            found.append(rules)
    return found


def installed(table: TableName) -> Path:
    """Return the file of results that comes with the package."""
    return Path(str(FOLDER / "tables" / f"{table}.jsonl"))


def read(file: Path) -> list[BoardResult]:
    """Return the results of a file; none if there is no file.

    A last line that is not complete was being written when its process ended, and does not count.

    Raises:
        BadTable: another line is damaged.
        OSError: the file cannot be read.
    """
    if not file.exists():
        return []
    *lines, _ = file.read_text(encoding="utf-8").split("\n")
    found = []
    for number, line in enumerate(lines, 1):
        try:
            result = BoardResult(**json.loads(line))
            canonical(result.rules)
            if ORDER.index(result.at_least) > ORDER.index(result.at_most):
                raise ValueError("the bounds exclude each other")
        except (TypeError, ValueError) as error:
            raise BadTable(f"{file}: line {number} is damaged: {error}") from error
        found.append(result)
    return found


def append(file: Path, result: BoardResult) -> None:
    """Add a result to a file, and return once it is on the disk.

    Raises:
        OSError: the file cannot be written.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o644)
    with os.fdopen(descriptor, "r+b") as opened:
        text = opened.read()
        # The rest of a line whose process was killed.
        opened.truncate(text.rfind(b"\n") + 1)
        opened.seek(0, os.SEEK_END)
        opened.write(json.dumps(result._asdict()).encode() + b"\n")
        opened.flush()
        os.fsync(descriptor)


def known(results: Iterable[BoardResult]) -> dict[str, BoardResult]:
    """Return the results by rules, all tries of a board together.

    Nodes and seconds are those of the try that proved the value, or else of the longest one.

    Raises:
        BadTable: two tries exclude each other.
    """
    found: dict[str, BoardResult] = {}
    for result in results:
        before = found.get(result.rules)
        if before is None:
            found[result.rules] = result
            continue
        at_least = max(before.at_least, result.at_least, key=ORDER.index)
        at_most = min(before.at_most, result.at_most, key=ORDER.index)
        if ORDER.index(at_least) > ORDER.index(at_most):
            raise BadTable(f"two tries of {result.rules} exclude each other")
        kept = max(before, result, key=_worth)
        found[result.rules] = kept._replace(
            at_least=at_least, at_most=at_most, depth=max(before.depth, result.depth)
        )
    return found


def _worth(result: BoardResult) -> tuple[bool, float]:
    """Return a key for `max`: a proof is worth more than any try without, then the longest try."""
    is_proof = result.value is not None
    return is_proof, 0.0 if is_proof else result.seconds


def rows(chosen: Iterable[str], results: Iterable[BoardResult]) -> list[TableRow]:
    """Return the rows of boards, in their order: values proven here and published ones.

    Raises:
        BadTable: two results exclude each other.
    """
    proven, said = known(results), published()
    return [TableRow(rules, proven.get(rules), said.get(rules, ())) for rules in chosen]


def result_of(found: SearchResult, seconds: float) -> BoardResult:
    """Return a search of an empty board as a result.

    The first player of an m,n,k-game does not lose: with the strategy of the second player and a
    mark more he would win (strategy stealing).
    """
    place = found.position
    assert isinstance(place, RowPosition)
    lower, upper = found.bounds
    if found.exact:
        lower = upper = found.score
    elif not place.rules.gravity and not place.rules.misere:
        lower = max(lower, 0)
    at_least: Outlook = "win" if lower > 0 else "draw" if lower == 0 else "loss"
    at_most: Outlook = "loss" if upper < 0 else "draw" if upper == 0 else "win"
    # A bound of WIN - p says that the game does not end sooner than at ply p.
    excluded = (WIN - abs(bound) - 1 for bound in found.bounds if 1 < abs(bound) < WIN)
    depth = max([found.depth, *map(int, excluded)])
    return BoardResult(
        place.rules.id, at_least, at_most, found.nodes, round(seconds, 3), depth, __version__
    )


class _Try:
    """A search of one board in a thread, which can be stopped when its processor time is over."""

    def __init__(self, rules: str, memory: int) -> None:
        self.engine = Engine(rules, table_mib=memory)
        self._clock: Callable[[], float] | None = None
        self._began = 0.0

    @property
    def seconds(self) -> float:
        """Processor time so far; where threads have no such clock, wall-clock time."""
        return self._clock() - self._began if self._clock else 0.0

    def run(self) -> BoardResult:
        """Search until the value is proven or the engine is stopped."""
        clock = _clock_of_thread()
        self._began, self._clock = clock(), clock
        found = self.engine.solve(self.engine.rules, weakly=True)
        return result_of(found, clock() - self._began)


def _clock_of_thread() -> Callable[[], float]:
    """Return the clock of this thread's processor time, for all threads to read."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.monotonic
    number = time.pthread_getcpuclockid(threading.get_ident())
    return lambda: time.clock_gettime(number)


def prove(
    chosen: Sequence[str],
    file: Path,
    seconds: float,
    *,
    earlier: Iterable[BoardResult] = (),
    jobs: int = 1,
    memory: int = TABLE_MIB,
) -> Generator[tuple[BoardResult, int], None, None]:
    """Try to prove the values of boards; append each result to a file, and yield it.

    All boards get a first, short try; those that are left get one that is ten times longer, and so
    on: the cheap ones first. A call after an interruption continues with the remaining tries. A
    try that was interrupted is kept if it is the longest of its board; it begins again.

    Args:
        chosen: rules ids.
        file: of results, which may exist.
        seconds: most processor time for one try of a board.
        earlier: results of other files.
        jobs: boards at a time, each in its own thread.
        memory: MiB of the table of each board.

    Yields:
        The result, and the number of boards that are not proven yet.

    Raises:
        BadTable: the file is damaged.
        OSError: the file cannot be read or written.
    """
    results = known([*earlier, *read(file)])
    for length in _lengths(seconds):
        due = [rules for rules in chosen if _is_due(results.get(rules), length)]
        interrupted: list[BoardResult] = []
        try:
            with closing(_run(due, length, jobs, memory, interrupted)) as found:
                for result in found:
                    append(file, result)
                    results = known([*results.values(), result])
                    proven = sum(
                        rules in results and bool(results[rules].value) for rules in chosen
                    )
                    yield result, len(chosen) - proven
        finally:
            for result in interrupted:
                before = results.get(result.rules)
                if before is None or result.value or result.seconds > before.seconds:
                    append(file, result)


def _lengths(seconds: float) -> list[float]:
    """Return the seconds of the tries of a board.

    >>> _lengths(20), _lengths(0.5)
    ([1.0, 10.0, 20], [0.5])
    """
    found = []
    length = FIRST_TRY
    while length < seconds:
        found.append(length)
        length *= NEXT_TRY
    return [*found, seconds]


def _is_due(result: BoardResult | None, length: float) -> bool:
    """Whether a try is longer than the earlier ones; they may have ended a little before time."""
    return result is None or (result.value is None and result.seconds < 0.9 * length)


def _run(
    due: Sequence[str], length: float, jobs: int, memory: int, interrupted: list[BoardResult]
) -> Generator[BoardResult, None, None]:
    """Yield the results of one try for each board, as they come.

    At an interruption the results of the searches that it ends are added to `interrupted`.
    """
    left = list(reversed(due))
    running: dict[Future[BoardResult], _Try] = {}
    with ThreadPoolExecutor(jobs) as pool:
        try:
            while left or running:
                while left and len(running) < jobs:
                    begun = _Try(left.pop(), memory)
                    running[pool.submit(begun.run)] = begun
                for future in wait(running, INTERVAL, FIRST_COMPLETED).done:
                    del running[future]
                    yield future.result()
                for begun in running.values():
                    if begun.seconds >= length:
                        begun.engine.stop()
        finally:
            while wait(running, INTERVAL).not_done:
                # A search that has not begun yet forgets the first one.
                for begun in running.values():
                    begun.engine.stop()
            interrupted += [future.result() for future in running if not future.exception()]
