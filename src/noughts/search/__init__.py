"""The textbook searches: minimax, alpha-beta, H-minimax, negamax with a table, and MCTS.

Each takes a position and a `Limit`, returns a `SearchResult`, and prints nothing:

>>> import noughts
>>> from noughts.search import alphabeta
>>> result = alphabeta(noughts.position("basic~XX1.OO1.3~X"))
>>> result.move, str(result.value)
(2, 'W 1')
"""

from noughts.search.mcts import mcts
from noughts.search.minimax import alphabeta, hminimax, minimax
from noughts.search.negamax import analyse, negamax
from noughts.search.result import WIN, Limit, SearchResult, Value
from noughts.search.root import deepen, every_move, in_order, solve_all

__all__ = [
    "WIN",
    "Limit",
    "SearchResult",
    "Value",
    "alphabeta",
    "analyse",
    "deepen",
    "every_move",
    "hminimax",
    "in_order",
    "mcts",
    "minimax",
    "negamax",
    "solve_all",
]
