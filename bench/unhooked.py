"""The textbook searches without the hooks of the trace, for what the hooks cost.

    source of a module ──► syntax tree ──► without every `if trace: …` ──► a module beside it

They are made from the searches as they stand, so that the two cannot drift apart.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from types import ModuleType

HOOKED = ("walk", "minimax", "negamax", "mcts")
"""Modules of `noughts.search`, each before those that import it."""
PREFIX = "unhooked_"


class _Unhook(ast.NodeTransformer):
    """Drops every statement that begins with `if trace:` or `if self.trace:`."""

    def __init__(self) -> None:
        self.dropped = 0

    def visit_If(self, node: ast.If) -> ast.AST | None:
        if ast.unparse(node.test) in ("trace", "self.trace"):
            self.dropped += 1
            return None
        return self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        package, _, name = (node.module or "").rpartition(".")
        if package == "noughts.search" and name in HOOKED:
            node.module = PREFIX + name
        return node


def unhooked() -> dict[str, ModuleType]:
    """Return the searches' modules by name, without their hooks.

    >>> import noughts
    >>> unhooked()["minimax"].alphabeta(noughts.game("basic")).nodes
    20866
    """
    modules = {}
    for name in HOOKED:
        original = importlib.import_module(f"noughts.search.{name}")
        unhook = _Unhook()
        tree = unhook.visit(ast.parse(inspect.getsource(original)))
        assert unhook.dropped, f"{name} has no hooks"
        module = modules[name] = ModuleType(PREFIX + name)
        sys.modules[PREFIX + name] = module
        exec(
            compile(ast.fix_missing_locations(tree), original.__file__ or name, "exec"),
            vars(module),
        )
    return modules
