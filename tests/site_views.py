"""Games as a page without a server keeps them: their views by the page's own script, in Node.

kept games ──site_views()──► view and counts of each ──assert_same()──► what Python says of it
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from needs import NODE

from noughts.site import build
from noughts.views.modules import bundle, ordered

SCRIPT = """
import { readFileSync } from "node:fs";
for (const line of readFileSync(0, "utf8").trim().split("\\n")) {
  const { game, position } = JSON.parse(line);
  const counts = [views.afterUndo(game, position.turn), views.afterRedo(game, position.turn)];
  console.log(JSON.stringify({ ...views.view(game, position), counts }));
}
"""


def site_views(folder: Path, kept: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the view of each game; its `counts` are the moves left by undo and by redo.

    Args:
        folder: receives the script.
        kept: for each game `game`, as the page keeps it, and `position`.
    """
    entry = "/static/site/views.js"
    modules = build.modules()
    script = f"{bundle(ordered(modules, entry))}const views = {modules[entry].name};{SCRIPT}"
    (folder / "views.mjs").write_text(script, encoding="utf-8")
    assert NODE is not None
    done = subprocess.run(
        [NODE, str(folder / "views.mjs")],
        input="\n".join(map(json.dumps, kept)),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def assert_same(found: dict[str, Any], wanted: dict[str, Any], about: object) -> None:
    """Compare a view with the parts that Python gives, `can` sorted."""
    parts = {name: found[name] for name in wanted}
    parts["can"].sort()
    if wanted["counts"][1] is None:
        parts["counts"][1] = None  # Nothing to redo: the page does not ask.
    assert parts == wanted, about
