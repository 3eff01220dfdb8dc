"""ES modules as one script: for pages that load in few requests, or open from disk.

    source ──parse()──► Module: imports, exports, body ──bundle()──► const $board = (() => { … })();

Each module becomes a function that runs once and returns its exports, so that names of two modules
never clash. Exports are constants, and imports stand at the top: other forms are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from posixpath import dirname, join, normpath
from typing import NamedTuple

_IMPORT = re.compile(r'^import (?:(\{[^}]*\})|\* as (\w+)) from "([^"]+)";\n', re.M)
_EXPORT = re.compile(r"^export ((?:async function|function|const|class) (\w+))", re.M)
_LATER = re.compile(r'\bimport\("([^"]+)"\)')


class Import(NamedTuple):
    """An import: the address of the other module, and the names that it gives."""

    address: str
    names: str
    """`{ element, say as tell }`, or a name for the whole module."""

    @property
    def wanted(self) -> set[str]:
        """The names that the other module must export."""
        if not self.names.startswith("{"):
            return set()
        return {each.split(" as ")[0].strip() for each in self.names[1:-1].split(",")} - {""}


class Module(NamedTuple):
    """A parsed module. Addresses are paths like `/static/board.js`."""

    address: str
    imports: tuple[Import, ...]
    later: tuple[str, ...]
    """Addresses of the modules that it imports with `import("…")`."""
    exports: tuple[str, ...]
    body: str

    @property
    def name(self) -> str:
        """The constant with the exports in a bundle."""
        return "$" + re.sub(r"\W", "_", self.address.removesuffix(".js"))


def parse(address: str, source: str) -> Module:
    """Return a module from its source.

    Raises:
        ValueError: it imports or exports in a form that is not known here.
    """

    def absolute(path: str) -> str:
        return normpath(join(dirname(address), path))

    imports = [
        Import(absolute(path), whole or names) for names, whole, path in _IMPORT.findall(source)
    ]
    body = _IMPORT.sub("", source)
    exports = [name for _, name in _EXPORT.findall(body)]
    body = _EXPORT.sub(r"\1", body)
    if re.search(r"^(import|export)\b(?!\()", body, re.M):
        raise ValueError(f"{address} imports or exports in a form that is not known here")
    later = tuple(absolute(path) for path in _LATER.findall(body))
    return Module(address, tuple(imports), later, tuple(exports), body)


def ordered(modules: Mapping[str, Module], first: str) -> list[Module]:
    """Return a module and those that it needs, each after those that it imports.

    Raises:
        ValueError: modules import each other in a circle, or one that is not there.
    """
    found: dict[str, Module] = {}

    def visit(address: str, above: tuple[str, ...]) -> None:
        if address in above:
            raise ValueError(f"modules import each other: {' '.join((*above, address))}")
        if address in found:
            return
        if address not in modules:
            raise ValueError(f"{above[-1]} imports {address}, which is not there")
        for each in modules[address].imports:
            visit(each.address, (*above, address))
        found[address] = modules[address]

    visit(first, ())
    return list(found.values())


def bundle(modules: Iterable[Module], given: Iterable[Module] = ()) -> str:
    """Return modules as one script.

    Args:
        modules: each importing only from those before it.
        given: modules whose constants the script has from elsewhere.

    Raises:
        ValueError: a module imports a name that no module before it exports.
    """
    known = {module.address: module for module in given}
    parts = []
    for module in modules:
        imports = []
        for each in module.imports:
            exported = known[each.address].exports if each.address in known else ()
            missing = each.wanted.difference(exported)
            if missing or each.address not in known:
                said = f"{module.address} imports {sorted(missing)} from {each.address}"
                raise ValueError(f"{said}, which no module before it exports")
            names = re.sub(r" as ", ": ", each.names)
            imports.append(f"const {names} = {known[each.address].name};\n")
        known[module.address] = module
        parts.append(
            f"const {module.name} = (() => {{\n{''.join(imports)}{module.body}"
            f"return {{ {', '.join(module.exports)} }};\n}})();\n"
        )
    return "".join(parts)
