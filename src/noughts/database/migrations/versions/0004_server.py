"""Add the generation of the server that writes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    table = op.create_table(
        "server",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("generation", sa.Integer, nullable=False),
    )
    op.bulk_insert(table, [{"id": 1, "generation": 0}])
