"""Add the names, the clocks and the offers of people."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Double, String, Text

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("games", Column("x_name", String(32)))
    op.add_column("games", Column("o_name", String(32)))
    op.add_column("games", Column("x_left", Double))
    op.add_column("games", Column("o_left", Double))
    op.add_column("games", Column("since", Double))
    op.add_column("games", Column("offers", Text))
