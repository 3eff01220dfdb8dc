"""The files with which the visitor's browser computes: the core, its worker, nets and books.

app/worker.js · core/core.wasm · data/* ──► below one address with a digest of all of them

The site has the same files at the same places.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, NamedTuple

from noughts import books, levels, nets
from noughts.answers.tasks import EXPLAINED
from noughts.arena import openings
from noughts.views.modules import bundle, ordered
from noughts.web.bundles import STATIC, File, modules, small

WORKER, CORE, PARTS = "app/worker.js", "core/core.wasm", "parts.json"
HINT = {"nodes": EXPLAINED.nodes, "seconds": EXPLAINED.seconds}
"""The limit of the search for a hint."""
STONES = {
    "nodes": openings.EVEN_NODES,
    "estimate": openings.EVEN,
    "middle": openings.MIDDLE,
    "cells": openings.LARGE_BOARD,
    "tries": openings.SOLVER_PATIENCE,
}
"""How even stones for swap2 are drawn."""


class Visitor(NamedTuple):
    """The files by their paths, below an address that has their digest."""

    digest: str
    files: dict[str, File]

    @property
    def address(self) -> str:
        return f"/static/visitor/{self.digest}/"


@cache
def visitor() -> Visitor | None:
    """Return the files; `None` without `core.wasm`, which `make wasm` builds."""
    core = STATIC / "core" / "core.wasm"
    if not core.is_file():
        return None
    script = small(bundle(ordered(modules(), "/static/worker.js")))
    contents = {
        WORKER: ("text/javascript", script.encode()),
        CORE: ("application/wasm", core.read_bytes()),
        PARTS: ("application/json", json.dumps(engine_data()).encode()),
    }
    for path, content in data_files().items():
        contents[path] = "application/octet-stream", content
    digest = sha256(b"".join(content for _, content in contents.values())).hexdigest()[:16]
    found = {
        path: File(kind, content, gzip.compress(content, 6, mtime=0))
        for path, (kind, content) in contents.items()
    }
    return Visitor(digest, found)


def engine_data() -> dict[str, Any]:
    """Return the data that `machines.js` reads: levels, nets, books, and limits of its searches."""
    ladders = {
        name: [level._asdict() for level in ladder] for name, ladder in levels.ladders().items()
    }
    return {"levels": ladders, "nets": _nets(), "books": _books(), "hint": HINT, "even": STONES}


def data_files() -> dict[str, bytes]:
    """Return the nets and the books by their paths."""
    return {
        each["file"].removeprefix("../"): (
            files(f"noughts.{folder}") / each["file"].rpartition("/")[2]
        ).read_bytes()
        for folder, found in (("nets", _nets()), ("books", _books()))
        for each in found.values()
    }


def _nets() -> dict[str, dict[str, Any]]:
    """Return the file and the curve of the net of each rules id, for the worker in `app`."""
    found = {}
    for name, family in nets.FAMILIES.items():
        for rules in family:
            if (net := nets.net_of(rules)) is not None:
                curve = net.card.curves.get(rules)
                found[rules] = {"file": f"../data/{name}.net", "curve": curve}
    return found


def _books() -> dict[str, dict[str, Any]]:
    """Return the file and the stones of each book, by rules id."""
    return {
        rules: {"file": f"../data/{books.book_file(rules)}", "stones": book.stones}
        for rules in books.RULES
        if (book := books.book_of(rules)) is not None
    }
