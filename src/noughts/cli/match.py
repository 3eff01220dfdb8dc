"""`noughts match`: let bots play a match, and say who is stronger, and how surely.

MatchOptions, … ──► Terms ──► openings, fixtures ──► Match ──play──► table
                                                       ▲  │
                                          games so far │  ▼ each game
                                                  .jsonl file, database
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from noughts.arena.bot import KINDS, Bounds, Entry, Fault
from noughts.arena.control import MARGIN, Control, parse_clock
from noughts.arena.statistics import Sprt
from noughts.cli.cluster import RayAddressOption, RayFlag, cluster_address
from noughts.cli.inputs import read_position, read_sprt
from noughts.cli.match_bots import read_entries
from noughts.cli.match_sinks import ResultsSink, database_sink, file_sink, load_played
from noughts.cli.options import (
    COMPETE,
    Commands,
    JsonFlag,
    complete_rules,
    limit_option,
    number_option,
)
from noughts.cli.output import (
    Screen,
    answer,
    fail,
    failing,
    progress,
    say,
    show_tables,
    warn,
    writing,
)
from noughts.games.position import IllegalMove, NotationError
from noughts.games.words import count
from noughts.opponents import OPPONENTS
from noughts.views.standings import fault_lines, sprt_text, standings_text

if TYPE_CHECKING:
    from noughts.arena.match import Match, Runner
    from noughts.arena.openings import Opening
    from noughts.arena.regret import Audit
    from noughts.arena.schedule import Fixture, Terms

    Report = Callable[[str], None]
    Start = Callable[[Sequence[Fixture], Report], Runner]
    """Starts the runner of games; raises `Fault` if a bot cannot be started."""

app = Commands()

PAIRS = 10
SPRT_PAIRS = 5000
"""Default number of pairs with `--sprt`, which usually ends the match earlier."""
PLIES = 2
SECONDS = 1.0
MODEL_SECONDS = 60.0
"""Seconds a move that suit a language model."""


def complete_bot(incomplete: str) -> list[str]:
    return [name for name in (*OPPONENTS, *KINDS) if name.startswith(incomplete)]


@dataclass(frozen=True)
class MatchOptions:
    """The games of a match."""

    game: Annotated[
        list[str] | None,
        typer.Option(
            help="A game or a position string. Repeatable. Default: ultimate.",
            autocompletion=complete_rules,
        ),
    ] = None
    pairs: Annotated[
        int | None,
        typer.Option(
            help=f"Pairs of games for each pair of bots, in each game. Default: {PAIRS}, or "
            f"{SPRT_PAIRS} with --sprt.",
            min=1,
        ),
    ] = None
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="Only the first bot plays the others.")
    ] = False
    adjudicate: Annotated[
        bool, typer.Option("--adjudicate", help="End a game once its result is proven.")
    ] = False
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1[,ALPHA,BETA]",
            help="Stop once it is decided whether the first of two bots is ELO0 or ELO1 stronger.",
        ),
    ] = None
    seed: Annotated[int, typer.Option(help="Seed for random choices.", min=0)] = 0


@dataclass(frozen=True)
class OpeningOptions:
    """The openings of a match."""

    panel: ClassVar[str] = "Openings"
    plies: Annotated[
        int | None,
        typer.Option(
            help=f"Random moves at the start of each pair. Default: {PLIES}. With --openings: "
            "moves to keep of each opening.",
            min=0,
        ),
    ] = None
    balanced: Annotated[
        int | None,
        typer.Option(
            help="Like --plies, but every opening is a proven draw; in ultimate, Nine boards "
            "and on large boards, even by the engine's estimate.",
            min=0,
        ),
    ] = None
    openings: Annotated[
        Path | None,
        typer.Option(help="A file with moves or a position on each line, or with games."),
    ] = None


@dataclass(frozen=True)
class TimeOptions:
    """The time control of a match, or another limit of every move."""

    panel: ClassVar[str] = "Time"
    seconds: Annotated[
        float | None, limit_option("seconds", f"Seconds a move. Default: {SECONDS:g}.")
    ] = None
    clock: Annotated[
        str | None, typer.Option(help="Seconds a game, and increment a move, as in 10+0.1.")
    ] = None
    first_seconds: Annotated[
        float | None,
        limit_option("seconds", "Seconds for a bot's first move, in place of --seconds."),
    ] = None
    nodes: Annotated[int | None, limit_option("nodes", "Positions a move.")] = None
    depth: Annotated[int | None, limit_option("depth", "Plies a move.")] = None
    margin: Annotated[float, number_option("Seconds that a move may be late.", 0.0)] = MARGIN

    def control(self) -> Control:
        """Return the time control, or fail if there are two."""
        given = [
            f"--{name}"
            for name in ("seconds", "clock", "nodes", "depth")
            if getattr(self, name) is not None
        ]
        if len(given) > 1:
            fail(f"{' and '.join(given)}: choose one of them", 2)
        if self.first_seconds is not None and given not in ([], ["--seconds"]):
            fail(f"--first-seconds does not go with {given[0]}", 2)
        base = increment = None
        if self.clock is not None:
            with failing(2, NotationError, "--clock: "):
                base, increment = parse_clock(self.clock)
        seconds = self.seconds if given else SECONDS
        limits = (seconds, self.nodes, self.depth, base, increment or 0.0)
        return Control(*limits, self.margin, self.first_seconds)


@dataclass(frozen=True)
class BotOptions:
    """The bots' file and the limits of their processes."""

    panel: ClassVar[str] = "Bots"
    bots_file: Annotated[
        Path | None, typer.Option("--bots", help="A TOML file that describes bots by name.")
    ] = None
    memory: Annotated[int | None, typer.Option(help="Memory of a bot in MiB.", min=1)] = None
    cpu: Annotated[
        int | None, typer.Option(help="Processor seconds of a bot's process.", min=1)
    ] = None
    start_seconds: Annotated[float, number_option("Seconds to start a bot.", 0.001)] = (
        Bounds().start_seconds
    )
    python: Annotated[
        str | None,
        typer.Option(
            help="The Python that runs bots which are functions, such as one with NumPy, of the "
            "same version as this one."
        ),
    ] = None
    log: Annotated[
        Path | None,
        typer.Option(help="Folder for the bots' stderr. Default: next to --out of a match."),
    ] = None


