"""Errors as problem documents (RFC 9457), each with a sentence for people.

Refused, IllegalMove, NotationError, a request of the wrong shape ──► application/problem+json
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from noughts.games.position import IllegalMove, NotationError
from noughts.store import StoreUnavailable


class Refused(Exception):
    """A refused request.

    Args:
        status: the HTTP status.
        kind: the kind of error for programs, such as `not-found`.
        detail: a sentence for people.
        field: the wrong part of the request.
        retry: seconds until the client may try again.
    """

    def __init__(
        self, status: int, kind: str, detail: str, *, field: str | None = None, retry: float = 0
    ) -> None:
        super().__init__(detail)
        self.status, self.kind, self.detail = status, kind, detail
        self.field, self.retry = field, retry


INTERNAL_ERROR = Refused(500, "internal", "Internal error. It is in the server's log.")


def problem(error: Exception) -> Refused:
    """Return the refusal for one of the package's own errors; re-raise any other."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, IllegalMove):
        return Refused(422, "illegal-move", str(error))
    if isinstance(error, NotationError):
        return Refused(422, "notation", str(error), field=error.field)
    if isinstance(error, StoreUnavailable):
        detail = f"The database does not answer ({error}). Try again in a few seconds."
        return Refused(503, "store-unavailable", detail, retry=2)
    raise error


def malformed(first: Mapping[str, Any]) -> Refused:
    """Return the refusal of a request for the first of its errors, as Pydantic describes it."""
    field = ".".join(str(part) for part in first["loc"])
    detail = f"{field}: {first['msg']}." if field else f"{first['msg']}."
    return Refused(422, "request", detail, field=field or None)


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
    """Return the response to a refused request."""
    headers = {"Retry-After": str(max(1, round(refused.retry)))} if refused.retry else {}
    return JSONResponse(
        document(refused), refused.status, headers, media_type="application/problem+json"
    )


def install(app: FastAPI) -> None:
    """Make an application answer errors with problem documents."""

    async def known(_: Request, error: Exception) -> JSONResponse:
        return respond(problem(error))

    async def invalid(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        return respond(malformed(error.errors()[0]))

    async def http_error(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        response = respond(Refused(error.status_code, "http", f"{error.detail}."))
        response.headers.update(error.headers or {})
        return response

    for kind in (Refused, IllegalMove, NotationError, StoreUnavailable):
        app.add_exception_handler(kind, known)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http_error)
