"""Run the commands of the Dockerfile without Docker: install, serve as another user, check health.

    python tests/image.py

The folders of the image are folders of a temporary one. The base image, `useradd`, the volume and
the network of a container are not tested.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).parent.parent
SECONDS = 120
NOBODY = 65534


def instructions(text: str) -> list[tuple[str, str]]:
    """Return the instructions of a Dockerfile with their arguments."""
    lines = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    parts = (line.partition(" ") for line in lines.splitlines() if line)
    return [(word, rest.strip()) for word, _, rest in parts]


def main() -> None:
    """Build and start the image's contents, and end with an error at the first fault."""
    steps = instructions((ROOT / "Dockerfile").read_text("utf-8"))
    folder = Path(tempfile.mkdtemp(prefix="image-"))
    folder.chmod(0o755)
    try:
        check(steps, folder)
    finally:
        shutil.rmtree(folder)


def check(steps: list[tuple[str, str]], folder: Path) -> None:
    places = {
        "/opt/noughts": folder / "noughts",
        "/wheels": folder / "wheels",
        "/data": folder / "data",
    }
    shutil.copytree(ROOT / "dist", places["/wheels"])
    python = shutil.which(sys.executable) or sys.executable

    def placed(text: str) -> str:
        for place, here in places.items():
            text = re.sub(rf"(?<![\w/]){place}\b", str(here), text)
        return text

    install, add_user = [rest for word, rest in steps if word == "RUN"]
    install = placed(install).replace("python -m venv", f"{python} -m venv", 1)
    subprocess.run(install, shell=True, check=True)
    assert "--owner=noughts" in add_user
    data = places["/data"]
    data.mkdir(mode=0o750)
    # Another user cannot run an interpreter in root's home folder.
    is_public = all(each.stat().st_mode & 1 for each in Path(python).resolve().parents)
    user = NOBODY if os.getuid() == 0 and is_public else None
    if user:
        os.chown(data, user, user)
    (given,) = [rest for word, rest in steps if word == "ENV"]
    settings = dict(each.split("=", 1) for each in placed(given).split())
    # A free port, since others may serve on this machine.
    settings |= {"NOUGHTS_HOST": "127.0.0.1", "NOUGHTS_PORT": "0"}
    settings["PATH"] = settings["PATH"].replace("$PATH", os.environ["PATH"])
    (entry,) = [json.loads(rest) for word, rest in steps if word == "ENTRYPOINT"]
    (checks,) = [rest for word, rest in steps if word == "HEALTHCHECK"]
    health = json.loads(checks.partition("CMD")[2])
    command = str(places["/opt/noughts"] / "bin" / entry[0])
    with subprocess.Popen(
        [command, *entry[1:]],
        cwd=data,
        env=settings,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        user=user,
        group=user,
    ) as server:
        try:
            assert server.stdout is not None
            address = next(
                found[0] for line in server.stdout if (found := re.search(r"http://\S+", line))
            )
            settings["NOUGHTS_PORT"] = address.rstrip("/").rpartition(":")[2]
            health[0] = str(places["/opt/noughts"] / "bin" / health[0])
            subprocess.run(health, cwd=data, env=settings, check=True, timeout=SECONDS)
            with urlopen(address, timeout=SECONDS) as reply:
                assert b"<title>" in reply.read()
            assert (data / "games.db").stat().st_size, "no database in the volume"
        finally:
            server.terminate()
    assert server.returncode == 0, f"SIGTERM ended it with {server.returncode}"
    # Without a server the health check must fail.
    failed = subprocess.run(health, cwd=data, env=settings, stderr=subprocess.DEVNULL)
    assert failed.returncode
    print("image: passed" + ("" if user else ", as the present user"))


if __name__ == "__main__":
    main()
