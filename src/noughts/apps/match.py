"""`noughts match`: bots of every kind meet, and the table says who is stronger, and how surely."""

from __future__ import annotations

import os
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from noughts.apps.command import (
    JsonFlag,
    answer,
    complete_rules,
    examples,
    fail,
    progress,
    read_position,
    read_sprt,
    show_tables,
)
from noughts.arena.bot import KINDS, Bounds, Entry, Fault, parse_entry
from noughts.arena.control import MARGIN, Control, parse_clock
from noughts.arena.player import OPPONENTS
from noughts.games.position import IllegalMove, NotationError

if TYPE_CHECKING:
    from noughts.arena.match import Match, Runner
    from noughts.arena.openings import Opening
    from noughts.arena.schedule import Fixture, Terms
    from noughts.arena.statistics import Sprt
    from noughts.games.record import Record

    Tell = Callable[[str], None]
    Run = Callable[[Sequence[Fixture], Tell], Runner]
    """Makes the runner of games, given what tells of it; `Fault` if a bot cannot be started."""

app = typer.Typer()

PAIRS = 10
SPRT_PAIRS = 5000
"""Pairs if none are given; a test ends the match before, as a rule."""
PLIES = 2
SECONDS = 1.0


def complete_bot(incomplete: str) -> list[str]:
    return [name for name in (*OPPONENTS, *KINDS) if name.startswith(incomplete)]


