"""The labs: experiments that test claims of the sources about games and searches.

    LABS[name](…) ──► Report    claim · picture · table of results · lesson · data

A lab calls `progress(done, total)` after each step, and prints nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from math import factorial, inf
from typing import Any, cast

from noughts.games import lines, registry
from noughts.games.position import Player, Position, canonical_key
from noughts.games.row import Basic
from noughts.games.words import percent
from noughts.labs.counting import RESULTS, count_game, total
from noughts.labs.examples import example, prune
from noughts.labs.first_move import first_move
from noughts.labs.report import Progress, Report, silent
from noughts.search import (
    Limit,
    SearchResult,
    Value,
    alphabeta,
    evaluation,
    every_move,
    hminimax,
    in_order,
    minimax,
    negamax,
    solve_all,
)
from noughts.search.negamax import Table
from noughts.search.walk import unknown


def solution() -> dict[Basic, Value]:
    """Return the exact value of every position of 3×3."""
    return cast("dict[Basic, Value]", solve_all(Basic.start()))


# counts: nodes without the root, since the blog counts the moves that its search makes

SEARCHES: dict[str, tuple[str, Callable[..., SearchResult]]] = {
    "minimax": ("minimax", minimax),
    "strict": ("alpha-beta, strict cutoff", partial(alphabeta, strict=True)),
    "strict_stop": (
        "alpha-beta, strict cutoff, stop at a win",
        partial(alphabeta, strict=True, stop_at_win=True),
    ),
    "stop_only": ("minimax, stop at a win", partial(minimax, stop_at_win=True)),
    "proper": ("alpha-beta", alphabeta),
    "proper_stop": ("alpha-beta, stop at a win", partial(alphabeta, stop_at_win=True)),
    "negamax_table": ("negamax with a table, depth by depth", partial(negamax, evaluate=unknown)),
    "negamax_table_symmetry": (
        "negamax with a table of classes, depth by depth",
        partial(negamax, evaluate=unknown, symmetry=True),
    ),
}
"""Title and search by key: the blog's three searches first, then those compared with them."""

ROW_BY_ROW = "row by row"
CENTRE_FIRST = "centre, corners, edges"
ORDERS: dict[str, tuple[int, ...]] = {
    ROW_BY_ROW: tuple(range(9)),
    CENTRE_FIRST: (4, 0, 2, 6, 8, 1, 3, 5, 7),
    "corners, centre, edges": (0, 2, 6, 8, 4, 1, 3, 5, 7),
    "edges, corners, centre": (1, 3, 5, 7, 0, 2, 6, 8, 4),
}

CENTRE = 4
FIRST_MARKS = {"corner": 0, "centre": CENTRE, "edge": 1}


