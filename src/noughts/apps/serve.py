"""The command that opens the page: `noughts serve`."""

from __future__ import annotations

import gc
import resource
import signal
import socket
import threading
from typing import Annotated

import typer

from noughts.apps.command import examples, fail

app = typer.Typer()

MOST_FILES = 8192
"""The open files, connections among them, that the server asks the system for."""


@app.command(epilog=examples("noughts serve", "noughts serve --port 8000 --database games.db"))
def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 for the whole network.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="The port to listen on; 0 for any that is free.", min=0, max=65535)
    ] = 8322,
    database: Annotated[
        str | None,
        typer.Option(
            help="An SQLite file or an SQLAlchemy URL; a file of the user's own if left out."
        ),
    ] = None,
    open_browser: Annotated[
        bool, typer.Option("--open", help="Open the page in the browser.")
    ] = False,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="A name under which the page may be asked for; may be repeated."),
    ] = None,
    proxy: Annotated[
        str | None,
        typer.Option(
            help="The address of a proxy, believed in what it says of its clients and of https."
        ),
    ] = None,
    limits: Annotated[
        bool, typer.Option(help="Bound how much one address may ask for at once.")
    ] = True,
) -> None:
    """Open the page: play, analyse, keep and share games in a browser."""
    listening = _listen(host, port)
    try:
        from platformdirs import user_data_path

        from noughts.apps.web import security
        from noughts.apps.web.app import create_app
        from noughts.apps.web.server import Server
        from noughts.store import StoreUnavailable, file_url, without_password
    except ImportError as error:
        fail(f"the page needs {error.name}: pip install 'noughts[web]'", 2)
    names = {host, *(allow_host or ())}
    is_wildcard = host in security.WILDCARDS
    if is_wildcard or host in security.LOOPBACK:
        names |= {*security.LOOPBACK}
    if is_wildcard:
        names.add(socket.gethostname())
    if database is None:
        database = str(user_data_path("noughts") / "games.db")
    try:
        application = create_app(
            database if "://" in database else file_url(database),
            hosts=names,
            limits=security.Limits() if limits else None,
        )
        application.state.store.claim()
    except ValueError as error:
        fail(f"--database: {error}", 2)
    except StoreUnavailable as error:
        fail(f"the database cannot be opened: {error} ({without_password(database)})", 4)
    _allow_files()
    bound = listening.getsockname()[1]
    address = addresses = _address("localhost" if is_wildcard else host, bound)
    if is_wildcard:
        addresses += f", in the network at {_address(_own_address(), bound)}"

    def ready() -> None:
        print(f"noughts is at {addresses} (Ctrl-C ends it)", flush=True)
        if open_browser:
            import webbrowser

            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    server = Server(application, proxy=proxy, is_bounded=limits, ready=ready)
    # What is there now stays: looking through it, and through open games, for garbage takes long.
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    server.run([listening])
    gc.unfreeze()
    if server.ended_by == signal.SIGINT:
        raise typer.Exit(130)


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to an address; where it cannot be, say why and end."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError):
        fail(f"--host: {host!r} is no address of this machine", 2)
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(2048)
    except OSError as error:
        fail(f"nothing can listen on {host}, port {port}: {error.strerror}; try another --port", 4)
    return listening


def _allow_files() -> None:
    """Let the process have as many files open as it may, up to what a busy server needs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _address(host: str, port: int) -> str:
    """Return where a browser finds the page."""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _own_address() -> str:
    """Return the address of this machine that others in its network reach, or else its name."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # Nothing is sent: it only asks which way it would go.
        except OSError:
            return socket.gethostname()
        address: str = probe.getsockname()[0]
        return address
