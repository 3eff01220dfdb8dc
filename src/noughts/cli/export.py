"""`noughts export`: write a bot, a board or a pack of checks for another site."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from noughts import nets
from noughts.cli.options import MORE, Commands, examples
from noughts.cli.output import fail, failing, writing
from noughts.school.grading import REQUIREMENT

app = Commands()
sites = typer.Typer(
    name="export",
    help="Write a bot, a board to play on, or a pack of checks, for another site.",
    epilog=examples(
        "noughts export codingame --out bot.cpp",
        "noughts export board --out noughts-board.js",
        "noughts export check50 pack",
    ),
    no_args_is_help=True,
)
app.add_typer(sites, name="export", rich_help_panel=MORE)


Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="Write to this file instead of stdout.")
]


@sites.command(
    epilog=examples(
        "noughts export codingame --out bot.cpp",
        "noughts export codingame --net my-small.net --out bot.cpp",
    )
)
def codingame(
    out: Out = None,
    net: Annotated[
        str, typer.Option(help="A small net; small: the installed one.")
    ] = nets.SMALL_NET,
) -> None:
    """Write a bot for CodinGame's Ultimate Tic-Tac-Toe: one C++20 file.

    It plays as engine:net=small does. Paste the file into the site's editor and choose C++.
    """
    from noughts import export

    with failing(3, nets.BadNet):
        source = export.codingame(net)
    _write(source, out)


@sites.command(epilog=examples("noughts export board --out noughts-board.js"))
def board(out: Out = None) -> None:
    """Write a script that defines <noughts-board>, for any web page.

    <noughts-board rules="ultimate" moves="51 15" play></noughts-board> then shows a board to play
    on. The script has everything in one file and uses no network.
    """
    from noughts.views import embed

    with failing(3, embed.CoreMissing):
        source = embed.script()
    _write(source, out)


@sites.command(epilog=examples("noughts export check50 pack", "check50 --dev pack"))
def check50(
    folder: Annotated[Path, typer.Argument(help="Folder for the pack.")],
    requirement: Annotated[
        str,
        typer.Option(help="What check50 installs: noughts, or the address of a wheel."),
    ] = REQUIREMENT,
) -> None:
    """Write a pack of checks for check50, which then judges a tictactoe.py as noughts check does.

    Put the folder into a repository on GitHub for your course, or try it with check50 --dev.
    """
    if folder.exists() and not folder.is_dir():
        fail(f"{folder} is a file; name a folder", 3)
    if folder.is_dir() and any(
        each.name not in (".cs50.yaml", "__init__.py", "__pycache__") for each in folder.iterdir()
    ):
        fail(f"the folder {folder} has other files; choose a new folder", 3)
    from noughts.views.check50_pack import write_pack

    with writing(folder, "FOLDER"):
        files = write_pack(folder, requirement)
    for file in files:
        print(file)


def _write(source: str, out: Path | None) -> None:
    if out is None:
        print(source, end="")
        return
    with writing(out, "--out"):
        out.write_text(source, "utf-8")
    print(f"{out}: {len(source):,} characters")
