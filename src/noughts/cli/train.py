"""`noughts train`: play games for training, fit a net to them, and test it in a match."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from noughts import nets
from noughts.arena.match import WorkerLost, cores
from noughts.arena.statistics import Sprt
from noughts.cli.cluster import RayAddressOption, RayFlag, cluster_address
from noughts.cli.match import (
    SPRT_PAIRS,
    BotOptions,
    MatchOptions,
    OpeningOptions,
    ResultOptions,
    TimeOptions,
    WorkerOptions,
    run_match,
)
from noughts.cli.options import (
    DEVELOP,
    Commands,
    JsonFlag,
    complete_rules,
    examples,
    grouped,
    limit_option,
    number_option,
)
from noughts.cli.output import fail, failing, progress, writing
from noughts.extras import missing
from noughts.games import registry
from noughts.games.position import NotationError

if TYPE_CHECKING:
    from collections.abc import Callable

    from noughts.train.data import Plan

TEST_NODES = 10_000
"""Nodes a move in `train test`."""
UNDECIDED = 5
"""The exit code of a test that ends without a decision."""

app = Commands()
steps = typer.Typer(
    name="train",
    help="Train a net, the learned evaluation of nine-board games and Gomoku.",
    epilog=examples(
        "noughts train data games --positions 1000000",
        "noughts train fit games -o my.net",
        "noughts train test my.net --against no",
    ),
    no_args_is_help=True,
)
app.add_typer(steps, name="train", rich_help_panel=DEVELOP)


class NetSize(StrEnum):
    """Sizes of nets."""

    FULL = "full"
    SMALL = "small"


def _needs(error: ImportError) -> NoReturn:
    fail(missing("training", error.name, "train"), 2)


@steps.command(
    epilog=examples(
        "noughts train data games --positions 1000000",
        "noughts train data games2 --positions 1000000 --net my.net --seed 1",
        "noughts train data games --positions 20000000 --ray-address auto",
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
    ray: RayFlag = False,
    ray_address: RayAddressOption = None,
) -> None:
    """Let the engine play against itself, and keep the positions.

    An interrupted run continues.
    """
    try:
        from noughts.train.data import Plan, play
        from noughts.work.parallel import in_threads
    except ImportError as error:
        _needs(error)
    run = in_threads(jobs)
    if ray or ray_address is not None:
        address = cluster_address(ray_address)
        from noughts.cluster import in_cluster

        run = in_cluster(jobs, address)
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
    lost = failing(4, WorkerLost)
    with bad_use, lost, writing(folder, "FOLDER"), progress("playing") as show:
        for known in play(folder, plan, positions, used, run):
            show(min(known, positions), positions)
    print(f"{known:,} positions in {folder}")


@steps.command(
    epilog=examples(
        "noughts train fit games -o my.net",
        "noughts train fit games games2 -o better.net --epochs 12",
        "noughts train fit games2 -o better.net --from my.net",
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
    first: Annotated[
        Path | None, typer.Option("--from", help="Continue the training of this net.")
    ] = None,
    weights: Annotated[
        Path | None, typer.Option(help="Also write the weights before rounding (.npz).")
    ] = None,
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
        from noughts.train.pack import floats, packed, weights_of

        load, train = _trainer(plan, small=small)
    except ImportError as error:
        _needs(error)
    known, before = None, 0
    if first is not None:
        with failing(3, (nets.BadNet, ValueError)):
            net = nets.read(first)
            known, before = weights_of(net), net.card.positions
        if small or net.card.rules != plan.rules:
            fail(f"--from: {first} is not a full net of {' and '.join(plan.rules)}", 2)
    with failing(3, (OSError, ValueError)):
        samples = load(*folders)
    count, is_gomoku = len(samples.score), plan.rules == nets.FAMILIES[nets.GOMOKU]
    print(f"{count:,} positions{'' if is_gomoku else ', without symmetric ones'}")
    with failing(3, ValueError):
        for epoch in train(samples, epochs, seed, first=known):
            print(f"epoch {epoch.number:2}   loss {epoch.loss:.5f}", flush=True)
    positions = before + count
    if weights is not None:
        with writing(weights, "--weights"):
            weights.write_bytes(floats(epoch.weights, plan, positions))
    net = packed(epoch.weights, output.stem, plan, positions)
    with writing(output, "--output"):
        output.write_bytes(net.packed())
    print(f"{output}: {output.stat().st_size:,} bytes")


def _trainer(plan: Plan, *, small: bool) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the functions that read the positions of a plan, and that fit a net to them."""
    if plan.rules == nets.FAMILIES[nets.GOMOKU]:
        from noughts.train import gomoku_data, gomoku_fit

        return gomoku_data.load, gomoku_fit.fit
    from noughts.train import data
    from noughts.train import fit as fitting

    return data.load, partial(fitting.fit, small=small)


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


