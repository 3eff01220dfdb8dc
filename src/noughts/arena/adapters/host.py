"""Host process for a Python function: it speaks the engine protocol on the function's behalf.

    match ──position, go──► host ──Turn──► the function
          ◄───bestmove─────      ◄─answer─

    python -m noughts.arena.adapters.host KIND PLACE [FILE …]

The files register games. Output of the function goes to the error stream and its input is empty, so
that it cannot disturb the protocol. An error of the function ends the process with status 1, after
its traceback, which begins in the bot's own code. The bot's file is run again for each game, after
Python's `random` has been seeded. A function cannot be interrupted, so `stop` has no effect.
"""

from __future__ import annotations

import importlib
import os
import random
import sys
import traceback
from collections.abc import Callable, Iterable
from math import inf
from pathlib import Path
from types import TracebackType

from noughts.arena.adapters.hosted import RETURNED, Choose, shown_object
from noughts.arena.bot import KINDS, Turn
from noughts.arena.protocol import (
    NO_MOVE,
    VARIANT,
    Option,
    option_line,
    parse_go,
    parse_position,
    parse_set_option,
)
from noughts.games import registry

SEED = Option("Seed", "spin", "0", 0, 2**63 - 1)


def main(kind: str, rest: str, *files: str) -> None:
    """Serve the function of this kind that `rest` names, until `quit`."""
    lines = os.fdopen(os.dup(0), encoding="utf-8", errors="replace")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    # From here on, modules in the user's folder may shadow those of Python.
    sys.path.insert(0, "")
    for file in files:
        registry.load(Path(file))
    load = importlib.import_module(KINDS[kind].module).load

    def say(line: str) -> None:
        answers.write(f"{line}\n")

    try:
        serve(lambda: load(rest), lines, say)
    except Exception as error:  # a user's function may raise anything
        sys.stderr.write(_told(error.with_traceback(_of_the_bot(error.__traceback__))))
        sys.exit(1)


def serve(load: Callable[[], Choose], lines: Iterable[str], say: Callable[[str], None]) -> None:
    """Answer the lines of the protocol with the function's moves.

    Errors of the function and its file are passed on.
    """
    choose = load()
    rules_id = "basic"
    start, moves = parse_position("startpos", rules_id)
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word == "uci":
            say("id name a Python function")
            say(option_line(Option(VARIANT, "string", rules_id)))
            say(option_line(SEED))
            say("uciok")
        elif word == "isready":
            say("readyok")
        elif word == "setoption":
            name, value = parse_set_option(rest)
            if name == VARIANT:
                rules_id = value
            elif name == SEED.name:
                random.seed(int(value))
        elif word == "ucinewgame":
            choose = load()
        elif word == "position":
            start, moves = parse_position(rest, rules_id)
        elif word == "go":
            position = start.after(moves)
            if position.outcome() is not None:
                say(f"bestmove {NO_MOVE}")
                continue
            go, side = parse_go(rest), position.turn
            increment = go.increments.of(side)
            limit = go.limit(side)
            turn = Turn(start, moves, position, limit, inf, go.clocks, increment)
            answer = choose(turn)
            say(RETURNED + shown_object(answer.returned))
            say(f"bestmove {answer.text}")
        elif word == "quit":
            return


def _told(error: Exception) -> str:
    """Return a traceback whose last line, which the match shows, names the line of the bot's code.

    That is the last one that is in no installed package.
    """
    text = "".join(traceback.format_exception(error)).rstrip()
    frames = traceback.extract_tb(error.__traceback__)
    installed = (sys.prefix, sys.base_prefix, "<frozen")
    own = [frame for frame in frames if not frame.filename.startswith(installed)] or frames
    if own and not isinstance(error, SyntaxError):
        text += f" (line {own[-1].lineno} of {Path(own[-1].filename).name})"
    if isinstance(error, ModuleNotFoundError):
        text += "; --python names a Python that has it"
    return f"{text}\n"


def _of_the_bot(trace: TracebackType | None) -> TracebackType | None:
    """Return the part of a traceback that begins in the bot's own code."""
    ours = (
        str(Path(__file__).parents[2]),
        str(Path(importlib.__file__).parent),
        "<frozen importlib",
    )
    while trace is not None:
        if not trace.tb_frame.f_code.co_filename.startswith(ours):
            return trace
        trace = trace.tb_next
    return None


if __name__ == "__main__":
    main(*sys.argv[1:])
