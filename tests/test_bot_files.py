"""Bots by short texts: a file alone, a level without its kind, and what people mistype."""

from __future__ import annotations

from pathlib import Path

import pytest

from noughts import NotationError
from noughts.arena.bot import parse_entry
from noughts.opponents import opponent

COURSE = "".join(
    f"def {name}(board): ...\n"
    for name in ("initial_state", "player", "actions", "result", "winner", "minimax")
)


@pytest.mark.parametrize(
    ("name", "code", "meant"),
    [
        ("mine.py", "def move(position): ...\n", "python:mine.py:move"),
        ("mine.py", "def _help(): ...\ndef move(position): ...\n", "python:mine.py:move"),
        ("mine.py", "def other(): ...\ndef mine(position): ...\n", "python:mine.py:mine"),
        ("Bot.py", "def other(): ...\ndef choose(position): ...\n", "python:Bot.py:choose"),
        ("one.py", "class Timid: ...\n", "python:one.py:Timid"),
        ("one.py", "class Timid: ...\ndef go(position): ...\n", "python:one.py:go"),
        ("one.py", "from two import choose\n", "python:one.py:choose"),
        ("one.py", "def make(): ...\nchoose = make()\n", "python:one.py:choose"),
        ("tictactoe.py", COURSE, "cs50:tictactoe.py"),
        ("three.py", "def help(): ...\ndef act(obs, config): ...\n", "kaggle:three.py"),
    ],
)
def test_file_alone(
    name: str, code: str, meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(code)
    assert parse_entry(name)[:2] == (name, meant)
    assert parse_entry(f"his={name}")[:2] == ("his", meant)
    assert parse_entry(f"{name}:move").text == f"python:{name}:move"
    assert parse_entry(meant).text == meant


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("none.py", "there is no file none.py"),
        ("two.py", "name a function: python:two.py:first; two.py has the functions first second"),
        ("bold.py", "name a class: python:bold.py:Bold; bold.py has the classes Bold Timid"),
        ("empty.py", "name a function: python:empty.py:choose; empty.py has none"),
        ("broken.py", "line 1 of broken.py is not Python: "),
        ("my bot=random", '"my bot" is no name of a bot'),
        ("enginee:level=4", 'no bot is called "enginee". Did you mean engine?'),
        ("level11", "there is no level '11'"),
        ("two", 'no bot is called "two". Did you mean two.py?'),
        ("his=bot.js -v", "Did you mean 'uci:node bot.js -v' (docs/protocol.md)?"),
        ("engine.out", "Did you mean 'uci:./engine.out' (docs/protocol.md)?"),
        ("agent.tar.gz", "Did you mean kaggle:agent.tar.gz?"),
    ],
)
def test_unclear_texts_are_refused(
    text: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two.py").write_text("def first(): ...\ndef second(): ...\n")
    Path("bold.py").write_text("class Bold: ...\nclass Timid: ...\n")
    Path("empty.py").write_text("moves = []\n")
    Path("broken.py").write_text("def choose(:\n")
    for name in ("bot.js", "engine.out", "agent.tar.gz"):
        Path(name).touch()
    with pytest.raises(NotationError) as refused:
        parse_entry(text)
    assert reason in refused.value.reason


def test_level_alone() -> None:
    for text in ("level4", "Level 4"):
        assert opponent(text).text == parse_entry(text).text == "engine:level=4"
