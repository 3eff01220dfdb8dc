"""The page without a server, served from a sub-folder of a host.

written(folder, parts) ──► the folder ──► hosted(folder) ──► the address of the site
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from needs import SITE_PARTS

from noughts.site import build

FOLDER = "a/b"
"""The site's folder below the root of its host."""


def written(root: Path) -> Path:
    """Write a site, with the parts that there are, into a sub-folder of `root`; return that."""
    build.write(root / FOLDER, SITE_PARTS if SITE_PARTS.exists() else root)
    return root / FOLDER


class _Files(SimpleHTTPRequestHandler):
    def __init__(self, *given: Any, headers: Mapping[str, str], directory: str) -> None:
        self.more = headers
        super().__init__(*given, directory=directory)

    def end_headers(self) -> None:
        for name, value in self.more.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Write no log."""


@contextmanager
def listening(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    """Answer requests by a handler, and yield the address of the host."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def hosted(root: Path, headers: Mapping[str, str] | None = None) -> Iterator[str]:
    """Serve `root` with more headers, and yield the address of its site."""
    with listening(partial(_Files, headers=headers or {}, directory=str(root))) as host:
        yield f"{host}/{FOLDER}/"
