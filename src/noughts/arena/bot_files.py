"""Which bot a file alone means.

choose.py ──meant_file()──► python:choose.py:choose
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TypeVar

from noughts.games.position import NotationError

Definition = TypeVar("Definition", ast.FunctionDef, ast.ClassDef)
RUNNERS = {".js": "node", ".mjs": "node", ".jar": "java -jar", ".rb": "ruby", ".lua": "lua"}
"""Programs that run files with these endings."""
COURSE = {"player", "actions", "result", "minimax"}
"""Functions of a project of the CS50 AI course."""


def meant_file(text: str) -> str:
    """Return the bot that a file alone means; other texts stay as they are.

    The function is the one called as the file is, `choose`, also imported or made by a call, or the
    only one; without any, the only class. A file with the functions of the CS50 AI course's
    project is such a project; one whose last function takes an observation and a configuration is
    a Kaggle agent.

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
        tree = ast.parse(Path(source).read_bytes())
    except SyntaxError as error:
        reason = f"line {error.lineno} of {source} is not Python: {error.msg}"
        raise NotationError(text, "BOT", reason) from None
    functions, classes = _functions(tree), [each.name for each in _all(tree, ast.ClassDef)]
    if set(functions) >= COURSE:
        return f"cs50:{source}"
    if functions and _is_kaggle(list(functions.values())[-1]):
        return f"kaggle:{source}"
    known = {*functions, *classes, *_made(tree)}
    likely = [each for each in (Path(source).stem, "choose") if each in known]
    kind, names = ("class", classes) if classes and not functions else ("function", [*functions])
    if likely or len(names) == 1:
        return f"python:{source}:{[*likely, *names][0]}"
    has = f"the {kind + ('es' if kind == 'class' else 's')} {' '.join(names)}" if names else "none"
    example = next(iter(names), "choose")
    reason = f"name a {kind}: python:{source}:{example}; {source} has {has}"
    raise NotationError(text, "BOT", reason)


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


def _all(tree: ast.Module, kind: type[Definition]) -> list[Definition]:
    """Return the public definitions of a kind."""
    found = [each for each in tree.body if isinstance(each, kind)]
    return [each for each in found if not each.name.startswith("_")]


def _functions(tree: ast.Module) -> dict[str, list[str]]:
    """Return the public functions of a file with their parameters."""
    return {
        each.name: [parameter.arg for parameter in each.args.args]
        for each in _all(tree, ast.FunctionDef)
    }


def _made(tree: ast.Module) -> set[str]:
    """Return the names that a file imports, or assigns a lambda or the result of a call to."""
    found: set[str] = set()
    for each in tree.body:
        if isinstance(each, ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in each.names}
        elif isinstance(each, ast.Assign) and isinstance(each.value, ast.Lambda | ast.Call):
            found |= {target.id for target in each.targets if isinstance(target, ast.Name)}
    return found