@dataclass(frozen=True)
class WorkerOptions:
    """The processes and machines that play the games."""

    panel: ClassVar[str] = "Processes and machines"
    jobs: Annotated[
        int | None, typer.Option(help="Games at once. Default: all cores but one.", min=1)
    ] = None
    pin: Annotated[bool, typer.Option("--pin", help="Reserve a core for each game.")] = False
    ray: RayFlag = False
    ray_address: RayAddressOption = None
    ray_files: Annotated[
        Path | None,
        typer.Option(
            help="Folder to copy to every machine of the cluster. Bots run in the copy.",
            exists=True,
            file_okay=False,
        ),
    ] = None


@dataclass(frozen=True)
class ResultOptions:
    """The files of a match."""

    panel: ClassVar[str] = "Results"
    out: Annotated[
        Path | None,
        typer.Option(help="Add every game to this .jsonl file. An interrupted match continues."),
    ] = None
    database: Annotated[
        str | None,
        typer.Option(help="Add every game to this database (file or URL). Needs --event."),
    ] = None
    event: Annotated[
        str | None, typer.Option(help="Name of the match. Default: the name of --out.")
    ] = None
    report: Annotated[
        Path | None, typer.Option(help="Write an HTML report with every game to this file.")
    ] = None
    json_: JsonFlag = False


