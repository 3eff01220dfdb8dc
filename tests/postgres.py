"""A PostgreSQL of the tests' own: a cluster in a temporary folder, on a free port."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PASSWORD = "a secret of the tests"


def _programs() -> Path | None:
    """Return the folder with the server's programs, which Debian keeps out of the path."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return versions[-1] if versions else None


@contextmanager
def cluster() -> Iterator[str]:
    """Run a server and yield the URL of its database; skip the test where there is none.

    The server refuses to run as root, so there it runs as Debian's user `postgres`.
    """
    programs, user = _programs(), None
    if os.geteuid() == 0:
        names = {entry.pw_name for entry in pwd.getpwall()}
        user = "postgres" if "postgres" in names else None
    if programs is None or (os.geteuid() == 0 and user is None):
        if os.environ.get("CI") == "true":
            pytest.fail("no PostgreSQL: make postgres installs it")
        pytest.skip("no PostgreSQL: make postgres installs it")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # Not pytest's folder: the other user may not enter that.
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
            timeout=120,
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
