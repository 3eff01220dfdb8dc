"""Measure the page with Lighthouse on its phone profile: performance and accessibility, 0 to 100.

    Lighthouse (npm) ──► Chromium, slow phone emulated ──► a process with noughts serve
        └──► the median of three runs on each page

`make lighthouse` downloads Lighthouse, which then runs without a network. The exit code is 1 if a
target is missed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any
from urllib.request import Request, urlopen

from served import PROGRAM, serving
from table import Line, parser, show

LIGHTHOUSE = Path(__file__).parents[1] / "build/lighthouse/node_modules/.bin/lighthouse"
CATEGORIES = ("performance", "accessibility")
TARGET = 95
SECONDS = 180


def reply(address: str, path: str, body: Any = None, cookie: str = "") -> tuple[Any, str]:
    """Return the JSON of the API and the cookie that it set."""
    headers = {"content-type": "application/json", "cookie": cookie}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{address}/api/v1{path}", data, headers)) as answer:
        return json.load(answer), answer.headers.get("set-cookie", "").partition(";")[0]


def pages(address: str) -> dict[str, tuple[str, str]]:
    """Return the path and the cookie of each page."""
    game = {"start": "ultimate", "moves": "51 19", "x": "me", "o": "engine:level=1"}
    running, player = reply(address, "/games", game)
    over = {"start": "connect4", "moves": "4 4 3 5 2 6 1", "x": "me", "o": "me"}
    finished, _ = reply(address, "/games", over, player)
    found, _ = reply(address, "/puzzles?count=1")
    return {
        "home": ("/", player),
        "game": (f"/game/{running['id']}", player),
        "review": (f"/game/{finished['id']}", player),
        "puzzle": (f"/puzzles/{found['puzzles'][0]['id']}", player),
    }


def scores(url: str, cookie: str) -> dict[str, float]:
    """Return the scores of one run, and print the audits below the best."""
    with tempfile.TemporaryDirectory() as folder:
        headers = Path(folder, "headers.json")
        headers.write_text(json.dumps({"Cookie": cookie}))
        command = (
            *(str(LIGHTHOUSE), url, "--quiet", "--output=json", f"--extra-headers={headers}"),
            *(
                f"--only-categories={','.join(CATEGORIES)}",
                "--chrome-flags=--headless --no-sandbox",
            ),
        )
        environment = os.environ | {"CHROME_PATH": str(PROGRAM)}
        text = subprocess.check_output(command, text=True, timeout=SECONDS, env=environment)
    report = json.loads(text)
    for audit in report["audits"].values():
        if audit.get("score") is not None and audit["score"] < 0.9:
            said = f"  {audit['id']}: {audit['score']} {audit.get('displayValue', '')}"
            print(said.rstrip(), file=sys.stderr)
    return {name: 100 * report["categories"][name]["score"] for name in CATEGORIES}


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--rounds", type=int, default=3, help="runs on each page")
    options.add_argument("pages", nargs="*", help="home, game, review, puzzle; default all")
    wanted = options.parse_args()
    lines = []
    with serving() as (address, _):
        for name, (path, cookie) in pages(address).items():
            if wanted.pages and name not in wanted.pages:
                continue
            print(name, file=sys.stderr)
            rounds = 1 if wanted.quick else wanted.rounds
            found = [scores(address + path, cookie) for _ in range(rounds)]
            for category in CATEGORIES:
                figure = median(each[category] for each in found)
                lines.append(Line(f"{name}: {category}", figure, "of 100", "≥", TARGET))
    show({}, lines, [], as_json=wanted.json)
    sys.exit(any(line.met is False for line in lines))


if __name__ == "__main__":
    main()
