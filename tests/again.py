"""Run the tests that failed in the last `make test` once more, one after another.

The exit code is that of pytest; a test that no longer exists is a failure.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

FAILED = Path(".pytest_cache/v/cache/lastfailed")
GROUP = re.compile(r"@[\w-]+$")
"""The group that pytest-xdist adds to the name of a test."""

if __name__ == "__main__":
    names = [GROUP.sub("", name) for name in json.loads(FAILED.read_text(encoding="utf-8"))]
    sys.exit(pytest.main(["-m", "not soak", *names]))
