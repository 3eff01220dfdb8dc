"""Errors as problem documents (RFC 9457), each with a sentence for people.

Refused, IllegalMove, NotationError, a request of the wrong shape ──► application/problem+json
"""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from noughts.games.position import IllegalMove, NotationError
from noughts.store import StoreUnavailable


class Refused(Exception):
    """A request that is not granted.

    Args:
        status: of HTTP.
        kind: one or two words that programs can tell errors apart by, such as `not-found`.
        detail: a sentence for people.
        field: the part of the request at fault.
        retry: seconds after which to ask again.
    """

    def __init__(
        self, status: int, kind: str, detail: str, *, field: str | None = None, retry: float = 0
    ) -> None:
        super().__init__(detail)
        self.status, self.kind, self.detail, self.field, self.retry = (
            status,
            kind,
            detail,
            field,
            retry,
        )


def problem(error: Exception) -> Refused:
    """Return what a client is told of an error of the house."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, IllegalMove):
        return Refused(422, "illegal-move", f"{error.reason[0].upper()}{error.reason[1:]}.")
    if isinstance(error, NotationError):
        return Refused(422, "notation", f"{error}.", field=error.field)
    if isinstance(error, StoreUnavailable):
        detail = f"The database does not answer ({error}). Try again in a moment."
        return Refused(503, "store-unavailable", detail, retry=2)
    raise error


def document(refused: Refused) -> dict[str, Any]:
    """Return the body of a problem document."""
    title = refused.kind.replace("-", " ").capitalize()
    data = {
        "type": f"urn:noughts:{refused.kind}",
        "title": title,
        "status": refused.status,
        "detail": refused.detail,
    }
    return data if refused.field is None else data | {"field": refused.field}


def respond(refused: Refused) -> JSONResponse:
    """Return the answer to a request that is refused."""
    headers = {"Retry-After": str(max(1, round(refused.retry)))} if refused.retry else {}
    return JSONResponse(
        document(refused), refused.status, headers, media_type="application/problem+json"
    )


def install(app: FastAPI) -> None:
    """Let an application answer errors with problem documents."""

    async def known(_: Request, error: Exception) -> JSONResponse:
        return respond(problem(error))

    async def misshapen(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        return respond(Refused(422, "request", f"{field}: {first['msg']}.", field=field))

    async def of_http(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        response = respond(Refused(error.status_code, "http", f"{error.detail}."))
        response.headers.update(error.headers or {})
        return response

    for kind in (Refused, IllegalMove, NotationError, StoreUnavailable):
        app.add_exception_handler(kind, known)
    app.add_exception_handler(RequestValidationError, misshapen)
    app.add_exception_handler(HTTPException, of_http)
