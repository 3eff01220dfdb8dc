"""How long a test waits for what must come, before it fails. No test measures the machine by it."""

PATIENCE = 120.0
"""Seconds."""
