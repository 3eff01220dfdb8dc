"""The command line, run in this process or in a new one."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

from samples import games_restored

from noughts.cli.main import main

NOUGHTS = str(Path(sys.executable).with_name("noughts"))
PLAIN = {"NO_COLOR": "1", "COLUMNS": "100"}
"""Environment of a command whose output does not depend on the terminal."""


def run(
    *arguments: object,
    entries: str = "",
    cwd: Path | None = None,
    errors_in_output: bool = False,
    **environment: str,
) -> subprocess.CompletedProcess[str]:
    """Run `noughts` with arguments in this process, which saves half a second of imports."""
    words = [str(argument) for argument in arguments]
    output, errors = (
        io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)
    )
    stdin = io.TextIOWrapper(io.BytesIO(entries.encode()), encoding="utf-8")
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, PLAIN | environment))
        stack.enter_context(mock.patch.multiple(sys, argv=["noughts", *words], stdin=stdin))
        stack.enter_context(games_restored())
        stack.enter_context(contextlib.chdir(cwd or Path.cwd()))
        stack.enter_context(contextlib.redirect_stdout(output))
        stack.enter_context(contextlib.redirect_stderr(output if errors_in_output else errors))
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    return subprocess.CompletedProcess(["noughts", *words], code, _text(output), _text(errors))


def _text(stream: io.TextIOWrapper) -> str:
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode()


def run_program(
    *arguments: object, entries: str | None = None, cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `noughts` as a program of its own, with variables added to the environment."""
    return subprocess.run(
        [NOUGHTS, *map(str, arguments)],
        input=entries,
        stdin=None if entries is not None else subprocess.DEVNULL,
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        env={**os.environ, **PLAIN, **environment},
    )


def answer(*arguments: object) -> dict[str, Any]:
    """Return the JSON object that a command prints with `--json`."""
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    data: dict[str, Any] = json.loads(done.stdout)
    assert data["schema"] == 1
    return data
