"""Make the npm package of `<noughts-board>` and of the core as WebAssembly.

python tools/npm_package.py PACKAGING OUT

PACKAGING (package.json, types, README.md) ─┐
the installed package: core/*.js, *.wasm ───┼──► OUT, for `npm pack`
noughts.views.embed.script() ───────────────┘
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from noughts.version import __version__
from noughts.views import embed
from noughts.views.modules import ordered, parse

FILES = ("core.wasm", "core-threads.wasm", "rules.wasm")
ENTRIES = ("core.js", "helper.js", "hints.js", "words.js")


def main() -> None:
    """Write the folder that the arguments name."""
    packaging, out = map(Path, sys.argv[1:])
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(packaging, out)
    shutil.copy(Path(__file__).parent.parent / "LICENSE", out)
    core = Path(str(embed.CORE))
    modules = {
        address: parse(address, file.read_text("utf-8"))
        for file in core.glob("*.js")
        for address in [f"/{file.name}"]
    }
    scripts = {each.address[1:] for entry in ENTRIES for each in ordered(modules, f"/{entry}")}
    for name in (*FILES, *sorted(scripts)):
        shutil.copy(core / name, out)
        (out / name).chmod(0o644)
    (out / "board.js").write_text(embed.script(), encoding="utf-8")
    described = json.loads((packaging / "package.json").read_text("utf-8"))
    named = {"name": described.pop("name"), "version": __version__}
    text = json.dumps(named | described, indent=2, ensure_ascii=False)
    (out / "package.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
