"""The time after which a waiting test fails, so long that a slow machine makes no difference."""

PATIENCE = 120.0
"""Seconds."""
