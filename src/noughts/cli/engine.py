"""`noughts engine` speaks the engine protocol; `noughts check-engine` tests other engines."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterable
from contextlib import nullcontext, suppress
from enum import StrEnum
from functools import partial
from textwrap import indent
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.padding import Padding

from noughts.arena.bot import Fault
from noughts.cli.options import DEVELOP, Commands, JsonFlag, complete_rules
from noughts.cli.output import Screen, answer, fail, failing, progress, warn
from noughts.games import registry
from noughts.games.position import NotationError
from noughts.opponents import OpponentFailed

if TYPE_CHECKING:
    from noughts.arena.compliance import CheckResult

app = Commands()


class Dialect(StrEnum):
    """Protocols of managers."""

    UCI = "uci"
    GOMOCUP = "gomocup"
    CODINGAME = "codingame"


STYLES = {"passed": "green", "failed": "bold red", "not offered": "yellow"}
"""Styles of the outcomes of checks."""
COLUMN = 14
"""Column of the names of checks."""
SHOWN_LINES = 10
"""Last lines of the protocol shown with a failed check."""


@app.add_to(
    DEVELOP,
    "noughts engine",
    "noughts engine engine:level=4",
    "noughts engine mcts:exploration=0.7",
    "noughts --load nim.py engine alphabeta",
    "noughts engine --protocol gomocup",
    "noughts engine engine:table=16 --protocol codingame",
)
def engine(
    opponent: Annotated[
        str,
        typer.Argument(help="An opponent of `noughts play`, such as alphabeta:depth=6."),
    ] = "engine",
    protocol: Annotated[
        Dialect, typer.Option(help="Of the manager: ours, Gomocup's or CodinGame's.")
    ] = Dialect.UCI,
) -> None:
    """Run an opponent as an engine that speaks a protocol on stdin and stdout."""
    with failing(2, NotationError):
        run = _session(opponent, protocol)
    if sys.stdin.isatty() and protocol is Dialect.UCI:
        print("Engine protocol: type uci, position, go … or quit.", file=sys.stderr)
    # A search in Python delays reading `stop` by at most this time.
    sys.setswitchinterval(0.001)
    try:
        with suppress(BrokenPipeError), failing(3, (ValueError, OpponentFailed)):
            run(sys.stdin)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def _session(text: str, protocol: Dialect) -> Callable[[Iterable[str]], None]:
    """Return a function that answers the lines of a manager.

    Raises:
        NotationError: no such opponent, or a person.
    """
    if protocol is Dialect.UCI:
        from noughts.arena.serving import EngineSession, OpponentEngine

        return EngineSession(OpponentEngine(text), _write).run
    from noughts.opponents import opponent

    player = opponent(text, seed=0, own_code=True)
    if player.is_human:
        raise NotationError(text, "OPPONENT", "a person cannot be an engine")
    if protocol is Dialect.GOMOCUP:
        from noughts.arena.gomocup import GomocupSession

        return GomocupSession(player, _write).run
    from noughts.arena.codingame import play

    return partial(play, player, write=_write)


def _write(line: str) -> None:
    try:
        print(line, flush=True)
    except BrokenPipeError:
        # Without this the interpreter prints an error when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise
    except OSError as error:
        # A search writes in a thread, which ends the program only so.
        warn(f"cannot write the output: {error.strerror}")
        os._exit(4)


@app.add_to(
    DEVELOP,
    "noughts check-engine 'python3 minimal_engine.py'",
    "noughts check-engine './bot --fast' --rules ultimate --rules mnk:5,5,4",
    "noughts check-engine 'noughts engine alphabeta' --rules basic --json",
)
def check_engine(
    command: Annotated[
        str,
        typer.Argument(help="The engine's program and arguments, quoted as one word."),
    ],
    rules: Annotated[
        list[str] | None,
        typer.Option(
            help="Rules to test. Repeatable. Default: all that the engine offers.",
            autocompletion=complete_rules,
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            help="Seconds to start and to reply; a fifth of it to obey `stop`.",
            min=0.5,
        ),
    ] = 10.0,
    json_: JsonFlag = False,
) -> None:
    """Test whether an engine follows the protocol."""

    from noughts.arena.compliance import Compliance

    with failing(2, ValueError, f"{command!r} is not a command: "):
        argv = shlex.split(command)
    with failing(2, NotationError, "--rules: "):
        rules_ids = [registry.game(text).rules_id for text in rules or ()]
    if not argv:
        fail("the command is empty", 2)
    with failing(4, Fault, f"{command}: "):
        compliance = Compliance(argv, seconds=seconds)
    findings: list[CheckResult] = []
    screen = Screen(markup=False, soft_wrap=True, quiet=json_)
    screen.print(compliance.name or command)
    try:
        with progress("checking") if json_ else nullcontext():
            for finding in compliance.results(rules_ids or compliance.rules_ids()):
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


def _show(screen: Console, finding: CheckResult, before: list[CheckResult]) -> None:
    """Print a finding, under a heading for its rules."""
    from noughts.arena.compliance import ABOUT

    if not before or finding.rules_id != before[-1].rules_id:
        screen.print(f"\n{finding.rules_id or ('all games' if before else 'the engine')}")
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
    """Print a text in the column of the checks, wrapped at a terminal."""

    if screen.is_terminal:
        screen.print(Padding(text, (0, 0, 0, COLUMN)), style=style, soft_wrap=False)
    else:
        screen.print(indent(text, " " * COLUMN), style=style)
