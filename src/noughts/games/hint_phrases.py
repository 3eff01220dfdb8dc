"""The phrases of hints, for the table of `noughts.games.phrases`, which explains their arguments.

The core returns their codes, in `core/hint.hpp`; the scripts have them in
`web/static/core/hint_phrases.js`, which pages load with the first hint.
"""

HINTS = {
    # Threats: S is the player to move, `player` the opponent.
    "threat": "{player} threatens {what}",
    "open-row": (
        "{player} threatens an open row of {count}: with {cells:or}, {player} would threaten two "
        "lines"
    ),
    "danger": "{player} wins the game on {boards:named} if sent there",
    "danger-take": "{player} wins {boards:named} if sent there",
    "above": "{player} wins above column {columns:or}: do not play there",
    "above-all": "every column gives {player} the cell above it, which wins",
    "avoid": "a line loses: {turn} must not play {cells:or}",
    "avoid-many": "a line loses, and {count} of {of} moves make one",
    # Moves
    "play-place": "play {cell:place} ({text}): it {reason}",
    "play-on-board": "play {cell:place} on the {board:board} ({text}): it {reason}",
    "play-column": "play column {column}: it {reason}",
    "play-cell": "play {text}: it {reason}",
    "also": "it {reason}",
    # Of a game that the core does not know
    "play": "play {text}",
    "said": "{text}",
    # Reasons by the rules
    "wins-line": "wins with {line}",
    "wins-board": "wins the {board:board}, and with it three boards in a row",
    "wins-count": "ends the game, won by {more} boards to {less}",
    "ends-drawn": "ends the game as a draw",
    "only-legal": "is the only legal move",
    "blocks-line": "blocks that line",
    "blocks": "stops that",
    "keeps-off": "makes no line",
    "two-threats": "threatens {what}, and {other} can stop only one",
    "threatens": "threatens {what}",
    "no-answer": "leaves {other} only moves that lose at once",
    "every-answer": "wins next, whatever {other} answers",
    "takes-board": "wins the {board:board}",
    "takes-needed": "wins the {board:board}, which {other} needed for three in a row",
    "takes-towards": "wins the {board:board}: {boards:named} would make three in a row",
    "denies-line": "blocks {other}'s line on the {board:board}",
    "denies-board": "keeps {other} from the {board:board}",
    "denies-game": "blocks {other} on the {board:board}, which would win {other} the game",
    "threatens-line": "threatens a line on the {board:board}",
    "threatens-board": "threatens to win the {board:board}",
    "sends-won": "sends {other} to the {board:board}, which is already won",
    "sends-dead": "sends {other} to the {board:board}, where {other} can make no line any more",
    "gains-board": "wins a board next, whatever {other} answers",
    "spares": ("gives {other} neither a board nor a free choice, unlike {count:count other move}"),
    "spares-alone": "is the only move that gives {other} neither a board nor a free choice",
    "lets-take": "lets {other} win the {board:board}",
    "lets-take-any": "lets {other} win a board",
    "opens-row": "makes an open row of {count}",
    "stops-row": "stops that row",
    "awaits": "prepares a line: a disc higher up in column {columns:or} would win",
    # Reasons by values
    "only-win": "is the only winning move",
    "only-draw": "is the only move that does not lose",
    "only-chance": "is the only move that is not a sure loss",
    "no-sooner": "wins in {moves:count move}, and no move wins sooner",
    "sure-win": "is sure to win with best play",
    "keeps-draw": "keeps the draw",
    "best-chance": "has the highest expected score of {count} moves, about {chance} %",
    "loses-now": "loses at once, as every move does",
    "stops-one": "stops one of two wins, but not both",
    "hopeless": "cannot stop {other}, who wins at once after every move",
    "holds-out": "holds out for {moves:count move}, and no move for longer",
    "loses-anyway": "loses, as every move does",
    # Reasons by counting
    "most-lines": "lies on {count:count open line}, more than any other move",
    "open-lines": "lies on {count:count line} that {player} can still complete",
    "builds": "makes {count} on a line that can still grow to {k}",
    "hinders": "closes a line on which {other} has {count:count mark}",
    "few-lines": (
        "lies on {count:count line} that {player} could still complete, and no move on fewer"
    ),
    "no-lines": "lies on no line that {player} could still complete",
    "sends-unmarked": "sends {other} to the {board:board}, where {other} has no mark",
    "sends-fewest": (
        "sends {other} to the {board:board}, where {other} has only {count:count mark}"
    ),
    "sends-elsewhere": "sends {other} to the {board:board} instead",
    "lines-on": "lies on {count:count open line} of the {board:board}",
    # Values
    "worth-win": "{player} wins in {moves:count move}",
    "worth-sure": "{player} wins with best play",
    "worth-draw": "with best play the game is a draw",
    "worth-loss": "{player} loses in {moves:count move} with best play",
    "worth-lost": "{player} loses with best play",
    "worth-chance": "{player}'s expected score is about {chance} %",
    # Lines and cells
    "row-at": "{count} in row {row}",
    "column-at": "{count} in column {column}",
    "diagonal-at": "{count} in a diagonal through {cell}",
    "both-ends": "{line} at both ends",
    "both-lines": "{lines:and}",
    "game-on": "to win the game on the {board:board}",
    "ways": "to win in {count:count way}",
    "spot": "{cell:spot}",
    "cell": "{text}",
}
"""The phrases of hints, by their codes; reasons follow `it`."""

HINTS_ON_PAGE = {
    "play-place": "play {cell:place}: it {reason}",
    "play-on-board": "play {cell:place} on the {board:board}: it {reason}",
}
"""Phrases of hints for a page, which shows no numbers of boards and cells."""
