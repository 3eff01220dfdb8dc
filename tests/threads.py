"""Call a sanitized core from several threads: `python tests/threads.py CORE.so`.

The sanitizer ends the program with an error when it finds one; its library must be preloaded.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

CALLS = 30
"""Calls of each thread."""
WIDTHS = (
    *("basic", "mnk:8,7,4,misere", "mnk:16,7,5,exact", "mnk:15,15,5", "mnk:20,20,5"),
    *("connect4", "connect4:9,9", "connect4:8,15,5", "advanced:full=draw", "ultimate:won=open"),
)
"""Rules of all widths of bitboards, and of other searches."""


def use(path: str) -> None:
    """Make a module the core that noughts imports."""
    spec = importlib.util.spec_from_file_location("noughts._core", path)
    assert spec is not None
    assert spec.loader is not None
    sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[spec.name])


def together(*calls: Callable[[], Any]) -> dict[str, int]:
    """Let a thread for each function call it often; count results and busy engines."""
    from noughts.engine import EngineBusy

    counts = {"results": 0, "busy": 0}
    failed: list[BaseException] = []

    def work(call: Callable[[], Any]) -> None:
        try:
            for _ in range(CALLS):
                try:
                    call()
                    counts["results"] += 1
                except EngineBusy:
                    counts["busy"] += 1
                    time.sleep(0.002)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return counts


def main(path: str) -> None:
    """Share engines and cores between threads, in all methods; stop, drop and fork beside them.

    Then engines search with three threads each, one of them while its table grows.
    """
    use(path)
    import noughts
    from noughts import Engine, Limit, _core
    from noughts.engine import METHODS, perft

    assert _core.__file__ == path
    some = Limit(nodes=2_000)
    for rules, methods in (("ultimate", METHODS), ("connect4", METHODS), ("mnk:5,5,4", METHODS)):
        start = str(noughts.game(rules))
        core = _core.Engine(rules, 1, 0, "", 0, b"")
        bound = _core.Limit(None, 2_000, None, None)
        calls = [
            lambda method=method, core=core, start=start, bound=bound: core.search(
                start, method, bound, None
            )
            for method in _core.Method
        ]
        print(rules, "core", together(*calls, core.clear, core.stop))
        engine = Engine(rules, table_mib=1)
        shared = [
            lambda method=method, engine=engine, rules=rules: engine.best_move(
                rules, some, method=method
            )
            for method in methods
        ]

        def dropped(rules: str = rules) -> None:
            next(Engine(rules, table_mib=1).analyse(rules))

        def stopped(engine: Engine = engine) -> None:
            engine.stop()
            time.sleep(0.001)

        print(rules, "engine", together(*shared, dropped, stopped, lambda: perft("basic", 5)))
    for rules in WIDTHS:
        engine = Engine(rules, table_mib=4, threads=3)
        for method in METHODS:
            found = engine.best_move(rules, Limit(nodes=500), method=method)
            assert found.nodes <= 500, (rules, method, found)
    growing = Engine("ultimate", table_mib=16, threads=3, net="no")
    print("ultimate, 3 threads", growing.best_move("ultimate", Limit(nodes=60_000)).nodes, "nodes")
    results = Engine("ultimate", table_mib=1).analyse("ultimate")
    next(results)
    child = os.fork()
    if child == 0:
        os._exit(Engine("ultimate", table_mib=1).best_move("ultimate", some).nodes != some.nodes)
    assert os.waitpid(child, 0)[1] == 0


if __name__ == "__main__":
    main(str(Path(sys.argv[1]).resolve()))
