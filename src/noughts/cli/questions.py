"""Questions before a game: which game, which opponent, which letter, who starts."""

from __future__ import annotations

from typing import NamedTuple

from noughts.cli.output import suggestion
from noughts.cli.terminal import Terminal
from noughts.engine import is_native
from noughts.games.catalogue import make_rules_id
from noughts.games.letters import is_swapped
from noughts.games.position import NotationError, Player, Position
from noughts.games.registry import GAMES, parse_start
from noughts.levels import description
from noughts.opponents import OPPONENTS, Opponent, opponent, perfect_begins, suits_perfect

SHOWN_LEVELS = (1, 4, 7, 10)
"""Levels of the engine in the list of opponents; every other level can be typed."""


class GameChoice(NamedTuple):
    """The answers to the questions before a game."""

    start: Position
    sides: dict[Player, Opponent]
    swapped: bool


def ask_game(terminal: Terminal, seed: int | None) -> GameChoice:
    """Ask for the game, the opponent, the letter and who starts.

    Raises:
        Quit: the person quits, or the input has ended.
    """
    start = _ask_rules(terminal)
    machine, person = _ask_opponent(terminal, start, seed), opponent("human")
    if machine.is_human:
        return GameChoice(start, {Player.X: person, Player.O: machine}, False)
    letter = Player(_ask_one_of(terminal, "Your letter, x or o?", "x", "o").upper())
    if machine.kind == "perfect" and perfect_begins(start):
        terminal.say("The computer starts: it knows how the first player wins.")
        first = False
    else:
        answer = _ask_one_of(terminal, "Who starts, you or the computer?", "you", "computer")
        first = answer == "you"
    x, o = (person, machine) if first else (machine, person)
    return GameChoice(start, {Player.X: x, Player.O: o}, is_swapped(letter, first))


def _ask_rules(terminal: Terminal) -> Position:
    names = list(GAMES)
    terminal.menu("Which game?", {GAMES[name].title: GAMES[name].about for name in names})
    while True:
        entry = terminal.answer(f"Number, name, or rules as in ultimate:tie=boards [{names[0]}]: ")
        if entry.isdecimal() and 1 <= int(entry) <= len(names):
            entry = names[int(entry) - 1]
        try:
            game = GAMES.get(entry or names[0])
            start = parse_start(_ask_sizes(terminal, game) if game else entry)
        except NotationError as error:
            terminal.say(str(error), "bold")
            continue
        if start.outcome() is None:
            return start
        terminal.say("That game is over.", "bold")


def _ask_sizes(terminal: Terminal, game: type[Position]) -> str:
    """Return the rules id of a game, with the sizes of a board that has no usual ones."""
    if not game.presets:
        return game.name
    terminal.menu("Which board?", {preset.title: preset.rules_id for preset in game.presets})
    default = ",".join(str(size.default) for size in game.sizes)
    names = ", ".join(size.name.lower() for size in game.sizes)
    entry = terminal.answer(f"Number, or {names} [{default}]: ") or default
    if entry.isdecimal() and 1 <= int(entry) <= len(game.presets):
        return game.presets[int(entry) - 1].rules_id
    return entry if entry.startswith(game.name) else make_rules_id(game.name, [entry])


def opponents_of(position: Position) -> dict[str, str]:
    """Return the opponents that suit a position, each with a description."""
    shown: dict[str, str] = {}
    if is_native(position):
        shown = {f"engine:level={level}": description(level) for level in SHOWN_LEVELS}
    shown |= {name: kind.about for name, kind in OPPONENTS.items() if name != "engine"}
    if not suits_perfect(position):
        del shown["perfect"]
    return shown


def _ask_opponent(terminal: Terminal, position: Position, seed: int | None) -> Opponent:
    known, default = opponents_of(position), position.default_opponent
    terminal.menu("Against whom?", known)
    keys = list(known)
    while True:
        entry = terminal.answer(f"Number, name, or one such as mcts:seconds=1 [{default}]: ")
        if entry.isdecimal() and 1 <= int(entry) <= len(keys):
            entry = keys[int(entry) - 1]
        try:
            return opponent(entry or default, seed, own_code=True)
        except NotationError as error:
            terminal.say(str(error), "bold")


def _ask_one_of(terminal: Terminal, question: str, *answers: str) -> str:
    """Return one of the answers. The first letters are enough; an empty line means the first."""
    terminal.say()
    while True:
        entry = terminal.answer(f"{question} [{answers[0]}]: ").lower()
        entry = "you" if entry in ("me", "i") else entry
        for each in answers:
            if each.startswith(entry):
                return each
        terminal.say(suggestion(entry, answers), "bold")
