"""`noughts dataset`: make data sets of positions with their values, and check them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from noughts.arena.match import WorkerLost
from noughts.cli.cluster import RayAddressOption, RayFlag, cluster_address
from noughts.cli.options import DEVELOP, Commands, JsonFlag, complete_rules, examples
from noughts.cli.output import answer, fail, failing, progress, say, writing
from noughts.extras import missing
from noughts.games.position import NotationError

app = Commands()
sets = typer.Typer(
    name="dataset",
    help="Make data sets of positions with their values, for training, and check them.",
    epilog=examples(
        "noughts dataset make connect4 --positions 100000 --from levels --labels exact --out c4",
        "noughts dataset check c4",
    ),
    no_args_is_help=True,
)
app.add_typer(sets, name="dataset", rich_help_panel=DEVELOP)


class PositionSource(StrEnum):
    """Where positions come from."""

    ALL = "all"
    LEVELS = "levels"
    RANDOM = "random"
    SELFPLAY = "selfplay"


class Labelling(StrEnum):
    """How sure values are."""

    EXACT = "exact"
    SEARCHED = "searched"


def _needs(error: ImportError) -> NoReturn:
    fail(missing("a data set", error.name, "data"), 2)


@sets.command(
    epilog=examples(
        "noughts dataset make basic --positions 1000 --from all --labels exact --out basic",
        "noughts dataset make connect4 --positions 100000 --from levels --labels exact --out c4",
        "noughts dataset make ultimate --positions 100000 --from selfplay --labels searched "
        "--nodes 20000 --out ultimate",
    )
)
def make(
    game: Annotated[str, typer.Argument(help="A game.", autocompletion=complete_rules)],
    positions: Annotated[int, typer.Option(help="Positions to have at the end.", min=1)],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder; made if needed.")],
    source: Annotated[
        PositionSource,
        typer.Option(
            "--from",
            help="Every position of a small game; or games of levels, of random moves, or of the "
            "engine against itself.",
        ),
    ] = PositionSource.LEVELS,
    labels: Annotated[
        Labelling,
        typer.Option(help="exact: proven values only; searched: estimates, too, marked as such."),
    ] = Labelling.EXACT,
    nodes: Annotated[
        int | None,
        typer.Option(
            help="Nodes of the search for each label. Default: 100,000, and more where a solver "
            "proves the value in about a second.",
            min=1,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the games.", min=0, max=2**31 - 1)] = 0,
    licence: Annotated[
        str, typer.Option(help="In the card, by its name on the Hugging Face Hub.")
    ] = "cc0-1.0",
    jobs: Annotated[int | None, typer.Option(help="Pieces at once (all cores).", min=1)] = None,
    ray: RayFlag = False,
    ray_address: RayAddressOption = None,
) -> None:
    """Make a data set of positions with their values, as Parquet files with a card.

    An interrupted command continues when you repeat it. The same command makes the same rows.
    """
    try:
        from noughts.dataset.make import make as make_set
        from noughts.dataset.plan import DatasetPlan
        from noughts.work.parallel import in_threads
    except ImportError as error:
        _needs(error)
    run = in_threads(jobs)
    if ray or ray_address is not None:
        address = cluster_address(ray_address)
        from noughts.cluster import in_cluster

        run = in_cluster(jobs, address)
    bad_use = failing(2, (ValueError, NotationError))
    lost = failing(4, WorkerLost)
    with lost, writing(out, "--out"), bad_use, progress("making") as show:
        plan = DatasetPlan(game, positions, source.value, labels.value, nodes, seed, licence)
        facts = make_set(out, plan, run, show)
    counts = facts.counts
    assert counts is not None
    splits = ", ".join(f"{number:,} {split}" for split, number in counts.rows.items())
    say(f"{out}: {counts.positions:,} positions ({splits})")
    if counts.positions < positions:
        where = f"in {counts.games:,} games" if counts.games else f"of {facts.plan.rules}"
        say(f"There are no more {where}.")
    print(f"{counts.duplicates:,} left out as duplicates, up to symmetry")
    if labels is Labelling.EXACT:
        print(f"{counts.unproven:,} left out without a proof")
    else:
        print(f"{counts.proven:,} proven")


@sets.command(
    epilog=examples("noughts dataset check c4", "noughts dataset check c4 --sample 1000 --seed 1")
)
def check(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Of `noughts dataset make`.")],
    sample: Annotated[int, typer.Option(help="Positions to prove again.", min=0)] = 100,
    seed: Annotated[int, typer.Option(help="Of the sample.", min=0)] = 0,
    nodes: Annotated[
        int, typer.Option(help="Nodes to prove a position of the sample.", min=1)
    ] = 2_000_000,
    json_: JsonFlag = False,
) -> None:
    """Check every row of a data set, and prove a sample of it again, each action by itself.

    The exit code is 1 if there is a fault.
    """
    try:
        from noughts.dataset.check import check as check_set
        from noughts.dataset.plan import BadDataset
    except ImportError as error:
        _needs(error)
    with failing(3, BadDataset, "DIR: "), progress("checking") as show:
        found = check_set(folder, sample, seed, nodes, show)
    if json_:
        answer(
            {
                "passed": found.passed,
                "rows": found.rows,
                "sample": found.sample,
                "proven_again": found.values,
                "not_proven_again": found.left,
                "faults": [*found.faults],
            }
        )
    else:
        for fault in found.faults:
            say(f"- {fault}")
        count = len(found.faults)
        print(f"{found.rows:,} rows read: {count or 'no'} fault{'s' * (count != 1)}")
        print(f"{found.sample:,} positions: {found.values:,} values proven again")
        if found.left:
            print(f"{found.left:,} values not proven again with {nodes:,} nodes a position")
    raise typer.Exit(0 if found.passed else 1)
