"""Pack the files that compute in a visitor's browser: Python, the package and the core.

python tools/site_parts.py PYODIDE STATIC OUT WHEEL...

Pyodide (a folder) ──┐
wheels ──────────────┼──► OUT/python, with manifest.json of the names and sizes
STATIC/python, core ─┴──► OUT/python, OUT/core
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
SCRIPTS = ("client.js", "start.js", "worker.js")
CORE = ("core.js", "words.js", "phrases.js", "core.wasm", "core-threads.wasm", "rules.wasm")


def main() -> None:
    """Copy the files that the arguments name, and print their sizes."""
    pyodide, static, out, *wheels = map(Path, sys.argv[1:])
    shutil.rmtree(out, ignore_errors=True)
    python, core = out / "python", out / "core"
    python.mkdir(parents=True)
    core.mkdir()
    loaded = [pyodide / name for name in PYODIDE] + wheels
    for file in (*loaded, *(static / "python" / name for name in SCRIPTS)):
        shutil.copy(file, python)
    # Pyodide reads the list of its packages; the page installs none of them.
    lock = json.loads((pyodide / LOCK).read_text(encoding="utf-8"))
    (python / LOCK).write_text(json.dumps(lock | {"packages": {}}), encoding="utf-8")
    for name in CORE:
        shutil.copy(static / "core" / name, core)
    files = [{"name": each.name, "bytes": each.stat().st_size} for each in loaded]
    files.append({"name": "../core/core.wasm", "bytes": (core / "core.wasm").stat().st_size})
    manifest = json.dumps({"files": files}, indent=1)
    (python / "manifest.json").write_text(f"{manifest}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
