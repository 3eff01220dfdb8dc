"""Players for the games of AIMA, to be used in game.play_game(my_player, random_player)."""

import random


def my_player(game, state):
    """Look two moves ahead; among equals choose at random."""
    me = game.to_move(state)

    def value(state, depth):
        if game.terminal_test(state):
            return game.utility(state, me)
        if depth == 0:
            return 0
        values = [value(game.result(state, a), depth - 1) for a in game.actions(state)]
        return max(values) if game.to_move(state) == me else min(values)

    actions = list(game.actions(state))
    random.shuffle(actions)
    return max(actions, key=lambda a: value(game.result(state, a), 1))


def random_player(game, state):
    """A player that chooses a legal move at random."""
    game.display(state)
    return random.choice(game.actions(state))
