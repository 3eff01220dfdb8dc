"""The page of the check: drop a file, see the verdict, play against it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from needs import needs_axe, needs_browser
from page import Visit, Visitor, beat_first, button, drop, faults, served
from playwright.sync_api import Browser, expect
from running_files import process_of, sleeping, until_ended

pytestmark = needs_browser
KEY = "the-key-of-the-server"
FIRST = """
def minimax(board):
    return next(((i, j) for i in range(3) for j in range(3) if board[i][j] is None), None)
"""
"""A file whose `minimax` takes the first free cell, without the other functions."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the page with checks of files; yield its address."""
    with served(tmp_path_factory.mktemp("page") / "games.db", check_key=KEY) as found:
        yield found


def test_file_is_dropped_judged_and_played(visit: Visit, tmp_path: Path) -> None:
    visitor = visit()
    page = visitor.go(f"/check#key={KEY}")
    drop(page, FIRST)
    expect(page).to_have_url(re.compile("/check$"))
    headline = page.get_by_role("heading", name="8 of 8 functions have mistakes.")
    expect(headline).to_be_visible()
    rows = page.locator(".check-functions tr")
    expect(rows.last).to_have_text("✗minimaxwrong")
    expect(rows.first).to_have_text("✗initial_statemissing")
    card = page.locator("section", has=page.get_by_role("heading", name="minimax", exact=True))
    failure = card.locator(".check-failure").first
    expect(failure).to_contain_text("does it always take the first empty cell?")
    expect(failure.locator(".check-board svg")).to_be_visible()
    opened = failure.get_by_role("link", name="Open")
    expect(opened).to_have_attribute("href", re.compile(r"/position/basic~\S+~[XO]$"))
    expect(failure.locator("dl")).to_have_text("got(1, 2)expected(2, 0)boardOpen")
    expect(page.get_by_text("It loses 487 of 822 games")).to_be_visible()

    beat_first(page)

    page.go_back()
    expect(headline).to_be_visible()
    page.reload()
    expect(page.get_by_text("Drop your tictactoe.py here")).to_be_visible()
    source, mark = sleeping(tmp_path)
    drop(page, source)
    number, _ = process_of(mark)
    button(page, "Stop").click()
    expect(page.get_by_role("alert")).to_have_text("Stopped.")
    until_ended(number)

    drop(page, "#" * 200_001, "long.py")
    expect(page.get_by_role("alert")).to_have_text(
        "long.py is larger than 200 kB. Is this the right file?"
    )
    for name, sentence in (
        ("latin.py", "latin.py is not UTF-8 text."),
        ("work.zip", "Choose a Python file, such as tictactoe.py."),
    ):
        (tmp_path / name).write_bytes("é".encode("latin-1"))
        page.locator("input[type=file]").set_input_files(tmp_path / name)
        expect(page.get_by_role("alert")).to_contain_text(sentence)
    drop(page, '{"cells": []}', "work.ipynb")
    expect(page.get_by_text("This is a Jupyter notebook")).to_be_visible()
    page.get_by_text("Another kind of file").click()
    page.get_by_label("Its functions").select_option("moves")
    page.get_by_label("Name of the function").fill("minimax")
    drop(page, "def other(): pass")
    alert = page.get_by_role("alert")
    expect(alert).to_have_text("The file has no function minimax. Its functions: other.")
    drop(page, "def minimax(:")
    expect(page.get_by_text("Line 1 is not Python")).to_be_visible()


def test_browser_without_the_key_is_told_where_it_is(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/check#key=wrong")
    expect(page.get_by_role("heading", name="Open the address for checks")).to_be_visible()
    assert "wrong" not in page.url
    assert page.evaluate("localStorage.getItem('noughts.check.key')") is None


@needs_axe
def test_learn_leads_to_the_check_where_the_server_checks(visit: Visit) -> None:
    page = visit().go("/learn")
    page.get_by_role("link", name="Check your code").click()
    expect(page.get_by_role("heading", name="Check your code")).to_be_visible()


def test_check_is_accessible(visit: Visit) -> None:
    page = visit().go(f"/check#key={KEY}")
    drop(page, "def minimax(:")
    expect(page.locator(".check-report")).to_be_visible()
    assert faults(page) == []


def test_server_without_checks_names_the_commands(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path / "games.db") as address:
        visitor = Visitor(browser, address)
        page = visitor.go("/check")
        expect(page.get_by_role("heading", name="This server checks no files")).to_be_visible()
        commands = ["noughts check tictactoe.py", "noughts serve --check-files"]
        expect(page.locator(".check-command")).to_have_text(commands)
        visitor.context.close()
        assert visitor.wrong == []
