"""Positions, trees and results in an IPython shell."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core import interactiveshell
from samples import replay

import noughts
from noughts.search import Limit, alphabeta, every_move, mcts
from noughts.search.tree import trace_tree


@pytest.fixture
def formatters() -> Iterator[Any]:
    """Yield the formatters of an IPython shell by MIME type."""
    shells: Any = interactiveshell
    shell = shells.InteractiveShell()
    noughts.load_ipython_extension(shell)
    yield shell.display_formatter.formatters
    shell.history_manager.end_session()
    shells.InteractiveShell.clear_instance()


def test_positions_of_every_game_are_pictures(formatters: Any) -> None:
    for rules_id in ("basic", "connect4", "ultimate"):
        picture = formatters["image/svg+xml"](replay(rules_id, ""))
        ElementTree.fromstring(picture)
        assert f"<title>{rules_id}: X to move" in picture


def test_tree_is_a_picture(formatters: Any) -> None:
    tree = trace_tree(alphabeta, replay("basic", "51379"))
    picture = formatters["image/svg+xml"](tree)
    ElementTree.fromstring(picture)
    assert "<title>alphabeta on basic, O to move</title>" in picture


def test_result_is_its_board_and_a_table(formatters: Any) -> None:
    result = mcts(replay("basic", "51"), Limit(simulations=20), seed=1)
    _, table = ElementTree.fromstring(formatters["text/html"](result))
    rows = [(row[0].text, row[1].text) for row in table]
    assert ("simulations", "20") in rows
    assert ("value", str(result.value)) in rows
    position = replay("ultimate", "51 15")
    result = every_move(alphabeta, position, Limit(depth=1))
    picture, _ = ElementTree.fromstring(formatters["text/html"](result))
    texts = picture.findall(".//{http://www.w3.org/2000/svg}text")
    assert len(texts) == len(position.legal_moves())


def test_load_ext_shows_pictures() -> None:
    cells = "get_ipython().run_line_magic('load_ext', 'noughts'); import noughts"
    # A terminal shows no pictures unless asked to.
    svg = "svg = get_ipython().display_formatter.formatters['image/svg+xml']; svg.enabled = True"
    check = f"{cells}; {svg}; print(svg(noughts.game('basic'))[:5])"
    done = subprocess.run(
        [sys.executable, "-m", "IPython", "--quick", "-c", check], capture_output=True, text=True
    )
    assert "<svg " in done.stdout
