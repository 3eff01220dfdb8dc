"""An example of a bot: it wins if it can, blocks if it must, and plays at random otherwise."""

import random


def choose(position):
    for move in position.legal_moves():
        outcome = position.play(move).outcome()
        if outcome and outcome.winner == position.turn:
            return move
    return random.choice(position.legal_moves())


class Timid:
    """Keeps the positions of a game; takes the move that leaves the opponent the fewest answers."""

    def __init__(self):
        self.seen = []

    def __call__(self, position, seconds=None):
        self.seen.append(position)
        return min(
            position.legal_moves(), key=lambda move: len(position.play(move).legal_moves())
        )
