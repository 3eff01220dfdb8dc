"""The command that opens the page: `noughts serve`."""

from __future__ import annotations

from typing import Annotated

import typer

from noughts.apps.command import examples, fail

app = typer.Typer()


@app.command(epilog=examples("noughts serve", "noughts serve --port 8000 --database games.db"))
def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 for the whole network.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.", min=0, max=65535)] = 8322,
    database: Annotated[
        str | None,
        typer.Option(
            help="An SQLite file or an SQLAlchemy URL; a file of the user's own if left out."
        ),
    ] = None,
) -> None:
    """Open the page: play, analyse, keep and share games in a browser."""
    try:
        import uvicorn
        from platformdirs import user_data_path

        from noughts.apps.web.app import create_app
        from noughts.store import StoreUnavailable
    except ImportError as error:
        fail(f"the page needs {error.name}: pip install 'noughts[web]'", 2)
    if database is None:
        database = str(user_data_path("noughts") / "games.db")
    url = database if "://" in database else f"sqlite:///{database}"
    try:
        application = create_app(url)
    except StoreUnavailable as error:
        fail(f"the database cannot be opened: {error} ({database})", 4)
    uvicorn.run(application, host=host, port=port, log_level="warning", access_log=False)
