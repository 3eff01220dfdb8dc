"""Add the table of match results."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Double, Integer, String, Text

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "results",
        Column("event", String(255), primary_key=True),
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("rules", String(64), nullable=False),
        Column("x", Text, nullable=False),
        Column("o", Text, nullable=False),
        Column("x_bot", Text, nullable=False),
        Column("o_bot", Text, nullable=False),
        Column("result", String(8), nullable=False),
        Column("termination", Text, nullable=False),
        Column("control", Text, nullable=False),
        Column("opening", Integer, nullable=False),
        Column("seed", Text, nullable=False),
        Column("record", Text, nullable=False),
        Column("played", Double, nullable=False),
    )
    op.create_index("results_by_time", "results", ["rules", "played"])
