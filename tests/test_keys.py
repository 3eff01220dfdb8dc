"""Keys on the keyboards of the world: where letters are not Latin, keys go by their place."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from needs import NODE, needs_browser, needs_node
from page import Visit, choose, moves, playable
from playwright.sync_api import Page, expect

from noughts.views import replay

PRESSED = """
import { keyOf } from "./key.mjs";
let text = "";
for await (const part of process.stdin) text += part;
console.log(JSON.stringify(JSON.parse(text).map(keyOf)));
"""
# The key, its place and Shift, and the key that is meant.
LAYOUTS = {
    "English": [
        ("b", "KeyB", "b"),
        ("B", "KeyB+", "B"),
        ("3", "Digit3", "3"),
        ("!", "Digit1+", "!"),
    ],
    "Russian": [
        ("и", "KeyB", "b"),
        ("И", "KeyB+", "B"),
        ("я", "KeyZ", "z"),
        ("б", "Comma", ","),
        ("ю", "Period", "."),
        (",", "Slash+", ","),
        ("№", "Digit3+", "№"),
        ("х", "BracketLeft", "х"),
    ],
    "Greek": [("ζ", "KeyZ", "z"), ("ψ", "KeyC", "c"), (";", "KeyQ", ";")],
    "French": [
        ("a", "KeyQ", "a"),
        ("z", "KeyW", "z"),
        ("&", "Digit1", "1"),
        ("é", "Digit2", "2"),
        ('"', "Digit3", "3"),
        ("à", "Digit0", "0"),
        ("3", "Digit3+", "3"),
        (",", "KeyM", ","),
        ("?", "KeyM+", "?"),
    ],
    "Czech": [("+", "Digit1", "1"), ("ě", "Digit2", "2"), ("ú", "BracketLeft", "ú")],
    "German": [
        ("z", "KeyY", "z"),
        ("y", "KeyZ", "y"),
        ("ü", "BracketLeft", "ü"),
        ("-", "Slash", "-"),
    ],
    "Dvorak": [("x", "KeyB", "x"), (",", "KeyW", ","), (".", "KeyE", ".")],
    "Arabic": [
        ("لا", "KeyB", "b"),
        ("ز", "Period", "."),
        ("؟", "Slash+", "?"),
        ("٣", "Digit3", "3"),
    ],
    "Turkish": [("ı", "KeyI", "i"), ("i", "Quote", "i")],
    "named": [("Enter", "NumpadEnter", "Enter"), ("ArrowLeft", "ArrowLeft", "ArrowLeft")],
    "numbers": [("5", "Numpad5", "5"), ("Home", "Numpad7", "Home"), (" ", "Space", " ")],
    "no place": [("и", "", "и"), ("5", "", "5")],
}


def event(key: str, place: str) -> dict[str, Any]:
    return {"key": key, "code": place.removesuffix("+"), "shiftKey": place.endswith("+")}


@needs_node
def test_keys_of_many_layouts(tmp_path: Path) -> None:
    (tmp_path / "key.mjs").write_text((replay.STATIC / "key.js").read_text("utf-8"), "utf-8")
    (tmp_path / "pressed.mjs").write_text(PRESSED, "utf-8")
    pressed = [each for layout in LAYOUTS.values() for each in layout]
    done = subprocess.run(
        [str(NODE), str(tmp_path / "pressed.mjs")],
        input=json.dumps([event(key, place) for key, place, _ in pressed]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [(*each[:2], got) for each, got in zip(pressed, found, strict=True)] == pressed


def press(page: Page, key: str, place: str, *, control: bool = False) -> None:
    """Press a key of another layout: Playwright's keyboard is English."""
    told = event(key, place) | {"ctrlKey": control, "bubbles": True, "cancelable": True}
    page.evaluate("told => document.body.dispatchEvent(new KeyboardEvent('keydown', told))", told)


@needs_browser
def test_russian_and_french_keys_play_and_undo(visit: Visit) -> None:
    page = visit().go("/?game=mnk:5,5,4")
    choose(page, opponent="Two people here")
    expect(playable(page).first).to_be_visible()
    for number, (letter, place, digit) in enumerate((("и", "KeyB", "3"), ("c", "KeyC", '"')), 1):
        press(page, letter, place)
        press(page, digit, "Digit3")
        expect(moves(page)).to_have_count(number)
    expect(moves(page)).to_have_text(["b3", "c3"])
    press(page, "я", "KeyZ", control=True)
    expect(moves(page)).to_have_text(["b3"])
