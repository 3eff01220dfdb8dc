"""`noughts review --retry`: a learner looks for better moves than the errors of a game.

remarks ──errors of the sides──► board, entry ──► is the value kept? ──► next … ──► score
                                     ▲      │
                                     └──────┴─ hint, show, skip, help, quit
"""

from __future__ import annotations

from collections.abc import Sequence

from noughts.cli.terminal import Terminal, show_position, show_sentences
from noughts.explain.review import ERRORS, Remark, is_error
from noughts.explain.sentences import about_attempt, about_move, sentences
from noughts.games.position import IllegalMove, Player, Position
from noughts.games.words import percent
from noughts.judgement.judge import Judge
from noughts.search import Value

HELP = """\
a move   try it
hint     show a fact that decides; a second one shows where to look
show     show the answer, and continue
skip     continue without the answer
quit     leave"""


def try_again(
    terminal: Terminal, remarks: Sequence[Remark], judge: Judge, sides: Sequence[Player], game: int
) -> None:
    """Ask for a better move at every error of `sides`, and print the score.

    Raises:
        Quit: the learner quits, or the input has ended.
    """
    errors = [r for r in remarks if r.label in ERRORS and r.position.turn in sides]
    who = " or ".join(map(str, sides))
    if not errors:
        terminal.say(f"Game {game}: no error of {who} to try again.")
        return
    found = 0
    try:
        for number, remark in enumerate(errors, 1):
            ply = next(index for index, each in enumerate(remarks, 1) if each is remark)
            terminal.say(f"Game {game}, error {number} of {len(errors)}, move {ply}", "bold")
            found += _ask(terminal, remark, judge)
    finally:
        terminal.say(f"Found: {found} of {len(errors)}.")


def _ask(terminal: Terminal, remark: Remark, judge: Judge) -> bool:
    """Ask for a better move until one is found, shown or skipped; return whether it was found.

    Raises:
        Quit: the learner quits.
    """
    position = remark.position
    played = position.move_text(remark.move)
    terminal.say()
    show_position(terminal, position)
    terminal.say(f"{position.turn} played {played}: {_harm(remark)}. What {_aim(remark.before)}?")
    clues = iter(remark.clues)
    while True:
        entry = terminal.answer(f"{position.turn} (hint, show, skip, quit): ")
        command = entry.lower()
        if command == "skip":
            return False
        if command == "help":
            terminal.say(HELP)
        elif command == "hint":
            terminal.say(next(clues, "No more hints. Type show for the answer."))
        elif command == "show":
            said = sentences(position, about_move(position, remark.best, judge))
            show_sentences(terminal.console, position, said)
            return False
        elif _holds(terminal, position, entry, judge):
            return True


def _harm(remark: Remark) -> str:
    if not (remark.before.is_exact and remark.after.is_exact):
        return f"it lowered the expected score by about {percent(remark.lost, 0)}"
    return f"it turned a {remark.before.kind} into a {remark.after.kind}"


def _aim(before: Value) -> str:
    return {"win": "wins", "draw": "holds the draw"}.get(before.kind, "is better")


def _holds(terminal: Terminal, position: Position, entry: str, judge: Judge) -> bool:
    """Print whether a move keeps the value, and why, or why the entry is not a move."""
    try:
        move = position.parse_entry(entry)
    except IllegalMove as error:
        terminal.say(str(error), "bold")
        return False
    good = not is_error(position, move, judge)
    terminal.say("Yes." if good else "No.", "bold")
    about = about_move if good else about_attempt
    show_sentences(terminal.console, position, sentences(position, about(position, move, judge)))
    return good
