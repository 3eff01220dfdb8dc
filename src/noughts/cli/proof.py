"""`noughts proof`: prove who wins a game of nine boards, and make certificates of the proof."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noughts.arena.match import WorkerLost
from noughts.cli.cluster import RayAddressOption, RayFlag, cluster_address
from noughts.cli.options import MORE, ChartTheme, Commands, JsonFlag, complete_rules, examples
from noughts.cli.output import answer, check_chart, fail, failing, progress, warn, writing
from noughts.games.nested import Advanced
from noughts.games.position import IllegalMove, NotationError, Player, parse_moves
from noughts.games.registry import game, position
from noughts.games.words import percent
from noughts.proof import campaign as campaigns
from noughts.proof import run as runs
from noughts.proof.campaign import BadCampaign, Campaign
from noughts.proof.log import BadLog
from noughts.proof.work import version
from noughts.work.parallel import in_threads

if TYPE_CHECKING:
    from noughts.proof.run import Status

DEEPEST_BYTES = 1_000_000
"""Largest certificate, in bytes, if `--ply` is not given."""

app = Commands()
steps = typer.Typer(
    name="proof",
    help="Prove who wins a game of nine boards.",
    epilog=examples(
        "noughts proof start advanced campaigns/advanced",
        "noughts proof run campaigns/advanced",
        "noughts proof status campaigns/advanced",
        "noughts proof export campaigns/advanced -o advanced.proof",
        "noughts proof check advanced.proof --sample 100",
    ),
    no_args_is_help=True,
)
app.add_typer(steps, name="proof", rich_help_panel=MORE)

FolderArgument = Annotated[Path, typer.Argument(help="Of the campaign.")]


@steps.command(
    epilog=examples(
        "noughts proof start advanced campaigns/advanced",
        "noughts proof start advanced:full=draw campaigns/draw",
    )
)
def start(
    game: Annotated[
        str,
        typer.Argument(
            help="A game of nine boards, or a position that the side to move should win.",
            autocompletion=complete_rules,
        ),
    ],
    folder: Annotated[Path, typer.Argument(help="For the campaign; made if needed.")],
    job_ply: Annotated[
        int | None, typer.Option(help="Ply of the jobs (12, or 4 after a later start).", min=0)
    ] = None,
    leaf_ply: Annotated[
        int | None, typer.Option(help="Ply of the leaves (18, or 6 after the jobs).", min=18)
    ] = None,
) -> None:
    """Make the folder of a campaign, which `noughts proof run` works on."""
    with failing(3 if "~" in game else 2, NotationError), failing(2, BadCampaign):
        plan = campaigns.plan_of(game, job_ply, leaf_ply)
    with failing(2, BadCampaign), writing(folder, "FOLDER"):
        campaigns.start(folder, plan)
    print(f"{folder}: that {plan.attacker} wins, by jobs at ply {plan.job_ply}")


@steps.command(
    epilog=examples(
        "noughts proof run campaigns/advanced",
        "nice -n 19 noughts proof run campaigns/advanced --jobs 2",
        "noughts proof run campaigns/advanced --ray-address auto",
    )
)
def run(
    folder: FolderArgument,
    jobs: Annotated[int | None, typer.Option(help="Jobs at once (all cores).", min=1)] = None,
    ray: RayFlag = False,
    ray_address: RayAddressOption = None,
) -> None:
    """Work on a campaign until all jobs are won. It can be interrupted at any time.

    Exit code 1: the moves chosen are too costly, or too many jobs were not won.
    """
    runner = in_threads(jobs)
    if ray or ray_address is not None:
        address = cluster_address(ray_address)
        from noughts.cluster import in_cluster

        runner = in_cluster(jobs, address)
    status = None
    with (
        failing(3, (BadCampaign, BadLog)),
        failing(4, WorkerLost),
        failing(1, runs.PolicyFailed),
        writing(folder, "FOLDER"),
        progress("proving") as show,
    ):
        for status in runs.run(folder, runner):
            show(status.done, status.total if not status.open_nodes else None)
    assert status is not None
    _print(folder, status)


@steps.command()
def status(folder: FolderArgument, json_: JsonFlag = False) -> None:
    """Show the progress of a campaign, and its forecast.

    Exit code 1: it is not proven yet.
    """
    with failing(3, (BadCampaign, BadLog)):
        plan = campaigns.read_plan(folder)
        campaign = Campaign(folder, version(plan.rules))
        found = runs.status_of(campaign)
    for place in campaign.log.damaged:
        warn(f"{place} is damaged and does not count")
    if json_:
        answer(
            {
                "schema": 1,
                "start": plan.start,
                "attacker": str(plan.attacker),
                "proven": found.is_proven,
                **found._asdict(),
                "mean": found.mean,
                "forecast": found.forecast,
                "error": found.error,
                "core_seconds_left": found.core_seconds_left,
            }
        )
    else:
        _print(folder, found)
        _print_course(campaign)
    if not found.is_proven:
        raise typer.Exit(1)


def _print(folder: Path, found: Status) -> None:
    if found.open_nodes:
        print(f"{folder}: {found.open_nodes:,} or more nodes have no move yet.")
        return
    if found.is_proven:
        print(f"{folder}: proven. {found.done:,} jobs, {found.leaves:,} leaves.")
    else:
        share = found.done / found.total
        print(f"{folder}: {found.done:,} of {found.total:,} jobs won ({percent(share)}).")
    print(f"Expansions: {found.expansions:.4g}, {found.mean:.3g} a job.")
    if found.seconds:
        rate = found.expansions / found.seconds / 1e6
        print(f"Core-hours: {found.seconds / 3600:.2f}, {rate:.2f} million expansions a second.")
    if not found.is_proven and found.done:
        print(
            f"Forecast: {found.forecast:.3g} ± {found.error:.2g} expansions in all;"
            f" {found.core_seconds_left / 3600:.1f} core-hours left."
        )
    print(f"Tries of jobs not won: {found.not_won}. Nodes with another move: {found.changes}.")


def _print_course(campaign: Campaign) -> None:
    """Draw the jobs won over time, one row an hour."""
    hours: dict[int, int] = {}
    for job in campaign.won.values():
        hour = job.when // 3600
        hours[hour] = hours.get(hour, 0) + 1
    if not hours:
        return
    most = max(hours.values())
    print()
    for hour, jobs in sorted(hours.items()):
        begins = datetime.fromtimestamp(hour * 3600, UTC)
        bar = "█" * max(1, round(40 * jobs / most))
        print(f"{begins:%Y-%m-%d %H}h UTC  {bar} {jobs:,}")


@steps.command(
    epilog=examples(
        "noughts proof export campaigns/advanced -o advanced.proof",
        "noughts proof export campaigns/advanced -o full.proof --ply 20",
    )
)
def export(
    folder: FolderArgument,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write.")],
    ply: Annotated[
        int | None,
        typer.Option(help="The cut: leaves from this ply on (the deepest under 1 MB).", min=1),
    ] = None,
    book: Annotated[
        bool, typer.Option("--book", help="Write a book for the engine, not a certificate.")
    ] = False,
) -> None:
    """Write the certificate of a campaign that is proven."""
    from noughts.books import Book
    from noughts.proof import certificate as certificates

    with failing(3, (BadLog, BadCampaign)):
        plan = campaigns.read_plan(folder)
        if book and (plan.start != str(game(plan.rules)) or plan.attacker is not Player.X):
            fail("--book: only of a proof that X wins from the start position", 2)
        whole = certificates.of_campaign(Campaign(folder))
    if ply is not None and not plan.job_ply - 2 <= ply <= plan.cut:
        fail(f"--ply: {plan.job_ply - 2} to {plan.cut}, not {ply}", 2)
    with failing(3, certificates.BadCertificate):
        cut = plan.cut if ply is None else ply
        made = whole.shortened(cut)
        while ply is None and len(made.codes) >= DEEPEST_BYTES:
            cut -= 2
            made = whole.shortened(cut)
        leaves = made.leaves()
    with writing(output):
        output.write_bytes(Book(cut, made.codes).packed(plan.rules) if book else made.packed())
    print(f"{output}: {len(made.codes):,} moves, {leaves:,} leaves from ply {cut}")


@steps.command(
    epilog=examples(
        "noughts proof show advanced.proof",
        "noughts proof show advanced.proof 55 51",
        "noughts proof show advanced.proof 55 -o answers.svg",
    )
)
def show(
    file: Annotated[Path, typer.Argument(help="A certificate.")],
    moves: Annotated[
        list[str] | None, typer.Argument(help="Moves from its start position.", show_default=False)
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Draw the answers: an .svg file.")
    ] = None,
    chart: Annotated[
        Path | None, typer.Option(help="Draw the number of moves by ply: .svg or .png.")
    ] = None,
    theme: Annotated[ChartTheme, typer.Option(help="Colours of a picture.")] = ChartTheme.LIGHT,
) -> None:
    """Show the winner's move in a position of a certificate, and his answer to each reply."""
    from noughts.proof import certificate as certificates
    from noughts.views import strategy

    if chart is not None:
        check_chart(chart, "--chart")
    if output is not None and output.suffix.lower() != ".svg":
        fail(f"--output: {output} is not an .svg file", 2)
    with failing(3, (OSError, certificates.BadCertificate)):
        certificate = certificates.read(file)
        counts = certificate.moves_by_ply()
    start = position(certificate.start)
    with failing(3, (NotationError, IllegalMove)):
        place = start.after(parse_moves(start, " ".join(moves or [])))
    assert isinstance(place, Advanced)
    try:
        said = strategy.text(certificate, place)
    except KeyError:
        fail(f"{file} has no move after {' '.join(moves or [])}", 3)
    print(f"{certificate.attacker} wins; {len(certificate.codes):,} moves to ply {certificate.cut}")
    if not moves:
        print(", ".join(f"{count:,} at ply {ply}" for ply, count in counts.items()))
    print(f"\n{said}")
    if output is not None:
        with writing(output):
            drawn = strategy.picture(certificate, place, theme.value)
            output.write_text(drawn, encoding="utf-8")
    if chart is not None:
        from noughts.views.chart import kind_of, strategy_chart

        with writing(chart):
            chart.write_bytes(strategy_chart(counts, kind_of(chart.name), theme.value))


