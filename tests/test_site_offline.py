"""The page without a server and without network: kept files, new versions, installation."""

from __future__ import annotations

import functools
import json
import re
import struct
import threading
from collections.abc import Callable
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from firefox import firefox
from needs import (
    CORE_WASM,
    SITE_PARTS,
    needs_browser,
    needs_firefox,
    needs_site_parts,
    needs_wasm,
)
from page import Visitor, button, chromium, moves, wait_until
from playwright.sync_api import expect

from noughts.site import build, offline
from noughts.web import bundles

pytestmark = pytest.mark.xdist_group("site")

LISTED = re.compile(r"const FILES = (\{.*\});\n")
FOLDER = "a/b"
"""The site lies below a path."""


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Write no log."""


class Host:
    """A site in a sub-folder, and its server, which starts and stops at one address."""

    def __init__(self, folder: Path, parts: Path) -> None:
        self.site, self.parts = folder / FOLDER, parts
        build.write(self.site, parts)
        handler = functools.partial(_Files, directory=str(folder))
        self._open: Callable[[int], ThreadingHTTPServer] = lambda port: ThreadingHTTPServer(
            ("127.0.0.1", port), handler
        )
        self._start(0)
        self.port = self._server.server_port
        self.address = f"http://127.0.0.1:{self.port}/{FOLDER}/"

    def _start(self, port: int) -> None:
        self._server = self._open(port)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def start(self) -> None:
        self._start(self.port)

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def publish(self, monkeypatch: pytest.MonkeyPatch, title: str) -> None:
        """Write the site again: a page and its script have another title."""
        with monkeypatch.context() as changed:
            scripts = bundles.scripts

            def renamed(modules: Any, *before: str) -> dict[str, str]:
                found = scripts(modules, *before)
                assert "My games" in found["games.js"]
                return {**found, "games.js": found["games.js"].replace("My games", title)}

            changed.setattr(bundles, "scripts", renamed)
            build.write(self.site, self.parts)


@pytest.fixture
def host(tmp_path: Path) -> Any:
    """Serve a site with the core alone."""
    parts = tmp_path / "parts"
    if CORE_WASM.exists():
        (parts / "core").mkdir(parents=True)
        for file in (CORE_WASM, CORE_WASM.with_name("rules.wasm")):
            (parts / "core" / file.name).write_bytes(file.read_bytes())
    found = Host(tmp_path / "root", parts)
    yield found
    found.stop()


def wait_for_kept(page: Any, count: int) -> None:
    """Wait until the cache has `count` files."""
    wait_until(
        page,
        """async (count) => {
             const [name] = await caches.keys();
             return name && (await (await caches.open(name)).keys()).length === count;
           }""",
        count,
    )
    wait_until(
        page, "async () => (await navigator.serviceWorker.ready).active.state === 'activated'"
    )


def listed(site: Path) -> dict[str, dict[str, str]]:
    """Return the hashes by which the worker knows its files."""
    found = LISTED.match((site / offline.WORKER).read_text(encoding="utf-8"))
    assert found
    hashes: dict[str, dict[str, str]] = json.loads(found[1])
    return hashes


# The files


def test_the_worker_lists_every_file_with_its_hash(tmp_path: Path) -> None:
    python = tmp_path / "parts/python"
    python.mkdir(parents=True)
    (python / "wheel.whl").write_bytes(b"wheel")
    site = tmp_path / "site"
    build.write(site, tmp_path / "parts")
    hashes = listed(site)
    assert "python/wheel.whl" in hashes["large"]
    assert {"data/ultimate.net", "data/connect4.book"} < {*hashes["large"]}
    assert {"index.html", "app/main.js", offline.MANIFEST, *offline.ICONS} < {*hashes["page"]}
    found = {
        str(file.relative_to(site)): sha256(file.read_bytes()).hexdigest()
        for file in site.rglob("*")
        if file.is_file() and file.name not in (offline.WORKER, build.MARK)
    }
    assert found == hashes["page"] | hashes["large"] | hashes["used"]
    before = (site / offline.WORKER).read_bytes()
    build.write(site, tmp_path / "parts")
    assert (site / offline.WORKER).read_bytes() == before
    (python / "wheel.whl").write_bytes(b"another wheel")
    build.write(site, tmp_path / "parts")
    assert (site / offline.WORKER).read_bytes() != before


def test_the_manifest_names_icons_of_their_size(tmp_path: Path) -> None:
    build.write(tmp_path / "site", tmp_path)
    manifest = json.loads((tmp_path / "site" / offline.MANIFEST).read_text())
    assert (manifest["start_url"], manifest["scope"]) == ("./", "./")
    html = (tmp_path / "site/index.html").read_text()
    assert f'<link rel="manifest" href="{offline.MANIFEST}">' in html
    assert "manifest-src 'self'" in build.POLICY
    assert len(manifest["icons"]) == 3
    for icon in manifest["icons"]:
        png = (tmp_path / "site" / icon["src"]).read_bytes()
        assert png.startswith(b"\x89PNG")
        width, height = struct.unpack(">II", png[16:24])
        assert icon["sizes"] == f"{width}x{height}"


# Browsers


@needs_browser
@needs_wasm
def test_without_network_and_a_new_version(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    hashes = listed(host.site)
    with chromium() as browser:
        visitor = Visitor(browser, host.address)
        page = visitor.go("")
        wait_for_kept(page, len(hashes["page"]))
        page.goto(host.address + "#/?game=basic&opponent=me")
        page.locator('.cell[data-cell="4"]').click()
        wait_for_kept(page, len(hashes["page"]) + len(hashes["large"]))

        # A new visit, to the end of a game.
        host.stop()
        page.close()
        page = visitor.tab()
        page.goto(host.address)
        expect(page.locator(".home-game").first).to_be_visible()
        page.goto(host.address + "#/games")
        page.locator("li.game a").first.click()
        for number, cell in enumerate((0, 2, 1, 6), 2):
            page.locator(f'.cell.may[data-cell="{cell}"]').click()
            expect(moves(page)).to_have_count(number)
        expect(page.locator(".situation")).to_have_text("X wins with the diagonal from top right.")
        page.goto(host.address + "#/?game=basic&opponent=engine:level=1")
        expect(page).to_have_title(re.compile("^Your move"))
        page.locator('.cell[data-cell="4"]').click()
        expect(moves(page)).to_have_count(2)
        expect(page).to_have_title(re.compile("^Your move"))

        # Until the visitor agrees, all files are of the old version.
        host.publish(monkeypatch, "Games of mine")
        host.start()
        page.reload()
        expect(page.get_by_text("A new version is ready.")).to_be_visible()
        assert visitor.wrong == []
        other = visitor.tab()
        other.goto(host.address + "#/games")
        expect(other).to_have_title(re.compile("^My games"))
        button(page, "Update").click()
        expect(page.locator("#update")).to_have_count(0)
        expect(other).to_have_title(re.compile("^Games of mine"))
        expect(other.locator("li.game")).to_have_count(2)
        expect(moves(page)).to_have_count(2)
        expect(page).to_have_title(re.compile("^Your move"))
        new = listed(host.site)
        assert new != hashes
        wait_for_kept(page, len(new["page"]) + len(new["large"]))
        assert visitor.wrong == []


@pytest.mark.soak
@needs_browser
@needs_wasm
@needs_site_parts
def test_python_answers_without_network(tmp_path: Path) -> None:
    host = Host(tmp_path, SITE_PARTS)
    hashes = listed(host.site)
    try:
        with chromium() as browser:
            visitor = Visitor(browser, host.address)
            page = visitor.go("")
            wait_for_kept(page, len(hashes["page"]))
            page.goto(host.address + "#/?game=basic&opponent=me")
            page.locator('.cell[data-cell="4"]').click()
            wait_for_kept(page, len(hashes["page"]) + len(hashes["large"]))
            host.stop()
            page.close()
            page = visitor.tab()
            page.goto(host.address + "#/puzzles")
            expect(page.locator(".puzzle-card").first).to_be_visible()
            page.goto(host.address + "#/exercises")
            expect(page.locator("main a.card").first).to_be_visible()
            assert visitor.wrong == []
            host.start()
    finally:
        host.stop()


@pytest.mark.soak
@needs_browser
@needs_wasm
def test_files_of_another_version_are_not_used(host: Host) -> None:
    """A host that has changed a file, and not yet the list, breaks no version."""
    before = (host.site / offline.WORKER).read_text()
    with chromium() as browser:
        visitor = Visitor(browser, host.address)
        page = visitor.go("")
        wait_for_kept(page, len(listed(host.site)["page"]))
        (host.site / "app/games.js").write_text("nothing")
        other = "0" * 64
        mine = listed(host.site)["page"]["app/games.js"]
        (host.site / offline.WORKER).write_text(before.replace(mine, other))
        state = page.evaluate(
            """async () => {
                 const known = await navigator.serviceWorker.ready;
                 const { installing } = await known.update();
                 const wait = (go) => setTimeout(go, 50);
                 while (installing.state === "installing") await new Promise(wait);
                 return installing.state;
               }"""
        )
        assert state == "redundant"
        page.reload()
        page.goto(host.address + "#/games")
        expect(page).to_have_title(re.compile("^My games"))
        expect(page.get_by_text("A new version is ready.")).to_have_count(0)


@pytest.mark.soak
@needs_firefox
@needs_wasm
def test_firefox_without_network(host: Host, tmp_path: Path) -> None:
    with firefox(host.address, tmp_path) as browser:
        browser.go("", ".home-game")
        browser.until("return navigator.serviceWorker.controller !== null")
        host.stop()
        browser.go("", ".home-game")
        browser.go("#/?game=basic&opponent=engine:level=1", ".cell")
        browser.click('.cell[data-cell="4"]')
        browser.wait(".rows .half button", least=2)
        assert browser.errors() == []
        host.start()