def counts(*, progress: Progress = silent) -> Report:
    """Count the moves that minimax and alpha-beta make, and the savings of each refinement."""
    start = Basic.start()
    steps = len(ORDERS) + 3

    def moves_made(key: str, position: Basic, order: str) -> int:
        search = SEARCHES[key][1]
        return search(position, score="sign", order=in_order(ORDERS[order])).nodes - 1

    orders = {}
    # Minimax enters every position, whatever the order.
    every = {"minimax": moves_made("minimax", start, ROW_BY_ROW)}
    for done, order in enumerate(ORDERS):
        progress(done, steps)
        orders[order] = every | {
            key: moves_made(key, start, order) for key in SEARCHES if key not in every
        }

    progress(len(ORDERS), steps)
    replies = [start.play(CENTRE).play(reply) for reply in start.play(CENTRE).legal_moves()]
    opening = {
        key: max(moves_made(key, reply, ROW_BY_ROW) for reply in replies) for key in SEARCHES
    }

    progress(len(ORDERS) + 1, steps)
    positions = solution()
    classes = {canonical_key(position): position for position in positions}.values()
    tables = {
        "minimax_table": sum(len(position.legal_moves()) for position in positions),
        "minimax_table_symmetry": sum(len(position.legal_moves()) for position in classes),
    }

    progress(len(ORDERS) + 2, steps)
    project = both_calls(start)
    first_mark = {name: both_calls(start.play(cell)) for name, cell in FIRST_MARKS.items()}
    progress(steps, steps)

    made = orders[ROW_BY_ROW]
    rows = [
        (title, *(f"{orders[order][key]:,}" for order in ORDERS), f"{opening[key]:,}")
        for key, (title, _) in SEARCHES.items()
    ]
    single = {
        "minimax with a table": tables["minimax_table"],
        "minimax with a table of classes": tables["minimax_table_symmetry"],
    }
    answered = {f", first mark: {name}": calls for name, calls in first_mark.items()}
    for where, calls in {"": project, **answered}.items():
        single[f"second project, its break{where}"] = calls["report_break"]
        single[f"second project, mended{where}"] = calls["report_mended"]
    blank = ("",) * len(ORDERS)
    rows += [(title, f"{count:,}", *blank) for title, count in single.items()]
    return Report(
        name="counts",
        claim="The blog: on the empty board minimax makes 549,945 moves, alpha-beta 146,119, and "
        "with a stop at the first sure win 94,977; the first move of the machine is set to the "
        "centre, to save the search. A second student project has another alpha-beta.",
        headers=("search", *ORDERS, "centre given"),
        rows=tuple(rows),
        teaches="The counts come out, and say less about alpha-beta than they seem to. The blog "
        "cuts off only where a value lies beyond the window. With the values -1, 0 and 1 one side "
        "must be sure of a win for that, and the stop at a sure win is there first: plain minimax "
        f"with the stop alone makes {made['stop_only']:,} moves too, so that the last of the three "
        "counts needs no alpha-beta at all. With the cutoff where a value reaches the edge of the "
        f"window {made['proper']:,} are enough, and with the centre first "
        f"{orders[CENTRE_FIRST]['proper']:,}. A table that knows every position again brings even "
        f"plain minimax to {tables['minimax_table']:,}, and one that knows its turned and mirrored "
        f"forms too to {tables['minimax_table_symmetry']:,}. The last column is what setting the "
        "first mark to the centre leaves to the search: the most that any of the eight replies "
        "costs. The second project loops over rows and columns, and its break leaves only the "
        "columns, so that a cutoff skips the rest of a row and not the rest of the board: "
        f"{project['report_break']:,} calls, where {project['report_mended']:,} do.",
        data={
            **made,
            **tables,
            **project,
            "first_mark": first_mark,
            "orders": orders,
            "opening": opening,
        },
    )


def both_calls(root: Basic) -> dict[str, int]:
    """Return the calls of the second student project's alpha-beta, with and without its bug."""
    return {
        "report_break": report_calls(root),
        "report_mended": every_move(alphabeta, root).nodes - 1,
    }


def report_calls(root: Basic) -> int:
    """Count the calls of the second student project's alpha-beta, including its bug.

    It scores a won game 10 - depth, and searches each root move with a full window.
    """
    calls = 0

    def value(position: Basic, depth: int, alpha: float, beta: float) -> float:
        nonlocal calls
        calls += 1
        outcome = position.outcome()
        if outcome is not None:
            if outcome.winner is None:
                return 0
            return 10 - depth if outcome.winner is root.turn else depth - 10
        maximizing = position.turn is root.turn
        best = -inf if maximizing else inf
        for row in range(3):
            for column in range(3):
                cell = 3 * row + column
                if position.mark(cell) is not None:
                    continue
                found = value(position.play(cell), depth + 1, alpha, beta)
                if maximizing:
                    best = max(best, found)
                    alpha = max(alpha, best)
                else:
                    best = min(best, found)
                    beta = min(beta, best)
                if beta <= alpha:
                    # The bug: this leaves the columns only, so the next row is searched too.
                    break
        return best

    for cell in root.legal_moves():
        value(root.play(cell), 0, -inf, inf)
    return calls


# size

WINNERS: dict[Player | None, str] = {Player.X: "x", None: "draw", Player.O: "o"}


