"""Settings and fixtures of the whole suite."""

from __future__ import annotations

import gc
import shlex
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pexpect
import pytest
from command import NOUGHTS
from hypothesis import settings
from more import WHAT, has_kept, has_more, is_more
from patience import PATIENCE
from samples import NIM, games_restored
from terminal import Start

import noughts
from noughts.games.registry import load

if TYPE_CHECKING:
    from page import Visit, Visitors
    from playwright.sync_api import Browser

# The same examples in every run, however slow the machine; tests/fuzz.py looks for new ones.
settings.register_profile("noughts", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("noughts")

# Collections would only visit the modules and tests that are being read.
gc.disable()

# A suite started in the background ignores Ctrl-C, and so would the programs that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


LONGEST = (
    *("test_page_analysis", "test_docs", "test_server_faults", "test_browser_python"),
    *("test_cluster", "test_page_numbers", "test_train", "test_servers", "test_page"),
    *("test_replay_page", "test_page_board", "test_security", "test_site_screens"),
    *("test_compliance", "test_window", "test_export", "test_openapi", "test_fair_play"),
    *("test_bot_faults", "test_page_visitor", "test_class", "test_site", "test_prover"),
    *("test_engine", "test_review", "test_search", "test_check", "test_adapters"),
)
"""The files whose tests take longest, a minute or more."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import files without a test of the chosen set, which would take seconds."""
    if collection_path.suffix != ".py" or not collection_path.name.startswith("test_"):
        return None
    name, mark = collection_path.stem, config.option.markexpr
    is_left_out = (mark == MORE and not has_more(name)) or (mark == FEW and not has_kept(name))
    return is_left_out or None


FEW, MORE = "not soak and not more", "more and not soak"
"""What `make test` and `make test-more` choose."""


SAID = pytest.StashKey[str]()
"""The last line of a run."""


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests of a file in one process, so that shared objects are made once.

    The longest come first, so that no process works alone at the end. Tests of `soak` have no
    time limit, and are spread over the processes.
    """
    ranks = {name: rank for rank, name in enumerate(LONGEST)}
    items.sort(key=lambda item: ranks.get(item.path.stem, len(ranks)))
    examples: Counter[str] = Counter()
    for item in items:
        function = item.nodeid.partition("[")[0]
        if is_more(item.path.stem, item.name, examples[function]):
            item.add_marker(pytest.mark.more)
        examples[function] += 1
        if item.get_closest_marker("soak"):
            item.add_marker(pytest.mark.timeout(0))
        elif not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Make the line that a person reads at the end."""
    found = terminalreporter.stats
    said = [
        f"{len(found[kind]):,} {word}"
        for kind, word in (("passed", "passed"), ("failed", "FAILED"), ("error", "with ERRORS"))
        if kind in found
    ]
    reasons = {report.longrepr[2].removeprefix("Skipped: ") for report in found.get("skipped", [])}
    if reasons:
        said.append(f"{len(found['skipped'])} skipped ({'; '.join(sorted(reasons))})")
    if "not more" in config.option.markexpr:
        said.append(f"`make test-all` adds {WHAT}")
    config.stash[SAID] = ", ".join(said) or "no tests"


def pytest_unconfigure(config: pytest.Config) -> None:
    """Print the last line, after that of pytest."""
    if SAID in config.stash:
        print(config.stash[SAID])


def pytest_collection_finish() -> None:
    """Leave the tests themselves, 370,000 objects, out of every garbage collection."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def forget_games() -> Iterator[None]:
    """Forget the games that a test registers."""
    with games_restored():
        yield


@pytest.fixture
def nim() -> Iterator[noughts.Position]:
    """Register the user's own game of the examples; yield its start."""
    with games_restored():
        load(NIM)
        yield noughts.game("nim")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """End the shared browser and server before a file of tests without browsers.

    Their threads, processes and event loop would disturb it.
    """
    yield
    names = vars(getattr(nextitem, "module", object))
    if names.keys().isdisjoint(("needs_browser", "needs_firefox")):
        shared = sys.modules.get("page")
        if shared is not None:
            shared.end_shared()


@pytest.fixture(scope="module")
def address() -> str:
    """Serve the page; return its address."""
    import page

    return page.address()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from page import chromium

    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def visitors(browser: Browser, address: str) -> Iterator[Visitors]:
    from page import Visitors

    with closing(Visitors(browser, address)) as found:
        yield found


@pytest.fixture
def visit(visitors: Visitors) -> Iterator[Visit]:
    """Return a function that opens a visitor's browser; no browser may have reported an error."""
    yield from visitors.of_one_test()


@pytest.fixture
def start() -> Iterator[Start]:
    """Return a function that starts `noughts` at a 100×40 terminal, and end it with the test."""
    running: list[pexpect.spawn] = []

    def spawn(arguments: str, **variables: str) -> pexpect.spawn:
        environment = {"TERM": "xterm-256color", "LANG": "C.UTF-8", **variables}
        child = pexpect.spawn(
            NOUGHTS,
            shlex.split(arguments),
            encoding="utf-8",
            timeout=PATIENCE,
            dimensions=(40, 100),
            env=environment,
        )
        running.append(child)
        return child

    yield spawn
    for child in running:
        child.close(force=True)
