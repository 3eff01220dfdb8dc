"""The site without network, and installed: its service worker, its manifest and its icons.

all files ──► {page: {name: hash}, large: {name: hash}} ──► sw.js
colours of the page, icons ──► manifest.webmanifest
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files

from noughts.views.svg import DARK, LIGHT
from noughts.web.bundles import small

STATIC = files("noughts.site") / "static"
WORKER = "sw.js"
MANIFEST = "manifest.webmanifest"
SCRIPT = "offline.js"
"""The script that starts the worker, which the page loads last."""
ICONS = {
    "icon-192.png": ("192x192", "any"),
    "icon-512.png": ("512x512", "any"),
    "icon-maskable.png": ("512x512", "maskable"),
}
"""The size and the purpose of each icon."""
LARGE = re.compile(r"python/|data/.*\.(net|book)$")
"""Large files, which the browser stores after the first move, not at the installation."""
THREADS = "core/core-threads.wasm"
"""A file that the browser stores when it first uses it: most hosts do not allow it."""
HEAD = (
    f'<link rel="manifest" href="{MANIFEST}">\n'
    '<link rel="apple-touch-icon" href="icon-maskable.png">\n'
    f'<meta name="theme-color" content="{LIGHT.paper}" media="(prefers-color-scheme: light)">\n'
    f'<meta name="theme-color" content="{DARK.paper}" media="(prefers-color-scheme: dark)">\n'
)
"""The elements of the page's head that name these files."""


def with_offline(site: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a site by their paths, with the manifest, the icons and the worker."""
    found = {**site, MANIFEST: _manifest()}
    for name in ICONS:
        found[name] = (STATIC / name).read_bytes()
    return {**found, WORKER: _worker(found)}


def _manifest() -> bytes:
    """Return the web app manifest; its addresses are relative, so the site may lie in a folder."""
    data = {
        "name": "noughts",
        "short_name": "noughts",
        "description": "Play tic-tac-toe and its relatives, and see how the engine thinks.",
        "lang": "en",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": LIGHT.paper,
        "theme_color": LIGHT.paper,
        "categories": ["games", "education"],
        "icons": [
            {"src": name, "sizes": size, "type": "image/png", "purpose": purpose}
            for name, (size, purpose) in ICONS.items()
        ],
    }
    return json.dumps(data, indent=1).encode()


def _worker(found: Mapping[str, bytes]) -> bytes:
    """Return the script of the worker, which begins with the hashes (SHA-256) of all files."""
    hashes: dict[str, dict[str, str]] = {"page": {}, "large": {}, "used": {}}
    for name, content in sorted(found.items()):
        part = "used" if name == THREADS else "large" if LARGE.match(name) else "page"
        hashes[part][name] = sha256(content).hexdigest()
    script = small((STATIC / WORKER).read_text(encoding="utf-8"))
    return f"const FILES = {json.dumps(hashes)};\n{script}".encode()
