"""Programs at a pseudo-terminal."""

from __future__ import annotations

from collections.abc import Callable

import pexpect

Start = Callable[..., pexpect.spawn]


def ends(child: pexpect.spawn, code: int = 0) -> str:
    """Wait for the end of the program; return its remaining output."""
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == code, child.before
    assert "Traceback" not in child.before
    return str(child.before)
