"""`noughts mcp`: tools for language models, over stdio or HTTP."""

from __future__ import annotations

import signal
import socket
import sys
from typing import Annotated

import typer

from noughts.cli.listening import address_of, allow_files, check_names, listen
from noughts.cli.options import MORE, Commands
from noughts.cli.output import fail, say
from noughts.extras import missing

app = Commands()


@app.add_to(MORE, "noughts mcp", "noughts mcp --http --port 8323")
def mcp(
    http: Annotated[
        bool, typer.Option("--http", help="Serve HTTP in place of standard input and output.")
    ] = False,
    host: Annotated[
        str, typer.Option(help="With --http: address to listen on; 0.0.0.0 for the whole network.")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(help="With --http: port to listen on; 0 for any free port.", min=0, max=65535),
    ] = 8323,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="With --http: another host name of the server. Repeatable."),
    ] = None,
    limits: Annotated[
        bool, typer.Option(help="With --http: limit the requests of each address.")
    ] = True,
) -> None:
    """Serve the rules, values and explanations to language models (Model Context Protocol).

    A program for language models starts this command and talks to it; see docs/mcp.md.
    With --http it serves many of them.
    """
    try:
        import noughts.mcp.server  # noqa: F401
    except ModuleNotFoundError as error:
        fail(missing("the MCP server", error.name, "mcp"), 2)
    if http:
        _serve(host, port, allow_host or [], limits)
    else:
        _talk()


def _talk() -> None:
    """Serve one client over standard input and output, until it closes them."""
    import anyio

    from noughts.mcp.server import create_server

    if sys.stdin.isatty():
        say("noughts: waiting for an MCP client on standard input. Ctrl-C ends it.", sys.stderr)
    try:
        anyio.run(create_server().run_stdio_async)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def _serve(host: str, port: int, allowed: list[str], limits: bool) -> None:
    """Serve clients over HTTP, until a signal."""
    from noughts.mcp.http import PATH, create_app
    from noughts.web import security
    from noughts.web.clients import LOOPBACK
    from noughts.web.server import Server
    from noughts.web.settings import Settings

    check_names(allowed)
    with listen(host, port) as listening:
        names = {host, *allowed}
        if host in security.WILDCARDS:
            names.add(socket.gethostname())
        if host in security.WILDCARDS or host in LOOPBACK:
            names |= {*LOOPBACK}
        address = address_of("localhost" if host in security.WILDCARDS else host, _port(listening))
        allow_files()

        def ready() -> None:
            print(f"noughts speaks MCP at {address.rstrip('/')}{PATH} (Ctrl-C ends it)", flush=True)

        settings = Settings() if limits else Settings(connections_of_one=None)
        server = Server(
            create_app(names, security.Limits() if limits else None),
            settings=settings,
            ready=ready,
        )
        server.run([listening])
        if server.ended_by == signal.SIGINT:
            raise typer.Exit(130)


def _port(listening: socket.socket) -> int:
    port: int = listening.getsockname()[1]
    return port