@steps.command(
    epilog=examples(
        "noughts proof check advanced.proof --sample 100",
        "noughts proof check full.proof --slice 3/100",
    )
)
def check(
    file: Annotated[Path, typer.Argument(help="A certificate.")],
    sample: Annotated[
        int | None, typer.Option(help="Prove this many leaves, chosen at random.", min=1)
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the choice.", min=0)] = 1,
    slice_: Annotated[
        str, typer.Option("--slice", help="Prove the I-th of N parts of the leaves: I/N.")
    ] = "1/1",
    jobs: Annotated[int | None, typer.Option(help="Leaves at once (all cores).", min=1)] = None,
) -> None:
    """Prove the leaves of a certificate with the engine.

    `tools/check_proof.c` and `tools/check_proof.py` do the same and share nothing with noughts.
    Exit code 1: a leaf is not won.
    """
    from noughts.proof import certificate as certificates

    part, _, parts = slice_.partition("/")
    if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        fail(f"--slice: I/N, with I from 1 to N, not {slice_}", 2)
    with failing(3, (OSError, certificates.BadCertificate)), progress("proving") as show:
        certificate = certificates.read(file)
        total = certificate.leaves()
        leaves: Sequence[int]
        if sample is not None:
            leaves = certificates.sampled(total, sample, seed)
        else:
            leaves = range(total * (int(part) - 1) // int(parts), total * int(part) // int(parts))
        expansions = 0
        for done, found in enumerate(certificates.proofs(certificate, leaves, in_threads(jobs)), 1):
            show(done, len(leaves))
            expansions += found.expansions
            if not found.is_won:
                fail(f"not proven: leaf {found.leaf}, after {found.moves}", 1)
    print(
        f"{certificate.attacker} wins: {len(leaves):,} of {total:,} leaves proven,"
        f" {len(certificate.codes):,} moves to ply {certificate.cut}, {expansions:,} expansions"
    )
    if sample is not None:
        print(f"With 99 % confidence fewer than {100 - 100 * 0.01 ** (1 / sample):.2g} % fail.")