def size(*, progress: Progress = silent) -> Report:
    """Count the nodes, positions, classes and games of tic-tac-toe on 3×3."""
    steps = 4
    start = Basic.start()
    progress(0, steps)
    counted = count_game(start)
    progress(1, steps)
    graph = class_paths(start)
    progress(2, steps)
    up_to_symmetry = sequences_up_to_symmetry(start, lines.symmetries(3, 3))
    progress(3, steps)
    values = dict.fromkeys(WINNERS.values(), 0)
    for position, value in solution().items():
        ahead = {"win": position.turn, "loss": position.turn.other}.get(value.kind)
        values[WINNERS[ahead]] += 1
    progress(steps, steps)

    layers = [total(layer) for layer in counted.layers]
    nodes = [layer.sequences for layer in layers]
    positions, classes = [layer.positions for layer in layers], [layer.classes for layer in layers]
    lengths = [counted.games_by_length.get(ply, 0) for ply in range(len(layers))]
    over, classes_over, games = (
        {str(kind): getattr(counted.sum_of(kind), count) for kind in RESULTS}
        for count in ("positions", "classes", "sequences")
    )
    paths = by_winner(sum(graph, Counter()))

    def row(what: str, count: int, split: dict[str, int] | None = None) -> tuple[str, ...]:
        return (
            what,
            f"{count:,}",
            *(f"{split[name]:,}" if split else "" for name in WINNERS.values()),
        )

    def per_ply(numbers: list[int], what: str = "… at ply 0 to 9") -> tuple[str, ...]:
        return what, " · ".join(f"{number:,}" for number in numbers), "", "", ""

    return Report(
        name="size",
        claim="Often said: tic-tac-toe has 9! = 362,880 moves, impossible for plain minimax; and "
        "it has 26,830 games up to symmetry (Schaeffer 2002).",
        headers=("what", "count", "X wins", "draw", "O wins"),
        rows=(
            row("9!, orders in which nine cells can be filled", factorial(9)),
            row("nodes of the game tree", sum(nodes)),
            per_ply(nodes),
            row("games", sum(games.values()), games),
            per_ply(lengths, "… ending at ply 0 to 9"),
            row("positions, by their exact value", sum(positions), values),
            per_ply(positions),
            row("positions where the game is over", sum(over.values()), over),
            row("classes of positions under the 8 symmetries", sum(classes)),
            per_ply(classes),
            row("classes where the game is over", sum(classes_over.values()), classes_over),
            row("paths through the graph of classes", sum(paths.values()), paths),
            row("games up to symmetry", up_to_symmetry),
        ),
        teaches="Many games end before the board is full, so that there are "
        f"{sum(games.values()):,} and not {factorial(9):,}. The tree of all of them has "
        f"{sum(nodes):,} nodes, and plain minimax walks it in seconds. Only {sum(positions):,} "
        f"positions lie behind these nodes, and {sum(classes):,} where turned and mirrored boards "
        f"count as one. “Games up to symmetry” has two meanings: {sum(paths.values()):,} is the "
        "number of paths from the empty board to an end in the graph of the classes, where all "
        "moves to the same class are one step; whole games, turned or mirrored as a whole, are "
        f"{up_to_symmetry:,}.",
        data={
            "factorial": factorial(9),
            "tree_nodes": sum(nodes),
            "tree_nodes_per_ply": nodes,
            "games": {"total": sum(games.values()), **games},
            "games_per_length": {str(ply): count for ply, count in enumerate(lengths) if count},
            "positions": sum(positions),
            "positions_per_ply": positions,
            "positions_over": {"total": sum(over.values()), **over},
            "values": values,
            "classes": sum(classes),
            "classes_per_ply": classes,
            "classes_over": {"total": sum(classes_over.values()), **classes_over},
            "class_paths": {"total": sum(paths.values()), **paths},
            "games_up_to_symmetry": up_to_symmetry,
        },
    )


def canonical(position: Basic) -> Basic:
    """Return the representative of `position` among its rotations and reflections."""
    return min(position.symmetries(), key=lambda form: (form.x, form.o))


def class_paths(start: Basic) -> list[Counter[Basic]]:
    """Return for each ply the number of paths to each class; moves to one class count as one."""
    layers = [Counter({canonical(start): 1})]
    while layers[-1]:
        after: Counter[Basic] = Counter()
        for position, ways in layers[-1].items():
            for child in {canonical(position.play(move)) for move in position.legal_moves()}:
                after[child] += ways
        layers.append(after)
    return layers[:-1]


