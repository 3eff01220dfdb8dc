"""Databases for tests: a temporary PostgreSQL on a free port, and games to store."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from needs import skip
from patience import PATIENCE
from sqlalchemy import create_engine, text

from noughts.database.store import Store, Stored, file_url, player_id

PASSWORD = "a secret of the tests"


def _programs() -> Path | None:
    """Return the folder of the server's programs, which Debian keeps out of PATH."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return versions[-1] if versions else None


@contextmanager
def cluster() -> Iterator[str]:
    """Run a PostgreSQL server and yield the URL of its database; skip the test without one.

    The server refuses to run as root; it then runs as Debian's user `postgres`.
    """
    programs, user = _programs(), None
    if os.geteuid() == 0:
        names = {entry.pw_name for entry in pwd.getpwall()}
        user = "postgres" if "postgres" in names else None
    if programs is None or (os.geteuid() == 0 and user is None):
        skip("no PostgreSQL: make postgres installs it")
    assert programs is not None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # Another user may not enter pytest's folder.
    folder = Path(tempfile.mkdtemp(prefix="noughts-postgres-"))
    secret, data = folder / "secret", folder / "data"
    secret.write_text(PASSWORD)
    if user is not None:
        shutil.chown(folder, user)
        shutil.chown(secret, user)

    def run(program: str, *options: str) -> None:
        subprocess.run(
            (programs / program, *options),
            user=user,
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
            timeout=PATIENCE,
        )

    start = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    log = str(folder / "log")
    try:
        access = ("--auth=scram-sha-256", f"--pwfile={secret}", "--username=noughts")
        run("initdb", "-D", str(data), "-N", "-E", "UTF8", "--locale=C.UTF-8", *access)
        run("pg_ctl", "start", "-w", "-D", str(data), "-l", log, "-o", start)
        try:
            password = PASSWORD.replace(" ", "%20")
            yield f"postgresql://noughts:{password}@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "stop", "-m", "immediate", "-D", str(data))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def restart(url: str) -> None:
    """Restart the server of `cluster`, which ends all connections."""
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        data = Path(connection.scalar(text("SHOW data_directory")) or "")
    engine.dispose()
    programs = _programs()
    assert programs is not None
    subprocess.run(
        (programs / "pg_ctl", "restart", "-w", "-m", "fast", "-D", data, "-l", data.parent / "log"),
        user=data.owner(),
        cwd=data.parent,
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=PATIENCE,
    )


@cache
def _empty() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games.db")
        Store(file_url(str(path))).close()
        return path.read_bytes()


def provide(path: Path) -> Path:
    """Write a database without games, unless there is one; migrating one takes ten times longer."""
    if not path.exists():
        path.write_bytes(_empty())
    return path


ADA, BOB = player_id("ada"), player_id("bob")


def stored(id: str = "a", version: int = 0, **changed: Any) -> Stored:  # noqa: A002
    """Return a game that can be stored."""
    values: dict[str, Any] = {
        "id": id,
        "version": version,
        "rules": "basic",
        "position": "basic~3.3.3~X",
        "plies": 0,
        "result": "*",
        "termination": "unfinished",
        "record": '{"schema": 1, "game": "basic", "tags": {}, "moves": [], "result": "*"}\n',
        "words": "basic guest über 100% a_b",
        "x": "person",
        "o": "engine:level=4",
        "x_player": ADA,
        "o_player": None,
        "swapped": False,
        "watch_key": "w" * 22,
        "join_key": "j" * 22,
        "x_score": 1.0,
        "o_score": 0.0,
        "draws": 2,
        "next": None,
        "created": 1_700_000_000.123456,
        "updated": 1_700_000_000.123456 + version,
    }
    return Stored(**values | changed)
