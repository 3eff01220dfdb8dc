"""Add the server that each game belongs to, and the address that opened it."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("games", sa.Column("owner", sa.Integer))
    op.add_column("games", sa.Column("origin", sa.String(32)))
    op.create_index("games_by_origin", "games", ["origin"])
    op.add_column("server", sa.Column("secret", sa.String(32)))
    table = sa.table("server", sa.column("secret"))
    op.execute(sa.update(table).values(secret=secrets.token_hex(16)))
