"""The mistakes of a game, tried again by who made them, without seeing the answer first.

remarks ──mistakes of the sides──► board, entry ──► does it hold the value? ──► next … ──► score
                                     ▲      │
                                     └──────┴─ hint, show, skip, help, quit
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from noughts.apps.terminal import Leave, Screen, show_position, show_sentences
from noughts.games.position import IllegalMove, Player, Position
from noughts.search import Value
from noughts.views.explain import about_attempt, about_move, sentences
from noughts.views.facts import Judge, threat_of_other
from noughts.views.review import ERRORS, Remark, label_of

HELP = """\
a move   is tried
hint     says what is threatened, then how many moves are good
show     shows the answer and goes on
skip     goes on without it
quit     leaves"""


def try_again(
    screen: Screen, remarks: Sequence[Remark], judge: Judge, sides: Sequence[Player], game: int
) -> None:
    """Let a learner try the mistakes of `sides` again, one after another.

    Raises:
        Leave: the learner leaves, or the input ends; the score has been told.
    """
    mistakes = [r for r in remarks if r.label in ERRORS and r.position.turn in sides]
    who = " or ".join(map(str, sides))
    if not mistakes:
        screen.say(f"Game {game}: no mistake of {who} to try again.")
        return
    found = 0
    try:
        for number, remark in enumerate(mistakes, 1):
            ply = next(index for index, each in enumerate(remarks, 1) if each is remark)
            screen.say(f"Game {game}, mistake {number} of {len(mistakes)}, move {ply}", "bold")
            found += _ask(screen, remark, judge)
    finally:
        screen.say(f"Found: {found} of {len(mistakes)}.")


def _ask(screen: Screen, remark: Remark, judge: Judge) -> bool:
    """Ask for a better move until there is one, or the learner goes on; return whether it came.

    Raises:
        Leave: the learner leaves.
    """
    position = remark.position
    played = position.move_text(remark.move)
    screen.say()
    show_position(screen, position)
    screen.say(f"{position.turn} played {played}: {_harm(remark)}. What {_aim(remark.before)}?")
    hints = _hints(position, judge)
    while True:
        entry = screen.ask(f"{position.turn} (hint, show, skip, quit): ")
        command = entry.lower()
        if command in ("quit", "exit"):
            raise Leave
        if command == "skip":
            return False
        if command == "help":
            screen.say(HELP)
        elif command == "hint":
            screen.say(next(hints, "There is no further hint; show shows the answer."))
        elif command == "show":
            said = sentences(position, about_move(position, remark.best, judge))
            show_sentences(screen.console, position, said)
            return False
        elif _holds(screen, position, entry, judge):
            return True


def _harm(remark: Remark) -> str:
    before, after = remark.before, remark.after
    if remark.label == "doubtful":
        return f"by estimate, it went from {before} to {after}"
    return f"it turned a {before.value} into a {after.value}"


def _aim(before: Value) -> str:
    return {"win": "wins", "draw": "holds the draw"}.get(before.value, "is better")


def _hints(position: Position, judge: Judge) -> Iterator[str]:
    """Yield hints that leave something to find."""
    threat = threat_of_other(position)
    if threat is not None:
        yield sentences(position, (threat,))[0].text
    good = sum(_is_good(position, move, judge) for move in position.legal_moves())
    yield f"{good} of {len(position.legal_moves())} moves will do."


def _is_good(position: Position, move: int, judge: Judge) -> bool:
    result = judge.values(position)
    assert result.move is not None
    best = result.scores[result.move]
    return label_of(best, result.scores[move], len(result.scores)) not in ERRORS


def _holds(screen: Screen, position: Position, entry: str, judge: Judge) -> bool:
    """Say whether a move holds the value, and why; or what is wrong with the entry."""
    try:
        move = position.parse_entry(entry)
    except IllegalMove as error:
        screen.say(error.reason, "bold")
        return False
    good = _is_good(position, move, judge)
    screen.say("Yes." if good else "No.", "bold")
    about = about_move if good else about_attempt
    show_sentences(screen.console, position, sentences(position, about(position, move, judge)))
    return good
