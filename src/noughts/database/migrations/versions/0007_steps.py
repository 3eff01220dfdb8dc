"""Add the counts of the moves that were played, and the games that are counted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "steps",
        sa.Column("step", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("x", sa.Integer, nullable=False),
        sa.Column("draws", sa.Integer, nullable=False),
        sa.Column("o", sa.Integer, nullable=False),
    )
    op.create_table(
        "counted",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("line", sa.Text, nullable=False),
    )
