"""The type of replies: dictionaries that mypy checks where they are made, and FastAPI describes.

class BoardView(Described): cells: str; a docstring ──► mypy: the data that a function returns
                                                    ──► pydantic: the schema in the API description
"""

from __future__ import annotations

import ast
import inspect
import sys
from itertools import pairwise
from typing import Any

# Pydantic needs the bases of the class, which `typing` keeps since Python 3.12.
if sys.version_info >= (3, 12):
    from typing import TypedDict
else:
    from typing_extensions import TypedDict


def _describe(schema: dict[str, Any], reply: Any) -> None:
    """Add the docstrings of the fields to a schema; pydantic ignores those of inherited ones."""
    for base in getattr(reply, "__orig_bases__", ()):
        if base is not TypedDict:
            _describe(schema, base)
    (written,) = ast.parse(inspect.getsource(reply)).body
    assert isinstance(written, ast.ClassDef)
    for field, text in pairwise(written.body):
        match field, text:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(words))),
            ):
                schema["properties"][name]["description"] = inspect.cleandoc(words)


class Described(TypedDict):
    """A reply; the docstrings of its fields appear in the API description."""


# Within the class it would be a field.
setattr(Described, "__pydantic_config__", {"json_schema_extra": _describe})  # noqa: B010
