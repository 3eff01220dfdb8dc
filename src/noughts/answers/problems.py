"""Refused questions, and errors as problem documents (RFC 9457), with a sentence for people.

IllegalMove, NotationError, ValueError ──problem()──► Refused ──document()──► JSON data
"""

from __future__ import annotations

from noughts.answers.described import Described
from noughts.games.position import IllegalMove, NotationError


class Problem(Described):
    """An error, as a problem document of RFC 9457."""

    type: str
    title: str
    status: int
    detail: str
    """A sentence for people."""
    field: str | None
    """The part of the request at fault."""


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


def document(refused: Refused) -> Problem:
    """Return the body of a problem document."""
    return {
        "type": f"urn:noughts:{refused.kind}",
        "title": refused.kind.replace("-", " ").capitalize(),
        "status": refused.status,
        "detail": refused.detail,
        "field": refused.field,
    }
