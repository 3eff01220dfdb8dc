"""`noughts train`: play games for training, and fit a net to them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from noughts import nets
from noughts.cli.options import ANALYSE, Commands, complete_rules, examples
from noughts.cli.output import fail, failing, progress, writing
from noughts.games import registry
from noughts.games.position import NotationError

if TYPE_CHECKING:
    from noughts.train.data import Plan

app = Commands()
steps = typer.Typer(
    name="train",
    help="Train a net, the learned evaluation of nine-board games.",
    epilog=examples(
        "noughts train data games --positions 1000000",
        "noughts train fit games -o my.net",
        "noughts match engine:net=my.net engine:net=no --game ultimate --nodes 10000",
    ),
    no_args_is_help=True,
)
app.add_typer(steps, name="train", rich_help_panel=ANALYSE)


class NetSize(StrEnum):
    """Sizes of nets."""

    FULL = "full"
    SMALL = "small"


def _needs(error: ImportError) -> NoReturn:
    fail(f"training needs {error.name}: pip install 'noughts[train]'", 2)


@steps.command(
    epilog=examples(
        "noughts train data games --positions 1000000",
        "noughts train data games2 --positions 1000000 --net my.net --seed 1",
    )
)
def data(
    folder: Annotated[Path, typer.Argument(help="For the games; made if needed.")],
    positions: Annotated[
        int, typer.Option(help="Positions to have at the end.", min=1)
    ] = 1_000_000,
    game: Annotated[
        str, typer.Option(help="A game; its variants take turns.", autocompletion=complete_rules)
    ] = "ultimate",
    nodes: Annotated[int, typer.Option(help="Nodes of each search.", min=10)] = 1_500,
    seed: Annotated[int, typer.Option(help="Of the games.", min=0, max=2**31 - 1)] = 0,
    net: Annotated[
        str, typer.Option(help="A net for the search; no: the hand-written evaluation.")
    ] = nets.NO_NET,
    jobs: Annotated[int | None, typer.Option(help="Games at once (all cores).", min=1)] = None,
) -> None:
    """Let the engine play against itself, and keep the positions.

    An interrupted run continues.
    """
    try:
        from noughts.train.data import Plan, play
    except ImportError as error:
        _needs(error)
    with failing(2, (ValueError, NotationError)):
        family = nets.family_of(registry.game(game).rules_id)
    with failing(3, nets.BadNet):
        used = nets.chosen(family[0], net)
    plan = Plan(
        rules=family,
        nodes=nodes,
        seed=seed,
        net=used.card.sha256 if used else nets.NO_NET,
        generation=used.card.generation + 1 if used else 1,
    )
    bad_use = failing(2, (ValueError, NotationError))
    with bad_use, writing(folder, "FOLDER"), progress("playing") as show:
        for known in play(folder, plan, positions, used, jobs):
            show(min(known, positions), positions)
    print(f"{known:,} positions in {folder}")


@steps.command(
    epilog=examples(
        "noughts train fit games -o my.net",
        "noughts train fit games games2 -o better.net --epochs 12",
        "noughts train fit games -o my-small.net --size small",
    )
)
def fit(
    folders: Annotated[list[Path], typer.Argument(help="Folders of `noughts train data`.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The net to write.")],
    epochs: Annotated[int, typer.Option(help="Passes over the positions.", min=1)] = 8,
    seed: Annotated[int, typer.Option(help="Of weights and order.", min=0, max=2**31 - 1)] = 0,
    size: Annotated[
        NetSize, typer.Option(help="A small net, of ultimate only, fits into `noughts export`.")
    ] = NetSize.FULL,
) -> None:
    """Fit a net to positions, and write it.

    The loss is the cross-entropy, in nats, on positions that do not train the net; that of epoch 0
    is close to the loss of the hand-written evaluation.
    """
    small = size is NetSize.SMALL
    try:
        plan = _last_plan(folders)
        if small and plan.rules != nets.SMALL_FAMILY:
            family = " and ".join(nets.SMALL_FAMILY)
            fail(f"--size: a small net evaluates {family}, not {' and '.join(plan.rules)}", 2)
        from noughts.train import fit as fitting
        from noughts.train.data import load
        from noughts.train.pack import packed
    except ImportError as error:
        _needs(error)
    with failing(3, (OSError, ValueError)):
        samples = load(*folders)
    print(f"{len(samples.score):,} positions, without symmetric ones")
    with failing(3, ValueError):
        for epoch in fitting.fit(samples, epochs, seed, small=small):
            print(f"epoch {epoch.number:2}   loss {epoch.loss:.5f}", flush=True)
    net = packed(epoch.weights, output.stem, plan, len(samples.score))
    with writing(output, "--output"):
        output.write_bytes(net.packed())
    print(f"{output}: {output.stat().st_size:,} bytes")


@steps.command(epilog=examples("noughts train calibrate my.net"))
def calibrate(
    file: Annotated[Path, typer.Argument(help="The net; its file is written again.")],
    games: Annotated[int, typer.Option(help="Games of each of its rules.", min=1)] = 500,
    nodes: Annotated[int, typer.Option(help="Nodes of each search.", min=10)] = 30_000,
    seed: Annotated[int, typer.Option(help="Of the openings.", min=0, max=2**31 - 1)] = 0,
) -> None:
    """Measure the expected result that each estimate of a net means, by games, and keep it."""
    from noughts.train.calibrate import calibrated, curve, play

    with failing(3, nets.BadNet):
        net = nets.read(file)
    curves = {}
    for rules in net.card.rules:
        judged = list(play(rules, net, games, nodes, seed))
        curves[rules] = curve(judged)
        print(f"{rules}: {len(judged):,} positions", *curves[rules])
    with writing(file, "FILE"):
        file.write_bytes(calibrated(net, curves).packed())


def _last_plan(folders: list[Path]) -> Plan:
    """Return the plan of the folder with the latest generation."""
    from noughts.train.data import plan_of

    plans = []
    for folder in folders:
        try:
            plans.append(plan_of(folder))
        except (OSError, ValueError, TypeError, KeyError):
            fail(f"{folder} holds no games of `noughts train data`", 3)
    return max(plans, key=lambda plan: plan.generation)
