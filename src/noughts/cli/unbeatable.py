"""`noughts unbeatable`: is a bot unbeatable?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, ClassVar, NamedTuple, NoReturn

import typer

from noughts.arena.bot import Bounds, Entry, Fault
from noughts.arena.control import Control
from noughts.cli.inputs import read_position
from noughts.cli.match import BotOptions, complete_bot
from noughts.cli.match_bots import read_entry
from noughts.cli.options import MORE, Commands, JsonFlag, complete_rules, limit_option
from noughts.cli.output import Screen, answer, fail, failing, progress, say, warn, writing
from noughts.games.position import Player, Position
from noughts.games.words import count
from noughts.school.asking import ANSWERS, Asker, Nature, nature, needs_whole_games
from noughts.school.judged_moves import EarlyMoves, decisive
from noughts.school.unbeatable import POSITIONS, BotFailed, SideSearch, UnbeatableReport

app = Commands()

MARGIN = 1.0
"""Seconds by which a move may be late: nobody waits for it on a clock."""


class BotSide(StrEnum):
    """The sides that a bot can play."""

    X = "X"
    O = "O"  # noqa: E741


@dataclass(frozen=True)
class LineOptions:
    """The lines to search."""

    side: Annotated[
        BotSide | None, typer.Option(help="Let the bot play X or O only.", case_sensitive=False)
    ] = None
    ask: Annotated[
        int | None,
        typer.Option(
            help="Answers for each position; all different ones are followed. Default: "
            f"{ANSWERS[Nature.CHANCE]} for a bot with chance, {ANSWERS[Nature.UNKNOWN]} for a "
            "program or function, else 1.",
            min=1,
        ),
    ] = None
    every_line: Annotated[
        bool,
        typer.Option(
            "--every-line",
            help="Play every line as a separate game, for bots with memory. Left out: a position "
            "that several lines reach is asked once.",
        ),
    ] = False
    limit: Annotated[int, typer.Option(help="Positions to ask, for each side.", min=1)] = POSITIONS
    plies: Annotated[
        int | None,
        typer.Option(
            help="For large games: judge the moves in all positions after 0 to this many plies by "
            "their exact values.",
            min=0,
        ),
    ] = None
    seed: Annotated[int, typer.Option(help="Seed for random choices.", min=0)] = 0

    @property
    def sides(self) -> list[Player]:
        return list(Player) if self.side is None else [Player(self.side.value)]


@dataclass(frozen=True)
class MoveLimits:
    """The limit of each move."""

    panel: ClassVar[str] = "Limits of a move"
    seconds: Annotated[float | None, limit_option("seconds", "Seconds a move.")] = None
    nodes: Annotated[int | None, limit_option("nodes", "Positions a move.")] = None
    depth: Annotated[int | None, limit_option("depth", "Plies a move.")] = None

    def control(self) -> Control:
        """Return the limit as a control, or fail if there are two."""
        given = [f"--{name}" for name in ("seconds", "nodes", "depth") if getattr(self, name)]
        if len(given) > 1:
            fail(f"{' and '.join(given)}: choose one of them", 2)
        return Control(self.seconds, self.nodes, self.depth, margin=MARGIN)


@dataclass(frozen=True)
class ProofFiles:
    """The files that the answer can be checked with."""

    panel: ClassVar[str] = "Results"
    certificate: Annotated[
        Path | None,
        typer.Option(help="Write the moves of a bot that never loses to this .jsonl file."),
    ] = None
    record: Annotated[
        Path | None,
        typer.Option(help="Append the lost game to this file (.jsonl: JSON lines)."),
    ] = None

    def check(self, lines: LineOptions) -> None:
        """Fail before the work starts if a file does not fit `lines`, or could not be written."""
        if lines.plies is not None and (self.certificate or self.record):
            fail("--plies plays no games: it goes without --certificate and --record", 2)
        if self.certificate is not None and self.certificate.suffix != ".jsonl":
            fail(f"--certificate: {self.certificate} is not a .jsonl file", 2)
        for option, path in (("--certificate", self.certificate), ("--record", self.record)):
            if path is not None and not path.parent.is_dir():
                fail(f"{option}: there is no folder {path.parent}", 3)

    def write(self, report: UnbeatableReport) -> None:
        """Write the files that fit the verdict, and warn of one that does not."""
        from noughts.games import record as records
        from noughts.school.certificate import certificate_lines

        if self.record is not None and report.lost is not None:
            with writing(self.record, "--record"):
                records.append(self.record, report.lost.record(report.bot))
        if self.certificate is None:
            return
        if not report.passed:
            warn("No certificate is written: the bot loses, or the answer is undecided.")
            return
        lines = certificate_lines(report.bot, report.answers, report.searches)
        with writing(self.certificate, "--certificate"), self.certificate.open("w") as file:
            file.writelines(f"{line}\n" for line in lines)


@app.add_to(
    MORE,
    "noughts unbeatable minimax",
    "noughts unbeatable engine:level=4 --record lost.txt",
    "noughts unbeatable cs50:tictactoe.py --certificate proof.jsonl",
    "noughts unbeatable alphabeta:depth=4 --game connect4 --plies 3",
)
def unbeatable(
    context: typer.Context,
    bot: Annotated[
        str,
        typer.Argument(
            help="A bot, such as minimax, engine:level=4, cs50:FILE.py or 'uci:./engine', or a "
            "name from --bots.",
            autocompletion=complete_bot,
        ),
    ],
    lines: LineOptions,
    limits: MoveLimits,
    bots: BotOptions,
    files: ProofFiles,
    game: Annotated[
        str,
        typer.Option(help="A game or a position string.", autocompletion=complete_rules),
    ] = "basic",
    json_: JsonFlag = False,
) -> None:
    """Is a bot unbeatable? Play every line of the opponent, against the bot as X and as O.

    The answer is "never loses" with the number of lines, or the shortest game that the bot loses.

    Exit code: 0 never loses, 1 loses or undecided, 2 wrong usage, 4 the bot failed.
    """
    control = limits.control()
    files.check(lines)
    bounds = Bounds(bots.memory, bots.cpu, bots.start_seconds, bots.log)
    entry = read_entry(bot, bots.bots_file, bounds, bots.python)
    start, _ = read_position(game)
    if start.outcome() is not None:
        fail(f"--game: the game is over in {game}", 3)
    for side in lines.sides:
        if reason := entry.refusal(start, (), side):
            fail(f"{entry.name}: {reason}", 2)
    kind = nature(entry, control, lines.seed)
    task = Task(entry, start, control, kind, lines.ask or ANSWERS[kind], lines)
    if lines.plies is not None:
        _show_early_moves(task, lines.plies, json_)
    else:
        _show_lines(task, files, " ".join(["noughts", *context.obj]), json_)


class Task(NamedTuple):
    """A bot, and how to ask it."""

    entry: Entry
    start: Position
    control: Control
    nature: Nature
    answers: int
    lines: LineOptions

    def asker(self, side: Player, *, whole_games: bool = False) -> Asker:
        seed = self.lines.seed
        return Asker(self.entry, self.start, side, self.control, seed=seed, whole_games=whole_games)


@contextmanager
def _asking(task: Task, title: str, so_far: Callable[[], str]) -> Iterator[Callable[[int], None]]:
    """Show the number of positions; fail if the bot does; after Ctrl-C, print `so_far`."""
    try:
        with (
            failing(4, (BotFailed, Fault), f"{task.entry.name} failed: "),
            progress(title, "positions") as show,
        ):
            yield lambda done: show(done, None)
    except KeyboardInterrupt:
        say(f"Interrupted. {so_far()}", sys.stderr)
        raise typer.Exit(130) from None


def _show_lines(task: Task, files: ProofFiles, program: str, json_: bool) -> NoReturn:
    """Search all lines, write the files, print the answer, and exit."""
    from noughts.views.unbeatable_text import side_text, unbeatable_text

    searches: list[SideSearch] = []

    def so_far() -> str:
        return " ".join(f"As {each.side}: {side_text(each)}." for each in searches)

    def search(side: Player, whole: bool) -> None:
        with (
            _asking(task, f"{task.entry.name} as {side}", so_far) as show,
            task.asker(side, whole_games=whole) as asker,
        ):
            searches.append(SideSearch(asker, task.answers, task.lines.limit, show))
            searches[-1].run()

    for side in task.lines.sides:
        whole = task.lines.every_line or needs_whole_games(task.entry, task.start, side)
        search(side, whole)
        if searches[-1].remembers and task.nature is not Nature.CHANCE:
            searches.pop()
            search(side, whole=True)
    report = UnbeatableReport(task.entry.name, task.nature, task.answers, tuple(searches))
    files.write(report)
    lost = report.lost
    mistake = None if lost is None or lost.illegal else decisive(lost)
    if json_:
        answer({**report.as_data(), "mistake": mistake and mistake.as_data()})
    else:
        Screen().print(unbeatable_text(report, mistake, program))
    raise typer.Exit(0 if report.passed else 1)


def _show_early_moves(task: Task, plies: int, json_: bool) -> NoReturn:
    """Judge the moves of the first plies, print the answer, and exit."""
    from noughts.views.unbeatable_text import early_moves_text

    with ExitStack() as stack:
        early: list[EarlyMoves] = []

        def so_far() -> str:
            done = sum(each.positions for each in early)
            return f"{count(done, 'position')} judged."

        show = stack.enter_context(_asking(task, task.entry.name, so_far))
        askers = {side: stack.enter_context(task.asker(side)) for side in task.lines.sides}
        early.append(EarlyMoves(askers, plies, task.answers, task.lines.limit, show))
        early[0].run()
    if json_:
        answer({"bot": task.entry.name, "answers": task.answers, **early[0].as_data()})
    else:
        Screen().print(early_moves_text(task.entry.name, early[0]))
    raise typer.Exit(0 if early[0].is_right else 1)
