"""Settings of the whole suite."""

from __future__ import annotations

from hypothesis import settings

# The same examples at every run, however slow the machine; tests/fuzz.py looks for new ones.
settings.register_profile("noughts", deadline=None, derandomize=True)
settings.load_profile("noughts")
