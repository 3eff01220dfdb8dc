"""The commands that show a search at work."""

from __future__ import annotations

import typer

app = typer.Typer()