@dataclass(frozen=True)
class SprtOptions:
    """The bounds of a test, and the limits of its games."""

    elo0: Annotated[float, number_option("Reject a net that is no more Elo stronger.")] = 0.0
    elo1: Annotated[float, number_option("Accept a net that is as much Elo stronger.")] = 10.0
    pairs: Annotated[int, typer.Option(help="Most pairs of games.", min=1)] = SPRT_PAIRS
    nodes: Annotated[
        int | None, limit_option("nodes", f"Positions a move. Default: {TEST_NODES:,}.")
    ] = None
    seconds: Annotated[
        float | None, limit_option("seconds", "Seconds a move, in place of --nodes.")
    ] = None
    plies: Annotated[int, typer.Option(help="Random moves before each pair.", min=0)] = 4
    seed: Annotated[int, typer.Option(help="Of the openings.", min=0)] = 0


@steps.command(
    "test",
    epilog=examples(
        "noughts train test my.net --against no",
        "noughts train test better.net --against my.net --out test.jsonl",
        "noughts train test better.net --elo0 -5 --elo1 5 --seconds 0.05",
    ),
)
@grouped
def sprt(
    file: Annotated[Path, typer.Argument(help="The net.")],
    options: SprtOptions,
    against: Annotated[
        str | None,
        typer.Option(
            help="Another net; no: the hand-written evaluation. Default: the installed net."
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(help="Default: the first game of the net.", autocompletion=complete_rules),
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Games at once (all cores).", min=1)] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Add every game to this .jsonl file. An interrupted test continues."),
    ] = None,
    json_: JsonFlag = False,
) -> None:
    """Test in a match whether a net is stronger than another one.

    The exit code is 0 if the net is accepted, 1 if it is rejected, and 5 if --pairs ends the match
    before the test (SPRT, errors of 5 %) decides.
    """
    with failing(2, ValueError):
        Sprt(options.elo0, options.elo1).check()
    with failing(3, nets.BadNet):
        rules = nets.read(file).card.rules[0]
    if game is not None:
        with failing(2, (ValueError, NotationError)):
            rules = registry.game(game).rules_id
    with failing(3, nets.BadNet):
        new, old = nets.chosen(rules, str(file)), nets.chosen(rules, against)
    if new and old and new.card.sha256 == old.card.sha256:
        fail("the two nets are the same: their weights do not differ", 2)
    bounds = f"{options.elo0},{options.elo1}"
    nodes = TEST_NODES if options.nodes is options.seconds is None else options.nodes
    played = run_match(
        [_bot(new, str(file)), _bot(old, against)],
        MatchOptions([rules], options.pairs, sprt=bounds, seed=options.seed),
        OpeningOptions(options.plies),
        TimeOptions(options.seconds, nodes=nodes),
        BotOptions(),
        WorkerOptions(jobs or len(cores())),
        ResultOptions(out, json_=json_),
    )
    raise typer.Exit(UNDECIDED if played.passed is None else 0 if played.passed else 1)


def _bot(net: nets.Net | None, name: str | None) -> str:
    """Return an engine with a net as a bot, whose name has digits of the net's hash."""
    if net is None:
        return f"hand-written=engine:net={nets.NO_NET}"
    stem = "installed" if name is None else re.sub(r"[^A-Za-z0-9_.-]", "-", Path(name).stem)
    return f"{stem}-{net.card.sha256[:8]}=engine{'' if name is None else f':net={name}'}"


@steps.command(
    epilog=examples(
        "noughts train fit games -o my.net --weights my.npz",
        "noughts train pack my.npz -o my.net",
        "noughts train pack my.net --name 'Second try' -o second.net",
    )
)
def pack(
    file: Annotated[
        Path, typer.Argument(help="Weights of `noughts train fit --weights` (.npz), or a net.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The net to write.")],
    name: Annotated[
        str | None, typer.Option(help="In the card. Default: that of --output.")
    ] = None,
) -> None:
    """Make a net file of weights: whole numbers, and a card with name, rules, hash and data.

    Of a net only the name changes.
    """
    try:
        from noughts.train.pack import loaded, packed
    except ImportError as error:
        _needs(error)
    with failing(3, OSError):
        is_net = file.read_bytes().startswith(nets.MAGIC)
    name = name or output.stem
    with failing(3, (nets.BadNet, ValueError)):
        if is_net:
            net = nets.read(file)
            net = replace(net, card=replace(net.card, name=name))
        else:
            net = packed(**loaded(file), name=name)
    with writing(output, "--output"):
        output.write_bytes(net.packed())
    card = net.card
    print(f"{output}: {output.stat().st_size:,} bytes")
    print(f"name        {card.name}")
    print(f"rules       {' '.join(card.rules)}")
    print(f"sha256      {card.sha256}")
    print(f"positions   {card.positions:,}, each judged by {card.nodes:,} nodes")
    print(f"generation  {card.generation}, seed {card.seed}")
    print(f"calibrated  {'yes' if card.curves else 'no'}")


def _last_plan(folders: list[Path]) -> Plan:
    """Return the plan of the folder with the latest generation."""
    from noughts.train.data import plan_of

    plans = []
    for folder in folders:
        try:
            plans.append(plan_of(folder))
        except (OSError, ValueError, TypeError, KeyError):
            fail(f"no games of `noughts train data` in {folder}", 3)
    gomoku = nets.FAMILIES[nets.GOMOKU]
    if len({plan.rules == gomoku for plan in plans}) > 1:
        fail(f"positions of different games in {' '.join(map(str, folders))}", 3)
    return max(plans, key=lambda plan: plan.generation)
