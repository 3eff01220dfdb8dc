"""Refused questions, and errors as problem documents (RFC 9457), with a sentence for people.

IllegalMove, NotationError, ValueError ──problem()──► Refused ──document()──► JSON data
"""

from __future__ import annotations

from typing import Any

from noughts.games.position import IllegalMove, NotationError


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


def problem(error: Exception) -> Refused:
    """Return the refusal for an error in a question; re-raise any other."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, IllegalMove):
        return Refused(422, "illegal-move", str(error))
    if isinstance(error, NotationError):
        return Refused(422, "notation", str(error), field=error.field)
    if isinstance(error, ValueError):
        reason = str(error).rstrip(".")
        return Refused(422, "request", f"{reason[:1].upper()}{reason[1:]}.")
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
