"""The engine beside exit, threads, signals and forks: no search aborts or hangs the program."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import pytest
from patience import PATIENCE

import noughts
from noughts import Engine, Limit, _core
from noughts.engine import METHODS, EngineBusy, perft

IMPORTS = (
    "import os, signal, threading, time\nfrom noughts.engine import *\nfrom noughts import Limit\n"
)


def script(text: str) -> subprocess.CompletedProcess[str]:
    """Run a script that must end by itself, without a word to stderr."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS + text], capture_output=True, text=True, timeout=PATIENCE
    )
    assert (done.returncode, done.stderr) == (0, ""), done
    return done


# The end of the program


@pytest.mark.parametrize(
    "text",
    [
        "results = Engine('ultimate').analyse('ultimate'); next(results)",
        "results = [Engine('ultimate').analyse('ultimate') for _ in range(4)]\n"
        "for each in results: next(each)",
        "def think():\n  while True: Engine('ultimate', table_mib=1).best_move('ultimate', "
        "Limit(nodes=2000))\n"
        "for _ in range(4): threading.Thread(target=think, daemon=True).start()\ntime.sleep(0.2)",
        "threading.Thread(target=lambda: list(Engine('connect4').analyse('connect4')), "
        "daemon=True).start(); time.sleep(0.2)",
        "threading.Thread(target=lambda: Engine('ultimate').solve('ultimate'), "
        "daemon=True).start(); time.sleep(0.2)",
        "threading.Thread(target=lambda: perft('ultimate', 12), daemon=True).start(); "
        "time.sleep(0.2)",
        "import atexit\nengine = Engine('basic')\n"
        "threading.Thread(target=lambda: list(Engine('ultimate').analyse('ultimate')), "
        "daemon=True).start(); time.sleep(0.2)\n"
        "atexit.register(lambda: engine.best_move('basic'))",
    ],
    ids=["generator", "four", "loops", "stream", "solver", "perft", "atexit"],
)
def test_program_ends_cleanly_during_a_search(text: str) -> None:
    script(text)


