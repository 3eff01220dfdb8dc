"""The commands of the engine protocol: `noughts engine` speaks it, `check-engine` checks it."""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import nullcontext, suppress
from textwrap import indent
from typing import TYPE_CHECKING, Annotated

import typer

import noughts
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
    from rich.console import Console

    from noughts.arena.compliance import Finding

app = typer.Typer()

STYLES = {"passed": "green", "failed": "bold red", "not offered": "yellow"}
"""How the outcomes of checks look."""
COLUMN = 14
"""Where the names of checks begin."""
SHOWN_LINES = 10
"""So many of the last lines said are shown with a check that failed."""


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
    # A search in Python holds the interpreter for so long before `stop` is read.
    sys.setswitchinterval(0.001)
    try:
        with suppress(BrokenPipeError):
            session.run(sys.stdin)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def _write(line: str) -> None:
    try:
        print(line, flush=True)
    except BrokenPipeError:
        # Nobody listens any more; nor may the interpreter complain of that when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


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
    from rich.console import Console

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
    findings: list[Finding] = []
    screen = Console(highlight=False, markup=False, soft_wrap=True, quiet=json_)
    screen.print(compliance.name or command)
    try:
        with progress("checking") if json_ else nullcontext():
            for finding in compliance.findings(rules_ids or compliance.rules_ids()):
                _show(screen, finding, findings)
                findings.append(finding)
    finally:
        compliance.close()
    counts = {
        outcome: sum(finding.outcome == outcome for finding in findings) for outcome in STYLES
    }
    if json_:
        answer(
            {
                "engine": compliance.name,
                "command": argv,
                "checks": [finding._asdict() for finding in findings],
                **{outcome.replace(" ", "_"): count for outcome, count in counts.items()},
            }
        )
    screen.print("\n" + ", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    if counts["failed"]:
        raise typer.Exit(1)


def _show(screen: Console, finding: Finding, before: list[Finding]) -> None:
    """Print a finding, under the rules that it is of."""
    from noughts.arena.compliance import ABOUT

    if not before or finding.rules_id != before[-1].rules_id:
        screen.print(f"\n{finding.rules_id or ('throughout' if before else 'the engine')}")
    screen.print(f"  {finding.outcome:<{COLUMN - 2}}", style=STYLES[finding.outcome], end="")
    screen.print(finding.check)
    if finding.outcome == "failed":
        _print_under(screen, ABOUT[finding.check], "italic")
    if finding.reason:
        _print_under(screen, finding.reason, "" if finding.outcome == "failed" else "dim")
    if finding.outcome == "failed":
        for line in finding.said[-SHOWN_LINES:]:
            _print_under(screen, line, "dim")


def _print_under(screen: Console, text: str, style: str) -> None:
    """Print a text in the column of the checks; at a terminal it stays there where it wraps."""
    from rich.padding import Padding

    if screen.is_terminal:
        screen.print(Padding(text, (0, 0, 0, COLUMN)), style=style, soft_wrap=False)
    else:
        screen.print(indent(text, " " * COLUMN), style=style)