@app.add_to(
    COMPETE,
    "noughts match engine:level=6 engine:level=4",
    "noughts match random mcts alphabeta:depth=4 --game connect4 --game basic --pairs 5",
    "noughts match new='uci:./engine --fast' engine --seconds 0.1 --out games.jsonl",
    "noughts match a=engine b=mcts --nodes 20000 --sprt 0,10 --jobs 4 --out test.jsonl",
)
def match(
    context: typer.Context,
    options: MatchOptions,
    opening: OpeningOptions,
    time: TimeOptions,
    bot: BotOptions,
    workers: WorkerOptions,
    results: ResultOptions,
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            help="Two or more bots, such as engine:level=4 or mine='uci:./engine', or names from "
            "--bots. Default: all of --bots.",
            autocompletion=complete_bot,
        ),
    ] = None,
) -> None:
    """Let bots play a match: every opening twice, with sides swapped.

    A bot that fails loses the game, and the match continues.
    """
    load = tuple(Path(word) for word in context.obj[1::2])
    run_match(bots or [], options, opening, time, bot, workers, results, load)


def run_match(
    bots: Sequence[str],
    options: MatchOptions,
    opening: OpeningOptions,
    time: TimeOptions,
    bot: BotOptions,
    workers: WorkerOptions,
    results: ResultOptions,
    load: tuple[Path, ...] = (),
) -> Match:
    """Play a match, or continue it, show its result, and return it; or fail.

    Args:
        bots: as `parse_entry` reads them.
        load: Python files that register games.
    """
    from noughts.arena.chat.figures import has_model, has_models
    from noughts.arena.match import Match
    from noughts.arena.regret import Solver, audit
    from noughts.arena.schedule import Terms, schedule

    out, event = results.out, results.event
    log = out.with_suffix(".logs") if bot.log is None and out is not None else bot.log
    if out is not None and out.suffix != ".jsonl":
        fail(f"--out: {out} is not a .jsonl file", 2)
    if results.database is not None and event is None:
        fail("--database needs --event, the name of the match", 2)
    if results.report is not None and not results.report.parent.is_dir():
        fail(f"--report: there is no folder {results.report.parent}", 3)
    bounds = Bounds(bot.memory, bot.cpu, bot.start_seconds, log)
    entries = read_entries(bots, bot.bots_file, bounds, bot.python)
    games = tuple(options.game or ["ultimate"])
    for each in games:
        if read_position(each)[0].outcome() is not None:
            fail(f"--game: the game is over in {each}", 3)
    test = _test(options.sprt, entries, games)
    terms = Terms(
        entries,
        games,
        options.pairs or (PAIRS if test is None else SPRT_PAIRS),
        time.control(),
        options.seed,
        options.gauntlet,
        options.adjudicate,
        event or (out.stem if out is not None else "match"),
        load,
    )
    if has_model(entries) and 0 < (terms.control.seconds or 0) < MODEL_SECONDS / 6:
        warn(
            f"a language model seldom moves within {terms.control.seconds:g} s: try --seconds "
            f"{MODEL_SECONDS:g}"
        )
    books, about = _openings(terms, opening)
    played = Match(terms, list(schedule(terms, books)), test)
    on_cluster = workers.ray or workers.ray_address is not None
    start = (_on_cluster if on_cluster else _on_this_machine)(workers, terms)
    with ExitStack() as stack:
        sinks: list[ResultsSink] = []
        if out is not None:
            sinks.append(stack.enter_context(file_sink(out)))
        if results.database is not None:
            sinks.append(stack.enter_context(database_sink(results.database, terms.event)))
        load_played(played, sinks)
        say(_about(played, about), sys.stderr)
        try:
            _play(played, sinks, start)
        except KeyboardInterrupt:
            if played.sprt is not None and played.counted:
                say(sprt_text(played.standings, played.sprt), sys.stderr)
            say(_interrupted(played, bool(sinks)), sys.stderr)
            raise typer.Exit(130) from None
    found = None
    if results.report is not None or has_models(played.counted):
        with progress("solving positions") as show:
            found = audit(played.counted, Solver(), show)
    if results.report is not None:
        _write_report(results.report, played, found)
    _show(played, found, log, results.json_)
    return played


def _test(text: str | None, entries: Sequence[Entry], games: Sequence[str]) -> Sprt | None:
    if text is None:
        return None
    if len(entries) != 2 or len(games) != 1:
        fail("--sprt needs two bots and one game", 2)
    return read_sprt(text)


