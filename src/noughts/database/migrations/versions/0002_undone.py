"""Add the undone moves of a game."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Text

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("games", Column("undone", Text))