def sequences_up_to_symmetry(position: Basic, symmetries: Sequence[Sequence[int]]) -> int:
    """Count the games from `position`, with symmetric games as one.

    `symmetries` are those that leave every move so far in place. Of moves that they map to each
    other, only the first is played.
    """
    if position.outcome() is not None:
        return 1
    return sum(
        sequences_up_to_symmetry(
            position.play(move), [symmetry for symmetry in symmetries if symmetry[move] == move]
        )
        for move in position.legal_moves()
        if move == min(symmetry[move] for symmetry in symmetries)
    )


def by_winner(counts: Counter[Basic]) -> dict[str, int]:
    """Return the number of finished games in `counts`, by winner."""
    split = dict.fromkeys(WINNERS.values(), 0)
    for position, count in counts.items():
        outcome = position.outcome()
        if outcome is not None:
            split[WINNERS[outcome.winner]] += count
    return split


# unbeatable


def unbeatable(*, progress: Progress = silent) -> Report:
    """Play the perfect player against every line of its opponent, on both sides."""
    matches = [(rules, side) for rules in ("basic", "mnk:3,3,3,misere") for side in Player]
    data: dict[str, Any] = {"games": 0, "wins": 0, "draws": 0, "losses": 0}
    rows = []
    for done, (rules, side) in enumerate(matches):
        progress(done, len(matches))
        results = against_every_line(registry.game(rules), side)
        tally = {
            "games": results.total(),
            "wins": results[side],
            "draws": results[None],
            "losses": results[side.other],
        }
        data.setdefault(rules, {})[side.value.lower()] = tally
        for key, count in tally.items():
            data[key] += count
        rows.append((rules, str(side), *(f"{count:,}" for count in tally.values())))
    progress(len(matches), len(matches))
    return Report(
        name="unbeatable",
        claim="The course: tic-tac-toe is a tie if both sides play optimally, so that nobody ever "
        "beats a machine that plays by minimax.",
        headers=("game", "perfect player", "games", "wins", "draws", "losses"),
        rows=tuple(rows),
        teaches=f"In all {data['games']:,} games that an opponent can choose between, the perfect "
        f"player loses {data['losses']:,}. It has one answer to each position, so that only the "
        "opponent's moves branch, and the proof by playing is short. It "
        "also holds in misère, where the maker of a line loses.",
        data=data,
    )


def against_every_line(start: Position, side: Player) -> Counter[Player | None]:
    """Return the results of all games in which negamax plays `side`."""
    table: Table = {}
    answers: dict[Position, Position] = {}

    def results(position: Position) -> Counter[Player | None]:
        outcome = position.outcome()
        if outcome is not None:
            return Counter([outcome.winner])
        if position.turn is side:
            if position not in answers:
                move = negamax(position, table=table).move
                assert move is not None
                answers[position] = position.play(move)
            return results(answers[position])
        return sum((results(position.play(move)) for move in position.legal_moves()), Counter())

    return results(start)


# fastest