def _openings(terms: Terms, options: OpeningOptions) -> tuple[Mapping[str, Sequence[Opening]], str]:
    """Return the openings of each game, and a phrase that describes them."""
    from noughts.arena.openings import (
        NoOpenings,
        balanced_openings,
        even_openings,
        is_estimated,
        random_openings,
        read_openings,
    )
    from noughts.games.registry import parse_start

    file, plies, balanced = options.openings, options.plies, options.balanced
    if balanced is not None and (file is not None or plies is not None):
        fail("--balanced does not go with --openings or --plies", 2)
    unreadable = failing(3, (OSError, ValueError), f"--openings: cannot read {file}: ")
    wrong = failing(3, (IllegalMove, NotationError), f"--openings: {file}: ")
    with unreadable, wrong, failing(3 if file is not None else 2, NoOpenings):
        if file is not None:
            books: Any = read_openings(file, terms.games, plies)
            about = f"openings from {file}"
        elif balanced is not None:
            books, tried, solved = {}, 0, 0
            estimated = [game for game in terms.games if is_estimated(parse_start(game))]
            for game in terms.games:
                word = "estimating" if game in estimated else "proving"
                with progress(f"{word} openings of {game}") as show:
                    if game in estimated:
                        books[game] = even_openings(game, balanced, terms.pairs, terms.seed, show)
                        continue
                    drawn = balanced_openings(game, balanced, terms.pairs, terms.seed, show)
                books[game] = drawn.openings
                tried, solved = tried + drawn.tried, solved + drawn.solved
            kinds = []
            if len(estimated) < len(terms.games):
                kinds.append(f"each proven a draw ({tried:,} tried, {solved:,} of them solved)")
            if estimated:
                kinds.append("even by the engine's estimate")
            about = f"openings of {count(balanced, 'ply', 'plies')}, {' or '.join(kinds)}"
        else:
            plies = PLIES if plies is None else plies
            books = {
                game: random_openings(game, plies, terms.pairs, terms.seed) for game in terms.games
            }
            about = f"openings of {count(plies, 'random ply', 'random plies')}"
    few = [f"{len(books[game])} of {game}" for game in books if len(books[game]) < terms.pairs]
    if few:
        about += f", only {' and '.join(few)}, used repeatedly"
    return books, about


def _jobs(asked: int | None, terms: Terms) -> int:
    from noughts.arena.match import cores, default_jobs

    if asked is None:
        return default_jobs()
    if asked > len(cores()) and (terms.control.seconds or terms.control.clock):
        warn(
            f"{asked} games at once on {count(len(cores()), 'core')}: bots will slow each other "
            "down"
        )
    return asked


def _on_this_machine(options: WorkerOptions, terms: Terms) -> Start:
    from noughts.arena.match import Workers, try_bots

    if options.ray_files is not None:
        fail("--ray-files goes with --ray or --ray-address", 2)
    at_once = _jobs(options.jobs, terms)

    def start(left: Sequence[Fixture], _: Report) -> Runner:
        try_bots(terms, left)
        return Workers(min(at_once, len(left)), pin=options.pin)

    return start


def _on_cluster(options: WorkerOptions, terms: Terms) -> Start:
    if options.pin:
        fail("--pin does not go with --ray", 2)
    address = cluster_address(options.ray_address)
    from noughts.arena.cluster import Cluster

    at_once = _jobs(options.jobs, terms) if address is None else options.jobs

    def start(left: Sequence[Fixture], report: Report) -> Runner:
        games = len(left)
        return Cluster(min(at_once or games, games), address, files=options.ray_files, tell=report)

    return start


