"""Build JupyterLite with the notebooks: a folder of files that compute in the reader's browser.

python tools/lite.py PYODIDE NOTEBOOKS OUT WHEEL...

Pyodide (a folder of its npm package) ─┐
wheels of Python packages, from pip ───┼──► OUT.source ──jupyter lite build──► OUT
WHEEL…: noughts and MarkupSafe ────────┤
notebooks ─────────────────────────────┘

Pyodide's npm package has no Python packages, and its list of them names another host. The list that
is written here names wheels beside it, in the versions that this Pyodide was tested with.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from email.parser import HeaderParser
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCK = "pyodide-lock.json"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
KERNEL = ("comm", "ipython", "jedi", "micropip")
"""Packages that JupyterLite's kernel imports."""
PREFETCHED = ("noughts", *KERNEL)
"""Packages that are loaded with the kernel: a cell with a magic command loads none by itself."""
SETTINGS = {
    "jupyter-lite-schema-version": 0,
    "jupyter-config-data": {
        "appName": "noughts",
        "litePluginSettings": {
            "@jupyterlite/pyodide-kernel-extension:kernel": {
                "disablePyPIFallback": True,
                "loadPyodideOptions": {"packages": PREFETCHED},
            }
        },
    },
}
_LINK = re.compile(r"\[([^][]*)\]\(\.\./[^)]*\)")


def main() -> None:
    """Build the folder that the arguments name."""
    pyodide, notebooks, out, *wheels = (Path(each).resolve() for each in sys.argv[1:])
    source = out.with_name(f"{out.name}.source")
    shutil.rmtree(source, ignore_errors=True)
    shutil.rmtree(out, ignore_errors=True)
    _add_pyodide(pyodide, source / "static" / "pyodide", wheels)
    add_notebooks(notebooks, source / "notebooks")
    (source / "jupyter-lite.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
    folders = ("--lite-dir", source, "--output-dir", out, "--contents", source / "notebooks")
    _run("jupyterlite_core", "build", *folders, "--apps", "lab", "--no-sourcemaps", folder=source)


def _add_pyodide(pyodide: Path, folder: Path, wheels: list[Path]) -> None:
    """Copy Pyodide and its Python packages, with their list."""
    folder.mkdir(parents=True)
    for name in RUNTIME:
        shutil.copy(pyodide / name, folder)
    known = json.loads((pyodide / LOCK).read_text(encoding="utf-8"))
    python = known["info"]["python"].rpartition(".")[0]
    given = {wheel.name.partition("-")[0] for wheel in wheels}
    with TemporaryDirectory() as name:
        constraints = Path(name) / "constraints.txt"
        constraints.write_text(
            "".join(
                f"{package['name']}=={package['version']}\n"
                for package in known["packages"].values()
                if package["file_name"].endswith("-none-any.whl") and package["name"] not in given
            ),
            encoding="utf-8",
        )
        links = [word for wheel in wheels for word in ("--find-links", wheel.parent)]
        without_native = ("--implementation", "py", "--abi", "none", "--platform", "any")
        kind = ("--only-binary", ":all:", "--python-version", python, *without_native)
        options = ("--quiet", "--disable-pip-version-check", "--dest", folder, *kind)
        _run("pip", "download", *options, "--constraint", constraints, *links, *KERNEL, *wheels)
    environment = {
        "platform_system": "Emscripten",
        "python_full_version": known["info"]["python"],
        "python_version": python,
        "sys_platform": "emscripten",
    }
    packages = {}
    for wheel in sorted(folder.glob("*.whl")):
        package = _package(wheel, environment)
        packages[package["name"]] = package
    # pip downloads what this system needs, such as pexpect, too.
    needed: set[str] = set()
    found = [*PREFETCHED]
    while found:
        name = found.pop()
        if name not in needed:
            needed.add(name)
            found += packages[name]["depends"]
    for name in packages.keys() - needed:
        (folder / packages.pop(name)["file_name"]).unlink()
    lock = known | {"packages": packages}
    (folder / LOCK).write_text(json.dumps(lock, indent=1), encoding="utf-8")


def _package(wheel: Path, environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the entry of a wheel in Pyodide's list of packages.

    Args:
        wheel: a wheel without a native module.
        environment: the environment markers (PEP 508) of Pyodide that differ from those here.
    """
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        headers = HeaderParser().parsestr(archive.read(metadata).decode())
    requirements = map(Requirement, headers.get_all("Requires-Dist", ()))
    tops = {name.partition("/")[0].removesuffix(".py") for name in names if name.endswith(".py")}
    return {
        "name": canonicalize_name(headers["Name"]),
        "version": headers["Version"],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(top for top in tops if top.isidentifier()),
        "depends": [
            canonicalize_name(each.name)
            for each in requirements
            if not each.marker or each.marker.evaluate({**environment, "extra": ""})
        ],
        "unvendored_tests": False,
    }


def add_notebooks(notebooks: Path, folder: Path) -> None:
    """Copy the notebooks; their links to files that JupyterLite lacks become text."""
    folder.mkdir()
    for file in sorted(notebooks.glob("*.ipynb")):
        notebook = json.loads(file.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            if cell["cell_type"] == "markdown":
                cell["source"] = [_LINK.sub(r"\1", line) for line in cell["source"]]
        (folder / file.name).write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")


def _run(module: str, *arguments: str | Path, folder: Path | None = None) -> None:
    """Run a module of Python; end with its output if it fails."""
    command = (sys.executable, "-m", module, *map(str, arguments))
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8")
    if done.returncode:
        sys.exit(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
