"""Add the table of games."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Boolean, Column, Double, Integer, String, Text

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "games",
        Column("id", String(32), primary_key=True),
        Column("version", Integer, nullable=False),
        Column("rules", String(64), nullable=False),
        Column("position", Text, nullable=False),
        Column("plies", Integer, nullable=False),
        Column("result", String(8), nullable=False),
        Column("termination", Text, nullable=False),
        Column("record", Text, nullable=False),
        Column("words", Text, nullable=False),
        Column("x", Text, nullable=False),
        Column("o", Text, nullable=False),
        Column("x_player", String(64)),
        Column("o_player", String(64)),
        Column("swapped", Boolean, nullable=False),
        Column("watch_key", String(32), nullable=False),
        Column("join_key", String(32), nullable=False),
        Column("x_score", Double, nullable=False),
        Column("o_score", Double, nullable=False),
        Column("draws", Integer, nullable=False),
        Column("next", String(32)),
        Column("created", Double, nullable=False),
        Column("updated", Double, nullable=False),
    )
    op.create_index("games_of_x", "games", ["x_player", "updated"])
    op.create_index("games_of_o", "games", ["o_player", "updated"])
