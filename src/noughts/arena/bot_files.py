"""Which bot a file alone means.

choose.py ──meant_file()──► python:choose.py:choose
"""

from __future__ import annotations

import ast
from pathlib import Path

from noughts.games.position import NotationError

RUNNERS = {".js": "node", ".mjs": "node", ".jar": "java -jar", ".rb": "ruby", ".lua": "lua"}
"""Programs that run files with these endings."""
COURSE = {"player", "actions", "result", "minimax"}
"""Functions of a project of the CS50 AI course."""


def meant_file(text: str) -> str:
    """Return the bot that a file alone means; other texts stay as they are.

    The function is the only one of the file, the one called as the file is, or `choose`. A file
    with the functions of the CS50 AI course's project is such a project; one whose last function
    takes an observation and a configuration is a Kaggle agent.

    Raises:
        NotationError: there is no such file, it is not Python, or it does not say which function
            is meant.
    """
    source, _, name = text.rpartition(":") if not text.endswith(".py") else (text, "", "")
    if not source.endswith(".py") or (not Path(source).is_file() and ":" in source):
        return text
    if name:
        return f"python:{text}"
    if not Path(source).is_file():
        raise NotationError(text, "BOT", f"there is no file {source}")
    try:
        functions = _functions(Path(source))
    except SyntaxError as error:
        reason = f"line {error.lineno} of {source} is not Python: {error.msg}"
        raise NotationError(text, "BOT", reason) from None
    if set(functions) >= COURSE:
        return f"cs50:{source}"
    if functions and _is_kaggle(list(functions.values())[-1]):
        return f"kaggle:{source}"
    likely = [*functions] if len(functions) == 1 else [Path(source).stem, "choose"]
    for each in likely:
        if each in functions:
            return f"python:{source}:{each}"
    has = f"{source} has the functions {' '.join(functions)}" if functions else f"{source} has none"
    example = next(iter(functions), "choose")
    raise NotationError(text, "BOT", f"name a function: python:{source}:{example}; {has}")


def meant_programs(text: str) -> list[str]:
    """Return the bots that a text may mean: a file without `.py`, or one that is not Python source.

    Empty if there is no such file.
    """
    if Path(f"{text}.py").is_file():
        return [f"{text}.py"]
    file, *arguments = text.split() or [""]
    if not Path(file).is_file():
        return []
    if file.lower().endswith((".gz", ".zip")):
        return [f"kaggle:{file}"]
    runner = RUNNERS.get(Path(file).suffix)
    program = f"{runner} {file}" if runner else file if "/" in file else f"./{file}"
    command = " ".join([program, *arguments])
    return [f"'uci:{command}' (docs/protocol.md)"]


def _is_kaggle(parameters: list[str]) -> bool:
    """Return whether parameters are those of a Kaggle agent, such as `obs, config`."""
    known = ("obs", "conf")
    return len(parameters) == len(known) and all(map(str.startswith, parameters, known))


def _functions(file: Path) -> dict[str, list[str]]:
    """Return the public functions of a file with their parameters, without running it.

    Raises:
        SyntaxError: it is not Python.
    """
    tree = ast.parse(file.read_bytes())
    defined = (each for each in tree.body if isinstance(each, ast.FunctionDef))
    return {
        each.name: [parameter.arg for parameter in each.args.args]
        for each in defined
        if not each.name.startswith("_")
    }
