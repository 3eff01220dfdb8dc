"""Errors as responses with problem documents (RFC 9457).

Refused, IllegalMove, NotationError, a request of the wrong shape ──► application/problem+json
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from noughts.answers import problems
from noughts.answers.problems import Refused, document
from noughts.database.store import StoreUnavailable
from noughts.games.position import IllegalMove, NotationError

INTERNAL_ERROR = Refused(500, "internal", "Internal error. It is in the server's log.")


def problem(error: Exception) -> Refused:
    """Return the refusal for one of the package's own errors; re-raise any other."""
    if isinstance(error, StoreUnavailable):
        detail = f"The database does not answer ({error}). Try again in a few seconds."
        return Refused(503, "store-unavailable", detail, retry=2)
    if isinstance(error, Refused | IllegalMove | NotationError):
        return problems.problem(error)
    raise error


def malformed(first: Mapping[str, Any]) -> Refused:
    """Return the refusal of a request for the first of its errors, as Pydantic describes it."""
    field = ".".join(str(part) for part in first["loc"])
    detail = f"{field}: {first['msg']}." if field else f"{first['msg']}."
    return Refused(422, "request", detail, field=field or None)


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
