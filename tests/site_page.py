"""The page without a server, served from a sub-folder of a host.

written(folder, parts) ──► the folder ──► hosted(folder) ──► the address of the site
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from needs import SITE_PARTS

from noughts.site import build

FOLDER = "a/b"
"""The site's folder below the root of its host."""


def written(root: Path) -> Path:
    """Write a site, with the parts that there are, into a sub-folder of `root`; return that."""
    build.write(root / FOLDER, SITE_PARTS if SITE_PARTS.exists() else root)
    return root / FOLDER


class _Files(SimpleHTTPRequestHandler):
    headers_to_send: Mapping[str, str]

    def __init__(self, *given: object, headers: Mapping[str, str], directory: str) -> None:
        self.headers_to_send = headers
        super().__init__(*given, directory=directory)  # type: ignore[arg-type]

    def end_headers(self) -> None:
        for name, value in self.headers_to_send.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Write no log."""


@contextmanager
def hosted(root: Path, headers: Mapping[str, str] | None = None) -> Iterator[str]:
    """Serve `root` with more headers, and yield the address of its site."""
    handler = functools.partial(_Files, headers=headers or {}, directory=str(root))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/{FOLDER}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