def _play(played: Match, sinks: Sequence[ResultsSink], start: Start) -> None:
    """Play the remaining games of a match, and show its progress."""

    from noughts.arena.match import WorkerLost, refusals
    from noughts.arena.process import LogUnwritable
    from noughts.cli.match_progress import shown_progress

    if played.is_over:
        return
    left = [fixture for fixture in played.fixtures if fixture.number not in played.over]
    for refusal in refusals(played.terms, left):
        fail(refusal, 2)
    console = Screen(stderr=True)

    def report(sentence: str) -> None:
        console.print(f"noughts: {sentence}", markup=False, soft_wrap=True)

    with failing(4, (Fault, LogUnwritable, WorkerLost)):
        runner = start(left, report)
        with shown_progress(console, played) as show:
            for record in played.play(runner):
                for sink in sinks:
                    sink.add(record)
                show(record)


def _about(played: Match, openings: str) -> str:
    terms = played.terms
    names = " – ".join(entry.name for entry in terms.entries)
    games = count(len(played.fixtures), "game")
    words = [f"{terms.event}: {names}", ", ".join(terms.games), _control_text(terms.control)]
    words += [f"{'at most ' if played.sprt else ''}{games}", openings]
    words += ["adjudicated by exact values"] if terms.adjudicate else []
    if played.over:
        words.append(f"{count(len(played.over), 'game')} already played")
    return "; ".join(words)


def _control_text(control: Control) -> str:
    if control.clock is not None:
        increment = f" and {control.increment:g} s a move" if control.increment else ""
        return f"{control.clock:g} s a game{increment}"
    if control.seconds is not None:
        first = "" if control.first_seconds is None else f", {control.first_seconds:g} s the first"
        return f"{control.seconds:g} s a move{first}"
    if control.nodes is not None:
        return f"{count(control.nodes, 'node')} a move"
    return f"{count(control.depth or 0, 'ply', 'plies')} a move"


def _interrupted(played: Match, is_saved: bool) -> str:
    done = f"noughts: stopped after {len(played.over):,} of {len(played.fixtures):,} games"
    if not is_saved:
        return f"{done}; they are lost. --out FILE.jsonl saves games."
    return f"{done}. To continue: {shlex.join(['noughts', *sys.argv[1:]])}"


def _show(played: Match, found: Audit | None, log: Path | None, json_: bool) -> None:
    from noughts.arena.chat.figures import model_figures
    from noughts.views.models_table import NOTES, models_table

    faults = fault_lines(played.counted)
    models = model_figures(played.counted, found)
    if json_:
        data = _data(played, log)
        answer(data | {"models": [each.data() for each in models]} if models else data)
        return
    show_tables(standings_text(played.standings, played.sprt))
    if models:
        print()
        show_tables(models_table(models))
        say(NOTES)
        if log is not None and log.is_dir():
            print(f"Transcripts of the models: {log}")
    if faults:
        print("\nfaults:")
        for line in faults:
            say(f"  {line}")
    if faults and log is not None and log.is_dir():
        print(f"  stderr of the bots: {log}")
    uncounted = len(played.over) - len(played.counted)
    if uncounted:
        games = count(uncounted, "game")
        print(f"\nNot in the table: {games} that ended after the test was decided.")


def _data(played: Match, log: Path | None) -> dict[str, Any]:

    terms, test = played.terms, played.sprt
    data = {
        "event": terms.event,
        "bots": [{"name": entry.name, "bot": entry.text} for entry in terms.entries],
        "games": list(terms.games),
        "pairs": terms.pairs,
        "control": terms.control.text,
        "seed": terms.seed,
        "played": len(played.over),
        "standings": played.standings.data(),
        "faults": [line._asdict() for line in fault_lines(played.counted)],
        "log": None if log is None or not log.is_dir() else str(log),
        "sprt": None,
    }
    if test is not None:
        data["sprt"] = {
            **test._asdict(),
            "ratio": test.ratio(played.pairs),
            "bounds": list(test.bounds),
            "passed": played.passed,
        }
    return data


def _write_report(path: Path, played: Match, found: Audit | None) -> None:
    from noughts.views.match_report import match_report

    page = match_report(played.counted, played.standings, audit=found, sprt=played.sprt)
    with writing(path, "--report"):
        path.write_text(page, encoding="utf-8")
