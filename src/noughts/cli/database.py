"""Open the database that an option names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from noughts.cli.output import fail, failing
from noughts.extras import missing

if TYPE_CHECKING:
    from noughts.database.store import Store


@contextmanager
def opened_database(place: str) -> Iterator[Store]:
    """Open a database, given by its URL or the path of an SQLite file, and close it at the end.

    Fails if it cannot be opened, or does not answer inside.
    """
    try:
        from noughts.database.store import Store, StoreUnavailable, file_url, without_password
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        fail(missing("a database", package, "arena"), 2)
    try:
        with failing(2, ValueError, "--database: "):
            store = Store(place if "://" in place else file_url(place))
    except StoreUnavailable as error:
        fail(f"cannot open the database {without_password(place)}: {error}", 4)
    unanswered = f"the database {without_password(place)} does not answer: "
    with closing(store), failing(4, StoreUnavailable, unanswered):
        yield store
