"""Settings of the whole suite, and the visitors of the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

import noughts

if TYPE_CHECKING:
    from page import Visit, Visitor
    from playwright.sync_api import Browser

# The same examples at every run, however slow the machine; tests/fuzz.py looks for new ones.
settings.register_profile("noughts", deadline=None, derandomize=True)
settings.load_profile("noughts")


@pytest.fixture
def forget_games() -> Iterator[None]:
    """Let a test register games of its own."""
    games = dict(noughts.GAMES)
    yield
    noughts.GAMES.clear()
    noughts.GAMES.update(games)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the page, with a database of its own."""
    from page import served

    with served(tmp_path_factory.mktemp("page") / "games.db") as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from page import chromium

    with chromium() as found:
        yield found


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """Let somebody visit the page; at the end nothing may have gone wrong in any browser."""
    from page import Visitor

    visitors: list[Visitor] = []

    def visit_(**settings: object) -> Visitor:
        visitors.append(Visitor(browser, address, **settings))
        return visitors[-1]

    yield visit_
    for visitor in visitors:
        visitor.context.close()
    assert [visitor.wrong for visitor in visitors] == [[] for _ in visitors]
