"""The winner's moves of a certificate, as text and as a picture that a person can follow.

Certificate, position ──text()─────► his move, and his answer to each reply
                      ──picture()──► the board; on the cell of each reply stands the answer
"""

from __future__ import annotations

from collections.abc import Mapping

from noughts.games.nested import Advanced
from noughts.proof.certificate import Certificate
from noughts.views import svg

LINE = "line"
"""The text shown for an answer that completes a line."""
SEARCHED = "search"
"""The text shown for an answer below the moves of the certificate."""


def _moved(certificate: Certificate, place: Advanced) -> tuple[int | None, Advanced]:
    """Return the winner's move, if he is to move, and the position after it.

    Raises:
        KeyError: the certificate has no such position, or no move in it.
    """
    if place.turn is not certificate.attacker:
        return None, place
    move = certificate.move_in(place)
    if move is None:
        raise KeyError(str(place))
    return move, place.play(move)


def _answers(certificate: Certificate, place: Advanced) -> dict[int, str]:
    said = {}
    for reply, answer in certificate.answers(place).items():
        after = place.play(reply)
        if answer is None:
            said[reply] = SEARCHED
        elif after.play(answer).outcome() is not None:
            said[reply] = LINE
        else:
            said[reply] = after.move_text(answer)
    return said


def text(certificate: Certificate, place: Advanced) -> str:
    """Return the winner's move and his answers, a row each; replies with one answer share a row.

    Raises:
        KeyError: the certificate has no such position, or no move in it.
    """
    move, after = _moved(certificate, place)
    lines = []
    if move is not None:
        lines.append(f"{place.turn} plays {place.move_text(move)}.")
    if after.outcome() is not None:
        return "\n".join([*lines, f"{certificate.attacker} has won."])
    replies: dict[str, list[str]] = {}
    for reply, answer in _answers(certificate, after).items():
        replies.setdefault(answer, []).append(after.move_text(reply))
    head = "after"
    width = max(len(head), *(len(" ".join(each)) for each in replies.values()))
    lines.append(f"{head:{width}}  {certificate.attacker} plays")
    words = {LINE: "a move that completes a line", SEARCHED: "as a search finds"}
    lines += [
        f"{' '.join(each):{width}}  {words.get(answer, answer)}" for answer, each in replies.items()
    ]
    return "\n".join(lines)


def picture(certificate: Certificate, place: Advanced, theme: str) -> str:
    """Return the board in which the other side is to move, as the text of an SVG file.

    On the cell of each reply stands the winner's answer.

    Raises:
        KeyError: the certificate has no such position, or no move in it.
    """
    move, after = _moved(certificate, place)
    colours = svg.theme_named(theme)
    said = _answers(certificate, after) if after.outcome() is None else {}
    inner = svg.drawing(after, colours, last=None if move is None else after.cell(move))
    over = "".join(
        svg.chip(answer, *svg.centre(after, after.cell(reply)), _ink(colours, answer))
        for reply, answer in said.items()
    )
    width, height = inner.width + 2 * svg.MARGIN, inner.height + 2 * svg.MARGIN
    whole = inner._replace(body=inner.body + over)
    winner = certificate.attacker
    return svg.document(
        svg.Drawing(width, height, whole.at(svg.MARGIN, svg.MARGIN, inner.width)),
        theme,
        title=f"The answers of {winner}",
        description=_described(said, after, str(winner)),
        scale=600 / max(width, height),
    )


def _ink(colours: svg.Theme, answer: str) -> tuple[str, str]:
    return colours.value(1.0) if answer == LINE else (colours.ink, colours.active)


def _described(said: Mapping[int, str], place: Advanced, winner: str) -> str:
    each = (f"{place.move_text(reply)}: {answer}" for reply, answer in said.items())
    return f"{winner}'s answer to each reply. {', '.join(each)}."
