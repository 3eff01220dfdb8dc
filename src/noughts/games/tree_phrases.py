"""The phrases of trees of wins by threats, for the table of `noughts.games.phrases`.

Only Python says them (`noughts.views.threat_tree`): the page gets them with a tree.
"""

TREES = {
    "tree-wins": "{player} wins in at most {moves}, whatever {other} plays",
    "tree-fours": (
        "where a row continues, {player} has made a four: any other reply of {other} loses at once"
    ),
    "tree-cut": (
        "the tree is cut at {size} positions: where replies are missing, show the position for its"
        " own tree"
    ),
    "tree-begin": "{other} to move",
    "tree-any": "any other reply",
    "tree-five": "makes five",
    "tree-fives": "then {cells:or} wins",
    "tree-left-out": "replies left out, at most {moves}",
    "tree-more": "and {rows}",
    "tree-none": "no win by threats was found; that proves nothing",
}
