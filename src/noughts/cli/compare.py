"""`noughts compare`: compare searches in a table, JSON or a chart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from noughts.cli.inputs import read_position_after
from noughts.cli.options import (
    MORE,
    ChartTheme,
    Commands,
    JsonFlag,
    MovesOption,
    SeedOption,
    complete_rules,
    limit_option,
)
from noughts.cli.output import answer, check_chart, fail, failing, progress, show_table, writing
from noughts.games.position import NotationError
from noughts.games.words import count, outcome_sentence, short_text
from noughts.search import Limit
from noughts.search.textbook import evaluation_named

if TYPE_CHECKING:
    from noughts.labs.comparison import Growth, Run, SearchComparison

app = Commands()


@dataclass(frozen=True)
class CompareLimits:
    """The limits of each search, and its estimate there."""

    panel: ClassVar[str] = "Limits"
    depth: Annotated[
        int | None,
        typer.Option(
            help="Plies to look ahead. Default: for one position the deepest that minimax "
            "finishes within the limits, for several the end of the game.",
            min=1,
        ),
    ] = None
    nodes: Annotated[int, limit_option("nodes", "Most positions of each search.")] = 600_000
    seconds: Annotated[float, limit_option("seconds", "Most seconds of each search.")] = 10.0
    evaluation: Annotated[
        str | None,
        typer.Option(
            help="The estimate at --depth, by name or as FILE.py:function; one position only."
        ),
    ] = None


@app.add_to(
    MORE,
    "noughts compare basic",
    "noughts compare connect4 --moves 4453 --depth 5",
    "noughts compare basic -o compare.svg --theme dark",
    "noughts compare --sizes -o growth.png",
    "noughts compare mnk:4,4,4 mnk:5,5,4 mnk:6,6,4 --depth 4",
)
def compare(
    positions: Annotated[
        list[str] | None,
        typer.Argument(
            help="A game or a position string; several show how the searches grow.",
            autocompletion=complete_rules,
        ),
    ] = None,
    moves: MovesOption = "",
    sizes: Annotated[
        bool, typer.Option("--sizes", help="Compare boards from 2×2 to 4×4 cells.")
    ] = False,
    seed: SeedOption = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Draw a chart to a .png or .svg file.")
    ] = None,
    theme: Annotated[ChartTheme, typer.Option(help="Colours of the chart.")] = ChartTheme.LIGHT,
    json_: JsonFlag = False,
    *,
    limits: CompareLimits,
) -> None:
    """Compare searches on one position, or on boards of several sizes.

    A search that reaches the limit of nodes or time is marked with >.
    """
    from noughts.labs import comparison

    if sizes == bool(positions):
        fail("name a position, several, or --sizes", 2)
    names = list(comparison.SIZES if sizes else positions or ())
    if moves and len(names) > 1:
        fail("--moves needs exactly one position", 2)
    if seed is not None and len(names) > 1:
        fail("--seed needs exactly one position", 2)
    if limits.evaluation is not None and len(names) > 1:
        fail("--evaluation needs exactly one position", 2)
    places = [read_position_after(name, moves) for name in names]
    if output is not None:
        check_chart(output)
    evaluation, depth = limits.evaluation, limits.depth
    limit = Limit(depth=depth, nodes=limits.nodes, seconds=limits.seconds)
    for place in places:
        if place.outcome() is not None:
            fail(f"cannot search {place}: the game is over. {outcome_sentence(place)}", 3)
    if len(places) == 1:
        with failing(2, NotationError, "--evaluation: "):
            evaluate = None if evaluation is None else evaluation_named(evaluation, places[0])
        with progress("comparing") as show:
            found = comparison.compare(
                places[0], limit, seed=seed or 0, evaluate=evaluate, progress=show
            )
        _answer_comparison(found, depth, json_)
    else:
        with progress("comparing") as show:
            growth = comparison.grow(places, limit, progress=show)
        _answer_growth(growth, json_)
    if output is not None:
        from noughts.views import chart

        kind = chart.kind_of(output.name)
        draw = (
            chart.depth_chart(found, kind, theme.value)
            if len(places) == 1
            else chart.growth_chart(growth, kind, theme.value)
        )
        with writing(output):
            output.write_bytes(draw)


def _answer_comparison(found: SearchComparison, asked: int | None, json_: bool) -> None:
    from noughts.labs.comparison import minimal_leaves

    place, d, b = found.position, found.depth, found.branching(found.depth)
    if json_:
        answer(
            {
                "position": str(place),
                "depth": d,
                "whole": found.whole,
                "limit": _limit_data(found.limit),
                "seed": found.seed,
                "tree": found.tree,
                "branching": b,
                "guides": None
                if b is None
                else {"all": b**d, "root": b ** (d / 2), "minimal": minimal_leaves(b, d)},
                "best": None if found.best is None else [place.move_text(m) for m in found.best],
                "searches": [_run_data(run) for run in found.runs],
            }
        )
        return
    paragraphs = [
        "Positions that a search looks at only to put moves in order are not among its nodes.",
    ]
    if b is not None:
        paragraphs.insert(
            0,
            f"b* is the effective branching factor. Of the whole tree it is b = {b:.2f}, so that "
            f"b^d = {b**d:,.0f} and b^(d/2) = {b ** (d / 2):,.0f}. A uniform tree of as many moves "
            f"would have {minimal_leaves(b, d):,.0f} leaves that alpha-beta must see even if the "
            "best move always comes first (Knuth and Moore).",
        )
    if not found.whole:
        paragraphs.append(
            f"At depth {d} the game's evaluation stands for the rest: minimax here is H-minimax."
        )
    if found.best is None:
        paragraphs.append("Which moves are best could not be proven for all of them here.")
    else:
        texts = " ".join(place.move_text(move) for move in found.best)
        paragraphs.append(f"Best, proven with a full window for each move: {texts}.")
    runs = found.runs
    show_table(
        f"{place} to depth {d}{_why_this_depth(found, asked)}",
        ("search", "nodes", "cutoffs", "b*", "seconds", "plays", "value", "best"),
        [
            [_run_row(run, run.search) for run in runs if run.depth == d],
            [
                _run_row(run, f"H-minimax, depth {run.depth}")
                for depth, run in found.at("minimax").items()
                if depth < d
            ],
            [
                _run_row(run, f"MCTS, {count(run.result.simulations, 'simulation')}")
                for run in runs
                if run.depth is None
            ],
        ],
        [*paragraphs, *_limits_reached(runs)],
    )


def _why_this_depth(found: SearchComparison, asked: int | None) -> str:
    if found.whole:
        return ", where every game is over"
    if asked is None and found.at("minimax")[found.depth].result.complete:
        return ", the deepest that minimax finishes within the limits"
    return ""


def _run_data(run: Run) -> dict[str, Any]:
    result = run.result
    return {
        "search": run.search,
        "depth": run.depth,
        "simulations": result.simulations or None,
        "nodes": result.nodes,
        "complete": result.complete,
        "cutoffs": result.cutoffs,
        "branching": run.branching,
        "seconds": result.seconds,
        "move": result.text,
        **result.value.as_data(),
        "among_best": run.among_best,
    }


def _run_row(run: Run, name: str) -> tuple[str, ...]:
    result, b = run.result, run.branching
    return (
        name,
        _nodes(run),
        f"{result.cutoffs:,}" if result.cutoffs else "",
        "" if b is None else f"{b:.2f}",
        f"{result.seconds:.3f}",
        result.text or "",
        _value(run),
        {True: "yes", False: "no", None: "?"}[run.among_best],
    )


def _nodes(run: Run) -> str:
    return f"{'' if run.result.complete else '>'}{run.result.nodes:,}"


def _value(run: Run) -> str:
    value = run.result.value
    return str(value) if run.result.complete or value.is_exact else "?"


def _limits_reached(runs: Iterable[Run]) -> list[str]:
    if all(run.result.complete for run in runs):
        return []
    return ["> stands before searches that reached a limit (--nodes, --seconds) and need more."]


def _limit_data(limit: Limit) -> dict[str, Any]:
    return {"nodes": limit.nodes, "seconds": limit.seconds}


def _answer_growth(growth: Growth, json_: bool) -> None:
    places = growth.positions
    if json_:
        answer(
            {
                "depth": growth.depth,
                "limit": _limit_data(growth.limit),
                "positions": [
                    {
                        "position": str(place),
                        "tree": tree,
                        "searches": [_run_data(run) for run in runs.values()],
                    }
                    for place, tree, runs in zip(places, growth.trees, growth.runs, strict=True)
                ],
            }
        )
        return
    searches = growth.searches
    end = "the end of the game" if growth.depth is None else f"depth {growth.depth}"
    show_table(
        f"nodes to {end}",
        ("position", "value", "whole tree", *searches),
        [
            [
                (
                    short_text(place),
                    _known_value(runs.values()),
                    "?" if tree is None else f"{tree:,}",
                    *(_nodes(runs[search]) if search in runs else "" for search in searches),
                )
                for place, tree, runs in zip(places, growth.trees, growth.runs, strict=True)
            ]
        ],
        [
            "The whole tree is counted without a search, equal positions of a ply together; it is "
            "what minimax has to enter.",
            *_limits_reached(run for runs in growth.runs for run in runs.values()),
        ],
    )


def _known_value(runs: Iterable[Run]) -> str:
    """Return a proven value, or else that of a search without a limit, or any."""
    ranked = sorted(runs, key=lambda run: (run.result.exact, run.result.complete))
    return _value(ranked[-1])
