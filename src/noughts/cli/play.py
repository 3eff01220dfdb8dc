"""`noughts play`: play a game in the terminal."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from noughts.cli.inputs import read_position
from noughts.cli.options import PLAY, Commands, GameOptions, complete_rules
from noughts.cli.output import fail, failing
from noughts.games.position import NotationError, placed
from noughts.games.record import SWAP2
from noughts.games.swap2 import check_swap2, parse_swap2
from noughts.games.words import count
from noughts.opponents import OpponentFailed, opponent

app = Commands()


@app.add_to(
    PLAY,
    "noughts play",
    "noughts play connect4 --x mcts:seconds=1",
    "noughts play mnk:5,5,4 --x alphabeta:depth=4 --o human",
    "noughts play gomoku --x engine:level=5 --opening swap2",
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
    opening: Annotated[
        str | None,
        typer.Option(help="`swap2`: --x places three stones, then --o chooses a side."),
    ] = None,
) -> None:
    """Play in the terminal, against the computer or another person."""
    from noughts.cli.questions import GameChoice, ask_game
    from noughts.cli.terminal import Quit, Terminal
    from noughts.cli.terminal_game import TerminalGame

    terminal, seed = Terminal(ascii_only), options.seed
    moves: list[int] = []
    if game is None:
        try:
            chosen = ask_game(terminal, seed)
        except Quit:
            return
    else:
        start, moves = read_position(game, options.moves)
        with failing(2, NotationError):
            sides = {
                player: opponent(text, seed if seed is None else 2 * seed + number, own_code=True)
                for number, (player, text) in enumerate(options.sides(start).items())
            }
        chosen = GameChoice(start, sides, options.swapped)
    swap2 = None
    if opening is not None:
        with failing(2, NotationError), placed("--opening"):
            swap2 = parse_swap2(opening)
            check_swap2(chosen.start)
        if chosen.swapped:
            fail(f"--swapped: with {SWAP2} the letters stay, since the players choose them", 2)
        if not swap2.can_have(len(moves)):
            fail(f"--opening: with {swap2} a game cannot have {count(len(moves), 'move')}", 2)
    played = TerminalGame(
        terminal,
        chosen.start,
        chosen.sides,
        moves=moves,
        swapped=chosen.swapped,
        swap2=swap2,
        seed=seed,
        save=options.save,
        resume=shlex.join(["noughts", *context.obj, "play"]),
    )
    try:
        played.run()
    except OpponentFailed as error:
        played.farewell()
        fail(str(error), 4)
