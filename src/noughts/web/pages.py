"""The HTML of the page, with the replies that its script asks for first.

    address ──► index.html + scripts of that page + replies of the API as JSON ──► one response
                  └── its board, drawn until the script has loaded

The replies are those that the API gives to the same client, so a page has nothing that its visitor
may not see. Without them the script asks the API.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Mapping
from html import escape
from typing import Any
from urllib.parse import urlencode

from fastapi.requests import Request
from fastapi.responses import HTMLResponse, Response
from starlette.types import Message

from noughts.answers.rules import quick_game, with_sizes
from noughts.games.registry import GAMES, position
from noughts.views.svg import AUTO, drawing, number
from noughts.web.bundles import Bundles, bundles
from noughts.web.security import policy
from noughts.web.visitor import Visitor, visitor

API = "/api/v1"
SCRIPTS = {"game": "game", "position": "game", "replay": "viewer"}
"""The script of a page by the first part of its path, if the two differ."""
YEAR = 365 * 24 * 3600
Query = Mapping[str, str]


async def show_page(request: Request) -> Response:
    """Answer with the page of an address."""
    found = bundles()
    replies = {
        _key(path, query): reply
        for path, query in _asked(request)
        if (reply := await _reply(request, path, query)) is not None
    }
    drawn = _stage(json.loads([*replies.values()][-1])) if _script(request) == "game" else ""
    return page(request, found, replies, drawn)


def page(
    request: Request,
    found: Bundles,
    replies: Mapping[str, str],
    drawn: str = "",
    status: int = 200,
) -> Response:
    """Return the response with the HTML.

    Args:
        request: for the address and the encodings.
        found: the scripts and style sheets.
        replies: JSON texts, by the requests of the script.
        drawn: HTML that the script replaces.
        status: of the response.
    """
    name = _script(request)

    def link(kind: str, file: str) -> str:
        known = file in found.files
        return f'<link rel="{kind}" href="{found.address(file)}">\n' if known else ""

    given = ",".join(f"{json.dumps(key)}:{reply}" for key, reply in replies.items())
    # A reply may contain a closing tag, which would end the element.
    data = f"{{{given}}}".replace("<", "\\u003c")
    start = link("modulepreload", f"{name}.js")
    start += f'<script type="application/json" id="given">{data}</script>\n'
    sheet = link("stylesheet", f"{name}.css")
    html = found.html.replace("</main>", f"{drawn}</main>").replace("</head>", f"{sheet}</head>")
    html = html.replace("<script>", f"{start}<script>", 1)
    headers = {
        "cache-control": "no-store",
        "content-security-policy": policy(found.hash),
        "vary": "accept-encoding",
    }
    body = html.encode()
    if _takes_gzip(request):
        headers["content-encoding"] = "gzip"
        body = gzip.compress(body, 6, mtime=0)
    return HTMLResponse(body, status, headers)


async def show_file(request: Request) -> Response:
    """Answer with a file of the page, which never changes."""
    return _file(request, bundles())


async def show_visitor_file(request: Request) -> Response:
    """Answer with a file for the visitor's engine; only its worker may compile WebAssembly."""
    return _file(request, await asyncio.to_thread(visitor), policy("'wasm-unsafe-eval'"))


def _file(
    request: Request, found: Bundles | Visitor | None, allowed: str | None = None
) -> Response:
    """Return the response with a file that never changes; `allowed` is its policy."""
    file = found and found.files.get(request.path_params["name"])
    if found is None or file is None or request.path_params["digest"] != found.digest:
        return Response(status_code=404)
    headers = {
        **({} if allowed is None else {"content-security-policy": allowed}),
        "cache-control": f"public, max-age={YEAR}, immutable",
        "vary": "accept-encoding",
    }
    if not _takes_gzip(request):
        return Response(file.plain, media_type=file.kind, headers=headers)
    headers["content-encoding"] = "gzip"
    return Response(file.packed, media_type=file.kind, headers=headers)


def _takes_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def _script(request: Request) -> str:
    """Return the name of the script and the style sheet of a page."""
    first: str = request.scope["path"].split("/")[1]
    if not first:
        return "game" if "game" in request.query_params else "home"
    return SCRIPTS.get(first, first)


def _asked(request: Request) -> list[tuple[str, Query]]:
    """Return the requests that the script begins with: paths of the API with queries."""
    rules: tuple[str, Query] = ("/rules", {})
    query = request.query_params
    match request.scope["path"].split("/", 2)[1:]:
        case [""]:
            quick = (quick_game(name) for name in GAMES)
            offered = [each["rules"] for each in quick if each is not None]
            starts = [query["game"]] if "game" in query else offered
            asked = [("/position", {"start": with_sizes(each), "moves": ""}) for each in starts]
            if "game" not in query:
                asked.append(("/games", {"search": "unfinished", "after": "", "count": "10"}))
        case ["game", id_]:
            asked = [(f"/games/{id_}", {})]
        case ["position", start]:
            moves = " ".join(query.get("moves", "").split())
            asked = [("/position", {"start": start, "moves": moves})]
        case ["puzzles", id_]:
            asked = [(f"/puzzles/{id_}", {})]
        case _:
            asked = []
    return [rules, *asked]


def _key(path: str, query: Query) -> str:
    """Return the text that the script looks a reply up by, as in `client.js`."""
    return f"GET {path}" + "".join(f"&{name}={value}" for name, value in query.items())


async def _reply(request: Request, path: str, query: Query) -> str | None:
    """Return the reply of the API to this client, `None` for a refusal."""
    status, body = 0, b""

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        nonlocal status, body
        status = message.get("status", status)
        body += message.get("body", b"")

    scope = {
        **request.scope,
        "method": "GET",
        "path": API + path,
        "raw_path": None,
        "query_string": urlencode(query).encode(),
        "path_params": {},
    }
    await request.app.router(scope, receive, send)
    return body.decode() if status == 200 else None


def _stage(view: dict[str, Any]) -> str:
    """Return the board of a `PositionView` or a `GameView` as HTML, like that of `game.js`.

    It is empty for other replies, for games without a picture, and where the letters are swapped,
    which only the script can do.
    """
    shown, yours = view.get("position"), view.get("yours", [])
    if isinstance(shown, str):
        shown, yours = view, [view["turn"]]
    if not isinstance(shown, dict) or view.get("swapped") or shown["board"]["kind"] == "text":
        return ""
    drawn = drawing(position(shown["position"]), AUTO, last=shown["last"], labels=True)
    width, height, body = drawn
    # The margins of `boardBox` in board.js.
    is_named = shown["board"]["kind"] == "grid" and not shown["board"]["names"][0].isdecimal()
    box = (0, 0, width + 2, height + 2) if is_named else (-2, -2, width + 4, height + 4)
    said = shown["situation"][yours[0] if len(yours) == 1 else "-"] or ""
    return (
        '<div class="table"><div class="stage">'
        f'<p class="situation">{escape(said)}</p>'
        f'<div class="field"><div class="playing-board drawn" data-kind="{shown["board"]["kind"]}">'
        f'<svg class="board" aria-hidden="true" viewBox="{" ".join(map(number, box))}">'
        f"{body}</svg></div></div></div></div>"
    )
