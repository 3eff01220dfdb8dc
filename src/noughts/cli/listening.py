"""Sockets and addresses of the commands that serve.

host, port ──listen()──► a socket that listens, or the reason why not
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable

from noughts.cli.output import fail

HOST_NAME = re.compile(r"[\w-]+(\.[\w-]+)*|[0-9A-Fa-f:.]+")
MAX_FILES = 8192
"""Limit of open files and connections that a server requests."""


def check_names(names: Iterable[str]) -> None:
    """Fail if a value of `--allow-host` is more than a host name."""
    for name in names:
        if not HOST_NAME.fullmatch(name):
            fail(f"--allow-host: {name!r} is not a host name alone, as in games.example.org", 2)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address, or fail with the reason."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError):
        fail(f"--host: {host!r} is not an address of this machine", 2)
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(2048)
    except OSError as error:
        fail(f"cannot listen on {host}, port {port}: {error.strerror}. Try another --port.", 4)
    return listening


def allow_files() -> None:
    """Raise the limit of open files to `MAX_FILES`, or as far as the system allows."""
    try:
        import resource
    except ImportError:  # Windows has no such limit.
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def address_of(host: str, port: int) -> str:
    """Return the address of a server."""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def own_address() -> str:
    """Return the address of this machine in its network, or its name if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # Sends nothing: it only selects the network interface.
        except OSError:
            return socket.gethostname()
        address: str = probe.getsockname()[0]
        return address
