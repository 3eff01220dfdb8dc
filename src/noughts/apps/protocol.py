"""The commands of the engine protocol: `noughts engine` speaks it, `check-engine` checks it."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from noughts.apps.command import examples, fail
from noughts.games.position import NotationError

app = typer.Typer()


@app.command(
    epilog=examples(
        "noughts engine",
        "noughts engine engine:level=4",
        "noughts engine mcts:exploration=0.7",
        "noughts --load nim.py engine alphabeta",
    )
)
def engine(
    opponent: Annotated[
        str,
        typer.Argument(
            help="What thinks: an opponent as `noughts play` has them, such as alphabeta:depth=6."
        ),
    ] = "engine",
) -> None:
    """Be an engine: speak the protocol of docs/protocol.md on stdin and stdout, until `quit`."""
    from noughts.arena.serving import Session
    from noughts.arena.thinking import Thinking

    try:
        session = Session(Thinking(opponent), _write)
    except NotationError as error:
        fail(str(error), 2)
    if sys.stdin.isatty():
        print("speaks the engine protocol: uci, position, go …; quit ends it", file=sys.stderr)
    try:
        session.run(sys.stdin)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except BrokenPipeError:
        # Nobody listens any more; nor may the interpreter complain of that when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write(line: str) -> None:
    print(line, flush=True)
