"""Tests of a file: pytest-xdist runs them in one process, and names the file in their ids."""

from __future__ import annotations

import pytest


def test_files_are_groups(request: pytest.FixtureRequest) -> None:
    in_groups = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith("@test_groups") == in_groups