def test_no_search_begins_while_python_ends() -> None:
    text = (
        "def late():\n"
        "  try: engine.best_move('basic')\n"
        "  except RuntimeError as error: print(error)\n"
    )
    # Callbacks run in reverse order: one registered before the core's runs after it.
    early = "import atexit; atexit.register(lambda: late())\n"
    done = subprocess.run(
        [sys.executable, "-c", early + IMPORTS + text + "engine = Engine('basic')"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "no search can begin while Python ends\n"


# One search at a time


@pytest.mark.parametrize("rules", ["basic", "ultimate"])
def test_busy_engine_refuses_another_search(rules: str) -> None:
    engine = Engine(rules, table_mib=1)
    results = engine.analyse(rules, Limit(nodes=20_000))
    next(results)
    for act in (
        lambda: engine.best_move(rules),
        lambda: engine.solve(rules),
        lambda: next(engine.analyse(rules)),
        engine.clear,
    ):
        with pytest.raises(EngineBusy, match="this engine is searching: end that search first"):
            act()
    results.close()  # type: ignore[attr-defined]
    assert engine.best_move(rules, Limit(nodes=1000)).move is not None


def test_refusal_does_not_stop_the_search_in_progress() -> None:
    engine = Engine("ultimate", table_mib=1)
    results = engine.analyse("ultimate", Limit(nodes=200_000))
    next(results)
    with pytest.raises(EngineBusy):
        next(engine.analyse("ultimate"))
    *_, last = results
    assert last.nodes >= 200_000


def test_signal_handler_that_searches_gets_an_error() -> None:
    engine = Engine("ultimate", table_mib=1)

    def handle(*_: object) -> None:
        engine.best_move("ultimate", Limit(nodes=1))  # ends if it comes before the search below

    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
        with pytest.raises(EngineBusy):
            engine.best_move("ultimate", Limit(seconds=30))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert engine.best_move("ultimate", Limit(nodes=1000)).nodes == 1000


def test_core_is_safe_in_several_threads() -> None:
    """The core's own engine is called by four threads at once; each gets a result or EngineBusy."""
    core = _core.Engine("ultimate", 1, 0, "", 0, b"")
    start, limit = str(noughts.game("ultimate")), _core.Limit(None, 3000, None, None)
    done: list[str] = []

    def call() -> None:
        for number in range(100):
            try:
                if number % 5 == 0:
                    core.clear()
                else:
                    core.search(start, _core.Method.alphabeta, limit, None)
                done.append("result")
            except EngineBusy:
                done.append("busy")

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 400
    assert set(done) == {"result", "busy"}


# Forks


def test_forked_child_has_engines_without_searches() -> None:
    text = (
        "quiet, loud = Engine('ultimate', table_mib=1), Engine('ultimate', table_mib=1)\n"
        "thread = threading.Thread(target=loud.best_move, args=('ultimate', Limit(seconds=1)))\n"
        "thread.start()\n"
        "results = quiet.analyse('ultimate'); next(results)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "  limit = Limit(nodes=5000)\n"
        "  nodes = [each.best_move('ultimate', limit).nodes for each in (quiet, loud)]\n"
        "  try: next(results)\n"
        "  except EngineBusy as error: print(nodes, error, flush=True)\n"
        "  del results\n"
        "  nodes.append(quiet.best_move('ultimate', Limit(nodes=5000)).nodes)\n"
        "  os._exit(nodes != [5000] * 3)\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
        "print(next(results).depth > 0)\n"
        "thread.join()\n"
    )
    printed = "[5000, 5000] this search belongs to the process that was forked\nTrue\n"
    assert script(text).stdout == printed


# Memory and numbers


def test_search_after_a_lack_of_memory_raises_again() -> None:
    core = _core.Engine("ultimate", 2**31 - 1, 0, "", 0, b"")
    start, limit = str(noughts.game("ultimate")), _core.Limit(None, 1000, None, None)
    for _ in range(2):
        with pytest.raises(MemoryError):
            core.search(start, _core.Method.alphabeta, limit, None)


@pytest.mark.parametrize(
    ("bound", "said"),
    [
        ({"depth": -1}, "depth=-1 must be above 0"),
        ({"depth": 10**10}, "depth=10000000000 must be at most 1,000,000"),
        ({"nodes": 10**19}, "must be at most 1,000,000,000,000,000,000"),
        ({"simulations": 10**19}, "must be at most 1,000,000,000,000,000,000"),
        ({"seconds": float("inf")}, "seconds=inf must be at most 1,000,000,000"),
        ({"seconds": float("nan")}, "seconds=nan must be above 0"),
    ],
)
def test_limits_are_checked(bound: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Limit(**bound)  # type: ignore[arg-type]


@pytest.mark.parametrize("depth", [-1, 10**10])
def test_depth_of_perft_is_checked(depth: int) -> None:
    with pytest.raises(ValueError, match="is not from 0 to 1,000,000"):
        perft("ultimate", depth)


def test_table_size_is_checked() -> None:
    with pytest.raises(ValueError, match="too large; at most 65,536"):
        Engine("basic", table_mib=10**8)


@pytest.mark.parametrize("depth", [0, 1, 3])
@pytest.mark.parametrize("method", METHODS)
def test_every_method_answers_with_a_move_at_any_depth(method: str, depth: int) -> None:
    engine = Engine("ultimate", table_mib=4)
    for limit in (Limit(depth=depth), Limit(depth=depth, nodes=5000)):
        assert engine.best_move("ultimate", limit, method=method).move is not None


@pytest.mark.parametrize(
    "position", ["connect4~7.7.7.7.X6.7~O", "connect4~7.7.7.X6.7.O6~X", "mnk:3,3,3~3.3.3~X"]
)
def test_a_book_has_no_place_for_other_positions(position: str) -> None:
    with pytest.raises(ValueError, match="cannot read"):
        _core.book_place(position)


def test_control_c_ends_perft() -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", IMPORTS + "print(1, flush=True); perft('ultimate', 14)"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    child.stdout.readline()
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in child.communicate(timeout=PATIENCE)[1]
