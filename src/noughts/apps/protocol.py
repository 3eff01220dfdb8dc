"""The commands of the engine protocol: `noughts engine` speaks it, `check-engine` checks it."""

from __future__ import annotations

import os
import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.apps.command import (
    JsonFlag,
    answer,
    complete_rules,
    examples,
    fail,
    progress,
)
from noughts.games.position import NotationError

if TYPE_CHECKING:
    from noughts.arena.compliance import Finding

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


@app.command(
    epilog=examples(
        "noughts check-engine 'python3 minimal_engine.py'",
        "noughts check-engine './bot --fast' --rules ultimate --rules mnk:5,5,4",
        "noughts check-engine 'noughts engine alphabeta' --rules basic --json",
    )
)
def check_engine(
    command: Annotated[
        str,
        typer.Argument(help="What starts the engine: a program and its arguments, as one word."),
    ],
    rules: Annotated[
        list[str] | None,
        typer.Option(
            help="Rules to play; may be repeated. What the engine offers, if left out.",
            autocompletion=complete_rules,
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            help="Time to start, and to answer where no time is set; a fifth of it for `stop`.",
            min=0.5,
        ),
    ] = 10.0,
    json_: JsonFlag = False,
) -> None:
    """Check whether a program keeps the engine protocol, and say what it does wrong."""
    from noughts.arena.bot import Fault
    from noughts.arena.compliance import Compliance

    try:
        argv = shlex.split(command)
        rules_ids = [noughts.game(text).rules_id for text in rules or ()]
    except NotationError as error:
        fail(f"--rules: {error}", 2)
    except ValueError as error:
        fail(f"{command!r} is no command: {error}", 2)
    if not argv:
        fail("the command is empty", 2)
    try:
        compliance = Compliance(argv, seconds=seconds)
    except Fault as fault:
        fail(f"{command}: {fault}", 4)
    findings = []
    try:
        if not json_:
            print(f"{compliance.name or command}")
        with progress("checking") as show:
            for finding in compliance.findings(rules_ids or compliance.rules_ids()):
                findings.append(finding)
                show(len(findings), None)
                if not json_:
                    _show(finding)
    finally:
        compliance.close()
    counts = Counter(finding.outcome for finding in findings)
