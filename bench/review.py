"""Measure how long a review takes: from the click on *Review* to the last label.

    level 5 against itself ──► a game of each seed ──► imported on `noughts serve`
                                                           │
    Chromium: the game's page ──► Review ──► first label, last label

Measure on an idle machine. The exit code is 1 if a review takes longer than its target.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

from playwright.sync_api import Page, sync_playwright
from served import PROGRAM, serving
from table import Line, parser, show

import noughts
from noughts.games.position import Position

LEVEL = 5
TARGETS = {"connect4": 3, "advanced": 10, "ultimate": 10, "mnk:15,15,5": 10}
"""Seconds, by rules id."""
TIMEOUT = 120_000
"""Milliseconds."""


class Duration(NamedTuple):
    """Seconds from the click."""

    first: float
    """To the first label."""
    last: float
    """To the labels of all moves."""


def game_of(rules: str, seed: int) -> tuple[Position, list[str]]:
    """Return a game of the level against itself: its end and its moves."""
    level = noughts.opponent(f"engine:level={LEVEL}", seed)
    position, moves = noughts.game(rules), []
    while position.outcome() is None:
        move = level.choose(position).move
        assert move is not None
        moves.append(position.move_text(move))
        position = position.play(move)
    return position, moves


def measured(page: Page, address: str, rules: str, moves: list[str]) -> Duration:
    """Import a game, open it, and review it."""
    text = f"{rules} {' '.join(moves)}"
    answer = page.request.post(f"{address}/api/v1/games/import", data={"text": text})
    assert answer.ok, answer.text()
    page.goto(f"{address}/game/{answer.json()['games'][0]['id']}")
    page.get_by_role("button", name="Review", exact=True).wait_for()
    page.evaluate(
        """total => {
            const seconds = () => (performance.now() - window.began) / 1000;
            const look = () => {
                const labels = document.querySelectorAll(".rows .remark").length;
                if (labels && !window.first) window.first = seconds();
                if (labels < total) return requestAnimationFrame(look);
                window.last = seconds();
            };
            addEventListener("click", () => { window.began = performance.now(); look(); }, true);
        }""",
        len(moves),
    )
    page.get_by_role("button", name="Review", exact=True).click()
    page.locator(".rows .remark").nth(len(moves) - 1).wait_for(timeout=TIMEOUT)
    return Duration(*page.evaluate("() => [window.first, window.last]"))


def main() -> None:
    assert __doc__ is not None
    options = parser(__doc__)
    options.add_argument("--rules", nargs="+", choices=TARGETS, default=list(TARGETS))
    options.add_argument("--games", type=int, default=4, help="of each rules id")
    given = options.parse_args()
    lines = []
    with sync_playwright() as playwright, serving() as (address, _):
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        page = browser.new_page()
        for rules in given.rules:
            for seed in range(given.games):
                moves = game_of(rules, seed)[1]
                first, last = measured(page, address, rules, moves)
                game = f"{rules}, game {seed}, {len(moves)} moves"
                name = f"{game}: first label after {first:.1f} s, all"
                lines.append(Line(name, last, "s", "≤", TARGETS[rules]))
        browser.close()
    show({}, lines, [], as_json=given.json)
    sys.exit(not all(line.met for line in lines))


if __name__ == "__main__":
    main()
