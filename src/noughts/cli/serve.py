"""`noughts serve`: run the web page."""

from __future__ import annotations

import gc
import secrets
import signal
import socket
import sys
import threading
from ipaddress import ip_address, ip_network
from typing import Annotated

import typer

from noughts.cli.listening import address_of, allow_files, check_names, listen, own_address
from noughts.cli.options import PLAY, Commands
from noughts.cli.output import fail, failing
from noughts.extras import missing

app = Commands()

ONLY_HERE = "--check-files runs files with your rights, for programs of this machine only"
SWITCH_SECONDS = 0.001
"""Seconds after which a thread gives way to another; Python's default is five times as long."""


@app.add_to(
    PLAY,
    "noughts serve --open",
    "noughts serve --port 8000 --database games.db",
    "noughts serve --check-files",
)
def serve(
    host: Annotated[
        str,
        typer.Option(
            envvar="NOUGHTS_HOST", help="Address to listen on; 0.0.0.0 for the whole network."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            envvar="NOUGHTS_PORT", help="Port to listen on; 0 for any free port.", min=0, max=65535
        ),
    ] = 8322,
    database: Annotated[
        str | None,
        typer.Option(
            envvar="NOUGHTS_DATABASE",
            help="An SQLite file or an SQLAlchemy URL. Default: a file in your home folder.",
        ),
    ] = None,
    open_browser: Annotated[
        bool, typer.Option("--open", help="Open the page in the browser.")
    ] = False,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            envvar="NOUGHTS_ALLOW_HOST", help="Another host name of the server. Repeatable."
        ),
    ] = None,
    proxy: Annotated[
        str | None,
        typer.Option(
            envvar="NOUGHTS_PROXY",
            help="Address of a proxy whose client addresses and scheme are trusted.",
        ),
    ] = None,
    limits: Annotated[bool, typer.Option(help="Limit the requests of each address.")] = True,
    check_files: Annotated[
        bool,
        typer.Option(
            "--check-files", help="Let the page check students' files, which run with your rights."
        ),
    ] = False,
) -> None:
    """Run a web page to play, analyse, save and share games."""
    for trusted in proxy.split(",") if proxy is not None else ():
        with failing(2, ValueError, "--proxy: "):
            ip_network(trusted.strip())
    check_names(allow_host or ())
    if check_files and (proxy or allow_host):
        option = "--proxy" if proxy else "--allow-host"
        fail(f"{ONLY_HERE}, so it does not go with {option}", 2)
    with listen(host, port) as listening:
        try:
            from platformdirs import user_data_path

            from noughts.database.store import StoreUnavailable, file_url, without_password
            from noughts.web import security
            from noughts.web.app import create_app
            from noughts.web.clients import LOOPBACK
            from noughts.web.server import Server
            from noughts.web.settings import Settings
        except ModuleNotFoundError as error:
            fail(missing("the page", error.name, "web"), 2)
        if check_files and not ip_address(listening.getsockname()[0]).is_loopback:
            fail(f"{ONLY_HERE}, so it needs --host 127.0.0.1, not {host}", 2)
        check_key = secrets.token_urlsafe(16) if check_files else None
        names = {host, *(allow_host or ())}
        is_wildcard = host in security.WILDCARDS
        if is_wildcard or host in LOOPBACK:
            names |= {*LOOPBACK}
        if is_wildcard:
            names.add(socket.gethostname())
        if database is None:
            database = str(user_data_path("noughts") / "games.db")
        settings = Settings() if limits else Settings(connections_of_one=None)
        bound = listening.getsockname()[1]
        address = addresses = address_of("localhost" if is_wildcard else host, bound)
        network = None if host in LOOPBACK else address
        if is_wildcard:
            network = address_of(own_address(), bound)
            addresses += f", in the network at {network}"
        try:
            application = create_app(
                database if "://" in database else file_url(database),
                hosts=names,
                limits=security.Limits() if limits else None,
                network=network and network.rstrip("/"),
                check_key=check_key,
            )
            application.state.store.claim()
        except ValueError as error:
            fail(f"--database: {error}", 2)
        except StoreUnavailable as error:
            fail(f"cannot open the database {without_password(database)}: {error}", 4)
        allow_files()

        def ready() -> None:
            print(f"noughts is at {addresses} (Ctrl-C ends it)", flush=True)
            if check_key:
                print(f"Check files at {address}check#key={check_key}", flush=True)
            if open_browser:
                import webbrowser

                threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

        server = Server(application, proxy=proxy, settings=settings, ready=ready)
        # Everything so far stays in use: scanning it for garbage would only cost time.
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)
        # A thread that reads a long text hands the interpreter over to the event loop sooner.
        sys.setswitchinterval(SWITCH_SECONDS)
        server.run([listening])
        gc.unfreeze()
        if server.ended_by == signal.SIGINT:
            raise typer.Exit(130)