@app.command(
    epilog=examples(
        "noughts match engine:level=6 engine:level=4",
        "noughts match random mcts alphabeta:depth=4 --game connect4 --game basic --pairs 5",
        "noughts match new='uci:./engine --fast' engine --seconds 0.1 --out games.jsonl",
        "noughts match a=engine b=mcts --nodes 20000 --sprt 0,10 --jobs 4 --out test.jsonl",
    )
)
def match(
    context: typer.Context,
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            help="Two or more bots, such as engine:level=4 or mine='uci:./engine', or names of "
            "--bots; all of --bots if left out.",
            autocompletion=complete_bot,
        ),
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(
            help="A rules id or a position string; may be repeated; ultimate if left out.",
            autocompletion=complete_rules,
        ),
    ] = None,
    pairs: Annotated[
        int | None,
        typer.Option(
            help=f"Pairs of games for each two bots and each game: {PAIRS} if left out, or "
            f"{SPRT_PAIRS} with --sprt.",
            min=1,
        ),
    ] = None,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="The first bot meets all others, no one else.")
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option(help=f"Time for each move: {SECONDS:g} if nothing is said.", min=0.001),
    ] = None,
    clock: Annotated[
        str | None,
        typer.Option(help="Seconds for a whole game and those that a move adds, such as 10+0.1."),
    ] = None,
    nodes: Annotated[int | None, typer.Option(help="Positions for each move.", min=1)] = None,
    depth: Annotated[int | None, typer.Option(help="Plies for each move.", min=1)] = None,
    margin: Annotated[
        float, typer.Option(help="Seconds that a move may be late.", min=0.0)
    ] = MARGIN,
    plies: Annotated[
        int | None,
        typer.Option(
            help=f"Random moves that begin each pair: {PLIES} if left out. With --openings: keep "
            "so many of each.",
            min=0,
        ),
    ] = None,
    balanced: Annotated[
        int | None,
        typer.Option(help="As --plies, and the exact solver proves each a draw.", min=0),
    ] = None,
    openings: Annotated[
        Path | None,
        typer.Option(help="A file of openings: moves or a position on each line, or games."),
    ] = None,
    adjudicate: Annotated[
        bool,
        typer.Option("--adjudicate", help="End a game as soon as its exact value is proven."),
    ] = False,
    sprt: Annotated[
        str | None,
        typer.Option(
            help="Stop as soon as it is decided whether the first of two bots is better by ELO0 "
            "or by ELO1: ELO0,ELO1[,ALPHA,BETA]."
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(help="Games at once; if left out one for each core but one.", min=1),
    ] = None,
    pin: Annotated[
        bool, typer.Option("--pin", help="Hold each game, with its bots, to a core of its own.")
    ] = False,
    ray: Annotated[
        bool,
        typer.Option(
            "--ray", help="Play the games in a Ray cluster, of this machine alone if none is named."
        ),
    ] = False,
    ray_address: Annotated[
        str | None,
        typer.Option(help="Play them in a running cluster: HOST:PORT, or auto for the one here."),
    ] = None,
    ray_files: Annotated[
        Path | None,
        typer.Option(
            help="Send this folder to every machine of the cluster; bots run there, not in the "
            "folder that is the current one here.",
            exists=True,
            file_okay=False,
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(help="Seed of everything that is left to chance.", min=0)
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option(help="Add every game to this .jsonl file; what it has is not played again."),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(help="Likewise to this database, a file or a URL; it needs --event."),
    ] = None,
    event: Annotated[
        str | None, typer.Option(help="What the match is called; as the file if left out.")
    ] = None,
    bots_file: Annotated[
        Path | None, typer.Option("--bots", help="A TOML file that describes bots by name.")
    ] = None,
    memory: Annotated[
        int | None, typer.Option(help="MiB that each process of a bot may take.", min=1)
    ] = None,
    cpu: Annotated[
        int | None, typer.Option(help="Processor seconds of each process of a bot.", min=1)
    ] = None,
    start_seconds: Annotated[
        float, typer.Option(help="Time for a bot to get ready.", min=0.001)
    ] = Bounds().start_seconds,
    log: Annotated[
        Path | None,
        typer.Option(help="Folder for what bots write on stderr; beside --out if left out."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write the match as one HTML file, games to replay.")
    ] = None,
    json_: JsonFlag = False,
) -> None:
    """Let bots play a match: every opening twice, with sides swapped.

    A bot that does something wrong loses the game, and the match goes on.
    """
    from noughts.arena.match import Match
    from noughts.arena.schedule import Terms, schedule

    if log is None and out is not None:
        log = out.with_suffix(".logs")
    bounds = Bounds(memory, cpu, start_seconds, log)
    if out is not None and out.suffix != ".jsonl":
        fail(f"--out: {out} is not a .jsonl file", 2)
    if database is not None and event is None:
        fail("--database needs --event: by that name it knows a match", 2)
    if report is not None and not report.parent.is_dir():
        fail(f"--report: there is no folder {report.parent}", 3)
    entries = _entries(bots or [], bots_file, bounds)
    games = tuple(game or ["ultimate"])
    for each in games:
        if read_position(each)[0].outcome() is not None:
            fail(f"--game: there is nothing to play in {each}", 3)
    test = _test(sprt, entries, games)
    terms = Terms(
        entries,
        games,
        pairs or (PAIRS if test is None else SPRT_PAIRS),
        _control(seconds, clock, nodes, depth, margin),
        seed,
        gauntlet,
        adjudicate,
        event or (out.stem if out is not None else "match"),
        tuple(Path(word) for word in context.obj[1::2]),
    )
    books, about = _openings(terms, openings, plies, balanced)
    played = Match(terms, list(schedule(terms, books)), test)
    if ray or ray_address is not None:
        run = _on_cluster(jobs, pin, terms, ray_address, ray_files)
    else:
        run = _on_this_machine(jobs, pin, terms, ray_files)
    with ExitStack() as stack:
        keepers: list[_Keeper] = []
        if out is not None:
            keepers.append(stack.enter_context(_file(out)))
        if database is not None:
            keepers.append(stack.enter_context(_database(database, terms.event)))
        _take(played, keepers)
        print(_about(played, about), file=sys.stderr)
        try:
            _play(played, keepers, run)
        except KeyboardInterrupt:
            print(_to_go_on(played, bool(keepers)), file=sys.stderr)
            raise typer.Exit(130) from None
    if report is not None:
        _write_report(report, played)
    _show(played, log, json_)


# What is asked for --------------------------------------------------------------------------------


def _entries(texts: Sequence[str], file: Path | None, bounds: Bounds) -> tuple[Entry, ...]:
    known = {} if file is None else _read_bots(file, bounds)
    try:
        entries = [known.get(text) or parse_entry(text, bounds) for text in texts]
    except NotationError as error:
        fail(str(error), 2)
    entries = entries or list(known.values())
    if len(entries) < 2:
        fail(f"a match needs two bots; {'one is' if entries else 'none are'} given", 2)
    names = [entry.name for entry in entries]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        fail(f"two bots are called {twice}; name one with NAME={twice}", 2)
    return tuple(entries)


_BOT_KEYS: dict[str, type | tuple[type, ...]] = {
    "bot": str,
    "directory": str,
    "memory": int,
    "cpu": int,
    "start": (int, float),
    "options": dict,
}


def _read_bots(file: Path, bounds: Bounds) -> dict[str, Entry]:
    """Return the bots that a TOML file describes, by name."""
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        fail(f"--bots: {file} cannot be read: {error}", 3)
    return {name: _read_bot(f"{file}, [{name}]", name, bot, bounds) for name, bot in data.items()}


def _read_bot(place: str, name: str, bot: object, bounds: Bounds) -> Entry:
    if not isinstance(bot, dict):
        fail(f'--bots: {place} is no table; wanted is [{name}] and bot = "…" below it', 3)
    for key, value in bot.items():
        if key not in _BOT_KEYS:
            fail(f"--bots: {place} has no key {key!r}; it has {' '.join(_BOT_KEYS)}", 3)
        if not isinstance(value, _BOT_KEYS[key]) or isinstance(value, bool):
            fail(f"--bots: {place}: {key} = {value!r} is not of the right kind", 3)
        if isinstance(value, int | float) and not value > 0:
            fail(f"--bots: {place}: {key} must be above 0", 3)
    if "bot" not in bot:
        fail(f"--bots: {place} does not say what bot it is", 3)
    own = bounds._replace(
        memory_mib=bot.get("memory", bounds.memory_mib),
        cpu_seconds=bot.get("cpu", bounds.cpu_seconds),
        start_seconds=float(bot.get("start", bounds.start_seconds)),
    )
    directory = Path(bot["directory"]) if "directory" in bot else None
    if directory is not None and not directory.is_dir():
        fail(f"--bots: {place}: there is no folder {directory}", 3)
    try:
        entry = parse_entry(bot["bot"], own)
    except NotationError as error:
        fail(f"--bots: {place}: {error}", 3)
    options = tuple((key, str(value)) for key, value in bot.get("options", {}).items())
    return entry._replace(name=name, options=options, directory=directory)


def _control(
    seconds: float | None, clock: str | None, nodes: int | None, depth: int | None, margin: float
) -> Control:
    given = [
        name
        for name, value in (
            ("--seconds", seconds),
            ("--clock", clock),
            ("--nodes", nodes),
            ("--depth", depth),
        )
        if value is not None
    ]
    if len(given) > 1:
        fail(f"{' and '.join(given)}: a match has one of them", 2)
    base = increment = None
    if clock is not None:
        try:
            base, increment = parse_clock(clock)
        except NotationError as error:
            fail(f"--clock: {error}", 2)
    if not given:
        seconds = SECONDS
    return Control(seconds, nodes, depth, base, increment or 0.0, margin)


def _test(text: str | None, entries: Sequence[Entry], games: Sequence[str]) -> Sprt | None:
    if text is None:
        return None
    if len(entries) != 2 or len(games) != 1:
        fail("--sprt is of two bots in one game", 2)
    return read_sprt(text)


def _openings(
    terms: Terms, file: Path | None, plies: int | None, balanced: int | None
) -> tuple[Mapping[str, Sequence[Opening]], str]:
    """Return the openings of each game, and a sentence about them."""
    from noughts.arena.openings import (
        NoOpenings,
        balanced_openings,
        random_openings,
        read_openings,
    )

    if balanced is not None and (file is not None or plies is not None):
        fail("--balanced draws its own openings; it goes with neither --openings nor --plies", 2)
    try:
        if file is not None:
            books: Any = read_openings(file, terms.games, plies)
            about = f"openings of {file}"
        elif balanced is not None:
            books, tried, solved = {}, 0, 0
            for game in terms.games:
                with progress(f"proving openings of {game}") as show:
                    drawn = balanced_openings(game, balanced, terms.pairs, terms.seed, show)
                books[game] = drawn.openings
                tried, solved = tried + drawn.tried, solved + drawn.solved
            about = (
                f"openings of {_count(balanced, 'ply', 'plies')}, each proven a draw "
                f"({tried:,} tried, {solved:,} of them solved)"
            )
        else:
            plies = PLIES if plies is None else plies
            books = {
                game: random_openings(game, plies, terms.pairs, terms.seed) for game in terms.games
            }
            about = f"openings of {_count(plies, 'random ply', 'random plies')}"
    except NoOpenings as error:
        fail(str(error), 3 if file is not None else 2)
    except (IllegalMove, NotationError) as error:
        fail(f"--openings: {file}: {error}", 3)
    except (OSError, ValueError) as error:
        fail(f"--openings: {file} cannot be read: {error}", 3)
    few = [f"{len(books[game])} of {game}" for game in books if len(books[game]) < terms.pairs]
    if few:
        about += f", {' and '.join(few)}, which come again"
    return books, about


# Where games are kept -----------------------------------------------------------------------------


class _Keeper(NamedTuple):
    """What keeps the games of a match: a file, or a database."""

    place: str
    records: Sequence[Record]
    """Those that it has from before."""
    add: Callable[[Record], object]


@contextmanager
def _file(path: Path) -> Iterator[_Keeper]:
    from noughts.arena.results import Results

    try:
        results = Results(path)
    except (IllegalMove, NotationError) as error:
        fail(f"--out: {path} is no file of games: {error}", 3)
    except OSError as error:
        fail(f"--out: {path} cannot be written: {error.strerror or error}", 3)

    def add(record: Record) -> None:
        try:
            results.add(record)
        except OSError as error:
            fail(f"--out: {path} cannot be written: {error.strerror}", 3)

    with closing(results):
        if results.cut_off:
            print(
                f"noughts: the last line of {path} was cut off; that game is played again",
                file=sys.stderr,
            )
        yield _Keeper(str(path), results.records, add)


@contextmanager
def _database(url: str, event: str) -> Iterator[_Keeper]:
    from noughts.games.record import parse_json_line

    try:
        from noughts.store import Store, StoreUnavailable, file_url, without_password
    except ImportError as error:
        fail(f"--database needs {error.name}: pip install 'noughts[arena]'", 2)
    place = without_password(url)
    try:
        store = Store(url if "://" in url else file_url(url))
    except ValueError as error:
        fail(f"--database: {error}", 2)
    except StoreUnavailable as error:
        fail(f"the database cannot be opened: {error} ({place})", 4)

    def add(record: Record) -> None:
        try:
            store.add_result(record)
        except StoreUnavailable as error:
            fail(f"the database does not take a game: {error} ({place})", 4)

    with closing(store):
        try:
            records = [parse_json_line(line) for line in store.results(event)]
        except StoreUnavailable as error:
            fail(f"the database cannot be read: {error} ({place})", 4)
        except (IllegalMove, NotationError) as error:
            fail(f"--database: a game of {event} cannot be read: {error}", 3)
        yield _Keeper(place, records, add)


def _take(played: Match, keepers: Sequence[_Keeper]) -> None:
    """Take the games that are kept already; what one of the keepers has, the other gets."""
    from noughts.arena.results import OtherTerms, games_of

    known = []
    for keeper in keepers:
        try:
            known.append(games_of(keeper.records, played.terms, played.fixtures))
        except OtherTerms as error:
            fail(f"{keeper.place} is of another match: {error}; choose another name", 3)
    every = dict(sorted({number: each for has in known for number, each in has.items()}.items()))
    for keeper, has in zip(keepers, known, strict=True):
        for number in every.keys() - has.keys():
            keeper.add(every[number])
    for number, record in every.items():
        played.add(number, record)


def _jobs(asked: int | None, terms: Terms) -> int:
    from noughts.arena.match import cores, default_jobs

    if asked is None:
        return default_jobs()
    if asked > len(cores()) and (terms.control.seconds or terms.control.clock):
        print(
            f"noughts: {asked} games at once on {_count(len(cores()), 'core', 'cores')}: bots "
            "will take each other's time",
            file=sys.stderr,
        )
    return asked


# Playing ------------------------------------------------------------------------------------------


def _on_this_machine(jobs: int | None, pin: bool, terms: Terms, files: Path | None) -> Run:
    from noughts.arena.match import Workers, try_bots

    if files is not None:
        fail("--ray-files goes with --ray or --ray-address", 2)
    at_once = _jobs(jobs, terms)

    def run(left: Sequence[Fixture], _: Tell) -> Runner:
        try_bots(terms, left)
        return Workers(min(at_once, len(left)), pin=pin)

    return run


def _on_cluster(
    jobs: int | None, pin: bool, terms: Terms, address: str | None, files: Path | None
) -> Run:
    if pin:
        fail("--pin is of this machine; it does not go with --ray", 2)
    # Ray's news of machines, but for what this matches, go to stdout, where the answer belongs.
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
    try:
        from noughts.arena.cluster import Cluster
    except ImportError as error:
        fail(f"--ray needs {error.name}: pip install 'noughts[cluster]'", 2)
    # As all that is started in a cluster, a job of Ray's for one, is told where that is.
    address = address or os.environ.get("RAY_ADDRESS") or None
    at_once = _jobs(jobs, terms) if address is None else jobs

    def run(left: Sequence[Fixture], tell: Tell) -> Runner:
        games = len(left)
        return Cluster(min(at_once or games, games), address, files=files, tell=tell)

    return run


def _play(played: Match, keepers: Sequence[_Keeper], run: Run) -> None:
    """Play what is left of a match, and show how it goes."""
    from rich.console import Console

    from noughts.apps.match_live import watched
    from noughts.arena.match import RoomLost, refusals

    if played.is_over:
        return
    left = [fixture for fixture in played.fixtures if fixture.number not in played.over]
    for refusal in refusals(played.terms, left):
        fail(refusal, 2)
    console = Console(stderr=True, highlight=False)

    def tell(sentence: str) -> None:
        console.print(f"noughts: {sentence}", markup=False, soft_wrap=True)

    try:
        runner = run(left, tell)
        with watched(console, played) as said:
            for record in played.play(runner):
                for keeper in keepers:
                    keeper.add(record)
                said(record)
    except Fault as fault:
        fail(f"{fault.verdict}: {fault.message}", 4)
    except RoomLost as error:
        fail(str(error), 4)


# What is said -------------------------------------------------------------------------------------


def _about(played: Match, openings: str) -> str:
    terms = played.terms
    names = " – ".join(entry.name for entry in terms.entries)
    games = _count(len(played.fixtures), "game", "games")
    words = [f"{terms.event}: {names}", ", ".join(terms.games), _control_text(terms.control)]
    words += [f"{'at most ' if played.sprt else ''}{games}", openings]
    words += ["adjudicated by exact values"] if terms.adjudicate else []
    if played.over:
        words.append(f"{_count(len(played.over), 'game is', 'games are')} there already")
    return "; ".join(words)


def _control_text(control: Control) -> str:
    if control.clock is not None:
        increment = f" and {control.increment:g} s a move" if control.increment else ""
        return f"{control.clock:g} s a game{increment}"
    if control.seconds is not None:
        return f"{control.seconds:g} s a move"
    if control.nodes is not None:
        return f"{_count(control.nodes, 'node', 'nodes')} a move"
    return f"{_count(control.depth or 0, 'ply', 'plies')} a move"


def _to_go_on(played: Match, kept: bool) -> str:
    done = f"noughts: stopped after {len(played.over):,} of {len(played.fixtures):,} games"
    if not kept:
        return f"{done}; nothing kept them, as --out FILE.jsonl would have"
    return f"{done}; go on with: {shlex.join(['noughts', *sys.argv[1:]])}"


def _show(played: Match, log: Path | None, json_: bool) -> None:
    from noughts.views.standings import fault_lines, standings_text

    faults = fault_lines(played.counted)
    if json_:
        answer(_data(played, log))
        return
    show_tables(standings_text(played.standings, played.sprt))
    if faults:
        print("\nfaults:")
        for line in faults:
            print(f"  {line}")
    if faults and log is not None and log.is_dir():
        print(f"  what the bots wrote on stderr is in {log}")
    uncounted = len(played.over) - len(played.counted)
    if uncounted:
        games = _count(uncounted, "later game was", "later games were")
        print(f"\n{games} over when the test was decided; the table is without.")


def _data(played: Match, log: Path | None) -> dict[str, Any]:
    from noughts.views.standings import fault_lines

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


def _write_report(path: Path, played: Match) -> None:
    from noughts.apps.command import writing
    from noughts.arena.regret import Solver, audit
    from noughts.views.match_report import match_report

    with progress("solving what moves give away") as show:
        found = audit(played.counted, Solver(), show)
    page = match_report(played.counted, played.standings, audit=found, sprt=played.sprt)
    with writing(path):
        path.write_text(page, encoding="utf-8")


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
