"""`noughts play`: play a game in the terminal."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from noughts.cli.inputs import read_position
from noughts.cli.options import PLAY, Commands, GameOptions, complete_rules
from noughts.cli.output import fail, failing
from noughts.games.position import NotationError
from noughts.games.swap2 import FIRST_STONES, check_swap2
from noughts.opponents import OpponentFailed, opponent

app = Commands()


@app.add_to(
    PLAY,
    "noughts play",
    "noughts play connect4 --x mcts:seconds=1",
    "noughts play mnk:5,5,4 --x alphabeta:depth=4 --o human",
    "noughts play gomoku --x human --o human --swap2",
    "noughts play ultimate --o negamax:seconds=1 --save games.txt",
)
def play(
    context: typer.Context,
    options: GameOptions,
    game: Annotated[
        str | None,
        typer.Argument(
            help="A game or a position string. Left out: you are asked.",
            autocompletion=complete_rules,
        ),
    ] = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with plain ASCII.")] = False,
    swap2: Annotated[
        bool, typer.Option("--swap2", help="Begin with swap2: two people choose their sides.")
    ] = False,
) -> None:
    """Play in the terminal, against the computer or another person."""
    from noughts.cli.questions import GameChoice, ask_game
    from noughts.cli.terminal import Quit, Terminal
    from noughts.cli.terminal_game import TerminalGame

    terminal, seed = Terminal(ascii_only), options.seed
    opening: list[int] = []
    if game is None:
        try:
            chosen = ask_game(terminal, seed)
        except Quit:
            return
    else:
        start, opening = read_position(game, options.moves)
        with failing(2, NotationError):
            sides = {
                player: opponent(text, seed if seed is None else 2 * seed + number)
                for number, (player, text) in enumerate(options.sides(start).items())
            }
        chosen = GameChoice(start, sides, options.swapped)
    if swap2:
        with failing(2, NotationError):
            check_swap2(chosen.start)
        if chosen.swapped or not all(side.is_human for side in chosen.sides.values()):
            fail("--swap2: two people play it, without --swapped: add --x human --o human", 2)
        if len(opening) > FIRST_STONES:
            fail(f"--swap2: the players choose after {FIRST_STONES} moves; give no more", 2)
    played = TerminalGame(
        terminal,
        chosen.start,
        chosen.sides,
        moves=opening,
        swapped=chosen.swapped,
        swap2=swap2,
        save=options.save,
        resume=shlex.join(["noughts", *context.obj, "play"]),
    )
    try:
        played.run()
    except OpponentFailed as error:
        played.farewell()
        fail(str(error), 4)
