"""Groups of tests: pytest-xdist runs each in one process, and names it in the tests' ids."""

from __future__ import annotations

import pytest


@pytest.mark.xdist_group("together")
def test_tests_are_grouped(request: pytest.FixtureRequest) -> None:
    in_groups = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith("@together") == in_groups
