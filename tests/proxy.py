"""A proxy on TCP: each connection goes to one of several servers that answers."""

from __future__ import annotations

import random
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from patience import PATIENCE


@contextmanager
def proxy(ports: Callable[[], Sequence[int]]) -> Iterator[str]:
    """Run a proxy and give its address; `ports` returns the servers of the moment."""
    with socket.create_server(("127.0.0.1", 0), backlog=200) as listening:
        threading.Thread(target=_accept, args=(listening, ports), daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


def _accept(listening: socket.socket, ports: Callable[[], Sequence[int]]) -> None:
    with suppress(OSError):
        while True:
            client, _ = listening.accept()
            server = _connected(ports())
            if server is None:
                client.close()
                continue
            threading.Thread(target=_join, args=(client, server), daemon=True).start()


def _connected(ports: Sequence[int]) -> socket.socket | None:
    for port in random.sample(ports, len(ports)):
        with suppress(OSError):
            return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    return None


def _join(client: socket.socket, server: socket.socket) -> None:
    with client, server:
        back = threading.Thread(target=_copy, args=(server, client), daemon=True)
        back.start()
        _copy(client, server)
        back.join()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        source.settimeout(None)
        while data := source.recv(65536):
            target.sendall(data)
    for each in (source, target):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
