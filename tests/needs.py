"""Programs, files and packages that a machine may lack.

A test that needs a missing one is skipped, with the command that installs it. Where CI is set,
nothing is skipped: the test runs and fails.
"""

from __future__ import annotations

import importlib
import os
import shutil
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

IN_CI = "CI" in os.environ
# Without a window, the small Chromium draws the same page in half the processor time.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
XVFB, XDOTOOL = shutil.which("Xvfb"), shutil.which("xdotool")
AXE = Path(__file__).parents[1] / "build/axe-core/package/axe.min.js"
CORE_WASM = Path(__file__).parents[1] / "src/noughts/web/static/core/core.wasm"
CORE_THREADS = CORE_WASM.with_name("core-threads.wasm")
NODE = shutil.which("node")
SITE_PARTS = Path(__file__).parents[1] / "build/site-parts"


def _needs(found: object, reason: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not found and not IN_CI, reason=reason)


needs_browser = _needs(CHROMIUM, "no Chromium: make browser installs it")
needs_firefox = _needs(FIREFOX, "no Firefox: make browser installs it")
needs_axe = _needs(AXE.exists(), "no axe-core: make axe downloads it, with npm")
needs_site_parts = _needs(
    NODE and SITE_PARTS.exists(), "no Python for browsers: make site-parts builds it, with npm"
)
needs_node = _needs(NODE, "no Node: install nodejs")
needs_wasm = _needs(CORE_WASM.exists(), "no core.wasm: make wasm builds it")
needs_threads = _needs(CORE_THREADS.exists(), "no core-threads.wasm: make wasm builds it")
needs_display = _needs(XVFB and XDOTOOL, "no Xvfb and xdotool: make display installs them")
needs_linux = _needs(sys.platform == "linux", "Linux only")
needs_proc = _needs(Path("/proc/self/fd").exists(), "needs /proc to list processes and open files")


def skip(reason: str) -> None:
    """Skip the test; where CI is set, fail."""
    if IN_CI:
        pytest.fail(reason)
    pytest.skip(reason, allow_module_level=True)


def imported(module: str, extra: str) -> Any:
    """Import a module of an extra that `make test` does without where it has no wheel."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Warnings of the package's own imports.
            return importlib.import_module(module)
    except ImportError as error:
        skip(f"the extra `{extra}` is not installed: {error}")