def fastest(*, progress: Progress = silent) -> Report:
    """Find the first position where a search that scores only the sign misses the quickest win."""
    values = solution()
    won = sorted(
        (position for position, value in values.items() if value.is_win),
        key=lambda position: (position.ply, reading(position)),
    )
    moves: dict[Basic, int] = {}
    missed = []
    for done, position in enumerate(won):
        progress(done, len(won))
        moves[position] = best_move(minimax(position, score="sign"))
        if values[position.play(moves[position])].for_mover != values[position]:
            missed.append(position)
    progress(len(won), len(won))
    first = missed[0]
    quick = best_move(minimax(first))
    sign_move, sign_plies = first.move_text(moves[first]), longest(first, moves.__getitem__)
    quick_move = first.move_text(quick)
    quick_plies = longest(first, lambda position: best_move(minimax(position)))
    return Report(
        name="fastest",
        claim="The courses: a win is worth 1 and a loss -1, and the best action is any with the "
        "best value. The second student project scores 10 - depth instead.",
        headers=("score", "position", "move", "plies to the win"),
        rows=(
            ("sign", str(first), sign_move, str(sign_plies)),
            ("distance", str(first), quick_move, str(quick_plies)),
        ),
        teaches="A search whose score is only the sign takes the first move that wins, however "
        f"long the win takes. Of the {len(won):,} positions that are won for the side to move it "
        f"misses the quickest win in {len(missed):,}. The table shows the one with the fewest "
        "marks, and among those the first in row-major order: the cells read row by row, X before "
        f"O before an empty cell. There it plays {sign_move}, and with such moves it needs "
        f"{sign_plies} plies against the longest defence; {quick_move} wins in "
        f"{quick_plies}. The distance in the score costs no more than a subtraction.",
        data={
            "position": str(first),
            "sign": {"move": sign_move, "plies": sign_plies},
            "distance": {"move": quick_move, "plies": quick_plies},
            "won": len(won),
            "missed": len(missed),
        },
    )


def reading(position: Basic) -> list[int]:
    """Return a key that sorts positions row-major: X before O before an empty cell."""
    order = (Player.X, Player.O, None)
    return [order.index(position.mark(cell)) for cell in range(9)]


def best_move(result: SearchResult) -> int:
    assert result.move is not None, "the game is not over"
    return result.move


def longest(position: Basic, choose: Callable[[Basic], int]) -> int:
    """Return the plies to the end, when the mover plays by `choose` and the opponent delays."""
    if position.outcome() is not None:
        return 0
    position = position.play(choose(position))
    replies = position.legal_moves()
    return 1 + max((1 + longest(position.play(reply), choose) for reply in replies), default=0)


# heuristic


def heuristic(*, progress: Progress = silent) -> Report:
    """Cut H-minimax off at each depth, and count how often E(n) misses the best move."""
    values = solution()
    going_on = [position for position in values if position.outcome() is None]
    depths = range(1, 9)
    data: dict[str, Any] = {"positions": len(going_on), "depths": {}}
    for depth in depths:
        progress(depth - 1, len(depths))
        nodes = best_missed = quickest_missed = 0
        for position in going_on:
            result = hminimax(position, Limit(depth=depth), evaluate=evaluation.lines)
            nodes += result.nodes
            value, found = values[position], values[position.play(best_move(result))].for_mover
            best_missed += found.kind != value.kind
            quickest_missed += found.rank != value.rank
        data["depths"][str(depth)] = {
            "nodes": nodes,
            "best_missed": best_missed,
            "quickest_missed": quickest_missed,
        }
    progress(len(depths), len(depths))
    missed = [found["quickest_missed"] for found in data["depths"].values()]
    wrong = [depth for depth, count in zip(depths, missed, strict=True) if count]
    return Report(
        name="heuristic",
        claim="The courses: where the tree is too deep to search, cut it off and let an estimate "
        "stand for the rest, such as E(n) = M(n) - O(n), the lines still open to MAX less those "
        "open to MIN.",
        headers=("cutoff depth", "nodes", "best move missed", "quickest missed"),
        rows=tuple(
            (
                depth,
                f"{found['nodes']:,}",
                *(
                    f"{found[name]:,} ({percent(found[name] / len(going_on))})"
                    for name in ("best_missed", "quickest_missed")
                ),
            )
            for depth, found in data["depths"].items()
        ),
        teaches=f"H-minimax chose a move in each of the {len(going_on):,} unfinished positions; of "
        "moves with equal scores it takes the first. It misses the best move where it gives away "
        "a win or a draw, and the quickest also where it wins later or loses sooner than it could. "
        "Each further ply costs more nodes, and the estimate makes fewer mistakes: the last "
        f"are at depth {max(wrong)}.",
        data=data,
    )


LABS: dict[str, Callable[..., Report]] = {
    "counts": counts,
    "size": size,
    "unbeatable": unbeatable,
    "fastest": fastest,
    "heuristic": heuristic,
    "first-move": first_move,
    "prune": prune,
    "example": example,
}
"""Every lab by its name; its docstring begins with a one-sentence description."""
