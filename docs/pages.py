"""Pages that MkDocs makes while it builds the site, and a check that the site needs no network.

mkdocs.yml ──► on_config: the navigation ──► on_files: commands/*.md, reference/*.md, notebook-*.md
               on_post_page: the script of <noughts-board>, on pages with boards
python docs/pages.py FOLDER: check a built site
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from html import escape, unescape
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from notebooks import NOTEBOOKS, cells, page

from noughts.views import embed
from noughts.views.svg import DARK, LIGHT

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "noughts"
POLYFILL = ROOT / "build" / "iframe-worker" / "package" / "shim" / "index.js"
BOARD = "js/noughts-board.js"
DIAGRAM = re.compile("[─│┌└├▼►◄┄]")
"""Characters of diagrams, which are no sentences."""
INDENT = 4
"""Spaces before a line that is code in Markdown as it is."""
PRIVATE = {"cli", "database", "mcp", "web", "window"}
"""Packages without an API reference: the commands and the page have their own pages."""
SESSION = re.compile(
    r'(?P<start><div class="language-(?:console|pycon) highlight")>(?P<content>.*?)</div>',
    re.DOTALL,
)
PICTURE = re.compile(r"(?P<start>!\[[^]]*\])\((?P<name>pictures/[\w-]+)\.(?P<kind>\w+)\)")
RANGE = re.compile(r"(?:[\d.e+-]+<=?)?x[<>]=?[\d.e+-]+(?:; )?|; (?=\])")
"""The bounds of a number in the help of an option."""
LOADED = re.compile(
    r"""<(?:script|img|iframe|source|link)\b[^>]*?\b(?:src|href|srcset)=["']?(?:https?:)?//[^"'>]*"""
    r"""|(?:url\(|@import)\s*["']?(?:https?:)?//[^)"']*"""
)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the generated pages to the navigation."""
    assert config.nav is not None
    panels: dict[str, list[dict[str, str]]] = {}
    for name, command in commands().items():
        panels.setdefault(command.rich_help_panel, []).append({name: _page_of(name)})
    config.nav += [
        {"Commands": [{panel: pages} for panel, pages in panels.items()]},
        {"API": [{name: f"reference/{name}.md"} for name in public_modules()]},
        {"Project": ["CONTRIBUTING.md", "CHANGELOG.md"]},
    ]
    config.markdown_extensions.append(_code_extension())
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages to the site."""
    from mkdocs.structure.files import File

    pages = {_page_of(name): command_page(name, each) for name, each in commands().items()}
    pages |= {f"reference/{name}.md": f"::: {name}\n" for name in public_modules()}
    for name in ("CONTRIBUTING.md", "CHANGELOG.md"):
        pages[name] = (ROOT / name).read_text("utf-8").replace("](docs/", "](")
    for notebook in NOTEBOOKS:
        name = f"notebook-{notebook.stem}"
        pages[f"{name}.md"], pictures = page(name, cells(notebook))
        pages |= pictures
    pages["js/iframe-worker.js"] = POLYFILL.read_text("utf-8")
    pages["icon.svg"] = (PACKAGE / "web" / "static" / "icon.svg").read_text("utf-8")
    pages["palette.css"] = "".join(
        f"[data-md-color-scheme={scheme}]{{{theme.variables}}}\n"
        for scheme, theme in (("default", LIGHT), ("slate", DARK))
    )
    # Without core.wasm the pages show the text of the boards.
    with suppress(embed.CoreMissing):
        pages[BOARD] = embed.script()
    for path, content in pages.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Adapt links to source files and fences with a path, which MkDocs does not understand."""

    def link(found: re.Match[str]) -> str:
        target = (Path("docs") / page.file.src_uri).parent / found["target"]
        parts = [part for part in target.parts if part != ".."]
        if target.suffix == ".ipynb":
            return f"[{found['text']}](notebook-{target.stem}.md)"
        module = ".".join(parts[1 + parts.index("src") :])[: -len(".py")] if "src" in parts else ""
        if module in public_modules():
            return f"[{found['text']}](reference/{module}.md)"
        return found["text"]

    markdown = PICTURE.sub(_with_dark, markdown)
    titled = re.sub(r"^```python (\S+)$", r'```python title="\1"', markdown, flags=re.MULTILINE)
    return re.sub(r"\[(?P<text>[^]]+)\]\((?P<target>\.\./[^)]+)\)", link, titled)


def _with_dark(picture: re.Match[str]) -> str:
    """Return a picture and, if there is one, its dark form, of which the site shows one."""
    dark = f"{picture['name']}-dark.{picture['kind']}"
    if not (ROOT / "docs" / dark).exists():
        return picture[0]
    start, name = picture["start"], f"{picture['name']}.{picture['kind']}"
    return f"{start}({name}#only-light){start}({dark}#only-dark)"


def on_post_page(output: str, *, page: Page, **_: Any) -> str:
    """Let copy buttons copy what one types, name the search, and load the script of boards."""
    output = SESSION.sub(_with_copy, output)
    output = output.replace('role="dialog"', 'role="dialog" aria-label="Search"')
    if "<noughts-board" not in output:
        return output
    address = "../" * page.url.count("/") + BOARD
    # It comes first, since the polyfill replaces `Worker` in a page from a folder.
    return output.replace("<script", f'<script src="{address}"></script>\n<script', 1)


def _with_copy(block: re.Match[str]) -> str:
    """Return a session whose copy button copies its commands, without prompts and answers."""
    typed = typed_lines(unescape(re.sub("<[^>]+>", "", block["content"])))
    return f'{block["start"]} data-copy="{escape(typed)}">{block["content"]}</div>'


def typed_lines(session: str) -> str:
    r"""Return the lines that one types in a session of a shell or of Python.

    >>> typed_lines("$ noughts play\n1 | 2\n$ noughts games")
    'noughts play\nnoughts games'
    >>> typed_lines(">>> def one():\n...     return 1\n>>> one()\n1")
    'def one():\n    return 1\none()'
    """
    found = re.findall(r"^(?:\$|>>>|\.\.\.)(?: (.*))?$", session, re.MULTILINE)
    return "\n".join(found)


def fence_code(lines: list[str]) -> list[str]:
    """Turn the `>>>` sessions and the diagrams of docstrings into code blocks.

    >>> fence_code(["Add.", "", "  >>> 1 + 1", "  2"])
    ['Add.', '', '  ```pycon', '  >>> 1 + 1', '  2', '  ```']
    >>> fence_code(["Draw.", "", "text ──parse()──► game", "", "Then play."])
    ['Draw.', '', '```text', 'text ──parse()──► game', '```', '', 'Then play.']
    """
    fenced: list[str] = []
    part: list[str] = []
    in_block = False
    for line in [*lines, ""]:
        if line.strip():
            part.append(line)
            continue
        is_code = in_block or any("```" in each for each in part)
        in_block ^= sum(each.lstrip().startswith("```") for each in part) % 2 == 1
        fenced += [*(part if is_code else _fenced(part)), line]
        part = []
    return fenced[:-1]


def _fenced(part: list[str]) -> list[str]:
    """Return a paragraph, with a fence from the line on at which a session or diagram begins."""
    first = next((at for at, each in enumerate(part) if each.lstrip().startswith(">>> ")), None)
    kind = "pycon"
    if first is None and any(DIAGRAM.search(each) for each in part):
        first, kind = 0, "text"
    if first is None:
        return part
    margin = min(len(each) - len(each.lstrip()) for each in part[first:])
    if kind == "text" and margin >= INDENT:
        return part
    fence = " " * margin + "```"
    return [*part[:first], f"{fence}{kind}", *part[first:], fence]


def _code_extension() -> Any:
    """Return the Markdown extension that runs `fence_code` before all others."""
    from markdown import Extension

    def extend(_: Any, md: Any) -> None:
        md.preprocessors.register(SimpleNamespace(run=fence_code), "code", 100)

    return type("Code", (Extension,), {"extendMarkdown": extend})()


def modules() -> list[str]:
    """Return the names of the documented modules.

    >>> {"noughts", "noughts.engine", "noughts.games.record"} <= set(modules())
    True
    """
    paths = sorted(PACKAGE.rglob("*.py"))
    parts = [("noughts", *path.relative_to(PACKAGE).with_suffix("").parts) for path in paths]
    names = [each[:-1] if each[-1] == "__init__" else each for each in parts]
    return sorted(
        ".".join(name)
        for name in names
        if not PRIVATE & set(name) and not any(part.startswith("_") for part in name)
    )


@cache
def public_modules() -> list[str]:
    """Return the names of the modules that the guides name or link to.

    >>> {"noughts", "noughts.search", "noughts.engine"} <= set(public_modules())
    True
    """
    guides = "".join(path.read_text("utf-8") for path in sorted((ROOT / "docs").glob("*.md")))
    linked = guides.replace("/__init__.py", ".py").replace("/", ".")
    named = set(re.findall(r"(?<![\w.])noughts(?:\.\w+)*", guides))
    named |= set(re.findall(r"src\.(noughts[\w.]*)\.py", linked))
    named |= {each.rpartition(".")[0] for each in named}  # The modules of functions.
    return [name for name in modules() if name in named]


def commands() -> dict[str, Any]:
    """Return the commands of `noughts` by name; those of a group as `GROUP NAME`.

    >>> {"play", "analyse", "match"} <= set(commands())
    True
    """
    from typer.main import get_command

    from noughts.cli.main import app

    return dict(_flat("", get_command(app)))


def _flat(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    for part, each in getattr(command, "commands", {}).items():
        if not each.hidden:
            each.rich_help_panel = each.rich_help_panel or getattr(command, "rich_help_panel", None)
            yield from _flat(f"{name} {part}".strip(), each)
    if name and not getattr(command, "commands", {}):
        yield name, command


def _page_of(name: str) -> str:
    return f"commands/{name.replace(' ', '-')}.md"


def command_page(name: str, command: Any) -> str:
    """Return the page of a command, made from its help."""
    context = command.make_context(f"noughts {name}", [], resilient_parsing=True)
    usage = " ".join((f"noughts {name}", *command.collect_usage_pieces(context)))
    lines = [f"# noughts {name}", command.help or "", f"```text\n{usage}\n```"]
    parameters = [(each, each.get_help_record(context)) for each in command.get_params(context)]
    for kind in ("argument", "option"):
        rows = [
            f"| `{names}` | {' '.join(_meaning(text).split())} |"
            for each, (names, text) in (pair for pair in parameters if pair[1])
            if each.param_type_name == kind
        ]
        if rows:
            head = (f"## {kind.title()}s", "", f"| {kind} | meaning |", "|---|---|")
            lines.append("\n".join((*head, *rows)))
    if command.epilog:
        title, *given = command.epilog.splitlines()
        lines.append(
            "\n".join((f"## {title.rstrip(':')}", "", "```text", *map(str.strip, given), "```"))
        )
    return "\n\n".join(lines) + "\n"


def _meaning(text: str) -> str:
    """Return the help of an option for a table, without the bounds of numbers.

    >>> _meaning("Games to play.  [default: 100; x>=1]"), _meaning("Pairs | games.  [1<=x<=9]")
    ('Games to play.  [default: 100]', 'Pairs \\\\| games.  ')
    """
    return RANGE.sub("", text).replace("[]", "").replace("; ]", "]").replace("|", "\\|")


def loaded_from_network(folder: Path) -> list[str]:
    """Return the addresses that the pages and style sheets of a built site load from a network."""
    paths = [*folder.rglob("*.html"), *folder.rglob("*.css")]
    assert paths, f"{folder} holds no site"
    return [
        f"{path.relative_to(folder)}: {found[0]}"
        for path in paths
        for found in LOADED.finditer(path.read_text("utf-8"))
    ]


if __name__ == "__main__":
    faults = loaded_from_network(Path(sys.argv[1]))
    sys.exit("\n".join(("the site loads from a network:", *faults)) if faults else 0)
